//! `cute-to-base`: replaces every value by its dynamic leaves. Signatures are rewritten first, by
//! MLIR's own structural patterns. Then one walk evaluates each op over [`Emit`](crate::emit::Emit)
//! leaves, with the same function that inferred its type. Code is generated where a leaf leaves the
//! dialect.
//!
//! | module | subject |
//! |---|---|
//! | `values`, `state` | the values that are known, and the run-time state of atoms beside them |
//! | [`effects`] | the ops that are lowered by functions of their own, since evaluating them is not enough |
//! | `carried` | ops of other dialects with values of ours |
//! | `coordinates` | addresses that are made of coordinates |
//! | `entry` | the promises of a kernel's parameter types |
//! | `abi` | parameters of kernels that are structs of their leaves |

mod abi;
mod carried;
mod coordinates;
mod effects;
mod entry;
mod state;
mod values;

use std::rc::Rc;

use cute_algebra::Domain;
use cute_dialect::{
    hooks::declared_types,
    ops::{Attributes, Call, OpKind, eval},
    strict::{domain, stated_domain},
    types::value_of,
};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name, walk_outer},
    lowered::SIMULATED_ATTRIBUTE,
    order,
    rewrite::Rewriter,
    types::kind_of,
};
use melior::{
    Context,
    ir::operation::{OperationLike, OperationRef},
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use self::{
    effects::{Site, allocation::Storage},
    entry::Entry,
    values::Values,
};
use crate::{
    Builder, Built,
    emit::{Flags, Graph, RuntimeChecks},
    is_ours, layouts,
    module::require_module,
    print::Formats,
    shared::{self, Shared},
};

/// Runs the pass. With `runtime_checks` the code traps if an assumption of an operation does not
/// hold.
pub fn run(rewriter: &mut Rewriter<'_>, runtime_checks: bool) -> Built<()> {
    let entries = entries(rewriter.root())?;
    let mut entries = entries.iter();
    let (mut storage, formats) = (Storage::default(), Rc::new(Formats::default()));
    // The unused arguments of kernels, by the identity of the kernel.
    let mut unused = FxHashMap::<_, Vec<_>>::default();
    let flags = Flags::new(ir::context(rewriter.root()));
    let marks = rewriter.root().has_attribute(SIMULATED_ATTRIBUTE);
    // Function by function, so that what is worked on stays in the caches.
    let converted = rewriter.convert_functions(|rewriter, function| -> Built<()> {
        let entry = entries.next().expect("functions stay where they are");
        let checks = match (runtime_checks, marks) {
            (true, _) => Some(RuntimeChecks::new(formats.clone())),
            (false, true) => Some(RuntimeChecks::marks()),
            (false, false) => None,
        };
        if let Some(entry) = entry {
            entry.keep_promises(function, checks.as_ref().filter(|_| runtime_checks));
        }
        Lowering::run(rewriter, function, &mut storage, &formats, flags, checks)?;
        if let Some(entry) = entry {
            let numbers = abi::pack(rewriter, function, entry, !runtime_checks)?;
            unused.insert(ir::op_identity(function), numbers);
        }
        Ok(())
    })?;
    if !converted {
        let text = "cute-to-base: MLIR does not rewrite the signatures";
        return Builder::before(rewriter.root()).fail(text);
    }
    rewriter
        .erase_arguments(|f, i| unused.get(&ir::op_identity(f)).is_some_and(|numbers| numbers.contains(&i)));
    Ok(())
}

/// The promises of the types of each function's parameters, collected before the types are
/// replaced. An op of our dialects outside of functions is an error.
fn entries<'c>(root: OperationRef<'c, '_>) -> Built<Vec<Option<Entry<'c>>>> {
    require_module(root, "cute-to-base")?;
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
        return Builder::before(op)
            .fail(&format!("'{}' op is not supported outside a function", op_name(op)));
    }
    functions.into_iter().map(Entry::of).collect()
}

/// The layout of the dynamic shared memory of a function with these ops.
fn shared_memory<'c>(function: OperationRef<'c, 'c>, ops: &[OperationRef<'c, 'c>]) -> Built<Shared> {
    if ir::is_kernel(function) {
        return Shared::of(function);
    }
    match ops.iter().find(|op| shared::is_allocation(**op)) {
        Some(op) => Builder::before(*op).refuse("allocates dynamic shared memory, which only a kernel has"),
        None => Ok(Shared::default()),
    }
}

/// The walk over one function.
struct Lowering<'c, 's> {
    values: Values<'c>,
    /// Ops that are replaced, in order.
    replaced: Vec<OperationRef<'c, 'c>>,
    context: &'c Context,
    entry: OperationRef<'c, 'c>,
    shared: Shared,
    storage: &'s mut Storage,
    formats: &'s Formats,
}

impl<'c, 's> Lowering<'c, 's> {
    fn run(
        rewriter: &'c Rewriter<'c>,
        function: OperationRef<'c, 'c>,
        storage: &'s mut Storage,
        formats: &'s Formats,
        flags: Flags<'c>,
        checks: Option<RuntimeChecks<'c>>,
    ) -> Built<()> {
        let Some(entry) = ir::body(function).and_then(ir::first_op) else { return Ok(()) };
        let ops = order::inside(function);
        let mut lowering = Self {
            values: Values::new(rewriter, Graph::new(entry, flags, checks)),
            replaced: Vec::new(),
            context: flags.context(),
            entry,
            shared: shared_memory(function, &ops)?,
            storage,
            formats,
        };
        for op in ops {
            lowering.op(op)?;
            if lowering.values.graph.was_inside_byte() {
                return Builder::before(op).fail(
                    "an address inside a byte is not supported: offsets of views of so small elements have whole bytes",
                );
            }
        }
        lowering.replaced.into_iter().for_each(|op| rewriter.erase(op));
        Ok(())
    }

    fn op(&mut self, op: OperationRef<'c, 'c>) -> Built<()> {
        self.values.graph.enter(op);
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

    fn ours(&mut self, op: OperationRef<'c, 'c>, kind: OpKind) -> Built<()> {
        let operands = ir::operands(op);
        let operands =
            operands.into_iter().map(|v| self.values.lookup(op, v)).collect::<Built<SmallVec<[_; 2]>>>()?;
        let declared: SmallVec<[_; 1]> = declared_types(op).into_iter().map(value_of).collect();
        let call = Call {
            kind,
            operands: &operands,
            attributes: &Attributes::of(op),
            declared: &declared,
            context: self.context,
        };
        let fail = |why| report(op, kind, &why);
        // The ops that leave a choice are of these kinds.
        if matches!(
            kind,
            OpKind::MemRefAllocSmem
                | OpKind::MakeView
                | OpKind::MakeTiledCopy
                | OpKind::MakeTiledCopyA
                | OpKind::MakeTiledCopyB
                | OpKind::MakeTiledCopyC
        ) && let Some(open) = layouts::is_open(op)
        {
            let text = format!("{open} reached cute-to-base: run cute-assign-layouts before it");
            return Builder::before(op).refuse(&text);
        }
        if let Some(checks) = self.values.graph.checks() {
            // Marks are about accesses, for which a module has to say that layouts go on.
            let policy = match checks.are_marks() {
                true => stated_domain(op).map(|stated| stated.unwrap_or(Domain::Strict)),
                false => domain(op),
            };
            checks.enter(kind, policy.map_err(fail)?);
        }
        let (mut lowered, mut evaluated) = (Vec::new(), Vec::new());
        match kind.effect() {
            Some(effect) => {
                let (values, storage) = (&self.values, &mut *self.storage);
                let (entry, shared, formats) = (self.entry, &self.shared, self.formats);
                lowered = effects::lower(
                    effect,
                    &mut Site { op, call: &call, values, entry, shared, storage, formats },
                )?;
            }
            None => evaluated = coordinates::checked(&self.values.graph, &call, eval(&call).map_err(fail)?),
        }
        let state = self.values.made_state(op, &call)?;
        drop(operands);
        let made = lowered.len() + evaluated.len();
        assert_eq!(made, declared.len(), "'{}' makes all of its results", kind.name());
        if let Some(state) = state {
            self.values.define_state(op, state);
        }
        if !evaluated.is_empty() {
            self.values.define_all(op, evaluated);
        }
        lowered.into_iter().enumerate().try_for_each(|(i, made)| self.values.define(op, i, made))
    }
}

/// Reports an error of `cute-dialect` at an op.
fn report(op: OperationRef<'_, '_>, kind: OpKind, why: &cute_dialect::Error) -> cute_build::Error {
    cute_ffi::emit(ir::location(op), Severity::Error, &format!("'{}' op {why}", kind.name()), &[]);
    cute_build::Error::Reported
}
