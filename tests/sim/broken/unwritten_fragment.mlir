// A register fragment of which only one element was set.
// launch: 1 1
// args: f32[1]
// finds: undefined
// says: `llvm.load` (-:14:10) read byte 4 of the local memory (fragment) allocated at -:11:10 before anything wrote it

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
