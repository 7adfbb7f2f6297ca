// A kernel makes a tensor map, releases it, and copies by it without an acquire.
//
// Reported: https://github.com/triton-lang/triton/pull/7293 (a fence is missing behind the update of
// a descriptor), read 2026-11-22; merged. A plausible cause of
// https://github.com/triton-lang/triton/issues/6638. Also https://github.com/NVIDIA/cutlass/issues/3165,
// known as a reference; the thread was not read.
//
// X10: behind the change comes a release of the tensormap proxy, as in tensormap.cp_fenceproxy, and
// then an acquire of the map by whoever copies.
//
// launch: 1 32
// args: i32[32]=7 i32[64] i32[32]
// finds: unfenced_map
// says: may not see the change: the copying thread must execute `fence.proxy.tensormap::generic.acquire`
// gives: 7 7

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.mlir.global internal @map() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<16 x i64>
  llvm.func @kernel(%in: !llvm.ptr<1>, %work: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %map = llvm.mlir.addressof @map : !llvm.ptr<3>
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    %generic = llvm.addrspacecast %work : !llvm.ptr<1> to !llvm.ptr
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    // A map of boxes of one mode of 32 elements of s32.
    %zero = llvm.mlir.constant(0 : i64) : i64
    %kind = llvm.mlir.constant(0x40182 : i64) : i64
    %extent = llvm.mlir.constant(31 : i64) : i64
    %box = llvm.mlir.constant(0x1f00000000000000 : i64) : i64
    %is1 = llvm.icmp "eq" %t, %c1 : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c6 = llvm.mlir.constant(6 : i32) : i32
    %is4 = llvm.icmp "eq" %t, %c4 : i32
    %is6 = llvm.icmp "eq" %t, %c6 : i32
    %w1 = llvm.select %is1, %kind, %zero : i1, i64
    %w4 = llvm.select %is4, %extent, %w1 : i1, i64
    %word = llvm.select %is6, %box, %w4 : i1, i64
    %own = llvm.getelementptr %map[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %writes = llvm.icmp "ult" %t, %c16 : i32
    llvm.cond_br %writes, ^write, ^written
  ^write:
    llvm.store %word, %own : i64, !llvm.ptr<3>
    llvm.br ^written
  ^written:
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %first, ^replace, ^replaced
  ^replace:
    %address = llvm.ptrtoint %in : !llvm.ptr<1> to i64
    llvm.call_intrinsic "llvm.nvvm.tensormap.replace.global.address"(%map, %address) : (!llvm.ptr<3>, i64) -> ()
    llvm.br ^replaced
  ^replaced:
    nvvm.bar.warp.sync %all : i32
    llvm.inline_asm has_side_effects "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;", "l,r" %work, %map : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
    llvm.cond_br %first, ^load, ^wait
  ^load:
    nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %generic, %c128 // repaired
    nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %generic, %full, box[%c0] : !llvm.ptr<7>, !llvm.ptr
    llvm.br ^wait
  ^wait:
    nvvm.bar.warp.sync %all : i32
    nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
