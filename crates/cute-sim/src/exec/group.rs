//! The effect of each instruction that a warpgroup executes together.

use crate::families::wgmma::issue::issue;
use crate::machine::cluster::{Cluster, Stop};
use crate::machine::issuing::Issuing;
use crate::machine::warp::Warp;
use crate::program::Op;

impl Cluster<'_> {
    /// Executes an instruction of the warpgroup with this number in its block. Returns whether it
    /// can continue.
    pub(crate) fn step_of_group(&mut self, op: &Op, number: usize, group: &mut [Warp]) -> Result<bool, Stop> {
        Ok(match *op {
            Op::Wgmma(ref op) => {
                let mut members: Vec<Issuing<'_>> =
                    group.iter_mut().map(|warp| warp.issuing(warp.lanes.exists())).collect();
                issue(&mut self.parts(), op, &mut members)?;
                true
            }
            Op::SetRegisters(op) => {
                let (pools, journal) = self.of_registers();
                pools.change(journal, op, number, group)
            }
            _ => unreachable!("a warpgroup meets at no other instruction"),
        })
    }
}
