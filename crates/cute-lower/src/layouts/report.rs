//! Remarks about each choice: why it was made, what it costs, and what came second, at the ops that
//! leave a choice.

use cute_build::Error;
use cute_ffi::{
    self, Severity,
    ir::{self, op_name},
};
use cute_plan::{Cost, Excluded, NoChoice, Problem, Rule, Solution};
use melior::ir::operation::OperationRef;

use super::{problem::Choices, program::reads_thread, site::Site};
use crate::Built;

/// Warns of tiles that nothing accesses: any layout is as good as another.
pub fn unused(choices: &Choices<'_, '_>) {
    for (i, site) in choices.sites.iter().enumerate() {
        if !(0..choices.uses()).any(|at| choices.touches(at).contains(&i)) {
            let text =
                format!("{}: no access depends on the choice, so it is arbitrary", site.open.spelling());
            cute_ffi::emit(ir::location(site.op), Severity::Warning, &text, &[]);
        }
    }
}

/// A remark for each choice.
pub fn chosen(choices: &Choices<'_, '_>, solution: &Solution) {
    for (i, site) in choices.sites.iter().enumerate() {
        let own = &site.choices[solution.choice[i]];
        let cost = of_site(choices, i, &solution.choice);
        let mut text =
            format!("{} is {}, {}; {}", site.open.spelling(), own.text, own.reason, said(&cost, own.bytes));
        if let Some(second) = solution.runner_up.as_ref().map(|second| &second.choice)
            && second[i] != solution.choice[i]
        {
            let other = &site.choices[second[i]];
            let cost = of_site(choices, i, second);
            text += &format!("; next: {}, {}", other.text, said(&cost, other.bytes));
        }
        if !solution.proven {
            text += &format!("; best of {}, not proven", solution.nodes);
        }
        cute_ffi::emit(ir::location(site.op), Severity::Remark, &text, &[]);
    }
}

/// Reports that a tiled copy cannot have other threads, because of an op.
pub fn tied<T>(site: &Site<'_>, user: OperationRef<'_, '_>) -> Built<T> {
    let text = format!(
        "'{}' op: auto may give an element to another thread, but '{}' depends on which thread has it; write the \
         thread-value layout",
        op_name(site.op),
        op_name(user)
    );
    let what = if reads_thread(user) {
        "the number of the thread decides about elements of the copy, in a branch or a predicate"
    } else {
        "registers that the copy fills or empties are used here"
    };
    let note = (ir::location(user), what.to_string());
    cute_ffi::emit(ir::location(site.op), Severity::Error, &text, &[note]);
    Err(Error::Reported)
}

/// Reports that memory with an open layout is seen through another one, too.
pub fn aliased<T>(site: &Site<'_>, view: OperationRef<'_, '_>) -> Built<T> {
    let text = format!(
        "'{}' op: shows memory with {} in a layout of its own; derive the view from the tile (cute.composition), recast \
         the pointer and leave its layout open, too, if it holds other elements, or write both",
        op_name(view),
        site.open.spelling()
    );
    let note = (ir::location(site.op), "the memory is allocated here".to_string());
    cute_ffi::emit(ir::location(view), Severity::Error, &text, &[note]);
    Err(Error::Reported)
}

/// Reports that code which does not know a layout may access memory where it is open.
pub fn escaped<T>(site: &Site<'_>, op: OperationRef<'_, '_>) -> Built<T> {
    let text = format!(
        "'{}' op: takes the address of a tile with {}, which code that does not know the layout may access; write \
         the layout",
        op_name(op),
        site.open.spelling()
    );
    let note = (ir::location(site.op), "the tile is made here".to_string());
    cute_ffi::emit(ir::location(op), Severity::Error, &text, &[note]);
    Err(Error::Reported)
}

/// Reports that no choice is possible: what excludes the candidates, at the ops that do.
pub fn none<T>(choices: &Choices<'_, '_>, none: &NoChoice) -> Built<T> {
    let Some(site) = choices.sites.first() else { return Err(Error::Reported) };
    let found = if none.proven {
        "no candidate satisfies all uses".to_string()
    } else {
        format!("no choice was found among {}", none.nodes)
    };
    let text = format!("'{}' op: {}: {found}", op_name(site.op), site.open.spelling());
    let notes: Vec<_> = none
        .excluded
        .iter()
        .map(|Excluded { rule, count, sample }| match rule {
            Rule::Empty { site } => {
                (ir::location(choices.sites[*site].op), "this op has no candidates".to_string())
            }
            Rule::Use { at } => {
                let op = choices.op(&choices.uses[*at]);
                (ir::location(op), format!("'{}' op excludes {count}, such as {sample}", op_name(op)))
            }
            Rule::Room => (ir::location(site.op), sample.clone()),
            Rule::Legal => (ir::location(site.op), format!("{count} are not valid, such as: {sample}")),
        })
        .collect();
    cute_ffi::emit(ir::location(site.op), Severity::Error, &text, &notes);
    Err(Error::Reported)
}

/// The cost of the accesses that depend on a site.
fn of_site(choices: &Choices<'_, '_>, site: usize, choice: &[usize]) -> Cost {
    let mut sum = Cost::default();
    for at in (0..choices.uses()).filter(|at| choices.touches(*at).contains(&site)) {
        let Some(cost) = choices.cost(at, choice) else { continue };
        sum.wavefronts = sum.wavefronts.saturating_add(cost.wavefronts);
        sum.sectors = sum.sectors.saturating_add(cost.sectors);
        sum.lines = sum.lines.saturating_add(cost.lines);
        sum.instructions = sum.instructions.saturating_add(cost.instructions);
        sum.registers = sum.registers.saturating_add(cost.registers);
    }
    sum
}

fn said(cost: &Cost, bytes: u64) -> String {
    let parts = [
        (cost.wavefronts, "wavefront"),
        (cost.sectors, "sector"),
        (cost.lines, "line"),
        (cost.instructions, "instruction"),
        (cost.registers, "register"),
        (bytes, "byte"),
    ];
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let parts = parts.iter().filter(|(n, _)| *n > 0);
    let parts: Vec<_> = parts.map(|(n, what)| format!("{n} {what}{}", plural(*n))).collect();
    if parts.is_empty() { "at no cost".into() } else { parts.join(", ") }
}
