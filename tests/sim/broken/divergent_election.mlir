// Half of a warp elects one of its lanes, which needs all lanes of the mask.
// launch: 1 32
// finds: divergence
// says: only 16 of 32 threads wait here; thread (16, 0, 0) has returned; all lanes of the mask must execute the election together

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %half = llvm.icmp "ult" %t, %c16 : i32
    llvm.cond_br %half, ^elect, ^end
  ^elect:
    %one = nvvm.elect.sync -> i1
    llvm.br ^end
  ^end:
    llvm.return
  }
}
