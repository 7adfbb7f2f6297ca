// A warp barrier whose mask leaves out half of those that call it.
// launch: 1 32
// finds: lane_mask
// says: the lane itself is not in it

gpu.module @kernels {
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %m = llvm.mlir.constant(65535 : i32) : i32
    nvvm.bar.warp.sync %m : i32
    llvm.return
  }
}
