//! `cutec gate`: the machine code of kernels, measured and compared with numbers from before.
//!
//! | file | subject |
//! |---|---|
//! | [`cli`] | the command line |
//! | `measure` | from files to numbers |
//! | `row` | the numbers of a kernel |
//! | `rename` | names of kernels in PTX |
//! | `baseline` | numbers from before, and what is worse |
//! | `table` | rows as text |

mod baseline;
pub mod cli;
mod measure;
mod rename;
mod row;
mod table;

use std::{collections::BTreeSet, path::Path};

use serde::Serialize;

use crate::{
    diagnostics::{message, print},
    error::{Error, Result},
    gate_error::Error as GateError,
    source,
};
use baseline::{Baseline, Change, VERSION, changes};
use cli::{Cli, Form};
use row::{Key, Row};

/// The report in JSON.
#[derive(Serialize)]
struct Document<'r> {
    version: u64,
    kernels: &'r [Row],
    /// Numbers that are not those of the baseline.
    changes: &'r [Change],
    /// Kernels that the baseline does not have.
    missing: &'r [Key],
    /// Kernels that only the baseline has.
    stale: &'r [Key],
}

/// Measures kernels, and compares them with a baseline.
///
/// # Errors
/// Those of compiling and assembling; after the report, [`GateError::Failed`] if a number is worse
/// than the baseline's, or a kernel is only here or only there.
pub fn run(cli: &Cli) -> Result<()> {
    let assemblers = measure::assemblers(cli)?;
    let baseline = cli.baseline.as_deref().map(|file| read(file, cli.update)).transpose()?;
    let rows = measure::rows(cli, &assemblers)?;
    let keys: Vec<_> = rows.iter().map(|row| row.entry.key.clone()).collect();
    let (mut all, mut missing, mut stale) = (Vec::new(), Vec::new(), Vec::new());
    if let Some(baseline) = &baseline {
        for row in &rows {
            match baseline.get(&row.entry.key) {
                Some(before) => {
                    all.extend(changes(&row.entry.key, before, &row.entry.figures, cli.tolerance))
                }
                None => missing.push(row.entry.key.clone()),
            }
        }
        if cli.kernels.is_empty() && cli.kernel_name.is_none() {
            stale = baseline.stale(&keys).into_iter().cloned().collect();
        }
    }
    print(&match cli.report {
        Form::Text => table::text(&rows),
        Form::Json => {
            let (changes, missing, stale) = (&all, &missing, &stale);
            let document = Document { version: VERSION, kernels: &rows, changes, missing, stale };
            serde_json::to_string_pretty(&document).expect("rows have a form in JSON") + "\n"
        }
    })?;
    if cli.report == Form::Text {
        rows.iter().for_each(say_name);
    }
    let Some((baseline, file)) = baseline.zip(cli.baseline.as_deref()) else { return Ok(()) };
    if cli.update {
        return baseline.update(rows.into_iter().map(|row| row.entry), &stale);
    }
    judge(&baseline, file, &rows, &all, [&missing, &stale])
}

/// Reads the baseline; one that is to be written may not be there.
fn read(file: &Path, is_written: bool) -> Result<Baseline> {
    if is_written && !file.exists() {
        return Ok(Baseline::empty(file));
    }
    Ok(Baseline::read(file, &source::read(file)?.text)?)
}

/// Says if the name of a kernel decides about its code.
fn say_name(row: &Row) {
    let Some(other) = &row.other_name else { return };
    let (key, differences) = (&row.entry.key, table::differences(&row.entry.figures, &other.figures));
    let name = cute_text::line(&table::shortened(&other.kernel)).into_owned();
    message(&format!(
        "note: {}: the name matters, because ptxas compiles kernels with '{}' in their names differently: '{name}' has {differences}",
        cute_text::line(&key.to_string()),
        rename::MARK,
    ));
}

/// Says what is worse, and fails if anything is.
fn judge(
    baseline: &Baseline,
    file: &Path,
    rows: &[Row],
    changes: &[Change],
    [missing, stale]: [&[Key]; 2],
) -> Result<()> {
    let say = |text: String| message(&format!("error: {}", cute_text::line(&text)));
    for Change { key, what, before, after, .. } in changes.iter().filter(|change| change.worse) {
        let verb = if after > before { "rose" } else { "fell" };
        let own = rows.iter().find(|row| row.entry.key == *key);
        let spilled: Vec<_> =
            own.iter().flat_map(|row| &row.local_memory).filter(|kept| kept.spilled).collect();
        let lines = match what == "bytes spilled" && !spilled.is_empty() {
            true => format!("; the values of {}", table::of_lines(spilled, None)),
            false => String::new(),
        };
        say(format!("{key}: {what} {verb} from {before} to {after}{lines}"));
    }
    for key in missing {
        let others = baseline.others(key);
        let advice = match others.as_slice() {
            [] => String::new(),
            names => format!("; it has those by ptxas {}", names.join(", ")),
        };
        say(format!("{key}: '{}' has no numbers for it{advice}", file.display()));
    }
    for key in stale {
        say(format!("{key}: only '{}' has it; the file does not", file.display()));
    }
    let worse: BTreeSet<_> = changes.iter().filter(|change| change.worse).map(|change| &change.key).collect();
    let worse = worse.len();
    if worse + missing.len() + stale.len() > 0 {
        let (missing, stale, baseline) = (missing.len(), stale.len(), file.to_owned());
        return Err(Error::Gate(GateError::Failed { worse, missing, stale, baseline }));
    }
    let better: BTreeSet<_> = changes.iter().map(|change| &change.key).collect();
    if !better.is_empty() {
        message(&format!(
            "note: {} better than in '{}'; --update records the numbers of now",
            if better.len() == 1 {
                "1 kernel is".to_owned()
            } else {
                format!("{} kernels are", better.len())
            },
            file.display()
        ));
    }
    Ok(())
}
