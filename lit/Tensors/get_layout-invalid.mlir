// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @kind(%arg0: !cute.ptr<f32, gmem, align<16>>) -> !cute.layout<"8:1"> {
  // expected-error @below {{'cute.get_layout' op operand #0 must be a layout, composed layout, memref or coord_tensor, found !cute.ptr}}
  %0 = cute.get_layout(%arg0) : !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.layout<"8:1">
}
