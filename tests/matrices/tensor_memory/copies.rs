//! `tcgen05.cp`, every shape, of one CTA and of a pair: each word of shared memory goes to the lane
//! and the column that CuTe's layouts of the atom give, in each CTA from its own shared memory.

use cute_algebra::{CopySide, Tuple, size, upcast};
use cute_arch::atoms::{self, Broadcast, CopyAtom, CopyInstruction, TmemFill};

use super::{COLUMNS, THREADS, assert_words, layout, module, offset, run, word};

/// The upper half of each word of shared memory.
const MARK: u32 = 0x5a5a_0000;
/// The bit of a word of shared memory that is the rank of its CTA.
const RANK_BIT: u32 = 15;

/// Copies a tile of shared memory whose rows lie in blocks of eight, 16 bytes of each.
fn copy(atom: &CopyAtom, fill: TmemFill) {
    let TmemFill { lanes, bits, broadcast, ctas } = fill;
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
    let of_type = format!("!cute_nvgpu.atom.s2t_copy<i32, {lanes} DP, {bits} bit, {ctas} cta, {what}>");
    let tensor =
        format!("!cute.memref<i32, tmem, align<16>, \"(({})):(({}))\">", lies.shape(), lies.stride());
    let memory = format!("!cute.memref<i32, smem, align<128>, \"({words}):(1)\">");
    let view = format!("!cute.memref<i32, smem, align<128>, \"{tile}\">");
    let in_units = upcast(&read, 4).expect("units");
    let descs = format!("!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, \"{in_units}\">");
    let (meet, commit) = match ctas {
        1 => ("nvvm.barrier0", "nvvm.tcgen05.commit %bar : !llvm.ptr<3>"),
        _ => (
            "nvvm.cluster.arrive\n nvvm.cluster.wait",
            "nvvm.tcgen05.commit %bar, multicast_mask = %pair {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i16",
        ),
    };
    let body = format!(
        "%memory = cute.memref.alloc_smem() : {memory}
         %words = arith.constant {words} : i32
         %mark = arith.constant {MARK} : i32
         %rank_bit = arith.constant {RANK_BIT} : i32
         %of_rank = arith.shli %rank, %rank_bit : i32
         %marked = arith.ori %of_rank, %mark : i32
         scf.for %i = %thread to %words step %threads : i32 {{
           %value = arith.ori %i, %marked : i32
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
         {meet}
         nvvm.tcgen05.fence <after>
         %start = cute.get_iter(%memory) : {memory}
         %tile = cute.make_view(%start) : {view}
         %atom = cute.make_atom() : () -> {of_type}
         %descs = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%atom, %tile) : ({of_type}, {view}) -> {descs}
         %to = cute.make_view(%first) : {tensor}
         %pair = arith.constant 3 : i16
         %leads = arith.cmpi eq, %rank, %c0 : i32
         %issues = arith.andi %leads, %is_first : i1
         scf.if %issues {{
           cute.copy(%atom, %descs, %to) : ({of_type}, {descs}, {tensor})
           %one = nvvm.elect.sync -> i1
           scf.if %one {{
             {commit}
           }}
         }}
         nvvm.mbarrier.try_wait.parity %bar, %c0, %words : !llvm.ptr<3>, i32, i32
         nvvm.tcgen05.fence <after>"
    );
    let ctas = ctas as usize;
    let registers = vec![0; 4 * ctas * THREADS];
    let (_, found) = run(&atom.name, ctas, &module(ctas, "i32", 1, &body), &registers);
    for (rank, found) in found.chunks_exact(THREADS * COLUMNS).enumerate() {
        let mut expected: Vec<u32> = (0..THREADS * COLUMNS).map(|i| word(i / COLUMNS, i % COLUMNS)).collect();
        for i in 0..size(&lies).expect("a size") {
            let (from, to) = (offset(&read, &Tuple::leaf(i)), offset(&lies, &Tuple::leaf(i)) as usize);
            expected[(to >> 16) * COLUMNS + (to & 0xffff)] = MARK | (rank as u32) << RANK_BIT | from as u32;
        }
        assert_words(&format!("{}, CTA {rank}", atom.name), found, &expected);
    }
}

#[test]
fn every_word_is_copied_where_cute_says() {
    let mut tried = 0;
    for atom in atoms::copy_atoms() {
        let CopyInstruction::TmemCopy(fill) = atom.instruction else { continue };
        copy(atom, fill);
        tried += 1;
    }
    assert_eq!(tried, 12);
}
