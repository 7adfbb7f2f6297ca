// Two roles use one named barrier with different numbers of threads.
//
// No public report; a count that is computed in two places.
//
// C4: all threads that take part in one use of a barrier give the same count.
//
// launch: 1 96
// finds: barrier_counts
// says: barrier 1 completes with

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c96 = llvm.mlir.constant(96 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %one = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %one, ^arrive, ^rest
  ^arrive:
    nvvm.barrier.arrive id = %c1 number_of_threads = %c64 // broken
    nvvm.barrier.arrive id = %c1 number_of_threads = %c96 // repaired
    llvm.br ^end
  ^rest:
    nvvm.barrier id = %c1 number_of_threads = %c96
    llvm.br ^end
  ^end:
    llvm.return
  }
}
