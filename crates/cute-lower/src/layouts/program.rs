//! Evaluates a function for the threads of a block, as far as addresses depend on them, to find the
//! addresses of its copies, loads and stores. Ops are evaluated by `eval` over numbers, and integer
//! arithmetic by MLIR's folding. Unknown values are taken to be 0: the number of a block, a loop's
//! iteration, the contents of memory. They do not affect the arrangement of tiles.
//!
//! What does not depend on the thread is evaluated once. A branch that a thread certainly does not
//! take has no accesses of it.

use std::{borrow::Cow, convert::Infallible, num::Wrapping};

use cute_algebra::{AnyLayout, Dim, Int, Layout, Paired, Width};
use cute_dialect::{
    hooks::declared_types,
    ops::{Attributes, Call, OpKind, eval},
    types::{scalar_width, value_of},
    value::{Space, Value as Cute},
};
use cute_ffi::{
    ir::{self, Folded, op_name},
    lowered::keyword,
    types::kind_of,
};
use melior::ir::{
    Type, TypeLike, Value,
    attribute::IntegerAttribute,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::visit::{Visit, visits};
use crate::incoming::Incoming;

/// A value with the numbers of its dynamic leaves.
pub(crate) type Known<'c> = Cute<'c, Paired<Wrapping<i64>>>;

/// Lanes of a warp.
const WARP: i64 = cute_arch::WARP as i64;
/// Bits of address space per memory.
pub const ROOM: u32 = 40;
/// A stride in global memory that is only known to be a multiple of `d` is taken to be this many
/// times `d`: it is odd, so that nothing is aligned to more than is promised, and no two rows meet.
const STRIDES: i64 = 1_000_003;

/// Knowledge about values: those that do not depend on the thread, or those of one thread.
#[derive(Debug, Default, Clone)]
pub(crate) struct State<'c> {
    /// Boxed, because they are large, and tables move them.
    values: FxHashMap<usize, Box<Known<'c>>>,
    integers: FxHashMap<usize, i64>,
    /// Values that do not depend on anything unknown.
    certain: FxHashSet<usize>,
}

impl<'c> State<'c> {
    /// Drops what is known of a value.
    fn forget(&mut self, id: usize) {
        self.values.remove(&id);
        self.integers.remove(&id);
        self.certain.remove(&id);
    }

    /// Sets a value whose pointer, if it is one, is null.
    pub fn set(&mut self, value: Value<'c, 'c>, to: &Cute<'c, Dim>) {
        self.values.insert(ir::identity(value), Box::new(with_address(to, 0)));
        self.certain.insert(ir::identity(value));
    }
}

/// The knowledge of a thread, and its accesses by op.
type Run<'c> = (State<'c>, Vec<(usize, Visit)>);

/// A function as far as the accesses of its threads depend on it.
pub(crate) struct Program<'c> {
    /// All of its ops, in the order of the text.
    pub ops: Vec<OperationRef<'c, 'c>>,
    /// Threads of a block along x, y and z.
    pub extents: [i64; 3],
    incoming: Incoming<'c>,
    /// The memories whose accesses are looked for, by the values that stand for them.
    memories: FxHashMap<usize, usize>,
    /// By op: whether its results depend on the thread.
    varies: Vec<bool>,
    /// By op: the branches that it lies in, as a condition and whether it must hold.
    guards: Vec<Vec<(Value<'c, 'c>, bool)>>,
    /// The op that defines a value, by its place in `ops`.
    definers: FxHashMap<usize, usize>,
}

impl<'c> Program<'c> {
    /// The function with these ops, in which `memories` are values.
    pub fn new(ops: Vec<OperationRef<'c, 'c>>, extents: [i64; 3], memories: &[Value<'c, 'c>]) -> Self {
        let incoming = Incoming::in_function(&ops);
        let memories = memories.iter().enumerate().map(|(i, value)| (ir::identity(*value), i)).collect();
        let mut definers = FxHashMap::default();
        for (i, op) in ops.iter().enumerate() {
            ir::results(*op).into_iter().for_each(|result| {
                definers.insert(ir::identity(result), i);
            });
        }
        let mut program =
            Self { ops, extents, incoming, memories, varies: Vec::new(), guards: Vec::new(), definers };
        program.varies = program.reached(|_, op| reads_thread(op));
        program.guards = program.ops.iter().map(|op| guards(*op)).collect();
        program
    }

    /// By op: whether it is one of `first`, or takes a result of such an op.
    pub fn reached(&self, first: impl Fn(usize, OperationRef<'c, 'c>) -> bool) -> Vec<bool> {
        let mut reached: Vec<bool> = self.ops.iter().enumerate().map(|(i, op)| first(i, *op)).collect();
        // A value that a loop hands on comes from a later op, so one pass is not enough.
        loop {
            let mut grew = false;
            for (i, op) in self.ops.iter().enumerate() {
                if !reached[i] && ir::operands(*op).iter().any(|v| self.sources(*v).any(|s| reached[s])) {
                    reached[i] = true;
                    grew = true;
                }
            }
            if !grew {
                return reached;
            }
        }
    }

    /// The ops whose results a value may be.
    pub fn sources(&self, value: Value<'c, 'c>) -> impl Iterator<Item = usize> {
        let (mut open, mut seen, mut found) = (vec![value], FxHashSet::default(), Vec::new());
        while let Some(value) = open.pop() {
            if seen.insert(ir::identity(value)) {
                found.extend(self.definers.get(&ir::identity(value)));
                open.extend(self.incoming.reaching(value));
            }
        }
        found.into_iter()
    }

    /// The ops on which one of `last` depends, as it does on itself, in the order of the text.
    pub fn needed(&self, last: &[usize]) -> Vec<usize> {
        let mut needed = vec![false; self.ops.len()];
        let mut open = last.to_vec();
        while let Some(i) = open.pop() {
            if std::mem::replace(&mut needed[i], true) {
                continue;
            }
            for operand in ir::operands(self.ops[i]) {
                open.extend(self.sources(operand));
            }
            for (condition, _) in &self.guards[i] {
                open.extend(self.sources(*condition));
            }
        }
        (0..needed.len()).filter(|op| needed[*op]).collect()
    }

    /// All ops.
    pub fn all(&self) -> Vec<usize> {
        (0..self.ops.len()).collect()
    }

    /// The conditions of the branches that an op lies in.
    pub fn conditions(&self, op: OperationRef<'c, 'c>) -> Vec<Value<'c, 'c>> {
        guards(op).into_iter().map(|(condition, _)| condition).collect()
    }

    /// The number of threads of a block.
    pub fn threads(&self) -> i64 {
        cute_arch::volume(self.extents)
    }

    /// The position of a thread in its block.
    fn position(&self, thread: i64) -> [i64; 3] {
        let [width, height, _] = self.extents;
        [thread % width, thread / width % height, thread / (width * height)]
    }

    /// The knowledge from these ops that does not depend on the thread.
    pub fn uniform(&self, which: &[usize]) -> State<'c> {
        let mut all = Thread { position: [0; 3], program: self, below: &[], own: State::default() };
        for i in which.iter().filter(|i| !self.varies[**i]) {
            all.run(*i, self.ops[*i], false).unwrap_or_default();
        }
        all.own
    }

    /// The knowledge of a thread after these ops, and its accesses by op; `below` is what is known
    /// already, the most special first. `start` overrides it.
    pub fn thread(
        &self,
        number: i64,
        below: &[&State<'c>],
        start: State<'c>,
        which: &[usize],
    ) -> Result<Run<'c>, (usize, String)> {
        let mut thread = Thread { position: self.position(number), program: self, below, own: start };
        let mut all = Vec::new();
        for i in which {
            let visits = thread.run(*i, self.ops[*i], true).map_err(|why| (*i, why))?;
            all.extend(visits.into_iter().map(|visit| (*i, visit)));
        }
        Ok((thread.own, all))
    }

    /// Whether an op's results depend on the thread.
    pub fn varies(&self, op: usize) -> bool {
        self.varies[op]
    }
}

/// Whether an op reads which thread executes it.
pub fn reads_thread(op: OperationRef<'_, '_>) -> bool {
    let name = op_name(op);
    let register = name.strip_prefix("nvvm.read.ptx.sreg.");
    register.is_some_and(|r| r.starts_with("tid.") || matches!(r, "laneid" | "warpid"))
        || matches!(name, "gpu.thread_id" | "gpu.lane_id" | "gpu.subgroup_id")
}

/// The branches of `scf.if` that an op lies in.
fn guards<'c>(op: OperationRef<'c, 'c>) -> Vec<(Value<'c, 'c>, bool)> {
    let mut guards = Vec::new();
    let mut inside = op;
    while let Some(block) = ir::block_of(inside) {
        let Some(parent) = ir::parent_of(block) else { break };
        if ir::is_function(parent) {
            break;
        }
        if op_name(parent) == "scf.if"
            && let Some(condition) = ir::operands(parent).first()
        {
            let own = ir::block_identity(block);
            let is_first = ir::blocks(parent).first().is_some_and(|b| ir::block_identity(*b) == own);
            guards.push((*condition, is_first));
        }
        inside = parent;
    }
    guards
}

struct Thread<'a, 'c> {
    position: [i64; 3],
    program: &'a Program<'c>,
    below: &'a [&'a State<'c>],
    own: State<'c>,
}

impl<'c> Thread<'_, 'c> {
    /// Evaluates an op; ops come in the order of the text. Returns its accesses.
    fn run(&mut self, index: usize, op: OperationRef<'c, 'c>, visiting: bool) -> Result<Vec<Visit>, String> {
        let is_certain = ir::operands(op).iter().all(|v| self.is_certain(*v));
        let name = op_name(op);
        let Some(kind) = OpKind::from_name(name) else {
            if let Some(result) = ir::result(op, 0)
                && let Some(value) = self.integer(op, name)
            {
                self.own.integers.insert(ir::identity(result), value);
                if is_certain {
                    self.own.certain.insert(ir::identity(result));
                }
            }
            return Ok(Vec::new());
        };
        if let Some(result) = ir::result(op, 0)
            && let Some(memory) = self.program.memories.get(&ir::identity(result))
        {
            let known = declared(result, (*memory as i64 + 1) << ROOM);
            self.own.values.insert(ir::identity(result), Box::new(known));
            return Ok(Vec::new());
        }
        let operands: Vec<_> = ir::operands(op).into_iter().map(|v| self.lookup(v)).collect();
        let types: Vec<_> = declared_types(op).into_iter().map(value_of).collect();
        let call = Call {
            kind,
            operands: &operands,
            attributes: &Attributes::of(op),
            declared: &types,
            context: ir::context(op),
        };
        let made = eval(&call);
        let visits = if visiting && !self.is_skipped(index) { visits(&call)? } else { Vec::new() };
        drop(operands);
        let Ok(made) = made else {
            // Nothing is known of its results, not even what an earlier iteration had.
            for result in ir::results(op) {
                self.own.forget(ir::identity(result));
            }
            return Ok(visits);
        };
        for (i, value) in made.into_iter().enumerate() {
            let Some(result) = ir::result(op, i) else { continue };
            let id = ir::identity(result);
            if is_certain {
                self.own.certain.insert(id);
            }
            match value {
                Cute::Scalar(leaf) => {
                    self.own.integers.insert(id, number(&leaf));
                }
                Cute::Flag(Some(flag)) => {
                    self.own.integers.insert(id, flag.into());
                }
                Cute::Flag(None) => {
                    self.own.certain.remove(&id);
                }
                value => {
                    self.own.values.insert(id, Box::new(value));
                }
            }
        }
        Ok(visits)
    }

    /// Whether the thread certainly does not reach an op.
    fn is_skipped(&self, op: usize) -> bool {
        self.program.guards[op].iter().any(|(condition, expected)| {
            self.is_certain(*condition) && (self.known(*condition) != 0) != *expected
        })
    }

    fn states(&self) -> impl Iterator<Item = &State<'c>> {
        std::iter::once(&self.own).chain(self.below.iter().copied())
    }

    fn is_certain(&self, value: Value<'c, 'c>) -> bool {
        self.states().any(|state| state.certain.contains(&ir::identity(value)))
    }

    fn lookup(&self, value: Value<'c, 'c>) -> Cow<'_, Known<'c>> {
        let id = ir::identity(value);
        if let Some(known) = self.states().find_map(|state| state.values.get(&id)) {
            return Cow::Borrowed(known);
        }
        let t = ir::type_of(value);
        if kind_of(t).is_some() {
            // The value that enters a loop, or that of the first branch.
            return match self.program.incoming.reaching(value).first() {
                Some(first) if ir::type_of(*first) == t => self.lookup(*first),
                _ => Cow::Owned(declared(value, 0)),
            };
        }
        let known = || Wrapping(self.known(value));
        Cow::Owned(match scalar_width(t) {
            Some(width) => Cute::Scalar(Paired::dynamic(width, 1, known())),
            None if t.is_index() => Cute::Scalar(Paired::dynamic(Width::I64, 1, known())),
            None => Cute::Other(t),
        })
    }

    /// The number of the thread in its block, which determines its warp and its lane.
    fn number(&self) -> i64 {
        let [x, y, z] = self.position;
        let [width, height, _] = self.program.extents;
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
                    .or_else(|| axis(register.strip_prefix("ntid.")?).map(|i| self.program.extents[i])),
            };
        }
        let along = || keyword(op.attribute("dimension").ok()?);
        match name {
            "gpu.thread_id" => axis(along()?).map(|i| self.position[i]),
            "gpu.block_dim" => axis(along()?).map(|i| self.program.extents[i]),
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
        let id = ir::identity(value);
        self.states().find_map(|state| state.integers.get(&id)).copied().unwrap_or(0)
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

/// A value of this type whose pointer is `address`. Its other dynamic leaves are 0, or strides in
/// global memory.
fn declared<'c>(value: Value<'c, 'c>, address: i64) -> Known<'c> {
    with_address(&value_of(ir::type_of(value)), address)
}

fn with_address<'c>(value: &Cute<'c, Dim>, address: i64) -> Known<'c> {
    let leaf = |d: &Dim| Paired::new(*d, Wrapping(0));
    let Ok(mut known) = value.try_map(|()| Ok::<_, Infallible>(Wrapping(address)), leaf);
    if let Cute::MemRef(view) = &mut known
        && view.iter.space == Space::Gmem
        && let AnyLayout::Plain(layout) = &view.layout
    {
        let far = |i: &Paired<Wrapping<i64>>| {
            let dim = i.dim();
            if dim.is_static() {
                i.clone()
            } else {
                Paired::new(dim, Wrapping(dim.divisor().saturating_mul(STRIDES)))
            }
        };
        let stride = layout.stride().map(|d| d.map(far));
        view.layout =
            Layout::new(layout.shape().clone(), stride).expect("the trees are those of a layout").into();
    }
    known
}

/// The number of a leaf.
pub fn number(leaf: &Paired<Wrapping<i64>>) -> i64 {
    leaf.materialize(Width::I64).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use cute_ffi::{ir::walk, parse};
    use melior::{Context, dialect::DialectHandle};

    /// The integer result of the last op of a text.
    fn result(c: &Context, text: &str) -> i64 {
        let module = parse::module(c, text, "test").unwrap_or_else(|| panic!("MLIR reads {text}"));
        let program = Program::new(walk(module.as_operation()), [1; 3], &[]);
        let (state, visits) =
            program.thread(0, &[], State::default(), &program.all()).expect("all ops can be evaluated");
        assert_eq!(visits, []);
        let last = program.ops.last().and_then(|op| ir::result(*op, 0)).expect("the last op has a result");
        state.integers.get(&ir::identity(last)).copied().unwrap_or(0)
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
