//! Operations of NVVM as assembly that spells them in PTX, so that kernels run in both spellings.

/// The source with PTX in place of each `nvvm.tcgen05`.
pub(super) fn as_text(source: &str) -> String {
    // Attributes and types of an operation may follow in lines of their own.
    let mut lines: Vec<String> = Vec::new();
    for line in source.lines() {
        let goes_on = line.trim_start().starts_with([':', '{']) && !lines.is_empty();
        match lines.last_mut() {
            Some(last) if goes_on && last.contains("nvvm.tcgen05.") => *last += line,
            _ => lines.push(line.to_owned()),
        }
    }
    let text = lines.iter().enumerate().map(|(i, line)| match line.split_once("nvvm.tcgen05.") {
        Some((result, operation)) => statement(i, result.trim(), operation),
        None => line.clone(),
    });
    text.collect::<Vec<_>>().join("\n")
}

/// The word between two texts.
fn between<'t>(text: &'t str, start: &str, end: char) -> Option<&'t str> {
    let (_, rest) = text.split_once(start)?;
    rest.split(end).next()
}

fn asm(text: &str, operands: &[(&str, &str)]) -> String {
    let names: Vec<&str> = operands.iter().map(|(name, _)| *name).collect();
    let types: Vec<&str> = operands.iter().map(|(_, ty)| *ty).collect();
    let letter = |ty: &str| match ty {
        "i1" => "b",
        "i16" => "h",
        "i64" => "l",
        _ => "r",
    };
    let constraints: Vec<&str> = types.iter().map(|ty| letter(ty)).chain(["~{memory}"]).collect();
    format!(
        "llvm.inline_asm has_side_effects \"{text};\", \"{}\" {} : ({}) -> ()",
        constraints.join(","),
        names.join(", "),
        types.join(", ")
    )
}

/// The assembly of one operation; `i` makes the names of its values unique.
fn statement(i: usize, result: &str, operation: &str) -> String {
    let (name, rest) = operation.split_once([' ', '{']).unwrap_or((operation, ""));
    let group = format!("cta_group::{}", if operation.contains("cta_2") { 2 } else { 1 });
    let operands = rest.split(['{', ':']).next().unwrap_or_default();
    let names: Vec<&str> =
        operands.split(|c: char| c == ',' || c.is_whitespace()).filter(|n| n.starts_with('%')).collect();
    let int = |pointer: &str, ty: &str, number: usize| {
        (format!("%t{i}_{number}"), format!("%t{i}_{number} = llvm.ptrtoint {pointer} : {ty} to i32\n"))
    };
    let count = between(operation, "vector<", 'x').map_or(1, |n| n.parse::<usize>().unwrap());
    let shape = between(operation, "ldst_shape<shape_", '>').unwrap_or_default();
    let each = match shape {
        "16x128b" => 2,
        "16x256b" => 4,
        _ => 1,
    };
    let repeats = count / each;
    match name {
        "alloc" => {
            let (to, cast) = int(names[0], "!llvm.ptr<3>", 0);
            let text = format!("tcgen05.alloc.{group}.sync.aligned.shared::cta.b32 [$0], $1");
            cast + &asm(&text, &[(&to, "i32"), (names[1], "i32")])
        }
        "dealloc" => {
            let (at, cast) = int(names[0], "!llvm.ptr<6>", 0);
            let text = format!("tcgen05.dealloc.{group}.sync.aligned.b32 $0, $1");
            cast + &asm(&text, &[(&at, "i32"), (names[1], "i32")])
        }
        "relinquish_alloc_permit" => {
            asm(&format!("tcgen05.relinquish_alloc_permit.{group}.sync.aligned"), &[])
        }
        "fence" => match between(rest, "<", '>') {
            Some("before") => asm("tcgen05.fence::before_thread_sync", &[]),
            Some("after") => asm("tcgen05.fence::after_thread_sync", &[]),
            other => panic!("a fence {other:?}"),
        },
        "wait" => {
            let stores = operation.contains("<store>");
            asm(&format!("tcgen05.wait::{}.sync.aligned", if stores { "st" } else { "ld" }), &[])
        }
        "commit" => {
            let (to, cast) = int(names[0], "!llvm.ptr<3>", 0);
            let start = format!("tcgen05.commit.{group}.mbarrier::arrive::one.shared::cluster");
            cast + &match names.get(1) {
                Some(mask) => {
                    asm(&format!("{start}.multicast::cluster.b64 [$0], $1"), &[(&to, "i32"), (mask, "i16")])
                }
                None => asm(&format!("{start}.b64 [$0]"), &[(&to, "i32")]),
            }
        }
        "cp" => {
            let (to, cast) = int(names[0], "!llvm.ptr<6>", 0);
            let shape = between(operation, "cp_shape<shape_", '>').expect("a shape");
            let multicast = match between(operation, "multicast<", '>') {
                Some("warpx2_02_13") => ".warpx2::02_13",
                Some("warpx2_01_23") => ".warpx2::01_23",
                Some("warpx4") => ".warpx4",
                _ => "",
            };
            let text = format!("tcgen05.cp.{group}.{shape}{multicast} [$0], $1");
            cast + &asm(&text, &[(&to, "i32"), (names[1], "i64")])
        }
        "st" => {
            let (to, mut text) = int(names[0], "!llvm.ptr<6>", 0);
            let vector = names[1];
            let mut operands = vec![(to, "i32")];
            for n in 0..count {
                if count == 1 {
                    operands.push((vector.to_owned(), "i32"));
                    continue;
                }
                text += &format!(
                    "%n{i}_{n} = llvm.mlir.constant({n} : i32) : i32
                     %e{i}_{n} = llvm.extractelement {vector}[%n{i}_{n} : i32] : vector<{count}xi32>\n"
                );
                operands.push((format!("%e{i}_{n}"), "i32"));
            }
            let list: Vec<String> = (1..=count).map(|n| format!("${n}")).collect();
            let unpack = if operation.contains(" unpack") { ".unpack::16b" } else { "" };
            let offset = if shape == "16x32bx2" { "256, " } else { "" };
            let ptx = format!(
                "tcgen05.st.sync.aligned.{shape}.x{repeats}{unpack}.b32 [$0], {offset}{{{}}}",
                list.join(", ")
            );
            let operands: Vec<(&str, &str)> =
                operands.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
            text + &asm(&ptx, &operands)
        }
        "ld" => {
            let (from, cast) = int(names[0], "!llvm.ptr<6>", 0);
            let list: Vec<String> = (0..count).map(|n| format!("${n}")).collect();
            let pack = if operation.contains(" pack") { ".pack::16b" } else { "" };
            let offset = if shape == "16x32bx2" { ", 256" } else { "" };
            let ptx = format!(
                "tcgen05.ld.sync.aligned.{shape}.x{repeats}{pack}.b32 {{{}}}, [${count}]{offset};",
                list.join(", ")
            );
            let (target, results) = match count {
                1 => (result.trim_end_matches([' ', '=']).to_owned(), "i32".to_owned()),
                _ => (format!("%s{i}"), format!("!llvm.struct<({})>", vec!["i32"; count].join(", "))),
            };
            let mut text = format!(
                "{cast}{target} = llvm.inline_asm has_side_effects \"{ptx}\", \"{},r,~{{memory}}\" {from} : (i32) -> {results}\n",
                vec!["=r"; count].join(",")
            );
            if count > 1 {
                text += &format!("%v{i}_0 = llvm.mlir.undef : vector<{count}xi32>\n");
            }
            for n in 0..if count > 1 { count } else { 0 } {
                let made = match n + 1 == count {
                    true => result.trim_end_matches([' ', '=']).to_owned(),
                    false => format!("%v{i}_{}", n + 1),
                };
                text += &format!(
                    "%n{i}_{n} = llvm.mlir.constant({n} : i32) : i32
                     %e{i}_{n} = llvm.extractvalue %s{i}[{n}] : {results}
                     {made} = llvm.insertelement %e{i}_{n}, %v{i}_{n}[%n{i}_{n} : i32] : vector<{count}xi32>\n"
                );
            }
            text
        }
        "mma" | "mma.ws" | "mma.block_scale" => {
            let kind = between(operation, "_kind<", '>').expect("a kind");
            let group = if operation.contains("<cta_2>") { "cta_group::2" } else { "cta_group::1" };
            let (d, mut text) = int(names[0], "!llvm.ptr<6>", 0);
            let from_tensor = operation
                .split_once(": (")
                .is_some_and(|(_, types)| types.starts_with("!llvm.ptr<6>, !llvm.ptr<6>"));
            let (a, of_a, a_text) = if from_tensor {
                let (a, cast) = int(names[1], "!llvm.ptr<6>", 1);
                text += &cast;
                (a, "i32", "[$1]")
            } else {
                (names[1].to_owned(), "i64", "$1")
            };
            let mut operands = vec![(d, "i32"), (a, of_a)];
            operands.extend(
                [(names[2], "i64"), (names[3], "i32"), (names[4], "i1")].map(|(n, t)| (n.to_owned(), t)),
            );
            let (mut mask, mut factors) = (String::new(), "");
            if name == "mma.block_scale" {
                for (number, name) in names[5..7].iter().enumerate() {
                    let (at, cast) = int(name, "!llvm.ptr<6>", 2 + number);
                    text += &cast;
                    operands.push((at, "i32"));
                }
                factors = "[$5], [$6], ";
            }
            let start = match &*format!("tcgen05.{name}") {
                "tcgen05.mma.ws" => format!("tcgen05.mma.ws.{group}.kind::{kind}"),
                "tcgen05.mma.block_scale" => {
                    let vector = between(operation, "mma_block_scale<", '>').map(|word| format!(".{word}"));
                    format!("tcgen05.mma.{group}.kind::{kind}.block_scale{}", vector.unwrap_or_default())
                }
                _ => format!("tcgen05.mma.{group}.kind::{kind}"),
            };
            if operation.contains("mask = ") {
                let lanes = between(operation, "vector<", 'x').expect("words").parse::<usize>().unwrap();
                for n in 0..lanes {
                    text += &format!(
                        "%n{i}_{n} = llvm.mlir.constant({n} : i32) : i32
                         %e{i}_{n} = llvm.extractelement %mask[%n{i}_{n} : i32] : vector<{lanes}xi32>\n"
                    );
                    operands.push((format!("%e{i}_{n}"), "i32"));
                }
                let list: Vec<String> = (0..lanes).map(|n| format!("${}", 5 + n)).collect();
                mask = format!("{{{}}}, ", list.join(", "));
            }
            let zeros = operands.len() - 1;
            let columns = if names.get(5) == Some(&"%zeros") {
                operands.push(("%zeros".to_owned(), "i64"));
                format!(", ${}", zeros + 1)
            } else {
                String::new()
            };
            // The scale is a number in the text; the cases with one divide by 2^scale.
            let scale = if operation.contains("scale = ") { ", SCALE" } else { "" };
            let operands: Vec<(&str, &str)> =
                operands.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
            let ptx = format!("{start} [$0], {a_text}, $2, $3, {factors}{mask}$4{scale}{columns}");
            text + &asm(&ptx, &operands)
        }
        _ => panic!("tcgen05.{operation} has no text"),
    }
}
