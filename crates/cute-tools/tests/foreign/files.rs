//! All files run without a finding, and compute what their references do.

use std::{
    env, fs,
    num::NonZero,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use super::{
    case::{cases, folder},
    full,
    record::Section,
    reports,
};

/// A sample has all of them, because they are small.
const STEP: usize = 1;

#[test]
fn kernels_of_other_compilers_compute_what_their_references_do() {
    let cases: Vec<_> = (0..).zip(cases()).filter(|(index, _)| full::takes(*index, STEP)).collect();
    let section = Mutex::new(Section::new("foreign"));
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some((_, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut shown = Vec::new();
                    let result = case.check(&mut shown);
                    let exit = i32::from(case.is_broken());
                    section.lock().expect("no panic").add(&case.label(), exit, &shown);
                    if let Err(why) = result {
                        wrong.lock().expect("no panic").push(format!("{}: {why}", case.file));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} of {} files are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(!cases.is_empty(), "there are files");
    // Other files have other lines, and a part of the launches is not the table.
    if env::var_os("CUTE_FOREIGN").is_none() && env::var_os("CUTE_FULL").is_none() {
        let section = section.into_inner().expect("no panic");
        section.check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    }
}

#[test]
fn the_list_has_every_kernel_and_every_file_of_ptx() {
    let list = fs::read_to_string(folder().join("README.md"));
    // A folder with new files has no list.
    let Ok(list) = list else { return };
    let mut known: Vec<String> = reports::FILES.map(str::to_owned).into();
    for case in cases() {
        let kernel = case.kernel();
        assert!(list.contains(&format!("\n| `{kernel}` |")), "{kernel} is not in the list");
        known.push(case.file);
    }
    for compiler in ["cuda", "triton"] {
        for entry in fs::read_dir(folder().join(compiler)).expect("a folder") {
            let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
            let file = format!("{compiler}/{name}");
            assert!(!name.ends_with(".ptx") || known.contains(&file), "{file} has no launch");
        }
    }
}
