//! `wmma`: products of a warp with fragments in memory. Their names follow from the shape.

use super::{Family, NONE, Refused, Spellings};

pub(super) const FAMILY: Family = Family { apart: APART, refused: REFUSED, ..Family::NONE };

const APART: Spellings = Spellings {
    ptx: &["wmma.load", "wmma.mma", "wmma.store"],
    nvvm: &["wmma.load", "wmma.mma", "wmma.store"],
    intrinsic: &["wmma.*"],
};

const REFUSED: &[Refused] = &[Refused {
    reason: "a fragment consists of those of `mma`, which has no such sum",
    names: Spellings {
        ptx: NONE,
        nvvm: NONE,
        intrinsic: &[
            "wmma.*.f16.f16.satfinite",
            "wmma.*.f16.f32",
            "wmma.*.f16.f32.satfinite",
            "wmma.*.f32.f16",
            "wmma.*.f32.f16.satfinite",
            "wmma.*.f32.f32.satfinite",
        ],
    },
}];
