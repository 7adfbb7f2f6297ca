// REQUIRES: cute-opt, cutec
// RUN: rm -f %t
// RUN: not %cutec import %s -o %t 2>&1 | FileCheck %s
// RUN: not ls %t

// An unknown property of an op is an error at the op, and nothing is written.

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!llvm.ptr<3>, i32) -> (), sym_name = "k"}> ({
    ^bb0(%bar: !llvm.ptr<3>, %n: i32):
      // CHECK: unknown-invalid.mlir:[[#@LINE+1]]:7: error: 'nvvm.mbarrier.txn' op has kind = drop, which is not supported; the supported values are arrive, arrive_expect_tx, expect_tx
      "nvvm.mbarrier.txn"(%bar, %n) <{kind = #nvvm.mbar_txn_kind<drop>}> : (!llvm.ptr<3>, i32) -> ()
      // CHECK: unknown-invalid.mlir:[[#@LINE+1]]:7: error: 'nvvm.mbarrier.txn' op has space = cluster, but the address !llvm.ptr<3> is not in that space
      "nvvm.mbarrier.txn"(%bar, %n) <{kind = #nvvm.mbar_txn_kind<arrive>, space = #nvvm.mbar_space<cluster>}> : (!llvm.ptr<3>, i32) -> ()
      // CHECK: unknown-invalid.mlir:[[#@LINE+1]]:12: error: 'nvvm.mapa.shared.cluster' op is used by 'nvvm.mbarrier.init.shared', which is not known to take an address in the cluster
      %r = "nvvm.mapa.shared.cluster"(%bar, %n) : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>
      "nvvm.mbarrier.init.shared"(%r, %n) : (!llvm.ptr<3>, i32) -> ()
      // CHECK: unknown-invalid.mlir:[[#@LINE+1]]:12: error: 'nvvm.mbarrier.wait.parity' op has scope = gpu, which is not supported; the supported values are cta
      %w = "nvvm.mbarrier.wait.parity"(%bar, %n) <{kind = #nvvm.mbar_wait<try>, scope = #nvvm.mbar_scope<gpu>}> : (!llvm.ptr<3>, i32) -> i1
      "cuda.return"() : () -> ()
    }) {gpu.kernel} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
