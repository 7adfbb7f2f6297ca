//! The tables as files of PTX, with which `./dev gpu` and the GPU bundle ask a device. They lie in
//! `tests/instructions`, one file for each target that the rows of a table need, and each table is
//! compared with its files. With `CUTE_SELF_TEST=FOLDER` they are written there anew, with
//! `CUTE_PTXAS` to tell the targets. What is written is also run here.

use super::{Row, assembly};
use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Launch, Memory};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::process::Command;
use std::sync::{LazyLock, Mutex};
use std::{env, fs, thread};

/// A row is for the first of these that has its instructions.
const TARGETS: [&str; 8] = ["sm_80", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_103a", "sm_120a"];

/// Parts of instructions that came with a PTX after that of ptxas 13.0.88. Rows with them are left
/// out if ptxas does not take them.
const NEWER: [&str; 9] = [
    "s2f6x2",
    "s8x4 ",
    "u8x4 ",
    "sub.s16x2 ",
    "add.sat.s16x2 ",
    "add.sat.u16x2 ",
    "add.sat.u32 ",
    ".e5m2x2.bf16x2 ",
    ".bf16x2.e",
];

/// The number of tables of each test until now.
static TABLES: LazyLock<Mutex<HashMap<String, usize>>> = LazyLock::new(Mutex::default);

/// Writes a table, if that is asked for, or compares it with its files.
pub(super) fn write(rows: &[Row<'_>]) {
    let test = thread::current().name().unwrap_or_default().replace("::", ".");
    let count = {
        let mut tables = TABLES.lock().unwrap();
        let count = tables.entry(test.clone()).or_default();
        *count += 1;
        *count
    };
    let name = format!("{}.{count}", test);
    let (Some(folder), Some(ptxas)) = (env::var_os("CUTE_SELF_TEST"), env::var_os("CUTE_PTXAS")) else {
        return compare(&name, rows);
    };
    let folder = Path::new(&folder);
    let mut by_target: BTreeMap<&str, Vec<Row<'_>>> = BTreeMap::new();
    for row in rows {
        let probe = folder.join(format!("{name}.probe.ptx"));
        let assembles = |target: &&&str| {
            fs::write(&probe, module(target, &[*row])).unwrap();
            let mut run = Command::new(&ptxas);
            let run =
                run.arg(format!("-arch={target}")).arg(&probe).args(["-o", "/dev/null"]).output().unwrap();
            run.status.success()
        };
        let target = TARGETS.iter().find(assembles);
        fs::remove_file(&probe).unwrap();
        match target {
            Some(target) => by_target.entry(target).or_default().push(*row),
            None if NEWER.iter().any(|part| row.0.contains(part)) => {}
            None => panic!("ptxas takes `{}` for none of {TARGETS:?}", row.0),
        }
    }
    for (target, rows) in by_target {
        let text = module(target, &rows);
        run(&text, &rows);
        fs::write(folder.join(format!("{name}.{target}.ptx")), text).unwrap();
    }
}

/// Compares a table with its files: each row is the next one of one of them.
fn compare(name: &str, rows: &[Row<'_>]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/instructions");
    let of_target = |target| {
        let text = fs::read_to_string(folder.join(format!("{name}.{target}.ptx"))).ok()?;
        Some((target, text, Vec::new()))
    };
    let mut files: Vec<(&str, String, Vec<Row<'_>>)> = TARGETS.into_iter().filter_map(of_target).collect();
    for row in rows {
        let is_next = |(target, text, taken): &&mut (&str, String, Vec<Row<'_>>)| {
            let more = module(target, &[taken.as_slice(), &[*row]].concat());
            // A file with these rows alone has the same body up to its end.
            let from = more.find("// Words").unwrap();
            text.contains(more[from..].strip_suffix("ret;\n}\n").unwrap())
        };
        match files.iter_mut().find(is_next) {
            Some((_, _, taken)) => taken.push(*row),
            None if NEWER.iter().any(|part| row.0.contains(part)) => {}
            None => panic!("tests/instructions lacks `{}` in {name}: UPDATE_RECORD=1 ./dev self-test", row.0),
        }
    }
    for (target, text, taken) in files {
        assert_eq!(text, module(target, &taken), "{name}.{target}.ptx: UPDATE_RECORD=1 ./dev self-test");
    }
}

/// A kernel that has the operands of all rows, and stores two words of results for each.
fn module(target: &str, rows: &[Row<'_>]) -> String {
    let mut words = Vec::new();
    let mut body = String::new();
    for (i, (text, operands, _)) in rows.iter().enumerate() {
        words.extend((0..8).map(|at| operands.get(at).copied().unwrap_or(0).to_string()));
        let text = assembly(text, 64 * i, 16 * i).replace("$0", "%given").replace("$1", "%found");
        body += &format!("// Words {} and {}.\n{text}\n", 2 * i, 2 * i + 1);
    }
    format!(
        ".version 9.0\n.target {target}\n.address_size 64
.global .align 8 .u64 operands[{}] = {{{}}};
.visible .entry table(.param .u64 found) {{
.reg .b64 %given, %found;
ld.param.u64 %found, [found];
mov.u64 %given, operands;
{body}ret;
}}\n",
        words.len(),
        words.join(", ")
    )
}

/// Runs the file in the simulator.
fn run(text: &str, rows: &[Row<'_>]) {
    let file = parse(text, Reading { file: "table.ptx", strict: true }).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let found = memory.zeroed::<u64>(rows.len() * 2);
    let launch = Launch::new("table", [1; 3], [1; 3]);
    let report = file.program().and_then(|program| program.run(&launch, &mut memory, &[Arg::Buffer(found)]));
    report.unwrap_or_else(|e| panic!("{e}"));
    for ((text, operands, expected), found) in rows.iter().zip(memory.download::<u64>(found).chunks(2)) {
        assert_eq!(&found[..expected.len()], *expected, "{text} of {operands:#x?}");
    }
}
