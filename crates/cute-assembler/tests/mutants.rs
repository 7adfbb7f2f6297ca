//! The reader and ptxas accept the same PTX: they are compared on mutants of PTX in which one
//! token of an instruction is another one. ptxas is conditional: without it there is nothing to
//! compare.

#[path = "../../../tests/common/full.rs"]
mod full;
mod mutation;

use cute_assembler::module::{Reading, parse};
use mutation::{Body, Mutant, Token};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Mutants that CI tries, and all.
const COUNTS: [usize; 2] = [200, 5000];

/// Folders of PTX. The last one has instructions that no other folder has.
const FOLDERS: &[&str] = &[
    "tests/foreign/cuda",
    "tests/foreign/triton",
    "tests/instructions",
    "examples",
    "crates/cute-sim/src/families/wgmma/tests",
];

/// Mutants of one function, whose instructions ptxas reads together.
const TOGETHER: usize = 20;

/// Refusals of ptxas that concern neither operands, modifiers, special registers nor guards, by a
/// part of the message.
const OTHER: &[(&str, &str)] = &[
    ("requires .target", "the target of an instruction"),
    ("not supported on .target", "the target of an instruction"),
    ("requires PTX ISA", "the version of an instruction"),
];

/// Parts of errors about operands of `wgmma` that ptxas does not look at.
const LOOSE: &[&str] = &[
    "a matrix in braces consists of registers",
    "register of type `.pred`",
    "metadata of A are not in a register",
];

/// The reason for which the reader refuses what ptxas accepts, where it does.
fn stricter_because(mutant: &Mutant, why: &str) -> Option<&'static str> {
    let (is_testp, is_wgmma) = (mutant.text.contains("testp.f"), mutant.text.contains("wgmma."));
    match why {
        _ if why.contains("takes an address of 32 or of 64 bits") => {
            Some("ptxas takes registers of 8 and 16 bits as addresses, which the ISA does not")
        }
        _ if why.contains("is a special register, which is not an address") => {
            Some("ptxas reads `[%laneid]`, which the ISA does not have")
        }
        _ if mutant.text.starts_with("set.") && mutant.text.contains("f16x2 ") => {
            Some("ptxas reads a `set` of packed floats with an integer result, which the ISA does not have")
        }
        _ if mutant.text.contains("wgmma.mma_async.") && LOOSE.iter().any(|part| why.contains(part)) => {
            Some("ptxas takes special registers and predicates in lists of `wgmma`, and a float as metadata")
        }
        _ if mutant.token == Token::Dropped && is_wgmma && !mutant.text.contains(".aligned") => {
            Some("ptxas reads `wgmma` without `.aligned`, which the ISA does not")
        }
        _ if mutant.token == Token::Swapped && mutant.text.starts_with("fence.proxy.") => {
            Some("ptxas reads the words of a fence of proxies in any order")
        }
        _ if mutant.token == Token::Doubled => Some("ptxas reads some modifiers twice"),
        _ if mutant.token == Token::Dropped && is_testp => Some("ptxas reads `testp` without a class"),
        _ => None,
    }
}

/// Whether an instruction is of a version of PTX that came after 9.0, the version of the ptxas that
/// the tests have.
fn is_newer(instruction: &str) -> bool {
    let narrow = ["e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2"].iter().any(|ty| instruction.contains(ty));
    instruction.contains("cvt.") && instruction.contains("bf16x2") && narrow
}

fn ptxas() -> Option<PathBuf> {
    std::env::var_os("CUTE_PTXAS").filter(|file| !file.is_empty()).map(PathBuf::from)
}

/// The files whose instructions are mutated, by their folders. `CUTE_MUTANTS_OF` names one folder
/// alone, from the root on, or one file.
fn files() -> Vec<Vec<PathBuf>> {
    fn visit(folder: &Path, all: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                visit(&path, all);
            } else if path.extension().is_some_and(|extension| extension == "ptx") {
                all.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let only = std::env::var("CUTE_MUTANTS_OF").ok();
    let of: Vec<&str> = only.as_deref().map_or(FOLDERS.to_vec(), |only| vec![only]);
    let folders = of.into_iter().map(|of| {
        let (mut all, path) = (Vec::new(), root.join(of));
        match path.is_file() {
            true => all.push(path),
            false => visit(&path, &mut all),
        }
        all.sort();
        all
    });
    folders.filter(|files| !files.is_empty()).collect()
}

/// The error of the reader.
fn read(text: &str) -> Option<String> {
    let reading = Reading { file: "mutant.ptx", strict: true };
    parse(text, reading).and_then(|file| file.program()).err().map(|error| error.to_string())
}

/// The first error of ptxas for each of these statements in a body.
fn assembled(
    ptxas: &Path,
    folder: &Path,
    body: &Body,
    statements: &[(usize, String)],
) -> Vec<Option<String>> {
    let mut errors = vec![None; statements.len()];
    let mut left: Vec<usize> = (0..statements.len()).collect();
    let file = folder.join("mutants.ptx");
    while !left.is_empty() {
        let chosen: Vec<&(usize, String)> = left.iter().map(|i| &statements[*i]).collect();
        // The last instruction is wrong, so that ptxas only reads.
        let (text, lines) = body.with(&chosen, "add.s32 %none, %none, %none;");
        fs::write(&file, &text).expect("a file");
        let target = format!("-arch={}", body.target());
        let done =
            Command::new(ptxas).args(["-O0", &target, "-o", "/dev/null"]).arg(&file).output().expect("ptxas");
        let report = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        let mut fatal = None;
        for line in report.lines() {
            let Some((place, what)) = line.split_once(", line ").and_then(|(_, rest)| rest.split_once(';'))
            else {
                continue;
            };
            let what = what.trim();
            if !what.starts_with("error") && !what.starts_with("fatal") {
                continue;
            }
            let place: usize = place.parse().expect("a line");
            let Some(at) = lines.iter().position(|own| *own == place) else { continue };
            errors[left[at]].get_or_insert_with(|| what.to_owned());
            if what.starts_with("fatal") {
                fatal = Some(at);
            }
        }
        match fatal {
            Some(at) => drop(left.remove(at)),
            None if report.contains("%none") || report.contains("aborted") => break,
            // ptxas ended early: one of them makes it crash.
            None if left.len() == 1 => {
                errors[left[0]] = Some("crash".to_owned());
                break;
            }
            None => {
                for at in left {
                    let one = assembled(ptxas, folder, body, &statements[at..=at]);
                    errors[at] = one.into_iter().next().flatten();
                }
                break;
            }
        }
    }
    errors
}

#[test]
fn mutants_are_refused_as_ptxas_refuses_them() {
    let Some(ptxas) = ptxas() else { return };
    let seed = std::env::var("CUTE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let count = COUNTS[usize::from(full::all_of(0))];
    let mut random = fastrand::Rng::with_seed(seed);
    let folder = tempfile::tempdir().expect("a folder");
    let folders = files();
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut tried, mut wrong, mut stricter) = (0, Vec::new(), Vec::new());
    let mut by_name: BTreeMap<&str, usize> = BTreeMap::new();
    while tried < count {
        // Most instructions are in `tests/foreign`, most files in `tests/instructions`.
        let of_folder = &folders[random.usize(..folders.len())];
        let path = &of_folder[random.usize(..of_folder.len())];
        let text = fs::read_to_string(path).expect("a file");
        let Some(body) = Body::choose(&text, &mut random) else { continue };
        let mutants: Vec<Mutant> =
            (0..TOGETHER.min(count - tried)).filter_map(|_| body.mutant(&mut random)).collect();
        let mut statements: Vec<(usize, String)> = mutants.iter().map(|m| (m.at, m.text.clone())).collect();
        statements.extend(mutants.iter().map(|m| (m.at, m.original.clone())));
        let errors = assembled(&ptxas, folder.path(), &body, &statements);
        for (i, mutant) in mutants.iter().enumerate() {
            // An instruction that needs more than its declarations cannot be compared.
            if errors[mutants.len() + i].is_some() {
                continue;
            }
            let own = |text: &String| read(&body.with(&[&(mutant.at, text.clone())], "ret;").0);
            if own(&mutant.original).is_some() {
                continue;
            }
            tried += 1;
            let (ours, theirs) = (own(&mutant.text), errors[i].as_deref());
            let outcome = match (&ours, theirs) {
                (None, None) => "accepted by both",
                (Some(_), Some(_)) => "refused by both",
                (None, Some(why)) => {
                    let other = OTHER.iter().find(|(part, _)| why.contains(part)).map(|(_, name)| *name);
                    match other.or(is_newer(&mutant.text).then_some("the version of an instruction")) {
                        Some(name) => *by_name.entry(name).or_default() += 1,
                        None => wrong.push(format!("{:?} {}\n      ptxas: {why}", mutant.token, mutant.text)),
                    }
                    "accepted by the reader alone"
                }
                (Some(why), None) => {
                    if stricter_because(mutant, why).is_none() {
                        stricter.push(format!("{:?} {}\n      reader: {why}", mutant.token, mutant.text));
                    }
                    "accepted by ptxas alone"
                }
            };
            *outcomes.entry(outcome).or_default() += 1;
        }
    }
    let report = format!("seed {seed}: {outcomes:?}, {by_name:?}");
    println!("{report}");
    assert!(wrong.is_empty(), "{report}\n{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        stricter.is_empty(),
        "{report}\n{} refused by the reader alone:\n{}",
        stricter.len(),
        stricter.join("\n")
    );
    let other: usize = by_name.values().sum();
    assert!(other * 100 <= 3 * count, "{report}");
    let both = outcomes.get("accepted by both").copied().unwrap_or_default();
    assert!(both * 20 > count, "{report}");
}
