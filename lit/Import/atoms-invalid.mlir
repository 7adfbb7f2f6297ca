// REQUIRES: cute-opt, cutec
// RUN: not %cutec %s --target sm_103a 2>&1 | FileCheck %s
// RUN: not %cutec import %s 2>&1 | FileCheck %s

// An atom whose type no public source spells is an error that names the known ones.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k() attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      // CHECK: atoms-invalid.mlir:[[#@LINE+1]]:{{.*}}: error: unknown type '!cute_nvgpu.atom.load_and_reduce'{{.*}} (atoms of CuTe DSL for loads of tensor memory with a reduction (LdRed), for copies with a memory order or a cache mode (CopyG2R, CopyR2G, CopyS2R, CopyR2S) and for stores to another block (CopyDsmemStore) are not supported; use atom.tmem_load or atom.universal_copy)
      %atom = cute.make_atom() : () -> !cute_nvgpu.atom.load_and_reduce<f32, 32 DP, 32 bit, x32>
      cuda.return
    }
  }
}
