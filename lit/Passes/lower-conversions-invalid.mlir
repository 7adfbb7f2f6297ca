// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-conversions{target=sm_80})' -split-input-file -verify-diagnostics

func.func @to_bytes(%x: f32) -> f8E4M3FN {
  // expected-error @below {{'arith.truncf' op: sm_80 has no conversions of f8E4M3FN; they exist on sm_89 and later}}
  %0 = arith.truncf %x : f32 to f8E4M3FN
  return %0 : f8E4M3FN
}

// -----

func.func @from_four_bits(%x: vector<2xf4E2M1FN>) -> vector<2xf32> {
  // expected-error @below {{'arith.extf' op: sm_80 has no conversions of f4E2M1FN; they exist on sm_100f, sm_100a, sm_103f, sm_103a, sm_110f, sm_110a, sm_120f, sm_120a, sm_121f, sm_121a}}
  %0 = arith.extf %x : vector<2xf4E2M1FN> to vector<2xf32>
  return %0 : vector<2xf32>
}
