// A row index times a pitch in 32 bits.
// launch: 1 64
// args: i32=67108864
// finds: overflow
// says: i32 overflow of nsw mul: 32, 67108864

gpu.module @kernels {
  llvm.func @kernel(%pitch: i32) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %i = llvm.mul %t, %pitch overflow<nsw> : i32
    llvm.return
  }
}
