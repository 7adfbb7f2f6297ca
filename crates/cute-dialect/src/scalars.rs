//! Types of scalars: widths and alignments of what MLIR has, without any type of ours.

use cute_algebra::Width;
use melior::{
    Context,
    ir::{Type, TypeLike, r#type::IntegerType},
};

/// Bits of a scalar element type; `None` where it has no size of its own.
pub fn bit_width(t: Type<'_>) -> Option<u32> {
    if let Some(i) = integer(t) {
        return Some(i.width()).filter(|width| *width > 0);
    }
    // tf32 has 19 bits that count, in 32 of storage.
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

/// An integer type. (melior's own conversion prints the type into its error, which a type being printed cannot have.)
pub fn integer<'c>(t: Type<'c>) -> Option<IntegerType<'c>> {
    if t.is_integer() { IntegerType::try_from(t).ok() } else { None }
}

/// Whether this is the i1 that a comparison gives.
pub fn is_flag(t: Type<'_>) -> bool {
    integer(t).is_some_and(|i| i.width() == 1 && i.is_signless())
}

/// i32 or i64.
pub fn scalar_type(c: &Context, width: Width) -> Type<'_> {
    IntegerType::new(c, width.bits()).into()
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
