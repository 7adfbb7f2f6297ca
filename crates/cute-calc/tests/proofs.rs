//! Requests with the answers of the algebra in Rocq (`proofs/`), which was recorded: the result, or
//! a refusal under the strict policy. Neither Rocq nor the oracle is needed.

use std::{path::Path, process::Command};

use serde_json::Value as Json;

/// A result without braces, in which cute-calc prints facts about run-time numbers that the oracle
/// leaves out.
fn numbers(result: Option<&Json>) -> Option<Json> {
    let Some(Json::String(text)) = result else { return result.cloned() };
    let parts = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    Some(parts.collect::<String>().into())
}

#[test]
fn recorded_answers_of_the_proofs_are_reproduced() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/recorded.json");
    let text = std::fs::read_to_string(&path).expect("the recorded answers");
    let entries: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let output = Command::new(env!("CARGO_BIN_EXE_cute-calc"))
        .args(["--domain", "strict", "--json"])
        .arg(&path)
        .output()
        .expect("a run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = String::from_utf8(output.stdout).expect("text");
    let answers: Vec<Json> = answers.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), entries.len(), "one answer for each entry");
    assert!(entries.len() >= 10_000, "{} entries", entries.len());
    let differ: Vec<_> = (entries.iter().zip(&answers))
        .filter(|(entry, answer)| {
            entry.get("result").cloned() != numbers(answer.get("result"))
                || entry["error"].is_string() != answer["error"].is_string()
        })
        .map(|(entry, answer)| format!("{entry}: got {answer}"))
        .collect();
    let shown = differ.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(differ.is_empty(), "{} of {} answers differ\n{shown}", differ.len(), entries.len());
}
