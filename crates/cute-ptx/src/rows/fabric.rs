//! The fabric between devices. Nothing of it runs.

use super::{Family, NONE, Refused, Spellings};

pub(super) const FAMILY: Family = Family { refused: REFUSED, ..Family::NONE };

const REFUSED: &[Refused] = &[Refused {
    reason: "a fabric between devices, and there is one device",
    names: Spellings { ptx: &["fabric.submit.commit_group", "fabric.wait"], nvvm: NONE, intrinsic: NONE },
}];
