// A select takes one element of a vector that only lanes with another condition have.
// launch: 1 32
// args: i32[32]
// finds: undefined
// says: `llvm.mlir.undef` (-:11:16) gives it no value

gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %missing = llvm.mlir.undef : vector<2xi32>
    %zeros = llvm.mlir.constant(dense<0> : vector<2xi32>) : vector<2xi32>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %in = llvm.icmp "ult" %t, %c3 : i32
    %no = llvm.mlir.constant(dense<false> : vector<2xi1>) : vector<2xi1>
    %some = llvm.insertelement %in, %no[%c0 : i32] : vector<2xi1>
    %chosen = llvm.select %some, %zeros, %missing : vector<2xi1>, vector<2xi32>
    %v = llvm.extractelement %chosen[%c0 : i32] : vector<2xi32>
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
