//! Costs of choices, and their order.

/// A cost. Costs are compared part by part, in the order of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cost {
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
    /// Sectors of global memory.
    pub sectors: u64,
    /// Lines of 128 bytes of global memory, each of which is one request to a cache.
    pub lines: u64,
    /// Instructions that access memory.
    pub instructions: u64,
    /// Registers for addresses beyond the few that code has anyway: an estimate, which only tells
    /// candidates apart that are equal otherwise.
    pub registers: u64,
    /// Bytes of shared memory.
    pub bytes: u64,
}

impl Cost {
    /// No cost.
    pub const ZERO: Self =
        Self { wavefronts: 0, sectors: 0, lines: 0, instructions: 0, registers: 0, bytes: 0 };

    /// The cost of shared memory alone.
    pub fn of_bytes(bytes: u64) -> Self {
        Self { bytes, ..Self::ZERO }
    }

    /// The sum, each part of which ends at the largest number.
    ///
    /// The order is compatible with it: `a < b` if and only if `a + c < b + c`, as long as no part
    /// reaches the largest number.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            wavefronts: self.wavefronts.saturating_add(other.wavefronts),
            sectors: self.sectors.saturating_add(other.sectors),
            lines: self.lines.saturating_add(other.lines),
            instructions: self.instructions.saturating_add(other.instructions),
            registers: self.registers.saturating_add(other.registers),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    /// The cost of `weight` executions. Registers and bytes do not grow with them.
    #[must_use]
    pub fn times(self, weight: u64) -> Self {
        Self {
            wavefronts: self.wavefronts.saturating_mul(weight),
            sectors: self.sectors.saturating_mul(weight),
            lines: self.lines.saturating_mul(weight),
            instructions: self.instructions.saturating_mul(weight),
            registers: self.registers,
            bytes: self.bytes,
        }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Self::plus)
    }
}

/// The order of texts among candidates of equal cost: the one with fewer numbers first, because it
/// says as much with fewer modes, or without a swizzle; then the order of the alphabet.
pub fn by_text(a: &str, b: &str) -> std::cmp::Ordering {
    let numbers = |text: &str| text.matches(',').count();
    (numbers(a), a).cmp(&(numbers(b), b))
}
