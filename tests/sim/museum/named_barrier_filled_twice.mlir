// Warps without work arrive at a named barrier again and again, and never wait there.
//
// Reported: https://github.com/vllm-project/vllm/pull/26026 (CUTLASS MLA hangs under load), read
// 2026-11-22. The fix replaces the arrival by one that waits; merged.
//
// C4: two arrivals of one warp may both count in one use of the barrier, and then those that wait
// there miss one.
//
// launch: 1 64
// finds: barrier_filled
// says: has arrived at barrier 1 before

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %computes = llvm.icmp "ult" %t, %c32 : i32
    llvm.br ^tile(%c0 : i32)
  ^tile(%i: i32):
    llvm.cond_br %computes, ^compute, ^load
  ^compute:
    nvvm.barrier.arrive id = %c1 number_of_threads = %c64 // broken
    nvvm.barrier id = %c1 number_of_threads = %c64 // repaired
    llvm.br ^next
  ^load:
    nvvm.barrier id = %c1 number_of_threads = %c64
    llvm.br ^next
  ^next:
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ult" %i1, %c3 : i32
    llvm.cond_br %more, ^tile(%i1 : i32), ^end
  ^end:
    llvm.return
  }
}
