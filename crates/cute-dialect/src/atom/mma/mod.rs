//! MMA atoms as values. A kind of atom is a row of `kind`, whose fields `syntax` reads and prints.

mod field;
mod kind;
mod syntax;

pub use field::{DISABLED_LANES, Frag, MmaOptions, TypeField};
pub use kind::MmaKind;
pub(crate) use syntax::major;

use cute_algebra::{Layout, MmaLayouts, MmaOperand};
use cute_arch::{
    Element,
    atoms::{self, Generation, MmaQuery, MmaUnit, Space},
};
use cute_ffi::{
    syntax::{ParseResult, Parser},
    types::{Kind, context_of},
};
use melior::ir::{Type, r#type::IntegerType};

use super::{
    AtomError, element,
    element::type_of_element,
    state::{AtomState, StateFieldType},
};

/// A matrix instruction `D = A * B + C`.
#[derive(Debug, Clone)]
pub struct MmaAtom<'c> {
    /// The type of atom.
    pub kind: MmaKind,
    /// M, N and K.
    pub shape: [i64; 3],
    /// Elements of A, B, and of C and D.
    pub elems: [Type<'c>; 3],
    /// The other options in the type.
    pub options: MmaOptions,
    /// The row of the registry; `None` for the fma of one thread, which supports any arithmetic
    /// type.
    pub entry: Option<&'static atoms::MmaAtom>,
}

impl PartialEq for MmaAtom<'_> {
    fn eq(&self, other: &Self) -> bool {
        let facts = |a: &Self| (a.kind, a.shape, a.options);
        facts(self) == facts(other) && self.elems == other.elems
    }
}

impl<'c> MmaAtom<'c> {
    /// The atom, if the instruction exists. Otherwise the error lists what exists.
    pub fn new(
        kind: MmaKind,
        shape: [i64; 3],
        elems: [Type<'c>; 3],
        options: MmaOptions,
    ) -> Result<Self, AtomError> {
        let entry = if kind == MmaKind::UniversalFma {
            fma(shape, elems)?;
            None
        } else {
            Some(entry(kind, shape, elems, options)?)
        };
        Ok(Self { kind, shape, elems, options, entry })
    }

    /// Parses the body of a type, without its brackets; `None` if the kind is not an MMA atom.
    pub fn parse(p: &Parser<'c>, kind: Kind) -> Option<ParseResult<Self>> {
        let kind = MmaKind::ALL.into_iter().find(|k| k.kind() == kind)?;
        Some(syntax::parse(p, kind))
    }

    /// Writes the body of its type.
    pub fn print(&self, out: &mut String) {
        syntax::print(out, self);
    }

    /// Its run-time state: flags, and the places of scales and metadata.
    pub fn state(&self) -> Option<AtomState<'c>> {
        let (attribute, flags, space) = self.kind.state()?;
        let c = context_of(self.elems[0]);
        let mut fields: Vec<_> = flags.iter().map(|name| (*name, StateFieldType::Integer(1))).collect();
        if let Some((scale, _)) = self.options.scale {
            let scale = type_of_element(c, scale).expect("MLIR has the types of scales");
            fields.extend(["sf_a", "sf_b"].map(|name| (name, StateFieldType::Pointer(scale, space))));
        }
        if self.options.lane_mask {
            let words = 4 * u32::try_from(self.options.num_cta).expect("an instruction is of 1 or 2 CTAs");
            fields.push((DISABLED_LANES, StateFieldType::Words(words)));
        }
        if self.is_sparse(MmaOperand::A) {
            fields.push(("e", StateFieldType::Pointer(IntegerType::new(c, 8).into(), space)));
        }
        Some(AtomState { attribute, fields, is_made_unset: false })
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

    /// Whether a warp calls it and one of its lanes issues it.
    pub fn is_elected(&self) -> bool {
        self.entry.is_some_and(|entry| entry.instruction.unit == MmaUnit::Tcgen05)
    }

    /// Elements of a matrix per thread.
    pub fn values_of(&self, which: MmaOperand) -> i64 {
        self.operand(which).map_or(1, |operand| operand.values() as i64)
    }

    /// Whether it is a `tcgen05.mma` with K = 96, which reads 48 bytes of rows of 128.
    pub fn is_wide(&self) -> bool {
        self.entry.is_some_and(|entry| entry.generation == Generation::Sm103)
    }

    /// Whether it stores only some elements of a matrix.
    pub fn is_sparse(&self, which: MmaOperand) -> bool {
        self.operand(which).is_some_and(|operand| operand.per_value > 1)
    }

    /// The space from which the instruction reads a matrix.
    pub fn space_of(&self, which: MmaOperand) -> Space {
        self.operand(which).map_or(Space::Register, |operand| operand.from)
    }

    /// The elements of a fragment: those of the matrix, or bytes if the instruction takes each
    /// element of 4 or 6 bits in a separate byte, as ldmatrix and the TMA deliver it.
    pub fn fragment_elem(&self, which: MmaOperand) -> Type<'c> {
        let elem = self.elems[which as usize];
        let kind = self.entry.and_then(atoms::MmaAtom::tcgen05_kind).filter(|_| which != MmaOperand::C);
        let bits = |operand: &atoms::Operand| kind.map_or(operand.bits, |kind| kind.row().bits);
        match self.operand(which) {
            Some(operand) if bits(operand) > operand.element.bits() => {
                IntegerType::new(context_of(elem), bits(operand)).into()
            }
            _ => elem,
        }
    }
}

/// The fma of one thread.
fn fma(shape: [i64; 3], elems: [Type<'_>; 3]) -> Result<(), AtomError> {
    if shape != [1, 1, 1] {
        return Err(AtomError::FmaShape { shape });
    }
    let [a, b, c] = elems;
    if a != b || a != c {
        let [a, b, c] = [a, b, c].map(|t| t.to_string());
        return Err(AtomError::FmaTypes { a, b, c });
    }
    match element(a) {
        Some(Element::F64 | Element::F32 | Element::F16 | Element::Bf16 | Element::S32) => Ok(()),
        _ => Err(AtomError::FmaElement { elem: a.to_string() }),
    }
}

fn entry(
    kind: MmaKind,
    shape: [i64; 3],
    elems: [Type<'_>; 3],
    options: MmaOptions,
) -> Result<&'static atoms::MmaAtom, AtomError> {
    let known = elems.map(|t| element(t).ok_or_else(|| AtomError::MatrixElement { elem: t.to_string() }));
    let [a, b, c] = known;
    let (a, b, c) = (a?, b?, c?);
    if options.negated != (false, false) && a.integer().is_some() {
        return Err(AtomError::Negated { elem: a });
    }
    let [m, n, k] = shape;
    let (Ok(m), Ok(n), Ok(k)) = (u32::try_from(m), u32::try_from(n), u32::try_from(k)) else {
        return Err(AtomError::MmaShape { shape });
    };
    let shape = [m, n, k];
    let query = MmaQuery {
        majors: options.majors,
        op: options.op,
        ..MmaQuery::new(kind.instruction(options.num_cta), shape, [c, a, b, c])
    };
    let first = query.find()?;
    let all: Vec<_> = query.all().filter(|atom| kind.has(atom)).collect();
    let fits = |atom: &&atoms::MmaAtom| {
        let scale = atom.scale.as_ref().map(|s| (s.element, i64::from(s.vector)));
        let frag = !kind.fields().contains(&TypeField::Frag) || Frag::of(atom.a.from) == options.frag;
        frag && scale == options.scale
    };
    match (all.iter().copied().find(fits), all.is_empty()) {
        (Some(atom), _) => Ok(atom),
        (None, true) => {
            let of = |k: &MmaKind| k.has(first) && k.instruction(options.num_cta) == first.instruction;
            let (atom, own) = (first.name.clone(), kind.kind().name());
            Err(match MmaKind::ALL.iter().find(|k| of(k)) {
                Some(other) => AtomError::OtherType { atom, other: other.kind().name(), own },
                None => AtomError::NoType { atom, own },
            })
        }
        (None, false) => {
            let mut legal: Vec<String> = Vec::new();
            for atom in all {
                let what = describe(
                    Frag::of(atom.a.from),
                    kind,
                    atom.scale.as_ref().map(|s| (s.element, i64::from(s.vector))),
                );
                if !legal.contains(&what) {
                    legal.push(what);
                }
            }
            let asked = format!("such atom with {}", describe(options.frag, kind, options.scale));
            Err(AtomError::NoInstruction { asked, legal: format!(" {}", legal.join("; ")) })
        }
    }
}

/// `frag_kind = ss`, `sf_type = ue8m0, vec_size = 32`, or both.
fn describe(frag: Frag, kind: MmaKind, scale: Option<(Element, i64)>) -> String {
    let frag = kind.fields().contains(&TypeField::Frag).then(|| format!("frag_kind = {}", frag.name()));
    let scale = scale.map(|(element, vector)| format!("sf_type = {element}, vec_size = {vector}"));
    frag.into_iter().chain(scale).collect::<Vec<_>>().join(", ")
}
