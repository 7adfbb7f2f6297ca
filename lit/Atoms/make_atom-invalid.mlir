// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @state(%arg0: i1) -> !cute_nvgpu.atom.universal_copy<f32, 128 b> {
  // expected-error @below {{'cute.make_atom' op expects no operands: this atom has no run-time state, found 1 operands}}
  %0 = cute.make_atom(%arg0) : (i1) -> !cute_nvgpu.atom.universal_copy<f32, 128 b>
  return %0 : !cute_nvgpu.atom.universal_copy<f32, 128 b>
}

// -----

func.func @no_atom() -> !cute.layout<"8:1"> {
  // expected-error @below {{'cute.make_atom' op !cute.layout is not an atom}}
  %0 = cute.make_atom() : () -> !cute.layout<"8:1">
  return %0 : !cute.layout<"8:1">
}

// -----

func.func @bulk(%arg0: !cute.ptr<i64, smem>) {
  // expected-error @below {{'cute.make_atom' op expects no operands: atom.set_value gives this atom its run-time state, found 1 operands}}
  %0 = cute.make_atom(%arg0) : (!cute.ptr<i64, smem>) -> !cute_nvgpu.atom.bulk_copy_g2s<f32 copy_bits = 4096>
  return
}
