// A thread invalidates a barrier before the bytes of a copy have been counted there.
//
// No public report.
//
// M16: the copy uses the barrier until a thread has waited for the phase that counts its bytes.
//
// launch: 1 32
// args: i32[32]=5
// finds: mbarrier
// says: is invalidated, but nothing orders that after its use by thread (0, 0, 0) of block (0, 0, 0), `nvvm.cp.async.bulk.shared.cluster.global`

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.barrier0
    llvm.cond_br %first, ^copy, ^end
  ^copy:
    nvvm.mbarrier.arrive.expect_tx %barriers, %c128 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.shared.cluster.global %there, %in, %barriers, %c128 : !llvm.ptr<7>, !llvm.ptr<1>
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32 // repaired
    nvvm.mbarrier.inval %barriers : !llvm.ptr<3>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
