// RUN: %opt %s -split-input-file -verify-diagnostics

// Spellings in descriptions of the dialect that it does not accept: docs/errata.md.

// expected-error @below {{a rank such as 3 is not a complete type: write its contents in quotes, such as "(4,8):(1,4)" for a layout or "(4,8)" for a tuple}}
func.func private @rank(!cute.layout<3>)

// -----

// expected-error @below {{unknown type '!cute.tiler'; did you mean '!cute.tile'?}}
func.func private @tiler(!cute.tiler<"(4,8)">)

// -----

// Extents are positive; only integers have a sign.
// expected-error @below {{mode 0 of the shape: extent -4 is not positive}}
func.func private @extent(!cute.layout<"(-4,2):(1,4)">)

// -----

func.func @ratio(%a: !cute.layout<"8:1">, %b: !cute.layout<"4:1/2@0">) {
  // expected-error @below {{'cute.composition' op 1/2@0 found where a whole stride on the right is required}}
  %0 = cute.composition(%a, %b) : (!cute.layout<"8:1">, !cute.layout<"4:1/2@0">) -> !cute.layout<"4:1">
  return
}

// -----

func.func @three_operands(%c: !cute.coord<"(1,1)">, %s: !cute.shape<"(4,2)">, %d: !cute.stride<"(1,4)">) {
  // expected-error @below {{'cute.crd2idx' op expected 2 operands, but found 3}}
  %0 = cute.crd2idx(%c, %s, %d) : (!cute.coord<"(1,1)">, !cute.shape<"(4,2)">, !cute.stride<"(1,4)">) -> !cute.int_tuple<"5">
  return
}

// -----

// expected-error @below {{unknown type '!cute_nvgpu.atom.universalcopy'; did you mean '!cute_nvgpu.atom.universal_copy'?}}
func.func private @atom(!cute_nvgpu.atom.universalcopy<f32>)

// -----

func.func @op(%arg0: !cute.layout<"(4,8):(1,4)">, %arg1: !cute.coord<"(1,2)">) {
  // expected-error @below {{custom op 'cute.localtile' is unknown; did you mean 'cute.local_tile'?}}
  %0 = cute.localtile(%arg0, %arg1)
  return
}
