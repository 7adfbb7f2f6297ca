//! The stack of a thread: `alloca`, `stacksave`, `stackrestore`.

use crate::call::Call;
use crate::{Assembler, malformed, unmodelled};
use cute_ptx::{Operation as O, Role, ScalarType};
use cute_sim::program::MemoryOp;
use cute_sim::{Error, Malformed, Unmodelled};

/// The largest alignment that `alloca` takes.
const MOST_ALIGNED: u64 = 1 << 23;

impl Assembler {
    pub(crate) fn stack(&mut self, call: &Call) -> Result<(), Error> {
        if call.needed::<ScalarType>()?.bits() != 64 {
            return Err(unmodelled(
                &call.at,
                Unmodelled::Instruction,
                "an address of local memory in 32 bits",
            ));
        }
        let instruction = match call.instruction.row.operation {
            O::StackAllocate => {
                // Every allocation is aligned as much as any access.
                if call.maybe(Role::COUNT).is_some() {
                    let align = self.number_of(call, Role::COUNT)?;
                    let valid = u64::try_from(align).is_ok_and(|n| n.is_power_of_two() && n <= MOST_ALIGNED);
                    if !valid {
                        return Err(malformed(
                            &call.at,
                            Malformed::OperandValue,
                            format!("the alignment {align}: it must be a power of 2 up to 2^23"),
                        ));
                    }
                }
                let (dst, count) = (call.slot(Role::RESULT)?, call.slot(Role::A)?);
                MemoryOp::Alloca { dst, count, size: 1, generic: false }
            }
            O::StackSave => MemoryOp::StackSave { dst: call.slot(Role::RESULT)? },
            _ => MemoryOp::StackRestore { src: call.slot(Role::A)? },
        };
        self.emit(&call.at, instruction);
        Ok(())
    }
}
