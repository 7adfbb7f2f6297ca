// One warp fills a slot, another empties it, with a pair of named barriers.
// launch: 1 64
// args: i32[32]
// gives: 64 64

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %rounds = llvm.mlir.constant(3 : i32) : i32
    %all = llvm.mlir.constant(64 : i32) : i32
    %mask = llvm.mlir.constant(31 : i32) : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %lane = llvm.and %t, %mask : i32
    %slot = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %bound = llvm.mlir.constant(32 : i32) : i32
    %in = llvm.icmp "ult" %t, %bound : i32
    llvm.cond_br %in, ^produce(%zero : i32), ^consume(%zero, %zero : i32, i32)
  ^produce(%i: i32):
    llvm.store %i, %slot : i32, !llvm.ptr<3>
    nvvm.barrier.arrive id = %one number_of_threads = %all
    nvvm.barrier id = %two number_of_threads = %all
    %i1 = llvm.add %i, %one : i32
    %again = llvm.icmp "ult" %i1, %all : i32
    llvm.cond_br %again, ^produce(%i1 : i32), ^exit
  ^consume(%j: i32, %n: i32):
    nvvm.barrier id = %one number_of_threads = %all
    %v = llvm.load %slot : !llvm.ptr<3> -> i32
    %same = llvm.icmp "eq" %v, %j : i32
    %good = llvm.zext %same : i1 to i32
    %n1 = llvm.add %n, %good : i32
    nvvm.barrier.arrive id = %two number_of_threads = %all
    %j1 = llvm.add %j, %one : i32
    %more = llvm.icmp "ult" %j1, %all : i32
    llvm.cond_br %more, ^consume(%j1, %n1 : i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %n1, %p : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
