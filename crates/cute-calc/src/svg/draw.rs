//! A sheet as SVG. Knows lengths and fonts; cells of one colour are one path, so that large tables stay small files.

use ::svg::{
    Document,
    node::element::{Group, Path, Rectangle, Style, Text, Title},
};

use super::{
    palette,
    sheet::{Grid, Sheet},
};

/// Most cells of a table, and most rows or columns, that still get text.
const TEXT: (i64, i64) = (1 << 12, 128);

/// Side of a cell without text.
const SMALL: i64 = 8;

/// Space between things.
const GAP: i64 = 12;

/// Height of a line of text, and of one in a cell.
const LINE: i64 = 20;
const CELL_LINE: i64 = 12;

/// Space for the row indices, and for the column indices.
const RIM: [i64; 2] = [30, 16];

/// Side of a colour in the legend, and how many pixels of them are put side by side in a narrow picture.
const SWATCH: i64 = 14;
const LEGEND: i64 = 600;

/// Widths of a character in the sizes of the style, rounded up.
const HEADING_CHAR: i64 = 9;
const BODY_CHAR: i64 = 8;

const STYLE: &str = "\
text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px;fill:#222}
path{shape-rendering:crispEdges}
.h{font-size:14px;font-weight:600}
.r text{font-size:10px;fill:#666;text-anchor:end}
.k text{font-size:10px;fill:#666;text-anchor:middle}
.t text{font-size:10px;text-anchor:middle}
.l{fill:none;stroke:#000;stroke-opacity:.2}
.o{fill:none;stroke:#444}
";

fn chars(text: &str) -> i64 {
    text.chars().count() as i64
}

/// What is the same for all tables of a sheet.
struct Sizes {
    cell: [i64; 2],
    text: bool,
    /// Every so many rows and columns have their index at the rim.
    step: [i64; 2],
}

impl Sizes {
    fn of(sheet: &Sheet) -> Self {
        let (cells, side) = TEXT;
        let fits = |grid: &Grid| grid.rows * grid.columns <= cells && grid.rows.max(grid.columns) <= side;
        let text = sheet.all().all(fits);
        let lines = || sheet.all().flat_map(|grid| &grid.cells).flatten().map(|cell| &cell.lines);
        let cell = if text {
            let widest = lines().flatten().map(|line| chars(line)).max().unwrap_or(0);
            let most = lines().map(Vec::len).max().unwrap_or(1) as i64;
            [widest * 61 / 10 + 9, CELL_LINE * most + 8].map(|side| side.max(26))
        } else {
            [SMALL; 2]
        };
        let last = sheet.all().map(|grid| grid.rows.max(grid.columns)).max().unwrap_or(1) - 1;
        let label = [7 * chars(&last.to_string()), 10];
        let step = |of: i64, label: i64| (0..).map(|i| 1 << i).find(|step| step * of >= label).unwrap_or(1);
        let step = if text { [step(cell[0], label[0]), 1] } else { [step(SMALL, label[0]).max(8), 8] };
        Self { cell, text, step }
    }

    /// Width and height of a table's cells.
    fn cells(&self, grid: &Grid) -> [i64; 2] {
        [grid.columns * self.cell[0], grid.rows * self.cell[1]]
    }

    /// Width and height of a table with its title and rim.
    fn block(&self, grid: &Grid) -> [i64; 2] {
        let [width, height] = self.cells(grid);
        let title = if grid.title.is_empty() { 0 } else { LINE };
        [(RIM[0] + width).max(BODY_CHAR * chars(&grid.title)), title + RIM[1] + height]
    }

    fn grid(&self, grid: &Grid) -> Group {
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
        let mut rows = Group::new().set("class", "r");
        for i in (0..grid.rows).step_by(self.step[1] as usize) {
            rows = rows.add(text(i.to_string(), [-4, i * h + h / 2 + 4]));
        }
        let mut columns = Group::new().set("class", "k");
        for j in (0..grid.columns).step_by(self.step[0] as usize) {
            columns = columns.add(text(j.to_string(), [j * w + w / 2, -5]));
        }
        group.add(rows).add(columns).add(rectangle("o", [0, 0], [width, height]))
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
            for (j, cell) in (0..).zip(row) {
                for (n, line) in (0..).zip(cell.iter().flat_map(|cell| &cell.lines)) {
                    let lines = cell.as_ref().map_or(1, |cell| cell.lines.len() as i64);
                    let top = (h - CELL_LINE * lines) / 2 + CELL_LINE * n;
                    group = group.add(text(line.clone(), [j * w + w / 2, i * h + top + 9]));
                }
            }
        }
        group
    }
}

fn text(content: String, [x, y]: [i64; 2]) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

fn rectangle(class: &str, [x, y]: [i64; 2], [width, height]: [i64; 2]) -> Rectangle {
    Rectangle::new().set("class", class).set("x", x).set("y", y).set("width", width).set("height", height)
}

/// The picture.
pub fn draw(sheet: &Sheet) -> String {
    let sizes = Sizes::of(sheet);
    let mut style = STYLE.to_string();
    let used = |colour: usize| {
        let cells = || sheet.all().flat_map(|grid| &grid.cells).flatten();
        cells().any(|cell| cell.colour == colour) || sheet.legend.iter().any(|(of, _)| *of == colour)
    };
    for colour in (0..palette::COLOURS).filter(|colour| used(*colour)) {
        style.push_str(&format!(".c{colour}{{fill:{}}}\n", palette::css(colour)));
    }
    let mut body = Group::new();
    let mut y = GAP + LINE;
    body = body.add(text(sheet.title.clone(), [GAP, y - 4]).set("class", "h"));
    let mut right = GAP + HEADING_CHAR * chars(&sheet.title);

    let across = sheet.grids.iter().map(Vec::len).max().unwrap_or(0);
    let at =
        |row: &'_ [Option<Grid>], j: usize| row.get(j).and_then(Option::as_ref).map(|grid| sizes.block(grid));
    let widths: Vec<i64> = (0..across)
        .map(|j| sheet.grids.iter().filter_map(|row| Some(at(row, j)?[0])).max().unwrap_or(0))
        .collect();
    for row in &sheet.grids {
        let height = (0..across).filter_map(|j| Some(at(row, j)?[1])).max().unwrap_or(0);
        let mut x = GAP;
        for (grid, width) in row.iter().zip(&widths) {
            if let Some(grid) = grid {
                let [own_width, own_height] = sizes.cells(grid);
                let corner = [x + width - own_width, y + height - own_height];
                let title = text(grid.title.clone(), [x, corner[1] - RIM[1] - 5]);
                let place = format!("translate({},{})", corner[0], corner[1]);
                body = body.add(sizes.grid(grid).set("transform", place));
                if !grid.title.is_empty() {
                    body = body.add(title);
                }
            }
            x += width + GAP;
        }
        right = right.max(x - GAP);
        y += height + GAP;
    }

    let entry =
        sheet.legend.iter().map(|(_, what)| chars(what)).max().unwrap_or(0) * BODY_CHAR + SWATCH + GAP;
    let per_line = (right.max(LEGEND) / entry).max(1);
    for (n, (colour, what)) in (0..).zip(&sheet.legend) {
        let (x, y) = (GAP + n % per_line * entry, y + n / per_line * LINE);
        body = body.add(rectangle(&format!("c{colour}"), [x, y], [SWATCH; 2]));
        body = body.add(text(what.clone(), [x + SWATCH + 4, y + 11]));
        right = right.max(x + entry);
    }
    y += (sheet.legend.len() as i64 + per_line - 1) / per_line * LINE;
    for note in &sheet.notes {
        body = body.add(text(note.clone(), [GAP, y + 12]));
        right = right.max(GAP + BODY_CHAR * chars(note));
        y += LINE;
    }
    let [width, height] = [right + GAP, y + GAP];
    let document = Document::new()
        .set("width", width)
        .set("height", height)
        .set("viewBox", (0, 0, width, height))
        .add(Title::new(sheet.title.clone()))
        .add(Style::new(style))
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", "#fff"))
        .add(body);
    format!("{document}\n")
}
