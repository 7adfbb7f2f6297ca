//! Conversions between floats by the words of their names.

use cute_arch::Element;
use cute_machine::convert::Conversion;
use cute_machine::format::{Overflow, Rounding};

fn packed_float(word: &str) -> Option<Element> {
    match word {
        "f" | "ff" => Some(Element::F32),
        _ => word.trim_end_matches("x2").parse().ok().filter(|e: &Element| e.float().is_some()),
    }
}

/// The conversion that words name, and how many numbers it converts.
pub fn conversion_of(words: &[&str]) -> Option<(Conversion, u32)> {
    let (from, to, modifiers) = match *words {
        [from, "to", to, ref rest @ ..] => (from, to, rest),
        ["cvt", ref rest @ .., to, from] => (from, to, rest),
        [both, ref rest @ ..] => match both.split_once('2') {
            Some((from @ ("f" | "ff"), to @ ("tf32" | "bf16" | "f16" | "bf16x2" | "f16x2"))) => {
                (from, to, rest)
            }
            _ => return None,
        },
        [] => return None,
    };
    let count = if words.iter().any(|w| w.ends_with("x2")) { 2 } else { 1 };
    let (Some(from), Some(to)) = (packed_float(from), packed_float(to)) else { return None };
    let saturates = matches!(to, Element::E4m3 | Element::E5m2);
    let mut c = Conversion {
        from,
        to,
        rounding: Rounding::NearestEven,
        overflow: if saturates { Overflow::Saturate } else { Overflow::Ieee },
        relu: false,
    };
    for word in modifiers {
        match *word {
            "rn" => {}
            "rna" => c.rounding = Rounding::NearestAway,
            "rz" => c.rounding = Rounding::TowardZero,
            "rp" => c.rounding = Rounding::Up,
            "rm" => c.rounding = Rounding::Down,
            "satfinite" => c.overflow = Overflow::Saturate,
            "relu" => c.relu = true,
            _ => return None,
        }
    }
    Some((c, count))
}
