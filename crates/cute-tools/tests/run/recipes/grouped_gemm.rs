//! `examples/hopper/grouped_gemm.mlir`: tensor maps that the kernel changes for each group.

use super::{Twin, clean, found, halves, with_file};
use crate::arrays::floats;
use tempfile::TempDir;

const GROUPED: &str = include_str!("../../../../../examples/hopper/grouped_gemm.mlir");
/// Rows of the groups: one tile, none, more than one, few.
const COUNTS: [i32; 4] = [40, 0, 70, 10];
const M: usize = 120;
const N: usize = 136;
const K: usize = 72;

fn arguments(folder: &TempDir, blocks: usize) -> String {
    let counts = with_file(folder, "counts.npy", &[4], COUNTS.to_vec());
    format!(
        "--host --arg A:f16[{M}x{K}]=random(1) --arg B:f16[{N}x{K}x4]=random(2) --arg C:f32[{M}x{N}] --arg counts:i32[4]={counts} \
         --arg maps:i64[16x2x{blocks}]"
    )
}

/// One block changes its maps for each group, and some of several blocks have no tile of a group.
#[test]
fn groups_are_multiplied_by_maps_of_their_own() {
    for (blocks, how) in [(1, "--schedules 4"), (2, "--runtime-checks"), (5, "")] {
        let folder = tempfile::tempdir().unwrap();
        let out = "--out A=a.npy --out B=b.npy --out C=c.npy";
        clean(&folder, GROUPED, &format!("{} {how} {out}", arguments(&folder, blocks)));
        let [a, b] = ["a.npy", "b.npy"].map(|name| halves(&folder, name));
        let c = floats(&folder, "c.npy");
        let groups = COUNTS.iter().enumerate().flat_map(|(g, rows)| vec![g; *rows as usize]);
        for (row, group) in groups.enumerate() {
            for column in 0..N {
                let product = |k| a[row * K + k] * b[(column * K + k) * 4 + group];
                let sum: f64 = (0..K).map(product).sum();
                let found = f64::from(c[row * N + column]);
                assert!(
                    (sum - found).abs() < 1e-4,
                    "{blocks} blocks: ({row},{column}) is {found}, not {sum}"
                );
            }
        }
    }
}

#[test]
fn a_map_that_is_not_handed_over_is_found() {
    let twins = [
        Twin {
            mistake: "the copying threads do not acquire",
            right: "          nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %generic_A, %c128\n",
            wrong: "",
            found: "the copying thread must execute `fence.proxy.tensormap::generic.acquire`",
        },
        Twin {
            mistake: "blocks share a map",
            right: "%at_map_C = cute.make_coord(%block)",
            wrong: "%at_map_C = cute.make_coord(%c0)",
            // The threads of the host decide if the change of the map or the copy by it comes
            // second.
            found: "of buffer maps",
        },
        Twin {
            mistake: "the map of C stays that of the host, which does not end with the group",
            right: "cute.copy(%own_C,",
            wrong: "cute.copy(%exec_C,",
            found: "of buffer C through the async proxy, and nothing orders it with the asynchronous write",
        },
        Twin {
            mistake: "the tile of C and its map are still in use",
            right: "            nvvm.cp.async.bulk.wait_group 0 {read}\n",
            wrong: "",
            found: "nothing orders it with the asynchronous read",
        },
    ];
    let folder = tempfile::tempdir().unwrap();
    found(GROUPED, &arguments(&folder, 2), &twins);
}
