//! Access to lowered code for the simulator and other readers: the parts of types of the LLVM
//! dialect and of constants, and the attribute that names the instruction of inline assembly.

use melior::Context;
use melior::ir::attribute::AttributeLike;
use melior::ir::{
    Attribute, Type, TypeLike, attribute::DenseElementsAttribute, operation::OperationRef,
    r#type::IntegerType,
};
use mlir_sys::*;

unsafe extern "C" {
    fn cuteArrayLength(t: MlirType, length: *mut u64) -> bool;
    fn cuteIsCompatible(t: MlirType) -> bool;
    fn cuteOverflowFlags(op: MlirOperation) -> u32;
    fn cuteMmaShape(a: MlirAttribute, extents: *mut i32) -> bool;
    fn cuteFastmathFlags(op: MlirOperation, flags: *mut u32) -> bool;
    fn cuteFastmathAttr(c: MlirContext, flags: u32) -> MlirAttribute;
    fn cuteKeyword(a: MlirAttribute) -> MlirStringRef;
}

/// The attribute of an `llvm.inline_asm` or `nvvm.inline_ptx` that names its instruction in PTX's
/// spelling, without operands:
/// `"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e2m1.f32"`.
///
/// Readers of lowered code, such as the simulator, take the instruction from here.
pub const OPERATION_ATTRIBUTE: &str = "cute.op";

/// The unit attribute of the assembly of a `wgmma.mma_async` that the passes wrote, whose registers
/// have to stay in place across fences and waits.
pub const WGMMA_ATTRIBUTE: &str = "cute.wgmma";

/// The unit attribute of the ops that hold registers in place across a fence or a wait of `wgmma`.
/// They stand for no instruction, so the simulator skips them.
pub const TIE_ATTRIBUTE: &str = "cute.tie";

/// The attribute of a copy of a box by the TMA that states the swizzle of the shared memory, as the
/// type of its pointer has it: `"S<3,4,3>"`, in bytes.
///
/// The instruction takes the swizzle from its tensor map. The simulator compares the two.
pub const SWIZZLE_ATTRIBUTE: &str = "cute.swizzle";

/// The unit attribute of a module that is compiled for the simulator alone: the passes then mark
/// addresses that are made of coordinates.
pub const SIMULATED_ATTRIBUTE: &str = "cute.simulated";

/// The attribute of a mark: an `llvm.inline_asm` without text, whose result is its first operand,
/// an address. The operands after it are pairs of a coordinate and the extent that it must be
/// below.
///
/// The attribute is the name of the op that made the address, and for each pair the path of the
/// mode: `"cute.local_tile;0;1,0"`. The simulator follows addresses whose coordinates are beyond.
/// Marks stand for no instruction, and are removed before LLVM sees the code.
pub const COORDINATES_ATTRIBUTE: &str = "cute.coordinates";

/// A type taken apart, one level.
#[derive(Debug, Clone)]
pub enum MachineType<'c> {
    /// An integer, with its number of bits.
    Integer(u32),
    /// The width of a size.
    Index,
    /// IEEE binary16.
    F16,
    /// The upper half of an f32.
    Bf16,
    /// IEEE binary32.
    F32,
    /// IEEE binary64.
    F64,
    /// `!llvm.ptr` of this address space.
    Pointer(u32),
    /// A vector of rank 1 and fixed length.
    Vector(u32, Type<'c>),
    /// `!llvm.array`.
    Array(u32, Type<'c>),
    /// `!llvm.struct` with a body.
    Struct {
        /// The types of the fields, in order.
        fields: Vec<Type<'c>>,
        /// Whether there is no padding.
        packed: bool,
    },
}

/// Extents and element type of a vector of fixed extents; `None` for other types.
pub fn vector_parts<'c>(ty: Type<'c>) -> Option<(Vec<i64>, Type<'c>)> {
    let raw = ty.to_raw();
    // SAFETY: any live type may be passed to the test of its class; the dimensions are those of a
    // vector.
    unsafe {
        if !mlirTypeIsAVector(raw) || mlirVectorTypeIsScalable(raw) {
            return None;
        }
        let extents =
            (0..mlirShapedTypeGetRank(raw)).map(|i| mlirShapedTypeGetDimSize(raw, i as isize)).collect();
        Some((extents, Type::from_raw(mlirShapedTypeGetElementType(raw))))
    }
}

/// The vector type with these extents; the element is an integer or a float.
pub fn vector_of<'c>(extents: &[i64], element: Type<'c>) -> Type<'c> {
    // SAFETY: the extents are readable for the call.
    unsafe { Type::from_raw(mlirVectorTypeGet(extents.len() as isize, extents.as_ptr(), element.to_raw())) }
}

/// The type of a vector's elements; any other type is returned unchanged.
pub fn element_of(ty: Type<'_>) -> Type<'_> {
    vector_parts(ty).map_or(ty, |(_, element)| element)
}

/// Takes a type apart; `None` if it is not one of these.
pub fn machine_type<'c>(ty: Type<'c>) -> Option<MachineType<'c>> {
    let raw = ty.to_raw();
    if ty.is_integer() {
        return Some(MachineType::Integer(IntegerType::try_from(ty).ok()?.width()));
    }
    if ty.is_index() {
        return Some(MachineType::Index);
    }
    // SAFETY: any live type may be passed to the test of its class; only functions of that class
    // are called, and indices are below the number of dimensions or fields.
    unsafe {
        if mlirTypeIsAF16(raw) {
            return Some(MachineType::F16);
        }
        if mlirTypeIsABF16(raw) {
            return Some(MachineType::Bf16);
        }
        if mlirTypeIsAF32(raw) {
            return Some(MachineType::F32);
        }
        if mlirTypeIsAF64(raw) {
            return Some(MachineType::F64);
        }
        if mlirTypeIsALLVMPointerType(raw) {
            return Some(MachineType::Pointer(mlirLLVMPointerTypeGetAddressSpace(raw)));
        }
        if mlirTypeIsAVector(raw) {
            if mlirVectorTypeIsScalable(raw) || mlirShapedTypeGetRank(raw) != 1 {
                return None;
            }
            let lanes = u32::try_from(mlirShapedTypeGetDimSize(raw, 0)).ok()?;
            return Some(MachineType::Vector(lanes, Type::from_raw(mlirShapedTypeGetElementType(raw))));
        }
        if mlirTypeIsALLVMStructType(raw) {
            if mlirLLVMStructTypeIsOpaque(raw) {
                return None;
            }
            let field = |i| Type::from_raw(mlirLLVMStructTypeGetElementType(raw, i));
            let fields = (0..mlirLLVMStructTypeGetNumElementTypes(raw)).map(field).collect();
            return Some(MachineType::Struct { fields, packed: mlirLLVMStructTypeIsPacked(raw) });
        }
    }
    let (length, element) = array_parts(ty)?;
    Some(MachineType::Array(length.try_into().ok()?, element))
}

/// The length and the element type of an `!llvm.array`.
pub fn array_parts<'c>(ty: Type<'c>) -> Option<(u64, Type<'c>)> {
    let (raw, mut length) = (ty.to_raw(), 0);
    // SAFETY: any live type may be passed; the length is writable, and the element type is read
    // only from an array.
    unsafe {
        cuteArrayLength(raw, &mut length)
            .then(|| (length, Type::from_raw(mlirLLVMArrayTypeGetElementType(raw))))
    }
}

/// Whether LLVM has a type for this one and for all of its parts.
pub fn is_translatable(ty: Type<'_>) -> bool {
    // SAFETY: any live type may be passed.
    unsafe { cuteIsCompatible(ty.to_raw()) }
}

/// The overflow flags of an op of `arith` or `llvm`: bit 0 `nsw`, bit 1 `nuw`.
pub fn overflow_flags(op: OperationRef<'_, '_>) -> u32 {
    // SAFETY: `op` is live.
    unsafe { cuteOverflowFlags(op.to_raw()) }
}

/// The fast-math flags of an op on floats, with the numbers of the `llvm` dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fastmath(pub u32);

impl Fastmath {
    /// Functions may be approximate.
    pub const APPROXIMATE: Self = Self(32);
    /// Sums may be taken in another order.
    pub const REASSOCIATE: Self = Self(64);
    /// The flags of `fastmath<fast>`.
    pub const FAST: Self = Self(127);

    /// The flags of an op of `arith`, `math` or `llvm`; `None` for an op that cannot have any.
    pub fn of(op: OperationRef<'_, '_>) -> Option<Self> {
        let mut flags = 0;
        // SAFETY: `op` is live, and the flags are writable.
        unsafe { cuteFastmathFlags(op.to_raw(), &mut flags) }.then_some(Self(flags))
    }

    /// Whether all of these flags are set.
    pub fn has(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// The attribute `#llvm.fastmath`.
    pub fn attribute(self, c: &Context) -> Attribute<'_> {
        // SAFETY: the context is live.
        unsafe { Attribute::from_raw(cuteFastmathAttr(c.to_raw(), self.0)) }
    }
}

/// The keyword of an attribute that is an enumeration of the `nvvm` or the `gpu` dialect, if it is
/// one that the project reads.
pub fn keyword(a: Attribute<'_>) -> Option<&'static str> {
    // SAFETY: any attribute may be passed.
    let text = unsafe { cuteKeyword(a.to_raw()) };
    // SAFETY: the keywords are literals of C++.
    (!text.data.is_null()).then(|| unsafe { crate::text(text) })
}

/// The float that an attribute is, or that all elements of a dense attribute are.
pub fn float_constant(a: Attribute<'_>) -> Option<f64> {
    // SAFETY: any attribute may be passed to the tests; the element is read only from elements that
    // are equal, and the number only from a float.
    unsafe {
        let splat = mlirAttributeIsADenseElements(a.to_raw()) && mlirDenseElementsAttrIsSplat(a.to_raw());
        let one = if splat { mlirDenseElementsAttrGetSplatValue(a.to_raw()) } else { a.to_raw() };
        mlirAttributeIsAFloat(one).then(|| mlirFloatAttrGetValueDouble(one))
    }
}

/// M, N and K of a `#nvvm.shape`; `None` for another attribute.
pub fn mma_shape(a: Attribute<'_>) -> Option<[u32; 3]> {
    let mut extents = [0; 3];
    // SAFETY: any attribute may be passed; there is room for three extents.
    let found = unsafe { cuteMmaShape(a.to_raw(), extents.as_mut_ptr()) };
    let [m, n, k] = extents.map(|extent| u32::try_from(extent).ok());
    if found { Some([m?, n?, k?]) } else { None }
}

/// The type of a dense attribute's elements.
pub fn dense_element_type<'c>(dense: DenseElementsAttribute<'c>) -> Type<'c> {
    // SAFETY: the type of a dense elements attribute is shaped.
    unsafe { Type::from_raw(mlirShapedTypeGetElementType(dense.r#type().to_raw())) }
}

/// The bytes of a dense attribute of integers or floats, and the number of bytes per element. If
/// all elements are equal, only one is returned. `None` for booleans and for other elements.
pub fn dense_bytes(dense: DenseElementsAttribute<'_>) -> Option<(usize, Vec<u8>)> {
    let bits = match machine_type(dense_element_type(dense))? {
        MachineType::Integer(1) => return None,
        MachineType::Integer(bits) => bits,
        MachineType::Index | MachineType::F64 => 64,
        MachineType::F32 => 32,
        MachineType::F16 | MachineType::Bf16 => 16,
        _ => return None,
    };
    let width = bits.div_ceil(8) as usize;
    let count = if dense.is_splat() { 1 } else { dense.len() };
    if count == 0 {
        return Some((width, Vec::new()));
    }
    // SAFETY: MLIR keeps each element in whole bytes, side by side, in the context, which outlives
    // the attribute.
    let bytes = unsafe { std::slice::from_raw_parts(dense.raw_data().cast::<u8>(), width * count) };
    Some((width, bytes.to_vec()))
}
