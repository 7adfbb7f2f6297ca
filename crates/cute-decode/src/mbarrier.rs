//! `mbarrier`, in three spellings: operations of NVVM, LLVM's intrinsics, and PTX. They use the
//! same words, and the operands have the same order: the address, then counts or a phase.

use super::{Decoder, malformed};
use crate::ir;
use cute_ffi::ir::is_used;
use cute_machine::types::Scalar;
use cute_sim::Error;
use cute_sim::address::CLUSTER;
use cute_sim::program::Scope;
use cute_sim::program::{Arrival, AwaitedBy, BarrierWait, Blocking, MbarrierOp, Op, Slot};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// An `mbarrier` instruction.
pub(super) struct Spelled {
    instruction: Instruction,
    relaxed: bool,
    scope: Scope,
    /// Whether its result is unused.
    pub(super) ignored: bool,
}

#[derive(Clone, Copy)]
enum Instruction {
    Init,
    Invalidate,
    Expect { comes: bool },
    Arrive { expects: bool, drop: bool, completes: bool },
    Wait { blocking: Blocking, parity: bool },
    PendingCount,
}

/// Decodes the words after `mbarrier`.
pub(super) fn spelled(words: &[&str]) -> Option<Spelled> {
    let words: Vec<&str> = words.iter().flat_map(|word| word.split('_')).collect();
    // The word after one of these is the scope, as in `release.cluster` and `scope.cluster`;
    // elsewhere it is a space.
    let is_wide = |pair: &[&str]| matches!(pair, ["release" | "acquire" | "relaxed" | "scope", "cluster"]);
    let scope = if words.windows(2).any(is_wide) { Scope::Cluster } else { Scope::Block };
    // The pointer determines the place of the barrier, and release and acquire are the default.
    let means = |word: &&str| {
        !matches!(
            *word,
            "scope"
                | "cta"
                | "cluster"
                | "space"
                | "shared"
                | "b64"
                | "release"
                | "acquire"
                | "relaxed"
                | "tl"
        )
    };
    let relaxed = words.contains(&"relaxed");
    let words: Vec<&str> = words.into_iter().filter(means).collect();
    let arrive = |expects, drop, completes| Instruction::Arrive { expects, drop, completes };
    let wait = |blocking, parity| Instruction::Wait { blocking, parity };
    let instruction = match words[..] {
        ["init"] => Instruction::Init,
        ["inval"] => Instruction::Invalidate,
        ["expect", "tx"] => Instruction::Expect { comes: false },
        ["complete", "tx"] => Instruction::Expect { comes: true },
        ["arrive"] => arrive(false, false, true),
        ["arrive", "drop"] => arrive(false, true, true),
        ["arrive", "noComplete" | "nocomplete"] => arrive(false, false, false),
        ["arrive", "drop", "noComplete" | "nocomplete"] => arrive(false, true, false),
        ["arrive", "expect", "tx"] => arrive(true, false, true),
        ["arrive", "drop", "expect", "tx"] => arrive(true, true, true),
        ["test", "wait"] => wait(Blocking::Test, false),
        ["test", "wait", "parity"] => wait(Blocking::Test, true),
        ["try", "wait"] => wait(Blocking::Try, false),
        ["try", "wait", "parity"] => wait(Blocking::Try, true),
        ["pending", "count"] => Instruction::PendingCount,
        _ => return None,
    };
    Some(Spelled { instruction, relaxed, scope, ignored: false })
}

/// Whether nothing uses the results of an operation that has some.
fn is_ignored(op: Ir<'_, '_>) -> bool {
    op.result_count() > 0 && op.results().all(|result| !is_used(result.into()))
}

impl Spelled {
    /// Reads the attributes of the operation, and whether its results are used.
    fn read_attributes(&mut self, op: Ir<'_, '_>) {
        self.relaxed |= ir::int_attr(op, "relaxed") == Some(1);
        if ir::keyword_attr(op, "scope") == Some("cluster") {
            self.scope = Scope::Cluster;
        }
        self.ignored = is_ignored(op);
    }
}

impl Decoder<'_> {
    /// An operation whose operands are those of the instruction, its result the instruction's.
    pub(super) fn mbarrier(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some(mut spelled) = spelled(words) else { return Ok(false) };
        spelled.read_attributes(op);
        let operands =
            (0..op.operand_count()).map(|i| self.scalar_operand(op, i)).collect::<Result<Vec<_>, _>>()?;
        let dst = if op.result_count() > 0 { Some(self.result(op)?.slot) } else { None };
        self.emit_mbarrier(op, spelled, &operands, dst)?;
        Ok(true)
    }

    /// An operation of NVVM: one without a result waits until it is complete, and the last operand
    /// may be a predicate.
    pub(super) fn nvvm_mbarrier(&mut self, op: Ir<'_, '_>, name: &str) -> Result<bool, Error> {
        let words: Vec<&str> = name.split('.').collect();
        let Some(mut spelled) = spelled(&words) else { return Ok(false) };
        spelled.read_attributes(op);
        let mut operands =
            (0..op.operand_count()).map(|i| self.scalar_operand(op, i)).collect::<Result<Vec<_>, _>>()?;
        let dst = if op.result_count() > 0 { Some(self.result(op)?.slot) } else { None };
        if let Instruction::Wait { blocking, parity } = &mut spelled.instruction {
            *parity |= operands.get(1).is_some_and(|(_, scalar)| *scalar == Scalar::Int(32));
            *blocking = if dst.is_some() { *blocking } else { Blocking::Until };
        }
        let predicate =
            operands.last().filter(|(_, scalar)| *scalar == Scalar::Int(1)).map(|(slot, _)| *slot);
        let Some(predicate) = predicate else {
            self.emit_mbarrier(op, spelled, &operands, dst)?;
            return Ok(true);
        };
        operands.pop();
        let guard = self.guard(op, predicate, true);
        self.emit_mbarrier(op, spelled, &operands, dst)?;
        self.end_guard(guard);
        Ok(true)
    }

    pub(super) fn emit_mbarrier(
        &mut self,
        op: Ir<'_, '_>,
        spelled: Spelled,
        operands: &[(Slot, Scalar)],
        dst: Option<Slot>,
    ) -> Result<(), Error> {
        let Spelled { instruction, relaxed, scope, ignored } = spelled;
        let missing = || malformed(op, "an operand of the mbarrier instruction is missing");
        let slot = |i: usize| operands.get(i).map(|(slot, _)| *slot).ok_or_else(missing);
        let (address, scalar) = *operands.first().ok_or_else(missing)?;
        let space = match (scalar, instruction) {
            (Scalar::Ptr(space), _) => space,
            (_, Instruction::PendingCount) => 0,
            (other, _) => return Err(malformed(op, format!("an mbarrier at an address of type {other:?}"))),
        };
        // ptxas refuses both.
        if space == CLUSTER && matches!(instruction, Instruction::Wait { .. }) {
            return Err(malformed(op, "only threads of the barrier's own block may wait for it"));
        }
        if space == CLUSTER && matches!(instruction, Instruction::Arrive { .. }) && dst.is_some() {
            return Err(malformed(op, "an arrival at another block's barrier has no state as its result"));
        }
        let instruction = match instruction {
            Instruction::Init => MbarrierOp::Init { count: slot(1)? },
            Instruction::Invalidate => MbarrierOp::Invalidate,
            Instruction::Expect { comes } => MbarrierOp::Expect { bytes: slot(1)?, comes },
            Instruction::Arrive { expects, drop, completes } => {
                let second = operands.get(1).map(|(slot, _)| *slot);
                let expect = if expects { Some(slot(1)?) } else { None };
                let count = if expects { None } else { second };
                MbarrierOp::Arrive(Arrival { count, expect, drop, completes, relaxed, scope, dst })
            }
            Instruction::Wait { blocking, parity } => {
                let awaited = if parity { AwaitedBy::Parity(slot(1)?) } else { AwaitedBy::Token(slot(1)?) };
                let ignored = ignored && blocking != Blocking::Until;
                MbarrierOp::Wait(BarrierWait { awaited, blocking, dst, relaxed, scope, ignored })
            }
            Instruction::PendingCount => MbarrierOp::PendingCount { dst: dst.ok_or_else(missing)? },
        };
        self.emit(op, Op::Mbarrier { op: instruction, address, space });
        Ok(())
    }

    /// `cp.async.mbarrier.arrive`, at the address in the first operand.
    pub(super) fn follow(&mut self, op: Ir<'_, '_>, increment: bool) -> Result<(), Error> {
        let (address, scalar) = self.scalar_operand(op, 0)?;
        let Scalar::Ptr(space) = scalar else { return Err(malformed(op, "the address is not a pointer")) };
        self.emit(op, Op::Mbarrier { op: MbarrierOp::Follow { increment }, address, space });
        Ok(())
    }
}
