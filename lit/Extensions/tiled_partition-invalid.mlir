// RUN: %opt %s -split-input-file -verify-diagnostics

// 1. Rank.
func.func @rank(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4,1)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  // expected-error @below {{'cute.tiled_partition' op expects same size in rank 2 but got srcShape: (64,32), dstShape: (1,4,1): the tiler has rank 3, but the layout has rank 2}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4,1)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// -----

// strict: what does not divide has no whole tiles.
func.func @partial(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,30):(32,1)">, %arg2: !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  // expected-error @below {{'cute.tiled_partition' op expects same size in rank 0 but got srcShape: (64,30), dstShape: (1,4): tile 4 of mode 1 does not divide its extent 30; set cute.domain = "extend" for a partial last tile, as CuTe makes it}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,30):(32,1)">, !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// -----

// 2. Predicate.
func.func @no_memref(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4)">, %arg3: !cute.coord<"0">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  // expected-error @below {{'cute.tiled_partition' op pred must be a CuteMemRefType: found !cute.coord}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">, !cute.coord<"0">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// -----

func.func @space(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4)">, %arg3: !cute.memref<i8, tmem, "(1,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  // expected-error @below {{'cute.tiled_partition' op pred memory space invalid: tmem is not one of rmem, smem, gmem, generic}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">, !cute.memref<i8, tmem, "(1,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// -----

func.func @element(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4)">, %arg3: !cute.memref<f32, rmem, "(1,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  // expected-error @below {{'cute.tiled_partition' op pred must be a CuteMemRefType of i8 or i1, found f32}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">, !cute.memref<f32, rmem, "(1,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// -----

func.func @calls(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4)">, %arg3: !cute.memref<i8, rmem, "(4,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  // expected-error @below {{'cute.tiled_partition' op pred must have 1 elements in mode 0, one element for each call of the atom, found 4: predicate (4,64,8), data ((1,4),64,8)}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">, !cute.memref<i8, rmem, "(4,64,8):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// -----

func.func @rests(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4)">, %arg3: !cute.memref<i8, rmem, "(1,64,4):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  // expected-error @below {{'cute.tiled_partition' op pred must have 8 elements in mode 2, the size of the data's mode, found 4: predicate (1,64,4), data ((1,4),64,8)}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2, %arg3) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">, !cute.memref<i8, rmem, "(1,64,4):(0,1,0)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}

// -----

// 3. Residual.
func.func @residual(%arg0: !cute_nvgpu.atom.universal_copy<f32, 128 b>, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,2)">) -> !cute.memref<f32, gmem, align<16>, "((1,2),64,16):((0,1),32,2)"> {
  // expected-error @below {{'cute.tiled_partition' op mode 0 of the source has 2 elements, not a multiple of the 4 that one call of the atom copies (128 b)}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute_nvgpu.atom.universal_copy<f32, 128 b>, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,2)">) -> !cute.memref<f32, gmem, align<16>, "((1,2),64,16):((0,1),32,2)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,2),64,16):((0,1),32,2)">
}

// -----

func.func @atom(%arg0: !cute.coord<"0">, %arg1: !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, %arg2: !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)"> {
  // expected-error @below {{'cute.tiled_partition' op operand #0 must be a copy atom or tiled_copy, found !cute.coord}}
  %0 = cute.tiled_partition(%arg0, %arg1, %arg2) : (!cute.coord<"0">, !cute.memref<f32, gmem, align<16>, "(64,32):(32,1)">, !cute.shape<"(1,4)">) -> !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
  return %0 : !cute.memref<f32, gmem, align<16>, "((1,4),64,8):((0,1),32,4)">
}
