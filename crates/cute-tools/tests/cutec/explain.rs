//! `cutec --explain`: findings and rules. The errors of `cutec run` in JSON have the ids.

use super::Place;

#[test]
fn a_finding_is_explained_with_the_rules_that_it_reports() {
    let text = Place::with("").good("--explain unfenced");
    let meaning = "unfenced: a bulk copy reads or overwrites bytes that a thread wrote, and no `fence.proxy.async` lies between \
                   the two\n\nRepair: Let each thread";
    assert!(text.starts_with(meaning), "{text}");
    assert!(text.contains("what devices do: docs/findings/unfenced.md\n"), "{text}");
    assert!(text.contains("\n  X1 (Async proxy): `fence.proxy.async` lies between"), "{text}");
}

#[test]
fn a_rule_is_explained_with_its_source_and_repair() {
    let text = Place::with("").good("--explain X4");
    assert!(text.starts_with("X4 (PTX ISA, Async proxy): a barrier and a fence lie between"), "{text}");
    assert!(text.contains("\n  repair of race: Put a barrier between"), "{text}");
    assert!(
        text.contains("\nportability, if no `fence.proxy.async`") && text.contains("DeepEP on GB200"),
        "{text}"
    );
    assert!(Place::with("").good("--explain w4").starts_with("W4 (none: compiler): "));
}

#[test]
fn a_rule_of_an_error_is_explained_with_its_message_and_repair() {
    let text = Place::with("").good("--explain malformed-undeclared-name");
    assert!(text.starts_with("malformed-undeclared-name: A register, a label"), "{text}");
    assert!(text.contains("\nMessage: ..: `..`: `..` is not declared\nRepair: Declare the name"), "{text}");
    let text = Place::with("").good("--explain get-leaves.one-result-per-leaf");
    assert!(text.contains("\nAn example that keeps the rules:\n  %"), "{text}");
}

#[test]
fn an_unknown_name_is_refused() {
    let place = Place::with("");
    let message = place.bad("--explain Z9");
    assert!(
        message.starts_with(
            "'Z9' is neither a finding, such as race, nor a rule, such as X1 or unmodelled-call;"
        ),
        "{message}"
    );
    let message = place.bad("--explain unmodeled-call");
    assert!(message.contains("unmodelled-call; did you mean unmodelled-call"), "{message}");
    let run = place.run("k.mlir --explain race");
    assert!(run.code == Some(1) && run.err.contains("cannot be used with"), "{}", run.err);
}

/// A kernel of PTX with this body.
fn ptx(body: &str) -> String {
    format!(
        ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n.reg .b32 %r<3>;\n{body}\nret;\n}}\n"
    )
}

#[test]
fn a_run_that_fails_before_it_begins_prints_its_error_for_programs() {
    let place = Place::with(&ptx("mov.u32 %r1, nobody;"));
    let arguments = "run k.mlir --grid 1 --block 32 --arg i32[4] --report";
    let failed = |form: &str| {
        let run = place.run(&format!("{arguments} {form}"));
        assert_eq!(run.code, Some(1), "{}", run.err);
        assert!(run.err.contains("error: k.mlir:6: `mov.u32`: `nobody` is not declared"), "{}", run.err);
        run.out
    };
    let json: serde_json::Value = serde_json::from_str(&failed("json")).unwrap();
    assert_eq!(json["version"], 1);
    assert_eq!(json["error"]["id"], "malformed-undeclared-name");
    assert_eq!(json["error"]["message"], "k.mlir:6: `mov.u32`: `nobody` is not declared");
    assert_eq!(
        (&json["error"]["place"]["file"], &json["error"]["place"]["line"]),
        (&"k.mlir".into(), &6.into())
    );
    assert_eq!(
        failed("github"),
        "::error file=k.mlir,line=6,title=malformed-undeclared-name::k.mlir:6: `mov.u32`: `nobody` is not declared\n"
    );
    let sarif: serde_json::Value = serde_json::from_str(&failed("sarif")).unwrap();
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let told = &invocation["toolExecutionNotifications"][0];
    assert_eq!(
        (&told["level"], &told["descriptor"]["id"]),
        (&"error".into(), &"malformed-undeclared-name".into())
    );
    assert_eq!(told["locations"][0]["physicalLocation"]["region"]["startLine"], 6);
    let junit = failed("junit");
    assert!(
        junit.contains("errors=\"1\"") && junit.contains("<error type=\"malformed-undeclared-name\""),
        "{junit}"
    );
    assert_eq!(failed("text"), "");
}

#[test]
fn errors_of_launches_and_modules_have_their_ids() {
    let place = Place::with(&ptx(""));
    let error = |arguments: &str| -> serde_json::Value {
        let run = place.run(&format!("run {arguments} --report json"));
        assert_eq!(run.code, Some(1), "{}", run.err);
        serde_json::from_str::<serde_json::Value>(&run.out).unwrap()["error"].clone()
    };
    let few = error("k.mlir --grid 1 --block 32");
    assert_eq!((&few["id"], &few["place"]), (&"launch-argument-count".into(), &serde_json::Value::Null));
    assert!(few["message"].as_str().is_some_and(|text| text.ends_with("--arg was given 0 times")), "{few}");
    assert_eq!(error("k.mlir --kernel z --grid 1 --block 32 --arg i32[4]")["id"], "launch-no-such-kernel");
    let absent = error("absent.ptx --grid 1");
    assert!(
        absent["id"].is_null() && absent["message"].as_str().is_some_and(|text| text.contains("absent")),
        "{absent}"
    );
    let tuples = "func.func @f(%a: !cute.int_tuple<\"(1,2)\">, %b: !cute.shape<\"(1,2)\">) {
  %c = cute.tuple_add(%a, %b) : (!cute.int_tuple<\"(1,2)\">, !cute.shape<\"(1,2)\">) -> !cute.int_tuple<\"(2,4)\">
  return
}\n";
    std::fs::write(place.path("op.mlir"), tuples).unwrap();
    let op = error("op.mlir --grid 1 --target sm_90a");
    assert_eq!(op["id"], "tuple-add.both-operands-one-kind", "{op}");
    assert_eq!((&op["place"]["file"], &op["place"]["line"]), (&"op.mlir".into(), &2.into()), "{op}");
}
