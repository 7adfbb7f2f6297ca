//! The values of a layout as a table, as CuTe's `print_layout` draws it.

use cute_algebra::{Int, LayoutLike, cosize};

use crate::{
    error::{Error, Result},
    eval::Session,
    matrix::Matrix,
    syntax,
    value::{show_layout, show_tuple},
};

/// Most cells that are printed.
const MAX_CELLS: i64 = 1 << 14;

/// The table of the layout that `text` evaluates to: mode 0 down, the other modes across, first mode fastest.
pub fn print(session: &Session, text: &str) -> Result<String> {
    let node = syntax::expression(text)?;
    let column = node.column;
    let matrix = Matrix::of("table", column, session.node(&node)?)?;
    let Matrix { layout, rows, columns, .. } = &matrix;
    let total = rows * columns;
    if total > MAX_CELLS {
        let why =
            format!("a table of {total} cells: at most {MAX_CELLS} are printed, slice the layout first");
        return Err(Error::Table { column, why });
    }
    // As wide as the cosize, which the largest value may be one digit short of.
    let least = match cosize(layout) {
        Ok(cosize) if !layout.outer().has_basis() => digits(cosize.as_static().unwrap_or(0)),
        _ => 1,
    };
    let mut cells = Vec::new();
    for j in 0..*columns {
        for i in 0..*rows {
            cells.push(show_tuple(&matrix.value(i, j)?));
        }
    }
    Ok(format!("{}\n{}", show_layout(layout), draw(&cells, least, *rows, *columns)))
}

fn digits(n: i64) -> usize {
    n.to_string().len()
}

/// `cells` in colexicographic order, each at least `least` wide.
fn draw(cells: &[String], least: usize, rows: i64, columns: i64) -> String {
    let widest = cells.iter().map(String::len).max().unwrap_or(1);
    let width = least.max(widest).max(digits((columns - 1).max(0)));
    let margin = digits((rows - 1).max(0)).max(2);
    let indent = " ".repeat(margin + 2);
    let rule =
        format!("{indent}{}+\n", format!("+{}", "-".repeat(width + 2)).repeat(columns.max(0) as usize));
    let mut text = indent.clone();
    for j in 0..columns {
        text.push_str(&format!("  {j:>width$} "));
    }
    text.push('\n');
    for i in 0..rows {
        text.push_str(&rule);
        text.push_str(&format!("{i:>margin$}  "));
        for j in 0..columns {
            let cell = cells.get((i + j * rows) as usize).map_or("", String::as_str);
            text.push_str(&format!("| {cell:>width$} "));
        }
        text.push_str("|\n");
    }
    text.push_str(&rule);
    text
}
