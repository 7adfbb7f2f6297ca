//! The packages that `./dev` builds, with a cargo that only notes its arguments.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

/// `./dev run` needs `cutec`, and none of the packages, the page or the fuzzer.
#[test]
fn run_builds_what_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (cargo, noted) = (folder.path().join("cargo"), folder.path().join("noted"));
    fs::write(&cargo, format!("#!/bin/sh\necho \"$@\" >>'{}'\nexit 1\n", noted.display())).unwrap();
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut dev = Command::new(root.join("dev"));
    // Nothing is to be installed.
    dev.arg("run").env("PATH", path).env("CUTE_PTXAS", "ptxas").env("CI", "false");
    let output = dev.env("CARGO_TARGET_DIR", folder.path()).output().unwrap();
    assert!(!output.status.success());
    let noted = fs::read_to_string(noted).unwrap_or_default();
    assert_eq!(
        noted,
        "build --release -p cute-tools --bin cutec\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
