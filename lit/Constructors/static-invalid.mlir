// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @dynamic() -> !cute.layout<"(4,?):(1,4)"> {
  // expected-error @below {{is not a fully static value}}
  %0 = cute.static : !cute.layout<"(4,?):(1,4)">
  return %0 : !cute.layout<"(4,?):(1,4)">
}

// -----

// An address is not known before run time.
func.func @pointer() -> !cute.ptr<f32, gmem> {
  // expected-error @below {{is not a fully static value}}
  %0 = cute.static : !cute.ptr<f32, gmem>
  return %0 : !cute.ptr<f32, gmem>
}

// -----

func.func @memref() -> !cute.memref<f32, gmem, "8:1"> {
  // expected-error @below {{is not a fully static value}}
  %0 = cute.static : !cute.memref<f32, gmem, "8:1">
  return %0 : !cute.memref<f32, gmem, "8:1">
}

// -----

func.func @builtin() -> i32 {
  // expected-error @below {{is not a fully static value}}
  %0 = cute.static : i32
  return %0 : i32
}
