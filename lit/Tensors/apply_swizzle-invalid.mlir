// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @operand(%arg0: !cute.coord<"0">) {
  // expected-error @below {{'cute.apply_swizzle' op operand #0 must be cute.ptr, but got '!cute.coord<"0">'}}
  %0 = cute.apply_swizzle(%arg0) : (!cute.coord<"0">) -> !cute.ptr<f16, smem, align<16>, S<3,4,3>>
  return
}

// -----

// A swizzle moves bits above its base: the alignment that is known ends there.
func.func @alignment(%arg0: !cute.ptr<f16, smem, align<128>, S<3,4,3>>) {
  // expected-error @below {{'cute.apply_swizzle' op result #0: declared !cute.ptr<f16, smem, align<128>, S<3,4,3>> is not a weakening of !cute.ptr<f16, smem, align<16>, S<3,4,3>>: the alignment is 16 bytes, declared 128}}
  %0 = cute.apply_swizzle(%arg0) : (!cute.ptr<f16, smem, align<128>, S<3,4,3>>) -> !cute.ptr<f16, smem, align<128>, S<3,4,3>>
  return
}
