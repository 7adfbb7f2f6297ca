//! Operands that the region of their own op defines, such as `scf.if %a { %a = .. }`.
//!
//! MLIR's parser uses a placeholder for a name that is not defined yet, and replaces it when it
//! reads the definition. The op of these operands does not exist by then: it keeps the placeholder,
//! which is freed. Nothing may look at such an op, and so the text is refused before it is parsed.

use std::collections::HashSet;

/// Names between two braces.
#[derive(Default)]
struct Scope<'t> {
    defined: HashSet<&'t str>,
    /// Undefined names in the text of the last op, with their positions.
    used: Vec<(usize, &'t str)>,
}

/// The first such operand: its position and its name.
pub fn first(text: &str) -> Option<(usize, &str)> {
    let mut scopes = vec![Scope::default()];
    let mut at = 0;
    // Parentheses around the arguments of a block or a function, where names with a colon are
    // definitions.
    let (mut has_header, mut depth) = (false, 0usize);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let inner = scopes.last_mut()?;
        at += match c {
            '"' => string(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '\n' => {
                if begins_op(rest[1..].trim_start()) {
                    inner.used.clear();
                    (has_header, depth) = (false, 0);
                }
                1
            }
            '^' | '@' => {
                has_header = rest.split_once('(').is_some_and(|(name, _)| name[1..].chars().all(is_of_name));
                1
            }
            '(' => {
                depth += usize::from(has_header || depth > 0);
                has_header = false;
                1
            }
            ')' => {
                depth = depth.saturating_sub(1);
                1
            }
            '{' => {
                scopes.push(Scope::default());
                1
            }
            '}' => {
                // One brace too many is an error of the parser.
                if scopes.len() > 1 {
                    scopes.pop();
                }
                1
            }
            '%' => {
                let name = name(rest);
                let line = text[..at].rsplit('\n').next().unwrap_or_default();
                let after = &rest[name.len()..];
                if is_definition(after, is_results(line)) || depth > 0 && after.trim_start().starts_with(':')
                {
                    let outer = &scopes[..scopes.len() - 1];
                    let own = outer.iter().flat_map(|scope| &scope.used).find(|(_, used)| *used == name);
                    if own.is_some() {
                        return own.copied();
                    }
                    scopes.last_mut()?.defined.insert(name);
                } else if !scopes.iter().any(|scope| scope.defined.contains(name)) {
                    scopes.last_mut()?.used.push((at, name));
                }
                name.len()
            }
            c => c.len_utf8(),
        };
    }
    None
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_$.-".contains(c)
}

/// A `%` and the name after it.
fn name(text: &str) -> &str {
    let end = text[1..].find(|c| !is_of_name(c)).map_or(text.len(), |end| end + 1);
    &text[..end]
}

/// The length of the string at the beginning of a text.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text[1..].find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Whether an op begins with this line, and not a further part of one: at the names of its results,
/// at its own name, or at a block.
fn begins_op(line: &str) -> bool {
    let word = line.split(|c: char| !is_of_name(c)).next().unwrap_or_default();
    match line.chars().next() {
        Some('"' | '^') => true,
        Some('%') => is_definition(&line[name(line).len()..], true),
        _ => word.contains('.'),
    }
}

/// Whether a line up to a name has nothing but names before it, as before an op's results.
fn is_results(line: &str) -> bool {
    line.chars().all(|c| is_of_name(c) || "%,:".contains(c) || c.is_whitespace())
}

/// Whether a name is defined by what follows it: `=`, or for results `=` after a list of them.
fn is_definition(mut after: &str, is_result: bool) -> bool {
    loop {
        // `%a:2` has two results.
        after = after.strip_prefix(':').unwrap_or(after).trim_start_matches(|c: char| c.is_ascii_digit());
        after = after.trim_start();
        if after.starts_with('=') {
            return !after.starts_with("==");
        }
        let Some(next) = after.strip_prefix(',').map(str::trim_start) else { return false };
        if !is_result || !next.starts_with('%') {
            return false;
        }
        after = &next[name(next).len()..];
    }
}

#[cfg(test)]
mod tests {
    use super::first;

    fn found(text: &str) -> Option<&str> {
        let (at, name) = first(text)?;
        assert!(text[at..].starts_with(name));
        Some(name)
    }

    #[test]
    fn an_operand_that_its_own_region_defines_is_found() {
        assert_eq!(found("scf.if %a {\n  %a = arith.constant true\n}"), Some("%a"));
        assert_eq!(
            found("%r = scf.if %a -> i32 {\n  %b = x.y\n  scf.if %b {\n  %c, %a:2 = x.z\n}\n}"),
            Some("%a")
        );
        assert_eq!(found("scf.if %c {\n  x.y\n} else {\n  %c = x.y\n}"), Some("%c"));
        assert_eq!(found("\"scf.if\"(%a) ({\n  %a = \"x.y\"() : () -> i1\n}, {\n})"), Some("%a"));
        assert_eq!(found("\"x.y\"(%a) ({\n^bb0(%a: i1):\n})"), Some("%a"));
        assert_eq!(found("x.y %é %a\n attributes {b = \"}\"} {\n  %a = x.y\n}"), Some("%a"));
    }

    #[test]
    fn what_mlir_reads_is_not() {
        for text in [
            "",
            "%",
            "}}}{\"",
            "%a = x.y\nscf.if %a {\n  %b = x.y\n}\nscf.if %b {\n}",
            // A name that another region has, too.
            "scf.if %c {\n  %a = x.y\n} else {\n  %a = x.y\n}",
            // A name that is defined later, as in a loop of blocks.
            "^bb1:\n  x.use %late\n  scf.if %c {\n  }\n^bb2:\n  %late = x.y",
            "func.func @f(%a: i32) {\n  %b = x.y %a\n}\nfunc.func @g(%b: i32) {\n  %a = x.y %b\n}",
            "%r = scf.for %i = %lo to %hi step %s iter_args(%acc = %init) -> i32 {\n  %n = x.y %acc, %i\n}",
            "scf.while (%a = %x, %b = %y) : (i32) -> i32 {\n  scf.for %c = %l to %h iter_args(%d = %x, %e = %y) {\n}\n}",
            "func.func @f(%a: tuple<(i32)>, %b: i32) {\n  scf.for %c = %b to %a iter_args(%d = %a, %b1 = %b) {\n  }\n}",
            "%a = x.y // %b\nscf.if %a { // %b\n  %b = x.y\n}",
            "cf.br ^bb1(%c : i32)\n^bb1(%d: i32):\n  scf.if %d {\n  %c2 = x.y\n}",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
