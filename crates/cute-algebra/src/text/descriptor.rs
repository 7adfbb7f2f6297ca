//! [`Descriptor`]: a tree of steps along named dimensions, such as `(16@0,1@1)`. This module
//! defines its grammar and its normal form; strides themselves are defined by [`Stride`].
//!
//! ```text
//! layout ::= "(" [entry {"," entry}] ")"
//! entry  ::= layout | count "@" dim {"@" dim}
//! count  ::= int | int "/" int
//! int    ::= ["-"] digit+
//! dim    ::= digit+
//! ```
//!
//! Spaces and tabs are ignored; groups may be empty.

use std::fmt;

use smallvec::SmallVec;

use super::cursor::{MAX_DEPTH, ParseError, Result};
use crate::{
    basis::{Basis, Stride},
    dim::Dim,
    error::{self, Error},
    layout::Layout,
    tuple::{Profile, Tuple},
};

/// One step: a count along a dimension, or along a dimension within one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Entry {
    numerator: i64,
    denominator: i64,
    /// The dimensions as written: the last is the outermost.
    dims: SmallVec<[u32; 2]>,
}

/// The treatment of a count that is not an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fractions {
    /// The count stays, reduced.
    Keep,
    /// Its entry is dropped.
    Drop,
    /// It is an error.
    Reject,
}

/// A tree of [`Entry`]s: the notation for a stride tree where only dimensions matter.
///
/// ```
/// use cute_algebra::{Descriptor, Fractions};
/// let d: Descriptor = "(16@0, (2/4@1, -6/3@0@1), ())".parse()?;
/// let normal = d.normalise(Fractions::Keep)?;
/// assert_eq!(normal.to_string(), "(16@0,(1/2@1,-2@0@1),())");
/// assert_eq!(d.normalise(Fractions::Drop)?.to_string(), "(16@0,(-2@0@1),())");
/// assert_eq!(normal.to_string().parse::<Descriptor>()?, normal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Descriptor(Tuple<Entry>);

impl Entry {
    /// The count: numerator and denominator.
    pub fn count(&self) -> (i64, i64) {
        (self.numerator, self.denominator)
    }

    /// The dimensions as written, the outermost last.
    pub fn dims(&self) -> &[u32] {
        &self.dims
    }

    /// The count in lowest terms, its denominator positive; `None` where that does not fit 64 bits.
    fn reduced(&self) -> Option<Self> {
        let (n, d) = (i128::from(self.numerator), i128::from(self.denominator));
        let (mut a, mut b) = (n.abs(), d.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let common = a * d.signum();
        let numerator = i64::try_from(n.checked_div(common)?).ok()?;
        let denominator = i64::try_from(d.checked_div(common)?).ok()?;
        Some(Self { numerator, denominator, dims: self.dims.clone() })
    }

    /// The entry as a stride.
    fn to_stride(&self) -> error::Result<Stride<Dim>> {
        let path: SmallVec<[usize; 4]> = self.dims.iter().rev().map(|d| *d as usize).collect();
        Stride::ratio(Dim::fixed(self.numerator), self.denominator, Basis::new(&path)?)
    }
}

impl Descriptor {
    /// The entries, nested as they are written.
    pub fn entries(&self) -> &Tuple<Entry> {
        &self.0
    }

    /// Every count in lowest terms, with a positive denominator; `fractions` selects the treatment
    /// of counts that are not integers.
    ///
    /// ```
    /// use cute_algebra::{Descriptor, Fractions};
    /// let d: Descriptor = "(4/2@0, (1/2@1))".parse()?;
    /// assert_eq!(d.normalise(Fractions::Drop)?.to_string(), "(2@0,())");
    /// let error = d.normalise(Fractions::Reject).unwrap_err();
    /// assert_eq!(error.to_string(), "descriptor: mode (1,0): 1/2@1 is not an integer");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn normalise(&self, fractions: Fractions) -> error::Result<Self> {
        let fail = |n: usize, why: &str| {
            let (path, entry) = (self.0.view().leaf_path(n), &self.0.leaves()[n]);
            Error::Unsupported { what: "descriptor", why: format!("{path}: {entry} {why}") }
        };
        let mut leaves = Vec::with_capacity(self.0.leaves().len());
        for (n, entry) in self.0.leaves().iter().enumerate() {
            let reduced = entry.reduced().ok_or_else(|| fail(n, "does not fit 64 bits in lowest terms"))?;
            match fractions {
                Fractions::Reject if reduced.denominator != 1 => return Err(fail(n, "is not an integer")),
                Fractions::Drop if reduced.denominator != 1 => leaves.push(None),
                _ => leaves.push(Some(reduced)),
            }
        }
        Ok(Self(without_gaps(self.0.profile().arities(), leaves)))
    }

    /// The stride tree that the descriptor denotes.
    ///
    /// ```
    /// use cute_algebra::Descriptor;
    /// let d: Descriptor = "(16@0, 4/2@0@1)".parse()?;
    /// assert_eq!(d.to_stride()?.to_string(), "(16@0,2@0@1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_stride(&self) -> error::Result<Tuple<Stride<Dim>>> {
        self.normalise(Fractions::Keep)?.0.try_map(Entry::to_stride)
    }

    /// The layout of a shape with the strides of the descriptor.
    ///
    /// ```
    /// use cute_algebra::{Descriptor, parse_shape};
    /// let d: Descriptor = "(1@0, 1@1)".parse()?;
    /// assert_eq!(d.to_layout(&parse_shape("(4,8)")?)?.to_string(), "(4,8):(1@0,1@1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_layout(&self, shape: &Tuple<Dim>) -> error::Result<Layout<Dim>> {
        Layout::new(shape.clone(), self.to_stride()?)
    }
}

/// The tree without the leaves that are `None`.
fn without_gaps(arities: &[u32], leaves: Vec<Option<Entry>>) -> Tuple<Entry> {
    let mut out = Tree::default();
    let mut open: SmallVec<[u32; 8]> = SmallVec::new();
    let mut leaves = leaves.into_iter();
    for &arity in arities {
        if arity == Profile::LEAF {
            if let Some(entry) = leaves.next().flatten() {
                out.leaf(entry);
            }
        } else {
            out.open();
            open.push(arity + 1);
        }
        // The last mode of a group closes the group, which is itself a mode of the surrounding
        // group.
        while let Some(left) = open.last_mut() {
            *left -= 1;
            if *left > 0 {
                break;
            }
            open.pop();
            out.close();
        }
    }
    out.finish()
}

/// A tree that is built from left to right.
#[derive(Default)]
struct Tree {
    arities: Vec<u32>,
    leaves: Vec<Entry>,
    /// The indices of the open groups among the arities.
    open: SmallVec<[usize; 8]>,
}

impl Tree {
    fn counted(&mut self) {
        if let Some(arity) = self.open.last().and_then(|i| self.arities.get_mut(*i)) {
            *arity += 1;
        }
    }
    fn open(&mut self) {
        self.counted();
        self.open.push(self.arities.len());
        self.arities.push(0);
    }
    fn close(&mut self) {
        self.open.pop();
    }
    fn leaf(&mut self, entry: Entry) {
        self.counted();
        self.arities.push(Profile::LEAF);
        self.leaves.push(entry);
    }
    fn finish(self) -> Tuple<Entry> {
        let profile = Profile::from_arities(self.arities).expect("every group that was opened is closed");
        Tuple::from_profile(profile, self.leaves).expect("each leaf was counted")
    }
}

/// A place in the text.
struct Scanner<'a> {
    text: &'a str,
    column: usize,
}

impl Scanner<'_> {
    fn rest(&self) -> &str {
        &self.text[self.column..]
    }
    fn peek(&mut self) -> Option<char> {
        let blank = self.rest().bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
        self.column += blank;
        self.rest().chars().next()
    }
    fn eat(&mut self, token: char) -> bool {
        let found = self.peek() == Some(token);
        self.column += if found { token.len_utf8() } else { 0 };
        found
    }
    fn unexpected(&mut self, expected: &'static str) -> ParseError {
        let found = match self.peek() {
            None => "the end".to_string(),
            Some(c) => format!("`{}`", c.escape_default()),
        };
        ParseError::Unexpected { column: self.column, expected, found }
    }
    /// The digits of a number, with `-` in front where `signed`.
    fn number<N: std::str::FromStr>(
        &mut self,
        signed: bool,
        expected: &'static str,
        fits: &'static str,
    ) -> Result<N> {
        self.peek();
        let rest = self.rest();
        let sign = usize::from(signed && rest.starts_with('-'));
        let digits = rest.bytes().skip(sign).take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            self.column += sign;
            return Err(self.unexpected(expected));
        }
        let token = &rest[..sign + digits];
        let Ok(value) = token.parse() else {
            let shown: String = token.chars().take(24).collect();
            return Err(ParseError::Unexpected {
                column: self.column,
                expected: fits,
                found: format!("`{shown}`"),
            });
        };
        self.column += token.len();
        Ok(value)
    }

    /// `count "@" dim {"@" dim}`
    fn entry(&mut self) -> Result<Entry> {
        let int = |s: &mut Self, expected| s.number::<i64>(true, expected, "an integer of 64 bits");
        let numerator = int(self, "a count, `(` or `)`")?;
        let mut denominator = 1;
        if self.eat('/') {
            self.peek();
            let column = self.column;
            denominator = int(self, "a denominator")?;
            if denominator == 0 {
                let found = "`0`".to_string();
                return Err(ParseError::Unexpected { column, expected: "a denominator other than 0", found });
            }
        }
        let mut dims = SmallVec::new();
        if self.peek() != Some('@') {
            return Err(self.unexpected(if denominator == 1 {
                "`@` and a dimension, or `/`"
            } else {
                "`@` and a dimension"
            }));
        }
        while self.eat('@') {
            dims.push(self.number::<u32>(false, "a dimension: digits", "a dimension of 32 bits")?);
        }
        Ok(Entry { numerator, denominator, dims })
    }
}

/// Reads a descriptor, such as `(16@0, 1@1)`.
pub fn parse_descriptor(text: &str) -> Result<Descriptor> {
    let mut s = Scanner { text, column: 0 };
    if s.peek() != Some('(') {
        return Err(s.unexpected("`(`"));
    }
    let mut tree = Tree::default();
    loop {
        // An entry, a group, or the end of an empty group may follow here.
        if s.eat('(') {
            if tree.open.len() >= MAX_DEPTH {
                return Err(ParseError::TooDeep { column: s.column - 1 });
            }
            tree.open();
            if s.peek() != Some(')') {
                continue;
            }
        } else {
            let entry = s.entry()?;
            tree.leaf(entry);
        }
        while s.eat(')') {
            tree.close();
            if tree.open.is_empty() {
                return match s.peek() {
                    None => Ok(Descriptor(tree.finish())),
                    Some(_) => Err(s.unexpected("the end")),
                };
            }
        }
        if !s.eat(',') {
            return Err(s.unexpected("`,` or `)`"));
        }
    }
}

impl std::str::FromStr for Descriptor {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self> {
        parse_descriptor(text)
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator)?;
        if self.denominator != 1 {
            write!(f, "/{}", self.denominator)?;
        }
        self.dims.iter().try_for_each(|dim| write!(f, "@{dim}"))
    }
}

impl fmt::Display for Descriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
