// A thread stores a row by the TMA and releases a flag once the TMA has read shared memory; another block acquires the flag.
//
// No public report; wait_group.read is what an epilogue needs before it refills its buffer.
//
// X9: the result of a bulk store is there for other blocks after a wait_group without .read, a release and an acquire.
//
// launch: 2 32
// args: i32[32] i32[1] i32[32]
// finds: race
// says: of buffer 0, and nothing orders it with
// gives: 0 1

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%work: !llvm.ptr<1>, %flag: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %writes = llvm.icmp "eq" %b, %c0 : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    llvm.cond_br %writes, ^write, ^read
  ^write:
    %w = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %t, %w : i32, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.barrier0
    llvm.cond_br %first, ^release, ^exit
  ^release:
    nvvm.cp.async.bulk.global.shared.cta %work, %slot, %c128 : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read} // broken
    nvvm.cp.async.bulk.wait_group 0 // repaired
    llvm.store %c1, %flag atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^read:
    llvm.cond_br %first, ^poll, ^wait
  ^poll:
    %f = llvm.load %flag atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %set = llvm.icmp "eq" %f, %c1 : i32
    llvm.cond_br %set, ^wait, ^poll
  ^wait:
    nvvm.barrier0
    %a = llvm.getelementptr %work[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %a : !llvm.ptr<1> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
