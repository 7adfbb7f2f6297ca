//! The tools, their command lines, and the share of the cases that each gets. Many cases go through
//! one process; if the process ends in a fault, each case is run again in its own process.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use clap::ValueEnum;

use crate::{
    mutate,
    process::{Fault, run},
    random::Random,
    seeds::Seeds,
};

/// The tools.
#[derive(Debug)]
pub struct Tools {
    cute_opt: PathBuf,
    cutec: PathBuf,
    cute_calc: PathBuf,
    plugin: PathBuf,
    /// The stock tool.
    pub mlir_opt: PathBuf,
}

impl Tools {
    /// Finds our tools in `built`, and the stock tool in `llvm`.
    pub fn find(built: &Path, llvm: &Path) -> Result<Self, String> {
        let file = |folder: &Path, name: &str| {
            let path = folder.join(name);
            path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))
        };
        Ok(Self {
            cute_opt: file(built, "cute-opt")?,
            cutec: file(built, "cutec")?,
            cute_calc: file(built, "cute-calc")?,
            plugin: file(built, "libcute_mlir.so")?,
            mlir_opt: file(llvm, "mlir-opt")?,
        })
    }
}

/// A kind of input with the tool that reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Campaign {
    /// Modules through `cute-opt`.
    CuteOpt,
    /// Modules through `mlir-opt` with the plugin.
    MlirOpt,
    /// Kernels through `cutec`.
    Cutec,
    /// Expressions, one per line.
    Expressions,
    /// Requests of `cute-calc --json`.
    Requests,
}

/// Passes that modules go through.
const PIPELINES: [&str; 9] = [
    "",
    "canonicalize,cse",
    "cute-fold-static",
    "cute-expand-copy-gemm",
    "cute-to-base",
    "cute-to-base{runtime-checks=true}",
    "cute-compile{target=sm_90a}",
    "inline,sccp,canonicalize,cute-compile{target=sm_80}",
    "cute-expand-copy-gemm,cute-lower-atoms{target=sm_100a},cute-to-base,canonicalize",
];

const TARGETS: [&str; 4] = ["sm_80", "sm_90a", "sm_100a", "sm_120a"];

/// The cases for one process.
#[derive(Debug)]
pub struct Batch {
    pub campaign: Campaign,
    pub cases: Range<usize>,
}

/// A case that makes a tool fail.
#[derive(Debug)]
pub struct Finding {
    pub campaign: Campaign,
    pub case: usize,
    pub command: Vec<String>,
    pub input: String,
    pub fault: Fault,
}

impl Campaign {
    /// All campaigns.
    pub const ALL: [Self; 5] = [Self::CuteOpt, Self::MlirOpt, Self::Cutec, Self::Expressions, Self::Requests];

    /// Its name, which also appears in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::CuteOpt => "cute-opt",
            Self::MlirOpt => "mlir-opt",
            Self::Cutec => "cutec",
            Self::Expressions => "expressions",
            Self::Requests => "requests",
        }
    }

    /// Its share of all cases, in thousandths, and the number of cases per process.
    fn share(self) -> (usize, usize) {
        match self {
            Self::CuteOpt => (240, 40),
            Self::MlirOpt => (125, 40),
            Self::Cutec => (15, 1),
            Self::Expressions => (310, 400),
            Self::Requests => (310, 400),
        }
    }

    /// Its batches, out of `count` cases in total.
    pub fn batches(self, count: usize) -> Vec<Batch> {
        let (share, size) = self.share();
        let cases = (count * share).div_ceil(1000);
        let batch = |from: usize| Batch { campaign: self, cases: from..(from + size).min(cases) };
        (0..cases).step_by(size).map(batch).collect()
    }

    fn case(self, seed: u64, index: usize, seeds: &Seeds) -> String {
        let mut random = Random::of(seed ^ ((self as u64) << 56), index as u64);
        let pool = match self {
            Self::CuteOpt | Self::MlirOpt => &seeds.modules,
            Self::Cutec => &seeds.kernels,
            Self::Expressions => &seeds.expressions,
            Self::Requests => &seeds.requests,
        };
        let (own, other) = (random.below(pool.len()), random.below(pool.len()));
        let text = |at: usize| pool.get(at).map_or("", String::as_str);
        let gentle = self == Self::Cutec || random.below(3) == 0;
        let mutant = if gentle {
            mutate::gently(text(own), &mut random)
        } else {
            mutate::anything(text(own), text(other), &mut random)
        };
        match self {
            // One case is one line.
            Self::Expressions | Self::Requests => mutant.replace(['\n', '\r'], " "),
            _ => mutant,
        }
    }

    /// The command for a batch; its options depend on the first case of the batch.
    fn command(self, seed: u64, first: usize, tools: &Tools) -> Vec<String> {
        let mut random = Random::of(!seed ^ ((self as u64) << 56), first as u64);
        let passes = random.pick(&PIPELINES).copied().unwrap_or_default();
        let passes = format!("--pass-pipeline=builtin.module({passes})");
        let target = random.pick(&TARGETS).copied().unwrap_or_default();
        let emit = random.pick(&["mlir", "llvm", "ptx", "ptx", "manifest"]).copied().unwrap_or_default();
        let domain = random.pick(&["strict", "extend"]).copied().unwrap_or_default();
        let plugin = tools.plugin.display();
        let words = match self {
            Self::CuteOpt | Self::MlirOpt => {
                let mut words = vec![
                    "--split-input-file".to_string(),
                    "--mlir-disable-threading".to_string(),
                    "--allow-unregistered-dialect".to_string(),
                    passes,
                ];
                if self == Self::MlirOpt {
                    words.push(format!("--load-dialect-plugin={plugin}"));
                    words.push(format!("--load-pass-plugin={plugin}"));
                }
                words
            }
            Self::Cutec => {
                ["-", "--target", target, "--emit", emit, "--domain", domain].map(str::to_string).to_vec()
            }
            Self::Expressions => vec!["--domain".into(), domain.into()],
            Self::Requests => vec!["--json".into(), "--domain".into(), domain.into()],
        };
        let tool = match self {
            Self::CuteOpt => &tools.cute_opt,
            Self::MlirOpt => &tools.mlir_opt,
            Self::Cutec => &tools.cutec,
            Self::Expressions | Self::Requests => &tools.cute_calc,
        };
        std::iter::once(tool.display().to_string()).chain(words).collect()
    }

    fn separator(self) -> &'static str {
        match self {
            Self::Expressions | Self::Requests => "\n",
            _ => "\n// -----\n",
        }
    }
}

impl Batch {
    /// Runs a batch and returns its findings.
    pub fn run(&self, seed: u64, seeds: &Seeds, tools: &Tools) -> Vec<Finding> {
        let Self { campaign, cases } = self;
        let command = campaign.command(seed, cases.start, tools);
        let inputs: Vec<_> = cases.clone().map(|index| campaign.case(seed, index, seeds)).collect();
        let place = tempfile::tempdir().expect("a folder");
        let Some(whole) = run(&command, &inputs.join(campaign.separator()), place.path()) else {
            return Vec::new();
        };
        let finding = |case, input: &String, mut fault: Fault| {
            let (campaign, command, input) = (*campaign, command.clone(), input.clone());
            // cutec does not print its stack. If the fault is in the parser, cute-opt does.
            if campaign == Campaign::Cutec && fault.what.starts_with("crash") {
                let parse = [tools.cute_opt.display().to_string(), "--allow-unregistered-dialect".into()];
                fault.output.extend(run(&parse, &input, place.path()).map(|parsed| parsed.output));
            }
            Finding { campaign, case, command, input, fault }
        };
        if inputs.len() == 1 {
            return inputs.iter().map(|input| finding(cases.start, input, whole.clone())).collect();
        }
        let alone = |(case, input): (usize, &String)| {
            run(&command, input, place.path()).map(|fault| finding(case, input, fault))
        };
        let found: Vec<_> = cases.clone().zip(&inputs).filter_map(alone).collect();
        if found.is_empty() {
            // The cases only fail together, so the batch is the case.
            return vec![finding(cases.start, &inputs.join(campaign.separator()), whole)];
        }
        found
    }
}
