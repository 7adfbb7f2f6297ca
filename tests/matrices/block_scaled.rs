//! Block-scaled MMAs and copies of their scale factors, under the layouts that CUTLASS C++ printed:
//! the lowered code has CUTLASS's descriptors and addresses. All addresses are constants, so PTX
//! has them as numbers.

use std::collections::HashMap;

use cute_mlir::Target;
use melior::Context;
use serde_json::Value as Json;

use crate::vectors::{number, text};

/// The entries about an operation that CUTLASS accepts.
fn entries(op: &str) -> Vec<Json> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/block_scaled.json");
    let all: Vec<Json> =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the file")).expect("JSON");
    let of = |entry: &Json| entry["op"] == op && entry.get("result").is_some();
    all.into_iter().filter(of).collect()
}

/// An element type as MLIR spells it.
fn mlir(element: &str) -> &'static str {
    match element.trim_end_matches("_unpack") {
        "e2m1" => "f4E2M1FN",
        "e2m3" => "f6E2M3FN",
        "e3m2" => "f6E3M2FN",
        "e4m3" | "ue4m3" => "f8E4M3FN",
        "e5m2" => "f8E5M2",
        "ue8m0" => "f8E8M0FNU",
        other => panic!("there is no element {other}"),
    }
}

fn hexadecimal(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a hexadecimal number")
}

/// The CTAs of an operation by CUTLASS's name.
fn ctas(entry: &Json) -> u32 {
    if text(entry, "/inputs/op").contains("2x1SM") { 2 } else { 1 }
}

/// The registers of each instruction that begins with a name, as numbers, kernel by kernel.
fn constants(kernels: &str, name: &str) -> Vec<Vec<Vec<u64>>> {
    let module =
        format!("module attributes {{gpu.container_module}} {{ gpu.module @kernels {{ {kernels} }} }}");
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, &module).unwrap_or_else(|e| panic!("{e}"));
    let target: Target = "sm_100a".parse().expect("a target");
    let compiled = cute_mlir::compile(&context, &mut module, target).unwrap_or_else(|e| panic!("{e}"));
    let (mut known, mut found) = (HashMap::new(), Vec::<Vec<Vec<u64>>>::new());
    let words = |line: &str| -> Vec<String> {
        let split = line.split(|c: char| c.is_whitespace() || ",;[]()".contains(c));
        split.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    for words in compiled.ptx.lines().map(words) {
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [".visible", ".entry", ..] => {
                found.push(Vec::new());
                known.clear();
            }
            ["mov.b32" | "mov.b64", to, from] => {
                let copied = || known.get(from).copied();
                // Numbers of 32 bits may be printed with a sign.
                let cut = |n: i64| if words[0] == "mov.b32" { u64::from(n as u32) } else { n as u64 };
                if let Some(value) = from.parse().ok().map(cut).or_else(copied) {
                    known.insert(to.to_owned(), value);
                }
            }
            [op, ref operands @ ..] if op.starts_with(name) => {
                let value = |operand: &&str| known.get(*operand).copied();
                let registers = operands.iter().filter(|operand| !operand.starts_with("%p"));
                let values: Option<Vec<u64>> = registers.map(value).collect();
                let values = values.unwrap_or_else(|| panic!("{words:?} has operands that are no constants"));
                found.last_mut().expect("an instruction of a kernel").push(values);
            }
            _ => {}
        }
    }
    found
}

/// A product: the types of its operands, and the addresses of its factors.
struct Product {
    atom: String,
    factor: &'static str,
    sums: String,
    tile: String,
    at: [u64; 2],
    negate: [bool; 2],
    /// The types of the factors, if they are operands.
    factors: Option<[String; 2]>,
}

impl Product {
    /// A kernel with this product. The state of the atom has the addresses of the factors, too.
    fn kernel(&self, name: usize) -> String {
        let Self { atom, factor, sums, tile, at: [at_a, at_b], negate: [negate_a, negate_b], factors } = self;
        let pointer = format!("!cute.ptr<{factor}, tmem, align<16>>");
        let [views, operands, types] = match factors {
            None => ["".into(), "%tile, %tile".into(), format!("{tile}, {tile}")],
            Some([left, right]) => [
                format!("%sfa = cute.make_view(%pa) : {left}\n%sfb = cute.make_view(%pb) : {right}\n"),
                "%tile, %sfa, %tile, %sfb".into(),
                format!("{tile}, {left}, {tile}, {right}"),
            ],
        };
        format!(
            "gpu.func @product_{name}() kernel {{
               %no = arith.constant false
               %negate_a = arith.constant {negate_a}
               %negate_b = arith.constant {negate_b}
               %zero = arith.constant 0 : i32
               %word = arith.constant 64 : i64
               %desc = builtin.unrealized_conversion_cast %word : i64 to !cute_nvgpu.smem_desc
               %tile = cute.make_view(%desc) : {tile}
               %sums = cute.inttoptr(%zero) : i32 to !cute.ptr<f32, tmem, align<16>>
               %d = cute.make_view(%sums) : {sums}
               %at_a = arith.constant {at_a} : i32
               %at_b = arith.constant {at_b} : i32
               %pa = cute.inttoptr(%at_a) : i32 to {pointer}
               %pb = cute.inttoptr(%at_b) : i32 to {pointer}
               {views}
               %atom = cute.make_atom(%no, %negate_a, %negate_b, %pa, %pb) : (i1, i1, i1, {pointer}, {pointer}) -> {atom}
               cute.gemm(%atom, %d, {operands}, %d) : ({atom}, {sums}, {types}, {sums})
               gpu.return
             }}"
        )
    }
}

/// A kernel that multiplies the K blocks of a tile, with the factors under CUTLASS's layouts.
fn product(entry: &Json, name: usize) -> String {
    let input = |what: &str| text(entry, &format!("/inputs/{what}"));
    let result = |what: &str| text(entry, &format!("/result/{what}"));
    let [a, b, factor] = [input("a"), input("b"), input("sf")].map(mlir);
    let [m, n, vector] = ["m", "n", "sf_vec"].map(|what| number(entry, &format!("/inputs/{what}")));
    let major = if input("op").contains("MN-major") { "mn" } else { "k" };
    let k = if input("op").contains("MXF8") { 32 } else { 64 };
    let blocks = entry["result"]["k_blocks"].as_array().expect("the blocks").len();
    let atom = format!(
        "!cute_nvgpu.sm100.mma_bs<{m}x{n}x{k}, num_cta = {}, ab_major = ({major}, {major}), \
         elem_type = ({a}, {b}, f32), sf_type = {factor}, frag_kind = ss, vec_size = {vector}>",
        ctas(entry)
    );
    let [left, right] = ["tmem_layout_sfa", "tmem_layout_sfb"]
        .map(|layout| format!("!cute.memref<{factor}, tmem, align<16>, \"{}\">", result(layout)));
    let sums = format!("!cute.memref<f32, tmem, align<16>, \"{}\">", result("tmem_layout_acc"));
    let tile = format!("!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"(1,1,{blocks}):(0,0,2)\">");
    let [base_a, base_b] = ["tmem_base_sfa", "tmem_base_sfb"].map(|base| hexadecimal(result(base)));
    let factors = Some([left, right]);
    Product { atom, factor, sums, tile, at: [base_a, base_b], negate: [false; 2], factors }.kernel(name)
}

#[test]
fn mmas_have_the_descriptors_and_scale_columns_of_cutlass() {
    let entries = entries("blockscaled_partition");
    assert_eq!(entries.len(), 45);
    let kernels: String = entries.iter().enumerate().map(|(i, entry)| product(entry, i)).collect();
    let found = constants(&kernels, "tcgen05.mma");
    for (entry, found) in entries.iter().zip(&found) {
        // D, A, B, the instruction descriptor, and the factors.
        let found: Vec<_> = found.iter().map(|operands| (operands[3], operands[4], operands[5])).collect();
        let block = |block: &Json| {
            let at = |what: &str| hexadecimal(text(block, what));
            (at("/instr_desc"), at("/tmem_sfa"), at("/tmem_sfb"))
        };
        let wanted: Vec<_> =
            entry["result"]["k_blocks"].as_array().expect("the blocks").iter().map(block).collect();
        assert_eq!(found, wanted, "{}", entry["inputs"]);
    }
    assert_eq!(found.len(), entries.len());
}

/// A kernel that copies the factors of A or B as CUTLASS partitions them.
fn copy(entry: &Json, which: &str, name: usize) -> String {
    let factor = mlir(text(entry, "/inputs/sf"));
    let result = |what: &str| text(entry, &format!("/result/{which}_{what}"));
    let from = number(entry, &format!("/inputs/smem_address_{which}"));
    // The factors of A begin in the first column.
    let to = if which == "sfa" { 0 } else { hexadecimal(text(entry, "/result/tmem_base_sfb")) };
    let source = format!("!cute.memref<{factor}, smem, align<16>, \"{}\">", result("part_s"));
    let target = format!("!cute.memref<{factor}, tmem, align<16>, \"{}\">", result("part_d"));
    let view = format!("!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"{}\">", result("desc_layout"));
    let atom = format!("!cute_nvgpu.atom.s2t_copy<{factor}, 32 DP, 128 bit, {} cta, x4>", ctas(entry));
    format!(
        "gpu.func @copy_{name}() kernel {{
           %from = arith.constant {from} : i32
           %to = arith.constant {to} : i32
           %ps = cute.inttoptr(%from) : i32 to !cute.ptr<{factor}, smem, align<16>>
           %pd = cute.inttoptr(%to) : i32 to !cute.ptr<{factor}, tmem, align<16>>
           %source = cute.make_view(%ps) : {source}
           %target = cute.make_view(%pd) : {target}
           %atom = cute.make_atom() : () -> {atom}
           %descs = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %source) : ({atom}, {source}) -> {view}
           cute.copy(%atom, %descs, %target) : ({atom}, {view}, {target})
           gpu.return
         }}"
    )
}

#[test]
fn copies_have_the_descriptors_and_columns_of_cutlass() {
    let entries = entries("utccp_copy");
    assert_eq!(entries.len(), 46);
    let both: Vec<_> = entries.iter().flat_map(|entry| ["sfa", "sfb"].map(|which| (entry, which))).collect();
    let kernels: String = both.iter().enumerate().map(|(i, (entry, which))| copy(entry, which, i)).collect();
    let found = constants(&kernels, "tcgen05.cp");
    for ((entry, which), found) in both.iter().zip(&found) {
        let one = |copy: &Json| vec![hexadecimal(text(copy, "/tmem")), hexadecimal(text(copy, "/desc"))];
        let copies = &entry["result"][format!("{which}_copies")];
        let wanted: Vec<_> = copies.as_array().expect("the copies").iter().map(one).collect();
        assert_eq!(found, &wanted, "{which} of {}", entry["inputs"]);
    }
    assert_eq!(found.len(), both.len());
}

/// A kernel with one MMA, whose factors are in the state of the atom; None where there is no such
/// MMA, or where its descriptor is not made of these inputs alone.
fn one(entry: &Json, name: usize) -> Option<String> {
    let input = |what: &str| text(entry, &format!("/inputs/{what}"));
    let (k, vector) = match input("instruction_kind") {
        "mxf8f6f4" => (32, 32),
        "mxf4" => (64, 32),
        "mxf4nvf4" => (64, 16),
        // A type that is set at run time, and K = 96.
        _ => return None,
    };
    let [m, n] = ["m", "n"].map(|what| number(entry, &format!("/inputs/{what}")));
    let at = |which: &str| entry["inputs"][format!("tmem_{which}_addr")].as_str().map_or(0, hexadecimal);
    let [at_a, at_b] = ["sfa", "sfb"].map(at);
    // No pair of CTAs multiplies 8 columns. Four factors fill a word, which begins at byte 0; CUTLASS
    // also encodes addresses of other bytes, to which no layout leads.
    let (is_word, is_byte) = (input("sf") == "ue4m3", (at_a | at_b) >> 30 != 0);
    if (m, n) == (256, 8) || (is_word && is_byte) {
        return None;
    }
    let major = |which: &str| entry["inputs"][which].as_str().unwrap_or("K").to_lowercase();
    let [major_a, major_b] = ["a_major", "b_major"].map(major);
    let [negate_a, negate_b] =
        ["a_negate", "b_negate"].map(|which| entry["inputs"][which].as_bool().unwrap_or(false));
    let [a, b, factor] = [input("a"), input("b"), input("sf")].map(mlir);
    let atom = format!(
        "!cute_nvgpu.sm100.mma_bs<{m}x{n}x{k}, num_cta = {}, ab_major = ({major_a}, {major_b}), \
         elem_type = ({a}, {b}, f32), sf_type = {factor}, frag_kind = ss, vec_size = {vector}>",
        m / 128
    );
    let sums = format!("!cute.memref<f32, tmem, align<16>, \"((128,{n}),1,1):((65536,1),0,0)\">");
    let tile = "!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"(1,1,1):(0,0,0)\">".into();
    let (at, negate) = ([at_a, at_b], [negate_a, negate_b]);
    Some(Product { atom, factor, sums, tile, at, negate, factors: None }.kernel(name))
}

#[test]
fn instruction_descriptors_are_those_of_cutlass() {
    let all = ["instr_desc_block_scaled", "runtime_instr_desc_block_scaled"].map(entries).concat();
    let made = all.iter().enumerate().filter_map(|(i, entry)| Some((entry, one(entry, i)?)));
    let (entries, kernels): (Vec<_>, Vec<_>) = made.unzip();
    // Two of 256x8, three with a type of run time, two with K = 96, and nine inside of words.
    assert_eq!((all.len(), entries.len()), (82, 66));
    let found = constants(&kernels.concat(), "tcgen05.mma");
    for (entry, found) in entries.iter().zip(&found) {
        assert_eq!(found.len(), 1);
        assert_eq!(found[0][3], hexadecimal(text(entry, "/result/desc")), "{}", entry["inputs"]);
    }
    assert_eq!(found.len(), entries.len());
}
