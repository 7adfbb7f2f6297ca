//! Conversions of f32 to small floats, against what CUDA's headers compute
//! (`tests/vectors/conversions.json`): every value and midpoint of the formats, their neighbours,
//! and what is not a number.

use cute_arch::Element::{E2m1, E2m3, E3m2, E4m3, E5m2, Ue8m0};
use cute_sim::format::{
    Overflow::{Ieee, Saturate},
    Rounding::{NearestEven, TowardZero, Up},
    encode,
};

#[test]
fn codes_are_those_of_cuda() {
    let columns = [
        (E4m3, NearestEven, Saturate),
        (E4m3, NearestEven, Ieee),
        (E5m2, NearestEven, Saturate),
        (E5m2, NearestEven, Ieee),
        (E2m3, NearestEven, Saturate),
        (E3m2, NearestEven, Saturate),
        (E2m1, NearestEven, Saturate),
        (Ue8m0, TowardZero, Saturate),
        (Ue8m0, Up, Saturate),
    ];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/conversions.json");
    let vectors: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let rows = vectors["rows"].as_array().unwrap();
    assert_eq!((rows.len(), vectors["columns"].as_array().unwrap().len()), (2724, 1 + columns.len()));
    let mut wrong = Vec::new();
    for row in rows {
        let codes: Vec<u64> = row.as_array().unwrap().iter().map(|code| code.as_u64().unwrap()).collect();
        let value = f32::from_bits(codes[0] as u32);
        for ((element, rounding, overflow), code) in columns.into_iter().zip(&codes[1..]) {
            let found = encode(element, value.into(), rounding, overflow);
            if found != Some(*code) {
                wrong.push(format!(
                    "{element} {rounding:?} {overflow:?} of {value:e} ({:#x}): {found:x?}, not {code:x}",
                    codes[0]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong[..wrong.len().min(30)].join("\n"));
}
