// Constant memory is written.
// launch: 1 1
// finds: read_only
// says: constant memory @table is constant

gpu.module @kernels {
  llvm.mlir.global internal constant @table(7 : i32) {addr_space = 4 : i32} : i32
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %p = llvm.mlir.addressof @table : !llvm.ptr<4>
    llvm.store %one, %p : i32, !llvm.ptr<4>
    llvm.return
  }
}
