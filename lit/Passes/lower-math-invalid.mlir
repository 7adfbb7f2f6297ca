// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-math)' -split-input-file -verify-diagnostics

func.func @exp(%x: f32) -> f32 {
  // expected-error @below {{'math.exp' op: not supported: it needs CUDA's libdevice, which is not linked; exp(x) is math.exp2(x * log2(e))}}
  %0 = math.exp %x : f32
  return %0 : f32
}

// -----

func.func @exp2(%x: f64) -> f64 {
  // expected-error @below {{'math.exp2' op: not supported: it needs CUDA's libdevice, which is not linked; of f64 PTX has none}}
  %0 = math.exp2 %x : f64
  return %0 : f64
}

// -----

func.func @sin(%x: f32) -> f32 {
  // expected-error @below {{'math.sin' op: not supported: it needs CUDA's libdevice, which is not linked}}
  %0 = math.sin %x : f32
  return %0 : f32
}

// -----

func.func @remainder(%x: f32) -> f32 {
  // expected-error @below {{'arith.remf' op: not supported: it needs CUDA's libdevice, which is not linked; x mod y is x - y * math.trunc(x / y)}}
  %0 = arith.remf %x, %x : f32
  return %0 : f32
}

// -----

func.func @plane(%x: vector<2x4xf32>) -> vector<2x4xf32> {
  // expected-error @below {{'math.sqrt' op: vector<2x4xf32> is not supported, only scalars and vectors of rank 1}}
  %0 = math.sqrt %x : vector<2x4xf32>
  return %0 : vector<2x4xf32>
}
