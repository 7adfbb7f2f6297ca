//! The registers that an instruction sets, whatever it does besides.

use cute_sim::program::{Edge, Kernel, Op, Piece, Slot};

/// Calls `set` with each register that the instruction sets. Edges are apart: see [`moved`].
pub fn set(kernel: &Kernel, op: &Op, set: impl FnMut(Slot)) {
    match op {
        Op::Scalar(op) => op.sets(set),
        Op::Memory(op) => op.sets(&kernel.accesses, set),
        Op::System(op) => op.sets().into_iter().for_each(set),
        // A walk does not go on after a call.
        Op::Control(_) => {}
        Op::Barrier(op) => op.sets().into_iter().for_each(set),
        Op::Cluster(op) => op.sets().into_iter().for_each(set),
        Op::Collective(op) => op.sets().for_each(set),
        Op::Matrix(op) => pieces(op.sets(), set),
        Op::Wgmma(op) => pieces(op.sets(), set),
        Op::Mbarrier(op) => op.sets().into_iter().for_each(set),
        Op::Tcgen05(op) => pieces(op.sets(), set),
        Op::Launch(op) => op.sets().into_iter().for_each(set),
        Op::SetRegisters(_) | Op::Fence(_) | Op::CpAsync(_) | Op::TensorMap(_) | Op::Bulk(_) => {}
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
