// Two warps arrive at a barrier that expects one arrival and that nobody waits for.
//
// M5, M9: each arrival ends a phase. Which one does is a matter of chance, but nothing depends on it.
//
// launch: 1 64

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %lane = llvm.urem %t, %c32 : i32
    %is_0 = llvm.icmp "eq" %lane, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.barrier0
    llvm.cond_br %is_0, ^arrive, ^end
  ^arrive:
    %s = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^end:
    llvm.return
  }
}
