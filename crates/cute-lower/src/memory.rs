//! Allocation, loads and stores.

mod packed;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use cute_algebra::{self as algebra, AnyLayout, Crd, Dim, Int, Paired, Tuple, Width};
use cute_dialect::{
    atom::storage,
    types::{bit_width, llvm_pointer},
    value::{MemRef, Ptr, Space, Value as Cute},
};
use cute_ffi::ir::{self, op_name, walk_outer};
use melior::ir::{
    Attribute, Region, Type, TypeLike, Value,
    attribute::{FlatSymbolRefAttribute, IntegerAttribute, StringAttribute, TypeAttribute},
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};

use crate::{
    build::{Build, Built, Failed},
    emit::{Emit, Graph, ops::op as emit_op},
};

/// Fragments are aligned as the public CuTe IR aligns them, in bytes.
const FRAGMENT_ALIGN: i64 = 32;
/// Swizzled tiles and TMA boxes repeat every 1024 bytes.
const DYNAMIC_SMEM_ALIGN: i64 = 1024;
const DYNAMIC_SMEM: &str = "cute_dynamic_smem";

/// The symbols of each module that memory was allocated in.
#[derive(Default)]
pub struct Storage {
    symbols: HashMap<usize, HashSet<String>>,
    count: usize,
}

impl Storage {
    /// The pointer of an allocation op.
    pub fn allocate<'c>(
        &mut self,
        op: OperationRef<'c, 'c>,
        entry: OperationRef<'c, 'c>,
        declared: &Cute<'c, Dim>,
    ) -> Built<Value<'c, 'c>> {
        match declared {
            Cute::MemRef(view) if view.iter.space == Space::Rmem => fragment(op, entry, view),
            Cute::MemRef(view) => {
                let name = self.fresh(op)?;
                let (elements, elem) = extent(op, view)?;
                let t = array(op, elements, elem)?;
                self.global(op, &name, t, view.iter.align.max(16), "internal")
            }
            Cute::Ptr(ptr) => {
                let byte = IntegerType::new(ir::context(op), 8).into();
                let t = array(op, 0, byte)?;
                self.global(op, DYNAMIC_SMEM, t, ptr.align.max(DYNAMIC_SMEM_ALIGN), "external")
            }
            _ => Build::before(op).fail("an allocation of the wrong type"),
        }
    }

    /// A name for static shared memory that no symbol of the module has.
    fn fresh(&mut self, op: OperationRef<'_, '_>) -> Built<String> {
        loop {
            let name = format!("cute_smem_{}", self.count);
            self.count += 1;
            if !self.symbols(enclosing_module(op).ok_or(Failed)?).contains(&name) {
                return Ok(name);
            }
        }
    }

    fn symbols(&mut self, module: OperationRef<'_, '_>) -> &mut HashSet<String> {
        self.symbols.entry(ir::op_identity(module)).or_insert_with(|| symbols(module))
    }

    /// The address of a global in shared memory, made in the module around `op` where it is not there yet.
    fn global<'c>(
        &mut self,
        op: OperationRef<'c, 'c>,
        name: &str,
        t: Type<'c>,
        align: i64,
        linkage: &str,
    ) -> Built<Value<'c, 'c>> {
        let c = ir::context(op);
        let module = enclosing_module(op).ok_or(Failed)?;
        let space = Space::Smem;
        if self.symbols(module).insert(name.to_string()) {
            let first = ir::body(module).and_then(ir::first_op).ok_or(Failed)?;
            let b = Build::at(first, ir::location(op));
            let linkage = Attribute::parse(c, &format!("#llvm.linkage<{linkage}>")).ok_or(Failed)?;
            let attributes = [
                ("sym_name", StringAttribute::new(c, name).into()),
                ("global_type", TypeAttribute::new(t).into()),
                ("linkage", linkage),
                ("addr_space", b.i32_attribute(i64::from(space.address_space()))),
                ("alignment", b.i64_attribute(align)),
            ];
            b.effect("llvm.mlir.global", &[], &attributes, vec![Region::new()])?;
        }
        let symbol = FlatSymbolRefAttribute::new(c, name).into();
        Ok(emit_op(op, "llvm.mlir.addressof", &[], llvm_pointer(c, space), &[("global_name", symbol)]))
    }
}

/// The names that a module defines.
pub fn symbols(module: OperationRef<'_, '_>) -> HashSet<String> {
    let mut names = HashSet::new();
    walk_outer(module, |op| {
        if let Ok(name) = op.attribute("sym_name").and_then(StringAttribute::try_from) {
            names.insert(name.value().to_string());
        }
        ir::op_identity(op) == ir::op_identity(module)
    });
    names
}

/// Refuses to run a pass on anything but a module. A pass that adds symbols to the module around a function must own that
/// module: MLIR runs passes on functions in parallel.
pub fn require_module(root: OperationRef<'_, '_>, pass: &str) -> Built<()> {
    if ir::is_symbol_table(root) {
        return Ok(());
    }
    Build::before(root).fail(&format!(
        "{pass} runs on a builtin.module or gpu.module, not on '{}': it adds symbols to the module; write it outside '{0}(..)' in the pipeline",
        op_name(root)
    ))
}

/// The module that an op is in, of the device or of the host.
pub fn enclosing_module<'c>(op: OperationRef<'c, 'c>) -> Option<OperationRef<'c, 'c>> {
    let mut at = Some(op);
    while let Some(o) = at {
        if ir::is_symbol_table(o) {
            return Some(o);
        }
        at = ir::block_of(o).and_then(ir::parent_of);
    }
    None
}

fn array<'c>(op: OperationRef<'c, 'c>, elements: u32, elem: Type<'c>) -> Built<Type<'c>> {
    let c = ir::context(op);
    Type::parse(c, &format!("!llvm.array<{elements} x {elem}>")).ok_or(Failed)
}

/// Elements that a static view reaches, and their type.
fn extent<'c>(op: OperationRef<'c, 'c>, view: &MemRef<'c, Dim>) -> Built<(u32, Type<'c>)> {
    let elem = view.iter.elem.ok_or(Failed)?;
    // A swizzle permutes within aligned blocks: round up to whole ones.
    let plain = algebra::cosize(&view.layout).ok().and_then(|n| n.as_static());
    let plain = plain.expect("the verifier lets static layouts alone be allocated");
    let offset =
        view.layout.as_composed().and_then(|l| l.offset().as_leaf().and_then(|d| d.as_static())).unwrap_or(0);
    let block = view.layout.as_composed().and_then(|l| l.swizzle()).filter(|s| !s.is_identity());
    let block = block.map_or(1i64, |s| 1 << (s.base() + s.shift().unsigned_abs() + s.bits()).min(31));
    let elements =
        plain.checked_add(offset).and_then(|n| n.checked_add(block - 1)).map(|n| n / block * block);
    let (bits, elem) = (i64::from(view.iter.bits()), storage(ir::context(op), elem));
    let bytes = |n: i64| n.checked_mul(bits).map(|n| n.div_euclid(8) + i64::from(n % 8 != 0));
    let (elements, elem) = match bits {
        8.. => (elements, elem),
        _ if 8 % bits == 0 => (elements.and_then(bytes), IntegerType::new(ir::context(op), 8).into()),
        _ => {
            return Build::before(op).refuse(&format!("memory of elements of {bits} bits is not supported"));
        }
    };
    match elements.and_then(|n| u32::try_from(n).ok()) {
        Some(n) => Ok((n, elem)),
        None => Build::before(op).fail(&format!("'{}' op of {plain} elements is too large", op_name(op))),
    }
}

fn fragment<'c>(
    op: OperationRef<'c, 'c>,
    entry: OperationRef<'c, 'c>,
    view: &MemRef<'c, Dim>,
) -> Built<Value<'c, 'c>> {
    let (elements, elem) = extent(op, view)?;
    let c = ir::context(op);
    let t = array(op, elements, elem)?;
    let i32_type = IntegerType::new(c, 32).into();
    let one = emit_op(
        entry,
        "arith.constant",
        &[],
        i32_type,
        &[("value", IntegerAttribute::new(i32_type, 1).into())],
    );
    let align =
        IntegerAttribute::new(IntegerType::new(c, 64).into(), view.iter.align.max(FRAGMENT_ALIGN)).into();
    let attributes = [("elem_type", TypeAttribute::new(t).into()), ("alignment", align)];
    let memory = emit_op(entry, "llvm.alloca", &[one], llvm_pointer(c, Space::Rmem), &attributes);
    if view.iter.bits() < 8 {
        packed::clear(entry, memory, elements)?;
    }
    Ok(memory)
}

/// The address an access goes to, and its alignment.
fn accessed<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
) -> (Value<'c, 'c>, Attribute<'c>) {
    let ptr = ptr.swizzled();
    (graph.value(&ptr.address), Build::before(op).i64_attribute(ptr.align))
}

/// Loads the element at `ptr`.
pub fn load<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
) -> Built<Value<'c, 'c>> {
    if ptr.bits() < 8 {
        return packed::load(op, graph, ptr);
    }
    let elem = ptr.elem.ok_or(Failed)?;
    let (address, align) = accessed(op, graph, ptr);
    let loaded = emit_op(op, "llvm.load", &[address], held(op, elem)?, &[("alignment", align)]);
    Ok(bits_as(op, loaded, elem))
}

/// Stores an element at `ptr`.
pub fn store<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
    value: Value<'c, 'c>,
) -> Built<()> {
    if ptr.bits() < 8 {
        return packed::store(op, graph, ptr, value);
    }
    let value = bits_as(op, value, held(op, ptr.elem.ok_or(Failed)?)?);
    write(op, graph, ptr, value)
}

/// Stores bits of LLVM's own types at `ptr`.
fn write<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
    value: Value<'c, 'c>,
) -> Built<()> {
    let (address, align) = accessed(op, graph, ptr);
    Build::before(op).effect("llvm.store", &[value, address], &[("alignment", align)], vec![])?;
    Ok(())
}

/// The type of LLVM that an element is loaded and stored as: an integer for floats that LLVM lacks.
fn held<'c>(op: OperationRef<'c, 'c>, elem: Type<'c>) -> Built<Type<'c>> {
    let t = storage(ir::context(op), elem);
    // MLIR's bitcast takes no integers with a sign, and takes tf32 for a type of 19 bits.
    let same_bits = elem.is_float() && Some(ir::float_width(elem)) == bit_width(elem);
    if t == elem || same_bits {
        return Ok(t);
    }
    refuse_single(op, elem)
}

fn refuse_single<'c, T>(op: OperationRef<'c, 'c>, elem: Type<'c>) -> Built<T> {
    let bits = bit_width(elem).ok_or(Failed)?;
    Build::before(op).refuse(&format!("a single {elem} is not supported; recast the iterator to i{bits}"))
}

/// A value as another type of as many bits.
fn bits_as<'c>(op: OperationRef<'c, 'c>, value: Value<'c, 'c>, t: Type<'c>) -> Value<'c, 'c> {
    if ir::type_of(value) == t { value } else { emit_op(op, "arith.bitcast", &[value], t, &[]) }
}

/// The elements of a static view, in the order of its coordinates.
fn elements<'c>(view: &MemRef<'c, Emit<'c>>) -> Built<Vec<Ptr<'c, Emit<'c>>>> {
    let size = algebra::size(&view.layout).ok().and_then(|n| n.as_static()).ok_or(Failed)?;
    (0..size)
        .map(|i| {
            let coord = Tuple::leaf(Crd::Int(Paired::fixed(i)));
            let offset = algebra::crd2idx(&coord, &view.layout).map_err(|_| Failed)?;
            Ok(view.iter.advance(offset.as_leaf().ok_or(Failed)?))
        })
        .collect()
}

/// How many elements lie side by side wherever the first of so many is: the contiguous extent of the first mode.
fn neighbours(view: &MemRef<'_, Emit<'_>>) -> i64 {
    let AnyLayout::Plain(layout) = &view.layout else { return 1 };
    let Ok(layout) = algebra::coalesce(layout) else { return 1 };
    let first = layout.flat().next().filter(|(_, stride)| stride.is(1));
    let first = first.and_then(|(extent, _)| extent.as_static());
    if view.iter.swizzle.is_identity() { first.unwrap_or(1).max(1) } else { 1 }
}

/// Elements of one access to each of these: all neighbours where nothing else is left, else as many as 16 bytes hold, and as
/// every address is known to be aligned to.
fn together(view: &MemRef<'_, Emit<'_>>, elements: &[Ptr<'_, Emit<'_>>]) -> usize {
    if view.iter.bits() < 8 {
        return 1;
    }
    let (side_by_side, all) = (neighbours(view), elements.len() as i64);
    let bytes = |count: i64| count * i64::from(view.iter.bits()) / 8;
    let aligned = |count: i64| {
        let every = elements.iter().step_by(count as usize);
        bytes(count) > 0 && every.clone().all(|ptr| ptr.align % bytes(count) == 0)
    };
    if side_by_side == all && aligned(all) {
        return elements.len();
    }
    let mut count = 1 << side_by_side.trailing_zeros().min(8);
    while count > 1 && (bytes(count) > WIDEST || !aligned(count)) {
        count /= 2;
    }
    count as usize
}

/// Bytes of the widest access.
const WIDEST: i64 = 16;

/// `memref.load_vec`.
pub fn load_vector<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    view: &MemRef<'c, Emit<'c>>,
) -> Built<Value<'c, 'c>> {
    let declared = cute_dialect::answer::declared_types(op).first().copied().ok_or(Failed)?;
    let elements = elements(view)?;
    let elem = held(op, view.iter.elem.ok_or(Failed)?)?;
    let t = Type::vector(&[elements.len() as u64], elem);
    let count = together(view, &elements);
    let read = |ptr: &Ptr<'c, Emit<'c>>, t: Type<'c>| {
        if ptr.bits() < 8 {
            return Ok(bits_as(op, packed::load(op, graph, ptr)?, elem));
        }
        let (address, align) = accessed(op, graph, ptr);
        Ok(emit_op(op, "llvm.load", &[address], t, &[("alignment", align)]))
    };
    if let ([first, ..], true) = (elements.as_slice(), count == elements.len() && view.iter.bits() >= 8) {
        return Ok(bits_as(op, read(first, t)?, declared));
    }
    let mut vector = emit_op(op, "llvm.mlir.poison", &[], t, &[]);
    let at = |i: usize| graph.constant(i as i64, Width::I32);
    for (i, ptr) in elements.iter().enumerate().step_by(count) {
        let piece = read(ptr, piece_of(elem, count))?;
        for j in 0..count {
            let element = if count == 1 {
                piece
            } else {
                emit_op(op, "llvm.extractelement", &[piece, at(j)], elem, &[])
            };
            vector = emit_op(op, "llvm.insertelement", &[vector, element, at(i + j)], t, &[]);
        }
    }
    Ok(bits_as(op, vector, declared))
}

/// `memref.store_vec`.
pub fn store_vector<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    view: &MemRef<'c, Emit<'c>>,
    vector: Value<'c, 'c>,
) -> Built<()> {
    let elements = elements(view)?;
    let elem = held(op, view.iter.elem.ok_or(Failed)?)?;
    let vector = bits_as(op, vector, Type::vector(&[elements.len() as u64], elem));
    let count = together(view, &elements);
    if let ([first, ..], true) = (elements.as_slice(), count == elements.len() && view.iter.bits() >= 8) {
        return write(op, graph, first, vector);
    }
    let at = |i: usize| graph.constant(i as i64, Width::I32);
    for (i, ptr) in elements.iter().enumerate().step_by(count) {
        let element = |j: usize| emit_op(op, "llvm.extractelement", &[vector, at(i + j)], elem, &[]);
        if count == 1 {
            store(op, graph, ptr, element(0))?;
            continue;
        }
        let t = piece_of(elem, count);
        let mut piece = emit_op(op, "llvm.mlir.poison", &[], t, &[]);
        for j in 0..count {
            piece = emit_op(op, "llvm.insertelement", &[piece, element(j), at(j)], t, &[]);
        }
        write(op, graph, ptr, piece)?;
    }
    Ok(())
}

/// The type of so many elements at once.
fn piece_of(elem: Type<'_>, count: usize) -> Type<'_> {
    if count == 1 { elem } else { Type::vector(&[count as u64], elem) }
}
