//! The grammar of descriptors: normal form, diagnostics, size.

use std::time::Instant;

use cute_algebra::{Descriptor, Fractions, ParseError, parse_descriptor};
use proptest::prelude::*;

fn entry() -> impl Strategy<Value = String> {
    let dims = prop::collection::vec(0u32..4, 1..3);
    let count = prop_oneof![
        (-40i64..40).prop_map(|n| n.to_string()),
        ((-40i64..40), prop_oneof![-9i64..0, 1i64..9]).prop_map(|(n, d)| format!("{n} / {d}")),
        Just(i64::MAX.to_string()),
        Just(i64::MIN.to_string()),
    ];
    (count, dims).prop_map(|(count, dims)| dims.iter().fold(count, |text, dim| format!("{text}@ {dim}")))
}

fn text() -> impl Strategy<Value = String> {
    let group = |inner: Vec<String>| format!("( {}\t)", inner.join(" ,"));
    let leaf = prop_oneof![4 => entry(), 1 => Just("()".to_string())];
    let tree = leaf.prop_recursive(4, 32, 5, move |inner| prop::collection::vec(inner, 0..5).prop_map(group));
    prop::collection::vec(tree, 0..5).prop_map(group)
}

proptest! {
    /// parse, normalise, print, parse: the same again, for every way with fractions.
    #[test]
    fn normal_form_is_a_fixed_point(text in text()) {
        let parsed = parse_descriptor(&text).unwrap();
        prop_assert_eq!(&parse_descriptor(&parsed.to_string()).unwrap(), &parsed);
        for fractions in [Fractions::Keep, Fractions::Drop, Fractions::Reject] {
            let Ok(normal) = parsed.normalise(fractions) else {
                prop_assert_eq!(fractions, Fractions::Reject);
                continue;
            };
            let again = parse_descriptor(&normal.to_string()).unwrap();
            prop_assert_eq!(&again, &normal);
            prop_assert_eq!(&again.normalise(fractions).unwrap(), &normal);
            let whole = normal.entries().leaves().iter().all(|e| e.count().1 == 1);
            prop_assert!(whole || fractions == Fractions::Keep);
        }
    }

    /// Any text is a descriptor or an error at a column inside of it.
    #[test]
    fn any_text_is_answered(text in r"[-()@,/ \t0-9a?\n]{0,24}") {
        if let Err(error) = parse_descriptor(&text) {
            prop_assert!(error.column() <= text.len(), "{error}");
        }
    }
}

#[test]
fn diagnostics_say_where_and_what() {
    let error = |text: &str| parse_descriptor(text).unwrap_err().to_string();
    let cases = [
        ("", "column 1: expected `(`, found the end"),
        ("16@0", "column 1: expected `(`, found `1`"),
        ("(16)", "column 4: expected `@` and a dimension, or `/`, found `)`"),
        ("(1/2)", "column 5: expected `@` and a dimension, found `)`"),
        ("(1/0@0)", "column 4: expected a denominator other than 0, found `0`"),
        ("(1@)", "column 4: expected a dimension: digits, found `)`"),
        ("(1@-1)", "column 4: expected a dimension: digits, found `-`"),
        ("(1@0,)", "column 6: expected a count, `(` or `)`, found `)`"),
        ("(1@0 1@1)", "column 6: expected `,` or `)`, found `1`"),
        ("(1@0", "column 5: expected `,` or `)`, found the end"),
        ("(1@0))", "column 6: expected the end, found `)`"),
        ("(?@0)", "column 2: expected a count, `(` or `)`, found `?`"),
        ("(\n1@0)", "column 2: expected a count, `(` or `)`, found `\\n`"),
        ("(9223372036854775808@0)", "column 2: expected an integer of 64 bits, found `9223372036854775808`"),
        ("(1@4294967296)", "column 4: expected a dimension of 32 bits, found `4294967296`"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
    let least: Descriptor = "(-9223372036854775808/-1@0)".parse().unwrap();
    let error = least.normalise(Fractions::Keep).unwrap_err().to_string();
    assert_eq!(error, "descriptor: mode 0: -9223372036854775808/-1@0 does not fit 64 bits in lowest terms");
}

#[test]
fn bombs_end() {
    let deep = "(".repeat(100_000);
    assert!(matches!(parse_descriptor(&deep), Err(ParseError::TooDeep { column: 64 })));
    let nested = format!("{}1@0{}", "(".repeat(64), ")".repeat(64));
    let nested = parse_descriptor(&nested).unwrap();
    assert_eq!(nested.entries().depth(), 64);

    let begin = Instant::now();
    let wide = format!("({}1@0)", "2/4@1,".repeat(1_000_000));
    let wide = parse_descriptor(&wide).unwrap().normalise(Fractions::Keep).unwrap();
    assert_eq!(wide.entries().leaves().len(), 1_000_001);
    assert!(wide.to_string().ends_with("1/2@1,1@0)"));
    assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
}

#[test]
fn layouts_of_descriptors() {
    let shape = cute_algebra::parse_shape("(4,(2,8))").unwrap();
    let d: Descriptor = "(16@0, (1/2@1, 0@0@1))".parse().unwrap();
    assert_eq!(d.to_layout(&shape).unwrap().to_string(), "(4,(2,8)):(16@0,(1/2@1,0))");
    let flat: Descriptor = "(16@0, 1@1)".parse().unwrap();
    let error = flat.to_layout(&shape).unwrap_err().to_string();
    assert_eq!(error, "mode 1 of shape and stride: (2,8) and 1@1 are not congruent");
}
