//! Mutants of PTX.
//!
//! | file | subject |
//! |---|---|
//! | `statement` | an instruction in its text, and the same with another part |
//! | `waiting` | fences, waits, barriers, arrivals, counts |
//! | `order` | the memory model: release, acquire, scopes |
//! | `lanes` | lanes, masks of lanes and of blocks |
//! | `address` | offsets, strides, coordinates, swizzles, descriptors |
//! | `access` | loads, stores and copies that are missing |
//! | `value` | predicates and arithmetic |

mod access;
mod address;
mod lanes;
mod order;
mod statement;
mod value;
mod waiting;

use crate::{Kind, Mutant, Numbers, Source};
use cute_ptx::syntax::{Body, Location, Module, Statement, SyntaxError, parse};
use statement::Instruction;

/// A change of an instruction: what it is about, its name, and the text of the new statement.
pub(crate) struct Change {
    kind: Kind,
    name: String,
    instead: String,
}

impl Change {
    pub(crate) fn new(kind: Kind, name: impl Into<String>, instead: impl Into<String>) -> Self {
        Self { kind, name: name.into(), instead: instead.into() }
    }
}

/// All mutants of a file of PTX, in the order of the text. Of its kernels only those named are
/// changed, unless none is named; device functions are changed always.
///
/// # Errors
/// The place where the text is not PTX.
pub fn mutants(text: &str, kernels: &[&str]) -> Result<Vec<Mutant>, SyntaxError> {
    changed(text, kernels, &changes)
}

/// Each `mbarrier.init` of these kernels whose count is a number, with a count that is lower by
/// this much, if arrivals are left.
///
/// # Errors
/// The place where the text is not PTX.
pub fn with_fewer_arrivals(text: &str, kernels: &[&str], by: i64) -> Result<Vec<Mutant>, SyntaxError> {
    changed(text, kernels, &|own| waiting::fewer(own, by).into_iter().collect())
}

/// The changes of an instruction.
type Changes<'c> = &'c dyn Fn(&Instruction<'_>) -> Vec<Change>;

fn changed(text: &str, kernels: &[&str], changes: Changes<'_>) -> Result<Vec<Mutant>, SyntaxError> {
    let module = parse(text)?;
    let mut all = Vec::new();
    let mut numbers = Numbers::default();
    for function in &module.functions {
        let is_asked = !function.is_entry || kernels.is_empty() || kernels.contains(&function.name);
        if let Some(body) = function.body.filter(|_| is_asked) {
            of_body(text, &module, body, (&mut numbers, changes), &mut all)?;
        }
    }
    all.sort_by_key(|mutant| mutant.range.start);
    Ok(all)
}

/// The symbols of the kernels of a file.
///
/// # Errors
/// The place where the text is not PTX.
pub fn kernels(text: &str) -> Result<Vec<String>, SyntaxError> {
    let module = parse(text)?;
    let entries = module.functions.iter().filter(|function| function.is_entry && function.body.is_some());
    Ok(entries.map(|function| function.name.to_owned()).collect())
}

fn of_body(
    text: &str,
    module: &Module<'_>,
    body: Body<'_>,
    (numbers, changes): (&mut Numbers, Changes<'_>),
    all: &mut Vec<Mutant>,
) -> Result<(), SyntaxError> {
    let mut place: Option<Source> = None;
    for statement in body.statements() {
        match statement? {
            (_, Statement::Location(location)) => place = source(module, &location),
            (line, Statement::Instruction(instruction)) => {
                let Some(own) = Instruction::of(text, &instruction) else { continue };
                let number = numbers.next(own.opcode);
                for Change { kind, name, instead } in changes(&own) {
                    all.push(Mutant {
                        kind,
                        op: own.opcode.to_owned(),
                        number,
                        change: name,
                        line: line as usize,
                        source: place.clone(),
                        range: own.range.clone(),
                        instead,
                        trap: own.trap(),
                    });
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The place of a `.loc`: of code that was inlined, where it was written.
fn source(module: &Module<'_>, location: &Location<'_>) -> Option<Source> {
    let (_, file) = module.files.iter().find(|(number, _)| *number == location.file)?;
    (location.line > 0).then(|| Source { file: (*file).to_owned(), line: location.line })
}

fn changes(own: &Instruction<'_>) -> Vec<Change> {
    let mut all = Vec::new();
    waiting::changes(own, &mut all);
    order::changes(own, &mut all);
    lanes::changes(own, &mut all);
    access::changes(own, &mut all);
    address::changes(own, &mut all);
    value::changes(own, &mut all);
    all
}
