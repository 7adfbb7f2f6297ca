// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @dynamic(%arg0: !cute.ptr<f32, gmem, align<16>>) -> !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)"> {
  // expected-error @below {{'cute.make_view' op the layout (?,8):(8,1) is dynamic: it must be given as an operand}}
  %0 = cute.make_view(%arg0) : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(?,8):(8,1)">
}
