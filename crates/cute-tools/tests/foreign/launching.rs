//! Forms of PTX files and of their arguments: versions, ends of texts, numbers, views and tensor
//! maps, and the limits of what is reported.

use std::{
    fs,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

pub(super) const HEAD: &str = ".version 9.0\n.target sm_90a\n.address_size 64\n";

/// A folder with a kernel.
pub(super) struct Place(pub(super) TempDir);

impl Place {
    pub(super) fn with(text: impl AsRef<[u8]>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("k.ptx"), text).expect("a file");
        Self(folder)
    }

    fn run(&self, grid: &str, arguments: &str) -> Output {
        let mut run = Command::new(env!("CARGO_BIN_EXE_cutec"));
        run.current_dir(self.0.path()).args(["run", "k.ptx", "--grid", grid]);
        run.args(arguments.split_whitespace()).output().expect("it runs")
    }

    /// Standard output and error of a run that succeeds.
    pub(super) fn good(&self, arguments: &str) -> (String, String) {
        self.with_grid("1", arguments)
    }

    /// Those of a run of more blocks.
    pub(super) fn with_grid(&self, grid: &str, arguments: &str) -> (String, String) {
        let output = self.run(grid, arguments);
        let (out, err) = said(&output);
        assert!(output.status.success(), "{arguments}: {out}{err}");
        (out, err)
    }

    /// Both of a run that fails.
    pub(super) fn bad(&self, arguments: &str) -> String {
        let output = self.run("1", arguments);
        let (out, err) = said(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {out}{err}");
        out + &err
    }

    pub(super) fn words(&self, file: &str) -> Vec<u64> {
        let file = fs::File::open(self.0.path().join(file)).expect("a file");
        npyz::NpyFile::new(file).expect("an array").into_vec().expect("its elements")
    }
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (text(&output.stdout), text(&output.stderr))
}

/// Stores the thread's number.
pub(super) fn store(head: &str) -> String {
    format!(
        "{head}.visible .entry k(.param .u64 p) {{ .reg .b32 %r<3>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [p];\n\
         mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r1; ret; }}\n"
    )
}

#[test]
fn newer_ptx_is_a_warning_and_new_instructions_are_refused_where_they_are_reached() {
    let place = Place::with(store(&HEAD.replace("9.0", "9.9")));
    let run = "--block 4 --arg u32[4]";
    let (_, err) = place.good(run);
    let warning = "k.ptx: PTX 9.9 is newer than 9.4, the newest version that is known; an instruction that it adds is an \
                   error where a thread gets there";
    assert_eq!(err, format!("warning: {warning}\n"));
    let (out, err) = place.good(&format!("{run} --report json --schedules 2"));
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&report["warnings"][0], err.matches("warning").count()), (&warning.into(), 1));
    let new = store(&HEAD.replace("9.0", "9.9")).replace("ret;", "brandnew.u32 %r1, %r1; ret;");
    let text = Place::with(new).bad(run);
    assert!(text.contains("brandnew"), "{text}");
    // `--strict-ptx` refuses it at once, and nothing warns of what is known.
    assert_eq!(Place::with(store(HEAD)).good(run).1, "");
}

#[test]
fn rubin_is_a_target_of_ptx() {
    let run = "--block 4 --arg u32[4]";
    for name in ["sm_107", "sm_107f", "sm_107a"] {
        let place = Place::with(store(&HEAD.replace("9.0", "9.4").replace("sm_90a", name)));
        assert_eq!(place.good(run).1, "", "{name}");
        place.good(&format!("{run} --target {name}"));
    }
    let place = Place::with(store(&HEAD.replace("sm_90a", "sm_130a")));
    let err = place.good(run).1;
    assert_eq!(err, "warning: k.ptx: target sm_130a is not known; the limits are those of sm_121a\n");
    // cute IR cannot be compiled for it.
    fs::write(place.0.path().join("k.mlir"), "gpu.module @m { gpu.func @k() kernel { gpu.return } }")
        .expect("a file");
    let mut run = Command::new(env!("CARGO_BIN_EXE_cutec"));
    run.current_dir(place.0.path())
        .args(["run", "k.mlir", "--grid", "1", "--block", "1", "--target", "sm_107a"]);
    let output = run.output().expect("it runs");
    let (out, err) = said(&output);
    assert_eq!((output.status.code(), out.as_str()), (Some(1), ""));
    assert!(
        err.contains("target 'sm_107a' is only for PTX in the simulator: LLVM 22 cannot compile for it"),
        "{err}"
    );
}

#[test]
fn the_nul_that_ends_a_string_of_c_is_no_part_of_ptx() {
    let text = store(HEAD) + "\0";
    Place::with(&text).good("--block 4 --arg u32[4]");
    let inside = text.replace("ret;", "ret;\0");
    assert!(Place::with(inside).bad("--block 4 --arg u32[4]").contains("'k.ptx' has a NUL (byte "));
}

#[test]
fn words_of_64_bits_have_all_their_values() {
    let kernel = format!(
        "{HEAD}.visible .entry k(.param .u64 p, .param .u64 q, .param .u64 n) {{ .reg .b64 %rd<6>;\n\
         ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u64 %rd3, [n]; ld.global.u64 %rd4, [%rd2];\n\
         st.global.u64 [%rd1], %rd3; st.global.u64 [%rd1+8], %rd4; ret; }}"
    );
    let place = Place::with(kernel);
    let most = "18446744073709551615";
    let run = format!("--block 1 --arg p:u64[2] --arg q:u64[1]={most} --arg u64={most} --out p=p.npy");
    place.good(&run);
    assert_eq!(place.words("p.npy"), [u64::MAX; 2]);
    // A file of uint64.
    place.good("--block 1 --arg p=p.npy --arg q:p.npy --arg 9223372036854775808 --out p=o.npy");
    assert_eq!(place.words("o.npy"), [1 << 63, u64::MAX]);
    let beyond = place.bad("--block 1 --arg p:u64[2] --arg q:u64[1] --arg 18446744073709551616");
    assert!(beyond.contains("18446744073709551616 is not a valid i64: its range is"), "{beyond}");
    let float = place.bad("--block 1 --arg p:u64[2] --arg q:u64[1] --arg f64=1.5");
    assert!(float.contains("parameter 'n' is .u64, not f64"), "{float}");
    let float = place.bad("--block 1 --arg p:u64[2] --arg q:u64[1] --arg 1.5");
    assert!(float.contains("parameter 'n' is .u64, but 1.5 is a float"), "{float}");
}

#[test]
fn an_array_of_ptx_has_the_strides_that_are_written() {
    let place = Place::with(store(HEAD));
    place.good("--block 6 --arg x:u32[3x2,strides=1x3] --out x=x.npy");
    let file = fs::File::open(place.0.path().join("x.npy")).expect("a file");
    let rows: Vec<u32> = npyz::NpyFile::new(file).expect("an array").into_vec().expect("its elements");
    assert_eq!(rows, [0, 3, 1, 4, 2, 5]);
}

/// Loads one box of 64 x 8 x 1 halves by a map, and stores its first word, and the one of the
/// second row.
pub(super) const BOX: &str = ".visible .entry k(.param .align 64 .b8 m[128], .param .u64 o, .param .u32 z) {
 .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .pred %p<3>; .shared .align 128 .b8 s[1024]; .shared .align 8 .b64 b;
 mov.b64 %rd1, m; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [o]; ld.param.u32 %r5, [z];
 mov.u32 %r1, s; mov.u32 %r2, b; mov.u32 %r3, 0;
 mbarrier.init.shared.b64 [%r2], 1; fence.proxy.async;
 mbarrier.arrive.expect_tx.shared.b64 %rd3, [%r2], 1024;
 cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r3, %r3, %r5}], [%r2];
L: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra L;
 ld.shared.u32 %r6, [%r1]; ld.shared.u32 %r7, [%r1+128]; st.global.u32 [%rd2], %r6; st.global.u32 [%rd2+4], %r7; ret; }";

#[test]
fn a_tensor_map_has_extents_and_strides_of_its_own() {
    let place = Place::with(format!("{HEAD}{BOX}"));
    let with = |map: &str| {
        format!(
            "--block 1 --array A:u16[128x128]=range --arg tensor_map({map}) --arg o:u32[2] --arg 1 --out o=o.npy"
        )
    };
    // K / 64 blocks of 64 columns: block 1 begins at column 64.
    place.good(&with("A,shape=64x128x2,strides=256x128,box=64x8x1"));
    let file = fs::File::open(place.0.path().join("o.npy")).expect("a file");
    let words: Vec<u32> = npyz::NpyFile::new(file).expect("an array").into_vec().expect("its elements");
    assert_eq!(words, [64 | 65 << 16, 192 | 193 << 16]);
    let rank = place.bad(&with("A,box=64x8"));
    assert!(rank.contains("3") && rank.contains("2"), "{rank}");
    let beyond = place.bad(&with("A,shape=64x128x3,strides=256x128,box=64x8x1"));
    assert!(beyond.contains("the map reaches byte 32896 of its array, which has 32768"), "{beyond}");
    let odd = place.bad(&with("A,shape=64x128x2,strides=250x128,box=64x8x1"));
    assert!(odd.contains("multiple"), "{odd}");
}

#[test]
fn findings_beyond_the_limit_are_counted() {
    // 100 pairs of a store and a load that race, each at instructions of its own.
    let pair = |i: u32| {
        let at = 1024 * i;
        format!("st.shared.u32 [%r5+{at}], %r1; ld.shared.u16 %h1, [tile+{}];\n", at + 4)
    };
    let body: String = (0..100).map(pair).collect();
    let kernel = format!(
        "{HEAD}.visible .entry k() {{ .reg .b32 %r<9>; .reg .b16 %h<2>; .shared .align 4 .b8 tile[131072]; mov.u32 %r1, %tid.x;\n\
         shl.b32 %r5, %r1, 2; mov.u32 %r6, tile; add.u32 %r5, %r5, %r6;\n{body}ret; }}"
    );
    let place = Place::with(kernel);
    let text = place.bad("--block 64");
    let count = |word: &str| text.matches(word).count();
    assert_eq!(count("error: k.ptx"), 64, "{text}");
    assert!(
        text.contains("\n64 of 100 different findings are shown; the others are only counted\n"),
        "{text}"
    );
    assert!(text.ends_with("error: kernel 'k' has 100 findings\n"), "{text}");
    let output = place.run("1", "--block 64 --report json --schedules 2");
    let report: Value = serde_json::from_str(&said(&output).0).expect("JSON");
    assert_eq!((report["findings"].as_array().map(Vec::len), &report["left_out"]), (Some(64), &36.into()));
}

/// Prints 8 characters, as often as `n` says.
const PRINT: &str = ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 1 .b8 s[9] = {65,65,65,27,65,65,65,10,0};
.visible .entry k(.param .u32 n) { .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .pred %p; ld.param.u32 %r1, [n];
L: {.param .b64 a; .param .b64 b; .param .b32 r; mov.b64 %d1, s; st.param.b64 [a], %d1; st.param.b64 [b], 0; call.uni (r), vprintf, (a,b); }
 sub.u32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0; @%p bra L; ret; }";

#[test]
fn the_beginning_of_the_output_is_kept() {
    let place = Place::with(format!("{HEAD}{PRINT}"));
    let (out, _) = place.good("--block 32 --arg 5000 --report json");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["output"].as_str().map(str::len), Some(1 << 20));
    assert_eq!(report["output_left_out"], 32 * 5000 * 8 - (1 << 20));
    let (out, _) = place.good("--block 32 --arg 5000");
    assert!(out.contains(&format!("\n[{} more bytes of output are left out]\n", 32 * 5000 * 8 - (1 << 20))));
    // A terminal does not obey what a kernel prints.
    assert!(out.starts_with("AAA[U+001B]AAA\n") && !out.contains('\u{1b}'));
    let (out, _) = place.good("--block 1 --arg 2 --report json");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (report["output"].as_str(), report.get("output_left_out")),
        (Some("AAA\u{1b}AAA\nAAA\u{1b}AAA\n"), None)
    );
}

#[test]
fn numbers_have_a_range() {
    let place = Place::with(store(HEAD));
    for (option, range) in [
        ("--schedules 4294967295", "1..=100000"),
        ("--schedules 0", "1..=100000"),
        ("--sms 0", "1..=1048576"),
        ("--budget 0", "1.."),
        ("--memory 1099511627776", "0..1099511627776"),
    ] {
        let text = place.bad(&format!("--block 4 --arg u32[4] {option}"));
        assert!(text.contains(range), "{option}: {text}");
    }
}
