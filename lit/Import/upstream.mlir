// REQUIRES: cute-opt, cutec
// RUN: %cutec %s --target sm_100a | FileCheck %s

// Ops of upstream in its own assembly, where CuTe DSL has ops of the same name with other attributes. The import leaves them as they are.

gpu.module @kernels {
  llvm.mlir.global internal @where() {addr_space = 3 : i32} : !llvm.array<1 x i32>
  // CHECK: .visible .entry columns(
  llvm.func @columns() attributes {gpu.kernel, nvvm.kernel} {
    %where = llvm.mlir.addressof @where : !llvm.ptr<3>
    %columns = llvm.mlir.constant(32 : i32) : i32
    // CHECK: tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32
    nvvm.tcgen05.alloc %where, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
    // CHECK: tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned
    nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
    // CHECK: bar.red.popc.u32
    %count = nvvm.barrier #nvvm.reduction<popc> %columns -> i32
    llvm.store %count, %where : i32, !llvm.ptr<3>
    %at = llvm.load %where : !llvm.ptr<3> -> i32
    %memory = llvm.inttoptr %at : i32 to !llvm.ptr<6>
    // CHECK: tcgen05.dealloc.cta_group::2.sync.aligned.b32
    nvvm.tcgen05.dealloc %memory, %columns {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<6>, i32
    llvm.return
  }
}
