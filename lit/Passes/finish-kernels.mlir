// RUN: %opt %s --pass-pipeline='builtin.module(cuda-to-gpu,cute-to-base)' | FileCheck %s --check-prefix=BASE
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a})' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a abi=flat})' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a abi=dsl})' | FileCheck %s
// RUN: %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a max-registers=64})' | FileCheck %s --check-prefix=LIMIT
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a max-registers=8})' 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: error: cute-finish-kernels: option 'max-registers' must be a number from 16 to 255, found '8'

// Each descriptor of the TMA is 128 bytes of a kernel's parameters, whatever the ABI. What a thread has made of one is passed as an
// address, and so is one that a function takes.

!load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>
!store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>
!executed = !cute_nvgpu.atom.tma_store<f16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
!coord = !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">

gpu.module @kernels {
  // BASE-LABEL: gpu.func @dsl(
  // BASE-SAME: %{{[^:]+}}: !llvm.ptr, %{{[^:]+}}: !llvm.struct<(struct<()>, struct<(struct<(i32, i32, i32)>, struct<()>)>)>, %{{[^:]+}}: !llvm.ptr)
  // BASE-SAME: cute.descriptors = array<i32: 0, 2>
  // CHECK-LABEL: llvm.func @dsl(
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant},
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant}) attributes
  // CHECK-NOT: cute.descriptors
  cuda.kernel @dsl(%t: !load, %c: !coord, %static: !cute.layout<"4:1">, %s: !store) {
    cuda.return
  }

  // BASE-LABEL: gpu.func @flat(
  // BASE-SAME: %{{[^:]+}}: i32, %{{[^:]+}}: !llvm.ptr<1> {llvm.align = 2 : i64}, %{{[^:]+}}: i32, %{{[^:]+}}: !llvm.ptr, %{{[^:]+}}: !llvm.ptr, %{{[^:]+}}: i64)
  // BASE-SAME: cute.descriptors = array<i32: 3>
  // CHECK-LABEL: llvm.func @flat(
  // CHECK-SAME: %{{[^:]+}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant},
  // CHECK-NOT: grid_constant
  gpu.func @flat(%n: i32, %v: !cute.memref<f16, gmem, "(?):(1)">, %t: !load, %e: !executed) kernel {
    gpu.return
  }

  // Only kernels have a limit of registers.
  // LIMIT-LABEL: llvm.func @helper(
  // LIMIT-NOT: nvvm.maxnreg
  // LIMIT-LABEL: llvm.func @none(
  // LIMIT-SAME: nvvm.maxnreg = 64 : i32
  // CHECK-LABEL: llvm.func @helper(
  // CHECK-NOT: grid_constant
  gpu.func @helper(%t: !load) {
    gpu.return
  }

  // CHECK-LABEL: llvm.func @none(
  // CHECK-NOT: grid_constant
  gpu.func @none(%p: !llvm.ptr, %n: i32) kernel {
    gpu.return
  }

  // ptxas ignores setmaxnreg where it does not know the registers of the kernel.
  // CHECK-LABEL: llvm.func @registers(
  // CHECK-SAME: nvvm.minctasm = 1 : i32
  // LIMIT-LABEL: llvm.func @registers(
  // LIMIT-SAME: nvvm.maxnreg = 64 : i32
  // LIMIT-NOT: minctasm
  gpu.func @registers() kernel {
    nvvm.setmaxregister decrease 40
    gpu.return
  }
  // One of CuTe DSL says so itself, or has registers enough.
  // CHECK-LABEL: llvm.func @dsl_registers(
  // CHECK-NOT: setmaxregister
  // CHECK-LABEL: llvm.func @dsl_many_threads(
  // CHECK-SAME: nvvm.minctasm = 1 : i32
  // CHECK: setmaxregister
  // CHECK-LABEL: llvm.func @dsl_asks(
  // CHECK-SAME: nvvm.minctasm = 2 : i32
  // CHECK: setmaxregister
  cuda.kernel @dsl_registers() attributes {nvvm.reqntid = array<i32: 160, 1, 1>} {
    nvvm.setmaxregister decrease 40
    cuda.return
  }
  cuda.kernel @dsl_many_threads() attributes {nvvm.reqntid = array<i32: 384, 1, 1>} {
    nvvm.setmaxregister decrease 40
    cuda.return
  }
  cuda.kernel @dsl_asks() attributes {nvvm.minctasm = 2 : i32, nvvm.reqntid = array<i32: 160, 1, 1>} {
    nvvm.setmaxregister decrease 40
    cuda.return
  }
  // LIMIT-LABEL: llvm.func @dsl_asks(
  // LIMIT-SAME: nvvm.maxnreg = 64 : i32, nvvm.minctasm = 2 : i32
  // LIMIT-LABEL: llvm.func @own_registers(
  // LIMIT-SAME: nvvm.maxnreg = 168 : i32
  // CHECK-LABEL: llvm.func @own_registers(
  // CHECK-SAME: nvvm.maxnreg = 168 : i32
  // CHECK-NOT: minctasm
  gpu.func @own_registers() kernel attributes {nvvm.maxnreg = 168 : i32} {
    nvvm.setmaxregister decrease 40
    gpu.return
  }
}
