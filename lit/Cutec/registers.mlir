// REQUIRES: cutec
// RUN: %cutec %s --target sm_90a | FileCheck %s
// RUN: %if ptxas %{ %cutec %s --target sm_90a --emit cubin -o %t.cubin %}
// RUN: %cutec run %s --grid 1 --shared 2048 | FileCheck %s --check-prefix=SIM

// The value of a warp's first lane, and the bytes of dynamic shared memory: each thread prints both.

// CHECK-DAG: %dynamic_smem_size
// CHECK-DAG: shfl.sync.idx.b32
// SIM-COUNT-32: first 0 of 2048
// SIM-COUNT-32: first 32 of 2048
gpu.module @kernels {
gpu.func @registers() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %thread = nvvm.read.ptx.sreg.tid.x : i32
  %first = cute_nvgpu.arch.make_warp_uniform(%thread) : i32
  %bytes = cute_nvgpu.arch.get_dyn_smem_size() : i32
  cute.print("first {} of {}\n", %first, %bytes) : i32, i32
  gpu.return
}
}
