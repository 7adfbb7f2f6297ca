//! Plain loads and stores of one thread.

use cute_arch::Target;
use cute_dialect::{
    atom::{CopyFamily, UniversalCopy, storage},
    types::value_of,
    value::{Space, Value as Cute},
};
use cute_ffi::ir;
use melior::{
    Context,
    ir::{Type, Value, r#type::IntegerType},
};

use super::{CopyCall, LowersCopy};
use crate::{Builder, Built, atoms::address};

impl<'c> LowersCopy<'c> for UniversalCopy<'c> {
    fn copy(&self, b: &Builder<'c>, _: Target, call: &CopyCall<'c>) -> Built<()> {
        // An eviction priority is a hint, for which LLVM has no load or store.
        match call.pred {
            None => load_and_store(b, self, call),
            Some(pred) => load_and_store(&b.conditional(pred)?, self, call),
        }
    }

    /// Prefetches one line of L2.
    fn prefetch(&self, b: &Builder<'c>, _: Target, _: Value<'c, 'c>, src: Value<'c, 'c>) -> Built<()> {
        let (from, _) = address(b, src)?;
        let level = b.attribute("#nvvm<prefetch_cache_level L2>")?;
        b.effect("nvvm.prefetch", &[from], &[("cacheLevel", level)])
    }
}

/// One load and one store.
fn load_and_store<'c>(b: &Builder<'c>, atom: &UniversalCopy<'c>, call: &CopyCall<'c>) -> Built<()> {
    for view in [call.src, call.dst] {
        if let Cute::MemRef(m) = value_of(ir::type_of(view)).into_owned()
            && m.iter.space == Space::Tmem
        {
            return b.refuse("universal_copy does not reach tmem; use a tmem_load or tmem_store atom");
        }
    }
    let t = carrier(b.context(), atom);
    let (from, from_align) = address(b, call.src)?;
    let (to, to_align) = address(b, call.dst)?;
    let loaded = b.typed("llvm.load", &[from], t, &[("alignment", b.attr(from_align))])?;
    b.effect("llvm.store", &[loaded, to], &[("alignment", b.attr(to_align))])?;
    Ok(())
}

/// The type of the values that a call copies. LLVM has no types for small floats and unsigned
/// integers, and its vectors do not pack elements of less than a byte. Those are copied as
/// integers, of whole words if there are several.
fn carrier<'c>(c: &'c Context, atom: &UniversalCopy<'c>) -> Type<'c> {
    let (values, bits) = (u64::try_from(atom.values()).expect("a copy is of some values"), atom.bits());
    let elem = storage(c, atom.elem);
    match bits / atom.values().max(1) {
        1..8 if bits <= 32 => IntegerType::new(c, bits as u32).into(),
        1..8 => Type::vector(&[bits as u64 / 32], IntegerType::new(c, 32).into()),
        _ if values == 1 => elem,
        _ => Type::vector(&[values], elem),
    }
}
