//! `ldmatrix` and `stmatrix`.

use cute_dialect::atom::{MatrixCopy, Pattern};
use melior::ir::{Attribute, Type, Value, r#type::IntegerType};

use super::{address, fragment::Fragment};
use crate::build::{Build, Built, Failed};

/// Bits of a register.
const WORD: i64 = 32;

/// One call: every lane gives the address of a row, and has a word of each matrix.
pub(super) fn lower<'c>(
    b: &Build<'c>,
    atom: &MatrixCopy<'c>,
    src: Value<'c, 'c>,
    dst: Value<'c, 'c>,
) -> Built<()> {
    let c = b.context();
    let word: Type = IntegerType::new(c, 32).into();
    let attribute = |text: String| Attribute::parse(c, &text).ok_or(Failed);
    let (registers, shared) = if atom.store { (src, dst) } else { (dst, src) };
    let fragment = Fragment::new(b, registers)?;
    let count = fragment.registers(WORD);
    let (row, _) = address(b, shared)?;

    let [rows, columns] = atom.mode;
    let order = if atom.transposed { "col" } else { "row" };
    let elements = match atom.pattern {
        Pattern::U8 => "b8",
        Pattern::U4x16P64To8 => "b8x16.b4x16_p64",
        Pattern::U6x16P32To8 => "b8x16.b6x16_p32",
        _ => "b16",
    };
    let mut attributes = vec![
        ("layout", attribute(format!("#nvvm.mma_layout<{order}>"))?),
        ("shape", attribute(format!("#nvvm.ld_st_matrix_shape<m = {rows}, n = {columns}>"))?),
        ("eltType", attribute(format!("#nvvm.ld_st_matrix_elt_type<{elements}>"))?),
    ];
    if atom.store {
        let mut operands = vec![row];
        for i in 0..count {
            operands.push(fragment.load(b, i, word, WORD)?);
        }
        b.effect("nvvm.stmatrix", &operands, &attributes, vec![])?;
        return Ok(());
    }
    attributes.push(("num", b.i32_attribute(atom.matrices)));
    let several = vec!["i32"; count].join(", ");
    let t = if count == 1 {
        word
    } else {
        Type::parse(c, &format!("!llvm.struct<({several})>")).ok_or(Failed)?
    };
    let loaded = b.typed("nvvm.ldmatrix", &[row], t, &attributes)?;
    if count == 1 {
        return fragment.store(b, 0, loaded, WORD);
    }
    (0..count).try_for_each(|i| fragment.store(b, i, b.part(loaded, i, word)?, WORD))
}
