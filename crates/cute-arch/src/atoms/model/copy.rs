//! [`CopyAtom`]: the fields of a row for an instruction that copies. It contains no rows.

use super::{CopyInstruction, Generation};
use crate::feature::Availability;
use cute_algebra::{
    CopyLayouts, CopySide, Layout, Tiler, coalesce, composition,
    error::{Error, Result},
    upcast,
};

/// An instruction that copies. Its layouts map (thread, bit) to one abstract bit index: source and
/// destination bits with the same index are copied to each other. A thread of stride 0 does not
/// have bits of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct CopyAtom {
    /// CuTe's name: `SM75_U32x4_LDSM_N`.
    pub name: String,
    /// The generation of GPUs that introduced it, as in its name.
    pub generation: Generation,
    /// The instruction, with all fields that choose it, including the spaces.
    pub instruction: CopyInstruction,
    /// Maps the thread within the atom to the lane.
    pub thr_id: Layout<i64>,
    /// The bits that each thread reads, or whose address it provides.
    pub src: Layout<i64>,
    /// The bits that each thread writes, or whose address it provides.
    pub dst: Layout<i64>,
    /// The one of the two that the atom's tilings refer to.
    pub reference: Layout<i64>,
    /// Maps the abstract bit to the bit address in tensor memory, where a lane is 2^21 bits, if the
    /// atom accesses it.
    pub tensor_memory: Option<Layout<i64>>,
    /// The targets that have it.
    pub on: Availability,
}

impl CopyAtom {
    /// The layouts that tilings of values of `value_bits` need.
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

    /// The places of a call's values in tensor memory, in elements of `value_bits` and in the order
    /// of the side in tensor memory.
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
