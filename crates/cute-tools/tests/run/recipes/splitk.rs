//! `examples/splitk.mlir`: blocks add to a tile one after the other.

use super::{Twin, clean, found, halves};
use crate::arrays::floats;

const SPLITK: &str = include_str!("../../../../../examples/splitk.mlir");

fn arguments(splits: usize) -> String {
    format!(
        "--grid 2,1,{splits} --arg A:f16[128x320]=random(1) --arg B:f16[64x320]=random(2) --arg C:f32[128x64] --arg semaphores:i32[2x1]"
    )
}

/// Five K tiles: all in one part, unequal parts, and parts without any.
#[test]
fn parts_of_a_sum_are_added_in_order() {
    for (splits, how) in [(1, "--runtime-checks"), (3, "--schedules 8"), (7, "--target sm_80")] {
        let folder = tempfile::tempdir().unwrap();
        let out = "--out A=a.npy --out B=b.npy --out C=c.npy --out semaphores=s.npy";
        clean(&folder, SPLITK, &format!("{} {how} {out}", arguments(splits)));
        let [a, b] = ["a.npy", "b.npy"].map(|name| halves(&folder, name));
        for (i, c) in floats(&folder, "c.npy").into_iter().enumerate() {
            let (row, column) = (&a[i / 64 * 320..][..320], &b[i % 64 * 320..][..320]);
            let sum: f64 = row.iter().zip(column).map(|(a, b)| a * b).sum();
            assert!((sum - f64::from(c)).abs() < 1e-4, "{splits} parts, element {i}");
        }
        let file = npyz::NpyFile::new(std::fs::File::open(folder.path().join("s.npy")).unwrap()).unwrap();
        assert_eq!(file.into_vec::<i32>().unwrap(), [0, 0], "{splits} parts: the next launch finds zeros");
    }
}

#[test]
fn a_semaphore_without_order_is_found() {
    let twins = [
        Twin {
            mistake: "the load does not acquire",
            right: "syncscope(\"device\") acquire",
            wrong: "syncscope(\"device\") monotonic",
            found: "reads byte 0 of buffer C, and nothing orders it with the write",
        },
        Twin {
            mistake: "the update does not release",
            right: "syncscope(\"device\") release",
            wrong: "syncscope(\"device\") monotonic",
            found: "reads byte 0 of buffer C, and nothing orders it with the write",
        },
        Twin {
            mistake: "the turn is never passed on",
            right: "%turn = llvm.atomicrmw xchg %semaphore_p, %next syncscope(\"device\") release : !llvm.ptr<1>, i32",
            wrong: "",
            found: "the kernel hangs",
        },
        Twin {
            mistake: "other threads may not have written yet",
            right: "one of them lets the next block go on.\n      nvvm.barrier0\n",
            wrong: "one of them lets the next block go on.\n",
            found: "of buffer C, and nothing orders it with the write",
        },
    ];
    found(SPLITK, &arguments(3), &twins);
}
