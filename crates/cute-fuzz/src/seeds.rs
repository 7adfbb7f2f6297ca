//! The seeds of mutations: IR, kernels, expressions and requests from the project's own tests and
//! examples.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value as Json;

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
}

/// The maximum length of a seed: mutants of longer ones are slow to compile and find little more.
const LONGEST: usize = 12_000;

/// The number of entries of a file of vectors that become seeds.
const ENTRIES: usize = 8;

impl Seeds {
    /// Reads the seeds of the repository.
    pub fn read(root: &Path) -> Self {
        let mut seeds = Self::default();
        for file in files(&root.join("lit"), "mlir").into_iter().chain(files(&root.join("examples"), "mlir"))
        {
            let text = fs::read_to_string(&file).expect("a module");
            for module in text.split("// -----").filter(|module| module.len() < LONGEST) {
                // Comments are not worth mutating.
                let code = |line: &&str| !line.trim_start().starts_with("//");
                let module: String = module.lines().filter(code).map(|line| format!("{line}\n")).collect();
                let kernel = module.contains("gpu.func") && module.contains("kernel");
                if kernel && !file.to_string_lossy().contains("invalid") {
                    seeds.kernels.push(module.clone());
                }
                if !module.trim().is_empty() {
                    seeds.modules.push(module);
                }
            }
        }
        for file in files(&root.join("tests/vectors"), "json") {
            let text = fs::read_to_string(&file).expect("vectors");
            let Ok(entries) = serde_json::from_str::<Vec<Json>>(&text) else { continue };
            let step = (entries.len() / ENTRIES).max(1);
            for entry in entries.into_iter().step_by(step).filter(|entry| entry["op"].is_string()) {
                let texts = entry["args"].as_array().map(|args| args.iter().map(Json::as_str).collect());
                if let Some(Some(args)) = texts.map(|args: Option<Vec<_>>| args) {
                    seeds.expressions.push(format!(
                        "{}({})",
                        entry["op"].as_str().unwrap_or(""),
                        args.join(", ")
                    ));
                }
                let mut request = entry;
                if let Json::Object(request) = &mut request {
                    request.remove("result");
                }
                seeds.requests.push(request.to_string());
            }
        }
        seeds.expressions.extend(EXPRESSIONS.map(str::to_string));
        seeds.requests.extend(REQUESTS.map(str::to_string));
        seeds
    }
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
