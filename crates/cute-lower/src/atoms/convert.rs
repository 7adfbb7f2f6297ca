//! `cute.placement.convert`: moves values between registers of one thread, by shuffles, or through
//! shared memory, as the plan decides.

use cute_dialect::placement::Ends;
use cute_ffi::{Severity, ir};
use cute_placement::convert::{Exchange, Owners, Plan, RoundTrip, Source, Table, ThreadBits, plan};
use melior::ir::{Type, Value, attribute::TypeAttribute, operation::OperationRef, r#type::IntegerType};

use super::fragment::Fragment;
use crate::{
    Builder, Built,
    values::{bits_of, view_of},
};

/// Bits of a register.
const REGISTER: i64 = 32;

/// Lowers a conversion, and reports the chosen way in a remark.
pub(super) fn lower<'c>(op: OperationRef<'c, 'c>) -> Built<()> {
    let b = Builder::before(op);
    let [src, dst] = ir::operands(op)[..] else { panic!("a conversion has two views") };
    let ends = Ends::of(op).or_else(|why| b.refuse(&why.to_string()))?;
    let view = view_of(src);
    let (before, after, bits) = units(ends, bits_of(&b, &view)?).or_else(|why| b.refuse(&why))?;
    let plan = plan(&before, &after, bits).or_else(|why| b.refuse(&why.to_string()))?;
    let text = format!("'cute.placement.convert' op: {plan}");
    cute_ffi::emit(b.location(), Severity::Remark, &text, &[]);
    let (from, to) = (Fragment::storage(&b, src, bits)?, Fragment::storage(&b, dst, bits)?);
    let registers = Registers { b, from, to, bits };
    match plan {
        Plan::Nothing => {
            let own: Vec<_> = (0..after.registers()).map(Some).collect();
            registers.moves(&own)
        }
        Plan::Moves(moves) => registers.moves(&moves),
        Plan::Shuffles(exchange) => registers.shuffles(&exchange),
        Plan::Shared(trip) => registers.round_trip(&trip),
    }
}

/// The owners of the units that move, and the bits of a unit. A unit is a 32-bit register if
/// elements are smaller and adjacent ones stay together, half an element if elements are larger,
/// and otherwise one element.
fn units(ends: Ends, bits: i64) -> Result<(Owners, Owners, i64), String> {
    let Ends { from, to } = ends;
    if bits > REGISTER {
        let n = usize::try_from(bits / REGISTER).expect("registers of an element");
        let split = |owners: &Owners| owners.split(n).map_err(|why| why.to_string());
        return Ok((split(&from)?, split(&to)?, REGISTER));
    }
    let together = [32, 16, 8].into_iter().filter(|unit| *unit > bits);
    for unit in together {
        if let Some((from, to)) =
            from.packed_with(&to, usize::try_from(unit / bits).expect("elements of a unit"))
        {
            return Ok((from, to, unit));
        }
    }
    if bits < 8 {
        return Err(format!("elements of {bits} bits must move in groups that fill whole bytes"));
    }
    Ok((from, to, bits))
}

struct Registers<'c> {
    b: Builder<'c>,
    from: Fragment<'c>,
    to: Fragment<'c>,
    bits: i64,
}

impl<'c> Registers<'c> {
    fn integer(&self, bits: i64) -> Type<'c> {
        IntegerType::new(self.b.context(), u32::try_from(bits).expect("bits of a register")).into()
    }

    fn i32(&self) -> Type<'c> {
        self.integer(REGISTER)
    }

    /// A unit as a register.
    fn widen(&self, b: &Builder<'c>, value: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        if self.bits == REGISTER { Ok(value) } else { b.typed("llvm.zext", &[value], self.i32(), &[]) }
    }

    fn narrow(&self, b: &Builder<'c>, value: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        if self.bits == REGISTER {
            Ok(value)
        } else {
            b.typed("llvm.trunc", &[value], self.integer(self.bits), &[])
        }
    }

    /// The lowest bit of a number.
    fn flag(&self, number: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        self.b.typed("llvm.trunc", &[number], self.integer(1), &[])
    }

    fn load(&self, i: usize) -> Built<Value<'c, 'c>> {
        let value = self.from.load(&self.b, i, self.integer(self.bits), self.bits)?;
        self.widen(&self.b, value)
    }

    fn store(&self, i: usize, value: Value<'c, 'c>) -> Built<()> {
        self.to.store(&self.b, i, self.narrow(&self.b, value)?, self.bits)
    }

    fn moves(&self, moves: &[Option<usize>]) -> Built<()> {
        // All are read before any is written: the views may be one.
        let values = moves.iter().map(|from| from.map(|i| self.load(i)).transpose());
        let values: Vec<_> = values.collect::<Built<_>>()?;
        for (i, value) in values.into_iter().enumerate() {
            value.map_or(Ok(()), |value| self.store(i, value))?;
        }
        Ok(())
    }

    fn shuffles(&self, exchange: &Exchange) -> Built<()> {
        let b = &self.b;
        let lane = b.typed("nvvm.read.ptx.sreg.laneid", &[], self.i32(), &[])?;
        let registers = exchange.sources().iter().flatten().flatten().filter_map(|source| match source {
            Source::Own(i) => Some(*i),
            Source::Round(_) => None,
        });
        let sent = exchange.rounds().iter().flat_map(|round| round.send).flatten();
        let n = registers.chain(sent).max().map_or(0, |last| last + 1);
        let own: Vec<_> = (0..n).map(|i| self.load(i)).collect::<Built<_>>()?;
        let (everyone, last) = (b.i32(-1)?, b.i32(31)?);
        let kind = b.attribute("#nvvm<shfl_kind idx>")?;
        let mut received = Vec::new();
        for round in exchange.rounds() {
            let value = self.choose(&round.send, lane, |i| own.get(i).copied())?;
            let from = self.number(&round.from, lane)?;
            let operands = [everyone, value, from, last];
            received.push(b.typed("nvvm.shfl.sync", &operands, self.i32(), &[("kind", kind)])?);
        }
        let made = exchange.sources().iter().map(|lanes| {
            lanes.iter().any(Option::is_some).then(|| {
                self.choose(lanes, lane, |source| match source {
                    Source::Own(i) => own.get(i).copied(),
                    Source::Round(i) => received.get(i).copied(),
                })
            })
        });
        let made: Vec<_> = made.map(Option::transpose).collect::<Built<_>>()?;
        for (i, value) in made.into_iter().enumerate() {
            value.map_or(Ok(()), |value| self.store(i, value))?;
        }
        Ok(())
    }

    /// Selects, in each lane, one of the values that `of` returns: a tree of selections by the bits
    /// of its position among them.
    fn choose<T: Copy + Ord>(
        &self,
        lanes: &[Option<T>],
        lane: Value<'c, 'c>,
        of: impl Fn(T) -> Option<Value<'c, 'c>>,
    ) -> Built<Value<'c, 'c>> {
        let mut choices: Vec<T> = lanes.iter().copied().flatten().collect();
        choices.sort_unstable();
        choices.dedup();
        let mut values: Vec<Value<'c, 'c>> = choices
            .iter()
            .map(|choice| of(*choice).expect("the plan names registers that there are"))
            .collect();
        let position = |own: &Option<T>| own.and_then(|own| choices.binary_search(&own).ok());
        let mut bit = 0;
        while values.len() > 1 {
            let set: Vec<_> = lanes.iter().map(|own| position(own).map(|at| at >> bit & 1)).collect();
            let high = self.flag(self.number(&set, lane)?)?;
            let halves = values.chunks(2).map(|pair| match *pair {
                [low, other] => self.b.typed("llvm.select", &[high, other, low], self.i32(), &[]),
                [low, ..] => Ok(low),
                [] => unreachable!("chunks are not empty"),
            });
            values = halves.collect::<Built<_>>()?;
            bit += 1;
        }
        Ok(*values.first().expect("some lane takes a value"))
    }

    /// A number by lane.
    fn number(&self, values: &[Option<usize>], lane: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        self.at(&Table::new(values).expect("a warp has no more lanes than a table of masks"), lane)
    }

    /// A table's number of a thread.
    fn at(&self, table: &Table, thread: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
        let (b, t) = (&self.b, self.i32());
        let binary = |name: &str, lhs, rhs: i64| b.typed(name, &[lhs, b.i32(rhs)?], t, &[]);
        let mut sum = None;
        let add = |name: &str, sum: Option<Value<'c, 'c>>, term| match sum {
            None => Ok(Some(term)),
            Some(sum) => b.typed(name, &[sum, term], t, &[]).map(Some),
        };
        match table {
            Table::Linear { fields, constant } => {
                for ThreadBits { mask, shift } in fields {
                    let bits = binary("llvm.and", thread, i64::from(*mask))?;
                    let field = match shift {
                        0 => bits,
                        ..0 => binary("llvm.lshr", bits, i64::from(-shift))?,
                        _ => binary("llvm.shl", bits, i64::from(*shift))?,
                    };
                    sum = add("llvm.xor", sum, field)?;
                }
                if *constant != 0 || sum.is_none() {
                    sum = add("llvm.xor", sum, b.i32(i64::from(*constant))?)?;
                }
            }
            Table::Masks(masks) => {
                for (bit, mask) in (0..).zip(masks) {
                    let shifted =
                        b.typed("llvm.lshr", &[b.i32(i64::from(mask.cast_signed()))?, thread], t, &[])?;
                    let own = binary("llvm.and", shifted, 1)?;
                    let own = if bit == 0 { own } else { binary("llvm.shl", own, bit)? };
                    sum = add("llvm.or", sum, own)?;
                }
            }
        }
        sum.map_or_else(|| b.i32(0), Ok)
    }

    /// Stores, a barrier, loads; and a barrier before anyone stores there again.
    fn round_trip(&self, trip: &RoundTrip) -> Built<()> {
        let b = &self.b;
        let thread = b.typed("nvvm.read.ptx.sreg.tid.x", &[], self.i32(), &[])?;
        let memory = self.memory(trip.size())?;
        for (i, put) in trip.put().iter().enumerate() {
            let Some(put) = put else { continue };
            let value = self.load(i)?;
            let at = self.at(&put.at, thread)?;
            match &put.only {
                None => self.access(b, memory, at, Some(value))?,
                Some(only) => {
                    let does = self.flag(self.at(only, thread)?)?;
                    self.access(&b.conditional(does)?, memory, at, Some(value))?
                }
            };
        }
        b.effect("nvvm.barrier0", &[], &[])?;
        let mut taken = Vec::new();
        for at in trip.take() {
            let value = match at {
                Some(at) => self.access(b, memory, self.at(at, thread)?, None)?,
                None => None,
            };
            taken.push(value);
        }
        b.effect("nvvm.barrier0", &[], &[])?;
        for (i, value) in taken.into_iter().enumerate() {
            value.map_or(Ok(()), |value| self.store(i, value))?;
        }
        Ok(())
    }

    /// Shared memory of `n` registers.
    fn memory(&self, n: usize) -> Built<Value<'c, 'c>> {
        let b = &self.b;
        let text = format!("!cute.memref<i{}, smem, align<16>, \"({n}):(1)\">", self.bits);
        let t = b.parse_type(&text)?;
        let shared = b.typed("cute.memref.alloc_smem", &[], t, &[])?;
        super::address(b, shared).map(|(address, _)| address)
    }

    /// Loads the register at place `at` of shared memory, or stores one there.
    fn access(
        &self,
        b: &Builder<'c>,
        memory: Value<'c, 'c>,
        at: Value<'c, 'c>,
        store: Option<Value<'c, 'c>>,
    ) -> Built<Option<Value<'c, 'c>>> {
        let own = self.integer(self.bits);
        let index = b.attribute("array<i32: -2147483648>")?;
        let attributes = [("rawConstantIndices", index), ("elem_type", TypeAttribute::new(own).into())];
        let place = b.typed("llvm.getelementptr", &[memory, at], ir::type_of(memory), &attributes)?;
        let align = [("alignment", b.attr(self.bits / 8))];
        match store {
            Some(value) => {
                b.effect("llvm.store", &[self.narrow(b, value)?, place], &align)?;
                Ok(None)
            }
            None => {
                let value = b.typed("llvm.load", &[place], own, &align)?;
                self.widen(b, value).map(Some)
            }
        }
    }
}
