// The steady loop of a GEMM: four wgmma on a stage of shared memory, one group of them in flight while the next is issued.
!atom = !cute_nvgpu.sm90.mma<64x256x16, ab_major = (k, k), elem_type = (bf16, bf16, f32), frag_kind = ss>
!mma = !cute.tiled_mma<!cute_nvgpu.sm90.mma<64x256x16, ab_major = (k, k), elem_type = (bf16, bf16, f32), frag_kind = ss>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!bytes = !cute.ptr<i8, smem, align<1024>>
!swizzled = !cute.ptr<bf16, smem, align<1024>, S<3,4,3>>
!sA = !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((64,16),1,4,4):((64,1),0,16,4096)">
!sB = !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((256,16),1,4,4):((64,1),0,16,16384)">
!dA = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,512)">
!dB = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,4):(0,0,2,2048)">
!stageA = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!stageB = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!blockA = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!blockB = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!sums = !cute.memref<f32, rmem, align<512>, "((2,2,32),1,1):((1,2,4),0,0)">
!out = !cute.memref<f32, gmem, align<16>, "((2,2,32),1,1):((1,2048,8),0,0)">
gpu.module @m {
  gpu.func @steady(%to: !cute.ptr<f32, gmem, align<16>>, %n: i32) kernel attributes {nvvm.reqntid = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c3 = arith.constant 3 : i32
    %false = arith.constant false
    %true = arith.constant true
    %base = cute_nvgpu.arch.get_dyn_smem() : !bytes
    %behindA = cute.make_int_tuple() : () -> !cute.int_tuple<"32768">
    %startB = cute.add_offset(%base, %behindA) : (!bytes, !cute.int_tuple<"32768">) -> !bytes
    %pA = cute.recast_iter(%base) : !bytes to !swizzled
    %pB = cute.recast_iter(%startB) : !bytes to !swizzled
    %sA = cute.make_view(%pA) : !sA
    %sB = cute.make_view(%pB) : !sB
    %atom = cute.make_atom(%false) : (i1) -> !atom
    %mma = cute.make_tiled_mma(%atom) : !mma
    %A = cute.mma.make_fragment A (%mma, %sA) : (!mma, !sA) -> !dA
    %B = cute.mma.make_fragment B (%mma, %sB) : (!mma, !sB) -> !dB
    %shape = cute.static : !cute.shape<"((2,2,32),1,1)">
    %C = cute.mma.make_fragment C (%mma, %shape) : (!mma, !cute.shape<"((2,2,32),1,1)">) -> !sums
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%state = %mma) -> (!mma) : i32 {
      %s = arith.andi %i, %c3 : i32
      %stage = cute.make_coord(%s) : (i32) -> !cute.coord<"(_,_,_,?)">
      %a = cute.slice(%A, %stage) : !dA, !cute.coord<"(_,_,_,?)">
      %b = cute.slice(%B, %stage) : !dB, !cute.coord<"(_,_,_,?)">
      nvvm.wgmma.fence.aligned
      %k0 = cute.static : !cute.coord<"(_,_,0)">
      %a0 = cute.slice(%a, %k0) : !stageA, !cute.coord<"(_,_,0)">
      %b0 = cute.slice(%b, %k0) : !stageB, !cute.coord<"(_,_,0)">
      cute.gemm(%state, %C, %a0, %b0, %C) : (!mma, !sums, !blockA, !blockB, !sums)
      %more = cute_nvgpu.atom.set_value(%state, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !mma
      %k1 = cute.static : !cute.coord<"(_,_,1)">
      %a1 = cute.slice(%a, %k1) : !stageA, !cute.coord<"(_,_,1)">
      %b1 = cute.slice(%b, %k1) : !stageB, !cute.coord<"(_,_,1)">
      cute.gemm(%more, %C, %a1, %b1, %C) : (!mma, !sums, !blockA, !blockB, !sums)
      %k2 = cute.static : !cute.coord<"(_,_,2)">
      %a2 = cute.slice(%a, %k2) : !stageA, !cute.coord<"(_,_,2)">
      %b2 = cute.slice(%b, %k2) : !stageB, !cute.coord<"(_,_,2)">
      cute.gemm(%more, %C, %a2, %b2, %C) : (!mma, !sums, !blockA, !blockB, !sums)
      %k3 = cute.static : !cute.coord<"(_,_,3)">
      %a3 = cute.slice(%a, %k3) : !stageA, !cute.coord<"(_,_,3)">
      %b3 = cute.slice(%b, %k3) : !stageB, !cute.coord<"(_,_,3)">
      cute.gemm(%more, %C, %a3, %b3, %C) : (!mma, !sums, !blockA, !blockB, !sums)
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned 1
      scf.yield %more : !mma
    }
    nvvm.wgmma.wait.group.sync.aligned 0
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %c4 = arith.constant 4 : i32
    %offset = arith.muli %tid, %c4 : i32
    %by = cute.assume(%offset) : (i32) -> !cute.i32<divby 4>
    %o = cute.make_int_tuple(%by) : (!cute.i32<divby 4>) -> !cute.int_tuple<"?{div=4}">
    %at = cute.add_offset(%to, %o) : (!cute.ptr<f32, gmem, align<16>>, !cute.int_tuple<"?{div=4}">) -> !cute.ptr<f32, gmem, align<16>>
    %out = cute.make_view(%at) : !out
    %each = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32, 64 b>
    cute.copy(%each, %C, %out) : (!cute_nvgpu.atom.universal_copy<f32, 64 b>, !sums, !out)
    gpu.return
  }
}
