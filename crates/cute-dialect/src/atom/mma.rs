//! MMA atoms as values.

use cute_algebra::{Layout, MmaLayouts, MmaOperand};
use cute_arch::{
    Element,
    atoms::{self, Generation, Instruction, Major, MmaOp, MmaQuery, Space},
};
use cute_ffi::types::{Kind, context_of};
use melior::ir::{Type, r#type::IntegerType};

use super::element;

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
    /// Where A and B are.
    pub frag: Frag,
    /// CTAs that one instruction is of.
    pub num_cta: i64,
    /// C is divided by 2 to this power.
    pub c_scale_exp: i64,
    /// Type of the scales, and elements along K that share one.
    pub scale: Option<(Element, i64)>,
}

/// Where A and B are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frag {
    /// Both in shared memory.
    Ss,
    /// A in registers.
    Rs,
    /// A in tensor memory.
    Ts,
}

impl Frag {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ss, Self::Rs, Self::Ts];

    /// The keyword in a type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ss => "ss",
            Self::Rs => "rs",
            Self::Ts => "ts",
        }
    }

    fn of(a: Space) -> Self {
        match a {
            Space::Register => Self::Rs,
            Space::Shared => Self::Ss,
            Space::Tensor => Self::Ts,
        }
    }
}

/// A field of the body of a type, behind the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// `(f32, f32) -> f32 `
    Function,
    /// `ab_major = (k, k)`
    Majors,
    /// `elem_type = (f16, f16, f32)`
    Elements,
    /// The space that some types print at their end.
    Space,
    /// `frag_kind = ss`
    Frag,
    /// `num_cta = 1`
    NumCta,
    /// `c_scale_exp = 0`
    ScaleExponent,
    /// `sf_type = f8E8M0FNU`
    ScaleType,
    /// `vec_size = 32`
    ScaleVector,
    /// `use_sf_layout_TV = true`
    ScaleLayout,
    /// `md_format = tid`, the order of the metadata of a sparse A; the only one.
    MetadataOrder,
    /// `e_type = i8`, the type of the metadata; the only one.
    MetadataType,
    /// `sparse_metadata_format = tid`: what `md_format` is elsewhere.
    MetadataFormat,
    /// `int_overflow = <satfinite>` or `binary_op = <xor_popc>`; nothing where it multiplies and adds.
    Operation,
}

impl Field {
    /// The keyword before its value; none where the value stands alone.
    pub fn keyword(self) -> Option<&'static str> {
        Some(match self {
            Self::Function | Self::Space | Self::Operation => return None,
            Self::Majors => "ab_major",
            Self::Elements => "elem_type",
            Self::Frag => "frag_kind",
            Self::NumCta => "num_cta",
            Self::ScaleExponent => "c_scale_exp",
            Self::ScaleType => "sf_type",
            Self::ScaleVector => "vec_size",
            Self::ScaleLayout => "use_sf_layout_TV",
            Self::MetadataOrder => "md_format",
            Self::MetadataType => "e_type",
            Self::MetadataFormat => "sparse_metadata_format",
        })
    }
}

impl Default for MmaOptions {
    fn default() -> Self {
        Self {
            majors: (Major::K, Major::K),
            op: MmaOp::MulAdd,
            frag: Frag::Ss,
            num_cta: 1,
            c_scale_exp: 0,
            scale: None,
        }
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
    /// Hopper's wgmma.
    Sm90,
    /// Blackwell's tcgen05.mma.
    Sm100,
    /// The same with scales.
    Sm100Scaled,
    /// `mma.sync` with scales.
    Sm120Scaled,
    /// `mma.sp.sync` of Ampere.
    Sm80Sparse,
    /// tcgen05.mma.sp.
    Sm100Sparse,
    /// The same with scales.
    Sm100SparseScaled,
}

impl MmaKind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::UniversalFma,
        Self::Sm70,
        Self::Sm75,
        Self::Sm80,
        Self::Sm89,
        Self::Sm120,
        Self::Sm90,
        Self::Sm100,
        Self::Sm100Scaled,
        Self::Sm120Scaled,
        Self::Sm80Sparse,
        Self::Sm100Sparse,
        Self::Sm100SparseScaled,
    ];

    /// The kind of type.
    pub fn kind(self) -> Kind {
        match self {
            Self::UniversalFma => Kind::UniversalFma,
            Self::Sm70 => Kind::Sm70Mma,
            Self::Sm75 => Kind::Sm75Mma,
            Self::Sm80 => Kind::Sm80Mma,
            Self::Sm89 => Kind::Sm89Mma,
            Self::Sm120 => Kind::Sm120Mma,
            Self::Sm90 => Kind::Sm90Mma,
            Self::Sm100 => Kind::Sm100Mma,
            Self::Sm100Scaled => Kind::Sm100MmaBs,
            Self::Sm120Scaled => Kind::Sm120MmaBs,
            Self::Sm80Sparse => Kind::Sm80SparseMma,
            Self::Sm100Sparse => Kind::Sm100MmaSp,
            Self::Sm100SparseScaled => Kind::Sm100MmaBsSp,
        }
    }

    /// Generations of its atoms.
    fn generations(self) -> &'static [Generation] {
        match self {
            Self::UniversalFma => &[Generation::Universal],
            Self::Sm70 => &[Generation::Sm70],
            Self::Sm75 => &[Generation::Sm75],
            Self::Sm80 => &[Generation::Sm80, Generation::Sm90],
            Self::Sm89 => &[Generation::Sm89],
            Self::Sm120 | Self::Sm120Scaled => &[Generation::Sm120],
            Self::Sm90 => &[Generation::Sm90],
            Self::Sm100 | Self::Sm100Scaled | Self::Sm100Sparse | Self::Sm100SparseScaled => {
                &[Generation::Sm100]
            }
            Self::Sm80Sparse => &[Generation::Sm80],
        }
    }

    /// The fields of the body, in order.
    pub fn fields(self) -> &'static [Field] {
        use Field::*;
        match self {
            Self::UniversalFma => &[Function],
            Self::Sm70 => &[Majors, Elements, Space, Operation],
            Self::Sm75 | Self::Sm80 | Self::Sm89 | Self::Sm120 => &[Elements, Space, Operation],
            Self::Sm90 => &[Majors, Elements, Frag, Operation],
            Self::Sm100 => &[NumCta, Majors, Elements, Frag, ScaleExponent],
            Self::Sm100Scaled => &[NumCta, Majors, Elements, ScaleType, Frag, ScaleVector],
            Self::Sm120Scaled => &[ScaleVector, Elements, ScaleType, ScaleLayout],
            Self::Sm80Sparse => &[Elements, MetadataOrder, Operation, Space],
            Self::Sm100Sparse => {
                &[NumCta, Majors, Elements, MetadataType, MetadataFormat, Frag, ScaleExponent]
            }
            Self::Sm100SparseScaled => {
                &[NumCta, Majors, Elements, ScaleType, MetadataFormat, Frag, ScaleVector]
            }
        }
    }

    /// The instruction that its atoms are made of.
    fn instruction(self, num_cta: i64) -> Instruction {
        let tcgen05 = if num_cta == 2 { Instruction::TCGEN05.pair() } else { Instruction::TCGEN05 };
        match self {
            Self::UniversalFma => Instruction::FMA,
            Self::Sm70 | Self::Sm75 | Self::Sm80 | Self::Sm89 | Self::Sm120 => Instruction::MMA_SYNC,
            Self::Sm80Sparse => Instruction::MMA_SYNC.sparse(),
            Self::Sm120Scaled => Instruction::MMA_SYNC.scaled(),
            Self::Sm90 => Instruction::WGMMA,
            Self::Sm100 => tcgen05,
            Self::Sm100Scaled => tcgen05.scaled(),
            Self::Sm100Sparse => tcgen05.sparse(),
            Self::Sm100SparseScaled => tcgen05.sparse().scaled(),
        }
    }

    /// Is the atom one of this type, if it is made of its instruction?
    fn has(self, atom: &atoms::MmaAtom) -> bool {
        self.generations().contains(&atom.generation)
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

    /// Whether it stores only some elements of a matrix.
    pub fn is_sparse(&self, which: MmaOperand) -> bool {
        self.operand(which).is_some_and(|operand| operand.per_value > 1)
    }

    /// Where the instruction takes a matrix from.
    pub fn space_of(&self, which: MmaOperand) -> Space {
        self.operand(which).map_or(Space::Register, |operand| operand.from)
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
        ..MmaQuery::new(kind.instruction(options.num_cta), shape, [c, a, b, c])
    };
    let first = query.find().map_err(|e| e.to_string())?;
    let all: Vec<_> = query.all().filter(|atom| kind.has(atom)).collect();
    let fits = |atom: &&atoms::MmaAtom| {
        let scale = atom.scale.as_ref().map(|s| (s.element, i64::from(s.vector)));
        let frag = !kind.fields().contains(&Field::Frag) || Frag::of(atom.a.from) == options.frag;
        frag && scale == options.scale
    };
    match (all.iter().copied().find(fits), all.is_empty()) {
        (Some(atom), _) => Ok(atom),
        (None, true) => {
            let of = |k: &MmaKind| k.has(first) && k.instruction(options.num_cta) == first.instruction;
            let (name, mine) = (&first.name, kind.kind().name());
            Err(match MmaKind::ALL.iter().find(|k| of(k)) {
                Some(other) => format!("{name} is an atom of !{}, not of !{mine}", other.kind().name()),
                None => format!("{name} is no atom of !{mine}; as a type it is not supported"),
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
            let asked = describe(options.frag, kind, options.scale);
            Err(format!("there is no such atom with {asked}; there are {}", legal.join("; ")))
        }
    }
}

/// `frag_kind = ss`, `sf_type = ue8m0, vec_size = 32`, or both.
fn describe(frag: Frag, kind: MmaKind, scale: Option<(Element, i64)>) -> String {
    let frag = kind.fields().contains(&Field::Frag).then(|| format!("frag_kind = {}", frag.name()));
    let scale = scale.map(|(element, vector)| format!("sf_type = {element}, vec_size = {vector}"));
    frag.into_iter().chain(scale).collect::<Vec<_>>().join(", ")
}
