//! The elements that a thread accesses at an op.

use std::{borrow::Cow, num::Wrapping};

use cute_algebra::{self as algebra, CopySide, Paired};
use cute_dialect::{
    atom::CopyAtom,
    ops::{Call, OpKind, tensors},
    value::{MemRef, Space, Value as Cute},
};

use super::program::{ROOM, number};

/// Lanes of a warp.
const WARP: usize = cute_arch::WARP as usize;

type Number = Paired<Wrapping<i64>>;

/// The most elements of an access, as for the vector of a view.
const MOST_ELEMENTS: i64 = 1 << 16;

/// Elements that one thread accesses at an op.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visit {
    /// The index of the operand.
    pub operand: usize,
    /// The memory, by its index; `None` is global memory.
    pub memory: Option<usize>,
    /// Bits of an element.
    pub bits: i64,
    /// How the elements are accessed.
    pub how: How,
}

/// How a thread accesses elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum How {
    /// By vectors.
    Vectors {
        /// Contiguous elements per instruction; `None` if the lowering chooses.
        vector: Option<i64>,
        /// Their offsets, in elements.
        offsets: Vec<i64>,
        /// The lanes of a warp that give addresses, from the first on.
        lanes: usize,
    },
    /// By an instruction that finds the elements itself, from a descriptor.
    Descriptor(&'static str),
}

/// The accesses of an op to the memories, and of copies to global memory. An error says what an
/// analysis of accesses cannot do, as the rest of a sentence.
pub fn visits<'c>(call: &Call<'_, 'c, Number>) -> Result<Vec<Visit>, String> {
    let mut visits = Vec::new();
    for (operand, value) in call.operands.iter().enumerate() {
        let Cute::MemRef(view) = value.as_ref() else { continue };
        let memory = match (view.iter.space, view.iter.address.0 >> ROOM) {
            (Space::Smem, memory @ 1..) => Some((memory - 1) as usize),
            (Space::Gmem, _) if matches!(call.kind, OpKind::Copy | OpKind::CopyAtomCall) => None,
            _ => continue,
        };
        let Some(how) = how(call, operand, view)? else { continue };
        let bits = view.iter.bits().map(i64::from).ok_or("needs elements with a size")?;
        visits.push(Visit { operand, memory, bits, how });
    }
    Ok(visits)
}

fn how<'c>(
    call: &Call<'_, 'c, Number>,
    operand: usize,
    view: &MemRef<'c, Paired<Wrapping<i64>>>,
) -> Result<Option<How>, String> {
    let bits = view.iter.bits().map(i64::from).ok_or("needs elements with a size")?;
    let vector = match call.kind {
        OpKind::Copy | OpKind::CopyAtomCall => {
            let atom = match call.operands.first().map(Cow::as_ref) {
                Some(Cute::CopyAtom(atom)) => atom,
                Some(Cute::TiledCopy(tiled)) => &tiled.atom,
                _ => return Ok(None),
            };
            let side = if operand == 1 { CopySide::Src } else { CopySide::Dst };
            match atom.swizzles_itself() {
                Some(what) => return Ok(Some(How::Descriptor(what))),
                None => Some(atom.bits_of(side) / bits),
            }
        }
        OpKind::GetCopyS2tSmemDescView => return Ok(Some(How::Descriptor("a copy to tensor memory"))),
        OpKind::MemRefLoadVec | OpKind::MemRefStoreVec => None,
        OpKind::MemRefLoad | OpKind::MemRefStore => {
            let at = tensors::address(call).map_err(|why| format!("needs each address: {why}"))?;
            let offsets = vec![place(at.address.0, bits)];
            return Ok(Some(How::Vectors { vector: Some(1), offsets, lanes: WARP }));
        }
        // Registers that are like a tile of memory.
        OpKind::MmaMakeFragment if !makes_descriptors(call) => return Ok(None),
        OpKind::Gemm | OpKind::MmaAtomCall | OpKind::MmaMakeFragment => {
            return Ok(Some(How::Descriptor("an MMA that reads shared memory")));
        }
        _ => return Ok(None),
    };
    let lanes = match call.operands.first().map(Cow::as_ref) {
        Some(Cute::CopyAtom(atom)) => lanes_of(atom),
        Some(Cute::TiledCopy(tiled)) => lanes_of(&tiled.atom),
        _ => WARP,
    };
    elements(view, bits).map(|offsets| Some(How::Vectors { vector, offsets, lanes }))
}

fn makes_descriptors(call: &Call<'_, '_, Number>) -> bool {
    matches!(call.declared.first().map(Cow::as_ref), Some(Cute::SmemDescView(_)))
}

/// `ldmatrix` and `stmatrix` take the addresses of rows from 8 lanes for each matrix.
fn lanes_of(atom: &CopyAtom<'_>) -> usize {
    match atom {
        CopyAtom::Matrix(copy) => usize::try_from(copy.matrices * 8).unwrap_or(WARP).clamp(1, WARP),
        _ => WARP,
    }
}

/// The element of its memory that an address belongs to.
fn place(address: i64, bits: i64) -> i64 {
    (address & ((1 << ROOM) - 1)) / bits.max(1)
}

/// The elements of a view in the order of its coordinates.
fn elements(view: &MemRef<'_, Number>, bits: i64) -> Result<Vec<i64>, String> {
    let base = place(view.iter.address.0, bits);
    let needs = |why: algebra::Error| format!("needs each address: {why}");
    let size = number(&algebra::size(&view.layout).map_err(needs)?);
    if size > MOST_ELEMENTS {
        return Err(format!(
            "looks at every element that a thread accesses: at most {MOST_ELEMENTS}, found {size}"
        ));
    }
    let mut offsets = algebra::offsets(&view.layout.map(number)).map_err(needs)?;
    let swizzle = view.iter.swizzle;
    for offset in &mut offsets {
        *offset += base;
        if !swizzle.is_identity() {
            // The pointer swizzles the address of the byte at each access.
            let byte = swizzle.apply(&(*offset * bits).div_euclid(8)).map_err(needs)?;
            *offset = (byte * 8).div_euclid(bits) + (*offset * bits).rem_euclid(8) / bits.max(1);
        }
    }
    Ok(offsets)
}
