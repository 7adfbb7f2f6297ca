//! The smallest of them: atomics, and the shared memory of other blocks.

use crate::{arrays::floats, run_in};
use std::fs;

const ATOMICS: &str = include_str!("../../../../../examples/atomics.mlir");
const CLUSTER_SUM: &str = include_str!("../../../../../examples/hopper/cluster_sum.mlir");

#[test]
fn bytes_are_counted_by_atomics() {
    for (n, blocks) in [(1, 1), (4096, 1), (10_000, 3)] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!(
            "--grid {blocks} --pedantic --arg x:u8[{n}]=range --arg counts:i32[256] --out counts=c.npy"
        );
        let (code, out, err) = run_in(&folder, ATOMICS, &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        let file = npyz::NpyFile::new(fs::File::open(folder.path().join("c.npy")).unwrap()).unwrap();
        let expected: Vec<i32> = (0..256).map(|byte| (byte..n).step_by(256).count() as i32).collect();
        assert_eq!(file.into_vec::<i32>().unwrap(), expected, "{n} bytes");
    }
}

#[test]
fn the_blocks_of_a_cluster_add_a_row() {
    for (columns, schedule) in [(1, "lazy"), (512, "eager"), (1000, "reverse"), (1000, "1")] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = format!(
            "--grid 4,3 --schedule {schedule} --pedantic --arg X:f32[3x{columns}]=range --arg S:f32[3] --out S=s.npy"
        );
        let (code, out, err) = run_in(&folder, CLUSTER_SUM, &arguments);
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        // Integers below 2^24, whose sums are exact in any order.
        let row = |i: u32| (i * columns..(i + 1) * columns).map(|x| x as f32).sum::<f32>();
        assert_eq!(floats(&folder, "s.npy"), [0, 1, 2].map(row), "{columns} columns");
    }
}
