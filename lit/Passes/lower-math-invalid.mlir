// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-math)' -split-input-file -verify-diagnostics

// Ops for which MLIR has no polynomial.

func.func @power(%x: f32) -> f32 {
  // expected-error @below {{'math.powf' op: not supported: it needs CUDA's libdevice, which is not linked (--libdevice FILE does that); fastmath<afn> or --fast-math allows PTX's approximate instructions; x^n of a known integer n is multiplications}}
  %0 = math.powf %x, %x : f32
  return %0 : f32
}

// -----

func.func @log10(%x: vector<2x2xbf16>) -> vector<2x2xbf16> {
  // expected-error @below {{'math.log10' op: not supported: it needs CUDA's libdevice, which is not linked (--libdevice FILE does that); fastmath<afn> or --fast-math allows PTX's approximate instructions}}
  %0 = math.log10 %x : vector<2x2xbf16>
  return %0 : vector<2x2xbf16>
}

// -----

// Polynomials are of f32, and so are the approximate instructions.

func.func @exp(%x: f64) -> f64 {
  // expected-error @below {{'math.exp' op: not supported: it needs CUDA's libdevice, which is not linked (--libdevice FILE does that)}}
  %0 = math.exp %x fastmath<afn> : f64
  return %0 : f64
}

// -----

func.func @remainder(%x: f32) -> f32 {
  // expected-error @below {{'arith.remf' op: not supported: it needs CUDA's libdevice, which is not linked (--libdevice FILE does that); x mod y is x - y * math.trunc(x / y)}}
  %0 = arith.remf %x, %x : f32
  return %0 : f32
}

// -----

func.func @index(%x: index) -> index {
  // expected-error @below {{'math.absi' op: index is not supported, only integers of fixed width}}
  %0 = math.absi %x : index
  return %0 : index
}
