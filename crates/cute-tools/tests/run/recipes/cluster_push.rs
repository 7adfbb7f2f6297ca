//! `examples/hopper/cluster_push.mlir`: a softmax whose blocks write into one another's memory.

use super::{Twin, clean, found};
use crate::arrays::floats;

const PUSH: &str = include_str!("../../../../../examples/hopper/cluster_push.mlir");

fn arguments(columns: usize) -> String {
    format!("--grid 4,3 --arg X:f32[3x{columns}]=random(1) --arg Y:f32[3x{columns}]")
}

/// One column, of which three blocks have none, and rows that end within a warp.
#[test]
fn blocks_of_a_cluster_share_a_softmax() {
    for (columns, how) in [(1, "--runtime-checks"), (300, "--schedules 8"), (1000, "--target sm_120a")] {
        let folder = tempfile::tempdir().unwrap();
        clean(&folder, PUSH, &format!("{} {how} --out X=x.npy --out Y=y.npy", arguments(columns)));
        let (x, y) = (floats(&folder, "x.npy"), floats(&folder, "y.npy"));
        for (x, y) in x.chunks(columns).zip(y.chunks(columns)) {
            let weights: Vec<f64> = x.iter().map(|x| f64::from(*x).exp()).collect();
            let sum: f64 = weights.iter().sum();
            for (weight, y) in weights.iter().zip(y) {
                assert!((weight / sum - f64::from(*y)).abs() <= 1e-6 * weight / sum, "{columns} columns");
            }
        }
    }
}

#[test]
fn a_push_that_is_not_handed_over_is_found() {
    let orders = "an mbarrier orders what blocks of a cluster write only where its arrivals and waits say";
    let twins = [
        Twin {
            mistake: "the arrival has the scope of a block",
            right: "nvvm.mbarrier.arrive %full_there {scope = #nvvm.mem_scope<cluster>}",
            wrong: "nvvm.mbarrier.arrive %full_there",
            found: orders,
        },
        Twin {
            mistake: "the wait has the scope of a block",
            right: "nvvm.mbarrier.try_wait %full_p, %c0 {scope = #nvvm.mem_scope<cluster>}",
            wrong: "nvvm.mbarrier.try_wait %full_p, %c0",
            found: orders,
        },
        Twin {
            mistake: "the arrivals are at the block's own barrier",
            right: "nvvm.mapa %full_p, %thread",
            wrong: "nvvm.mapa %full_p, %rank",
            found: "is read before it is written",
        },
        Twin {
            mistake: "another block may not have begun",
            right: "      nvvm.cluster.wait {aligned}\n",
            wrong: "",
            found: "is used when that block may not have begun",
        },
    ];
    found(PUSH, &arguments(300), &twins);
}
