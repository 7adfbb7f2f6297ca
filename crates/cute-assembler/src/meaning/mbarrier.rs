//! `mbarrier`.

use crate::call::Call;
use crate::scope::scope_of;
use crate::{Assembler, Held, malformed};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{Arrive, Operation as O, PhaseWait, Role, Spelling};
use cute_sim::address::CLUSTER;
use cute_sim::program::{Arrival, AwaitedBy, BarrierWait, Blocking, MbarrierAct, MbarrierOp, Op, Scope};
use cute_sim::{Error, Malformed};

impl Assembler {
    pub(crate) fn phase_barrier(&mut self, call: &Call) -> Result<(), Error> {
        let operation = call.instruction.row.operation;
        let dst = call.maybe_slot(Role::RESULT);
        if operation == O::BarrierPending {
            let (token, dst) = (call.slot(Role::A)?, call.slot(Role::RESULT)?);
            self.emit(&call.at, Op::Mbarrier(MbarrierOp::PendingCount { dst, token }));
            return Ok(());
        }
        let (address, space) = match call.held(Role::ADDRESS)? {
            Held { slot, ty: Type::Scalar(Scalar::Ptr(space)) } => (*slot, *space),
            Held { ty, .. } => {
                return Err(malformed(
                    &call.at,
                    Malformed::OperandType,
                    format!("an mbarrier at an address of type {ty:?}"),
                ));
            }
        };
        // ptxas refuses both.
        if space == CLUSTER && operation == O::BarrierPhaseWait {
            return Err(malformed(
                &call.at,
                Malformed::Modifier,
                "only threads of the barrier's own block may wait for it",
            ));
        }
        if space == CLUSTER && operation == O::BarrierPhaseArrive && dst.is_some() {
            return Err(malformed(
                &call.at,
                Malformed::Modifier,
                "an arrive on a remote barrier returns no state",
            ));
        }
        let scope = call.keyword().map_or(Scope::Block, scope_of);
        let relaxed = call.has("relaxed");
        let act = match operation {
            O::BarrierInit => MbarrierAct::Init { count: call.slot(Role::COUNT)? },
            O::BarrierInvalidate => MbarrierAct::Invalidate,
            O::BarrierExpect | O::BarrierComplete => {
                MbarrierAct::Expect { bytes: call.slot(Role::BYTES)?, comes: operation == O::BarrierComplete }
            }
            O::BarrierPhaseArrive => MbarrierAct::Arrive(Arrival {
                count: call.maybe_slot(Role::COUNT),
                expect: call.maybe_slot(Role::BYTES),
                drop: call.needed::<Arrive>()? == Arrive::Drops,
                completes: !call.has("noComplete") && !call.has("nocomplete"),
                relaxed,
                scope,
                dst,
            }),
            O::BarrierFollow => MbarrierAct::Follow { increment: !call.has("noinc") },
            _ => MbarrierAct::Wait(self.phase_wait(call, relaxed, scope)?),
        };
        self.emit(&call.at, Op::Mbarrier(MbarrierOp::At { act, address, space }));
        Ok(())
    }

    /// An operation of NVVM names no parity: it awaits an i32 as a parity. One without a result
    /// waits until the phase is complete.
    fn phase_wait(&mut self, call: &Call, relaxed: bool, scope: Scope) -> Result<BarrierWait, Error> {
        let is_op = call.instruction.form.spelling == Spelling::Nvvm;
        let phase = call.held(Role::PHASE)?;
        let is_parity = call.has("parity") || is_op && phase.ty == Type::Scalar(Scalar::Int(32));
        let dst = call.maybe_slot(Role::RESULT);
        let blocking = match call.needed()? {
            _ if is_op && dst.is_none() => Blocking::Until,
            PhaseWait::Test => Blocking::Test,
            PhaseWait::Try => Blocking::Try,
        };
        let awaited = if is_parity { AwaitedBy::Parity(phase.slot) } else { AwaitedBy::Token(phase.slot) };
        let ignored = call.ignored && blocking != Blocking::Until;
        Ok(BarrierWait { awaited, blocking, dst, relaxed, scope, ignored })
    }
}
