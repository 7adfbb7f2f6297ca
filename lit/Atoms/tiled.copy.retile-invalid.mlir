// RUN: %opt %s -split-input-file -verify-diagnostics

func.func @kind(%arg0: !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, %arg1: !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">) -> !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)"> {
  // expected-error @below {{'cute.tiled.copy.retile' op operand #0 must be cute.tiled_copy, but got '!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>'}}
  %0 = cute.tiled.copy.retile(%arg0, %arg1) : (!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">) -> !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">
  return %0 : !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">
}

// -----

func.func @dynamic(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, %arg1: !cute.memref<f16, rmem, align<16>, "(?,4,4):(1,8,32)">) -> !cute.memref<f16, rmem, align<16>, "(8,4,4):(1,8,32)"> {
  // expected-error @below {{'cute.tiled.copy.retile' op the size ? of mode 0 is dynamic, but a static value is required}}
  %0 = cute.tiled.copy.retile(%arg0, %arg1) : (!cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, !cute.memref<f16, rmem, align<16>, "(?,4,4):(1,8,32)">) -> !cute.memref<f16, rmem, align<16>, "(8,4,4):(1,8,32)">
  return %0 : !cute.memref<f16, rmem, align<16>, "(8,4,4):(1,8,32)">
}

// -----

func.func @values(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, %arg1: !cute.memref<f16, rmem, align<16>, "(3,4,4):(1,8,32)">) -> !cute.memref<f16, rmem, align<16>, "(8,4,4):(1,8,32)"> {
  // expected-error @below {{'cute.tiled.copy.retile' op mode (0,1) of the stride: 256 does not divide, and is not divided by, the factor 384}}
  %0 = cute.tiled.copy.retile(%arg0, %arg1) : (!cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, !cute.memref<f16, rmem, align<16>, "(3,4,4):(1,8,32)">) -> !cute.memref<f16, rmem, align<16>, "(8,4,4):(1,8,32)">
  return %0 : !cute.memref<f16, rmem, align<16>, "(8,4,4):(1,8,32)">
}

// -----

func.func @value(%arg0: !cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, %arg1: !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">) -> !cute.memref<f16, rmem, align<16>, "(8,16):(1,8)"> {
  // expected-error @below {{'cute.tiled.copy.retile' op result #0: declared !cute.memref<f16, rmem, align<16>, "(8,16):(1,8)"> is not a weakening of !cute.memref<f16, rmem, align<16>, "((8,1),4,4):((1,0),32,8)">: (8,16) and ((8,1),4,4) are not congruent}}
  %0 = cute.tiled.copy.retile(%arg0, %arg1) : (!cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>, !cute.memref<f16, rmem, align<16>, "((2,2,2),4,4):((1,2,4),32,8)">) -> !cute.memref<f16, rmem, align<16>, "(8,16):(1,8)">
  return %0 : !cute.memref<f16, rmem, align<16>, "(8,16):(1,8)">
}
