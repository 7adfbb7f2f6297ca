// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s
// RUN: %cutec %s --target sm_100a | FileCheck %s --check-prefix=PTX

// The group of blocks of tensor memory, and reductions at a block's barrier, as CuTe DSL 4.5 and later name them.

// CHECK: rewrote 4 ops of another MLIR version: 1 nvvm.barrier.cta.red, 1 nvvm.tcgen05.alloc, 1 nvvm.tcgen05.dealloc, 1 nvvm.tcgen05.relinquish_alloc_permit
"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "llvm.mlir.global"() <{addr_space = 3 : i32, dso_local, global_type = i32, linkage = #llvm.linkage<internal>, sym_name = "where", visibility_ = 0 : i64}> ({
    }) : () -> ()
    // PTX: .visible .entry columns(
    "cuda.kernel"() <{function_type = (!llvm.ptr<1>) -> (), sym_name = "columns"}> ({
    ^bb0(%out: !llvm.ptr<1>):
      %where = "llvm.mlir.addressof"() <{global_name = @where}> : () -> !llvm.ptr<3>
      %columns = "arith.constant"() <{value = 64 : i32}> : () -> i32
      %id = "arith.constant"() <{value = 1 : i32}> : () -> i32
      // CHECK: nvvm.tcgen05.alloc %{{.*}}, %{{.*}} {group = #nvvm.cta_group<cta_2>} : !llvm.ptr<3>, i32
      // PTX: tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32
      "nvvm.tcgen05.alloc"(%where, %columns) <{group = #nvvm.tcgen05_group<cta_2>}> : (!llvm.ptr<3>, i32) -> ()
      // CHECK: nvvm.tcgen05.relinquish_alloc_permit {group = #nvvm.cta_group<cta_2>}
      "nvvm.tcgen05.relinquish_alloc_permit"() <{group = #nvvm.tcgen05_group<cta_2>}> : () -> ()
      %t = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %odd = "llvm.trunc"(%t) : (i32) -> i1
      // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.popc.count"
      // PTX: barrier.red.popc.u32
      %count = "nvvm.barrier.cta.red"(%odd, %id, %columns) <{aligned = false, kind = #nvvm.barrier_redux<popc>}> : (i1, i32, i32) -> i32
      "llvm.store"(%count, %out) <{ordering = 0 : i64}> : (i32, !llvm.ptr<1>) -> ()
      %at = "llvm.load"(%where) <{ordering = 0 : i64}> : (!llvm.ptr<3>) -> i32
      %memory = "llvm.inttoptr"(%at) : (i32) -> !llvm.ptr<6>
      // PTX: tcgen05.dealloc.cta_group::2.sync.aligned.b32
      "nvvm.tcgen05.dealloc"(%memory, %columns) <{group = #nvvm.tcgen05_group<cta_2>}> : (!llvm.ptr<6>, i32) -> ()
      "cuda.return"() : () -> ()
    }) {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
