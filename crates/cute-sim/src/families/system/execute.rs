//! The effect of each call of the system.

use super::op::SystemOp;
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;

impl Warp {
    pub(crate) fn call_system(
        &mut self,
        op: &SystemOp,
        active: u32,
        cluster: &mut Cluster<'_>,
    ) -> Result<(), LaneFinding> {
        match *op {
            SystemOp::Print { dst, format, arguments } => self.print(cluster, dst, format, arguments, active),
            SystemOp::Allocate { dst, bytes } => self.heap_allocate(cluster, dst, bytes, active),
            SystemOp::Release { address } => self.heap_release(cluster, address, active),
        }
    }
}
