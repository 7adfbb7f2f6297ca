//! The lanes that execute a matrix instruction together.

use super::multiply::{multiply, scale_selectors};
use super::op::{MatrixOp, WarpProduct};
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp};
use crate::tensor::sums;

impl Warp {
    pub(crate) fn matrices(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &MatrixOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        match op {
            MatrixOp::Multiply(product) => {
                self.in_groups(0, cluster, None, active, |warp, cluster, lanes| {
                    warp.product(cluster, product, lanes)
                })
            }
            MatrixOp::Load { model, address, registers } => {
                self.in_groups(0, cluster, None, active, |warp, cluster, _| {
                    warp.load_matrix(cluster, model, *address, registers)
                })
            }
            MatrixOp::Store { model, address, registers } => {
                self.in_groups(0, cluster, None, active, |warp, cluster, _| {
                    warp.store_matrix(cluster, model, *address, registers)
                })
            }
        }
    }

    fn product(
        &mut self,
        cluster: &mut Cluster<'_>,
        product: &WarpProduct,
        lanes: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        let selectors = scale_selectors(&self.registers, kernel, product, lanes)?;
        let rules = cluster.machine.launch.sums;
        sums::note(cluster.journal.sums(), rules, &product.model.query());
        multiply(&mut self.registers, product, (selectors, rules), lanes);
        Ok(())
    }
}
