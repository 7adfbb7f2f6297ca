//! The simulator finds the same in PTX as in the IR that it is compiled from.

use super::{Case, name};
use cute_assembler::module::{Reading, parse};
use cute_mlir::{
    Target,
    driver::{self, Emit, Lowered, Options, ptxas, signature::Signatures},
};
use cute_sim::{Error, Finding, FindingKind, Program, Report, Schedule, SourcePlace};
use melior::Context;
use std::collections::BTreeSet;

/// The program of a text by way of PTX, for the first target that has its instructions.
pub(super) fn through_ptx(case: &Case, text: &str) -> (Program, String) {
    let compile = |target: Target| {
        let context = Context::new();
        cute_mlir::load(&context);
        let mut module = cute_mlir::parse(&context, text).map_err(|e| e.to_string())?;
        let options = Options { lineinfo: true, ..Options::new(target) };
        driver::lower(&context, &mut module, &options).map_err(|e| e.to_string())?;
        let signatures = Signatures::default();
        let mut lowered =
            Lowered { context: &context, module: &mut module, options: &options, signatures: &signatures };
        // Without ptxas, which refuses some of the mistakes.
        lowered.product(Emit::Ptx, &ptxas::Options::default(), |_| {}).map_err(|e| e.to_string())
    };
    let product = compile(Target::Sm90a).or_else(|_| compile(Target::Sm100a));
    let product = product.unwrap_or_else(|e| panic!("{}: {e}", case.name));
    let ptx = String::from_utf8(product.bytes).expect("PTX is text");
    let file = parse(&ptx, Reading { file: "kernel.ptx", strict: false });
    let program = file.and_then(|file| file.program()).unwrap_or_else(|e| panic!("{}: {e}", case.name));
    (program, ptx)
}

/// The kinds of findings with the lines of their source: of a race both, in any order.
fn found(result: &Result<Report, Error>) -> BTreeSet<(String, Vec<u32>)> {
    let report = match result {
        Ok(report) => report,
        Err(Error::Findings(report)) => report,
        Err(other) => panic!("{other}"),
    };
    let line = |place: &SourcePlace| place.point.as_ref().map_or(0, |point| point.line);
    let of = |finding: &Finding| {
        let mut lines = vec![line(&finding.location)];
        if let FindingKind::Race { other, .. } = &finding.kind {
            lines.push(line(&other.location));
            lines.sort();
        }
        (name(&finding.kind), lines)
    };
    report.findings.iter().map(of).collect()
}

/// Kernels whose mistake LLVM removes, and the instructions that it removes.
const REMOVED: &[(&str, &str)] = &[
    ("constant_write", "st."),
    ("misaligned_vector", ".v4"),
    ("null_pointer", "ld.global"),
    ("quotient_too_large", "div.s32"),
    ("shared_overrun", "st.shared"),
    ("sums_scaled_in_flight", "mul."),
    ("undefined_accumulator", "add."),
    ("undefined_condition", "bra"),
    ("undefined_element", "ld.local"),
    ("unwritten_fragment", "ld.local"),
    ("unwritten_shared", "ld.shared"),
    ("wrong_space", "ld.shared"),
];

/// Kernels whose mistake is a hidden note in IR, because a value of a loop may have several
/// registers there.
const ONLY_IN_PTX: &[&str] = &["registers_of_a_rewritten"];

/// Overflow is poison in LLVM, which PTX does not show: it wraps.
const NOT_IN_PTX: &str = "overflow";

#[test]
fn ptx_has_the_findings_of_its_source() {
    let mut wrong = Vec::new();
    let (mut removed, mut added) = (BTreeSet::new(), BTreeSet::new());
    for folder in ["museum", "legal", "clean", "broken"] {
        for case in Case::all(folder) {
            let variants = match folder {
                "museum" => vec![case.without("repaired"), case.without("broken")],
                _ => vec![case.text.clone()],
            };
            for text in &variants {
                let (own, (program, ptx)) = (case.program(text), through_ptx(&case, text));
                for schedule in [Schedule::Lazy, Schedule::Eager, Schedule::Reverse] {
                    let (source, expected) = case.run_as(&own, schedule, false);
                    // A loop of PTX that waits for a barrier takes more instructions than an op
                    // that does.
                    let budget = if case.header("finds") == Some("budget") { 1_000_000 } else { 10_000_000 };
                    let (compiled, values) = case.run_within(budget, &program, schedule, false);
                    let (mut source, compiled) = (found(&source), found(&compiled));
                    source.retain(|(kind, _)| kind != NOT_IN_PTX);
                    if compiled.is_empty()
                        && let Some((name, gone)) = REMOVED.iter().find(|(name, _)| *name == case.name)
                        && !source.is_empty()
                    {
                        assert!(!ptx.contains(gone), "{name} has `{gone}`:\n{ptx}");
                        removed.insert(*name);
                    } else if source.is_empty()
                        && !compiled.is_empty()
                        && text.contains("// broken")
                        && let Some(name) = ONLY_IN_PTX.iter().find(|name| **name == case.name)
                    {
                        added.insert(*name);
                    } else if source != compiled {
                        wrong.push(format!(
                            "{} {schedule:?}: {source:?} as IR, {compiled:?} as PTX",
                            case.name
                        ));
                    } else if source.is_empty() && expected != values {
                        wrong.push(format!("{} {schedule:?}: other values", case.name));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(removed.len(), REMOVED.len(), "{removed:?}");
    assert_eq!(added.len(), ONLY_IN_PTX.len(), "{added:?}");
}
