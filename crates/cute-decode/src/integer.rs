//! Integer instructions that only devices have: dot products of bytes, permutations of bytes.

use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_sim::Error;
use cute_sim::program::{Op, Ternary};
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn device_integer(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        let is_signed = |attribute| {
            let sign = ir::keyword_attr(op, attribute);
            match sign {
                Some("signed") => Ok(true),
                Some("unsigned") => Ok(false),
                _ => Err(malformed(op, format!("no {attribute}"))),
            }
        };
        match name {
            "nvvm.dot.accumulate.4way" => self.dot(op, 8, 0, (is_signed("a_type")?, is_signed("b_type")?))?,
            "nvvm.dot.accumulate.2way" => {
                let skip = if ir::int_attr(op, "b_hi") == Some(0) { 0 } else { 2 };
                self.dot(op, 16, skip, (is_signed("a_type")?, is_signed("b_type")?))?;
            }
            "nvvm.prmt" => match ir::keyword_attr(op, "mode") {
                None | Some("default") => self.permute(op)?,
                Some(other) => return Err(unmodelled(op, format!("the mode {other}"))),
            },
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Numbers of `width` bits of A times as many bytes of B, from byte `skip` on, added to C.
    pub(super) fn dot(
        &mut self,
        op: Ir<'_, '_>,
        width: u32,
        skip: u32,
        signed: (bool, bool),
    ) -> Result<(), Error> {
        let [a, b] = [self.operand(op, 0)?, self.operand(op, 1)?].map(|held| super::tensor::pieces(&[held]));
        for pieces in [&a, &b] {
            if pieces.iter().map(|p| p.bits).sum::<u32>() != 32 {
                return Err(malformed(op, "an operand whose width is not 32 bits"));
            }
        }
        let (c, _) = self.scalar_operand(op, 2)?;
        let dst = self.result(op)?.slot;
        self.emit(op, Op::Dot { dst, a, b, c, width, skip, signed });
        Ok(())
    }

    pub(super) fn permute(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let [a, b, c] = self.words(op)?;
        let dst = self.result(op)?.slot;
        self.emit(op, Op::Permute { at: Ternary { dst, a, b, c, lanes: 1 } });
        Ok(())
    }
}
