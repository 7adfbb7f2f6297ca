// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space() -> !cute.memref<f32, gmem, "8:1"> {
  // expected-error @below {{'cute.memref.alloca' op the result lies in gmem, but this op allocates rmem or smem}}
  %0 = cute.memref.alloca() : !cute.memref<f32, gmem, "8:1">
  return %0 : !cute.memref<f32, gmem, "8:1">
}

// -----

func.func @dynamic(%arg0: !cute.layout<"?:1">) -> !cute.memref<f32, rmem, "?:1"> {
  // expected-error @below {{'cute.memref.alloca' op the layout ?:1 is dynamic, but an allocation must have a static one}}
  %0 = cute.memref.alloca(%arg0) : !cute.memref<f32, rmem, "?:1">
  return %0 : !cute.memref<f32, rmem, "?:1">
}

// -----

func.func @element() -> !cute.memref<f6E3M2FN, rmem, "8:1"> {
  // expected-error @below {{'cute.memref.alloca' op the element type neither has whole bytes nor divides one}}
  %0 = cute.memref.alloca() : !cute.memref<f6E3M2FN, rmem, "8:1">
  return %0 : !cute.memref<f6E3M2FN, rmem, "8:1">
}

// -----

func.func @result() -> !cute.ptr<f32, rmem> {
  // expected-error @below {{custom op 'cute.memref.alloca' the result must be a memref, coord_tensor or smem_desc_view, found '!cute.ptr<f32, rmem>'}}
  %0 = cute.memref.alloca() : !cute.ptr<f32, rmem>
  return %0 : !cute.ptr<f32, rmem>
}

// -----

func.func @nothing() -> !cute.memref<i0, rmem, "8:1"> {
  // expected-error @below {{'cute.memref.alloca' op the element type neither has whole bytes nor divides one}}
  %0 = cute.memref.alloca() : !cute.memref<i0, rmem, "8:1">
  return %0 : !cute.memref<i0, rmem, "8:1">
}
