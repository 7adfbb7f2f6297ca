//! Runtime checks: code that traps, with a message, if an assumption of an operation does not hold.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use cute_algebra::{Assumption, Domain, Width};
use cute_build::predicate::IntPredicate;
use cute_dialect::{
    ops::{OpKind, print::directive},
    parameters::{Leaf, Promise},
    strict,
    types::{scalar_type, scalar_width},
};
use cute_ffi::ir::{self, op_name};
use melior::ir::{
    Location, Type, Value, attribute::DenseI64ArrayAttribute, operation::OperationRef, r#type::IntegerType,
};

use super::{
    graph::{Expr, Op},
    ops::op,
};
use crate::{
    Builder, Built,
    print::{Formats, Stream},
};

/// The code for an assumption.
enum Checking {
    /// Code that traps, with messages among these, if it does not hold.
    Trap(Rc<Formats>),
    /// A mark of the address that is made of the coordinate, for the simulator.
    Mark,
}

/// The checks for the current op.
pub struct RuntimeChecks<'c> {
    checking: Checking,
    of: Cell<Option<(OpKind, Domain)>>,
    /// The coordinates of the current op, with the extents that they must be below.
    coordinates: RefCell<Vec<InExtent<'c>>>,
}

/// A coordinate, the extent that it must be below, and the width of both.
pub type InExtent<'c> = (Expr<'c>, Expr<'c>, Width);

impl<'c> RuntimeChecks<'c> {
    /// Checks that trap, with messages among `formats`.
    pub fn new(formats: Rc<Formats>) -> Self {
        Self::of(Checking::Trap(formats))
    }

    /// Marks of addresses for the simulator.
    pub fn marks() -> Self {
        Self::of(Checking::Mark)
    }

    fn of(checking: Checking) -> Self {
        Self { checking, of: Cell::new(None), coordinates: RefCell::default() }
    }

    /// Whether coordinates are marked instead of checked.
    pub fn are_marks(&self) -> bool {
        matches!(self.checking, Checking::Mark)
    }

    /// Starts checking the assumptions of `kind` under a policy.
    pub fn enter(&self, kind: OpKind, domain: Domain) {
        self.of.set(Some((kind, domain)));
        self.coordinates.take();
    }

    /// Whether an assumption of the current op is checked.
    pub fn asks(&self, assumption: Assumption) -> bool {
        let is_known = !self.are_marks() || assumption == Assumption::InRange;
        is_known && self.of.get().is_some_and(|(kind, domain)| strict::assumes(kind, domain, assumption))
    }

    /// The current op assumes that a coordinate is below an extent.
    pub fn note_coordinate(&self, index: &Expr<'c>, extent: &Expr<'c>, width: Width) {
        self.coordinates.borrow_mut().push((index.clone(), extent.clone(), width));
    }

    /// The coordinates of the current op since the last call.
    pub fn take_coordinates(&self) -> Vec<InExtent<'c>> {
        self.coordinates.take()
    }

    /// Traps before `home` unless `assumption` holds of `a` and `b`.
    pub fn assumption(
        &self,
        home: OperationRef<'c, 'c>,
        assumption: Assumption,
        width: Width,
        [a, b]: [Value<'c, 'c>; 2],
        constant: impl Fn(i64) -> Value<'c, 'c>,
    ) {
        let build = Builder::before(home);
        let written = broken(&build, assumption, directive(width), [a, b], &constant);
        let (wrong, text) = written.unwrap_or_else(|_| panic!("cannot build a check"));
        self.trap(home, wrong, &text, &[a, b]);
    }

    /// Traps before `entry`, at `location`, unless the value of a parameter's leaf keeps a promise
    /// of its type.
    pub fn promise(
        &self,
        entry: OperationRef<'c, 'c>,
        location: Location<'c>,
        value: Value<'c, 'c>,
        parameter: &str,
        leaf: &Leaf<'c>,
        promise: Promise,
    ) {
        let build = Builder::before(entry).at(location);
        let checked = || -> Built<()> {
            let c = build.context();
            let is_address = ir::is_llvm_pointer(leaf.r#type);
            let width = if is_address {
                Width::I64
            } else {
                scalar_width(leaf.r#type).expect("a leaf is a pointer or an integer")
            };
            let t = scalar_type(c, width);
            let value = if is_address { build.typed("llvm.ptrtoint", &[value], t, &[])? } else { value };
            let (left, predicate, right) = match promise {
                Promise::Positive => (value, IntPredicate::Slt, 1),
                Promise::MultipleOf(n) => {
                    let n = build.number(t, n)?;
                    let rest = if is_address { build.rem_unsigned(value, n) } else { build.rem(value, n) };
                    (rest?, IntPredicate::Ne, 0)
                }
            };
            let wrong = build.compare(predicate, left, build.number(t, right)?)?;
            let directive = if is_address { "0x%llx" } else { directive(width) };
            let leaf = format!("parameter '{parameter}': {leaf}");
            let text = format!("{}\n", promise.broken(&leaf, directive));
            self.trap_at(build, wrong, &text, &[value])
        };
        if checked().is_err() {
            panic!("cannot build a check");
        }
    }

    /// `a + b`, `a - b` or `a * b`, which traps if the width cannot hold it; `None` for other ops.
    pub(crate) fn arithmetic(
        &self,
        home: OperationRef<'c, 'c>,
        what: Op,
        width: Width,
        args: &[Value<'c, 'c>],
    ) -> Option<Value<'c, 'c>> {
        if self.are_marks() {
            return None;
        }
        let (name, sign) = match what {
            Op::Add => ("llvm.intr.sadd.with.overflow", '+'),
            Op::Sub => ("llvm.intr.ssub.with.overflow", '-'),
            Op::Mul => ("llvm.intr.smul.with.overflow", '*'),
            _ => return None,
        };
        let c = ir::context(home);
        let t = ir::type_of(*args.first()?);
        let both = Type::parse(c, &format!("!llvm.struct<({t}, i1)>"))?;
        let both = op(home, name, args, both, &[]);
        let part = |i: i64, t: Type<'c>| {
            let position = DenseI64ArrayAttribute::new(c, &[i]).into();
            op(home, "llvm.extractvalue", &[both], t, &[("position", position)])
        };
        let (value, overflowed) = (part(0, t), part(1, IntegerType::new(c, 1).into()));
        let d = directive(width);
        let wider = if width == Width::I32 { "; leaves of i64 hold more" } else { "" };
        self.trap(home, overflowed, &format!("{d} {sign} {d} overflows {t}{wider}"), args);
        Some(value)
    }

    /// `if (wrong) { write; trap }`.
    fn trap(&self, home: OperationRef<'c, 'c>, wrong: Value<'c, 'c>, text: &str, values: &[Value<'c, 'c>]) {
        let text = format!("'{}' op {text}\n", op_name(home));
        if self.trap_at(Builder::before(home), wrong, &text, values).is_err() {
            // As in `ops`, the ops are upstream's and well formed.
            panic!("cannot build a check");
        }
    }

    fn trap_at(
        &self,
        build: Builder<'c>,
        wrong: Value<'c, 'c>,
        text: &str,
        values: &[Value<'c, 'c>],
    ) -> Built<()> {
        let Checking::Trap(formats) = &self.checking else { return Ok(()) };
        let inside = build.conditional(wrong)?;
        formats.write(inside.anchor(), Stream::Error, text, values)?;
        inside.effect("llvm.intr.trap", &[], &[])
    }
}

/// Whether an assumption does not hold of `a` and `b`, and the message about it.
fn broken<'c>(
    build: &Builder<'c>,
    assumption: Assumption,
    d: &str,
    [a, b]: [Value<'c, 'c>; 2],
    constant: &dyn Fn(i64) -> Value<'c, 'c>,
) -> Built<(Value<'c, 'c>, String)> {
    let wrong = match assumption {
        Assumption::Divides => not_multiple(build, a, b, constant)?,
        Assumption::DividesOrLess => {
            build.and(not_multiple(build, a, b, constant)?, build.compare(IntPredicate::Sge, a, b)?)?
        }
        Assumption::Commensurable => {
            let wrong =
                build.and(not_multiple(build, a, b, constant)?, not_multiple(build, b, a, constant)?)?;
            build.or(wrong, build.compare(IntPredicate::Eq, b, constant(0))?)?
        }
        Assumption::Carries => {
            let wrong =
                build.and(not_multiple(build, a, b, constant)?, not_multiple(build, b, a, constant)?)?;
            build.and(wrong, build.compare(IntPredicate::Ne, a, constant(0))?)?
        }
        // A negative number is a large unsigned one.
        Assumption::InRange | Assumption::Within => build.compare(IntPredicate::Uge, a, b)?,
        Assumption::Nonzero => build.compare(IntPredicate::Eq, a, b)?,
        Assumption::Ascends => build.compare(IntPredicate::Sle, a, b)?,
        Assumption::Covers | Assumption::Single => build.compare(IntPredicate::Ne, a, b)?,
        Assumption::Fits => build.compare(IntPredicate::Sgt, a, b)?,
        Assumption::Apart => build.compare(IntPredicate::Sge, a, b)?,
    };
    Ok((wrong, assumption.broken(&d, &d)))
}

/// `b == 0 || a % b != 0`, dividing by 1 in place of 0.
fn not_multiple<'c>(
    build: &Builder<'c>,
    a: Value<'c, 'c>,
    b: Value<'c, 'c>,
    constant: &dyn Fn(i64) -> Value<'c, 'c>,
) -> Built<Value<'c, 'c>> {
    let zero = build.compare(IntPredicate::Eq, b, constant(0))?;
    let divisor = build.select(zero, constant(1), b)?;
    let rest = build.rem(a, divisor)?;
    build.or(zero, build.compare(IntPredicate::Ne, rest, constant(0))?)
}
