//! Names of kernels as people write them. Symbols of C++ contain the types of all arguments of
//! templates, and have thousands of characters.

use cpp_demangle::{DemangleOptions, Symbol};
use cute_text::line;
use std::borrow::Cow;

/// Characters of a readable name at most.
const MOST: usize = 80;

/// The name of a symbol of C++, with the arguments of its template, but without those of the
/// function; `None` for a symbol of another language.
pub fn demangled(symbol: &str) -> Option<String> {
    let name = Symbol::new(symbol.strip_prefix("_Z").and(Some(symbol))?).ok()?;
    let name = name.demangle_with_options(&DemangleOptions::new().no_params().no_return_type()).ok()?;
    Some(without_parameters(&name))
}

/// A name without the parameters of the function that has it as a variable.
fn without_parameters(name: &str) -> String {
    let (mut short, mut rest) = (String::new(), name);
    let mut depth = 0;
    while let Some(c) = rest.chars().next() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            '(' if depth == 0 && !rest.starts_with("(anonymous") && !short.ends_with("operator") => {
                let mut open = 0;
                let is_last = |c: char| {
                    open += i32::from(c == '(') - i32::from(c == ')');
                    open == 0
                };
                rest = rest.find(is_last).map_or("", |last| &rest[last + 1..]);
                continue;
            }
            _ => {}
        }
        short.push(c);
        rest = &rest[c.len_utf8()..];
    }
    short
}

/// A name of at most 80 characters: that of the source, where arguments of templates are left out
/// if they are long, and control characters are shown.
///
/// ```
/// use cute_sim::names::readable;
///
/// assert_eq!(readable("_Z6kernelPfi"), "kernel");
/// assert_eq!(readable("_Z3fooI3BarLi64EEvPf"), "foo<Bar, 64>");
/// assert_eq!(readable("kernel"), "kernel");
/// ```
pub fn readable(symbol: &str) -> Cow<'_, str> {
    match short(symbol) {
        Cow::Borrowed(name) => line(name),
        Cow::Owned(name) => Cow::Owned(line(&name).into_owned()),
    }
}

fn short(symbol: &str) -> Cow<'_, str> {
    let Some(name) = demangled(symbol) else { return cut(symbol) };
    let fits = |name: &String| name.chars().count() <= MOST;
    let shorter = [2, 1].map(|depth| without_arguments(&name, depth));
    let name = std::iter::once(name).chain(shorter).find(fits);
    name.map_or_else(|| cut(symbol), Cow::Owned)
}

/// A name without the arguments of its template.
pub fn stem(name: &str) -> String {
    let short = without_arguments(name, 1);
    short.strip_suffix("<..>").unwrap_or(&short).to_owned()
}

/// Replaces lists of template arguments by `<..>` from a depth on.
fn without_arguments(name: &str, from: usize) -> String {
    let mut short = String::new();
    let mut depth = 0;
    for (at, c) in name.char_indices() {
        // In `operator<<int>`, the second one begins the arguments of `operator<`.
        let is_shift =
            name[..at].ends_with("operator<") && !name[at + 1..].starts_with(char::is_alphanumeric);
        let is_operator = name[..at].ends_with("operator") || is_shift;
        if c == '<' && !is_operator {
            depth += 1;
            if depth == from {
                short.push_str("<..>");
            }
        }
        if depth < from {
            short.push(c);
        }
        if c == '>' && depth > 0 && !name[..at].ends_with('-') {
            depth -= 1;
        }
    }
    short.replace("> >", ">>")
}

fn cut(symbol: &str) -> Cow<'_, str> {
    if symbol.chars().count() <= MOST {
        return Cow::Borrowed(symbol);
    }
    let characters: Vec<char> = symbol.chars().collect();
    let (first, last) = (&characters[..MOST - 23], &characters[characters.len() - 20..]);
    Cow::Owned(format!("{}...{}", String::from_iter(first), String::from_iter(last)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel of FlashAttention.
    const FLASH: &str = "_Z16flash_fwd_kernelI23Flash_fwd_kernel_traitsILi64ELi128ELi128ELi4ELb0ELb0EN7cutlass6half_tE19Flash_kernel_traitsILi64ELi128ELi128ELi4ES2_EELb0ELb1ELb0ELb0ELb1ELb1ELb0EEv16Flash_fwd_params";

    #[test]
    fn long_names_lose_arguments_of_templates() {
        assert_eq!(demangled("_Z10b04_brokenPKiPii").as_deref(), Some("b04_broken"));
        assert_eq!(demangled("_ZZ4bodyILb0EEvPKiPiiE5store").as_deref(), Some("body<false>::store"));
        assert_eq!(readable(FLASH), "flash_fwd_kernel<..>");
        assert_eq!(stem(&demangled(FLASH).unwrap()), "flash_fwd_kernel");
        assert_eq!(stem("a::b<int>::c<1>"), "a::b<..>::c");
        assert_eq!(stem("kernel"), "kernel");
        assert_eq!(without_arguments("f<g<h<1> >, 2>", 2), "f<g<..>, 2>");
        assert_eq!(without_arguments("A::operator<<int>", 1), "A::operator<<..>");
    }

    #[test]
    fn names_that_are_not_of_cpp_are_cut() {
        let long = format!("_ZN8__main__{}", "x".repeat(3000));
        assert_eq!(readable(&long).chars().count(), MOST);
        assert!(readable(&long).starts_with("_ZN8__main__xxx"), "{}", readable(&long));
        assert_eq!(demangled("matmul_kernel"), None);
        assert_eq!(readable("_Zzz"), "_Zzz");
    }
}
