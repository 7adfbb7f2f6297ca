//! Findings of kernels of nvcc and of Triton, and hostile names.

use super::*;
use crate::testing::run;
use serde_json::Value;
use std::{fs, path::Path};

/// The findings of a kernel of `tests/foreign`.
fn foreign(file: &str, kernel: Option<&str>, threads: u32, arguments: &[&str]) -> Reports {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign");
    let text = fs::read_to_string(folder.join(file)).expect("a file of PTX");
    run(file, &text, kernel, threads, arguments).0
}

fn no_barrier() -> Reports {
    let file = "cuda/broken.nvcc.sm_90.ptx";
    foreign(file, Some("no_barrier"), 64, &["x:f32[64]=random(80)", "y:f32[64]"])
}

fn written(reports: &Reports, service: Service) -> String {
    let folder = Some("/home/me/project");
    Annotations { file: "k.ptx", reports, folder, version: "0.1.0" }.write(service)
}

/// All threads store in one word, at the line of a source of this name.
fn race(source: &str) -> Reports {
    let text = format!(
        ".version 8.7\n.target sm_90a\n.address_size 64\n.file 1 \"{source}\"\n\
         .visible .entry k(.param .u64 out) {{\n.reg .b32 %r<2>; .reg .b64 %d<2>;\nmov.u32 %r1, %tid.x;\n\
         ld.param.u64 %d1, [out];\n.loc 1 7 3\nst.global.u32 [%d1], %r1;\nret;\n}}\n"
    );
    run("k.ptx", &text, None, 64, &["i32[1]"]).0
}

#[test]
fn github_annotates_the_line_of_the_source() {
    let text = written(&no_barrier(), Service::Github);
    assert!(text.starts_with("::error file=cuda/broken.cu,line=9,col="), "{text}");
    assert!(text.contains(",title=race::cuda/broken.cu:9:"), "{text}");
    assert_eq!(text.lines().count(), 1, "a command is a line: {text}");
    assert!(text.contains("%0A  "), "{text}");
    let text = written(&race("/home/me/project/src/a,b: 100%.cu"), Service::Github);
    assert!(text.starts_with("::error file=src/a%2Cb%3A 100%25.cu,line=7,col=3,title=race::"), "{text}");
}

/// The parts that the schema of SARIF 2.1.0 requires of what is written here.
fn check_sarif(log: &Value) {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let check_location = |location: &Value| {
        let physical = &location["physicalLocation"];
        let uri = text(&physical["artifactLocation"]["uri"]);
        assert!(uri.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'<' | b'>')), "{uri}");
        assert!(physical["region"]["startLine"].as_u64().is_some_and(|line| line > 0), "{physical}");
        assert!(physical["region"]["startColumn"].as_u64() != Some(0), "{physical}");
    };
    assert_eq!((text(&log["version"]), log["runs"].as_array().map(Vec::len)), ("2.1.0".into(), Some(1)));
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert_eq!(text(&run["tool"]["driver"]["name"]), "cutec");
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    for result in run["results"].as_array().expect("results") {
        let rule = result["ruleIndex"].as_u64().expect("a rule") as usize;
        assert_eq!(rules[rule]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&&*text(&result["level"])));
        assert!(!text(&result["message"]["text"]).is_empty());
        for location in result["locations"].as_array().expect("locations") {
            check_location(location);
        }
        for (id, related) in (1..).zip(result["relatedLocations"].as_array().expect("a list")) {
            check_location(related);
            assert_eq!((related["id"].as_u64(), related["message"]["text"].is_string()), (Some(id), true));
        }
        for stack in result["stacks"].as_array().expect("a list") {
            let frames = stack["frames"].as_array().expect("frames");
            frames.iter().for_each(|frame| check_location(&frame["location"]));
        }
    }
}

#[test]
fn sarif_has_both_sides() {
    let log: Value = serde_json::from_str(&written(&no_barrier(), Service::Sarif)).expect("JSON");
    check_sarif(&log);
    let results = &log["runs"][0]["results"];
    assert_eq!(results.as_array().map(Vec::len), Some(1), "{results}");
    let at = |location: &Value| {
        let physical = &location["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str().expect("a file").to_owned();
        (uri, physical["region"]["startLine"].as_u64().expect("a line"))
    };
    let one = &results[0];
    assert_eq!((&one["ruleId"], &one["level"]), (&"race".into(), &"error".into()));
    let mut sides = [at(&one["locations"][0]), at(&one["relatedLocations"][0])];
    sides.sort();
    assert_eq!(sides, [("cuda/broken.cu".into(), 7), ("cuda/broken.cu".into(), 9)]);
    assert!(at(&one["relatedLocations"][1]).0.ends_with("broken.nvcc.sm_90.ptx"), "{one}");
    let log: Value = serde_json::from_str(&written(&race("/x/a b\u{e9}.cu"), Service::Sarif)).expect("JSON");
    check_sarif(&log);
    let one = &log["runs"][0]["results"][0];
    assert_eq!(at(&one["locations"][0]), ("file:///x/a%20b%C3%A9.cu".into(), 7));
}

#[test]
fn sarif_has_the_calls_that_were_inlined() {
    let text = ".version 8.7\n.target sm_90a\n.address_size 64\n.file 1 \"src/k.py\"\n.file 2 \"/lib/standard.py\"\n\
        .visible .entry k(.param .u64 out) {\n.reg .b32 %r<2>; .reg .b64 %d<2>;\nmov.u32 %r1, %tid.x;\n\
        ld.param.u64 %d1, [out];\n.loc 2 90 5, function_name $name, inlined_at 1 7 3\nst.global.u32 [%d1], %r1;\nret;\n}\n\
        .section .debug_str {\n$name:\n.b8 115,117,109,0\n}\n";
    let reports = run("k.ptx", text, None, 64, &["i32[1]"]).0;
    let log: Value = serde_json::from_str(&written(&reports, Service::Sarif)).expect("JSON");
    check_sarif(&log);
    let one = &log["runs"][0]["results"][0];
    let line = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64();
    assert_eq!(line(&one["locations"][0]), Some(7), "the user's line: {one}");
    let frames = &one["stacks"][0]["frames"];
    assert_eq!((line(&frames[0]["location"]), line(&frames[1]["location"])), (Some(90), Some(7)));
    assert_eq!(frames[0]["location"]["logicalLocations"][0]["name"], "sum");
    assert!(written(&reports, Service::Github).starts_with("::error file=src/k.py,line=7,col=3,"));
}

#[test]
fn junit_has_a_case_for_each_launch_and_schedule() {
    let text = written(&no_barrier(), Service::Junit);
    let attributes = "tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\"";
    assert_eq!(text.matches(attributes).count(), 2, "{text}");
    assert!(text.contains(" file=\"cuda/broken.cu\" line=\"9\">"), "{text}");
    assert!(text.contains("<failure type=\"race\" message=\"cuda/broken.cu:9:"), "{text}");
    let safe = written(&race("a<b>&\u{1b}\u{ffff}.cu"), Service::Junit);
    assert!(safe.contains("file=\"a&lt;b&gt;&amp;[U+001B]\u{fffd}.cu\" line=\"7\""), "{safe}");
    // The tags are balanced.
    let mut open = Vec::new();
    for tag in safe.split('<').skip(2).map(|part| part.split_once('>').expect("a tag ends").0) {
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name.to_owned())),
            None => open.push(tag.split(' ').next().unwrap_or_default().to_owned()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn logs_are_merged_and_a_finding_is_there_once() {
    let (first, second) = (race("/home/me/a.cu"), no_barrier());
    let logs = [&first, &second, &first].map(|reports| written(reports, Service::Sarif));
    let log: Value = serde_json::from_str(&merged("0.1.0", &logs).expect("logs")).expect("JSON");
    check_sarif(&log);
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2);
    let empty: Value = serde_json::from_str(&merged("0.1.0", &[]).expect("no logs")).expect("JSON");
    check_sarif(&empty);
    assert!(merged("0.1.0", &["{}".to_owned()]).is_err_and(|why| why.contains("without a run")));
}
