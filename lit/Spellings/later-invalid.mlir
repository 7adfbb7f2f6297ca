// RUN: %opt %s -split-input-file -verify-diagnostics

!mma = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>

func.func @field(%mma: !mma, %flag: i1) -> !mma {
  // expected-error-re @below {{'cute_nvgpu.atom.set_value' op {{.*}} has no field #cute_nvgpu.atom_mma_field_sm100<accum_d>; it has {{.*}}accum_c}}
  %0 = cute_nvgpu.atom.set_value<accum_d>(%mma, %flag) : (!mma, i1)
  return %0 : !mma
}

// -----

func.func @stateless(%n: i32, %flag: i1) -> i32 {
  // expected-error @below {{the first operand must be an atom with run-time state to have the field 'accum_c', found 'i32'}}
  %0 = cute_nvgpu.atom.set_value<accum_c>(%n, %flag) : (i32, i1)
  return %0 : i32
}

// -----

!mma = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>

func.func @untyped(%mma: !mma) {
  // expected-error @below {{expected '->' and the type of the field's value}}
  %0 = cute_nvgpu.atom.get_value<accum_c>(%mma) : (!mma)
  return
}

// -----

func.func @vector(%m: !cute.memref<f32, rmem, "(8):(1)">, %v: vector<4xf32>) {
  // expected-error @below {{'cute.memref.store_vec' op failed to verify that value is the vector of the view's elements}}
  cute.memref.store_vec(%v, %m) : (vector<4xf32>, !cute.memref<f32, rmem, "(8):(1)">) -> ()
  return
}

// -----

func.func @loaded(%m: !cute.memref<f32, rmem, "(8):(1)">) -> vector<4xf32> {
  // expected-error @below {{'cute.memref.load_vec' op result #0: declared vector<4xf32> is not a weakening of vector<8xf32>: they differ}}
  %v = cute.memref.load_vec(%m) : (!cute.memref<f32, rmem, "(8):(1)">) -> vector<4xf32>
  return %v : vector<4xf32>
}

// -----

func.func @properties(%m: !cute.memref<f32, rmem, "(8):(1)">, %at: !cute.coord<"1">) {
  // expected-error @below {{expected a dictionary of properties, found 3 : i64}}
  %0 = cute.memref.load(%m, %at) <3> : (!cute.memref<f32, rmem, "(8):(1)">, !cute.coord<"1">) -> f32
  return
}

// -----

func.func @results(%arg0: i32, %arg1: i32) {
  // expected-error @below {{operation defines 1 results but was provided 2 to bind}}
  %0, %1 = cute.make_coord(%arg0, %arg1) : (i32, i32) -> !cute.coord<"(?,?)">
  return
}
