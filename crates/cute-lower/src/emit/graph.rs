//! Expressions over SSA values. An expression is made once in every scope. It belongs before the op
//! whose evaluation first made it (its home, which dominates every later use), and becomes ops when
//! it is first needed.

use std::{
    cell::{Cell, RefCell},
    fmt,
    num::Wrapping,
    rc::Rc,
};

use cute_algebra::{Assumption, Payload, Width};
use cute_ffi::ir;
use melior::ir::{BlockRef, Value, operation::OperationRef};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{
    check::{InExtent, RuntimeChecks},
    mark,
    ops::{self, Flags},
};

/// The function that an expression computes of its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub(crate) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    Abs,
    Signum,
    And,
    Xor,
    /// Left by a positive, arithmetic right by a negative amount.
    Shift(i32),
    /// To the left, in 32 bits.
    Rotate(u32),
    /// Sign extension or truncation.
    Resize,
    /// From `index`.
    IndexCast,
    /// `base + index` elements of that many bits; of less than 8, an address inside a byte.
    Element(u32),
    /// The first argument, where something is assumed of the others, of that width.
    Assuming(Assumption, Width),
    /// From an address.
    ToInteger,
    /// From an integer, the second argument, to the type of the first.
    ToAddress,
    /// The first argument if the third, an `i1`, is true, otherwise the second.
    Select,
    /// The first argument, an address, with a mark for the simulator: the others are pairs of a
    /// coordinate and the extent that it must be below. The text with this number names them.
    Marked(usize, Moves),
}

/// Whether the mark of an address moves to the addresses that are made of it. Where they are
/// swizzled, the code depends on the terms of the address, and so must not see the mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Moves {
    No,
    Yes,
}

/// Type of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// An integer of this width.
    Int(Width),
    /// The type of the first argument.
    First,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Value(usize),
    Constant(i64, Width),
    Node(usize),
}

/// Mostly two of anything.
type Pair<T> = SmallVec<[T; 2]>;

/// The scope of an expression, and the expression.
type Known = (usize, Op, Kind, Pair<Key>);

/// An expression in the graph's own representation. (An [`Expr`] contains a graph; nodes that did
/// so would keep their own graph alive.)
#[derive(Clone, Copy)]
enum Arg<'c> {
    Constant(i64, Width),
    Value(Value<'c, 'c>),
    Node(usize),
}

struct Node<'c> {
    op: Op,
    kind: Kind,
    args: Pair<Arg<'c>>,
    home: OperationRef<'c, 'c>,
    made: Option<Value<'c, 'c>>,
}

/// All expressions of one function.
pub struct Graph<'c> {
    nodes: RefCell<Vec<Node<'c>>>,
    known: RefCell<FxHashMap<Known, usize>>,
    /// The block of the current op.
    block: Cell<usize>,
    /// Scopes that see one another's expressions: that of the block, then those around it.
    scopes: RefCell<Vec<usize>>,
    home: Cell<OperationRef<'c, 'c>>,
    entry: OperationRef<'c, 'c>,
    constants: RefCell<FxHashMap<(i64, Width), Value<'c, 'c>>>,
    flags: Flags<'c>,
    checks: Option<RuntimeChecks<'c>>,
    /// The checks that are there: where, the assumption, and the two values.
    checked: RefCell<FxHashSet<(usize, Assumption, [Key; 2])>>,
    /// The texts of marks, by number.
    marks: RefCell<Vec<Rc<str>>>,
    /// Whether an address inside a byte was needed.
    inside_byte: Cell<bool>,
}

/// An integer or address that is emitted when something needs it.
#[derive(Clone)]
pub enum Expr<'c> {
    /// A constant; it has no place until it becomes an op.
    Constant(i64, Width),
    /// An SSA value that exists.
    Value(Rc<Graph<'c>>, Value<'c, 'c>),
    /// Something to be computed.
    Node(Rc<Graph<'c>>, usize),
}

impl<'c> Graph<'c> {
    /// The expressions of a function; constants go before `entry`, its first op.
    pub fn new(entry: OperationRef<'c, 'c>, flags: Flags<'c>, checks: Option<RuntimeChecks<'c>>) -> Rc<Self> {
        // Most functions have a few dozen expressions.
        Rc::new(Self {
            nodes: RefCell::new(Vec::with_capacity(56)),
            known: RefCell::new(FxHashMap::with_capacity_and_hasher(56, FxBuildHasher)),
            block: Cell::default(),
            scopes: RefCell::default(),
            flags,
            home: Cell::new(entry),
            entry,
            constants: RefCell::default(),
            checks,
            checked: RefCell::default(),
            marks: RefCell::default(),
            inside_byte: Cell::default(),
        })
    }

    /// Whether an address inside a byte, which no pointer can represent, was needed since the last
    /// call.
    pub fn was_inside_byte(&self) -> bool {
        self.inside_byte.take()
    }

    /// The runtime checks, if they are enabled.
    pub fn checks(&self) -> Option<&RuntimeChecks<'c>> {
        self.checks.as_ref()
    }

    /// Sets the home of new expressions to `op`, which can use the expressions of its scopes.
    pub fn enter(&self, op: OperationRef<'c, 'c>) {
        self.home.set(op);
        let Some(block) = ir::block_of(op) else { return };
        if self.block.replace(ir::block_identity(block)) != ir::block_identity(block) {
            *self.scopes.borrow_mut() = scopes(block);
        }
    }

    fn node(self: &Rc<Self>, op: Op, kind: Kind, args: &[&Expr<'c>]) -> Expr<'c> {
        let keys: Pair<_> = args.iter().map(|e| e.key()).collect();
        let scopes = self.scopes.borrow();
        let mut known = (0, op, kind, keys);
        for scope in scopes.iter() {
            known.0 = *scope;
            if let Some(id) = self.known.borrow().get(&known) {
                return Expr::Node(self.clone(), *id);
            }
        }
        let args = args.iter().map(|e| e.arg()).collect();
        let id = self.nodes.borrow().len();
        self.nodes.borrow_mut().push(Node { op, kind, args, home: self.home.get(), made: None });
        if let Some(scope) = scopes.first() {
            known.0 = *scope;
            self.known.borrow_mut().insert(known, id);
        }
        Expr::Node(self.clone(), id)
    }

    /// The value of an expression, as ops at its home.
    pub fn value(&self, e: &Expr<'c>) -> Value<'c, 'c> {
        self.made(e.arg())
    }

    fn made(&self, arg: Arg<'c>) -> Value<'c, 'c> {
        match arg {
            Arg::Value(value) => value,
            Arg::Constant(value, width) => self.constant(value, width),
            Arg::Node(id) => {
                if let Some(made) = self.nodes.borrow()[id].made {
                    return made;
                }
                let (op, kind, args, home) = {
                    let nodes = self.nodes.borrow();
                    let n = &nodes[id];
                    (n.op, n.kind, n.args.clone(), n.home)
                };
                let made = match (op, &args[..]) {
                    (Op::Assuming(assumption, width), [value, a, b]) => {
                        // First, because a division by 0 traps without a message. The value may
                        // be the one that is assumed something of, or an address made of it.
                        self.check(home, assumption, width, [*a, *b]);
                        self.made(*value)
                    }
                    _ => self.compute(home, op, kind, &args),
                };
                self.nodes.borrow_mut()[id].made = Some(made);
                made
            }
        }
    }

    fn compute(&self, home: OperationRef<'c, 'c>, op: Op, kind: Kind, args: &[Arg<'c>]) -> Value<'c, 'c> {
        if matches!(op, Op::Element(bits) if bits < 8 && 8 % bits == 0) {
            self.inside_byte.set(true);
        }
        let args: Pair<_> = args.iter().map(|a| self.made(*a)).collect();
        if let Op::Marked(number, _) = op {
            let text = self.marks.borrow()[number].clone();
            return mark::of(home, &text, &args);
        }
        let checked = match (&self.checks, kind) {
            (Some(checks), Kind::Int(width)) => checks.arithmetic(home, op, width, &args),
            _ => None,
        };
        checked.unwrap_or_else(|| ops::node(home, op, kind, &args, self.flags, &|n, w| self.constant(n, w)))
    }

    /// Notes a coordinate of the current op. Returns whether it is marked instead of checked.
    fn notes(&self, what: Assumption, index: &Expr<'c>, extent: &Expr<'c>, width: Width) -> bool {
        let Some(checks) = &self.checks else { return false };
        if what == Assumption::InRange {
            checks.note_coordinate(index, extent, width);
        }
        checks.are_marks()
    }

    /// An address of the current op that is made of coordinates: the simulator follows it if one of
    /// them is not below its extent, and checked code traps. Beside each is the path of its mode.
    pub fn of_coordinates(
        &self,
        address: &Expr<'c>,
        coordinates: &[(InExtent<'c>, String)],
        moves: Moves,
    ) -> Expr<'c> {
        let Some(checks) = self.checks.as_ref().filter(|_| !coordinates.is_empty()) else {
            return address.clone();
        };
        if !checks.are_marks() {
            let assuming = |address: Expr<'c>, ((index, extent, width), _): &(InExtent<'c>, String)| {
                let op = Op::Assuming(Assumption::InRange, *width);
                Expr::make(op, Kind::First, &[&address, index, extent])
            };
            return coordinates.iter().fold(address.clone(), assuming);
        }
        let mut text = ir::op_name(self.home.get()).to_owned();
        let mut args = vec![address];
        for ((index, extent, _), path) in coordinates {
            text = format!("{text};{path}");
            args.extend([index, extent]);
        }
        let mut marks = self.marks.borrow_mut();
        let number = marks.iter().position(|known| **known == *text).unwrap_or(marks.len());
        if number == marks.len() {
            marks.push(text.into());
        }
        drop(marks);
        Expr::make(Op::Marked(number, moves), Kind::First, &args)
    }

    fn check(&self, home: OperationRef<'c, 'c>, assumption: Assumption, width: Width, of: [Arg<'c>; 2]) {
        if let Some(checks) = &self.checks {
            let key = (ir::op_identity(home), assumption, of.map(|a| a.key()));
            if !self.checked.borrow_mut().insert(key) {
                return;
            }
            let of = of.map(|a| self.made(a));
            checks.assumption(home, assumption, width, of, |n| self.constant(n, width));
        }
    }

    /// A constant, once for the whole function.
    pub fn constant(&self, value: i64, width: Width) -> Value<'c, 'c> {
        if let Some(known) = self.constants.borrow().get(&(value, width)) {
            return *known;
        }
        let made = ops::constant(self.entry, value, width, self.flags);
        self.constants.borrow_mut().insert((value, width), made);
        made
    }
}

/// Scopes whose expressions an op of a block may use: the block, and the blocks that always run
/// before it, which are the first block of its region and the enclosing blocks.
fn scopes<'c>(block: BlockRef<'c, 'c>) -> Vec<usize> {
    let mut out = Vec::new();
    let mut block = Some(block);
    while let Some(b) = block {
        out.push(ir::block_identity(b));
        if let Some(entry) = ir::entry_of(b).map(ir::block_identity)
            && out.last() != Some(&entry)
        {
            out.push(entry);
        }
        let parent = ir::parent_of(b);
        block = parent.filter(|p| !ir::is_function(*p)).and_then(ir::block_of);
    }
    out
}

impl Arg<'_> {
    fn key(&self) -> Key {
        match self {
            Self::Constant(value, width) => Key::Constant(*value, *width),
            Self::Value(value) => Key::Value(ir::identity(*value)),
            Self::Node(id) => Key::Node(*id),
        }
    }
}

impl<'c> Expr<'c> {
    /// Whether two are one expression.
    pub fn is(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    fn key(&self) -> Key {
        self.arg().key()
    }

    fn arg(&self) -> Arg<'c> {
        match self {
            Self::Constant(value, width) => Arg::Constant(*value, *width),
            Self::Value(_, value) => Arg::Value(*value),
            Self::Node(_, id) => Arg::Node(*id),
        }
    }

    fn graph(&self) -> Option<&Rc<Graph<'c>>> {
        match self {
            Self::Constant(..) => None,
            Self::Value(graph, _) | Self::Node(graph, _) => Some(graph),
        }
    }

    pub(super) fn make(op: Op, kind: Kind, args: &[&Self]) -> Self {
        match args.iter().find_map(|e| e.graph()) {
            Some(graph) => graph.node(op, kind, args),
            None => Self::of_constants(op, kind, args),
        }
    }

    /// The value of an op on constants. That occurs when a static integer is treated as a run-time
    /// one.
    fn of_constants(op: Op, kind: Kind, args: &[&Self]) -> Self {
        let number = |i: usize| match args.get(i) {
            Some(Self::Constant(n, _)) => Wrapping(*n),
            _ => unreachable!("an expression that is not a constant has a graph"),
        };
        let Kind::Int(width) = kind else { unreachable!("constants are integers") };
        let (a, binary) = (number(0), |f: fn(&Wrapping<i64>, &Wrapping<i64>, Width) -> Wrapping<i64>| {
            f(&number(0), &number(1), width)
        });
        let Wrapping(value) = match op {
            Op::Add => binary(Payload::add),
            Op::Sub => binary(Payload::sub),
            Op::Mul => binary(Payload::mul),
            Op::Div => binary(Payload::div),
            Op::Rem => binary(Payload::rem),
            Op::Min => binary(Payload::min),
            Op::Max => binary(Payload::max),
            Op::And => binary(Payload::and),
            Op::Xor => binary(Payload::xor),
            Op::Abs => Payload::abs(&a, width),
            Op::Signum => Payload::signum(&a, width),
            Op::Shift(by) => Payload::shift_left(&a, by, width),
            Op::Rotate(by) => Wrapping((a.0 as u32).rotate_left(by).cast_signed().into()),
            Op::Resize | Op::IndexCast | Op::Assuming(..) => a,
            Op::Element(_) | Op::ToInteger | Op::ToAddress | Op::Select | Op::Marked(..) => {
                unreachable!("an address has a graph, and so has a condition")
            }
        };
        Self::Constant(value, width)
    }

    /// The graph of one of them, where it checks an assumption.
    fn asking<'a>(exprs: [&'a Self; 2], assumption: Assumption) -> Option<&'a Rc<Graph<'c>>> {
        let graph = exprs.into_iter().find_map(Self::graph)?;
        graph.checks.as_ref().is_some_and(|checks| checks.asks(assumption)).then_some(graph)
    }

    /// For an address inside a byte, `base + index` elements of this number of bits: its base and
    /// index.
    pub fn inside_byte(&self, bits: u32) -> Option<(Self, Self)> {
        self.args_if(|op| op == Op::Element(bits)).map(|(_, base, index)| (base, index))
    }

    /// The op, type and arguments of an expression that is computed.
    pub(super) fn parts(&self) -> Option<(Op, Kind, SmallVec<[Self; 2]>)> {
        let Self::Node(graph, id) = self else { return None };
        let nodes = graph.nodes.borrow();
        let node = nodes.get(*id)?;
        Some((node.op, node.kind, node.args.iter().map(|arg| Self::of(graph, *arg)).collect()))
    }

    fn of(graph: &Rc<Graph<'c>>, arg: Arg<'c>) -> Self {
        match arg {
            Arg::Constant(value, width) => Self::Constant(value, width),
            Arg::Value(value) => Self::Value(graph.clone(), value),
            Arg::Node(id) => Self::Node(graph.clone(), id),
        }
    }

    /// An address of one that is made by `make` from this one without a mark that moves, with the
    /// mark; `None` if this one has no such mark.
    pub(super) fn past_mark(&self, make: impl FnOnce(&Self) -> Self) -> Option<Self> {
        let (op, kind, args) = self.parts()?;
        let Op::Marked(_, Moves::Yes) = op else { return None };
        let made = make(&args[0]);
        let args: Vec<&Self> = std::iter::once(&made).chain(&args[1..]).collect();
        Some(Self::make(op, kind, &args))
    }

    /// The op and the first two arguments of an expression whose op is `wanted`.
    pub(super) fn args_if(&self, wanted: impl Fn(Op) -> bool) -> Option<(Op, Self, Self)> {
        let Self::Node(graph, id) = self else { return None };
        let nodes = graph.nodes.borrow();
        let node = nodes.get(*id).filter(|n| wanted(n.op))?;
        let expr = |i: usize| node.args.get(i).map(|arg| Self::of(graph, *arg));
        Some((node.op, expr(0)?, expr(1)?))
    }

    /// One of two expressions of the same type: `yes` if `condition` holds. If both are the same,
    /// no select is made.
    pub fn select(condition: &Self, yes: &Self, no: &Self) -> Self {
        if yes.key() == no.key() {
            yes.clone()
        } else {
            Self::make(Op::Select, Kind::First, &[yes, no, condition])
        }
    }

    /// An address as an integer.
    pub fn as_integer(&self, width: Width) -> Self {
        Self::make(Op::ToInteger, Kind::Int(width), &[self])
    }

    /// An `index` value as an integer.
    pub fn from_index(&self, width: Width) -> Self {
        Self::make(Op::IndexCast, Kind::Int(width), &[self])
    }
}

impl fmt::Debug for Expr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.key())
    }
}

impl<'c> Payload for Expr<'c> {
    fn constant(value: i64, width: Width) -> Self {
        Self::Constant(value, width)
    }
    fn resize(&self, _: Width, to: Width) -> Self {
        match self {
            Self::Constant(value, _) => Self::Constant(*value, to),
            _ => Self::make(Op::Resize, Kind::Int(to), &[self]),
        }
    }
    fn add(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::Add, Kind::Int(width), &[self, rhs])
    }
    fn sub(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::Sub, Kind::Int(width), &[self, rhs])
    }
    fn mul(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::Mul, Kind::Int(width), &[self, rhs])
    }
    fn div(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::Div, Kind::Int(width), &[self, rhs])
    }
    fn rem(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::Rem, Kind::Int(width), &[self, rhs])
    }
    /// ceil(a / b) = (a + b - 1) / b for a >= 0, b > 0; the constants in `a + b - 1` are combined.
    fn ceil_div(&self, rhs: &Self, width: Width) -> Self {
        let constant = |n| Self::Constant(n, width);
        let sum = match (self, rhs) {
            (_, Self::Constant(b, _)) => self.add(&constant(b - 1), width),
            (Self::Constant(1, _), _) => rhs.clone(),
            (Self::Constant(a, _), _) => rhs.add(&constant(a - 1), width),
            _ => self.add(&rhs.sub(&constant(1), width), width),
        };
        sum.div(rhs, width)
    }
    fn min(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::Min, Kind::Int(width), &[self, rhs])
    }
    fn max(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::Max, Kind::Int(width), &[self, rhs])
    }
    fn abs(&self, width: Width) -> Self {
        Self::make(Op::Abs, Kind::Int(width), &[self])
    }
    fn signum(&self, width: Width) -> Self {
        Self::make(Op::Signum, Kind::Int(width), &[self])
    }
    fn and(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::And, Kind::Int(width), &[self, rhs])
    }
    fn xor(&self, rhs: &Self, width: Width) -> Self {
        Self::make(Op::Xor, Kind::Int(width), &[self, rhs])
    }
    fn shift_left(&self, shift: i32, width: Width) -> Self {
        Self::make(Op::Shift(shift), Kind::Int(width), &[self])
    }
    fn assuming(&self, own: Width, what: Assumption, a: &Self, b: &Self, width: Width) -> Self {
        match Self::asking([a, b], what) {
            Some(graph) if graph.notes(what, a, b, width) => self.clone(),
            Some(_) => Self::make(Op::Assuming(what, width), Kind::Int(own), &[self, a, b]),
            None => self.clone(),
        }
    }
    fn is_checked(&self) -> bool {
        self.graph().is_some_and(|graph| graph.checks.is_some())
    }
    fn assume(what: Assumption, a: &Self, b: &Self, width: Width) {
        if let Some(graph) = Self::asking([a, b], what)
            && !graph.notes(what, a, b, width)
        {
            graph.check(graph.home.get(), what, width, [a.arg(), b.arg()]);
        }
    }
}
