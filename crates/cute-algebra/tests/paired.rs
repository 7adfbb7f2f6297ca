//! The payload of a [`Paired`] leaf is the arithmetic a lowering emits: these tests show the
//! emitted expressions.

use std::num::Wrapping;

use cute_algebra::{
    Basis, BoxMode, Coord, Crd, Dim, Layout, Paired, Payload, Tiler, Width, crd2idx, local_tile, parse_coord,
    parse_layout, parse_tiler, zipped_divide,
};

/// An expression as text.
#[derive(Debug, Clone, PartialEq)]
struct Expr(String);

impl Expr {
    fn op(op: &str, a: &Self, b: &Self) -> Self {
        Self(format!("({} {op} {})", a.0, b.0))
    }
}

impl Payload for Expr {
    fn constant(value: i64, _: Width) -> Self {
        Self(value.to_string())
    }
    fn resize(&self, from: Width, to: Width) -> Self {
        Self(format!("i{}to{}({})", from.bits(), to.bits(), self.0))
    }
    fn add(&self, rhs: &Self, _: Width) -> Self {
        Self::op("+", self, rhs)
    }
    fn sub(&self, rhs: &Self, _: Width) -> Self {
        Self::op("-", self, rhs)
    }
    fn mul(&self, rhs: &Self, _: Width) -> Self {
        Self::op("*", self, rhs)
    }
    fn div(&self, rhs: &Self, _: Width) -> Self {
        Self::op("/", self, rhs)
    }
    fn rem(&self, rhs: &Self, _: Width) -> Self {
        Self::op("%", self, rhs)
    }
    fn ceil_div(&self, rhs: &Self, _: Width) -> Self {
        Self::op("/^", self, rhs)
    }
    fn min(&self, rhs: &Self, _: Width) -> Self {
        Self::op("min", self, rhs)
    }
    fn max(&self, rhs: &Self, _: Width) -> Self {
        Self::op("max", self, rhs)
    }
    fn abs(&self, _: Width) -> Self {
        Self(format!("|{}|", self.0))
    }
    fn signum(&self, _: Width) -> Self {
        Self(format!("sign({})", self.0))
    }
    fn and(&self, rhs: &Self, _: Width) -> Self {
        Self::op("&", self, rhs)
    }
    fn xor(&self, rhs: &Self, _: Width) -> Self {
        Self::op("^", self, rhs)
    }
    fn shift_left(&self, shift: i32, _: Width) -> Self {
        Self(format!("({} << {shift})", self.0))
    }
}

fn named(dim: &Dim, names: &mut std::str::SplitWhitespace<'_>) -> Paired<Expr> {
    match dim.as_static() {
        Some(value) => Paired::fixed(value),
        None => Paired::new(*dim, Expr(names.next().expect("a name").to_string())),
    }
}

fn layout(text: &str, names: &str) -> Layout<Paired<Expr>> {
    let mut names = names.split_whitespace();
    parse_layout(text).unwrap().map(|dim| named(dim, &mut names))
}

fn coord(text: &str, names: &str) -> Coord<Paired<Expr>> {
    let mut names = names.split_whitespace();
    parse_coord(text).unwrap().map(|crd: &Crd<Dim>| crd.map(|dim| named(dim, &mut names)))
}

fn tiler(text: &str) -> Tiler<Paired<Expr>> {
    parse_tiler(text).unwrap().map(&mut |dim| Paired::fixed(dim.as_static().unwrap()))
}

fn payloads(leaves: &[Paired<Expr>]) -> Vec<&str> {
    leaves.iter().filter_map(|leaf| leaf.payload()).map(|p| p.0.as_str()).collect()
}

#[test]
fn an_address_is_computed_with_what_is_dynamic_only() {
    let value = crd2idx(&coord("(?,(1,?))", "i k"), &layout("(?,(4,?)):(?{i64},(1,0))", "M K ld")).unwrap();
    assert_eq!(payloads(value.leaves()), ["((i32to64(i) * ld) + 1)"]);
}

#[test]
fn a_tile_scales_its_coordinate_once() {
    let a = layout("(?,?):(?{i64},1)", "M K ld");
    let (tile, offset) = local_tile(&a, &tiler("(128,64)"), &coord("(?,_)", "bx")).unwrap();
    assert_eq!(tile.to_dim().to_string(), "(128,64,?):(?{i64},1,64)");
    assert_eq!(payloads(offset.leaves()), ["(i32to64(bx) * (ld * 128))"]);
    assert_eq!(payloads(tile.shape().leaves()), ["(K /^ 64)"]);
}

#[test]
fn the_rest_of_a_divide_is_one_division_a_mode() {
    let d = zipped_divide(&layout("(?,?):(1@0,1@1)", "M N"), &tiler("(128,64)")).unwrap();
    assert_eq!(d.to_dim().to_string(), "((128,64),(?,?)):((1@0,1@1),(128@0,64@1))");
    assert_eq!(payloads(d.shape().leaves()), ["(M /^ 128)", "(N /^ 64)"]);
}

#[test]
fn the_greatest_common_divisor_needs_no_loop() {
    // Neighbours among Fibonacci's numbers need the most steps.
    let (mut a, mut b) = (1i64, 1i64);
    while let Some(next) = a.checked_add(b) {
        (a, b) = (b, next);
    }
    let powers = (0..40).map(|i| (3i64.pow(i / 2) << (i / 3), 6i64.pow(i / 3)));
    for (a, b) in [(a, b), (b, a), (0, 0), (0, 7), (7, 0), (48, 1)].into_iter().chain(powers) {
        for width in [Width::I32, Width::I64].into_iter().filter(|w| w.holds(a) && w.holds(b)) {
            assert_eq!(
                Payload::gcd(&Wrapping(a), &Wrapping(b), width).0,
                cute_algebra::gcd(a, b),
                "{a}, {b}"
            );
        }
    }
}

/// Several modes as an engine counts them: static numbers, and the emitted expressions for dynamic
/// ones.
#[test]
fn modes_are_counted_in_what_divides_their_strides() {
    let parts = [2, 3].map(|i| Basis::new(&[i]).unwrap());
    let known = |text: &str, values: &[i64]| {
        let mut values = values.iter();
        let tensor = parse_layout(text).unwrap().map(|dim| match dim.as_static() {
            Some(value) => Paired::fixed(value),
            None => Paired::new(*dim, Wrapping(*values.next().expect("a value"))),
        });
        let mode = BoxMode::over(&tensor, &parts, 1).unwrap();
        [mode.extent, mode.stride].map(|leaf| leaf.materialize(Width::I64).0)
    };
    assert_eq!(known("(512,128,8,3):(96,1,160,224)", &[]), [50, 32]);
    assert_eq!(known("(?,?,?,?):(?{i64},1,?{i64},?{i64})", &[512, 128, 8, 3, 96, 160, 224]), [50, 32]);
    assert_eq!(known("(?,?,?,?):(?,1,?,?)", &[512, 128, 8, 3, 96, 0, 224]), [3, 224]);
    // No stride moves: the last mode counts.
    assert_eq!(known("(?,?,?,?):(?,1,?,?)", &[512, 128, 8, 3, 96, 0, 0]), [3, 0]);

    let tensor = layout("(?,?,?,?):(?{i64},1,?{i64},?{i64})", "M K L B ldm ldl ldb");
    let alone = BoxMode::over(&tensor, &parts[..1], 1).unwrap();
    assert_eq!(payloads(&[alone.extent, alone.stride]), ["i32to64(L)", "ldl"]);
    let folded = BoxMode::over(&tensor.to_dim(), &parts, 1).unwrap();
    assert_eq!([folded.extent, folded.stride].map(|leaf| leaf.to_string()), ["?{i64}", "?{i64}"]);
}
