//! Scalar types: widths and alignments of MLIR's types, without any type of this dialect.

use cute_algebra::Width;
use melior::{
    Context,
    ir::{Type, TypeLike, r#type::IntegerType},
};

/// Bits of a scalar element type; `None` if it has no size.
pub fn bit_width(t: Type<'_>) -> Option<u32> {
    if let Some(i) = integer(t) {
        return Some(i.width()).filter(|width| *width > 0);
    }
    // tf32 has 19 significant bits in 32 bits of storage.
    t.is_float().then(|| match cute_ffi::ir::float_width(t) {
        19 => 32,
        width => width,
    })
}

/// Width of a machine integer: i32, i64, and index as i64.
pub fn scalar_width(t: Type<'_>) -> Option<Width> {
    match integer(t).map(|i| (i.width(), i.is_signless())) {
        Some((32, true)) => Some(Width::I32),
        Some((64, true)) => Some(Width::I64),
        _ => t.is_index().then_some(Width::I64),
    }
}

/// Converts to an integer type. (melior's own conversion prints the type into its error, which is
/// not possible while the type is being printed.)
pub fn integer<'c>(t: Type<'c>) -> Option<IntegerType<'c>> {
    if t.is_integer() { IntegerType::try_from(t).ok() } else { None }
}

/// Whether this is i1, the type of a comparison's result.
pub fn is_flag(t: Type<'_>) -> bool {
    integer(t).is_some_and(|i| i.width() == 1 && i.is_signless())
}

/// i32 or i64.
pub fn scalar_type(c: &Context, width: Width) -> Type<'_> {
    IntegerType::new(c, width.bits()).into()
}

/// The natural alignment of an element in bytes; `None` if it has none.
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
