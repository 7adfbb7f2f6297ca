// Two of four warpgroups ask for more registers than the others release.
//
// Reported: https://github.com/tile-ai/tilelang/issues/2567 (an attention example hangs on Hopper
// at some lengths), read 2026-11-22. Confirmed there on an H100: with 512 threads the compiler
// still inserted 24 and 240, which fit 384 threads; fixed by
// https://github.com/tile-ai/tilelang/pull/2406.
//
// C5: the registers of a block are those that its threads began with. 512 threads begin with 128
// each, and 256 * 24 + 256 * 240 is more than 65536.
//
// launch: 1 512
// finds: deadlock
// says: each thread began with 128

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 512, 1, 1>} {
    %c256 = llvm.mlir.constant(256 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %produces = llvm.icmp "ult" %t, %c256 : i32
    llvm.cond_br %produces, ^produce, ^consume
  ^produce:
    nvvm.setmaxregister decrease 24
    llvm.br ^end
  ^consume:
    nvvm.setmaxregister increase 240 // broken
    nvvm.setmaxregister increase 224 // repaired
    llvm.br ^end
  ^end:
    llvm.return
  }
}
