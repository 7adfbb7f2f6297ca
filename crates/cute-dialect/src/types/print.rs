//! The bodies of types as text, in the spelling of the public CuTe IR.

use std::fmt::Display;

use cute_algebra::Dim;

use super::{Beginning, beginning, natural_align};
use crate::{
    atom::{Factor, major_name},
    syntax::put,
    value::{Ptr, Value},
};

/// The text between `<` and `>`: `"(4,8):(1,4)"`, `f16, smem, align<16>`.
pub fn body(value: &Value<'_, Dim>) -> String {
    let inner = beginning(value).map(|beginning| match beginning {
        Beginning::Type(t) => t.to_string(),
        Beginning::Of(value) => described(&value),
    });
    inner.unwrap_or_default() + &rest(value)
}

/// The type of a value as text, for messages: `!cute.layout<"(4,8):(1,4)">`, `i32`.
pub fn described(value: &Value<'_, Dim>) -> String {
    match (value.kind(), body(value)) {
        (Some(_), body) if !body.is_empty() => format!("{}<{body}>", value.what()),
        _ => value.what(),
    }
}

/// The body without the type that it begins with, if it begins with one.
pub fn rest(value: &Value<'_, Dim>) -> String {
    let mut out = String::with_capacity(48);
    match value {
        Value::IntTuple(t) | Value::Shape(t) | Value::ArithTupleIter(t) => quoted(&mut out, t),
        Value::Stride(t) => quoted(&mut out, t),
        Value::Coord(t) => quoted(&mut out, t),
        Value::Layout(l) => quoted(&mut out, l),
        Value::Tile(t) => quoted(&mut out, t),
        Value::Swizzle(s) => quoted(&mut out, s),
        Value::ComposedLayout(l) => quoted(&mut out, l),
        Value::Ptr(ptr) => pointer(&mut out, ptr),
        Value::MemRef(view) => {
            pointer(&mut out, &view.iter);
            out.push_str(", ");
            quoted(&mut out, &view.layout);
        }
        Value::CoordTensor(view) => {
            quoted(&mut out, &view.origin);
            out.push_str(", ");
            quoted(&mut out, &view.layout);
        }
        Value::TiledCopy(tiled) => {
            let (tv, tiler) = (&tiled.tv, &tiled.tiler);
            put(&mut out, format_args!(", layout_copy_tv = <\"{tv}\">, tiler_mn = <\"{tiler}\">"));
        }
        // An unknown divisor is not printed.
        Value::Assumed(i) if i.divisor() == 1 => {}
        Value::Assumed(i) => put(&mut out, format_args!("divby {}", i.divisor())),
        Value::FastDivisor(_) => out.push_str("32"),
        Value::TiledMma(tiled) => {
            put(&mut out, format_args!(", atom_layout_MNK = <\"{}\">", tiled.atom_layout));
            if let Some(permutation) = &tiled.permutation {
                put(&mut out, format_args!(", permutation_MNK = <\"{permutation}\">"));
            }
        }
        Value::CopyAtom(atom) => atom.print(&mut out),
        Value::MmaAtom(atom) => atom.print(&mut out),
        Value::SmemDescView(view) => {
            out.push_str(", ");
            quoted(&mut out, &view.layout);
        }
        Value::SparseElem(stands_for, stored) => put(&mut out, format_args!("{stands_for}, {stored}")),
        Value::SmemDesc(descriptor) => {
            if let Some(Factor { which, major, .. }) = descriptor.of {
                put(&mut out, format_args!(", {which}, {}", major_name(major)));
            }
        }
        Value::Opaque(_) => {}
        Value::Scalar(i) => put(&mut out, format_args!("{i}")),
        Value::Flag(_) => out.push_str("i1"),
        Value::Other(t) => put(&mut out, format_args!("{t}")),
    }
    out
}

fn quoted(out: &mut String, value: &impl Display) {
    put(out, format_args!("\"{value}\""));
}

fn pointer(out: &mut String, ptr: &Ptr<'_, Dim>) {
    if ptr.elem.is_some() {
        out.push_str(", ");
    }
    out.push_str(ptr.space.name());
    if natural_align(ptr.elem) != Some(ptr.align) {
        put(out, format_args!(", align<{}>", ptr.align));
    }
    if !ptr.swizzle.is_identity() {
        put(out, format_args!(", {}", ptr.swizzle));
    }
}
