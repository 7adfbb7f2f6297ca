//! Programs that do something wrong: each gets the errors of CUDA, and neither crashes nor hangs.
//! The modes are those of `programs/bad.cu`.

use std::time::{Duration, Instant};

use super::{programs::nvcc, *};

/// The modes, the errors that the program prints, and parts of what it is told.
const MODES: &[(&str, &str, &[&str])] = &[
    ("fork_before", "0 0 0 0 0 0 0 0 \n", &[]),
    ("fork_after", "3 3 3 3 0 \n", &["a process that was forked after the first call of CUDA cannot use it"]),
    ("threads", "0 0 200 \n", &["200 launches of 1 kernel, no findings"]),
    (
        "double_free",
        "0 1 1 1 0 0 0 1 1 \n",
        &[
            "a free of an address that is not allocated: it may have been freed already",
            "a free of an address 4 bytes behind the start of an allocation",
        ],
    ),
    (
        "use_after_free",
        "1 1 1 700 \n",
        &["where nothing is allocated", "buffer allocation 1 (cudaMalloc, 128 bytes) that is freed"],
    ),
    (
        "overrun",
        "1 1 1 1 12 \n",
        &[
            "a copy to bytes 0..256 of an allocation of 128 bytes",
            "a copy from bytes 64..192 of an allocation of 128 bytes",
            "a set of bytes 0..129 of an allocation of 128 bytes",
        ],
    ),
    (
        "sizes",
        "2 2 1 1 1 1 21 1 1 9 1 400 400 1 400 \n",
        &["memory of the host that the device does not share"],
    ),
    ("unload", "0 500 0 0 0 0 0 0 0 0 0 400 400 400 1 0 \n", &["1 launch of 1 kernel, no findings"]),
    (
        "garbage",
        "1 200 218 200 200 209 301 200 0 218 0 0 0 0 400 \n",
        &[
            "begins with the bytes 01 02 03 04 is neither a fat binary, nor a cubin, nor PTX",
            "the brace `{` is not closed",
            "an entry at byte 16 has 1048640 bytes, but 64 are left",
            "cannot read 'no/such.cubin'",
            "module 'cut.fatbin': the fat binary is cut off or damaged",
        ],
    ),
    ("captures", "900 401 0 401 0 0 907 900 903 904 0 0 \n", &[]),
];

#[test]
fn programs_that_do_something_wrong_get_the_errors_of_cuda() {
    let Some(nvcc) = nvcc() else { return };
    let place = Place::new();
    place.nvcc(&nvcc, "bad", "bad", &["-cudart", "shared", &programs::libraries(&place), "-lcuda"]);
    for (mode, out, parts) in MODES {
        let run = place.cutec(&format!("exec -- ./bad {mode}"));
        let code = i32::from(run.err.contains(" 1 finding"));
        assert_eq!((run.code, run.out.as_str()), (Some(code), *out), "{mode}: {}", run.err);
        for part in *parts {
            assert!(run.err.contains(part), "{mode}: no '{part}' in {}", run.err);
        }
    }
    ends_within_a_launch(&place);
    many_launches_take_little_memory(&place);
    a_real_driver_is_not_used(&place);
}

/// Nothing waits for a launch of another thread, which would take hours.
fn ends_within_a_launch(place: &Place) {
    for (mode, code, told) in
        [("ends", 5, "the program ended during a launch of another thread"), ("signal", 143, "")]
    {
        let begin = Instant::now();
        let run = place.cutec(&format!("exec -- ./bad {mode}"));
        assert_eq!(run.code, Some(code), "{mode}: {}", run.err);
        assert!(run.err.contains(told), "{mode}: {}", run.err);
        assert!(begin.elapsed() < Duration::from_secs(30), "{mode}");
    }
}

/// 10,000 launches with `CUTE_FULL`.
fn many_launches_take_little_memory(place: &Place) {
    let count = if env::var_os("CUTE_FULL").is_some() { 10_000 } else { 1000 };
    let run = place.cutec(&format!("exec -- ./bad many {count}"));
    assert_eq!((run.code, run.out), (Some(0), format!("0 {count} \n")), "{}", run.err);
    let resident = run.err.lines().find_map(|line| line.strip_prefix("resident: ")?.strip_suffix(" MiB"));
    let resident: u32 = resident.and_then(|number| number.parse().ok()).expect("a number");
    assert!(resident < 64, "{resident} MiB");
}

/// A driver of NVIDIA's name on the user's library path loses.
fn a_real_driver_is_not_used(place: &Place) {
    let library =
        place.library("nvidia", "libcuda.so.1", &["cuInit", "cuModuleLoadData", "cuDriverGetVersion"]);
    let mut command = place.command(env!("CARGO_BIN_EXE_cutec"));
    command.args(["exec", "--", "./bad", "unload"]);
    let run = Run::from(
        command.env("LD_LIBRARY_PATH", library.parent().expect("a folder")).output().expect("it runs"),
    );
    assert!(run.code == Some(0) && run.out.starts_with("0 500 0 "), "{run:?}");
}
