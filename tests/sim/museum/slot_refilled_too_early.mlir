// Two warps read one buffer, and the loop comes back to fill it without a barrier.
//
// Reported: https://github.com/tile-ai/tilelang/issues/2613 (a GEMM with two warpgroups on one
// operand races on Hopper), read 2026-11-22; open. Confirmed there by comparing neighbouring
// programs. The readers are loads here instead of wgmma.
//
// X6 without its barrier: who fills a buffer again needs a barrier behind all reads of it.
//
// launch: 1 64
// args: i32[64]
// finds: race
// says: nothing orders it with the
// gives: 65 67

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %other = llvm.xor %t, %c32 : i32
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %b = llvm.getelementptr %slot[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.br ^loop(%c0, %c0 : i32, i32)
  ^loop(%i: i32, %sum: i32):
    %value = llvm.add %i, %t : i32
    llvm.store %value, %a : i32, !llvm.ptr<3>
    nvvm.barrier0
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    %sum1 = llvm.add %sum, %v : i32
    nvvm.barrier0 // repaired
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ult" %i1, %c2 : i32
    llvm.cond_br %more, ^loop(%i1, %sum1 : i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
