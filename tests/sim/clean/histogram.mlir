// Atomic counts in shared memory, then in global memory.
// launch: 8 64
// args: i32[4]
// gives: 128 128 128 128

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %bound = llvm.mlir.constant(4 : i32) : i32
    %in = llvm.icmp "ult" %t, %bound : i32
    llvm.cond_br %in, ^clear, ^met
  ^clear:
    %s = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %zero, %s : i32, !llvm.ptr<3>
    llvm.br ^met
  ^met:
    nvvm.barrier0
    %bin = llvm.and %t, %three : i32
    %b = llvm.getelementptr %tile[%bin] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %o = llvm.atomicrmw add %b, %one monotonic : !llvm.ptr<3>, i32
    nvvm.barrier0
    llvm.cond_br %in, ^flush, ^exit
  ^flush:
    %f = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %n = llvm.load %f : !llvm.ptr<3> -> i32
    %g = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %p = llvm.atomicrmw add %g, %n monotonic : !llvm.ptr<1>, i32
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
