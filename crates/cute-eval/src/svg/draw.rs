//! Draws a sheet as SVG: the heading, the tables, the legend and the notes, from top to bottom.

use ::svg::{
    Document,
    node::element::{Group, Rectangle, Style, Title},
};

use super::{
    palette,
    sheet::{Grid, Sheet},
    table::{RIM, Sizes},
    text::{self, LINE, STYLE, rectangle},
};

/// The space between parts.
const GAP: i64 = 12;

/// Side of a colour in the legend.
const SWATCH: i64 = 14;

/// The maximum width of a legend under a narrow table.
const LEGEND: i64 = 600;

pub fn draw(sheet: &Sheet) -> String {
    let mut page = Page { body: Group::new(), right: 0, y: GAP };
    page.heading(&sheet.title);
    page.tables(sheet);
    page.legend(&sheet.legend);
    page.notes(&sheet.notes);
    let [width, height] = [page.right, page.y].map(|end| end + GAP);
    let document = Document::new()
        .set("width", width)
        .set("height", height)
        .set("viewBox", (0, 0, width, height))
        .add(Title::new(sheet.title.clone()))
        .add(Style::new(style(sheet)))
        .add(Rectangle::new().set("width", width).set("height", height).set("fill", "#fff"))
        .add(page.body);
    format!("{document}\n")
}

/// The style with the colours that are used.
fn style(sheet: &Sheet) -> String {
    let mut used = [false; palette::COLOURS];
    let of_cells = sheet.all().flat_map(|grid| &grid.cells).flatten().map(|cell| cell.colour);
    for colour in of_cells.chain(sheet.legend.iter().map(|(colour, _)| *colour)) {
        used[colour % palette::COLOURS] = true;
    }
    let used = (0..palette::COLOURS).filter(|colour| used[*colour]);
    let classes = used.map(|colour| format!(".c{colour}{{fill:{}}}\n", palette::css(colour)));
    std::iter::once(STYLE.to_string()).chain(classes).collect()
}

/// The part of the page that is drawn so far, and the position at which it ends.
struct Page {
    body: Group,
    right: i64,
    y: i64,
}

impl Page {
    fn add(&mut self, node: impl Into<Box<dyn ::svg::Node>>, right: i64) {
        ::svg::Node::append(&mut self.body, node);
        self.right = self.right.max(right);
    }

    fn heading(&mut self, title: &str) {
        let heading = text::at(title, [GAP, self.y + LINE - 4]).set("class", "h");
        self.add(heading, GAP + text::heading_width(title));
        self.y += LINE;
    }

    /// Draws the tables. The tables of a row are aligned at the bottom and those of a column at the
    /// right, so that A and B touch C.
    fn tables(&mut self, sheet: &Sheet) {
        let sizes = Sizes::of(sheet);
        let across = sheet.grids.iter().map(Vec::len).max().unwrap_or(0);
        let largest = |grids: &mut dyn Iterator<Item = &Option<Grid>>, side: usize| {
            grids.flatten().map(|grid| sizes.block(grid)[side]).max().unwrap_or(0)
        };
        let width = |j: usize| largest(&mut sheet.grids.iter().filter_map(|row| row.get(j)), 0);
        let widths: Vec<_> = (0..across).map(width).collect();
        for row in &sheet.grids {
            let bottom = self.y + largest(&mut row.iter(), 1);
            let mut left = GAP;
            for (grid, width) in row.iter().zip(&widths) {
                if let Some(grid) = grid {
                    let [own_width, own_height] = sizes.cells(grid);
                    let [x, y] = [left + width - own_width, bottom - own_height];
                    let table = sizes.table(grid).set("transform", format!("translate({x},{y})"));
                    self.add(table, left + width);
                    if !grid.title.is_empty() {
                        self.add(text::at(&grid.title, [left, y - RIM[1] - 5]), left + width);
                    }
                }
                left += width + GAP;
            }
            self.y = bottom + GAP;
        }
    }

    fn legend(&mut self, legend: &[(usize, String)]) {
        let Some(widest) = legend.iter().map(|(_, what)| text::width(what)).max() else { return };
        let entry = widest + SWATCH + GAP;
        let per_line = (self.right.max(LEGEND) / entry).max(1) as usize;
        for line in legend.chunks(per_line) {
            let mut x = GAP;
            for (colour, what) in line {
                self.add(rectangle(&format!("c{colour}"), [x, self.y], [SWATCH; 2]), x);
                self.add(text::at(what, [x + SWATCH + 4, self.y + 11]), x + entry);
                x += entry;
            }
            self.y += LINE;
        }
    }

    fn notes(&mut self, notes: &[String]) {
        for note in notes {
            self.add(text::at(note, [GAP, self.y + 12]), GAP + text::width(note));
            self.y += LINE;
        }
    }
}
