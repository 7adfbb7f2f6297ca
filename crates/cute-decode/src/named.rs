//! Operations whose instruction is a name: calls of LLVM's intrinsics, and our own assembly with
//! the attribute that names it. Both have almost the same spelling: words separated by dots.
//!
//! Operands and results are those of the instruction, register by register, in the order in which
//! PTX writes them; of intrinsics, in the order in which LLVM declares them.

use super::{Decoder, malformed, site, tensor::model, unmodelled};
use crate::ir;
use cute_assembler::matrix::pieces;
use cute_assembler::special::special;
use cute_ffi::lowered::OPERATION_ATTRIBUTE;
use cute_ptx::llvm::{self, Intrinsic};
use cute_ptx::mma;
use cute_ptx::mnemonics::Support;
use cute_ptx::wmma::Wmma;
use cute_sim::program::{Piece, ScalarOp};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn named(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        let given = ir::str_attr(op, OPERATION_ATTRIBUTE);
        let instruction = match name {
            "llvm.call_intrinsic" => {
                ir::str_attr(op, "intrin").ok_or_else(|| malformed(op, Malformed::Attribute, "no intrin"))?
            }
            "llvm.inline_asm" | "nvvm.inline_ptx" => {
                let text = if name == "llvm.inline_asm" { "asm_string" } else { "ptxCode" };
                let text = ir::str_attr(op, text)
                    .ok_or_else(|| malformed(op, Malformed::Attribute, "no assembly"))?;
                let Some(given) = given else {
                    if name == "llvm.inline_asm" {
                        self.asm(op, &text)?
                    } else {
                        self.inline_ptx(op, &text)?
                    }
                    return Ok(true);
                };
                assembly(op, given, &text)?
            }
            _ => return Ok(false),
        };
        let known = match instruction.strip_prefix("llvm.nvvm.") {
            Some(intrinsic) => return self.intrinsic(op, &instruction, intrinsic),
            None => match self.titled_call(op, &instruction)? {
                Some(call) => {
                    self.perform(&call)?;
                    true
                }
                None => self.named_apart(op, &instruction)?,
            },
        };
        if known {
            return Ok(true);
        }
        Err(unmodelled(op, Unmodelled::Unknown, format!("the instruction `{instruction}`")))
    }

    /// One of LLVM's intrinsics for NVVM: a row of the table, or read beside it.
    fn intrinsic(&mut self, op: Ir<'_, '_>, whole: &str, name: &str) -> Result<bool, Error> {
        let known = llvm::intrinsic(name);
        if let Some(Support::Refused(reason)) = known.map(Intrinsic::support) {
            let what = format!("the intrinsic `{whole}` ({reason})");
            return Err(unmodelled(op, Unmodelled::Instruction, what));
        }
        if let Some(call) = self.intrinsic_call(op, name)? {
            self.perform(&call)?;
            return Ok(true);
        }
        let name = known.map_or(name, |known| known.name);
        if let Some(register) = name.strip_prefix("read.ptx.sreg.") {
            return self.named_register(op, register);
        }
        if name == "is_explicit_cluster" {
            return self.named_register(op, name);
        }
        if self.named_apart(op, name)? {
            return Ok(true);
        }
        Err(match known {
            Some(_) => unmodelled(op, Unmodelled::Instruction, format!("the intrinsic `{whole}`")),
            None => unmodelled(
                op,
                Unmodelled::Unknown,
                format!("the intrinsic `{whole}`, which LLVM 22 does not have,"),
            ),
        })
    }

    /// An instruction whose name follows from an atom, or one of LLVM's own intrinsics.
    fn named_apart(&mut self, op: Ir<'_, '_>, name: &str) -> Result<bool, Error> {
        let words: Vec<&str> = name.split(['.', ':']).filter(|word| !word.is_empty()).collect();
        match words[..] {
            ["mma", ref rest @ ..] => self.named_mma(op, rest),
            ["wmma", ref rest @ ..] => match Wmma::of_intrinsic(rest) {
                Some(wmma) => self.wmma(op, wmma).map(|()| true),
                None => Ok(false),
            },
            ["llvm", intrinsic] | ["llvm", intrinsic, _] => {
                self.arithmetic(&format!("llvm.intr.{intrinsic}"), op)
            }
            _ => Ok(false),
        }
    }

    fn named_register(&mut self, op: Ir<'_, '_>, spelled: &str) -> Result<bool, Error> {
        let special = special(&spelled.replace('_', "."));
        let special = special
            .ok_or_else(|| unmodelled(op, Unmodelled::Register, format!("the register `{spelled}`")))?;
        let dst = self.result(op)?.slot;
        self.emit(op, ScalarOp::Special { dst, special });
        Ok(true)
    }

    fn named_mma(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some(query) = mma::read(words) else { return Ok(false) };
        let model = model(op, &query)?;
        let mut left = self.operand_pieces(op)?.into_iter();
        let mut matrix = |registers: usize| {
            let mut bits = 0;
            let mut pieces = Vec::new();
            while bits < registers as u32 * 32
                && let Some(piece) = left.next()
            {
                bits += piece.bits;
                pieces.push(piece);
            }
            pieces
        };
        let [a, b, c] = {
            let [a, b, c, _] = model.registers();
            [matrix(a), matrix(b), matrix(c)]
        };
        let d = pieces(&self.results(op)?);
        if model.scales().is_some() {
            let [sa, byte_a, thread_a, sb, byte_b, thread_b] = left.collect::<Vec<_>>()[..] else {
                let found = op.operand_count();
                return Err(malformed(
                    op,
                    Malformed::OperandCount,
                    format!("{found} operands for A, B, C, scale factors and selectors"),
                ));
            };
            let selectors = [[byte_a.slot, thread_a.slot], [byte_b.slot, thread_b.slot]];
            self.multiply_scaled(&site(op), model, [a.into(), b.into(), c.into(), d], ([sa, sb], selectors))?;
            return Ok(true);
        }
        // Registers that are left over belong to C, whose bits are checked.
        let c = c.into_iter().chain(left).collect();
        self.multiply(&site(op), model, [a.into(), b.into(), c, d])?;
        Ok(true)
    }

    pub(super) fn operand_pieces(&self, op: Ir<'_, '_>) -> Result<Box<[Piece]>, Error> {
        let held = (0..op.operand_count()).map(|i| self.operand(op, i)).collect::<Result<Vec<_>, _>>()?;
        Ok(pieces(&held))
    }
}

/// The instruction that the attribute names, which the text of the assembly must hold.
fn assembly(op: Ir<'_, '_>, given: String, text: &str) -> Result<String, Error> {
    if text.contains(&given) {
        return Ok(given);
    }
    Err(malformed(
        op,
        Malformed::Attribute,
        format!("`{OPERATION_ATTRIBUTE}` names `{given}`, which the assembly does not hold"),
    ))
}
