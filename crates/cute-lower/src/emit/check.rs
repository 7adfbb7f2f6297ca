//! Runtime checks: code that traps, with a message, if an assumption of an operation does not hold.

use std::{cell::Cell, rc::Rc};

use cute_algebra::{Assumption, Domain, Width};
use cute_dialect::{
    ops::{OpKind, print::directive},
    parameters::{Leaf, Promise},
    strict,
    types::{scalar_type, scalar_width},
};
use cute_ffi::{
    ir::{self, op_name},
    predicate::IntPredicate,
};
use melior::ir::{
    Location, Region, RegionLike, Type, Value,
    attribute::{DenseI64ArrayAttribute, IntegerAttribute},
    operation::OperationRef,
    r#type::IntegerType,
};

use super::{graph::Op, ops::op};
use crate::{
    build::{Build, Built},
    print::{Formats, Stream},
};

/// The checks for the current op, and the stream for messages.
pub struct Checks {
    formats: Rc<Formats>,
    of: Cell<Option<(OpKind, Domain)>>,
}

impl Checks {
    /// Checks whose messages are among `formats`.
    pub fn new(formats: Rc<Formats>) -> Self {
        Self { formats, of: Cell::new(None) }
    }

    /// Starts checking the assumptions of `kind` under a policy.
    pub fn enter(&self, kind: OpKind, domain: Domain) {
        self.of.set(Some((kind, domain)));
    }

    /// Whether an assumption of the current op is checked.
    pub fn asks(&self, assumption: Assumption) -> bool {
        self.of.get().is_some_and(|(kind, domain)| strict::assumes(kind, domain, assumption))
    }

    /// Traps before `home` unless `assumption` holds of `a` and `b`.
    pub fn assumption<'c>(
        &self,
        home: OperationRef<'c, 'c>,
        assumption: Assumption,
        width: Width,
        [a, b]: [Value<'c, 'c>; 2],
        constant: impl Fn(i64) -> Value<'c, 'c>,
    ) {
        let code = Code { home, width: ir::type_of(a) };
        let d = directive(width);
        let (wrong, text) = match assumption {
            Assumption::Divides => {
                (code.not_multiple(a, b, &constant), format!("{d} is assumed to be a multiple of {d}"))
            }
            Assumption::DividesOrLess => {
                let wrong =
                    code.and(code.not_multiple(a, b, &constant), code.compare(IntPredicate::Sge, a, b));
                (wrong, format!("stride {d} is assumed to be a multiple of extent {d}, or less"))
            }
            Assumption::Commensurable => {
                let wrong = code.and(code.not_multiple(a, b, &constant), code.not_multiple(b, a, &constant));
                let wrong = code.or(wrong, code.compare(IntPredicate::Eq, b, constant(0)));
                (wrong, format!("of {d} and {d} one is assumed to be a multiple of the other"))
            }
            Assumption::Carries => {
                let wrong = code.and(code.not_multiple(a, b, &constant), code.not_multiple(b, a, &constant));
                let wrong = code.and(wrong, code.compare(IntPredicate::Ne, a, constant(0)));
                (
                    wrong,
                    format!(
                        "stride {d} steps out of an extent of {d}: one is assumed to be a multiple of the other"
                    ),
                )
            }
            Assumption::InRange => {
                (code.compare(IntPredicate::Uge, a, b), format!("index {d} is outside [0, {d})"))
            }
            Assumption::Covers => {
                let text = "set cute.domain = \"extend\" for a partial last tile";
                (code.compare(IntPredicate::Ne, a, b), format!("tiles cover {d} elements of {d}; {text}"))
            }
            Assumption::Fits => (
                code.compare(IntPredicate::Sgt, a, b),
                format!("a window spans {d} elements, the mode has {d}"),
            ),
        };
        self.trap(home, wrong, &text, &[a, b]);
    }

    /// Traps before `entry`, at `location`, unless the value of a parameter's leaf keeps a promise
    /// of its type.
    pub fn promise<'c>(
        &self,
        entry: OperationRef<'c, 'c>,
        location: Location<'c>,
        value: Value<'c, 'c>,
        parameter: &str,
        leaf: &Leaf<'c>,
        promise: Promise,
    ) {
        let build = Build::at(entry, location);
        let checked = || -> Built<()> {
            let c = build.context();
            let is_address = ir::is_llvm_pointer(leaf.r#type);
            let width = if is_address {
                Width::I64
            } else {
                scalar_width(leaf.r#type).expect("a leaf is a pointer or an integer")
            };
            let t = scalar_type(c, width);
            let number = |n: i64| {
                build.typed("arith.constant", &[], t, &[("value", IntegerAttribute::new(t, n).into())])
            };
            let value = if is_address { build.typed("llvm.ptrtoint", &[value], t, &[])? } else { value };
            let (left, predicate, right) = match promise {
                Promise::Positive => (value, IntPredicate::Slt, 1),
                Promise::MultipleOf(n) => {
                    let rest = if is_address { "arith.remui" } else { "arith.remsi" };
                    (build.typed(rest, &[value, number(n)?], t, &[])?, IntPredicate::Ne, 0)
                }
            };
            let flag = IntegerType::new(c, 1).into();
            let wrong =
                build.typed("arith.cmpi", &[left, number(right)?], flag, &[predicate.attribute(c)])?;
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
    pub fn arithmetic<'c>(
        &self,
        home: OperationRef<'c, 'c>,
        what: Op,
        width: Width,
        args: &[Value<'c, 'c>],
    ) -> Option<Value<'c, 'c>> {
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
    fn trap<'c>(
        &self,
        home: OperationRef<'c, 'c>,
        wrong: Value<'c, 'c>,
        text: &str,
        values: &[Value<'c, 'c>],
    ) {
        let text = format!("'{}' op {text}\n", op_name(home));
        if self.trap_at(Build::before(home), wrong, &text, values).is_err() {
            // As in `ops`, the ops are upstream's and well formed.
            panic!("cannot build a check");
        }
    }

    fn trap_at<'c>(
        &self,
        build: Build<'c>,
        wrong: Value<'c, 'c>,
        text: &str,
        values: &[Value<'c, 'c>],
    ) -> Built<()> {
        let region = Region::new();
        region.append_block(ir::block(&[]));
        let branch = build.effect("scf.if", &[wrong], &[], vec![region, Region::new()])?;
        let end = ir::append(branch, "scf.yield").expect("the branch has a block");
        self.formats.write(end, Stream::Error, text, values)?;
        Build::before(end).effect("llvm.intr.trap", &[], &[], vec![])?;
        Ok(())
    }
}

/// Conditions, before an op.
struct Code<'c> {
    home: OperationRef<'c, 'c>,
    width: Type<'c>,
}

impl<'c> Code<'c> {
    fn flag(&self, name: &str, operands: &[Value<'c, 'c>], predicate: Option<IntPredicate>) -> Value<'c, 'c> {
        let c = ir::context(self.home);
        let attributes: Vec<_> = predicate.map(|p| p.attribute(c)).into_iter().collect();
        op(self.home, name, operands, IntegerType::new(c, 1).into(), &attributes)
    }

    fn compare(&self, predicate: IntPredicate, a: Value<'c, 'c>, b: Value<'c, 'c>) -> Value<'c, 'c> {
        self.flag("arith.cmpi", &[a, b], Some(predicate))
    }

    fn and(&self, a: Value<'c, 'c>, b: Value<'c, 'c>) -> Value<'c, 'c> {
        self.flag("arith.andi", &[a, b], None)
    }

    fn or(&self, a: Value<'c, 'c>, b: Value<'c, 'c>) -> Value<'c, 'c> {
        self.flag("arith.ori", &[a, b], None)
    }

    /// `b == 0 || a % b != 0`, dividing by 1 in place of 0.
    fn not_multiple(
        &self,
        a: Value<'c, 'c>,
        b: Value<'c, 'c>,
        constant: impl Fn(i64) -> Value<'c, 'c>,
    ) -> Value<'c, 'c> {
        let zero = self.compare(IntPredicate::Eq, b, constant(0));
        let divisor = op(self.home, "arith.select", &[zero, constant(1), b], self.width, &[]);
        let rest = op(self.home, "arith.remsi", &[a, divisor], self.width, &[]);
        self.or(zero, self.compare(IntPredicate::Ne, rest, constant(0)))
    }
}
