//! `cute-calc banks`: the cost of accesses, the layout without conflicts, and the report that none
//! exists.

mod common;

use common::{fails, run};

const LDMATRIX: [&str; 6] = ["banks", "(8,64):(64,1)", "--bits", "16", "--access", "ldmatrix=(8,8):(1,8)@8"];

fn ask(more: &[&str]) -> (Option<i32>, String) {
    let (code, out, err) = run(&[LDMATRIX.as_slice(), more].concat());
    assert_eq!(err, "");
    (code, out)
}

#[test]
fn conflicts_are_counted_for_each_access() {
    let costs = "(8,64):(64,1), 16-bit elements\n  \
                 ldmatrix: 1 instruction: 8 passes (minimum 1); worst: 8 passes, starting at thread 0, value 0\n";
    assert_eq!(ask(&[]), (Some(0), costs.to_string()));
    // Four rows of f16 in halves of 8 bytes per lane: two rows per instruction, no conflict.
    let row = format!("{costs}  row: 4 instructions: 8 passes (minimum 8)\n");
    assert_eq!(ask(&["--access", "row=((16,2),(4,4)):((32,1),(8,2))@4"]), (Some(0), row));
}

#[test]
fn a_swizzle_is_found() {
    let (code, out) = ask(&["--choose", "swizzle"]);
    assert_eq!(code, Some(0));
    assert!(
        out.ends_with("S<3,3,3> o 0 o (8,64):(64,1)\n  ldmatrix: 1 instruction: 1 pass (minimum 1)\n"),
        "{out}"
    );
    let (code, out) = ask(&["--choose", "padding"]);
    assert_eq!(code, Some(0));
    assert!(
        out.contains(
            "no conflicts with 8 elements of padding after each 64, after trying 2 candidates:\n(8,64):(72,1)\n"
        ),
        "{out}"
    );
}

#[test]
fn that_none_exists_is_an_answer_and_a_failure() {
    let column = ["--access", "rows=(64,8):(1,64)@8", "--access", "column=(32,64):(1,64)@1"];
    let tile = ["banks", "(64,64):(64,1)", "--bits", "16", "--choose", "both"];
    let (code, out, _) = run(&[tile.as_slice(), &column].concat());
    assert_eq!(code, Some(1), "{out}");
    assert!(out.contains("no swizzle or padding is free of conflicts, after trying all "), "{out}");
}

#[test]
fn bad_questions_are_told_what_is_missing() {
    fails(
        &["banks", "(8,64):(64,1)", "--access", "a=(8,8):(1,8)"],
        "banks needs the bits of an element, --bits N",
    );
    fails(&["banks", "(8,64):(64,1)", "--bits", "16"], "banks needs an access, --access NAME=LAYOUT[@N]");
    fails(
        &["banks", "(8,64):(64,1)", "--bits", "16", "--access", "(8,8):(1,8)"],
        "argument '--access': expected NAME=LAYOUT or NAME=LAYOUT@N, found '(8,8):(1,8)'",
    );
    fails(
        &["banks", "(8,64):(64,1)", "--bits", "16", "--access", "a=(8,8):(8,1)@2"],
        "column 1: bank analysis: access a: values 0 and 1 of thread 0 have the offsets 0 and 64; 2 side by side are needed",
    );
    fails(&["table", "4:1", "--choose", "both"], "--choose is an option of banks");
    fails(&["banks", "(8,64):(64,1)", "-o", "-"], "--output is an option of svg");
}
