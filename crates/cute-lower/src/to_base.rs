//! `cute-to-base`: every value becomes its dynamic leaves. Signatures are rewritten first, by MLIR's own structural
//! patterns; then one walk evaluates each op over [`Emit`] leaves, with the very function that inferred its type, and
//! code appears where a leaf leaves the dialect.

mod carried;
mod entry;
mod state;

use std::{borrow::Cow, rc::Rc};

use cute_algebra::{Int, Paired, Width};
use cute_dialect::{
    answer::declared_types,
    ops::{Call, OpKind, eval, layouts::compared, print::printf, tensors, tuples::equated},
    strict::domain,
    types::{State, leaf_types, scalar_width, value_of},
    value::{Space, Value as Cute},
};
use cute_ffi::{
    self, Severity,
    ir::{self, Signatures, op_name, replace_uses, walk_outer},
    order,
    types::{Kind, kind_of},
};
use melior::ir::{Type, Value, attribute::IntegerAttribute, operation::OperationRef, r#type::IntegerType};
use rustc_hash::FxHashMap;

use crate::{
    build::{Build, Built, Failed},
    emit::{
        Checks, Emit, Expr, Graph,
        ops::{address_as_integer, integer_as_address, op as emit_op},
    },
    fast_divmod, is_ours,
    memory::{self, Storage},
    print::Formats,
    swizzle,
};
use entry::Entry;

/// Runs the pass. With `runtime_checks` the code traps where what an operation assumes does not hold.
pub fn run<'c>(root: OperationRef<'c, 'c>, runtime_checks: bool) -> Built<()> {
    memory::require_module(root, "cute-to-base")?;
    let (mut functions, mut stray) = (Vec::new(), None);
    walk_outer(root, |op| {
        let is_function = ir::is_function(op);
        if is_function {
            functions.push(op);
        } else if is_ours(op) {
            stray = stray.or(Some(op));
        }
        !is_function
    });
    if let Some(op) = stray {
        return Build::before(op).fail(&format!("'{}' op is not supported outside a function", op_name(op)));
    }
    // Function by function, so that what is worked on stays in the caches.
    let signatures = Signatures::new(ir::context(root));
    let (mut storage, formats) = (Storage::default(), Rc::new(Formats::default()));
    for function in functions {
        let entry = Entry::of(function);
        if !signatures.convert(function) {
            return Err(Failed);
        }
        let checks = runtime_checks.then(|| Checks::new(formats.clone()));
        if let Some(entry) = entry {
            entry.keep_promises(checks.as_ref());
        }
        Lowering::run(function, &mut storage, &formats, checks)?;
    }
    Ok(())
}

/// The walk over one function.
struct Lowering<'c, 's> {
    graph: Rc<Graph<'c>>,
    values: FxHashMap<usize, Cute<'c, Emit<'c>>>,
    /// What atoms are given at run time.
    states: FxHashMap<usize, Vec<Expr<'c>>>,
    /// Ops that are replaced, in order.
    replaced: Vec<OperationRef<'c, 'c>>,
    entry: OperationRef<'c, 'c>,
    storage: &'s mut Storage,
    formats: &'s Formats,
}

impl<'c, 's> Lowering<'c, 's> {
    fn run(
        function: OperationRef<'c, 'c>,
        storage: &'s mut Storage,
        formats: &'s Formats,
        checks: Option<Checks>,
    ) -> Built<()> {
        let Some(entry) = ir::body(function).and_then(ir::first_op) else { return Ok(()) };
        let mut lowering = Self {
            graph: Graph::new(entry, checks),
            values: FxHashMap::default(),
            states: FxHashMap::default(),
            replaced: Vec::new(),
            entry,
            storage,
            formats,
        };
        for op in order::inside(function) {
            lowering.op(op)?;
            if lowering.graph.was_inside_byte() {
                return Build::before(op).fail(
                    "an address inside a byte is not supported: offsets of views of so small elements have whole bytes",
                );
            }
        }
        let Self { replaced, .. } = lowering;
        for op in replaced.into_iter().rev() {
            ir::erase(op);
        }
        Ok(())
    }

    fn op(&mut self, op: OperationRef<'c, 'c>) -> Built<()> {
        self.graph.enter(op);
        let name = op_name(op);
        if name == "builtin.unrealized_conversion_cast" {
            return self.cast(op);
        }
        if let Some(kind) = OpKind::from_name(name) {
            self.replaced.push(op);
            return self.ours(op, kind);
        }
        let foreign = ir::operands(op).into_iter().map(ir::type_of).chain(declared_types(op));
        match foreign.into_iter().find(|t| kind_of(*t).is_some()) {
            Some(t) => self.carried(op, name, t),
            None => Ok(()),
        }
    }

    /// Casts are where values enter and leave the dialect.
    fn cast(&mut self, op: OperationRef<'c, 'c>) -> Built<()> {
        let (operands, results) = (ir::operands(op), declared_types(op));
        let enters = results.first().is_some_and(|t| kind_of(*t).is_some());
        let leaves = operands.first().is_some_and(|v| kind_of(ir::type_of(*v)).is_some());
        if !enters && !leaves {
            return Ok(());
        }
        self.replaced.push(op);
        if enters && leaves {
            let value = self.lookup(op, operands[0])?.into_owned();
            if State::of(&value).is_some() {
                let state = self.leaves_of(op, operands[0])?;
                self.define_state(op, state);
            }
            return self.define(op, vec![value]);
        }
        if enters {
            let leaves = operands.iter().map(|v| Expr::Value(self.graph.clone(), *v)).collect();
            return self.define_leaves(op, results[0], leaves);
        }
        let leaves = self.leaves_of(op, operands[0])?;
        if leaves.len() != results.len() {
            return Build::before(op).fail("a cast to the wrong number of leaves");
        }
        for (i, leaf) in leaves.into_iter().enumerate() {
            if let Some(result) = ir::result(op, i) {
                replace_uses(result, self.graph.value(&leaf));
            }
        }
        Ok(())
    }

    /// A value of a type from its leaves: the pointer, then the dynamic integers, depth first.
    fn with_leaves(&self, t: Type<'c>, leaves: Vec<Expr<'c>>) -> Option<Cute<'c, Emit<'c>>> {
        let mut rest = leaves.into_iter();
        let declared = value_of(t);
        let pointer = if matches!(*declared, Cute::Ptr(_) | Cute::MemRef(_)) { rest.next() } else { None };
        let mut missing = false;
        let value = declared.try_map(
            |()| pointer.ok_or(()),
            |d| match (d.width(), d.as_static()) {
                (None, Some(n)) => Paired::fixed(n),
                _ => match rest.next() {
                    Some(e) => Paired::new(*d, e),
                    None => {
                        missing = true;
                        Paired::fixed(0)
                    }
                },
            },
        );
        value.ok().filter(|_| !missing)
    }

    /// The leaves of a value as its declared type has them.
    fn leaves(&self, t: Type<'c>, value: &Cute<'c, Emit<'c>>) -> Vec<Expr<'c>> {
        let declared = value_of(t);
        let mut out = Vec::with_capacity(leaf_types(t).map_or(0, |l| l.len()));
        match value {
            Cute::Ptr(p) => out.push(p.address.clone()),
            Cute::MemRef(view) => out.push(view.iter.address.clone()),
            _ => {}
        }
        let leaves = value.leaves();
        let dynamic =
            declared.leaves().into_iter().zip(&leaves).filter_map(|(d, leaf)| Some((d.width()?, leaf)));
        out.extend(dynamic.map(|(width, leaf)| leaf.materialize(width)));
        out
    }

    fn lookup(&self, op: OperationRef<'c, 'c>, value: Value<'c, 'c>) -> Built<Cow<'_, Cute<'c, Emit<'c>>>> {
        if let Some(known) = self.values.get(&ir::identity(value)) {
            return Ok(Cow::Borrowed(known));
        }
        let t = ir::type_of(value);
        if kind_of(t).is_some() {
            return Build::before(op)
                .fail(&format!("a value of type {t} comes from an op that is not supported"));
        }
        let expr = || Expr::Value(self.graph.clone(), value);
        Ok(Cow::Owned(match scalar_width(t) {
            Some(_) if is_index(t) => {
                let width = if ir::index_width(op) == 32 { Width::I32 } else { Width::I64 };
                Cute::Scalar(Paired::dynamic(width, 1, expr().from_index(width)))
            }
            Some(width) => Cute::Scalar(Paired::dynamic(width, 1, expr())),
            None => Cute::Other(t),
        }))
    }

    fn define(&mut self, op: OperationRef<'c, 'c>, values: Vec<Cute<'c, Emit<'c>>>) -> Built<()> {
        for (i, value) in values.into_iter().enumerate() {
            if let Some(result) = ir::result(op, i) {
                self.values.insert(ir::identity(result), value);
            }
        }
        Ok(())
    }

    fn ours(&mut self, op: OperationRef<'c, 'c>, kind: OpKind) -> Built<()> {
        let ssa = ir::operands(op);
        let operands = ssa.iter().map(|v| self.lookup(op, *v)).collect::<Built<Vec<_>>>()?;
        let declared: Vec<_> = declared_types(op).into_iter().map(value_of).collect();
        let call = Call {
            kind,
            operands: &operands,
            attributes: ir::attribute_dictionary(op),
            declared: &declared,
            context: ir::context(op),
        };
        let fail = |e: cute_dialect::Error| -> Failed {
            cute_ffi::emit(ir::location(op), Severity::Error, &format!("'{}' op {e}", kind.name()), &[]);
            Failed
        };
        if let Some(checks) = self.graph.checks() {
            checks.enter(kind, domain(op).map_err(fail)?);
        }
        match kind {
            OpKind::ElemLess => {
                let pairs = compared(&call).map_err(fail)?;
                let result = self.conjunction(op, &pairs, Int::lt, LESS);
                self.replace(op, result)
            }
            OpKind::Equal => {
                let pairs = equated(&call).map_err(fail)?;
                let result = match pairs {
                    Some(pairs) => self.conjunction(op, &pairs, Int::eq, EQUAL),
                    None => fixed_flag(op, false),
                };
                self.replace(op, result)
            }
            OpKind::Print => {
                let printf = printf(&call).map_err(fail)?;
                self.formats.print(op, &self.graph, &printf)
            }
            OpKind::IntToPtr => {
                let t = declared_types(op).first().copied().ok_or(Failed)?;
                let value = value_of(t);
                let Cute::Ptr(to) = &*value else { return Err(Failed) };
                let address = operands[0].leaves().first().ok_or(Failed)?.clone();
                let address =
                    self.graph.value(&address.materialize(address.dim().width().unwrap_or(Width::I64)));
                let pointer = Expr::Value(self.graph.clone(), integer_as_address(op, address, to.space));
                let value = self.with_leaves(t, vec![pointer]).ok_or(Failed)?;
                self.define(op, vec![value])
            }
            OpKind::PtrToInt => {
                let Cute::Ptr(from) = &*operands[0] else { return Err(Failed) };
                let t = declared_types(op).first().copied().ok_or(Failed)?;
                let width = scalar_width(t).ok_or(Failed)?;
                let result = address_as_integer(op, self.graph.value(&from.address), width);
                self.replace(op, result)
            }
            OpKind::GetScalars => {
                let results = eval(&call).map_err(fail)?;
                for (i, value) in results.iter().enumerate() {
                    let (Cute::Scalar(leaf), Some(result)) = (value, ir::result(op, i)) else { continue };
                    let width = scalar_width(ir::type_of(result)).unwrap_or(Width::I32);
                    if ir::is_used(result) {
                        replace_uses(result, self.graph.value(&leaf.materialize(width)));
                    }
                }
                Ok(())
            }
            OpKind::FastDivmodCreateDivisor => {
                let divisor = fast_divmod::create(op, &self.graph, &call).map_err(fail)?;
                self.define(op, vec![divisor])
            }
            OpKind::FastDivmodCompute => {
                let results = fast_divmod::compute(op, &self.graph, &call).map_err(fail)?;
                for (i, value) in results.into_iter().enumerate() {
                    replace_uses(ir::result(op, i).ok_or(Failed)?, value);
                }
                Ok(())
            }
            _ if allocates(op, kind) => {
                let t = declared_types(op).first().copied().ok_or(Failed)?;
                if swizzle::is_open(op) {
                    return Build::before(op)
                        .refuse("swizzle = auto reached cute-to-base: run cute-choose-swizzle before it");
                }
                match value_of(t).as_ref() {
                    Cute::SmemDescView(_) => {
                        return Build::before(op).refuse("a descriptor of shared memory is not supported");
                    }
                    // Tensor memory is not allocated here: the fragment begins at column 0.
                    Cute::MemRef(view) if view.iter.space == Space::Tmem => {
                        let origin = Expr::Value(self.graph.clone(), self.graph.constant(0, Width::I32));
                        let value = self.with_leaves(t, vec![origin]).ok_or(Failed)?;
                        return self.define(op, vec![value]);
                    }
                    _ => {}
                }
                let pointer = self.storage.allocate(op, self.entry, &value_of(t))?;
                let pointer = Expr::Value(self.graph.clone(), pointer);
                let value = self.with_leaves(t, vec![pointer]).ok_or(Failed)?;
                self.define(op, vec![value])
            }
            OpKind::MemRefLoad => {
                let ptr = tensors::address(&call).map_err(fail)?;
                let result = memory::load(op, &self.graph, &ptr)?;
                self.replace(op, result)
            }
            OpKind::MemRefStore => {
                let ptr = tensors::address(&call).map_err(fail)?;
                memory::store(op, &self.graph, &ptr, ssa[2])
            }
            OpKind::MemRefLoadVec => {
                let view = call.memref(0).map_err(fail)?;
                let result = memory::load_vector(op, &self.graph, view)?;
                self.replace(op, result)
            }
            OpKind::MemRefStoreVec => {
                let view = call.memref(1).map_err(fail)?;
                memory::store_vector(op, &self.graph, view, ssa[0])
            }
            OpKind::AtomGetValue => {
                let leaves = self.read_state(op, &call)?;
                let result = ir::result(op, 0).ok_or(Failed)?;
                let t = ir::type_of(result);
                if kind_of(t).is_some() {
                    return self.define_leaves(op, t, leaves);
                }
                match leaves.first() {
                    Some(leaf) if ir::is_used(result) => self.replace(op, self.graph.value(leaf)),
                    _ => Ok(()),
                }
            }
            OpKind::Copy
            | OpKind::CopyAtomCall
            | OpKind::Gemm
            | OpKind::MmaAtomCall
            | OpKind::Prefetch
            | OpKind::PrefetchAtomCall => Build::before(op).fail(&format!(
                "'{}' op reached cute-to-base: run cute-expand-copy-gemm and cute-lower-atoms before it",
                kind.name()
            )),
            _ => {
                let values = eval(&call).map_err(fail)?;
                let state = self.made_state(op, &call)?;
                if let Some(state) = state {
                    self.define_state(op, state);
                }
                self.define(op, values)
            }
        }
    }

    fn replace(&mut self, op: OperationRef<'c, 'c>, value: Value<'c, 'c>) -> Built<()> {
        replace_uses(ir::result(op, 0).ok_or(Failed)?, value);
        Ok(())
    }

    /// `a0 < b0 && a1 < b1 && ..`, or of another comparison: what is known is not compared.
    fn conjunction(
        &self,
        op: OperationRef<'c, 'c>,
        pairs: &[(Emit<'c>, Emit<'c>)],
        known: impl Fn(&Emit<'c>, &Emit<'c>) -> Option<bool>,
        predicate: i64,
    ) -> Value<'c, 'c> {
        let c = ir::context(op);
        let i1: Type = IntegerType::new(c, 1).into();
        let i64_type = IntegerType::new(c, 64).into();
        let mut all: Option<Value<'c, 'c>> = None;
        for (a, b) in pairs {
            match known(a, b) {
                Some(true) => continue,
                Some(false) => return fixed_flag(op, false),
                None => {}
            }
            let width = a.dim().width().max(b.dim().width()).unwrap_or(Width::I32);
            let sides = [a, b].map(|x| self.graph.value(&x.materialize(width)));
            let predicate = IntegerAttribute::new(i64_type, predicate).into();
            let holds = emit_op(op, "arith.cmpi", &sides, i1, &[("predicate", predicate)]);
            all = Some(match all {
                None => holds,
                Some(rest) => emit_op(op, "arith.andi", &[rest, holds], i1, &[]),
            });
        }
        all.unwrap_or_else(|| fixed_flag(op, true))
    }
}

/// Whether the op makes memory.
fn allocates(op: OperationRef<'_, '_>, kind: OpKind) -> bool {
    // The fragment of a layout is a layout.
    let layout = |t: &Type<'_>| matches!(kind_of(*t), Some(Kind::Layout | Kind::ComposedLayout));
    kind.makes_memory() && !declared_types(op).first().is_some_and(layout)
}

/// Predicates of `arith.cmpi`.
const EQUAL: i64 = 0;
const LESS: i64 = 2;

fn fixed_flag<'c>(op: OperationRef<'c, 'c>, value: bool) -> Value<'c, 'c> {
    let i1: Type = IntegerType::new(ir::context(op), 1).into();
    let value = IntegerAttribute::new(i1, i64::from(value)).into();
    emit_op(op, "arith.constant", &[], i1, &[("value", value)])
}

fn is_index(t: Type<'_>) -> bool {
    use melior::ir::TypeLike;
    t.is_index()
}
