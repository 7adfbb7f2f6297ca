//! Operations of a warp's lanes together: `nvvm.shfl.sync` and its like.

use super::{Decoder, Held, malformed, unmodelled};
use crate::ir;
use cute_machine::types::{Scalar, Type};
use cute_sim::Error;
use cute_sim::program::{Collective, Op, Reduction, Shuffle, Slot, Vote};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn collective(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "nvvm.shfl.sync" => {
                let kind = ir::keyword_attr(op, "kind");
                let kind = kind.and_then(shuffle).ok_or_else(|| malformed(op, "no kind"))?;
                let [mask, value, offset, clamp] = self.words(op)?;
                let Flagged { dst, flag: in_range } = self.word_and_flag(op)?;
                let op_ = Collective::Shuffle { kind, dst, value, offset, clamp, in_range };
                self.emit(op, Op::Collective { mask: Some(mask), op: op_ });
            }
            "nvvm.vote.sync" => {
                let kind = ir::keyword_attr(op, "kind");
                let kind = kind.and_then(vote).ok_or_else(|| malformed(op, "no kind"))?;
                let [mask, predicate] = self.words(op)?;
                let dst = self.result(op)?.slot;
                let op_ = Collective::Vote { kind, dst, predicate };
                self.emit(op, Op::Collective { mask: Some(mask), op: op_ });
            }
            "nvvm.match.sync" => {
                let [mask, value] = self.words(op)?;
                let Flagged { dst, flag: all } = self.word_and_flag(op)?;
                self.emit(op, Op::Collective { mask: Some(mask), op: Collective::Match { dst, value, all } });
            }
            "nvvm.elect.sync" => {
                let mask = (op.operand_count() > 0).then(|| self.scalar_operand(op, 0)).transpose()?;
                let dst = self.result(op)?.slot;
                self.emit(
                    op,
                    Op::Collective {
                        mask: mask.map(|(slot, _)| slot),
                        op: Collective::Elect { dst, leader: None },
                    },
                );
            }
            "nvvm.redux.sync" => {
                let kind = ir::keyword_attr(op, "kind");
                let kind = kind.ok_or_else(|| malformed(op, "no kind"))?;
                let what = || format!("the reduction {kind}");
                let kind = reduction(kind).ok_or_else(|| unmodelled(op, what()))?;
                let [value, mask] = self.words(op)?;
                let dst = self.result(op)?.slot;
                let op_ = Collective::Reduce { kind, dst, value };
                self.emit(op, Op::Collective { mask: Some(mask), op: op_ });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The registers of all operands, which are scalars.
    pub(super) fn words<const N: usize>(&self, op: Ir<'_, '_>) -> Result<[Slot; N], Error> {
        let mut slots = [0; N];
        if op.operand_count() != N {
            return Err(malformed(op, format!("{} operands for {N}", op.operand_count())));
        }
        for (i, slot) in slots.iter_mut().enumerate() {
            *slot = self.scalar_operand(op, i)?.0;
        }
        Ok(slots)
    }

    /// A result that is one word, or a struct of it and a flag.
    pub(super) fn word_and_flag(&mut self, op: Ir<'_, '_>) -> Result<Flagged, Error> {
        let Held { slot: dst, ty } = self.result(op)?;
        match ty {
            Type::Scalar(_) => Ok(Flagged { dst, flag: None }),
            Type::Struct { fields, .. } if fields.len() == 2 && fields[1] == Type::Scalar(Scalar::Int(1)) => {
                Ok(Flagged { dst, flag: Some(dst + 1) })
            }
            other => Err(unmodelled(op, format!("a result {other:?}"))),
        }
    }
}

/// Registers of a word and, if the result has one, its flag.
pub(super) struct Flagged {
    pub(super) dst: Slot,
    pub(super) flag: Option<Slot>,
}

pub(super) fn shuffle(kind: &str) -> Option<Shuffle> {
    Some(match kind {
        "up" => Shuffle::Up,
        "down" => Shuffle::Down,
        "bfly" => Shuffle::Xor,
        "idx" => Shuffle::Index,
        _ => return None,
    })
}

pub(super) fn vote(kind: &str) -> Option<Vote> {
    Some(match kind {
        "any" => Vote::Any,
        "all" => Vote::All,
        "uni" => Vote::Uniform,
        "ballot" => Vote::Ballot,
        _ => return None,
    })
}

pub(super) fn reduction(kind: &str) -> Option<Reduction> {
    Some(match kind {
        "add" => Reduction::Add,
        "and" => Reduction::And,
        "or" => Reduction::Or,
        "xor" => Reduction::Xor,
        "min" => Reduction::MinS,
        "max" => Reduction::MaxS,
        "umin" => Reduction::MinU,
        "umax" => Reduction::MaxU,
        _ => return None,
    })
}
