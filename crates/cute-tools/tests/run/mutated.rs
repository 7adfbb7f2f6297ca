//! The recipes and the kernels of the builders, with mistakes: how many the values of their arrays
//! show, and how many the simulator's findings.
//!
//! A few mutants of two kernels; with `CUTE_FULL` set, 60 of all kernels or of a shard of them.
//! `CUTE_FULL=1 UPDATE_DOCS=1 cargo test -p cute-tools --test run mutated` writes the tables of
//! docs/mutants.md.

use std::{collections::BTreeMap, env, fs, path::Path, process::Command};

use serde_json::Value;

use super::full;

/// A kernel, and a run of it.
struct Kernel {
    /// An example, or a builder with its options.
    from: &'static str,
    run: &'static str,
}

const KERNELS: [Kernel; 19] = [
    Kernel {
        from: "examples/hopper/wgmma.mlir",
        run: "--host --arg A:f16[72x136]=random(1) --arg B:f16[200x136]=random(2) --arg C:f32[72x200]",
    },
    Kernel {
        from: "examples/hopper/warp_roles.mlir",
        run: "--host --arg A:f16[136x328]=random(1) --arg B:f16[136x328]=random(2) --arg C:f32[136x136]",
    },
    Kernel {
        from: "examples/blackwell/umma.mlir",
        run: "--target sm_100a --host --arg A:f16[136x328]=random(1) --arg B:f16[136x328]=random(2) --arg C:f32[136x136]",
    },
    Kernel {
        from: "examples/atomics.mlir",
        run: "--grid 3 --arg x:i8[3000]=random(1) --arg counts:i32[256]",
    },
    Kernel {
        from: "examples/splitk.mlir",
        run: "--grid 2,1,3 --arg A:f16[128x320]=random(1) --arg B:f16[64x320]=random(2) --arg C:f32[128x64] \
              --arg semaphores:i32[2x1]",
    },
    Kernel {
        from: "examples/hopper/cluster_sum.mlir",
        run: "--grid 4,3 --arg X:f32[3x1000]=random(1) --arg S:f32[3]",
    },
    Kernel {
        from: "examples/hopper/cluster_push.mlir",
        run: "--grid 4,3 --arg X:f32[3x300]=random(1) --arg Y:f32[3x300]",
    },
    Kernel {
        from: "examples/hopper/attention.mlir",
        run: "--host --arg Q:f16[100x64x2]=random(1) --arg K:f16[100x64x2]=random(2) --arg V:f16[100x64x2]=random(3) \
              --arg O:f16[100x64x2] --arg scale:f32=0.125",
    },
    Kernel {
        from: "examples/hopper/grouped_gemm.mlir",
        run: "--host --arg A:f16[120x72]=random(1) --arg B:f16[136x72x3]=random(2) --arg C:f32[120x136] \
              --arg counts:i32[3]=40 --arg maps:i64[16x2x2]",
    },
    Kernel {
        from: "examples/blackwell/scale_factors.mlir",
        run: "--target sm_100a --host --arg A:f8E4M3FN[136x160]=random(1) --arg B:f8E4M3FN[72x160]=random(2) \
              --arg C:f32[136x72] --arg SFA:f8E8M0FNU[512x2x2]=2 --arg SFB:f8E8M0FNU[512x2x1]=0.5",
    },
    Kernel {
        from: "examples/geforce/nvf4.mlir",
        run: "--target sm_120a --host --arg A:f4E2M1FN[136x288]=random(1) --arg B:f4E2M1FN[136x288]=random(2) \
              --arg SFA:f8E4M3FN[256x2x2x5]=1.5 --arg SFB:f8E4M3FN[256x2x2x5]=0.75 --arg D:f32[136x136] \
              --arg blocks:i32=2",
    },
    Kernel {
        from: "gemm_simt --m-tile 64 --n-tile 64 --k-tile 8 --target sm_90a",
        run: "--grid 2,2 --arg A:f32[72x64]=random(1) --arg B:f32[72x64]=random(2) --arg C:f32[72x72]=random(3) \
              --arg D:f32[72x72] --arg f32=2 --arg f32=-1",
    },
    Kernel {
        from: "gemm_sm80 --m-tile 64 --n-tile 64 --k-tile 32 --target sm_90a",
        run: "--grid 2,2 --arg A:f16[72x232]=random(1) --arg B:f16[72x232]=random(2) --arg C:f32[72x72]=random(3) \
              --arg D:f32[72x72] --arg f32=2 --arg f32=-1",
    },
    Kernel {
        from: "gemm_sm90 --types f16 --m-tile 128 --n-tile 64 --k-tile 64 --stages 2 --target sm_90a",
        run: "--target sm_90a --host --arg A:f16[256x136]=random(1) --arg B:f16[320x136]=random(2) --arg D:f16[256x320] \
              --arg blocks:i32=2",
    },
    Kernel {
        from: "gemm_sm100 --types bf16 --ctas 2 --m-tile 256 --n-tile 64 --k-tile 64 --stages 2 --target sm_100a",
        run: "--target sm_100a --host --arg A:bf16[256x136]=random(1) --arg B:bf16[320x136]=random(2) \
              --arg D:bf16[256x320] --arg blocks:i32=2",
    },
    Kernel {
        from: "gemm_sm120 --types bf16 --m-tile 64 --n-tile 128 --k-tile 32 --stages 2 --target sm_120a",
        run: "--target sm_120a --host --arg A:bf16[128x136]=random(1) --arg B:bf16[384x136]=random(2) \
              --arg D:bf16[128x384] --arg blocks:i32=2",
    },
    Kernel {
        from: "layernorm --columns 256 --target sm_90a",
        run: "--grid 3 --arg X:f32[9x256]=random(1) --arg gamma:f32[256]=random(2) --arg beta:f32[256]=random(3) \
              --arg Y:f32[9x256] --arg eps:f32=1e-5",
    },
    Kernel {
        from: "quantize --rows 32 --target sm_100a",
        run: "--target sm_100a --grid 4,2 --arg X:f32[100x192]=random(1) --arg Q:f8E4M3FN[100x192] --arg S:f8E8M0FNU[1024]",
    },
    Kernel {
        from: "dequantize --rows 32 --target sm_100a",
        run: "--target sm_100a --grid 4,2 --arg Q:f8E4M3FN[100x192]=random(1) --arg S:f8E8M0FNU[1024]=2 --arg Y:f32[100x192]",
    },
];

/// The kernels of the sample, and the number of their mutants.
const SAMPLE: ([usize; 2], usize) = ([6, 16], 10);
const FULL: usize = 60;

impl Kernel {
    fn name(&self) -> &'static str {
        let name = self.from.split(' ').next().expect("a name");
        name.rsplit('/').next().expect("a name").trim_end_matches(".mlir")
    }

    /// The report of `cutec mutate`.
    fn mutate(&self, count: usize) -> Value {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let folder = tempfile::tempdir().expect("a folder");
        let file = match self.from.ends_with(".mlir") {
            true => root.join(self.from),
            false => {
                let file = folder.path().join(format!("{}.mlir", self.name()));
                let mut build = Command::new(env!("CARGO_BIN_EXE_cutec"));
                build
                    .arg("build")
                    .args(self.from.split_whitespace())
                    .args(["--emit", "cute", "-o"])
                    .arg(&file);
                let output = build.output().expect("cutec runs");
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                file
            }
        };
        let mut mutate = Command::new(env!("CARGO_BIN_EXE_cutec"));
        mutate.current_dir(&root).arg("mutate").arg(file).args(self.run.split_whitespace());
        mutate.args(["--report", "json", "--schedules", "1", "--mutants", &count.to_string()]);
        let output = mutate.output().expect("cutec runs");
        assert!(output.status.success(), "{}: {}", self.name(), String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("a report in JSON")
    }
}

/// The counts of a report, in the order of the tables.
const COUNTS: [&str; 9] = [
    "mutants",
    "values",
    "unknown",
    "findings",
    "only_findings",
    "tolerated",
    "hidden",
    "unreached",
    "equal",
];
type Counts = [u64; COUNTS.len()];

fn counts(of: &Value) -> Counts {
    COUNTS.map(|name| of[name].as_u64().expect("a number"))
}

#[test]
fn most_mistakes_in_a_kernel_are_noticed() {
    let chosen: Vec<(usize, &Kernel)> = KERNELS
        .iter()
        .enumerate()
        .filter(|(i, _)| full::shard().map_or(SAMPLE.0.contains(i), |shard| shard.has(*i)))
        .collect();
    let count = if full::shard().is_some() { FULL } else { SAMPLE.1 };
    let mut rows = Vec::new();
    let mut kinds: BTreeMap<String, Counts> = BTreeMap::new();
    for (_, kernel) in chosen {
        let score = kernel.mutate(count);
        let own @ [tried, values, _, findings, ..] = counts(&score);
        let neither = score["neither"].as_u64().expect("a number");
        println!("{}: {own:?}", kernel.name());
        let available = score["available"].as_u64().expect("a number");
        assert!(tried == count as u64 || tried + 3 > available, "{}: {own:?}", kernel.name());
        assert!(neither * 2 < tried && values + findings > tried / 2, "{}: {own:?}", kernel.name());
        assert_eq!(score["judged"].as_array().map_or(0, Vec::len) as u64, tried);
        for (kind, of_kind) in score["changes"].as_object().expect("an object") {
            let row = kinds.entry(kind.clone()).or_default();
            row.iter_mut().zip(counts(of_kind)).for_each(|(sum, count)| *sum += count);
        }
        rows.push((format!("`{}`", kernel.name()), available, own));
    }
    if full::shard().is_some_and(|shard| shard.of == 1) && env::var_os("UPDATE_DOCS").is_some() {
        write(&rows, &kinds);
    }
}

/// Writes the tables of the page.
fn write(rows: &[(String, u64, Counts)], kinds: &BTreeMap<String, Counts>) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mutants.md");
    let text = fs::read_to_string(&page).expect("the page");
    let numbers = |counts: &Counts| counts.map(|count| format!(" {count} |")).concat();
    let sum = |all: &mut dyn Iterator<Item = &Counts>| {
        all.fold([0; COUNTS.len()], |sum, own| std::array::from_fn(|i| sum[i] + own[i]))
    };
    let heads = "values | unknown | findings | only findings | tolerated | other inputs | not executed | no difference |";
    let mut of_kernels = format!(
        "| kernel | available | mutants | {heads}\n|---|---|---|{}\n",
        "---|".repeat(COUNTS.len() - 1)
    );
    for (name, available, own) in rows {
        of_kernels += &format!("| {name} | {available} |{}\n", numbers(own));
    }
    let available: u64 = rows.iter().map(|(_, available, _)| available).sum();
    of_kernels +=
        &format!("| all | {available} |{}\n", numbers(&sum(&mut rows.iter().map(|(_, _, own)| own))));
    let mut of_kinds =
        format!("| change | mutants | {heads}\n|---|---|{}\n", "---|".repeat(COUNTS.len() - 1));
    for kind in cute_mutate::Kind::ALL {
        let own = kinds.get(kind.name());
        of_kinds += &own.map_or_else(String::new, |own| format!("| {} |{}\n", kind.name(), numbers(own)));
    }
    let replaced = |text: String, mark: &str, table: &str| {
        let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- end of {mark} -->"));
        let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("no {begin}"));
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
        format!("{before}{begin}{table}{end}{after}")
    };
    let text = replaced(text, "mutants by kernel", &of_kernels);
    fs::write(page, replaced(text, "mutants by change", &of_kinds)).expect("the page is written");
}
