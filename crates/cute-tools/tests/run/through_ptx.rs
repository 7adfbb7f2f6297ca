//! Examples and kernels of the builders leave the same bits in all arrays as PTX (`--through ptx`),
//! which is what ptxas gets, and as IR.

use super::{full, record::Section, run_in};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// The arguments of examples that do not state a command.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "attention",
        "--grid 2,2 --arg Q:f16[64x64x2]=random(1) --arg K:f16[64x64x2]=random(2) --arg V:f16[64x64x2]=random(3) --arg O:f16[64x64x2] --arg scale:f32=0.125",
    ),
    ("copy", "--grid 2,2 --arg src:f32[100x60]=random(1) --arg dst:f32[100x60]"),
    (
        "gemm_bias_relu",
        "--grid 2,2 --arg A:bf16[70x40]=random(1) --arg B:bf16[72x40]=random(2) --arg bias:bf16[72]=random(3) --arg D:bf16[70x72]",
    ),
    (
        "gemm_simt",
        "--grid 1,1 --arg A:f32[70x24]=random(1) --arg B:f32[66x24]=random(2) --arg C:f32[70x66]=random(3) --arg D:f32[70x66] --arg alpha:f32=0.5 --arg beta:f32=2",
    ),
    (
        "gemm_sm80",
        "--grid 1,1 --arg A:f16[72x72]=random(1) --arg B:f16[80x72]=random(2) --arg C:f32[72x80]=random(3) --arg D:f32[72x80] --arg alpha:f32=0.5 --arg beta:f32=2",
    ),
    (
        "layernorm",
        "--grid 5 --arg X:f32[5x1024]=random(1) --arg gamma:f32[1024]=random(2) --arg beta:f32[1024]=random(3) --arg Y:f32[5x1024] --arg eps:f32=1e-5",
    ),
    ("softmax", "--grid 5 --arg X:f16[5x304]=random(1) --arg Y:f16[5x304]"),
    ("transpose", "--grid 3,2 --arg src:f16[72x136]=random(1) --arg dst:f16[136x72]"),
    ("1_naive", "--grid 3,3 --arg A:f32[40x24]=random(1) --arg B:f32[36x24]=random(2) --arg C:f32[40x36]"),
    (
        "2_partitioned",
        "--grid 2,2 --arg A:f32[128x64]=random(1) --arg B:f32[128x64]=random(2) --arg C:f32[128x128]",
    ),
    (
        "3_shared",
        "--grid 2,2 --arg A:f32[128x64]=random(1) --arg B:f32[128x64]=random(2) --arg C:f32[128x128]",
    ),
    (
        "4_tensor_cores",
        "--grid 2,2 --arg A:f16[128x64]=random(1) --arg B:f16[128x64]=random(2) --arg C:f32[128x128]",
    ),
];

/// Kernels of the builders: options that meet in pairs, and sizes.
const BUILT: &[(&str, &str, &str)] = &[
    (
        "gemm_sm80",
        "--types f16 --target sm_80",
        "--grid 1,1 --arg A:f16[72x72]=random(1) --arg B:f16[80x72]=random(2) --arg C:f32[72x80]=random(3) --arg D:f32[72x80] --arg 0.5 --arg 2",
    ),
    (
        "gemm_simt",
        "--stages 3 --target sm_80",
        "--grid 1,1 --arg A:f32[70x24]=random(1) --arg B:f32[66x24]=random(2) --arg C:f32[70x66]=random(3) --arg D:f32[70x66] --arg 0.5 --arg 2",
    ),
    (
        "layernorm",
        "--columns 640 --target sm_90a",
        "--grid 3 --arg X:f32[3x640]=random(1) --arg gamma:f32[640]=random(2) --arg beta:f32[640]=random(3) --arg Y:f32[3x640] --arg eps:f32=1e-5",
    ),
    (
        "quantize",
        "--format mxf8-e4m3 --from f16 --target sm_90a",
        "--grid 8,1 --arg X:f16[200x48]=random(1) --arg Q:f8E4M3FN[200x48] --arg S:f8E8M0FNU[1024]",
    ),
    (
        "quantize",
        "--format nvf4 --target sm_100a",
        "--grid 4,2 --arg X:f32[5x80]=random(1) --arg Q:f4E2M1FN[5x80] --arg S:f8E4M3FN[1024] --arg scale:f32=900",
    ),
    (
        "dequantize",
        "--format mxf6-e2m3 --to bf16 --target sm_120a",
        "--grid 4,1 --arg Q:f6E2M3FN[5x80]=random(1) --arg S:f8E8M0FNU[512]=random(2) --arg Y:bf16[5x80]",
    ),
    ("gemm_sm90", "--types f16 --schedule cooperative --target sm_90a", "f16 f16 200x136 72"),
    (
        "gemm_sm90",
        "--types bf16 --schedule pingpong --n-tile 128 --n-cluster 2 --target sm_90a",
        "bf16 bf16 136x272 72",
    ),
    ("gemm_sm90", "--types e4m3 --out f16 --m-cluster 2 --target sm_90a", "f8E4M3FN f16 264x144 144"),
    (
        "gemm_sm100",
        "--types f16 --ctas 1 --m-tile 128 --scheduler static --target sm_100a",
        "f16 f16 136x200 72",
    ),
    ("gemm_sm100", "--types bf16 --ctas 2 --scheduler clc --target sm_100a", "bf16 bf16 264x136 136"),
    (
        "gemm_sm100",
        "--types e5m2 --out f16 --ctas 2 --n-cluster 2 --target sm_100a",
        "f8E5M2 f16 264x272 144",
    ),
    (
        "gemm_sm100",
        "--types nvf4 --ctas 2 --n-tile 128 --target sm_100a",
        "--host --arg A:f4E2M1FN[264x288]=random(1) --arg B:f4E2M1FN[136x288]=random(2) --arg SFA:f8E4M3FN[256x2x3x5]=1.5 --arg SFB:f8E4M3FN[256x2x2x5]=0.75 --arg D:f32[264x136] --arg 4",
    ),
    (
        "gemm_sm100",
        "--types mxf8 --ctas 1 --m-tile 128 --n-tile 128 --scheduler clc --target sm_100a",
        "--host --arg A:f8E4M3FN[136x160]=random(1) --arg B:f8E4M3FN[136x160]=random(2) --arg SFA:f8E8M0FNU[256x2x2x2]=random(3) --arg SFB:f8E8M0FNU[256x2x2x2]=random(4) --arg D:f32[136x136]",
    ),
    (
        "gemm_sm100",
        "--types mxf8 --ctas 1 --m-tile 128 --n-tile 192 --target sm_100a",
        "--host --arg A:f8E4M3FN[136x160]=random(1) --arg B:f8E4M3FN[392x160]=random(2) --arg SFA:f8E8M0FNU[256x2x2x2]=random(3) --arg SFB:f8E8M0FNU[256x2x4x2]=random(4) --arg D:f32[136x392] --arg 2",
    ),
    (
        "gemm_sm100",
        "--types mxf8 --b-types mxf4 --ctas 1 --m-tile 128 --n-tile 128 --target sm_100a",
        "--host --arg A:f8E4M3FN[136x256]=random(1) --arg B:f4E2M1FN[136x256]=random(2) --arg SFA:f8E8M0FNU[256x2x2x2]=2 --arg SFB:f8E8M0FNU[256x2x2x2]=0.5 --arg D:f32[136x136] --arg 2",
    ),
    (
        "gemm_sm100",
        "--types mxf6-e2m3 --b-types mxf6-e3m2 --n-tile 128 --n-cluster 2 --target sm_100a",
        "--host --arg A:f6E2M3FN[264x128]=random(1) --arg B:f6E3M2FN[136x128]=random(2) --arg SFA:f8E8M0FNU[256x2x3x1]=2 --arg SFB:f8E8M0FNU[256x2x2x1]=0.5 --arg D:f32[264x136] --arg 4",
    ),
    (
        "gemm_sm100",
        "--types nvf4 --out nvf4 --bias --ctas 1 --m-tile 128 --n-tile 128 --target sm_100a",
        "--host --arg A:f4E2M1FN[136x96]=random(1) --arg B:f4E2M1FN[160x96]=random(2) --arg SFA:f8E4M3FN[256x2x2x2]=1.5 --arg SFB:f8E4M3FN[256x2x2x2]=0.75 --arg D:f4E2M1FN[136x160] --arg SFD:f8E4M3FN[256x2x2x3] --arg bias:f32[160]=random(3) --arg norm_constant:f32=3.25 --arg 2",
    ),
    (
        "gemm_sm100",
        "--types bf16 --out mxf8 --n-tile 128 --scheduler clc --target sm_100a",
        "--host --arg A:bf16[264x72]=random(1) --arg B:bf16[144x72]=random(2) --arg D:f8E4M3FN[264x144] --arg SFD:f8E8M0FNU[256x2x3x2]",
    ),
    ("gemm_sm120", "--types bf16 --m-tile 64 --target sm_120a", "bf16 bf16 136x136 72"),
    (
        "gemm_sm120",
        "--types e4m3 --out f16 --n-groups 1 --m-groups 2 --target sm_121a",
        "f8E4M3FN f16 136x144 144",
    ),
    (
        "gemm_sm120",
        "--types nvf4 --n-groups 1 --m-groups 2 --target sm_120a",
        "--host --arg A:f4E2M1FN[136x288]=random(1) --arg B:f4E2M1FN[136x288]=random(2) --arg SFA:f8E4M3FN[256x2x2x5]=1.5 --arg SFB:f8E4M3FN[256x2x2x5]=0.75 --arg D:f32[136x136] --arg 3",
    ),
    (
        "gemm_sm120",
        "--types mxf8 --out bf16 --target sm_121a",
        "--host --arg A:f8E4M3FN[136x160]=random(1) --arg B:f8E4M3FN[136x160]=random(2) --arg SFA:f8E8M0FNU[256x2x2x2]=random(3) --arg SFB:f8E8M0FNU[256x2x2x2]=random(4) --arg D:bf16[136x136] --arg 3",
    ),
];

/// A sample has every second kernel; with `CUTE_FULL` set, all or a shard of them.
const STEP: usize = 2;

fn is_sample() -> bool {
    full::shard().is_none_or(|shard| shard.of > 1)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The arrays that a run leaves, by their names, with what it prints.
pub fn arrays_and_output(text: &str, arguments: &str) -> (Vec<(String, Vec<u8>)>, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut names: Vec<String> = Vec::new();
    for argument in arguments.split("--arg ").skip(1) {
        if let Some((name, rest)) = argument.split_once(':')
            && rest.contains('[')
        {
            names.push(name.to_owned());
        }
    }
    let outs: Vec<String> = names.iter().map(|name| format!(" --out {name}={name}.npy")).collect();
    let (code, out, err) = run_in(&folder, text, &(arguments.to_owned() + &outs.concat()));
    assert_eq!(code, Some(0), "{arguments}: {out}{err}");
    let read = |name: String| {
        let bytes = fs::read(folder.path().join(format!("{name}.npy"))).unwrap();
        (name, bytes)
    };
    (names.into_iter().map(read).collect(), out)
}

/// The lines of a report about findings, for the recorded table.
fn shown(report: &str) -> Vec<String> {
    let is_finding = |line: &&str| {
        ["error: ", "portability: ", "note: "].iter().any(|grade| line.starts_with(grade))
            || line.contains("not shown")
    };
    report.lines().filter(is_finding).map(str::to_owned).collect()
}

fn agree(name: &str, text: &str, arguments: &str, section: &mut Section) {
    let (ir, report) = arrays_and_output(text, arguments);
    section.add(name, 0, &shown(&report));
    let (ptx, report) = arrays_and_output(text, &format!("{arguments} --through ptx --strict-ptx"));
    section.add(&format!("{name} through PTX"), 0, &shown(&report));
    assert!(!ir.is_empty(), "{name} has no arrays");
    for ((array, own), (_, other)) in ir.iter().zip(&ptx) {
        assert!(own == other, "{name}: the array {array} differs");
    }
}

/// The command in the head of an example, without its outputs.
fn stated(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.contains("cutec run "));
    let (_, first) = lines.next()?.split_once(".mlir ")?;
    let mut command = first.to_owned();
    while let Some(more) = command.strip_suffix('\\') {
        command = more.to_owned() + lines.next()?.trim_start_matches('/').trim();
    }
    let words: Vec<&str> = command.split_whitespace().map(|word| word.trim_matches('"')).collect();
    let is_out = |i: usize| words[i] == "--out" || i > 0 && words[i - 1] == "--out";
    Some((0..words.len()).filter(|i| !is_out(*i)).map(|i| words[i]).collect::<Vec<_>>().join(" "))
}

/// All examples in a folder.
pub fn examples(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => examples(&path, into),
            false if path.extension().is_some_and(|e| e == "mlir") => into.push(path),
            false => {}
        }
    }
}

/// The arguments of an example.
pub fn arguments_of(name: &str, text: &str) -> String {
    let listed = EXAMPLES.iter().find(|(own, _)| *own == name).map(|(_, arguments)| arguments.to_string());
    stated(text).or(listed).unwrap_or_else(|| panic!("no arguments for {name}"))
}

#[test]
fn examples_compute_the_same_as_ptx() {
    let mut all = Vec::new();
    examples(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut all);
    assert!(all.len() >= 20, "{all:?}");
    all.sort();
    let mut section = Section::sample("examples", is_sample());
    for (_, path) in all.into_iter().enumerate().filter(|(i, _)| full::takes(*i, STEP)) {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        agree(name, &text, &arguments_of(name, &text), &mut section);
    }
    section.check(&root());
}

#[test]
fn kernels_of_the_builders_compute_the_same_as_ptx() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let mut section = Section::sample("builders", is_sample());
    for (_, (name, options, arguments)) in BUILT.iter().enumerate().filter(|(i, _)| full::takes(*i, STEP)) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cutec"));
        command
            .current_dir(folder.path())
            .args(["build", name])
            .args(options.split(' '))
            .args(["--emit", "cute"]);
        let built = command.output().unwrap();
        let text = String::from_utf8(built.stdout).unwrap();
        assert!(built.status.success(), "{name} {options}: {}", String::from_utf8_lossy(&built.stderr));
        let target = options.rsplit(' ').next().unwrap();
        let arguments = match arguments.split(' ').collect::<Vec<_>>()[..] {
            [of, out, sizes, k] => {
                let (m, n) = sizes.split_once('x').unwrap();
                let blocks = if options.contains("clc") { "" } else { " --arg 4" };
                format!(
                    "--host --arg A:{of}[{m}x{k}]=random(1) --arg B:{of}[{n}x{k}]=random(2) --arg D:{out}[{m}x{n}]{blocks}"
                )
            }
            _ => arguments.to_string(),
        };
        let arguments = format!("{arguments} --target {target}");
        agree(&format!("{name} {options}"), &text, &arguments, &mut section);
    }
    section.check(&root());
}

/// `cutec -o k.ptx` writes `k.ptx.json`, with which the PTX takes the arguments of the cute IR.
#[test]
fn a_manifest_beside_ptx_names_its_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let copy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/copy.mlir");
    let cutec = |arguments: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cutec"));
        let output = command.current_dir(folder.path()).args(arguments.split(' ')).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let compile = format!("{} --target sm_90a -o k.ptx", copy.display());
    assert_eq!(cutec(&compile).0, Some(0));
    let run = "run k.ptx --grid 2,2 --arg src:f32[50x200]=random(1) --arg dst:f32[50x200] --out src=s.npy --out dst=d.npy";
    // It warns that the source keeps its contents.
    assert_eq!(cutec(run).0, Some(0));
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("s.npy") == read("d.npy"));
    let json = String::from_utf8(read("k.ptx.json")).unwrap();
    fs::write(folder.path().join("k.ptx.json"), json.replacen("\"width\": 8", "\"width\": 4", 1)).unwrap();
    let (code, err) = cutec(run);
    assert!(code == Some(1) && err.contains("'k.ptx.json' does not fit its PTX"), "{err}");
    // Without it, each value is an argument.
    fs::remove_file(folder.path().join("k.ptx.json")).unwrap();
    let leaves = "run k.ptx --grid 2,2 --block 256 --arg f32[50x200] --arg 50 --arg 200 --arg 200 --arg f32[50x200] --arg 50 \
                  --arg 200 --arg 200";
    assert_eq!(cutec(leaves), (Some(0), String::new()));
}
