// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-to-base)'

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),2,4):((64,1),4096,16)">
func.func @strides(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{is not a weakening of !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">: the stride of mode 2 is `2`, declared `16`: the values differ}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,16)">
  return
}

// -----

// Rows of 128 bytes need the swizzle of 128 bytes.
!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, S<2,4,3>, "((64,16),2,4):((64,1),4096,16)">
func.func @swizzle(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{'cute.mma.make_fragment' op A, contiguous along k, has no descriptor: shared-memory descriptor: (64,16):(64,1) is not made of blocks S<2,4,3> o 0 o (8,32):(32,1); as it lies, it needs S<3,4,3> and ab_major k}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">
  return
}

// -----

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, S<3,3,3>, "((64,16),2,4):((64,1),4096,16)">
func.func @other_swizzle(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{descriptors swizzle by S<0,4,3>, S<1,4,3>, S<2,4,3>, S<3,4,3>, S<2,5,2>, not by S<3,3,3>}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">
  return
}

// -----

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, "S<3,4,3> o 0 o ((64,16),2,4):((64,1),4096,16)">
func.func @composed(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{a descriptor swizzles the address, not the layout S<3,4,3> o 0 o ((64,16),2,4):((64,1),4096,16): recast the iterator to a swizzled pointer}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">
  return
}

// -----

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<8>, S<3,4,3>, "((64,16),2,4):((64,1),4096,16)">
func.func @alignment(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{descriptors address 16-byte units, but A is only known to be 8-byte aligned; align its memory and declare the alignment in its type}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">
  return
}

// -----

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),2,4):((64,1),4100,16)">
func.func @units(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{a stride of 4100 elements in 2:4100 is not a whole number of 16-byte units of 8}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">
  return
}

// -----

// Stages of 64 rows and one more: each begins in another row of the pattern.
!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4,3):((64,1),0,16,4160)">
func.func @stages(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{mode 3 of A, 3:4160, steps by 8320 bytes: SW128 repeats every 1024 bytes, and a descriptor begins there or in the 128 bytes after that; pad stages and tiles to whole patterns}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,3):(0,0,2,520)">
  return
}

// -----

!umma = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
func.func @of_shape(%arg0: !umma, %arg1: !cute.shape<"((128,16),1,4)">) {
  // expected-error @below {{the atom reads A from shared memory: give its partition, a memref in smem, not !cute.shape}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!umma, !cute.shape<"((128,16),1,4)">) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
  return
}

// -----

!umma = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
func.func @columns(%arg0: !umma, %arg1: !cute.shape<"((128,128),1,1)">) {
  // expected-error @below {{is not a weakening of !cute.memref<f32, tmem, align<1>, "((128,128),1,1):((65536,1),0,0)">: the stride of mode (0,0) is `65536`, declared `1`: the values differ}}
  %0 = cute.mma.make_fragment C (%arg0, %arg1) : (!umma, !cute.shape<"((128,128),1,1)">) -> !cute.memref<f32, tmem, align<1>, "((128,128),1,1):((1,128),0,0)">
  return
}

// -----

// A descriptor stands for a matrix.
!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!c = !cute.memref<f32, rmem, align<16>, "((2,2,16),2,1):((1,2,4),64,0)">
func.func @gemm(%mma: !wgmma, %c: !c, %a: !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),2):((64,1),4096)">, %b: !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">) {
  // expected-error @below {{'cute.gemm' op mode 0 of A has 1024 elements, but a descriptor of A is one element: make descriptors with mma.make_fragment}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!wgmma, !c, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),2):((64,1),4096)">, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">, !c)
  return
}

// -----

!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!c = !cute.memref<f32, rmem, align<16>, "((2,2,16),2,1):((1,2,4),64,0)">
!a = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,3):(0,512)">
!b = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
func.func @gemm_extent(%mma: !wgmma, %c: !c, %a: !a, %b: !b) {
  // expected-error @below {{'cute.gemm' op expects same size in rank 1 but got A: (1,3), B: (1,1), C: ((2,2,16),2,1), D: ((2,2,16),2,1): mode 1 of A has 3 elements, but mode 1 of C has 2}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!wgmma, !c, !a, !b, !c)
  return
}

// -----

!sm80 = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
!c = !cute.memref<f32, rmem, align<16>, "4:1">
func.func @gemm_registers(%mma: !sm80, %c: !c, %a: !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "8:1">, %b: !cute.memref<f16, rmem, align<8>, "4:1">) {
  // expected-error @below {{'cute.gemm' op A is a !cute_nvgpu.smem_desc_view, but the atom takes it from registers: use the result of mma.make_fragment}}
  cute.gemm(%mma, %c, %a, %b, %c) : (!sm80, !c, !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "8:1">, !cute.memref<f16, rmem, align<8>, "4:1">, !c)
  return
}

// -----

!umma = !cute_nvgpu.sm100.mma<128x128x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
!c = !cute.memref<f32, rmem, align<16>, "((128,128),1,1):((1,128),0,0)">
!f = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
func.func @gemm_tensor_memory(%mma: !umma, %c: !c, %f: !f) {
  // expected-error @below {{'cute.gemm' op D lies in rmem, but the atom takes it from tensor memory}}
  cute.gemm(%mma, %c, %f, %f, %c) : (!umma, !c, !f, !f, !c)
  return
}

// -----

// Memory of other elements than the atom multiplies.
!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (bf16, bf16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),2,4):((64,1),4096,16)">
func.func @halves(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{'cute.mma.make_fragment' op A's memory holds f16, but the atom multiplies bf16: recast the iterator to bf16, or use an atom of f16}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,2,4):(0,512,2)">
  return
}

// -----

!umma = !cute_nvgpu.sm100.mma<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f8E4M3FN, f8E5M2, f32), frag_kind = ss, c_scale_exp = 0>
!b = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((128,32),1,4):((128,1),0,32)">
func.func @bytes(%arg0: !umma, %arg1: !b) {
  // expected-error @below {{'cute.mma.make_fragment' op B's memory holds f8E4M3FN, but the atom multiplies f8E5M2: recast the iterator to f8E5M2, or use an atom of f8E4M3FN}}
  %0 = cute.mma.make_fragment B (%arg0, %arg1) : (!umma, !b) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
  return
}

// -----

// What is stated must be so.
!wgmma = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!a = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),2,4):((64,1),4096,16)">
func.func @stated(%arg0: !wgmma, %arg1: !a) {
  // expected-error @below {{is not a weakening of !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, k>, "(1,2,4):(0,512,2)">: the matrix is f16, A, k, declared f16, A, mn}}
  %0 = cute.mma.make_fragment A (%arg0, %arg1) : (!wgmma, !a) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc<f16, A, mn>, "(1,2,4):(0,512,2)">
  return
}
