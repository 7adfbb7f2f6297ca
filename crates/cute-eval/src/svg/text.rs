//! Text, boxes, and the width of text. Lengths are in pixels.

use ::svg::node::{
    Blob,
    element::{Rectangle, Text},
};

/// Height of a line.
pub const LINE: i64 = 20;

/// Width of a character of the body and of the heading, rounded up.
const BODY_CHAR: i64 = 8;
const HEADING_CHAR: i64 = 9;

/// The fonts, and the classes: heading, rim at the left and on top, text of cells, lines between
/// cells, outlines.
pub const STYLE: &str = "\
text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px;fill:#222}
path{shape-rendering:crispEdges}
.h{font-size:14px;font-weight:600}
.r text{font-size:10px;fill:#666;text-anchor:end}
.k text{font-size:10px;fill:#666;text-anchor:middle}
.t text{font-size:10px;text-anchor:middle}
.l{fill:none;stroke:#000;stroke-opacity:.2}
.o{fill:none;stroke:#444}
";

/// The number of characters.
pub fn chars(text: &str) -> i64 {
    text.chars().count() as i64
}

/// The width of body text.
pub fn width(text: &str) -> i64 {
    BODY_CHAR * chars(text)
}

/// The width of a heading.
pub fn heading_width(text: &str) -> i64 {
    HEADING_CHAR * chars(text)
}

/// Text whose first line has its baseline at y.
pub fn at(content: impl Into<String>, [x, y]: [i64; 2]) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

/// Texts without a line break as one line of the file, so that a difference of two pictures shows
/// the rows that differ.
pub fn in_one_line(texts: impl IntoIterator<Item = Text>) -> Blob {
    Blob::new(texts.into_iter().map(|text| text.to_string().replace('\n', "")).collect::<String>())
}

/// A box of a class.
pub fn rectangle(class: &str, [x, y]: [i64; 2], [width, height]: [i64; 2]) -> Rectangle {
    Rectangle::new().set("class", class).set("x", x).set("y", y).set("width", width).set("height", height)
}
