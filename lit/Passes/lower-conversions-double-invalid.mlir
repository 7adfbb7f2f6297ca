// RUN: %opt %s --pass-pipeline='builtin.module(cute-lower-conversions{target=sm_90a})' -verify-diagnostics

func.func @double(%x: f64) -> f8E5M2 {
  // expected-error @below {{'arith.truncf' op: PTX does not convert f64 to floats of 8 bits or fewer; round it to f32 first}}
  %0 = arith.truncf %x : f64 to f8E5M2
  return %0 : f8E5M2
}
