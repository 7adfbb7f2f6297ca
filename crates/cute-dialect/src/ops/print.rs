//! `cute.print`: the printed text. Static leaves are text, dynamic ones are arguments.

use cute_algebra::{AnyLayout, ComposedLayout, Inner, Int, Layout, Stride, Tile, Tuple, Width};

use super::{AttributeName, Call};
use crate::{
    error::{Error, Result},
    value::{Machine, Ptr, Value},
};

/// One argument of printf.
pub enum PrintfArgument<I: Machine> {
    /// A dynamic integer leaf of the width in its format.
    Integer(I),
    /// A pointer, printed in hexadecimal.
    Address(I::Address),
}

/// A format of printf and its arguments.
pub struct Printf<I: Machine> {
    /// The format string, in the notation of C's `printf`.
    pub format: String,
    /// Its arguments, in order.
    pub arguments: Vec<PrintfArgument<I>>,
}

/// Checks a print.
pub fn check<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    printf(call)?;
    Ok(Vec::new())
}

/// The output of a print: its format with a value for each `{}`, or all values separated by spaces,
/// and a line feed.
pub fn printf<I: Machine>(call: &Call<'_, '_, I>) -> Result<Printf<I>> {
    let mut out = Printf { format: String::new(), arguments: Vec::new() };
    let found = call.operands.len();
    let format = match call.attributes.text(AttributeName::Fmt) {
        Some(format) => format.to_string(),
        None if call.attributes.has(AttributeName::Fmt) => {
            return Err(Error::Attribute { name: "fmt", expected: "a string" });
        }
        None if found == 0 => return Err(Error::Rule("has neither a format nor a value to print".into())),
        None => vec!["{}"; found].join(" "),
    };
    let places = format.matches("{}").count();
    if places != found {
        return Err(Error::Rule(format!("the format has {places} `{{}}` for {found} values")));
    }
    for (i, literal) in format.split("{}").enumerate() {
        if i > 0 {
            out.value(call, i - 1)?;
        }
        out.text(literal);
    }
    if !format.ends_with('\n') {
        out.text("\n");
    }
    Ok(out)
}

impl<I: Machine> Printf<I> {
    fn text(&mut self, text: &str) {
        self.format.push_str(&text.replace('%', "%%"));
    }

    fn value(&mut self, call: &Call<'_, '_, I>, index: usize) -> Result<()> {
        match call.operand(index)? {
            Value::IntTuple(t) | Value::Shape(t) | Value::ArithTupleIter(t) => self.tuple(t),
            Value::Stride(t) => self.strides(t),
            Value::Coord(t) => self.text(&t.map(|c| c.as_int().map_or("_".into(), spelled)).to_string()),
            Value::Layout(l) => self.layout(l),
            Value::ComposedLayout(l) => self.composed(l),
            Value::Tile(t) => self.tile(t),
            Value::Swizzle(s) => self.text(&s.to_string()),
            Value::Scalar(i) => self.text(&spelled(i)),
            Value::Ptr(p) => self.pointer(p),
            Value::MemRef(view) => {
                self.pointer(&view.iter);
                self.text(" o ");
                match &view.layout {
                    AnyLayout::Plain(l) => self.layout(l),
                    AnyLayout::Composed(l) => self.composed(l),
                }
            }
            Value::CoordTensor(view) => {
                self.tuple(&view.origin);
                self.text(" o ");
                self.layout(&view.layout);
            }
            _ => {
                return call
                    .wrong(index, "a value of the cute dialect other than an atom, i32, i64 or index");
            }
        }
        // Text and leaves have the same order; every dynamic leaf has left a mark.
        for leaf in call.operand(index)?.leaves() {
            if let Some(width) = leaf.dim().width() {
                self.format = self.format.replacen(MARK, directive(width), 1);
                self.arguments.push(PrintfArgument::Integer(leaf));
            }
        }
        Ok(())
    }

    fn tuple(&mut self, t: &Tuple<I>) {
        self.text(&t.map(spelled).to_string());
    }

    fn strides(&mut self, t: &Tuple<Stride<I>>) {
        let spell = |d: &Stride<I>| {
            let den = if d.den() == 1 { String::new() } else { format!("/{}", d.den()) };
            format!("{}{den}{}", spelled(d.scale()), d.basis())
        };
        self.text(&t.map(spell).to_string());
    }

    fn layout(&mut self, l: &Layout<I>) {
        self.tuple(l.shape());
        self.text(":");
        self.strides(l.stride());
    }

    fn composed(&mut self, l: &ComposedLayout<I>) {
        match l.inner() {
            Inner::Swizzle(s) => self.text(&s.to_string()),
            Inner::Layout(inner) => self.layout(inner),
        }
        self.text(" o ");
        self.tuple(l.offset());
        self.text(" o ");
        self.layout(l.outer());
    }

    fn tile(&mut self, t: &Tile<I>) {
        match t {
            Tile::Layout(l) => self.layout(l),
            Tile::Int(n) => self.text(&spelled(n)),
            Tile::Underscore => self.text("_"),
            Tile::Modes(modes) => {
                self.text("[");
                for (i, mode) in modes.iter().enumerate() {
                    self.text(if i == 0 { "" } else { ";" });
                    self.tile(mode);
                }
                self.text("]");
            }
        }
    }

    fn pointer(&mut self, p: &Ptr<'_, I>) {
        self.format.push_str("raw_ptr(0x%016llx: ");
        self.arguments.push(PrintfArgument::Address(p.address.clone()));
        let elem = p.elem.map(|elem| format!("{elem}, ")).unwrap_or_default();
        self.text(&format!("{elem}{}, align<{}>", p.space.name(), p.align));
        if !p.swizzle.is_identity() {
            self.text(&format!(", {}", p.swizzle));
        }
        self.text(")");
    }
}

/// The directive of printf for an integer.
pub fn directive(width: Width) -> &'static str {
    match width {
        Width::I32 => "%d",
        Width::I64 => "%lld",
    }
}

/// A placeholder for a dynamic leaf until its width is known; no text of the algebra contains it.
const MARK: &str = "\u{1}";

fn spelled<I: Int>(leaf: &I) -> String {
    leaf.as_static().map_or(MARK.into(), |value| value.to_string())
}
