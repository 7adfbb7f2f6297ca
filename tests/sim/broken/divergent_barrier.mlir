// A barrier on one side of a branch within a warp.
// launch: 1 32
// finds: divergence
// says: 16 of 32 threads wait here; thread (16, 0, 0) waits at `nvvm.bar.warp.sync`

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bound = llvm.mlir.constant(16 : i32) : i32
    %in = llvm.icmp "ult" %t, %bound : i32
    llvm.cond_br %in, ^wait, ^exit
  ^wait:
    nvvm.barrier0
    llvm.br ^exit
  ^exit:
    %all = llvm.mlir.constant(-1 : i32) : i32
    nvvm.bar.warp.sync %all : i32
    llvm.return
  }
}
