//! `examples/hopper/attention.mlir`: causal attention by wgmma, with P in registers.

use super::{Twin, clean, found, halves};

const ATTENTION: &str = include_str!("../../../../../examples/hopper/attention.mlir");

fn arguments(rows: usize, heads: usize) -> String {
    let tensor = |name: &str, fill: &str| format!("--arg {name}:f16[{rows}x64x{heads}]{fill}");
    let [q, k, v] =
        [("Q", 1), ("K", 2), ("V", 3)].map(|(name, seed)| tensor(name, &format!("=random({seed})")));
    format!("--host {q} {k} {v} {} --arg scale:f32=0.125", tensor("O", ""))
}

/// One row, two heads with a ragged tile, and more tiles than stages.
#[test]
fn a_query_sees_the_keys_up_to_its_own() {
    for (rows, heads, how) in [(1, 1, "--schedules 8"), (100, 2, "--runtime-checks"), (200, 1, "")] {
        let folder = tempfile::tempdir().unwrap();
        let out = "--out Q=q.npy --out K=k.npy --out V=v.npy --out O=o.npy";
        clean(&folder, ATTENTION, &format!("{} {how} {out}", arguments(rows, heads)));
        let [q, k, v, o] = ["q.npy", "k.npy", "v.npy", "o.npy"].map(|name| halves(&folder, name));
        let largest = v.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        for (query, head) in (0..rows).flat_map(|query| (0..heads).map(move |head| (query, head))) {
            let at = |row: usize, column: usize| (row * 64 + column) * heads + head;
            let score = |key| (0..64).map(|c| q[at(query, c)] * k[at(key, c)]).sum::<f64>() * 0.125;
            let weights: Vec<f64> = (0..=query).map(|key| score(key).exp()).collect();
            let sum: f64 = weights.iter().sum();
            for column in 0..64 {
                let expected: f64 =
                    weights.iter().enumerate().map(|(key, w)| w * v[at(key, column)]).sum::<f64>() / sum;
                // P is rounded to f16, and so is O.
                let off = (expected - o[at(query, column)]).abs();
                assert!(
                    off <= largest / 1024.0,
                    "{rows} rows, query {query}, head {head}, column {column}: {off}"
                );
            }
        }
    }
}

const WAIT_AND_RELEASE: &str = "          nvvm.wgmma.wait.group.sync.aligned 0
          scf.if %releases {
            nvvm.mbarrier.arrive %empty_p : !llvm.ptr<3>
          }
";
const RELEASE_AND_WAIT: &str = "          scf.if %releases {
            nvvm.mbarrier.arrive %empty_p : !llvm.ptr<3>
          }
          nvvm.wgmma.wait.group.sync.aligned 0
";

#[test]
fn registers_and_stages_in_use_are_found() {
    let wait = "          nvvm.wgmma.wait.group.sync.aligned 0\n          scf.if %releases {";
    let twins = [
        Twin {
            mistake: "P and O were written since the last fence",
            right: "          nvvm.wgmma.fence.aligned\n          cute.gemm(%mma_O",
            wrong: "          cute.gemm(%mma_O",
            found: "no `wgmma.fence` comes between that write and this MMA",
        },
        Twin {
            mistake: "O is used before the MMAs are complete",
            right: wait,
            wrong: "          scf.if %releases {",
            found: "this uses a register that `wgmma.mma_async",
        },
        Twin {
            mistake: "a stage is released before its MMAs are complete",
            right: WAIT_AND_RELEASE,
            wrong: RELEASE_AND_WAIT,
            found: "nothing orders it with the asynchronous",
        },
        Twin {
            mistake: "O is stored by the TMA without a fence",
            right: "        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n",
            wrong: "",
            found: "through the async proxy, but may not see the write",
        },
    ];
    found(ATTENTION, &arguments(200, 1), &twins);
}
