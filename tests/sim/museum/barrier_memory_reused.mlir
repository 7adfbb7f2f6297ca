// An epilogue stages its data where a barrier still lies.
//
// No public report; shared memory of a main loop is often used again by an epilogue.
//
// M16: `mbarrier.inval` comes before the bytes of a barrier are used for anything else.
//
// launch: 1 32
// args: i32[1]
// finds: barrier_storage
// says: only mbarrier operations may use it until it is invalidated
// gives: 3

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    llvm.cond_br %first, ^stage, ^end
  ^stage:
    nvvm.mbarrier.inval %barriers : !llvm.ptr<3> // repaired
    llvm.store %c3, %barriers : i32, !llvm.ptr<3>
    %v = llvm.load %barriers : !llvm.ptr<3> -> i32
    llvm.store %v, %out : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
