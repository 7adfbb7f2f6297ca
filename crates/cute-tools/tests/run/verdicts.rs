//! `--cache` of `cutec run`.

use super::{GOOD, KERNELS, run_in};
use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::PathBuf,
};
use tempfile::TempDir;

const RACE: &str = include_str!("../../../../tests/sim/broken/missing_barrier.mlir");
const RACING: &str = "--grid 1 --block 64 --arg out:i32[64] --cache kept";

/// The files of the cache, each with the number that it has as long as nobody writes it anew.
fn entries(folder: &TempDir) -> Vec<(PathBuf, u64)> {
    let files = fs::read_dir(folder.path().join("kept")).expect("the folder of the cache");
    let mut all: Vec<_> = files
        .map(|file| file.expect("a file").path())
        .map(|path| (path.clone(), fs::metadata(&path).expect("a file").ino()))
        .collect();
    all.sort();
    all
}

#[test]
fn a_verdict_is_said_again() {
    for (text, arguments) in [(RACE, RACING.to_owned()), (KERNELS, format!("{GOOD} --cache kept"))] {
        for form in ["text", "json", "github"] {
            let folder = tempfile::tempdir().expect("a folder");
            let arguments = format!("{arguments} --report {form}");
            let first = run_in(&folder, text, &arguments);
            let kept = entries(&folder);
            assert_eq!(kept.len(), 1, "{first:?}");
            assert_eq!(run_in(&folder, text, &arguments), first, "{arguments}");
            assert_eq!(entries(&folder), kept, "the run did not take place again");
            assert_eq!(first.0, Some(i32::from(text == RACE)));
        }
    }
}

#[test]
fn a_verdict_depends_on_options_and_all_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("a file");
    let array = |last: u8| {
        let head = "{'descr': '<i4', 'fortran_order': False, 'shape': (64,), }";
        let head = format!("{head:<117}\n");
        let values = [[0; 63].as_slice(), &[i32::from(last)]].concat();
        let values = values.iter().flat_map(|value| value.to_le_bytes());
        [b"\x93NUMPY\x01\x00v\x00", head.as_bytes()].concat().into_iter().chain(values).collect::<Vec<u8>>()
    };
    write("out.npy", &array(0));
    let racing = RACING.replace("out:i32[64]", "out.npy");
    let count = |text: &str, arguments: &str| {
        let (_, out, err) = run_in(&folder, text, arguments);
        assert!(out.contains("kernel: 1 block"), "{out}{err}");
        entries(&folder).len()
    };
    assert_eq!(count(RACE, &racing), 1);
    assert_eq!(count(&format!("{RACE}\n"), &racing), 2, "another text");
    assert_eq!(count(RACE, &format!("{racing} --pedantic")), 3, "another option");
    write("out.npy", &array(1));
    assert_eq!(count(RACE, &racing), 4, "another array");
    write("cute-allow.toml", b"[[allow]]\nkind = \"race\"\n");
    assert_eq!(count(RACE, &racing), 5, "an allow list");
    write("cute-allow.toml", b"[[allow]]\nkind = \"race\"\nfile = \"k.mlir\"\n");
    assert_eq!(count(RACE, &racing), 6, "another allow list");
    fs::remove_file(folder.path().join("cute-allow.toml")).expect("the allow list");
    write("out.npy", &array(0));
    let kept = entries(&folder);
    assert_eq!(count(RACE, &racing), 6, "as the first one");
    assert_eq!(entries(&folder), kept);
}

#[test]
fn a_verdict_depends_on_a_file_of_launches() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = |values: &str| {
        let launches = format!(
            "{{\"arrays\": {{\"out\": \"i32[64]{values}\"}}, \"operations\": \
             [{{\"launch\": \"kernel\", \"grid\": [1], \"block\": [64], \"args\": [\"&out\"]}}]}}"
        );
        fs::write(folder.path().join("l.json"), launches).expect("a file");
        let (code, out, err) = run_in(&folder, RACE, "--launches l.json --cache kept");
        assert_eq!(code, Some(1), "{out}{err}");
        assert!(out.contains("kernel: 1 block"), "{out}{err}");
        entries(&folder).len()
    };
    assert_eq!(["", "=7", "", "=7"].map(count), [1, 2, 2, 2]);
}

#[test]
fn a_damaged_verdict_is_found_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = run_in(&folder, RACE, RACING);
    let (file, number) = entries(&folder).remove(0);
    let good = fs::read(&file).expect("an entry");
    fs::write(&file, &good[..good.len() - 1]).expect("a damaged entry");
    assert_eq!(run_in(&folder, RACE, RACING), first);
    assert_ne!(entries(&folder), [(file.clone(), number)]);
    assert_eq!(fs::read(&file).expect("an entry"), good);
    // An entry that others can write to may be theirs.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).expect("permissions");
    let (code, out, err) = run_in(&folder, RACE, RACING);
    assert_eq!((code, out), (first.0, first.1));
    assert!(
        err.starts_with("warning: the entry 'kept/") && err.contains("of the cache is not used: "),
        "{err}"
    );
}

#[test]
fn runs_with_other_results_are_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    for (more, why) in
        [("--out out=o.npy", "--out"), ("--html page.html", "--html"), ("--trace t.json", "--trace")]
    {
        let (code, _, err) = run_in(&folder, RACE, &format!("{RACING} {more}"));
        assert_eq!(code, Some(1), "{err}");
        assert!(err.contains(&format!("warning: the cache is not used, because of {why}\n")), "{err}");
    }
    // A run that is not possible has no verdict.
    let (code, _, err) = run_in(&folder, RACE, &format!("{RACING} --arg 1"));
    assert_eq!(code, Some(1), "{err}");
    assert_eq!(entries(&folder), []);
    fs::set_permissions(folder.path().join("kept"), fs::Permissions::from_mode(0o777)).expect("permissions");
    let (_, _, err) = run_in(&folder, RACE, RACING);
    assert!(err.contains("cannot use the cache 'kept': every user can write to it"), "{err}");
}
