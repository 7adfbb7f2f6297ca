//! `tcgen05.cp` as a value: shared memory to tensor memory.

use cute_algebra::CopySide;
use cute_arch::atoms::{self, Broadcast, CopyInstruction, TmemFill};
use cute_ffi::types::Kind;
use melior::ir::Type;

use super::copy::{CopyFamily, bits_of_row};

/// The keywords of what arrives more than once.
pub const BROADCASTS: [(&str, Broadcast); 4] = [
    ("none", Broadcast::Nothing),
    ("lw_0213", Broadcast::Lw0213),
    ("lw_0123", Broadcast::Lw0123),
    ("x4", Broadcast::X4),
];

/// The keyword of what arrives more than once.
pub fn broadcast_name(broadcast: Broadcast) -> &'static str {
    BROADCASTS.iter().find(|(_, own)| *own == broadcast).expect("every broadcast has a keyword").0
}

/// A shape of tensor memory that is filled from shared memory.
#[derive(Debug, Clone, PartialEq)]
pub struct S2tCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Lanes of tensor memory that are given: CuTe's data paths.
    pub lanes: i64,
    /// Bits of a lane.
    pub bits: i64,
    /// CTAs that it fills tensor memory of.
    pub ctas: i64,
    /// What arrives more than once.
    pub broadcast: Broadcast,
    /// Whether K is contiguous in shared memory, where the type says so: `sm100_s2t_copy_v2` does.
    pub k_major: Option<bool>,
}

impl S2tCopy<'_> {
    /// The row of the registry; otherwise what there is.
    pub fn entry(&self) -> Result<&'static atoms::CopyAtom, String> {
        let number = |n: i64| u32::try_from(n).ok();
        let fill = || {
            let (lanes, bits, ctas) = (number(self.lanes)?, number(self.bits)?, number(self.ctas)?);
            Some(TmemFill { lanes, bits, broadcast: self.broadcast, ctas })
        };
        fill().and_then(|fill| atoms::CopyAtom::of(CopyInstruction::TmemCopy(fill))).ok_or_else(|| {
            let text = |lanes: i64, bits: i64, broadcast: Broadcast| match broadcast {
                Broadcast::Nothing => format!("{lanes} DP, {bits} bit"),
                repeated => format!("{lanes} DP, {bits} bit, {}", broadcast_name(repeated)),
            };
            let shape = |atom: &atoms::CopyAtom| match atom.instruction {
                CopyInstruction::TmemCopy(TmemFill { lanes, bits, broadcast, ctas: 1 }) => {
                    Some(text(lanes.into(), bits.into(), broadcast))
                }
                _ => None,
            };
            let legal: Vec<_> = atoms::copy_atoms().iter().filter_map(shape).collect();
            format!(
                "there is no tcgen05.cp of {}, {} cta; there are, of 1 or 2 cta, {}",
                text(self.lanes, self.bits, self.broadcast),
                self.ctas,
                legal.join("; ")
            )
        })
    }
}

impl<'c> CopyFamily<'c> for S2tCopy<'c> {
    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn kind(&self) -> Kind {
        if self.k_major.is_some() { Kind::Sm100S2tCopyV2 } else { Kind::S2tCopy }
    }

    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, String>> {
        Some(self.entry())
    }

    fn bits(&self) -> i64 {
        bits_of_row(self.entry(), CopySide::Dst)
    }

    fn check(&self) -> Result<(), String> {
        self.entry().map(|_| ())
    }
}
