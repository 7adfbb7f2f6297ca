//! A first look at a body: which names it mentions how often, and which memory it declares.

use cute_ptx::syntax::{Body, Operand, Registers, Statement, SyntaxError, Variable};
use rustc_hash::FxHashMap;

/// The names and the memory of a body.
#[derive(Debug, Default)]
pub(crate) struct Survey<'a> {
    /// How often names are mentioned, for each scope in the order in which they open.
    pub(super) mentions: Vec<FxHashMap<&'a str, u32>>,
    /// How often the operands of inline assembly are mentioned.
    pub(super) given: FxHashMap<usize, u32>,
    /// Variables, with their lines.
    pub(crate) variables: Vec<(u32, Variable<'a>)>,
    /// Symbols that are mentioned, in their order: the line, and whether a call names them as its
    /// function.
    pub(crate) symbols: Vec<(&'a str, u32, bool)>,
}

impl<'a> Survey<'a> {
    /// Looks through a body.
    pub(crate) fn of(body: Body<'a>) -> Result<Self, SyntaxError> {
        let mut survey = Survey { mentions: vec![FxHashMap::default()], ..Survey::default() };
        // Scopes that are open: their numbers, and their registers.
        let mut open: Vec<(usize, Vec<Registers<'a>>)> = vec![(0, Vec::new())];
        for statement in body.statements() {
            let (line, statement) = statement?;
            match statement {
                Statement::Open => {
                    open.push((survey.mentions.len(), Vec::new()));
                    survey.mentions.push(FxHashMap::default());
                }
                Statement::Close => drop(open.pop()),
                Statement::Registers { names, .. } => {
                    if let Some((_, own)) = open.last_mut() {
                        own.extend(names);
                    }
                }
                Statement::Variable(variable) => survey.variables.push((line, variable)),
                Statement::Instruction(instruction) => {
                    let calls = instruction.opcode == "call" || instruction.opcode.starts_with("call.");
                    for operand in instruction.guard.iter().map(|(guard, _)| guard) {
                        each(operand, &mut |operand| survey.mention(&open, operand, line, false));
                    }
                    for operand in &instruction.operands {
                        let called = calls && matches!(operand, Operand::Name(_));
                        each(operand, &mut |operand| survey.mention(&open, operand, line, called));
                    }
                }
                _ => {}
            }
        }
        Ok(survey)
    }

    /// Whether a name is mentioned.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.mentions.iter().any(|scope| scope.contains_key(name))
    }

    fn mention(
        &mut self,
        open: &[(usize, Vec<Registers<'a>>)],
        operand: &Operand<'a>,
        line: u32,
        called: bool,
    ) {
        let (Operand::Name(name) | Operand::Sum(name, _) | Operand::Not(name)) = *operand else {
            if let Operand::Given(i) = operand {
                *self.given.entry(*i).or_default() += 1;
            }
            return;
        };
        let declares = |registers: &Registers<'_>| match registers.count {
            None => registers.stem == name,
            Some(_) => name.starts_with(registers.stem),
        };
        let declared = open.iter().rev().find(|(_, own)| own.iter().any(declares));
        *self.mentions[declared.map_or(0, |(number, _)| *number)].entry(name).or_default() += 1;
        if declared.is_none() && !name.starts_with('%') {
            self.symbols.push((name, line, called));
        }
    }
}

/// Calls `to` for each name, number and operand of assembly in an operand.
fn each<'a>(operand: &Operand<'a>, to: &mut impl FnMut(&Operand<'a>)) {
    match operand {
        Operand::Memory(base, _) => each(base, to),
        Operand::Box(base, all) => {
            each(base, to);
            all.iter().for_each(|one| each(one, to));
        }
        Operand::List(all) | Operand::Group(all) => all.iter().for_each(|one| each(one, to)),
        Operand::Pair(a, b) => {
            each(a, to);
            each(b, to);
        }
        leaf => to(leaf),
    }
}
