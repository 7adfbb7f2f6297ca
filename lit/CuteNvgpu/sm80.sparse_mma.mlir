// RUN: %opt %s | %opt | FileCheck %s

// mma.sp.sync: half of A is stored, the metadata say which.

// CHECK: @t0(!cute_nvgpu.sm80.sparse_mma<16x8x16, elem_type = (f16, f16, f16), md_format = tid >)
func.func private @t0(!cute_nvgpu.sm80.sparse_mma<16x8x16, elem_type = (f16, f16, f16), md_format = tid >)
// CHECK: @t1(!cute_nvgpu.sm80.sparse_mma<16x8x32, elem_type = (bf16, bf16, f32), md_format = tid >)
func.func private @t1(!cute_nvgpu.sm80.sparse_mma<16x8x32, elem_type = (bf16, bf16, f32), md_format = tid>)
// CHECK: @t2(!cute_nvgpu.sm80.sparse_mma<16x8x8, elem_type = (tf32, tf32, f32), md_format = tid >)
func.func private @t2(!cute_nvgpu.sm80.sparse_mma<16x8x8, elem_type = (tf32, tf32, f32), md_format = tid >)
// CHECK: @t3(!cute_nvgpu.sm80.sparse_mma<16x8x64, elem_type = (i8, ui8, i32), md_format = tid, int_overflow = <satfinite> >)
func.func private @t3(!cute_nvgpu.sm80.sparse_mma<16x8x64, elem_type = (i8, ui8, i32), md_format = tid, int_overflow = <satfinite> >)
// CHECK: @t4(!cute_nvgpu.sm80.sparse_mma<16x8x128, elem_type = (i4, i4, i32), md_format = tid >)
func.func private @t4(!cute_nvgpu.sm80.sparse_mma<16x8x128, elem_type = (i4, i4, i32), md_format = tid >)

!atom = !cute_nvgpu.sm80.sparse_mma<16x8x32, elem_type = (f16, f16, f32), md_format = tid >
!tiled = !cute.tiled_mma<!atom, atom_layout_MNK = <"(2,2,1):(1,2,0)">>

// Its state is where the metadata are.
// CHECK-LABEL: @tile
// CHECK: cute.make_atom(%arg0) : (!cute.ptr<i8, rmem, align<4>>) -> !cute_nvgpu.sm80.sparse_mma
// CHECK: cute.tiled.mma.partition_shape A({{.*}} -> !cute.shape<"((4,2,2),2,2)">
func.func @tile(%e: !cute.ptr<i8, rmem, align<4>>, %mk: !cute.shape<"(64,64)">) -> !cute.shape<"((4,2,2),2,2)"> {
  %atom = cute.make_atom(%e) : (!cute.ptr<i8, rmem, align<4>>) -> !atom
  %mma = cute.make_tiled_mma(%atom) : !tiled
  %shape = cute.tiled.mma.partition_shape A (%mma, %mk) : (!tiled, !cute.shape<"(64,64)">) -> !cute.shape<"((4,2,2),2,2)">
  return %shape : !cute.shape<"((4,2,2),2,2)">
}
