//! Operations of a warp's lanes together: `nvvm.shfl.sync` and its like.

use super::{Decoder, Held, malformed, unmodelled};
use crate::error::Error;
use crate::ir;
use crate::program::{Collective, Op, Reduction, Shuffle, Slot, Vote};
use crate::types::{Scalar, Type};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn collective(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "nvvm.shfl.sync" => {
                let kind = match ir::keyword_attr(op, "kind", "shfl_kind").as_deref() {
                    Some("up") => Shuffle::Up,
                    Some("down") => Shuffle::Down,
                    Some("bfly") => Shuffle::Xor,
                    Some("idx") => Shuffle::Index,
                    _ => return Err(malformed(op, "no kind")),
                };
                let [mask, value, offset, clamp] = self.words(op)?;
                let (dst, in_range) = self.word_and_flag(op)?;
                let op_ = Collective::Shuffle { kind, dst, value, offset, clamp, in_range };
                self.emit(op, Op::Collective { mask: Some(mask), op: op_ });
            }
            "nvvm.vote.sync" => {
                let kind = match ir::keyword_attr(op, "kind", "vote_sync_kind").as_deref() {
                    Some("any") => Vote::Any,
                    Some("all") => Vote::All,
                    Some("uni") => Vote::Uniform,
                    Some("ballot") => Vote::Ballot,
                    _ => return Err(malformed(op, "no kind")),
                };
                let [mask, predicate] = self.words(op)?;
                let dst = self.result(op)?.slot;
                let op_ = Collective::Vote { kind, dst, predicate };
                self.emit(op, Op::Collective { mask: Some(mask), op: op_ });
            }
            "nvvm.match.sync" => {
                let [mask, value] = self.words(op)?;
                let (dst, all) = self.word_and_flag(op)?;
                self.emit(op, Op::Collective { mask: Some(mask), op: Collective::Match { dst, value, all } });
            }
            "nvvm.elect.sync" => {
                let mask = (op.operand_count() > 0).then(|| self.scalar_operand(op, 0)).transpose()?;
                let dst = self.result(op)?.slot;
                self.emit(
                    op,
                    Op::Collective { mask: mask.map(|(slot, _)| slot), op: Collective::Elect { dst } },
                );
            }
            "nvvm.redux.sync" => {
                let kind = match ir::keyword_attr(op, "kind", "redux_kind").as_deref() {
                    Some("add") => Reduction::Add,
                    Some("and") => Reduction::And,
                    Some("or") => Reduction::Or,
                    Some("xor") => Reduction::Xor,
                    Some("min") => Reduction::MinS,
                    Some("max") => Reduction::MaxS,
                    Some("umin") => Reduction::MinU,
                    Some("umax") => Reduction::MaxU,
                    other => return Err(unmodelled(op, format!("the reduction {}", other.unwrap_or("?")))),
                };
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
    fn words<const N: usize>(&self, op: Ir<'_, '_>) -> Result<[Slot; N], Error> {
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
    fn word_and_flag(&mut self, op: Ir<'_, '_>) -> Result<(Slot, Option<Slot>), Error> {
        let Held { slot, ty } = self.result(op)?;
        match ty {
            Type::Scalar(_) => Ok((slot, None)),
            Type::Struct { fields, .. } if fields.len() == 2 && fields[1] == Type::Scalar(Scalar::Int(1)) => {
                Ok((slot, Some(slot + 1)))
            }
            other => Err(unmodelled(op, format!("a result {other:?}"))),
        }
    }
}
