// D = (A * SFA) * (B * SFB) of 16 x 8 x 128 packed e2m1, with a factor of ue4m3 for each 16 of them, by a warp of sm_120a. Each thread
// finds its values in its row of the arrays: two K blocks of A, of B and of their factors, in the order of the atom's layouts.

!A = !cute.memref<i8, gmem, align<32>, "(32,32):(32,1)">
!B = !cute.memref<i8, gmem, align<16>, "(32,16):(16,1)">
!S = !cute.memref<f8E4M3FN, gmem, align<8>, "(32,8):(8,1)">
!D = !cute.memref<f32, gmem, align<16>, "(32,4):(4,1)">

!own_A = !cute.memref<i8, gmem, align<32>, "(32):(1)">
!own_B = !cute.memref<i8, gmem, align<16>, "(16):(1)">
!own_S = !cute.memref<f8E4M3FN, gmem, align<8>, "(8):(1)">
!own_D = !cute.memref<f32, gmem, align<16>, "(4):(1)">
!held_A = !cute.memref<i8, rmem, align<32>, "(32):(1)">
!held_B = !cute.memref<i8, rmem, align<16>, "(16):(1)">
!held_S = !cute.memref<f8E4M3FN, rmem, align<8>, "(8):(1)">
!held_D = !cute.memref<f32, rmem, align<16>, "(4):(1)">
!copy_A = !cute_nvgpu.atom.universal_copy<i8, 256 b>
!copy_B = !cute_nvgpu.atom.universal_copy<i8, 128 b>
!copy_S = !cute_nvgpu.atom.universal_copy<f8E4M3FN, 64 b>
!copy_D = !cute_nvgpu.atom.universal_copy<f32, 128 b>

// The modes of a gemm: values, M or N, and K.
!a = !cute.memref<f4E2M1FN, rmem, align<32>, "(32,1,2):(1,0,32)">
!b = !cute.memref<f4E2M1FN, rmem, align<16>, "(16,1,2):(1,0,16)">
!sf = !cute.memref<f8E4M3FN, rmem, align<8>, "((16,4),1,2):((0,1),0,4)">
!d = !cute.memref<f32, rmem, align<16>, "(4,1,1):(1,0,0)">
!bytes_A = !cute.ptr<i8, rmem, align<32>>
!bytes_B = !cute.ptr<i8, rmem, align<16>>
!numbers_A = !cute.ptr<f4E2M1FN, rmem, align<32>>
!numbers_B = !cute.ptr<f4E2M1FN, rmem, align<16>>
!at_factors = !cute.ptr<f8E4M3FN, rmem, align<8>>
!atom = !cute_nvgpu.SM120.mma_bs<16x8x64, vec_size = 16, elem_type = (f4E2M1FN, f4E2M1FN, f32), sf_type = f8E4M3FN, use_sf_layout_TV = true>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scaled(%A: !A, %B: !B, %SFA: !S, %SFB: !S, %D: !D) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"(?,_)">
      %gA = cute.slice(%A, %t) : !A, !cute.coord<"(?,_)">
      %gB = cute.slice(%B, %t) : !B, !cute.coord<"(?,_)">
      %gSFA = cute.slice(%SFA, %t) : !S, !cute.coord<"(?,_)">
      %gSFB = cute.slice(%SFB, %t) : !S, !cute.coord<"(?,_)">
      %gD = cute.slice(%D, %t) : !D, !cute.coord<"(?,_)">
      %rA = cute.memref.alloca() : !held_A
      %rB = cute.memref.alloca() : !held_B
      %rSFA = cute.memref.alloca() : !held_S
      %rSFB = cute.memref.alloca() : !held_S
      %rD = cute.memref.alloca() : !held_D
      %copy_A = cute.make_atom() : () -> !copy_A
      %copy_B = cute.make_atom() : () -> !copy_B
      %copy_S = cute.make_atom() : () -> !copy_S
      %copy_D = cute.make_atom() : () -> !copy_D
      cute.copy_atom_call(%copy_A, %gA, %rA) : (!copy_A, !own_A, !held_A) -> ()
      cute.copy_atom_call(%copy_B, %gB, %rB) : (!copy_B, !own_B, !held_B) -> ()
      cute.copy_atom_call(%copy_S, %gSFA, %rSFA) : (!copy_S, !own_S, !held_S) -> ()
      cute.copy_atom_call(%copy_S, %gSFB, %rSFB) : (!copy_S, !own_S, !held_S) -> ()
      cute.copy_atom_call(%copy_D, %gD, %rD) : (!copy_D, !own_D, !held_D) -> ()

      %bytes_A = cute.get_iter(%rA) : !held_A
      %bytes_B = cute.get_iter(%rB) : !held_B
      %numbers_A = cute.recast_iter(%bytes_A) : !bytes_A to !numbers_A
      %numbers_B = cute.recast_iter(%bytes_B) : !bytes_B to !numbers_B
      %at_SFA = cute.get_iter(%rSFA) : !held_S
      %at_SFB = cute.get_iter(%rSFB) : !held_S
      %at_D = cute.get_iter(%rD) : !held_D
      %a = cute.make_view(%numbers_A) : !a
      %b = cute.make_view(%numbers_B) : !b
      %sfa = cute.make_view(%at_SFA) : !sf
      %sfb = cute.make_view(%at_SFB) : !sf
      %d = cute.make_view(%at_D) : !d
      %atom = cute.make_atom(%at_SFA, %at_SFB) : (!at_factors, !at_factors) -> !atom
      cute.gemm(%atom, %d, %a, %sfa, %b, %sfb, %d) : (!atom, !d, !a, !sf, !b, !sf, !d)
      cute.copy_atom_call(%copy_D, %rD, %gD) : (!copy_D, !held_D, !own_D) -> ()
      gpu.return
    }
  }
}
