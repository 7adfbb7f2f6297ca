//! Rules of `wgmma`, and how a kernel breaks them.

use crate::quoted::NamedInstruction;
use cute_machine::place::SourcePlace;
use serde::Serialize;

crate::isa::rules! {
    "W1", "a warpgroup is four consecutive warps, the first with a number that is a multiple of 4; they execute an MMA together, with the same descriptors",
        "wgmma.mma_async", "`divergence`, `wgmma`";
    "W2", "`wgmma.fence` precedes the first MMA, and is repeated after registers of the accumulator were written; for registers of A the simulator cannot tell when they were written",
        "wgmma.fence", "`wgmma`";
    "W3", "accumulators, and fragments of A, are not used from the MMA until the warp has waited for its group; another MMA of the same shape may follow",
        "wgmma.wait_group", "`wgmma`; for A portability in PTX, and a note in IR, because a loop that LLVM unrolls uses other registers in each iteration";
    "W4", "ptxas repairs most violations of W2 and W3, and then runs one MMA after the other",
        "none: compiler", "`wgmma` mentions it";
    "W5", "`wgmma.wait_group` waits for groups that the warp has committed",
        "wgmma.commit_group", "`wgmma`";
    "W6", "multiplications are exact; order, width and rounding of additions are not specified: see [wgmma](#wgmma)",
        "wgmma.mma_async", "none: legal";
    "W7", "the metadata of a sparse A give the two stored elements of four different indices; for tf32 they are 0b0100 or 0b1110; those of threads that are not selected do not matter",
        "wgmma.mma_async.sp: Sparse matrix storage", "`wgmma`";
}

/// A rule of `wgmma`, and what breaks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "rule", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum WgmmaRule {
    /// A register is used that an MMA will write, or reads.
    #[error(
        "this uses a register that `{op}` ({location}) has not written yet: {}{REPAIRS}",
        wait(*.younger)
    )]
    InFlight {
        /// The operation that writes it.
        op: String,
        /// The source location.
        location: SourcePlace,
        /// Groups that the warp has committed after the MMA's own; `None` if that is not
        /// committed itself.
        younger: Option<u32>,
    },
    /// The registers of the accumulator are not those of one MMA before.
    #[error(
        "register {register} of the accumulator is still to be written by `{op}` ({location}), as another \
         part of an accumulator or of one of another shape: only an MMA of the same shape may follow on the \
         same accumulator without a `wgmma.wait_group`{REPAIRS}"
    )]
    Accumulator {
        /// The number of the register among those of the accumulator.
        register: usize,
        /// The operation that writes it.
        op: String,
        /// The source location.
        location: SourcePlace,
    },
    /// Registers of A are written while an MMA may still read them.
    #[error(
        "registers of A have changed since `{op}` ({location}) was issued, which may read them until this wait: wait for its \
         group before they are written{}",
        changes(*.is_ptx)
    )]
    Fragment {
        /// The operation that reads them.
        op: String,
        /// The source location.
        location: SourcePlace,
        /// Whether they are registers of PTX, and not values of IR.
        is_ptx: bool,
    },
    /// Threads of the warpgroup pass different values.
    #[error(
        "the {operand} is {one:#x} in one thread and {other:#x} in another: all 128 threads must pass the same"
    )]
    Differs {
        operand: String,
        /// A value, and another one.
        one: u64,
        other: u64,
    },
    /// No fence orders accesses of registers before it.
    #[error(
        "no `wgmma.fence` comes before it: one must come before the first `wgmma`, and again after other instructions have used registers \
         of the accumulator or of A{REPAIRS}"
    )]
    NoFence,
    /// No fence orders changes of the accumulator's registers before it.
    #[error(
        "registers of the accumulator were written since the wait for the previous MMAs, and no \
         `wgmma.fence` comes between that write and this MMA{REPAIRS}"
    )]
    NoFenceBehind,
    /// The metadata of a sparse A have a code that PTX leaves undefined.
    #[error(
        "the metadata of A are {word:#010x}, in which {code:#06b} stands for columns {} to {} of row {row}: {}",
        .columns[0], .columns[1], codes(.columns)
    )]
    Metadata {
        /// The metadata of the thread.
        word: u32,
        /// The four bits of it.
        code: u32,
        /// The row of A.
        row: usize,
        /// The first and the last column.
        columns: [usize; 2],
    },
    /// The descriptor is not valid for the instruction.
    #[error("the descriptor {word:#018x} of {matrix} is not valid")]
    Descriptor {
        /// `A` or `B`.
        matrix: &'static str,
        word: u64,
    },
}

impl WgmmaRule {
    /// The instruction that it names.
    pub(crate) fn named(&self) -> Option<NamedInstruction<'_>> {
        match self {
            Self::InFlight { op, location, .. }
            | Self::Accumulator { op, location, .. }
            | Self::Fragment { op, location, .. } => Some(NamedInstruction::of(op, location)),
            _ => None,
        }
    }
}

const REPAIRS: &str = "; ptxas may repair this by serialising the MMAs";

fn changes(is_ptx: bool) -> &'static str {
    if is_ptx {
        "; ptxas repairs some changes, by copies of the registers or by serialising the MMAs (C7514), but not all of them"
    } else {
        "; a value of a loop is one register here and may be several in PTX, so run the PTX of the kernel"
    }
}

fn codes([first, last]: &[usize; 2]) -> &'static str {
    if last - first == 1 {
        "of two elements of tf32, 0b0100 stores the first and 0b1110 the second"
    } else {
        "the indices of the two stored elements, of two bits each, must differ"
    }
}

fn wait(younger: Option<u32>) -> String {
    match younger {
        None => "commit it (`wgmma.commit_group`), then wait for its group (`wgmma.wait_group 0`)".to_owned(),
        Some(younger) => format!(
            "{younger} younger {} committed after its group, so `wgmma.wait_group {younger}` must come before",
            if younger == 1 { "group is" } else { "groups are" }
        ),
    }
}
