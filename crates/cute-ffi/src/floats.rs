//! Which float type of MLIR a type is, without its text.

use melior::ir::{Type, TypeLike};
use mlir_sys::{MlirType, mlirComplexTypeGetElementType, mlirTypeIsAComplex};

macro_rules! floats {
    ($($(#[$doc:meta])* $name:ident $is:ident,)*) => {
        /// Float types of MLIR that GPUs compute with.
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

/// The type of the parts of a complex number; `None` for what is none.
pub fn complex_element<'c>(t: Type<'c>) -> Option<Type<'c>> {
    // SAFETY: `t` is a live type, and complex where it is asked for its parts, which live as long.
    unsafe {
        mlirTypeIsAComplex(t.to_raw()).then(|| Type::from_raw(mlirComplexTypeGetElementType(t.to_raw())))
    }
}
