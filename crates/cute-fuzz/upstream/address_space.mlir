// The verifier of an address reads the address space of its global, which is not an integer.
// frame: LLVM::AddressOfOp::verifySymbolUses
llvm.mlir.global internal @g() {addr_space = "x"} : !llvm.array<1 x i32>
llvm.func @f() {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  llvm.return
}
