//! `ldmatrix` and `stmatrix`.

use cute_arch::{Target, atoms::CopyInstruction};
use cute_dialect::atom::{CopyFamily, MatrixCopy, Pattern};
use cute_ffi::ir;
use cute_ptx::{Keyword, Transposition};
use melior::ir::{Type, Value, r#type::IntegerType};

use super::{CopyCall, LowersCopy};
use crate::{
    Builder, Built,
    atoms::{address, fragment::Fragment},
};

/// Bits of a register.
const WORD: i64 = 32;

impl<'c> LowersCopy<'c> for MatrixCopy<'c> {
    /// Every lane provides the address of a row, and holds one word of each matrix.
    fn copy(&self, b: &Builder<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        let entry = b.ask(self.entry())?;
        if !entry.on.on(target) {
            return b.refuse(&format!(
                "{target} has no {}; it needs {}; universal_copy is everywhere",
                entry.name, entry.on
            ));
        }
        if let (Some(why), Some(_)) = (self.unconditional(), call.pred) {
            return b.refuse(why);
        }
        let c = b.context();
        let word: Type = IntegerType::new(c, 32).into();
        let attribute = |text: String| b.attribute(&text);
        let (registers, shared) = if self.store { (call.src, call.dst) } else { (call.dst, call.src) };
        let fragment = Fragment::new(b, registers)?;
        let count = fragment.registers(WORD);
        let (row, _) = address(b, shared)?;

        let [rows, columns] = self.mode;
        let (CopyInstruction::Ldmatrix(matrices) | CopyInstruction::Stmatrix(matrices)) = entry.instruction
        else {
            unreachable!("the row of a matrix copy is one of ldmatrix or stmatrix")
        };
        let order = if self.transposed { Transposition::Transposed } else { Transposition::Straight };
        let mut attributes = vec![
            ("layout", attribute(order.nvvm_attribute())?),
            ("shape", attribute(format!("#nvvm.ld_st_matrix_shape<m = {rows}, n = {columns}>"))?),
            ("eltType", attribute(matrices.element.nvvm_attribute())?),
        ];
        if self.store {
            let mut operands = vec![row];
            for i in 0..count {
                operands.push(fragment.load(b, i, word, WORD)?);
            }
            b.effect("nvvm.stmatrix", &operands, &attributes)?;
            return Ok(());
        }
        attributes.push(("num", b.attr(self.matrices as i32)));
        let several = vec!["i32"; count].join(", ");
        let t = if count == 1 { word } else { b.parse_type(&format!("!llvm.struct<({several})>"))? };
        let loaded = b.typed("nvvm.ldmatrix", &[row], t, &attributes)?;
        if count == 1 {
            return fragment.store(b, 0, loaded, WORD);
        }
        let mut words = (0..count).map(|i| b.part(loaded, &[i], word)).collect::<Built<Vec<_>>>()?;
        if self.pattern == Pattern::U8 {
            exchange(b, &mut words)?;
        }
        words.into_iter().enumerate().try_for_each(|(i, word)| fragment.store(b, i, word, WORD))
    }
}

/// Exchanges the inner half-words of each pair of registers of transposed bytes, from the order in
/// CuTe's layout of the atom to the order that `stmatrix` takes.
fn exchange<'c>(b: &Builder<'c>, words: &mut [Value<'c, 'c>]) -> Built<()> {
    // Bytes 0, 1 of the first and of the second; bytes 2, 3 of both.
    let selectors = [b.i32(0x5410)?, b.i32(0x7632)?];
    for pair in words.chunks_exact_mut(2) {
        let [first, second] = [pair[0], pair[1]];
        for (word, selector) in pair.iter_mut().zip(selectors) {
            *word = b.intrinsic("llvm.nvvm.prmt", &[first, second, selector], ir::type_of(first), &[])?;
        }
    }
    Ok(())
}
