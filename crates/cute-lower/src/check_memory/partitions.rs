//! The tensor map of a copy against the one that its operands were partitioned by.
//!
//! `tma_partition` divides a tile into the boxes of one map, at the coordinates of its tensor. Two
//! maps of tensors of equal type have equal boxes, so a copy by the other map would be well typed,
//! and would move elements of the other tensor.

use cute_dialect::{ops::OpKind, types::value_of, value::Value as Cute};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name},
};
use melior::ir::{Location, Value, operation::OperationRef};
use rustc_hash::FxHashSet;

use super::maps;
use crate::{
    check_fragments::views::{operand, same},
    incoming::Incoming,
};

/// The values that reach others, as far as the module shows them.
pub(super) struct Flow<'c> {
    /// Within functions and through calls: the parameter of a kernel is where a map begins.
    pub(super) within: Incoming<'c>,
    /// Through launches, too.
    pub(super) launched: Incoming<'c>,
}

/// Whether an op is not a copy or a prefetch by another tensor map than the one that its operands
/// were partitioned by.
pub(super) fn agrees<'c>(op: OperationRef<'c, 'c>, flow: &Flow<'c>) -> bool {
    use OpKind as K;
    let kind = OpKind::from_name(op_name(op));
    if !matches!(kind, Some(K::Copy | K::CopyAtomCall | K::Prefetch | K::PrefetchAtomCall)) {
        return true;
    }
    let [atom, views @ ..] = &ir::operands(op)[..] else { return true };
    if maps::tma(*atom).is_none() {
        return true;
    }
    let Some(by) = flow.origins(*atom) else { return true };
    for (i, view) in views.iter().take(2).enumerate() {
        let Some(partitions) = flow.partitions(*view) else { continue };
        let Some(cut_by) =
            partitions.iter().map(|op| flow.origins(operand(*op, 0)?)).collect::<Option<Vec<_>>>()
        else {
            continue;
        };
        let mut pairs = cut_by.iter().flatten().flat_map(|p| by.iter().map(move |q| (*p, *q)));
        if let ([partition, ..], Some(first)) = (&partitions[..], pairs.clone().next())
            && pairs.all(|(p, q)| flow.differ(p, q))
        {
            report(op, i, *partition, first);
            return false;
        }
    }
    true
}

fn report<'c>(
    op: OperationRef<'c, 'c>,
    view: usize,
    partition: OperationRef<'c, 'c>,
    (cut_by, by): (Value<'c, 'c>, Value<'c, 'c>),
) {
    let name = op_name(op);
    let does = if name.contains("prefetch") { "prefetches" } else { "copies" };
    let side = operand(op, view + 1).map(|view| value_of(ir::type_of(view)).into_owned());
    let part = if matches!(side, Some(Cute::CoordTensor(_))) { "the coordinates" } else { "the boxes" };
    let (cut_by, by) = (said(cut_by), said(by));
    let text = format!(
        "'{name}' op {does} by {by}, but {part} of operand {} were partitioned by {cut_by}: it would move elements of another tensor; make \
         the atom of the copy from {cut_by}, or partition by {by}",
        view + 1
    );
    let mut notes = vec![(ir::location(partition), format!("partitioned here, by {cut_by}"))];
    notes
        .extend(executable(op).map(|place| (place, format!("the atom of the copy is made here, from {by}"))));
    cute_ffi::emit(ir::location(op), Severity::Error, &text, &notes);
}

/// Where the atom of a copy becomes executable, if that is in the same run of ops.
fn executable<'c>(op: OperationRef<'c, 'c>) -> Option<Location<'c>> {
    let mut at = ir::definer(operand(op, 0)?)?;
    while OpKind::from_name(op_name(at)) != Some(OpKind::MakeExecTma) {
        at = ir::definer(operand(at, 0)?)?;
    }
    Some(ir::location(at))
}

/// A map as people know it: the parameter that has it, or the tensor that it was made of.
fn said(map: Value<'_, '_>) -> String {
    let place = || {
        let block = ir::block_of_value(map)?;
        let arguments = ir::arguments(block);
        let i = arguments.iter().position(|own| ir::identity(*own) == ir::identity(map))?;
        let function = ir::parent_of(block)?;
        Some(ir::argument_name(function, i).map_or_else(
            || format!("the tensor map of parameter {i}"),
            |name| format!("the tensor map '{name}'"),
        ))
    };
    match ir::definer(map) {
        Some(_) => "the tensor map that is made in this function".into(),
        None => place().unwrap_or_else(|| "another tensor map".into()),
    }
}

impl<'c> Flow<'c> {
    /// The maps that an atom may copy by: parameters, and results of ops that make a map. `None` if
    /// it may have another.
    fn origins(&self, atom: Value<'c, 'c>) -> Option<Vec<Value<'c, 'c>>> {
        use OpKind as K;
        let (mut found, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![atom]);
        while let Some(value) = open.pop() {
            if !seen.insert(ir::identity(value)) {
                continue;
            }
            let before = self.within.reaching(value);
            open.extend(before);
            let Some(op) = ir::definer(value) else {
                if before.is_empty() {
                    found.push(value);
                }
                continue;
            };
            match OpKind::from_name(op_name(op)) {
                Some(
                    K::MakeNonExecTiledTmaLoad | K::MakeNonExecTiledTmaStore | K::MakeNonExecTiledTmaReduce,
                ) => found.push(value),
                Some(K::MakeExecTma | K::Derefine) => open.push(operand(op, 0)?),
                Some(K::AtomSetValue) if !maps::sets_descriptor(op) => open.push(operand(op, 0)?),
                _ if before.is_empty() => return None,
                _ => {}
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// The partitions that a view is a part of; `None` if it may be a part of something else.
    fn partitions(&self, view: Value<'c, 'c>) -> Option<Vec<OperationRef<'c, 'c>>> {
        let (mut found, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![view]);
        while let Some(value) = open.pop() {
            if !seen.insert(ir::identity(value)) {
                continue;
            }
            let before = self.within.reaching(value);
            open.extend(before);
            let Some(op) = ir::definer(value).filter(|_| before.is_empty()) else {
                if before.is_empty() {
                    return None;
                }
                continue;
            };
            if OpKind::from_name(op_name(op)) == Some(OpKind::TmaPartition) {
                found.push(op);
            } else {
                open.push(part_of(op)?);
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// Whether two maps are provably of different tensors.
    fn differ(&self, p: Value<'c, 'c>, q: Value<'c, 'c>) -> bool {
        if ir::identity(p) == ir::identity(q) {
            return false;
        }
        if let (Some(p), Some(q)) = (made_of(p), made_of(q)) {
            return !same(p, q);
        }
        // Launches bring one value each, in the same order to all parameters of a kernel.
        let (to_p, to_q) = (self.launched.reaching(p), self.launched.reaching(q));
        if to_p.is_empty() && to_q.is_empty() {
            // A load and a store without a launch may have the same tensor. Nobody makes the same
            // map twice.
            return ir::type_of(p) == ir::type_of(q);
        }
        let disjoint = |(p, q): (&Value<'c, 'c>, &Value<'c, 'c>)| {
            let (Some(p), Some(q)) = (self.origins(*p), self.origins(*q)) else { return false };
            p.iter().all(|p| q.iter().all(|q| self.differ(*p, *q)))
        };
        to_p.len() == to_q.len() && to_p.iter().zip(to_q).any(disjoint)
    }
}

/// The tensor that a map is made of, if an op makes it here.
fn made_of<'c>(map: Value<'c, 'c>) -> Option<Value<'c, 'c>> {
    operand(ir::definer(map)?, 0)
}

/// The view, the first coordinate or the address that the result of an op is a part of.
fn part_of<'c>(op: OperationRef<'c, 'c>) -> Option<Value<'c, 'c>> {
    use OpKind as K;
    match OpKind::from_name(op_name(op))? {
        K::Slice
        | K::GroupModes
        | K::MakeView
        | K::GetIter
        | K::AddOffset
        | K::Derefine
        | K::DerefArithTupleIter
        | K::MakeArithTupleIter => operand(op, 0),
        // A tuple that is put together again from all of its leaves.
        K::MakeIntTuple => {
            let leaves = ir::operands(op);
            let leaf = |i: usize| {
                let op = ir::definer(*leaves.get(i)?)?;
                let own = ir::result(op, i)?;
                let whole = OpKind::from_name(op_name(op)) == Some(K::GetLeaves)
                    && ir::identity(own) == ir::identity(leaves[i])
                    && ir::results(op).len() == leaves.len();
                whole.then(|| operand(op, 0)).flatten()
            };
            let first = leaf(0)?;
            let all =
                (1..leaves.len()).all(|i| leaf(i).is_some_and(|v| ir::identity(v) == ir::identity(first)));
            all.then_some(first)
        }
        _ => None,
    }
}
