// REQUIRES: cute-opt, cutec
// A view or a tensor map that is passed and not used is a warning, because another one may be used in its place.
// RUN: %cutec %s --target sm_90a -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=warning

// CHECK: unused.mlir:[[@LINE+6]]:{{[0-9]+}}: warning: parameter 'B' of kernel 'twice' is not used: if another one is used in its place, the result is wrong; a name that begins with `_` says that it is meant
!m = !cute.memref<f32, gmem, "8:1">
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // What else is not used, and a stub.
    gpu.func @stub(%A: !m) kernel { gpu.return }
    gpu.func @twice(%A: !m, %B: !m, %_C: !m, %n: i32, %D: !m) kernel {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %at = cute.make_coord(%t) : (i32) -> !cute.coord<"?">
      %a = cute.memref.load(%A, %at) : (!m, !cute.coord<"?">) -> f32
      cute.memref.store(%D, %at, %a) : (!m, !cute.coord<"?">, f32) -> ()
      gpu.return
    }
  }
}
