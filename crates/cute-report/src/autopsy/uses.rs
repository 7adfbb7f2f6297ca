//! The instructions of a kernel on mbarriers, and the variables in shared memory that their
//! addresses are made of, as far as the text of the PTX tells.

use cute_ptx::syntax::{Function, Instruction, Number, Operand, Statement, SyntaxError};
use cute_sim::names::readable;
use cute_sim::place::SourcePlace;
use cute_sim::program::Kernel;
use std::collections::{BTreeMap, BTreeSet};

/// The effect of an instruction on an mbarrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Initialises,
    Arrives,
    Waits,
    /// Its bytes are counted when it completes.
    Copies,
    Other,
}

/// A part of a variable: its name, and the byte if it is known.
type Part = (String, Option<i64>);

/// An instruction on an mbarrier.
#[derive(Debug)]
pub(super) struct Use {
    pub(super) role: Role,
    /// Whether it announces bytes.
    pub(super) expects: bool,
    op: String,
    place: String,
    /// Where the barrier may be; empty if that is not known.
    at: BTreeSet<Part>,
    /// The operand that the wait asks for, if it is a number.
    parity: Option<i64>,
}

/// The uses of a kernel, in the order of its text.
#[derive(Debug)]
pub(super) struct Uses {
    pub(super) kernel: String,
    pub(super) list: Vec<Use>,
}

impl Use {
    /// Whether the barrier may be at this byte of a variable.
    pub(super) fn may_be_at(&self, place: Option<&(String, u64)>) -> bool {
        let Some((name, byte)) = place else { return true };
        let is_it = |(own, at): &Part| own == name && at.is_none_or(|at| u64::try_from(at) == Ok(*byte));
        self.at.is_empty() || self.at.iter().any(is_it)
    }

    /// A line about it.
    pub(super) fn line(&self, is_placed: bool) -> String {
        let mut text = format!("{}: {}", cute_text::line(&self.place), cute_text::line(&self.op));
        if let Some(parity) = self.parity {
            text += &format!(", parity {}", parity & 1);
        }
        let part = |(name, byte): &Part| match byte {
            Some(0) => readable(name).into_owned(),
            Some(byte) => format!("byte {byte} of {}", readable(name)),
            None => format!("some byte of {}", readable(name)),
        };
        match self.at.iter().map(part).collect::<Vec<_>>() {
            names if names.is_empty() => text += ", at an address that the text does not tell",
            names if !is_placed || self.at.iter().any(|(_, byte)| byte.is_none()) => {
                text += &format!(", at {}", names.join(" or "));
            }
            _ => {}
        }
        text
    }
}

impl Uses {
    /// Those of a kernel, whose program has the places of its lines.
    pub(super) fn of(
        file: &str,
        function: &Function<'_>,
        kernel: Option<&Kernel>,
    ) -> Result<Self, SyntaxError> {
        let mut places: BTreeMap<u32, &SourcePlace> = BTreeMap::new();
        for site in kernel.into_iter().flat_map(|kernel| &kernel.sites) {
            let origin = site.location.origin.as_ref().or(site.location.point.as_ref());
            if let Some(point) =
                origin.filter(|point| point.file.path() == file || point.file.shown() == file)
            {
                places.entry(point.line).or_insert(&site.location);
            }
        }
        let statements = function.body.iter().flat_map(|body| body.statements());
        let mut instructions: Vec<(u32, Instruction<'_>)> = Vec::new();
        let mut numbers: BTreeMap<&str, Option<i64>> = BTreeMap::new();
        let mut shared: BTreeSet<&str> = BTreeSet::new();
        for statement in statements {
            match statement? {
                (line, Statement::Instruction(own)) => instructions.push((line, own)),
                (_, Statement::Variable(own)) if own.space == "shared" => {
                    shared.insert(own.name);
                }
                _ => {}
            }
        }
        for (_, own) in &instructions {
            if let Some(Operand::Name(to)) = own.operands.first() {
                let number = match (own.opcode.split('.').next(), own.operands.get(1)) {
                    (Some("mov"), Some(Operand::Number(Number::Integer(number)))) => Some(*number),
                    _ => None,
                };
                numbers
                    .entry(to)
                    .and_modify(|known| *known = known.filter(|known| Some(*known) == number))
                    .or_insert(number);
            }
        }
        let parts = parts(&instructions, &numbers);
        let list =
            instructions.iter().filter_map(|(line, own)| use_of(file, *line, own, &parts, &numbers, &places));
        Ok(Uses { kernel: function.name.to_owned(), list: list.collect() })
    }

    /// The variables with mbarriers.
    pub(super) fn variables(&self) -> Vec<String> {
        let all: BTreeSet<&String> = self.list.iter().flat_map(|one| &one.at).map(|(name, _)| name).collect();
        all.into_iter().cloned().collect()
    }
}

/// Rounds after which registers that still change have no known byte.
const ROUNDS: usize = 12;

/// Bytes of a variable that are told apart.
const MOST_PARTS: usize = 8;

/// Adds a part. Returns whether it was not known.
fn add(all: &mut BTreeSet<Part>, name: String, byte: Option<i64>) -> bool {
    if all.contains(&(name.clone(), None)) {
        return false;
    }
    let count = all.iter().filter(|(own, _)| *own == name).count();
    if byte.is_some() && count < MOST_PARTS {
        return all.insert((name, byte));
    }
    all.retain(|(own, _)| *own != name);
    all.insert((name, None))
}

/// For each register, the parts of variables whose address it may hold, whatever the order in which
/// instructions run.
fn parts<'a>(
    instructions: &[(u32, Instruction<'a>)],
    numbers: &BTreeMap<&str, Option<i64>>,
) -> BTreeMap<&'a str, BTreeSet<Part>> {
    let mut known: BTreeMap<&'a str, BTreeSet<Part>> = BTreeMap::new();
    for round in 0..ROUNDS {
        let mut changed = false;
        for (_, own) in instructions {
            let Some(Operand::Name(to)) = own.operands.first() else { continue };
            let of = |operand: &Operand<'_>| address(operand, &known);
            let number = |operand: &Operand<'_>| match operand {
                Operand::Number(Number::Integer(number)) => Some(*number),
                Operand::Name(name) => numbers.get(name).copied().flatten(),
                _ => None,
            };
            let found: BTreeSet<Part> = match own.opcode.split('.').next().unwrap_or_default() {
                "mov" | "cvta" | "cvt" | "mapa" => own.operands.get(1).map(of).unwrap_or_default(),
                "selp" => own.operands.iter().skip(1).take(2).flat_map(of).collect(),
                "add" | "sub" | "mad" | "or" | "lea" => {
                    let sources = &own.operands[1..];
                    let offset = match (own.opcode.split('.').next(), sources) {
                        (Some("add"), [a, b]) => number(a).or_else(|| number(b)),
                        (Some("sub"), [_, b]) => number(b).map(|number| -number),
                        _ => None,
                    };
                    let moved = |(name, byte): Part| (name, byte.zip(offset).map(|(byte, by)| byte + by));
                    sources.iter().flat_map(of).map(moved).collect()
                }
                _ => continue,
            };
            let all = known.entry(to).or_default();
            for (name, byte) in found {
                // A register that changes in a loop holds some byte.
                changed |= add(all, name, byte.filter(|_| round + 1 < ROUNDS));
            }
        }
        if !changed {
            break;
        }
    }
    known
}

/// The parts that an operand may point at.
fn address(operand: &Operand<'_>, known: &BTreeMap<&str, BTreeSet<Part>>) -> BTreeSet<Part> {
    match operand {
        // A name that is not a register is a variable.
        Operand::Name(name) if !name.starts_with('%') && !known.contains_key(name) => {
            BTreeSet::from([((*name).to_owned(), Some(0))])
        }
        Operand::Name(name) => known.get(name).cloned().unwrap_or_default(),
        Operand::Sum(name, byte) => BTreeSet::from([((*name).to_owned(), Some(*byte))]),
        Operand::Memory(inner, byte) => {
            let moved = |(name, at): Part| (name, at.map(|at| at + byte));
            address(inner, known).into_iter().map(moved).collect()
        }
        _ => BTreeSet::new(),
    }
}

/// The effect of an instruction on an mbarrier, if it has one.
fn use_of(
    file: &str,
    line: u32,
    own: &Instruction<'_>,
    parts: &BTreeMap<&str, BTreeSet<Part>>,
    numbers: &BTreeMap<&str, Option<i64>>,
    places: &BTreeMap<u32, &SourcePlace>,
) -> Option<Use> {
    let words: Vec<&str> = own.opcode.split('.').collect();
    let has = |word: &str| words.contains(&word);
    let memory = || own.operands.iter().filter(|operand| matches!(operand, Operand::Memory(..)));
    let (role, at) = match (words[0], words.get(1).copied().unwrap_or_default()) {
        ("mbarrier", "init") => (Role::Initialises, memory().next()),
        ("mbarrier", "arrive" | "arrive_drop") => (Role::Arrives, memory().next()),
        ("mbarrier", "test_wait" | "try_wait") => (Role::Waits, memory().next()),
        ("mbarrier", "expect_tx" | "complete_tx" | "inval") => (Role::Other, memory().next()),
        ("cp", "async") if has("mbarrier") => (Role::Arrives, memory().next()),
        ("cp", "async") if has("mbarrier::complete_tx::bytes") => (Role::Copies, memory().next_back()),
        ("st", _) if has("mbarrier::complete_tx::bytes") => (Role::Copies, memory().next_back()),
        ("tcgen05", "commit") => (Role::Arrives, memory().next().or(own.operands.first())),
        _ => return None,
    };
    let parity =
        match own.operands.iter().skip_while(|operand| !matches!(operand, Operand::Memory(..))).nth(1) {
            Some(Operand::Number(Number::Integer(number))) if has("parity") => Some(*number),
            Some(Operand::Name(name)) if has("parity") => numbers.get(name).copied().flatten(),
            _ => None,
        };
    let place = places.get(&line).map_or_else(|| format!("{file}:{line}"), |place| place.to_string());
    let at = at.map(|operand| address(operand, parts)).unwrap_or_default();
    let expects = has("expect_tx");
    Some(Use { role, expects, op: own.opcode.to_owned(), place, at, parity })
}
