//! Rewrites modules of CuTe DSL, which are written for other versions of MLIR, to today's dialects.
//!
//! CuTe DSL is built with its own version of MLIR. Its upstream dialects spell some ops
//! differently, have ops that upstream never had, and have ops that upstream has since dropped.
//! [`import`] rewrites these to today's upstream ops with one [`table`]; everything else stays the
//! same, at the locations that it has in the text.
//!
//! Generic assembly is parsed without the dialects that drifted, so that their ops may have any
//! form. Custom assembly needs these dialects; there, [`tokens`] first rewrites the ops that they
//! no longer have to generic form.
//!
//! This crate must not depend on the meaning of our ops, nor on how ops are lowered.

#![forbid(unsafe_code)]

mod allocations;
mod cycle;
mod drifted;
mod kernels;
pub mod profile;
mod site;
pub mod table;
pub mod tokens;
mod wrapper;

use std::{borrow::Cow, fmt};

use cute_ffi::{
    Severity, ir,
    parse::{self, ParseChecks},
    rewrite::Rewriter,
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{
        Location, Module,
        operation::{OperationLike, OperationPrintingFlags},
    },
};

pub use profile::ProducerProfile;
use site::Site;
use table::Custom;

/// A module in today's dialects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// Its text, in generic form. Locations are those of the text that was given.
    pub text: String,
    /// The rewritten ops by name, each with the number of rewrites.
    pub rewritten: Vec<(Cow<'static, str>, usize)>,
}

impl fmt::Display for Imported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count: usize = self.rewritten.iter().map(|(_, n)| n).sum();
        if count == 0 {
            return f.write_str("a module of CuTe DSL, in the spelling of a later version");
        }
        let names: Vec<_> = self.rewritten.iter().map(|(name, n)| format!("{n} {name}")).collect();
        write!(f, "a module of CuTe DSL; rewrote {count} ops of another MLIR version: {}", names.join(", "))
    }
}

/// The text cannot be imported; the reason was reported as diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("import failed")]
pub struct Error;

/// Whether a text may need [`import`], because it names an op of the [`table`].
pub fn may_need(text: &str) -> bool {
    let ours = tokens::has_coordinates_as_tuples(text) || (has_kernels(text) && !is_generic(text));
    let of_cute = |drift: &table::Drift| matches!(drift.custom, Custom::Coordinates | Custom::Inferred);
    // A cast is only of interest where an address in the cluster is made.
    let is_sign = |drift: &table::Drift| match drift.custom {
        Custom::Marked { mark, .. } => text.contains(mark) && text.contains(drift.name),
        Custom::After { property } => text.contains(&format!(") {property}")) && text.contains(drift.name),
        _ if drift.name.starts_with("llvm.") => text.contains(drift.name) && text.contains("nvvm.mapa"),
        _ => text.contains(drift.name),
    };
    table::rows().any(|drift| (ours || !of_cute(drift)) && is_sign(drift))
        || table::known::may_have(text)
        || (!is_generic(text) && tokens::generic_ops(text).any(|(_, name)| table::known::is_missing(name)))
        || drifted::may_have(text)
        || kernels::may_have(text)
        || wrapper::first(text).is_some()
}

/// Checks that a text has only forms that the producer of a profile writes. `watch` is called as by
/// [`import`].
///
/// # Errors
/// [`Error`], after a diagnostic for each form of another producer, at its first place.
pub fn check(
    text: &str,
    name: &str,
    profile: ProducerProfile,
    watch: &dyn Fn(&Context),
) -> Result<(), Error> {
    let refused = profile.refused(text);
    if refused.is_empty() {
        return Ok(());
    }
    let context = Context::new();
    watch(&context);
    for one in refused.iter().take(MOST_ERRORS) {
        report(&context, name, text, one.at, &one.to_string());
    }
    Err(Error)
}

/// Whether a text has kernels of the `cuda` dialect.
pub fn has_kernels(text: &str) -> bool {
    text.contains("cuda.kernel")
}

/// Rewrites a text; `None` for a text that needs no change. `watch` is called with each context
/// before anything is parsed in it, so that it can attach diagnostic handlers.
///
/// # Errors
/// [`Error`], after diagnostics.
pub fn import(text: &str, name: &str, watch: &dyn Fn(&Context)) -> Result<Option<Imported>, Error> {
    if !may_need(text) {
        return Ok(None);
    }
    let context = Context::new();
    watch(&context);
    context.set_allow_unregistered_dialects(true);
    let generic = is_generic(text);
    load(&context, if generic { parse::register_undrifted } else { melior::utility::register_all_dialects });

    if let Some((at, function)) = wrapper::first(text) {
        report(&context, name, text, at, &wrapper::unsupported(function));
        return Err(Error);
    }
    if !generic && report_unsupported(&context, text, name) {
        return Err(Error);
    }
    if let Some((at, operand)) = cycle::first(text) {
        let error = format!("{operand} is an operand of the operation whose own region defines it");
        report(&context, name, text, at, &error);
        return Err(Error);
    }
    let readable = match drifted::readable(text) {
        Ok(readable) => readable,
        Err(counts) => {
            report(&context, name, text, counts.at, &counts.to_string());
            return Err(Error);
        }
    };
    let drifted = readable != text;
    let plain = if generic { readable } else { tokens::to_generic(&readable).into_owned().into() };
    let module = parse::module_with(&context, &plain, name, ParseChecks::Syntax);
    let mut module = module.ok_or(Error)?;
    if generic && has_unsupported(&module) {
        return Err(Error);
    }
    let rows: Vec<_> = table::rows().collect();
    let mut counts = vec![0; rows.len()];
    let (mut allocated, mut marked) = (0, 0);
    let failed = Rewriter::rewrite(&mut module, |rewriter| {
        let failed = rewrite(rewriter, &rows, &mut counts);
        let made =
            allocations::rewrite(rewriter).and_then(|allocated| Ok((allocated, kernels::rewrite(rewriter)?)));
        match made {
            Ok(made) => (allocated, marked) = made,
            Err((op, why)) => {
                let text = format!("'{}' op {why}", table::original(ir::op_name(op)));
                cute_ffi::emit(ir::location(op), Severity::Error, &text, &[]);
                return true;
            }
        }
        failed
    });
    if failed {
        return Err(Error);
    }
    let mut rewritten: Vec<_> =
        rows.iter().zip(counts).filter(|(_, n)| *n > 0).map(|(drift, n)| (drift.original(), n)).collect();
    let further = [(table::original(allocations::NAME), allocated), (kernels::FUNCTION.into(), marked)];
    rewritten.extend(further.into_iter().filter(|(_, count)| *count > 0));
    // The table also has names that today's dialects have, such as `nvvm.barrier`.
    if rewritten.is_empty() && !drifted && (plain == text || is_of_today(text, name)) {
        return Ok(None);
    }
    let flags = OperationPrintingFlags::new().enable_debug_info(true, false).print_generic_operation_form();
    let text = module.as_operation().to_string_with_flags(flags).map_err(|_| Error)?;
    Ok(Some(Imported { text, rewritten }))
}

/// Reports the ops of custom assembly that are not supported, whose errors in MLIR's parser name no
/// version and no way out. Returns whether there are any.
fn report_unsupported(context: &Context, text: &str, name: &str) -> bool {
    let unknown = tokens::unsupported(text, &|op| context.is_registered_operation(op));
    for (at, op) in unknown.iter().take(MOST_ERRORS) {
        report(context, name, text, *at, &table::known::unknown(context, op));
    }
    !unknown.is_empty()
}

/// Reports an error at a position of a text that is not parsed yet.
fn report(context: &Context, name: &str, text: &str, at: usize, error: &str) {
    let before = &text[..at];
    let (line, column) =
        (before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1);
    cute_ffi::emit(Location::new(context, name, line, column), Severity::Error, error, &[]);
}

/// The same for the ops of a module in generic form.
fn has_unsupported(module: &Module<'_>) -> bool {
    let mut ops = ir::walk(module.as_operation());
    ops.retain(|op| table::known::is_known(ir::op_name(*op)));
    for op in ops.iter().take(MOST_ERRORS) {
        let error = table::known::unknown(ir::context(*op), ir::op_name(*op));
        cute_ffi::emit(ir::location(*op), Severity::Error, &error, &[]);
    }
    !ops.is_empty()
}

/// Most unknown ops that are reported.
const MOST_ERRORS: usize = 20;

/// Whether today's dialects can read a text unchanged.
fn is_of_today(text: &str, name: &str) -> bool {
    let context = Context::new();
    context.attach_diagnostic_handler(|_| true);
    load(&context, melior::utility::register_all_dialects);
    parse::module_with(&context, text, name, ParseChecks::Syntax).is_some()
}

/// Loads our dialects and those of upstream that `register` names.
fn load(context: &Context, register: fn(&DialectRegistry)) {
    let registry = DialectRegistry::new();
    register(&registry);
    cute_dialect::register_dialects(&registry);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
}

/// Rewrites the ops of the table, and counts them by row. Returns whether a rewrite failed.
fn rewrite(rewriter: &Rewriter<'_>, rows: &[&table::Drift], counts: &mut [usize]) -> bool {
    let mut failed = false;
    for op in ir::walk(rewriter.root()) {
        let Some(i) = rows.iter().position(|drift| drift.name == ir::op_name(op)) else { continue };
        match (rows[i].rewrite)(&Site::new(rewriter, op)) {
            Ok(true) => counts[i] += 1,
            Ok(false) => {}
            Err(why) => {
                let text = format!("'{}' op {why}", rows[i].original());
                cute_ffi::emit(ir::location(op), Severity::Error, &text, &[]);
                failed = true;
            }
        }
    }
    failed
}

/// The number of braces, brackets and parentheses that a text opens and does not close, as that of
/// a file that was cut does. 0 if one is closed by another kind, which is another mistake.
pub fn open_brackets(text: &str) -> usize {
    let (mut open, mut quoted, mut escaped) = (Vec::new(), false, false);
    for line in text.lines() {
        for (at, c) in line.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                _ if quoted => {}
                '/' if line[at..].starts_with("//") => break,
                '{' => open.push('}'),
                '(' => open.push(')'),
                '[' => open.push(']'),
                '}' | ')' | ']' if open.pop() != Some(c) => return 0,
                _ => {}
            }
        }
    }
    open.len()
}

/// Whether ops are in generic form, judging by the first: `"builtin.module"() ({`.
fn is_generic(text: &str) -> bool {
    let code = text.lines().map(str::trim_start).filter(|l| !l.is_empty() && !l.starts_with("//"));
    let mut ops = code.filter(|l| !l.starts_with(['!', '#']));
    ops.next().is_some_and(|l| l.starts_with('"'))
}
