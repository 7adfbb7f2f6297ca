//! Every shape of `tcgen05.ld`, `tcgen05.st` and `tcgen05.cp` through the whole pipeline and the simulator: each element arrives at the
//! lane and the column, or comes from there, where CuTe's layouts of the atom say. No two words of the patterns are the same.

use std::env;

use cute_algebra::{
    CopySide, Layout, Tuple, crd2idx, make_fragment_like, parse_layout, parse_shape, size, upcast,
};
use cute_arch::atoms::{self, Broadcast, CopyAtom, CopyInstruction, TmemFill, TmemShape};
use cute_mlir::Target;
use cute_sim::{Arg, Launch, Memory, Program};
use melior::Context;
use serde_json::Value as Json;

const THREADS: usize = 128;
const WARP: usize = 32;
const COLUMNS: usize = 512;
/// What words of shared memory begin with.
const MARK: u32 = 0x5a5a_0000;
/// Bits of a lane, as the layouts of atoms count them.
const LANE_BITS: i64 = 1 << 21;

/// What lies in a word of tensor memory before the instruction: no half of it twice among the lower halves.
fn word(lane: usize, column: usize) -> u32 {
    let number = (lane * COLUMNS + column) as u32;
    number | !number << 16
}

/// A kernel in which each lane writes its columns, then `body`, then each lane reads its columns.
fn module(elem: &str, values: i64, body: &str) -> String {
    format!(
        "!own = !cute.memref<{elem}, rmem, align<16>, \"(({values},1)):((1,0))\">
         !part = !cute.memref<{elem}, gmem, \"(({values},1)):((1,0))\">
         !all = !cute.memref<i32, gmem, \"({COLUMNS},{THREADS}):(1,{COLUMNS})\">
         !address = !cute.ptr<i32, smem, align<8>>
         gpu.module @m {{
           gpu.func @k(%registers: !cute.memref<{elem}, gmem, \"(({values},1),{THREADS}):((1,0),{values})\">, %all: !all) kernel attributes {{nvvm.reqntid = array<i32: {THREADS}, 1, 1>}} {{
             %c0 = arith.constant 0 : i32
             %c1 = arith.constant 1 : i32
             %c5 = arith.constant 5 : i32
             %c16 = arith.constant 16 : i32
             %c21 = arith.constant 21 : i32
             %ones = arith.constant -1 : i32
             %columns = arith.constant {COLUMNS} : i32
             %thread = nvvm.read.ptx.sreg.tid.x : i32
             %warp = arith.shrui %thread, %c5 : i32
             %is_first = arith.cmpi eq, %warp, %c0 : i32
             %room = cute.memref.alloc_smem() : !cute.memref<i32, smem, align<8>, \"1:0\">
             %where = cute.get_iter(%room) : !cute.memref<i32, smem, align<8>, \"1:0\">
             scf.if %is_first {{
               cute_nvgpu.arch.sm100.alloc_tmem(%columns, %where) [cta_1] : i32, !address
               cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
             }}
             nvvm.barrier0
             %first = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where) : !address -> !cute.ptr<i32, tmem, align<16>>
             %base = cute.ptrtoint(%first) : !cute.ptr<i32, tmem, align<16>> to i32
             %lanes = arith.shli %warp, %c21 : i32
             %row = arith.addi %base, %lanes : i32
             %number = arith.muli %thread, %columns : i32
             scf.for %c = %c0 to %columns step %c1 : i32 {{
               %low = arith.addi %number, %c : i32
               %not = arith.xori %low, %ones : i32
               %high = arith.shli %not, %c16 : i32
               %both = arith.ori %low, %high : i32
               %place = arith.addi %row, %c : i32
               %to = llvm.inttoptr %place : i32 to !llvm.ptr<6>
               nvvm.tcgen05.st %to, %both {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : i32
             }}
             nvvm.tcgen05.wait <store>
             %mine = cute.make_coord(%thread) : (i32) -> !cute.coord<\"(_,?)\">
             %part = cute.slice(%registers, %mine) : !cute.memref<{elem}, gmem, \"(({values},1),{THREADS}):((1,0),{values})\">, !cute.coord<\"(_,?)\">
             %own = cute.memref.alloca() : !own
             %each = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<{elem}>
             {body}
             scf.for %c = %c0 to %columns step %c1 : i32 {{
               %place = arith.addi %row, %c : i32
               %from = llvm.inttoptr %place : i32 to !llvm.ptr<6>
               %found = nvvm.tcgen05.ld %from {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : i32
               %at = cute.make_coord(%c, %thread) : (i32, i32) -> !cute.coord<\"(?,?)\">
               cute.memref.store(%all, %at, %found) : (!all, !cute.coord<\"(?,?)\">, i32) -> ()
             }}
             nvvm.tcgen05.wait <load>
             nvvm.barrier0
             scf.if %is_first {{
               cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_1] : !cute.ptr<i32, tmem, align<16>>, i32
             }}
             gpu.return
           }}
         }}"
    )
}

/// What registers and tensor memory hold at the end.
fn run(name: &str, text: &str, registers: &[u8]) -> (Vec<u8>, Vec<u32>) {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, text).unwrap_or_else(|e| panic!("{name}: {e}"));
    cute_mlir::lower(&context, &mut module, Target::Sm100a).unwrap_or_else(|e| panic!("{name}: {e}"));
    let program = Program::decode(module.as_operation()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut memory = Memory::new();
    let buffers = [memory.upload(registers), memory.upload(&vec![0u32; THREADS * COLUMNS])];
    let launch = Launch::new("k", [1, 1, 1], [THREADS as u32, 1, 1]);
    let report = program.run(&launch, &mut memory, &buffers.map(Arg::Buffer));
    report.unwrap_or_else(|e| panic!("{name}: {e}"));
    (memory.download(buffers[0]), memory.download(buffers[1]))
}

/// An offset of a layout.
fn offset(layout: &Layout<i64>, coordinate: &Tuple<i64>) -> i64 {
    *crd2idx(&coordinate.to_coord(), layout).expect("a coordinate").as_leaf().expect("a number")
}

/// Lane and column of value `i` of a lane, for the warp that has the first lanes.
fn place(atom: &CopyAtom, registers: &Layout<i64>, bits: i64, lane: usize, i: usize) -> (usize, usize) {
    let bit = offset(registers, &Tuple::from_leaves([lane as i64, i as i64 * bits]));
    let memory = atom.tensor_memory.as_ref().expect("the atom is of tensor memory");
    let at = offset(memory, &Tuple::leaf(bit));
    ((at / LANE_BITS) as usize, (at % LANE_BITS / 32) as usize)
}

fn load_or_store(atom: &CopyAtom, shape: TmemShape, store: bool) {
    let TmemShape { lanes, bits, repeats, halves } = shape;
    let (elem, width) = if halves { ("i16", 16) } else { ("i32", 32) };
    let (verb, with) = if store { ("store", ", expand16b") } else { ("load", ", pack16b") };
    let with = if halves { with } else { "" };
    let of_type = format!("!cute_nvgpu.atom.tmem_{verb}<{elem}, {lanes} DP, {bits} bit, x{repeats}{with}>");
    let (registers, side) = if store { (&atom.src, CopySide::Dst) } else { (&atom.dst, CopySide::Src) };
    let values = size(&registers.mode(1).expect("values")).expect("a size") / width;
    let lies = atom.in_tensor_memory(side, width).expect("a place");
    let tensor = format!("!cute.memref<{elem}, tmem, align<16>, \"({}):({})\">", lies.shape(), lies.stride());
    let moved = match store {
        true => format!(
            "cute.copy(%each, %part, %own) : (!cute_nvgpu.atom.universal_copy<{elem}>, !part, !own)
             cute.copy(%atom, %own, %tensor) : ({of_type}, !own, {tensor})
             nvvm.tcgen05.wait <store>"
        ),
        false => format!(
            "cute.copy(%atom, %tensor, %own) : ({of_type}, {tensor}, !own)
             cute.copy(%each, %own, %part) : (!cute_nvgpu.atom.universal_copy<{elem}>, !own, !part)"
        ),
    };
    let body = format!(
        "%atom = cute.make_atom() : () -> {of_type}
         %own_lanes = cute.inttoptr(%row) : i32 to !cute.ptr<{elem}, tmem, align<16>>
         %tensor = cute.make_view(%own_lanes) : {tensor}
         {moved}"
    );
    let values = values as usize;
    let bytes = width as usize / 8;
    // Registers to store have numbers that no word begins with.
    let given: Vec<u8> = (0..THREADS * values)
        .flat_map(|i| (0xabcd_0000 | i as u32).to_le_bytes()[..bytes].to_vec())
        .collect();
    let (found, memory) = run(&atom.name, &module(elem, values as i64, &body), &given);
    let value = |of: &[u8], i: usize| {
        of[i * bytes..][..bytes].iter().rev().fold(0u32, |word, byte| word << 8 | u32::from(*byte))
    };
    let mask = if halves { 0xffff } else { u32::MAX };
    let mut expected: Vec<u32> = (0..THREADS * COLUMNS).map(|i| word(i / COLUMNS, i % COLUMNS)).collect();
    for thread in 0..THREADS {
        for i in 0..values {
            let (lane, column) = place(atom, registers, width, thread % WARP, i);
            let lane = thread / WARP * WARP + lane;
            let (register, at) = (thread * values + i, lane * COLUMNS + column);
            if store {
                // The other half of the word is nobody's.
                expected[at] = value(&given, register) | memory[at] & !mask;
            } else {
                let wanted = word(lane, column) & mask;
                assert_eq!(value(&found, register), wanted, "{}: thread {thread}, value {i}", atom.name);
            }
        }
    }
    same(&atom.name, &memory, &expected);
}

/// One CTA copies a tile of shared memory whose rows are in blocks of eight, 16 bytes of each.
fn copy(atom: &CopyAtom, fill: TmemFill) {
    let TmemFill { lanes, bits, broadcast, .. } = fill;
    let (what, halves, times) = match broadcast {
        Broadcast::Nothing => ("none", 1, 1),
        Broadcast::Lw0213 => ("lw_0213", 1, 2),
        Broadcast::Lw0123 => ("lw_0123", 2, 2),
        Broadcast::X4 => ("x4", 1, 4),
    };
    let (rows, units) = (lanes.min(8), bits / 128);
    let blocks = (lanes / halves).div_ceil(8);
    let behind = 32 * blocks * halves;
    let tile = format!(
        "((({rows},{blocks}),(4,{units}),{halves},{times})):(((4,32),(1,{behind}),{},0))",
        32 * blocks
    );
    let words = behind * units;
    let lies = atom.in_tensor_memory(CopySide::Dst, 32).expect("a place");
    let read = layout(&tile);
    let of_type = format!("!cute_nvgpu.atom.s2t_copy<i32, {lanes} DP, {bits} bit, 1 cta, {what}>");
    let tensor =
        format!("!cute.memref<i32, tmem, align<16>, \"(({})):(({}))\">", lies.shape(), lies.stride());
    let memory = format!("!cute.memref<i32, smem, align<128>, \"({words}):(1)\">");
    let view = format!("!cute.memref<i32, smem, align<128>, \"{tile}\">");
    let in_units = upcast(&read, 4).expect("units");
    let descs = format!("!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"{in_units}\">");
    let body = format!(
        "%memory = cute.memref.alloc_smem() : {memory}
         %words = arith.constant {words} : i32
         %threads = arith.constant {THREADS} : i32
         %mark = arith.constant {MARK} : i32
         scf.for %i = %thread to %words step %threads : i32 {{
           %value = arith.ori %i, %mark : i32
           %at = cute.make_coord(%i) : (i32) -> !cute.coord<\"?\">
           cute.memref.store(%memory, %at, %value) : ({memory}, !cute.coord<\"?\">, i32) -> ()
         }}
         %bars = cute.memref.alloc_smem() : !cute.memref<i64, smem, align<8>, \"1:0\">
         %bar_at = cute.get_iter(%bars) : !cute.memref<i64, smem, align<8>, \"1:0\">
         %bar = builtin.unrealized_conversion_cast %bar_at : !cute.ptr<i64, smem, align<8>> to !llvm.ptr<3>
         scf.if %is_first {{
           %one = nvvm.elect.sync -> i1
           scf.if %one {{
             nvvm.mbarrier.init %bar, %c1 : !llvm.ptr<3>, i32
             nvvm.fence.mbarrier.init
           }}
         }}
         nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
         nvvm.tcgen05.fence <before>
         nvvm.barrier0
         nvvm.tcgen05.fence <after>
         %start = cute.get_iter(%memory) : {memory}
         %tile = cute.make_view(%start) : {view}
         %atom = cute.make_atom() : () -> {of_type}
         %descs = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : ({of_type}, {view}) -> {descs}
         %to = cute.make_view(%first) : {tensor}
         scf.if %is_first {{
           cute.copy(%atom, %descs, %to) : ({of_type}, {descs}, {tensor})
           %one = nvvm.elect.sync -> i1
           scf.if %one {{
             nvvm.tcgen05.commit %bar : !llvm.ptr<3>
           }}
         }}
         nvvm.mbarrier.try_wait.parity %bar, %c0, %words : !llvm.ptr<3>, i32, i32
         nvvm.tcgen05.fence <after>"
    );
    let (_, found) = run(&atom.name, &module("i32", 1, &body), &[0; 4 * THREADS]);
    let mut expected: Vec<u32> = (0..THREADS * COLUMNS).map(|i| word(i / COLUMNS, i % COLUMNS)).collect();
    for i in 0..size(&lies).expect("a size") {
        let (from, to) = (offset(&read, &Tuple::leaf(i)), offset(&lies, &Tuple::leaf(i)) as usize);
        expected[(to >> 16) * COLUMNS + (to & 0xffff)] = MARK | from as u32;
    }
    same(&atom.name, &found, &expected);
}

/// That tensor memory holds what it should.
fn same(name: &str, found: &[u32], expected: &[u32]) {
    let wrong = (0..expected.len()).find(|i| expected[*i] != found[*i]);
    let wrong = wrong.map(|i| (i / COLUMNS, i % COLUMNS, found[i], expected[i]));
    assert_eq!(wrong, None, "{name}: lane, column, found, expected");
}

/// Shapes of few registers; with `CUTE_FULL` set, as `./dev test --full` does, all of them.
#[test]
fn every_element_goes_where_cute_says() {
    let full = env::var_os("CUTE_FULL").is_some();
    let mut tried = 0;
    for atom in atoms::copy_atoms() {
        let (shape, store) = match atom.instruction {
            CopyInstruction::TmemLoad(shape) => (shape, false),
            CopyInstruction::TmemStore(shape) => (shape, true),
            CopyInstruction::TmemCopy(fill) if fill.ctas == 1 => {
                copy(atom, fill);
                tried += 1;
                continue;
            }
            _ => continue,
        };
        if full || shape.repeats == 1 {
            load_or_store(atom, shape, store);
            tried += 1;
        }
    }
    assert_eq!(tried, if full { 154 } else { 26 });
}

/// Modes of a tiler as types have them: `((32,16):(32,1),1:0)` is `[(32,16):(32,1);1:0]`.
fn as_tile(tiler: &str) -> String {
    let inner = tiler.strip_prefix('(').and_then(|t| t.strip_suffix(')')).expect("a tiler of modes");
    let mut depth = 0;
    let separated = inner.chars().map(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ',' && depth == 0 { ';' } else { c }
    });
    format!("[{}]", separated.collect::<String>())
}

fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).expect("a layout").to_const().expect("numbers")
}

/// Sums as an MMA leaves them, loaded by a tiled copy and stored to a matrix with contiguous rows.
fn sums(entry: &Json) {
    let text = |path: &str| entry.pointer(path).and_then(Json::as_str).expect("a text");
    let (name, sums, part) = (text("/args/tmem_copy"), text("/result/tmem_C"), text("/result/part_S"));
    let atom = CopyAtom::by_name(name).expect("an atom");
    let CopyInstruction::TmemLoad(TmemShape { lanes, bits, repeats, .. }) = atom.instruction else {
        panic!("{name} loads tensor memory");
    };
    let tile = parse_shape(text("/args/tile_mn")).expect("a tile").to_const().expect("numbers");
    let [rows, columns] = tile.leaves()[..] else { panic!("{tile} has rows and columns") };
    let places = layout(sums);
    let extent = |of: &Layout<i64>, mode: usize| size(&of.mode(mode).expect("a mode")).expect("a size");
    let one = places.mode(0).expect("a mode");
    let [m, n, rest_m, rest_n] = [extent(&one, 0), extent(&one, 1), extent(&places, 1), extent(&places, 2)];
    let matrix = format!("(({m},{n}),{rest_m},{rest_n}):(({columns},1),{},{n})", m * columns);
    let stored = text("/result/part_D_gmem/layout");
    let own = make_fragment_like(&layout(stored)).expect("a fragment");
    let of_type = format!("!cute_nvgpu.atom.tmem_load<i32, {lanes} DP, {bits} bit, x{repeats}>");
    let tiled = format!(
        "!cute.tiled_copy<{of_type}, layout_copy_tv = <\"{}\">, tiler_mn = <\"{}\">>",
        text("/result/tiled_layout_TV"),
        as_tile(text("/result/tiler_mn"))
    );
    let view = |space: &str, layout: &str| format!("!cute.memref<i32, {space}, align<4>, \"{layout}\">");
    let (tensor, part, own, to, stored) = (
        view("tmem", sums),
        view("tmem", part),
        view("rmem", &own.to_string()),
        view("gmem", &matrix),
        view("gmem", stored),
    );
    let all = format!("!cute.memref<i32, gmem, \"({COLUMNS},{THREADS}):(1,{COLUMNS})\">");
    let body = format!(
        "%atom = cute.make_atom() : () -> {of_type}
         %begin = cute.recast_iter(%first) : !cute.ptr<i32, tmem, align<16>> to !cute.ptr<i32, tmem, align<4>>
         %sums = cute.make_view(%begin) : {tensor}
         %tiled = cute_nvgpu.atom.make_tmem_copy(%atom, %sums) : ({of_type}, {tensor}) -> {tiled}
         %number_of = cute.make_coord(%thread) : (i32) -> !cute.coord<\"?\">
         %source = cute.tiled.copy.partition_S(%tiled, %sums, %number_of) : ({tiled}, {tensor}, !cute.coord<\"?\">) -> {part}
         %out = cute.get_iter(%all) : {all}
         %out_at = cute.recast_iter(%out) : !cute.ptr<i32, gmem> to !cute.ptr<i32, gmem, align<4>>
         %matrix = cute.make_view(%out_at) : {to}
         %target = cute.tiled.copy.partition_D(%tiled, %matrix, %number_of) : ({tiled}, {to}, !cute.coord<\"?\">) -> {stored}
         %sums_of = cute.memref.alloca() : {own}
         cute.copy(%atom, %source, %sums_of) : ({of_type}, {part}, {own})
         cute.copy(%each, %sums_of, %target) : (!cute_nvgpu.atom.universal_copy<i32>, {own}, {stored})"
    );
    // The matrix takes the place of what all columns hold.
    let text = module("i32", 1, &body);
    let text = match text.rfind("scf.for %c = %c0") {
        Some(at) => text[..at].to_string() + &text[at..].replacen("%c0 to %columns", "%c0 to %c0", 1),
        None => panic!("the columns are read at the end"),
    };
    let (_, found) = run(name, &text, &[0; 4 * THREADS]);
    for row in 0..rows {
        for column in 0..columns {
            let at = [[row % m, column % n], [row / m, column / n]];
            let coordinate =
                Tuple::from_modes([Tuple::from_leaves(at[0]), Tuple::leaf(at[1][0]), Tuple::leaf(at[1][1])]);
            let place = offset(&places, &coordinate) as usize;
            let wanted = word(place >> 16, place & 0xffff);
            let place = (row * columns + column) as usize;
            assert_eq!(found[place], wanted, "{entry}: row {row}, column {column}");
        }
    }
}

/// Every fifth; with `CUTE_FULL` set, as `./dev test --full` does, all of them.
#[test]
fn sums_are_loaded_as_cutlass_partitions_them() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/cute/tmem_copy.json");
    let entries: Vec<Json> =
        serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("vectors");
    // An atom whose lanes are not the tensor's is refused: the layouts' own tests have that.
    let loaded: Vec<_> = entries.iter().filter(|entry| entry.pointer("/result/error").is_none()).collect();
    assert!(loaded.len() >= 36);
    let step = if env::var_os("CUTE_FULL").is_some() { 1 } else { 6 };
    loaded.into_iter().step_by(step).for_each(sums);
}

/// Between registers of two forms, as the example has it: what is loaded is what was stored.
#[test]
fn a_tile_goes_through_tensor_memory() {
    let text = include_str!("../../examples/blackwell/load_store.mlir");
    let given: Vec<u32> = (0..THREADS as u32 * 64).collect();
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, text).expect("the example is read");
    cute_mlir::lower(&context, &mut module, Target::Sm100a).expect("the example is lowered");
    let program = Program::decode(module.as_operation()).expect("the example is decoded");
    let mut memory = Memory::new();
    let buffers = [memory.upload(&given), memory.upload(&vec![0u32; given.len()])];
    let launch = Launch::new("load_store", [1, 1, 1], [THREADS as u32, 1, 1]);
    program.run(&launch, &mut memory, &buffers.map(Arg::Buffer)).expect("the example runs");
    assert_eq!(memory.download::<u32>(buffers[1]), given);
}
