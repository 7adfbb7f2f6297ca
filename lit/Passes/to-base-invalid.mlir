// RUN: %opt %s --pass-pipeline='builtin.module(cute-to-base)' -split-input-file -verify-diagnostics

func.func @copy(%a: !cute_nvgpu.atom.universal_copy<f32>, %s: !cute.memref<f32, gmem, "1:0">, %d: !cute.memref<f32, gmem, "1:0">) {
  // expected-error @+1 {{'cute.copy' op reached cute-to-base: run cute-expand-copy-gemm and cute-lower-atoms before it}}
  cute.copy(%a, %s, %d) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.memref<f32, gmem, "1:0">, !cute.memref<f32, gmem, "1:0">)
  return
}

// -----

func.func @foreign(%l: !cute.layout<"(?,4):(1,?)">) {
  %c = arith.constant true
  // expected-error @+1 {{'arith.select' op on a value of type !cute.layout<"(?,4):(1,?)"> is not supported}}
  %r = arith.select %c, %l, %l : !cute.layout<"(?,4):(1,?)">
  return
}

// -----

func.func @state(%accumulate: i1) -> !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss> {
  // expected-error @+1 {{'cute.make_atom' op: the run-time state of an atom is not supported}}
  %a = cute.make_atom(%accumulate) : (i1) -> !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
  return %a : !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
}
