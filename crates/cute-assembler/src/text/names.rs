//! The names of a text: registers, labels and symbols, each known between two braces.

use super::survey::Survey;
use crate::{Assembler, unmodelled};
use cute_machine::types::{Scalar, Type};
use cute_ptx::syntax::{Operand, Registers};
use cute_ptx::{Keyword, ScalarType, Spelling};
use cute_sim::program::{Site, Slot};
use cute_sim::{Error, Unmodelled};
use rustc_hash::FxHashMap;

/// The address that a symbol stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Symbol {
    /// It is known.
    Constant(u64),
    /// A register holds it.
    Register(Slot),
}

/// A name's meaning.
#[derive(Debug, Clone, Copy)]
pub(super) enum Named {
    /// A register, and its type.
    Register(Slot, ScalarType),
    /// An address.
    Symbol(Symbol),
}

/// The names that are declared between two braces.
#[derive(Debug, Default)]
struct Scope<'a> {
    names: FxHashMap<&'a str, Named>,
    /// Registers, one or `%r0`, `%r1`, ..: how the names begin, their number and type.
    ranges: Vec<(&'a str, Option<u64>, &'a str)>,
    /// The state spaces of variables.
    spaces: FxHashMap<&'a str, &'a str>,
    labels: FxHashMap<&'a str, u32>,
    /// Edges to labels that are not known yet.
    ahead: Vec<(&'a str, u32)>,
    /// Lists of labels.
    tables: FxHashMap<&'a str, Vec<&'a str>>,
    /// How often its names are mentioned.
    mentions: FxHashMap<&'a str, u32>,
}

/// The names of one text.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    /// `$0`, `$1`, ..
    pub(super) given: Vec<(Slot, Scalar)>,
    /// How often each of them is mentioned.
    given_mentions: FxHashMap<usize, u32>,
    /// From the outermost one to the innermost one.
    scopes: Vec<Scope<'a>>,
    /// The mentions in scopes that are yet to be opened, the next one last.
    mentions: Vec<FxHashMap<&'a str, u32>>,
}

impl<'a> Names<'a> {
    /// The names of a body before its first statement.
    pub(crate) fn new(survey: &Survey<'a>, given: Vec<(Slot, Scalar)>) -> Self {
        let mentions = survey.mentions.iter().rev().cloned().collect();
        let given_mentions = survey.given.clone();
        let mut names = Names { given, given_mentions, scopes: Vec::new(), mentions };
        names.open();
        names
    }

    pub(super) fn open(&mut self) {
        let mentions = self.mentions.pop().unwrap_or_default();
        self.scopes.push(Scope { mentions, ..Scope::default() });
    }

    /// Ends the innermost scope. Branches to labels that it does not have are to labels outside.
    pub(super) fn close(&mut self, assembler: &mut Assembler) {
        let Some(scope) = self.scopes.pop() else { return };
        for (label, edge) in scope.ahead {
            match (scope.labels.get(label), self.scopes.last_mut()) {
                (Some(instruction), _) => assembler.set_edge(edge, *instruction),
                (None, Some(outer)) => outer.ahead.push((label, edge)),
                (None, None) => {}
            }
        }
    }

    /// A label that is branched to, and that the text does not have.
    pub(super) fn missing_label(&mut self, assembler: &mut Assembler) -> Option<&'a str> {
        while self.scopes.len() > 1 {
            self.close(assembler);
        }
        let scope = self.scopes.last()?;
        let missing = scope.ahead.iter().find(|(label, _)| !scope.labels.contains_key(label));
        let missing = missing.map(|(label, _)| *label);
        self.close(assembler);
        missing
    }

    fn innermost(&mut self) -> &mut Scope<'a> {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        self.scopes.last_mut().expect("there is one")
    }

    /// Declares registers, which get slots where they are first mentioned.
    pub(super) fn declare(&mut self, ty: &'a str, all: &[Registers<'a>]) {
        let scope = self.innermost();
        scope.ranges.extend(all.iter().map(|Registers { stem, count }| (*stem, *count, ty)));
    }

    /// Lets a name stand for an address.
    pub(crate) fn symbol(&mut self, name: &'a str, symbol: Symbol) {
        self.innermost().names.insert(name, Named::Symbol(symbol));
    }

    /// Says in which state space a variable is.
    pub(crate) fn placed_in(&mut self, name: &'a str, space: &'a str) {
        self.innermost().spaces.insert(name, space);
    }

    /// The state space of a variable.
    pub(crate) fn space_of(&self, name: &str) -> Option<&'a str> {
        self.scopes.iter().rev().find_map(|scope| scope.spaces.get(name)).copied()
    }

    /// Lets a name stand for a register.
    pub(crate) fn register(&mut self, name: &'a str, slot: Slot, ty: ScalarType) {
        self.innermost().names.insert(name, Named::Register(slot, ty));
    }

    /// Puts a label here; `false` if its scope has it already.
    pub(super) fn label(&mut self, name: &'a str, here: u32) -> bool {
        self.innermost().labels.insert(name, here).is_none()
    }

    pub(super) fn table(&mut self, name: &'a str, labels: Vec<&'a str>) {
        self.innermost().tables.insert(name, labels);
    }

    pub(crate) fn labels_of(&self, table: &str) -> Option<&[&'a str]> {
        self.scopes.iter().rev().find_map(|scope| scope.tables.get(table)).map(|labels| &labels[..])
    }

    /// An edge to a label, which the innermost scope that has it will set.
    pub(crate) fn edge(&mut self, assembler: &mut Assembler, label: &'a str) -> u32 {
        let edge = assembler.edge_to(0);
        self.innermost().ahead.push((label, edge));
        edge
    }

    /// Whether nothing else mentions this operand. `used`: whether something uses a result of the
    /// text.
    pub(super) fn is_only_mention(&self, operand: &Operand<'_>, used: bool) -> bool {
        match operand {
            Operand::Sink => true,
            Operand::Given(i) => !used && self.given_mentions.get(i) == Some(&1),
            Operand::Name(name) => {
                let known = self.scopes.iter().rev().find_map(|scope| scope.mentions.get(name));
                known == Some(&1)
            }
            _ => false,
        }
    }

    /// The meaning of a name. A register gets its slots where it is first mentioned.
    pub(super) fn find(
        &mut self,
        assembler: &mut Assembler,
        at: &Site,
        name: &'a str,
    ) -> Result<Option<Named>, Error> {
        for scope in self.scopes.iter_mut().rev() {
            if let Some(named) = scope.names.get(name) {
                return Ok(Some(*named));
            }
            let Some(ty) = scope.declared(name) else { continue };
            let scalar_type = ScalarType::read(Spelling::Ptx, ty);
            let ty = scalar_type
                .ok_or_else(|| unmodelled(at, Unmodelled::Type, format!("a register of type `.{ty}`")))?;
            let bits = ty.bits();
            let count = bits.div_ceil(64);
            let scalar = Type::Scalar(Scalar::Int(bits.min(64)));
            let slot = assembler.allocate(at, &Type::Array(count, scalar.into()))?;
            assembler.undefined.push((slot..slot + count, at.clone()));
            let named = Named::Register(slot, ty);
            scope.names.insert(name, named);
            return Ok(Some(named));
        }
        Ok(None)
    }
}

impl<'a> Scope<'a> {
    /// The type of a register that the scope declares. `%r1<10>` declares `%r10` to `%r19`.
    fn declared(&self, name: &str) -> Option<&'a str> {
        let has = |(stem, count, _): &&(&str, Option<u64>, &str)| match count {
            None => *stem == name,
            Some(count) => name.strip_prefix(stem).is_some_and(|digits| {
                (digits == "0" || !digits.starts_with('0')) && digits.parse().is_ok_and(|n: u64| n < *count)
            }),
        };
        self.ranges.iter().rev().find(has).map(|(_, _, ty)| *ty)
    }
}
