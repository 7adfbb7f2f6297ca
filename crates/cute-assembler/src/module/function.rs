//! Bodies of functions.

use super::Reader;
use super::place;
use super::variables::{Object, extent};
use crate::text::names::Names;
use crate::text::survey::Survey;
use crate::text::{Written, missing, refused};
use crate::{malformed, unmodelled};
use cute_ptx::syntax::{Function, Instruction, Operand, Statement, Variable};
use cute_sim::program::{ControlOp, MemoryOp, Site, Slot};
use cute_sim::{Error, Malformed, Unmodelled};

impl<'a> Reader<'a, '_> {
    /// The instructions of a function.
    pub(super) fn body(&mut self, function: &Function<'a>, survey: &Survey<'a>) -> Result<(), Error> {
        let Some(body) = function.body else { return Ok(()) };
        let unread = |file: &str, error| place::unread(file, &error);
        let file = self.places.file();
        let mut names = Names::new(survey, Vec::new());
        let head = self.places.at(function.line, function.name);
        let symbols: Vec<(&'a str, Object)> =
            self.symbols.iter().map(|(name, object)| (*name, *object)).collect();
        for (name, object) in symbols {
            self.declare(&mut names, name, object, &head)?;
        }
        let formals = function.params.iter().chain(&function.results);
        for variable in self.module.variables.iter().chain(formals) {
            names.placed_in(variable.name, variable.space);
        }
        let mut own = self.memory(survey)?.into_iter();
        self.places.begin();
        for statement in body.statements() {
            let (line, statement) = statement.map_err(|error| unread(file, error))?;
            match statement {
                Statement::Instruction(instruction) => self.line(&mut names, line, &instruction)?,
                Statement::Location(location) => {
                    if !self.places.knows(&location) {
                        let at = self.places.at(line, ".loc");
                        return Err(malformed(
                            &at,
                            Malformed::Undeclared,
                            format!("no `.file` has the number {}", location.file),
                        ));
                    }
                    self.places.source(location);
                }
                Statement::Variable(variable) => {
                    let placed = self.placed.get(&(variable.line, variable.name)).copied();
                    let object = placed.or_else(|| own.next().map(Object::Register));
                    let object = object.ok_or_else(|| {
                        unmodelled(&head, Unmodelled::Variable, format!("`{}`", variable.name))
                    })?;
                    self.declare(&mut names, variable.name, object, &head)?;
                    names.placed_in(variable.name, variable.space);
                }
                Statement::Prototype { .. } => {}
                other => {
                    let at = self.places.at(line, function.name);
                    self.assembler.declaration(&at, &mut names, other)?;
                }
            }
        }
        let end = self.places.at(function.line, "ret");
        self.leave(&end);
        self.assembler.no_label_is_missing(&head, &mut names)
    }

    /// The memory that the body's variables have in each thread, in their order. All of it is there
    /// from the start, so that a loop does not allocate.
    fn memory(&mut self, survey: &Survey<'a>) -> Result<Vec<Slot>, Error> {
        let mut all = Vec::new();
        for (line, variable) in &survey.variables {
            if variable.space.starts_with("shared") {
                continue;
            }
            let at = self.places.at(*line, variable.name);
            let generic = match variable.space {
                "local" => false,
                "param" => true,
                other => {
                    return Err(unmodelled(
                        &at,
                        Unmodelled::Variable,
                        format!("a variable in `.{other}` of a function"),
                    ));
                }
            };
            all.push(self.allocated(variable, &at, generic)?);
        }
        Ok(all)
    }

    fn allocated(&mut self, variable: &Variable<'a>, at: &Site, generic: bool) -> Result<Slot, Error> {
        let (size, _) = extent(variable, at)?;
        let (dst, count) = (self.assembler.temporary(at)?, self.assembler.constant(at, vec![1])?);
        self.assembler.emit(at, MemoryOp::Alloca { dst, count, size, generic });
        Ok(dst)
    }

    /// The kernel whose address is an operand.
    fn kernel_in(&self, instruction: &Instruction<'a>) -> Option<&'a str> {
        let entries = self.module.functions.iter().filter(|function| function.is_entry);
        let names: Vec<&'a str> = entries.map(|function| function.name).collect();
        instruction.operands.iter().find_map(|operand| match operand {
            Operand::Name(name) | Operand::Sum(name, _) => names.contains(name).then_some(*name),
            _ => None,
        })
    }

    /// Checks that an access to a variable names the variable's space, or a generic address is one
    /// that the variable has.
    fn in_its_space(&self, at: &Site, names: &Names<'a>, instruction: &Instruction<'a>) -> Result<(), Error> {
        let accessed = instruction.operands.iter().find_map(|operand| match operand {
            Operand::Memory(base, _) => Some(&**base),
            _ => None,
        });
        let Some(Operand::Name(name)) = accessed else { return Ok(()) };
        // Most addresses are in registers.
        if name.starts_with('%') {
            return Ok(());
        }
        let Some(own) = names.space_of(name) else { return Ok(()) };
        let of = |word: &'a str| word.split("::").next().unwrap_or_default();
        let mut spaces = instruction
            .opcode
            .split('.')
            .filter(|word| matches!(of(word), "global" | "shared" | "local" | "const" | "param"));
        let fits = match (spaces.next(), spaces.next()) {
            (Some(space), None) => of(space) == of(own),
            (None, _) => !matches!(of(own), "const" | "param"),
            _ => true,
        };
        if fits {
            return Ok(());
        }
        let what =
            format!("`{name}` is in the space `.{own}`, which `{}` does not access", instruction.opcode);
        Err(malformed(at, Malformed::OperandType, what))
    }

    /// Emits an instruction, or its refusal.
    fn line(&mut self, names: &mut Names<'a>, line: u32, instruction: &Instruction<'a>) -> Result<(), Error> {
        let at = self.places.at(line, instruction.opcode);
        let first = self.assembler.code.len();
        self.in_its_space(&at, names, instruction)?;
        let written = match instruction.opcode.split('.').next() {
            Some("call" | "ret" | "brx") => self.flow(&at, names, instruction),
            _ => match without_param(instruction.opcode) {
                Some(opcode) => self.assembler.instruction(&at, names, instruction, &opcode, true),
                None => self.assembler.instruction(&at, names, instruction, instruction.opcode, true),
            },
        };
        let (rule, what) = match written {
            Ok(Written::Done) => return Ok(()),
            Ok(Written::Unknown) => {
                let words: Vec<&str> = instruction.text.split_whitespace().collect();
                let text = refused(instruction.opcode, &words.join(" "));
                (missing(instruction.opcode), format!("the instruction {text}"))
            }
            Err(Error::Unmodelled { rule, what, .. }) => (rule, what),
            Err(other) => match self.kernel_in(instruction) {
                Some(kernel) => (
                    Unmodelled::Call,
                    format!(
                        "the address of the kernel `{kernel}`, with which a kernel launches another one (dynamic parallelism),"
                    ),
                ),
                None => return Err(other),
            },
        };
        if self.strict {
            return Err(unmodelled(&at, rule, what));
        }
        // It is refused when a thread gets there.
        self.assembler.code.truncate(first);
        self.assembler.sites.truncate(first);
        let guard = match &instruction.guard {
            Some((Operand::Name(_), _)) => self.assembler.skipped(&at, names, instruction)?,
            _ => None,
        };
        self.assembler.emit(&at, ControlOp::Refused { rule, what: what.into() });
        if let Some(guard) = guard {
            self.assembler.end_guard(guard);
        }
        Ok(())
    }
}

/// The opcode of an access to parameters without its space: their addresses are generic. Those that
/// a register of 32 bits holds are addresses of constant memory.
fn without_param(opcode: &str) -> Option<String> {
    let mut words: Vec<&str> = opcode.split('.').collect();
    let is_access = matches!(words[0], "ld" | "st" | "ldu" | "prefetch");
    let at = words.iter().position(|word| matches!(*word, "param" | "param::entry" | "param::func"))?;
    if is_access {
        words.remove(at);
        return Some(words.join("."));
    }
    words[at] = "const";
    (words[0] == "cvta").then(|| words.join("."))
}
