// RUN: %opt %s --pass-pipeline='builtin.module(cute-check-memory)' | FileCheck %s
// RUN: %opt %S/../../examples/tma/gemm.mlir --pass-pipeline='builtin.module(cute-check-memory)' | FileCheck %s --check-prefix=EXAMPLE
// RUN: %opt %S/../../examples/hopper/persistent_cluster.mlir --pass-pipeline='builtin.module(cute-check-memory)' | FileCheck %s --check-prefix=EXAMPLE
// RUN: %opt %S/../../examples/blackwell/umma.mlir --pass-pipeline='builtin.module(cute-check-memory)' | FileCheck %s --check-prefix=EXAMPLE

// What cannot be seen is not an error, and neither is what is right.
// EXAMPLE: cute.copy

!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!box = !cute.coord_tensor<"(0,0)", "((64,64)):((1@0,1@1))">
!swizzled = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(4096):(1)">

// CHECK-LABEL: @nobody_launches
// CHECK: cute.copy
gpu.module @kernels {
  gpu.func @nobody_launches(%l: !make_load, %box: !box) kernel {
    %memory = cute.memref.alloc_smem() : !swizzled
    %load = cute_nvgpu.atom.make_exec_tma(%l) : (!make_load) -> !load
    cute.copy(%load, %box, %memory) : (!load, !box, !swizzled)
    gpu.return
  }
}

// A tile of 128 bytes at a multiple of 1024 is the same with any swizzle of the TMA.
!row = !cute.layout<"64:1">
!values = !cute.layout<"64:1@0">
!make_row = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 1024, tma_gbasis = <"(64):(1@0)">, tma_format = F16_RN>
!load_row = !cute_nvgpu.atom.tma_load<f16, copy_bits = 1024, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64):(1@0)">>
// CHECK-LABEL: @small
// CHECK: cute.copy
func.func @small(%v: !cute.memref<f16, gmem, align<16>, "(?):(1)">, %box: !cute.coord_tensor<"(0)", "(64):(1@0)">) {
  %tile = cute.static : !row
  %values = cute.static : !values
  %made, %0 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%v, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!cute.memref<f16, gmem, align<16>, "(?):(1)">, !row, !values) -> (!make_row, !cute.coord_tensor<"(0)", "(?):(1@0)">)
  %load = cute_nvgpu.atom.make_exec_tma(%made) : (!make_row) -> !load_row
  %memory = cute.memref.alloc_smem() : !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64):(1)">
  cute.copy(%load, %box, %memory) : (!load_row, !cute.coord_tensor<"(0)", "(64):(1@0)">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64):(1)">)
  return
}

// CHECK-LABEL: @views
// CHECK-COUNT-3: cute.make_view
func.func @views(%at: !cute.int_tuple<"?">) {
  %memory = cute.memref.alloc_smem() : !cute.memref<f16, smem, align<1024>, "8192:1">
  %iter = cute.get_iter(%memory) : !cute.memref<f16, smem, align<1024>, "8192:1">
  %whole = cute.make_view(%iter) : !cute.memref<f16, smem, align<1024>, "(64,64,2):(64,1,4096)">
  %bytes = cute.recast_iter(%iter) : !cute.ptr<f16, smem, align<1024>> to !cute.ptr<i8, smem, align<1024>>
  %as_bytes = cute.make_view(%bytes) : !cute.memref<i8, smem, align<1024>, "16384:1">
  // Nobody knows where this one begins.
  %behind = cute.add_offset(%iter, %at) : (!cute.ptr<f16, smem, align<1024>>, !cute.int_tuple<"?">) -> !cute.ptr<f16, smem>
  %somewhere = cute.make_view(%behind) : !cute.memref<f16, smem, "8192:1">
  return
}
