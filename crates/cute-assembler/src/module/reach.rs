//! The functions and the symbols that a kernel uses.

use super::{Reader, place};
use crate::text::names::each;
use cute_ptx::syntax::{Function, Operand, Statement, Variable};
use cute_sim::Error;
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions, symbols and variables that a kernel uses.
#[derive(Default)]
pub(super) struct Reached<'a, 'f> {
    /// Device functions with a body, callees first where they do not call each other.
    pub(super) functions: Vec<&'f Function<'a>>,
    /// Functions whose addresses are taken.
    pub(super) pointed_to: Vec<&'a str>,
    /// Names that are mentioned, and the first lines that do.
    pub(super) names: FxHashMap<&'a str, u32>,
    /// Variables that bodies declare, with the functions that do.
    pub(super) variables: Vec<(&'a str, Variable<'a>)>,
}

impl<'a, 'f> Reader<'a, 'f> {
    /// The definition that a name of a function stands for.
    pub(super) fn definition(&self, name: &'a str) -> Option<&'f Function<'a>> {
        let alias = self.module.aliases.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name, |(_, target)| *target);
        self.module.functions.iter().find(|f| f.name == name && !f.is_entry && f.body.is_some())
    }

    pub(super) fn reached(&self, kernel: &'f Function<'a>) -> Result<Reached<'a, 'f>, Error> {
        let mut reached = Reached::default();
        let mut seen = FxHashSet::default();
        // Open functions, each with those that it names and that are yet to be visited.
        let mut open = vec![(kernel, self.scan(kernel, &mut reached)?)];
        while let Some((_, named)) = open.last_mut() {
            match named.pop() {
                Some(function) if seen.insert(function.name) => {
                    let named = self.scan(function, &mut reached)?;
                    open.push((function, named));
                }
                Some(_) => {}
                None => {
                    let done = open.pop().map(|(function, _)| function);
                    reached.functions.extend(done.filter(|function| !function.is_entry));
                }
            }
        }
        Ok(reached)
    }

    /// Notes what a function uses, and returns the functions that it names.
    fn scan(
        &self,
        function: &'f Function<'a>,
        reached: &mut Reached<'a, 'f>,
    ) -> Result<Vec<&'f Function<'a>>, Error> {
        let mut named = Vec::new();
        let Some(body) = function.body else { return Ok(named) };
        for statement in body.statements() {
            let (line, statement) = statement.map_err(|e| place::unread(self.places.file(), &e))?;
            match statement {
                Statement::Variable(variable) => reached.variables.push((function.name, variable)),
                Statement::Instruction(instruction) => {
                    let is_call = instruction.opcode.split('.').next() == Some("call");
                    let mut mention = |operand: &Operand<'a>, called: bool| {
                        let (Operand::Name(name) | Operand::Sum(name, _)) = *operand else { return };
                        // A register or a special register.
                        if name.starts_with('%') {
                            return;
                        }
                        reached.names.entry(name).or_insert(line);
                        if let Some(callee) = self.definition(name) {
                            named.push(callee);
                            if !called && !reached.pointed_to.contains(&name) {
                                reached.pointed_to.push(name);
                            }
                        }
                    };
                    for operand in &instruction.operands {
                        let called = is_call && matches!(operand, Operand::Name(_));
                        each(operand, &mut |operand| mention(operand, called));
                    }
                }
                _ => {}
            }
        }
        Ok(named)
    }
}
