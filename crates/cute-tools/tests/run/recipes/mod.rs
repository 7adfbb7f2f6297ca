//! The examples that docs/recipes.md explains: each computes what a loop does, under several
//! schedules and with all notes, and each of its twins with one mistake is found.

mod attention;
mod cluster_push;
mod grouped_gemm;
mod scale_factors;
mod small;
mod splitk;

use super::run_in;
use half::f16;
use npyz::WriterBuilder;
use std::fs;
use tempfile::TempDir;

/// Runs a kernel that must have neither a finding nor a note.
fn clean(folder: &TempDir, text: &str, arguments: &str) {
    let (code, out, err) = run_in(folder, text, &format!("{arguments} --pedantic"));
    let said = out + &err;
    assert_eq!(code, Some(0), "{arguments}: {said}");
    for word in ["error:", "portability:", "note:"] {
        assert!(!said.contains(word), "{arguments}: {said}");
    }
}

/// A kernel that differs from a right one in one place, and a part of the first finding.
struct Twin {
    mistake: &'static str,
    right: &'static str,
    wrong: &'static str,
    found: &'static str,
}

/// Runs each twin, which must fail by the finding that it names.
fn found(text: &str, arguments: &str, twins: &[Twin]) {
    for Twin { mistake, right, wrong, found } in twins {
        assert_eq!(text.matches(right).count(), 1, "{mistake}");
        let folder = tempfile::tempdir().unwrap();
        let (code, out, err) = run_in(&folder, &text.replace(right, wrong), arguments);
        let said = out + &err;
        assert_eq!(code, Some(1), "{mistake}: {said}");
        assert!(said.contains(found), "{mistake}: {said}");
    }
}

/// Writes an array to a file of the folder, and returns its path.
fn with_file<T: npyz::AutoSerialize>(folder: &TempDir, name: &str, shape: &[u64], values: Vec<T>) -> String {
    let path = folder.path().join(name);
    let options = npyz::WriteOptions::new().default_dtype().shape(shape);
    let mut writer = options.writer(fs::File::create(&path).unwrap()).begin_nd().unwrap();
    writer.extend(values).unwrap();
    writer.finish().unwrap();
    path.display().to_string()
}

/// The bytes of an array.
fn bytes(folder: &TempDir, name: &str) -> Vec<u8> {
    let file = fs::read(folder.path().join(name)).unwrap();
    let header = 10 + usize::from(u16::from_le_bytes([file[8], file[9]]));
    file[header..].to_vec()
}

fn halves(folder: &TempDir, name: &str) -> Vec<f64> {
    bytes(folder, name).chunks_exact(2).map(|b| f16::from_le_bytes([b[0], b[1]]).to_f64()).collect()
}
