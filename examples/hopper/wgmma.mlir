// C = A * B^T, f16 with accumulators in f32, by wgmma: a warpgroup multiplies tiles that stay in shared memory.
//
// 128 threads, the four warps of a warpgroup, make a tile of 64 x 128. There is one stage: load a tile of A and of B, multiply, repeat.
// Nothing overlaps; that is for the next kernel. M, N and K are whatever A, B and C have, as in examples/tma/gemm.mlir.
//
//   gmem --TMA--> smem --wgmma--> accumulators in registers --> smem --TMA--> gmem
//
//   cutec run examples/hopper/wgmma.mlir --host --arg "A:f16[72x136]=random(1)" --arg "B:f16[200x136]=random(2)" --arg "C:f32[72x200]"

!A = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">

// Rows of 128 bytes, swizzled as the TMA and wgmma both know it.
!tile_A = !cute.composed_layout<"S<3,4,3> o 0 o (64,64):(64,1)">
!tile_B = !cute.composed_layout<"S<3,4,3> o 0 o (128,64):(64,1)">
!tile_C = !cute.composed_layout<"S<3,4,3> o 0 o (64,(32,4)):(32,(1,2048))">
!smem_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64):(64,1)">
!smem_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(128,64):(64,1)">
!smem_C = !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(64,(32,4)):(32,(1,2048))">
!barrier = !cute.memref<i64, smem, align<8>, "1:1">
!bytes = !cute.ptr<i8, smem, align<1024>>

!make_load_A = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!make_load_B = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f32, copy_bits = 65536, tma_gbasis = <"(32,64):(1@1,1@0)">, tma_format = F32_RN>
!load_A = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!load_B = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>
!store = !cute_nvgpu.atom.tma_store<f32, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(32,64):(1@1,1@0)">>

// Tiles as boxes: (values of a box, boxes), then the K tiles.
!from_A = !cute.coord_tensor<"(0,?{div=64})", "(((64,64),1),?):(((1@0,1@1),0),64@0)">
!from_B = !cute.coord_tensor<"(0,?{div=128})", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
!box_A = !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">
!box_B = !cute.coord_tensor<"(?{div=64},?{div=128})", "(((64,128),1)):(((1@0,1@1),0))">
!into_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">
!into_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((8192,1)):((1,0))">

// 64 x 128 x 16 at once. What it reads is named by descriptors: 64 bits with an address, here in units of 16 bytes, 2 from one k to the next.
!atom = !cute_nvgpu.sm90.mma<64x128x16, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss>
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!part_A = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,16),1,4):((64,1),0,16)">
!part_B = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,16),1,4):((64,1),0,16)">
!descs = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4):(0,0,2)">
!desc = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!shape_C = !cute.shape<"((2,2,16),1,1)">
!accumulators = !cute.memref<f32, rmem, align<16>, "((2,2,16),1,1):((1,2,4),0,0)">
!part_C = !cute.memref<f32, smem, align<8>, S<3,4,3>, "((2,2,(4,4)),1,1):((1,256,(8,2048)),0,0)">
!pair = !cute_nvgpu.atom.universal_copy<f32, 64 b>

!tiler = !cute.tile<"[64:1;128:1;64:1]">
!block = !cute.coord<"(?,?,_)">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @gemm_wgmma(%load_A: !make_load_A, %A: !coords, %load_B: !make_load_B, %B: !coords, %store_C: !make_store, %C: !coords) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin},
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      %false = arith.constant false
      %true = arith.constant true
      %tx = arith.constant 24576 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_first = arith.cmpi eq, %warp, %c0 : i32

      // Shared memory: tiles of A, B and C, a barrier.
      %memory = cute_nvgpu.arch.get_dyn_smem() : !bytes
      %behind_A = cute.static : !cute.int_tuple<"8192">
      %behind_B = cute.static : !cute.int_tuple<"24576">
      %memory_B = cute.add_offset(%memory, %behind_A) : (!bytes, !cute.int_tuple<"8192">) -> !bytes
      %memory_C = cute.add_offset(%memory, %behind_B) : (!bytes, !cute.int_tuple<"24576">) -> !bytes
      %ptr_A = cute.recast_iter(%memory) : !bytes to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
      %ptr_B = cute.recast_iter(%memory_B) : !bytes to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
      %ptr_C = cute.recast_iter(%memory_C) : !bytes to !cute.ptr<f32, smem, align<1024>, S<3,4,3>>
      %sA = cute.make_view(%ptr_A) : !smem_A
      %sB = cute.make_view(%ptr_B) : !smem_B
      %sC = cute.make_view(%ptr_C) : !smem_C
      %barrier = cute.memref.alloc_smem() : !barrier
      %full = cute.get_iter(%barrier) : !barrier
      %full_p = builtin.unrealized_conversion_cast %full : !cute.ptr<i64, smem> to !llvm.ptr<3>
      scf.if %is_first {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.mbarrier.init %full_p, %c1 : !llvm.ptr<3>, i32
          nvvm.fence.mbarrier.init
        }
        cute_nvgpu.prefetch_tma_desc(%load_A) : (!make_load_A) -> ()
        cute_nvgpu.prefetch_tma_desc(%load_B) : (!make_load_B) -> ()
      }
      nvvm.barrier0

      // Tiles of A (m,k) and of B (n,k), as boxes.
      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %cA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">
      %cB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=128})", "(128,64,?):(1@1,1@0,64@0)">
      %cA1 = cute.group_modes<0, 2> (%cA) : (!cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">) -> !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">
      %cB1 = cute.group_modes<0, 2> (%cB) : (!cute.coord_tensor<"(0,?{div=128})", "(128,64,?):(1@1,1@0,64@0)">) -> !cute.coord_tensor<"(0,?{div=128})", "((128,64),?):((1@1,1@0),64@0)">
      %sA1 = cute.group_modes<0, 2> (%sA) : (!smem_A) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">
      %sB1 = cute.group_modes<0, 2> (%sB) : (!smem_B) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64)):((64,1))">
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      %into_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %sA1, %cA1) : (!make_load_A, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">, !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">) -> (!into_A, !from_A)
      %into_B, %from_B = cute_nvgpu.atom.tma_partition(%load_B, %cta, %ctas, %sB1, %cB1) : (!make_load_B, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64)):((64,1))">, !cute.coord_tensor<"(0,?{div=128})", "((128,64),?):((1@1,1@0),64@0)">) -> (!into_B, !from_B)
      %size = cute.size<[1]> (%from_A) : (!from_A) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">

      // The first MMA overwrites the accumulators, those after it add to them.
      %atom = cute.make_atom(%false) : (i1) -> !atom
      %mma = cute.make_tiled_mma(%atom) : !mma
      %tCsA = cute.tiled.mma.partition A(%mma, %sA, %t) : (!mma, !smem_A, !cute.coord<"?">) -> !part_A
      %tCsB = cute.tiled.mma.partition B(%mma, %sB, %t) : (!mma, !smem_B, !cute.coord<"?">) -> !part_B
      %tCsC = cute.tiled.mma.partition C(%mma, %sC, %t) : (!mma, !smem_C, !cute.coord<"?">) -> !part_C
      %dA = cute.mma.make_fragment A(%mma, %tCsA) : (!mma, !part_A) -> !descs
      %dB = cute.mma.make_fragment B(%mma, %tCsB) : (!mma, !part_B) -> !descs
      %shape = cute.static : !shape_C
      %accumulators = cute.mma.make_fragment C(%mma, %shape) : (!mma, !shape_C) -> !accumulators

      %state, %phase = scf.for %k = %c0 to %tiles step %c1 iter_args(%before = %mma, %phase = %c0) -> (!mma, i32) : i32 {
        scf.if %is_first {
          %one = nvvm.elect.sync -> i1
          scf.if %one {
            nvvm.mbarrier.arrive.expect_tx %full_p, %tx : !llvm.ptr<3>, i32
          }
          %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
          %k_A = cute.slice(%from_A, %at_k) : !from_A, !cute.coord<"(_,?)">
          %k_B = cute.slice(%from_B, %at_k) : !from_B, !cute.coord<"(_,?)">
          %exec_A = cute_nvgpu.atom.make_exec_tma(%load_A) : (!make_load_A) -> !load_A
          %exec_B = cute_nvgpu.atom.make_exec_tma(%load_B) : (!make_load_B) -> !load_B
          %tma_A = cute_nvgpu.atom.set_value(%exec_A, %full : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load_A
          %tma_B = cute_nvgpu.atom.set_value(%exec_B, %full : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load_B
          cute.copy(%tma_A, %k_A, %into_A) : (!load_A, !box_A, !into_A)
          cute.copy(%tma_B, %k_B, %into_B) : (!load_B, !box_B, !into_B)
        }
        nvvm.mbarrier.try_wait.parity %full_p, %phase, %c1 : !llvm.ptr<3>, i32, i32

        // wgmma reads shared memory and adds to registers asynchronously: the fence goes before it, the wait after it.
        nvvm.wgmma.fence.aligned
        %behind = scf.for %block = %c0 to %c4 step %c1 iter_args(%now = %before) -> (!mma) : i32 {
          %at_block = cute.make_coord(%block) : (i32) -> !cute.coord<"(_,_,?)">
          %a = cute.slice(%dA, %at_block) : !descs, !cute.coord<"(_,_,?)">
          %b = cute.slice(%dB, %at_block) : !descs, !cute.coord<"(_,_,?)">
          cute.gemm(%now, %accumulators, %a, %b, %accumulators) : (!mma, !accumulators, !desc, !desc, !accumulators)
          %then = cute_nvgpu.atom.set_value(%now, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !mma
          scf.yield %then : !mma
        }
        nvvm.wgmma.commit.group.sync.aligned
        nvvm.wgmma.wait.group.sync.aligned 0
        // Each warp has waited for its own rows, but all four read B: they meet before the next tile is loaded.
        nvvm.barrier0
        %next = arith.xori %phase, %c1 : i32
        scf.yield %behind, %next : !mma, i32
      }

      // Accumulators to shared memory, for the TMA to store: each thread fences what it wrote, then all meet.
      %pair = cute.make_atom() : () -> !pair
      cute.copy(%pair, %accumulators, %tCsC) : (!pair, !accumulators, !part_C)
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier0
      scf.if %is_first {
        %cC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(?{div=128},?{div=64})", "(64,128):(1@1,1@0)">
        %cC1 = cute.group_modes<0, 2> (%cC) : (!cute.coord_tensor<"(?{div=128},?{div=64})", "(64,128):(1@1,1@0)">) -> !cute.coord_tensor<"(?{div=128},?{div=64})", "((64,128)):((1@1,1@0))">
        %sC1 = cute.group_modes<0, 2> (%sC) : (!smem_C) -> !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((64,(32,4))):((32,(1,2048)))">
        %out, %to = cute_nvgpu.atom.tma_partition(%store_C, %cta, %ctas, %sC1, %cC1) : (!make_store, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((64,(32,4))):((32,(1,2048)))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "((64,128)):((1@1,1@0))">) -> (!cute.memref<f32, smem, align<1024>, S<3,4,3>, "((2048,4)):((1,2048))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "(((32,64),4)):(((1@0,1@1),32@0))">)
        %store = cute_nvgpu.atom.make_exec_tma(%store_C) : (!make_store) -> !store
        cute.copy(%store, %out, %to) : (!store, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((2048,4)):((1,2048))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "(((32,64),4)):(((1@0,1@1),32@0))">)
        nvvm.cp.async.bulk.commit.group
        nvvm.cp.async.bulk.wait_group 0 {read}
      }
      return
    }
  }

  func.func @host(%A: !A, %B: !A, %C: !C, %stream: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %threads = arith.constant 128 : i32
    %shared = arith.constant 57344 : i64
    %tile_A = cute.static : !tile_A
    %tile_B = cute.static : !tile_B
    %tile_C = cute.static : !tile_C
    %values_A = cute.static : !cute.layout<"(64,64):(1@0,1@1)">
    %values_B = cute.static : !cute.layout<"(128,64):(1@0,1@1)">
    %values_C = cute.static : !cute.layout<"(64,(32,4)):(1@0,(1@1,32@1))">
    %load_A, %cA = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile_A, %values_A) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile_A, !cute.layout<"(64,64):(1@0,1@1)">) -> (!make_load_A, !coords)
    %load_B, %cB = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile_B, %values_B) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile_B, !cute.layout<"(128,64):(1@0,1@1)">) -> (!make_load_B, !coords)
    %store_C, %cC = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile_C, %values_C) : (!C, !tile_C, !cute.layout<"(64,(32,4)):(1@0,(1@1,32@1))">) -> (!make_store, !coords)
    %by = cute.make_tile() : () -> !cute.tile<"[64:1;128:1]">
    %blocks = cute.zipped_divide(%C, %by) : (!C, !cute.tile<"[64:1;128:1]">) -> !cute.memref<f32, gmem, align<16>, "((64,128),(?,?)):((?{i64},1),(?{i64 div=64},128))">
    %m = cute.size<[1, 0]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((64,128),(?,?)):((?{i64},1),(?{i64 div=64},128))">) -> !cute.int_tuple<"?">
    %n = cute.size<[1, 1]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((64,128),(?,?)):((?{i64},1),(?{i64 div=64},128))">) -> !cute.int_tuple<"?">
    %grid_m = cute.get_scalars(%m) : !cute.int_tuple<"?">
    %grid_n = cute.get_scalars(%n) : !cute.int_tuple<"?">
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %shared, gridDim = (%grid_m, %grid_n, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %done = cuda.launch_ex @kernels::@gemm_wgmma<%cfg> (%load_A, %cA, %load_B, %cB, %store_C, %cC) : !cfg, (!make_load_A, !coords, !make_load_B, !coords, !make_store, !coords) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
