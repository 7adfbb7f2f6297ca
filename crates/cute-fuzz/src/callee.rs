//! The arguments of a kernel or host function, which `cutec run` names when it is given none.

use crate::{
    mutate,
    options::Flag,
    process,
    random::Random,
    tools::{TARGETS, Tools},
};

/// How a module is run.
#[derive(Debug, PartialEq, Eq)]
pub struct Callee {
    /// Options without which the module is refused, the target among them.
    options: Vec<String>,
    parameters: Vec<Parameter>,
}

/// A value that is passed.
#[derive(Debug, PartialEq, Eq)]
struct Parameter {
    kind: String,
    /// The type of an array's elements.
    element: String,
}

/// The types of arrays.
const ELEMENTS: [&str; 14] = [
    "f16",
    "bf16",
    "f32",
    "f64",
    "f8E4M3FN",
    "f8E5M2",
    "f8E8M0FNU",
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u32",
];

/// Requests of `cutec run`, each with an answer.
const ANSWERS: [(&str, [&str; 2]); 2] =
    [("give --block", ["--block", "128"]), ("give --shared", ["--shared", "16384"])];

impl Callee {
    /// How the only kernel of a module, or its host function, is run; `None` if it cannot be.
    pub fn of(module: &str, host: bool, tools: &Tools) -> Option<Self> {
        let place = tempfile::tempdir().expect("a folder");
        let what = if host { "--host" } else { "--grid=1" };
        TARGETS.iter().find_map(|target| {
            let mut options: Vec<_> = ["--target", target].map(str::to_string).to_vec();
            for _ in 0..=ANSWERS.len() {
                let command = [tools.cutec(["run", "-", what]), options.clone()].concat();
                let ended = process::run(&command, module, place.path());
                if ended.succeeded {
                    return Some(Self { options, parameters: Vec::new() });
                }
                if let Some(parameters) = parameters(&ended.stderr) {
                    return Some(Self { options, parameters });
                }
                let answer = ANSWERS.iter().find(|(question, _)| ended.stderr.contains(question));
                options.extend(answer?.1.map(str::to_string));
            }
            None
        })
    }

    /// Words for `cutec run` that come after the file.
    pub fn words(&self, random: &mut Random) -> Vec<String> {
        let extent = *random.pick(&[1, 8, 16, 32, 64, 64, 64, 128]).unwrap_or(&64);
        let wild = random.below(6) == 0;
        let arguments = self.parameters.iter().map(|p| p.argument(extent, wild, random));
        let arguments: Vec<_> = arguments.flat_map(|argument| ["--arg".to_string(), argument]).collect();
        [self.options.clone(), arguments].concat()
    }
}

impl Parameter {
    fn argument(&self, extent: usize, wild: bool, random: &mut Random) -> String {
        let Self { kind, element } = self;
        let edge = |random: &mut Random| random.pick(&mutate::NUMBERS).copied().unwrap_or_default();
        let wild = wild && random.below(3) == 0;
        match kind {
            // In PTX a word may be an address.
            _ if ["pointer", "ptr", "memref", ".u64", ".b64"].iter().any(|word| kind.contains(word)) => {
                let values = random.pick(&["", "=1", "=range", "=random(7)"]).copied().unwrap_or_default();
                match (wild, random.below(4)) {
                    (true, 0) => "null".into(),
                    (true, 1) => format!("{element}[{}]{values}", edge(random)),
                    (true, 2) => format!("{element}[{}x{}]{values}", edge(random), edge(random)),
                    _ => format!("{element}[{}]{values}", extent * extent),
                }
            }
            _ if wild => edge(random).into(),
            _ => extent.to_string(),
        }
    }
}

/// The values that are passed, from an error such as: kernel 'k' has 1 parameter (x
/// (!cute.memref<f32, ..>)), passed as 2 values (x pointer, x i32), but --arg was given 0 times.
fn parameters(error: &str) -> Option<Vec<Parameter>> {
    let (wholes, _) = error.split_once(", but --arg was given 0 times")?;
    // Types have commas in them, kinds do not.
    let (leaves, between) =
        wholes.split_once(", passed as ").map_or((wholes, "), "), |(_, leaves)| (leaves, ", "));
    let leaves = &leaves[leaves.find('(')? + 1..leaves.rfind(')')?];
    let parameter = |leaf: &str| {
        let (name, kind) = leaf.split_once(' ').unwrap_or((leaf, ""));
        let spelled = wholes.split_once(&format!("{name} (")).map_or("", |(_, rest)| rest);
        let spelled = spelled.split("), ").next().unwrap_or_default();
        let element = mutate::tokens(spelled).into_iter().find(|token| ELEMENTS.contains(token));
        Parameter { kind: kind.into(), element: element.unwrap_or("f32").into() }
    };
    Some(leaves.split(between).map(parameter).collect())
}

/// Options that a run may have.
pub fn options() -> Vec<Flag> {
    let values: [(&str, &[&str]); 15] = [
        ("--schedules", &["1", "2", "4", "0"]),
        ("--schedule", &["lazy", "eager", "reverse", "7", "18446744073709551615"]),
        ("--report", &["json"]),
        ("--abi", &["dsl", "flat"]),
        ("--domain", &["strict", "extend"]),
        ("--sms", &["1", "132", "4294967295"]),
        ("--libdevice", &["none"]),
        ("--fmad", &["false"]),
        ("--no-races", &[]),
        ("--pedantic", &[]),
        ("--allow-overflow", &[]),
        ("--runtime-checks", &[]),
        ("--fast-math", &[]),
        ("--array", &["other:f32[64]", "other:i64[2]=&src,&other", "other:f32[4611686018427387904]"]),
        ("--out", &["src=out.npy", "other=out.npy"]),
    ];
    values.iter().map(|(name, values)| Flag::new(name, values)).collect()
}

/// The limits of a run, and for a kernel its launch.
pub fn limits(host: bool, random: &mut Random) -> Vec<String> {
    let mut one = |usual: &[&str], edges: &[&str]| {
        let from = if random.below(16) == 0 { edges } else { usual };
        random.pick(from).map_or_else(String::new, |value| value.to_string())
    };
    let mut words = vec![
        // A kernel may repeat itself without end, so each budget is one of seconds.
        format!("--budget={}", one(&["100000", "200000"], &["0", "1", "1000", "1000000"])),
        format!("--memory={}", one(&["64", "256"], &["0", "1", "1099511627775"])),
    ];
    if host {
        words.push("--host".into());
    } else {
        words.push(format!(
            "--grid={}",
            one(&["1", "2", "1,2", "3,1,2", "4"], &["auto", "2147483647", "65535,65535,65535"])
        ));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_those_of_the_message() {
        let message = "error: kernel 'k' has 3 parameters (x (!cute.memref<bf16, gmem, \"(?):(1)\">), n \
                       (f32), p (!llvm.ptr<1>)), passed as 4 values (x !llvm.ptr<1>, x i32, n f32, p \
                       !llvm.ptr<1>), but --arg was given 0 times";
        let parameters = parameters(message).expect("parameters");
        let found: Vec<_> = parameters.iter().map(|p| (p.kind.as_str(), p.element.as_str())).collect();
        assert_eq!(
            found,
            [("!llvm.ptr<1>", "bf16"), ("i32", "bf16"), ("f32", "f32"), ("!llvm.ptr<1>", "f32")]
        );
        let callee = Callee { options: vec!["--target".into(), "sm_80".into()], parameters };
        let words = callee.words(&mut Random::of(1, 1));
        assert!(words.len() == 10 && words[2] == "--arg" && words[3].starts_with("bf16["), "{words:?}");
        let message = "error: host function 'h' has 2 parameters (x (!cute.memref<f16, gmem, \"4:1\">), y \
                       (i32)), but --arg was given 0 times";
        let kinds =
            super::parameters(message).map(|all| all.into_iter().map(|p| p.element).collect::<Vec<_>>());
        assert_eq!(kinds, Some(vec!["f16".to_string(), "i32".into()]));
        assert_eq!(super::parameters("error: another"), None);
    }
}
