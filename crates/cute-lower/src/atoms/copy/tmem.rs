//! `tcgen05.ld` and `tcgen05.st`: between registers of a warp and its lanes of tensor memory.

use cute_algebra::CopySide;
use cute_arch::Target;
use cute_dialect::atom::{CopyFamily, TmemCopy};
use cute_ptx::{Keyword, TensorShape};
use melior::ir::{Attribute, Type, r#type::IntegerType};

use super::{CopyCall, LowersCopy};
use crate::{
    Builder, Built,
    atoms::{
        available::require,
        fragment::Fragment,
        tmem::{lies_as, place},
    },
};

/// Bits of a register, and of a column in a lane.
const WORD: i64 = 32;

impl<'c> LowersCopy<'c> for TmemCopy<'c> {
    /// All registers of a lane in one instruction. A use of the registers needs no wait, and
    /// [`tmem_waits`](crate::atoms::tmem_waits) adds those that other agents need.
    fn copy(&self, b: &Builder<'c>, target: Target, call: &CopyCall<'c>) -> Built<()> {
        let entry = b.ask(self.entry())?;
        require(b, &entry.name, entry.on, target)?;
        if let (Some(why), Some(_)) = (self.unconditional(), call.pred) {
            return b.refuse(why);
        }
        let (registers, tensor) = if self.store { (call.src, call.dst) } else { (call.dst, call.src) };
        let side = if self.store { CopySide::Dst } else { CopySide::Src };
        lies_as(b, entry, side, tensor)?;
        let fragment = Fragment::new(b, registers)?;
        let count = fragment.registers(WORD);
        let word: Type = IntegerType::new(b.context(), 32).into();
        let t = if count == 1 { word } else { Type::vector(&[count as u64], word) };

        let halves = i64::from(self.halves);
        let Some(shape) = TensorShape::of(self.lanes, self.bits) else {
            let (lanes, bits) = (self.lanes, self.bits);
            return b
                .refuse(&format!("tcgen05.ld and tcgen05.st have no shape of {lanes} lanes of {bits} bits"));
        };
        // Lanes 16 to 31 continue after the columns of the others.
        let split = (shape == TensorShape::Lanes16Bits32).then(|| b.constant(64, self.repeats << halves));
        let split = split.transpose()?;
        let mut attributes = vec![("shape", b.attribute(&shape.nvvm_attribute())?)];
        if self.halves {
            attributes.push((if self.store { "unpack" } else { "pack" }, Attribute::unit(b.context())));
        }
        let mut operands = vec![place(b, b.inferred("cute.get_iter", &[tensor], &[])?)?];
        if self.store {
            operands.push(fragment.load(b, 0, t, WORD * count as i64)?);
            operands.extend(split);
            b.effect("nvvm.tcgen05.st", &operands, &attributes)?;
            return Ok(());
        }
        operands.extend(split);
        let loaded = b.typed("nvvm.tcgen05.ld", &operands, t, &attributes)?;
        fragment.store(b, 0, loaded, WORD * count as i64)
    }
}
