//! `mma`: products of a warp. Their names follow from the atom, so that no row has them.

use super::{Family, NONE, Refused, Spellings};

pub(super) const FAMILY: Family = Family { apart: APART, refused: REFUSED, ..Family::NONE };

const APART: Spellings = Spellings {
    ptx: &["mma", "mma.block_scale"],
    nvvm: &["mma.block_scale", "mma.sync"],
    intrinsic: &["mma.*"],
};

const REFUSED: &[Refused] = &[
    Refused {
        reason: "a sparse matrix",
        names: Spellings {
            ptx: &["mma.sp", "mma.sp::ordered_metadata"],
            nvvm: &["mma.sp.block_scale", "mma.sp.sync"],
            intrinsic: &["mma.sp.*"],
        },
    },
    Refused {
        reason: "CuTe has no atom that adds an f16 to a sum in f32",
        names: Spellings {
            ptx: NONE,
            nvvm: NONE,
            intrinsic: &[
                "mma.m8n8k4.col.col.f32.f16",
                "mma.m8n8k4.col.row.f32.f16",
                "mma.m8n8k4.row.col.f32.f16",
                "mma.m8n8k4.row.row.f32.f16",
            ],
        },
    },
];
