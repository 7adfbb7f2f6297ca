//! Kernels with one change: a synchronisation is missing, is repeated, or has a count, a parity, a
//! number of bytes or a mask that is off by one step.

/// A kernel with one change.
pub struct Mutant {
    /// The changed operation, and how many operations of this name come before it in the text.
    pub op: String,
    pub number: usize,
    /// The kind of change.
    pub change: String,
    /// The line of the operation, counted from 1.
    pub line: usize,
    pub text: String,
}

impl Mutant {
    pub fn name(&self) -> String {
        format!("{} {} (line {}): {}", self.op, self.number, self.line, self.change)
    }
}

/// All mutants of a kernel in which each operation has a line of its own.
pub fn mutants(text: &str) -> Vec<Mutant> {
    let lines: Vec<&str> = text.lines().collect();
    let mut mutants: Vec<Mutant> = Vec::new();
    let mut counts = std::collections::HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(op) = operation(line) else { continue };
        let count = counts.entry(op).or_insert(0);
        let number = *count;
        *count += 1;
        for (change, instead) in changes(op, line) {
            let text = [&lines[..at], &[instead.as_str()], &lines[at + 1..]].concat().join("\n");
            mutants.push(Mutant { op: op.to_owned(), number, change, line: at + 1, text });
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

/// The changes of an operation: their names, and the new lines.
fn changes(op: &str, line: &str) -> Vec<(String, String)> {
    let new = |change: &str, line: String| (change.to_owned(), line);
    if op == "elect.sync" {
        return vec![new("all lanes", line.replace("nvvm.elect.sync -> i1", "arith.constant true"))];
    }
    let mut all = if op == "mcast_mask" { Vec::new() } else { vec![new("deleted", String::new())] };
    let mut operand = |change: &str, number: usize, computes: [&str; 2], ty: &str| {
        all.push(new(change, with_operand(line, number, computes, ty)));
    };
    match op {
        "mbarrier.init" => {
            operand("count + 1", 1, ["addi", "1"], "i32");
            operand("count - 1", 1, ["addi", "-1"], "i32");
        }
        "mbarrier.arrive.expect_tx" => {
            operand("bytes + 16", 1, ["addi", "16"], "i32");
            operand("bytes - 16", 1, ["addi", "-16"], "i32");
        }
        "mbarrier.try_wait.parity" => operand("parity", 1, ["xori", "1"], "i32"),
        "barrier" | "barrier.arrive" => {
            operand("threads + 32", 1, ["addi", "32"], "i32");
            operand("threads - 32", 1, ["addi", "-32"], "i32");
            operand("number + 1", 0, ["addi", "1"], "i32");
        }
        "mcast_mask" => {
            operand("mask ^ 1", 1, ["xori", "1"], "i16");
            operand("mask ^ 2", 1, ["xori", "2"], "i16");
        }
        "tcgen05.commit" if line.contains("multicast_mask") => {
            operand("mask ^ 1", 1, ["xori", "1"], "i16");
            operand("mask ^ 2", 1, ["xori", "2"], "i16");
            all.push(new("twice", format!("{line}\n{line}")));
        }
        "mbarrier.arrive" | "tcgen05.commit" | "cluster.arrive" => {
            all.push(new("twice", format!("{line}\n{line}")));
        }
        "wgmma.wait.group.sync.aligned" | "cp.async.bulk.wait_group" => all.extend(steps(line, 1)),
        "setmaxregister" => all.extend(steps(line, 8)),
        _ => {}
    }
    all
}

/// The line with another operand, which two lines before it compute.
fn with_operand(line: &str, number: usize, [op, by]: [&str; 2], ty: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "%_#".contains(c);
    // The result, if there is one, is not an operand.
    let from = if line.trim_start().starts_with('%') { line.find(" = ").unwrap_or(0) } else { 0 };
    let starts = line[from..].match_indices('%').map(|(at, _)| from + at);
    let start = starts.clone().nth(number).expect("the operation has this operand");
    let end = start + line[start..].find(|c| !is_name(c)).unwrap_or(line.len() - start);
    let (before, name, after) = (&line[..start], &line[start..end], &line[end..]);
    format!(
        "%mutant_step = arith.constant {by} : {ty}\n%mutant = arith.{op} {name}, %mutant_step : {ty}\n{before}%mutant{after}"
    )
}

/// The line with its number one step higher, and one step lower.
fn steps(line: &str, step: i64) -> Vec<(String, String)> {
    let number = line.split_whitespace().find_map(|word| word.parse::<i64>().ok()).expect("a number");
    let changed = [number + step, number - step].into_iter().filter(|changed| *changed >= 0);
    let replaced = |changed| line.replacen(&format!(" {number}"), &format!(" {changed}"), 1);
    changed.map(|changed| (format!("{number} becomes {changed}"), replaced(changed))).collect()
}
