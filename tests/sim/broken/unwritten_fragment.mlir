// A register fragment of which only one element was set.
// launch: 1 1
// args: f32[1]
// finds: uninitialised
// says: byte 4 of local allocation 0 is read before it is written

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %f = llvm.mlir.constant(1.0 : f32) : f32
    %a = llvm.alloca %one x !llvm.array<2 x f32> : (i32) -> !llvm.ptr
    llvm.store %f, %a : f32, !llvm.ptr
    %q = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %v = llvm.load %q : !llvm.ptr -> f32
    llvm.store %v, %out : f32, !llvm.ptr<1>
    llvm.return
  }
}
