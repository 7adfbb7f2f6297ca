//! Mistakes that a kernel shows at some sizes only: the simulator finds nothing at a size that a
//! test would take, and the arrays are right. `cutec prove` must find another size, or not decide.

use super::{
    KERNELS,
    proved::{Answer, cutec, replays},
};
use crate::full;
use regex_lite::Regex;
use std::{collections::HashMap, fs, path::Path};

/// The step between the mistakes of a sample.
const STEP: usize = 41;

/// A family of launches.
struct Problem {
    name: &'static str,
    /// The kernel of the mutants, or a file of PTX in the repository.
    kernel: &'static str,
    arguments: &'static str,
    /// The result.
    out: &'static str,
}

const RING: &str = "crates/cute-prove/tests/ring.ptx";
const TRITON: &str = "tests/foreign/triton/product_f16.sm_90.ptx";

/// K tiles of two tiles of D per block are those of the kernels; here are the others.
const PROBLEMS: [Problem; 10] = [
    Problem {
        name: "ring",
        kernel: RING,
        arguments: "--first 0 --grid 1 --arg A:i32[{256*n}]=random(1) --arg D:i32[32] --arg {n}",
        out: "D",
    },
    Problem {
        name: "product_f16",
        kernel: TRITON,
        arguments: "--target sm_90a --grid 2,2 --shared 24576 --arg a:f16[96x{32*n}]=random(1) --arg b:f16[{32*n}x80]=random(2) --arg c:f16[96x80] --arg 96 --arg 80 --arg {32*n} --arg null --arg null",
        out: "c",
    },
    // One tile of D.
    Problem {
        name: "hopper, a tile",
        kernel: "hopper",
        arguments: "--target sm_90a --arg A:f16[256x{64*n}]=random(1) --arg B:f16[64x{64*n}]=random(2) --arg D:f16[256x64] --arg blocks:i32=2",
        out: "D",
    },
    Problem {
        name: "hopper promoted, a tile",
        kernel: "hopper promoted",
        arguments: "--target sm_90a --arg A:f8E4M3FN[64x{128*n}]=random(1) --arg B:f8E4M3FN[64x{128*n}]=random(2) --arg D:f32[64x64] --arg blocks:i32=1",
        out: "D",
    },
    Problem {
        name: "blackwell, a tile",
        kernel: "blackwell",
        arguments: "--target sm_100a --arg A:bf16[128x{64*n}]=random(1) --arg B:bf16[64x{64*n}]=random(2) --arg D:bf16[128x64] --arg blocks:i32=1",
        out: "D",
    },
    Problem {
        name: "blackwell pair, a tile",
        kernel: "blackwell pair",
        arguments: "--target sm_100a --arg A:bf16[256x{64*n}]=random(1) --arg B:bf16[64x{64*n}]=random(2) --arg D:bf16[256x64] --arg blocks:i32=2",
        out: "D",
    },
    Problem {
        name: "blackwell mma.sync, a tile",
        kernel: "blackwell mma.sync",
        arguments: "--target sm_120a --arg A:bf16[64x{32*n}]=random(1) --arg B:bf16[128x{32*n}]=random(2) --arg D:bf16[64x128] --arg bias:f32[128]=random(3) --arg blocks:i32=1",
        out: "D",
    },
    // `n` tiles of D of one K tile, by one block.
    Problem {
        name: "hopper promoted, tiles",
        kernel: "hopper promoted",
        arguments: "--target sm_90a --arg A:f8E4M3FN[64x128]=random(1) --arg B:f8E4M3FN[{64*n}x128]=random(2) --arg D:f32[64x{64*n}] --arg blocks:i32=1",
        out: "D",
    },
    Problem {
        name: "blackwell, tiles",
        kernel: "blackwell",
        arguments: "--target sm_100a --arg A:bf16[128x64]=random(1) --arg B:bf16[{64*n}x64]=random(2) --arg D:bf16[128x{64*n}] --arg blocks:i32=1",
        out: "D",
    },
    Problem {
        name: "blackwell mma.sync, tiles",
        kernel: "blackwell mma.sync",
        arguments: "--target sm_120a --arg A:bf16[64x32]=random(1) --arg B:bf16[{128*n}x32]=random(2) --arg D:bf16[64x{128*n}] --arg bias:f32[{128*n}]=random(3) --arg blocks:i32=1",
        out: "D",
    },
];

/// A mistake: the `nth` match of a pattern, and the text instead of it.
struct Mistake {
    problem: &'static str,
    nth: usize,
    pattern: String,
    instead: String,
    /// A size at which nothing shows it.
    right: i64,
    what: &'static str,
}

/// A pattern, and the text instead.
type Edit = (String, String);

fn edit(pattern: &str, instead: &str) -> Edit {
    (pattern.to_owned(), instead.to_owned())
}

/// The text in PTX, and the text instead.
fn text(old: &str, new: &str) -> Edit {
    (regex_lite::escape(old), new.to_owned())
}

/// A ring has a stage more for this role.
fn more_stages() -> Edit {
    edit(r"(%wraps\w* = arith\.cmpi) eq,", "$1 ugt,")
}

fn stays_at_its_stage() -> Edit {
    edit(r"(%stage\w* = arith\.select %wraps\w*), (%\w+), %next\w* : i32", "$1, $2, $2 : i32")
}

fn keeps_its_parity() -> Edit {
    edit(r"(%phase\w* = arith\.select %wraps\w*), %other\w*, (%\w+) : i32", "$1, $2, $2 : i32")
}

fn changes_its_parity_each_time() -> Edit {
    edit(r"(%phase\w* = arith\.select %wraps\w*), (%other\w*), %\w+ : i32", "$1, $2, $2 : i32")
}

/// Whether the iteration compares so with a number.
fn when(how: &str, k: i64) -> String {
    format!("%mistake = arith.constant {k} : i32 %when = arith.cmpi {how}, %k, %mistake : i32")
}

fn waits_when(how: &str, k: i64) -> Edit {
    let wait = r"nvvm\.mbarrier\.try_wait\.parity %\w+, %\w+, %\w+ : !llvm\.ptr<3>, i32, i32";
    edit(&format!("({wait})"), &format!("{} scf.if %when {{ $1 }}", when(how, k)))
}

fn other_parity_in(k: i64) -> Edit {
    let when = when("eq", k);
    edit(
        r"nvvm\.mbarrier\.try_wait\.parity (%\w+), (%\w+), (%\w+ :)",
        &format!(
            "{when} %mistaken = arith.extui %when : i1 to i32 %parity = arith.xori $2, %mistaken : i32 \
             nvvm.mbarrier.try_wait.parity $1, %parity, $3"
        ),
    )
}

fn more_bytes_in(k: i64) -> Edit {
    let when = when("eq", k);
    edit(
        r"nvvm\.mbarrier\.arrive\.expect_tx (%\w+), (%\w+) :",
        &format!(
            "{when} %more = arith.constant 16 : i32 %sum = arith.addi $2, %more : i32 \
             %bytes = arith.select %when, %sum, $2 : i32 nvvm.mbarrier.arrive.expect_tx $1, %bytes :"
        ),
    )
}

fn releases_when(how: &str, k: i64) -> Edit {
    let when = when(how, k);
    edit(
        r"%frees = arith\.andi %is_one, %later : i1",
        &format!("{when} %and = arith.andi %later, %when : i1 %frees = arith.andi %is_one, %and : i1"),
    )
}

fn twice_in(op: &str, k: i64) -> Edit {
    edit(&format!(r"({op} %[^\n]*)"), &format!("$1 {} scf.if %when {{ $1 }}", when("eq", k)))
}

/// The end of a tile, with other values carried to the next one: `0` and `1` are constants.
fn carries(values: [&str; 2], instead: &str) -> Edit {
    let [names, others] = values;
    edit(
        &format!(r"scf\.yield (%\d#0), (%\d#1){names} : (?<last>i32, i32{others})\n"),
        &format!("%m0 = arith.constant 0 : i32 %m1 = arith.constant 1 : i32 scf.yield {instead} : $last\n"),
    )
}

/// The values of the producer, of consumers, and of the warp that issues MMAs.
const PRODUCER: [&str; 2] = ["", ""];
const CONSUMER: [&str; 2] = [r", (%other\w*)", ", i32"];
const ISSUER: [&str; 2] = [r", (%stage), (%phase)", ", i32, i32"];

/// Those of the ring and of Triton's kernel, then those of each builder.
fn mistakes() -> Vec<Mistake> {
    let mut all = Vec::new();
    let mut add = |problem, nth, (pattern, instead): Edit, right, what| {
        all.push(Mistake { problem, nth, pattern, instead, right, what });
    };
    let next = "	@%p9 bra NEXT;\n";
    let of_slot = |condition: &str| text(next, &format!("{next}	{condition};\n{next}"));
    for (nth, (old, new), right, what) in [
        (
            0,
            text("setp.ne.u32 %p6, %r11, 4;", "setp.ne.u32 %p6, %r11, 5;"),
            4,
            "the producer has a slot more",
        ),
        (
            0,
            text("setp.ne.u32 %p10, %r11, 4;", "setp.ne.u32 %p10, %r11, 5;"),
            4,
            "the consumer has a slot more",
        ),
        (
            0,
            text("setp.ne.u32 %p6, %r11, 4;", "setp.ne.u32 %p6, %r11, 3;"),
            3,
            "the producer has a slot less",
        ),
        (0, text("xor.b32 %r12, %r12, 1;", ""), 4, "the producer keeps its parity"),
        (1, text("xor.b32 %r12, %r12, 1;", ""), 4, "the consumer keeps its parity"),
        (
            0,
            text("add.u32 %r24, %r5, %r13;", "mov.u32 %r24, %r5;"),
            1,
            "the consumer releases the first slot",
        ),
        (
            0,
            of_slot("and.b32 %r50, %r10, 7; setp.eq.u32 %p9, %r50, 6"),
            8,
            "each eighth slot is not released",
        ),
        (0, of_slot("setp.gt.u32 %p9, %r10, 20"), 20, "no slot after the twentieth is released"),
        (0, text("	bar.warp.sync -1;\n", ""), 4, "a lane releases a slot that others read"),
        (
            0,
            text(
                "mbarrier.arrive.expect_tx.shared.b64 _, [%r16], 1024;",
                "setp.eq.u32 %p18, %r10, 5; selp.u32 %r51, 1008, 1024, %p18; \
                 mbarrier.arrive.expect_tx.shared.b64 _, [%r16], %r51;",
            ),
            5,
            "the sixth slot expects 16 bytes less",
        ),
        (
            0,
            text("	setp.ge.u32 %p7, %r10, %r1;\n", "	or.b32 %r50, %r1, 1;\n	setp.ge.u32 %p7, %r10, %r50;\n"),
            5,
            "the consumer takes an odd number of slots",
        ),
        (
            0,
            text(
                "	setp.ge.u32 %p4, %r10, %r1;\n",
                "	and.b32 %r50, %r1, -2;\n	setp.ge.u32 %p4, %r10, %r50;\n",
            ),
            4,
            "the producer fills an even number of slots",
        ),
        (
            0,
            text(
                "	setp.ge.u32 %p7, %r10, %r1;\n",
                "	min.u32 %r50, %r1, 12;\n	setp.ge.u32 %p7, %r10, %r50;\n",
            ),
            8,
            "the consumer ends after twelve slots",
        ),
    ] {
        add("ring", nth, (old, new), right, what);
    }
    for (nth, (old, new), right, what) in [
        (
            0,
            text("setp.gt.s32 	%p10, %r71, 2;", "setp.gt.s32 	%p10, %r71, 3;"),
            2,
            "the products have a slot more",
        ),
        (
            0,
            text("setp.gt.s32 	%p11, %r79, 2;", "setp.gt.s32 	%p11, %r79, 3;"),
            1,
            "the loads have a slot more",
        ),
        (
            0,
            text("	bar.sync 	0;\n", "	{ .reg .pred m; setp.lt.s32 m, %r196, 96; @m bar.sync 0; }\n"),
            3,
            "no barrier after the wait for a tile from the fourth on",
        ),
        (
            0,
            text(
                "cp.async.wait_group 	2;",
                "{ .reg .pred m; setp.lt.s32 m, %r196, 96; @!m bra SKIP; cp.async.wait_group 2; SKIP: }",
            ),
            3,
            "no wait for a tile from the fourth on",
        ),
    ] {
        add("product_f16", nth, (old, new), right, what);
    }
    // The number of the consumer's stage among those of the text: a producer that drains its ring
    // has one more.
    for (kernel, tile, consumer, drains) in [
        ("hopper", "hopper, a tile", 2, true),
        ("hopper promoted", "hopper promoted, a tile", 1, false),
        ("blackwell", "blackwell, a tile", 2, true),
        ("blackwell pair", "blackwell pair, a tile", 2, true),
        ("blackwell mma.sync", "blackwell mma.sync, a tile", 1, false),
    ] {
        let few = if drains { 1 } else { 2 };
        add(tile, 0, more_stages(), few, "the producer has a stage more");
        add(tile, 0, keeps_its_parity(), few, "the producer keeps its parity");
        add(tile, consumer, keeps_its_parity(), 2, "the consumer keeps its parity");
        if !drains {
            add(tile, 0, stays_at_its_stage(), 1, "the producer stays at its first stage");
            add(tile, 0, changes_its_parity_each_time(), 1, "the producer changes its parity each time");
        }
        add(kernel, 0, waits_when("slt", 2), 2, "the producer does not wait from the third K tile on");
        add(kernel, 0, other_parity_in(3), 3, "the producer waits for another parity in K tile 3");
        add(kernel, 0, more_bytes_in(4), 4, "16 bytes more are expected in K tile 4");
        add(kernel, 0, carries(PRODUCER, "%m0, %m1"), 4, "the producer begins each tile at the first stage");
    }
    for (kernel, consumer) in [("hopper", 2), ("hopper promoted", 1)] {
        add(kernel, 0, releases_when("ne", 5), 4, "the stage of K tile 5 is not released");
        add(kernel, 0, twice_in(r"nvvm\.mbarrier\.arrive", 6), 4, "a stage is released twice in K tile 6");
        add(kernel, consumer, waits_when("ne", 6), 4, "the consumers do not wait in K tile 6");
        add(
            kernel,
            0,
            carries(CONSUMER, "%m0, $2, $3"),
            4,
            "the consumers begin each tile at the first stage",
        );
        add(kernel, 0, carries(CONSUMER, "$1, %m0, $3"), 4, "the consumers begin each tile with a parity");
    }
    for kernel in ["blackwell", "blackwell pair"] {
        add(kernel, 0, twice_in(r"nvvm\.tcgen05\.commit", 5), 4, "a stage is released twice in K tile 5");
        add(kernel, 3, waits_when("ne", 5), 4, "the issuing warp does not wait in K tile 5");
        add(kernel, 0, carries(ISSUER, "%m0, %m0, $3, $4"), 4, "MMAs begin each tile at the first stage");
        add(kernel, 0, carries(ISSUER, "$1, %m0, $3, $4"), 4, "MMAs begin each tile with a parity");
    }
    add(
        "blackwell mma.sync",
        0,
        twice_in(r"nvvm\.mbarrier\.arrive", 5),
        4,
        "a warp releases a stage twice in K tile 5",
    );
    add("blackwell mma.sync", 0, carries(CONSUMER, "%m0, %m0, $3"), 4, "the consumers begin each tile anew");
    for (problem, role, values, right, what) in [
        ("hopper promoted, tiles", PRODUCER, "$1, %m1", 2, "the producer begins each tile with a parity"),
        ("blackwell, tiles", ISSUER, "%m0, %m0, $3, $4", 1, "MMAs begin each tile at the first stage"),
        (
            "blackwell mma.sync, tiles",
            PRODUCER,
            "%m0, %m1",
            1,
            "the producer begins each tile at the first stage",
        ),
        ("blackwell mma.sync, tiles", CONSUMER, "%m0, %m0, $3", 1, "the consumers begin each tile anew"),
        ("blackwell mma.sync, tiles", CONSUMER, "$1, $2, %m0", 1, "the bias of each tile has one parity"),
    ] {
        add(problem, 0, carries(role, values), right, what);
    }
    all
}

impl Mistake {
    fn apply(&self, text: &str) -> String {
        let pattern = Regex::new(&self.pattern).expect("a pattern");
        let found = pattern.captures_iter(text).nth(self.nth);
        let found = found.unwrap_or_else(|| panic!("{}: {}: no match", self.problem, self.what));
        let mut instead = String::new();
        found.expand(&self.instead, &mut instead);
        let whole = found.get(0).expect("a match");
        [&text[..whole.start()], &instead, &text[whole.end()..]].concat()
    }
}

/// A problem with the text of its kernel.
struct Ready {
    file: &'static str,
    text: String,
    arguments: Vec<&'static str>,
    out: &'static str,
}

impl Ready {
    fn of(name: &str) -> Self {
        let own = PROBLEMS.iter().find(|problem| problem.name == name);
        let kernel = own.map_or(name, |own| own.kernel);
        let (arguments, out) = own.map_or(("", "D"), |own| (own.arguments, own.out));
        match KERNELS.iter().find(|other| other.name == kernel) {
            Some(kernel) => {
                let arguments = if own.is_some() { arguments } else { kernel.prove };
                let words = ["--through", "ptx", "--host"].into_iter().chain(arguments.split_whitespace());
                Ready { file: "k.mlir", text: kernel.text(), arguments: words.collect(), out }
            }
            None => {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(kernel);
                let text =
                    fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
                Ready { file: "k.ptx", text, arguments: arguments.split_whitespace().collect(), out }
            }
        }
    }

    /// The result at a size, or the findings.
    fn run(&self, text: &str, n: i64) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(self.file), text).expect("the folder is writable");
        let out = format!("{}=out.npy", self.out);
        let words = ["run", self.file, "--schedules", "3", "--out", &out].map(str::to_owned).into_iter();
        // `--first` belongs to `prove`.
        let own = self.arguments.iter().skip(if self.arguments[0] == "--first" { 2 } else { 0 });
        let words: Vec<String> = words.chain(own.map(|word| at(word, n))).collect();
        let (code, out, err) = cutec(&folder, words.iter().map(String::as_str));
        match code {
            Some(0) => Ok(fs::read(folder.path().join("out.npy")).expect("it was written")),
            _ => Err(out + &err),
        }
    }

    /// The answer about a text, and the size of a counterexample, which is replayed.
    fn answer(&self, text: &str) -> Result<(Answer, String), String> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(self.file), text).expect("the folder is writable");
        let words = ["prove", self.file].into_iter().chain(self.arguments.iter().copied());
        let (code, out, err) = cutec(&folder, words);
        let first = out.lines().next().unwrap_or_default().to_owned();
        let answer = match code {
            Some(0) => Answer::Proved,
            _ if first.starts_with("not decided: ") => Answer::Undecided,
            _ if first.starts_with("counterexample: ") => Answer::Counterexample,
            _ => return Err(format!("{code:?}: {out}{err}")),
        };
        if answer == Answer::Counterexample {
            replays(&folder, &out)?;
        }
        Ok((answer, first))
    }
}

/// A word at a size.
pub fn at(word: &str, n: i64) -> String {
    let size = Regex::new(r"\{(?:(\d+)\*)?n\}").expect("a pattern");
    let number = |found: &regex_lite::Captures<'_>| {
        let factor = found.get(1).map_or(1, |factor| factor.as_str().parse::<i64>().expect("a number"));
        (factor * n).to_string()
    };
    size.replace_all(word, number).into_owned()
}

#[test]
fn a_mistake_of_other_sizes_is_never_proved() {
    let (mut ready, mut right): (HashMap<_, Ready>, HashMap<_, Vec<u8>>) = (HashMap::new(), HashMap::new());
    let (mut wrong, mut found, mut tried) = (Vec::new(), 0, 0);
    for (i, mistake) in mistakes().into_iter().enumerate() {
        let Mistake { problem, right: n, what, .. } = mistake;
        if !full::takes(i, STEP) {
            continue;
        }
        tried += 1;
        let own = ready.entry(problem).or_insert_with(|| Ready::of(problem));
        let expected = right.entry((problem, n)).or_insert_with(|| {
            own.run(&own.text, n).unwrap_or_else(|why| panic!("{problem}, n = {n}: {why}"))
        });
        let changed = mistake.apply(&own.text);
        match own.run(&changed, n) {
            Ok(out) if out == *expected => {}
            Ok(_) => wrong.push(format!("{problem}: {what}: the result differs for n = {n}")),
            Err(why) => wrong.push(format!("{problem}: {what}: n = {n}: {why}")),
        }
        let answer = own.answer(&changed);
        println!("{problem}: {what} (not for n = {n}): {answer:?}");
        match answer {
            Ok((Answer::Counterexample, _)) => found += 1,
            Ok((Answer::Undecided, _)) => {}
            Ok((_, first)) => wrong.push(format!("{problem}: {what}: {first}")),
            Err(why) => wrong.push(format!("{problem}: {what}: {why}")),
        }
    }
    println!("{tried} mistakes, {found} counterexamples");
    assert!(wrong.is_empty(), "{} mistakes:\n{}", wrong.len(), wrong.join("\n"));
    assert!(3 * found >= 2 * tried, "{found} of {tried} are counterexamples");
}
