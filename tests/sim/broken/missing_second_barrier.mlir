// A tile is written again while slow threads still read it.
// launch: 1 64
// args: i32[64]
// finds: race
// says: reads byte

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %last = llvm.mlir.constant(63 : i32) : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %own = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %o = llvm.xor %t, %last : i32
    %its = llvm.getelementptr %tile[%o] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %own : i32, !llvm.ptr<3>
    nvvm.barrier0
    %v = llvm.load %its : !llvm.ptr<3> -> i32
    llvm.store %v, %own : i32, !llvm.ptr<3>
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
