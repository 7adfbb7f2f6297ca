//! The registers that an instruction sets, whatever it does besides.

use cute_sim::program::{Edge, Kernel, LaunchControl, Op, Piece, Slot, TensorOp};

/// Calls `set` with each register that the instruction sets. Edges are apart: see [`moved`].
pub fn set(kernel: &Kernel, op: &Op, mut set: impl FnMut(Slot)) {
    let mut each = |first: Slot, count: u32| (first..first + count).for_each(&mut set);
    match op {
        Op::Int { at, .. } | Op::IntCompare { at, .. } | Op::Float { at, .. } => each(at.dst, at.lanes),
        Op::FloatCompare { at, .. } => each(at.dst, at.lanes),
        Op::Overflowing { at, .. } => each(at.dst, 2 * at.lanes),
        Op::IntUnary { at, .. } | Op::FloatUnary { at, .. } | Op::Cast { at, .. } => each(at.dst, at.lanes),
        Op::IntTernary { at, .. } | Op::Fma { at, .. } | Op::Rounded { at, .. } => {
            each(at.dst, at.lanes.max(1));
        }
        Op::Permute { at } | Op::Select { at, .. } => each(at.dst, at.lanes.max(1)),
        Op::Convert { dst, .. } => pieces(dst, set),
        Op::Dot { dst, .. } | Op::IsInSpace { dst, .. } | Op::Address { dst, .. } => each(*dst, 1),
        Op::Regroup { dst, lanes, .. } => each(*dst, *lanes),
        Op::Copy(m) | Op::Freeze(m) => each(m.dst, m.len),
        Op::Extract { dst, .. } => each(*dst, 1),
        Op::Insert { dst, lanes, .. } => each(*dst, *lanes),
        Op::Gather { dst, from } => each(*dst, from.len() as u32),
        Op::Load { dst, access, .. } => {
            kernel.accesses[*access as usize].leaves.iter().for_each(|leaf| set(dst + leaf.slot));
        }
        Op::Alloca { dst, .. } | Op::StackSave { dst } | Op::Special { dst, .. } => each(*dst, 1),
        Op::BlockRank { dst, .. } | Op::MapAddress { dst, .. } | Op::Print { dst, .. } => each(*dst, 1),
        Op::Allocate { dst, .. } => each(*dst, 1),
        Op::Coordinates(of) => each(of.dst, 1),
        Op::Barrier { reduction, .. } => reduction.iter().for_each(|by| set(by.dst)),
        Op::Collective(op) => op.sets().for_each(set),
        Op::Atomic { old, swapped, .. } => {
            set(*old);
            swapped.iter().copied().for_each(set);
        }
        Op::Matrix(op) => pieces(op.sets(), set),
        Op::Group(cute_sim::program::GroupOp::Multiply { mma }) => {
            pieces(&kernel.group_mmas[*mma as usize].d, set);
        }
        Op::Mbarrier(op) => op.sets().into_iter().for_each(set),
        Op::Tensor(op) => match &**op {
            TensorOp::Load { registers, .. } => pieces(registers, set),
            TensorOp::Alloc { .. }
            | TensorOp::Dealloc { .. }
            | TensorOp::Relinquish
            | TensorOp::Store { .. }
            | TensorOp::Wait { .. }
            | TensorOp::Fence { .. }
            | TensorOp::Commit { .. }
            | TensorOp::Multiply(_)
            | TensorOp::Copy { .. } => {}
        },
        Op::Launch(LaunchControl::IsCanceled { dst, .. } | LaunchControl::FirstBlock { dst, .. }) => {
            set(*dst);
        }
        Op::Launch(LaunchControl::TryCancel { .. }) => {}
        // A walk does not go on after a call.
        Op::Call { .. } | Op::Back { .. } => {}
        Op::Store { .. }
        | Op::StackRestore { .. }
        | Op::Jump { .. }
        | Op::Branch { .. }
        | Op::Switch { .. }
        | Op::Return
        | Op::Unreachable
        | Op::Arrive { .. }
        | Op::WarpBarrier { .. }
        | Op::ClusterArrive { .. }
        | Op::ClusterWait { .. }
        | Op::Group(_)
        | Op::Fence(_)
        | Op::Release { .. }
        | Op::Trap { .. }
        | Op::Agree { .. }
        | Op::Refused { .. }
        | Op::Nowhere { .. }
        | Op::Nothing
        | Op::GridDependency { .. }
        | Op::CpAsync(_)
        | Op::Map(_)
        | Op::Remote(_)
        | Op::Bulk(_)
        | Op::WgmmaCommit
        | Op::WgmmaWait { .. } => {}
    }
}

fn pieces(all: &[Piece], mut set: impl FnMut(Slot)) {
    all.iter().for_each(|piece| set(piece.slot));
}

/// The registers that an edge sets.
pub fn moved(edge: &Edge) -> impl Iterator<Item = Slot> + '_ {
    edge.moves.iter().flat_map(|m| m.dst..m.dst + m.len)
}

/// The instructions that may follow one; `None` stands for the end of the thread.
pub fn followers(kernel: &Kernel, pc: usize) -> Vec<Option<usize>> {
    let target = |edge: &u32| Some(kernel.edges[*edge as usize].target as usize);
    match &kernel.code[pc] {
        Op::Jump { edge } => vec![target(edge)],
        Op::Branch { then, otherwise, .. } => vec![target(then), target(otherwise)],
        Op::Switch { cases, default, .. } => {
            cases.iter().map(|(_, edge)| edge).chain([default]).map(target).collect()
        }
        Op::Return | Op::Back { .. } | Op::Unreachable | Op::Trap { .. } => vec![None],
        Op::Nowhere { .. } | Op::Refused { .. } => vec![None],
        _ => vec![Some(pc + 1)],
    }
}

/// The edges that an instruction may take.
pub fn edges(op: &Op) -> Vec<u32> {
    match op {
        Op::Jump { edge } => vec![*edge],
        Op::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Op::Switch { cases, default, .. } => cases.iter().map(|(_, edge)| *edge).chain([*default]).collect(),
        _ => Vec::new(),
    }
}
