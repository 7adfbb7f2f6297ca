//! Custom assembly that upstream cannot read, in generic form. It is text for text: each op stays where it is, so that
//! lines and the columns of ops keep their numbers.

use std::borrow::Cow;

use crate::table::{Custom, TABLE};

/// The text with every op of the table that upstream cannot read in generic form. What does not look as expected stays,
/// for MLIR to report.
pub fn to_generic(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            // Strings and comments.
            '"' => {
                let mut escaped = false;
                rest.find(|(_, c)| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
            }
            '/' if text[at..].starts_with("//") => {
                rest.find(|(_, c)| *c == '\n');
            }
            c if c.is_ascii_alphabetic() => {
                let name = word(&text[at..]);
                let drift = TABLE.iter().find(|d| d.name == name && d.custom != Custom::Upstream);
                if let Some((generic, end)) =
                    drift.and_then(|d| generic(text, at + name.len(), d.name, d.custom))
                {
                    out += &text[done..at];
                    out += &generic;
                    // Locations behind an op of several lines stay where they are.
                    out.extend(text[at..end].chars().filter(|c| *c == '\n'));
                    done = end;
                }
                let end = done.max(at + name.len());
                while rest.next_if(|(i, _)| *i < end).is_some() {}
            }
            _ => {}
        }
    }
    if done == 0 { Cow::Borrowed(text) } else { Cow::Owned(out + &text[done..]) }
}

/// The name that a text begins with.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "._$".contains(c)));
    &text[..end.unwrap_or(text.len())]
}

/// An op in generic form, and where it ends; its operands begin at `at`.
fn generic(text: &str, at: usize, name: &str, custom: Custom) -> Option<(String, usize)> {
    let mut reader = Reader { text, at };
    if custom == Custom::Barrier {
        return Some((reader.barrier(name)?, reader.at));
    }
    let mut operands = vec![reader.operand()?];
    if custom == Custom::Element {
        reader.skip("[").then_some(())?;
        operands.push(reader.operand()?);
        reader.skip(":").then_some(())?;
        let index = reader.r#type()?;
        (reader.skip("]") && reader.skip(":")).then_some(())?;
        let vector = reader.r#type()?;
        let (list, element) = (operands.join(", "), element_of(vector)?);
        return Some((format!("\"{name}\"({list}) : ({vector}, {index}) -> {element}"), reader.at));
    }
    while reader.skip(",") {
        operands.push(reader.operand()?);
    }
    let attributes = reader.attributes()?;
    let (taken, result) = match custom {
        Custom::Fixed { operands, result } => {
            if reader.skip(":") {
                reader.r#type()?;
            }
            (operands.to_string(), result.to_string())
        }
        Custom::Splat => {
            reader.skip(":").then_some(())?;
            let vector = reader.r#type()?;
            (element_of(vector)?.to_string(), vector.to_string())
        }
        Custom::Upstream | Custom::Typed | Custom::Element | Custom::Barrier => {
            reader.skip(":").then_some(())?;
            let mut types = vec![reader.r#type()?];
            while reader.skip(",") {
                types.push(reader.r#type()?);
            }
            let result = if reader.skip("->") { reader.r#type()? } else { "()" };
            // A result of the type of the first operand may leave out the name of its type.
            let result = match result.strip_prefix('<') {
                Some(body) => format!("{}<{body}", types[0].split('<').next()?),
                None => result.to_string(),
            };
            (types.join(", "), result)
        }
    };
    Some((format!("\"{name}\"({}){attributes} : ({taken}) -> {result}", operands.join(", ")), reader.at))
}

/// `f32` of `vector<4xf32>`.
fn element_of(vector: &str) -> Option<&str> {
    let body = vector.strip_prefix("vector<")?.strip_suffix('>')?;
    let start = body.find(|c: char| !c.is_ascii_digit() && c != 'x' && c != '[' && c != ']')?;
    Some(&body[start..])
}

/// What is read of an op.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// What follows, behind white space.
    fn rest(&self) -> &'t str {
        self.text[self.at..].trim_start()
    }

    /// Goes on behind this much of the rest.
    fn take(&mut self, rest: &'t str, n: usize) -> &'t str {
        self.at = self.text.len() - rest.len() + n;
        &rest[..n]
    }

    fn skip(&mut self, token: &str) -> bool {
        let rest = self.rest();
        let found = rest.starts_with(token);
        if found {
            self.take(rest, token.len());
        }
        found
    }

    /// `%a`, `%a#1`, or `key = %a`.
    fn operand(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        if !rest.starts_with('%') {
            let key = self.take(rest, word(rest).len());
            return (!key.is_empty() && self.skip("=")).then(|| self.operand())?;
        }
        let end = rest[1..].find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-#".contains(c)));
        Some(self.take(rest, end.map_or(rest.len(), |n| n + 1)))
    }

    fn barrier(&mut self, name: &str) -> Option<String> {
        let mut operands = Vec::new();
        let mut sizes = ["0", "0", "0"];
        for (size, key) in sizes.iter_mut().zip(["id", "number_of_threads"]) {
            if word(self.rest()) == key {
                operands.push(self.operand()?);
                *size = "1";
            }
        }
        let (types, sizes) = (vec!["i32"; operands.len()].join(", "), sizes.join(", "));
        let sizes = format!("<{{operandSegmentSizes = array<i32: {sizes}>}}>");
        Some(format!("\"{name}\"({}) {sizes} : ({types}) -> ()", operands.join(", ")))
    }

    /// A type: up to a character that ends it, outside of brackets.
    fn r#type(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let (mut depth, mut before) = (0_i32, ' ');
        let end = rest.find(|c: char| {
            let arrow = before == '-' && c == '>';
            before = c;
            match c {
                '<' | '(' | '[' => depth += 1,
                '>' | ')' | ']' if !arrow => depth -= 1,
                _ => {}
            }
            depth < 0 || (depth == 0 && (c.is_whitespace() || c == ','))
        });
        let found = self.take(rest, end.unwrap_or(rest.len()));
        (!found.is_empty()).then_some(found)
    }

    /// ` {..}`, with the words of attributes that upstream does not know as strings; empty for none.
    fn attributes(&mut self) -> Option<String> {
        let rest = self.rest();
        if !rest.starts_with('{') {
            return Some(String::new());
        }
        let mut rest = self.take(rest, rest.find('}')? + 1);
        let mut out = String::from(" ");
        while let Some(at) = rest.find("#nv") {
            let (open, close) = (at + rest[at..].find('<')?, at + rest[at..].find('>')?);
            out += &format!("{}\"{}\"", &rest[..at], &rest[open + 1..close]);
            rest = &rest[close + 1..];
        }
        Some(out + rest)
    }
}

#[cfg(test)]
mod tests {
    use super::to_generic;

    #[test]
    fn ops_become_generic_where_they_are() {
        let cases = [
            ("%1 = nvvm.fmax %a, %b loc(#x)", r#"%1 = "nvvm.fmax"(%a, %b) : (f32, f32) -> f32 loc(#x)"#),
            (
                "nvvm.mbarrier.txn %p, %n {kind = #nvvm.mbar_txn_kind<arrive>} : !llvm.ptr<3>, i32\n",
                "\"nvvm.mbarrier.txn\"(%p, %n) {kind = \"arrive\"} : (!llvm.ptr<3>, i32) -> ()\n",
            ),
            (
                "%2 = nvvm.mapa.shared.cluster %p, %r#1 : !llvm.ptr<3>, i32 -> <3>",
                r#"%2 = "nvvm.mapa.shared.cluster"(%p, %r#1) : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>"#,
            ),
            (
                "nvvm.barrier id = %a number_of_threads = %b\nnvvm.barrier loc(#x)\n",
                "\"nvvm.barrier\"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()\n\
                 \"nvvm.barrier\"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> () loc(#x)\n",
            ),
            (
                "%2 = nvvm.vote.ballot.sync %m, %p : i32",
                r#"%2 = "nvvm.vote.ballot.sync"(%m, %p) : (i32, i1) -> i32"#,
            ),
            (
                "nvvm.tcgen05.commit.arrive %p, multicast_mask = %m {group = #nvvm.tcgen05_group<cta_2>} : !llvm.ptr<3>, i16",
                r#""nvvm.tcgen05.commit.arrive"(%p, %m) {group = "cta_2"} : (!llvm.ptr<3>, i16) -> ()"#,
            ),
            (
                "%3 = vector.splat %x : vector<2x4xf16>",
                r#"%3 = "vector.splat"(%x) : (f16) -> vector<2x4xf16>"#,
            ),
            (
                "%4 = vector.extractelement %v[%i : i32] : vector<2xf32>",
                r#"%4 = "vector.extractelement"(%v, %i) : (vector<2xf32>, i32) -> f32"#,
            ),
        ];
        for (custom, generic) in cases {
            assert_eq!(to_generic(custom), generic);
        }
    }

    #[test]
    fn other_text_stays() {
        let cases = [
            "",
            "// nvvm.fmax %a, %b",
            r#""nvvm.fmax %a, %b""#,
            r#""a\"nvvm.fmax %a, %b""#,
            r#"%1 = "nvvm.fmax"(%a, %b) : (f32, f32) -> f32"#,
            "nvvm.fmax",
            "vector.splat %x vector<4xf32>",
            "vector.splat %x : f32",
            "vector.splat %x :",
            "nvvm.mbarrier.txn %p, %n {kind = ",
            "nvvm.mbarrier.txn %p, {kind",
            "nvvm.fmaxi %a, %b",
            "nvvm.fence.mbarrier.init",
        ];
        for text in cases {
            assert_eq!(to_generic(text), text);
        }
    }

    #[test]
    fn lines_keep_their_numbers() {
        let made = to_generic("%1 = nvvm.fmax %a,\n  %b\n%2 = f()");
        assert_eq!(made.lines().position(|l| l.contains("%2")), Some(2));
    }
}
