//! `cute.placement.convert` in the simulator: the result of one MMA becomes an operand of the next,
//! for every MMA of sm_80.

use cute_arch::atoms::{Generation, Instruction, MmaAtom, mma_atoms};
use cute_mlir::{
    Target,
    algebra::{AnyLayout, Layout, LinearLayout},
};
use cute_sim::{Arg, Launch, Memory, Report};
use melior::{Context, ir::Module};

const LANES: usize = 32;

/// The placement of a fragment on (laneid, m): of an atom's matrix of `rows` rows, repeated along
/// its columns until there are `columns`. Every extent is a power of two, so that each bit of a
/// coordinate steps along one axis.
fn placement(layout: &Layout<i64>, rows: i64, columns: i64) -> (String, usize) {
    let map =
        LinearLayout::from_layout(&AnyLayout::Plain(layout.clone()), &["lane", "register"], "index").unwrap();
    let values = 1i64 << map.inputs()[1].bits;
    let back = map.inverse().unwrap();
    let (row_bits, bits) = (rows.ilog2(), back.images().len() as u32);
    let mut iters = Vec::new();
    // Row-major, the slowest bit first: rows, then repetitions, then the columns of one.
    for bit in (0..row_bits).rev() {
        iters.push(back.images()[bit as usize]);
    }
    let own = bits - row_bits;
    for bit in (0..columns.ilog2()).rev() {
        iters.push(match bit.checked_sub(own) {
            Some(part) => ((values << part) as u64) << map.inputs()[0].bits,
            None => back.images()[(row_bits + bit) as usize],
        });
    }
    let lanes = map.inputs()[0].bits;
    let step = |word: &u64| match word >> lanes {
        0 => format!("{word}@laneid"),
        register => register.to_string(),
    };
    let strides: Vec<String> = iters.iter().map(step).collect();
    let extents = vec!["2"; iters.len()].join(",");
    let registers = values as usize * (columns as usize >> own);
    (format!("S[({extents}):({})]", strides.join(",")), registers)
}

fn kernel(
    bits: u32,
    threads: usize,
    (from, before): &(String, usize),
    (to, after): &(String, usize),
) -> String {
    let view = |space: &str, n: usize| format!("!cute.memref<i{bits}, {space}, \"({n}):(1)\">");
    let (src, dst) = (view("gmem", *before), view("gmem", *after));
    let (c, a) = (view("rmem", *before), view("rmem", *after));
    format!(
        r#"gpu.module @m {{
  gpu.func @k(%src: !cute.ptr<i{bits}, gmem>, %dst: !cute.ptr<i{bits}, gmem>) kernel
      attributes {{known_block_size = array<i32: {threads}, 1, 1>}} {{
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %before = arith.constant {before} : i32
    %after = arith.constant {after} : i32
    %i = arith.muli %t, %before : i32
    %j = arith.muli %t, %after : i32
    %at_i = cute.make_int_tuple(%i) : (i32) -> !cute.int_tuple<"?">
    %at_j = cute.make_int_tuple(%j) : (i32) -> !cute.int_tuple<"?">
    %from = cute.add_offset(%src, %at_i) : (!cute.ptr<i{bits}, gmem>, !cute.int_tuple<"?">) -> !cute.ptr<i{bits}, gmem>
    %to = cute.add_offset(%dst, %at_j) : (!cute.ptr<i{bits}, gmem>, !cute.int_tuple<"?">) -> !cute.ptr<i{bits}, gmem>
    %from_view = cute.make_view(%from) : {src}
    %to_view = cute.make_view(%to) : {dst}
    %c = cute.memref.alloca() {{placement = #cute.placement<"{from}">}} : {c}
    %a = cute.memref.alloca() {{placement = #cute.placement<"{to}">}} : {a}
    %in = cute.memref.load_vec %from_view : {src}
    cute.memref.store_vec %in, %c : {c}
    cute.placement.convert(%c, %a) : ({c}, {a}) -> ()
    %out = cute.memref.load_vec %a : {a}
    cute.memref.store_vec %out, %to_view : {dst}
    gpu.return
  }}
}}"#
    )
}

/// Runs the conversion on a tile whose element `e` is the number `e`; returns the elements by
/// thread and register.
fn run<T: cute_sim::Element>(
    text: &str,
    threads: usize,
    before: Vec<T>,
    after: usize,
) -> (Vec<T>, String, Report) {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = Module::parse(&context, text).unwrap_or_else(|| panic!("{text}"));
    cute_mlir::lower(&context, &mut module, Target::Sm80).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let (src, dst) = (memory.upload(&before), memory.zeroed::<T>(threads * after));
    let launch = Launch::new("k", [1, 1, 1], [threads as u32, 1, 1]);
    let report = program
        .run(&launch, &mut memory, &[Arg::Buffer(src), Arg::Buffer(dst)])
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    (memory.download::<T>(dst), module.as_operation().to_string(), report)
}

/// The elements by thread and register, according to a placement's text.
fn owners(placement: &str, threads: usize, registers: usize) -> Vec<usize> {
    let placement: cute_mlir::placement::Placement = placement.parse().unwrap();
    let owners = cute_mlir::placement::convert::Owners::of_placement(&placement).unwrap();
    let element =
        |slot: usize| owners.element(slot / registers, slot % registers).expect("every register has one");
    (0..threads * registers).map(element).collect()
}

fn sm80() -> impl Iterator<Item = &'static MmaAtom> {
    mma_atoms()
        .filter(|atom| atom.generation == Generation::Sm80 && atom.instruction == Instruction::MMA_SYNC)
}

#[test]
fn sums_become_the_a_of_the_next_for_every_mma_of_sm80() {
    let mut shuffled = 0;
    let mut checked = 0;
    for atom in sm80() {
        let [m, n, k] = atom.shape.map(i64::from);
        let columns = n.max(k);
        let from = placement(&atom.c.layout, m, columns);
        let to = placement(&atom.a.layout, m, columns);
        let text = kernel(32, LANES, &from, &to);
        let numbers = |(text, registers): &(String, usize)| {
            owners(text, LANES, *registers).into_iter().map(|e| e as i32).collect::<Vec<_>>()
        };
        let (found, code, _) = run(&text, LANES, numbers(&from), to.1);
        assert_eq!(found, numbers(&to), "{}", atom.name);
        shuffled += usize::from(code.contains("nvvm.shfl.sync"));
        assert!(!code.contains("barrier"), "{}: a warp needs no shared memory", atom.name);
        checked += 1;
    }
    assert!(checked > 50 && shuffled > 10, "{checked} MMAs, {shuffled} with shuffles");
}

/// Two 16-bit neighbours share a register, and a 64-bit element takes two.
#[test]
fn elements_of_other_widths_move_too() {
    let tf32 = MmaAtom::by_name("SM80_16x8x8_F32TF32TF32F32_TN").unwrap();
    let (c, a) = (placement(&tf32.c.layout, 16, 8), placement(&tf32.a.layout, 16, 8));
    let (found, code, _) = run(
        &kernel(64, LANES, &c, &a),
        LANES,
        owners(&c.0, LANES, 4).into_iter().map(|e| e as i64 + (1 << 40)).collect(),
        4,
    );
    assert_eq!(found, owners(&a.0, LANES, 4).into_iter().map(|e| e as i64 + (1 << 40)).collect::<Vec<_>>());
    assert_eq!(code.matches("nvvm.shfl.sync").count(), 8, "two for each element");
    let s8 = MmaAtom::by_name("SM80_16x8x32_S32S8S8S32_TN").unwrap();
    let (c, a) = (placement(&s8.c.layout, 16, 32), placement(&s8.a.layout, 16, 32));
    for bits in [8, 16] {
        let text = kernel(bits, LANES, &c, &a);
        let before = owners(&c.0, LANES, c.1);
        let after = owners(&a.0, LANES, a.1);
        let shuffles = |code: &str| code.matches("nvvm.shfl.sync").count();
        if bits == 8 {
            let (found, code, _) = run(&text, LANES, before.iter().map(|e| *e as u8).collect(), a.1);
            assert_eq!(found, after.iter().map(|e| *e as u8).collect::<Vec<_>>());
            assert_eq!(shuffles(&code), 8, "two neighbours at a time");
        } else {
            let (found, code, _) = run(&text, LANES, before.iter().map(|e| *e as u16).collect(), a.1);
            assert_eq!(found, after.iter().map(|e| *e as u16).collect::<Vec<_>>());
            assert_eq!(shuffles(&code), 8);
        }
    }
}

/// From rows of a 16 x 64 tile to its columns: every warp needs elements of every other, and no
/// access has a conflict.
#[test]
fn warps_exchange_through_shared_memory() {
    let from = ("S[(128,8):(1@tx,1)]".to_string(), 8);
    let to = ("S[(8,32,4):(1,1@laneid,1@warpid)]".to_string(), 8);
    let numbers = |(text, registers): &(String, usize)| {
        owners(text, 128, *registers).into_iter().map(|e| e as i32).collect::<Vec<_>>()
    };
    let (found, code, report) = run(&kernel(32, 128, &from, &to), 128, numbers(&from), 8);
    assert_eq!(found, numbers(&to));
    assert!(!code.contains("nvvm.shfl.sync"));
    let shared: Vec<_> =
        report.sites.iter().filter(|site| site.traffic == cute_sim::Traffic::Shared).collect();
    assert_eq!(shared.iter().map(|site| (site.warps, site.excess())).collect::<Vec<_>>(), [(32, 0), (32, 0)]);
}
