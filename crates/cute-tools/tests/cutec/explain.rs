//! `cutec --explain`: findings and rules.

use super::Place;

#[test]
fn a_finding_is_explained_with_the_rules_that_it_reports() {
    let text = Place::with("").good("--explain unfenced");
    let meaning = "unfenced: a bulk copy reads or overwrites bytes that a thread wrote, and no `fence.proxy.async` lies between \
                   the two\n\nRepair: Let each thread";
    assert!(text.starts_with(meaning), "{text}");
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
fn an_unknown_name_is_refused() {
    let place = Place::with("");
    let message = place.bad("--explain Z9");
    assert!(
        message.starts_with("'Z9' is neither a finding, such as race, nor a rule, such as X1;"),
        "{message}"
    );
    let run = place.run("k.mlir --explain race");
    assert!(run.code == Some(1) && run.err.contains("cannot be used with"), "{}", run.err);
}
