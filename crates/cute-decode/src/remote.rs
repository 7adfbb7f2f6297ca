//! `st.async`, `red.async` and `clusterlaunchcontrol`: NVVM, LLVM's intrinsics and PTX.

use super::{Decoder, Held, malformed};
use crate::ir;
use cute_machine::int::IntOp;
use cute_machine::types::{Scalar, Type};
use cute_sim::Error;
use cute_sim::program::{LaunchControl, Op, Remote, Slot, Update};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// The effect of `st.async` (without a name) or `red.async`, by the last words: its type, and the
/// update of the old values.
pub(super) fn remote(words: &[&str], reduces: bool) -> Option<(Scalar, Option<Update>)> {
    let last = words.last()?;
    let (kind, bits) = last.split_at_checked(1)?;
    let scalar = match *last {
        "f32" => Scalar::F32,
        "f64" => Scalar::F64,
        _ => Scalar::Int(bits.parse().ok().filter(|bits| matches!(bits, 32 | 64))?),
    };
    if !reduces {
        return matches!(kind, "b" | "u" | "s" | "f").then_some((scalar, None));
    }
    let signed = kind == "s";
    let update = match (words[words.len().checked_sub(2)?], kind, scalar.bits()) {
        ("inc", "u", 32) => Update::IncrementWrap,
        ("dec", "u", 32) => Update::DecrementWrap,
        ("add", "u", 32 | 64) | ("add", "s", 32) => Update::Int(IntOp::Add),
        ("min", "u" | "s", 32) => Update::Int(if signed { IntOp::MinS } else { IntOp::MinU }),
        ("max", "u" | "s", 32) => Update::Int(if signed { IntOp::MaxS } else { IntOp::MaxU }),
        ("and", "b", 32) => Update::Int(IntOp::And),
        ("or", "b", 32) => Update::Int(IntOp::Or),
        ("xor", "b", 32) => Update::Int(IntOp::Xor),
        _ => return None,
    };
    Some((scalar, Some(update)))
}

impl Decoder<'_> {
    /// Assembly with an attribute that names one of these; its operands are the instruction's.
    pub(super) fn named_remote(
        &mut self,
        op: Ir<'_, '_>,
        words: &[&str],
        reduces: bool,
    ) -> Result<bool, Error> {
        let Some((scalar, update)) = remote(words, reduces) else { return Ok(false) };
        let slots = (0..op.operand_count()).map(|i| Ok(self.scalar_operand(op, i)?.0));
        let slots = slots.collect::<Result<Vec<Slot>, Error>>()?;
        let [address, values @ .., barrier] = &slots[..] else {
            return Err(malformed(op, "an operand is missing"));
        };
        self.emit_remote(op, scalar, update, (*address, values, *barrier))
    }

    /// The values go to the address, and the barrier counts their bytes.
    pub(super) fn emit_remote(
        &mut self,
        op: Ir<'_, '_>,
        scalar: Scalar,
        update: Option<Update>,
        (address, values, barrier): (Slot, &[Slot], Slot),
    ) -> Result<bool, Error> {
        let count = if update.is_some() { &[1][..] } else { &[1, 2, 4] };
        if !count.contains(&values.len()) {
            return Err(malformed(op, format!("{} values", values.len())));
        }
        let values = values.into();
        self.emit(op, Op::Remote(Remote { address, values, scalar, update, barrier }.into()));
        Ok(true)
    }

    /// `nvvm.clusterlaunchcontrol.` and the name.
    pub(super) fn nvvm_control(&mut self, op: Ir<'_, '_>, name: &str) -> Result<bool, Error> {
        match name {
            "try.cancel" => {
                let multicast = op.has_attribute("multicast");
                let (address, barrier) = (self.scalar_operand(op, 0)?.0, self.scalar_operand(op, 1)?.0);
                self.emit(op, Op::Launch(LaunchControl::TryCancel { address, barrier, multicast }));
                Ok(true)
            }
            "query.cancel" => {
                let query =
                    ir::keyword_attr(op, "query_type").ok_or_else(|| malformed(op, "no query_type"))?;
                self.query(op, query)
            }
            _ => Ok(false),
        }
    }

    /// Decodes the words after `clusterlaunchcontrol`, of an intrinsic.
    pub(super) fn named_control(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        match *words {
            ["try_cancel", "async", ref rest @ ..] => {
                let multicast = rest.contains(&"multicast");
                let (address, barrier) = (self.scalar_operand(op, 0)?.0, self.scalar_operand(op, 1)?.0);
                self.emit(op, Op::Launch(LaunchControl::TryCancel { address, barrier, multicast }));
                Ok(true)
            }
            ["query_cancel", "is_canceled", ..] => self.query(op, "is_canceled"),
            ["query_cancel", "get_first_ctaid", axis, ..] => {
                self.query(op, &format!("get_first_cta_id_{axis}"))
            }
            _ => Ok(false),
        }
    }

    /// A question about the answer in operand 0, as NVVM calls it.
    fn query(&mut self, op: Ir<'_, '_>, query: &str) -> Result<bool, Error> {
        let Held { slot: answer, ty: Type::Array(2, _) } = self.operand(op, 0)? else {
            return Err(malformed(op, "the answer is not an i128"));
        };
        let dst = self.result(op)?.slot;
        let control = match query {
            "is_canceled" => LaunchControl::IsCanceled { dst, answer },
            "get_first_cta_id_x" => LaunchControl::FirstBlock { dst, axis: 0, answer },
            "get_first_cta_id_y" => LaunchControl::FirstBlock { dst, axis: 1, answer },
            "get_first_cta_id_z" => LaunchControl::FirstBlock { dst, axis: 2, answer },
            _ => return Ok(false),
        };
        self.emit(op, Op::Launch(control));
        Ok(true)
    }
}
