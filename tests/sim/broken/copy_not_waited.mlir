// An asynchronous copy is read before it is waited for.
// launch: 1 1
// args: i32[4]=1 i32[1]
// finds: in_flight
// says: is still the target of an asynchronous copy, `nvvm.cp.async.shared.global` (-:11:5) by thread (0, 0, 0): 0 younger groups

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%a: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    nvvm.cp.async.shared.global %tile, %a, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    %v = llvm.load %tile : !llvm.ptr<3> -> i32
    llvm.store %v, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
