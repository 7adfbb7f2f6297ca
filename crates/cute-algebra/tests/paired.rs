//! The payload of a [`Paired`] leaf is the arithmetic a lowering emits: this shows what it would be.

use cute_algebra::{
    Coord, Crd, Dim, Layout, Paired, Payload, Tiler, Width, crd2idx, local_tile, parse_coord, parse_layout,
    parse_tiler, zipped_divide,
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
