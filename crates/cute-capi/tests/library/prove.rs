//! Answers about all sizes.

use std::ffi::c_char;

use crate::*;

const RING: &str = include_str!("../../../cute-prove/tests/ring.ptx");
const ARGUMENTS: [&str; 3] = ["A:i32[{256*n}]", "D:i32[32]", "{n}"];

/// A question about the ring, with changes.
fn asked(session: &Session, text: &str, arguments: &[&str], change: impl FnOnce(&mut Question)) -> Made {
    let launch = Launch::on([1, 1, 1]);
    let arguments: Vec<CString> = arguments.iter().map(|text| CString::new(*text).unwrap()).collect();
    let arguments: Vec<*const c_char> = arguments.iter().map(|text| text.as_ptr()).collect();
    let mut question = Question {
        launch: &launch,
        function: ptr::null(),
        arguments: arguments.as_ptr(),
        count: arguments.len(),
        arrays: ptr::null(),
        array_count: 0,
        first: 0,
        seconds: 50.0,
        through_ptx: 0,
    };
    change(&mut question);
    // SAFETY: all pointers are valid for the call.
    Made::by(|r| unsafe {
        cute_prove(session.0, c"k.ptx".as_ptr(), text.as_ptr().cast(), text.len(), &question, r)
    })
}

fn json(made: &Made) -> serde_json::Value {
    serde_json::from_str(&made.part(REPORT_JSON)).unwrap()
}

#[test]
fn the_three_answers_have_a_report() {
    let session = Session::new(&[]);
    let made = asked(&session, RING, &ARGUMENTS, |_| {});
    assert_eq!((made.status, made.message()), (OK, String::new()));
    let data = json(&made);
    assert_eq!((&data["answer"], &data["first"], &data["period"]), (&"proved".into(), &0.into(), &8.into()));
    assert_eq!(data["text"], made.part(REPORT));
    assert!(made.bytes(ERROR_JSON).is_none());

    let strict = Session::new(&[("strict-isa", "true")]);
    let made = asked(&strict, RING, &ARGUMENTS, |_| {});
    assert_eq!((made.status, made.message().as_str()), (FINDINGS, "the kernel is wrong for n = 5"));
    let data = json(&made);
    assert_eq!((&data["answer"], &data["arguments"][0]), (&"counterexample".into(), &"A:i32[1280]".into()));

    let made = asked(&session, RING, &ARGUMENTS, |question| question.seconds = 0.0);
    let why = "it is not decided whether the kernel is right for every n";
    assert_eq!((made.status, made.message().as_str()), (FINDINGS, why));
    assert_eq!(json(&made)["reason"], "the time of 0 s is over");
}

#[test]
fn a_question_that_cannot_be_asked_has_a_rule() {
    let session = Session::new(&[]);
    let [a, d, n] = ARGUMENTS;
    for (arguments, rule, why) in [
        (
            &["A:i32[256]", d, "1"][..],
            "prove-no-size",
            "no argument or array depends on n; write it in braces",
        ),
        (&["A:i32[{256*n/2}]", d, "1"], "prove-expression", "is not a size; write n with numbers"),
        (&["A:i32[{256*n-512}]", d, n], "prove-first", "n = 0 is the smallest size, but has no launch"),
        (&[a, d], "launch-argument-count", "kernel 'ring' has 3 parameters"),
        (&[a, "D=d.npy", n], "launch-argument", "the library reads no files, and does not read 'd.npy'"),
    ] {
        let made = asked(&session, RING, arguments, |_| {});
        assert_eq!(made.status, INVALID_ARGUMENT, "{}", made.message());
        let error: serde_json::Value = serde_json::from_str(&made.part(ERROR_JSON)).unwrap();
        assert_eq!(error["error"]["id"], rule, "{error}");
        assert!(made.message().contains(why), "{}", made.message());
        assert!(made.bytes(REPORT).is_none());
    }
    for (change, why) in [
        (&|q: &mut Question| q.first = -1, "first is -1, but must be a number from 0 to 1048575"),
        (&|q: &mut Question| q.seconds = f64::NAN, "seconds is NaN, but must be a number from 0 to 1000000"),
        (
            &|q: &mut Question| q.launch = ptr::null(),
            "PTX has no host functions; the question needs a launch",
        ),
        (&|q: &mut Question| q.arguments = ptr::null(), "the arguments are null"),
        (&|q: &mut Question| q.array_count = usize::MAX, "the arrays are too many: 18446744073709551615"),
    ] as [(&dyn Fn(&mut Question), &str); 5]
    {
        let made = asked(&session, RING, &ARGUMENTS, change);
        assert_eq!((made.status, made.message().as_str()), (INVALID_ARGUMENT, why));
    }
    let session = Session::new(&[("races", "false")]);
    let made = asked(&session, RING, &ARGUMENTS, |_| {});
    assert_eq!(made.message(), "option 'races' has no use in a proof");
    // SAFETY: a null question is refused.
    let made = Made::by(|r| unsafe {
        cute_prove(session.0, ptr::null(), RING.as_ptr().cast(), RING.len(), ptr::null(), r)
    });
    assert_eq!(made.message(), "the question is null");
}

#[test]
fn a_module_is_asked_through_ptx_or_as_it_is() {
    let session = Session::new(&[("target", "sm_90a")]);
    for through_ptx in [0, 1] {
        let change = |question: &mut Question| {
            (question.first, question.seconds, question.through_ptx) = (1, 0.0, through_ptx);
        };
        let made = asked(&session, COPY, &["src:f32[33x{132*n}]", "dst:f32[33x{132*n}]"], change);
        assert_eq!(
            (made.status, json(&made)["kernel"].as_str()),
            (FINDINGS, Some("copy")),
            "{}",
            made.message()
        );
    }
}
