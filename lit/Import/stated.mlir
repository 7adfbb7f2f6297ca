// REQUIRES: cute-opt, cutec
// RUN: %cutec import %s 2>&1 | FileCheck %s

// Layouts that only the type of a result states: the operands of these ops are not known from published modules.

// CHECK: rewrote 3 ops of another MLIR version: 1 cute_nvgpu.make_tmem_layout_sfa, 1 cute_nvgpu.make_tmem_layout_sfb, 1 cute_nvgpu.tile_to_mma_shape
module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k(%l: !cute.layout<"128:1">) attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      // CHECK: cute.static : !cute.layout<"(((32,4),4),(32,2)):(((65536,8388608),1),(0,16))">
      %a = cute_nvgpu.make_tmem_layout_sfa(%l, %l) {vec = 32 : i32} : (!cute.layout<"128:1">, !cute.layout<"128:1">) -> !cute.layout<"(((32,4),4),(32,2)):(((65536,8388608),1),(0,16))">
      // CHECK: cute.static : !cute.layout<"128:1">
      %b = "cute_nvgpu.make_tmem_layout_sfb"(%l) : (!cute.layout<"128:1">) -> !cute.layout<"128:1">
      // CHECK: cute.static : !cute.composed_layout<"S<3,4,3> o 0 o ((128,16),1,4):((64,1),0,16)">
      %c = cute_nvgpu.tile_to_mma_shape(%l) : (!cute.layout<"128:1">) -> !cute.composed_layout<"S<3,4,3> o 0 o ((128,16),1,4):((64,1),0,16)">
      cuda.return
    }
  }
}
