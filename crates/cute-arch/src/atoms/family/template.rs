//! Text with holes, by which one row of a table produces many names and layouts. This module
//! contains only strings.

use cute_algebra::{Layout, parse_layout};

/// Fills the holes of `m{m}n{n/8}` with the results of `hole`. `{name*3}` and `{name/3}` are
/// computed from `{name}`.
pub(crate) fn fill(template: &str, hole: impl Fn(&str) -> Option<String>) -> String {
    let mut pieces = template.split(['{', '}']);
    let mut text = pieces.next().expect("a text has a first piece").to_owned();
    while let Some(name) = pieces.next() {
        let filled = hole(name).or_else(|| computed(name, &hole));
        text += &filled.unwrap_or_else(|| panic!("'{{{name}}}' in a table of atoms stands for nothing"));
        text += pieces.next().expect("a hole in a table of atoms is closed");
    }
    text
}

fn computed(expression: &str, hole: impl Fn(&str) -> Option<String>) -> Option<String> {
    let operator = expression.find(['*', '/'])?;
    let (name, operand) = expression.split_at(operator);
    let (value, by): (u32, u32) = (hole(name)?.parse().ok()?, operand[1..].parse().ok()?);
    Some(if operand.starts_with('*') { value * by } else { value / by }.to_string())
}

/// Parses a layout of a table. An invalid layout is a bug in the table, which the first test finds.
pub(crate) fn read(text: &str) -> Layout<i64> {
    match parse_layout(text).map(|layout| layout.to_const()) {
        Ok(Some(layout)) => layout,
        _ => panic!("'{text}' in a table of atoms is not a static layout"),
    }
}
