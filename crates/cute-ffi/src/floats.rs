//! Recognizes MLIR's float types without going through their text.

use melior::ir::{Type, TypeLike};
use mlir_sys::{MlirType, mlirComplexTypeGetElementType, mlirTypeIsAComplex};

macro_rules! floats {
    ($($(#[$doc:meta])* $name:ident $is:ident,)*) => {
        /// MLIR's float types with which GPUs compute.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum FloatType { $($name),* }

        const FLOATS: &[(FloatType, unsafe extern "C" fn(MlirType) -> bool)] =
            &[$((FloatType::$name, mlir_sys::$is)),*];
    };
}

floats! {
    F64 mlirTypeIsAF64,
    F32 mlirTypeIsAF32,
    Tf32 mlirTypeIsATF32,
    F16 mlirTypeIsAF16,
    Bf16 mlirTypeIsABF16,
    F8E4M3FN mlirTypeIsAFloat8E4M3FN,
    F8E5M2 mlirTypeIsAFloat8E5M2,
    F6E2M3FN mlirTypeIsAFloat6E2M3FN,
    F6E3M2FN mlirTypeIsAFloat6E3M2FN,
    F4E2M1FN mlirTypeIsAFloat4E2M1FN,
    F8E8M0FNU mlirTypeIsAFloat8E8M0FNU,
}

/// The float type that a type is; `None` for integers and for floats that no GPU has.
pub fn float_type(t: Type<'_>) -> Option<FloatType> {
    // SAFETY: `t` is a live type.
    FLOATS.iter().find(|(_, is)| unsafe { is(t.to_raw()) }).map(|(float, _)| *float)
}

/// The element type of a complex type; `None` for other types.
pub fn complex_element<'c>(t: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: `t` is a live type, and is complex where its element type is read, which lives as
    // long.
    unsafe {
        mlirTypeIsAComplex(t.to_raw()).then(|| Type::from_raw(mlirComplexTypeGetElementType(t.to_raw())))
    }
}
