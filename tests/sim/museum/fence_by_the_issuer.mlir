// Only the thread that issues a store executes the proxy fence, behind the barrier.
//
// No public report; CUTLASS's epilogues fence in every writer. ThunderKittens' stores fence in the
// lane that issues them (include/ops/thread/memory/tile/tma.cuh).
//
// X1: the writer is the one whose writes the fence is for. One fence by the issuer is a matter of
// portability: a widely used library relies on it, and no device was seen to fail.
//
// launch: 1 32
// args: i32[32]
// finds: proxy_order
// says: shared memory @slot
// grade: portability
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
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>} // broken
    nvvm.cp.async.bulk.global.shared.cta %out, %slot, %c128 : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^end
  ^end:
    llvm.return
  }
}
