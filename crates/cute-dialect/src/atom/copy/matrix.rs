//! `ldmatrix` and `stmatrix`.

use cute_algebra::{CopySide, Dim, Int, Tuple, parse_shape};
use cute_arch::atoms::{self, CopyInstruction, Matrices, MatrixElement};
use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::Kind,
};
use melior::ir::Type;

use super::{CopyEnd, CopyEnds, CopyFamily, bits_of_row};
use crate::{
    atom::AtomError,
    space::Space,
    syntax::{element_type, named, one_of, put, quoted, tokens},
};

/// Matrices of a warp, between shared memory and registers.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixCopy<'c> {
    /// Element type.
    pub elem: Type<'c>,
    /// Rows and columns of a matrix.
    pub mode: [i64; 2],
    /// The arrangement of elements in shared memory.
    pub pattern: Pattern,
    /// Matrices of a call: 1, 2 or 4.
    pub matrices: i64,
    /// Whether each matrix is transposed by the copy.
    pub transposed: bool,
    /// Whether it is `stmatrix`.
    pub store: bool,
}

named! {
    /// Bits of an element in shared memory and, where they differ, in a register.
    Pattern {
        U16 "u16",
        U8 "u8",
        U4To8 "u4to8",
        S4To8 "s4to8",
        U2To4 "u2to4",
        S2To4 "s2to4",
        U4x16P64To8 "u4x16p64to8",
        U6x16P32To8 "u6x16p32to8",
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

    /// The row of the registry. If there is none, the error lists what exists.
    pub fn entry(&self) -> Result<&'static atoms::CopyAtom, AtomError> {
        self.instruction().and_then(atoms::CopyAtom::of).ok_or_else(|| {
            let (op, legal) = if self.store {
                ("stmatrix", " (8,8) n or t of u16, (16,8) t of u8; 1, 2 or 4 matrices")
            } else {
                ("ldmatrix", " (8,8) n or t of u16 with 1, 2 or 4 matrices, (16,16) t of u8 with 1 or 2, (8,16) n of u4x16p64to8 or u6x16p32to8 with 1, 2 or 4")
            };
            let Self { mode: [m, n], pattern, matrices, transposed, .. } = self;
            let t = if *transposed { "t" } else { "n" };
            let asked = format!("{op} of mode ({m},{n}) {t} of {} with {matrices} matrices", pattern.name());
            AtomError::NoInstruction { asked, legal: legal.to_owned() }
        })
    }
}

impl<'c> CopyFamily<'c> for MatrixCopy<'c> {
    fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        match kind {
            Kind::Ldsm => Some(load(p)),
            Kind::Stsm => Some(store(p)),
            _ => None,
        }
    }

    fn print(&self, out: &mut String) {
        let (Self { elem, matrices, store, .. }, [rows, columns]) = (self, self.mode);
        if !store {
            put(out, format_args!("val_type = {elem}"));
        }
        put(out, format_args!(", mode = <\"({rows},{columns})\">"));
        if !store {
            put(out, format_args!(", sz_pattern = {}", self.pattern.name()));
        }
        let t = if self.transposed { "t" } else { "n" };
        put(out, format_args!(", num_matrices = {matrices}, {t}"));
    }

    fn begins_with_element(&self) -> bool {
        self.store
    }

    fn kind(&self) -> Kind {
        if self.store { Kind::Stsm } else { Kind::Ldsm }
    }

    fn elem(&self) -> Type<'c> {
        self.elem
    }

    fn row(&self) -> Option<Result<&'static atoms::CopyAtom, AtomError>> {
        Some(self.entry())
    }

    fn bits(&self) -> i64 {
        bits_of_row(self.entry(), if self.store { CopySide::Src } else { CopySide::Dst })
    }

    fn rule(&self) -> Result<(), AtomError> {
        self.entry().map(|_| ())
    }

    /// The registers of a matrix are gathered; each row is read or written whole.
    fn ends(&self) -> Result<CopyEnds, AtomError> {
        let (rows, registers) = (CopyEnd::Vector(Some(Space::Smem)), CopyEnd::Scattered(Space::Rmem));
        Ok(match self.store {
            true => CopyEnds::between("stmatrix", registers, rows),
            false => CopyEnds::between("ldmatrix", rows, registers),
        })
    }

    fn unconditional(&self) -> Option<&'static str> {
        Some("a predicate on ldmatrix or stmatrix is not supported, because all lanes of a warp take part")
    }
}

/// `val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n`
fn load<'c>(p: &Parser<'c>) -> ParseResult<MatrixCopy<'c>> {
    tokens(p, &["val_type", "="])?;
    let elem = element_type(p)?;
    let mode = mode(p)?;
    tokens(p, &[",", "sz_pattern", "="])?;
    let pattern = one_of(p, "a pattern of sizes", Pattern::ALL)?;
    let (matrices, transposed) = matrices(p)?;
    Ok(MatrixCopy { elem, mode, pattern, matrices, transposed, store: false })
}

/// `f16, mode = <"(8,8)">, num_matrices = 4, n`
fn store<'c>(p: &Parser<'c>) -> ParseResult<MatrixCopy<'c>> {
    let elem = element_type(p)?;
    let mode = mode(p)?;
    let (matrices, transposed) = matrices(p)?;
    // The rows describe what is stored: 8 columns of 16 bits, or 16 rows of 8 bits.
    let pattern = if mode[0] == 16 { Pattern::U8 } else { Pattern::U16 };
    Ok(MatrixCopy { elem, mode, pattern, matrices, transposed, store: true })
}

/// `, mode = <"(8,8)">`
fn mode(p: &Parser<'_>) -> ParseResult<[i64; 2]> {
    tokens(p, &[",", "mode", "=", "<"])?;
    let at = p.at();
    let shape: Tuple<Dim> = quoted(p, parse_shape)?;
    let leaves: Vec<_> = shape.leaves().iter().filter_map(Int::as_static).collect();
    p.expect(">")?;
    match leaves[..] {
        [rows, columns] if shape.rank() == 2 => Ok([rows, columns]),
        _ => p.error(
            at,
            &format!("expected rows and columns of a matrix, such as \"(8,8)\", found \"{shape}\""),
        ),
    }
}

/// `, num_matrices = 4, n`
fn matrices(p: &Parser<'_>) -> ParseResult<(i64, bool)> {
    tokens(p, &[",", "num_matrices", "="])?;
    let at = p.at();
    let Some(count) = p.integer() else { return p.error(at, "expected a number of matrices: 1, 2 or 4") };
    p.expect(",")?;
    Ok((count, one_of(p, "the order of elements", &[("n", false), ("t", true)])?))
}
