// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @coord_rank(%arg0: !cute.layout<"(128,64):(64,1)">, %arg1: !cute.shape<"(64,32)">, %arg2: !cute.coord<"(1,0,0)">) -> !cute.layout<"(64,32):(64,1)"> {
  // expected-error @below {{'cute.local_tile' op the tile coordinate: rank 3, expected at most 2}}
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.layout<"(128,64):(64,1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,0,0)">) -> !cute.layout<"(64,32):(64,1)">
  return %0 : !cute.layout<"(64,32):(64,1)">
}

// -----

// There are two tiles in mode 0.
func.func @range(%arg0: !cute.layout<"(128,64):(64,1)">, %arg1: !cute.shape<"(64,32)">, %arg2: !cute.coord<"(2,0)">) -> !cute.layout<"(64,32):(64,1)"> {
  // expected-error @below {{'cute.local_tile' op coordinate: mode 0: index 2 is outside [0, 2); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.layout<"(128,64):(64,1)">, !cute.shape<"(64,32)">, !cute.coord<"(2,0)">) -> !cute.layout<"(64,32):(64,1)">
  return %0 : !cute.layout<"(64,32):(64,1)">
}

// -----

func.func @projection_rank(%arg0: !cute.layout<"(128,64):(64,1)">, %arg1: !cute.tile<"[64:1;8:1;32:1]">, %arg2: !cute.coord<"(0,0,0)">) -> !cute.layout<"(64,32):(64,1)"> {
  // expected-error @below {{'cute.local_tile' op the projection has rank 2, but the tiler [64:1;8:1;32:1] has rank 3; give both the same number of modes}}
  %0 = cute.local_tile(%arg0, %arg1, %arg2, "(1,_)") : (!cute.layout<"(128,64):(64,1)">, !cute.tile<"[64:1;8:1;32:1]">, !cute.coord<"(0,0,0)">) -> !cute.layout<"(64,32):(64,1)">
  return %0 : !cute.layout<"(64,32):(64,1)">
}

// -----

func.func @value(%arg0: !cute.layout<"(128,64):(64,1)">, %arg1: !cute.shape<"(64,32)">, %arg2: !cute.coord<"(1,0)">) -> !cute.layout<"(64,32):(1,64)"> {
  // expected-error @below {{'cute.local_tile' op result #0: declared !cute.layout<"(64,32):(1,64)"> is not a weakening of !cute.layout<"(64,32):(64,1)">: the stride of mode 0 is `64`, declared `1`: the values differ}}
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.layout<"(128,64):(64,1)">, !cute.shape<"(64,32)">, !cute.coord<"(1,0)">) -> !cute.layout<"(64,32):(1,64)">
  return %0 : !cute.layout<"(64,32):(1,64)">
}

// -----

// strict: of the modes that the projection keeps.
func.func @projected_range(%arg0: !cute.layout<"(100,64):(64,1)">, %arg1: !cute.tile<"[32:1;8:1;16:1]">, %arg2: !cute.coord<"(3,99,4)">) -> !cute.layout<"(32,16):(64,1)"> {
  // expected-error @below {{'cute.local_tile' op coordinate: mode 1: index 4 is outside [0, 4); set cute.domain = "extend" to accept it as CuTe does}}
  %0 = cute.local_tile(%arg0, %arg1, %arg2, "(1,_,1)") : (!cute.layout<"(100,64):(64,1)">, !cute.tile<"[32:1;8:1;16:1]">, !cute.coord<"(3,99,4)">) -> !cute.layout<"(32,16):(64,1)">
  return %0 : !cute.layout<"(32,16):(64,1)">
}

// -----

// strict: tiles of 8 cut across 12.
func.func @cut(%arg0: !cute.layout<"(2,(12,2)):(0,(16,18))">, %arg1: !cute.shape<"(2,8)">, %arg2: !cute.coord<"(0,1)">) -> !cute.layout<"(2,8):(0,16)"> {
  // expected-error @below {{'cute.local_tile' op partition: mode 1: the result is not a(b(c))}}
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.layout<"(2,(12,2)):(0,(16,18))">, !cute.shape<"(2,8)">, !cute.coord<"(0,1)">) -> !cute.layout<"(2,8):(0,16)">
  return %0 : !cute.layout<"(2,8):(0,16)">
}

// -----

// strict: the offset of the last tile does not fit the 32 bits of its coordinate.
func.func @wraps(%arg0: !cute.memref<f32, gmem, align<16>, "(1073741824,4):(4,1)">, %arg1: !cute.tile<"[128:1;4:1]">, %arg2: !cute.coord<"(?,0)">) -> !cute.memref<f32, gmem, align<16>, "(128,4):(4,1)"> {
  // expected-error @below {{'cute.local_tile' op offset: (_,(?,0)) in ((128,4),(8388608,1)):((4,1),(512,0)) reaches 4294966784, which 32 bits do not hold}}
  %0 = cute.local_tile(%arg0, %arg1, %arg2) : (!cute.memref<f32, gmem, align<16>, "(1073741824,4):(4,1)">, !cute.tile<"[128:1;4:1]">, !cute.coord<"(?,0)">) -> !cute.memref<f32, gmem, align<16>, "(128,4):(4,1)">
  return %0 : !cute.memref<f32, gmem, align<16>, "(128,4):(4,1)">
}
