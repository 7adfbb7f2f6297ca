//! Cubins, and what can go wrong with ptxas.

use super::{KERNEL, Place, finish, json};
use cute_arch::Target;
use serde_json::Value;
use std::{fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command, time::Instant};

/// Offset and width of each parameter as the cubin has them: attribute EIATTR_KPARAM_INFO (0x17) of
/// `.nv.info.k`, whose 12 bytes are an index, ordinal and offset of 16 bits each, and the width in
/// the upper 14 bits of a word.
fn cubin_parameters(cubin: &[u8]) -> Vec<(u64, u64)> {
    let at = |i: usize| u16::from_le_bytes([cubin[i], cubin[i + 1]]);
    let found = (0..cubin.len().saturating_sub(16)).filter(|i| cubin[*i..].starts_with(&[4, 0x17, 12, 0]));
    let mut all: Vec<_> = found.map(|i| (at(i + 8), at(i + 10), at(i + 14) >> 2)).collect();
    // Blackwell's cubins hold the table twice.
    all.sort();
    all.dedup();
    all.into_iter().map(|(_, offset, width)| (offset.into(), width.into())).collect()
}

#[test]
fn cubins_need_ptxas_and_agree_with_the_manifest() {
    let place =
        Place::with(&KERNEL.replace("%f: f32", "%f: f32, %h: f16, %v: vector<4xf32>, %b: i8, %z: i64"));
    let Ok(_) = cute_driver::ptxas::find() else {
        let error = place.bad("k.mlir --target sm_80 --emit cubin -o k.cubin");
        assert!(error.contains("there is no ptxas beside the executable or in PATH"), "{error}");
        return;
    };
    for t in Target::all() {
        let run = place.run(&format!("k.mlir --target {t} --emit cubin -o k.cubin --lineinfo"));
        assert_eq!(run.code, Some(0), "{}", run.err);
        assert!(run.err.starts_with("k: ") && run.err.contains(" registers, 0 bytes spilled"), "{}", run.err);
        let manifest = json(&fs::read_to_string(place.path("k.cubin.json")).unwrap());
        let parameters = manifest["kernels"][0]["parameters"].as_array().unwrap().iter();
        let number = |p: &Value, fact: &str| p[fact].as_u64().unwrap();
        let said: Vec<_> = parameters.map(|p| (number(p, "offset"), number(p, "width"))).collect();
        assert_eq!(cubin_parameters(&fs::read(place.path("k.cubin")).unwrap()), said, "{t}");
    }
}

/// A ptxas that does what a script says; `$6` is the file to write.
pub fn fake(place: &Place, script: &str) -> PathBuf {
    let file = place.path("ptxas");
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

/// A ptxas that is found is executed, so no folder is searched that a downloaded project can
/// contain.
#[test]
fn the_current_folder_is_not_searched() {
    let place = Place::with(KERNEL);
    let package = place.path(".venv/lib/python3.11/site-packages/nvidia/cu13");
    for folder in ["bin", "nvvm/libdevice"] {
        fs::create_dir_all(package.join(folder)).unwrap();
    }
    let ptxas = fake(&place, &format!(": >'{}'", place.path("ran").display()));
    fs::copy(&ptxas, package.join("bin/ptxas")).unwrap();
    fs::write(package.join("nvvm/libdevice/libdevice.10.bc"), "not bitcode").unwrap();
    let relative = ".venv/lib/python3.11/site-packages/nvidia/cu13/bin:.:";
    for path in [None, Some(""), Some("/nonexistent"), Some(relative)] {
        let mut c = place.command("k.mlir --target sm_90a --emit cubin -o k.cubin");
        c.env_remove("CUTE_PTXAS").env_remove("PATH");
        c.envs(path.map(|path| ("PATH", path)));
        let run = finish(c);
        assert_eq!(run.code, Some(1), "{path:?}: {}", run.err);
        assert!(
            run.err.starts_with("error: there is no ptxas beside the executable"),
            "{path:?}: {}",
            run.err
        );
        assert!(!place.path("ran").exists(), "{path:?}");
    }
}

/// The message of `cutec` when it fails with a ptxas.
fn failure(place: &Place, ptxas: PathBuf, arguments: &str) -> String {
    let mut c = place.command(&format!("k.mlir --target sm_90a --emit cubin -o k.cubin {arguments}"));
    c.env("CUTE_PTXAS", ptxas);
    let run = finish(c);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(!place.path("k.cubin").exists() && !place.path("k.cubin.json").exists());
    run.err
}

#[test]
fn what_ptxas_says_is_passed_on() {
    let place = Place::with(KERNEL);
    let serialized =
        "ptxas info : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized";
    let err = failure(&place, fake(&place, &format!("echo \"{serialized}\" >&2; : >\"$6\"")), "");
    assert_eq!(
        err,
        format!(
            "error: ptxas makes MMAs wait for each other, so that the kernel would be slow:\nptxas serialised the MMAs\n    {serialized}\n"
        )
    );
    let err = failure(&place, fake(&place, "echo 'ptxas fatal : no' >&2; exit 255"), "");
    assert_eq!(err, "error: ptxas rejected the PTX for sm_90a:\nptxas fatal : no\n");
    let err = failure(&place, place.path("none"), "");
    assert!(
        err.starts_with("error: CUTE_PTXAS names '")
            && err.ends_with("none', which is not an executable file\n")
    );
}

/// Without the wait before the end of its loop, ptxas makes each MMA wait.
#[test]
fn remarks_of_ptxas_name_lines_of_the_source() {
    let example = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hopper/wgmma.mlir");
    let text = fs::read_to_string(example).unwrap();
    let wait = "nvvm.wgmma.wait.group.sync.aligned 0";
    let text = text.replacen(wait, &" ".repeat(wait.len()), 1);
    let gemm = 1 + text.lines().position(|line| line.contains("cute.gemm(")).unwrap();
    let place = Place::with(&text);
    let Ok(ptxas) = cute_driver::ptxas::find() else { return };
    let err = failure(&place, ptxas, "");
    let (header, remark) = err.split_once(":\n").unwrap();
    assert_eq!(header, "error: ptxas makes MMAs wait for each other, so that the kernel would be slow");
    let (line, rest) = remark.strip_prefix("k.mlir:").and_then(|rest| rest.split_once(':')).expect(&err);
    let line: usize = line.parse().unwrap();
    assert!((gemm - 40..gemm + 40).contains(&line), "{err}");
    assert!(rest.contains(&format!(": ptxas inserted a wait (`wgmma` at k.mlir:{gemm}:")), "{err}");
    assert!(rest.contains("(C7517) ") && rest.contains(" is injected by compiler"), "{err}");
}

#[test]
fn a_ptxas_that_makes_no_cubin_is_an_error() {
    let place = Place::with(KERNEL);
    for (script, what) in [(":", "not there"), (": >\"$6\"", "empty"), ("echo text >\"$6\"", "not a cubin")] {
        let err = failure(&place, fake(&place, script), "");
        assert!(err.ends_with(&format!("ptxas' reports no error, but its output is {what}\n")), "{err}");
    }
    let err = failure(&place, fake(&place, "kill -9 $$"), "");
    assert!(err.ends_with("ptxas' was killed by signal 9\n"), "{err}");
    fs::write(place.path("good"), b"\x7fELF..").unwrap();
    let mut c = place.command("k.mlir --target sm_90a --emit cubin -o k.cubin");
    c.env("CUTE_PTXAS", fake(&place, &format!("cp '{}' \"$6\"", place.path("good").display())));
    assert_eq!(finish(c).code, Some(0));
    assert_eq!(fs::read(place.path("k.cubin")).unwrap(), b"\x7fELF..");
}

/// The shell ignores SIGCHLD, and so does what it becomes: the system keeps no status for it.
#[test]
fn a_process_without_children_takes_the_cubin_that_is_there() {
    let place = Place::with(KERNEL);
    let run = |script: &str| {
        let mut c = place.command("k.mlir --target sm_90a --emit cubin -o k.cubin");
        c.env("CUTE_PTXAS", fake(&place, script));
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"trap '' CHLD; exec "$0" "$@""#]).arg(c.get_program()).args(c.get_args());
        shell.current_dir(c.get_current_dir().expect("the command has a folder"));
        c.get_envs().for_each(|(name, value)| {
            shell.env(name, value.expect("variables are set"));
        });
        finish(shell)
    };
    let wrong = run("echo 'ptxas fatal : no' >&2; exit 255");
    assert_eq!(wrong.code, Some(1));
    assert_eq!(wrong.err, "error: ptxas rejected the PTX for sm_90a:\nptxas fatal : no\n");
    let right = run("printf '\\177ELF' >\"$6\"");
    assert_eq!((right.code, right.err.as_str()), (Some(0), ""));
}

#[test]
fn a_ptxas_that_hangs_is_ended() {
    let place = Place::with(KERNEL);
    let start = Instant::now();
    let err = failure(&place, fake(&place, "exec sleep 600"), "--ptxas-timeout 1");
    assert!(
        err.ends_with("ptxas' did not finish within 1 s; --ptxas-timeout SECONDS gives it more\n"),
        "{err}"
    );
    assert!(start.elapsed().as_secs() < 300);
}

#[test]
fn spills_are_a_warning() {
    let place = Place::with(KERNEL);
    let says = "ptxas info    : Compiling entry function 'k' for 'sm_90a'\nptxas info    : Function properties for k\n    \
                16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\nptxas info    : Used 255 registers";
    let script = format!("echo \"{says}\"; printf '\\177ELF' >\"$6\"");
    let mut c = place.command("k.mlir --target sm_90a --emit cubin -o k.cubin");
    c.env("CUTE_PTXAS", fake(&place, &script));
    let run = finish(c);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let warning = "warning: kernel 'k' spills registers: each thread stores 8 bytes to local memory and reloads 4; smaller \
                   tiles or more threads per block need fewer\n";
    assert!(run.err.contains(warning), "{}", run.err);
}

/// A script that calls ptxas has children, which do not outlive the time limit.
#[test]
fn the_children_of_a_ptxas_that_hangs_are_ended() {
    let place = Place::with(KERNEL);
    let (started, ended) = (place.path("started"), place.path("ended"));
    let child = format!("(: >'{}'; sleep 4; : >'{}')", started.display(), ended.display());
    failure(&place, fake(&place, &format!("sh -c \"{child}; true\"; true")), "--ptxas-timeout 2");
    assert!(started.exists());
    std::thread::sleep(std::time::Duration::from_secs(5));
    assert!(!ended.exists(), "the child went on");
}

/// An output that is not a file is not read, and nobody waits for it.
#[test]
fn an_output_of_ptxas_is_a_file() {
    let place = Place::with(KERNEL);
    for script in ["mkfifo \"$6\"", "ln -s /dev/zero \"$6\""] {
        let err = failure(&place, fake(&place, script), "");
        assert!(err.ends_with("reports no error, but its output is not a file of at most 1 GiB\n"), "{err}");
    }
}

#[test]
fn a_ptxas_without_a_message_is_named_with_its_exit_code() {
    let place = Place::with(KERNEL);
    let err = failure(&place, fake(&place, "exit 3"), "");
    assert!(
        err.starts_with("error: ptxas '") && err.ends_with("' ended with exit code 3, without a message\n"),
        "{err}"
    );
}
