//! A warp that issues an instruction, as the parts that the instruction may touch.

use super::convergence::Convergence;
use super::issuer::Issuer;
use super::marks::Marks;
use super::parts::Lent;
use super::stack::Stack;
use super::warp::{Flow, Warp};
use crate::families::cluster::lanes::LanesAtCluster;
use crate::finding::LaneFinding;
use crate::operand::Slot;
use crate::registers::Registers;

/// A warp lends it for the instruction that runs. Where its lanes continue is not part of it.
pub(crate) struct Issuing<'w> {
    pub(crate) registers: &'w mut Registers,
    pub(crate) stack: &'w mut Stack,
    pub(crate) marks: &'w mut Marks,
    pub(crate) at_cluster: &'w mut LanesAtCluster,
    pub(crate) issuer: Issuer,
}

/// The same, for an instruction at which lanes may wait.
pub(crate) struct Stopping<'w> {
    pub(crate) lanes: &'w mut Convergence,
    pub(crate) own: Issuing<'w>,
}

impl Warp {
    /// Lends what an instruction of some lanes may touch.
    #[inline]
    pub(crate) fn issuing(&mut self, lanes: u32) -> Issuing<'_> {
        self.stopping(lanes).own
    }

    /// Lends what an instruction of some lanes may touch at which lanes may wait.
    #[inline]
    pub(crate) fn stopping(&mut self, active: u32) -> Stopping<'_> {
        let issuer = self.issuer(active);
        let Warp { registers, stack, marks, at_cluster, lanes, .. } = self;
        Stopping { lanes, own: Issuing { registers, stack, marks, at_cluster, issuer } }
    }
}

impl Stopping<'_> {
    /// Runs a collective in each group of lanes that is complete; the others wait.
    pub(crate) fn together<'m, L: Lent<'m>>(
        &mut self,
        lent: &mut L,
        mask: Option<Slot>,
        run: impl FnMut(&mut Issuing<'_>, &mut L) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        self.together_but(0, lent, mask, run)
    }

    /// Like [`together`](Self::together), for groups that are complete without the excused lanes.
    pub(crate) fn together_but<'m, L: Lent<'m>>(
        &mut self,
        excused: u32,
        lent: &mut L,
        mask: Option<Slot>,
        mut run: impl FnMut(&mut Issuing<'_>, &mut L) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        let Stopping { lanes, own } = self;
        let active = own.issuer.lanes;
        let groups = lanes.gather(own.registers, lent.machine().kernel, mask, active, excused)?;
        let mut ran = 0;
        for group in groups {
            own.issuer = own.issuer.only(group);
            if own.marks.has_learned() {
                own.marks.meet_lanes(lent.course(), &own.issuer, lanes.is_whole(group));
            }
            run(own, lent)?;
            ran |= group;
        }
        if ran == active {
            return Ok(Flow::Next);
        }
        lanes.park(active & ran, own.issuer.site + 1);
        lanes.resume(ran & !active);
        Ok(Flow::Apart)
    }
}
