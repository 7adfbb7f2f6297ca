//! The compiler's own: LLVM's notes to its backend, constants of a compilation, PTX in IR.

use super::{Family, NONE, Refused, Spellings};

pub(super) const FAMILY: Family = Family { apart: APART, refused: REFUSED, ..Family::NONE };

const APART: Spellings = Spellings { ptx: NONE, nvvm: &["inline_ptx"], intrinsic: NONE };

const REFUSED: &[Refused] = &[
    Refused {
        reason: "a message of the compiler",
        names: Spellings { ptx: NONE, nvvm: NONE, intrinsic: &["compiler.error", "compiler.warn"] },
    },
    Refused {
        reason: "a constant of the compilation",
        names: Spellings { ptx: NONE, nvvm: NONE, intrinsic: &["reflect"] },
    },
    Refused {
        reason: "an address that LLVM's backend makes for itself",
        names: Spellings { ptx: NONE, nvvm: NONE, intrinsic: &["internal.addrspace.wrap"] },
    },
];
