// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @rank(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2,3)">) -> f32 {
  // expected-error @below {{'cute.memref.load' op the coordinate: rank 3, expected exactly 2}}
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2,3)">) -> f32
  return %0 : f32
}

// -----

func.func @underscore(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,_)">) -> f32 {
  // expected-error @below {{'cute.memref.load' op the coordinate (1,_) has a `_`, but only a single element is read or written}}
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,_)">) -> f32
  return %0 : f32
}

// -----

func.func @range(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(4,0)">) -> f32 {
  // expected-error @below {{'cute.memref.load' op coordinate: mode 0: index 4 is outside [0, 4); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(4,0)">) -> f32
  return %0 : f32
}

// -----

func.func @element(%arg0: !cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, %arg1: !cute.coord<"(1,2)">) -> f16 {
  // expected-error @below {{'cute.memref.load' op result #0: declared f16}}
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, gmem, align<16>, "(4,8):(8,1)">, !cute.coord<"(1,2)">) -> f16
  return %0 : f16
}

// -----

func.func @tmem(%arg0: !cute.memref<f32, tmem, "8:1">, %arg1: !cute.coord<"1">) -> f32 {
  // expected-error @below {{'cute.memref.load' op tensor memory is reached through its own copy atoms only}}
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.memref<f32, tmem, "8:1">, !cute.coord<"1">) -> f32
  return %0 : f32
}

// -----

func.func @kind(%arg0: !cute.ptr<f32, gmem>, %arg1: !cute.coord<"1">) -> f32 {
  // expected-error @below {{'cute.memref.load' op operand #0 must be cute.memref, but got '!cute.ptr<f32, gmem>'}}
  %0 = cute.memref.load(%arg0, %arg1) : (!cute.ptr<f32, gmem>, !cute.coord<"1">) -> f32
  return %0 : f32
}
