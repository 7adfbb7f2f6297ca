// The lanes of each warp wait, and meet at a vote. One lane of each warp then decrements a counter for
// all of them, and the last one invalidates the barrier, as `cuda::pipeline` does.
//
// M16: a vote does not order memory, but a wait that has returned has nothing in flight. Order of
// execution is enough before `mbarrier.inval`.
//
// launch: 1 64
// args: i32[64]
// gives: 3 3 3

gpu.module @kernels {
  llvm.mlir.global internal @barrier() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @counter() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<1 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %true = llvm.mlir.constant(true) : i1
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %lane = llvm.urem %t, %c32 : i32
    %barrier = llvm.mlir.addressof @barrier : !llvm.ptr<3>
    %counter = llvm.mlir.addressof @counter : !llvm.ptr<3>
    llvm.cond_br %first, ^begin, ^begun
  ^begin:
    nvvm.mbarrier.init %barrier, %c64 : !llvm.ptr<3>, i32
    llvm.store %c64, %counter : i32, !llvm.ptr<3>
    llvm.br ^begun
  ^begun:
    nvvm.barrier0
    %s = nvvm.mbarrier.arrive %barrier : !llvm.ptr<3> -> i64
    nvvm.mbarrier.try_wait.parity %barrier, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c3, %to : i32, !llvm.ptr<1>
    %met = nvvm.vote.sync ballot %all, %true -> i32
    %speaks = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %speaks, ^leave, ^end
  ^leave:
    %lanes = llvm.intr.ctpop(%met) : (i32) -> i32
    %fewer = llvm.sub %c0, %lanes : i32
    %left = llvm.atomicrmw add %counter, %fewer syncscope("block") acq_rel : !llvm.ptr<3>, i32
    %last = llvm.icmp "eq" %left, %lanes : i32
    llvm.cond_br %last, ^end_of_use, ^end
  ^end_of_use:
    nvvm.mbarrier.inval %barrier : !llvm.ptr<3>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
