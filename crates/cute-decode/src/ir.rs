//! Reading MLIR: names, attributes, types.

use cute_ffi::ir::{block_identity, dictionary_get, identity};
pub(crate) use cute_ffi::ir::{is_function, is_kernel, is_symbol_table};
pub(crate) use cute_ffi::lowered::overflow_flags;
use cute_ffi::lowered::{MachineType, dense_bytes, dense_element_type, keyword, mma_shape};
use cute_machine::types::{Scalar, Type as Ty};
use melior::ir::attribute::{
    ArrayAttribute, AttributeLike, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute,
    DenseI64ArrayAttribute, FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, TypeAttribute,
};
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::r#type::{IntegerType, TypeLike};
use melior::ir::{Attribute, BlockRef, Type, Value};

/// A part of a type or of a declaration that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unread {
    /// The type has no model.
    #[error("type {0}")]
    Type(String),
    /// A declared alignment.
    #[error("an alignment of {0}, which is not a power of two")]
    Alignment(i64),
    /// The operation lacks an attribute that its verifier requires.
    #[error("a global without a type")]
    GlobalWithoutType,
}

/// The operation's name, `dialect.op`.
pub(crate) fn name(op: OperationRef<'_, '_>) -> String {
    op.name().as_string_ref().as_str().unwrap_or("?").to_owned()
}

/// Tells a value from all others while the IR is alive.
pub(crate) fn value_key(value: Value<'_, '_>) -> usize {
    identity(value)
}

/// Tells a block from all others while the IR is alive.
pub(crate) fn block_key(block: BlockRef<'_, '_>) -> usize {
    block_identity(block)
}

pub(crate) fn int_attr(op: OperationRef<'_, '_>, name: &str) -> Option<i64> {
    int_value(op.attribute(name).ok()?)
}

/// An integer attribute of at most 64 bits, sign-extended.
fn int_value(attribute: Attribute<'_>) -> Option<i64> {
    if let Ok(b) = BoolAttribute::try_from(attribute) {
        return Some(b.value().into());
    }
    let integer = IntegerAttribute::try_from(attribute).ok()?;
    let signless = match IntegerType::try_from(attribute.r#type()) {
        Ok(t) => t.is_signless() && t.width() <= 64,
        Err(_) => attribute.r#type().is_index(),
    };
    signless.then(|| integer.value())
}

pub(crate) fn ints_attr(op: OperationRef<'_, '_>, name: &str) -> Option<Vec<i64>> {
    let attribute = op.attribute(name).ok()?;
    if let Ok(a) = DenseI32ArrayAttribute::try_from(attribute) {
        return (0..a.len()).map(|i| a.element(i).ok().map(i64::from)).collect();
    }
    let a = DenseI64ArrayAttribute::try_from(attribute).ok()?;
    (0..a.len()).map(|i| a.element(i).ok()).collect()
}

pub(crate) fn str_attr(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    Some(cute_ffi::ir::string(op.attribute(name).ok()?)?.to_owned())
}

pub(crate) fn symbol_attr(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    Some(FlatSymbolRefAttribute::try_from(op.attribute(name).ok()?).ok()?.value().to_owned())
}

pub(crate) fn type_attr<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Type<'c>> {
    Some(TypeAttribute::try_from(op.attribute(name).ok()?).ok()?.value())
}

/// The type that parameter `index` of a function points to, if the parameter is passed by value, or
/// the part of it that has no model.
pub(crate) fn by_value(function: OperationRef<'_, '_>, index: usize) -> Option<Result<Ty, Unread>> {
    let attributes = ArrayAttribute::try_from(function.attribute("arg_attrs").ok()?).ok()?;
    let by_value = dictionary_get(attributes.element(index).ok()?, "llvm.byval")?;
    Some(machine_type(TypeAttribute::try_from(by_value).ok()?.value()))
}

/// Whether parameter `index` of a kernel is one read-only memory for all threads.
pub(crate) fn is_grid_constant(function: OperationRef<'_, '_>, index: usize) -> bool {
    let attributes = function.attribute("arg_attrs").ok().and_then(|a| ArrayAttribute::try_from(a).ok());
    let own = attributes.and_then(|all| all.element(index).ok());
    own.is_some_and(|own| dictionary_get(own, "nvvm.grid_constant").is_some())
}

/// The keyword of an attribute that is an enumeration: of `#nvvm.shfl_kind<bfly>`, `bfly`.
pub(crate) fn keyword_attr(op: OperationRef<'_, '_>, name: &str) -> Option<&'static str> {
    keyword(op.attribute(name).ok()?)
}

/// `#nvvm.shape<m = 16, n = 8, k = 16>`.
pub(crate) fn shape_attr(op: OperationRef<'_, '_>) -> Option<[u32; 3]> {
    mma_shape(op.attribute("shape").ok()?)
}

/// The bits of a constant's elements, and their scalar type: an integer, a float or dense elements.
pub(crate) enum Elements {
    /// All elements are this one.
    Splat(u64, Scalar),
    /// Row-major.
    List(Vec<u64>, Scalar),
}

pub(crate) fn elements(attribute: Attribute<'_>) -> Option<Elements> {
    if let Some(v) = int_value(attribute) {
        return Some(Elements::Splat(v as u64, scalar(attribute.r#type()).ok()?));
    }
    if let Ok(f) = FloatAttribute::try_from(attribute) {
        let ty = scalar(attribute.r#type()).ok()?;
        return Some(Elements::Splat(cute_machine::float::encode(ty, f.value()), ty));
    }
    dense_elements(DenseElementsAttribute::try_from(attribute).ok()?)
}

fn dense_elements(dense: DenseElementsAttribute<'_>) -> Option<Elements> {
    let ty = scalar(dense_element_type(dense)).ok()?;
    if dense.is_empty() {
        return Some(Elements::List(Vec::new(), ty));
    }
    let values: Vec<u64> = if ty == Scalar::Int(1) {
        let count = if dense.is_splat() { 1 } else { dense.len() };
        (0..count).map(|i| dense.bool_element(i).ok().map(u64::from)).collect::<Option<_>>()?
    } else {
        let (width, bytes) = dense_bytes(dense)?;
        bytes.chunks_exact(width).map(little_endian).collect()
    };
    Some(if dense.is_splat() { Elements::Splat(*values.first()?, ty) } else { Elements::List(values, ty) })
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b))
}

/// The machine's type, or the part of it that has no model.
pub(crate) fn machine_type(ty: Type<'_>) -> Result<Ty, Unread> {
    Ok(match cute_ffi::lowered::machine_type(ty) {
        // Two registers that are moved, and not computed with.
        Some(MachineType::Integer(128)) => Ty::Array(2, Box::new(Ty::Scalar(Scalar::Int(64)))),
        Some(MachineType::Vector(lanes, element)) => match machine_type(element)? {
            Ty::Scalar(scalar) => Ty::Vector(lanes, scalar),
            wide => Ty::Array(lanes, Box::new(wide)),
        },
        Some(MachineType::Array(len, element)) => Ty::Array(len, Box::new(machine_type(element)?)),
        Some(MachineType::Struct { fields, packed }) => {
            Ty::Struct { fields: fields.into_iter().map(machine_type).collect::<Result<_, _>>()?, packed }
        }
        _ => Ty::Scalar(scalar(ty)?),
    })
}

fn scalar(ty: Type<'_>) -> Result<Scalar, Unread> {
    Ok(match cute_ffi::lowered::machine_type(ty) {
        Some(MachineType::Integer(width @ 1..=64)) => Scalar::Int(width),
        Some(MachineType::Index) => Scalar::Int(64),
        Some(MachineType::F16) => Scalar::F16,
        Some(MachineType::Bf16) => Scalar::Bf16,
        Some(MachineType::F32) => Scalar::F32,
        Some(MachineType::F64) => Scalar::F64,
        Some(MachineType::Pointer(space @ (0 | 1 | 3 | 4 | 5 | 6 | 7))) => Scalar::Ptr(space),
        _ => return Err(Unread::Type(ty.to_string())),
    })
}
