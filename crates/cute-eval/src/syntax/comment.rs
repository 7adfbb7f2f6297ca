//! Comments: `#` begins one anywhere, `//` where it cannot be meant as the division of Python.

/// The text without the comment at its end.
///
/// `//` begins a comment at the start, after a layout, and after what ends a type or a statement of
/// C++: `(4,8):(8,1) // row-major`. The parser refuses `7 // 2`, which Python reads as a division.
pub fn uncommented(text: &str) -> &str {
    // Depth of brackets, whether a `:` was outside of them, and the last two characters.
    let (mut depth, mut is_layout, mut last, mut before) = (0_i64, false, ' ', ' ');
    // The last character that is not a space.
    let mut end = None;
    for (at, c) in text.char_indices() {
        // A `:` alone, not one of `::`.
        is_layout |= last == ':' && before != ':' && c != ':' && depth == 0;
        match c {
            '#' => return &text[..at],
            '/' if text[at..].starts_with("//") => {
                let ends = matches!(end, None | Some(';' | '{' | '}' | '>'));
                if ends || is_layout && depth == 0 {
                    return &text[..at];
                }
            }
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if !c.is_whitespace() {
            end = Some(c);
        }
        (before, last) = (last, c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::uncommented;

    #[test]
    fn a_comment_ends_the_line_but_a_division_does_not() {
        for (text, rest) in [
            ("(4,8):(8,1) // row-major", "(4,8):(8,1) "),
            ("GMMA::Major::K // 2", "GMMA::Major::K // 2"),
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
        // A long text takes linear time.
        let long = "1//".repeat(1 << 18);
        assert_eq!(uncommented(&long), long);
    }
}
