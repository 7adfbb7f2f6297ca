//! Forms that CuTe prints, and the types and calls of its C++, so that they can be pasted:
//!
//! | text | meaning |
//! |---|---|
//! | `_8`, `_8{}`, `Int<8>`, `C<8>` | `8` |
//! | `Sw<3,4,3>`, `Swizzle<3,4,3>` | `S<3,4,3>` |
//! | `Shape<_4,_8>`, `Stride<..>`, `Coord<..>`, `Tile<..>`, `tuple<..>`, `make_shape(4,8)` and so on | `(4,8)` |
//! | `Layout<Shape<_4,_8>,Stride<_8,_1>>` | `(4,8):(8,1)` |
//! | `make_layout(SHAPE, LayoutRight{})` | `make_layout_right(SHAPE)` |
//! | `ComposedLayout<Swizzle<2,1,3>,_0,LAYOUT>` | `S<2,1,3> o 0 o LAYOUT` |
//! | `gmem_ptr[16b](0x7f00) o LAYOUT`, `raw_ptr(0x7f00: f16, gmem) o LAYOUT` | `LAYOUT` |
//! | `Sw<3,4,3> o smem_ptr[16b](unset) o LAYOUT`, `Sw<3,4,3>_smem_ptr[16b](0x7f00) o LAYOUT` | `S<3,3,3> o 0 o LAYOUT` |
//!
//! A statement may begin with `auto` or `using`, and end with `;`.
//!
//! A swizzle before a pointer permutes bytes by their address; `recast_layout` makes it one of
//! elements, as CuTe's `as_position_independent_swizzle_layout` does.

use cute_algebra::{Dim, Swizzle, recast_layout};

use super::{Cursor, Expr, Node};
use crate::{
    error::{Error, Result, at},
    leaf::leaf,
};

/// Types of tuples, and the calls that make them.
const TUPLES: [&str; 11] = [
    "Shape",
    "Stride",
    "Step",
    "Coord",
    "Tile",
    "tuple",
    "make_shape",
    "make_stride",
    "make_step",
    "make_coord",
    "make_tile",
];

/// Pointers, as they are printed.
const POINTERS: [&str; 7] =
    ["smem_ptr", "gmem_ptr", "rmem_ptr", "tmem_ptr", "ptr", "raw_ptr", "smem_ptr_flag_bits"];

/// Words before the name that a statement of C++ declares.
const DECLARES: [&str; 5] = ["auto", "using", "const", "constexpr", "static"];

/// Bits of the units of addresses.
const BYTE: i64 = 8;

impl Cursor<'_> {
    /// The form that begins with `name`, which has been read; `None` if it is not one of CuTe's.
    pub(super) fn printed(&mut self, column: usize, name: &str) -> Result<Option<Expr>> {
        let name = name.strip_prefix("cute::").unwrap_or(name);
        let next = self.peek();
        let expr = match (name, next) {
            ("Sw" | "Swizzle", Some('<')) => self.swizzle()?,
            ("Int" | "C" | "constant" | "integral_constant", Some('<')) => self.constant()?,
            ("Layout", Some('<')) => {
                let parts = self.list("<", ",", ">", "`,` or `>`")?;
                match <[Node; 2]>::try_from(parts) {
                    Ok([shape, stride]) => Expr::Layout(Box::new(shape), Box::new(stride)),
                    Err(shape) if shape.len() == 1 => Expr::Call("make_layout".into(), shape),
                    Err(_) => return Err(wrong(column, "Layout<SHAPE,STRIDE>")),
                }
            }
            ("ComposedLayout", Some('<')) => {
                let parts = self.list("<", ",", ">", "`,` or `>`")?;
                let Ok([inner, offset, outer]) = <[Node; 3]>::try_from(parts) else {
                    return Err(wrong(column, "ComposedLayout<INNER,OFFSET,LAYOUT>"));
                };
                composed(inner, offset, outer)?
            }
            (tuple, Some('<')) if TUPLES[..6].contains(&tuple) => {
                Expr::Tuple(self.list("<", ",", ">", "`,` or `>`")?)
            }
            (made, Some('(')) if TUPLES[6..].contains(&made) => {
                Expr::Tuple(self.list("(", ",", ")", "`,` or `)`")?)
            }
            ("make_layout", Some('(')) => ordered(self.list("(", ",", ")", "`,` or `)`")?),
            (pointer, Some('[' | '(' | '<')) if is_pointer(pointer) => self.pointer(pointer)?,
            _ => return Ok(None),
        };
        self.object();
        Ok(Some(expr))
    }

    /// Skips the words that begin a declaration in C++: `constexpr auto`, `using`.
    pub(super) fn declared(&mut self) {
        loop {
            let before = self.at;
            let declares = self.word().is_some_and(|word| DECLARES.contains(&word.as_str()));
            if !declares || !self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
                self.at = before;
                return;
            }
        }
    }

    /// `{}`, which makes an object of a type.
    pub(super) fn object(&mut self) {
        self.eat("{}");
    }

    /// `_8`: whether `_` is the beginning of an integer, which is then what follows.
    pub(super) fn is_static(&self) -> bool {
        let rest = self.rest().strip_prefix('_').unwrap_or_default();
        rest.strip_prefix('-').unwrap_or(rest).starts_with(|c: char| c.is_ascii_digit())
    }

    /// `<8>`, or `<int,8>` with the type of the integer.
    fn constant(&mut self) -> Result<Expr> {
        self.eat("<");
        if self.name().is_some() {
            self.expect(",", "`,`")?;
        }
        let value = self.number()?;
        self.expect(">", "`>`")?;
        Ok(Expr::Integer(leaf(Dim::fixed(value), None)))
    }

    /// After the name of a pointer: the bits of its elements, as in `[16b]`, and its address.
    fn pointer(&mut self, name: &str) -> Result<Expr> {
        let mut bits = name.rsplit_once('_').and_then(|(_, last)| last.strip_suffix('b')?.parse().ok());
        if name == "smem_ptr_flag_bits" {
            self.eat("<");
            bits = Some(self.number()?);
            self.expect(">", "`>`")?;
            return Ok(Expr::Pointer { swizzle: None, bits });
        }
        if self.eat("[") {
            bits = Some(self.number()?);
            self.expect("b", "`b`, after the bits of an element")?;
            self.expect("]", "`]`")?;
        }
        // The address, and what CuTe DSL adds to it, have no meaning for the layout.
        let mut open = 0usize;
        let mut end = None;
        for (i, c) in self.rest().char_indices() {
            match c {
                '(' | '<' => open += 1,
                ')' | '>' => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                end = Some(i + c.len_utf8());
                break;
            }
        }
        match end.filter(|_| self.rest().starts_with(['(', '<'])) {
            Some(end) => self.at += end,
            None => return Err(self.unexpected("an address in brackets, such as `(0x7f00)`")),
        }
        Ok(Expr::Pointer { swizzle: None, bits })
    }

    /// `_smem_ptr[16b](0x7f00)` behind a swizzle, which belongs to the pointer.
    pub(super) fn swizzled(&mut self, swizzle: Expr) -> Result<Expr> {
        let Expr::Swizzle(fields) = swizzle else { return Ok(swizzle) };
        let before = self.at;
        if self.rest().starts_with('_') {
            self.at += 1;
            if let Some(name) = self.word()
                && is_pointer(&name)
                && let Expr::Pointer { bits, .. } = self.pointer(&name)?
            {
                return Ok(Expr::Pointer { swizzle: Some(fields), bits });
            }
        }
        self.at = before;
        Ok(swizzle)
    }
}

/// `smem_ptr`, `smem_ptr_16b` and the others.
fn is_pointer(name: &str) -> bool {
    let sized = |(kind, bits): (&str, &str)| bits.ends_with('b') && POINTERS.contains(&kind);
    POINTERS.contains(&name) || name.rsplit_once('_').is_some_and(sized)
}

/// `make_layout(SHAPE, LayoutRight{})` and the other orders that have a name.
fn ordered(args: Vec<Node>) -> Expr {
    let order = match args.as_slice() {
        [_, Node { expr: Expr::Name(order), .. }] => order.strip_prefix("cute::").unwrap_or(order),
        _ => "",
    };
    let function = match order {
        "LayoutRight" | "GenRowMajor" => "make_layout_right",
        "LayoutLeft" | "GenColMajor" => "make_layout",
        _ => return Expr::Call("make_layout".into(), args),
    };
    Expr::Call(function.into(), args.into_iter().take(1).collect())
}

/// `inner o offset o outer`; a pointer in the middle says that `inner` permutes addresses.
pub(super) fn composed(inner: Node, offset: Node, outer: Node) -> Result<Expr> {
    let Expr::Pointer { bits, .. } = offset.expr else {
        return Ok(Expr::Composed(Box::new(inner), Box::new(offset), Box::new(outer)));
    };
    let Expr::Swizzle(fields) = inner.expr else {
        return Err(wrong(inner.column, "a swizzle before a pointer, such as `Sw<3,4,3>`"));
    };
    of_elements(inner.column, fields, bits, offset.column, outer)
}

/// A layout behind a pointer, which may have a swizzle of addresses.
pub(super) fn behind(
    column: usize,
    swizzle: Option<[i64; 3]>,
    bits: Option<i64>,
    outer: Node,
) -> Result<Node> {
    match swizzle {
        None => Ok(outer),
        Some(fields) => Ok(Node { column, expr: of_elements(column, fields, bits, column, outer)? }),
    }
}

fn of_elements(
    column: usize,
    [b, m, s]: [i64; 3],
    bits: Option<i64>,
    pointer: usize,
    outer: Node,
) -> Result<Expr> {
    let bits = bits.ok_or_else(|| wrong(pointer, "the bits of an element, as in `smem_ptr[16b](unset)`"))?;
    let swizzle =
        at(column, Swizzle::new(b, m, s).and_then(|of_bytes| recast_layout(&of_bytes, bits, BYTE)))?;
    let fields = [i64::from(swizzle.bits()), i64::from(swizzle.base()), i64::from(swizzle.shift())];
    let zero = Node { column: pointer, expr: Expr::Integer(leaf(Dim::fixed(0), None)) };
    let inner = Node { column, expr: Expr::Swizzle(fields) };
    Ok(Expr::Composed(Box::new(inner), Box::new(zero), Box::new(outer)))
}

fn wrong(column: usize, expected: &'static str) -> Error {
    Error::Unexpected { column, expected, found: "something else".into() }
}
