//! Programs as processes: exit codes, signals, children, and the folder of the libraries.

use std::{
    io::{BufRead, BufReader, Read},
    os::unix::process::CommandExt,
    process::Stdio,
    thread,
};

use super::*;

/// The line at the end of a program without launches.
const NONE: &str = "cutec exec: no kernel was launched\n";

fn shell(place: &Place, script: &str) -> Run {
    let mut command = place.command(env!("CARGO_BIN_EXE_cutec"));
    command.args(["exec", "--", "sh", "-c", script]).output().unwrap().into()
}

#[test]
fn the_exit_code_is_that_of_the_program() {
    let place = Place::new();
    for (script, code) in
        [("exit 0", 0), ("exit 7", 7), ("exit 255", 255), ("kill -9 $$", 137), ("kill -SEGV $$", 139)]
    {
        let run = shell(&place, script);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (Some(code), "", NONE), "{script}");
    }
}

#[test]
fn streams_and_arguments_are_those_of_the_program() {
    let place = Place::new();
    let mut command = place.command(env!("CARGO_BIN_EXE_cutec"));
    command.args(["exec", "sh", "-c", "cat; echo \"$0 $@\" >&2", "zero", "--device", "a b"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"typed\n").unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(
        (run.code, run.out.as_str(), run.err),
        (Some(0), "typed\n", format!("zero --device a b\n{NONE}"))
    );
}

#[test]
fn children_are_answered_too() {
    let place = Place::new();
    let library = place.library("nvidia", "libcudart.so.13", &FUNCTIONS);
    place.program("p", &(CUDA.to_owned() + VERSIONS), &library);
    let source = CUDA.to_owned() + "int main(void) { return cudaEGLStreamConsumerDisconnect(0) == 801; }\n";
    place.program("q", &source, &library);
    fs::write(place.path("script"), "#!/bin/sh\n./p\n./q\n./q\n").unwrap();
    let mut command = place.command("chmod");
    assert!(command.args(["+x", "script"]).status().unwrap().success());
    let run = place.cutec("exec ./script");
    assert_eq!((run.code, run.out.as_str()), (Some(1), "0 13000 13000\n"), "{}", run.err);
    let last = "cutec exec: not supported: cudaEGLStreamConsumerDisconnect (2 calls)";
    assert_eq!(run.err.lines().last(), Some(last));
}

/// `cutec`, which ignores no signal: `nohup`, and a shell that starts something in the background,
/// have some ignored.
fn interruptible(place: &Place) -> Command {
    let mut command = place.command("env");
    command.args(["--default-signal", env!("CARGO_BIN_EXE_cutec")]);
    command
}

/// A signal ends the program, or not, as it likes; the summary comes in any case.
#[test]
fn signals_reach_the_program() {
    let place = Place::new();
    for (signal, code) in [("INT", 3), ("TERM", 4), ("HUP", 5)] {
        let script =
            format!("trap 'echo caught; exit {code}' {signal}; echo ready; while :; do sleep 0.05; done");
        let mut command = interruptible(&place);
        command.args(["exec", "--", "sh", "-c", &script]).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Without a terminal, which would send the program its own.
        command.process_group(0);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "ready");
        let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(lines.next().unwrap().unwrap(), "caught");
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(code), NONE));
    }
}

/// It need not call CUDA for that.
#[test]
fn a_signal_ends_a_program_that_does_not_wait_for_it() {
    let place = Place::new();
    let source = "#include <stdio.h>
#include <unistd.h>
int main(void) {
  puts(\"ready\");
  fflush(stdout);
  sleep(60);
  return 0;
}
";
    place.compile("p", source, &[]);
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let mut command = interruptible(&place);
        command.args(["exec", "./p"]).stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "ready");
        let kill = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(128 + number), "{signal}");
    }
}

/// The runtime of a sanitizer refuses to run after another library.
#[test]
fn a_program_with_a_sanitizer_runs() {
    let place = Place::new();
    let library = place.library("nvidia", "libcudart.so.13", &FUNCTIONS);
    place.compile("p", &(CUDA.to_owned() + VERSIONS), &[library.to_str().unwrap(), "-fsanitize=address"]);
    let run = place.cutec("exec -- ./p");
    assert_eq!((run.code, run.out.as_str()), (Some(0), "0 13000 13000\n"), "{}", run.err);
}

#[test]
fn libraries_of_the_user_are_kept() {
    let place = Place::new();
    let mut command = place.command(env!("CARGO_BIN_EXE_cutec"));
    command.args(["exec", "sh", "-c", "echo $LD_LIBRARY_PATH; echo $LD_PRELOAD"]);
    let run = Run::from(
        command.env("LD_LIBRARY_PATH", "/one:/two").env("LD_PRELOAD", "libm.so.6").output().unwrap(),
    );
    let lines: Vec<_> = run.out.lines().collect();
    let folder = place.cutec("--libdir").out.trim().to_owned();
    assert_eq!(lines[0], format!("{folder}:/one:/two"));
    let [runtime, older, driver] = ["libcudart.so.13", "libcudart.so.12", "libcuda.so.1"];
    assert_eq!(lines[1], format!("{folder}/{runtime}:{folder}/{older}:{folder}/{driver}:libm.so.6"));
}

#[test]
fn the_folder_is_written_once_and_repaired() {
    let place = Place::new();
    let runs: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| place.cutec("--libdir"))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for run in &runs {
        assert_eq!((run.code, &run.out), (Some(0), &runs[0].out), "{}", run.err);
    }
    let folder = PathBuf::from(runs[0].out.trim());
    let library = folder.join("libcudart.so.13");
    let (whole, when) = (fs::read(&library).unwrap(), fs::metadata(&library).unwrap().modified().unwrap());
    place.cutec("--libdir");
    assert_eq!(fs::metadata(&library).unwrap().modified().unwrap(), when, "it is not written again");
    fs::write(&library, "broken").unwrap();
    fs::remove_file(folder.join("libcudart.so")).unwrap();
    place.cutec("--libdir");
    assert!(fs::read(&library).unwrap() == whole && fs::read(folder.join("libcudart.so")).unwrap() == whole);
    let files = fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, 8, "nothing else is left: {folder:?}");
}

#[test]
fn a_folder_that_the_loader_cannot_name_is_refused() {
    let place = Place::new();
    for (name, sign) in [("my cache", ' '), ("a:b", ':')] {
        let mut command = place.command(env!("CARGO_BIN_EXE_cutec"));
        command.arg("--libdir").env("XDG_CACHE_HOME", place.path(name));
        let run = Run::from(command.output().unwrap());
        assert_eq!(run.code, Some(1));
        let end =
            format!("because the loader splits its list at '{sign}': set XDG_CACHE_HOME to another one\n");
        assert!(run.err.starts_with("error: '/") && run.err.ends_with(&end), "{}", run.err);
    }
    let mut command = place.command(env!("CARGO_BIN_EXE_cutec"));
    command.arg("--libdir").env_remove("XDG_CACHE_HOME").env_remove("HOME");
    let run = Run::from(command.output().unwrap());
    assert_eq!(run.err, "error: there is no folder for libraries: set XDG_CACHE_HOME or HOME\n");
}
