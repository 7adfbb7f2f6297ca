// A block tells another one that its tile is stored, and has waited only until the tile was read.
//
// No public report. Related: https://github.com/deepseek-ai/DeepEP/issues/549, about what a wait for
// stores by the TMA waits for.
//
// X9: wait_group.read says that shared memory is free again. That global memory is written, and may be
// read by others behind a release, says wait_group alone.
//
// launch: 2 32
// args: i32[4] i32[2]
// finds: race
// says: nothing orders it with the asynchronous write by thread (0, 0, 0) of block (0, 0, 0)
// gives: 1 7

gpu.module @kernels {
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<4 x i32>
  llvm.func @kernel(%tile: !llvm.ptr<1>, %flag: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %b = nvvm.read.ptx.sreg.ctaid.x : i32
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %first = llvm.icmp "eq" %t, %c0 : i32
    %sends = llvm.icmp "eq" %b, %c0 : i32
    llvm.cond_br %first, ^who, ^end
  ^who:
    llvm.cond_br %sends, ^send, ^spin
  ^send:
    %sevens = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
    llvm.store %sevens, %slot : vector<4xi32>, !llvm.ptr<3>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    nvvm.cp.async.bulk.global.shared.cta %tile, %slot, %c16 : !llvm.ptr<1>, !llvm.ptr<3>
    nvvm.cp.async.bulk.commit.group
    nvvm.cp.async.bulk.wait_group 0 {read} // broken
    nvvm.cp.async.bulk.wait_group 0 // repaired
    %old = llvm.atomicrmw xchg %flag, %c1 release : !llvm.ptr<1>, i32
    llvm.br ^end
  ^spin:
    %seen = llvm.atomicrmw add %flag, %c0 acquire : !llvm.ptr<1>, i32
    %set = llvm.icmp "eq" %seen, %c1 : i32
    llvm.cond_br %set, ^read, ^spin
  ^read:
    %v = llvm.load %tile : !llvm.ptr<1> -> i32
    %to = llvm.getelementptr %flag[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %v, %to : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
