// One role of a block waits at the barrier of all its threads, and the other never gets there.
//
// Reported: https://github.com/triton-lang/triton/pull/9786 (`bar.sync 0` within a role of a
// warp-specialized kernel), read 2026-11-22 as a reference; the thread itself was not at hand, the
// mechanism is taken from https://github.com/triton-lang/triton/pull/9456, which moves barriers of
// clusters out of such roles because they deadlock there.
//
// C4: barrier 0 without a count is for all threads of the block. A role has a named barrier with
// the count of its own threads.
//
// launch: 1 64
// finds: divergence
// says: 32 of 64 threads wait here; thread (32, 0, 0) has returned

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %works = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %works, ^role, ^end
  ^role:
    nvvm.barrier0 // broken
    nvvm.barrier id = %c1 number_of_threads = %c32 // repaired
    llvm.br ^end
  ^end:
    llvm.return
  }
}
