//! The types that follow when some values get other types, without a change to the IR until they
//! are [written](Overlay::write).

use std::borrow::Cow;

use cute_algebra::Dim;
use cute_dialect::{
    hooks::declared_types,
    ops::{Attributes, Call, OpKind, atoms, eval},
    strict,
    types::{type_of, value_of},
    value::Value as Cute,
};
use cute_ffi::{
    ir::{self, op_name},
    rewrite::Rewriter,
};
use melior::ir::{Value, operation::OperationRef};
use rustc_hash::FxHashMap;

/// Values with the types that they would have.
#[derive(Default)]
pub struct Overlay<'c> {
    values: FxHashMap<usize, (Value<'c, 'c>, Cute<'c, Dim>)>,
    /// Ops that would have another number of results, none of which is used.
    superfluous: Vec<OperationRef<'c, 'c>>,
}

/// An op that does not take the types that would follow.
pub(crate) struct Refused<'c> {
    pub op: OperationRef<'c, 'c>,
    pub why: String,
}

impl<'c> Overlay<'c> {
    /// The types of what depends on `chosen`, among ops in the order of the text. `auto` names what
    /// was chosen in messages.
    pub fn of(
        chosen: impl IntoIterator<Item = (Value<'c, 'c>, Cute<'c, Dim>)>,
        ops: impl IntoIterator<Item = OperationRef<'c, 'c>>,
        auto: &str,
    ) -> Result<Self, Refused<'c>> {
        let mut overlay = Self::default();
        let mut fixed = Vec::new();
        for (value, to) in chosen {
            fixed.extend(ir::definer(value).map(ir::op_identity));
            overlay.set(value, to);
        }
        let ops: Vec<_> = ops.into_iter().collect();
        for op in ops.iter().copied() {
            let is_fixed = fixed.contains(&ir::op_identity(op));
            if !is_fixed && ir::operands(op).iter().any(|v| overlay.get(*v).is_some()) {
                overlay.follow(op, auto).map_err(|why| Refused { op, why })?;
            }
        }
        overlay.agree(&ops, auto)?;
        Ok(overlay)
    }

    /// Checks that all values that reach a result of structured control flow would have its type.
    fn agree(&self, ops: &[OperationRef<'c, 'c>], auto: &str) -> Result<(), Refused<'c>> {
        for parent in ops.iter().copied().filter(|op| matches!(op_name(*op), "scf.if" | "scf.for")) {
            let c = ir::context(parent);
            for (number, result) in ir::results(parent).into_iter().enumerate() {
                let Some(to) = self.get(result) else { continue };
                let ends = ir::blocks(parent).into_iter().filter_map(|block| ir::ops(block).last().copied());
                for end in ends {
                    let Some(handed) = ir::operands(end).get(number).copied() else { continue };
                    let (then, wanted) = (type_of(c, &self.value(handed)), type_of(c, to));
                    if then != wanted {
                        let why =
                            format!("hands on {then} where {wanted} with {auto} is handed on, too; {ADVICE}");
                        return Err(Refused { op: end, why });
                    }
                }
            }
        }
        Ok(())
    }

    fn get(&self, value: Value<'c, 'c>) -> Option<&Cute<'c, Dim>> {
        self.values.get(&ir::identity(value)).map(|(_, to)| to)
    }

    /// Sets what a value would be, if it is not that already.
    fn set(&mut self, value: Value<'c, 'c>, to: Cute<'c, Dim>) {
        let t = ir::type_of(value);
        let context = ir::definer(value).map(ir::context);
        let same = context.is_some_and(|c| type_of(c, &to) == t);
        if !same {
            self.values.insert(ir::identity(value), (value, to));
        }
    }

    /// The value as it would be.
    pub fn value(&self, value: Value<'c, 'c>) -> Cow<'_, Cute<'c, Dim>> {
        match self.get(value) {
            Some(to) => Cow::Borrowed(to),
            None => Cow::Owned(value_of(ir::type_of(value)).into_owned()),
        }
    }

    /// The results of an op that takes a value of another type.
    fn follow(&mut self, op: OperationRef<'c, 'c>, auto: &str) -> Result<(), String> {
        let Some(kind) = OpKind::from_name(op_name(op)) else { return self.cross(op, auto) };
        let made = {
            let operands: Vec<_> = ir::operands(op).into_iter().map(|v| self.value(v)).collect();
            let declared: Vec<_> = declared_types(op).into_iter().map(value_of).collect();
            let attributes = Attributes::of(op);
            let context = ir::context(op);
            let call =
                Call { kind, operands: &operands, attributes: &attributes, declared: &declared, context };
            let fragment = atoms::fragment_of(&call).map_err(|why| why.to_string())?;
            let mut made = match fragment {
                Some(fragment) => vec![fragment],
                None => eval::<Dim>(&call).map_err(|why| why.to_string())?,
            };
            strict::check(op, &call).map_err(|why| why.to_string())?;
            if let (OpKind::RecastIter, Some(Cute::Ptr(to)), Some(Cute::Ptr(from))) =
                (kind, made.first_mut(), operands.first().map(Cow::as_ref))
            {
                to.swizzle = from.swizzle;
            }
            made
        };
        let results = ir::results(op);
        if !made.is_empty() && made.len() != results.len() {
            if results.iter().any(|result| ir::is_used(*result)) {
                let (now, then) = (results.len(), made.len());
                return Err(format!("has {now} results that are used, but would have {then}"));
            }
            self.superfluous.push(op);
            return Ok(());
        }
        for (i, value) in made.into_iter().enumerate() {
            if let Some(result) = results.get(i).copied()
                && !matches!(value, Cute::Scalar(_) | Cute::Flag(_) | Cute::Other(_))
            {
                self.set(result, value);
            }
        }
        Ok(())
    }

    /// Values that structured control flow hands on.
    fn cross(&mut self, op: OperationRef<'c, 'c>, auto: &str) -> Result<(), String> {
        let operands = ir::operands(op);
        match op_name(op) {
            "scf.for" => {
                let Some(body) = ir::body(op) else { return Ok(()) };
                for (i, first) in operands.iter().skip(3).enumerate() {
                    let Some(to) = self.get(*first).cloned() else { continue };
                    for handed in [ir::argument(body, 1 + i), ir::result(op, i)].into_iter().flatten() {
                        self.values.insert(ir::identity(handed), (handed, to.clone()));
                    }
                }
                Ok(())
            }
            "scf.yield" => {
                let parent = ir::block_of(op).and_then(ir::parent_of);
                let Some(parent) = parent.filter(|p| matches!(op_name(*p), "scf.if" | "scf.for")) else {
                    return Err(format!("hands on a view with {auto}, whose type would change; {ADVICE}"));
                };
                for (i, value) in operands.iter().enumerate() {
                    let (Some(to), Some(result)) = (self.get(*value).cloned(), ir::result(parent, i)) else {
                        continue;
                    };
                    let c = ir::context(op);
                    match self.get(result) {
                        Some(before) if type_of(c, before) != type_of(c, &to) => {
                            return Err(format!(
                                "hands on {} with {auto}, where {} is handed on, too; {ADVICE}",
                                type_of(c, &to),
                                type_of(c, before),
                            ));
                        }
                        Some(_) => {}
                        None if op_name(parent) == "scf.if" => self.set(result, to),
                        None => {
                            return Err(format!(
                                "hands on a view with {auto} to a loop that begins with another; {ADVICE}"
                            ));
                        }
                    }
                }
                Ok(())
            }
            "func.call" | "func.return" => Err(format!(
                "takes a view of memory with {auto} across a call: its type would change; {ADVICE}"
            )),
            "builtin.unrealized_conversion_cast" | "llvm.inline_asm" => Err(format!(
                "takes the address of memory with {auto}, so that code that does not know the layout may access it; \
                 write the layout",
            )),
            _ => Err(format!("takes a view of memory with {auto}: its type would change; {ADVICE}")),
        }
    }

    /// Gives the values their types.
    pub fn write(self, rewriter: &Rewriter<'c>) {
        for (value, to) in self.values.into_values() {
            let t = type_of(ir::context(rewriter.root()), &to);
            rewriter.set_type(value, t);
        }
        self.superfluous.into_iter().for_each(|op| rewriter.erase(op));
    }
}

/// The way out where a type cannot follow.
const ADVICE: &str = "make the view where it is used";
