// A block without work returns at once, and its neighbour arrives at its barrier.
//
// Reported: https://github.com/facebookexperimental/triton/pull/1108 (a last remote arrival comes
// after its target has gone), read 2026-11-22. Confirmed there by the error "cluster target block
// not present". Also https://github.com/sgl-project/sglang/pull/32954, known as a reference; the
// thread was not read.
//
// C2: a remote arrival needs the block of the barrier to be there. A block without work has to stay
// until the last arrival has come.
//
// launch: 2 32 2
// finds: exited
// says: of block 1 of the cluster is used when all threads of that block may have returned

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %is0 = llvm.icmp "eq" %rank, %c0 : i32
    llvm.cond_br %is0, ^work, ^ragged
  ^work:
    %peer = nvvm.mapa %barriers, %c1 : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.cond_br %first, ^arrive, ^end
  ^arrive:
    nvvm.mbarrier.arrive %peer : !llvm.ptr<7>
    llvm.br ^end
  ^ragged:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32 // repaired
    llvm.br ^end
  ^end:
    llvm.return
  }
}
