//! Loads, stores and atomic updates of PTX's text.

use super::float::floats;
use crate::call::Call;
use crate::scope::scope_of;
use crate::{Assembler, malformed, unmodelled};
use cute_machine::float::FloatOp;
use cute_machine::int::IntOp;
use cute_machine::types::{Leaf, Scalar};
use cute_ptx::{AccessOrder, AtomicUpdate, Operation, Role, ScalarType, Vector};
use cute_sim::Error;
use cute_sim::program::{Access, Cast, Move, Op, Order, Scope, Slot, Unary, Update};

impl Assembler {
    /// `ld` and `st` of one scalar, or of a vector's scalars.
    pub(crate) fn access_of_text(&mut self, call: &Call) -> Result<(), Error> {
        let ty = call.needed::<ScalarType>()?;
        let is_load = call.instruction.row.operation == Operation::Load;
        let role = if is_load { Role::Result } else { Role::A };
        let values = self.values_of(call, role)?;
        // A register of 128 bits is two slots.
        let per_value = if ty == ScalarType::B128 { 2 } else { 1 };
        let count = values.len() as Slot * per_value;
        let (address, access) = self.accessed(call, ty.bits().min(64), count)?;
        let sign = is_load && ty.is_signed() && ty.bits() < 32;
        match (is_load, &values[..]) {
            (true, [dst]) => self.emit(&call.at, Op::Load { dst: *dst, address, access }),
            (false, [src]) => self.emit(&call.at, Op::Store { src: *src, address, access }),
            (true, _) => {
                // An address may be in a register that the load writes.
                let loaded = self.registers_of(call, count)?;
                self.emit(&call.at, Op::Load { dst: loaded, address, access });
                for (dst, src) in values.iter().zip(loaded..) {
                    self.emit(&call.at, Op::Copy(Move { dst: *dst, src, len: 1 }));
                }
            }
            (false, _) => {
                let stored = self.registers_of(call, count)?;
                self.emit(&call.at, Op::Gather { dst: stored, from: values.clone().into() });
                self.emit(&call.at, Op::Store { src: stored, address, access });
            }
        }
        if sign {
            for dst in values {
                let cast = Cast::SignExtend { from: ty.bits(), to: 32 };
                self.emit(&call.at, Op::Cast { cast, at: Unary { dst, a: dst, lanes: 1 } });
            }
        }
        Ok(())
    }

    /// `atom` and `red`. Each number of a vector or of a pair is updated alone, as PTX defines it.
    pub(crate) fn update_of_text(&mut self, call: &Call) -> Result<(), Error> {
        let (ty, kind) = (call.needed::<ScalarType>()?, call.needed::<AtomicUpdate>()?);
        let (lanes, scalar) = floats(ty).unwrap_or((1, Scalar::Int(ty.bits())));
        let update = update(kind, scalar, ty.is_signed());
        let update = update.ok_or_else(|| unmodelled(&call.at, format!("this update of {scalar:?}")))?;
        let mut values = self.values_of(call, Role::A)?;
        if lanes > 1 {
            let mut parts = Vec::new();
            for value in values {
                let first = self.unpacked(call, value, (lanes, scalar))?;
                parts.extend(first..first + lanes);
            }
            values = parts;
        }
        let swapped = match kind {
            AtomicUpdate::CompareExchange => Some((call.slot(Role::B)?, self.temporary(&call.at)?)),
            _ => None,
        };
        let old = match call.maybe_slot(Role::Result) {
            Some(old) => old,
            None => self.temporary(&call.at)?,
        };
        let (first, access) = self.accessed(call, scalar.bits(), 1)?;
        self.accesses[access as usize].strong = true;
        for (i, operand) in (0..).zip(values) {
            let mut address = first;
            if i > 0 {
                address = self.temporary(&call.at)?;
                let offset = i * i64::from(scalar.bits() / 8);
                self.emit(&call.at, Op::Address { dst: address, base: first, offset, terms: Box::default() });
            }
            // A compare-exchange has the expected value first.
            let value = swapped.map_or(operand, |(value, _)| value);
            let swapped = swapped.map(|(_, swapped)| swapped);
            let expected = operand;
            self.emit(
                &call.at,
                Op::Atomic { update, scalar, address, access, value, expected, old, swapped },
            );
        }
        Ok(())
    }

    /// The registers with this role, as many as the instruction's vector has elements.
    fn values_of(&self, call: &Call, role: Role) -> Result<Vec<Slot>, Error> {
        let values: Vec<Slot> = call.all(role).map(|held| held.slot).collect();
        let count = call.keyword().map_or(1, Vector::number);
        if values.len() != count as usize {
            let found = values.len();
            return Err(malformed(&call.at, format!("{found} registers for a vector of {count}")));
        }
        Ok(values)
    }

    /// The address and the access of this many scalars, in the order and scope of the instruction.
    fn accessed(&mut self, call: &Call, bits: u32, count: u32) -> Result<(Slot, u32), Error> {
        let bytes = bits.div_ceil(8);
        let leaves = (0..count).map(|slot| Leaf { slot, offset: slot * bytes, bytes, bits }).collect();
        let (address, space) = call.pointer(Role::Address)?;
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
