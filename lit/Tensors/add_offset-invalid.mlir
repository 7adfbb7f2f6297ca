// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @tuple(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.int_tuple<"(1,2)">) -> !cute.ptr<f32, gmem, align<16>> {
  // expected-error @below {{'cute.add_offset' op an offset of (1,2) elements is not one integer}}
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"(1,2)">) -> !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.ptr<f32, gmem, align<16>>
}

// -----

func.func @stronger(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.int_tuple<"2">) -> !cute.ptr<f32, gmem, align<16>> {
  // expected-error @below {{'cute.add_offset' op result #0: declared !cute.ptr<f32, gmem, align<16>> is not a weakening of !cute.ptr<f32, gmem, align<8>>: the alignment is 8 bytes, declared 16}}
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"2">) -> !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.ptr<f32, gmem, align<16>>
}

// -----

func.func @space(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.int_tuple<"4">) -> !cute.ptr<f32, smem> {
  // expected-error @below {{'cute.add_offset' op result #0: declared !cute.ptr<f32, smem> is not a weakening of !cute.ptr<f32, gmem, align<16>>: the memory space is gmem, declared smem}}
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"4">) -> !cute.ptr<f32, smem>
  return %0 : !cute.ptr<f32, smem>
}

// -----

func.func @element(%arg0: !cute.ptr<f32, gmem, align<16>>, %arg1: !cute.int_tuple<"4">) -> !cute.ptr<f16, gmem> {
  // expected-error @below {{'cute.add_offset' op result #0: declared !cute.ptr<f16, gmem> is not a weakening of !cute.ptr<f32, gmem, align<16>>: the element types differ}}
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"4">) -> !cute.ptr<f16, gmem>
  return %0 : !cute.ptr<f16, gmem>
}

// -----

func.func @rank(%arg0: !cute.arith_tuple_iter<"(0,0)">, %arg1: !cute.int_tuple<"4">) -> !cute.arith_tuple_iter<"(4,0)"> {
  // expected-error @below {{'cute.add_offset' op (0,0) and 4 cannot be added: a nonzero integer and a tuple have no sum}}
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.arith_tuple_iter<"(0,0)">, !cute.int_tuple<"4">) -> !cute.arith_tuple_iter<"(4,0)">
  return %0 : !cute.arith_tuple_iter<"(4,0)">
}

// -----

func.func @pointers(%arg0: !cute.ptr<!llvm.ptr, gmem>, %arg1: !cute.int_tuple<"?">) -> !cute.ptr<!llvm.ptr, gmem> {
  // expected-error @below {{'cute.add_offset' op !llvm.ptr has no size, so there is no address ? elements on}}
  %0 = cute.add_offset(%arg0, %arg1) : (!cute.ptr<!llvm.ptr, gmem>, !cute.int_tuple<"?">) -> !cute.ptr<!llvm.ptr, gmem>
  return %0 : !cute.ptr<!llvm.ptr, gmem>
}
