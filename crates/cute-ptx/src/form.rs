//! Forms: the pattern of an instruction in one spelling.
//!
//! A form is a name, operands, results and, in NVVM, attributes:
//!
//! ```text
//! setmaxnreg.{registers}.sync.aligned.u32 #count          PTX
//! barrier.cta.sync.{?aligned}.all id                      intrinsic
//! nvvm.shfl.sync mask, a, offset, clamp -> d, p? | kind={shuffle}
//! ```
//!
//! | in a name | stands for |
//! |---|---|
//! | `{shuffle}` | a word of the modifier `shuffle`; `{shuffle?}` may be missing |
//! | `{from:type}` | a word of the modifier `type`, which is called `from` |
//! | `{type=u32,b*}` | a word of `type` that is `u32` or begins with `b` |
//! | `{hint*}` | any number of words of the modifier, in any order |
//! | `{?aligned}`, `{!approx}` | a flag that may be present, or that always is |
//! | <code>{wait&#124;launch}</code> | a flag, one of these |
//! | `{*}` | all other words |
//!
//! | an operand | is |
//! |---|---|
//! | `mask` | a value with this [`Role`]; `mask?` may be missing |
//! | `[at]`, `[at@shared]` | an address; of the space that the instruction names, or of this one |
//! | `[map{coordinates}]` | a tensor map and coordinates |
//! | <code>d&#124;p</code> | a pair |
//! | `#count` | a number that is known when the kernel is compiled |
//! | `{values}` | a list in braces, or one value |
//! | `values*` | all values up to those that the rest of the form needs |
//! | `b:u32`, `c:by`, `c:wide` | an operand of this type, of the type that the modifier `by` names, or of twice the bits of the instruction's type |
//! | `c:bits`, `a:pointer` | an operand in a register of 32 bits without another type, or an address of 32 or 64 bits |
//! | `_`, `_*` | a value without meaning for the machine, such as a hint; several of them |
//!
//! | after the bar | says that |
//! |---|---|
//! | `kind={shuffle}` | an attribute has a word of a modifier |
//! | `sat={none&#124;satfinite}` | the word of an attribute is a flag |
//! | `aligned?` | an attribute is a flag |
//! | `n=#count` | an attribute is a number |
//! | `dstTy=<to:x2>` | an attribute is a type: with `x2` after its name, that of the modifier `to` |
//! | `!aShift=tcgen05.mma.ashift` | with this attribute, it is an instruction that does not run |
//! | `to:type=s32`, `+sat` | a modifier has this word in PTX, and a flag is there, whatever is written |

use crate::keyword::{Keyword, Spelling, Table};
use crate::role::Role;
use crate::rows;
use crate::words::{ScalarType, StateSpace};

/// A part of a name.
#[derive(Debug)]
enum Part {
    Word(&'static str),
    Keyword { label: &'static str, table: &'static Table, only: Vec<&'static str>, optional: bool },
    Keywords { label: &'static str, table: &'static Table },
    Flag { choices: Vec<&'static str>, optional: bool },
    Rest,
}

/// The shape of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandShape {
    /// One value.
    Value,
    /// A value, and one for this role.
    Pair(Role),
    /// An address, of this space, or of the one that the instruction names.
    Address(Option<StateSpace>),
    /// An address, and values for this role.
    Box(Role),
    /// A constant.
    Number,
    /// Several values in braces.
    List,
    /// As many values as are left.
    Rest,
}

/// The type of an operand that has another one than the instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnType {
    /// Always this one.
    Fixed(ScalarType),
    /// The one that the modifier with this name names.
    Named(&'static str),
    /// An integer with twice as many bits.
    Wide,
    /// 32 bits, in a register without another type.
    Bits,
    /// An address of 32 or of 64 bits.
    Pointer,
}

/// An operand of a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// Its part; `None` if it has no meaning for the machine.
    pub role: Option<Role>,
    /// How it is written.
    pub shape: OperandShape,
    /// Its type, if it is not that of the instruction.
    pub own: Option<OwnType>,
    /// Whether it may be missing.
    pub optional: bool,
}

/// An attribute of an op of NVVM.
#[derive(Debug)]
pub enum Attribute {
    /// A modifier.
    Keyword {
        /// The attribute.
        name: &'static str,
        /// The name of the modifier.
        label: &'static str,
        /// Its words.
        table: &'static Table,
        /// The words that the op takes, if not all.
        only: Vec<&'static str>,
    },
    /// A flag that is present, or true.
    Flag(&'static str),
    /// An attribute whose word is a flag.
    Choice {
        /// The attribute.
        name: &'static str,
        /// Its words.
        choices: Vec<&'static str>,
    },
    /// A type of floats.
    Type {
        /// The attribute.
        name: &'static str,
        /// The name of the modifier.
        label: &'static str,
        /// The number of floats, as PTX writes it after the name of the type.
        after: &'static str,
    },
    /// An attribute with which the op is another instruction, which does not run.
    Refused {
        /// The attribute.
        name: &'static str,
        /// The instruction in PTX.
        mnemonic: &'static str,
    },
    /// An operand that is a constant.
    Number {
        /// The attribute.
        name: &'static str,
        /// The operand that it is in other spellings.
        role: Role,
    },
}

/// The pattern of an instruction in one spelling.
#[derive(Debug)]
pub struct Form {
    /// The form as it is declared.
    pub text: &'static str,
    /// The spelling that it is for.
    pub spelling: Spelling,
    parts: Vec<Part>,
    /// The operands, in their order; in PTX with the results.
    pub operands: Vec<Operand>,
    /// The results, outside of PTX.
    pub results: Vec<Operand>,
    /// The attributes that hold modifiers and numbers.
    pub attributes: Vec<Attribute>,
    /// The modifiers that it always has, without words in the name.
    implied: FoundModifiers,
}

/// The modifiers of an instruction, and words that a form does not interpret.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundModifiers {
    /// The number of the meaning for each modifier.
    pub keywords: Vec<(&'static str, usize)>,
    /// The flags that are present.
    pub flags: Vec<&'static str>,
    /// The words of `{*}`.
    pub rest: Vec<String>,
}

impl Form {
    /// Reads a form.
    ///
    /// # Errors
    ///
    /// Returns the part of the text that is not a form.
    pub fn parse(spelling: Spelling, text: &'static str) -> Result<Self, &'static str> {
        let (rest, after) = text.split_once(" | ").unwrap_or((text, ""));
        let (attributes, implied): (Vec<_>, Vec<_>) = list(after).partition(|text| is_attribute(text));
        let (rest, results) = rest.split_once(" -> ").unwrap_or((rest, ""));
        let (name, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        Ok(Form {
            text,
            spelling,
            parts: split_name(name).into_iter().map(part).collect::<Result<_, _>>()?,
            operands: list(operands).map(operand).collect::<Result<_, _>>()?,
            results: list(results).map(operand).collect::<Result<_, _>>()?,
            attributes: attributes.into_iter().map(attribute).collect::<Result<_, _>>()?,
            implied: implied.into_iter().try_fold(FoundModifiers::default(), implied_by)?,
        })
    }

    /// The first word, if it is always the same.
    pub fn first(&self) -> Option<&'static str> {
        match self.parts.first() {
            Some(Part::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The modifiers, if these are the words of a name of this form.
    pub fn read(&self, words: &[&str]) -> Option<FoundModifiers> {
        let mut found = FoundModifiers::default();
        matches(self.spelling, &self.parts, words, &mut found).then(|| self.with_implied(found))
    }

    /// Modifiers with those that the form always has.
    fn with_implied(&self, mut found: FoundModifiers) -> FoundModifiers {
        found.keywords.extend(&self.implied.keywords);
        found.flags.extend(&self.implied.flags);
        found
    }

    /// The words of a name in the order of this form, if each of them belongs to a part. Of two
    /// that could be the same part, such as two types, the first one is the earlier part. The words
    /// that name the instruction come first, as in `mul.lo`, and types and
    /// spaces keep their order.
    pub fn in_order<'w>(&self, words: &[&'w str]) -> Option<Vec<&'w str>> {
        let mut left: Vec<(usize, &str)> = words.iter().copied().enumerate().skip(1).collect();
        let (mut ordered, mut named) = (vec![(0, *words.first()?)], 1);
        for part in self.parts.iter().skip(1) {
            let next = |left: &[(usize, &str)]| {
                let words: Vec<&str> = left.iter().map(|(_, word)| *word).collect();
                (0..words.len()).find_map(|at| Some(at..at + part.takes(self.spelling, &words[at..])?))
            };
            while let Some(range) = next(&left) {
                if part.names() {
                    if left[range.start].0 != named {
                        return None;
                    }
                    named += range.len();
                }
                ordered.extend(left.drain(range));
                if !matches!(part, Part::Keywords { .. }) {
                    break;
                }
            }
        }
        let in_their_order = |is_one: fn(&str) -> bool| {
            let places = ordered.iter().filter(|(_, word)| is_one(word));
            places.map(|(place, _)| *place).is_sorted()
        };
        let is_type = |word: &str| {
            ScalarType::read(Spelling::Ptx, word).is_some() || matches!(word, "u2" | "s2" | "u4" | "s4")
        };
        let is_space = |word: &str| StateSpace::of_ptx(word).is_some();
        (left.is_empty() && in_their_order(is_type) && in_their_order(is_space))
            .then(|| ordered.into_iter().map(|(_, word)| word).collect())
    }

    /// Every name of this form, except for words that it does not interpret, and with one word at
    /// most where any number may be.
    pub fn names(&self) -> Vec<(String, FoundModifiers)> {
        let mut all = vec![(Vec::<&str>::new(), FoundModifiers::default())];
        for part in &self.parts {
            let mut next = Vec::new();
            for (words, found) in &all {
                expand(self.spelling, part, |word, more| {
                    let (mut words, mut found) = (words.clone(), found.clone());
                    words.extend(word);
                    found.keywords.extend(more.keywords);
                    found.flags.extend(more.flags);
                    next.push((words, found));
                });
            }
            all = next;
        }
        all.into_iter().map(|(words, found)| (words.join("."), self.with_implied(found))).collect()
    }
}

impl Part {
    /// Whether it belongs to the name of the instruction, which its modifiers follow.
    fn names(&self) -> bool {
        match self {
            Part::Word(word) => {
                let is_modifier =
                    matches!(*word, "sync" | "aligned" | "sat" | "trans" | "tile" | "bulk_group" | "b1024")
                        || matches!(*word, "release" | "acquire" | "relaxed" | "m8n8" | "m16n16" | "m8n16")
                        || *word == "m16n8"
                        || word.contains("::")
                        || StateSpace::of_ptx(word).is_some()
                        || ScalarType::read(Spelling::Ptx, word).is_some();
                !is_modifier
            }
            Part::Flag { choices, .. } => choices.iter().any(|flag| {
                matches!(*flag, "lo" | "to" | "full" | "ws" | "expect_tx" | "noComplete" | "parity")
            }),
            Part::Keyword { table, .. } => matches!(table.name, "arrive" | "wait" | "registers"),
            Part::Keywords { .. } | Part::Rest => false,
        }
    }

    /// The number of words at the start of these that may be this part.
    fn takes(&self, spelling: Spelling, words: &[&str]) -> Option<usize> {
        let (first, _) = words.split_first()?;
        let longest = |table: &Table, only: &[&str]| {
            let all = table.rows.iter().flat_map(|row| row.of(spelling)).filter(|word| allowed(only, word));
            all.filter_map(|word| Some(words.len() - without(words, word)?.len())).max()
        };
        match self {
            Part::Word(word) => (word == first).then_some(1),
            Part::Flag { choices, .. } => choices.contains(first).then_some(1),
            Part::Keyword { table, only, .. } => longest(table, only),
            Part::Keywords { table, .. } => longest(table, &[]),
            Part::Rest => Some(words.len()),
        }
    }
}

/// Calls `to` for each word that a part may be, `None` for none.
fn expand(spelling: Spelling, part: &Part, mut to: impl FnMut(Option<&'static str>, FoundModifiers)) {
    let flags = |flag: &'static str| FoundModifiers { flags: vec![flag], ..FoundModifiers::default() };
    match part {
        Part::Word(word) => to(Some(word), FoundModifiers::default()),
        Part::Rest => to(None, FoundModifiers::default()),
        Part::Keywords { label, table } => {
            to(None, FoundModifiers::default());
            for (row, words) in table.rows.iter().enumerate() {
                let word = words.of(spelling).first().copied();
                to(word, FoundModifiers { keywords: vec![(label, row)], ..FoundModifiers::default() });
            }
        }
        Part::Flag { choices, optional } => {
            choices.iter().for_each(|flag| to(Some(flag), flags(flag)));
            if *optional {
                to(None, FoundModifiers::default());
            }
        }
        Part::Keyword { label, table, only, optional } => {
            for (row, words) in table.rows.iter().enumerate() {
                for word in words.of(spelling).iter().filter(|word| allowed(only, word)) {
                    to(
                        Some(word),
                        FoundModifiers { keywords: vec![(label, row)], ..FoundModifiers::default() },
                    );
                }
            }
            if *optional {
                to(None, FoundModifiers::default());
            }
        }
    }
}

/// Whether the words are those of the parts, one after the other.
fn matches(spelling: Spelling, parts: &[Part], words: &[&str], found: &mut FoundModifiers) -> bool {
    let (whole, Some((part, parts))) = (parts, parts.split_first()) else { return words.is_empty() };
    match part {
        Part::Keywords { label, table } => {
            for (row, all) in table.rows.iter().enumerate() {
                let rests = all.of(spelling).iter().filter_map(|word| without(words, word));
                for rest in rests {
                    found.keywords.push((label, row));
                    if matches(spelling, whole, rest, found) {
                        return true;
                    }
                    found.keywords.pop();
                }
            }
            matches(spelling, parts, words, found)
        }
        Part::Rest => {
            found.rest = words.iter().map(|word| (*word).to_owned()).collect();
            true
        }
        Part::Word(word) => words
            .split_first()
            .is_some_and(|(first, words)| first == word && matches(spelling, parts, words, found)),
        Part::Flag { choices, optional } => {
            if let Some((first, words)) = words.split_first()
                && let Some(flag) = choices.iter().find(|choice| *choice == first)
            {
                found.flags.push(flag);
                if matches(spelling, parts, words, found) {
                    return true;
                }
                found.flags.pop();
            }
            *optional && matches(spelling, parts, words, found)
        }
        Part::Keyword { label, table, only, optional } => {
            for (row, all) in table.rows.iter().enumerate() {
                for word in all.of(spelling).iter().filter(|word| allowed(only, word)) {
                    let Some(words) = without(words, word) else { continue };
                    found.keywords.push((label, row));
                    if matches(spelling, parts, words, found) {
                        return true;
                    }
                    found.keywords.pop();
                }
            }
            *optional && matches(spelling, parts, words, found)
        }
    }
}

/// The words after those of `first`, with dots between them.
fn without<'w, 's>(words: &'w [&'s str], first: &str) -> Option<&'w [&'s str]> {
    let mut left = words;
    for word in first.split('.') {
        let (next, rest) = left.split_first()?;
        if *next != word {
            return None;
        }
        left = rest;
    }
    Some(left)
}

/// Whether a word is one of these, or all are.
pub fn allowed(only: &[&str], word: &str) -> bool {
    only.is_empty()
        || only.iter().any(|one| match one.strip_suffix('*') {
            Some(start) => word.starts_with(start),
            None => word == *one,
        })
}

/// The text between dots outside of braces.
fn split_name(name: &'static str) -> Vec<&'static str> {
    let mut depth = 0;
    let dots = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == '.' && depth == 0
    };
    name.split(dots).collect()
}

fn list(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.split(", ").filter(|one| !one.is_empty())
}

fn braced(text: &'static str) -> Option<&'static str> {
    text.strip_prefix('{')?.strip_suffix('}')
}

fn part(text: &'static str) -> Result<Part, &'static str> {
    let Some(inside) = braced(text) else { return Ok(Part::Word(text)) };
    if inside == "*" {
        return Ok(Part::Rest);
    }
    let flag = |choices, optional| Ok(Part::Flag { choices, optional });
    if let Some(word) = inside.strip_prefix('?') {
        return flag(vec![word], true);
    }
    if let Some(word) = inside.strip_prefix('!') {
        return flag(vec![word], false);
    }
    if inside.contains('|') {
        return flag(inside.split('|').collect(), false);
    }
    if let Some(name) = inside.strip_suffix('*').filter(|name| !name.contains('=')) {
        let (label, table) = modifier(name)?;
        return Ok(Part::Keywords { label, table });
    }
    let (name, only) = restricted(inside);
    let (name, optional) = name.strip_suffix('?').map_or((name, false), |name| (name, true));
    let (label, table) = modifier(name)?;
    Ok(Part::Keyword { label, table, only, optional })
}

/// A modifier, and the words after `=` to which it is restricted.
fn restricted(text: &'static str) -> (&'static str, Vec<&'static str>) {
    let (name, only) = text.split_once('=').unwrap_or((text, ""));
    (name, only.split(',').filter(|word| !word.is_empty()).collect())
}

fn modifier(name: &'static str) -> Result<(&'static str, &'static Table), &'static str> {
    let (label, table) = name.split_once(':').unwrap_or((name, name));
    Ok((label, rows::modifier(table).ok_or(name)?))
}

fn operand(text: &'static str) -> Result<Operand, &'static str> {
    let (text, optional) = text.strip_suffix('?').map_or((text, false), |text| (text, true));
    let role = |name: &'static str| rows::role(name).ok_or(name);
    let (text, own) =
        match text.rsplit_once(':').filter(|(name, _)| !name.contains('[') || name.ends_with(']')) {
            Some((name, own)) => (name, Some(own_type(own))),
            None => (text, None),
        };
    if let "_" | "_*" = text {
        let shape = if text == "_" { OperandShape::Value } else { OperandShape::Rest };
        return Ok(Operand { role: None, shape, own, optional });
    }
    let bracketed = text.strip_prefix('[').and_then(|text| text.strip_suffix("}]"));
    let (name, shape) = if let Some((name, list)) = bracketed.and_then(|inside| inside.split_once('{')) {
        (name, OperandShape::Box(role(list)?))
    } else if let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        let (name, space) =
            inside.split_once('@').map_or((inside, None), |(name, space)| (name, Some(space)));
        let space = space.map(|space| StateSpace::of_ptx(space).ok_or(text)).transpose()?;
        (name, OperandShape::Address(space))
    } else if let Some(inside) = braced(text) {
        (inside, OperandShape::List)
    } else if let Some((one, other)) = text.split_once('|') {
        (one, OperandShape::Pair(role(other)?))
    } else if let Some(number) = text.strip_prefix('#') {
        (number, OperandShape::Number)
    } else if let Some(rest) = text.strip_suffix('*') {
        (rest, OperandShape::Rest)
    } else {
        (text, OperandShape::Value)
    };
    Ok(Operand { role: Some(role(name)?), shape, own, optional })
}

fn own_type(word: &'static str) -> OwnType {
    match ScalarType::read(Spelling::Ptx, word) {
        Some(ty) => OwnType::Fixed(ty),
        None if word == "wide" => OwnType::Wide,
        None if word == "bits" => OwnType::Bits,
        None if word == "pointer" => OwnType::Pointer,
        None => OwnType::Named(word),
    }
}

/// Whether this is about an attribute, and not a modifier that the form implies.
fn is_attribute(text: &str) -> bool {
    let is_value = |(_, value): (&str, &str)| value.starts_with(['{', '#', '<']);
    text.starts_with('!') || text.ends_with('?') || text.split_once('=').is_some_and(is_value)
}

/// Adds `to:type=s32` or `+sat` to what a form implies.
fn implied_by(mut found: FoundModifiers, text: &'static str) -> Result<FoundModifiers, &'static str> {
    if let Some(flag) = text.strip_prefix('+') {
        found.flags.push(flag);
        return Ok(found);
    }
    let (name, word) = text.split_once('=').ok_or(text)?;
    let (label, table) = modifier(name)?;
    let row = table.rows.iter().position(|row| row.ptx.contains(&word)).ok_or(text)?;
    found.keywords.push((label, row));
    Ok(found)
}

fn attribute(text: &'static str) -> Result<Attribute, &'static str> {
    if let Some(flag) = text.strip_suffix('?') {
        return Ok(Attribute::Flag(flag));
    }
    let (name, value) = text.split_once('=').ok_or(text)?;
    if let Some(name) = name.strip_prefix('!') {
        return Ok(Attribute::Refused { name, mnemonic: value });
    }
    if let Some(inside) = value.strip_prefix('<').and_then(|value| value.strip_suffix('>')) {
        let (label, after) = inside.split_once(':').ok_or(text)?;
        return Ok(Attribute::Type { name, label, after });
    }
    if let Some(choices) = braced(value).filter(|inside| inside.contains('|')) {
        return Ok(Attribute::Choice { name, choices: choices.split('|').collect() });
    }
    if let Some(role) = value.strip_prefix('#') {
        return Ok(Attribute::Number { name, role: rows::role(role).ok_or(text)? });
    }
    let (modifier_name, only) = restricted(braced(value).ok_or(text)?);
    let (label, table) = modifier(modifier_name)?;
    Ok(Attribute::Keyword { name, label, table, only })
}
