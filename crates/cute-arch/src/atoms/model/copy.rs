//! [`CopyAtom`]: what a row of an instruction that copies says. Knows no row.

use super::{CopyInstruction, Generation};
use crate::feature::Availability;
use cute_algebra::{
    CopyLayouts, CopySide, Layout, Tiler, coalesce, composition,
    error::{Error, Result},
    upcast,
};

/// An instruction that copies. Its layouts map (thread, bit) to one abstract bit index: what source and destination
/// give the same index is copied. A thread of stride 0 has no bits of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct CopyAtom {
    /// CuTe's name: `SM75_U32x4_LDSM_N`.
    pub name: String,
    /// The generation of GPUs that brought it, as its name says.
    pub generation: Generation,
    /// The instruction, with all that chooses it; it says the spaces too.
    pub instruction: CopyInstruction,
    /// From the thread within the atom to the lane.
    pub thr_id: Layout<i64>,
    /// What each thread reads, or gives the address of.
    pub src: Layout<i64>,
    /// What each thread writes, or gives the address of.
    pub dst: Layout<i64>,
    /// The one of the two that the atom's tilings refer to.
    pub reference: Layout<i64>,
    /// From abstract bit to bit address in tensor memory, a lane being 2^21 bits, where the atom touches it.
    pub tensor_memory: Option<Layout<i64>>,
    /// Where it exists.
    pub on: Availability,
}

impl CopyAtom {
    /// What tilings of values of `value_bits` need to know of it.
    ///
    /// ```
    /// use cute_arch::atoms::CopyAtom;
    /// let atom = CopyAtom::by_name("SM75_U32x4_LDSM_N").unwrap();
    /// assert_eq!(atom.layouts(16)?.src().to_string(), "(32,8):(8,1)");
    /// assert!(atom.layouts(64).is_err()); // a lane has 32 bits of each matrix
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn layouts(&self, value_bits: i64) -> Result<CopyLayouts> {
        CopyLayouts::of_bits(self.thr_id.clone(), &self.src, &self.dst, &self.reference, value_bits)
    }

    /// Where the values of a call lie in tensor memory, in elements of `value_bits` and in the order of the side that does.
    ///
    /// ```
    /// use cute_algebra::CopySide;
    /// use cute_arch::atoms::CopyAtom;
    /// let load = CopyAtom::by_name("SM100_TMEM_LOAD_16dp256b2x").unwrap();
    /// assert_eq!(load.in_tensor_memory(CopySide::Src, 32)?.to_string(), "(16,16):(1,65536)");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn in_tensor_memory(&self, side: CopySide, value_bits: i64) -> Result<Layout<i64>> {
        let Some(memory) = &self.tensor_memory else {
            let why = format!("{} does not touch it", self.name);
            return Err(Error::Unsupported { what: "place in tensor memory", why });
        };
        let values = if side == CopySide::Src { &self.src } else { &self.dst }.mode(1)?;
        coalesce(&upcast(&coalesce(&composition(memory, &Tiler::Layout(values))?)?, value_bits)?)
    }
}
