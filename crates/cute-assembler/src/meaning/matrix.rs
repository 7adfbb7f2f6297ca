//! Matrices between shared memory and the registers of a warp.

use crate::call::Call;
use crate::matrix::pieces;
use crate::{Assembler, Held, malformed, unmodelled};
use cute_arch::atoms::MatrixElement;
use cute_arch::space::GENERIC;
use cute_ptx::{MatrixCount, Operation, Role, Transposition};
use cute_sim::address::SHARED;
use cute_sim::matrix::{Matrices, MatrixMove};
use cute_sim::program::{Cast, MatrixOp, Op, Piece, ScalarOp, Unary};
use cute_sim::{Error, Malformed, Unmodelled};

impl Assembler {
    pub(crate) fn matrices(&mut self, call: &Call) -> Result<(), Error> {
        let loads = call.instruction.row.operation == Operation::LoadMatrix;
        let (direction, role, what) = match loads {
            true => (MatrixMove::Load, Role::RESULT, "the result"),
            false => (MatrixMove::Store, Role::VALUES, "the sources"),
        };
        let held: Vec<Held> = call.all(role).cloned().collect();
        let count = match call.keyword() {
            Some(count) => MatrixCount::number(count),
            None if loads => self.number_of(call, Role::COUNT)? as u32,
            None => held.len() as u32,
        };
        let is_transposed = call.keyword() == Some(Transposition::Transposed);
        let model = Matrices::new(direction, call.needed::<MatrixElement>()?, count, is_transposed)
            .map_err(|e| unmodelled(&call.at, Unmodelled::Atom, e.to_string()))?;
        let address = match call.pointer(Role::ADDRESS)? {
            (address, SHARED) => address,
            // Text without a space has a generic address.
            (a, GENERIC) if call.is_text => {
                let at = Unary { dst: self.temporary(&call.at)?, a, lanes: 1 };
                let cast = Cast::AddressSpace { from: GENERIC, to: SHARED };
                self.emit(&call.at, ScalarOp::Cast { cast, at });
                at.dst
            }
            _ => {
                return Err(malformed(
                    &call.at,
                    Malformed::OperandType,
                    "the address is not a pointer to shared memory",
                ));
            }
        };
        // Registers of PTX may be declared wider than the 32 bits that count.
        let registers = match call.is_text {
            true => held.iter().map(|held| Piece { slot: held.slot, bits: 32 }).collect(),
            false => pieces(&held),
        };
        self.fits(&call.at, &registers, model.registers(), what)?;
        self.emit(
            &call.at,
            match direction {
                MatrixMove::Load => Op::Matrix(MatrixOp::Load { model, address, registers }),
                MatrixMove::Store => Op::Matrix(MatrixOp::Store { model, address, registers }),
            },
        );
        Ok(())
    }
}
