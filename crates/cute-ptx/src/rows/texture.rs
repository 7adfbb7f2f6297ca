//! Textures and surfaces. None of them runs.

use super::{Family, NONE, Refused, Spellings};

pub(super) const FAMILY: Family = Family { refused: REFUSED, ..Family::NONE };

const REFUSED: &[Refused] = &[
    Refused {
        reason: "a texture",
        names: Spellings {
            ptx: &["istypep", "tex", "tld4", "txq"],
            nvvm: NONE,
            intrinsic: &["istypep.sampler", "istypep.texture", "tex.*", "tld4.*", "txq.*"],
        },
    },
    Refused {
        reason: "a surface",
        names: Spellings {
            ptx: &["suld", "suq", "sured", "sust"],
            nvvm: NONE,
            intrinsic: &["istypep.surface", "suld.*", "suq.*", "sust.*"],
        },
    },
    Refused {
        reason: "the handle of a texture or of a surface",
        names: Spellings { ptx: NONE, nvvm: NONE, intrinsic: &["texsurf.handle", "texsurf.handle.internal"] },
    },
];
