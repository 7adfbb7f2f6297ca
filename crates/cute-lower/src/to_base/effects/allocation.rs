//! Allocation: registers in the stack of the function, shared memory as globals of the module.

use std::collections::{HashMap, HashSet};

use cute_algebra::{Dim, Width};
use cute_dialect::{
    atom::storage,
    ops::AttributeName,
    types::{llvm_pointer, value_of},
    value::{MemRef, Space, Value as Cute},
};
use cute_ffi::ir;
use melior::ir::{
    Region, Type, Value,
    attribute::{
        BoolAttribute, DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute, StringAttribute,
        TypeAttribute,
    },
    operation::OperationRef,
    r#type::IntegerType,
};

use super::{Lowered, Site, matrix, memory::packed};
use crate::{
    Builder, Built,
    emit::ops::op as emit_op,
    module::{enclosing_module, symbols},
    reach::{reach, too_large},
    values::result,
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

/// `memref.alloca`, `memref.alloc_smem`, `arch.get_dyn_smem` and fragments of MMAs: allocates the
/// memory that the result's type describes.
pub fn allocate<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let (op, build) = (at.op, Builder::before(at.op));
    let t = at.result_type(0);
    let pointer = match &*value_of(t) {
        Cute::SmemDescView(_) => return matrix::descriptors(at),
        // Tensor memory is not allocated here: the fragment begins at column 0.
        Cute::MemRef(view) if view.iter.space == Space::Tmem => at.graph().constant(0, Width::I32),
        Cute::MemRef(view) if view.iter.space == Space::Rmem => fragment(op, at.entry, view)?,
        Cute::MemRef(_) if at.shared.offset(op).is_some() => dynamic(at)?,
        Cute::MemRef(view) => {
            let name = at.storage.fresh(op);
            let (elements, elem) = extent(op, view)?;
            let t = array(op, elements, elem)?;
            at.storage.global(op, &name, t, view.iter.align.max(16), "internal")?
        }
        Cute::Ptr(ptr) => {
            let byte = IntegerType::new(ir::context(op), 8).into();
            let t = array(op, 0, byte)?;
            at.storage.global(op, DYNAMIC_SMEM, t, ptr.align.max(DYNAMIC_SMEM_ALIGN), "external")?
        }
        _ => return build.refuse(&format!("a {t} cannot be allocated")),
    };
    at.made([pointer])
}

/// `memref.alloca` of shared memory: a part of the dynamic shared memory.
fn dynamic<'c>(at: &mut Site<'_, 'c>) -> Built<Value<'c, 'c>> {
    let (op, offset) = (at.op, at.shared.offset(at.op).expect("it was asked for"));
    let byte = IntegerType::new(ir::context(op), 8).into();
    let t = array(op, 0, byte)?;
    let base = at.storage.global(op, DYNAMIC_SMEM, t, at.shared.align.max(DYNAMIC_SMEM_ALIGN), "external")?;
    let indices =
        DenseI32ArrayAttribute::new(ir::context(op), &[i32::try_from(offset).expect("it was checked")]);
    let attributes = [("elem_type", TypeAttribute::new(byte).into()), ("rawConstantIndices", indices.into())];
    Ok(emit_op(op, "llvm.getelementptr", &[base], llvm_pointer(ir::context(op), Space::Smem), &attributes))
}

/// `smem_partition_size`: a constant.
pub fn partition_size<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let (op, attributes) = (at.op, at.call.attributes);
    let function = cute_ffi::ir::enclosing_isolated(op);
    if !function.is_some_and(ir::is_kernel) {
        return Builder::before(op).refuse("is not in a kernel, which alone has dynamic shared memory");
    }
    let partition = attributes.integer(AttributeName::PartitionId).unwrap_or_default();
    let sums = attributes.raw(AttributeName::Cumulative);
    let sums = sums.is_some_and(|a| BoolAttribute::try_from(a).map_or(true, |flag| flag.value()));
    let end = at.shared.bytes_up_to(partition);
    let bytes = if sums { end } else { end - at.shared.bytes_up_to(partition - 1) };
    let t = at.result_type(0);
    let constant = IntegerAttribute::new(t, bytes).into();
    let made = Builder::before(op).typed("arith.constant", &[], t, &[("value", constant)])?;
    at.made([made])
}

/// `make_fragment_like`: registers for a view; of a layout, their layout.
pub fn fragment_like<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    match &*value_of(at.result_type(0)) {
        Cute::MemRef(_) => allocate(at),
        _ => at.evaluated(),
    }
}

impl Storage {
    /// A name for static shared memory that differs from all symbols of the module.
    fn fresh(&mut self, op: OperationRef<'_, '_>) -> String {
        loop {
            let name = format!("cute_smem_{}", self.count);
            self.count += 1;
            if !self.symbols(enclosing_module(op)).contains(&name) {
                return name;
            }
        }
    }

    fn symbols(&mut self, module: OperationRef<'_, '_>) -> &mut HashSet<String> {
        self.symbols.entry(ir::op_identity(module)).or_insert_with(|| symbols(module))
    }

    /// The address of a global in shared memory, which is created in the module around `op` if it
    /// does not exist.
    fn global<'c>(
        &mut self,
        op: OperationRef<'c, 'c>,
        name: &str,
        t: Type<'c>,
        align: i64,
        linkage: &str,
    ) -> Built<Value<'c, 'c>> {
        let c = ir::context(op);
        let module = enclosing_module(op);
        let space = Space::Smem;
        if self.symbols(module).insert(name.to_string()) {
            let first = ir::body(module).and_then(ir::first_op).expect("the module has a function");
            let b = Builder::before(first).at(ir::location(op));
            let linkage = b.attribute(&format!("#llvm.linkage<{linkage}>"))?;
            let attributes = [
                ("sym_name", StringAttribute::new(c, name).into()),
                ("global_type", TypeAttribute::new(t).into()),
                ("linkage", linkage),
                ("addr_space", b.attr(space.address_space() as i32)),
                ("alignment", b.attr(align)),
            ];
            b.op("llvm.mlir.global")
                .attributes(&attributes)
                .regions(vec![Region::new()])
                .results(&[])
                .build()?;
        }
        let symbol = FlatSymbolRefAttribute::new(c, name).into();
        Ok(emit_op(op, "llvm.mlir.addressof", &[], llvm_pointer(c, space), &[("global_name", symbol)]))
    }
}

fn array<'c>(op: OperationRef<'c, 'c>, elements: u32, elem: Type<'c>) -> Built<Type<'c>> {
    match Type::parse(ir::context(op), &format!("!llvm.array<{elements} x {elem}>")) {
        Some(t) => Ok(t),
        None => Builder::before(op).refuse(&format!("memory of {elem} is not supported")),
    }
}

/// Elements that a static view reaches, and their type.
fn extent<'c>(op: OperationRef<'c, 'c>, view: &MemRef<'c, Dim>) -> Built<(u32, Type<'c>)> {
    let elem = view.iter.elem.expect("memory is of elements");
    let elements = reach(op, &view.layout)?;
    let (bits, elem) = (view.iter.bits().map(i64::from), storage(ir::context(op), elem));
    let (units, elem) = match bits {
        // A value of LLVM's has a size, which is LLVM's.
        None | Some(8..) => (Some(elements), elem),
        Some(bits) if 8 % bits == 0 => {
            let whole = elements.checked_mul(bits).map(|n| n.div_euclid(8) + i64::from(n % 8 != 0));
            (whole, IntegerType::new(ir::context(op), 8).into())
        }
        Some(bits) => {
            return Builder::before(op)
                .refuse(&format!("memory of elements of {bits} bits is not supported"));
        }
    };
    match units.and_then(|n| u32::try_from(n).ok()) {
        Some(n) => Ok((n, elem)),
        None => too_large(op, elements),
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
    // Memory is allocated where the function begins, for the op that the source names.
    let b = Builder::before(entry).at(ir::location(op));
    let count = IntegerAttribute::new(i32_type, 1).into();
    let one = result(b.op("arith.constant").attributes(&[("value", count)]).results(&[i32_type]).build()?);
    let align =
        IntegerAttribute::new(IntegerType::new(c, 64).into(), view.iter.align.max(FRAGMENT_ALIGN)).into();
    let attributes = [("elem_type", TypeAttribute::new(t).into()), ("alignment", align)];
    let pointer = llvm_pointer(c, Space::Rmem);
    let alloca = b.op("llvm.alloca").operands(&[one]).attributes(&attributes).results(&[pointer]);
    let memory = result(alloca.build()?);
    if view.iter.is_packed() {
        packed::clear(entry, memory, elements)?;
    }
    Ok(memory)
}
