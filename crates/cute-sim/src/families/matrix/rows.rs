//! `ldmatrix` and `stmatrix`: rows of shared memory to the registers of a warp and
//! back.
//!
//! Each row is 16 bytes; lane i provides the address of row i. The thread-value layouts of CuTe's
//! copy atoms determine the lane of each byte of each row.

use crate::tensor::{LANES, fragment::at_all};
use cute_arch::atoms::{self, CopyAtom, CopyInstruction, MatrixElement, copy_atoms};
use serde::{Deserialize, Serialize};
use std::{collections::HashMap, sync::OnceLock};

/// Size and alignment of a row in bytes.
pub const ROW: usize = 16;

/// The direction of the copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MatrixMove {
    /// `ldmatrix`.
    Load,
    /// `stmatrix`.
    Store,
}

/// An instruction that PTX does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no {} of {count} {}matrices of {}; there are {}", verb(*.direction), transposed(*.trans), spelled(*.direction, *.ty), legal(*.direction))]
pub struct NoSuchMatrix {
    direction: MatrixMove,
    ty: MatrixElement,
    count: u32,
    trans: bool,
}

fn verb(direction: MatrixMove) -> &'static str {
    match direction {
        MatrixMove::Load => "ldmatrix",
        MatrixMove::Store => "stmatrix",
    }
}

fn transposed(trans: bool) -> &'static str {
    if trans { "transposed " } else { "" }
}

fn spelled(direction: MatrixMove, ty: MatrixElement) -> &'static str {
    match (direction, ty) {
        (_, MatrixElement::B16) => "m8n8.b16",
        (MatrixMove::Load, MatrixElement::B8) => "m16n16.b8",
        (MatrixMove::Store, MatrixElement::B8) => "m16n8.b8",
        (_, MatrixElement::B6x16P32) => "b8x16.b6x16_p32",
        (_, MatrixElement::B4x16P64) => "b8x16.b4x16_p64",
    }
}

fn legal(direction: MatrixMove) -> &'static str {
    match direction {
        MatrixMove::Load => {
            "m8n8.b16 (x1, x2, x4, also .trans), m16n16.b8 (x1, x2, .trans), \
             and b6x16_p32 and b4x16_p64 (m8n16 x1, x2, x4; m16n16 x1, x2, .trans)"
        }
        MatrixMove::Store => "m8n8.b16 (x1, x2, x4, also .trans) and m16n8.b8 (x1, x2, x4, .trans)",
    }
}

/// An `ldmatrix` or `stmatrix`, ready to execute.
#[derive(Debug)]
pub struct Matrices {
    key: Key,
    ty: MatrixElement,
    rows: usize,
    registers: usize,
    /// For each byte of all registers, lane by lane, its row and its byte there.
    places: Vec<(u8, u8)>,
}

impl Matrices {
    /// The model of `count` matrices.
    ///
    /// ```text
    /// ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16   Matrices::new(Load, M8n8B16, 4, true)
    /// ```
    pub fn new(
        direction: MatrixMove,
        ty: MatrixElement,
        count: u32,
        trans: bool,
    ) -> Result<&'static Self, NoSuchMatrix> {
        type Model = (&'static CopyAtom, OnceLock<Option<Matrices>>);
        static MODELS: OnceLock<HashMap<Key, Model>> = OnceLock::new();
        let models = MODELS.get_or_init(|| {
            let rows = copy_atoms().iter().flat_map(|atom| keys(atom).map(move |key| (key, atom)));
            rows.map(|(key, atom)| (key, (atom, OnceLock::new()))).collect()
        });
        let key = (direction, ty, count, trans);
        let model = models.get(&key).and_then(|(atom, model)| {
            let made = model.get_or_init(|| Matrices::of(key, atom));
            made.as_ref()
        });
        model.ok_or(NoSuchMatrix { direction, ty, count, trans })
    }

    /// The arguments of [`new`](Self::new).
    pub fn key(&self) -> (MatrixMove, MatrixElement, u32, bool) {
        self.key
    }

    fn of(key: Key, atom: &CopyAtom) -> Option<Self> {
        let (direction, ty, _, trans) = key;
        let (rows_of, registers_of) = match direction {
            MatrixMove::Load => (&atom.src, &atom.dst),
            MatrixMove::Store => (&atom.dst, &atom.src),
        };
        // Bytes are copied whole: for each abstract byte, the first lane and byte that has it in
        // the rows.
        let mut row_of = HashMap::new();
        for (index, bit) in at_all(rows_of)?.into_iter().enumerate() {
            let (lane, bit_of_lane) = (index % LANES, index / LANES);
            if bit % 8 == 0 {
                row_of.entry(bit / 8).or_insert((lane as u8, (bit_of_lane / 8) as u8));
            }
        }
        let bits = at_all(registers_of)?;
        let bytes = bits.len() / LANES / 8;
        let place = |byte: usize| row_of.get(&(bits[byte % bytes * 8 * LANES + byte / bytes] / 8)).copied();
        let mut places: Vec<_> = (0..LANES * bytes).map(place).collect::<Option<_>>()?;
        if (direction, trans) == (MatrixMove::Load, true) && ty != MatrixElement::B16 {
            // CuTe's wrapper swaps the inner half-words of each pair of registers after the
            // instruction.
            for pair in places.chunks_exact_mut(8) {
                pair.swap(2, 4);
                pair.swap(3, 5);
            }
        }
        let rows = places.iter().map(|(row, _)| *row).max()?;
        Some(Matrices { key, ty, rows: usize::from(rows) + 1, registers: bytes / 4, places })
    }

    /// Rows, whose addresses the first lanes provide.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Bytes of a row that are read or written; the rest is padding.
    pub fn row_bytes(&self) -> usize {
        match self.ty {
            MatrixElement::B16 | MatrixElement::B8 => ROW,
            MatrixElement::B6x16P32 => 12,
            MatrixElement::B4x16P64 => 8,
        }
    }

    /// 32-bit registers of a lane.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// The registers of a warp that loads these rows, lane by lane.
    ///
    /// # Panics
    ///
    /// If the number of rows differs from [`rows`](Self::rows).
    pub fn load(&self, rows: &[[u8; ROW]]) -> Vec<u32> {
        assert_eq!(rows.len(), self.rows, "rows of ldmatrix");
        let rows: Vec<_> = rows.iter().map(|row| self.unpack(*row)).collect();
        let mut words = vec![0; LANES * self.registers];
        for (byte, (row, at)) in self.places.iter().enumerate() {
            words[byte / 4] |= u32::from(rows[usize::from(*row)][usize::from(*at)]) << (byte % 4 * 8);
        }
        words
    }

    /// The rows that a warp with these registers stores.
    ///
    /// # Panics
    ///
    /// If there are not [`registers`](Self::registers) words for each of 32 lanes.
    pub fn store(&self, words: &[u32]) -> Vec<[u8; ROW]> {
        assert_eq!(words.len(), LANES * self.registers, "words of stmatrix");
        let mut rows = vec![[0; ROW]; self.rows];
        for (byte, (row, at)) in self.places.iter().enumerate() {
            rows[usize::from(*row)][usize::from(*at)] = words[byte / 4].to_le_bytes()[byte % 4];
        }
        rows
    }

    /// The lane that holds the first byte of a row, and the number of its register.
    pub fn source(&self, row: usize) -> (u32, usize) {
        let byte = self.places.iter().position(|(of, at)| (usize::from(*of), *at) == (row, 0)).unwrap_or(0);
        ((byte / 4 / self.registers) as u32, byte / 4 % self.registers)
    }

    /// 16 bytes of a row: numbers below 8 bits each to a byte.
    fn unpack(&self, row: [u8; ROW]) -> [u8; ROW] {
        let width = self.row_bytes() / 2;
        if width == 8 {
            return row;
        }
        let packed = u128::from_le_bytes(row);
        std::array::from_fn(|i| (packed >> (i * width)) as u8 & ((1 << width) - 1))
    }
}

type Key = (MatrixMove, MatrixElement, u32, bool);

/// The instructions whose bytes an atom describes.
fn keys(atom: &CopyAtom) -> impl Iterator<Item = Key> {
    use MatrixElement::{B4x16P64, B6x16P32, B8};
    let (direction, matrices) = match atom.instruction {
        CopyInstruction::Ldmatrix(matrices) => (MatrixMove::Load, Some(matrices)),
        CopyInstruction::Stmatrix(matrices) => (MatrixMove::Store, Some(matrices)),
        _ => (MatrixMove::Load, None),
    };
    matrices.into_iter().flat_map(move |atoms::Matrices { element, count, transposed }| {
        // CuTe has no atom for transposed numbers of 6 and 4 bits: unpacked, they have the layout
        // of bytes.
        let elements = match (direction, element) {
            (MatrixMove::Load, B8) => &[B8, B6x16P32, B4x16P64][..],
            (_, MatrixElement::B16) => &[MatrixElement::B16],
            (_, B8) => &[B8],
            (_, B6x16P32) => &[B6x16P32],
            (_, B4x16P64) => &[B4x16P64],
        };
        elements.iter().map(move |element| (direction, *element, count, transposed))
    })
}
