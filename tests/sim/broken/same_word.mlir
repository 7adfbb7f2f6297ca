// All threads of a warp store to one word.
// launch: 1 32
// args: i32[1]
// finds: race
// says: writes byte 0 of buffer 0

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    llvm.store %t, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
