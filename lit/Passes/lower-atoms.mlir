// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_90a})' | FileCheck %s
// RUN: not %opt %s --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_50})' 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: cute-lower-atoms: unknown target 'sm_50'; targets are sm_80, sm_86, sm_87, sm_89, sm_90, sm_90a, sm_100, sm_100f, sm_100a, sm_103, sm_103f, sm_103a, sm_110, sm_110f, sm_110a, sm_120, sm_120f, sm_120a, sm_121, sm_121f, sm_121a

// One vector load and store, with the alignment the types know.
// CHECK-LABEL: func.func @universal
func.func @universal(%a: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %s: !cute.memref<f32, gmem, align<16>, "(4):(1)">, %d: !cute.memref<f32, smem, align<64>, "(4):(1)">) {
  // CHECK: %[[S:.+]] = builtin.unrealized_conversion_cast %{{.+}} : !cute.ptr<f32, gmem, align<16>> to !llvm.ptr<1>
  // CHECK: %[[D:.+]] = builtin.unrealized_conversion_cast %{{.+}} : !cute.ptr<f32, smem, align<64>> to !llvm.ptr<3>
  // CHECK: %[[V:.+]] = llvm.load %[[S]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  // CHECK: llvm.store %[[V]], %[[D]] {alignment = 64 : i64}
  cute.copy_atom_call(%a, %s, %d) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(4):(1)">, !cute.memref<f32, smem, align<64>, "(4):(1)">) -> ()
  return
}

// A priority of eviction is a hint.
// CHECK-LABEL: func.func @hint
// CHECK: %[[V:.+]] = llvm.load %{{.+}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK: llvm.store %[[V]], %{{.+}} {alignment = 4 : i64}
func.func @hint(%atom: !cute_nvgpu.atom.universal_copy<f32, 32 b, l1_cache_eviction_priority=no_allocate>, %s: !cute.memref<f32, gmem, "1:1">, %d: !cute.memref<f32, rmem, "1:1">) {
  cute.copy_atom_call(%atom, %s, %d) : (!cute_nvgpu.atom.universal_copy<f32, 32 b, l1_cache_eviction_priority=no_allocate>, !cute.memref<f32, gmem, "1:1">, !cute.memref<f32, rmem, "1:1">) -> ()
  return
}

// A predicate guards both.
// CHECK-LABEL: func.func @guarded
func.func @guarded(%a: !cute_nvgpu.atom.universal_copy<f32>, %s: !cute.memref<f32, gmem, "1:0">, %d: !cute.memref<f32, smem, "1:0">, %p: i1) {
  // CHECK: scf.if %{{.+}} {
  // CHECK:   llvm.load {{.*}} -> f32
  // CHECK:   llvm.store
  // CHECK: }
  cute.copy_atom_call(%a, %s, %d, %p) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, gmem, "1:0">, !cute.memref<f32, smem, "1:0">, i1) -> ()
  return
}

// cp.async reads nothing, and writes zeros, where its predicate is false.
// CHECK-LABEL: func.func @async
func.func @async(%a: !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, %s: !cute.memref<f16, gmem, align<16>, "(8):(1)">, %d: !cute.memref<f16, smem, align<16>, "(8):(1)">, %p: i1) {
  // CHECK: %[[N:.+]] = arith.select %{{.+}}, %c16_i32, %c0_i32 : i32
  // CHECK: nvvm.cp.async.shared.global %{{.+}}, %{{.+}}, 16, cache = cg, %[[N]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
  cute.copy_atom_call(%a, %s, %d, %p) : (!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, !cute.memref<f16, gmem, align<16>, "(8):(1)">, !cute.memref<f16, smem, align<16>, "(8):(1)">, i1) -> ()
  return
}

// Behind a layout swizzle the first element need not lie at the pointer.
// CHECK-LABEL: func.func @swizzled
func.func @swizzled(%a: !cute_nvgpu.atom.universal_copy<f16>, %s: !cute.memref<f16, smem, "S<3,3,6> o ? o (1):(0)">, %d: !cute.memref<f16, rmem, "(1):(0)">) {
  // CHECK: %[[O:.+]] = cute.crd2idx
  // CHECK: cute.add_offset(%{{.+}}, %[[O]])
  cute.copy_atom_call(%a, %s, %d) : (!cute_nvgpu.atom.universal_copy<f16>, !cute.memref<f16, smem, "S<3,3,6> o ? o (1):(0)">, !cute.memref<f16, rmem, "(1):(0)">) -> ()
  return
}
