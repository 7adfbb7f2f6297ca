//! Rows as text.

use std::fmt::Write;

use super::row::{Figures, Kept, Row, counted};

const HEADER: [&str; 10] = [
    "kernel",
    "GPU",
    "ptxas",
    "registers",
    "stack",
    "spilled",
    "LDL/STL",
    "shared",
    "instructions",
    "blocks",
];
/// The columns of names.
const NAMES: usize = 3;
/// The most lines of the source that a row names.
const MOST_LINES: usize = 12;
/// The most characters of a kernel's name: those of CuTe DSL have 200.
const MOST_NAME: usize = 48;

/// A table for each file.
pub fn text(rows: &[Row]) -> String {
    let cells: Vec<_> = rows.iter().map(cells).collect();
    let width = |column: usize| {
        let all = cells.iter().map(|row| row[column].chars().count());
        all.chain([HEADER[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..HEADER.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded =
            cells.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column < NAMES {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    let mut text = String::new();
    let mut file = None;
    for (row, cells) in rows.iter().zip(&cells) {
        if file != Some(&row.entry.key.file) {
            let gap = if file.is_some() { "\n" } else { "" };
            write!(text, "{gap}{}\n{}", row.entry.key.file, line(&HEADER.map(str::to_owned)))
                .expect("a string grows");
            file = Some(&row.entry.key.file);
        }
        text += &line(cells);
        details(row).into_iter().for_each(|detail| text += &format!("    {detail}\n"));
    }
    cute_text::lines(&text).into_owned()
}

fn cells(row: &Row) -> [String; 10] {
    let (key, of) = (&row.entry.key, &row.entry.figures);
    let dynamic = of.dynamic_shared.map_or("?".to_owned(), |bytes| bytes.to_string());
    let blocks = row.occupancy.map_or("?".to_owned(), |all| match of.blocks {
        Some(blocks) => format!("{blocks} by {}", all.limit),
        None => "?".to_owned(),
    });
    [
        shortened(&key.kernel),
        key.target.clone(),
        key.ptxas.clone(),
        of.registers.to_string(),
        of.stack.to_string(),
        of.spilled.to_string(),
        format!("{}/{}", of.local_loads, of.local_stores),
        format!("{}+{dynamic}", of.static_shared),
        of.instructions.to_string(),
        blocks,
    ]
}

/// A name of which the middle is left out if it is long.
pub fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= MOST_NAME {
        return name.to_owned();
    }
    let (start, end): (String, String) =
        (name.chars().take(MOST_NAME - 16).collect(), name.chars().skip(count - 14).collect());
    format!("{start}..{end}")
}

fn details(row: &Row) -> Vec<String> {
    let file = Some(row.entry.key.file.as_str());
    let mut all = Vec::new();
    let loops = row.entry.figures.loops.iter().zip(&row.loop_lines);
    let loops: Vec<_> = loops.map(|(size, line)| of_loop(*size, line.as_deref(), file)).collect();
    if !loops.is_empty() {
        all.push(format!("loops: {}", loops.join("; ")));
    }
    for (spilled, what) in [(true, "spilled values"), (false, "arrays in local memory")] {
        let lines: Vec<_> = row.local_memory.iter().filter(|kept| kept.spilled == spilled).collect();
        if !lines.is_empty() {
            all.push(format!("{what}: {}", of_lines(lines, file)));
        }
    }
    if let Some(other) = &row.other_name {
        let name = shortened(&other.kernel);
        all.push(format!("as '{name}': {}", differences(&row.entry.figures, &other.figures)));
    }
    all
}

/// A line, without the name of the file that is being read.
fn place(line: &str, file: Option<&str>) -> String {
    let own = file.and_then(|file| line.strip_prefix(file)?.strip_prefix(':'));
    own.map_or(line.to_owned(), |number| format!("line {number}"))
}

fn of_loop([instructions, mmas]: [u64; 2], line: Option<&str>, file: Option<&str>) -> String {
    let size = match mmas {
        0 => counted(instructions as usize, "instruction"),
        _ => format!("{instructions} for {}", counted(mmas as usize, "MMA")),
    };
    line.map_or(size.clone(), |line| format!("{size} at {}", place(line, file)))
}

/// The lines with most accesses first.
pub fn of_lines(mut lines: Vec<&Kept>, file: Option<&str>) -> String {
    lines.sort_by_key(|kept| std::cmp::Reverse(kept.stores + kept.loads));
    let rest = lines.len().saturating_sub(MOST_LINES);
    let said = |kept: &Kept| {
        let line = kept.line.as_deref().map_or("unknown lines".to_owned(), |line| place(line, file));
        format!("{line} ({} and {})", counted(kept.stores, "store"), counted(kept.loads, "load"))
    };
    let mut said: Vec<_> = lines.into_iter().take(MOST_LINES).map(said).collect();
    if rest > 0 {
        said.push(format!("{rest} more"));
    }
    said.join(", ")
}

/// The numbers that are others under another name.
pub fn differences(own: &Figures, other: &Figures) -> String {
    let blocks = |of: &Figures| of.blocks.unwrap_or(0);
    let numbers = [
        ("registers", own.registers, other.registers),
        ("bytes spilled", own.spilled, other.spilled),
        ("instructions", own.instructions, other.instructions),
        ("blocks", blocks(own), blocks(other)),
    ];
    let changed = numbers.iter().filter(|(_, own, other)| own != other);
    let said: Vec<_> = changed.map(|(what, own, other)| format!("{other} {what} instead of {own}")).collect();
    if said.is_empty() { "other loops".to_owned() } else { said.join(", ") }
}
