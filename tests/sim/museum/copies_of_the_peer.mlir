// The copies of one block are handed to another one by an arrival whose scope is the first block alone.
//
// Reported: https://github.com/NVIDIA/cutlass/issues/3324 (stale reads in kernels that mix TMA and
// cp.async), read 2026-11-22; closed. Also https://github.com/NVIDIA/cutlass/issues/3643 and
// https://github.com/Dao-AILab/quack/issues/63. Confirmed there by wrong results on devices. The
// reader is a load here instead of a matrix instruction.
//
// M14: counting works across blocks whatever the scope, but what the thread has written is
// published, and learned by whoever waits, only as far as the scopes of the two go.
//
// launch: 2 32 2
// args: i32[32]=7 i32[32]
// finds: race
// says: nothing orders it with the asynchronous copy by thread (0, 0, 0) of block (1, 0, 0)
// gives: 7 7

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %copies = llvm.icmp "eq" %rank, %c1 : i32
    llvm.cond_br %copies, ^copy, ^read
  ^copy:
    %src = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    nvvm.cp.async.shared.global %a, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    %full = nvvm.mapa %barriers, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.mbarrier.arrive %full : !llvm.ptr<7> // broken
    nvvm.mbarrier.arrive %full {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7> // repaired
    llvm.br ^end
  ^read:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32 // broken
    llvm.inline_asm has_side_effects "{ .reg .pred P; AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P, [$0], $1; @!P bra AGAIN; }", "r,r" %barriers, %c0 : (!llvm.ptr<3>, i32) -> () // repaired
    %there = nvvm.mapa %a, %c1 : !llvm.ptr<3> -> !llvm.ptr<7>
    %v = llvm.load %there : !llvm.ptr<7> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
