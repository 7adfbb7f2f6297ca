//! Parses calls in Python syntax: `tmem_mma_operand_layout("D", (64, 32), M=64, cta_group=1,
//! ws=True)`.
//!
//! ```text
//! calls = name "(" [ argument, .. ] ")" ( "." name "(" .. ")" )*
//! argument = [ name "=" ] value
//! value = integer | "text" | 'text' | True | False | None | name | "(" value, .. ")" | "[" value, .. "]" | "{" value ":" value, .. "}"
//! ```
//!
//! A dictionary in place of the last argument contains arguments by name. A bare name is read as
//! text.

use serde_json::{Map, Value as Json};

use crate::error::{Error, Result};

/// The maximum nesting depth of values.
const MAX_DEPTH: usize = 64;

/// A call. The object of a method is the result of the call before it.
#[derive(Debug, PartialEq)]
pub(crate) struct Call {
    /// The name of the function, including dots.
    pub name: String,
    /// Arguments in order.
    pub list: Vec<Json>,
    /// Arguments by name.
    pub named: Map<String, Json>,
}

/// The calls of a chain, in order.
pub fn calls(text: &str) -> Result<Vec<Call>> {
    let mut cursor = Cursor { text, rest: text };
    let mut calls = Vec::new();
    loop {
        calls.push(cursor.call()?);
        if !cursor.eat('.') {
            break;
        }
    }
    if cursor.rest.is_empty() { Ok(calls) } else { Err(cursor.expected("the end")) }
}

struct Cursor<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn expected(&self, what: &str) -> Error {
        let column = self.text.len() - self.rest.len() + 1;
        Error::Request(format!("column {column} of the call: {what} is expected"))
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (head, tail) = self.rest.split_at(bytes);
        self.rest = tail.trim_start();
        head
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.rest.starts_with(c);
        if found {
            self.skip(c.len_utf8());
        }
        found
    }

    fn expect(&mut self, c: char) -> Result<()> {
        if self.eat(c) { Ok(()) } else { Err(self.expected(&format!("`{c}`"))) }
    }

    fn name(&mut self) -> Option<&'a str> {
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        let end = end.unwrap_or(self.rest.len());
        let starts = self.rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
        starts.then(|| self.skip(end))
    }

    fn call(&mut self) -> Result<Call> {
        let name = self.name().ok_or_else(|| self.expected("a name"))?;
        let mut call = Call { name: name.to_string(), list: Vec::new(), named: Map::new() };
        self.expect('(')?;
        while !self.eat(')') {
            let value = self.value(0)?;
            match value {
                Json::String(name) if self.eat('=') => {
                    let value = self.value(0)?;
                    call.named.insert(name, value);
                }
                Json::Object(named) => call.named.extend(named),
                value => call.list.push(value),
            }
            if !self.eat(',') && !self.rest.starts_with(')') {
                return Err(self.expected("`,` or `)`"));
            }
        }
        Ok(call)
    }

    fn value(&mut self, depth: usize) -> Result<Json> {
        if depth > MAX_DEPTH {
            return Err(self.expected("a value less deep"));
        }
        if self.eat('(') {
            return self.list(')', depth);
        }
        if self.eat('[') {
            return self.list(']', depth);
        }
        if self.eat('{') {
            let mut named = Map::new();
            while !self.eat('}') {
                let Json::String(key) = self.value(depth + 1)? else {
                    return Err(self.expected("text as key"));
                };
                self.expect(':')?;
                let value = self.value(depth + 1)?;
                named.insert(key, value);
                if !self.eat(',') && !self.rest.starts_with('}') {
                    return Err(self.expected("`,` or `}`"));
                }
            }
            return Ok(Json::Object(named));
        }
        if let Some(quote) = self.rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            let inside = self.rest.get(1..).and_then(|text| text.find(quote));
            let end = inside.ok_or_else(|| self.expected("a closing quote"))?;
            let text = self.skip(end + 2);
            return Ok(Json::from(&text[1..=end]));
        }
        if let Some(name) = self.name() {
            return Ok(match name {
                "True" => Json::Bool(true),
                "False" => Json::Bool(false),
                "None" => Json::Null,
                other => Json::from(other),
            });
        }
        let digits = self.rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+')));
        let number = &self.rest[..digits.unwrap_or(self.rest.len())];
        let value: i64 = number.parse().map_err(|_| self.expected("a value"))?;
        self.skip(number.len());
        Ok(Json::from(value))
    }

    /// A list; a single value in parentheses is not one without a comma.
    fn list(&mut self, close: char, depth: usize) -> Result<Json> {
        let (mut items, mut comma) = (Vec::new(), close == ']');
        while !self.eat(close) {
            items.push(self.value(depth + 1)?);
            let more = self.eat(',');
            comma |= more;
            if !more && !self.rest.starts_with(close) {
                return Err(self.expected(&format!("`,` or `{close}`")));
            }
        }
        match items.pop() {
            Some(only) if items.is_empty() && !comma => Ok(only),
            last => Ok(items.into_iter().chain(last).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_are_read() {
        let text = "f('a', (1,), (2), [ -3 ], x.y, {'M': 4, \"ws\": True}, k = None).g()";
        let found = calls(text).unwrap();
        let names: Vec<&str> = found.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["f", "g"]);
        assert_eq!(json!(found[0].list), json!(["a", [1], 2, [-3], "x.y"]));
        assert_eq!(json!(found[0].named), json!({"M": 4, "ws": true, "k": null}));
    }

    #[test]
    fn what_is_no_call_is_refused() {
        for (text, column) in [
            ("", 1),
            ("f", 2),
            ("f(", 3),
            ("f(1", 4),
            ("f(1 2)", 5),
            ("f('a)", 3),
            ("f(99999999999999999999)", 3),
            ("f(1)x", 5),
            ("f({1: 2})", 5),
        ] {
            let error = calls(text).unwrap_err().to_string();
            assert!(error.contains(&format!("column {column} ")), "{text}: {error}");
        }
        assert!(calls(&format!("f({})", "(".repeat(100_000))).is_err());
    }
}
