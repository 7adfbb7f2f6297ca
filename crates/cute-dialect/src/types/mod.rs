//! Types: between MLIR's storage and [`Value`], and their bodies.

mod parse;
mod print;

pub use parse::{descriptor as parse_descriptor_body, parse};
pub use print::{body, described, print};

use cute_algebra::{AnyLayout, Dim, Width};
use melior::{
    Context,
    ir::{Type, TypeLike, r#type::IntegerType},
};

use crate::{
    atom::{Cache, CopyAtom},
    boundary::types::{Kind, context_of, kind_of, make, nested, tape},
    tape::{Reader, Tape, Writer},
    value::{CoordTensor, MemRef, Ptr, Space, TiledCopy, Value},
};

/// Bits of a scalar element type; `None` where it has no size of its own.
pub fn bit_width(t: Type<'_>) -> Option<u32> {
    if let Some(i) = integer(t) {
        return Some(i.width());
    }
    t.is_float().then(|| crate::boundary::ir::float_width(t))
}

/// What a type says of its values.
pub fn value_of<'c>(t: Type<'c>) -> Value<'c, Dim> {
    match scalar_width(t) {
        Some(width) => Value::Scalar(Dim::dynamic(width, 1)),
        None => stored(t).unwrap_or(Value::Other(t)),
    }
}

/// Width of a machine integer: i32, i64, and index as i64.
pub fn scalar_width(t: Type<'_>) -> Option<Width> {
    match integer(t).map(|i| (i.width(), i.is_signless())) {
        Some((32, true)) => Some(Width::I32),
        Some((64, true)) => Some(Width::I64),
        _ => t.is_index().then_some(Width::I64),
    }
}

/// An integer type. (melior's own conversion prints the type into its error, which a type being printed cannot have.)
fn integer<'c>(t: Type<'c>) -> Option<IntegerType<'c>> {
    if t.is_integer() { IntegerType::try_from(t).ok() } else { None }
}

fn stored<'c>(t: Type<'c>) -> Option<Value<'c, Dim>> {
    let kind = kind_of(t)?;
    let mut r = Reader(tape(t));
    let value = match kind {
        Kind::IntTuple => Value::IntTuple(r.take()?),
        Kind::Shape => Value::Shape(r.take()?),
        Kind::Stride => Value::Stride(r.take()?),
        Kind::Coord => Value::Coord(r.take()?),
        Kind::Layout => Value::Layout(r.take()?),
        Kind::Tile => Value::Tile(r.take()?),
        Kind::Swizzle => Value::Swizzle(r.take()?),
        Kind::ComposedLayout => Value::ComposedLayout(r.take()?),
        Kind::Ptr => Value::Ptr(read_ptr(&mut r, nested(t))?),
        Kind::MemRef => {
            let iter = read_ptr(&mut r, nested(t))?;
            let layout = match r.take::<i64>()? {
                0 => AnyLayout::Plain(r.take()?),
                _ => AnyLayout::Composed(r.take()?),
            };
            Value::MemRef(MemRef { iter, layout })
        }
        Kind::ArithTupleIter => Value::ArithTupleIter(r.take()?),
        Kind::CoordTensor => Value::CoordTensor(CoordTensor { origin: r.take()?, layout: r.take()? }),
        Kind::TiledCopy => {
            let Some(Value::CopyAtom(atom)) = stored(nested(t)?) else { return None };
            Value::TiledCopy(TiledCopy { atom, tv: r.take()?, tiler: r.take()? })
        }
        Kind::AssumedI32 => Value::Assumed(Dim::dynamic(Width::I32, r.take()?)),
        Kind::AssumedI64 => Value::Assumed(Dim::dynamic(Width::I64, r.take()?)),
        Kind::FastDivmodDivisor => Value::FastDivisor([Dim::dynamic(Width::I32, 1); 4]),
        Kind::UniversalCopy => Value::CopyAtom(CopyAtom::Universal { elem: nested(t)?, bits: r.take()? }),
        Kind::SimtAsyncCopy => {
            let cache = if r.take::<i64>()? == 0 { Cache::Always } else { Cache::Global };
            Value::CopyAtom(CopyAtom::Async { elem: nested(t)?, cache, bits: r.take()? })
        }
    };
    Some(value)
}

fn read_ptr<'c>(r: &mut Reader<'_>, elem: Option<Type<'c>>) -> Option<Ptr<'c, Dim>> {
    let space = *Space::ALL.get(usize::try_from(r.take::<i64>()?).ok()?)?;
    Some(Ptr { elem, space, align: r.take()?, swizzle: r.take()?, address: () })
}

fn write_ptr(w: &mut Writer, p: &Ptr<'_, Dim>) {
    w.put(&(p.space as i64)).put(&p.align).put(&p.swizzle);
}

/// The type of values like this one.
pub fn type_of<'c>(c: &'c Context, value: &Value<'c, Dim>) -> Type<'c> {
    let mut w = Writer::default();
    let mut inner = None;
    match value {
        Value::IntTuple(t) | Value::Shape(t) | Value::ArithTupleIter(t) => t.write(&mut w),
        Value::Stride(t) => t.write(&mut w),
        Value::Coord(t) => t.write(&mut w),
        Value::Layout(l) => l.write(&mut w),
        Value::Tile(t) => t.write(&mut w),
        Value::Swizzle(s) => s.write(&mut w),
        Value::ComposedLayout(l) => l.write(&mut w),
        Value::Ptr(p) => {
            inner = p.elem;
            write_ptr(&mut w, p);
        }
        Value::MemRef(view) => {
            inner = view.iter.elem;
            write_ptr(&mut w, &view.iter);
            match &view.layout {
                AnyLayout::Plain(l) => w.put(&0).put(l),
                AnyLayout::Composed(l) => w.put(&1).put(l),
            };
        }
        Value::CoordTensor(view) => {
            w.put(&view.origin).put(&view.layout);
        }
        Value::TiledCopy(tiled) => {
            inner = Some(type_of(c, &Value::CopyAtom(tiled.atom.clone())));
            w.put(&tiled.tv).put(&tiled.tiler);
        }
        Value::Assumed(i) => {
            w.put(&i.divisor());
        }
        Value::FastDivisor(_) => {}
        Value::CopyAtom(CopyAtom::Universal { elem, bits }) => {
            inner = Some(*elem);
            w.put(bits);
        }
        Value::CopyAtom(CopyAtom::Async { elem, cache, bits }) => {
            inner = Some(*elem);
            w.put(&(*cache as i64)).put(bits);
        }
        Value::Scalar(i) => return scalar_type(c, i.width().unwrap_or(Width::I32)),
        Value::Flag(_) => return IntegerType::new(c, 1).into(),
        Value::Other(t) => return *t,
    }
    match value.kind() {
        Some(kind) => make(c, kind, &w.0, inner),
        None => Type::none(c),
    }
}

/// i32 or i64.
pub fn scalar_type(c: &Context, width: Width) -> Type<'_> {
    IntegerType::new(c, width.bits()).into()
}

/// The types of the run-time values behind a type of ours: the pointer, then the dynamic leaves.
pub fn leaf_types<'c>(t: Type<'c>) -> Option<Vec<Type<'c>>> {
    let c = context_of(t);
    let value = stored(t)?;
    let pointer = match &value {
        Value::Ptr(p) => Some(p),
        Value::MemRef(view) => Some(&view.iter),
        _ => None,
    };
    let mut out: Vec<Type> = pointer.map(|p| llvm_pointer(c, p.space)).into_iter().collect();
    out.extend(value.leaves().iter().filter_map(|d| d.width()).map(|width| scalar_type(c, width)));
    Some(out)
}

/// LLVM's pointer type of a space; tensor memory is an i32 address.
pub fn llvm_pointer(c: &Context, space: Space) -> Type<'_> {
    match space {
        Space::Tmem => scalar_type(c, Width::I32),
        _ => melior::dialect::llvm::r#type::pointer(c, space.address_space()),
    }
}

/// The vector of the elements of a static view.
pub fn vector_of<'c>(view: &MemRef<'c, Dim>) -> Option<Type<'c>> {
    let size = cute_algebra::size(&view.layout).ok()?.as_static()?;
    Some(Type::vector(&[u64::try_from(size).ok()?], view.iter.elem?))
}

/// A part of a type that the assembly format leaves out: iterator, layout, vector or atom (`CutePart` of Boundary.h).
pub fn part<'c>(t: Type<'c>, part: i32) -> Option<Type<'c>> {
    let c = context_of(t);
    let value = match (stored(t)?, part) {
        (Value::MemRef(view), 0) => Value::Ptr(view.iter),
        (Value::MemRef(view), 1) => Value::from_layout(view.layout),
        (Value::MemRef(view), 2) => return vector_of(&view),
        (Value::CoordTensor(view), 0) => Value::ArithTupleIter(view.origin),
        (Value::CoordTensor(view), 1) => Value::Layout(view.layout),
        (Value::TiledCopy(tiled), 3) => Value::CopyAtom(tiled.atom),
        _ => return None,
    };
    Some(type_of(c, &value))
}

/// Bytes that the address of an element is a multiple of by nature; `None` for no natural alignment.
pub fn natural_align(elem: Option<Type<'_>>) -> Option<i64> {
    match elem {
        None => Some(1),
        Some(t) => match bit_width(t) {
            Some(1) => Some(1),
            Some(bits) if bits % 8 == 0 => Some(i64::from(bits / 8)),
            Some(_) => None,
            None => Some(1),
        },
    }
}
