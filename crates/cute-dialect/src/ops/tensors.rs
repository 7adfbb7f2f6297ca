//! Tensors: iterators, views and memory.

use cute_algebra::{self as algebra, AnyLayout};
use melior::ir::Type;

use super::{AttributeName, Call, placements};
use crate::{
    error::{Error, Result},
    types::bit_width,
    value::{CoordTensor, Machine, MemRef, Ptr, SmemDescView, Space, Value},
};

/// `make_view`: the layout operand may be left out where the declared layout is static.
pub fn make_view<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    if call.attributes.has(AttributeName::AutoLayout) {
        let Value::MemRef(view) = call.declared(0)? else {
            return Err(Error::Rule("layout = auto is for a tile of shared memory".into()));
        };
        if view.iter.space != Space::Smem {
            let found = view.iter.space.name();
            return Err(Error::Rule(format!("layout = auto is for a tile of shared memory, found {found}")));
        }
        if call.optional(1).is_some() {
            return Err(Error::Rule(NO_LAYOUT.into()));
        }
        placeholder(view, "layout = auto")?;
    }
    let layout = match call.optional(1) {
        Some(_) => call.layout(1)?,
        None => {
            let declared = call.declared(0)?;
            let layout = declared.layout().ok_or_else(|| Error::ResultKind { expected: "a view" })?;
            if !layout.is_static() {
                let (value, rule) = (layout.to_string(), ": it must be given as an operand");
                return Err(Error::Dynamic { what: "layout", value, rule });
            }
            layout.map(|d| I::from_i64(d.as_static().expect("no leaf is dynamic")))
        }
    };
    match (call.operand(0)?, layout) {
        (Value::Ptr(iter), _) if iter.elem.is_none() => {
            Err(Error::Rule("a pointer without element type has no view".into()))
        }
        (Value::Ptr(iter), layout) => {
            let view = MemRef { iter: iter.clone(), layout };
            placements::check_carried(call, &view)?;
            Ok(Value::MemRef(view))
        }
        (Value::ArithTupleIter(origin) | Value::IntTuple(origin), AnyLayout::Plain(layout)) => {
            Ok(Value::CoordTensor(CoordTensor { origin: origin.clone(), layout }))
        }
        (Value::SmemDesc(iter), AnyLayout::Plain(layout)) => {
            Ok(Value::SmemDescView(SmemDescView { iter: iter.clone(), layout }))
        }
        _ => call.wrong(0, "a ptr, or an arith_tuple_iter or smem_desc with a plain layout"),
    }
}

/// `get_iter`.
pub fn get_iter<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    match call.operand(0)? {
        Value::MemRef(view) => Ok(Value::Ptr(view.iter.clone())),
        Value::CoordTensor(view) => Ok(Value::ArithTupleIter(view.origin.clone())),
        Value::SmemDescView(view) => Ok(Value::SmemDesc(view.iter.clone())),
        _ => call.wrong(0, "a memref, coord_tensor or smem_desc_view"),
    }
}

/// `get_layout`.
pub fn get_layout<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(Value::from_layout(call.layout(0)?))
}

/// `add_offset`.
pub fn add_offset<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let offset = call.int_tuple(1)?;
    match call.operand(0)? {
        Value::Ptr(ptr) => Ok(Value::Ptr(ptr.advance(super::scalar(offset)?)?)),
        Value::ArithTupleIter(origin) => {
            Ok(Value::ArithTupleIter(algebra::add_values(origin.view(), offset.view())?))
        }
        Value::IntTuple(t) => Ok(Value::IntTuple(algebra::add_values(t.view(), offset.view())?)),
        _ => call.wrong(0, "a ptr, arith_tuple_iter or int_tuple"),
    }
}

/// `recast_iter`: another element type, swizzle or known alignment for the same address.
pub fn recast_iter<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let from = call.ptr(0)?;
    let Value::Ptr(to) = call.declared(0)? else {
        return Err(Error::ResultKind { expected: "a !cute.ptr" });
    };
    if from.space != to.space {
        let (from, to) = (from.space.name(), to.space.name());
        return Err(Error::Rule(format!("the memory space changes from {from} to {to}")));
    }
    if to.align > from.align {
        let (from, to) = (from.align, to.align);
        return Err(Error::Rule(format!(
            "the address is known to be aligned to {from} bytes, but align<{to}> claims more"
        )));
    }
    Ok(Value::Ptr(to.at(from.address.clone())))
}

/// `deref_arith_tuple_iter`.
pub fn deref<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    match call.operand(0)? {
        Value::ArithTupleIter(t) => Ok(Value::IntTuple(t.clone())),
        _ => call.wrong(0, "an arith_tuple_iter"),
    }
}

/// `apply_swizzle`: the type stays the same, except for the alignment that the swizzle changes.
pub fn apply_swizzle<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(Value::Ptr(call.ptr(0)?.swizzled()))
}

/// `memref.alloca` and `memref.alloc_smem`: the declared type must have the right space and a
/// static layout.
pub fn allocation<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    use cute_ffi::ops::OpKind::MemRefAlloca;
    let Value::MemRef(declared) = call.declared(0)? else {
        return Err(Error::ResultKind { expected: "a !cute.memref" });
    };
    let (fits, spaces) = match (call.kind, declared.iter.space) {
        (MemRefAlloca, Space::Rmem | Space::Smem) | (_, Space::Smem) => (true, ""),
        (MemRefAlloca, _) => (false, "rmem or smem"),
        _ => (false, "smem"),
    };
    if !fits {
        let rule = format!(", but this op allocates {spaces}");
        return Err(Error::Space { what: "result", found: declared.iter.space.name(), rule });
    }
    if !declared.layout.is_static() {
        let (value, rule) = (declared.layout.to_string(), ", but an allocation must have a static one");
        return Err(Error::Dynamic { what: "layout", value, rule });
    }
    if declared.iter.elem.is_none_or(|t| bit_width(t).is_none_or(|bits| bits % 8 != 0 && 8 % bits != 0)) {
        return Err(Error::Rule("the element type neither has whole bytes nor divides one".into()));
    }
    if call.optional(0).is_some() {
        let given = call.layout(0)?.map(|i| i.dim());
        if given != declared.layout {
            return Err(Error::Rule(format!(
                "the layout is {given}, but the result declares {}",
                declared.layout
            )));
        }
    }
    algebra::cosize(&declared.layout)?;
    placements::check_carried(call, declared)?;
    let opens = |name| call.attributes.has(name);
    match (opens(AttributeName::AutoSwizzle), opens(AttributeName::AutoLayout)) {
        (true, true) => {
            return Err(Error::Rule(
                "swizzle = auto and layout = auto exclude each other: the choice of a layout includes its swizzle".into(),
            ));
        }
        (true, false) => placeholder(declared, "swizzle = auto")?,
        (false, true) => {
            if call.optional(0).is_some() {
                return Err(Error::Rule(NO_LAYOUT.into()));
            }
            placeholder(declared, "layout = auto")?;
        }
        (false, false) => {}
    }
    Ok(Vec::new())
}

const NO_LAYOUT: &str =
    "layout = auto takes no layout as an operand: the type of the result has a placeholder";

/// Checks that the layout that stands for one which is not chosen yet has no swizzle.
fn placeholder<I: Machine>(tile: &MemRef<'_, I>, auto: &str) -> Result<()> {
    let found = match &tile.layout {
        _ if !tile.iter.swizzle.is_identity() => tile.iter.swizzle.to_string(),
        AnyLayout::Composed(layout) => format!("the layout {}", layout.map(|i| i.dim())),
        AnyLayout::Plain(_) => return Ok(()),
    };
    Err(Error::Rule(format!("{auto} requires a tile without a swizzle, but the result has {found}")))
}

fn element<'c, I: Machine>(view: &MemRef<'c, I>) -> Result<Type<'c>> {
    if view.iter.space == Space::Tmem {
        return Err(Error::Rule("tensor memory is reached through its own copy atoms only".into()));
    }
    view.iter.elem.ok_or_else(|| Error::Rule("the memref has no element type".into()))
}

/// `memref.load`.
pub fn load<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    address(call)?;
    element(call.memref(0)?).map(Value::Other)
}

/// `memref.store`.
pub fn store<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    address(call)?;
    let elem = element(call.memref(0)?)?;
    let value = call.operand(2)?;
    let fits = match value {
        Value::Other(t) => *t == elem,
        Value::Scalar(i) => i.dim().width() == crate::types::scalar_width(elem),
        Value::Flag(_) => crate::types::is_flag(elem),
        _ => false,
    };
    if fits {
        Ok(Vec::new())
    } else {
        Err(Error::Rule(format!("{} cannot be stored in a memref of {elem}", value.what())))
    }
}

/// The view of one element at the coordinate of a load or store.
pub fn address<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Ptr<'c, I>> {
    let (view, coord) = (call.memref(0)?, call.coord(1)?);
    if coord.has_underscore() {
        let coord = coord.map(|c| c.map(|i| i.dim())).to_string();
        return Err(Error::Underscore { coord, rule: "only a single element is read or written" });
    }
    let offset = algebra::crd2idx(coord, &view.layout)?;
    view.iter.advance(super::scalar(&offset)?)
}

/// `memref.load_vec`.
pub fn load_vec<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    vector(call, 0).map(Value::Other)
}

/// `memref.store_vec`.
pub fn store_vec<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let expected = vector(call, 1)?;
    match call.operand(0)? {
        Value::Other(t) if *t == expected => Ok(Vec::new()),
        other => Err(Error::Rule(format!("the view holds a {expected}, not a {}", other.what()))),
    }
}

fn vector<'c, I: Machine>(call: &Call<'_, 'c, I>, i: usize) -> Result<Type<'c>> {
    let view = call.memref(i)?;
    let elem = element(view)?;
    let size = algebra::size(&view.layout)?;
    let count = size.as_static().and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0);
    match count {
        Some(n) if n <= 1 << 16 => Ok(Type::vector(&[n], elem)),
        _ => Err(Error::Rule(format!(
            "the view has {} elements, but a vector needs a static number up to 65536",
            size.dim()
        ))),
    }
}

/// `arch.get_dyn_smem`.
pub fn get_dyn_smem<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    match call.declared(0)? {
        Value::Ptr(p) if p.space == Space::Smem => Ok(Vec::new()),
        _ => Err(Error::ResultKind { expected: "a !cute.ptr in smem" }),
    }
}

/// `inttoptr`: the program promises the properties of the address in the type.
pub fn int_to_ptr<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let (Value::Scalar(address) | Value::Assumed(address)) = call.operand(0)? else {
        return call.wrong(0, "i32 or i64");
    };
    let Value::Ptr(to) = call.declared(0)? else {
        return Err(Error::ResultKind { expected: "a !cute.ptr" });
    };
    holds(address.dim().width(), to.space)?;
    Ok(Vec::new())
}

/// `ptrtoint`.
pub fn ptr_to_int<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let Value::Scalar(address) = call.declared(0)? else {
        return Err(Error::ResultKind { expected: "i32 or i64" });
    };
    holds(address.width(), call.ptr(0)?.space)?;
    Ok(Vec::new())
}

/// 32 bits are an address in shared and tensor memory, elsewhere they are half of one.
fn holds(width: Option<algebra::Width>, space: Space) -> Result<()> {
    if width == Some(algebra::Width::I32) && !matches!(space, Space::Smem | Space::Tmem) {
        let space = space.name();
        return Err(Error::Rule(format!("i32 cannot hold an address in {space}; use i64")));
    }
    Ok(())
}
