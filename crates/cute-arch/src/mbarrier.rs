//! The 64 bits of an `mbarrier` in shared memory, as a debugger shows them.
//!
//! The PTX ISA calls them opaque. Most fields follow from the machine code that ptxas 13.0.88 makes,
//! because some of PTX's operations are ordinary arithmetic on these bits:
//!
//! | operation | code for sm_90, sm_100 and sm_120 | code for sm_80 to sm_89 |
//! |---|---|---|
//! | `mbarrier.init` with `n` | stores `(2^20 - n) << 1` and, above, `(2^20 - n) << 11` | stores `2^30 - n` and, above, `2^31 - n` |
//! | `mbarrier.pending_count` of a state | `2^20 - (high >> 11 & 0xfffff)` | `2^31 - (high & 0x7fffffff)` |
//! | `mbarrier.test_wait.parity` with `p` | compares with `p << 31` of the high word | compares bit 31 of the high word |
//!
//! So counts are stored as what is left to a power of 2, the phase's parity is bit 63, and an arrival
//! that overflows its count changes it. Between the two counts of sm_90 lie 22 bits, which are 0 after
//! `mbarrier.init`. They hold the transactions: the ISA gives their range, which takes 21 bits, and
//! there is no other room. How they are coded does not follow from any code of ptxas, nor from public
//! documents; here they are a number without a meaning, and 0 means that there are none.
//! `crates/cute-tools/tests/cutec/autopsy.rs` compares the table with ptxas.

use crate::target::Target;
use std::fmt;

/// The largest count of arrivals (PTX ISA, "Contents of the mbarrier object").
pub const MOST_ARRIVALS: u32 = (1 << 20) - 1;

/// The place of the fields, which depends on the GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MbarrierForm {
    /// sm_80 to sm_89: counts in 30 and 31 bits, and no transactions.
    Counts,
    /// sm_90 and later: counts in 20 bits, with transactions between them.
    Transactions,
}

impl MbarrierForm {
    /// The form on a GPU.
    pub fn of(target: Target) -> Self {
        let digits = target.name().trim_start_matches("sm_");
        let number = digits.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<u32>();
        if number.is_ok_and(|number| number < 90) { MbarrierForm::Counts } else { MbarrierForm::Transactions }
    }

    /// The word after `mbarrier.init` with this count.
    pub fn initial(self, count: u32) -> u64 {
        let count = u64::from(count);
        match self {
            MbarrierForm::Counts => ((1 << 31) - count) << 32 | ((1 << 30) - count),
            MbarrierForm::Transactions => ((1 << 20) - count) << 43 | ((1 << 20) - count) << 1,
        }
    }

    /// The fields of a word.
    ///
    /// # Errors
    /// Why no operations on an `mbarrier` lead to it.
    ///
    /// ```
    /// use cute_arch::mbarrier::MbarrierForm;
    /// // After `mbarrier.init` with 2 and one arrival on sm_90.
    /// let word = MbarrierForm::Transactions.initial(2) + (1 << 43);
    /// let state = MbarrierForm::Transactions.read(word)?;
    /// assert_eq!((state.parity, state.pending, state.expected, state.transactions), (0, 1, 2, 0));
    /// // In the phase after this one, bit 63 is set.
    /// assert_eq!(MbarrierForm::Transactions.read(word | 1 << 63)?.parity, 1);
    /// # Ok::<(), cute_arch::mbarrier::NotMbarrier>(())
    /// ```
    pub fn read(self, word: u64) -> Result<MbarrierState, NotMbarrier> {
        let parity = (word >> 63) as u32;
        let (pending, expected, transactions, rest) = match self {
            MbarrierForm::Counts => {
                let pending = (1 << 31) - (word >> 32 & 0x7fff_ffff);
                (pending, (1 << 30) - (word & 0x3fff_ffff), 0, word >> 30 & 3)
            }
            MbarrierForm::Transactions => {
                let left = |shift: u32| (1u64 << 20) - (word >> shift & 0xf_ffff);
                (left(43), left(1), (word >> 21 & 0x3f_ffff) as u32, word & 1)
            }
        };
        // A count of which nothing is left is the whole power of 2.
        let whole = match self {
            MbarrierForm::Counts => 1 << 31,
            MbarrierForm::Transactions => 1 << 20,
        };
        let pending = if pending == whole { 0 } else { pending };
        let most = u64::from(MOST_ARRIVALS);
        if rest != 0 {
            return Err(NotMbarrier::Rest { word });
        }
        if expected > most || pending > most {
            return Err(NotMbarrier::Count { word });
        }
        if pending > expected {
            return Err(NotMbarrier::Pending { word, pending: pending as u32, expected: expected as u32 });
        }
        Ok(MbarrierState { parity, pending: pending as u32, expected: expected as u32, transactions })
    }
}

/// The fields of an `mbarrier`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MbarrierState {
    /// The parity of the phase that is not complete: a wait for this parity waits, and one for the
    /// other passes.
    pub parity: u32,
    /// Arrivals that this phase lacks.
    pub pending: u32,
    /// Arrivals that the next phase needs: what `mbarrier.init` says, less those that have dropped
    /// out.
    pub expected: u32,
    /// The bits of the transactions, whose coding is not known; 0 if there are none.
    pub transactions: u32,
}

/// A word that is not an `mbarrier` on this GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotMbarrier {
    /// Bits are set that `mbarrier.init` leaves 0 and no field reaches.
    Rest {
        /// The word.
        word: u64,
    },
    /// A count beyond its range: memory that was not initialised, for one.
    Count {
        /// The word.
        word: u64,
    },
    /// More arrivals are pending than the barrier expects.
    Pending {
        /// The word.
        word: u64,
        /// The first of its two counts.
        pending: u32,
        /// The second one.
        expected: u32,
    },
}

impl fmt::Display for NotMbarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotMbarrier::Rest { word } => write!(
                f,
                "{word:#018x} is not an mbarrier: bits are set that none has. It may be other data, or two words of 32 bits in the \
                 wrong order"
            ),
            NotMbarrier::Count { word } => write!(
                f,
                "{word:#018x} is not an initialised mbarrier: a count is beyond 2^20 - 1. It is other data, or `mbarrier.init` has \
                 not been executed"
            ),
            NotMbarrier::Pending { word, pending, expected } => write!(
                f,
                "{word:#018x} is not an mbarrier: {pending} arrivals would be pending of {expected}. It is other data, or a word for \
                 another GPU"
            ),
        }
    }
}

impl std::error::Error for NotMbarrier {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_initialised() {
        for form in [MbarrierForm::Counts, MbarrierForm::Transactions] {
            for count in [1, 2, 3, 128, 384, MOST_ARRIVALS] {
                let state = form.read(form.initial(count)).unwrap();
                let expected = MbarrierState { parity: 0, pending: count, expected: count, transactions: 0 };
                assert_eq!(state, expected, "{form:?} {count}");
            }
        }
        // What ptxas stores for sm_80 with a count of 3.
        assert_eq!(MbarrierForm::Counts.initial(3), 0x7fff_fffd_3fff_fffd);
    }

    #[test]
    fn other_data_is_refused() {
        let form = MbarrierForm::Transactions;
        assert_eq!(form.read(0), Err(NotMbarrier::Count { word: 0 }));
        assert_eq!(form.read(u64::MAX), Err(NotMbarrier::Rest { word: u64::MAX }));
        let early = form.initial(2) - (5 << 43);
        assert_eq!(form.read(early), Err(NotMbarrier::Pending { word: early, pending: 7, expected: 2 }));
        assert_eq!(form.read(form.initial(1) | 1 << 30).unwrap().transactions, 1 << 9);
    }

    #[test]
    fn the_form_is_that_of_the_gpu() {
        let of = |name: &str| MbarrierForm::of(name.parse().unwrap_or(Target::Sm90));
        assert_eq!((of("sm_80"), of("sm_89")), (MbarrierForm::Counts, MbarrierForm::Counts));
        assert_eq!(
            (of("sm_90a"), of("sm_100a"), of("sm_120a")),
            (MbarrierForm::Transactions, MbarrierForm::Transactions, MbarrierForm::Transactions)
        );
    }
}
