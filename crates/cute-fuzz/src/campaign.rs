//! The kinds of cases: their seeds, their tools with command lines, and their shares of all cases.

use clap::ValueEnum;

use crate::{
    arrays, cache, callee,
    case::Case,
    mutate, options,
    random::Random,
    seeds::{self, Seeds},
    tools::{TARGETS, Tools},
};

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
    /// Kernels through `cute-compile` in `mlir-opt` with the plugin.
    Plugin,
    /// Kernels through `cutec run`.
    Run,
    /// Host functions through `cutec run --host`.
    Host,
    /// Kernels through `cute_simulate` of the C library.
    Simulate,
    /// Host functions through `cute_simulate_host` of the C library.
    SimulateHost,
    /// Options of `cutec build`.
    Build,
    /// The output of `cutec build`, through `cutec`.
    Built,
    /// `.npy` files for `cutec run`.
    Npy,
    /// Entries of `cutec --cache`.
    Cache,
    /// Files of PTX through `cutec run`.
    Ptx,
    /// Modules of the versions of CuTe DSL and of other producers, through `cutec`.
    Import,
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

/// Passes that kernels go through.
const COMPILATIONS: [&str; 4] = [
    "cute-compile{target=sm_80}",
    "cute-compile{target=sm_90a}",
    "cute-compile{target=sm_100a},canonicalize,cse",
    "canonicalize,cute-compile{target=sm_120a}",
];

const MODULES: &str = "\n// -----\n";

impl Campaign {
    /// Its name, which also appears in file names.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }

    /// Its share of all cases, in thousandths, and the number of cases per process.
    pub fn share(self) -> (usize, usize) {
        match self {
            Self::CuteOpt => (225, 40),
            Self::MlirOpt => (117, 40),
            Self::Cutec => (15, 1),
            Self::Expressions | Self::Requests => (296, 400),
            Self::Plugin => (3, 40),
            Self::Run => (5, 1),
            Self::Host => (3, 1),
            Self::Simulate => (14, 40),
            Self::SimulateHost => (5, 40),
            Self::Build => (3, 1),
            Self::Built => (1, 1),
            Self::Npy => (5, 1),
            Self::Cache => (3, 1),
            Self::Ptx => (5, 1),
            Self::Import => (4, 1),
        }
    }

    /// The number of its cases among `count` of all kinds.
    pub fn cases(self, count: usize) -> usize {
        (count * self.share().0).div_ceil(1000)
    }

    /// A case, which depends on the seed and the index alone.
    pub fn case(self, seed: u64, index: usize, seeds: &Seeds, tools: &Tools) -> Case {
        let mut random = Random::of(seed ^ ((self as u64) << 56), index as u64);
        let random = &mut random;
        match self {
            Self::CuteOpt | Self::MlirOpt => Case::input(mutant(&seeds.modules, random)),
            // One case is one line.
            Self::Expressions => Case::input(mutant(&seeds.expressions, random).replace(['\n', '\r'], " ")),
            Self::Requests => Case::input(mutant(&seeds.requests, random).replace(['\n', '\r'], " ")),
            // The parser of the stock tool has no limits.
            Self::Plugin => Case::input(match random.below(2) {
                0 => mutate::gently(any(&seeds.kernels, random), random),
                _ => mutate::line(any(&seeds.kernels, random), random),
            }),
            Self::Cutec => Case::input(likely(any(&seeds.kernels, random), random)),
            Self::Run | Self::Host | Self::Ptx => {
                let host = self == Self::Host;
                let pool = match self {
                    Self::Run => &seeds.runs,
                    Self::Host => &seeds.hosts,
                    _ => seeds.ptx(tools),
                };
                let Some((module, callee)) = seeds::runnable(pool, host, tools, random) else {
                    return Case::default();
                };
                let limits = callee::limits(host, random);
                let more = options::some(&callee::options(), 12, random);
                let words =
                    [vec!["run".to_string(), "-".into()], limits, callee.words(random), more].concat();
                Case { words, ..Case::input(likely(module, random)) }
            }
            Self::Import => {
                let input = likely(any(&seeds.imports, random), random);
                let emit = random.pick(&["mlir", "ptx", "manifest"]).copied().unwrap_or_default();
                let target =
                    random.pick(&["sm_90a", "sm_100a", "sm_100a", "sm_120a"]).copied().unwrap_or_default();
                let words = match random.below(3) {
                    0 => vec!["import", "-"],
                    _ => vec!["-", "--target", target, "--emit", emit],
                };
                Case { words: words.into_iter().map(str::to_string).collect(), ..Case::input(input) }
            }
            Self::Simulate | Self::SimulateHost => {
                let pool = if self == Self::Simulate { &seeds.runs } else { &seeds.hosts };
                let text = random.pick(pool).map_or("", |module| &module.text);
                Case::input(likely(text, random))
            }
            Self::Build => Case { words: seeds.build(6, tools, random), ..Case::default() },
            Self::Built => {
                let Some((target, text)) = random.pick(seeds.built(tools)) else { return Case::default() };
                let emit = random.pick(&["mlir", "ptx", "manifest"]).copied().unwrap_or_default();
                let words = ["-", "--target", target, "--emit", emit].map(str::to_string).to_vec();
                Case { words, ..Case::input(likely(text, random)) }
            }
            Self::Npy => arrays::case(random),
            Self::Cache => cache::case(seeds.entries(tools), random),
        }
    }

    /// The command, which the words of a case follow. Options that several cases share depend on
    /// the first of them.
    pub fn command(self, seed: u64, first: usize, tools: &Tools) -> Vec<String> {
        let mut random = Random::of(!seed ^ ((self as u64) << 56), first as u64);
        let mut one = |of: &[&str]| random.pick(of).map_or_else(String::new, |word| word.to_string());
        let domain = one(&["strict", "extend"]);
        let plugin = tools.plugin.display();
        let passes = |passes: String| format!("--pass-pipeline=builtin.module({passes})");
        let words = match self {
            Self::CuteOpt | Self::MlirOpt | Self::Plugin => {
                let passes = passes(one(if self == Self::Plugin { &COMPILATIONS } else { &PIPELINES }));
                let common =
                    ["--split-input-file", "--mlir-disable-threading", "--allow-unregistered-dialect"];
                let mut words = [common.map(str::to_string).to_vec(), vec![passes]].concat();
                if self != Self::CuteOpt {
                    words.push(format!("--load-dialect-plugin={plugin}"));
                    words.push(format!("--load-pass-plugin={plugin}"));
                }
                words
            }
            Self::Cutec => {
                let emit = one(&["mlir", "llvm", "ptx", "ptx", "manifest"]);
                ["-", "--target", &one(&TARGETS), "--emit", &emit, "--domain", &domain]
                    .map(str::to_string)
                    .to_vec()
            }
            Self::Expressions => vec!["--domain".into(), domain],
            Self::Requests => vec!["--json".into(), "--domain".into(), domain],
            Self::Simulate => vec![tools.library[1].display().to_string(), "simulate".into()],
            Self::SimulateHost => vec![tools.library[1].display().to_string(), "simulate_host".into()],
            Self::Run
            | Self::Host
            | Self::Build
            | Self::Built
            | Self::Npy
            | Self::Cache
            | Self::Ptx
            | Self::Import => Vec::new(),
        };
        let tool = match self {
            Self::CuteOpt => vec![&tools.cute_opt],
            Self::MlirOpt | Self::Plugin => vec![&tools.mlir_opt],
            Self::Expressions | Self::Requests => vec![&tools.cute_calc],
            Self::Simulate | Self::SimulateHost => vec![&tools.python, &tools.library[0]],
            _ => vec![&tools.cutec],
        };
        tool.into_iter().map(|path| path.display().to_string()).chain(words).collect()
    }

    /// The text between the cases of a process.
    pub fn separator(self) -> &'static str {
        match self {
            Self::Expressions | Self::Requests => "\n",
            _ => MODULES,
        }
    }

    /// How many of the cases of a process were accepted, by what it printed; `None` if that does
    /// not show it.
    pub fn accepted(self, stdout: &str) -> Option<usize> {
        match self {
            Self::CuteOpt | Self::MlirOpt | Self::Plugin => {
                Some(stdout.split("// -----").filter(|module| !module.trim().is_empty()).count())
            }
            Self::Expressions => None,
            Self::Requests => Some(stdout.lines().filter(|line| !line.starts_with("{\"error\"")).count()),
            Self::Simulate | Self::SimulateHost => Some(stdout.lines().count()),
            // Without a result nothing is printed.
            _ => Some(usize::from(!stdout.is_empty())),
        }
    }
}

/// A mutant of which a third is likely to parse.
fn mutant(pool: &[String], random: &mut Random) -> String {
    let (own, other) = (any(pool, random), any(pool, random));
    match random.below(3) {
        0 => mutate::gently(own, random),
        _ => mutate::anything(own, other, random),
    }
}

fn any<'p>(pool: &'p [String], random: &mut Random) -> &'p str {
    random.pick(pool).map_or("", String::as_str)
}

/// A mutant that is likely to parse. A few are large.
fn likely(text: &str, random: &mut Random) -> String {
    match random.below(48) {
        0 => mutate::repeated(text, random),
        1 => mutate::nested(text, random),
        2..12 => mutate::gently(text, random),
        12..24 => mutate::throughout(text, random),
        _ => mutate::line(text, random),
    }
}
