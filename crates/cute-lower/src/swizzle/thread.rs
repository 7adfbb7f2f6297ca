//! Evaluates a function for one thread of a block, as far as addresses in shared memory depend on
//! it, to find the addresses of its copies, loads and stores. Ops are evaluated by `eval` over
//! numbers, and integer arithmetic by MLIR's folding. Unknown values are taken to be 0: the number
//! of a block, a loop's iteration, the contents of memory. They do not affect the arrangement of
//! tiles.

use std::{borrow::Cow, num::Wrapping};

use cute_algebra::{self as algebra, CopySide, Crd, Paired, Tuple, Width};
use cute_dialect::{
    hooks::declared_types,
    ops::{Attributes, Call, OpKind, eval, tensors},
    types::{scalar_width, value_of},
    value::{MemRef, Space, Value as Cute},
};
use cute_ffi::{
    ir::{self, Folded},
    lowered::keyword,
    types::kind_of,
};
use melior::ir::{
    Type, TypeLike, Value,
    attribute::IntegerAttribute,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use rustc_hash::FxHashMap;

type Known<'c> = Cute<'c, Paired<Wrapping<i64>>>;

/// Lanes of a warp.
const WARP: i64 = cute_arch::WARP as i64;
/// The most elements of an access, as for the vector of a view.
const MOST_ELEMENTS: i64 = 1 << 16;
/// Bits of address space per allocation.
const ROOM: u32 = 40;

/// Elements that one thread accesses at an op.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// The index of the operand.
    pub operand: usize,
    /// The index of the allocation.
    pub allocation: usize,
    /// Contiguous elements per instruction; `None` if the lowering chooses.
    pub vector: Option<i64>,
    /// Their offsets, in elements.
    pub offsets: Vec<i64>,
}

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

    /// Evaluates an op; ops come in the order of the text. Returns its accesses to the allocations.
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
            attributes: &Attributes::of(op),
            declared: &types,
            context: ir::context(op),
        };
        // An op that cannot be evaluated has unknown results.
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
        let known = || Wrapping(self.known(value));
        match scalar_width(t) {
            Some(width) => Cute::Scalar(Paired::dynamic(width, 1, known())),
            None if t.is_index() => Cute::Scalar(Paired::dynamic(Width::I64, 1, known())),
            None => Cute::Other(t),
        }
    }

    /// The number of the thread in its block, which determines its warp and its lane.
    fn number(&self) -> i64 {
        let [x, y, z] = self.position;
        let [width, height, _] = self.extents;
        x + width * (y + height * z)
    }

    /// The integer result of an op of another dialect, if it is known: the position of the thread,
    /// or a value that MLIR folds.
    fn integer(&self, op: OperationRef<'c, 'c>, name: &str) -> Option<i64> {
        if let Some(register) = name.strip_prefix("nvvm.read.ptx.sreg.") {
            return match register {
                "laneid" => Some(self.number() % WARP),
                "warpid" => Some(self.number() / WARP),
                _ => axis(register.strip_prefix("tid.")?)
                    .map(|i| self.position[i])
                    .or_else(|| axis(register.strip_prefix("ntid.")?).map(|i| self.extents[i])),
            };
        }
        let along = || keyword(op.attribute("dimension").ok()?);
        match name {
            "gpu.thread_id" => axis(along()?).map(|i| self.position[i]),
            "gpu.block_dim" => axis(along()?).map(|i| self.extents[i]),
            "gpu.lane_id" => Some(self.number() % WARP),
            "gpu.subgroup_id" => Some(self.number() / WARP),
            _ => self.folded(op),
        }
    }

    /// The integer result of an op on integers, as MLIR defines the op.
    fn folded(&self, op: OperationRef<'c, 'c>) -> Option<i64> {
        integer_width(ir::type_of(ir::result(op, 0)?))?;
        let constant = |v: Value<'c, 'c>| {
            let t = ir::type_of(v);
            integer_width(t).map(|_| IntegerAttribute::new(t, self.known(v)))
        };
        let operands: Vec<_> = ir::operands(op).into_iter().map(constant).collect::<Option<_>>()?;
        match ir::fold(op, &operands)? {
            Folded::Constant(a) => IntegerAttribute::try_from(a).ok().map(|a| a.value()),
            Folded::Value(value) => Some(self.known(value)),
        }
    }

    fn known(&self, value: Value<'c, 'c>) -> i64 {
        self.integers.get(&ir::identity(value)).copied().unwrap_or(0)
    }
}

/// Bits of an integer type that `i64` can hold; `index` has 64.
fn integer_width(t: Type<'_>) -> Option<u32> {
    if t.is_index() {
        return Some(64);
    }
    IntegerType::try_from(t).ok().filter(|t| t.is_signless()).map(|t| t.width()).filter(|bits| *bits <= 64)
}

fn axis(name: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|axis| *axis == name)
}

/// A value of this type whose pointer is `address`, and whose other dynamic leaves are 0.
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

/// The accesses of an op to allocations.
fn visits<'c>(call: &Call<'_, 'c, Paired<Wrapping<i64>>>) -> Result<Vec<Visit>, String> {
    let views = call.operands.iter().enumerate().filter_map(|(i, value)| match value.as_ref() {
        Cute::MemRef(view) if view.iter.space == Space::Smem && view.iter.address.0 >> ROOM > 0 => {
            Some((i, view))
        }
        _ => None,
    });
    let refused = |what: &str| {
        Err(format!(
            "'{}' op: {what} determines the swizzle of its tile itself, so swizzle = auto does not apply",
            call.kind.name()
        ))
    };
    let mut visits = Vec::new();
    for (operand, view) in views {
        let Some(bits) = view.iter.bits().map(i64::from) else {
            return Err("swizzle = auto needs elements with a size".into());
        };
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
                    None => Some(atom.bits_of(side) / bits),
                }
            }
            OpKind::GetCopyS2tSmemDescView => return refused("a copy to tensor memory"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use cute_ffi::{ir::walk, parse};
    use melior::{Context, dialect::DialectHandle};

    /// The integer result of the last op of a text.
    fn result(c: &Context, text: &str) -> i64 {
        let module = parse::module(c, text, "test").unwrap_or_else(|| panic!("MLIR reads {text}"));
        let mut thread = Thread::new([0; 3], [1; 3], &[]);
        let ops = walk(module.as_operation());
        ops.iter().for_each(|op| assert_eq!(thread.run(*op), Ok(Vec::new())));
        let last = ops.last().and_then(|op| ir::result(*op, 0)).expect("the last op has a result");
        thread.known(last)
    }

    #[test]
    fn arithmetic_is_that_of_the_type() {
        let c = Context::new();
        DialectHandle::arith().load_dialect(&c);
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let binary = [
            ("addi", "i32", most, 1, least),
            ("addi", "i64", most, 1, most + 1),
            ("addi", "index", most, 1, most + 1),
            ("subi", "i32", least, 1, most),
            ("muli", "i32", 1 << 16, 1 << 16, 0),
            ("muli", "i64", 1 << 16, 1 << 16, 1 << 32),
            ("divsi", "i32", -7, 2, -3),
            ("divui", "i32", -2, 2, most),
            ("divui", "i64", -2, 2, i64::MAX),
            ("divui", "index", -2, 2, i64::MAX),
            ("divui", "i32", 7, 0, 0),
            ("divsi", "i32", least, -1, 0),
            ("floordivsi", "i32", -7, 2, -4),
            ("ceildivsi", "i32", -7, 2, -3),
            ("ceildivui", "i32", -1, 2, least),
            ("remsi", "i32", -7, 4, -3),
            ("remui", "i32", -7, 4, 1),
            ("andi", "i32", -7, 4, 0),
            ("ori", "i32", -8, 4, -4),
            ("xori", "i32", -1, 4, -5),
            ("shli", "i32", 3, 31, least),
            ("shli", "i64", 1, 40, 1 << 40),
            ("shli", "i32", 1, 32, 0),
            ("shrsi", "i32", -8, 1, -4),
            ("shrui", "i32", -1, 28, 15),
            ("shrui", "i64", -1, 60, 15),
            ("minsi", "i32", -1, 1, -1),
            ("minui", "i32", -1, 1, 1),
            ("maxsi", "i32", -1, 1, 1),
            ("maxui", "i32", -1, 1, -1),
        ];
        for (op, t, a, b, expected) in binary {
            let operands = format!("%a = arith.constant {a} : {t} %b = arith.constant {b} : {t}");
            let found = result(&c, &format!("{operands} %r = arith.{op} %a, %b : {t}"));
            assert_eq!(found, expected, "{op} {a}, {b} : {t}");
        }
        let casts = [
            ("extsi", "i32", -1, "i64", -1),
            ("extui", "i32", -1, "i64", 0xffff_ffff),
            ("extui", "i1", -1, "i32", 1),
            ("trunci", "i64", most + 1, "i32", least),
            ("index_cast", "i32", -1, "index", -1),
            ("index_castui", "i32", -1, "index", 0xffff_ffff),
            ("index_cast", "index", 1 << 32, "i32", 0),
        ];
        for (op, from, a, to, expected) in casts {
            let found =
                result(&c, &format!("%a = arith.constant {a} : {from} %r = arith.{op} %a : {from} to {to}"));
            assert_eq!(found, expected, "{op} {a} : {from} to {to}");
        }
        let chosen = "%a = arith.constant -1 : i32 %b = arith.constant 1 : i32
            %less = arith.cmpi ult, %a, %b : i32 %r = arith.select %less, %a, %b : i32";
        assert_eq!(result(&c, chosen), 1);
    }
}
