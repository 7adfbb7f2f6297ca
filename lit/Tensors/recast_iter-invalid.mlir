// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @space(%arg0: !cute.ptr<f32, gmem, align<16>>) -> !cute.ptr<f32, smem, align<16>> {
  // expected-error @below {{'cute.recast_iter' op the memory space changes from gmem to smem}}
  %0 = cute.recast_iter(%arg0) : !cute.ptr<f32, gmem, align<16>> to !cute.ptr<f32, smem, align<16>>
  return %0 : !cute.ptr<f32, smem, align<16>>
}

// -----

func.func @alignment(%arg0: !cute.ptr<f32, gmem>) -> !cute.ptr<f32, gmem, align<16>> {
  // expected-error @below {{'cute.recast_iter' op the address is known to be aligned to 4 bytes, but align<16> claims more}}
  %0 = cute.recast_iter(%arg0) : !cute.ptr<f32, gmem> to !cute.ptr<f32, gmem, align<16>>
  return %0 : !cute.ptr<f32, gmem, align<16>>
}

// -----

// f32 claims 4 bytes without saying so.
func.func @natural_alignment(%arg0: !cute.ptr<i8, gmem>) -> !cute.ptr<f32, gmem> {
  // expected-error @below {{'cute.recast_iter' op the address is known to be aligned to 1 bytes, but align<4> claims more}}
  %0 = cute.recast_iter(%arg0) : !cute.ptr<i8, gmem> to !cute.ptr<f32, gmem>
  return %0 : !cute.ptr<f32, gmem>
}
