//! A warp that issues an instruction, as the parts that the instruction may touch.

use super::issuer::Issuer;
use super::marks::Marks;
use super::warp::Warp;
use crate::registers::Registers;

/// A warp lends it for the instruction that runs. Where its lanes continue is not part of it.
pub(crate) struct Issuing<'w> {
    pub(crate) registers: &'w mut Registers,
    pub(crate) marks: &'w mut Marks,
    pub(crate) issuer: Issuer,
}

impl Warp {
    /// Lends what an instruction of some lanes may touch.
    #[inline]
    pub(crate) fn issuing(&mut self, lanes: u32) -> Issuing<'_> {
        let issuer = self.issuer(lanes);
        let Warp { registers, marks, .. } = self;
        Issuing { registers, marks, issuer }
    }
}
