//! `tcgen05`.

use super::tensor::{row_copy, scale_count, tensor_move};
use crate::call::Call;
use crate::matrix::pieces;
use crate::{Assembler, Held, malformed};
use cute_arch::atoms::{Broadcast, Tcgen05Group, Tcgen05Kind};
use cute_machine::float::FloatUnary;
use cute_machine::int::IntOp;
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{Operation as O, Role, ScalarType, ScaleVector, TensorFence, TensorShape, TensorWait};
use cute_sim::address::TENSOR;
use cute_sim::program::{
    Op, Piece, ScalarOp, Slot, Tcgen05Op, TensorMma, TensorOperand, TensorScales, Ternary, Unary,
};
use cute_sim::tensor::TmemMove;
use cute_sim::{Error, Malformed};

impl Assembler {
    pub(crate) fn tcgen05(&mut self, call: &Call) -> Result<(), Error> {
        let operation = call.instruction.row.operation;
        let pair = self.group_of(call)? == Tcgen05Group::Pair;
        let is_for_any = call.has("ws")
            || matches!(operation, O::TensorLoad | O::TensorStore | O::TensorWait | O::TensorFence);
        if !is_for_any {
            self.one_group(&call.at, pair)?;
        }
        let what = match operation {
            O::TensorAlloc => {
                let (to, space) = call.pointer(Role::ADDRESS)?;
                Tcgen05Op::Alloc { to, space, columns: call.slot(Role::COUNT)?, pair }
            }
            O::TensorDealloc => {
                Tcgen05Op::Dealloc { address: call.slot(Role::A)?, columns: call.slot(Role::COUNT)?, pair }
            }
            O::TensorRelinquish => Tcgen05Op::Relinquish,
            O::TensorLoad => {
                let (shape, registers) = self.words_of(call, Role::RESULT, ["pack::16b", "pack"])?;
                let (address, offset) = (call.slot(Role::ADDRESS)?, call.maybe_slot(Role::OFFSET));
                let load = Tcgen05Op::Load { shape, address, offset, registers: registers.clone() };
                self.emit(&call.at, Op::Tcgen05(Box::new(load)));
                return self.reduction_of_words(call, &registers);
            }
            O::TensorStore => {
                let (shape, registers) = self.words_of(call, Role::VALUES, ["unpack::16b", "unpack"])?;
                let (address, offset) = (call.slot(Role::ADDRESS)?, call.maybe_slot(Role::OFFSET));
                Tcgen05Op::Store { shape, address, offset, registers }
            }
            O::TensorWait => Tcgen05Op::Wait { stores: call.needed::<TensorWait>()? == TensorWait::Store },
            O::TensorFence => {
                Tcgen05Op::Fence { before: call.needed::<TensorFence>()? == TensorFence::Before }
            }
            O::TensorCommit => {
                let (barrier, space) = call.pointer(Role::ADDRESS)?;
                Tcgen05Op::Commit { barrier, space, mask: call.maybe_slot(Role::MASK) }
            }
            O::TensorCopy => {
                let broadcast = call.keyword().unwrap_or(Broadcast::Nothing);
                let rows = row_copy(&call.at, call.needed()?, broadcast)?;
                Tcgen05Op::Copy {
                    address: call.slot(Role::ADDRESS)?,
                    source: call.slot(Role::A)?,
                    rows,
                    pair,
                }
            }
            _ => Tcgen05Op::Multiply(self.tensor_product(call)?),
        };
        self.emit(&call.at, Op::Tcgen05(Box::new(what)));
        Ok(())
    }

    /// The blocks that an instruction is for: by a word, or by a number in LLVM's intrinsics.
    fn group_of(&self, call: &Call) -> Result<Tcgen05Group, Error> {
        if call.maybe(Role::CTAS).is_none() {
            return Ok(call.keyword().unwrap_or(Tcgen05Group::One));
        }
        match self.number_of(call, Role::CTAS)? {
            1 => Ok(Tcgen05Group::One),
            2 => Ok(Tcgen05Group::Pair),
            other => Err(malformed(&call.at, Malformed::OperandValue, format!("a group of {other} blocks"))),
        }
    }

    /// The registers of a load or a store, as many as the name says, if it does. `halves`: the word
    /// for two numbers in each, which may be a constant operand instead.
    #[allow(clippy::type_complexity)]
    fn words_of(
        &self,
        call: &Call,
        role: Role,
        halves: [&str; 2],
    ) -> Result<(&'static TmemMove, Box<[Piece]>), Error> {
        let shape: TensorShape = call.needed()?;
        let held: Vec<Held> = call.all(role).cloned().collect();
        let registers = match call.is_text {
            true => held.iter().map(|held| Piece { slot: held.slot, bits: 32 }).collect(),
            false => pieces(&held),
        };
        if registers.iter().any(|piece| piece.bits != 32) {
            let types: Vec<_> = held.iter().map(|held| &held.ty).collect();
            return Err(malformed(&call.at, Malformed::OperandType, format!("registers {types:?}")));
        }
        let (_, _, each) = shape.extents();
        let repeats = ["x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"];
        let count = match repeats.iter().position(|word| call.has(word)) {
            Some(power) => each << power,
            None => registers.len() as u32,
        };
        let is_asked = call.maybe(Role::ID).is_some() && self.number_of(call, Role::ID)? != 0;
        let model =
            tensor_move(&call.at, shape, count, is_asked || halves.iter().any(|word| call.has(word)))?;
        self.has_registers(&call.at, model, registers.len())?;
        Ok((model, registers))
    }

    /// `tcgen05.ld.red`: the least or the greatest of the words that a thread has loaded. Those
    /// keep their signs.
    fn reduction_of_words(&mut self, call: &Call, words: &[Piece]) -> Result<(), Error> {
        let Some(result) = call.maybe_slot(Role::REDUCED) else { return Ok(()) };
        let ty = call.needed::<ScalarType>()?;
        let mut reduced = None;
        for Piece { slot, .. } in words {
            let mut word = *slot;
            if call.has("abs") {
                let at = Unary { dst: self.temporary(&call.at)?, a: word, lanes: 1 };
                self.emit(&call.at, ScalarOp::FloatUnary { op: FloatUnary::Abs, ty: Scalar::F32, at });
                word = at.dst;
            }
            reduced = Some(match reduced {
                None => word,
                Some(before) => self.extremum_of(call, ty, [before, word])?,
            });
        }
        if let Some(reduced) = reduced {
            self.copy_of(&call.at, result, reduced);
        }
        Ok(())
    }

    /// The less or the greater of two words.
    fn extremum_of(&mut self, call: &Call, ty: ScalarType, [a, b]: [Slot; 2]) -> Result<Slot, Error> {
        let is_least = call.has("min");
        let op = match (ty, is_least) {
            (ScalarType::F32, _) => {
                let (nan, xorsign) = (call.has("NaN"), false);
                let function = match is_least {
                    true => Function::Min { nan, xorsign },
                    false => Function::Max { nan, xorsign },
                };
                let instruction = Rounded::plain(function, Scalar::F32);
                let at = Ternary { dst: self.temporary(&call.at)?, a, b, c: b, lanes: 1 };
                self.emit(&call.at, ScalarOp::Rounded { instruction, at });
                return Ok(at.dst);
            }
            (ScalarType::S32, true) => IntOp::MinS,
            (ScalarType::S32, false) => IntOp::MaxS,
            (_, true) => IntOp::MinU,
            (_, false) => IntOp::MaxU,
        };
        self.int_of(&call.at, op, 32, [a, b])
    }

    /// The kind of a product: a word, or LLVM's number of it.
    fn kind_of(&self, call: &Call) -> Result<Tcgen05Kind, Error> {
        use Tcgen05Kind as K;
        if call.maybe(Role::KIND).is_none() {
            return call.needed();
        }
        let number = self.number_of(call, Role::KIND)?;
        let kind =
            usize::try_from(number).ok().and_then(|n| [K::F16, K::Tf32, K::F8f6f4, K::I8].get(n).copied());
        kind.ok_or_else(|| malformed(&call.at, Malformed::OperandValue, format!("the kind {number}")))
    }

    /// `tcgen05.mma`. Its collectors are a matter of speed.
    fn tensor_product(&mut self, call: &Call) -> Result<TensorMma, Error> {
        let kind = self.kind_of(call)?;
        let named = call.keyword::<ScaleVector>().and_then(|vector| vector.count(kind));
        let scales = match scale_count(&call.at, kind, named)? {
            Some(count) => {
                let addresses = [call.slot(Role::SCALES_OF_A)?, call.slot(Role::SCALES_OF_B)?];
                Some(TensorScales { addresses, count })
            }
            None => None,
        };
        let group = match call.has("ws") {
            true => Tcgen05Group::WeightStationary,
            false => self.group_of(call)?,
        };
        let a = match call.maybe_slot(Role::SOURCE) {
            Some(address) => TensorOperand::Tensor(address),
            None => match call.held(Role::A)? {
                Held { slot, ty: Type::Scalar(Scalar::Ptr(TENSOR)) } => TensorOperand::Tensor(*slot),
                Held { slot, .. } => TensorOperand::Shared(*slot),
            },
        };
        let disabled = call.all(Role::VALUES).flat_map(|held| (held.slot..).take(held.ty.slots() as usize));
        let disabled: Box<[Slot]> = disabled.collect();
        let words = if group == Tcgen05Group::Pair { 8 } else { 4 };
        if ![0, words].contains(&disabled.len()) {
            let found = disabled.len();
            return Err(malformed(
                &call.at,
                Malformed::OperandCount,
                format!("{found} words of lanes that are not written, for {words}"),
            ));
        }
        Ok(TensorMma {
            kind,
            group,
            d: call.slot(Role::ADDRESS)?,
            a,
            b: call.slot(Role::B)?,
            instruction: call.slot(Role::C)?,
            adds: call.slot(Role::CONDITION)?,
            scale: call.maybe_slot(Role::COUNT),
            scales,
            zero_columns: call.maybe_slot(Role::COLUMNS),
            disabled,
        })
    }
}
