//! Options reach the program's process, and wrong ones are refused.

use cute_cuda::options::{ExecOptions, Form, VARIABLE};
use cute_sim::{Schedule, tensor::Sums};

use super::*;

/// The options that a program of these arguments gets.
fn given(place: &Place, arguments: &str) -> ExecOptions {
    let run = place.cutec(&format!("exec {arguments} -- printenv {VARIABLE}"));
    assert_eq!(run.code, Some(0), "{}", run.err);
    serde_json::from_str(run.out.lines().next().expect("a line")).expect("options")
}

#[test]
fn the_program_gets_all_options() {
    let place = Place::new();
    let without = |options: &ExecOptions| ExecOptions { messages: None, ..options.clone() };
    let none = given(&place, "");
    assert!(none.messages.is_some());
    assert_eq!(without(&none), ExecOptions::default());
    let all = given(
        &place,
        "--device b200 --sms 4 --check gemm.* --skip init$ --schedules 5 --only-blocks first,3 --sums plain --no-races --pedantic \
         --strict-isa --allow race@k.cu:7 --continue --html a.html --source src --trace a.json --record runs --report json",
    );
    let here = |name: &str| Some(fs::canonicalize(place.0.path()).unwrap().join(name));
    let expected = ExecOptions {
        device: Some("b200".into()),
        sms: Some(4),
        check: Some("gemm.*".into()),
        skip: Some("init$".into()),
        schedule: None,
        schedules: Some(5),
        only_blocks: "first,3".parse().ok(),
        sums: Some(Sums::Plain),
        no_races: true,
        pedantic: true,
        strict_isa: true,
        allow: vec!["race@k.cu:7".parse().unwrap()],
        keep_going: true,
        html: here("a.html"),
        sources: here("src").into_iter().collect(),
        trace: here("a.json"),
        record: here("runs"),
        report: Form::Json,
        messages: None,
    };
    assert_eq!(without(&all), expected);
    assert_eq!(given(&place, "--schedule 7").schedule, Some(Schedule::Random(7)));
}

#[test]
fn findings_that_a_file_accepts_are_accepted() {
    let place = Place::new();
    fs::write(place.path("cute-allow.toml"), "[[allow]]\nkind = \"race\"\nreason = \"known\"\n").unwrap();
    assert_eq!(given(&place, "--allow deadlock").allow.len(), 2);
}

#[test]
fn the_help_names_the_program() {
    let run = Place::new().cutec("exec --help");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    assert!(run.out.contains("Usage: cutec exec [OPTIONS] <PROGRAM>..."), "{}", run.out);
}

#[test]
fn wrong_options_are_refused() {
    let place = Place::new();
    let cases = [
        ("--check ( sh", "invalid value '(' for '--check <REGEX>': found open group without closing ')'"),
        (
            "--schedule never sh",
            "invalid value 'never' for '--schedule <ORDER>': a schedule is lazy, eager, reverse, or a seed",
        ),
        (
            "--schedule 1 --schedules 2 sh",
            "the argument '--schedule <ORDER>' cannot be used with '--schedules <N>'",
        ),
        ("--sms 0 sh", "invalid value '0' for '--sms <N>'"),
        ("--device x sh", "invalid value 'x' for '--device <NAME>' [possible values: "),
        ("--trace a.txt sh", "--trace a.txt: "),
        ("--html none/a.html sh", "--html none/a.html: its folder does not exist"),
        ("--grid 1 sh", "unexpected argument '--grid' found"),
    ];
    for (arguments, start) in cases {
        let message = place.refused(arguments);
        assert!(message.starts_with(start), "{message}");
    }
}
