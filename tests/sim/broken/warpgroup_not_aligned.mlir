// Warps 1 to 4 execute an instruction of a warpgroup, which warps 0 to 3 or 4 to 7 could.
// launch: 1 160
// finds: divergence
// says: the first of which is a multiple of 4

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %loads = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %loads, ^end, ^multiply
  ^multiply:
    nvvm.wgmma.fence.aligned
    llvm.br ^end
  ^end:
    llvm.return
  }
}
