// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @element(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2)">, %arg2: f16) {
  // expected-error @below {{'cute.memref.store' op f16 cannot be stored in a memref of f32}}
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">, f16) -> ()
  return
}

// -----

func.func @integer(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2)">, %arg2: i32) {
  // expected-error @below {{cannot be stored in a memref of f32}}
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">, i32) -> ()
  return
}

// -----

func.func @underscore(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(_,2)">, %arg2: f32) {
  // expected-error @below {{'cute.memref.store' op the coordinate (_,2) has a `_`, but only a single element is read or written}}
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(_,2)">, f32) -> ()
  return
}

// -----

func.func @rank(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2,3)">, %arg2: f32) {
  // expected-error @below {{'cute.memref.store' op the coordinate: rank 3, expected exactly 2}}
  cute.memref.store(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2,3)">, f32) -> ()
  return
}

// -----

// The operands say which of the ranks is whose.
func.func @rank(%view: !cute.memref<f32, gmem, "(4,8):(8,1)">, %value: f32) {
  %at = cute.static : !cute.coord<"(0,1,2)">
  // expected-error @below {{'cute.memref.store' op the coordinate: rank 3, expected exactly 2; the operands are !cute.memref<f32, gmem, "(4,8):(8,1)">, !cute.coord<"(0,1,2)">, f32}}
  cute.memref.store(%view, %at, %value) : (!cute.memref<f32, gmem, "(4,8):(8,1)">, !cute.coord<"(0,1,2)">, f32) -> ()
  return
}
