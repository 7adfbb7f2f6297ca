//! Reads parts of an op's text.

/// The name with which a text begins.
pub fn word(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "._$".contains(c)));
    &text[..end.unwrap_or(text.len())]
}

/// A position in the text of an op.
pub struct Reader<'t> {
    pub text: &'t str,
    pub at: usize,
}

impl<'t> Reader<'t> {
    /// The rest of the text after white space.
    pub fn rest(&self) -> &'t str {
        self.text[self.at..].trim_start()
    }

    /// Advances past this part of the rest.
    fn take(&mut self, rest: &'t str, n: usize) -> &'t str {
        self.at = self.text.len() - rest.len() + n;
        &rest[..n]
    }

    pub fn skip(&mut self, token: &str) -> bool {
        let rest = self.rest();
        let found = rest.starts_with(token);
        if found {
            self.take(rest, token.len());
        }
        found
    }

    /// `%a`, `%a#1`, or `key = %a`.
    pub fn operand(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        if !rest.starts_with('%') {
            let key = self.take(rest, word(rest).len());
            return (!key.is_empty() && self.skip("=")).then(|| self.operand())?;
        }
        let end = rest[1..].find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-#".contains(c)));
        Some(self.take(rest, end.map_or(rest.len(), |n| n + 1)))
    }

    pub fn barrier(&mut self, name: &str) -> Option<String> {
        let mut operands = Vec::new();
        let mut sizes = ["0", "0", "0"];
        for (size, key) in sizes.iter_mut().zip(["id", "number_of_threads"]) {
            if word(self.rest()) == key {
                operands.push(self.operand()?);
                *size = "1";
            }
        }
        // Upstream's op has more parts, which CuTe DSL's does not have.
        if ["#", "->", "{"].iter().any(|part| self.rest().starts_with(part)) {
            return None;
        }
        let (types, sizes) = (vec!["i32"; operands.len()].join(", "), sizes.join(", "));
        let sizes = format!("<{{operandSegmentSizes = array<i32: {sizes}>}}>");
        Some(format!("\"{name}\"({}) {sizes} : ({types}) -> ()", operands.join(", ")))
    }

    /// A type: up to a character that ends it, outside of brackets.
    pub fn r#type(&mut self) -> Option<&'t str> {
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

    /// ` {..}`, in which attributes that upstream does not have are replaced by strings of their
    /// keywords; empty if there are no attributes. Properties, `<{..}>`, become attributes.
    pub fn attributes(&mut self) -> Option<String> {
        let mut all = Vec::new();
        if self.skip("<{") {
            all.push(self.entries()?);
            self.skip(">").then_some(())?;
        }
        if self.skip("{") {
            all.push(self.entries()?);
        }
        all.retain(|entries| !entries.trim().is_empty());
        Some(if all.is_empty() { String::new() } else { format!(" {{{}}}", all.join(", ")) })
    }

    /// The entries of a dictionary whose opening brace was read, and its closing brace.
    fn entries(&mut self) -> Option<String> {
        let rest = &self.text[self.at..];
        let mut depth = 1_i32;
        let end = rest.find(|c: char| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        self.at += end + 1;
        let mut rest = &rest[..end];
        let mut out = String::new();
        while let Some(at) = rest.find("#nv") {
            let (open, close) = (at + rest[at..].find('<')?, at + rest[at..].find('>')?);
            // `#nvvm.mbar_space<cluster>`, or `#nvvm<mbar_space cluster>`.
            let keyword = rest[open + 1..close].split_whitespace().next_back()?;
            out += &format!("{}\"{keyword}\"", &rest[..at]);
            rest = &rest[close + 1..];
        }
        Some(out + rest)
    }

    /// The types after an op: `: A, B -> R`, where `to` may stand for the arrow. Both lists are
    /// empty for an op without types.
    pub fn types(&mut self) -> Option<(Vec<&'t str>, Vec<&'t str>)> {
        let (mut taken, mut made) = (Vec::new(), Vec::new());
        if !self.skip(":") {
            return Some((taken, made));
        }
        self.list(&mut taken)?;
        if self.skip("->") || (word(self.rest()) == "to" && self.skip("to")) {
            self.list(&mut made)?;
        }
        Some((taken, made))
    }

    /// Types between commas, which may be in parentheses.
    fn list(&mut self, types: &mut Vec<&'t str>) -> Option<()> {
        let parens = self.skip("(");
        if parens && self.skip(")") {
            return Some(());
        }
        types.push(self.r#type()?);
        while self.skip(",") {
            types.push(self.r#type()?);
        }
        (!parens || self.skip(")")).then_some(())
    }
}
