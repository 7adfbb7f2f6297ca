//! Reading MLIR: names, attributes, types. The crate's only unsafe code, where melior has no wrapper.

use crate::types::{Scalar, Type as Ty};
use melior::ir::attribute::{
    AttributeLike, BoolAttribute, DenseElementsAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute,
    FlatSymbolRefAttribute, FloatAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
};
use melior::ir::block::BlockLike;
use melior::ir::operation::{OperationLike, OperationPrintingFlags, OperationRef};
use melior::ir::r#type::{IntegerType, TypeLike};
use melior::ir::{Attribute, BlockRef, Type, Value, ValueLike};
use mlir_sys::{
    MlirType, mlirLLVMArrayTypeGetElementType, mlirLLVMPointerTypeGetAddressSpace,
    mlirLLVMStructTypeGetElementType, mlirLLVMStructTypeGetNumElementTypes, mlirLLVMStructTypeIsOpaque,
    mlirLLVMStructTypeIsPacked, mlirShapedTypeGetDimSize, mlirShapedTypeGetElementType,
    mlirShapedTypeGetRank, mlirTypeIsABF16, mlirTypeIsAF16, mlirTypeIsAF32, mlirTypeIsAF64,
    mlirTypeIsALLVMPointerType, mlirTypeIsALLVMStructType, mlirVectorTypeIsScalable,
};

/// The operation's name, `dialect.op`.
pub(crate) fn name(op: OperationRef<'_, '_>) -> String {
    op.name().as_string_ref().as_str().unwrap_or("?").to_owned()
}

/// The operation's location as MLIR prints it, without the `loc(...)` around it.
pub(crate) fn location(op: OperationRef<'_, '_>) -> String {
    let text = op.location().to_string();
    let bare = text.strip_prefix("loc(").and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
    bare.replace('"', "")
}

/// Tells a value from all others while the IR is alive.
pub(crate) fn value_key(value: Value<'_, '_>) -> usize {
    value.to_raw().ptr as usize
}

/// Tells a block from all others while the IR is alive.
pub(crate) fn block_key(block: BlockRef<'_, '_>) -> usize {
    block.to_raw().ptr as usize
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
    Some(StringAttribute::try_from(op.attribute(name).ok()?).ok()?.value().to_owned())
}

pub(crate) fn symbol_attr(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    Some(FlatSymbolRefAttribute::try_from(op.attribute(name).ok()?).ok()?.value().to_owned())
}

pub(crate) fn type_attr<'c>(op: OperationRef<'c, '_>, name: &str) -> Option<Type<'c>> {
    Some(TypeAttribute::try_from(op.attribute(name).ok()?).ok()?.value())
}

/// The keyword of an enumeration's attribute, written `#dialect<name keyword>`, `#dialect.name<keyword>` or by number.
pub(crate) fn keyword_attr(op: OperationRef<'_, '_>, name: &str, enumeration: &str) -> Option<String> {
    let text = op.attribute(name).ok()?.to_string();
    let inner = text.split_once(enumeration).map_or(text.as_str(), |(_, rest)| rest);
    Some(inner.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_').to_owned())
}

/// `overflowFlags`: bit 0 `nsw`, bit 1 `nuw`.
///
/// In `arith` an attribute. In `llvm` a property and no attribute, so the C API has no way to it but the printed text.
pub(crate) fn overflow_flags(op: OperationRef<'_, '_>) -> u32 {
    const KEY: &str = "overflowFlags = ";
    if let Ok(flags) = op.attribute("overflowFlags") {
        let text = flags.to_string();
        return u32::from(text.contains("nsw")) | u32::from(text.contains("nuw")) << 1;
    }
    let flags = OperationPrintingFlags::new().use_local_scope().print_generic_operation_form();
    let Ok(text) = op.to_string_with_flags(flags) else { return 0 };
    let Some(at) = text.find(KEY) else { return 0 };
    let digits: String = text[at + KEY.len()..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
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
        return Some(Elements::Splat(crate::value::float::encode(ty, f.value()), ty));
    }
    dense_elements(DenseElementsAttribute::try_from(attribute).ok()?)
}

fn dense_elements(dense: DenseElementsAttribute<'_>) -> Option<Elements> {
    // SAFETY: the type of a dense elements attribute is shaped.
    let element = unsafe { Type::from_raw(mlirShapedTypeGetElementType(dense.r#type().to_raw())) };
    let ty = scalar(element).ok()?;
    if dense.is_empty() {
        return Some(Elements::List(Vec::new(), ty));
    }
    let count = if dense.is_splat() { 1 } else { dense.len() };
    let values: Vec<u64> = if ty == Scalar::Int(1) {
        (0..count).map(|i| dense.bool_element(i).ok().map(u64::from)).collect::<Option<_>>()?
    } else {
        let bytes = ty.bits().div_ceil(8) as usize;
        // SAFETY: the elements are integers or floats of `bytes` bytes each, stored side by side (one if it is a
        // splat) in the context, which outlives the attribute.
        let raw = unsafe { std::slice::from_raw_parts(dense.raw_data().cast::<u8>(), bytes * count) };
        raw.chunks_exact(bytes).map(little_endian).collect()
    };
    Some(if dense.is_splat() { Elements::Splat(*values.first()?, ty) } else { Elements::List(values, ty) })
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b))
}

/// The machine's type, or what about it has no model.
pub(crate) fn machine_type(ty: Type<'_>) -> Result<Ty, String> {
    let raw: MlirType = ty.to_raw();
    if let Ok(s) = scalar(ty) {
        return Ok(Ty::Scalar(s));
    }
    if ty.is_vector() {
        // SAFETY: a vector is shaped, and a dimension below its rank exists.
        let (scalable, rank, element) = unsafe {
            let element = Type::from_raw(mlirShapedTypeGetElementType(raw));
            (mlirVectorTypeIsScalable(raw), mlirShapedTypeGetRank(raw), element)
        };
        if scalable || rank != 1 {
            return Err(format!("type {ty}"));
        }
        // SAFETY: the rank is 1.
        let lanes = unsafe { mlirShapedTypeGetDimSize(raw, 0) };
        return Ok(Ty::Vector(u32::try_from(lanes).map_err(|_| format!("type {ty}"))?, scalar(element)?));
    }
    // SAFETY: any type may be asked for its class.
    if unsafe { mlirTypeIsALLVMStructType(raw) } {
        // SAFETY: it is a struct.
        if unsafe { mlirLLVMStructTypeIsOpaque(raw) } {
            return Err(format!("type {ty}"));
        }
        // SAFETY: it is a struct with a body, and the positions are below its number of elements.
        let (fields, packed): (Vec<_>, _) = unsafe {
            let n = mlirLLVMStructTypeGetNumElementTypes(raw);
            let field = |i| Type::from_raw(mlirLLVMStructTypeGetElementType(raw, i));
            ((0..n).map(field).collect(), mlirLLVMStructTypeIsPacked(raw))
        };
        return Ok(Ty::Struct {
            fields: fields.into_iter().map(machine_type).collect::<Result<_, _>>()?,
            packed,
        });
    }
    // The C API neither tells an array nor its length.
    let text = ty.to_string();
    if let Some(rest) = text.strip_prefix("!llvm.array<") {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let len = digits.parse().map_err(|_| format!("type {ty}"))?;
        // SAFETY: it is an array.
        let element = unsafe { Type::from_raw(mlirLLVMArrayTypeGetElementType(raw)) };
        return Ok(Ty::Array(len, Box::new(machine_type(element)?)));
    }
    Err(format!("type {ty}"))
}

fn scalar(ty: Type<'_>) -> Result<Scalar, String> {
    let raw = ty.to_raw();
    if let Ok(integer) = IntegerType::try_from(ty) {
        return match integer.width() {
            width @ 1..=64 => Ok(Scalar::Int(width)),
            _ => Err(format!("type {ty}")),
        };
    }
    // SAFETY: any type may be asked for its class; only a pointer is asked for its address space.
    unsafe {
        if ty.is_index() {
            Ok(Scalar::Int(64))
        } else if mlirTypeIsAF16(raw) {
            Ok(Scalar::F16)
        } else if mlirTypeIsABF16(raw) {
            Ok(Scalar::Bf16)
        } else if mlirTypeIsAF32(raw) {
            Ok(Scalar::F32)
        } else if mlirTypeIsAF64(raw) {
            Ok(Scalar::F64)
        } else if mlirTypeIsALLVMPointerType(raw) {
            match mlirLLVMPointerTypeGetAddressSpace(raw) {
                space @ (0 | 1 | 3 | 4 | 5) => Ok(Scalar::Ptr(space)),
                _ => Err(format!("type {ty}")),
            }
        } else {
            Err(format!("type {ty}"))
        }
    }
}
