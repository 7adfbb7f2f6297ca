//! The effect of each instruction that computes.

use super::compute::compute;
use super::op::ScalarOp;
use super::special::special as special_of;
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;

impl Warp {
    #[inline(always)]
    pub(crate) fn compute(
        &mut self,
        op: &ScalarOp,
        active: u32,
        cluster: &Cluster<'_>,
    ) -> Result<(), LaneFinding> {
        if let ScalarOp::Special { dst, special } = *op {
            let issuer = self.issuer(active);
            let value = |lane| special_of(cluster.scene(), &issuer, special, lane as u32).into();
            let value = std::array::from_fn(value);
            self.registers.set(dst, active, &value, 0);
            return Ok(());
        }
        let check_overflow = cluster.machine().launch.check_overflow;
        compute(&mut self.registers, cluster.machine().kernel, op, active, check_overflow)
    }
}
