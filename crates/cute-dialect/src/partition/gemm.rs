//! The three phases of `gemm`: the ranks of A and B against those of C and D, no predicate, and
//! modes 0 that match one atom.
//!
//! | A, B | C, D | |
//! |---|---|---|
//! | (V), (V) | (V) | one call |
//! | (M), (N) | (M,N) | an outer product of single elements |
//! | (V,M), (V,N) | (V,M,N) | |
//! | (M,K), (N,K) | (M,N) | single elements |
//! | (V,M,K), (V,N,K) | (V,M,N) | |

use cute_algebra::{MmaOperand, Tuple};
use cute_arch::atoms;
use cute_ffi::ops::OpKind;

use super::{modes, scales};
use crate::{
    atom::{MmaAtom, OperandHome},
    call::Call,
    error::{Error, Result},
    types::bit_width,
    value::{Machine, Space, Value},
};

/// The modes of a `gemm`'s operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GemmForm {
    /// Whether mode 0 holds the values of an atom.
    pub values: bool,
    /// Whether there are modes M and N.
    pub mn: bool,
    /// Whether A and B have a mode K.
    pub k: bool,
}

impl GemmForm {
    /// The form for operands with these ranks: of A and B, and of C and D.
    pub fn of(operands: usize, accumulators: usize) -> Option<Self> {
        let (values, mn, k) = match (operands, accumulators) {
            (1, 1) => (true, false, false),
            (1, 2) => (false, true, false),
            (2, 3) => (true, true, false),
            (2, 2) => (false, true, true),
            (3, 3) => (true, true, true),
            _ => return None,
        };
        Some(Self { values, mn, k })
    }
}

/// A mode of a `gemm`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GemmMode {
    /// Rows of D.
    M,
    /// Columns of D.
    N,
    /// The mode of A and B over which products are summed.
    K,
}

impl GemmForm {
    /// The position of a mode in an operand; `None` if the operand has no such mode in this form.
    pub fn position(self, operand: GemmOperand, mode: GemmMode) -> Option<usize> {
        let has = |mode: &GemmMode| if *mode == GemmMode::K { self.k } else { self.mn };
        let at = operand.modes().into_iter().filter(has).position(|own| own == mode)?;
        Some(at + usize::from(self.values))
    }
}

/// An operand of `gemm` and `mma_atom_call`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GemmOperand {
    /// The accumulators that are written.
    D,
    /// The left matrix, with the modes (M,K).
    A,
    /// The scale factors of A.
    Sfa,
    /// The right matrix, with the modes (N,K).
    B,
    /// The scale factors of B.
    Sfb,
    /// The accumulators that are added.
    C,
}

impl GemmOperand {
    /// The operands after the atom, in the order of the op, if no scale factors are among them.
    pub const PLAIN: [Self; 4] = [Self::D, Self::A, Self::B, Self::C];

    /// The same with scale factors.
    pub const SCALED: [Self; 6] = [Self::D, Self::A, Self::Sfa, Self::B, Self::Sfb, Self::C];

    /// The matrices that ops name, in the order of their numbers.
    pub const NAMED: [Self; 5] = [Self::A, Self::B, Self::C, Self::Sfa, Self::Sfb];

    /// Operands that have modes in common, which must have the same extents.
    const AGREE: [[Self; 2]; 6] = [
        [Self::C, Self::D],
        [Self::A, Self::C],
        [Self::B, Self::C],
        [Self::A, Self::B],
        [Self::Sfa, Self::A],
        [Self::Sfb, Self::B],
    ];

    /// The operands of an op that has this many after the atom.
    pub fn of_op(count: usize) -> Option<&'static [Self]> {
        let all: [&[Self]; 2] = [&Self::PLAIN, &Self::SCALED];
        all.into_iter().find(|operands| operands.len() == count)
    }

    /// Its name, the matrix of the atom that it is, or whose factors, and its modes after the
    /// values of a call.
    const fn row(self) -> (&'static str, MmaOperand, [GemmMode; 2]) {
        use GemmMode::{K, M, N};
        match self {
            Self::D => ("D", MmaOperand::C, [M, N]),
            Self::A => ("A", MmaOperand::A, [M, K]),
            Self::Sfa => ("SFA", MmaOperand::A, [M, K]),
            Self::B => ("B", MmaOperand::B, [N, K]),
            Self::Sfb => ("SFB", MmaOperand::B, [N, K]),
            Self::C => ("C", MmaOperand::C, [M, N]),
        }
    }

    /// As messages call it.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The matrix of the atom that it is, or whose factors.
    pub const fn matrix(self) -> MmaOperand {
        self.row().1
    }

    /// Whether it is the scale factors of a matrix.
    pub const fn is_scales(self) -> bool {
        matches!(self, Self::Sfa | Self::Sfb)
    }

    /// Its number as the matrix that an op names. D is partitioned as C.
    pub fn number(self) -> i32 {
        let named = Self::NAMED.iter().zip(0..).find(|(one, _)| **one == self);
        named.map_or(MmaOperand::C as i32, |(_, number)| number)
    }

    /// Its modes after the values of a call.
    pub const fn modes(self) -> [GemmMode; 2] {
        self.row().2
    }

    /// Its position among the `count` operands after the atom; `None` if it is not among them.
    pub fn position(self, count: usize) -> Option<usize> {
        Self::of_op(count)?.iter().position(|own| *own == self)
    }
}

impl From<MmaOperand> for GemmOperand {
    fn from(which: MmaOperand) -> Self {
        match which {
            MmaOperand::A => Self::A,
            MmaOperand::B => Self::B,
            MmaOperand::C => Self::C,
        }
    }
}

/// The shape of each operand.
pub(super) struct Shapes<I>(Vec<(GemmOperand, Tuple<I>)>);

impl<I: Machine> Shapes<I> {
    fn get(&self, operand: GemmOperand) -> Option<&Tuple<I>> {
        self.0.iter().find(|(own, _)| *own == operand).map(|(_, shape)| shape)
    }

    pub(super) fn of(&self, operand: GemmOperand) -> &Tuple<I> {
        self.get(operand).expect("an op has the matrices of its atom")
    }

    fn rank(&self, operand: GemmOperand) -> usize {
        modes(self.of(operand)).len()
    }
}

/// All phases of `gemm` and `mma_atom_call`, then the atom's requirements on registers.
pub fn check_gemm<I: Machine>(call: &Call<'_, '_, I>) -> Result<()> {
    let atom = call.mma_atom()?;
    let found = call.operands.len();
    let Some(operands) = found.checked_sub(1).and_then(GemmOperand::of_op) else {
        let expected = "the atom, D, A, B and C, or the atom, D, A, SFA, B, SFB and C".to_owned();
        return Err(Error::OperandCount { expected, found });
    };
    let shape = |(i, operand): (usize, &GemmOperand)| Ok((*operand, call.shape_of(1 + i)?));
    let shapes = Shapes(operands.iter().enumerate().map(shape).collect::<Result<_>>()?);
    if call.kind == OpKind::MmaAtomCall
        && let Some((operand, shape)) = shapes.0.iter().find(|(_, shape)| shape.rank() != 1)
    {
        let (rank, shape, name) = (shape.rank(), shape.map(|i| i.dim()), operand.name());
        return Err(Error::Rule(format!(
            "one call of the atom takes fragments (V) of rank 1, found rank {rank}; {name} has the shape {shape}: write ({shape}) if these are the values of one call, else use cute.gemm"
        )));
    }
    let form = ranks(&shapes)?;
    if form.values {
        residual(&shapes, atom)?;
    } else if atom.layouts()?.shape != [1; 3] {
        let [m, n, k] = atom.shape;
        return Err(Error::Rule(format!(
            "operands without a mode of values are for an atom of 1x1x1, not {m}x{n}x{k}: partition them by the tiled_mma"
        )));
    }
    let place = |(i, operand): (usize, &GemmOperand)| {
        let value = call.operand(1 + i)?;
        match operand.is_scales() {
            true => scales::check(value, *operand, atom),
            false => place(value, operand.name(), atom, operand.matrix()),
        }
    };
    operands.iter().enumerate().try_for_each(place)?;
    match (operands.len() == GemmOperand::PLAIN.len(), atom.entry) {
        (true, Some(entry)) if entry.scale.is_some() => scales::check_state(&shapes, form, &entry.name),
        _ => Ok(()),
    }
}

/// Phase 1: the table above, and equal sizes of the modes that operands share.
fn ranks<I: Machine>(shapes: &Shapes<I>) -> Result<GemmForm> {
    use GemmOperand::{A, B, C, D, Sfa, Sfb};
    let phrase = |rank: usize, detail: String| {
        let named = [A, B, C, D].map(|one| format!("{}: {}", one.name(), shapes.of(one).map(|i| i.dim())));
        Err(Error::Rule(format!("expects same size in rank {rank} but got {}: {detail}", named.join(", "))))
    };
    let has = |[one, _]: &[GemmOperand; 2]| shapes.get(*one).is_some();
    for [one, other] in [[A, B], [C, D], [Sfa, A], [Sfb, B]].into_iter().filter(has) {
        let (rank, of_other) = (shapes.rank(one), shapes.rank(other));
        if rank != of_other {
            let (one, other) = (one.name(), other.name());
            let detail = format!("{one} has rank {rank}, but {other} has rank {of_other}");
            return phrase(rank.min(of_other), detail);
        }
    }
    let (of_a, of_c) = (shapes.rank(A), shapes.rank(C));
    let Some(form) = GemmForm::of(of_a, of_c) else {
        return phrase(
            of_a.min(of_c),
            format!(
                "A and B of rank {of_a} do not fit C of rank {of_c}; the forms are (V) (V) -> (V), (M) (N) -> (M,N), (V,M) (V,N) -> (V,M,N), (M,K) (N,K) -> (M,N), (V,M,K) (V,N,K) -> (V,M,N)",
            ),
        );
    };
    for [one, other] in GemmOperand::AGREE.into_iter().filter(has) {
        for mode in one.modes() {
            let (Some(i), Some(j)) = (form.position(one, mode), form.position(other, mode)) else { continue };
            let (mine, others) = (modes(shapes.of(one)), modes(shapes.of(other)));
            let (Some(m), Some(n)) = (mine.get(i), others.get(j)) else { continue };
            if m.eq(n) == Some(false) {
                let (one, other) = (one.name(), other.name());
                return phrase(
                    j,
                    format!(
                        "mode {i} of {one} has {} elements, but mode {j} of {other} has {}",
                        m.dim(),
                        n.dim()
                    ),
                );
            }
        }
    }
    Ok(form)
}

/// Phase 3: mode 0 matches a thread's values of one atom.
fn residual<I: Machine>(shapes: &Shapes<I>, atom: &MmaAtom<'_>) -> Result<()> {
    for (operand, shape) in shapes.0.iter().filter(|(operand, _)| !operand.is_scales()) {
        let (name, which) = (operand.name(), operand.matrix());
        // A descriptor stands for its whole matrix.
        let shared = atom.space_of(which) == atoms::Space::Shared;
        let own = if shared { 1 } else { atom.values_of(which) };
        let Some(found) = modes(shape).into_iter().next() else { continue };
        if shared && !found.is(1) {
            return Err(Error::Rule(format!(
                "mode 0 of {name} has {} elements, but a descriptor of {which} is one element: make \
                 descriptors with mma.make_fragment",
                found.dim()
            )));
        }
        if !found.is(own) {
            return Err(Error::Rule(format!(
                "mode 0 of {name} has {} elements, but one call of the atom uses {own} elements of {which} per thread",
                found.dim()
            )));
        }
    }
    Ok(())
}

/// Element type and place of an operand.
fn place<'c, I: Machine>(
    value: &Value<'c, I>,
    name: &str,
    atom: &MmaAtom<'c>,
    which: MmaOperand,
) -> Result<()> {
    let from = atom.space_of(which);
    let view = match (value, from) {
        (Value::SmemDescView(view), atoms::Space::Shared) => {
            return view.iter.of.map_or(Ok(()), |factor| factor.check(atom, which));
        }
        (Value::MemRef(view), atoms::Space::Register | atoms::Space::Tensor) => view,
        (other, from) => {
            let from = match from {
                atoms::Space::Register => "registers",
                atoms::Space::Shared => "shared memory by descriptors",
                atoms::Space::Tensor => "tensor memory",
            };
            return Err(Error::Rule(format!(
                "{name} is a {}, but the atom takes it from {from}: use the result of mma.make_fragment",
                other.what()
            )));
        }
    };
    let wanted = atom.fragment_elem(which);
    if view.iter.elem.and_then(bit_width) != bit_width(wanted) {
        let found = view.iter.elem.map_or("none".to_string(), |t| t.to_string());
        return Err(Error::Rule(format!(
            "{name} has elements of {found}, but the atom takes {which} of {wanted}"
        )));
    }
    view.iter.elem.map_or(Ok(()), |elem| OperandHome::Fragment.check(name, atom, which, elem))?;
    let found = view.iter.space.name();
    if from == atoms::Space::Tensor {
        return match view.iter.space {
            Space::Tmem => Ok(()),
            _ => {
                Err(Error::Rule(format!("{name} lies in {found}, but the atom takes it from tensor memory")))
            }
        };
    }
    // The fma of a single thread loads its operands.
    if view.iter.space == Space::Rmem || (atom.entry.is_none() && view.iter.space != Space::Tmem) {
        return Ok(());
    }
    Err(Error::Rule(format!(
        "{name} lies in {found}, but the atom takes it from registers: copy it to a fragment of mma.make_fragment"
    )))
}
