// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_120a})'

func.func @no_tensor_memory() {
  // expected-error @below {{'cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit' op: sm_120a has no tensor memory; it needs sm_100f, sm_100a, sm_103f, sm_103a, sm_110f, sm_110a}}
  cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
  return
}

// -----

!tensor = !cute.memref<f32, tmem, align<16>, "((16,32)):((1,65536))">
!registers = !cute.memref<f32, rmem, align<32>, "((16,1)):((1,0))">
!atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>
func.func @load(%tensor: !tensor) {
  %registers = cute.memref.alloca() : !registers
  %atom = cute.make_atom() : () -> !atom
  // expected-error @below {{'cute.copy_atom_call' op: sm_120a has no SM100_TMEM_LOAD_32dp32b16x; it needs sm_100f, sm_100a, sm_103f, sm_103a, sm_110f, sm_110a}}
  cute.copy_atom_call(%atom, %tensor, %registers) : (!atom, !tensor, !registers) -> ()
  return
}
