//! Rows of copies, and how one row becomes its atoms.

use super::template::{fill, read};
use crate::{
    atoms::model::{CopyAtom, CopyInstruction, Generation},
    feature::Availability,
};

/// Copy atoms that differ in one number `x`, as a row of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CopyFamily {
    pub(crate) name: &'static str,
    /// The instruction of an `x`.
    pub(crate) instruction: fn(u32) -> CopyInstruction,
    pub(crate) x: &'static [u32],
    pub(crate) thr_id: &'static str,
    pub(crate) src: &'static str,
    pub(crate) dst: &'static str,
    /// The side that tilings refer to.
    pub(crate) reference: Side,
    pub(crate) tensor_memory: Option<&'static str>,
    pub(crate) on: Availability,
}

/// Source or destination of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Src,
    Dst,
}

/// A copy of `{x}` bits by one thread.
pub(crate) const THREAD: CopyFamily = CopyFamily {
    name: "",
    instruction: |bits| CopyInstruction::LoadStore { bits },
    x: &[1],
    thr_id: "1:0",
    src: "(1,{x}):(0,1)",
    dst: "(1,{x}):(0,1)",
    reference: Side::Src,
    tensor_memory: None,
    on: Availability::From(0, 0),
};

impl CopyFamily {
    pub(crate) fn atoms(self, generation: Generation) -> impl Iterator<Item = CopyAtom> {
        self.x.iter().map(move |x| {
            let text = |template| fill(template, |hole| (hole == "x").then(|| x.to_string()));
            let layout = |template| read(&text(template));
            CopyAtom {
                name: text(self.name),
                generation,
                instruction: (self.instruction)(*x),
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
