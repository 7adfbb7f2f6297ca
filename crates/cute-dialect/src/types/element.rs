//! The types of elements as they are written.

use cute_ffi::syntax::{Parsed, Parser};
use melior::ir::Type;

/// Takes the type of an element.
pub fn element_type<'c>(p: &Parser<'c>) -> Parsed<Type<'c>> {
    let at = p.at();
    if let Some(t) = p.optional_type()? {
        return Ok(t);
    }
    let word = p.keyword().unwrap_or_default();
    let text = match element_called(&word) {
        Some(name) => format!("`{word}` is not a type of MLIR: write {name}"),
        None => "expected a type of elements, such as f16, bf16, f32, f8E4M3FN, i8 or i1".into(),
    };
    p.error(at, &text)
}

/// MLIR's name of a type that CUTLASS or C++ calls otherwise.
fn element_called(word: &str) -> Option<&'static str> {
    Some(match word {
        "half" | "half_t" | "float16" | "fp16" => "f16",
        "bfloat" | "bfloat16" | "bfloat16_t" => "bf16",
        "tfloat32_t" | "tfloat32" => "tf32",
        "float" | "float32" | "fp32" => "f32",
        "double" | "float64" | "fp64" => "f64",
        "float_e4m3_t" | "e4m3" | "fp8" => "f8E4M3FN",
        "float_e5m2_t" | "e5m2" => "f8E5M2",
        "float_e2m1_t" | "e2m1" => "f4E2M1FN",
        "float_ue8m0_t" | "ue8m0" => "f8E8M0FNU",
        "char" | "int8_t" | "int8" => "i8",
        "int" | "int32_t" | "int32" => "i32",
        "bool" => "i1",
        _ => return None,
    })
}
