//! Types that are too deep, too long or both end in an error, or in time.

use cute_mlir::Error;
use melior::Context;

fn error(body: &str) -> String {
    let context = Context::new();
    cute_mlir::load(&context);
    let parsed = cute_mlir::parse(&context, &format!("func.func private @f({body})"));
    parsed.map(|_| String::new()).unwrap_or_else(|e: Error| e.to_string())
}

#[test]
fn a_hundred_thousand_brackets() {
    let nested = |open: &str, leaf: &str, close: &str| open.repeat(100_000) + leaf + &close.repeat(100_000);
    let tuple = nested("(", "1", ")");
    for (kind, body) in [
        ("shape", tuple.clone()),
        ("coord", tuple.clone()),
        ("stride", tuple.clone()),
        ("int_tuple", "(".repeat(100_000)),
        ("layout", format!("{tuple}:{tuple}")),
        ("layout", format!("4:{tuple}")),
        ("tile", nested("[", "4:1", "]")),
        ("composed_layout", format!("S<1,4,3> o {tuple} o 4:1")),
    ] {
        let error = error(&format!("!cute.{kind}<\"{body}\">"));
        assert!(error.contains("more than 64 nested brackets"), "{kind}: {}", &error[..error.len().min(300)]);
        assert!(error.len() < 2_000, "{kind}: the error repeats the body");
    }
    let basis = error(&format!("!cute.stride<\"1{}\">", "@0".repeat(100_000)));
    assert!(basis.contains("levels"), "{}", &basis[..basis.len().min(300)]);
}

#[test]
fn a_million_leaves() {
    let of = |leaf: &str, between: &str| vec![leaf; 1_000_000].join(between);
    let ones = of("1", ",");
    assert_eq!(error(&format!("!cute.shape<\"({ones})\">")), "");
    assert_eq!(error(&format!("!cute.tile<\"[{}]\">", of("2:1", ";"))), "");
}
