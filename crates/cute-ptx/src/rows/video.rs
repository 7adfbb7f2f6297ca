//! Video instructions: arithmetic of bytes and halves of a register. None of them runs.

use super::{Family, NONE, Refused, Spellings};

pub(super) const FAMILY: Family = Family { refused: REFUSED, ..Family::NONE };

const REFUSED: &[Refused] = &[Refused {
    reason: "a video instruction",
    names: Spellings {
        ptx: &[
            "vabsdiff",
            "vabsdiff2",
            "vabsdiff4",
            "vadd",
            "vadd2",
            "vadd4",
            "vavrg2",
            "vavrg4",
            "vmad",
            "vmax",
            "vmax2",
            "vmax4",
            "vmin",
            "vmin2",
            "vmin4",
            "vset",
            "vset2",
            "vset4",
            "vshl",
            "vshr",
            "vsub",
            "vsub2",
            "vsub4",
        ],
        nvvm: NONE,
        intrinsic: NONE,
    },
}];
