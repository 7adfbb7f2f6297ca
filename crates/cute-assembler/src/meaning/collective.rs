//! Instructions that the lanes of a warp execute together.

use crate::Assembler;
use crate::call::Call;
use cute_ptx::{Operation, Role};
use cute_sim::Error;
use cute_sim::program::{CollectiveAct, CollectiveOp, Op, ScalarOp, Special};

impl Assembler {
    pub(crate) fn collective(&mut self, call: &Call) -> Result<(), Error> {
        let flag = call.maybe_slot(Role::FLAG);
        let collective = match call.instruction.row.operation {
            Operation::Shuffle => CollectiveAct::Shuffle {
                kind: call.needed()?,
                dst: call.slot(Role::RESULT)?,
                value: call.slot(Role::A)?,
                offset: call.slot(Role::OFFSET)?,
                clamp: call.slot(Role::CLAMP)?,
                in_range: flag,
            },
            Operation::Vote => CollectiveAct::Vote {
                kind: call.needed()?,
                dst: call.slot(Role::RESULT)?,
                predicate: call.slot(Role::CONDITION)?,
            },
            Operation::Match => {
                let dst = match call.maybe_slot(Role::RESULT) {
                    Some(dst) => dst,
                    None => self.temporary(&call.at)?,
                };
                CollectiveAct::Match { kind: call.needed()?, dst, value: call.slot(Role::A)?, flag }
            }
            Operation::ReduxFloat => CollectiveAct::ReduceFloat {
                least: call.has("min") || call.has("fmin"),
                magnitudes: call.has("abs"),
                nan: call.has("NaN") || call.has("nan"),
                dst: call.slot(Role::RESULT)?,
                value: call.slot(Role::A)?,
            },
            // The result is the lane, and the flag tells whether it is the own one.
            Operation::Elect => {
                CollectiveAct::Elect { dst: call.slot(Role::FLAG)?, leader: call.maybe_slot(Role::RESULT) }
            }
            Operation::Transpose => {
                CollectiveAct::Transpose { dst: call.slot(Role::RESULT)?, value: call.slot(Role::A)? }
            }
            _ => CollectiveAct::Reduce {
                kind: call.needed()?,
                dst: call.slot(Role::RESULT)?,
                value: call.slot(Role::A)?,
            },
        };
        let mask = call.maybe_slot(Role::MASK);
        self.emit(&call.at, Op::Collective(CollectiveOp { mask, act: collective }));
        Ok(())
    }

    pub(crate) fn active_mask(&mut self, call: &Call) -> Result<(), Error> {
        self.emit(
            &call.at,
            ScalarOp::Special { dst: call.slot(Role::RESULT)?, special: Special::ActiveMask },
        );
        Ok(())
    }
}
