//! Commits, and waits for groups: each warp commits, waits, and receives its part.

use super::complete::multiply;
use super::course::follows_products;
use super::land::land_sums;
use super::member::{group_of, member_of};
use super::op::WgmmaOp;
use super::queue::{Warpgroups, WgmmaQueue};
use crate::events::Event;
use crate::finding::{FindingKind, LaneFinding, WgmmaRule};
use crate::machine::WARP;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::machine::scene::Scene;
use crate::program::Op;
use crate::registers::Registers;

/// A warp executes an operation alone: a commit, or a wait.
pub(crate) fn wgmma(parts: &mut Parts<'_, '_>, own: &mut Issuing<'_>, op: &WgmmaOp) {
    match *op {
        WgmmaOp::Commit => {
            parts.journal.tell(|_| Event::Orders { act: own.issuer.act() });
            commit(&mut parts.engine.warpgroups, &own.issuer);
        }
        WgmmaOp::Wait { pending } => wait(parts, own, pending),
        WgmmaOp::Fence | WgmmaOp::Multiply(_) => unreachable!("a warpgroup executes it together"),
    }
}

/// The MMAs that the warpgroup has issued and the warp has not committed become a group of the
/// warp.
fn commit(warpgroups: &mut Warpgroups, issuer: &Issuer) {
    let queue = warpgroups.of(group_of(issuer));
    let last = (queue.issued, queue.time);
    queue.warps[member_of(issuer)].groups.push_back(last);
}

/// Completes all groups of the warp except the `pending` youngest.
fn wait(parts: &mut Parts<'_, '_>, own: &mut Issuing<'_>, pending: u32) {
    let Issuing { registers, marks, issuer, .. } = own;
    parts.journal.tell(|_| Event::Completes { act: issuer.only(issuer.exists).act() });
    let (group, member) = (group_of(issuer), member_of(issuer));
    let mut queue = parts.engine.warpgroups.take(group);
    let own = &mut queue.warps[member];
    let count = own.groups.len().saturating_sub(pending as usize);
    let last = own.groups.drain(..count).next_back();
    if let Some((ticket, time)) = last {
        // Groups without MMAs of their own wait for nothing new.
        queue.is_fenced_since_wait &= ticket == own.waited;
        own.waited = ticket;
        multiply(parts, &mut queue, group, ticket);
        if let Some(agent) = queue.agent {
            let threads = issuer.only(issuer.exists).threads();
            parts.clocks.learn_all(threads, agent, time);
        }
        land_sums(registers, &mut queue, member, ticket);
    }
    let scene = parts.scene();
    let changed = last.and_then(|(ticket, _)| changed_fragment(scene, registers, &mut queue, member, ticket));
    parts.engine.warpgroups.put(group, queue);
    if let Some((ticket, _)) = last {
        follows_products(parts.engine, marks, issuer, ticket);
    }
    if let Some(LaneFinding { lane, kind }) = changed {
        parts.journal.remark(issuer.site, issuer.thread(lane), kind);
    }
}

/// Fragments of A may be changed again. Reports one of a warp of the group that has changed before.
fn changed_fragment(
    scene: &Scene<'_>,
    registers: &Registers,
    queue: &mut WgmmaQueue,
    member: usize,
    waited: u32,
) -> Option<LaneFinding> {
    let kernel = scene.machine().kernel;
    let mut changed = None;
    for lent in queue.lent.iter_mut().filter(|lent| lent.ticket <= waited) {
        let Some(Op::Wgmma(op)) = kernel.code.get(lent.site as usize) else { continue };
        let Some(pieces) = op.registers_of_a() else { continue };
        let Some(before) = lent.words[member].take() else { continue };
        let now = registers.pack(pieces);
        if let Some(word) = before.iter().zip(&now).position(|(before, now)| before != now) {
            let ((op, location), is_ptx) = (scene.site(lent.site), kernel.is_ptx);
            let lane = (word / (now.len() / WARP as usize)) as u32;
            changed = Some(LaneFinding {
                lane,
                kind: FindingKind::Wgmma { rule: WgmmaRule::Fragment { op, location, is_ptx } },
            });
        }
    }
    queue.lent.retain(|lent| lent.words.iter().any(Option::is_some));
    changed
}
