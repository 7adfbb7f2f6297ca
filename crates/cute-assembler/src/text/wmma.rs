//! `wmma` in PTX.
//!
//! PTX does not say which elements a register of a fragment holds. Here a fragment consists of
//! those of one or two `mma.sync`, so that the multiplication is these:
//!
//! | shape | is |
//! |---|---|
//! | m16n16 | two m16n8, side by side |
//! | m32n8 | two m16n8, one below the other |
//! | m8n32 | the transposes of two m16n8: B takes the place of A, and A that of B |
//! | m8n8 | one |
//!
//! A fragment of f16 has more registers than that; the others repeat the first ones.

use super::lines::Line;
use super::mma::of_element;
use crate::{Assembler, unmodelled};
use cute_arch::Element;
use cute_arch::atoms::{Instruction, Major, MmaOp, MmaQuery};
use cute_machine::int::{IntOp, NoWrap};
use cute_machine::types::{Scalar, Type};
use cute_ptx::{StateSpace, Takes, matrix};
use cute_sim::matrix::Mma;
use cute_sim::program::{Binary, MemoryOp, Move, Piece, ScalarOp, Site, Slot, Special, Term};
use cute_sim::tensor::Places;
use cute_sim::{Error, Malformed, Unmodelled};

/// The products that a `wmma` consists of.
#[derive(Debug, Clone, Copy)]
struct Tiling {
    shape: [u32; 3],
    of_each: [u32; 3],
    transposed: bool,
}

impl Tiling {
    fn of(shape: [u32; 3]) -> Option<Self> {
        let [m, n, k] = shape;
        let (of_each, transposed) = match (m, n) {
            (16, 16) | (32, 8) => ([16, 8, k], false),
            (8, 32) => ([16, 8, k], true),
            (8, 8) => (shape, false),
            _ => return None,
        };
        Some(Tiling { shape, of_each, transposed })
    }

    /// How often a matrix (A, B, or C) is divided along M and along N.
    fn tiles(&self, which: usize) -> [u32; 2] {
        let [m, n, _] = self.shape;
        let [rows, columns, _] = self.of_each;
        let [rows, columns] = if self.transposed { [columns, rows] } else { [rows, columns] };
        match which {
            0 => [m / rows, 1],
            1 => [1, n / columns],
            _ => [m / rows, n / columns],
        }
    }

    /// The operand of a product that holds a part of a matrix.
    fn operand(&self, which: usize) -> usize {
        if self.transposed && which < 2 { 1 - which } else { which }
    }

    fn model(&self, at: &Site, query: MmaQuery) -> Result<&'static Mma, Error> {
        let [d, a, b, c] = query.types;
        let types = if self.transposed { [d, b, a, c] } else { [d, a, b, c] };
        let query = MmaQuery { shape: self.of_each, types, majors: (Major::K, Major::K), ..query };
        let model = Mma::by_ptx(&query).map_err(|e| unmodelled(at, Unmodelled::Atom, e.to_string()))?;
        model.ok_or_else(|| unmodelled(at, Unmodelled::Atom, "this atom"))
    }
}

/// The types of a product, if one of its matrices has this element.
fn types(element: Element, which: usize, [_, _, k]: [u32; 3]) -> [Element; 4] {
    let sum = |a: Element| match a {
        Element::F64 => Element::F64,
        _ if a.float().is_some() => Element::F32,
        _ => Element::S32,
    };
    match (element, which, k) {
        (a, 0 | 1, _) => [sum(a), a, a, sum(a)],
        (Element::F64, ..) => [Element::F64; 4],
        (Element::F16, ..) => [Element::F16; 4],
        (Element::S32, _, 128) => [Element::S32, Element::U1, Element::U1, Element::S32],
        (Element::S32, _, 32) => [Element::S32, Element::S4, Element::S4, Element::S32],
        (Element::S32, ..) => [Element::S32, Element::S8, Element::S8, Element::S32],
        (c, _, 8) => [c, Element::Tf32, Element::Tf32, c],
        (c, ..) => [c, Element::F16, Element::F16, c],
    }
}

/// The element of memory: its place along the leading dimension, and across.
#[derive(Debug, Clone, Copy)]
struct Cell {
    slow: usize,
    fast: usize,
}

impl Assembler {
    /// `wmma.load`, `wmma.mma`, `wmma.store`, by the words after `wmma`.
    pub(super) fn wmma(&mut self, line: &mut Line<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        match words {
            ["mma", rest @ ..] => self.wmma_product(line, rest),
            ["load", which @ ("a" | "b" | "c"), "sync", "aligned", rest @ ..] => {
                let which = ["a", "b", "c"].iter().position(|name| name == which).unwrap_or_default();
                self.wmma_access(line, which, rest, true)
            }
            ["store", "d", "sync", "aligned", rest @ ..] => self.wmma_access(line, 2, rest, false),
            _ => Ok(false),
        }
    }

    fn wmma_product(&mut self, line: &mut Line<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let (words, rounding) = self.words_and_rounding(line, words)?;
        let Some(query) = matrix::mma(&words) else { return Ok(false) };
        let Some(tiling) = Tiling::of(query.shape) else { return Ok(false) };
        let model = tiling.model(line.at, query)?;
        let [d, a, b, c] =
            [0, 1, 2, 3].map(|index| self.fragment(line, index, of_element(query.types[index])));
        let (d, matrices) = (d?, [a?, b?, c?]);
        let (mut made, mut at) = (Vec::new(), [0; 3]);
        let [down, across] = tiling.tiles(2);
        let registers = model.registers();
        for _ in 0..down * across {
            let mut operands = [const { Vec::new() }; 3];
            for (which, matrix) in matrices.iter().enumerate() {
                let operand = tiling.operand(which);
                let [of_m, of_n] = tiling.tiles(which);
                let (part, next) = part(matrix, at[which], registers[operand]);
                if of_m * of_n > 1 {
                    at[which] = next;
                }
                operands[operand] = part;
            }
            let count = registers[3] as u32;
            let results: Vec<Piece> = match d.first() {
                Some(Piece { bits: 64, .. }) => self.pieces_of(line.at, count / 2, 64)?,
                _ => self.pieces_of(line.at, count, 32)?,
            };
            made.extend(results.iter().copied());
            let [a, b, c] = operands.map(Vec::into_boxed_slice);
            self.multiply_rounded(line.at, (model, rounding), [a, b, c, results.into()])?;
        }
        if made.len() != d.len() {
            let (found, needed) = (d.len(), made.len());
            return Err(line.wrong(
                Malformed::OperandCount,
                &format!("D has {found} registers, but the instruction has {needed}"),
            ));
        }
        for (to, from) in d.iter().zip(made) {
            self.emit(line.at, ScalarOp::Copy(Move { dst: to.slot, src: from.slot, len: 1 }));
        }
        Ok(true)
    }

    fn pieces_of(&mut self, at: &Site, count: u32, bits: u32) -> Result<Vec<Piece>, Error> {
        let ty = Type::Array(count, Type::Scalar(Scalar::Int(64)).into());
        let first = self.allocate(at, &ty)?;
        Ok((first..first + count).map(|slot| Piece { slot, bits }).collect())
    }

    /// `wmma.load` and `wmma.store`: each lane moves the elements of its registers.
    fn wmma_access(
        &mut self,
        line: &mut Line<'_, '_>,
        which: usize,
        words: &[&str],
        loads: bool,
    ) -> Result<bool, Error> {
        let [layout @ ("row" | "col"), shape, space @ .., element] = words else { return Ok(false) };
        let (Some(shape), Some(element)) = (matrix::extents(shape), matrix::element(element)) else {
            return Ok(false);
        };
        let space = match space {
            [] => 0,
            [space] => match StateSpace::of_ptx(space) {
                Some(space) => space.address_space(),
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        let Some(tiling) = Tiling::of(shape) else { return Ok(false) };
        let types = types(element, which, shape);
        // Bits are multiplied in two ways, which have the same fragments.
        let op = if types[1] == Element::U1 { MmaOp::XorPopc } else { MmaOp::MulAdd };
        let query = MmaQuery { op, ..MmaQuery::new(Instruction::MMA_SYNC, shape, types) };
        let model = tiling.model(line.at, query)?;
        let places = model.places(tiling.operand(which));
        let places =
            places.ok_or_else(|| unmodelled(line.at, Unmodelled::Atom, "a fragment of this atom"))?;
        let [in_list, in_memory] = if loads { [0, 1] } else { [1, 0] };
        let list = self.fragment(line, in_list, of_element(element))?;
        let base = self.address(line, in_memory, Some(Takes::Address))?;
        // The rows of an operand are those of A, the columns of B, or those of a transposed C.
        let by_rows = (*layout == "row") != (which == 1 || which == 2 && tiling.transposed);
        if element.bits() < 8 && !by_rows {
            return Err(line.wrong(Malformed::Modifier, "elements of less than a byte have to lie along K"));
        }
        let stride = match line.operands.get(2) {
            Some(stride) => self.read(line, stride, 32)?,
            None => {
                let [m, n, k] = shape;
                let lengths = [[k, m], [n, k], [n, m]][which];
                self.constant(line.at, vec![lengths[usize::from(*layout == "col")].into()])?
            }
        };
        let access = Cells { base, stride, space, bits: element.bits(), by_rows };
        let lane = self.lane_part(line.at, &access, &places)?;
        let cells = cells(&tiling, which, &places, by_rows);
        let per_register = (list.first().map_or(32, |piece| piece.bits) / element.bits()).max(1) as usize;
        let count = cells.len() / per_register;
        if list.is_empty() || list.len() % count != 0 {
            let found = list.len();
            return Err(line.wrong(
                Malformed::OperandCount,
                &format!("{found} registers of a fragment, which has {count}"),
            ));
        }
        for (i, piece) in list.iter().enumerate().take(if loads { list.len() } else { count }) {
            let of_register = &cells[i % count * per_register..][..per_register];
            if loads {
                self.load_cells(line.at, &access, lane, of_register, *piece)?;
            } else {
                self.store_cells(line.at, &access, lane, of_register, *piece)?;
            }
        }
        Ok(true)
    }

    /// The part of an address that the lane determines, in elements: a register for what is
    /// multiplied by the stride already, and one for the rest.
    fn lane_part(&mut self, at: &Site, cells: &Cells, places: &Places) -> Result<[Slot; 2], Error> {
        let lane = self.temporary(at)?;
        self.emit(at, ScalarOp::Special { dst: lane, special: Special::Lane });
        let mut sums = [self.constant(at, vec![0])?; 2];
        for (bit, added) in places.lanes.iter().enumerate() {
            let by = self.constant(at, vec![bit as u64])?;
            let one = self.constant(at, vec![1])?;
            let shifted = self.word(at, IntOp::ShrU, lane, by)?;
            let is_set = self.word(at, IntOp::And, shifted, one)?;
            let added = if cells.by_rows { *added } else { [added[1], added[0]] };
            for (sum, added) in sums.iter_mut().zip(added).filter(|(_, added)| *added > 0) {
                let factor = self.constant(at, vec![added as u64])?;
                let product = self.word(at, IntOp::Mul, is_set, factor)?;
                *sum = self.word(at, IntOp::Add, *sum, product)?;
            }
        }
        let [slow, fast] = sums;
        Ok([self.word(at, IntOp::Mul, slow, cells.stride)?, fast])
    }

    fn word(&mut self, at: &Site, op: IntOp, a: Slot, b: Slot) -> Result<Slot, Error> {
        let dst = self.temporary(at)?;
        let registers = Binary { dst, a, b, lanes: 1 };
        self.emit(at, ScalarOp::Int { op, width: 32, no_wrap: NoWrap::default(), at: registers });
        Ok(dst)
    }

    /// The address of an element.
    fn cell(&mut self, at: &Site, cells: &Cells, [slow, fast]: [Slot; 2], cell: Cell) -> Result<Slot, Error> {
        let dst = self.temporary(at)?;
        let bits = i64::from(cells.bits);
        let offset = cell.fast as i64 * bits / 8;
        let terms: Box<[Term]> = if bits >= 8 {
            let by = bits / 8;
            let scales = [(cells.stride, cell.slow as i64 * by), (slow, by), (fast, by)];
            scales.map(|(slot, scale)| Term { slot, width: 32, scale }).into()
        } else if cell.slow == 0 {
            let per_byte = self.constant(at, vec![8 / u64::from(cells.bits)])?;
            let [slow, fast] = [slow, fast].map(|part| self.word(at, IntOp::DivU, part, per_byte));
            [slow?, fast?].map(|slot| Term { slot, width: 32, scale: 1 }).into()
        } else {
            return Err(unmodelled(
                at,
                Unmodelled::Instruction,
                "several rows of elements of less than a byte in one lane",
            ));
        };
        let base = cells.base;
        self.emit(at, ScalarOp::Address { dst, base, offset, terms });
        Ok(dst)
    }

    fn load_cells(
        &mut self,
        at: &Site,
        cells: &Cells,
        lane: [Slot; 2],
        of_register: &[Cell],
        to: Piece,
    ) -> Result<(), Error> {
        let access = cells.access(self, of_register);
        if are_neighbours(of_register) {
            let address = self.cell(at, cells, lane, of_register[0])?;
            self.emit(at, MemoryOp::Load { dst: to.slot, address, access });
            return Ok(());
        }
        let count = of_register.len() as u32;
        let parts = self.pieces_of(at, count, cells.bits)?;
        for (cell, part) in of_register.iter().zip(&parts) {
            let address = self.cell(at, cells, lane, *cell)?;
            self.emit(at, MemoryOp::Load { dst: part.slot, address, access });
        }
        let (from, whole) = (cells.bits, count * cells.bits);
        self.emit(at, ScalarOp::Regroup { dst: to.slot, src: parts[0].slot, from, to: whole, lanes: 1 });
        Ok(())
    }

    fn store_cells(
        &mut self,
        at: &Site,
        cells: &Cells,
        lane: [Slot; 2],
        of_register: &[Cell],
        from: Piece,
    ) -> Result<(), Error> {
        let access = cells.access(self, of_register);
        if are_neighbours(of_register) {
            let address = self.cell(at, cells, lane, of_register[0])?;
            self.emit(at, MemoryOp::Store { src: from.slot, address, access });
            return Ok(());
        }
        let count = of_register.len() as u32;
        let parts = self.pieces_of(at, count, cells.bits)?;
        let (whole, to) = (count * cells.bits, cells.bits);
        self.emit(
            at,
            ScalarOp::Regroup { dst: parts[0].slot, src: from.slot, from: whole, to, lanes: count },
        );
        for (cell, part) in of_register.iter().zip(&parts) {
            let address = self.cell(at, cells, lane, *cell)?;
            self.emit(at, MemoryOp::Store { src: part.slot, address, access });
        }
        Ok(())
    }
}

/// The matrix in memory.
#[derive(Debug, Clone, Copy)]
struct Cells {
    base: Slot,
    stride: Slot,
    space: u32,
    bits: u32,
    by_rows: bool,
}

impl Cells {
    /// The access of a register's elements, or of one of them.
    fn access(&self, assembler: &mut Assembler, of_register: &[Cell]) -> u32 {
        let count = if are_neighbours(of_register) { of_register.len() as u32 } else { 1 };
        let access = assembler.plain_access(count * self.bits);
        assembler.accesses[access as usize].space = self.space;
        access
    }
}

/// Whether elements follow each other in memory.
fn are_neighbours(cells: &[Cell]) -> bool {
    cells.windows(2).all(|two| two[0].slow == two[1].slow && two[0].fast + 1 == two[1].fast)
}

/// The elements of lane 0, part after part.
fn cells(tiling: &Tiling, which: usize, places: &Places, by_rows: bool) -> Vec<Cell> {
    let [down, across] = tiling.tiles(which);
    let [m, n, _] = tiling.of_each.map(|extent| extent as usize);
    let mut all = Vec::new();
    for tile in 0..(down * across) as usize {
        // The rows of an operand are those of A, or the columns of B.
        let skip = match tiling.operand(which) {
            0 => [tile * m, 0],
            1 => [tile * n, 0],
            _ if tiling.transposed || down > 1 => [tile * m, 0],
            _ => [0, tile * n],
        };
        all.extend(places.elements.iter().map(|[row, column]| {
            let [row, column] = [row + skip[0], column + skip[1]];
            let [slow, fast] = if by_rows { [row, column] } else { [column, row] };
            Cell { slow, fast }
        }));
    }
    all
}

/// Registers of a matrix from one on that have this many words, and the next one.
fn part(matrix: &[Piece], first: usize, words: usize) -> (Vec<Piece>, usize) {
    let (mut bits, mut next) = (0, first);
    while bits < words as u32 * 32 && next < matrix.len() {
        bits += matrix[next].bits;
        next += 1;
    }
    (matrix[first.min(matrix.len())..next].to_vec(), next)
}
