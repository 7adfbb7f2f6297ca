// One warp counts atomically what another one reads plainly.
// launch: 1 64
// args: i32[1] i32[64]
// finds: race
// says: of buffer 0

gpu.module @kernels {
  llvm.func @kernel(%counter: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %half = llvm.mlir.constant(32 : i32) : i32
    %first = llvm.icmp "ult" %t, %half : i32
    llvm.cond_br %first, ^count, ^read
  ^count:
    %old = llvm.atomicrmw add %counter, %one monotonic : !llvm.ptr<1>, i32
    llvm.br ^exit
  ^read:
    %v = llvm.load %counter : !llvm.ptr<1> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
