//! `wmma`, whichever spelling it was read in.
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

use crate::meaning::rounding_of;
use crate::{Assembler, malformed, unmodelled};
use cute_arch::Element;
use cute_arch::atoms::{Instruction, Major, MmaOp, MmaQuery};
use cute_machine::format::Rounding;
use cute_machine::int::{IntOp, NoWrap};
use cute_machine::types::{Leaf, Scalar, Type};
use cute_ptx::RoundingMode;
use cute_ptx::wmma::{Fragment, InMemory};
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

/// Whether a `wmma` has this shape.
pub fn is_shape(shape: [u32; 3]) -> bool {
    Tiling::of(shape).is_some()
}

fn tiling(at: &Site, shape: [u32; 3]) -> Result<Tiling, Error> {
    let [m, n, k] = shape;
    Tiling::of(shape)
        .ok_or_else(|| unmodelled(at, Unmodelled::Atom, format!("the shape m{m}n{n}k{k} of `wmma`")))
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
    /// The product of A and B and the sum with C, in registers of D. `which` of the products it is
    /// follows from the shape.
    ///
    /// # Errors
    ///
    /// Returns an error for a shape without a model, and for registers that do not fit.
    pub fn wmma_product(
        &mut self,
        at: &Site,
        (query, mode): (MmaQuery, Option<RoundingMode>),
        d: &[Piece],
        matrices: [Box<[Piece]>; 3],
    ) -> Result<(), Error> {
        let rounding = mode.map_or(Rounding::NearestEven, rounding_of);
        let tiling = tiling(at, query.shape)?;
        let model = tiling.model(at, query)?;
        let (mut made, mut next_part) = (Vec::new(), [0; 3]);
        let [down, across] = tiling.tiles(2);
        let registers = model.registers();
        for _ in 0..down * across {
            let mut operands = [const { Vec::new() }; 3];
            for (which, matrix) in matrices.iter().enumerate() {
                let operand = tiling.operand(which);
                let [of_m, of_n] = tiling.tiles(which);
                let (part, next) = part(matrix, next_part[which], registers[operand]);
                if of_m * of_n > 1 {
                    next_part[which] = next;
                }
                operands[operand] = part;
            }
            let bits = d.first().map_or(32, |piece| piece.bits);
            let results = self.pieces_of(at, registers[3] as u32 * 32 / bits.max(1), bits)?;
            made.extend(results.iter().copied());
            let [a, b, c] = operands.map(Vec::into_boxed_slice);
            self.multiply_rounded(at, (model, rounding), [a, b, c, results.into()])?;
        }
        if made.len() != d.len() {
            let (found, needed) = (d.len(), made.len());
            return Err(malformed(
                at,
                Malformed::OperandCount,
                format!("D has {found} registers, but the instruction has {needed}"),
            ));
        }
        for (to, from) in d.iter().zip(made) {
            self.emit(at, ScalarOp::Copy(Move { dst: to.slot, src: from.slot, len: 1 }));
        }
        Ok(())
    }

    fn pieces_of(&mut self, at: &Site, count: u32, bits: u32) -> Result<Vec<Piece>, Error> {
        let ty = Type::Array(count, Type::Scalar(Scalar::Int(64)).into());
        let first = self.allocate(at, &ty)?;
        Ok((first..first + count).map(|slot| Piece { slot, bits }).collect())
    }

    /// `wmma.load` and `wmma.store`: each lane moves the elements of its registers.
    ///
    /// # Errors
    ///
    /// Returns an error for a fragment without a model, and for registers that do not fit.
    pub fn wmma_access(
        &mut self,
        at: &Site,
        memory: InMemory,
        (base, space): (Slot, u32),
        stride: Option<Slot>,
        (pieces, loads): (&[Piece], bool),
    ) -> Result<(), Error> {
        let InMemory { fragment, is_row_major, shape, element } = memory;
        let which = match fragment {
            Fragment::A => 0,
            Fragment::B => 1,
            Fragment::Sum => 2,
        };
        let tiling = tiling(at, shape)?;
        let types = types(element, which, shape);
        // Bits are multiplied in two ways, which have the same fragments.
        let op = if types[1] == Element::U1 { MmaOp::XorPopc } else { MmaOp::MulAdd };
        let query = MmaQuery { op, ..MmaQuery::new(Instruction::MMA_SYNC, shape, types) };
        let model = tiling.model(at, query)?;
        let places = model.places(tiling.operand(which));
        let places = places.ok_or_else(|| unmodelled(at, Unmodelled::Atom, "a fragment of this atom"))?;
        // The rows of an operand are those of A, the columns of B, or those of a transposed C.
        let by_rows = is_row_major != (which == 1 || which == 2 && tiling.transposed);
        if element.bits() < 8 && !by_rows {
            return Err(malformed(
                at,
                Malformed::Modifier,
                "elements of less than a byte have to lie along K",
            ));
        }
        let stride = match stride {
            Some(stride) => stride,
            None => {
                let [m, n, k] = shape;
                let lengths = [[k, m], [n, k], [n, m]][which];
                self.constant(at, vec![lengths[usize::from(!is_row_major)].into()])?
            }
        };
        let access = Cells { base, stride, space, bits: element.bits(), by_rows };
        let lane = self.lane_part(at, &access, &places)?;
        let cells = cells(&tiling, which, &places, by_rows);
        let registers = registers(pieces);
        let bits = registers.first().map_or(32, |register| register.iter().map(|piece| piece.bits).sum());
        let per_register = (bits / element.bits()).max(1) as usize;
        let count = cells.len() / per_register;
        if registers.is_empty() || !registers.len().is_multiple_of(count) {
            let found = registers.len();
            return Err(malformed(
                at,
                Malformed::OperandCount,
                format!("{found} registers of a fragment, which has {count}"),
            ));
        }
        let moved = if loads { registers.len() } else { count };
        for (i, register) in registers.iter().enumerate().take(moved) {
            let of_register = &cells[i % count * per_register..][..per_register];
            if loads {
                self.load_cells(at, &access, lane, of_register, register)?;
            } else {
                self.store_cells(at, &access, lane, of_register, register)?;
            }
        }
        Ok(())
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
        to: &[Piece],
    ) -> Result<(), Error> {
        let access = cells.access(self, of_register, to.len());
        if are_neighbours(of_register) {
            let address = self.cell(at, cells, lane, of_register[0])?;
            self.emit(at, MemoryOp::Load { dst: to[0].slot, address, access });
            return Ok(());
        }
        let count = of_register.len() as u32;
        let parts = self.pieces_of(at, count, cells.bits)?;
        for (cell, part) in of_register.iter().zip(&parts) {
            let address = self.cell(at, cells, lane, *cell)?;
            self.emit(at, MemoryOp::Load { dst: part.slot, address, access });
        }
        let (from, lanes) = (cells.bits, to.len() as u32);
        let whole = count * cells.bits / lanes;
        self.emit(at, ScalarOp::Regroup { dst: to[0].slot, src: parts[0].slot, from, to: whole, lanes });
        Ok(())
    }

    fn store_cells(
        &mut self,
        at: &Site,
        cells: &Cells,
        lane: [Slot; 2],
        of_register: &[Cell],
        from: &[Piece],
    ) -> Result<(), Error> {
        let access = cells.access(self, of_register, from.len());
        if are_neighbours(of_register) {
            let address = self.cell(at, cells, lane, of_register[0])?;
            self.emit(at, MemoryOp::Store { src: from[0].slot, address, access });
            return Ok(());
        }
        let count = of_register.len() as u32;
        let parts = self.pieces_of(at, count, cells.bits)?;
        let (whole, to) = (count * cells.bits / from.len() as u32, cells.bits);
        self.emit(
            at,
            ScalarOp::Regroup { dst: parts[0].slot, src: from[0].slot, from: whole, to, lanes: count },
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
    fn access(&self, assembler: &mut Assembler, of_register: &[Cell], pieces: usize) -> u32 {
        let are_together = are_neighbours(of_register);
        let count = if are_together { of_register.len() as u32 } else { 1 };
        let access = assembler.plain_access(count * self.bits);
        let made = &mut assembler.accesses[access as usize];
        made.space = self.space;
        if are_together && pieces > 1 {
            let bits = count * self.bits / pieces as u32;
            let leaf = |slot| Leaf { slot, offset: slot * bits / 8, bytes: bits / 8, bits };
            made.leaves = (0..pieces as Slot).map(leaf).collect();
        }
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

/// The registers that pieces are: of 32 bits or more, and of several pieces in consecutive slots.
fn registers(pieces: &[Piece]) -> Vec<&[Piece]> {
    let (mut all, mut first) = (Vec::new(), 0);
    while first < pieces.len() {
        let (mut bits, mut end) = (0, first);
        while bits < 32 && end < pieces.len() {
            bits += pieces[end].bits;
            end += 1;
        }
        all.push(&pieces[first..end]);
        first = end;
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
