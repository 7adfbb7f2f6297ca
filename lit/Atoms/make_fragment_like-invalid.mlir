// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @dynamic(%arg0: !cute.memref<f16, smem, align<16>, "(8,?):(1,8)">) -> !cute.memref<f16, rmem, align<16>, "(8,4):(1,8)"> {
  // expected-error @below {{'cute.make_fragment_like' op a fragment must have a static shape, found (8,?)}}
  %0 = cute.make_fragment_like(%arg0) : (!cute.memref<f16, smem, align<16>, "(8,?):(1,8)">) -> !cute.memref<f16, rmem, align<16>, "(8,4):(1,8)">
  return %0 : !cute.memref<f16, rmem, align<16>, "(8,4):(1,8)">
}

// -----

func.func @element(%arg0: !cute.memref<f16, smem, align<16>, "(8,4):(1,8)">) -> !cute.memref<f32, rmem, align<16>, "(8,4):(1,8)"> {
  // expected-error @below {{'cute.make_fragment_like' op result #0: declared !cute.memref<f32, rmem, align<16>, "(8,4):(1,8)"> is not a weakening of !cute.memref<f16, rmem, align<16>, "(8,(4)):(1,(8))">: the element types differ}}
  %0 = cute.make_fragment_like(%arg0) : (!cute.memref<f16, smem, align<16>, "(8,4):(1,8)">) -> !cute.memref<f32, rmem, align<16>, "(8,4):(1,8)">
  return %0 : !cute.memref<f32, rmem, align<16>, "(8,4):(1,8)">
}

// -----

func.func @strides(%arg0: !cute.memref<f16, smem, align<16>, "(8,4):(1,64)">) -> !cute.memref<f16, rmem, align<16>, "(8,4):(1,64)"> {
  // expected-error @below {{'cute.make_fragment_like' op result #0: declared !cute.memref<f16, rmem, align<16>, "(8,4):(1,64)"> is not a weakening of !cute.memref<f16, rmem, align<16>, "(8,(4)):(1,(8))">: (8,4) and (8,(4)) are not congruent}}
  %0 = cute.make_fragment_like(%arg0) : (!cute.memref<f16, smem, align<16>, "(8,4):(1,64)">) -> !cute.memref<f16, rmem, align<16>, "(8,4):(1,64)">
  return %0 : !cute.memref<f16, rmem, align<16>, "(8,4):(1,64)">
}

// -----

func.func @layout(%arg0: !cute.layout<"(8,4):(1,64)">) -> !cute.layout<"(8,4):(1,64)"> {
  // expected-error @below {{'cute.make_fragment_like' op result #0: declared !cute.layout<"(8,4):(1,64)"> is not a weakening of !cute.layout<"(8,(4)):(1,(8))">: (8,4) and (8,(4)) are not congruent}}
  %0 = cute.make_fragment_like(%arg0) : (!cute.layout<"(8,4):(1,64)">) -> !cute.layout<"(8,4):(1,64)">
  return %0 : !cute.layout<"(8,4):(1,64)">
}

// -----

func.func @kind(%arg0: !cute.coord_tensor<"(0,0)", "(8,4):(1@0,1@1)">) -> !cute.layout<"(8,4):(1,8)"> {
  // expected-error @below {{'cute.make_fragment_like' op operand #0 must be layout, composed layout or memref, but got '!cute.coord_tensor<"(0,0)", "(8,4):(1@0,1@1)">'}}
  %0 = cute.make_fragment_like(%arg0) : (!cute.coord_tensor<"(0,0)", "(8,4):(1@0,1@1)">) -> !cute.layout<"(8,4):(1,8)">
  return %0 : !cute.layout<"(8,4):(1,8)">
}

// -----

func.func @pointers(%arg0: !cute.memref<!llvm.ptr, gmem, "8:1">) -> !cute.memref<!llvm.ptr, rmem, "8:1"> {
  // expected-error @below {{'cute.make_fragment_like' op !llvm.ptr has no size, so registers cannot hold it}}
  %0 = cute.make_fragment_like(%arg0) : (!cute.memref<!llvm.ptr, gmem, "8:1">) -> !cute.memref<!llvm.ptr, rmem, "8:1">
  return %0 : !cute.memref<!llvm.ptr, rmem, "8:1">
}
