//! `ldmatrix` and `stmatrix` as values.

use std::fmt;

use cute_algebra::CopySide;
use cute_arch::atoms::{self, CopyInstruction, Matrices, MatrixElement};
use cute_ffi::types::Kind;
use melior::ir::Type;

use super::copy::{CopyFamily, bits_of_row};

/// Matrices of a warp, between shared memory and registers.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Rows and columns of a matrix.
    pub mode: [i64; 2],
    /// How elements are kept in shared memory.
    pub pattern: Pattern,
    /// Matrices of a call: 1, 2 or 4.
    pub matrices: i64,
    /// Whether each matrix is transposed on its way.
    pub transposed: bool,
    /// Whether it is `stmatrix`.
    pub store: bool,
}

macro_rules! patterns {
    ($($pattern:ident $name:literal,)*) => {
        /// Bits of an element in shared memory and, where they differ, in a register.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Pattern { $($pattern),* }

        impl Pattern {
            /// All patterns.
            pub const ALL: &[Self] = &[$(Self::$pattern),*];

            /// The keyword in a type.
            pub fn name(self) -> &'static str {
                match self { $(Self::$pattern => $name),* }
            }
        }
    };
}

patterns! {
    U16 "u16",
    U8 "u8",
    U4To8 "u4to8",
    S4To8 "s4to8",
    U2To4 "u2to4",
    S2To4 "s2to4",
    U4x16P64To8 "u4x16p64to8",
    U6x16P32To8 "u6x16p32to8",
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl MatrixCopy<'_> {
    /// The instruction, if it is one.
    fn instruction(&self) -> Option<CopyInstruction> {
        let element = match (self.mode, self.pattern, self.store) {
            ([8, 8], Pattern::U16, _) => MatrixElement::B16,
            ([16, 16], Pattern::U8, false) | ([16, 8], Pattern::U8, true) => MatrixElement::B8,
            ([8, 16], Pattern::U4x16P64To8, false) => MatrixElement::B4x16P64,
            ([8, 16], Pattern::U6x16P32To8, false) => MatrixElement::B6x16P32,
            _ => return None,
        };
        let matrices =
            Matrices { element, count: u32::try_from(self.matrices).ok()?, transposed: self.transposed };
        Some(if self.store {
            CopyInstruction::Stmatrix(matrices)
        } else {
            CopyInstruction::Ldmatrix(matrices)
        })
    }

    /// The row of the registry; otherwise what there is.
    pub fn entry(&self) -> Result<&'static atoms::CopyAtom, String> {
        self.instruction().and_then(atoms::CopyAtom::of).ok_or_else(|| {
            let (op, legal) = if self.store {
                ("stmatrix", "(8,8) n or t of u16, (16,8) t of u8; 1, 2 or 4 matrices")
            } else {
                ("ldmatrix", "(8,8) n or t of u16 with 1, 2 or 4 matrices, (16,16) t of u8 with 1 or 2, (8,16) n of u4x16p64to8 or u6x16p32to8 with 1, 2 or 4")
            };
            let Self { mode: [m, n], pattern, matrices, transposed, .. } = self;
            let t = if *transposed { "t" } else { "n" };
            format!("there is no {op} of mode ({m},{n}) {t} of {pattern} with {matrices} matrices; there are {legal}")
        })
    }
}

impl<'c> CopyFamily<'c> for MatrixCopy<'c> {
    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn kind(&self) -> Kind {
        if self.store { Kind::Stsm } else { Kind::Ldsm }
    }

    fn begins_with_element(&self) -> bool {
        self.store
    }

    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, String>> {
        Some(self.entry())
    }

    fn bits(&self) -> i64 {
        bits_of_row(self.entry(), if self.store { CopySide::Src } else { CopySide::Dst })
    }

    fn check(&self) -> Result<(), String> {
        self.entry().map(|_| ())
    }
}
