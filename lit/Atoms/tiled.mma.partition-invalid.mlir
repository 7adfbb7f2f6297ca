// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @no_such_thread(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, %arg2: !cute.coord<"32">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)"> {
  // expected-error @below {{'cute.tiled.mma.partition' op thread 32 is not one of the 32 threads of the !cute.tiled_mma}}
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, !cute.coord<"32">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
}

// -----

func.func @tuple_thread(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, %arg2: !cute.coord<"(1,2)">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)"> {
  // expected-error @below {{'cute.tiled.mma.partition' op the thread must be one integer}}
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, !cute.coord<"(1,2)">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
}

// -----

func.func @vector(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.memref<f32, gmem, align<16>, "16:1">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)"> {
  // expected-error @below {{'cute.tiled.mma.partition' op the tensor: rank 1, expected at least 2}}
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.memref<f32, gmem, align<16>, "16:1">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
}

// -----

func.func @kind(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, %arg2: !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)"> {
  // expected-error @below {{'cute.tiled.mma.partition' op operand #0 must be cute.tiled_mma, but got '!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >'}}
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, !cute.coord<"?">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
}

// -----

func.func @value(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, %arg2: !cute.coord<"0">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)"> {
  // expected-error @below {{'cute.tiled.mma.partition' op result #0: declared !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)"> is not a weakening of !cute.memref<f32, gmem, align<16>, "((2,2),1,1):((1,64),0,0)">: (16,8) and ((2,2),1,1) are not congruent}}
  %0 = cute.tiled.mma.partition C (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, !cute.coord<"0">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
}

// -----

func.func @matrix(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, %arg2: !cute.coord<"0">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)"> {
  // expected-error @below {{custom op 'cute.tiled.mma.partition' expected a matrix: A, B, C, SFA or SFB}}
  %0 = cute.tiled.mma.partition D (%arg0, %arg1, %arg2) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">, !cute.coord<"0">) -> !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(16,8):(8,1)">
}

// -----

!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
func.func @partial(%m: !mma, %v: !cute.memref<f16, smem, align<16>, "(40,16):(16,1)">, %t: !cute.coord<"?">) {
  // expected-error @below {{'cute.tiled.mma.partition' op divide: mode 0: tiles of 32:1 in 40 elements cover 64; set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.tiled.mma.partition A (%m, %v, %t) : (!mma, !cute.memref<f16, smem, align<16>, "(40,16):(16,1)">, !cute.coord<"?">) -> !cute.memref<f16, smem, align<4>, "((2,2,2),2,1):((1,128,8),512,0)">
  return
}
