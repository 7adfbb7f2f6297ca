//! `wmma`: ops of NVVM, and LLVM's intrinsics.

use super::{Decoder, malformed, site, unmodelled};
use crate::ir;
use cute_arch::atoms::{Instruction, MmaQuery};
use cute_assembler::matrix::pieces;
use cute_machine::types::Scalar;
use cute_ptx::mma;
use cute_ptx::wmma::{Fragment, InMemory, Wmma};
use cute_sim::program::{Piece, Slot};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    /// `nvvm.wmma.`, and `load`, `store` or `mma`.
    pub(super) fn nvvm_wmma(&mut self, op: Ir<'_, '_>, what: &str) -> Result<bool, Error> {
        let extent = |name| ir::int_attr(op, name).and_then(|extent| u32::try_from(extent).ok());
        let (Some(m), Some(n), Some(k)) = (extent("m"), extent("n"), extent("k")) else {
            return Err(malformed(op, Malformed::Attribute, "no m, n and k"));
        };
        let word = |name: &str| {
            ir::keyword_attr(op, name)
                .ok_or_else(|| malformed(op, Malformed::Attribute, format!("no {name}")))
        };
        let element = |name: &str| {
            let word = word(name)?;
            mma::element(word)
                .ok_or_else(|| unmodelled(op, Unmodelled::Modifier, format!("elements of {word}")))
        };
        let shape = [m, n, k];
        let in_memory = |fragment| {
            let is_row_major = word("layout")? == "row";
            Ok::<_, Error>(InMemory { fragment, is_row_major, shape, element: element("eltype")? })
        };
        let wmma = match what {
            "load" => Wmma::Load(in_memory(match word("frag")? {
                "a" => Fragment::A,
                "b" => Fragment::B,
                _ => Fragment::Sum,
            })?),
            "store" => Wmma::Store(in_memory(Fragment::Sum)?),
            "mma" => {
                let (factor, sum) = (element("eltypeA")?, element("eltypeB")?);
                let [of_a, of_b] = mma::majors([word("layoutA")?, word("layoutB")?]);
                let types = [sum, factor, factor, sum];
                let majors = (of_a, of_b);
                Wmma::Multiply(
                    MmaQuery { majors, ..MmaQuery::new(Instruction::MMA_SYNC, shape, types) },
                    None,
                )
            }
            _ => return Ok(false),
        };
        self.wmma(op, wmma)?;
        Ok(true)
    }

    /// Binds operands and results, which NVVM and LLVM have in the same order.
    pub(super) fn wmma(&mut self, op: Ir<'_, '_>, wmma: Wmma) -> Result<(), Error> {
        match wmma {
            Wmma::Load(memory) => {
                let base = self.wmma_pointer(op)?;
                let stride = self.wmma_stride(op, 1)?;
                let registers = pieces(&self.results(op)?);
                self.assembler.wmma_access(&site(op), memory, base, stride, (&registers, true))
            }
            Wmma::Store(memory) => {
                let base = self.wmma_pointer(op)?;
                let mut registers = self.operand_pieces(op)?.into_vec();
                registers.remove(0);
                // The registers are followed by the stride, which is one more word.
                let has_stride = ir::name(op).starts_with("nvvm.")
                    || ir::str_attr(op, "intrin").is_some_and(|name| name.split('.').any(|w| w == "stride"));
                let stride = if has_stride { registers.pop().map(|piece| piece.slot) } else { None };
                self.assembler.wmma_access(&site(op), memory, base, stride, (&registers, false))
            }
            Wmma::Multiply(query, mode) => {
                let d = pieces(&self.results(op)?);
                let all = self.operand_pieces(op)?;
                let Some(matrices) = shared_out(&all, query, &d) else {
                    let found = all.len();
                    return Err(malformed(
                        op,
                        Malformed::OperandCount,
                        format!("{found} registers for A, B and C"),
                    ));
                };
                self.assembler.wmma_product(&site(op), (query, mode), &d, matrices)
            }
        }
    }

    fn wmma_pointer(&self, op: Ir<'_, '_>) -> Result<(Slot, u32), Error> {
        match self.scalar_operand(op, 0)? {
            (slot, Scalar::Ptr(space)) => Ok((slot, space)),
            _ => Err(malformed(op, Malformed::OperandType, "the address is not a pointer")),
        }
    }

    fn wmma_stride(&self, op: Ir<'_, '_>, index: usize) -> Result<Option<Slot>, Error> {
        if op.operand_count() <= index {
            return Ok(None);
        }
        Ok(Some(self.scalar_operand(op, index)?.0))
    }
}

/// The registers of A, B and C. The sum has as many bits as its elements, and A and B share the
/// rest by the bits of their elements; those of f16 are there twice.
fn shared_out(all: &[Piece], query: MmaQuery, d: &[Piece]) -> Option<[Box<[Piece]>; 3]> {
    let bits = |pieces: &[Piece]| pieces.iter().map(|piece| piece.bits).sum::<u32>();
    let [m, n, k] = query.shape;
    let [of_d, of_a, of_b, of_c] = query.types.map(|element| element.bits());
    let of_sum = bits(d).checked_div(of_d)? * of_c;
    let left = bits(all).checked_sub(of_sum)?;
    let (a, b) = (m * k * of_a, k * n * of_b);
    // Fragments of f16 have 8 registers each, whatever their shape.
    let is_half = of_a == 16 && query.types[1] == cute_arch::Element::F16;
    let of_a = if is_half { left / 2 } else { left * a / (a + b) };
    let (mut next, mut taken) = (0, Vec::new());
    for bits in [of_a, left - of_a, of_sum] {
        let (start, mut found) = (next, 0);
        while found < bits {
            found += all.get(next)?.bits;
            next += 1;
        }
        (found == bits).then_some(())?;
        taken.push(all[start..next].into());
    }
    (next == all.len()).then_some(())?;
    taken.try_into().ok()
}
