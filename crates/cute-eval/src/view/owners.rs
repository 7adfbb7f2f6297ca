//! The threads and values of the elements of a tile: thread-value layouts, tiled MMAs and tiled
//! copies.

use cute_algebra::{
    AnyLayout, CopySide, Crd, Layout, MmaOperand, TiledCopy, TiledMma, Tuple, crd2idx, right_inverse, size,
};
use cute_arch::atoms::{CopyAtom, MmaAtom, Space};

use super::{
    Picture, fragments,
    grid::{self, Facet, Fact, Sheet, ViewGrid},
    physical::Physical,
};
use crate::{
    error::{Result, at},
    explain,
    leaf::Leaf,
    svg::{owners::Owners, palette, tilings},
};

/// Bits of a register.
const REGISTER: i64 = 32;

/// The number of owners that are listed.
const LISTED: usize = 16;

/// A tile and its owners.
struct Table {
    title: String,
    name: String,
    owners: Owners,
    transposed: bool,
    /// From (thread, value) to the index in the tile, if one layout has all.
    tv: Option<Layout<i64>>,
    /// Bits of a value, if values are in registers.
    bits: Option<i64>,
    /// The names of the modes of the tile.
    axes: [&'static str; 2],
}

struct Tile {
    title: String,
    /// From top to bottom and from left to right.
    tables: Vec<Vec<Option<Table>>>,
}

/// The owners of a tile of `extents` under a thread-value layout.
pub fn of_layout(tv: &Layout<i64>, extents: [i64; 2], bits: Option<i64>) -> Result<Box<dyn Picture>> {
    let [rows, columns] = extents;
    let owners = Owners::of_layout(1, &format!("the tile ({rows},{columns})"), extents, tv)?;
    let table = Table {
        title: String::new(),
        name: String::new(),
        owners,
        transposed: false,
        tv: Some(tv.clone()),
        bits,
        axes: ["i", "j"],
    };
    Tile { title: format!("{tv} on ({rows},{columns})"), tables: vec![vec![Some(table)]] }.made()
}

/// A, B and C of a tile of a tiled MMA, arranged so that A and B touch C.
pub fn of_mma(atom: &MmaAtom, mma: &TiledMma, tile: [i64; 3]) -> Result<Box<dyn Picture>> {
    let make = |which: MmaOperand| -> Result<Option<Table>> {
        let operand = match which {
            MmaOperand::A => &atom.a,
            MmaOperand::B => &atom.b,
            MmaOperand::C => &atom.c,
        };
        let (title, transposed) = tilings::orientation(which);
        let owners = tilings::operand(1, mma, tile, which)?;
        let tv = match tile == mma.tile_mnk() {
            true => Some(at(1, mma.layout_tv(which))?),
            false => None,
        };
        let bits = (operand.from == Space::Register).then_some(i64::from(operand.bits));
        let axes = which.of(["m", "n", "k"]);
        Ok(Some(Table { title, name: which.to_string(), owners, transposed, tv, bits, axes }))
    };
    let [a, b, c] = MmaOperand::ALL.map(make);
    let [m, n, k] = tile;
    let title = format!("{} on ({m},{n},{k})", atom.name);
    Tile { title, tables: vec![vec![None, b?], vec![a?, c?]] }.made()
}

/// Source and destination of a tiled copy.
pub fn of_copy(copy: &TiledCopy, value_bits: i64) -> Result<Box<dyn Picture>> {
    let make = |side: CopySide| -> Result<Option<Table>> {
        let (name, owners) = tilings::side(1, copy, side)?;
        let tv = Some(at(1, copy.layout_tv(side))?);
        let (title, name) = (name.to_string(), format!("the {name}"));
        let axes = ["i", "j"];
        Ok(Some(Table { title, name, owners, transposed: false, tv, bits: Some(value_bits), axes }))
    };
    let [source, destination] = CopySide::ALL.map(make);
    let title = format!("{} on {}", copy.tv(), copy.tiler());
    Tile { title, tables: vec![vec![source?, destination?]] }.made()
}

/// Source and destination of one call of a copy, in units of `bits` or by default of what it
/// moves.
pub fn of_copy_atom(atom: &CopyAtom, bits: Option<i64>) -> Result<Box<dyn Picture>> {
    let (bits, sides) = tilings::copy_atom(1, atom, bits)?;
    let make = |(name, tv, owners): (&str, Layout<i64>, Owners)| {
        Some(Table {
            title: tilings::side_title(name, bits),
            name: format!("the {name}"),
            owners,
            transposed: true,
            tv: Some(tv),
            bits: Some(bits),
            axes: ["j", "i"],
        })
    };
    let title = format!("{}: (thread, bit) to bit", atom.name);
    Tile { title, tables: vec![sides.map(make).into()] }.made()
}

impl Table {
    /// Whether threads have its elements in registers.
    fn has_threads(&self) -> bool {
        self.bits.is_some() || self.name.is_empty()
    }

    /// Rows and columns as drawn.
    fn extents(&self) -> [i64; 2] {
        let [rows, columns] = self.owners.extents();
        if self.transposed { [columns, rows] } else { [rows, columns] }
    }

    /// The row and column in the tile of a cell.
    fn element(&self, row: i64, column: i64) -> [i64; 2] {
        if self.transposed { [column, row] } else { [row, column] }
    }

    fn grid(&self) -> Result<ViewGrid> {
        let [rows, columns] = self.extents();
        let cells = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        let owners: Vec<_> = cells
            .map(|(i, j)| {
                let [i, j] = self.element(i, j);
                self.owners.at(i, j)
            })
            .collect();
        let of =
            |f: &dyn Fn(crate::svg::owners::Owner) -> i64| owners.iter().map(|owner| owner.map(f)).collect();
        let mut facets = vec![Facet::new("thread", of(&|owner| owner.thread))?];
        facets.push(Facet::new("value", of(&|owner| owner.value))?);
        if let Some(bits) = self.bits {
            facets.push(Facet::new("register", of(&|owner| register(owner.value, bits)))?);
        }
        if owners.iter().flatten().any(|owner| owner.sharers > 1) {
            facets.push(Facet::new("threads that have it", of(&|owner| owner.sharers))?);
        }
        Ok(ViewGrid {
            title: self.title.clone(),
            rows: grid::numbered(rows),
            columns: grid::numbered(columns),
            facets,
            lines: vec![("T", 0), ("V", 1)],
            colours: grid::colours(
                owners.iter().map(|owner| owner.map(|owner| palette::of_thread(owner.thread))),
            ),
            of: None,
        })
    }

    fn facts(&self, row: i64, column: i64) -> Result<Vec<Fact>> {
        grid::within(self.extents(), row, column)?;
        let [i, j] = self.element(row, column);
        let [rows, _] = self.owners.extents();
        let index = i + j * rows;
        let element = vec![format!("{i} + {j} * {rows} = {index}, the first mode fastest")];
        let mut facts = vec![
            Fact::new("coordinate", format!("({i},{j})"), Vec::new()),
            Fact::new("index", index, element),
        ];
        let parts = self.owners.all(i, j)?;
        let mut owners = Vec::new();
        for (set, value) in &parts {
            owners.extend(set.threads.iter().map(|thread| (*thread, *value)));
        }
        owners.sort_unstable();
        let Some((thread, value)) = owners.first().copied() else {
            facts.push(Fact::new("thread", "none", vec!["No thread has this element.".into()]));
            return Ok(facts);
        };
        let first = parts.iter().find(|(set, own)| set.threads.contains(&thread) && *own == value);
        let mut steps = Vec::new();
        if let Some((set, _)) = first {
            steps.push(format!("thread {thread} has {} from index {} on", set.layout, set.offset));
            let part: AnyLayout<Leaf> = set.layout.map(|n| Leaf::fixed(*n)).into();
            steps.extend(explain::evaluation(&Tuple::leaf(Crd::Int(Leaf::fixed(value))), &part)?);
            steps.push(format!("{} + {} = {index}", set.offset, index - set.offset));
        }
        if let Some(back) = self.back(index)? {
            steps.push(back);
        }
        facts.push(Fact::new("thread", thread, steps));
        facts.push(Fact::new("value", value, Vec::new()));
        if let Some(bits) = self.bits {
            let low = value * bits % REGISTER;
            let steps = vec![format!(
                "{value} * {bits} / {REGISTER} = {}, bits {low} to {}",
                register(value, bits),
                low + bits - 1
            )];
            facts.push(Fact::new("register", register(value, bits), steps));
        }
        if owners.len() > 1 {
            let listed = owners.iter().take(LISTED).map(|(thread, value)| format!("T{thread} V{value}"));
            let mut listed = listed.collect::<Vec<_>>().join(", ");
            if owners.len() > LISTED {
                listed.push_str(&format!(" and {} more", owners.len() - LISTED));
            }
            facts.push(Fact::new("threads that have it", owners.len(), vec![listed]));
        }
        Ok(facts)
    }

    /// The way back from an index to a thread and a value, by the right inverse.
    fn back(&self, index: i64) -> Result<Option<String>> {
        let Some(tv) = &self.tv else { return Ok(None) };
        let Ok(inverse) = right_inverse(tv) else { return Ok(None) };
        let threads = at(1, tv.mode(0).and_then(|mode| size(&mode)))?;
        if threads < 1 || !(0..at(1, size(&inverse))?).contains(&index) {
            return Ok(None);
        }
        let pair = at(1, crd2idx(&Tuple::leaf(Crd::Int(index)), &inverse))?;
        let pair = *at(1, pair.expect_int("a thread and a value"))?;
        Ok(Some(format!(
            "back: the right inverse {inverse} of the thread-value layout maps {index} to {pair}: thread {pair} % {threads} = {}, value {pair} / {threads} = {}",
            pair % threads,
            pair / threads
        )))
    }
}

/// The register of a value.
fn register(value: i64, bits: i64) -> i64 {
    value.saturating_mul(bits) / REGISTER
}

impl Tile {
    fn made(self) -> Result<Box<dyn Picture>> {
        for table in self.all() {
            grid::limited(table.extents())?;
        }
        Ok(Box::new(self))
    }

    fn all(&self) -> impl Iterator<Item = &Table> {
        self.tables.iter().flatten().flatten()
    }
}

impl Picture for Tile {
    fn sheet(&self) -> Result<Sheet> {
        let row = |row: &Vec<Option<Table>>| {
            row.iter().map(|table| table.as_ref().map(Table::grid).transpose()).collect::<Result<Vec<_>>>()
        };
        let grids = self.tables.iter().map(row).collect::<Result<_>>()?;
        let mut notes = vec![
            "T is the thread, V the number of the element among its values; the colour is the thread's."
                .into(),
        ];
        for table in self.all() {
            let of = if table.name.is_empty() { String::new() } else { format!(" of {}", table.name) };
            notes.extend(table.owners.notes(&of));
        }
        Ok(Sheet { title: self.title.clone(), grids, legend: Vec::new(), notes })
    }

    fn tables(&self) -> usize {
        self.all().count()
    }

    fn physical(&self) -> Result<Vec<Physical>> {
        let held = self.all().enumerate().filter(|(_, table)| table.has_threads());
        let of = |(number, table): (usize, &Table)| {
            let title = match table.name.as_str() {
                "" => "registers".to_string(),
                name => format!("registers of {name}"),
            };
            fragments::of(&table.owners, title, table.axes, number, table.transposed)
        };
        held.map(of).collect()
    }

    fn facts(&self, table: usize, row: i64, column: i64) -> Result<Vec<Fact>> {
        let found = self.all().nth(table);
        found.ok_or_else(|| grid::no_table(table, self.all().count()))?.facts(row, column)
    }
}
