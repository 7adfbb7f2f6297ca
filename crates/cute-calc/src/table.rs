//! The values of a layout as a table, as CuTe's `print_layout` draws it.

use cute_algebra::{AnyLayout, Crd, Int, LayoutLike, Tuple, cosize, crd2idx, product};

use crate::{
    error::{Error, Result, at},
    eval::Session,
    leaf::Leaf,
    registry::Arg,
    syntax,
    value::{Value, show_layout, show_tuple},
};

/// Most cells that are printed.
const MAX_CELLS: i64 = 1 << 14;

/// The table of the layout that `text` evaluates to: mode 0 down, the other modes across, first mode fastest.
pub fn print(session: &Session, text: &str) -> Result<String> {
    let node = syntax::expression(text)?;
    let column = node.column;
    let value = match session.node(&node)? {
        Value::Part { layout, .. } => Value::Layout(layout),
        other => other,
    };
    let layout = Arg { what: "the table".to_string(), column, value }.layout()?;
    let fail = |why: String| Error::Table { column, why };
    if !layout.is_static() {
        return Err(fail(format!(
            "a table needs a static layout, {} has dynamic leaves",
            show_layout(&layout)
        )));
    }
    let shape = layout.outer().shape();
    let extent = |size: Leaf| size.as_static().unwrap_or(0);
    let rows = match shape.mode(0) {
        Some(mode) => extent(at(column, product(mode))?),
        None => 1,
    };
    let total = extent(at(column, product(shape.view()))?);
    if total > MAX_CELLS {
        return Err(fail(format!(
            "a table of {total} cells: at most {MAX_CELLS} are printed, slice the layout first"
        )));
    }
    let columns = total / rows.max(1);
    // As wide as the cosize, which the largest value may be one digit short of.
    let least = match cosize(&layout) {
        Ok(cosize) if !layout.outer().has_basis() => digits(extent(cosize)),
        _ => 1,
    };
    let mut cells = Vec::new();
    for i in 0..total {
        cells.push(cell(&layout, i).map_err(|error| Error::Algebra { column, error })?);
    }
    Ok(format!("{}\n{}", show_layout(&layout), draw(&cells, least, rows, columns)))
}

fn cell(layout: &AnyLayout<Leaf>, index: i64) -> cute_algebra::error::Result<String> {
    let coord = Tuple::leaf(Crd::Int(Leaf::fixed(index)));
    Ok(show_tuple(&crd2idx(&coord, layout)?))
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
