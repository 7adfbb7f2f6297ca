//! The registers that an instruction sets, whatever it does besides.

use cute_sim::program::{Edge, Kernel, LaunchControl, Op, Piece, Slot, TensorOp};

/// Calls `set` with each register that the instruction sets. Edges are apart: see [`moved`].
pub fn set(kernel: &Kernel, op: &Op, mut set: impl FnMut(Slot)) {
    match op {
        Op::Scalar(op) => op.sets(set),
        Op::Memory(op) => op.sets(&kernel.accesses, set),
        Op::System(op) => op.sets().into_iter().for_each(set),
        // A walk does not go on after a call.
        Op::Control(_) => {}
        Op::BlockRank { dst, .. } | Op::MapAddress { dst, .. } => set(*dst),
        Op::Barrier { reduction, .. } => reduction.iter().for_each(|by| set(by.dst)),
        Op::Collective(op) => op.sets().for_each(set),
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
        Op::Arrive { .. }
        | Op::WarpBarrier { .. }
        | Op::ClusterArrive { .. }
        | Op::ClusterWait { .. }
        | Op::Group(_)
        | Op::Fence(_)
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
    match kernel.followers(pc) {
        none if none.is_empty() => vec![None],
        all => all.into_iter().map(Some).collect(),
    }
}
