// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @size(%arg0: vector<4xf32>, %arg1: !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) {
  // expected-error @below {{'cute.memref.store_vec' op failed to verify that value is the vector of the view's elements}}
  "cute.memref.store_vec"(%arg0, %arg1) : (vector<4xf32>, !cute.memref<f32, rmem, align<32>, "(4,2):(1,4)">) -> ()
  return
}
