//! MMA atoms as values.

use cute_algebra::{Layout, MmaLayouts, MmaOperand};
use cute_arch::{
    Element,
    atoms::{self, Instruction, Major, MmaOp, MmaQuery},
};
use melior::ir::{Type, r#type::IntegerType};

use super::element;
use crate::boundary::types::{Kind, context_of};

/// A matrix instruction `D = A * B + C`.
#[derive(Debug, Clone)]
pub struct MmaAtom<'c> {
    /// Which type of atom.
    pub kind: MmaKind,
    /// M, N and K.
    pub shape: [i64; 3],
    /// Elements of A, B, and of C and D.
    pub elems: [Type<'c>; 3],
    /// What else the type says.
    pub options: MmaOptions,
    /// The row of the registry; none for the fma of one thread, which any arithmetic type has.
    pub entry: Option<&'static atoms::MmaAtom>,
}

/// Fields that only some atoms have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MmaOptions {
    /// Majors of A and B.
    pub majors: (Major, Major),
    /// What is computed.
    pub op: MmaOp,
}

impl Default for MmaOptions {
    fn default() -> Self {
        Self { majors: (Major::K, Major::K), op: MmaOp::MulAdd }
    }
}

/// The types of MMA atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MmaKind {
    /// One multiplication and addition of a thread.
    UniversalFma,
    /// Volta's `mma.sync` of quad pairs.
    Sm70,
    /// Turing's `mma.sync`.
    Sm75,
    /// `mma.sync` of Ampere and the f64 shapes of Hopper.
    Sm80,
    /// `mma.sync` on 8-bit floats.
    Sm89,
    /// `mma.sync` on floats of 8, 6 and 4 bits.
    Sm120,
}

impl MmaKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::UniversalFma, Self::Sm70, Self::Sm75, Self::Sm80, Self::Sm89, Self::Sm120];

    /// The kind of type.
    pub fn kind(self) -> Kind {
        match self {
            Self::UniversalFma => Kind::UniversalFma,
            Self::Sm70 => Kind::Sm70Mma,
            Self::Sm75 => Kind::Sm75Mma,
            Self::Sm80 => Kind::Sm80Mma,
            Self::Sm89 => Kind::Sm89Mma,
            Self::Sm120 => Kind::Sm120Mma,
        }
    }

    /// Beginnings of the names of its atoms.
    fn prefixes(self) -> &'static [&'static str] {
        match self {
            Self::UniversalFma => &["UniversalFMA"],
            Self::Sm70 => &["SM70_"],
            Self::Sm75 => &["SM75_"],
            Self::Sm80 => &["SM80_", "SM90_"],
            Self::Sm89 => &["SM89_"],
            Self::Sm120 => &["SM120_"],
        }
    }

    /// Whether the type says which modes of A and B lie contiguous.
    pub fn has_majors(self) -> bool {
        self == Self::Sm70
    }
}

impl PartialEq for MmaAtom<'_> {
    fn eq(&self, other: &Self) -> bool {
        let facts = |a: &Self| (a.kind, a.shape, a.options);
        facts(self) == facts(other) && self.elems == other.elems
    }
}

impl<'c> MmaAtom<'c> {
    /// The atom, if there is such an instruction; otherwise what there is.
    pub fn new(
        kind: MmaKind,
        shape: [i64; 3],
        elems: [Type<'c>; 3],
        options: MmaOptions,
    ) -> Result<Self, String> {
        let entry = if kind == MmaKind::UniversalFma {
            fma(shape, elems)?;
            None
        } else {
            Some(entry(kind, shape, elems, options)?)
        };
        Ok(Self { kind, shape, elems, options, entry })
    }

    /// Its extents, threads and (thread, value) layouts.
    pub fn layouts(&self) -> Result<MmaLayouts, cute_algebra::Error> {
        if let Some(entry) = self.entry {
            return Ok(entry.layouts());
        }
        let one = || Layout::from_modes([Layout::unit(), Layout::unit()]);
        Ok(MmaLayouts { shape: self.shape, thr_id: Layout::unit(), a: one(), b: one(), c: one() })
    }

    /// A matrix of the registry's row.
    fn operand(&self, which: MmaOperand) -> Option<&'static atoms::Operand> {
        self.entry.map(|entry| match which {
            MmaOperand::A => &entry.a,
            MmaOperand::B => &entry.b,
            MmaOperand::C => &entry.c,
        })
    }

    /// Elements that a thread has of a matrix.
    pub fn values_of(&self, which: MmaOperand) -> i64 {
        self.operand(which).map_or(1, |operand| operand.values() as i64)
    }

    /// The elements of a fragment: those of the matrix, or bytes where the instruction wants each element of 4 or 6 bits in
    /// a byte of its own, as ldmatrix leaves it there.
    pub fn fragment_elem(&self, which: MmaOperand) -> Type<'c> {
        let elem = self.elems[which as usize];
        match self.operand(which) {
            Some(operand) if operand.bits > operand.element.bits() => {
                IntegerType::new(context_of(elem), operand.bits).into()
            }
            _ => elem,
        }
    }
}

/// The fma of one thread.
fn fma(shape: [i64; 3], elems: [Type<'_>; 3]) -> Result<(), String> {
    if shape != [1, 1, 1] {
        let [m, n, k] = shape;
        return Err(format!("an fma of one thread has shape 1x1x1, not {m}x{n}x{k}"));
    }
    let [a, b, c] = elems;
    if a != b || a != c {
        return Err(format!("an fma of one thread has one type of numbers, not ({a}, {b}) -> {c}"));
    }
    match element(a) {
        Some(Element::F64 | Element::F32 | Element::F16 | Element::Bf16 | Element::S32) => Ok(()),
        _ => Err(format!("an fma of one thread computes with f64, f32, f16, bf16 or i32, not {a}")),
    }
}

fn entry(
    kind: MmaKind,
    shape: [i64; 3],
    elems: [Type<'_>; 3],
    options: MmaOptions,
) -> Result<&'static atoms::MmaAtom, String> {
    let known = elems.map(|t| element(t).ok_or_else(|| format!("{t} is no type of matrix elements")));
    let [a, b, c] = known;
    let (a, b, c) = (a?, b?, c?);
    let [m, n, k] = shape;
    let (Ok(m_), Ok(n_), Ok(k_)) = (u32::try_from(m), u32::try_from(n), u32::try_from(k)) else {
        return Err(format!("no MMA has shape {m}x{n}x{k}"));
    };
    let shape = [m_, n_, k_];
    let query = MmaQuery {
        majors: options.majors,
        op: options.op,
        ..MmaQuery::new(Instruction::MmaSync, shape, [c, a, b, c])
    };
    let first = query.find().map_err(|e| e.to_string())?;
    let mine = |atom: &atoms::MmaAtom| kind.prefixes().iter().any(|p| atom.name.starts_with(p));
    query.all().find(|atom| mine(atom)).ok_or_else(|| {
        let other = MmaKind::ALL.into_iter().find(|k| k.prefixes().iter().any(|p| first.name.starts_with(p)));
        let other = other.map_or("another", |k| k.kind().name());
        format!("{} is an atom of !{other}, not of !{}", first.name, kind.kind().name())
    })
}
