//! [`Instruction`]: the PTX instruction of an atom that multiplies matrices.

use std::fmt;

/// The PTX instruction of an atom.
///
/// ```
/// use cute_arch::atoms::Instruction;
/// let scaled = Instruction::TCGEN05.pair().scaled();
/// assert_eq!(scaled.to_string(), "tcgen05.mma with .block_scale of two CTAs");
/// assert_eq!((scaled.ctas, scaled.sparse, scaled.scaled), (2, false, true));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The unit that computes.
    pub unit: MmaUnit,
    /// CTAs that compute together: 1 or 2.
    pub ctas: u32,
    /// Whether some elements of A are zero and not stored: `.sp`.
    pub sparse: bool,
    /// Whether blocks of A and B have scale factors: `.block_scale`.
    pub scaled: bool,
}

/// The unit that computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MmaUnit {
    /// `dp2a` and `dp4a`.
    Dot,
    /// `fma` of one thread, on one number or two.
    Fma,
    /// `mma.sync`.
    MmaSync,
    /// Several `mma.sync` on real and imaginary parts.
    Complex,
    /// `wgmma.mma_async`.
    Wgmma,
    /// `tcgen05.mma`.
    Tcgen05,
}

impl Instruction {
    /// `dp2a` and `dp4a`.
    pub const DOT: Self = Self::of(MmaUnit::Dot);
    /// `fma` of one thread.
    pub const FMA: Self = Self::of(MmaUnit::Fma);
    /// `mma.sync`.
    pub const MMA_SYNC: Self = Self::of(MmaUnit::MmaSync);
    /// Several `mma.sync` on real and imaginary parts.
    pub const COMPLEX: Self = Self::of(MmaUnit::Complex);
    /// `wgmma.mma_async`.
    pub const WGMMA: Self = Self::of(MmaUnit::Wgmma);
    /// `tcgen05.mma` of one CTA.
    pub const TCGEN05: Self = Self::of(MmaUnit::Tcgen05);

    const fn of(unit: MmaUnit) -> Self {
        Self { unit, ctas: 1, sparse: false, scaled: false }
    }

    /// The instruction of a pair of CTAs.
    pub const fn pair(self) -> Self {
        Self { ctas: 2, ..self }
    }

    /// The instruction with a sparse A.
    pub const fn sparse(self) -> Self {
        Self { sparse: true, ..self }
    }

    /// The instruction with factors of blocks.
    pub const fn scaled(self) -> Self {
        Self { scaled: true, ..self }
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.unit, self.sparse) {
            (MmaUnit::Dot, _) => "dp2a or dp4a",
            (MmaUnit::Fma, _) => "fma",
            (MmaUnit::Complex, _) => "complex mma",
            (MmaUnit::MmaSync, false) => "mma.sync",
            (MmaUnit::MmaSync, true) => "mma.sp.sync",
            (MmaUnit::Wgmma, false) => "wgmma",
            (MmaUnit::Wgmma, true) => "wgmma.sp",
            (MmaUnit::Tcgen05, false) => "tcgen05.mma",
            (MmaUnit::Tcgen05, true) => "tcgen05.mma.sp",
        })?;
        if self.scaled {
            f.write_str(" with .block_scale")?;
        }
        match (self.unit, self.ctas) {
            (MmaUnit::Tcgen05, 2) => f.write_str(" of two CTAs"),
            (MmaUnit::Tcgen05, _) => f.write_str(" of one CTA"),
            _ => Ok(()),
        }
    }
}
