//! Texts in which `{..}` depends on the size.

/// The text at a size: `A:f16[128x{64*n}]` is `A:f16[128x192]` at 3. Other braces stay.
pub(super) fn at(text: &str, n: i64) -> Result<String, String> {
    let mut result = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        result.push_str(before);
        let inner = after[1..].find('}').map(|close| &after[1..=close]);
        match inner.filter(|inner| is_expression(inner)) {
            Some(inner) => {
                let value =
                    value(inner, n).ok_or_else(|| format!("'{{{inner}}}' is not a number for n = {n}"))?;
                result.push_str(&value.to_string());
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

/// Whether a text depends on the size.
pub(super) fn depends(text: &str) -> bool {
    at(text, 1).is_ok_and(|one| one != text)
}

fn is_expression(text: &str) -> bool {
    text.contains('n') && text.chars().all(|c| c.is_ascii_digit() || "n+-*() ".contains(c))
}

/// The value of a sum of products.
fn value(text: &str, n: i64) -> Option<i64> {
    let tokens: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
    let mut at = 0;
    let value = sum(&tokens, &mut at, n)?;
    (at == tokens.len()).then_some(value)
}

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
        for other in ["{&A+16,i32=5,{null}}", "bytes(x){16:&A}", "{12}", "{"] {
            assert_eq!(at(other, 4).unwrap(), other);
        }
        assert!(
            at("{n+}", 1).is_err() && at("{(n}", 1).is_err() && at("{9223372036854775807*n}", 2).is_err()
        );
        assert!(depends("K:{n}") && !depends("{null}"));
    }
}
