//! Registers between copies. `auto` decides which thread has which element, so what a thread holds
//! in registers may only pass from one copy to another by the same tiled copy.

use cute_dialect::{
    ops::OpKind,
    types::value_of,
    value::{Space, Value as Cute},
};
use cute_ffi::{
    ir::{self, op_name},
    rewrite::Rewriter,
};
use melior::ir::{Value, operation::OperationRef};
use rustc_hash::FxHashSet;

use super::program::{self, Program};

/// An op that depends on which thread has which element of a tiled copy, beside copies by it.
pub fn tie<'c>(
    rewriter: &'c Rewriter<'c>,
    program: &Program<'c>,
    copy: Value<'c, 'c>,
) -> Option<OperationRef<'c, 'c>> {
    for user in rewriter.users(copy) {
        match OpKind::from_name(op_name(user)) {
            Some(OpKind::TiledCopyPartitionS | OpKind::TiledCopyPartitionD) => {}
            Some(OpKind::Copy) => {
                for view in ir::operands(user).into_iter().skip(1).take(2) {
                    if let Some(op) = registers(view).and_then(|root| other_use(rewriter, root, copy)) {
                        return Some(op);
                    }
                }
                if let Some(op) = by_thread(rewriter, program, user, copy) {
                    return Some(op);
                }
            }
            _ if is_dropped(user) => {}
            _ => return Some(user),
        }
    }
    None
}

/// An op by which a thread knows its number, where that decides about elements of a copy: in a
/// branch around the copy, or in its predicate. Coordinates that a partition by the same tiled copy
/// gives follow the choice.
fn by_thread<'c>(
    rewriter: &'c Rewriter<'c>,
    program: &Program<'c>,
    user: OperationRef<'c, 'c>,
    copy: Value<'c, 'c>,
) -> Option<OperationRef<'c, 'c>> {
    let mut open = program.conditions(user);
    // The predicate comes after the source and the destination.
    if let Some(root) = ir::operands(user).get(3).and_then(|predicate| registers(*predicate)) {
        let (mut views, mut seen) = (vec![root], FxHashSet::default());
        while let Some(view) = views.pop() {
            if !seen.insert(ir::identity(view)) {
                continue;
            }
            for op in rewriter.users(view) {
                match OpKind::from_name(op_name(op)) {
                    Some(OpKind::MemRefStore | OpKind::MemRefStoreVec) => {
                        open.extend(ir::operands(op));
                        open.extend(program.conditions(op));
                    }
                    // Other ops hand views on.
                    _ => views.extend(ir::results(op).into_iter().filter(|r| registers(*r).is_some())),
                }
            }
        }
    }
    let mut seen = FxHashSet::default();
    while let Some(value) = open.pop() {
        for source in program.sources(value) {
            let op = program.ops[source];
            if !seen.insert(source) {
                continue;
            }
            if program::reads_thread(op) {
                return Some(op);
            }
            let first = ir::operands(op).first().copied();
            let partition = matches!(
                OpKind::from_name(op_name(op)),
                Some(OpKind::TiledCopyPartitionS | OpKind::TiledCopyPartitionD)
            );
            if !(partition && first.is_some_and(|v| ir::identity(v) == ir::identity(copy))) {
                open.extend(ir::operands(op));
            }
        }
    }
    None
}

/// Whether an op hands values on to nobody.
fn is_dropped(op: OperationRef<'_, '_>) -> bool {
    let parent = (op_name(op) == "scf.yield").then(|| ir::block_of(op).and_then(ir::parent_of)).flatten();
    parent.is_some_and(|parent| {
        op_name(parent) == "scf.if" && !ir::results(parent).into_iter().any(ir::is_used)
    })
}

/// The allocation of a view of registers.
fn registers<'c>(mut view: Value<'c, 'c>) -> Option<Value<'c, 'c>> {
    let is_register = |value: Value<'c, 'c>| match value_of(ir::type_of(value)).as_ref() {
        Cute::MemRef(view) => view.iter.space == Space::Rmem,
        Cute::Ptr(ptr) => ptr.space == Space::Rmem,
        _ => false,
    };
    if !is_register(view) {
        return None;
    }
    while let Some(op) = ir::definer(view) {
        match ir::operands(op).first() {
            Some(first) if is_register(*first) => view = *first,
            _ => break,
        }
    }
    Some(view)
}

/// An op that uses registers otherwise than copies by this tiled copy do.
fn other_use<'c>(
    rewriter: &'c Rewriter<'c>,
    root: Value<'c, 'c>,
    copy: Value<'c, 'c>,
) -> Option<OperationRef<'c, 'c>> {
    let (mut open, mut seen) = (vec![root], FxHashSet::default());
    while let Some(value) = open.pop() {
        if !seen.insert(ir::identity(value)) {
            continue;
        }
        for user in rewriter.users(value) {
            let first = ir::operands(user).first().copied();
            match OpKind::from_name(op_name(user)) {
                Some(OpKind::Copy) if first.is_some_and(|v| ir::identity(v) == ir::identity(copy)) => {}
                // The same values in all threads.
                Some(OpKind::MemRefStoreVec)
                    if first.and_then(ir::definer).is_some_and(|op| op_name(op) == "arith.constant") => {}
                Some(
                    OpKind::GetIter
                    | OpKind::GetLayout
                    | OpKind::MakeView
                    | OpKind::Slice
                    | OpKind::GroupModes
                    | OpKind::AddOffset
                    | OpKind::RecastIter
                    | OpKind::Size
                    | OpKind::GetShape,
                ) => open.extend(ir::results(user).into_iter().filter(|r| registers(*r).is_some())),
                Some(OpKind::MakeFragmentLike) => {}
                _ => return Some(user),
            }
        }
    }
    None
}
