//! Comparisons, selections and tests.

use super::{Family, Row, ptx};
use crate::keyword::keywords;
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, words: WORDS, ..Family::NONE };

const ROWS: &[Row] = &[
    ptx(
        O::Compare,
        &[
            "setp.{compare}.{type=u8,u16,u32,u64,s8,s16,s32,s64,b8,b16,b32,b64} d:pred, a, b",
            "setp.{compare}.{bool}.{type=u8,u16,u32,u64,s8,s16,s32,s64,b16,b32,b64} d:pred, a, b, q",
            "setp.{compare}.{type=u16,u32,u64,s16,s32,s64,b16,b32,b64} d|p:pred, a, b",
            "setp.{compare}.{bool}.{type=u16,u32,u64,s16,s32,s64,b16,b32,b64} d|p:pred, a, b, q",
            "setp.{float_compare}.{?ftz}.{type=f16,bf16,f32,f64} d:pred, a, b",
            "setp.{float_compare}.{bool}.{?ftz}.{type=f16,bf16,f32,f64} d:pred, a, b, q",
            "setp.{float_compare}.{?ftz}.{type=f32,f64,f16x2,bf16x2} d|p:pred, a, b",
            "setp.{float_compare}.{bool}.{?ftz}.{type=f32,f64,f16x2,bf16x2} d|p:pred, a, b, q",
        ],
    ),
    ptx(
        O::CompareToNumber,
        &[
            "set.{compare}.{to:type=u16,s16,u32,s32,f16,bf16,f32}.{type=u16,u32,u64,s16,s32,s64,b16,b32,b64} d, a, b",
            "set.{compare}.{bool}.{to:type=u16,s16,u32,s32,f16,bf16,f32}.{type=u16,u32,u64,s16,s32,s64,b16,b32,b64} d, a, b, q",
            "set.{float_compare}.{?ftz}.{to:type=u16,s16,u32,s32,f16,bf16,f32}.{type=f16,bf16,f32,f64} d, a, b",
            "set.{float_compare}.{bool}.{?ftz}.{to:type=u16,s16,u32,s32,f16,bf16,f32}.{type=f16,bf16,f32,f64} d, a, b, q",
            "set.{float_compare}.{?ftz}.{to:type=f16x2}.{type=f16x2} d, a, b",
            "set.{float_compare}.{?ftz}.{to:type=bf16x2}.{type=bf16x2} d, a, b",
            "set.{float_compare}.{bool}.{?ftz}.{to:type=f16x2}.{type=f16x2} d, a, b, q",
            "set.{float_compare}.{bool}.{?ftz}.{to:type=bf16x2}.{type=bf16x2} d, a, b, q",
        ],
    ),
    ptx(O::Select, &["selp.{type=b16,b32,b64,u16,u32,u64,s16,s32,s64,f16,bf16,f32,f64} d, a, b, q"]),
    ptx(
        O::SelectBySign,
        &[
            "slct.{type=b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.{by:type=s32} d, a, b, c:by",
            "slct.{?ftz}.{type=b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.{by:type=f32} d, a, b, c:by",
        ],
    ),
    ptx(O::TestFloat, &["testp.{class}.{type=f32,f64} d:pred, a"]),
];

keywords! {
    const WORDS;

    /// A comparison.
    Compare "compare" "" {
        /// Equal.
        Eq ["eq"] [] [],
        /// Not equal.
        Ne ["ne"] [] [],
        /// Less; unsigned `lo`.
        Lt ["lt" "lo"] [] [],
        /// At most; unsigned `ls`.
        Le ["le" "ls"] [] [],
        /// Greater; unsigned `hi`.
        Gt ["gt" "hi"] [] [],
        /// At least; unsigned `hs`.
        Ge ["ge" "hs"] [] [],
    }

    /// A comparison of floats; `u` in front holds too if one of them is NaN.
    FloatCompare "float_compare" "" {
        /// Equal.
        Eq ["eq"] [] [],
        /// Not equal.
        Ne ["ne"] [] [],
        /// Less.
        Lt ["lt"] [] [],
        /// At most.
        Le ["le"] [] [],
        /// Greater.
        Gt ["gt"] [] [],
        /// At least.
        Ge ["ge"] [] [],
        /// Equal or unordered.
        Equ ["equ"] [] [],
        /// Not equal or unordered.
        Neu ["neu"] [] [],
        /// Less or unordered.
        Ltu ["ltu"] [] [],
        /// At most or unordered.
        Leu ["leu"] [] [],
        /// Greater or unordered.
        Gtu ["gtu"] [] [],
        /// At least or unordered.
        Geu ["geu"] [] [],
        /// Neither is NaN.
        Num ["num"] [] [],
        /// One is NaN.
        Nan ["nan"] [] [],
    }

    /// A class of floats.
    FloatClass "class" "" {
        /// Neither infinite nor NaN.
        Finite ["finite"] [] [],
        /// Infinite.
        Infinite ["infinite"] [] [],
        /// Not NaN.
        Number ["number"] [] [],
        /// NaN.
        NotANumber ["notanumber"] [] [],
        /// Finite and not subnormal: zero is normal.
        Normal ["normal"] [] [],
        /// Subnormal.
        Subnormal ["subnormal"] [] [],
    }
}
