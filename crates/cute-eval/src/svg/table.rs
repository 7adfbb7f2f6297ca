//! Draws one table as SVG. The cells of a colour form one path, so that large tables give small
//! files.

use ::svg::node::element::{Group, Path};

use super::{
    palette,
    sheet::{Grid, Sheet},
    text::{self, LINE, rectangle},
};

/// The maximum numbers of cells and of rows or columns up to which cells contain text.
const TEXT: (i64, i64) = (1 << 12, 128);

/// Side of a cell without text.
const SMALL: i64 = 8;

/// Height of a line in a cell.
const CELL_LINE: i64 = 12;

/// Space for the row indices, and for the column indices.
pub const RIM: [i64; 2] = [30, 16];

/// The sizes that all tables of a sheet share.
pub(crate) struct Sizes {
    cell: [i64; 2],
    text: bool,
    /// The distance between rows and columns whose index is shown at the rim.
    step: [i64; 2],
}

impl Sizes {
    /// Computes cells that are large enough for their text, or small ones if there are too many.
    pub fn of(sheet: &Sheet) -> Self {
        let (cells, side) = TEXT;
        let fits = |grid: &Grid| grid.rows * grid.columns <= cells && grid.rows.max(grid.columns) <= side;
        let text = sheet.all().all(fits);
        let lines = || sheet.all().flat_map(|grid| &grid.cells).flatten().map(|cell| &cell.lines);
        let cell = if text {
            let widest = lines().flatten().map(|line| text::chars(line)).max().unwrap_or(0);
            let most = lines().map(Vec::len).max().unwrap_or(1) as i64;
            [widest * 61 / 10 + 9, CELL_LINE * most + 8].map(|side| side.max(26))
        } else {
            [SMALL; 2]
        };
        let last = sheet.all().map(|grid| grid.rows.max(grid.columns)).max().unwrap_or(1) - 1;
        let label = [7 * text::chars(&last.to_string()), 10];
        let step = |of: i64, label: i64| (0..).map(|i| 1 << i).find(|step| step * of >= label).unwrap_or(1);
        let step = if text { [step(cell[0], label[0]), 1] } else { [step(SMALL, label[0]).max(8), 8] };
        Self { cell, text, step }
    }

    /// Width and height of a table's cells.
    pub fn cells(&self, grid: &Grid) -> [i64; 2] {
        [grid.columns * self.cell[0], grid.rows * self.cell[1]]
    }

    /// Width and height of a table with its title and rim.
    pub fn block(&self, grid: &Grid) -> [i64; 2] {
        let [width, height] = self.cells(grid);
        let title = if grid.title.is_empty() { 0 } else { LINE };
        [(RIM[0] + width).max(text::width(&grid.title)), title + RIM[1] + height]
    }

    /// The table, with its upper left cell at (0, 0).
    pub fn table(&self, grid: &Grid) -> Group {
        let [width, height] = self.cells(grid);
        let [w, h] = self.cell;
        let mut group = Group::new().add(rectangle("o", [0, 0], [width, height]).set("fill", "#fff"));
        for (colour, data) in self.colours(grid).into_iter().enumerate().filter(|(_, data)| !data.is_empty())
        {
            group = group.add(Path::new().set("class", format!("c{colour}")).set("d", data));
        }
        if self.text {
            let rows = (1..grid.rows).map(|i| format!("M0 {}h{width}", i * h));
            let columns = (1..grid.columns).map(|j| format!("M{} 0v{height}", j * w));
            let lines: String = rows.chain(columns).collect();
            group = group.add(Path::new().set("class", "l").set("d", lines)).add(self.texts(grid));
        }
        let rows = (0..grid.rows).step_by(self.step[1] as usize);
        let rows = rows.map(|i| text::at(i.to_string(), [-4, i * h + h / 2 + 4]));
        let columns = (0..grid.columns).step_by(self.step[0] as usize);
        let columns = columns.map(|j| text::at(j.to_string(), [j * w + w / 2, -5]));
        let rim = |class: &str, texts| Group::new().set("class", class).add(texts);
        group.add(rim("r", text::in_one_line(rows))).add(rim("k", text::in_one_line(columns))).add(rectangle(
            "o",
            [0, 0],
            [width, height],
        ))
    }

    /// The cells of each colour as a path: neighbours in a row are one rectangle.
    fn colours(&self, grid: &Grid) -> Vec<String> {
        let [w, h] = self.cell;
        let mut paths = vec![String::new(); palette::COLOURS];
        for (i, row) in grid.by_row().enumerate() {
            let mut j = 0;
            for run in
                row.chunk_by(|a, b| a.as_ref().map(|cell| cell.colour) == b.as_ref().map(|cell| cell.colour))
            {
                let width = run.len() as i64 * w;
                if let Some(Some(cell)) = run.first()
                    && let Some(path) = paths.get_mut(cell.colour)
                {
                    path.push_str(&format!("M{} {}h{width}v{h}h-{width}z", j * w, i as i64 * h));
                }
                j += run.len() as i64;
            }
        }
        paths
    }

    fn texts(&self, grid: &Grid) -> Group {
        let [w, h] = self.cell;
        let mut group = Group::new().set("class", "t");
        for (i, row) in (0..).zip(grid.by_row()) {
            let cells = (0..).zip(row).filter_map(|(j, cell)| Some((j, cell.as_ref()?)));
            let texts = cells.flat_map(|(j, cell)| {
                let top = i * h + (h - CELL_LINE * cell.lines.len() as i64) / 2 + 9;
                let lines = (0..).zip(&cell.lines);
                lines.map(move |(n, line)| text::at(line.clone(), [j * w + w / 2, top + CELL_LINE * n]))
            });
            group = group.add(text::in_one_line(texts));
        }
        group
    }
}
