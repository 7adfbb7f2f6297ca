//! Rows: an instruction in all its spellings.

use crate::keyword::Spelling;
use crate::operation::Operation;

/// An instruction in all its spellings. A spelling without a form does not exist.
#[derive(Debug)]
pub struct Row {
    /// The meaning.
    pub operation: Operation,
    /// Its text in PTX.
    pub ptx: &'static [&'static str],
    /// Its ops in the NVVM dialect.
    pub nvvm: &'static [&'static str],
    /// The names of its intrinsics, after `llvm.nvvm.`.
    pub intrinsic: &'static [&'static str],
}

/// In a row: nothing spells the instruction this way.
pub(crate) const NONE: &[&str] = &[];

impl Row {
    /// The first word in PTX: `redux`.
    pub fn mnemonic(&self) -> &'static str {
        self.ptx.first().and_then(|form| form.split(['.', ' ']).next()).unwrap_or_default()
    }

    /// The forms in a spelling.
    pub fn forms(&self, spelling: Spelling) -> &'static [&'static str] {
        match spelling {
            Spelling::Nvvm => self.nvvm,
            Spelling::Intrinsic => self.intrinsic,
            Spelling::Ptx => self.ptx,
        }
    }
}
