// Room for two blocks on a multiprocessor halves the registers that warpgroups hand to each other.
//
// Reported: https://github.com/tile-ai/tilelang/issues/2559 (a warp-specialized GEMM hangs with two
// blocks per multiprocessor), read 2026-11-22. Confirmed there by runs with and without the
// annotation.
//
// C5: with two blocks each of 384 threads begins with 80 registers, and 128 * 24 + 256 * 240 is
// more than 384 * 80.
//
// launch: 1 384
// finds: deadlock
// says: each thread began with 80

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 2 : i32} { // broken
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32} { // repaired
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %produces = llvm.icmp "ult" %t, %c128 : i32
    llvm.cond_br %produces, ^produce, ^consume
  ^produce:
    nvvm.setmaxregister decrease 24
    llvm.br ^end
  ^consume:
    nvvm.setmaxregister increase 240
    llvm.br ^end
  ^end:
    llvm.return
  }
}
