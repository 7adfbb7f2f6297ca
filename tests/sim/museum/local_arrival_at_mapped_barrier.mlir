// An arrival for the own block gets the address of a barrier of another block.
//
// Reported: https://github.com/apache/tvm/pull/20074 (remote views of barriers took the path of
// local arrivals), read 2026-11-22. Confirmed there by synccheck, which reports a local arrival on
// a remote barrier.
//
// M11: an arrival at the barrier of another block needs the form `shared::cluster` of the
// instruction.
//
// launch: 2 32 2
// finds: other_block
// says: of block 0 of the cluster

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %is1 = llvm.icmp "eq" %rank, %c1 : i32
    %arrives = llvm.and %is1, %first : i1
    llvm.cond_br %arrives, ^arrive, ^other
  ^arrive:
    %there = nvvm.mapa %barriers, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    %address = llvm.ptrtoint %there : !llvm.ptr<7> to i32
    llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cta.b64 _, [$0];", "r" %address : (i32) -> () // broken
    llvm.inline_asm has_side_effects "mbarrier.arrive.shared::cluster.b64 _, [$0];", "r" %address : (i32) -> () // repaired
    llvm.br ^end
  ^other:
    %is0 = llvm.icmp "eq" %rank, %c0 : i32
    llvm.cond_br %is0, ^wait, ^end
  ^wait:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^end
  ^end:
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
