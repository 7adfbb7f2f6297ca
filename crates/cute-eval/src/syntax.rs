//! The parser, from text to a tree of expressions. It checks the grammar only; `eval` decides the
//! meaning of names and combinations.
//!
//! ```text
//! statement  = [ name "=" ] expression
//! expression = term [ "o" term [ "o" term ] ]
//! term       = sum [ ":" sum applied* ]
//! sum        = product ( ( "+" | "-" ) product )*
//! product    = atom ( ( "*" | "/" | "%" ) atom )*
//! atom       = "(" expression,* ")" | "[" expression;* "]" | "_" | leaf | "S<b,m,s>" applied* | name applied*
//! applied    = "(" expression,* ")" | "[" expression,* "]"
//! name       = word ( "::" word )* [ "<" .. ">" ], as atoms are named: UniversalCopy<uint128_t>
//! word       = letter ( letter | digit | "_" )*
//! leaf       = integer [ "/" integer ] ( ( "@" integer )* | "@" word )
//! integer    = ["-"] digits | "?" [value] [ "{" [ i32 | i64 ] [ "div=" digits ] "}" ]
//! ```
//!
//! `comment` defines comments, and `printed` reads what CuTe prints.
//!
//! Parentheses around one layout or one sum group it, and may be followed by an argument list:
//! `((4,8):(8,1))(1,2)`.

mod comment;
mod printed;

use cute_algebra::{Dim, Width};

use crate::{
    error::{Error, Result},
    leaf::{Leaf, leaf},
    value::MAX_LEAVES,
};

pub use comment::uncommented;

/// The maximum nesting depth of brackets.
const MAX_DEPTH: usize = 64;

/// The maximum number of operators and applications in one statement. Each makes the tree one level
/// deeper.
const MAX_OPERATORS: usize = 256;

/// An expression, and the column at which it starts.
#[derive(Debug, Clone)]
pub struct Node {
    /// The column, counted in bytes from 1.
    pub column: usize,
    /// Its form, with the nodes of its parts.
    pub expr: Expr,
}

impl Node {
    /// Whether the node is one layout in parentheses; the modes of a tuple are not layouts.
    fn groups_layout(&self) -> bool {
        let Expr::Tuple(items) = &self.expr else { return false };
        match items.as_slice() {
            [item] => matches!(item.expr, Expr::Layout(..) | Expr::Composed(..)) || item.composes(),
            _ => false,
        }
    }

    /// Whether the node is `a o b`, which needs no parentheses of its own.
    fn composes(&self) -> bool {
        matches!(&self.expr, Expr::Call(name, args) if name == "composition" && args.first().is_some_and(|a| a.column == self.column))
    }

    /// Removes parentheses around one layout or one operation; other nodes stay the same.
    fn grouped(mut self) -> Self {
        let operation = |item: &Self| {
            let Expr::Call(_, args) = &item.expr else { return false };
            args.first().is_some_and(|first| first.column <= item.column)
        };
        let groups = self.groups_layout();
        if let Expr::Tuple(items) = &mut self.expr
            && let [item] = items.as_slice()
            && (groups || operation(item))
            && let Some(item) = items.pop()
        {
            return item;
        }
        self
    }
}

/// The forms of an expression.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "the example of each form shows its parts")]
pub enum Expr {
    /// `8`, `?8`
    Integer(Leaf),
    /// `4@1`, `1/2@0`
    Basis { scale: Leaf, den: i64, path: Vec<i64> },
    /// `4@laneid`
    Named { scale: Leaf, den: i64, axis: String },
    /// `_`
    Underscore,
    /// `(a,b)`
    Tuple(Vec<Node>),
    /// `[a;b]`
    Tile(Vec<Node>),
    /// `S<b,m,s>`
    Swizzle([i64; 3]),
    /// `shape:stride`
    Layout(Box<Node>, Box<Node>),
    /// `inner o offset o outer`
    Composed(Box<Node>, Box<Node>, Box<Node>),
    /// `name(args)`; `a o b`, `a + b` and `a[1]` are calls too.
    Call(String, Vec<Node>),
    /// `layout(args)`: the value at a coordinate, or the slice of one with `_`.
    Apply(Box<Node>, Vec<Node>),
    /// `name`
    Name(String),
    /// `smem_ptr[16b](0x7f00)`, which a layout must follow. The swizzle is one of bytes.
    Pointer { swizzle: Option<[i64; 3]>, bits: Option<i64> },
}

/// Reads `expression` or `name = expression`.
pub fn statement(text: &str) -> Result<(Option<String>, Node)> {
    let text = uncommented(text);
    let mut cursor = Cursor { text, at: 0, depth: 0, leaves: 0, operators: 0 };
    cursor.declared();
    let start = cursor.at;
    let name = cursor.word().filter(|_| cursor.eat("="));
    if name.is_none() {
        cursor.at = start;
    }
    let node = cursor.expression()?;
    if cursor.peek() == Some(';') && cursor.rest()[1..].trim().is_empty() {
        return Ok((name, node));
    }
    match cursor.peek() {
        None => Ok((name, node)),
        Some(_) => Err(cursor.unexpected("the end")),
    }
}

/// Reads one expression.
pub fn expression(text: &str) -> Result<Node> {
    match statement(text)? {
        (None, node) => Ok(node),
        (Some(_), _) => {
            Err(Error::Unexpected { column: 1, expected: "an expression", found: "a definition".to_string() })
        }
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    leaves: usize,
    operators: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&mut self) -> Option<char> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    fn column(&mut self) -> usize {
        self.peek();
        self.at + 1
    }

    fn eat(&mut self, token: &str) -> bool {
        self.peek();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }

    fn expect(&mut self, token: &str, expected: &'static str) -> Result<()> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn unexpected(&mut self, expected: &'static str) -> Error {
        let column = self.column();
        let mut chars = self.rest().chars();
        let found = match chars.next() {
            None => "the end".to_string(),
            Some(first) => {
                let word = chars.take_while(|c| first.is_alphanumeric() && c.is_alphanumeric()).take(24);
                format!("`{first}{}`", word.collect::<String>())
            }
        };
        Error::Unexpected { column, expected, found }
    }

    /// Words with `::` between them.
    fn name(&mut self) -> Option<String> {
        let mut name = self.word()?;
        while self
            .rest()
            .strip_prefix("::")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            self.at += "::".len();
            name.push_str("::");
            name.push_str(&self.word()?);
        }
        Some(name)
    }

    /// A letter, then letters, digits and `_`.
    fn word(&mut self) -> Option<String> {
        let first = self.peek()?;
        let word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
        let length = self.rest().bytes().take_while(word).count();
        let name = self.rest()[..length].to_string();
        if !first.is_ascii_alphabetic() {
            return None;
        }
        self.at += length;
        Some(name)
    }

    /// `<..>` up to the bracket that closes it, without spaces.
    fn parameters(&mut self) -> Result<String> {
        let mut open = 0usize;
        for (i, c) in self.rest().char_indices() {
            match c {
                '<' => open += 1,
                '>' => open -= 1,
                _ if c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "_,:".contains(c) => continue,
                _ => break,
            }
            if open == 0 {
                let name = self.rest()[..=i].chars().filter(|c| !c.is_ascii_whitespace()).collect();
                self.at += i + 1;
                return Ok(name);
            }
        }
        self.at += self
            .rest()
            .find(|c: char| !(c.is_ascii_alphanumeric() || "_,:< ".contains(c)))
            .unwrap_or(self.rest().len());
        Err(self.unexpected("`>` after the parameters of a name"))
    }

    fn number(&mut self) -> Result<i64> {
        self.peek();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let digits = rest.bytes().skip(sign).take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Err(self.unexpected("an integer"));
        }
        let value = rest[..sign + digits].parse().map_err(|_| self.unexpected("an integer of 64 bits"))?;
        self.at += sign + digits;
        Ok(value)
    }

    /// The word `o`: not the start of a name.
    fn composed_with(&mut self) -> bool {
        let found = self.peek() == Some('o')
            && !self.rest().chars().nth(1).is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
        self.at += usize::from(found);
        found
    }

    fn expression(&mut self) -> Result<Node> {
        let column = self.column();
        let inner = self.term()?;
        if !self.composed_with() {
            return Ok(inner);
        }
        if let Expr::Pointer { swizzle, bits } = inner.expr {
            self.deeper(column)?;
            let outer = self.expression()?;
            self.depth -= 1;
            return printed::behind(column, swizzle, bits, outer);
        }
        let offset = self.term()?;
        if !self.composed_with() {
            return Ok(Node { column, expr: Expr::Call("composition".into(), vec![inner, offset]) });
        }
        let outer = self.term()?;
        Ok(Node { column, expr: printed::composed(inner, offset, outer)? })
    }

    fn term(&mut self) -> Result<Node> {
        let column = self.column();
        let shape = self.sum()?;
        if !self.eat(":") {
            return Ok(shape);
        }
        let stride = self.sum()?;
        self.applied(Node { column, expr: Expr::Layout(Box::new(shape), Box::new(stride)) })
    }

    fn sum(&mut self) -> Result<Node> {
        self.operators(&[("+", "add_values"), ("-", "tuple_sub")], Self::product)
    }

    fn product(&mut self) -> Result<Node> {
        self.operators(&[("*", "tuple_mul"), ("/", "tuple_div"), ("%", "tuple_mod")], Self::atom)
    }

    /// Operands with operators between them, from left to right.
    fn operators(
        &mut self,
        operators: &[(&str, &str)],
        operand: impl Fn(&mut Self) -> Result<Node>,
    ) -> Result<Node> {
        let column = self.column();
        let mut left = operand(self)?;
        while let Some((operator, function)) = operators.iter().find(|(operator, _)| self.eat(operator)) {
            if *operator == "/" && self.rest().starts_with('/') {
                self.at -= operator.len();
                let expected = "`/` for a division, or `#` before a comment";
                return Err(Error::Unexpected { column: self.at + 1, expected, found: "`//`".into() });
            }
            self.operator_counted(column)?;
            let args = vec![left.grouped(), operand(self)?.grouped()];
            left = Node { column, expr: Expr::Call(function.to_string(), args) };
        }
        Ok(left)
    }

    /// The arguments or indices that follow a layout, a swizzle or a name.
    fn applied(&mut self, mut node: Node) -> Result<Node> {
        let column = node.column;
        loop {
            let expr = match self.peek() {
                Some('(') => Expr::Apply(Box::new(node), self.list("(", ",", ")", "`,` or `)`")?),
                Some('[') => {
                    let path = self.list("[", ",", "]", "`,` or `]`")?;
                    Expr::Call("get".into(), std::iter::once(node).chain(path).collect())
                }
                _ => return Ok(node),
            };
            self.operator_counted(column)?;
            node = Node { column, expr };
        }
    }

    fn atom(&mut self) -> Result<Node> {
        let column = self.column();
        let expr = match self.peek() {
            Some('(') => {
                let expr = Expr::Tuple(self.list("(", ",", ")", "`,` or `)`")?);
                let node = Node { column, expr };
                return if node.groups_layout() { self.applied(node.grouped()) } else { Ok(node) };
            }
            Some('[') => Expr::Tile(self.list("[", ";", "]", "`;` or `]`")?),
            Some('_') => {
                self.leaf_counted(column)?;
                let is_static = self.is_static();
                self.eat("_");
                if is_static {
                    let expr = self.leaf()?;
                    self.object();
                    expr
                } else {
                    Expr::Underscore
                }
            }
            Some('-' | '0'..='9' | '?') => {
                self.leaf_counted(column)?;
                self.leaf()?
            }
            Some('S') if self.rest().get(1..).is_some_and(|s| s.trim_start().starts_with('<')) => {
                self.eat("S");
                let expr = self.swizzle()?;
                return self.applied(Node { column, expr });
            }
            Some(c) if c.is_ascii_alphabetic() => {
                let mut name = self.name().expect("a name begins with a letter");
                if let Some(expr) = self.printed(column, &name)? {
                    return self.applied(Node { column, expr });
                }
                if self.rest().starts_with('<') {
                    name.push_str(&self.parameters()?);
                }
                let expr = match self.peek() {
                    Some('(') => Expr::Call(name, self.list("(", ",", ")", "`,` or `)`")?),
                    _ => {
                        self.object();
                        Expr::Name(name)
                    }
                };
                return self.applied(Node { column, expr });
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Node { column, expr })
    }

    fn leaf_counted(&mut self, column: usize) -> Result<()> {
        self.leaves += 1;
        if self.leaves > MAX_LEAVES {
            return Err(Error::TooLarge { column, what: "the expression", limit: MAX_LEAVES });
        }
        Ok(())
    }

    /// Counts one more level of nesting, which the caller ends.
    fn deeper(&mut self, column: usize) -> Result<()> {
        if self.depth >= MAX_DEPTH {
            return Err(Error::TooDeep { column, limit: MAX_DEPTH });
        }
        self.depth += 1;
        Ok(())
    }

    fn operator_counted(&mut self, column: usize) -> Result<()> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            return Err(Error::TooManyOperators { column, limit: MAX_OPERATORS });
        }
        Ok(())
    }

    fn list(
        &mut self,
        open: &str,
        separator: &str,
        close: &str,
        expected: &'static str,
    ) -> Result<Vec<Node>> {
        let column = self.column();
        self.deeper(column)?;
        self.leaf_counted(column)?;
        self.eat(open);
        let mut items = Vec::new();
        if self.eat(close) {
            self.depth -= 1;
            return Ok(items);
        }
        loop {
            items.push(self.expression()?);
            if self.eat(close) {
                self.depth -= 1;
                return Ok(items);
            }
            self.expect(separator, expected)?;
        }
    }

    fn leaf(&mut self) -> Result<Expr> {
        let scale = if self.eat("?") { self.dynamic()? } else { leaf(Dim::fixed(self.number()?), None) };
        let after_scale = self.at;
        let mut den = 1;
        if !self.rest().trim_start().starts_with("//") && self.eat("/") {
            // A ratio scales a basis element; any other `/` is a division.
            match self.number() {
                Ok(number) if self.peek() == Some('@') => den = number,
                _ => {
                    self.at = after_scale;
                    return Ok(Expr::Integer(scale));
                }
            }
        }
        let mut path = Vec::new();
        while self.eat("@") {
            if path.is_empty()
                && let Some(axis) = self.word()
            {
                return Ok(Expr::Named { scale, den, axis });
            }
            path.push(self.number()?);
        }
        path.reverse();
        if path.is_empty() {
            return Ok(Expr::Integer(scale));
        }
        Ok(Expr::Basis { scale, den, path })
    }

    /// The part after `?`: the run-time value, width and divisor.
    fn dynamic(&mut self) -> Result<Leaf> {
        let value = match self.rest().chars().next() {
            Some('-' | '0'..='9') => Some(self.number()?),
            _ => None,
        };
        let (mut width, mut div) = (Width::I32, 1);
        if self.rest().starts_with('{') {
            self.eat("{");
            let sized = ["i64", "i32"].into_iter().find(|w| self.eat(w));
            if sized == Some("i64") {
                width = Width::I64;
            }
            if sized.is_none() || self.peek() != Some('}') {
                self.expect("div", "`i64`, `i32` or `div=`")?;
                self.expect("=", "`=`")?;
                let before = self.at;
                div = self.number()?;
                if div < 1 || value.is_some_and(|value| value % div != 0) {
                    self.at = before;
                    return Err(self.unexpected("a positive divisor of the value"));
                }
            }
            self.expect("}", "`}`")?;
        }
        Ok(leaf(Dim::dynamic(width, div), value))
    }

    /// The fields of a swizzle, and the pointer that it may belong to.
    fn swizzle(&mut self) -> Result<Expr> {
        self.eat("<");
        let bits = self.number()?;
        self.expect(",", "`,`")?;
        let base = self.number()?;
        self.expect(",", "`,`")?;
        let shift = self.number()?;
        self.expect(">", "`>`")?;
        self.swizzled(Expr::Swizzle([bits, base, shift]))
    }
}
