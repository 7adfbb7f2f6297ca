//! The files that are read, replaced and left: what they are, and what happens to them.

use super::{KERNEL, Place, finish, ptxas::fake};
use std::{
    fs::{self, File, Permissions},
    os::unix::fs::PermissionsExt,
    process::Command,
    thread,
    time::{Duration, SystemTime},
};

#[test]
fn a_replaced_output_keeps_its_permissions() {
    let place = Place::with(KERNEL);
    let out = place.path("k.ptx");
    fs::write(&out, "old").unwrap();
    fs::set_permissions(&out, Permissions::from_mode(0o600)).unwrap();
    place.good("k.mlir --target sm_80 -o k.ptx");
    assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::read_to_string(&out).unwrap().contains(".entry k("));
    fs::set_permissions(&out, Permissions::from_mode(0o444)).unwrap();
    assert!(place.bad("k.mlir --target sm_90a -o k.ptx").ends_with("k.ptx': it is read-only"));
    fs::write(place.path("libdevice.bc"), "BC").unwrap();
    let error = place.bad("k.mlir --target sm_90a --libdevice libdevice.bc -o ./libdevice.bc");
    assert_eq!(error, "-o would overwrite 'libdevice.bc', which is used as libdevice");
}

#[test]
fn inputs_other_than_the_module_are_regular_files_of_some_size() {
    let place = Place::with(KERNEL);
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    File::create(place.path("large")).unwrap().set_len(1 << 40).unwrap();
    for (file, why) in [
        ("/dev/zero", "it is not a regular file"),
        ("pipe", "it is not a regular file"),
        ("large", "it has more than 67108864 bytes"),
    ] {
        let error = place.bad(&format!("k.mlir --target sm_90a --libdevice {file}"));
        assert_eq!(error, format!("cannot read '{file}': {why}"));
    }
}

#[test]
fn options_that_end_the_process_are_errors() {
    let place = Place::with(KERNEL);
    for option in ["--help", "-help-hidden", "--version", "--help-list"] {
        let error = place.bad(&format!("k.mlir --target sm_90a -o k.ptx --llc={option}"));
        let why = format!("LLVM does not take its options: '{option}' would end the process");
        assert_eq!(error, format!("'k.mlir': {why}"));
    }
    fs::write(place.path("options"), "--help").unwrap();
    let error = place.bad("k.mlir --target sm_90a -o k.ptx --llc=@options");
    assert_eq!(
        error,
        "'k.mlir': LLVM does not take its options: '@options' names a file; write its options out"
    );
}

/// Files that a killed run leaves are removed by a later one.
#[test]
fn temporary_files_of_killed_runs_are_removed() {
    let place = Place::with(KERNEL);
    let temporary = place.path("tmp");
    fs::create_dir(&temporary).unwrap();
    let command = |script: &str| {
        let mut c = place.command("k.mlir --target sm_90a --emit cubin -o k.cubin");
        c.env("CUTE_PTXAS", fake(&place, script)).env("TMPDIR", &temporary);
        c
    };
    let folders = || fs::read_dir(&temporary).unwrap().map(|e| e.unwrap().path()).collect::<Vec<_>>();
    let started = place.path("started");
    let mut killed = command(&format!(": >'{}'; exec sleep 5", started.display())).spawn().unwrap();
    while !started.exists() {
        assert_eq!(killed.try_wait().unwrap(), None, "it waits for ptxas");
        thread::sleep(Duration::from_millis(10));
    }
    let left = folders();
    File::open(&left[0]).unwrap().set_modified(SystemTime::now() - Duration::from_secs(600)).unwrap();
    // Not while the process lives.
    let run = finish(command("printf '\\177ELF' >\"$6\""));
    assert_eq!((run.code, folders()), (Some(0), left), "{}", run.err);
    killed.kill().unwrap();
    killed.wait().unwrap();
    let run = finish(command("printf '\\177ELF' >\"$6\""));
    assert_eq!((run.code, folders()), (Some(0), Vec::new()), "{}", run.err);
}

/// A limit of the user is an error like a full disk: the old file stays, and nothing beside it.
#[test]
fn a_limit_of_file_sizes_is_an_error() {
    let place = Place::with(KERNEL);
    fs::write(place.path("k.ptx"), "old").unwrap();
    let before = place.files();
    let c = place.command("k.mlir --target sm_90a -o k.ptx");
    let mut shell = Command::new("sh");
    shell.args(["-c", r#"ulimit -f 0; exec "$0" "$@""#]).arg(c.get_program()).args(c.get_args());
    shell.current_dir(c.get_current_dir().expect("the command has a folder"));
    let run = finish(shell);
    assert_eq!((run.code, place.files()), (Some(1), before), "{}", run.err);
    assert!(run.err.ends_with("k.ptx': File too large\n"), "{}", run.err);
}

/// MLIR escapes a quote in a name; a message has the name of the file.
#[test]
fn a_name_with_a_quote_is_written_as_it_is() {
    let place = Place::with(KERNEL);
    let name = "a\"b.mlir";
    fs::write(place.path(name), "gpu.module @m { llvm.func @k( }").unwrap();
    let error = finish({
        let mut c = place.command("--target sm_90a -o k.ptx");
        c.arg(name);
        c
    });
    assert!(error.err.starts_with("a\"b.mlir:1:"), "{}", error.err);
}
