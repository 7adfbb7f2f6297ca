// Two stages of asynchronous copies; each is read behind a wait and a barrier, and filled again behind another.
// launch: 1 64
// args: i32[256]=2 i32[64]
// gives: 8 8 8

gpu.module @kernels {
  llvm.mlir.global internal @stages() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2 x array<64 x i32>>
  llvm.func @kernel(%a: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %last = llvm.mlir.constant(63 : i32) : i32
    %stages = llvm.mlir.addressof @stages : !llvm.ptr<3>
    %o = llvm.xor %t, %last : i32
    %d0 = llvm.getelementptr %stages[0, 0, %t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<2 x array<64 x i32>>
    %f0 = llvm.getelementptr %a[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    nvvm.cp.async.shared.global %d0, %f0, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    llvm.br ^loop(%zero, %zero : i32, i32)
  ^loop(%k: i32, %sum: i32):
    %k1 = llvm.add %k, %one : i32
    %more = llvm.icmp "ult" %k1, %four : i32
    llvm.cond_br %more, ^issue, ^wait
  ^issue:
    %w = llvm.and %k1, %one : i32
    %d = llvm.getelementptr %stages[0, %w, %t] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<2 x array<64 x i32>>
    %base = llvm.mul %k1, %c64 : i32
    %i = llvm.add %base, %t : i32
    %f = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    nvvm.cp.async.shared.global %d, %f, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    llvm.br ^wait
  ^wait:
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    nvvm.barrier0
    %r = llvm.and %k, %one : i32
    %s = llvm.getelementptr %stages[0, %r, %o] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<2 x array<64 x i32>>
    %v = llvm.load %s : !llvm.ptr<3> -> i32
    %sum1 = llvm.add %sum, %v : i32
    nvvm.barrier0
    llvm.cond_br %more, ^loop(%k1, %sum1 : i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
