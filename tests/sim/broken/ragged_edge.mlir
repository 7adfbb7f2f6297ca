// The last block has threads behind the end of the data, and no predicate.
// launch: 2 64
// args: f32[100]=1
// finds: out_of_bounds
// says: 4 bytes at byte 400 of buffer 0, which has 400 bytes

gpu.module @kernels {
  llvm.func @kernel(%a: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %n = nvvm.read.ptx.sreg.ntid.x : i32
    %s = llvm.mul %b, %n : i32
    %i = llvm.add %s, %t : i32
    %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %w = llvm.fadd %v, %v : f32
    llvm.store %w, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
