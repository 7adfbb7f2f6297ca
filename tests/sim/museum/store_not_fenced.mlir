// A tile is written by threads and sent by the TMA, with a barrier between and no proxy fence.
//
// Reported: https://github.com/MoonshotAI/FlashKDA/issues/24 (an audit of proxy fences around TMA
// stores; closed) and https://github.com/triton-lang/triton/pull/11097, read 2026-11-22. An audit;
// a failure was not shown there. https://github.com/NVIDIA/cudnn-frontend/pull/784 (merged), read
// 2026-11-23, shows one: 120 elements of two equal launches differ.
//
// X1: what the generic proxy wrote is visible to the async proxy only behind a `fence.proxy.async`.
// Every writer fences, then comes the barrier.
//
// launch: 1 32
// args: i32[32]
// finds: unfenced
// says: shared memory @slot
// gives: 0 1 2 3

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // repaired
    nvvm.barrier0
    llvm.cond_br %first, ^send, ^end
  ^send:
    nvvm.cp.async.bulk.global.shared.cta %out, %slot, %c128 : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^end
  ^end:
    llvm.return
  }
}
