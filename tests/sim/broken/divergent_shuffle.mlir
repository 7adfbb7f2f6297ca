// A shuffle of all lanes that only half of them reach.
// launch: 1 32
// finds: divergence
// says: 16 of 32 threads wait here; thread (16, 0, 0) waits at `nvvm.bar.warp.sync`

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %m = llvm.mlir.constant(-1 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %last = llvm.mlir.constant(31 : i32) : i32
    %bound = llvm.mlir.constant(16 : i32) : i32
    %in = llvm.icmp "ult" %t, %bound : i32
    llvm.cond_br %in, ^in, ^exit
  ^in:
    %v = nvvm.shfl.sync bfly %m, %t, %one, %last : i32 -> i32
    llvm.br ^exit
  ^exit:
    nvvm.bar.warp.sync %m : i32
    llvm.return
  }
}
