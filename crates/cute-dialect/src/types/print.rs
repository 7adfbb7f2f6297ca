//! Printing the bodies of types, in the spelling of the public CuTe IR.

use std::fmt::Write;

use cute_algebra::Dim;
use melior::ir::Type;

use super::{natural_align, value_of};
use crate::{
    atom::CopyAtom,
    boundary::syntax::Printer,
    value::{Ptr, Value},
};

/// Prints `<...>`.
pub fn print(p: &mut Printer, t: Type<'_>) {
    let value = value_of(t);
    let mut out = Text { printer: p };
    // Nothing is known: nothing is said.
    if matches!(value, Value::Assumed(i) if i.divisor() == 1) {
        return;
    }
    out.text("<");
    out.value(&value);
    out.text(">");
}

/// The algebra of a value as text, for messages: `(4,8):(1,4)`.
pub fn body(value: &Value<'_, Dim>) -> String {
    let mut out = String::new();
    String::value(&mut out, value);
    out
}

/// The type of a value as text, for messages: `!cute.layout<"(4,8):(1,4)">`, `i32`.
pub fn described(value: &Value<'_, Dim>) -> String {
    match value.kind() {
        Some(_) => format!("{}<{}>", value.what(), body(value)),
        None => value.what(),
    }
}

/// Where text and types go.
trait Sink {
    fn text(&mut self, text: &str);
    fn r#type(&mut self, t: Type<'_>);

    fn value(&mut self, value: &Value<'_, Dim>) {
        match value {
            Value::IntTuple(t) | Value::Shape(t) | Value::ArithTupleIter(t) => self.quoted(t),
            Value::Stride(t) => self.quoted(t),
            Value::Coord(t) => self.quoted(t),
            Value::Layout(l) => self.quoted(l),
            Value::Tile(t) => self.quoted(t),
            Value::Swizzle(s) => self.quoted(s),
            Value::ComposedLayout(l) => self.quoted(l),
            Value::Ptr(ptr) => self.pointer(ptr),
            Value::MemRef(view) => {
                self.pointer(&view.iter);
                self.text(", ");
                self.quoted(&view.layout);
            }
            Value::CoordTensor(view) => {
                self.quoted(&view.origin);
                self.text(", ");
                self.quoted(&view.layout);
            }
            Value::TiledCopy(tiled) => {
                let name = Value::<Dim>::CopyAtom(tiled.atom.clone());
                self.text(&format!("{}<", name.what()));
                self.value(&name);
                let (tv, tiler) = (&tiled.tv, &tiled.tiler);
                self.text(&format!(">, layout_copy_tv = <\"{tv}\">, tiler_mn = <\"{tiler}\">"));
            }
            Value::Assumed(i) => self.text(&format!("divby {}", i.divisor())),
            Value::FastDivisor(_) => self.text("32"),
            Value::CopyAtom(CopyAtom::Universal { elem, bits }) => {
                self.r#type(*elem);
                self.bits(*bits);
            }
            Value::CopyAtom(CopyAtom::Async { elem, cache, bits }) => {
                self.r#type(*elem);
                self.text(&format!(", cache = {}", cache.name()));
                self.bits(*bits);
            }
            Value::Scalar(i) => self.text(&i.to_string()),
            Value::Flag(_) => self.text("i1"),
            Value::Other(t) => self.r#type(*t),
        }
    }

    fn quoted(&mut self, value: &impl std::fmt::Display) {
        self.text(&format!("\"{value}\""));
    }

    fn bits(&mut self, bits: i64) {
        if bits != 0 {
            self.text(&format!(", {bits} b"));
        }
    }

    fn pointer(&mut self, ptr: &Ptr<'_, Dim>) {
        if let Some(elem) = ptr.elem {
            self.r#type(elem);
            self.text(", ");
        }
        let mut rest = ptr.space.name().to_string();
        if natural_align(ptr.elem) != Some(ptr.align) {
            let _ = write!(rest, ", align<{}>", ptr.align);
        }
        if !ptr.swizzle.is_identity() {
            let _ = write!(rest, ", {}", ptr.swizzle);
        }
        self.text(&rest);
    }
}

struct Text<'a> {
    printer: &'a mut Printer,
}

impl Sink for Text<'_> {
    fn text(&mut self, text: &str) {
        self.printer.text(text);
    }
    fn r#type(&mut self, t: Type<'_>) {
        self.printer.r#type(t);
    }
}

impl Sink for String {
    fn text(&mut self, text: &str) {
        self.push_str(text);
    }
    fn r#type(&mut self, t: Type<'_>) {
        self.push_str(&t.to_string());
    }
}
