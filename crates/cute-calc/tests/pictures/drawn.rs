//! Reads a picture back: the contents of each cell of each table.

use std::collections::BTreeMap;

use svg::{node::element::tag, parser::Event};

use crate::common::run;

/// A table as it was drawn.
#[derive(Debug, Default)]
pub struct Table {
    /// The numbers of rows and columns, from the indices at the rim.
    pub extents: [usize; 2],
    /// Width and height.
    size: [usize; 2],
    /// The colours painted at (row, column).
    pub colours: BTreeMap<[usize; 2], Vec<String>>,
    /// The lines at (row, column).
    pub text: BTreeMap<[usize; 2], Vec<String>>,
}

impl Table {
    /// The cell in which (x, y) lies.
    fn place(&self, [x, y]: [usize; 2]) -> [usize; 2] {
        let [rows, columns] = self.extents;
        [y * rows / self.size[1], x * columns / self.size[0]]
    }

    fn paint(&mut self, colour: &str, run: &str) {
        // x y h width v height h -width
        let numbers: Vec<usize> = run
            .split(|c: char| !c.is_ascii_digit())
            .filter(|number| !number.is_empty())
            .map(|number| number.parse().expect("a length"))
            .collect();
        let [x, y, width, height, back] = numbers[..] else { panic!("{run}") };
        assert_eq!(width, back);
        assert_eq!(height, self.size[1] / self.extents[0], "a row high");
        let cell = self.size[0] / self.extents[1];
        for x in (x..x + width).step_by(cell) {
            let place = self.place([x, y]);
            self.colours.entry(place).or_default().push(colour.to_string());
        }
    }
}

/// A picture: its tables, its width and height, and its other text.
#[derive(Debug, Default)]
pub struct Picture {
    /// In the order in which they are drawn.
    pub tables: Vec<Table>,
    /// Titles, legend and notes.
    pub words: Vec<String>,
}

/// The picture that `cute-calc svg args -o -` draws.
pub fn picture(args: &[&str]) -> Picture {
    let args = [&["svg"], args, &["-o", "-"]].concat();
    let (status, out, err) = run(&args);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{args:?}");
    read(&out)
}

/// Reads a picture. Its rims must have every index.
pub fn read(source: &str) -> Picture {
    let mut picture = Picture::default();
    let mut paths: Vec<(String, String)> = Vec::new();
    let mut groups: Vec<String> = Vec::new();
    let mut at = [0; 2];
    let mut cells: Vec<([usize; 2], String)> = Vec::new();
    let (mut rim, mut size) = ([0; 2], [0; 2]);
    for event in svg::read(source).expect("SVG") {
        match event {
            Event::Tag(tag::Group, tag::Type::Start, attributes) => {
                let name = |key: &str| attributes.get(key).map(|value| value.to_string());
                groups.push(name("class").or_else(|| name("transform")).unwrap_or_default());
            }
            Event::Tag(tag::Group, tag::Type::End, _) => {
                let group = groups.pop().unwrap_or_default();
                if group.starts_with("translate") {
                    let mut table = Table { extents: rim, size, ..Table::default() };
                    for (colour, data) in paths.drain(..) {
                        data.split_terminator('z').for_each(|run| table.paint(&colour, run));
                    }
                    for (at, text) in cells.drain(..) {
                        table.text.entry(table.place(at)).or_default().push(text);
                    }
                    picture.tables.push(table);
                    rim = [0; 2];
                }
            }
            Event::Tag(tag::Path, _, attributes) => {
                let class = attributes["class"].to_string();
                if class.starts_with('c') {
                    paths.push((class, attributes["d"].to_string()));
                }
            }
            Event::Tag(tag::Rectangle, _, attributes) if groups.len() > 1 => {
                size = ["width", "height"].map(|key| attributes[key].parse().expect("a length"));
            }
            Event::Tag(tag::Text, tag::Type::Start, attributes) => {
                at = ["x", "y"].map(|key| attributes[key].parse().unwrap_or_default());
            }
            Event::Text(text) => {
                let text = text.trim().replace("&lt;", "<").replace("&gt;", ">");
                match groups.last().map(String::as_str) {
                    Some("t") => cells.push((at, text)),
                    Some("r") => rim[0] += 1,
                    Some("k") => rim[1] += 1,
                    _ => picture.words.push(text),
                }
            }
            _ => {}
        }
    }
    picture
}
