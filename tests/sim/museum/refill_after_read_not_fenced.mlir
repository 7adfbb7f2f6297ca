// A slot is read by threads and refilled by the TMA behind a barrier, without a proxy fence.
//
// Reported: https://github.com/deepseek-ai/DeepEP/pull/642, read 2026-11-28; merged.
// https://github.com/deepseek-ai/DeepEP/issues/621 has wrong results without it. Also
// https://github.com/NVIDIA/TransformerEngine/pull/2695 (a proxy fence between the reads of a stage and
// its next load) and https://github.com/triton-lang/triton/pull/7262.
//
// X4: a generic read comes before an async write of the same bytes only behind a
// `fence.proxy.async`, as the ISA has it.
//
// Relied on by CUTLASS (sm120_mma_tma.hpp, and its sm_90 main loops with A in registers), whose kernels
// have not been seen to fail. DeepEP's failed on GB200, and the fence cured it. So it is disputed.
//
// launch: 1 64
// args: i32[64]=4 i32[32]
// finds: proxy_order
// says: shared memory @slot
// grade: portability
// gives: 8 8

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %empty = llvm.getelementptr %barriers[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %empty, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %produces = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %produces, ^producer, ^consume(%c0, %c0 : i32, i32)
  ^producer:
    llvm.cond_br %first, ^produce(%c0 : i32), ^end
  ^produce(%k: i32):
    %free = llvm.xor %k, %c1 : i32
    nvvm.mbarrier.try_wait.parity %empty, %free, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.arrive.expect_tx %barriers, %c128 : !llvm.ptr<3>, i32
    %row = llvm.mul %k, %c32 : i32
    %src = llvm.getelementptr %in[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    nvvm.cp.async.bulk.shared.cluster.global %there, %src, %barriers, %c128 : !llvm.ptr<7>, !llvm.ptr<1>
    %k1 = llvm.add %k, %c1 : i32
    %again = llvm.icmp "ult" %k1, %c2 : i32
    llvm.cond_br %again, ^produce(%k1 : i32), ^end
  ^consume(%n: i32, %sum: i32):
    %lane = llvm.sub %t, %c32 : i32
    nvvm.mbarrier.try_wait.parity %barriers, %n, %ticks : !llvm.ptr<3>, i32, i32
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // repaired
    %s = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
    %sum1 = llvm.add %sum, %v : i32
    %n1 = llvm.add %n, %c1 : i32
    %more = llvm.icmp "ult" %n1, %c2 : i32
    llvm.cond_br %more, ^consume(%n1, %sum1 : i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
