//! SARIF 2.1.0 (OASIS): a result for each finding. Its rule is the kind of the finding, its related
//! locations are the other side and the lines of PTX, and its stacks are the calls that were
//! inlined.

use super::{Annotations, Failed, name_in, point, told, word};
use cute_launch::Shape;
use cute_sim::names::readable;
use cute_sim::place::{SourcePlace, SourcePoint};
use cute_sim::{Finding, Side};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

const HOME: &str = env!("CARGO_PKG_REPOSITORY");

pub(super) fn write(all: &Annotations<'_>) -> String {
    let all_of =
        all.reports.simulated().flat_map(|(_, report)| report.findings.iter().chain(&report.accepted));
    let kinds: BTreeSet<&str> = all_of.map(|finding| finding.kind.name()).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    let rules: Vec<Value> = kinds.iter().map(|kind| rule(kind)).collect();
    let mut results = Vec::new();
    for (shape, report) in all.reports.simulated() {
        for (finding, is_accepted) in
            report.findings.iter().map(|f| (f, false)).chain(report.accepted.iter().map(|f| (f, true)))
        {
            let mut one = result(all, shape, finding);
            one["ruleIndex"] = json!(kinds.iter().position(|kind| *kind == finding.kind.name()));
            if is_accepted {
                one["suppressions"] =
                    json!([{"kind": "external", "justification": "the list of accepted findings has it"}]);
            }
            results.push(one);
        }
    }
    let left_out: usize = all.reports.simulated().map(|(_, report)| report.left_out.len()).sum();
    let notes = match left_out {
        0 => Vec::new(),
        count => vec![json!({
            "level": "note",
            "message": {"text": format!("{count} more different findings are only counted")},
        })],
    };
    log(all.version, rules, results, all.reports.are_complete(), notes)
}

pub(super) fn failed(why: &Failed<'_>) -> String {
    let mut notification = json!({"level": "error", "message": {"text": cute_text::lines(why.message)}});
    if let Some(id) = why.id {
        notification["descriptor"] = json!({"id": id});
    }
    if let Some(point) = why.point() {
        notification["locations"] = json!([physical(why.folder, point)]);
    }
    log(why.version, Vec::new(), Vec::new(), false, vec![notification])
}

/// The log of several runs as if they were one: a finding that several of them have is there once.
///
/// # Errors
/// A text that is not a log that this module wrote.
pub fn merged(version: &str, logs: &[String]) -> Result<String, String> {
    let (mut rules, mut results): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    let (mut succeeded, mut notes): (bool, Vec<Value>) = (true, Vec::new());
    for text in logs {
        let log: Value = serde_json::from_str(text).map_err(|why| why.to_string())?;
        let run = log.pointer("/runs/0").ok_or("a log without a run")?;
        let list = |at: &str| run.pointer(at).and_then(Value::as_array).cloned().unwrap_or_default();
        for rule in list("/tool/driver/rules") {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        for mut result in list("/results") {
            result["ruleIndex"] = json!(rules.iter().position(|rule| rule["id"] == result["ruleId"]));
            if !results.contains(&result) {
                results.push(result);
            }
        }
        for invocation in list("/invocations") {
            succeeded &= invocation["executionSuccessful"] == true;
            let of_run = invocation["toolExecutionNotifications"].as_array();
            notes.extend(of_run.into_iter().flatten().cloned());
        }
    }
    Ok(log(version, rules, results, succeeded, notes))
}

/// The log of one run.
fn log(
    version: &str,
    rules: Vec<Value>,
    results: Vec<Value>,
    succeeded: bool,
    notifications: Vec<Value>,
) -> String {
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "cutec",
                "version": version,
                "informationUri": HOME,
                "rules": rules,
            }},
            "invocations": [{
                "executionSuccessful": succeeded,
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_string_pretty(&log).expect("JSON has a text") + "\n"
}

fn rule(kind: &str) -> Value {
    json!({
        "id": kind,
        "shortDescription": {"text": kind.replace('_', " ")},
        "helpUri": format!("{HOME}/blob/main/docs/simulator.md"),
    })
}

fn result(all: &Annotations<'_>, shape: &Shape, finding: &Finding) -> Value {
    let own = finding.own_side();
    let place = &finding.location;
    let mut related = Vec::new();
    let mut relate = |mut location: Value, text: String| {
        location["id"] = json!(related.len() + 1);
        location["message"] = json!({"text": text});
        related.push(location);
    };
    if let Some(other) = finding.other() {
        if let Some(point) = point(other.location) {
            relate(physical(all.folder, point), side(&other));
        }
        if let Some(origin) = &other.location.origin {
            relate(physical(all.folder, origin), "the other side in the text that was run".to_owned());
        }
    }
    if let Some(origin) = &place.origin {
        relate(physical(all.folder, origin), "the text that was run".to_owned());
    }
    let mut stacks = vec![stack(all, &own)];
    stacks.extend(finding.other().map(|other| stack(all, &other)));
    stacks.retain(|stack| stack["frames"].as_array().is_some_and(|frames| frames.len() > 1));
    let locations: Vec<Value> = point(place)
        .map(|point| {
            let mut location = physical(all.folder, point);
            location["logicalLocations"] =
                json!([{"name": readable(&shape.kernel), "fullyQualifiedName": shape.kernel, "kind": "function"}]);
            location
        })
        .into_iter()
        .collect();
    json!({
        "ruleId": finding.kind.name(),
        "level": word(finding.grade, ["error", "warning", "note"]),
        "message": {"text": cute_text::lines(&told(finding))},
        "locations": locations,
        "relatedLocations": related,
        "stacks": stacks,
        "occurrenceCount": finding.count.clamp(1, i64::MAX as u64),
        "properties": {
            "grade": finding.grade,
            "rule": finding.rule.map(|rule| rule.id),
            "kernel": shape.kernel,
            "launch": finding.launch,
            "block": finding.block,
            "thread": finding.thread,
            "schedules": finding.schedules,
            "other": finding.other(),
        },
    })
}

/// A side in words.
fn side(side: &Side<'_>) -> String {
    let op = side.op.map_or_else(String::new, |op| format!(", `{}`", cute_text::line(op)));
    let three = |[x, y, z]: [u32; 3]| format!("({x}, {y}, {z})");
    let who = match (side.block, side.thread) {
        (Some(block), Some(thread)) => format!(": thread {} of block {}", three(thread), three(block)),
        _ => String::new(),
    };
    format!("the other side{who}{op}")
}

/// The calls around a side, its own place first.
fn stack(all: &Annotations<'_>, side: &Side<'_>) -> Value {
    let place: &SourcePlace = side.location;
    // A frame is the place within a function, which the call around it names.
    let functions = place.inlined.iter().map(|call| call.function.as_deref()).chain([None]);
    let points = place.point.iter().chain(place.inlined.iter().filter_map(|call| call.points.first()));
    let frames: Vec<Value> = points
        .filter(|point| point.line > 0)
        .zip(functions)
        .map(|(point, function)| {
            let mut location = physical(all.folder, point);
            if let Some(function) = function {
                location["logicalLocations"] =
                    json!([{"name": readable(function), "fullyQualifiedName": function, "kind": "function"}]);
            }
            json!({"location": location})
        })
        .collect();
    json!({"message": {"text": cute_text::line(&place.to_string())}, "frames": frames})
}

fn physical(folder: Option<&str>, point: &SourcePoint) -> Value {
    let name = name_in(folder, point);
    let artifact = match name.strip_prefix('/') {
        Some(_) => json!({"uri": format!("file://{}", uri(name))}),
        None => json!({"uri": uri(name), "uriBaseId": "%SRCROOT%"}),
    };
    let mut region = json!({"startLine": point.line.max(1)});
    if let Some(column) = point.known_column() {
        region["startColumn"] = json!(column);
    }
    json!({"physicalLocation": {"artifactLocation": artifact, "region": region}})
}

/// A path as part of a URI (RFC 3986).
fn uri(path: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    path.bytes().map(byte).collect()
}
