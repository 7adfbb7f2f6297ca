// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @dynamic(%arg0: !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">) -> vector<8xf32> {
  // expected-error @below {{'cute.memref.load_vec' op the view has ?{div=8} elements, but a vector needs a static number up to 65536}}
  %0 = cute.memref.load_vec %arg0 : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
  return %0 : vector<8xf32>
}

// -----

func.func @large(%arg0: !cute.memref<f32, gmem, "131072:1">) -> vector<131072xf32> {
  // expected-error @below {{'cute.memref.load_vec' op the view has 131072 elements, but a vector needs a static number up to 65536}}
  %0 = cute.memref.load_vec %arg0 : !cute.memref<f32, gmem, "131072:1">
  return %0 : vector<131072xf32>
}
