//! Instructions at the edges of what PTX defines, as tables of operands and results. The results
//! were computed by hand, or by Python's integers, numpy and ml_dtypes.

mod asynchronous;
mod atomics;
mod barriers;
mod boxes;
mod caches;
mod calls;
mod clusters;
mod comparisons;
mod control;
mod conversions;
mod coverage;
mod device;
mod floats;
mod im2col;
mod integers;
mod lanes;
#[path = "../../../../tests/common/maps.rs"]
mod maps;
mod matrices;
mod memory;
mod moves;
mod products;
mod stack;
mod tensor;
mod warpgroups;
mod warps;
mod wide;
mod wmma;

use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Error, Launch, Memory, Program, Schedule};

/// Instructions, their operands, and their results.
///
/// | register | holds |
/// |---|---|
/// | `h0`, `r0`, `d0`, `p0` to `h5` .. `p5` | operand 0 to 5, in 16, 32, 64 bits or as a predicate |
/// | `h8`, `r8`, `d8`, `p8` | the result |
/// | `h9`, `r9`, `d9`, `p9` | a second result |
pub(crate) type Row<'a> = (&'a str, &'a [u64], &'a [u64]);

/// Runs each row in a text of its own, one after the other in one thread, and compares the results.
pub(crate) fn check(rows: &[Row<'_>]) {
    let found = run(rows);
    for ((text, operands, expected), found) in rows.iter().zip(found) {
        let found = &found[..expected.len()];
        assert_eq!(found, *expected, "{text} of {operands:#x?}: {found:#x?}, not {expected:#x?}");
    }
    device::write(rows);
}

/// The two results of each row.
pub(crate) fn run(rows: &[Row<'_>]) -> Vec<[u64; 2]> {
    attempt(rows).unwrap_or_else(|e| panic!("{e}"))
}

/// The message about each text, when it runs with these operands.
pub(crate) fn check_failures(rows: &[(&str, &[u64], &str)]) {
    for (text, operands, expected) in rows {
        match attempt(&[(text, operands, &[])]) {
            Ok(found) => panic!("{text} of {operands:#x?} has the results {found:#x?}"),
            Err(e) => assert!(e.to_string().contains(expected), "{text} of {operands:#x?}: {e}"),
        }
    }
}

/// The two results of each row, or what is wrong with one of them.
fn attempt(rows: &[Row<'_>]) -> Result<Vec<[u64; 2]>, Error> {
    let text = |(i, (text, ..)): (usize, &Row<'_>)| assembly(text, 64 * i, 16 * i);
    let body: String = rows.iter().enumerate().map(text).collect();
    let mut words = vec![0u64; rows.len() * 8];
    for (i, (_, operands, _)) in rows.iter().enumerate() {
        words[8 * i..][..operands.len()].copy_from_slice(operands);
    }
    let mut memory = Memory::new();
    let (from, to) = (memory.upload(&words), memory.zeroed::<u64>(rows.len() * 2));
    let launch = Launch::new("k", [1; 3], [1; 3]);
    let program = kernel(2, "", &body)?;
    // The program is bytes in between.
    let program = Program::from_bytes(&program.to_bytes()).unwrap_or_else(|e| panic!("{e}"));
    program.run(&launch, &mut memory, &[Arg::Buffer(from), Arg::Buffer(to)])?;
    Ok(memory.download::<u64>(to).chunks(2).map(|two| [two[0], two[1]]).collect())
}

/// A program with one kernel `k`, in whose body `$0`, `$1` and so on are its parameters of 64 bits.
pub(crate) fn kernel(parameters: usize, globals: &str, body: &str) -> Result<Program, Error> {
    let list: Vec<String> = (0..parameters).map(|i| format!(".param .u64 p{i}")).collect();
    let loads: String = (0..parameters).map(|i| format!("ld.param.u64 %in{i}, [p{i}];\n")).collect();
    let body =
        (0..parameters).fold(body.to_owned(), |body, i| body.replace(&format!("${i}"), &format!("%in{i}")));
    let text = format!(
        ".version 9.0\n.target sm_100a\n.address_size 64\n{globals}\n\
         .visible .entry k({}) {{\n.reg .b64 %in<{}>;\n{loads}{body}\nret;\n}}\n",
        list.join(", "),
        parameters.max(1)
    );
    parse(&text, Reading { file: "k.ptx", strict: true })?.program()
}

/// The text with loads of the operands before it, and stores of the results after it.
fn assembly(text: &str, from: usize, to: usize) -> String {
    let names = |number: usize| {
        let is_name = |name: &String| {
            text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').any(|word| word == name)
        };
        [("h", 16), ("r", 32), ("d", 64), ("p", 1)]
            .map(|(letter, bits)| (format!("{letter}{number}"), bits))
            .into_iter()
            .find(|(name, _)| is_name(name))
    };
    let mut whole = String::from(
        "{ .reg .b16 h<10>; .reg .b32 r<10>; .reg .b64 d<10>; .reg .pred p<10>; .reg .b128 w<4>; .reg .b8 b<4>; ",
    );
    for number in 0..6 {
        let at = from + 8 * number;
        match names(number) {
            Some((name, 1)) => whole += &format!("ld.global.b32 r7, [$0+{at}]; setp.ne.b32 {name}, r7, 0; "),
            Some((name, bits)) => whole += &format!("ld.global.b{bits} {name}, [$0+{at}]; "),
            None => {}
        }
    }
    whole += &text.replace('\n', " ");
    for (number, at) in [(8, to), (9, to + 8)] {
        match names(number) {
            Some((name, 1)) => whole += &format!(" selp.b32 r7, 1, 0, {name}; st.global.b32 [$1+{at}], r7;"),
            Some((name, bits)) => whole += &format!(" st.global.b{bits} [$1+{at}], {name};"),
            None => {}
        }
    }
    whole + " }"
}

/// Runs the body of a kernel in one thread, with 64 bytes of shared memory from `tile` on that are
/// those of the first buffer, and returns the second buffer. `%rd0` and `%rd1` are their addresses,
/// `bar` that of 8 bytes, and `%r8` the number of the thread.
pub(crate) fn run_with_tile(body: &str, given: [u32; 16], out: [u32; 16]) -> Result<[u32; 16], Error> {
    run_threads(1, body, given, out)
}

/// The same in a block of threads, of which the first one fills the tile.
pub(crate) fn run_threads(
    threads: u32,
    body: &str,
    given: [u32; 16],
    out: [u32; 16],
) -> Result<[u32; 16], Error> {
    let fill: String = (0..16)
        .map(|i| format!("ld.global.u32 %r0, [%rd0+{0}]; st.shared.u32 [tile+{0}], %r0;\n", 4 * i))
        .collect();
    let meet = if threads > 1 { "bar.sync 0;" } else { "" };
    let text = format!(
        ".version 9.0\n.target sm_100a\n.address_size 64
         .shared .align 128 .b8 tile[64];
         .shared .align 8 .b64 bar;
         .visible .entry k(.param .u64 given, .param .u64 out) {{
           .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
           ld.param.u64 %rd0, [given]; ld.param.u64 %rd1, [out];
           mov.u32 %r8, %tid.x;
           setp.ne.u32 %p8, %r8, 0;
           @%p8 bra filled;
           {fill}
           filled: {meet}
           {body}
           ret;
         }}"
    );
    let file = parse(&text, Reading { file: "k.ptx", strict: true })?;
    let mut memory = Memory::new();
    let buffers = [memory.upload(&given), memory.upload(&out)];
    let launch = Launch { budget: 1_000_000, ..Launch::new("k", [1; 3], [threads, 1, 1]) };
    file.program()?.run(&launch, &mut memory, &buffers.map(Arg::Buffer))?;
    Ok(memory.download(buffers[1]).try_into().unwrap())
}

/// Blocks of threads, in one cluster, that run a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid<'a> {
    pub(crate) blocks: u32,
    pub(crate) threads: u32,
    /// Functions and memory beside the kernel.
    pub(crate) globals: &'a str,
    pub(crate) schedule: Schedule,
}

impl Grid<'_> {
    /// One warp.
    pub(crate) const WARP: Grid<'static> =
        Grid { blocks: 1, threads: 32, globals: "", schedule: Schedule::Lazy };

    /// Runs a body in which `%r0` is the word of a thread, `%r1` its number in its block, `%r2` the
    /// word that it returns, and `tile` 8192 bytes of shared memory that have not been written.
    /// `%rd0` is the address of its word among those that are returned.
    pub(crate) fn run(&self, body: &str, words: &[u32]) -> Result<Vec<u32>, String> {
        let Grid { blocks, threads, globals, schedule } = *self;
        let text = format!(
            ".version 9.0\n.target sm_100a\n.address_size 64
             .shared .align 1024 .b8 tile[8192];
             .shared .align 8 .b64 bar;
             {globals}
             .visible .entry k(.param .u64 given, .param .u64 out) {{
               .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<99>; .reg .b64 %rd<9>;
               ld.param.u64 %rd0, [given]; ld.param.u64 %rd1, [out];
               mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r3, %r3, {threads}, %r1;
               mul.wide.u32 %rd2, %r3, 4; add.u64 %rd0, %rd0, %rd2;
               ld.global.u32 %r0, [%rd0]; add.u64 %rd0, %rd1, %rd2; mov.u32 %r2, 0;
               {body}
               st.global.u32 [%rd0], %r2;
               ret;
             }}"
        );
        let run = || {
            let file = parse(&text, Reading { file: "k.ptx", strict: true })?;
            let mut memory = Memory::new();
            let buffers = [memory.upload(words), memory.upload(&vec![u32::MAX; words.len()])];
            let cluster = (blocks > 1).then_some([blocks, 1, 1]);
            let launch = Launch::new("k", [blocks, 1, 1], [threads, 1, 1]);
            let launch = Launch { budget: 10_000_000, cluster, schedule, ..launch };
            file.program()?.run(&launch, &mut memory, &buffers.map(Arg::Buffer))?;
            Ok(memory.download(buffers[1]))
        };
        run().map_err(|e: Error| e.to_string())
    }

    /// Checks that a run of the body fails with this message.
    pub(crate) fn fails(&self, body: &str, message: &str) {
        match self.run(body, &vec![0; (self.blocks * self.threads) as usize]) {
            Err(error) => assert!(error.contains(message), "{body}: {error}"),
            Ok(found) => panic!("{body}: {found:?}"),
        }
    }
}

/// A word for each lane.
pub(crate) fn lanes(of: impl Fn(u32) -> u32) -> Vec<u32> {
    (0..32).map(of).collect()
}

/// The bits of an f32.
pub(crate) fn f(value: f32) -> u64 {
    value.to_bits().into()
}

/// The bits of an f64.
pub(crate) fn g(value: f64) -> u64 {
    value.to_bits()
}
