// One warp tells another by a flag in shared memory, fenced for the block.
// launch: 1 64
// args: i32[1] i32[1]
// gives: 1

gpu.module @kernels {
  llvm.mlir.global internal @flags() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
  llvm.func @kernel(%data: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %warp = llvm.mlir.constant(32 : i32) : i32
    %base = llvm.mlir.addressof @flags : !llvm.ptr<3>
    %leads = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %leads, ^init, ^start
  ^init:
    llvm.store %zero, %base : i32, !llvm.ptr<3>
    llvm.br ^start
  ^start:
    nvvm.barrier0
    llvm.cond_br %leads, ^write, ^test
  ^write:
    llvm.store %one, %data : i32, !llvm.ptr<1>
    llvm.fence syncscope("block") release
    %old = llvm.atomicrmw add %base, %one syncscope("block") monotonic : !llvm.ptr<3>, i32
    llvm.br ^exit
  ^test:
    %second = llvm.icmp "eq" %t, %warp : i32
    llvm.cond_br %second, ^poll, ^exit
  ^poll:
    %f = llvm.load %base atomic syncscope("block") acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
    %set = llvm.icmp "eq" %f, %one : i32
    llvm.cond_br %set, ^read, ^poll
  ^read:
    %v = llvm.load %data : !llvm.ptr<1> -> i32
    llvm.store %v, %out : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
