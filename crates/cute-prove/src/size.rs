//! Texts in which `{..}` depends on the size.

/// Characters of an expression, whose parentheses nest no deeper.
const MOST: usize = 200;

/// The text at a size: `A:f16[128x{64*n}]` is `A:f16[128x192]` at 3. Other braces stay, such as
/// those of structs.
///
/// # Errors
/// Why the braces are not a number there.
pub fn at(text: &str, n: i64) -> Result<String, String> {
    let mut result = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        result.push_str(before);
        let inner = after[1..].find('}').map(|close| &after[1..=close]);
        match inner.filter(|inner| is_expression(inner)) {
            Some(inner) => {
                result.push_str(&computed(inner, n)?.to_string());
                rest = &after[inner.len() + 2..];
            }
            None => {
                result.push('{');
                rest = &after[1..];
            }
        }
    }
    Ok(result + rest)
}

/// Whether a text depends on the size, or is meant to.
pub(crate) fn depends(text: &str) -> bool {
    at(text, 1).as_deref() != Ok(text)
}

/// Whether these braces are meant as a number: they have the word `n`, and none of the signs of
/// structs and of bytes with addresses.
fn is_expression(text: &str) -> bool {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = text.split(|c: char| !is_of_word(c));
    words.any(|word| word.trim_start_matches(|c: char| c.is_ascii_digit()) == "n")
        && !text.contains(['&', '=', ':', ',', '{'])
}

fn computed(text: &str, n: i64) -> Result<i64, String> {
    let wrong = || {
        let text: String = text.chars().take(MOST).collect();
        format!("'{{{text}}}' is not a size; write n with numbers, +, -, * and parentheses, as in {{64*n}}")
    };
    let tokens: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
    if tokens.len() > MOST || !tokens.iter().all(|c| c.is_ascii_digit() || "n+-*()".contains(*c)) {
        return Err(wrong());
    }
    let mut at = 0;
    match sum(&tokens, &mut at, n) {
        Some(value) if at == tokens.len() => Ok(value),
        // At another size it may be one that fits.
        _ if n != 0 && computed(text, 0).is_ok() => Err(format!("'{{{text}}}' has no value for n = {n}")),
        _ => Err(wrong()),
    }
}

/// The value of a sum of products.
fn sum(tokens: &[char], at: &mut usize, n: i64) -> Option<i64> {
    let mut value = product(tokens, at, n)?;
    while let Some(sign @ ('+' | '-')) = tokens.get(*at) {
        *at += 1;
        let other = product(tokens, at, n)?;
        value = if *sign == '+' { value.checked_add(other)? } else { value.checked_sub(other)? };
    }
    Some(value)
}

fn product(tokens: &[char], at: &mut usize, n: i64) -> Option<i64> {
    let mut value = atom(tokens, at, n)?;
    while tokens.get(*at) == Some(&'*') {
        *at += 1;
        value = value.checked_mul(atom(tokens, at, n)?)?;
    }
    Some(value)
}

fn atom(tokens: &[char], at: &mut usize, n: i64) -> Option<i64> {
    match tokens.get(*at)? {
        'n' => {
            *at += 1;
            Some(n)
        }
        '(' => {
            *at += 1;
            let value = sum(tokens, at, n)?;
            let closes = tokens.get(*at) == Some(&')');
            *at += 1;
            closes.then_some(value)
        }
        _ => {
            let start = *at;
            while tokens.get(*at).is_some_and(char::is_ascii_digit) {
                *at += 1;
            }
            tokens[start..*at].iter().collect::<String>().parse().ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_with_n_are_numbers() {
        assert_eq!(at("A:f16[128x{64*n}]", 3).unwrap(), "A:f16[128x192]");
        assert_eq!(at("{2*(n + 1)-1}x{n}", 4).unwrap(), "9x4");
        // Structs and the null pointer stay.
        for other in ["{&A+16,i32=5,{null}}", "bytes(x){16:&A}", "{12}", "{", "{n:&A}", "{i32=n}"] {
            assert_eq!(at(other, 4).unwrap(), other);
        }
        assert!(depends("K:{n}") && depends("K:{n/2}") && !depends("{null}"));
    }

    #[test]
    fn nesting_has_an_end() {
        let deep = |depth: usize| format!("{{{}n{}}}", "(".repeat(depth), ")".repeat(depth));
        assert_eq!(at(&deep(99), 7).unwrap(), "7");
        assert!(at(&deep(100_000), 7).unwrap_err().contains("is not a size"));
    }

    #[test]
    fn braces_that_are_no_number_are_refused() {
        for wrong in ["{n+}", "{(n}", "{n/2}", "{2n}", "{n*m}", "{}n}{n)}"] {
            let why = at(wrong, 1).unwrap_err();
            assert!(why.contains("is not a size; write n with numbers"), "{wrong}: {why}");
        }
        let why = at("{9223372036854775807*n}", 2).unwrap_err();
        assert_eq!(why, "'{9223372036854775807*n}' has no value for n = 2");
    }
}
