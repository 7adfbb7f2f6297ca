// REQUIRES: cutec
// RUN: %cutec %s --target sm_90a --emit mlir | FileCheck %s --check-prefix=MLIR
// RUN: %cutec %s --target sm_90a --emit ptx | FileCheck %s

// A loop is unrolled as it is annotated, and the fragment it fills becomes registers.
// MLIR: llvm.br {{.*}} {loop_annotation = #loop_annotation}
// CHECK: .visible .entry k(
// CHECK-NOT: .local
// CHECK: ret;
#u = #llvm.loop_annotation<unroll = <full = true>>
!f = !cute.memref<f32, rmem, align<32>, "(96):(1)">
!g = !cute.memref<f32, gmem, align<16>, "(96):(1)">
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%p: !g) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c96 = arith.constant 96 : i32
      %f = cute.memref.alloca() : !f
      scf.for %i = %c0 to %c96 step %c1 : i32 {
        %at = cute.make_coord(%i) : (i32) -> !cute.coord<"?">
        %x = cute.memref.load(%p, %at) : (!g, !cute.coord<"?">) -> f32
        cute.memref.store(%f, %at, %x) : (!f, !cute.coord<"?">, f32) -> ()
      } {loop_annotation = #u}
      %v = cute.memref.load_vec %f : !f
      cute.memref.store_vec %v, %p : !g
      gpu.return
    }
  }
}
