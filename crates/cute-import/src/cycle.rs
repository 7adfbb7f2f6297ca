//! Operands that the region of their own op defines, such as `scf.if %a { %a = .. }`.
//!
//! MLIR's parser uses a placeholder for a name that is not defined yet, and replaces it when it
//! reads the definition. The op of these operands does not exist by then: it keeps the placeholder,
//! which is freed. Nothing may look at such an op, and so the text is refused before it is parsed.

use std::collections::HashMap;

/// Names between two braces.
#[derive(Default)]
struct Scope<'t> {
    defined: Vec<&'t str>,
    /// Undefined names in the text of the last op.
    used: Vec<&'t str>,
}

/// The names of all open scopes. Each step takes constant time, however deep the scopes are.
#[derive(Default)]
struct Names<'t> {
    scopes: Vec<Scope<'t>>,
    /// How often each name is defined.
    defined: HashMap<&'t str, usize>,
    /// For each undefined name, the numbers of the scopes that use it, and the positions.
    used: HashMap<&'t str, Vec<(usize, usize)>>,
}

impl<'t> Names<'t> {
    fn open(&mut self) {
        self.scopes.push(Scope::default());
    }

    /// Ends a scope. One brace too many is an error of the parser.
    fn close(&mut self) {
        if self.scopes.len() > 1 {
            self.next_op();
            for name in self.scopes.pop().unwrap_or_default().defined {
                if let Some(count) = self.defined.get_mut(name) {
                    *count -= 1;
                }
            }
        }
    }

    /// Forgets what the last op uses.
    fn next_op(&mut self) {
        let Some(own) = self.scopes.last_mut() else { return };
        for name in std::mem::take(&mut own.used) {
            if let Some(uses) = self.used.get_mut(name) {
                uses.pop();
            }
        }
    }

    fn define(&mut self, name: &'t str) {
        *self.defined.entry(name).or_default() += 1;
        self.scopes.last_mut().into_iter().for_each(|own| own.defined.push(name));
    }

    fn use_at(&mut self, name: &'t str, at: usize) {
        if self.defined.get(name).is_none_or(|count| *count == 0) {
            self.used.entry(name).or_default().push((self.scopes.len(), at));
            self.scopes.last_mut().into_iter().for_each(|own| own.used.push(name));
        }
    }

    /// The position at which an op uses a name that a scope inside of the op is about to define.
    fn outer_use(&self, name: &str) -> Option<usize> {
        let (scope, at) = self.used.get(name)?.first()?;
        (*scope < self.scopes.len()).then_some(*at)
    }
}

/// The first such operand: its position and its name.
pub fn first(text: &str) -> Option<(usize, &str)> {
    let mut names = Names::default();
    names.open();
    let mut at = 0;
    // Parentheses around the arguments of a block or a function, where names with a colon are
    // definitions.
    let (mut has_header, mut depth) = (false, 0usize);
    // A line begins here, and the names of an op's results reach up to the second position.
    let (mut is_start, mut results) = (true, 0);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let begins = is_start;
        is_start = c == '\n' || is_start && c.is_whitespace();
        at += match c {
            '"' => string(rest),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '\n' => {
                if begins_op(rest[1..].trim_start()) {
                    names.next_op();
                    (has_header, depth) = (false, 0);
                }
                1
            }
            '^' | '@' => {
                has_header = rest[1..].trim_start_matches(is_of_name).starts_with('(');
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
                names.open();
                1
            }
            '}' => {
                names.close();
                1
            }
            '%' => {
                if begins {
                    results = at + list_of_results(rest).unwrap_or(0);
                }
                let name = name(rest);
                let after = rest[name.len()..].trim_start();
                let is_argument = depth > 0 && after.starts_with(':');
                if at < results || after.starts_with('=') && !after.starts_with("==") || is_argument {
                    if let Some(used) = names.outer_use(name) {
                        return Some((used, name));
                    }
                    names.define(name);
                } else {
                    names.use_at(name, at);
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
    match line.chars().next() {
        Some('"' | '^') => true,
        Some('%') => list_of_results(line).is_some(),
        _ => line.split(|c: char| !is_of_name(c)).next().is_some_and(|word| word.contains('.')),
    }
}

/// The length of the names of an op's results, which `=` follows.
fn list_of_results(text: &str) -> Option<usize> {
    let mut rest = text;
    loop {
        rest = &rest[name(rest).len()..];
        // `%a:2` has two results.
        rest = rest.strip_prefix(':').unwrap_or(rest).trim_start_matches(|c: char| c.is_ascii_digit());
        rest = rest.trim_start();
        if rest.starts_with('=') {
            return (!rest.starts_with("==")).then_some(text.len() - rest.len());
        }
        rest = rest.strip_prefix(',')?.trim_start();
        rest.starts_with('%').then_some(())?;
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
    fn long_texts_take_no_longer_for_each_name() {
        let deep = "x.y %a {\n".repeat(100_000) + &"%b = x.y\n".repeat(100_000);
        let list: String = (0..200_000).map(|i| format!("%a{i}, ")).collect();
        let defined: String = (0..100_000).map(|i| format!("%b{i} = x.y\n")).collect();
        let many = format!("x.y {list} {{\n{defined}");
        for text in [deep, list.clone(), format!("x.y {list}"), many, "@a ^b ".repeat(300_000)] {
            assert_eq!(found(&text), None);
        }
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
