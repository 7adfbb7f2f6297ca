//! The course of a thread, groups of asynchronous operations, and requests for clusters.

use crate::call::Call;
use crate::{Assembler, Held, malformed};
use cute_machine::types::Type;
use cute_ptx::{GridDependency, Operation as O, Query, Registers, Role, StateSpace};
use cute_sim::program::{ClusterOp, ControlOp, LaunchOp, Op, Slot};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// The number of groups that a wait leaves under way.
    pub(super) fn groups(&self, call: &Call) -> Result<u32, Error> {
        match call.maybe(Role::COUNT) {
            None => Ok(0),
            Some(_) => u32::try_from(self.number_of(call, Role::COUNT)?)
                .map_err(|_| malformed(&call.at, Malformed::OperandValue, "a number of groups below 0")),
        }
    }

    pub(crate) fn control_of(&mut self, call: &Call) -> Result<(), Error> {
        let instruction = match call.instruction.row.operation {
            O::Registers => {
                let count = self.number_of(call, Role::COUNT)?;
                let increase = call.needed::<Registers>()? == Registers::Increase;
                return self.registers_of_group(&call.at, count, increase);
            }
            O::GridDependency => {
                let waits = call.needed::<GridDependency>()? == GridDependency::Wait;
                Op::Launch(LaunchOp::Dependency { waits })
            }
            O::MapAddress => Op::Cluster(ClusterOp::Map {
                dst: call.slot(Role::RESULT)?,
                address: call.slot(Role::A)?,
                rank: call.slot(Role::RANK)?,
            }),
            O::BlockRank => Op::Cluster(ClusterOp::Rank {
                dst: call.slot(Role::RESULT)?,
                address: call.slot(Role::A)?,
                generic: call.is_text && call.keyword::<StateSpace>().is_none(),
            }),
            O::Trap => ControlOp::Trap { message: None }.into(),
            O::Exit => ControlOp::Return.into(),
            O::TryCancel => Op::Launch(LaunchOp::TryCancel {
                address: call.slot(Role::ADDRESS)?,
                barrier: call.slot(Role::BARRIER)?,
                multicast: call.has("multicast") || call.has("multicast::cluster::all"),
            }),
            O::QueryBlock => {
                let response = response(call)?;
                let places: Vec<Slot> = call.all(Role::VALUES).map(|held| held.slot).collect();
                for (axis, dst) in places.into_iter().enumerate().take(3) {
                    self.emit(&call.at, Op::Launch(LaunchOp::FirstBlock { dst, axis, response }));
                }
                return Ok(());
            }
            _ => {
                let (dst, response) = (call.slot(Role::RESULT)?, response(call)?);
                let axis = match call.needed()? {
                    Query::IsCanceled => None,
                    Query::FirstX => Some(0),
                    Query::FirstY => Some(1),
                    Query::FirstZ => Some(2),
                };
                Op::Launch(match axis {
                    None => LaunchOp::IsCanceled { dst, response },
                    Some(axis) => LaunchOp::FirstBlock { dst, axis, response },
                })
            }
        };
        self.emit(&call.at, instruction);
        Ok(())
    }
}

/// The response to a request for a cluster: 128 bits.
fn response(call: &Call) -> Result<Slot, Error> {
    match call.held(Role::A)? {
        Held { slot, ty: Type::Array(2, _) } => Ok(*slot),
        Held { slot, .. } if call.is_text => Ok(*slot),
        _ => Err(malformed(&call.at, Malformed::OperandType, "the response is not an i128")),
    }
}
