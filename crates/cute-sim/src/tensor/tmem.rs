//! The words of tensor memory for each register of a warp, for `tcgen05.ld` and `tcgen05.st`.

use super::LANES;
use super::fragment::at_all;
use cute_algebra::upcast;
use cute_arch::atoms::{CopyAtom, TmemShape, copy_atoms};
use std::{collections::HashMap, sync::OnceLock};

/// Lanes of the tensor memory of a block.
pub const TENSOR_LANES: u32 = cute_arch::tmem::LANES as u32;

/// Columns of each, of 32 bits.
pub const TENSOR_COLUMNS: u32 = cute_arch::tmem::COLUMNS as u32;

/// Words of tensor memory: columns of neighbouring lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    /// The first lane of the rectangle.
    pub lane: u32,
    /// The number of lanes.
    pub lanes: u32,
    /// The first column.
    pub column: u32,
    /// The number of columns.
    pub columns: u32,
}

impl Rect {
    /// Whether two of them have a word in common.
    pub fn meets(self, other: Rect) -> bool {
        self.lane < other.lane + other.lanes
            && other.lane < self.lane + self.lanes
            && self.column < other.column + other.columns
            && other.column < self.column + self.columns
    }
}

/// The words, given by lane and column, as rectangles. Each lane has adjacent columns.
pub fn rects(words: impl IntoIterator<Item = (u32, u32)>) -> Vec<Rect> {
    let mut extents = [(u32::MAX, 0); TENSOR_LANES as usize];
    for (lane, column) in words {
        if let Some((first, last)) = extents.get_mut(lane as usize) {
            (*first, *last) = (column.min(*first), column.max(*last));
        }
    }
    let mut all: Vec<Rect> = Vec::new();
    for (lane, (first, last)) in (0..).zip(extents).filter(|(_, (first, last))| first <= last) {
        let columns = last - first + 1;
        match all.last_mut() {
            Some(rect)
                if rect.lane + rect.lanes == lane && (rect.column, rect.columns) == (first, columns) =>
            {
                rect.lanes += 1;
            }
            _ => all.push(Rect { lane, lanes: 1, column: first, columns }),
        }
    }
    all
}

/// A shape of `tcgen05.ld` and `tcgen05.st`, ready to execute.
#[derive(Debug)]
pub struct TmemMove {
    shape: TmemShape,
    registers: usize,
    columns: u32,
    /// Lane and column of each part of each register, lane by lane, with the parts of each lane
    /// side by side.
    places: Vec<(u32, u32)>,
}

impl TmemMove {
    /// The shape that the instruction names.
    pub fn shape(&self) -> TmemShape {
        self.shape
    }

    /// The model of a shape; `None` if the shape does not exist.
    pub fn of(shape: TmemShape) -> Option<&'static Self> {
        static MODELS: OnceLock<HashMap<String, OnceLock<Option<TmemMove>>>> = OnceLock::new();
        let models = MODELS.get_or_init(|| {
            let loads = copy_atoms().iter().map(|atom| atom.name.clone());
            loads.filter(|name| name.starts_with(PREFIX)).map(|name| (name, OnceLock::new())).collect()
        });
        let name = format!("{PREFIX}{shape}");
        models.get(&name)?.get_or_init(|| TmemMove::new(shape, CopyAtom::by_name(&name)?)).as_ref()
    }

    fn new(shape: TmemShape, atom: &CopyAtom) -> Option<Self> {
        let unit = if shape.halves { 16 } else { 32 };
        let registers = at_all(&upcast(&atom.dst, unit).ok()?)?;
        let memory = at_all(&upcast(atom.tensor_memory.as_ref()?, unit).ok()?)?;
        let lane_units = (1 << 16) * 32 / unit;
        let place = |index: i64| {
            let at = *memory.get(index as usize)?;
            Some(((at / lane_units) as u32, (at % lane_units * unit / 32) as u32))
        };
        let parts = 32 / unit as usize;
        let values = registers.len() / LANES;
        // From (thread, value), thread first, to registers whose lanes have their parts side by
        // side.
        let places = (0..values * LANES).map(|i| {
            let (part, lane, register) = (i % parts, i / parts % LANES, i / parts / LANES);
            place(registers[(register * parts + part) * LANES + lane])
        });
        let places = places.collect::<Option<Vec<_>>>()?;
        let columns = places.iter().map(|(_, column)| column + 1).max()?;
        Some(TmemMove { shape, registers: values / parts, columns, places })
    }

    /// Lanes of tensor memory that it reaches: 16 or 32.
    pub fn lanes(&self) -> u32 {
        self.shape.lanes
    }

    /// 32-bit registers of a thread.
    pub fn registers(&self) -> usize {
        self.registers
    }

    /// Whether it is two accesses, an offset apart.
    pub fn is_split(&self) -> bool {
        (self.shape.lanes, self.shape.bits) == (16, 32)
    }

    /// For each register, lane by lane, the words of which it holds 32 bits, or the lower 16 bits
    /// of two words. `offset` is the distance in columns to the second access, if there are two.
    pub fn places(&self, offset: u32) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        let half = if self.is_split() { self.columns / 2 } else { self.columns };
        self.places
            .iter()
            .map(move |(lane, column)| (*lane, if *column < half { *column } else { column - half + offset }))
    }

    /// The words of each access.
    pub fn accesses(&self, offset: u32) -> Vec<Vec<(u32, u32)>> {
        let half = self.columns / 2;
        let own = |second: bool| {
            let words = self.places.iter().zip(self.places(offset));
            words.filter(|((_, column), _)| (*column >= half) == second).map(|(_, word)| word).collect()
        };
        if self.is_split() { vec![own(false), own(true)] } else { vec![self.places(0).collect()] }
    }

    /// Words per register of a lane: 1, or 2 of which it has 16 bits each.
    pub fn parts(&self) -> usize {
        if self.shape.halves { 2 } else { 1 }
    }
}

const PREFIX: &str = "SM100_TMEM_LOAD_";
