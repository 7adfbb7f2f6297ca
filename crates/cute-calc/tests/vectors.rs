//! Every entry of `tests/vectors/cute`, `tma.json` and `block_scaled.json` of `tests/vectors`
//! through the binary: values that CuTe C++ printed must match to the character.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value as Json;

/// All files, by name.
fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/cute");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of vectors")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    files.sort();
    files
}

/// Runs one file; returns the number of entries and the entries that differ.
fn check(path: &Path) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(path).expect("a file of vectors");
    let entries: Vec<Json> = serde_json::from_str(&text).expect("a JSON list");
    let output =
        Command::new(env!("CARGO_BIN_EXE_cute-calc")).arg("--json").arg(path).output().expect("a run");
    assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<Json> = answers.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(answers.len(), entries.len(), "{}: one answer for each entry", path.display());
    let dynamic = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("dyn_"));
    let differ = |(entry, answer): (&Json, &Json)| {
        let (expected, got) = (&entry["result"], &answer["result"]);
        let agrees = if expected.get("error").is_some() {
            answer["error"].is_string()
        } else if !dynamic && expected["offset"] == "?0" {
            // C++ divides by a stride 0 of the thread layout here, which is undefined, so the
            // offset has no meaning.
            got["layout"] == expected["layout"]
        } else {
            got == expected
        };
        (!agrees).then(|| format!("{} {}: expected {expected}, got {answer}", entry["op"], entry["args"]))
    };
    (entries.len(), entries.iter().zip(&answers).filter_map(differ).collect())
}

#[test]
fn every_vector_is_reproduced() {
    let files = files();
    assert!(files.len() > 80, "{} files", files.len());
    let mut total = 0;
    let mut failures = Vec::new();
    for path in files {
        let (count, differing) = check(&path);
        total += count;
        failures.extend(differing.into_iter().map(|d| format!("{}: {d}", path.display())));
    }
    let shown = failures.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {total} entries differ\n{shown}", failures.len());
    assert!(total > 15000, "{total} entries");
}

/// The entries of a file of requests, each with its answer.
fn answered(file: &str) -> Vec<(Json, Json)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors").join(file);
    let text = std::fs::read_to_string(&path).expect("the vectors");
    let entries: Vec<Json> = serde_json::from_str(&text).expect("a JSON list");
    let output =
        Command::new(env!("CARGO_BIN_EXE_cute-calc")).arg("--json").arg(&path).output().expect("a run");
    let answers = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<Json> = answers.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(answers.len(), entries.len(), "{file}: one answer for each entry");
    entries.into_iter().zip(answers).collect()
}

/// Whether an entry expects an error, and the answer is that error.
fn fails_as_expected(entry: &Json, answer: &Json) -> bool {
    let Some(error) = entry.get("error") else { return false };
    assert!(answer["error"].is_string(), "{entry}: {answer}");
    assert_eq!(answer["rule"], *error, "{entry}: {answer}");
    true
}

/// Copies by the TMA: descriptors, boxes and partitions, or the broken rule where there are none.
#[test]
fn every_copy_by_the_tma_is_reproduced() {
    let answered = answered("tma.json");
    assert_eq!(answered.len(), 495);
    let mut chunks_of_64 = 0;
    for (entry, mut answer) in answered {
        if fails_as_expected(&entry, &answer) {
            continue;
        }
        // CuTe C++ takes S<2,6,s> of any s for chunks of 64 bytes, which are other functions.
        if entry["result"]["tensormap_swizzle"] == 6 {
            assert_eq!(answer["rule"], "swizzle_unsupported", "{entry}");
            chunks_of_64 += 1;
            continue;
        }
        let words = answer["result"].get_mut("descriptor_128B").and_then(|words| words.get_mut("qwords"));
        if let Some(words) = words.and_then(Json::as_array_mut) {
            // The vectors leave out the words that are 0.
            let rest = words.split_off(8);
            assert!(rest.iter().all(|word| word == "0x0000000000000000"), "{rest:?}");
        }
        assert_eq!(answer["result"], entry["result"], "{entry}");
    }
    assert_eq!(chunks_of_64, 2);
}

/// Block-scaled MMAs: layouts of scale factors, descriptors and partitions, or the broken rule.
#[test]
fn every_block_scaled_mma_is_reproduced() {
    let answered = answered("block_scaled.json");
    assert_eq!(answered.len(), 560);
    let differ = answered.iter().filter(|(entry, answer)| {
        !fails_as_expected(entry, answer) && answer.get("result") != entry.get("result")
    });
    let mut kinds = std::collections::BTreeMap::<&str, Vec<String>>::new();
    for (entry, answer) in differ {
        let (expected, got) = (&entry["result"], &answer["result"]);
        let keys = expected.as_object().into_iter().flatten().filter(|(key, value)| got[*key] != **value);
        let keys: Vec<_> = keys.map(|(key, value)| format!("{key}: {value}, got {}", got[key])).collect();
        let text = format!("{} {}\n    {}", entry["inputs"], answer["error"], keys.join("\n    "));
        kinds.entry(entry["op"].as_str().unwrap_or_default()).or_default().push(text);
    }
    let shown: Vec<_> =
        kinds.iter().map(|(kind, all)| format!("{} of {kind}, such as {}", all.len(), all[0])).collect();
    assert!(kinds.is_empty(), "{}", shown.join("\n"));
}
