//! The functions and the symbols that a kernel uses.

use super::{Reader, place};
use crate::text::survey::Survey;
use cute_ptx::syntax::{Function, Initial};
use cute_sim::Error;
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions and symbols that a kernel uses.
#[derive(Default)]
pub(super) struct Reached<'a, 'f> {
    /// Device functions with a body, callees first where they do not call each other.
    pub(super) functions: Vec<&'f Function<'a>>,
    /// Functions whose addresses are taken.
    pub(super) pointed_to: Vec<&'a str>,
    /// Names that are mentioned, and the first lines that do.
    pub(super) names: FxHashMap<&'a str, u32>,
    /// The looks at the kernel and at the functions, by their names.
    pub(super) surveys: FxHashMap<&'a str, Survey<'a>>,
}

impl<'a, 'f> Reader<'a, 'f> {
    /// The definition that a name of a function stands for.
    fn definition(&self, name: &'a str) -> Option<&'f Function<'a>> {
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
        let survey = Survey::of(body).map_err(|e| place::unread(self.places.file(), &e))?;
        let mut symbols = survey.symbols.clone();
        while let Some((name, line, called)) = symbols.pop() {
            let is_new = reached.names.insert(name, line).is_none();
            if let Some(callee) = self.definition(name) {
                named.push(callee);
                if !called && !reached.pointed_to.contains(&name) {
                    reached.pointed_to.push(name);
                }
            } else if is_new && let Some(variable) = self.module.variables.iter().find(|v| v.name == name) {
                // Initial values are addresses of functions and of other variables.
                for value in &variable.values {
                    if let Initial::Address { symbol, .. } = value {
                        symbols.push((symbol, line, false));
                    }
                }
            }
        }
        reached.surveys.insert(function.name, survey);
        Ok(named)
    }
}
