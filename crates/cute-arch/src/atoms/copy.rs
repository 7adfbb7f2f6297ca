//! [`CopyAtom`], and the list of all.

use super::{
    copy_sm50, copy_sm75, copy_sm80, copy_sm90, copy_sm100,
    template::{fill, read},
    tmem, universal,
};
use crate::feature::Availability;
use crate::target::Target;
use cute_algebra::{CopyLayouts, Layout, error::Result};
use std::sync::OnceLock;

/// An instruction that copies. Its layouts map (thread, bit) to one abstract bit index: what source and destination
/// give the same index is copied. A thread of stride 0 has no bits of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct CopyAtom {
    /// CuTe's name: `SM75_U32x4_LDSM_N`.
    pub name: String,
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

/// Copy atoms that differ in one number `x`, as a row of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct CopyFamily {
    pub(super) name: &'static str,
    pub(super) x: &'static [u32],
    pub(super) thr_id: &'static str,
    pub(super) src: &'static str,
    pub(super) dst: &'static str,
    /// What tilings refer to.
    pub(super) reference: Side,
    pub(super) tensor_memory: Option<&'static str>,
    pub(super) on: Availability,
}

/// Source or destination of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Src,
    Dst,
}

/// What one thread copies to itself: `{x}` bits.
pub(super) const THREAD: CopyFamily = CopyFamily {
    name: "",
    x: &[1],
    thr_id: "1:0",
    src: "(1,{x}):(0,1)",
    dst: "(1,{x}):(0,1)",
    reference: Side::Src,
    tensor_memory: None,
    on: Availability::From(0, 0),
};

impl CopyFamily {
    pub(super) fn atoms(&self) -> impl Iterator<Item = CopyAtom> {
        self.x.iter().map(|x| {
            let text = |template| fill(template, |hole| (hole == "x").then(|| x.to_string()));
            let layout = |template| read(&text(template));
            CopyAtom {
                name: text(self.name),
                thr_id: layout(self.thr_id),
                src: layout(self.src),
                dst: layout(self.dst),
                reference: layout(if self.reference == Side::Src { self.src } else { self.dst }),
                tensor_memory: self.tensor_memory.map(layout),
                on: self.on,
            }
        })
    }
}

impl CopyAtom {
    /// The atom of this name.
    ///
    /// ```
    /// use cute_arch::atoms::CopyAtom;
    /// let atom = CopyAtom::by_name("SM75_U32x1_LDSM_N").unwrap();
    /// assert_eq!(atom.src.to_string(), "((8,4),128):((128,0),1)");
    /// ```
    pub fn by_name(name: &str) -> Option<&'static Self> {
        copy_atoms().iter().find(|atom| atom.name == name)
    }

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

    /// The atoms that a target has, oldest architecture first.
    ///
    /// ```
    /// use cute_arch::{Target, atoms::CopyAtom};
    /// let stores = |t| CopyAtom::on(t).filter(|a| a.name.contains("STSM")).count();
    /// assert_eq!((stores(Target::Sm80), stores(Target::Sm90a), stores(Target::Sm100a)), (0, 6, 9));
    /// ```
    pub fn on(target: Target) -> impl Iterator<Item = &'static Self> {
        copy_atoms().iter().filter(move |atom| atom.on.on(target))
    }
}

/// Every atom, oldest architecture first.
pub fn copy_atoms() -> &'static [CopyAtom] {
    static ATOMS: OnceLock<Vec<CopyAtom>> = OnceLock::new();
    ATOMS.get_or_init(|| {
        let families = [
            universal::COPY,
            copy_sm50::COPY,
            copy_sm75::COPY,
            copy_sm80::COPY,
            copy_sm90::COPY,
            copy_sm100::COPY,
        ];
        families.into_iter().flatten().flat_map(CopyFamily::atoms).chain(tmem::atoms()).collect()
    })
}
