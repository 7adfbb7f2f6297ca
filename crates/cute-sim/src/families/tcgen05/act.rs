//! The operations of `tcgen05`, executed.

use super::access::{load_tensor, store_tensor};
use super::columns::{allocate, deallocate};
use super::commit::commit_tensor;
use super::issue::multiply_tensor;
use super::op::Tcgen05Op;
use super::rows::copy_rows;
use crate::events::Event;
use crate::finding::LaneFinding;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::{Issuing, Stopping};
use crate::machine::parts::{Parts, TensorParts};
use crate::machine::warp::Flow;

/// Executes an operation of tensor cores or on tensor memory.
pub(crate) fn tcgen05(
    lent: &mut TensorParts<'_, '_>,
    warp: &mut Stopping<'_>,
    op: &Tcgen05Op,
) -> Result<Flow, LaneFinding> {
    match op {
        Tcgen05Op::Alloc { to, space, columns, pair } => {
            return allocate(lent, warp, (*to, *space), *columns, *pair);
        }
        Tcgen05Op::Commit { barrier, space, mask } => {
            commit_tensor(lent, &warp.own, (*barrier, *space), *mask)?;
        }
        Tcgen05Op::Copy { address, source, rows, pair } => {
            copy_rows(lent, &warp.own, (*address, *source), *rows, *pair)?;
        }
        Tcgen05Op::Multiply(mma) => multiply_tensor(lent, &warp.own, mma)?,
        Tcgen05Op::Fence { before } => fence(&mut lent.parts, &warp.own.issuer, *before),
        Tcgen05Op::Dealloc { .. }
        | Tcgen05Op::Relinquish
        | Tcgen05Op::Load { .. }
        | Tcgen05Op::Store { .. }
        | Tcgen05Op::Wait { .. } => return warp.together(lent, None, |own, lent| of_warp(lent, own, op)),
    }
    Ok(Flow::Next)
}

fn fence(parts: &mut Parts<'_, '_>, issuer: &Issuer, before: bool) {
    let Parts { clocks, engine, journal, .. } = parts;
    journal.tell(|_| Event::Orders { act: issuer.act() });
    let threads: Vec<u32> = issuer.threads().collect();
    match before {
        true => engine.tensor_order.before(clocks, &threads),
        false => engine.tensor_order.after(clocks, &threads),
    }
}

/// Executes an operation of all lanes of a warp together.
fn of_warp(lent: &mut TensorParts<'_, '_>, own: &mut Issuing<'_>, op: &Tcgen05Op) -> Result<(), LaneFinding> {
    match op {
        Tcgen05Op::Dealloc { address, columns, pair } => deallocate(lent, own, *address, *columns, *pair)?,
        Tcgen05Op::Relinquish => {
            let Issuer { site, block, .. } = own.issuer;
            lent.tensor.of(block.rank).relinquished.get_or_insert(site);
        }
        Tcgen05Op::Load { shape, address, offset, registers } => {
            load_tensor(lent, own, shape, *address, *offset, registers)?;
        }
        Tcgen05Op::Store { shape, address, offset, registers } => {
            store_tensor(lent, own, shape, *address, *offset, registers)?;
        }
        Tcgen05Op::Wait { stores } => {
            let whole = own.issuer.only(own.issuer.exists);
            let Parts { clocks, engine, journal, .. } = &mut lent.parts;
            journal.tell(|_| Event::Completes { act: whole.act() });
            if let Some(own) = engine.cores.warps.get_mut(&(whole.first, *stores)) {
                own.unused.clear();
                clocks.learn_all(whole.threads(), own.agent, own.time);
            }
        }
        Tcgen05Op::Alloc { .. }
        | Tcgen05Op::Commit { .. }
        | Tcgen05Op::Fence { .. }
        | Tcgen05Op::Multiply(_)
        | Tcgen05Op::Copy { .. } => {}
    }
    Ok(())
}
