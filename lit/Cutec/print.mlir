// REQUIRES: cutec
// RUN: %cutec %s --target sm_90a --emit ptx | FileCheck %s

// A print of the device survives to the end: it has an effect.
// CHECK: .visible .entry k(
// CHECK: call.uni (retval0), vprintf
gpu.module @m {
  gpu.func @k(%p: !cute.ptr<f32, gmem>, %n: i32) kernel {
    %s = cute.make_shape(%n) : (i32) -> !cute.shape<"(?,4)">
    cute.print("p {} s {}", %p, %s) : !cute.ptr<f32, gmem>, !cute.shape<"(?,4)">
    gpu.return
  }
}
