// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @dynamic(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"((2,2),?,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  // expected-error @below {{'cute.mma.make_fragment' op a fragment must have a static shape, found ((2,2),?,8)}}
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"((2,2),?,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
}

// -----

func.func @rank(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"((2,2),4)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4):((1,2),4)"> {
  // expected-error @below {{'cute.mma.make_fragment' op C must be partitioned as (V, rest..) of rank 3 or more, found ((2,2),4)}}
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"((2,2),4)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4):((1,2),4)">
  return %0 : !cute.memref<f32, rmem, align<16>, "((2,2),4):((1,2),4)">
}

// -----

func.func @values(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"((2,2),4,8)">) -> !cute.memref<f16, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  // expected-error @below {{'cute.mma.make_fragment' op mode 0 of A has 4 elements, but a thread of the atom has 8}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"((2,2),4,8)">) -> !cute.memref<f16, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f16, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
}

// -----

func.func @element(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"((2,2),4,8)">) -> !cute.memref<f16, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  // expected-error @below {{'cute.mma.make_fragment' op result #0: declared !cute.memref<f16, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> is not a weakening of !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">: the element types differ}}
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"((2,2),4,8)">) -> !cute.memref<f16, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f16, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
}

// -----

func.func @strides(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),32,4)"> {
  // expected-error @below {{'cute.mma.make_fragment' op result #0: declared !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),32,4)"> is not a weakening of !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">: the stride of mode 1 is `4`, declared `32`: the values differ}}
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),32,4)">
  return %0 : !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),32,4)">
}

// -----

func.func @space(%arg0: !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, %arg1: !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, smem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  // expected-error @below {{'cute.mma.make_fragment' op result #0: declared !cute.memref<f32, smem, align<16>, "((2,2),4,8):((1,2),4,16)"> is not a weakening of !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">: the memory space is rmem, declared smem}}
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(1,1,1):(0,0,0)">>, !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, smem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f32, smem, align<16>, "((2,2),4,8):((1,2),4,16)">
}

// -----

func.func @kind(%arg0: !cute_nvgpu.atom.universal_copy<f32>, %arg1: !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)"> {
  // expected-error @below {{'cute.mma.make_fragment' op operand #0 must be an MMA atom or tiled_mma, found !cute_nvgpu.atom.universal_copy}}
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!cute_nvgpu.atom.universal_copy<f32>, !cute.shape<"((2,2),4,8)">) -> !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
  return %0 : !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
}
