// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @vector(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"16">) -> !cute.shape<"16"> {
  // expected-error @below {{'cute.tiled.mma.partition_shape' op the tensor: rank 1, expected at least 2}}
  %0 = cute.tiled.mma.partition_shape C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"16">) -> !cute.shape<"16">
  return %0 : !cute.shape<"16">
}

// -----

func.func @value(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"(16,16)">) -> !cute.shape<"((2,2),1,1)"> {
  // expected-error @below {{'cute.tiled.mma.partition_shape' op result #0: declared !cute.shape<"((2,2),1,1)"> is not a weakening of !cute.shape<"((2,2),1,2)">: the extent of mode 2 is `2`, declared `1`: the values differ}}
  %0 = cute.tiled.mma.partition_shape C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"(16,16)">) -> !cute.shape<"((2,2),1,1)">
  return %0 : !cute.shape<"((2,2),1,1)">
}

// -----

func.func @kind(%arg0: !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, %arg1: !cute.shape<"(16,16)">) -> !cute.shape<"((2,2),1,2)"> {
  // expected-error @below {{'cute.tiled.mma.partition_shape' op operand #0 must be cute.tiled_mma, but got '!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >'}}
  %0 = cute.tiled.mma.partition_shape C (%arg0, %arg1) : (!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, !cute.shape<"(16,16)">) -> !cute.shape<"((2,2),1,2)">
  return %0 : !cute.shape<"((2,2),1,2)">
}

// -----

func.func @matrix(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"(16,16)">) -> !cute.shape<"((2,2),1,2)"> {
  // expected-error @below {{custom op 'cute.tiled.mma.partition_shape' expected a matrix: A, B, C, SFA or SFB}}
  %0 = cute.tiled.mma.partition_shape M (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"(16,16)">) -> !cute.shape<"((2,2),1,2)">
  return %0 : !cute.shape<"((2,2),1,2)">
}
