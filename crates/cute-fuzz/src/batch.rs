//! Runs cases. Many of them may go through one process; if that ends in a fault, each case is run
//! again in its own process.

use std::ops::Range;

use crate::{
    campaign::Campaign,
    case::Case,
    process::{Ended, Fault, run},
    seeds::Seeds,
    tools::Tools,
};

/// The cases for one process.
#[derive(Debug)]
pub struct Batch {
    pub campaign: Campaign,
    pub cases: Range<usize>,
}

/// A case that makes a tool fail.
#[derive(Debug)]
pub(crate) struct Finding {
    pub campaign: Campaign,
    pub index: usize,
    pub command: Vec<String>,
    pub case: Case,
    pub fault: Fault,
}

/// The outcome of a batch.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// The number of cases that were accepted, if that is known.
    pub accepted: Option<usize>,
    pub findings: Vec<Finding>,
}

impl Batch {
    /// The batches of a campaign, out of `count` cases of all kinds.
    pub fn all(campaign: Campaign, cases: usize) -> Vec<Self> {
        let (_, size) = campaign.share();
        let batch = |from: usize| Self { campaign, cases: from..(from + size).min(cases) };
        (0..cases).step_by(size).map(batch).collect()
    }

    /// Runs the cases.
    pub fn run(&self, seed: u64, seeds: &Seeds, tools: &Tools) -> Outcome {
        let Self { campaign, cases } = self;
        let command = campaign.command(seed, cases.start, tools);
        let all: Vec<_> = cases.clone().map(|index| campaign.case(seed, index, seeds, tools)).collect();
        let texts: Vec<_> = all.iter().map(|case| case.input.as_str()).collect();
        let whole = match &all[..] {
            [case] => case.clone(),
            _ => Case::input(texts.join(campaign.separator())),
        };
        let (ended, finding) = one(*campaign, &command, cases.start, &whole, tools);
        let accepted = campaign.accepted(&ended.stdout);
        let Some(finding) = finding else { return Outcome { accepted, findings: Vec::new() } };
        if all.len() == 1 {
            return Outcome { accepted: Some(0), findings: vec![finding] };
        }
        let (mut accepted, mut findings) = (accepted.map(|_| 0), Vec::new());
        for (index, case) in cases.clone().zip(&all) {
            let (ended, found) = one(*campaign, &command, index, case, tools);
            let own = if found.is_none() { campaign.accepted(&ended.stdout) } else { Some(0) };
            accepted = accepted.zip(own).map(|(sum, own)| sum + own);
            findings.extend(found);
        }
        // The cases only fail together, so the batch is the case. Being slow together is not a
        // fault.
        if findings.is_empty() && !finding.fault.is_hang() {
            findings.push(finding);
        }
        Outcome { accepted, findings }
    }
}

fn one(
    campaign: Campaign,
    command: &[String],
    index: usize,
    case: &Case,
    tools: &Tools,
) -> (Ended, Option<Finding>) {
    let place = tempfile::tempdir().expect("a folder");
    case.prepare(place.path()).expect("the files of a case");
    let command = [command, &case.words].concat();
    let ended = run(&command, &case.input, place.path());
    let finding = ended.fault.clone().map(|mut fault| {
        // cutec and the library do not print the stack. If the fault is in the parser, cute-opt
        // does.
        if fault.what.starts_with("crash") && !fault.output.contains("Stack dump") {
            let parse = [tools.cute_opt.display().to_string(), "--allow-unregistered-dialect".into()];
            fault.output.extend(run(&parse, &case.input, place.path()).fault.map(|fault| fault.output));
        }
        Finding { campaign, index, command, case: case.clone(), fault }
    });
    (ended, finding)
}
