//! The known values of a function: those of ours as leaves, those of other dialects unchanged.

use std::{borrow::Cow, rc::Rc};

use cute_algebra::{Paired, Width};
use cute_dialect::{
    types::{State, leaf_types, scalar_width, value_of},
    value::Value as Cute,
};
use cute_ffi::{ir, rewrite::Rewriter, types::kind_of};
use melior::ir::{Type, TypeLike, Value, operation::OperationRef};
use rustc_hash::FxHashMap;

use crate::{
    Builder, Built,
    emit::{Emit, Expr, Graph},
};

/// The replacement of an op's result.
#[allow(clippy::large_enum_variant, reason = "it is moved once, to where it stays")]
pub(super) enum Made<'c> {
    /// A value; one that is not ours leaves the dialect as its one leaf.
    Value(Cute<'c, Emit<'c>>),
    /// The leaves of a value: the pointer, then the dynamic integers, depth first. A value of
    /// another dialect is its own leaf.
    Leaves(Vec<Expr<'c>>),
}

/// The known values.
pub(super) struct Values<'c> {
    rewriter: &'c Rewriter<'c>,
    /// The expressions of the function.
    pub graph: Rc<Graph<'c>>,
    /// The values that ops made, op by op. They are large, and stay where `eval` put them.
    made: Vec<Vec<Cute<'c, Emit<'c>>>>,
    /// The place of a value among them.
    known: FxHashMap<usize, (usize, usize)>,
    /// The run-time state of atoms.
    pub(super) states: FxHashMap<usize, Vec<Expr<'c>>>,
}

impl<'c> Values<'c> {
    /// No values; their expressions will be in `graph`.
    pub fn new(rewriter: &'c Rewriter<'c>, graph: Rc<Graph<'c>>) -> Self {
        let (made, known, states) = Default::default();
        Self { rewriter, graph, made, known, states }
    }

    /// The value that an op is given.
    pub fn lookup(
        &self,
        op: OperationRef<'c, 'c>,
        value: Value<'c, 'c>,
    ) -> Built<Cow<'_, Cute<'c, Emit<'c>>>> {
        if let Some((op, i)) = self.known.get(&ir::identity(value)) {
            return Ok(Cow::Borrowed(&self.made[*op][*i]));
        }
        let t = ir::type_of(value);
        if kind_of(t).is_some() {
            return Builder::before(op)
                .fail(&format!("a value of type {t} comes from an op that is not supported"));
        }
        let expr = || Expr::Value(self.graph.clone(), value);
        Ok(Cow::Owned(match scalar_width(t) {
            Some(_) if t.is_index() => {
                let width = if ir::index_width(op) == 32 { Width::I32 } else { Width::I64 };
                Cute::Scalar(Paired::dynamic(width, 1, expr().from_index(width)))
            }
            Some(width) => Cute::Scalar(Paired::dynamic(width, 1, expr())),
            None => Cute::Other(t),
        }))
    }

    /// Says what the results of an op became: the values that it was evaluated to.
    pub fn define_all(&mut self, op: OperationRef<'c, 'c>, values: Vec<Cute<'c, Emit<'c>>>) {
        for (i, value) in values.iter().enumerate() {
            self.define_value(op, i, value, (self.made.len(), i));
        }
        self.made.push(values);
    }

    /// Says what result `i` of an op became. One of another dialect is replaced.
    pub fn define(&mut self, op: OperationRef<'c, 'c>, i: usize, made: Made<'c>) -> Built<()> {
        let leaves = match made {
            Made::Leaves(leaves) => leaves,
            Made::Value(value) => {
                self.define_value(op, i, &value, (self.made.len(), 0));
                self.made.push(vec![value]);
                return Ok(());
            }
        };
        let result = result(op, i);
        let t = ir::type_of(result);
        if kind_of(t).is_some() {
            let expected = leaf_types(t).expect("a type of ours has leaves").len();
            let given = leaves.len();
            if given != expected {
                return Builder::before(op).refuse(&format!("a {t} has {expected} leaves, found {given}"));
            }
            if State::of(&*value_of(t)).is_some() {
                self.states.insert(ir::identity(result), leaves.clone());
            }
            self.known.insert(ir::identity(result), (self.made.len(), 0));
            self.made.push(vec![with_leaves(t, leaves)]);
        } else if self.rewriter.is_used(result) {
            let [leaf] = <[_; 1]>::try_from(leaves)
                .unwrap_or_else(|leaves| panic!("{} leaves are not one value", leaves.len()));
            self.rewriter.replace_uses(result, self.graph.value(&leaf));
        }
        Ok(())
    }

    /// Says that result `i` of an op became a value, which will be at `place`. One of another
    /// dialect is replaced by the value's one leaf.
    fn define_value(
        &mut self,
        op: OperationRef<'c, 'c>,
        i: usize,
        value: &Cute<'c, Emit<'c>>,
        place: (usize, usize),
    ) {
        let result = result(op, i);
        let t = ir::type_of(result);
        if kind_of(t).is_some() {
            self.known.insert(ir::identity(result), place);
        } else if self.rewriter.is_used(result) {
            let Cute::Scalar(leaf) = value else {
                panic!("{} of type {t} has no leaf: td/ has to say that the op emits it", value.what())
            };
            let leaf = leaf.materialize(scalar_width(t).expect("a scalar has a width"));
            self.rewriter.replace_uses(result, self.graph.value(&leaf));
        }
    }

    /// The leaves of a value in the structure of its declared type.
    pub fn leaves(&self, t: Type<'c>, value: &Cute<'c, Emit<'c>>) -> Vec<Expr<'c>> {
        let declared = value_of(t);
        let mut out = Vec::new();
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
}

fn result<'c>(op: OperationRef<'c, 'c>, i: usize) -> Value<'c, 'c> {
    ir::result(op, i).expect("an op makes what it has results for")
}

/// A value of a type from its leaves, which are counted.
fn with_leaves<'c>(t: Type<'c>, leaves: Vec<Expr<'c>>) -> Cute<'c, Emit<'c>> {
    let mut rest = leaves.into_iter();
    let mut next = || rest.next().expect("the leaves are those of the type");
    let declared = value_of(t);
    let pointer = matches!(*declared, Cute::Ptr(_) | Cute::MemRef(_)).then(&mut next);
    let value = declared.try_map(
        |()| pointer.ok_or(()),
        |d| match (d.width(), d.as_static()) {
            (None, Some(n)) => Paired::fixed(n),
            _ => Paired::new(*d, next()),
        },
    );
    value.expect("pointers and views alone have an address")
}
