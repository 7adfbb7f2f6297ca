//! One thread of a block, run through a function as far as addresses in shared memory depend on it: where its copies, loads and
//! stores go. Knows ops as `eval` does, over numbers, and integer arithmetic. What it does not know is 0: the number
//! of a block, a loop's count, what memory holds; tiles lie alike whatever these are.

use std::{borrow::Cow, num::Wrapping};

use cute_algebra::{self as algebra, CopySide, Crd, Paired, Tuple, Width};
use cute_dialect::{
    answer::declared_types,
    ops::{Call, OpKind, eval, tensors},
    types::{scalar_width, value_of},
    value::{MemRef, Space, Value as Cute},
};
use cute_ffi::{ir, lowered::keyword, types::kind_of};
use melior::ir::{Attribute, TypeLike, Value, attribute::IntegerAttribute, operation::OperationRef};
use rustc_hash::FxHashMap;

type Known<'c> = Cute<'c, Paired<Wrapping<i64>>>;

/// Lanes of a warp.
const WARP: i64 = 32;
/// The most elements of an access, as for the vector of a view.
const MOST_ELEMENTS: i64 = 1 << 16;
/// Bits of address space that an allocation has to itself.
const ROOM: u32 = 40;

/// Elements that one thread accesses at an op.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// Which operand.
    pub operand: usize,
    /// Which of the allocations.
    pub allocation: usize,
    /// Elements of one instruction, side by side; none where that is for the lowering to choose.
    pub vector: Option<i64>,
    /// Their offsets, in elements.
    pub offsets: Vec<i64>,
}

/// The thread.
pub struct Thread<'c, 'a> {
    position: [i64; 3],
    extents: [i64; 3],
    allocations: &'a [OperationRef<'c, 'c>],
    values: FxHashMap<usize, Known<'c>>,
    integers: FxHashMap<usize, i64>,
}

impl<'c, 'a> Thread<'c, 'a> {
    /// Thread `position` of a block of `extents`.
    pub fn new(position: [i64; 3], extents: [i64; 3], allocations: &'a [OperationRef<'c, 'c>]) -> Self {
        Self { position, extents, allocations, values: FxHashMap::default(), integers: FxHashMap::default() }
    }

    /// Runs an op; ops come in the order of the text. Says what of the allocations it accesses.
    pub fn run(&mut self, op: OperationRef<'c, 'c>) -> Result<Vec<Visit>, String> {
        let name = ir::op_name(op);
        let Some(kind) = OpKind::from_name(name) else {
            if let Some(result) = ir::result(op, 0)
                && let Some(value) = self.integer(op, name)
            {
                self.integers.insert(ir::identity(result), value);
            }
            return Ok(Vec::new());
        };
        if let Some(i) = self.allocations.iter().position(|own| ir::op_identity(*own) == ir::op_identity(op))
        {
            if let Some(result) = ir::result(op, 0) {
                self.values.insert(ir::identity(result), declared(result, (i as i64 + 1) << ROOM));
            }
            return Ok(Vec::new());
        }
        let operands: Vec<_> = ir::operands(op).into_iter().map(|v| Cow::Owned(self.lookup(v))).collect();
        let types: Vec<_> = declared_types(op).into_iter().map(value_of).collect();
        let call = Call {
            kind,
            operands: &operands,
            attributes: ir::attribute_dictionary(op),
            declared: &types,
            context: ir::context(op),
        };
        // An op that makes nothing of what is unknown has a result that is unknown.
        for (i, value) in eval(&call).unwrap_or_default().into_iter().enumerate() {
            let Some(result) = ir::result(op, i) else { continue };
            match value {
                Cute::Scalar(leaf) => {
                    self.integers.insert(ir::identity(result), number(&leaf));
                }
                value => {
                    self.values.insert(ir::identity(result), value);
                }
            }
        }
        visits(&call)
    }

    fn lookup(&self, value: Value<'c, 'c>) -> Known<'c> {
        if let Some(known) = self.values.get(&ir::identity(value)) {
            return known.clone();
        }
        let t = ir::type_of(value);
        if kind_of(t).is_some() {
            return declared(value, 0);
        }
        let known = || Wrapping(self.integers.get(&ir::identity(value)).copied().unwrap_or(0));
        match scalar_width(t) {
            Some(width) => Cute::Scalar(Paired::dynamic(width, 1, known())),
            None if t.is_index() => Cute::Scalar(Paired::dynamic(Width::I64, 1, known())),
            None => Cute::Other(t),
        }
    }

    /// The number of the thread in its block, which says its warp and its lane.
    fn number(&self) -> i64 {
        let [x, y, z] = self.position;
        let [width, height, _] = self.extents;
        x + width * (y + height * z)
    }

    /// The integer that a foreign op makes, if it is known.
    fn integer(&self, op: OperationRef<'c, 'c>, name: &str) -> Option<i64> {
        let attribute = |name| ir::dictionary_get(ir::attribute_dictionary(op), name);
        let constant = |a: Attribute<'c>| IntegerAttribute::try_from(a).ok().map(|a| a.value());
        if let Some(register) = name.strip_prefix("nvvm.read.ptx.sreg.") {
            return match register {
                "laneid" => Some(self.number() % WARP),
                "warpid" => Some(self.number() / WARP),
                _ => axis(register.strip_prefix("tid.")?)
                    .map(|i| self.position[i])
                    .or_else(|| axis(register.strip_prefix("ntid.")?).map(|i| self.extents[i])),
            };
        }
        let operand = |i: usize| {
            Some(self.integers.get(&ir::identity(*ir::operands(op).get(i)?)).copied().unwrap_or(0))
        };
        let (a, b) = (operand(0), operand(1));
        match name.split_once('.')? {
            ("arith", "constant") | ("llvm", "mlir.constant") => constant(attribute("value")?),
            ("gpu", "thread_id") => axis(keyword(attribute("dimension")?)?).map(|i| self.position[i]),
            ("gpu", "block_dim") => axis(keyword(attribute("dimension")?)?).map(|i| self.extents[i]),
            ("gpu", "lane_id") => Some(self.number() % WARP),
            ("gpu", "subgroup_id") => Some(self.number() / WARP),
            ("arith", op) => match op {
                "addi" => a?.checked_add(b?),
                "subi" => a?.checked_sub(b?),
                "muli" => a?.checked_mul(b?),
                // Unsigned ops take a negative number for a large one of their width, which is not known here.
                "divui" | "remui" | "shrui" if a? < 0 || b? < 0 => None,
                "divsi" | "divui" => a?.checked_div(b?),
                "floordivsi" => {
                    let (a, b) = (a?, b?);
                    let inexact = a.checked_rem(b)? != 0 && (a < 0) != (b < 0);
                    Some(a.checked_div(b)? - i64::from(inexact))
                }
                "remsi" | "remui" => a?.checked_rem(b?),
                "andi" => Some(a? & b?),
                "ori" => Some(a? | b?),
                "xori" => Some(a? ^ b?),
                "shli" => a?.checked_shl(u32::try_from(b?).ok()?),
                "shrsi" | "shrui" => a?.checked_shr(u32::try_from(b?).ok()?),
                "extsi" | "extui" | "trunci" | "index_cast" | "index_castui" => a,
                _ => None,
            },
            _ => None,
        }
    }
}

fn axis(name: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|axis| *axis == name)
}

/// A value of its type, its pointer at `address` and all else that is dynamic 0.
fn declared<'c>(value: Value<'c, 'c>, address: i64) -> Known<'c> {
    let known = value_of(ir::type_of(value))
        .try_map(|()| Ok::<_, std::convert::Infallible>(Wrapping(address)), |d| Paired::new(*d, Wrapping(0)));
    match known {
        Ok(known) => known,
    }
}

fn number(leaf: &Paired<Wrapping<i64>>) -> i64 {
    leaf.materialize(Width::I64).0
}

/// What an op accesses of allocations.
fn visits<'c>(call: &Call<'_, 'c, Paired<Wrapping<i64>>>) -> Result<Vec<Visit>, String> {
    let views = call.operands.iter().enumerate().filter_map(|(i, value)| match value.as_ref() {
        Cute::MemRef(view) if view.iter.space == Space::Smem && view.iter.address.0 >> ROOM > 0 => {
            Some((i, view))
        }
        _ => None,
    });
    let refused = |what: &str| {
        Err(format!(
            "'{}' op: {what} says itself how its tile is swizzled, swizzle = auto does not reach it",
            call.kind.name()
        ))
    };
    let mut visits = Vec::new();
    for (operand, view) in views {
        let bits = i64::from(view.iter.bits());
        let vector = match call.kind {
            OpKind::Copy | OpKind::CopyAtomCall => {
                let atom = match call.operands.first().map(Cow::as_ref) {
                    Some(Cute::CopyAtom(atom)) => atom,
                    Some(Cute::TiledCopy(tiled)) => &tiled.atom,
                    _ => continue,
                };
                let side = if operand == 1 { CopySide::Src } else { CopySide::Dst };
                match atom.swizzles_itself() {
                    Some(what) => return refused(what),
                    None => Some(atom.bits_of(side) / bits.max(1)),
                }
            }
            OpKind::MemRefLoadVec | OpKind::MemRefStoreVec => None,
            OpKind::MemRefLoad | OpKind::MemRefStore => {
                let at = tensors::address(call).map_err(|e| e.to_string())?;
                let (allocation, offset) = place(at.address.0, bits);
                visits.push(Visit { operand, allocation, vector: Some(1), offsets: vec![offset] });
                continue;
            }
            OpKind::Gemm | OpKind::MmaAtomCall | OpKind::MmaMakeFragment => {
                return refused("an MMA that reads shared memory");
            }
            _ => continue,
        };
        let (allocation, offsets) = elements(view, bits)?;
        visits.push(Visit { operand, allocation, vector, offsets });
    }
    Ok(visits)
}

/// The allocation that an address is in, and the element there.
fn place(address: i64, bits: i64) -> (usize, i64) {
    let allocation = address >> ROOM;
    ((allocation - 1) as usize, (address - (allocation << ROOM)) / bits.max(1))
}

/// The elements of a view in the order of its coordinates.
fn elements(view: &MemRef<'_, Paired<Wrapping<i64>>>, bits: i64) -> Result<(usize, Vec<i64>), String> {
    let (allocation, base) = place(view.iter.address.0, bits);
    let size = number(&algebra::size(&view.layout).map_err(|e| e.to_string())?);
    if size > MOST_ELEMENTS {
        return Err(format!(
            "swizzle = auto looks at every element that a thread accesses: at most {MOST_ELEMENTS}, found {size}"
        ));
    }
    let at = |i: i64| {
        let offset = algebra::crd2idx(&Tuple::leaf(Crd::Int(Paired::fixed(i))), &view.layout)
            .map_err(|e| e.to_string())?;
        let offset = offset.as_leaf().map(number).ok_or("a view of shared memory has integer offsets")?;
        Ok(base + offset)
    };
    Ok((allocation, (0..size).map(at).collect::<Result<_, String>>()?))
}
