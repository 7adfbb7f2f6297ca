//! Loads, stores and atomic updates.

use super::packed::{Packing, packing};
use crate::call::Call;
use crate::scope::scope_of;
use crate::{Assembler, malformed, unmodelled};
use cute_arch::{sectors::LINE, space::GENERIC};
use cute_machine::float::FloatOp;
use cute_machine::int::IntOp;
use cute_machine::predicate::IntPredicate;
use cute_machine::types::{Leaf, Scalar, Type};
use cute_ptx::{AccessOrder, AtomicUpdate, Operation, Role, ScalarType, Vector};
use cute_sim::address::GLOBAL;
use cute_sim::program::{
    Access, Binary, Cast, ControlOp, MemoryOp, Move, Order, ScalarOp, Scope, Slot, Term, Unary, Update,
};
use cute_sim::{Error, Malformed, Unmodelled};

impl Assembler {
    /// `ld` and `st` of one scalar, or of a vector's scalars.
    pub(crate) fn access_of_text(&mut self, call: &Call) -> Result<(), Error> {
        let is_load = call.instruction.row.operation == Operation::Load;
        let role = if is_load { Role::RESULT } else { Role::A };
        let ty = type_of(call, role)?;
        let values = self.values_of(call, role)?;
        // A register of 128 bits is two slots.
        let per_value = if ty == ScalarType::B128 { 2 } else { 1 };
        let count = values.len() as Slot * per_value;
        let (address, access) = self.accessed(call, ty.bits().min(64), count)?;
        let Access { bytes, space, .. } = self.accesses[access as usize];
        if bytes > 16 && !matches!(space, GENERIC | GLOBAL) {
            return Err(malformed(
                &call.at,
                Malformed::OperandValue,
                format!("{bytes} bytes in one access need global memory"),
            ));
        }
        match (is_load, &values[..]) {
            (true, [dst]) => self.emit(&call.at, MemoryOp::Load { dst: *dst, address, access }),
            (false, [src]) => self.emit(&call.at, MemoryOp::Store { src: *src, address, access }),
            (true, _) => {
                // An address may be in a register that the load writes.
                let loaded = self.registers_of(call, count)?;
                self.emit(&call.at, MemoryOp::Load { dst: loaded, address, access });
                for (dst, src) in values.iter().zip(loaded..) {
                    self.emit(&call.at, ScalarOp::Copy(Move { dst: *dst, src, len: 1 }));
                }
            }
            (false, _) => {
                let stored = self.registers_of(call, count)?;
                self.emit(&call.at, ScalarOp::Gather { dst: stored, from: values.into() });
                self.emit(&call.at, MemoryOp::Store { src: stored, address, access });
            }
        }
        if is_load { self.extended(call, Role::RESULT, ty) } else { Ok(()) }
    }

    /// `st.bulk`: a loop of stores. A size that is not a multiple of their width ends in an access
    /// that is out of bounds.
    pub(crate) fn zeros(&mut self, call: &Call) -> Result<(), Error> {
        const WIDTH: u32 = 8;
        if call.maybe(Role::COUNT).is_some() && self.number_of(call, Role::COUNT)? != 0 {
            return Err(malformed(&call.at, Malformed::OperandValue, "a value that is not 0"));
        }
        let (start, access) = self.accessed(call, 8 * WIDTH, 1)?;
        let (size, zero) = (call.slot(Role::A)?, self.number(&call.at, 0)?);
        let (step, one) = (self.number(&call.at, WIDTH.into())?, self.temporary(&call.at)?);
        let (at, goes_on) = (self.temporary(&call.at)?, self.temporary(&call.at)?);
        self.copy_of(&call.at, at, zero);
        let again = self.here();
        let back = self.edge_to(again);
        let differs = Binary { dst: goes_on, a: at, b: size, lanes: 1 };
        self.emit(&call.at, ScalarOp::IntCompare { predicate: IntPredicate::Ne, width: 64, at: differs });
        let guard = self.guard(&call.at, goes_on, true);
        let terms = Box::from([Term { slot: at, width: 64, scale: 1 }]);
        self.emit(&call.at, ScalarOp::Address { dst: one, base: start, offset: 0, terms });
        self.emit(&call.at, MemoryOp::Store { src: zero, address: one, access });
        self.int(&call.at, IntOp::Add, 64, [at, at, step]);
        self.emit(&call.at, ControlOp::Jump { edge: back });
        self.end_guard(guard);
        Ok(())
    }

    /// `createpolicy`: a register that nothing depends on.
    pub(crate) fn policy(&mut self, call: &Call) -> Result<(), Error> {
        let zero = self.number(&call.at, 0)?;
        self.copy_of(&call.at, call.slot(Role::RESULT)?, zero);
        Ok(())
    }

    /// `applypriority` and `discard`, of a line of 128 bytes. PTX calls a discard a weak write of
    /// an indeterminate value, so that it races like a write. Here it leaves a pattern.
    pub(crate) fn line(&mut self, call: &Call) -> Result<(), Error> {
        const PATTERN: u64 = 0xd15c_a2de_d15c_a2de;
        let size = self.number_of(call, Role::BYTES)?;
        if size != LINE as i64 {
            return Err(malformed(
                &call.at,
                Malformed::OperandValue,
                format!("a size of {size} bytes: a line has {LINE}"),
            ));
        }
        if call.instruction.row.operation == Operation::KeepLine {
            self.emit(&call.at, ControlOp::Nothing);
            return Ok(());
        }
        let (address, access) = self.accessed(call, 64, LINE as u32 / 8)?;
        // An address without a space is one of global memory, too.
        let at = Unary { dst: self.temporary(&call.at)?, a: address, lanes: 1 };
        let access_of = &mut self.accesses[access as usize];
        let from = std::mem::replace(&mut access_of.space, GLOBAL);
        access_of.leaves = access_of.leaves.iter().map(|leaf| Leaf { slot: 0, ..*leaf }).collect();
        self.emit(&call.at, ScalarOp::Cast { cast: Cast::AddressSpace { from, to: GLOBAL }, at });
        let src = self.number(&call.at, PATTERN)?;
        self.emit(&call.at, MemoryOp::Store { src, address: at.dst, access });
        Ok(())
    }

    /// `atom` and `red`. Each number of a vector or of a pair is updated alone, as PTX defines it.
    pub(crate) fn update_of_text(&mut self, call: &Call) -> Result<(), Error> {
        let (ty, kind) = (type_of(call, Role::A)?, call.needed::<AtomicUpdate>()?);
        let Packing { lanes, scalar } = Packing::of(ty);
        let update = update(kind, scalar, ty.is_signed());
        let update = update.ok_or_else(|| {
            unmodelled(&call.at, Unmodelled::Instruction, format!("this update of {scalar:?}"))
        })?;
        let values = self.values_of(call, Role::A)?;
        let has_result = call.maybe_slot(Role::RESULT).is_some();
        let results = if has_result { self.values_of(call, Role::RESULT)? } else { Vec::new() };
        let swapped = match kind {
            AtomicUpdate::CompareExchange => Some((call.slot(Role::B)?, self.temporary(&call.at)?)),
            _ => None,
        };
        // A number of 128 bits is two slots, which are updated together.
        let words = ty.bits().div_ceil(64);
        let (first, access) = self.accessed(call, scalar.bits().min(64), words)?;
        self.accesses[access as usize].strong = true;
        let olds = self.registers_of(call, values.len() as u32 * lanes.max(words))?;
        for (i, value) in (0..).zip(values) {
            let parts = if lanes > 1 { self.unpacked(call, value, (lanes, scalar))? } else { value };
            for lane in 0..lanes {
                let number = i * lanes + lane;
                let mut address = first;
                if number > 0 {
                    address = self.temporary(&call.at)?;
                    let offset = i64::from(number * (scalar.bits() / 8));
                    self.emit(
                        &call.at,
                        ScalarOp::Address { dst: address, base: first, offset, terms: Box::default() },
                    );
                }
                // A compare-exchange has the expected value first.
                let expected = parts + lane;
                let value = swapped.map_or(expected, |(value, _)| value);
                let (swapped, old) = (swapped.map(|(_, swapped)| swapped), olds + number);
                self.emit(
                    &call.at,
                    MemoryOp::Atomic { update, scalar, address, access, value, expected, old, swapped },
                );
            }
        }
        for (dst, src) in results.into_iter().zip((olds..).step_by(lanes as usize)) {
            let whole = match lanes {
                1 => ScalarOp::Copy(Move { dst, src, len: words }),
                _ => packing(dst, src, (lanes, scalar)),
            };
            self.emit(&call.at, whole);
        }
        Ok(())
    }

    /// The registers with this role, as many as the instruction's vector has elements.
    fn values_of(&self, call: &Call, role: Role) -> Result<Vec<Slot>, Error> {
        let values: Vec<Slot> = call.all(role).map(|held| held.slot).collect();
        let count = call.keyword().map_or(1, Vector::number);
        if values.len() != count as usize {
            let found = values.len();
            return Err(malformed(
                &call.at,
                Malformed::OperandCount,
                format!("{found} registers for a vector of {count}"),
            ));
        }
        Ok(values)
    }

    /// The address and the access of this many scalars, in the order and scope of the instruction.
    fn accessed(&mut self, call: &Call, bits: u32, count: u32) -> Result<(Slot, u32), Error> {
        let bytes = bits.div_ceil(8);
        let leaves = (0..count).map(|slot| Leaf { slot, offset: slot * bytes, bytes, bits }).collect();
        let (address, space) = call.pointer(Role::ADDRESS)?;
        let order: Option<AccessOrder> = call.keyword();
        let size = u64::from(bytes * count);
        self.accesses.push(Access {
            space,
            bytes: size,
            align: size,
            leaves,
            strong: order.is_some() || call.has("volatile"),
            scope: call.keyword().map_or(Scope::Device, scope_of),
            order: match order {
                None | Some(AccessOrder::Relaxed) => Order::default(),
                Some(AccessOrder::Acquire) => Order::ACQUIRE,
                Some(AccessOrder::Release) => Order::RELEASE,
                Some(AccessOrder::AcquireRelease) => Order::BOTH,
            },
        });
        Ok((address, self.accesses.len() as u32 - 1))
    }
}

/// The type that an instruction names, or that of a value of LLVM, whose integers have a sign.
fn type_of(call: &Call, role: Role) -> Result<ScalarType, Error> {
    use ScalarType as S;
    if let Some(named) = call.keyword() {
        return Ok(named);
    }
    Ok(match &call.held(role)?.ty {
        Type::Scalar(Scalar::Int(8)) => S::S8,
        Type::Scalar(Scalar::Int(16)) => S::S16,
        Type::Scalar(Scalar::Int(32)) => S::S32,
        Type::Scalar(Scalar::Int(64) | Scalar::Ptr(0 | 1)) => S::S64,
        Type::Scalar(Scalar::F32) => S::F32,
        Type::Scalar(Scalar::F64) => S::F64,
        other => {
            return Err(unmodelled(&call.at, Unmodelled::Operand, format!("a value {other:?} in memory")));
        }
    })
}

/// The update of a scalar, if there is one.
fn update(kind: AtomicUpdate, scalar: Scalar, signed: bool) -> Option<Update> {
    use AtomicUpdate as A;
    Some(match (kind, scalar.is_float()) {
        (A::Exchange, _) => Update::Exchange,
        (A::CompareExchange, false) => Update::CompareExchange,
        (A::Add, false) => Update::Int(IntOp::Add),
        (A::Min, false) => Update::Int(if signed { IntOp::MinS } else { IntOp::MinU }),
        (A::Max, false) => Update::Int(if signed { IntOp::MaxS } else { IntOp::MaxU }),
        (A::And, false) => Update::Int(IntOp::And),
        (A::Or, false) => Update::Int(IntOp::Or),
        (A::Xor, false) => Update::Int(IntOp::Xor),
        (A::Increment, false) => Update::IncrementWrap,
        (A::Decrement, false) => Update::DecrementWrap,
        (A::Add, true) => Update::Float(FloatOp::Add),
        (A::Min, true) => Update::Float(FloatOp::MinNum),
        (A::Max, true) => Update::Float(FloatOp::MaxNum),
        _ => return None,
    })
}
