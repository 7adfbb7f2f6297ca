//! Calls of device functions, returns, and branches through tables.

use super::Reader;
use super::reach::Reached;
use super::variables::Object;
use crate::text::names::Names;
use crate::text::{Line, Written};
use crate::{malformed, unmodelled};
use cute_machine::predicate::IntPredicate;
use cute_machine::types::{Scalar, Type};
use cute_ptx::syntax::{Instruction, Operand, Variable};
use cute_ptx::{Keyword, ScalarType, Spelling};
use cute_sim::program::{Binary, ControlOp, Function, MemoryOp, Move, ScalarOp, Site, Slot, SystemOp};
use cute_sim::{Error, Malformed, Unmodelled};

/// The functions that a call through a register may reach, at most.
const CANDIDATES: usize = 256;

/// A function that no file defines, because the system has it.
enum System {
    Print,
    Allocate,
    Release,
    Fail,
    /// It belongs to CUDA's runtime for launches from the device, under one of its names.
    Launch,
    /// That runtime calls it in the driver.
    Driver,
}

impl System {
    fn of(function: &str) -> Option<Self> {
        let runtime = function.strip_prefix("__cudaCDP2").or_else(|| function.strip_prefix("cuda"));
        Some(match (function, runtime) {
            ("vprintf", _) => Self::Print,
            ("malloc", _) => Self::Allocate,
            ("free", _) => Self::Release,
            ("__assertfail", _) => Self::Fail,
            (_, Some(name)) if name.starts_with("LaunchDevice") || name.starts_with("GetParameterBuffer") => {
                Self::Launch
            }
            _ if function.starts_with("__cuda_syscall_") || function.starts_with("cnp") => Self::Driver,
            _ => return None,
        })
    }
}

/// Whether the system has a function, which no file needs to define: `vprintf`, `malloc`, ..
pub fn is_of_the_system(function: &str) -> bool {
    System::of(function).is_some()
}

/// The address of a function, by its number among those whose addresses are taken. No memory has
/// it.
pub(super) fn address_of(number: u64) -> u64 {
    6 << 54 | number << 4
}

/// A parameter or a result of a device function.
#[derive(Debug, Clone, Copy)]
pub(super) struct Formal {
    /// Its register, or that of its address.
    slot: Slot,
    /// Whether it is memory of the caller.
    in_memory: bool,
}

/// A device function as its calls see it.
#[derive(Debug, Clone)]
pub(super) struct Callee {
    number: u32,
    params: Vec<Formal>,
    results: Vec<Formal>,
}

impl<'a> Reader<'a, '_> {
    /// Reads the functions that the kernel calls. They are placed before it: lanes that call are
    /// less far than those that do not, and so rejoin them after the call.
    pub(super) fn callees(&mut self, reached: &Reached<'a, '_>) -> Result<(), Error> {
        // All signatures first, for functions that call each other.
        for (number, function) in (0..).zip(&reached.functions) {
            let first = self.assembler.registers.len() as Slot;
            let results = self.formals(&function.results)?;
            let params = self.formals(&function.params)?;
            let arguments = first..self.assembler.registers.len() as Slot;
            self.assembler.functions.push(Function { start: 0, arguments, locals: 0..0 });
            self.callees.insert(function.name, Callee { number, params, results });
        }
        for (alias, target) in &self.module.aliases {
            if let Some(callee) = self.callees.get(target).cloned() {
                self.callees.insert(alias, callee);
            }
        }
        for (number, function) in reached.functions.iter().enumerate() {
            let Some(Callee { params, results, .. }) = self.callees.get(function.name).cloned() else {
                continue;
            };
            let formals = function.results.iter().zip(&results).chain(function.params.iter().zip(&params));
            let outer = self.symbols.clone();
            for (declared, formal) in formals {
                let object = if formal.in_memory {
                    Object::Register(formal.slot)
                } else {
                    Object::Value(formal.slot, type_of(declared))
                };
                self.symbols.insert(declared.name, object);
            }
            self.inside = Some(results);
            let start = self.assembler.here();
            let first = self.assembler.registers.len() as Slot;
            self.body(function, &reached.surveys[function.name])?;
            self.assembler.functions[number].start = start;
            self.assembler.functions[number].locals = first..self.assembler.registers.len() as Slot;
            self.inside = None;
            self.symbols = outer;
        }
        Ok(())
    }

    fn formals(&mut self, declared: &[Variable<'a>]) -> Result<Vec<Formal>, Error> {
        let mut all = Vec::new();
        for variable in declared {
            let at = self.places.at(variable.line, variable.name);
            let in_memory = variable.space == "param";
            let count = if in_memory { 1 } else { bits(variable).div_ceil(64) };
            let slot =
                self.assembler.allocate(&at, &Type::Array(count, Type::Scalar(Scalar::Int(64)).into()))?;
            all.push(Formal { slot, in_memory });
        }
        Ok(all)
    }

    /// Returns from the function that is being read.
    pub(super) fn leave(&mut self, at: &Site) {
        let instruction = match &self.inside {
            None => ControlOp::Return,
            Some(results) => {
                let own: Vec<Slot> = results.iter().filter(|r| !r.in_memory).map(|r| r.slot).collect();
                ControlOp::Back { src: own.first().copied().unwrap_or(0), len: own.len() as u32 }
            }
        };
        self.assembler.emit(at, instruction);
    }

    /// `call`, `ret`, `brx.idx`, which a guard may skip.
    pub(super) fn flow(
        &mut self,
        at: &Site,
        names: &mut Names<'a>,
        instruction: &Instruction<'a>,
    ) -> Result<Written, Error> {
        let guard = self.assembler.skipped(at, names, instruction)?;
        let mut line =
            Line { at, names, opcode: instruction.opcode, operands: &instruction.operands, ignored: false };
        let written = match instruction.opcode.split('.').next() {
            Some("ret") => {
                line.has_only(&["uni"])?;
                self.leave(at);
                Written::Done
            }
            Some("call") => {
                line.has_only(&["uni"])?;
                self.call(&mut line)?
            }
            _ => {
                line.has_only(&["idx", "uni"])?;
                self.table(&mut line)?
            }
        };
        if let Some(guard) = guard {
            self.assembler.end_guard(guard);
        }
        Ok(written)
    }

    /// `brx.idx index, table`.
    fn table(&mut self, line: &mut Line<'a, '_>) -> Result<Written, Error> {
        let flag = self.assembler.read(line, line.operand(0)?, 32)?;
        let Operand::Name(table) = *line.operand(1)? else {
            return Err(line.wrong(Malformed::Undeclared, "no `.branchtargets`"));
        };
        let labels = line.names.labels_of(table).map(<[_]>::to_vec);
        let labels = labels.ok_or_else(|| {
            line.wrong(Malformed::Undeclared, &format!("`{table}` is not a `.branchtargets`"))
        })?;
        let cases = labels.iter().map(|label| line.names.edge(&mut self.assembler, label));
        let cases: Box<[(u64, u32)]> = (0..).zip(cases).collect();
        let what = format!("the index is beyond the {} labels of `{table}`", cases.len());
        if line.opcode.ends_with(".uni") {
            self.assembler.emit(line.at, ControlOp::Agree { value: flag });
        }
        let default = self.assembler.edge_to(self.assembler.here() + 1);
        self.assembler.emit(line.at, ControlOp::Switch { flag, cases, default });
        self.assembler.emit(line.at, ControlOp::Nowhere { what: what.into() });
        Ok(Written::Done)
    }

    /// `call (result), function, (arguments), prototype`.
    fn call(&mut self, line: &mut Line<'a, '_>) -> Result<Written, Error> {
        let (results, rest) = match line.operands {
            [Operand::Group(results), rest @ ..] => (&results[..], rest),
            rest => (&[][..], rest),
        };
        let (called, rest) = match rest {
            [Operand::Name(called), rest @ ..] => (*called, rest),
            _ => return Err(line.wrong(Malformed::OperandCount, "the function is missing")),
        };
        let arguments = match rest {
            [Operand::Group(arguments), ..] => &arguments[..],
            _ => &[],
        };
        if let Some(callee) = self.callees.get(called).cloned() {
            self.direct(line, called, &callee, arguments, results)?;
            return Ok(Written::Done);
        }
        match (System::of(called), arguments) {
            (Some(System::Print), [format, given]) => {
                let (format, given) = (self.passed(line, format)?, self.passed(line, given)?);
                let dst = self.assembler.temporary(line.at)?;
                self.assembler.emit(line.at, SystemOp::Print { dst, format, arguments: given });
                self.returns(line, results, dst, 32)?;
            }
            (Some(System::Allocate), [bytes]) => {
                let bytes = self.passed(line, bytes)?;
                let dst = self.assembler.temporary(line.at)?;
                self.assembler.emit(line.at, SystemOp::Allocate { dst, bytes });
                self.returns(line, results, dst, 64)?;
            }
            (Some(System::Release), [address]) => {
                let address = self.passed(line, address)?;
                self.assembler.emit(line.at, SystemOp::Release { address });
            }
            (Some(System::Fail), [message, ..]) => {
                let message = self.passed(line, message)?;
                self.assembler.emit(line.at, ControlOp::Trap { message: Some(message) });
            }
            _ if called.starts_with('%') => self.indirect(line, called, arguments, results)?,
            (Some(System::Launch), _) => {
                let what = "which serves a launch from the device (dynamic parallelism): a run has the launches of the host \
                            alone; a device-side launch";
                return Err(unmodelled(line.at, Unmodelled::Call, format!("a call of `{called}`, {what}")));
            }
            _ => {
                return Err(unmodelled(
                    line.at,
                    Unmodelled::Call,
                    format!("a call of `{called}`, which has no body here,"),
                ));
            }
        }
        Ok(Written::Done)
    }

    /// Stores the result of a function of the device, of some bits, where the caller wants it.
    fn returns(
        &mut self,
        line: &mut Line<'a, '_>,
        results: &[Operand<'a>],
        src: Slot,
        bits: u32,
    ) -> Result<(), Error> {
        if let [result] = results {
            let address = self.assembler.read(line, result, 64)?;
            let access = self.assembler.plain_access(bits);
            self.assembler.emit(line.at, MemoryOp::Store { src, address, access });
        }
        Ok(())
    }

    /// The word of 64 bits in a parameter that is passed to a function of the device.
    fn passed(&mut self, line: &mut Line<'a, '_>, argument: &Operand<'a>) -> Result<Slot, Error> {
        let address = self.assembler.read(line, argument, 64)?;
        let access = self.assembler.plain_access(64);
        let dst = self.assembler.temporary(line.at)?;
        self.assembler.emit(line.at, MemoryOp::Load { dst, address, access });
        Ok(dst)
    }

    fn direct(
        &mut self,
        line: &mut Line<'a, '_>,
        called: &str,
        callee: &Callee,
        arguments: &[Operand<'a>],
        results: &[Operand<'a>],
    ) -> Result<(), Error> {
        let counts = (callee.params.len(), callee.results.len());
        if (arguments.len(), results.len()) != counts {
            let (given, taken) = (arguments.len(), results.len());
            return Err(malformed(
                line.at,
                Malformed::OperandCount,
                format!(
                    "{given} arguments and {taken} results for `{called}`, which has {} and {}",
                    counts.0, counts.1
                ),
            ));
        }
        let mut moves = Vec::new();
        let mut dst = 0;
        for (formal, operand) in callee.params.iter().zip(arguments) {
            let src = self.assembler.read(line, operand, 64)?;
            moves.push(Move { dst: formal.slot, src, len: 1 });
        }
        for (formal, operand) in callee.results.iter().zip(results) {
            if formal.in_memory {
                let src = self.assembler.read(line, operand, 64)?;
                moves.push(Move { dst: formal.slot, src, len: 1 });
            } else {
                dst = self.assembler.write(line, operand)?;
            }
        }
        if callee.results.iter().filter(|formal| !formal.in_memory).count() > 1 {
            return Err(unmodelled(line.at, Unmodelled::Call, "several results in registers"));
        }
        self.assembler
            .emit(line.at, ControlOp::Call { function: callee.number, arguments: moves.into(), dst });
        Ok(())
    }

    /// A call of the function whose address a register holds: a comparison with each function that
    /// it may be.
    fn indirect(
        &mut self,
        line: &mut Line<'a, '_>,
        called: &'a str,
        arguments: &[Operand<'a>],
        results: &[Operand<'a>],
    ) -> Result<(), Error> {
        let address = self.assembler.read(line, &Operand::Name(called), 64)?;
        let mut candidates: Vec<(u64, &'a str, Callee)> = Vec::new();
        for (name, object) in &self.symbols {
            if let (Object::At(at), Some(callee)) = (object, self.callees.get(name))
                && (callee.params.len(), callee.results.len()) == (arguments.len(), results.len())
            {
                candidates.push((*at, name, callee.clone()));
            }
        }
        if candidates.len() > CANDIDATES {
            let what =
                format!("a call of one of {} functions, which are more than {CANDIDATES},", candidates.len());
            return Err(unmodelled(line.at, Unmodelled::Call, what));
        }
        candidates.sort_by_key(|(at, ..)| *at);
        let mut over = Vec::new();
        for (at, name, callee) in candidates {
            let (b, is_it) =
                (self.assembler.constant(line.at, vec![at])?, self.assembler.temporary(line.at)?);
            let compared = Binary { dst: is_it, a: address, b, lanes: 1 };
            self.assembler
                .emit(line.at, ScalarOp::IntCompare { predicate: IntPredicate::Eq, width: 64, at: compared });
            let guard = self.assembler.guard(line.at, is_it, true);
            self.direct(line, name, &callee, arguments, results)?;
            let edge = self.assembler.edge_to(0);
            self.assembler.emit(line.at, ControlOp::Jump { edge });
            over.push(edge);
            self.assembler.end_guard(guard);
        }
        let what =
            format!("`{called}` does not hold the address of a function with these arguments and results");
        self.assembler.emit(line.at, ControlOp::Nowhere { what: what.into() });
        let here = self.assembler.here();
        over.into_iter().for_each(|edge| self.assembler.set_edge(edge, here));
        Ok(())
    }
}

fn bits(variable: &Variable<'_>) -> u32 {
    type_of(variable).bits()
}

/// The type of a register that is a parameter.
fn type_of(variable: &Variable<'_>) -> ScalarType {
    ScalarType::read(Spelling::Ptx, variable.ty).unwrap_or(ScalarType::B64)
}
