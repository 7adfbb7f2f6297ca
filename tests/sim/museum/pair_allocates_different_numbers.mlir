// The blocks of a pair allocate 32 and 64 columns of tensor memory.
//
// No public report; the number of columns was computed from the rank.
//
// T9: a pair allocates together, and both blocks pass the same number of columns.
//
// launch: 2 32 2
// args: i32[2]
// finds: tensor
// says: both blocks must pass the same number
// gives: 0 0

gpu.module @kernels {
  llvm.mlir.global internal @address() {addr_space = 3 : i32} : !llvm.array<1 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %cm1 = llvm.mlir.constant(-1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %kept = llvm.mlir.addressof @address : !llvm.ptr<3>
    %count = llvm.shl %c32, %rank : i32 // broken
    %count = llvm.mlir.constant(32 : i32) : i32 // repaired
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    nvvm.tcgen05.alloc %kept, %count {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
    nvvm.bar.warp.sync %cm1 : i32
    %tm = llvm.load %kept : !llvm.ptr<3> -> i32
    %d = llvm.inttoptr %tm : i32 to !llvm.ptr<6>
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %p = llvm.getelementptr %out[%rank] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    llvm.cond_br %first, ^store, ^free
  ^store:
    llvm.store %tm, %p : i32, !llvm.ptr<1>
    llvm.br ^free
  ^free:
    nvvm.tcgen05.dealloc %d, %count {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    llvm.return
  }
}
