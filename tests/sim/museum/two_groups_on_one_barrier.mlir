// Two pairs of warps use one named barrier at the same time.
//
// No public report.
//
// C4: a named barrier counts threads, whichever they are. Any two of the four warps may meet there.
//
// launch: 1 128
// args: i32[128]
// finds: barrier_shared
// says: chance decides which threads meet
// gives: 32 33

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<128 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %a : i32, !llvm.ptr<3>
    %pair = llvm.udiv %t, %c64 : i32
    %own = llvm.add %pair, %c1 : i32
    nvvm.barrier id = %c1 number_of_threads = %c64 // broken
    nvvm.barrier id = %own number_of_threads = %c64 // repaired
    %i = llvm.xor %t, %c32 : i32
    %b = llvm.getelementptr %slot[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %to : i32, !llvm.ptr<1>
    llvm.return
  }
}
