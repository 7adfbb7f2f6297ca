// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-lower-atoms{target=sm_100a})'

func.func @columns(%where: !cute.ptr<i32, smem, align<8>>) {
  %columns = arith.constant 96 : i32
  // expected-error @below {{'cute_nvgpu.arch.sm100.alloc_tmem' op: 96 columns cannot be allocated: it takes a power of two from 32 to 512}}
  cute_nvgpu.arch.sm100.alloc_tmem(%columns, %where) [cta_1] : i32, !cute.ptr<i32, smem, align<8>>
  return
}

// -----

func.func @too_many(%first: !cute.ptr<f32, tmem, align<16>>) {
  %columns = arith.constant 1024 : i32
  // expected-error @below {{'cute_nvgpu.arch.sm100.dealloc_tmem' op: 1024 columns cannot be allocated: it takes a power of two from 32 to 512}}
  cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_1] : !cute.ptr<f32, tmem, align<16>>, i32
  return
}

// -----

// Lanes of 16, where the atom reaches 32.

!lanes = !cute.memref<f32, tmem, align<16>, "((32,16)):((1,65536))">
!registers = !cute.memref<f32, rmem, align<32>, "((32,1)):((1,0))">
!atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>
func.func @lanes(%tensor: !cute.memref<f32, tmem, align<16>, "((32,16)):((1,65536))">) {
  %registers = cute.memref.alloca() : !cute.memref<f32, rmem, align<32>, "((16,1)):((1,0))">
  %atom = cute.make_atom() : () -> !atom
  // expected-error @below {{'cute.copy_atom_call' op: SM100_TMEM_LOAD_32dp32b16x accesses tensor memory in the layout (16,32):(1,65536), but the view has the layout (32,16):(1,65536); partition the tensor by a tiled copy of an atom whose lanes and bits fit it}}
  cute.copy_atom_call(%atom, %tensor, %registers) : (!atom, !lanes, !cute.memref<f32, rmem, align<32>, "((16,1)):((1,0))">) -> ()
  return
}

// -----

!tensor = !cute.memref<f32, tmem, align<16>, "((16,32)):((1,65536))">
!registers = !cute.memref<f32, rmem, align<32>, "((16,1)):((1,0))">
!atom = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x16>
func.func @predicate(%tensor: !tensor, %flag: i1) {
  %registers = cute.memref.alloca() : !registers
  %atom = cute.make_atom() : () -> !atom
  // expected-error @below {{'cute.copy_atom_call' op: a predicate on tcgen05.ld or tcgen05.st is not supported, because all lanes of a warp take part}}
  cute.copy_atom_call(%atom, %tensor, %registers, %flag) : (!atom, !tensor, !registers, i1) -> ()
  return
}
