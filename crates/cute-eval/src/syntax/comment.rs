//! Comments: `#` begins one anywhere, `//` where it cannot be meant as the division of Python.

/// The text without the comment at its end.
///
/// `//` begins a comment at the start, after a layout, and after what ends a type or a statement of
/// C++: `(4,8):(8,1) // row-major`. The parser refuses `7 // 2`, which Python reads as a division.
pub fn uncommented(text: &str) -> &str {
    let text = text.find('#').map_or(text, |end| &text[..end]);
    for (at, _) in text.match_indices("//") {
        let before = text[..at].trim();
        if before.is_empty() || before.ends_with([';', '{', '}', '>']) || is_layout(before) {
            return &text[..at];
        }
    }
    text
}

/// Whether the text has a `:` outside of brackets, and closes its brackets.
fn is_layout(text: &str) -> bool {
    let (mut depth, mut found) = (0_i64, false);
    for c in text.replace("::", "").chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ':' => found |= depth == 0,
            _ => {}
        }
    }
    found && depth == 0
}

#[cfg(test)]
mod tests {
    use super::uncommented;

    #[test]
    fn a_comment_ends_the_line_but_a_division_does_not() {
        for (text, rest) in [
            ("(4,8):(8,1) // row-major", "(4,8):(8,1) "),
            ("# a comment", ""),
            ("  // a comment", "  "),
            ("7 / 2 # three", "7 / 2 "),
            ("Layout<_4>{}; // four", "Layout<_4>{}; "),
            ("7 // 2", "7 // 2"),
            ("shape(4:1) // 2", "shape(4:1) // 2"),
            ("(4,8):(8 // 2,1)", "(4,8):(8 // 2,1)"),
            ("(4,8):(8 // 2,1) // both", "(4,8):(8 // 2,1) "),
        ] {
            assert_eq!(uncommented(text), rest);
        }
    }
}
