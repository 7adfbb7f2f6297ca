//! Formats the arguments of `printf` as C specifies and as the device prints them. This module does
//! not access memory.

use std::iter::Peekable;
use std::str::Chars;

/// The source of a format's arguments.
pub(crate) trait Arguments {
    type Error;

    /// The bits of the next argument, of 4 or 8 bytes.
    fn next(&mut self, bytes: u64) -> Result<u64, Self::Error>;

    /// The string at an address.
    fn string(&mut self, address: u64) -> Result<String, Self::Error>;
}

/// A directive, `%-08.3lld`.
#[derive(Default)]
struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Whether the argument has 8 bytes.
    wide: bool,
}

/// Formats the text. A directive with an unknown conversion is printed verbatim.
pub(crate) fn format<A: Arguments>(format: &str, arguments: &mut A) -> Result<String, A::Error> {
    let mut out = String::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let after: String = rest.clone().collect();
        let directive = Directive::parse(&mut rest, arguments)?;
        let conversion = rest.next().unwrap_or_default();
        match directive.convert(conversion, arguments)? {
            Some(text) => out += &text,
            None => {
                let written = after.chars().count() - rest.clone().count();
                out.push('%');
                out.extend(after.chars().take(written));
            }
        }
    }
    Ok(out)
}

fn number<A: Arguments>(text: &mut Peekable<Chars<'_>>, arguments: &mut A) -> Result<Option<i64>, A::Error> {
    if text.next_if_eq(&'*').is_some() {
        return Ok(Some((arguments.next(4)? as i32).into()));
    }
    let mut number = None;
    while let Some(digit) = text.peek().and_then(|c| c.to_digit(10)) {
        text.next();
        // Wider than any line: it is cut there.
        number = Some((number.unwrap_or(0) * 10 + i64::from(digit)).min(WIDEST));
    }
    Ok(number)
}

/// Characters of a field at most.
const WIDEST: i64 = 4096;

impl Directive {
    fn parse<A: Arguments>(text: &mut Peekable<Chars<'_>>, arguments: &mut A) -> Result<Self, A::Error> {
        let mut d = Directive::default();
        while let Some(flag) = text.next_if(|c| "-+ #0".contains(*c)) {
            match flag {
                '-' => d.left = true,
                '+' => d.plus = true,
                ' ' => d.space = true,
                '#' => d.alternate = true,
                _ => d.zero = true,
            }
        }
        if let Some(width) = number(text, arguments)? {
            d.left |= width < 0;
            d.width = width.unsigned_abs().min(WIDEST as u64) as usize;
        }
        if text.next_if_eq(&'.').is_some() {
            // A negative precision counts as missing.
            d.precision =
                usize::try_from(number(text, arguments)?.unwrap_or(0)).ok().map(|p| p.min(WIDEST as usize));
        }
        while let Some(size) = text.next_if(|c| "hljzt".contains(*c)) {
            d.wide |= size != 'h';
        }
        Ok(d)
    }

    /// `None` for an unknown conversion.
    fn convert<A: Arguments>(&self, conversion: char, arguments: &mut A) -> Result<Option<String>, A::Error> {
        let bytes = if self.wide { 8 } else { 4 };
        Ok(Some(match conversion {
            '%' => "%".to_owned(),
            'd' | 'i' => {
                let bits = arguments.next(bytes)?;
                let value = if self.wide { bits as i64 } else { (bits as i32).into() };
                self.integer(self.sign(value < 0), "", value.unsigned_abs().to_string())
            }
            'u' => self.integer("", "", arguments.next(bytes)?.to_string()),
            'o' | 'x' | 'X' => {
                let value = arguments.next(bytes)?;
                let (prefix, digits) = match conversion {
                    'o' => ("0", format!("{value:o}")),
                    'x' => ("0x", format!("{value:x}")),
                    _ => ("0X", format!("{value:X}")),
                };
                self.integer("", if self.alternate && value != 0 { prefix } else { "" }, digits)
            }
            'p' => self.pad("", format!("{:#x}", arguments.next(8)?), false),
            'c' => self.pad("", char::from(arguments.next(4)? as u8).to_string(), false),
            's' => {
                let address = arguments.next(8)?;
                let text = arguments.string(address)?;
                let longest = self.precision.unwrap_or(usize::MAX);
                self.pad("", text.chars().take(longest).collect(), false)
            }
            'e' | 'f' | 'g' | 'a' | 'E' | 'F' | 'G' | 'A' => {
                let value = f64::from_bits(arguments.next(8)?);
                let text = self.float(conversion.to_ascii_lowercase(), value.abs());
                let text = if conversion.is_ascii_uppercase() { text.to_uppercase() } else { text };
                self.pad(self.sign(value.is_sign_negative() && !value.is_nan()), text, value.is_finite())
            }
            _ => return Ok(None),
        }))
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }

    fn integer(&self, sign: &str, prefix: &str, digits: String) -> String {
        let digits = match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(least) => format!("{digits:0>least$}"),
            None => digits,
        };
        self.pad(&format!("{sign}{prefix}"), digits, self.precision.is_none())
    }

    /// Fills up to the width: on the left, the right or, with `zeros`, after the sign.
    fn pad(&self, sign: &str, text: String, zeros: bool) -> String {
        let missing = self.width.saturating_sub(sign.len() + text.chars().count());
        match (self.left, self.zero && zeros) {
            (true, _) => format!("{sign}{text}{}", " ".repeat(missing)),
            (_, true) => format!("{sign}{}{text}", "0".repeat(missing)),
            _ => format!("{}{sign}{text}", " ".repeat(missing)),
        }
    }

    fn float(&self, conversion: char, value: f64) -> String {
        let precision = self.precision.unwrap_or(6);
        if value.is_nan() {
            return "nan".into();
        }
        match conversion {
            _ if value.is_infinite() => "inf".into(),
            'a' => hexadecimal(value),
            'e' => scientific(value, precision),
            'f' => format!("{value:.precision$}"),
            _ => self.shorter(value, precision.max(1)),
        }
    }

    /// `%g`: this number of significant digits, in the form of `%e` if the exponent is below -4 or
    /// too large for the digits.
    fn shorter(&self, value: f64, digits: usize) -> String {
        let written = format!("{value:.*e}", digits - 1);
        let exponent: i64 = written.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
        let fixed = (-4..digits as i64).contains(&exponent);
        let text = if fixed {
            format!("{value:.*}", (digits as i64 - 1 - exponent) as usize)
        } else {
            scientific(value, digits - 1)
        };
        let (number, exponent) = text.split_once('e').map_or((text.as_str(), None), |(n, e)| (n, Some(e)));
        let number = if self.alternate || !number.contains('.') {
            number
        } else {
            number.trim_end_matches('0').trim_end_matches('.')
        };
        exponent.map_or(number.to_owned(), |e| format!("{number}e{e}"))
    }
}

/// `%e`: an exponent with a sign and at least two digits.
fn scientific(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (number, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{number}e{sign}{:02}", exponent.abs())
}

/// `%a`, exact: all digits.
fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    let (lead, exponent) = match (field, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, -1022),
        _ => (1, field - 1023),
    };
    format!("0x{lead}{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct List(Vec<u64>);

    impl Arguments for List {
        type Error = &'static str;

        fn next(&mut self, bytes: u64) -> Result<u64, Self::Error> {
            if self.0.is_empty() {
                return Err("no argument is left");
            }
            let bits = self.0.remove(0);
            Ok(if bytes == 4 { u64::from(bits as u32) } else { bits })
        }

        fn string(&mut self, address: u64) -> Result<String, Self::Error> {
            Ok(format!("at{address}"))
        }
    }

    fn print(text: &str, arguments: &[u64]) -> String {
        format(text, &mut List(arguments.to_vec())).unwrap()
    }

    #[test]
    fn integers() {
        let minus = -5i64 as u64;
        assert_eq!(
            print("%d|%5d|%-5d|%05d|%+d|% d", &[minus, minus, minus, minus, 5, 5]),
            "-5|   -5|-5   |-0005|+5| 5"
        );
        assert_eq!(print("%.3d|%6.3d|%.0d|%lld|%hd", &[7, 7, 0, minus, 9]), "007|   007||-5|9");
        assert_eq!(
            print("%u %x %X %#x %#X %o %#o", &[minus, 255, 255, 255, 255, 8, 8]),
            "4294967291 ff FF 0xff 0XFF 10 010"
        );
        assert_eq!(print("%llu %#010x", &[u64::MAX, 0xbeef]), "18446744073709551615 0x0000beef");
        assert_eq!(print("%*d|%-*d|%*d", &[4, 1, 4, 2, -4i64 as u64, 3]), "   1|2   |3   ");
        assert_eq!(print("%p %c%c %%", &[0x1f00, 'o'.into(), 'k'.into()]), "0x1f00 ok %");
    }

    #[test]
    fn floats() {
        let bits = |v: &[f64]| v.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let f = |text: &str, v: &[f64]| print(text, &bits(v));
        assert_eq!(
            f("%f|%.2f|%8.2f|%08.2f|%-8.1f|%+.0f", &[1.5; 6]),
            "1.500000|1.50|    1.50|00001.50|1.5     |+2"
        );
        assert_eq!(f("%e|%.1E|%e", &[12345.678, 0.00012, 0.0]), "1.234568e+04|1.2E-04|0.000000e+00");
        assert_eq!(
            f("%g|%g|%g|%g|%#g|%.2g", &[100000.0, 1e6, 0.0001, 0.00001, 1.0, 1234.0]),
            "100000|1e+06|0.0001|1e-05|1.00000|1.2e+03"
        );
        assert_eq!(
            f("%g %f %05f %F", &[f64::INFINITY, f64::NAN, f64::NEG_INFINITY, f64::NAN]),
            "inf nan  -inf NAN"
        );
        assert_eq!(f("%a %a %A %a", &[1.0, -0.15625, 10.5, 0.0]), "0x1p+0 -0x1.4p-3 0X1.5P+3 0x0p+0");
    }

    #[test]
    fn strings_and_what_is_no_directive() {
        assert_eq!(print("%s|%6s|%-6s|%.2s", &[1, 2, 3, 4]), "at1|   at2|at3   |at");
        assert_eq!(print("50%", &[]), "50%");
        assert_eq!(print("%5q %d", &[1]), "%5q 1");
        assert_eq!(format("%d %d", &mut List(vec![1])), Err("no argument is left"));
    }
}
