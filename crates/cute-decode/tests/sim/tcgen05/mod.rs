//! Tensor memory and `tcgen05`, beside plain loops.

mod address;
mod copies;
mod fences;
mod mma;
mod moves;
mod reduced;
mod scales;
mod text;

use cute_sim::Schedule;

const SCHEDULES: [Schedule; 5] =
    [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1), Schedule::Random(77)];

/// Memory for addresses and barriers.
const GLOBALS: &str = "llvm.mlir.global internal @address() {addr_space = 3 : i32} : !llvm.array<4 x i32>
     llvm.mlir.global internal @done() {addr_space = 3 : i32} : !llvm.array<2 x i64>\n";

/// 128 threads, of which warp 0 allocates `columns` columns, run a body that knows their address as
/// the integer `%tm` and the warp's own lanes from `%own` on; then warp 0 frees them. Two
/// blocks do so as a pair.
fn with_columns(columns: u32, pair: bool, body: &str) -> String {
    let group = if pair { " {group = #nvvm.cta_group<cta_2>}" } else { "" };
    let meet = if pair { "nvvm.cluster.arrive\nnvvm.cluster.wait" } else { "nvvm.barrier0" };
    format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
         %zero = llvm.mlir.constant(0 : i32) : i32
         %one = llvm.mlir.constant(1 : i32) : i32
         %true = llvm.mlir.constant(true) : i1
         %c16 = llvm.mlir.constant(16 : i32) : i32
         %c32 = llvm.mlir.constant(32 : i32) : i32
         %c128 = llvm.mlir.constant(128 : i32) : i32
         %columns = llvm.mlir.constant({columns} : i32) : i32
         %warp = llvm.udiv %t, %c32 : i32
         %is_first = llvm.icmp \"eq\" %warp, %zero : i32
         %is_thread = llvm.icmp \"eq\" %t, %zero : i32
         %kept = llvm.mlir.addressof @address : !llvm.ptr<3>
         %done = llvm.mlir.addressof @done : !llvm.ptr<3>
         nvvm.cluster.arrive
         nvvm.cluster.wait
         llvm.cond_br %is_first, ^allocate, ^allocated
       ^allocate:
         nvvm.tcgen05.alloc %kept, %columns{group} : !llvm.ptr<3>, i32
         nvvm.tcgen05.relinquish_alloc_permit{group}
         nvvm.mbarrier.init %done, %one, predicate = %is_thread : !llvm.ptr<3>, i32, i1
         nvvm.fence.mbarrier.init
         llvm.br ^allocated
       ^allocated:
         nvvm.tcgen05.fence <before>
         {meet}
         nvvm.tcgen05.fence <after>
         %tm = llvm.load %kept : !llvm.ptr<3> -> i32
         %c21 = llvm.mlir.constant(21 : i32) : i32
         %lane0 = llvm.shl %warp, %c21 : i32
         %own = llvm.add %tm, %lane0 : i32
         {body}
         nvvm.tcgen05.fence <before>
         {meet}
         llvm.cond_br %is_first, ^give_back, ^gave_back
       ^give_back:
         %all = llvm.inttoptr %tm : i32 to !llvm.ptr<6>
         nvvm.tcgen05.dealloc %all, %columns{group} : !llvm.ptr<6>, i32
         llvm.br ^gave_back
       ^gave_back:\n"
    )
}

/// A vector type with this number of words.
fn words(count: usize) -> String {
    if count == 1 { "i32".to_owned() } else { format!("vector<{count}xi32>") }
}
