// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @word(%where: !cute.ptr<i64, smem>) {
  // expected-error @below {{'cute_nvgpu.arch.sm100.retrieve_tmem_ptr' op the address of tensor memory is kept in an i32 in smem, but the pointer is to i64 in smem}}
  %0 = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where) : !cute.ptr<i64, smem> -> !cute.ptr<f32, tmem, align<16>>
  return
}

// -----

func.func @result(%where: !cute.ptr<i32, smem, align<8>>) {
  // expected-error @below {{'cute_nvgpu.arch.sm100.retrieve_tmem_ptr' op a pointer to tmem is expected, found one to smem}}
  %0 = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where) : !cute.ptr<i32, smem, align<8>> -> !cute.ptr<f32, smem>
  return
}
