// A 16-byte load from an odd row of a matrix with a pitch of 5 floats.
// launch: 1 2
// args: f32[16]=1 f32[2]
// finds: misaligned
// says: byte 20 of buffer 0 is not aligned to 16 bytes

gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %pitch = llvm.mlir.constant(5 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %row = llvm.mul %t, %pitch : i32
    %p = llvm.getelementptr %a[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %x = llvm.extractelement %v[%zero : i32] : vector<4xf32>
    %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %x, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}
