//! Text with holes: how one row of a table says many names and layouts. Knows strings only.

use cute_algebra::{Layout, parse_layout};

/// Fills the holes of `m{m}n{n/8}` with what `hole` says. `{name*3}` and `{name/3}` are computed of `{name}`.
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

/// The layout that a table says; a table that says none is a bug that the first test finds.
pub(crate) fn read(text: &str) -> Layout<i64> {
    match parse_layout(text).map(|layout| layout.to_const()) {
        Ok(Some(layout)) => layout,
        _ => panic!("'{text}' in a table of atoms is no static layout"),
    }
}
