// RUN: %opt %s -split-input-file --pass-pipeline='builtin.module(cute-expand-copy-gemm,cute-expand-ops,cute-lower-atoms{target=sm_120a},cute-to-base,canonicalize)' | FileCheck %s

// mma.sync with scale factors, which a thread holds in the lowest bytes of a word.

!bs = !cute_nvgpu.SM120.mma_bs<16x8x32, vec_size = 32, elem_type = (f8E4M3FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">
!b = !cute.memref<i8, rmem, align<16>, "8:1">
!sf = !cute.memref<f8E8M0FNU, rmem, align<1>, "((32,1)):((0,1))">

// One factor is a byte.
// CHECK-LABEL: @mxf8f6f4(
// CHECK: %[[BYTE_A:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: %[[A:.*]] = llvm.zext %[[BYTE_A]] : i8 to i32
// CHECK: %[[BYTE_B:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i8
// CHECK: %[[B:.*]] = llvm.zext %[[BYTE_B]] : i8 to i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e2m1.f32.ue8m0"({{.*}}, %[[A]], %[[ZERO:[a-z0-9]+]], %[[ZERO]], %[[B]], %[[ZERO]], %[[ZERO]]) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, i32, i16, i16, i32, i16, i16) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @mxf8f6f4(%atom: !bs, %d: !d, %a: !a, %b: !b, %sfa: !sf, %sfb: !sf) {
  cute.mma_atom_call(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!bs, !d, !a, !sf, !b, !sf, !d) -> ()
  return
}

// -----

// Two are 16 bits, here at the pointers in the state of the atom.
!bs = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f4E2M1FN, rmem, align<16>, "32:1">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "16:1">
!p = !cute.ptr<f8E8M0FNU, rmem, align<4>>
// CHECK-LABEL: @mxf4nvf4_of_state(
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> i16
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.2x.f32.e2m1.e2m1.f32.ue8m0"
func.func @mxf4nvf4_of_state(%d: !d, %a: !a, %b: !b, %sfa: !p, %sfb: !p) {
  %atom = cute.make_atom(%sfa, %sfb) : (!p, !p) -> !bs
  cute.mma_atom_call(%atom, %d, %a, %b, %d) : (!bs, !d, !a, !b, !d) -> ()
  return
}

// -----

// A gemm passes the factors of each call, and four are a word.
!bs = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "(4,2,1):(1,4,0)">
!a = !cute.memref<f4E2M1FN, rmem, align<16>, "(32,2,2):(1,32,64)">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "(16,1,2):(1,0,16)">
!sfa = !cute.memref<f8E4M3FN, rmem, align<16>, "((16,4),2,2):((0,1),4,8)">
!sfb = !cute.memref<f8E4M3FN, rmem, align<16>, "((16,4),1,2):((0,1),0,4)">
// CHECK-LABEL: @gemm(
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3"
// CHECK-NOT: llvm.call_intrinsic
func.func @gemm(%atom: !bs, %d: !d, %a: !a, %b: !b, %sfa: !sfa, %sfb: !sfb) {
  cute.gemm(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!bs, !d, !a, !sfa, !b, !sfb, !d)
  return
}

// -----

// Of a word of registers with the factors of several calls, the instruction takes a byte, or two.
!bs = !cute_nvgpu.SM120.mma_bs<16x8x32, vec_size = 32, elem_type = (f8E4M3FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">
!b = !cute.memref<i8, rmem, align<16>, "8:1">
!words = !cute.memref<f8E8M0FNU, rmem, align<16>, "((32,1),4,2):((0,1),1,4)">
!byte = !cute.memref<f8E8M0FNU, rmem, align<1>, "((32,1)):((0,1))">
// CHECK-LABEL: @byte_of_word(
// CHECK: %[[THREE:.*]] = llvm.mlir.constant(3 : i16) : i16
// CHECK: %[[WORDS:.*]] = llvm.alloca %{{.*}} x !llvm.array<8 x i8>
// CHECK: %[[BYTE:.*]] = llvm.getelementptr %[[WORDS]][7]
// CHECK: %[[AT:.*]] = llvm.getelementptr %[[BYTE]][-3]
// CHECK: %[[A:.*]] = llvm.load %[[AT]] {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.call_intrinsic "llvm.nvvm.mma.block.scale.m16n8k32.row.col.mxf8f6f4.scale.1x.f32.e4m3.e2m1.f32.ue8m0"({{.*}}, %[[A]], %[[THREE]], %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, i32, i16, i16, i32, i16, i16) -> !llvm.struct<(f32, f32, f32, f32)>
func.func @byte_of_word(%atom: !bs, %d: !d, %a: !a, %b: !b) {
  %words = cute.memref.alloca() : !words
  %at = cute.static : !cute.coord<"(_,3,1)">
  %other = cute.static : !cute.coord<"(_,0,0)">
  %sfa = cute.slice(%words, %at) : !words, !cute.coord<"(_,3,1)">
  %sfb = cute.slice(%words, %other) : !words, !cute.coord<"(_,0,0)">
  cute.mma_atom_call(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!bs, !d, !a, !byte, !b, !cute.memref<f8E8M0FNU, rmem, align<16>, "((32,1)):((0,1))">, !d) -> ()
  return
}

// -----

// Three bytes are not a word, and are loaded one by one.
!bs = !cute_nvgpu.SM120.mma_bs<16x8x32, vec_size = 32, elem_type = (f8E4M3FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f8E4M3FN, rmem, align<16>, "16:1">
!b = !cute.memref<i8, rmem, align<16>, "8:1">
!words = !cute.memref<f8E8M0FNU, rmem, align<16>, "((32,1),3):((0,1),1)">
!byte = !cute.memref<f8E8M0FNU, rmem, align<2>, "((32,1)):((0,1))">
// CHECK-LABEL: @bytes(
// CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK: llvm.call_intrinsic
func.func @bytes(%atom: !bs, %d: !d, %a: !a, %b: !b) {
  %words = cute.memref.alloca() : !words
  %at = cute.static : !cute.coord<"(_,2)">
  %sf = cute.slice(%words, %at) : !words, !cute.coord<"(_,2)">
  cute.mma_atom_call(%atom, %d, %a, %sf, %b, %sf, %d) : (!bs, !d, !a, !byte, !b, !byte, !d) -> ()
  return
}

// -----

// A fragment of factors has words, too: the second call takes the upper half of one.
!bs = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 32, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E8M0FNU, use_sf_layout_TV = true>
!mma = !cute.tiled_mma<!bs, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!d = !cute.memref<f32, rmem, align<16>, "4:1">
!a = !cute.memref<f4E2M1FN, rmem, align<16>, "32:1">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "16:1">
!part = !cute.memref<f8E8M0FNU, gmem, align<4>, "((32,2),1,2):((0,1),0,2)">
!words = !cute.memref<f8E8M0FNU, rmem, align<4>, "((32,2),1,2):((0,1),0,2)">
!half = !cute.memref<f8E8M0FNU, rmem, align<2>, "((32,2)):((0,1))">
// CHECK-LABEL: @half_of_fragment(
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i16) : i16
// CHECK: %[[HALF:.*]] = llvm.getelementptr %{{.*}}[2]
// CHECK: %[[WORD:.*]] = llvm.getelementptr %[[HALF]][-2]
// CHECK: %[[A:.*]] = llvm.load %[[WORD]] {alignment = 4 : i64} : !llvm.ptr -> i32
// CHECK: llvm.call_intrinsic {{.*}}({{.*}}, %[[A]], %[[TWO]], %{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %[[TWO]], %{{[a-z0-9]+}})
func.func @half_of_fragment(%atom: !bs, %mma: !mma, %part: !part, %d: !d, %a: !a, %b: !b) {
  %words = cute.mma.make_fragment SFA(%mma, %part) : (!mma, !part) -> !words
  %at = cute.static : !cute.coord<"(_,0,1)">
  %sf = cute.slice(%words, %at) : !words, !cute.coord<"(_,0,1)">
  cute.mma_atom_call(%atom, %d, %a, %sf, %b, %sf, %d) : (!bs, !d, !a, !half, !b, !half, !d) -> ()
  return
}
