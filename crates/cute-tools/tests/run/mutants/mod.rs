//! Each synchronisation of the GEMMs for Hopper and Blackwell, missing or off by one step: the
//! simulator finds it, or [`equivalent`] gives the reason why the kernel is still correct.
//!
//! A sample; with `CUTE_FULL` set, all mutants or a shard of them.

mod equivalent;
mod proved;
mod sizes;

use std::{
    fs,
    process::Command,
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
};

use cute_mutate::{Mutant, ir::mutants};
use tempfile::TempDir;

use self::equivalent::EQUIVALENT;
pub use self::proved::AMPERE;
use super::{full, run_in};

/// A kernel, a problem in which its rings turn more than twice, and the arguments of all sizes: `n`
/// K tiles, and two tiles of D for each block, or three where there are two accumulators.
pub struct Kernel {
    pub name: &'static str,
    build: &'static str,
    run: &'static str,
    pub prove: &'static str,
}

pub const KERNELS: [Kernel; 7] = [
    Kernel {
        name: "hopper",
        build: "gemm_sm90 --types f16 --m-tile 128 --n-tile 64 --k-tile 64 --stages 2",
        run: "--target sm_90a --arg A:f16[256x136]=random(1) --arg B:f16[320x136]=random(2) --arg D:f16[256x320] \
              --arg blocks:i32=2",
        prove: "--target sm_90a --arg A:f16[256x{64*n}]=random(1) --arg B:f16[128x{64*n}]=random(2) --arg D:f16[256x128] --arg blocks:i32=2",
    },
    Kernel {
        name: "hopper ping-pong",
        build: "gemm_sm90 --types f16 --m-tile 64 --n-tile 64 --k-tile 64 --stages 2 --schedule pingpong --n-cluster 2 \
                --m-cluster 1 --beta --bias",
        run: "--target sm_90a --arg A:f16[128x136]=random(1) --arg B:f16[384x136]=random(2) \
              --arg C:f16[128x384]=random(3) --arg D:f16[128x384] --arg bias:f32[384]=random(4) --arg beta:f32=-3 \
              --arg blocks:i32=2",
        prove: "--target sm_90a --arg A:f16[64x{64*n}]=random(1) --arg B:f16[256x{64*n}]=random(2) --arg C:f16[64x256]=random(3) --arg D:f16[64x256] \
                --arg bias:f32[256]=random(4) --arg beta:f32=-3 --arg blocks:i32=2",
    },
    Kernel {
        name: "hopper promoted",
        build: "gemm_sm90 --types e4m3 --m-tile 64 --n-tile 64 --k-tile 128 --stages 2 --promote 2 --m-cluster 1",
        run: "--target sm_90a --arg A:f8E4M3FN[64x592]=random(1) --arg B:f8E4M3FN[192x592]=random(2) \
              --arg D:f32[64x192] --arg blocks:i32=1",
        prove: "--target sm_90a --arg A:f8E4M3FN[64x{128*n}]=random(1) --arg B:f8E4M3FN[128x{128*n}]=random(2) --arg D:f32[64x128] --arg blocks:i32=1",
    },
    Kernel {
        name: "blackwell",
        build: "gemm_sm100 --types bf16 --ctas 1 --m-tile 128 --n-tile 64 --k-tile 64 --stages 2",
        run: "--target sm_100a --arg A:bf16[256x136]=random(1) --arg B:bf16[320x136]=random(2) --arg D:bf16[256x320] \
              --arg blocks:i32=2",
        prove: "--target sm_100a --arg A:bf16[128x{64*n}]=random(1) --arg B:bf16[192x{64*n}]=random(2) --arg D:bf16[128x192] --arg blocks:i32=1",
    },
    Kernel {
        name: "blackwell pair",
        build: "gemm_sm100 --types bf16 --ctas 2 --m-tile 256 --n-tile 64 --k-tile 64 --stages 2",
        run: "--target sm_100a --arg A:bf16[256x136]=random(1) --arg B:bf16[320x136]=random(2) --arg D:bf16[256x320] \
              --arg blocks:i32=2",
        prove: "--target sm_100a --arg A:bf16[256x{64*n}]=random(1) --arg B:bf16[192x{64*n}]=random(2) --arg D:bf16[256x192] --arg blocks:i32=2",
    },
    Kernel {
        name: "blackwell clc",
        build: "gemm_sm100 --types bf16 --ctas 2 --m-tile 256 --n-tile 64 --k-tile 64 --stages 2 --scheduler clc --beta",
        run: "--target sm_100a --arg A:bf16[512x136]=random(1) --arg B:bf16[320x136]=random(2) \
              --arg C:bf16[512x320]=random(3) --arg D:bf16[512x320] --arg beta:f32=-3",
        prove: "--target sm_100a --arg A:bf16[256x{64*n}]=random(1) --arg B:bf16[128x{64*n}]=random(2) --arg C:bf16[256x128]=random(3) --arg D:bf16[256x128] --arg beta:f32=-3",
    },
    Kernel {
        name: "blackwell mma.sync",
        build: "gemm_sm120 --types bf16 --m-tile 64 --n-tile 128 --k-tile 32 --stages 2 --bias",
        run: "--target sm_120a --arg A:bf16[128x136]=random(1) --arg B:bf16[384x136]=random(2) \
              --arg D:bf16[128x384] --arg bias:f32[384]=random(4) --arg blocks:i32=2",
        prove: "--target sm_120a --arg A:bf16[64x{32*n}]=random(1) --arg B:bf16[256x{32*n}]=random(2) --arg D:bf16[64x256] --arg bias:f32[256]=random(3) --arg blocks:i32=1",
    },
];

/// The step between the mutants of a sample.
const STEP: usize = 47;

/// The option with which the host function launches, unless the arguments have a grid.
pub fn host(arguments: &str) -> &'static str {
    if arguments.contains("--grid") { "" } else { "--host" }
}

/// The result of a run.
enum Outcome {
    /// Findings.
    Found,
    /// No finding, and these bytes of D.
    Survived(Vec<u8>),
    /// The compiler refuses the kernel, for this reason.
    Refused(String),
}

impl Kernel {
    pub fn text(&self) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cutec"));
        let arguments = self.build.split_whitespace();
        let target = self.run.split_whitespace().take(2);
        let output = command.arg("build").args(arguments).args(target).args(["--emit", "cute"]).output();
        let output = output.expect("cutec runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("a text")
    }

    fn run(&self, text: &str) -> Outcome {
        let folder: TempDir = tempfile::tempdir().expect("a folder");
        let (code, out, err) =
            run_in(&folder, text, &format!("{} {} --out D=d.npy", host(self.run), self.run));
        match code {
            Some(0) => Outcome::Survived(fs::read(folder.path().join("d.npy")).expect("D was written")),
            _ if err.contains(" finding") => Outcome::Found,
            _ => Outcome::Refused(out + &err),
        }
    }

    /// D as the kernel without a change computes it.
    fn result(&self, text: &str) -> Vec<u8> {
        match self.run(text) {
            Outcome::Survived(d) => d,
            Outcome::Found => panic!("{} has findings", self.name),
            Outcome::Refused(why) => panic!("{}: {why}", self.name),
        }
    }

    /// Runs a mutant. Returns the row that explains why it survives, if it does, or an error if no
    /// row does or its result is wrong.
    fn judge<'d>(
        &self,
        mutant: &Mutant,
        text: &str,
        right: impl Fn() -> &'d [u8],
    ) -> Result<Option<usize>, String> {
        match self.run(&mutant.apply(text)) {
            Outcome::Found => Ok(None),
            Outcome::Refused(why) => Err(format!("refused: {why}")),
            Outcome::Survived(d) if d != right() => Err("survives, and D differs".to_owned()),
            Outcome::Survived(_) => {
                let row = EQUIVALENT.iter().position(|row| row.explains(self.name, mutant));
                row.map(Some).ok_or_else(|| "survives".to_owned())
            }
        }
    }
}

#[test]
fn a_changed_synchronisation_is_found_or_makes_no_difference() {
    let texts = KERNELS.map(|kernel| kernel.text());
    let results = KERNELS.map(|_| OnceLock::new());
    let right = |i: usize| results[i].get_or_init(|| KERNELS[i].result(&texts[i])).as_slice();
    let all: Vec<(usize, Mutant)> =
        (0..KERNELS.len()).flat_map(|i| mutants(&texts[i]).into_iter().map(move |m| (i, m))).collect();
    assert!(all.len() > 400, "{}", all.len());
    let (next, wrong, explained) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let work = || {
        while let Some((at, (i, mutant))) =
            Some(next.fetch_add(1, Relaxed)).and_then(|at| Some((at, all.get(at)?)))
        {
            if !full::takes(at, STEP) {
                continue;
            }
            match KERNELS[*i].judge(mutant, &texts[*i], || right(*i)) {
                Ok(row) => explained.lock().unwrap().extend(row),
                Err(why) => {
                    let text = format!("{}: {why}", mutant.within(KERNELS[*i].name));
                    wrong.lock().unwrap().push(text);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let (wrong, explained) = (wrong.into_inner().unwrap(), explained.into_inner().unwrap());
    println!("{} mutants; of those that were tried, {} make no difference", all.len(), explained.len());
    assert!(wrong.is_empty(), "{} mutants:\n{}", wrong.len(), wrong.join("\n"));
    // The table lists nothing that is found after all.
    if full::shard().is_some_and(|shard| shard.of == 1) {
        let idle = EQUIVALENT.iter().enumerate().filter(|(row, _)| !explained.contains(row));
        let idle: Vec<String> = idle.map(|(_, row)| row.to_string()).collect();
        assert!(idle.is_empty(), "no mutant survives any more as\n{}", idle.join("\n"));
    }
}
