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
