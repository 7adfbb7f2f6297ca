// REQUIRES: cute-opt, cutec
// RUN: split-file %s %t
// RUN: not %cutec %t/unknown.mlir --target sm_103a 2>&1 | FileCheck %t/unknown.mlir
// RUN: not %cutec import %t/unknown.mlir 2>&1 | FileCheck %t/unknown.mlir
// RUN: not %cutec %t/reduced.mlir --target sm_103a 2>&1 | FileCheck %t/reduced.mlir
// RUN: not %cutec %t/ordered.mlir --target sm_100a 2>&1 | FileCheck %t/ordered.mlir
// RUN: not %cutec %t/block.mlir --target sm_100a 2>&1 | FileCheck %t/block.mlir

// An atom that CuTe DSL has and that is not supported is an error that names its class; one whose type no public source spells is an
// error that names all of them.

//--- unknown.mlir

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @k() attributes {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      // CHECK: unknown.mlir:[[#@LINE+1]]:{{.*}}: error: unknown type '!cute_nvgpu.atom.load_and_reduce'{{.*}} (atoms of CuTe DSL that are not supported are those for loads of tensor memory with a reduction (LdRed16x32bx2Op, LdRed32x32bOp): load by atom.tmem_load, and reduce the registers; for copies with a memory order or a cache mode (CopyG2ROp, CopyR2GOp, CopyS2ROp, CopyR2SOp): copy by atom.universal_copy, or by nvvm.load.ext and nvvm.store.ext; for stores to another block (CopyDsmemStoreOp): store through the address that nvvm.mapa returns)
      %atom = cute.make_atom() : () -> !cute_nvgpu.atom.load_and_reduce<f32, 32 DP, 32 bit, x32>
      cuda.return
    }
  }
}

//--- reduced.mlir
gpu.module @kernels {
  // CHECK: reduced.mlir:[[#@LINE+1]]:{{.*}}: error: type '!cute_nvgpu.atom.tmem_load_red' of CuTe DSL 4.7 (LdRed16x32bx2Op, LdRed32x32bOp) is not supported; load by atom.tmem_load, and reduce the registers
  gpu.func @k(%a: !cute_nvgpu.atom.tmem_load_red<f32, 32 DP, 32 bit, x32, max>) kernel {
    gpu.return
  }
}

//--- ordered.mlir
gpu.module @kernels {
  // CHECK: ordered.mlir:[[#@LINE+1]]:{{.*}}: error: type '!cute_nvgpu.atom.g2r' of CuTe DSL 4.7 (CopyG2ROp, CopyR2GOp, CopyS2ROp, CopyR2SOp) is not supported; copy by atom.universal_copy, or by nvvm.load.ext and nvvm.store.ext
  gpu.func @k(%a: !cute_nvgpu.atom.g2r<f32 copy_bits = 64 mem_order = relaxed mem_scope = gpu>) kernel {
    gpu.return
  }
}

//--- block.mlir
gpu.module @kernels {
  // CHECK: block.mlir:[[#@LINE+1]]:{{.*}}: error: type '!cute_nvgpu.atom.dsmem_store' of CuTe DSL 4.7 (CopyDsmemStoreOp) is not supported; store through the address that nvvm.mapa returns
  gpu.func @k(%a: !cute_nvgpu.atom.dsmem_store<f32, 32 b>) kernel {
    gpu.return
  }
}
