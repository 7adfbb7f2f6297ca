// A block asks for another cluster, and takes its first block without asking whether there is one.
//
// No public report; with fewer clusters than the device has room for every request is refused.
//
// C8: the response to a request that is refused has no first block.
//
// launch: 1 32
// args: i32[32]
// finds: undefined
// says: took it from a response that no cluster was cancelled, so there is no first block
// gives: 1 1

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @answer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %answer = llvm.mlir.addressof @answer : !llvm.ptr<3>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    llvm.cond_br %first, ^ask, ^wait
  ^ask:
    nvvm.mbarrier.arrive.expect_tx %full, %c16 : !llvm.ptr<3>, i32
    nvvm.clusterlaunchcontrol.try.cancel %answer, %full
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %r = llvm.load %answer : !llvm.ptr<3> -> i128
    %canceled = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %r : i1
    llvm.br ^next // broken
    llvm.cond_br %canceled, ^next, ^store(%c1 : i32) // repaired
  ^next:
    %x = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %r : i32
    llvm.br ^store(%x : i32)
  ^store(%v: i32):
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
