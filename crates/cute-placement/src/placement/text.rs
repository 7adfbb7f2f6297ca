//! Reading and printing placements.
//!
//! ```text
//! placement ::= [swizzle "o"] term {"+" term} | swizzle
//! term      ::= "S" iters | "R" iters | offset
//! iters     ::= "[" list [":" strides] "]"           the strides row-major along m if there are none
//! list      ::= int {"," int} [","], in parentheses or not; strides alike
//! stride    ::= step | "(" int "," name ")"
//! step      ::= int ["@" name] | ["@"] name          along m without a name, 1 without a number
//! offset    ::= int ["@" name]
//! name      ::= word | '"' word '"'
//! swizzle   ::= "Swizzle(M=" int ", B=" int ", S=" int [", inner=" ("true" | "false")] ")"
//! ```
//!
//! There is at most one shard. Several replicas and offsets add up, because each of them moves the
//! places that the others give.

use std::fmt;

use super::error::PlacementParseError;
use super::{Iter, Placement, PlacementError, Point, StorageSwizzle};
use cute_algebra::{Axis, text::Cursor};

type Result<T> = std::result::Result<T, PlacementParseError>;

/// Adds the column at which a value starts to its error.
fn at<T, E: Into<PlacementError>>(column: usize, result: std::result::Result<T, E>) -> Result<T> {
    result.map_err(|error| PlacementParseError::Invalid { column, error: error.into() })
}

/// Reads a placement, such as `S[(8,4) : (4@laneid,1@laneid)] + R[2 : 4@warpid] + 5@warpid`.
pub fn parse_placement(text: &str) -> Result<Placement> {
    let mut cursor = Cursor::new(text);
    let placement = placement(&mut cursor)?;
    cursor.end("`+` or the end")?;
    Ok(placement)
}

impl std::str::FromStr for Placement {
    type Err = PlacementParseError;
    fn from_str(text: &str) -> Result<Self> {
        parse_placement(text)
    }
}

fn placement(c: &mut Cursor<'_>) -> Result<Placement> {
    let column = c.column();
    if !c.eat("Swizzle") {
        return sum(c);
    }
    let outer = swizzle(c, column)?;
    if !c.eat("o") {
        return at(column, Placement::bare_swizzle(outer));
    }
    let column = c.column();
    if c.eat("Swizzle") {
        let inner = swizzle(c, column)?;
        return at(column, PlacementError::SwizzledTwice { outer, inner }.fail());
    }
    let tile = sum(c)?;
    at(column, tile.swizzled(outer))
}

fn swizzle(c: &mut Cursor<'_>, column: usize) -> Result<StorageSwizzle> {
    c.expect("(", "`(`")?;
    c.expect("M", "`M=`")?;
    c.expect("=", "`=`")?;
    let per_element = c.integer()?;
    c.expect(",", "`,`")?;
    c.expect("B", "`B=`")?;
    c.expect("=", "`=`")?;
    let swizzle_len = c.integer()?;
    c.expect(",", "`,`")?;
    c.expect("S", "`S=`")?;
    c.expect("=", "`=`")?;
    let atom_len = c.integer()?;
    let mut inner = true;
    if c.eat(",") {
        c.expect("inner", "`inner=`")?;
        c.expect("=", "`=`")?;
        inner = c.eat("true");
        if !inner {
            c.expect("false", "`true` or `false`")?;
        }
    }
    c.expect(")", "`)`")?;
    at(column, StorageSwizzle::new(per_element, swizzle_len, atom_len, inner))
}

fn sum(c: &mut Cursor<'_>) -> Result<Placement> {
    let begin = c.column();
    let (mut shard, mut replica, mut offset) = (None, Vec::new(), Point::default());
    loop {
        let column = c.column();
        if c.eat("S") {
            if shard.is_some() {
                let why = "a placement has one shard: use one S[(..):(..)] with several iters".to_string();
                at(column, PlacementError::Refused { op: "S + S", why }.fail())?;
            }
            shard = Some(iters(c, "shard")?);
        } else if c.eat("R") {
            replica.extend(iters(c, "replica")?);
        } else {
            let (distance, axis) = match c.peek() {
                Some('-' | '0'..='9') => (c.integer()?, if c.eat("@") { axis(c)? } else { Axis::M }),
                _ => return Err(c.unexpected("`S[`, `R[` or an offset").into()),
            };
            at(column, offset.add(axis, distance))?;
        }
        if !c.eat("+") {
            return at(begin, Placement::new(shard.unwrap_or_default(), replica, offset));
        }
    }
}

fn iters(c: &mut Cursor<'_>, part: &'static str) -> Result<Vec<Iter>> {
    c.expect("[", "`[`")?;
    let column = c.column();
    let extents = list(c, &mut |c| Ok(c.integer()?))?;
    if !c.eat(":") {
        c.expect("]", "`:`, `,` or `]`")?;
        return at(column, Placement::row_major(&extents).map(|p| p.shard));
    }
    let strides = list(c, &mut stride)?;
    c.expect("]", "`,` or `]`")?;
    if extents.len() != strides.len() {
        let (found, expected) = (strides.len(), extents.len());
        let error =
            PlacementError::Count { op: part, what: "strides", found, expected, why: "one per extent" };
        return at(column, error.fail());
    }
    Ok(extents.into_iter().zip(strides).map(|(n, (step, axis))| Iter::new(n, step, axis)).collect())
}

/// Items between commas, in parentheses or not; a comma may follow the last.
fn list<T>(c: &mut Cursor<'_>, item: &mut impl FnMut(&mut Cursor<'_>) -> Result<T>) -> Result<Vec<T>> {
    let close = if c.eat("(") { Some(')') } else { None };
    let mut items = Vec::new();
    let ends = |c: &mut Cursor<'_>| {
        matches!((close, c.peek()), (_, None) | (Some(_), Some(')')) | (None, Some(':' | ']')))
    };
    while !ends(c) {
        items.push(item(c)?);
        if !c.eat(",") && !ends(c) {
            return Err(c.unexpected(if close.is_some() { "`,` or `)`" } else { "`,`, `:` or `]`" }).into());
        }
    }
    if close.is_some() {
        c.expect(")", "`,` or `)`")?;
    }
    Ok(items)
}

fn stride(c: &mut Cursor<'_>) -> Result<(i64, Axis)> {
    match c.peek() {
        Some('(') => {
            c.eat("(");
            let step = c.integer()?;
            c.expect(",", "`,` and an axis")?;
            let axis = axis(c)?;
            c.expect(")", "`)`")?;
            Ok((step, axis))
        }
        Some('-' | '0'..='9') => {
            let step = c.integer()?;
            Ok((step, if c.eat("@") { axis(c)? } else { Axis::M }))
        }
        _ => {
            c.eat("@");
            Ok((1, axis(c)?))
        }
    }
}

fn axis(c: &mut Cursor<'_>) -> Result<Axis> {
    let quoted = c.eat("\"");
    let column = c.column();
    let axis = at(column, Axis::new(c.word("the name of an axis")?))?;
    if quoted {
        c.expect("\"", "`\"`")?;
    }
    Ok(axis)
}

/// `[(8, 4) : (4@laneid, 1@m)]`
fn write_iters(f: &mut fmt::Formatter<'_>, iters: &[Iter]) -> fmt::Result {
    let list = |item: &dyn Fn(&Iter) -> String| iters.iter().map(item).collect::<Vec<_>>().join(", ");
    let (extents, strides) = (list(&|i| i.extent.to_string()), list(&|i| format!("{}@{}", i.stride, i.axis)));
    write!(f, "[({extents}) : ({strides})]")
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(swizzle) = self.swizzle {
            write!(f, "{swizzle} o ")?;
        }
        let mut plus = "";
        if !self.shard.is_empty() || self.replica.is_empty() && self.offset.is_empty() {
            f.write_str("S")?;
            write_iters(f, &self.shard)?;
            plus = " + ";
        }
        if !self.replica.is_empty() {
            write!(f, "{plus}R")?;
            write_iters(f, &self.replica)?;
            plus = " + ";
        }
        if !self.offset.is_empty() {
            write!(f, "{plus}{}", self.offset)?;
        }
        Ok(())
    }
}
