//! Launches of a program with the options of `cutec exec`, which a process has from its
//! environment: each test runs again as a program of its own.

use std::{
    env, fs,
    path::Path,
    process::{Command, Output},
};

use cute_cuda::{
    error::{Error, Result},
    launch::AskedLaunch,
    memory::{Call, Kind},
    options::VARIABLE,
    state::with,
};
use cute_launch::launches::LaunchesFile;
use cute_sim::order::Stream;
use serde_json::{Value, json};

/// Tells a test that it is the program.
const CHILD: &str = "CUTE_CUDA_TEST_LAUNCHES";

/// Adds 1 to the numbers that a list of addresses leads to.
const PTX: &str = "\
.version 8.0
.target sm_90a
.address_size 64
.visible .global .align 4 .u32 step = 1;
.visible .entry add(.param .u64 list, .param .u32 count, .param .f32 unused, .param .align 8 .b8 s[16])
{
    .reg .b64 %d<6>; .reg .b32 %r<4>; .reg .pred %p;
    ld.param.u64 %d0, [list];
    ld.param.u64 %d1, [s+8];
    ld.param.u32 %r0, [count];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    ld.u64 %d0, [%d0];
    add.u64 %d0, %d0, %d2;
    ld.global.u32 %r3, [step];
    ld.u32 %r2, [%d0];
    add.u32 %r2, %r2, %r3;
    st.u32 [%d0], %r2;
    setp.ne.u64 %p, %d1, 0;
    @%p st.u32 [%d1], %r0;
    ret;
}
\0";

/// Launches with threads of one block; the sum of the numbers afterwards.
fn program(launches: &[u32]) -> Result<u32> {
    with(|state| {
        let module = state.modules.register(PTX.as_ptr() as usize);
        let function = state.modules.handle_of(module, "add");
        let numbers = state.allocate(Kind::Device, 128)?;
        let list = state.allocate(Kind::Managed, 16)?;
        let call = Call { name: "cudaMemcpy", stream: Stream::LEGACY, is_async: false };
        state.set(numbers, &[0], 128, &call)?;
        let addresses = [numbers, list];
        state.copy(list, addresses.as_ptr() as u64, 16, &call)?;
        for threads in launches {
            let asked = AskedLaunch { grid: [1; 3], block: [*threads, 1, 1], ..AskedLaunch::default() };
            state.enqueue(function, asked, vec![list, 7, u64::from(0.1_f32.to_bits()), numbers + 4, 0])?;
        }
        let mut after = [0_u32; 32];
        state.copy(after.as_mut_ptr() as u64, numbers, 128, &call)?;
        Ok(after.iter().sum())
    })
}

/// Runs a test of this file again with options.
fn again(test: &str, options: &Value) -> Output {
    let own = env::current_exe().expect("a test is a file");
    let mut command = Command::new(own);
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]);
    command.env(CHILD, "1").env(VARIABLE, options.to_string());
    command.output().expect("the test runs again")
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap_or_else(|why| panic!("{file}: {why}"))
}

#[test]
fn each_launch_has_a_page_and_a_trace() {
    if env::var_os(CHILD).is_some() {
        assert_eq!(program(&[32, 32]), Ok(64));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let of = |file: &str| folder.path().join(file);
    let options = json!({"html": of("p.html"), "trace": of("t.json")});
    let Output { status, stderr, .. } = again("each_launch_has_a_page_and_a_trace", &options);
    assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
    for file in ["p.html", "p.2.html"] {
        let page = read(folder.path(), file);
        assert!(page.contains("add with grid") && page.contains("mul.wide.u32"), "{page}");
    }
    for file in ["t.json", "t.2.json"] {
        let trace: Value = serde_json::from_str(&read(folder.path(), file)).expect("a trace is JSON");
        assert!(trace["traceEvents"].as_array().is_some_and(|events| events.len() > 3), "{trace}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

#[test]
fn a_file_that_cannot_be_written_does_not_end_the_program() {
    if env::var_os(CHILD).is_some() {
        assert_eq!(program(&[32]), Ok(32));
        return;
    }
    let missing = "/proc/nowhere/p.html";
    let options = json!({"html": missing, "record": "/proc/nowhere"});
    let Output { status, stderr, .. } =
        again("a_file_that_cannot_be_written_does_not_end_the_program", &options);
    let text = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{text}");
    assert!(text.contains("cannot write '/proc/nowhere/p.html'"), "{text}");
    assert!(text.contains("cannot write '/proc/nowhere/1'"), "{text}");
}

#[test]
fn a_launch_is_recorded_with_the_memory_that_it_reaches() {
    if env::var_os(CHILD).is_some() {
        assert_eq!(program(&[32, 16]), Ok(48));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = json!({"record": folder.path()});
    let Output { status, stderr, .. } =
        again("a_launch_is_recorded_with_the_memory_that_it_reaches", &options);
    let text = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{text}");
    // The list holds its own address, too.
    assert!(
        text.contains("has 1 addresses as they are, because memory holds addresses in a cycle"),
        "{text}"
    );
    for (number, before, threads) in [("1", 0_u32, 32), ("2", 1, 16)] {
        let own = folder.path().join(number);
        assert_eq!(read(&own, "kernel.ptx"), PTX.trim_end_matches('\0'));
        let file = read(&own, "launch.json");
        let launch: Value = serde_json::from_str(&file).expect("it is JSON");
        let arrays = json!({"A1": "bytes(A1.bin){0:&A2}", "A2": "bytes(A2.bin)"});
        assert_eq!(launch["arrays"], arrays, "{file}");
        assert_eq!(launch["variables"], json!({"step": "bytes(variable1.bin)"}), "{file}");
        let operation = &launch["operations"][0];
        assert_eq!(operation["block"], json!([threads, 1, 1]), "{file}");
        let args = &operation["args"];
        assert_eq!(args[0], "&A1", "{file}");
        assert_eq!([&args[1], &args[2]], ["7", "0.1"], "{file}");
        assert!(args[3].as_str().is_some_and(|bytes| bytes.ends_with("){0:&A2+4}")), "{file}");
        let numbers = fs::read(own.join("A2.bin")).unwrap();
        assert_eq!(numbers, [before; 32].map(u32::to_le_bytes).concat(), "launch {number}");
        let parsed = LaunchesFile::read("launch.json", &file).expect("cutec run reads it");
        assert_eq!(parsed.arrays.len(), 2);
    }
}

#[test]
fn a_refused_launch_leaves_nothing_behind() {
    if env::var_os(CHILD).is_some() {
        assert_eq!(program(&[1025]), Err(Error::INVALID_CONFIGURATION));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = json!({"record": folder.path(), "html": folder.path().join("p.html")});
    let Output { status, stderr, .. } = again("a_refused_launch_leaves_nothing_behind", &options);
    let text = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{text}");
    assert!(text.contains("kernel 'add': its block [1025, 1, 1] has 1025 threads"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
