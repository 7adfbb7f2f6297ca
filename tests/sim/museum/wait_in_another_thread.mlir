// One thread commits a store, and another one waits for it.
//
// No public report; the waiting thread is elected anew.
//
// X6: groups belong to the thread that commits them. For another thread `wait_group` waits for
// nothing.
//
// launch: 1 64
// args: i32[32]
// finds: race
// says: shared memory @slot
// gives: 0 1 2

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    %other = llvm.icmp "eq" %t, %c32 : i32 // broken
    %other = llvm.icmp "eq" %t, %c0 : i32 // repaired
    llvm.cond_br %first, ^send, ^next
  ^send:
    nvvm.cp.async.bulk.global.shared.cta %out, %slot, %c128 : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    llvm.br ^next
  ^next:
    llvm.cond_br %other, ^wait, ^met
  ^wait:
    nvvm.cp.async.bulk.wait_group 0 {read}
    llvm.br ^met
  ^met:
    nvvm.barrier0
    llvm.store %c7, %a : i32, !llvm.ptr<3>
    llvm.return
  }
}
