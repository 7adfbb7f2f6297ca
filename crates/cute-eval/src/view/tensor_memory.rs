//! Tensor memory: lanes and columns, as the place of each element and as the element at each place.
//! Layouts of accumulators and of scale factors are drawn, and the C of `tcgen05.mma`.

use cute_algebra::{Layout, MmaOperand, TiledMma, Tuple, size};
use cute_arch::{
    atoms::MmaAtom,
    tmem::{LANES, accumulator},
};

use super::{
    Picture,
    grid::{self, Fact, Sheet},
    physical::{Element, Physical},
    places,
};
use crate::{
    error::{Error, Result, at},
    svg::{MAX_CELLS, palette},
};

/// Names of the coordinates that cells show.
const AXES: [&str; 6] = ["i", "j", "k", "l", "p", "q"];

/// Words of 32 bits from a lane to the next, in offsets.
const LANE_WORDS: i64 = 1 << 16;

struct TensorMemory {
    /// The table of the elements, unless it is too large.
    logical: Option<Box<dyn Picture>>,
    memory: Physical,
    title: String,
    notes: Vec<String>,
}

/// The picture of a layout of tensor memory, of elements of `bits`.
pub fn of(layout: &Layout<i64>, bits: i64) -> Result<Box<dyn Picture>> {
    made(layout, bits, None, Vec::new())
}

/// C of a tiling of `tcgen05.mma` for a tile of (M,N,K).
pub fn of_accumulator(atom: &MmaAtom, mma: &TiledMma, tile: [i64; 3]) -> Result<Box<dyn Picture>> {
    let extents = Tuple::from_leaves(MmaOperand::C.of(tile));
    let c = at(1, accumulator(atom, mma, &extents))?;
    // ((M,N),RestM,RestN) as a matrix.
    let mode = |layout: &Layout<i64>, k| at(1, layout.mode(k));
    let matrix = |k: usize| Ok(Layout::from_modes([mode(&mode(&c, 0)?, k)?, mode(&c, k + 1)?]));
    let matrix = Layout::from_modes([matrix(0)?, matrix(1)?]);
    let mut notes = vec!["i is the row of C (M), j its column (N).".to_string()];
    if atom.instruction.ctas == 2 {
        notes.push("C is the part of one CTA; the other CTA of the pair has as much.".into());
    }
    notes.push(
        "A and B are tiles in shared memory that descriptors name, or A is in tensor memory: no thread has them."
            .into(),
    );
    let title = Some(format!("C of {} in tensor memory: {matrix}", atom.name));
    made(&matrix, atom.c.bits.into(), title, notes)
}

fn made(
    layout: &Layout<i64>,
    bits: i64,
    title: Option<String>,
    mut notes: Vec<String>,
) -> Result<Box<dyn Picture>> {
    let logical = places::of_tensor_memory(layout, bits)?;
    if logical.is_none() {
        notes.push("The table of all elements is too large: the memory alone is drawn.".into());
    }
    let memory = memory(layout, bits, logical.is_some())?;
    let title = title.unwrap_or_else(|| format!("{layout} in tensor memory"));
    Ok(Box::new(TensorMemory { logical, memory, title, notes }))
}

/// A part of a layout whose coordinate is shown as one number.
struct Part {
    name: String,
    layout: Layout<i64>,
    /// The mode that it is in, and its step there.
    mode: usize,
    step: i64,
}

/// The modes; of a mode that is nested twice, its modes.
fn parts(layout: &Layout<i64>) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for (mode, whole) in layout.modes().map(|mode| mode.to_owned()).enumerate() {
        if whole.depth() < 2 {
            parts.push(Part { name: format!("mode {mode}"), layout: whole, mode, step: 1 });
            continue;
        }
        let mut step = 1;
        for (n, part) in whole.modes().map(|part| part.to_owned()).enumerate() {
            let next = step * at(1, size(&part))?;
            parts.push(Part { name: format!("mode {mode}.{n}"), layout: part, mode, step });
            step = next;
        }
    }
    Ok(parts)
}

/// A leaf with a stride: its place among the parts, and its step in the coordinate of its part.
struct Digit {
    extent: i64,
    stride: i64,
    part: usize,
    step: i64,
}

/// The element at each lane and column. Elements that differ in modes of stride 0 are one.
fn memory(layout: &Layout<i64>, bits: i64, linked: bool) -> Result<Physical> {
    let per_column = 32 / bits.clamp(1, 32);
    let lane = LANE_WORDS * per_column;
    let parts = parts(layout)?;
    let (mut digits, mut total, mut shown) = (Vec::new(), 1_i64, Vec::new());
    for (k, part) in parts.iter().enumerate() {
        let mut step = 1;
        for (extent, stride) in part.layout.flat() {
            let stride = *at(1, stride.expect_int("a place in tensor memory"))?;
            if *extent > 1 && stride != 0 {
                digits.push(Digit { extent: *extent, stride, part: k, step });
                total = total.saturating_mul(*extent);
            }
            step = step.saturating_mul(*extent);
        }
        if digits.iter().any(|digit| digit.part == k) && shown.len() < AXES.len() {
            shown.push(k);
        }
    }
    if total > MAX_CELLS {
        let why = format!("{layout} has {total} places; at most {MAX_CELLS} are drawn");
        return Err(Error::Request(why));
    }
    let extents: Vec<i64> =
        layout.modes().map(|mode| at(1, size(&mode.to_owned()))).collect::<Result<_>>()?;
    let mut elements = Vec::with_capacity(total as usize);
    for number in 0..total {
        let (mut rest, mut offset, mut coordinate) = (number, 0_i64, vec![0; parts.len()]);
        for Digit { extent, stride, part, step } in &digits {
            let digit = rest % extent;
            rest /= extent;
            offset = offset.saturating_add(digit.saturating_mul(*stride));
            coordinate[*part] += digit.saturating_mul(*step);
        }
        elements.push(([offset.div_euclid(lane), offset.rem_euclid(lane)], coordinate));
    }
    if elements.iter().any(|(place, _)| place[0] < 0) {
        return Err(Error::Request(format!("{layout} reaches below lane 0")));
    }
    let reach = |k: usize| elements.iter().map(|(place, _)| place[k] + 1).max().unwrap_or(1);
    let (lanes, columns) = (reach(0).max(LANES), (reach(1) + per_column - 1) / per_column * per_column);
    grid::limited([lanes, columns])?;
    let label = |element: i64| match per_column {
        1 => element.to_string(),
        _ => format!("{}.{}", element / per_column, element % per_column),
    };
    let named: Vec<_> =
        shown.iter().zip(AXES).map(|(k, axis)| format!("{axis} is {}", parts[*k].name)).collect();
    let mut memory = Physical {
        title: format!("tensor memory: lanes down, columns of 32 bits across; {}", named.join(", ")),
        of: linked.then_some(0),
        across: extents.iter().skip(1).fold(1, |all, extent| all.saturating_mul(*extent)),
        rows: grid::numbered(lanes),
        columns: (0..columns).map(label).collect(),
        words: ["lane", "column"],
        axes: AXES[..shown.len()].to_vec(),
        ..Physical::default()
    }
    .emptied()?;
    for (place, coordinate) in elements {
        let of_mode = |mode: usize| -> i64 {
            let own = parts.iter().zip(&coordinate).filter(|(part, _)| part.mode == mode);
            own.map(|(part, along)| part.step.saturating_mul(*along)).fold(0, i64::saturating_add)
        };
        // Mode 0 goes down, the others across, the last fastest.
        let column = (1..extents.len())
            .fold(0_i64, |column, mode| column.saturating_mul(extents[mode]).saturating_add(of_mode(mode)));
        let element = Element {
            cell: [of_mode(0), column],
            coordinate: shown.iter().map(|k| coordinate[*k]).collect(),
            colour: palette::of_thread(of_mode(0)),
            count: 1,
        };
        memory.put(place, element);
    }
    Ok(memory)
}

impl Picture for TensorMemory {
    fn sheet(&self) -> Result<Sheet> {
        let mut sheet = match &self.logical {
            Some(logical) => logical.sheet()?,
            None => Sheet { grids: vec![vec![Some(self.memory.grid()?)]], ..Sheet::default() },
        };
        sheet.title.clone_from(&self.title);
        sheet.notes.extend(self.notes.iter().cloned());
        Ok(sheet)
    }

    fn facts(&self, table: usize, row: i64, column: i64) -> Result<Vec<Fact>> {
        match &self.logical {
            Some(logical) => logical.facts(table, row, column),
            None => {
                grid::only(table)?;
                self.memory.facts(row, column).map(|(facts, _)| facts)
            }
        }
    }

    fn physical(&self) -> Result<Vec<Physical>> {
        match self.logical {
            Some(_) => Ok(vec![self.memory.clone()]),
            None => Ok(Vec::new()),
        }
    }
}
