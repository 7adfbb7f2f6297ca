// One role of a block waits at the barrier of all its threads, and the other waits elsewhere for it.
//
// Reported: https://github.com/triton-lang/triton/pull/9786 (`bar.sync 0` within a role of a
// warp-specialized kernel), read 2026-11-22 as a reference; the thread itself was not at hand, the
// mechanism is taken from https://github.com/triton-lang/triton/pull/9456, which moves barriers of
// clusters out of such roles because they deadlock there.
//
// C4: barrier 0 without a count is for all threads of the block that have not returned. A role has a
// named barrier with the count of its own threads.
//
// launch: 1 64
// finds: deadlock
// says: barrier 0 for 64 threads

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %works = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %works, ^role, ^meet
  ^role:
    nvvm.barrier0 // broken
    nvvm.barrier id = %c1 number_of_threads = %c32 // repaired
    llvm.br ^meet
  ^meet:
    nvvm.barrier id = %c2 number_of_threads = %c64
    llvm.return
  }
}
