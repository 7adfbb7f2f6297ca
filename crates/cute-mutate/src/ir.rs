//! Mutants of cute IR in which each operation has a line of its own: a synchronisation is missing,
//! is repeated, or has a count, a parity, a number of bytes or a mask that is off by one step.

use crate::{Kind, Mutant, Numbers};

/// All mutants of a module.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let mut mutants: Vec<Mutant> = Vec::new();
    let mut numbers = Numbers::default();
    let mut start = 0;
    for (at, line) in text.split('\n').enumerate() {
        let range = start..start + line.len();
        start = range.end + 1;
        let Some(op) = operation(line) else { continue };
        let number = numbers.next(op);
        for (kind, change, instead) in changes(op, line) {
            let (op, range, source, trap) = (op.to_owned(), range.clone(), None, String::new());
            mutants.push(Mutant { kind, op, number, change, line: at + 1, source, range, instead, trap });
        }
    }
    mutants
}

/// The synchronising operation of a line: an op of NVVM, an allocation of tensor memory, or the
/// mask of a multicast.
fn operation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if line.contains("<mcast_mask>}") {
        return Some("mcast_mask");
    }
    let statement = match line.split_once(" = ") {
        // Operations with other results compute addresses and answers.
        Some((result, statement)) if result.starts_with('%') => {
            statement.starts_with("nvvm.elect.sync").then_some(statement)?
        }
        _ => line,
    };
    let name =
        statement.strip_prefix("nvvm.").or_else(|| statement.strip_prefix("cute_nvgpu.arch.sm100."))?;
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"._".contains(c)).unwrap_or(name.len());
    Some(&name[..end])
}

/// The kind of a mutant without the operation.
fn kind(op: &str) -> Kind {
    let is = |parts: &[&str]| parts.iter().any(|part| op.contains(part));
    match op {
        "mcast_mask" => Kind::Mask,
        "mbarrier.init" => Kind::Count,
        "mbarrier.arrive.expect_tx" => Kind::Bytes,
        "elect.sync" => Kind::Lane,
        _ if is(&["fence"]) => Kind::Fence,
        _ if is(&["wait"]) => Kind::Wait,
        _ if is(&["commit", "mbarrier.arrive", "cluster.arrive"]) => Kind::Arrival,
        _ if is(&["barrier", "bar."]) => Kind::Barrier,
        _ => Kind::Resource,
    }
}

/// The changes of an operation: their kinds, their names, and the new lines.
fn changes(op: &str, line: &str) -> Vec<(Kind, String, String)> {
    let own = kind(op);
    let new = |kind: Kind, change: &str, line: String| (kind, change.to_owned(), line);
    if op == "elect.sync" {
        return vec![new(own, "all lanes", line.replace("nvvm.elect.sync -> i1", "arith.constant true"))];
    }
    let mut all = if op == "mcast_mask" { Vec::new() } else { vec![new(own, "dropped", String::new())] };
    let mut operand = |kind: Kind, change: &str, number: usize, computes: [&str; 2], ty: &str| {
        let changed = with_operand(line, number, computes, ty);
        all.extend(changed.map(|line| new(kind, change, line)));
    };
    match op {
        "mbarrier.init" => {
            operand(Kind::Count, "count + 1", 1, ["addi", "1"], "i32");
            operand(Kind::Count, "count - 1", 1, ["addi", "-1"], "i32");
        }
        "mbarrier.arrive.expect_tx" => {
            operand(Kind::Bytes, "bytes + 16", 1, ["addi", "16"], "i32");
            operand(Kind::Bytes, "bytes - 16", 1, ["addi", "-16"], "i32");
        }
        "mbarrier.try_wait.parity" => operand(Kind::Parity, "parity", 1, ["xori", "1"], "i32"),
        "barrier" | "barrier.arrive" => {
            operand(Kind::Count, "threads + 32", 1, ["addi", "32"], "i32");
            operand(Kind::Count, "threads - 32", 1, ["addi", "-32"], "i32");
            operand(Kind::Barrier, "number + 1", 0, ["addi", "1"], "i32");
        }
        "mcast_mask" => {
            operand(Kind::Mask, "mask ^ 1", 1, ["xori", "1"], "i16");
            operand(Kind::Mask, "mask ^ 2", 1, ["xori", "2"], "i16");
        }
        "tcgen05.commit" if line.contains("multicast_mask") => {
            operand(Kind::Mask, "mask ^ 1", 1, ["xori", "1"], "i16");
            operand(Kind::Mask, "mask ^ 2", 1, ["xori", "2"], "i16");
            all.push(new(own, "twice", twice(line)));
        }
        "mbarrier.arrive" | "tcgen05.commit" | "cluster.arrive" => {
            all.push(new(own, "twice", twice(line)));
        }
        "wgmma.wait.group.sync.aligned" | "cp.async.bulk.wait_group" | "cp.async.wait.group" => {
            all.extend(steps(line, 1).map(|(change, line)| (Kind::Wait, change, line)));
        }
        "setmaxregister" => {
            all.extend(steps(line, 8).map(|(change, line)| (Kind::Resource, change, line)));
        }
        _ => {}
    }
    all
}

/// The line with another operand, which is computed in front of it; `None` if it has no such
/// operand.
fn with_operand(line: &str, number: usize, [op, by]: [&str; 2], ty: &str) -> Option<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "%_#".contains(c);
    // The result, if there is one, is not an operand.
    let from = if line.trim_start().starts_with('%') { line.find(" = ").unwrap_or(0) } else { 0 };
    let mut starts = line[from..].match_indices('%').map(|(at, _)| from + at);
    let start = starts.nth(number)?;
    let end = start + line[start..].find(|c| !is_name(c)).unwrap_or(line.len() - start);
    let (before, name, after) = (&line[..start], &line[start..end], &line[end..]);
    Some(format!(
        "%mutant_step = arith.constant {by} : {ty} %mutant = arith.{op} {name}, %mutant_step : {ty} {before}%mutant{after}"
    ))
}

/// The operation of a line, executed twice.
fn twice(line: &str) -> String {
    format!("{} {line}", line.split("//").next().unwrap_or_default())
}

/// The line with its number one step higher, and one step lower.
fn steps(line: &str, step: i64) -> impl Iterator<Item = (String, String)> {
    let number = line.split_whitespace().find_map(|word| word.parse::<i64>().ok());
    let changed = number.into_iter().flat_map(move |n| [(n, n + step), (n, n - step)]);
    changed.filter(|(_, changed)| *changed >= 0).map(move |(number, changed)| {
        let instead = line.replacen(&format!(" {number}"), &format!(" {changed}"), 1);
        (format!("{number} becomes {changed}"), instead)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers() {
        let text = "  nvvm.mbarrier.init %full, %c1 : !llvm.ptr<3>, i32\n  nvvm.wgmma.wait.group.sync.aligned 1\n\
                    %one = nvvm.elect.sync -> i1\n%x = nvvm.read.ptx.sreg.tid.x : i32";
        let all = mutants(text);
        let shown: Vec<String> = all.iter().map(|m| m.within("k").to_string()).collect();
        assert_eq!(
            shown,
            [
                "k:1: `mbarrier.init`: dropped",
                "k:1: `mbarrier.init`: count + 1",
                "k:1: `mbarrier.init`: count - 1",
                "k:2: `wgmma.wait.group.sync.aligned`: dropped",
                "k:2: `wgmma.wait.group.sync.aligned`: 1 becomes 2",
                "k:2: `wgmma.wait.group.sync.aligned`: 1 becomes 0",
                "k:3: `elect.sync`: all lanes",
            ]
        );
        assert!(all.iter().all(|m| m.apply(text).lines().count() == text.lines().count()));
        assert!(all[1].apply(text).starts_with(
            "%mutant_step = arith.constant 1 : i32 %mutant = arith.addi %c1, %mutant_step : i32   nvvm.mbarrier.init %full, %mutant"
        ));
        assert!(all[5].apply(text).contains("aligned 0\n"));
    }
}
