// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s
// RUN: %cutec %s --target sm_100a | FileCheck %s --check-prefix=PTX

// Generic form of CuTe DSL 4.5 and later: groups of CTAs by another attribute, and addresses in the cluster that are cast to
// shared memory.

// CHECK: is a module of CuTe DSL; rewrote 5 ops of another MLIR version: 2 nvvm.mbarrier.txn, 1 nvvm.tcgen05.commit, 2 llvm.addrspacecast
"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!llvm.ptr<3>, i32, i16) -> (), sym_name = "k"}> ({
    // PTX: .visible .entry k(
    ^bb0(%bar: !llvm.ptr<3>, %n: i32, %mask: i16):
      // CHECK: %[[REMOTE:.*]] = nvvm.mapa %{{.*}}, %{{.*}} : !llvm.ptr<3> -> !llvm.ptr<7>
      // PTX: mapa.shared::cluster.u32
      %remote = "nvvm.mapa"(%bar, %n) : (!llvm.ptr<3>, i32) -> !llvm.ptr<7>
      // CHECK-NOT: llvm.addrspacecast
      %0 = "llvm.addrspacecast"(%remote) : (!llvm.ptr<7>) -> !llvm.ptr<3>
      // CHECK: nvvm.mbarrier.arrive %[[REMOTE]]
      // PTX: mbarrier.arrive{{.*}}shared::cluster
      "nvvm.mbarrier.txn"(%0, %n) <{kind = #nvvm.mbar_txn_kind<arrive>, space = #nvvm.mbar_space<cluster>}> : (!llvm.ptr<3>, i32) -> ()
      %1 = "llvm.addrspacecast"(%remote) : (!llvm.ptr<7>) -> !llvm.ptr<3>
      // CHECK: nvvm.mbarrier.arrive.expect_tx %[[REMOTE]]
      // PTX: mbarrier.arrive.expect_tx{{.*}}shared::cluster
      "nvvm.mbarrier.txn"(%1, %n) <{kind = #nvvm.mbar_txn_kind<arrive_expect_tx>, space = #nvvm.mbar_space<cluster>}> : (!llvm.ptr<3>, i32) -> ()
      // CHECK: nvvm.tcgen05.commit %{{.*}}, multicast_mask = %{{.*}} {group = #nvvm.cta_group<cta_2>}
      // PTX: tcgen05.commit.cta_group::2
      "nvvm.tcgen05.commit"(%bar, %mask) <{group = #nvvm.tcgen05_group<cta_2>}> : (!llvm.ptr<3>, i16) -> ()
      "cuda.return"() : () -> ()
    }) {gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
