//! The course of a warp's lanes: jumps, branches, and ends.

use crate::{
    registers::lanes_of,
    value::Val,
    walk::{Stop, Walk},
};
use cute_sim::program::ControlOp;

impl Walk<'_> {
    /// Executes an instruction after which lanes may go on anywhere. Returns the start of a loop
    /// whose next iteration begins.
    pub(crate) fn control(&mut self, pc: u32, of: &ControlOp, active: u32) -> Result<Option<u32>, Stop> {
        let kernel = self.world.kernel;
        match of {
            ControlOp::Jump { edge } => {
                let edge = &kernel.edges[*edge as usize];
                self.take(edge, active);
                return Ok((edge.target <= pc).then_some(edge.target));
            }
            ControlOp::Branch { condition, then, otherwise } => {
                let (mut yes, mut open) = (0, 0);
                for lane in lanes_of(active) {
                    match self.get(*condition).at(lane) {
                        Val::Known(0) => {}
                        Val::Known(_) => yes |= 1 << lane,
                        _ => open |= 1 << lane,
                    }
                }
                if let Some((number, yes)) = self.tested(*condition, active) {
                    let (passes, waits) = if yes { (*then, *otherwise) } else { (*otherwise, *then) };
                    self.after_test(pc, number, [waits, passes], active)?;
                    return Ok(None);
                }
                if open != 0 {
                    if open != active {
                        return self.undecided(pc, "a branch depends on data in some lanes only");
                    }
                    match [*then, *otherwise].map(|way| self.trap(kernel.edges[way as usize].target)) {
                        // A check on data is assumed to hold.
                        [Some(trap), None] => {
                            self.notes.borrow_mut().trusted.insert(trap);
                            return self.fork(pc, &[(active, *otherwise)]);
                        }
                        [None, Some(trap)] => {
                            self.notes.borrow_mut().trusted.insert(trap);
                            return self.fork(pc, &[(active, *then)]);
                        }
                        _ => self.skip(pc, *condition, active)?,
                    }
                    return Ok(None);
                }
                let ways = [(yes, *then), (active & !yes, *otherwise)];
                return self.fork(pc, &ways);
            }
            ControlOp::Switch { flag, cases, default } => {
                let mut ways: Vec<(u32, u32)> = Vec::new();
                for lane in lanes_of(active) {
                    let Val::Known(bits) = self.get(*flag).at(lane) else {
                        return self.undecided(pc, "a switch depends on data");
                    };
                    let edge =
                        cases.iter().find(|(value, _)| *value == bits).map_or(*default, |(_, edge)| *edge);
                    match ways.iter_mut().find(|(_, own)| *own == edge) {
                        Some((lanes, _)) => *lanes |= 1 << lane,
                        None => ways.push((1 << lane, edge)),
                    }
                }
                return self.fork(pc, &ways);
            }
            ControlOp::Return => {
                self.alive &= !active;
                return Ok(None);
            }
            ControlOp::Agree { .. } | ControlOp::Nothing => {}
            ControlOp::Call { .. } | ControlOp::Back { .. } => {
                return self.undecided(pc, "calls are not followed");
            }
            ControlOp::Trap { .. }
            | ControlOp::Unreachable
            | ControlOp::Refused { .. }
            | ControlOp::Nowhere { .. } => {
                return self.undecided(pc, "a thread gets to an instruction that ends the kernel");
            }
        }
        self.next(pc, active);
        Ok(None)
    }
}
