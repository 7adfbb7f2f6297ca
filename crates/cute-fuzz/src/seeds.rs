//! The seeds of mutations: IR, kernels, expressions and requests from the project's own tests and
//! examples, and what the tools make of them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use serde_json::Value as Json;

use crate::{
    cache::Entry,
    callee::Callee,
    options::{self, Flag},
    process,
    random::Random,
    tools::{TARGETS, Tools},
};

/// The inputs of a run, in a fixed order.
#[derive(Debug, Default)]
pub struct Seeds {
    /// Modules of the lit tests.
    pub modules: Vec<String>,
    /// Modules with a kernel that compiles.
    pub kernels: Vec<String>,
    /// Expressions of the calculator.
    pub expressions: Vec<String>,
    /// Requests of `cute-calc --json`.
    pub requests: Vec<String>,
    /// Modules with a kernel to run.
    pub runs: Vec<Module>,
    /// Modules with a function that launches kernels.
    pub hosts: Vec<Module>,
    /// Modules of the versions of CuTe DSL and of other producers.
    pub imports: Vec<String>,
    /// Files of PTX that other compilers made.
    foreign: Vec<String>,
    ptx: OnceLock<Vec<Module>>,
    builders: OnceLock<Vec<(String, Vec<Flag>)>>,
    built: OnceLock<Vec<(&'static str, String)>>,
    entries: OnceLock<Vec<Entry>>,
}

/// A module to run.
#[derive(Debug)]
pub(crate) struct Module {
    pub text: String,
    /// How, once somebody asked.
    callee: OnceLock<Option<Callee>>,
}

/// The maximum length of a seed: mutants of longer ones are slow to compile and find little more.
const LONGEST: usize = 12_000;

/// That of a module to run, among which are examples with every part of a kernel.
const LONGEST_RUN: usize = 25_000;

/// The number of entries of a file of vectors that become seeds.
const ENTRIES: usize = 8;

/// The number of modules that builders write, and that caches contain.
const BUILT: u64 = 24;
const CACHED: usize = 8;

/// The number of kernels that are compiled to PTX.
const COMPILED: usize = 16;

/// The producers of modules that are imported, each with files in its style.
const PRODUCERS: [(&str, &[&str]); 7] = [
    ("CuTe DSL 4.3", &["crates/cute-tools/tests/run/versions/v43.mlir", "lit/Import/older.mlir"]),
    ("CuTe DSL 4.4", &["crates/cute-tools/tests/run/versions/v44.mlir", "lit/Import/drift.mlir"]),
    ("CuTe DSL 4.5", &["crates/cute-tools/tests/run/versions/v45.mlir", "lit/Import/allocations.mlir"]),
    ("CuTe DSL 4.6", &["crates/cute-tools/tests/run/versions/v46.mlir", "lit/Import/later.mlir"]),
    (
        "CuTe DSL 4.7",
        &[
            "crates/cute-tools/tests/run/dsl47/attention.mlir",
            "crates/cute-tools/tests/run/dsl47/pair.mlir",
            "crates/cute-tools/tests/run/dsl47/scaled.mlir",
            "lit/Import/stated.mlir",
        ],
    ),
    ("cute-rs", &["lit/Import/functions.mlir", "lit/Import/descriptors.mlir"]),
    ("zml", &["lit/Import/top.mlir"]),
];

impl Seeds {
    /// Reads the seeds of the repository.
    pub fn read(root: &Path) -> Self {
        let mut seeds = Self::default();
        for file in ["lit", "examples"].iter().flat_map(|folder| files(&root.join(folder), "mlir")) {
            let valid = !file.to_string_lossy().contains("invalid");
            for module in modules(&file) {
                if module.len() < LONGEST {
                    if valid && is_kernel(&module) {
                        seeds.kernels.push(module.clone());
                    }
                    if !module.trim().is_empty() {
                        seeds.modules.push(module.clone());
                    }
                }
                seeds.runnables(module, valid);
            }
        }
        for file in ["tests/sim", "crates/cute-tools/tests"]
            .iter()
            .flat_map(|folder| files(&root.join(folder), "mlir"))
        {
            modules(&file).into_iter().for_each(|module| seeds.runnables(module, true));
        }
        for (_, own) in PRODUCERS {
            seeds.imports.extend(own.iter().flat_map(|file| modules(&root.join(file))));
        }
        let own = ["cuda", "triton"].map(|folder| root.join("tests/foreign").join(folder));
        for file in own.iter().flat_map(|folder| files(folder, "ptx")) {
            let text = fs::read_to_string(&file).expect("PTX");
            seeds.foreign.extend((text.len() < LONGEST_RUN).then_some(text));
        }
        for file in files(&root.join("tests/vectors"), "json") {
            seeds.vectors(&file);
        }
        seeds.expressions.extend(EXPRESSIONS.map(str::to_string));
        seeds.requests.extend(REQUESTS.map(str::to_string));
        seeds
    }

    fn runnables(&mut self, text: String, valid: bool) {
        if valid && text.len() < LONGEST_RUN {
            if text.contains("cuda.launch") {
                self.hosts.push(Module::of(text.clone()));
            }
            if is_kernel(&text) {
                self.runs.push(Module::of(text));
            }
        }
    }

    fn vectors(&mut self, file: &Path) {
        let text = fs::read_to_string(file).expect("vectors");
        let Ok(entries) = serde_json::from_str::<Vec<Json>>(&text) else { return };
        let step = (entries.len() / ENTRIES).max(1);
        for entry in entries.into_iter().step_by(step).filter(|entry| entry["op"].is_string()) {
            let texts = entry["args"].as_array().map(|args| args.iter().map(Json::as_str).collect());
            if let Some(Some(args)) = texts.map(|args: Option<Vec<_>>| args) {
                self.expressions.push(format!("{}({})", entry["op"].as_str().unwrap_or(""), args.join(", ")));
            }
            let mut request = entry;
            if let Json::Object(request) = &mut request {
                request.remove("result");
            }
            self.requests.push(request.to_string());
        }
    }

    /// Files of PTX: those of other compilers, and what `cutec` makes of kernels.
    pub fn ptx(&self, tools: &Tools) -> &[Module] {
        self.ptx.get_or_init(|| {
            let step = (self.kernels.len() / COMPILED).max(1);
            let place = tempfile::tempdir().expect("a folder");
            let compiled = |(at, module): (usize, &String)| {
                let command = tools.cutec(["-", "--target", TARGETS[at % TARGETS.len()], "--emit", "ptx"]);
                let ended = process::run(&command, module, place.path());
                ended.succeeded.then_some(ended.stdout)
            };
            let own = self.kernels.iter().step_by(step).enumerate().filter_map(compiled);
            own.chain(self.foreign.iter().cloned()).map(Module::of).collect()
        })
    }

    /// The words of `cutec build` for a random kernel, with each option once in `rarity` cases.
    pub fn build(&self, rarity: usize, tools: &Tools, random: &mut Random) -> Vec<String> {
        let Some((name, flags)) = random.pick(self.builders(tools)) else { return Vec::new() };
        let target = if random.below(4) == 0 { None } else { target_of(name) };
        let target = target.or(random.pick(&TARGETS).copied()).unwrap_or_default();
        let emit = random.pick(&["cute", "cute", "mlir", "ptx", "manifest"]).copied().unwrap_or_default();
        let words = ["build", name, "--target", target, "--emit", emit].map(str::to_string).to_vec();
        [words, options::some(flags, rarity, random)].concat()
    }

    /// The kernels that `cutec build` can write, with their options.
    fn builders(&self, tools: &Tools) -> &[(String, Vec<Flag>)] {
        self.builders.get_or_init(|| {
            let names = options::commands(&said(tools, &["build", "-h"]));
            let flags = |name: &String| options::of_help(&said(tools, &["build", name, "-h"]));
            names.iter().map(|name| (name.clone(), flags(name))).collect()
        })
    }

    /// Kernels that `cutec build` writes for some options, each with its target.
    pub fn built(&self, tools: &Tools) -> &[(&'static str, String)] {
        self.built.get_or_init(|| {
            let one = |index| {
                let mut random = Random::of(0, index);
                let (name, flags) = random.pick(self.builders(tools))?;
                let chosen = options::some(flags, 8, &mut random);
                let words =
                    [vec!["build".into(), name.clone(), "--emit".into(), "cute".into()], chosen].concat();
                let words: Vec<_> = words.iter().map(String::as_str).collect();
                let text = said(tools, &words);
                (!text.is_empty()).then(|| (target_of(name).unwrap_or(TARGETS[0]), text))
            };
            (0..BUILT).filter_map(one).collect()
        })
    }

    /// Compilations with an entry in a cache.
    pub fn entries(&self, tools: &Tools) -> &[Entry] {
        self.entries.get_or_init(|| {
            let step = (self.kernels.len() / (2 * CACHED)).max(1);
            let entry = |(at, module): (usize, &String)| {
                Entry::of(module, TARGETS[0], ["ptx", "manifest", "mlir"][at % 3], tools)
            };
            self.kernels.iter().step_by(step).enumerate().filter_map(entry).take(CACHED).collect()
        })
    }
}

impl Module {
    fn of(text: String) -> Self {
        Self { text, callee: OnceLock::new() }
    }
}

/// A random module of some that can be run, and how.
pub fn runnable<'m>(
    pool: &'m [Module],
    host: bool,
    tools: &Tools,
    random: &mut Random,
) -> Option<(&'m str, &'m Callee)> {
    let from = random.below(pool.len());
    let mut in_turn = pool.iter().cycle().skip(from).take(pool.len());
    in_turn.find_map(|Module { text, callee }| {
        let callee = callee.get_or_init(|| Callee::of(text, host, tools)).as_ref()?;
        Some((text.as_str(), callee))
    })
}

/// Whether a test or an example has a kernel.
fn is_kernel(module: &str) -> bool {
    module.contains("kernel") && ["gpu.func", "llvm.func", "cuda.kernel"].iter().any(|f| module.contains(f))
}

/// The target that the name of a kernel ends in.
fn target_of(name: &str) -> Option<&'static str> {
    TARGETS.into_iter().find(|target| name.ends_with(target.replace('_', "").trim_end_matches('a')))
}

/// The output of `cutec`.
fn said(tools: &Tools, words: &[&str]) -> String {
    let place = tempfile::tempdir().expect("a folder");
    process::run(&tools.cutec(words.iter().copied()), "", place.path()).stdout
}

/// A file with a line that begins like this is not mutated, for the reason that the line gives.
const NOT_MUTATED: &str = "// NOT MUTATED:";

/// The modules of a file, of the museum those with the mistake. Comments are not worth mutating.
fn modules(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a module");
    if text.lines().any(|line| line.starts_with(NOT_MUTATED)) {
        return Vec::new();
    }
    let code = |line: &&str| !line.trim_start().starts_with("//") && !line.ends_with("// repaired");
    let module = |text: &str| text.lines().filter(code).map(|line| format!("{line}\n")).collect();
    text.split("// -----").map(module).collect()
}

const EXPRESSIONS: [&str; 12] = [
    "((4,8):(8,1))(1,_)[0]",
    "(4,8):(8,1) o (2,4):(1,8) o 2:1",
    "S<3,4,3> o 0 o (8,64):(64,1)",
    "2*3+4/2-7%4",
    "explain (4,8):(8,1) o (2,4):(1,8)",
    "table ((2,2),(2,2)):((1,4),(2,8))",
    "banks (8,64):(64,1) --bits 16 --access a=(8,8):(1,8)@8 --choose both",
    "svg (8,64):(64,1) --bits 16 -o -",
    "tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16])",
    "partition_C(tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16]), (64,64):(64,1), 33)",
    "make_tiled_copy(UniversalCopy<uint128_t>, 16, (32,4):(4,1), (1,8))",
    "help atoms",
];

const REQUESTS: [&str; 5] = [
    r#"{"op":"table","args":["((2,2),2):((1,4),2)"]}"#,
    r#"{"op":"banks","args":["(8,64):(64,1)"],"bits":16,"access":["a=(8,8):(1,8)@8"],"choose":"swizzle"}"#,
    r#"{"op":"svg","args":["TV","(4,2):(2,1)"],"tile":"(8,1)","corner":4}"#,
    r#"{"op":"explain","args":["coalesce","(2,4):(1,2)"]}"#,
    r#"{"op":"evaluate","args":["(4,8):(8,1)(1,2)"]}"#,
];

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a file").path()) {
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_producer_has_a_module_with_a_kernel() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (producer, own) in PRODUCERS {
            let own: Vec<_> = own.iter().map(|file| modules(&root.join(file))).collect();
            assert!(own.iter().all(|modules| modules.len() == 1), "{producer}");
            assert!(
                own.iter().flatten().any(|text| is_kernel(text) || text.contains("cute.kernel")),
                "{producer}"
            );
        }
        let seeds = Seeds::read(&root);
        assert_eq!(seeds.imports.len(), PRODUCERS.iter().map(|(_, own)| own.len()).sum::<usize>());
    }
}
