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

use super::modes;
use crate::{
    atom::{Held, MmaAtom},
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
    pub fn of(factors: usize, sums: usize) -> Option<Self> {
        let (values, mn, k) = match (factors, sums) {
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

/// The operands in the order of the op.
const OPERANDS: [(usize, &str, MmaOperand); 4] =
    [(1, "D", MmaOperand::C), (2, "A", MmaOperand::A), (3, "B", MmaOperand::B), (4, "C", MmaOperand::C)];

/// All phases of `gemm` and `mma_atom_call`, then the atom's requirements on registers.
pub fn check_gemm<I: Machine>(call: &Call<'_, '_, I>) -> Result<()> {
    let atom = call.mma_atom()?;
    let [d, a, b, c] = [1, 2, 3, 4].map(|i| call.shape_of(i));
    let shapes = [d?, a?, b?, c?];
    if call.kind == OpKind::MmaAtomCall
        && let Some(((_, name, _), shape)) = OPERANDS.iter().zip(&shapes).find(|(_, shape)| shape.rank() != 1)
    {
        let (rank, shape) = (shape.rank(), shape.map(|i| i.dim()));
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
    OPERANDS.iter().try_for_each(|(i, name, which)| place(call.operand(*i)?, name, atom, *which))
}

/// Phase 1: the table above, and equal sizes of the modes that operands share.
fn ranks<I: Machine>(shapes: &[Tuple<I>; 4]) -> Result<GemmForm> {
    let sizes = shapes.each_ref().map(modes);
    let [d, a, b, c] = &sizes;
    let phrase = |rank: usize, detail: String| {
        let [d, a, b, c] = shapes.each_ref().map(|s| s.map(|i| i.dim()));
        Err(Error::Rule(format!(
            "expects same size in rank {rank} but got A: {a}, B: {b}, C: {c}, D: {d}: {detail}"
        )))
    };
    if a.len() != b.len() {
        return phrase(a.len().min(b.len()), format!("A has rank {}, but B has rank {}", a.len(), b.len()));
    }
    if c.len() != d.len() {
        return phrase(c.len().min(d.len()), format!("C has rank {}, but D has rank {}", c.len(), d.len()));
    }
    let Some(form) = GemmForm::of(a.len(), c.len()) else {
        return phrase(
            a.len().min(c.len()),
            format!(
                "A and B of rank {} do not fit C of rank {}; the forms are (V) (V) -> (V), (M) (N) -> (M,N), (V,M) (V,N) -> (V,M,N), (M,K) (N,K) -> (M,N), (V,M,K) (V,N,K) -> (V,M,N)",
                a.len(),
                c.len()
            ),
        );
    };
    let first = usize::from(form.values);
    let mut shared = (first..c.len()).map(|i| (("C", c, i), ("D", d, i))).collect::<Vec<_>>();
    if form.mn {
        shared.push((("A", a, first), ("C", c, first)));
        shared.push((("B", b, first), ("C", c, first + 1)));
    }
    if form.k {
        shared.push((("A", a, first + 1), ("B", b, first + 1)));
    }
    for ((x, left, i), (y, right, j)) in shared {
        let (Some(m), Some(n)) = (left.get(i), right.get(j)) else { continue };
        if m.eq(n) == Some(false) {
            return phrase(
                j,
                format!("mode {i} of {x} has {} elements, but mode {j} of {y} has {}", m.dim(), n.dim()),
            );
        }
    }
    Ok(form)
}

/// Phase 3: mode 0 matches a thread's values of one atom.
fn residual<I: Machine>(shapes: &[Tuple<I>; 4], atom: &MmaAtom<'_>) -> Result<()> {
    for (shape, (_, name, which)) in shapes.iter().zip(OPERANDS) {
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
    view.iter.elem.map_or(Ok(()), |elem| Held::Fragment.check(name, atom, which, elem))?;
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
