// C = A * B^T for each group of rows: a grouped GEMM by wgmma, f16 with accumulators in f32, whose tensor maps the kernel changes.
//
//   grid (blocks), block 128
//
// The rows of A and C are those of one group after the other: counts[g] rows of group g, which are multiplied by B (N, K, g). A group ends
// anywhere, and no row of C may be written by another group. So the map of C ends where the group ends, and the map of A likewise. The host
// knows neither. Each block has two maps of its own in global memory, `maps`, and writes those of a group into them before its first tile:
//
//   once         the maps of the host, to shared memory       cute_nvgpu.copy_tma_desc
//   per group    wait for the copies by the old maps          loads: their mbarrier; stores: cp.async.bulk.wait_group 0 {read}
//                address, extents and strides                 cute_nvgpu.update_tma_desc
//                a barrier of the warp
//                to global memory, with a release             tensormap.cp_fenceproxy
//                an acquire by each thread that copies        fence.proxy.tensormap::generic.acquire
//
// The tiles of all groups, 64 x 128 each, are numbered one after the other; block b takes tiles b, b + blocks, and so on. The rest is
// wgmma.mlir: one stage, in which nothing overlaps. Groups may be empty. N is a multiple of 4, K one of 8.
//
//   cutec run examples/hopper/grouped_gemm.mlir --host --arg "A:f16[120x72]=random(1)" --arg "B:f16[136x72x3]=random(2)" \
//     --arg "C:f32[120x136]" --arg "counts:i32[3]=40" --arg "maps:i64[16x2x2]" --out C=c.npy

!A = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64 div=8},1)">
!B = !cute.memref<f16, gmem, align<16>, "(?,?,?):(?{i64 div=8},1,?{i64 div=8})">
!C = !cute.memref<f32, gmem, align<16>, "(?,?):(?{i64 div=4},1)">
!counts = !cute.memref<i32, gmem, "(?):(1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">
!coords_B = !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@1,1@0,1@2)">
!of_group = !cute.coord<"(_,_,?)">
!group_B = !cute.coord_tensor<"(0,0,?)", "(?,?):(1@1,1@0)">
!number = !cute.int_tuple<"?">

// A tensor map has 128 bytes. Two of them per block, of A and of C: in global memory where the TMA reads them, in shared memory where they
// are changed.
!maps = !cute.memref<i64, gmem, align<128>, "(16,2,?):(1,16,32)">
!map = !cute.ptr<i64, gmem, align<128>>
!map_words = !cute.memref<i64, smem, align<128>, "16:1">
!smem_map = !cute.ptr<i64, smem, align<128>>
!tensor_map = !cute.ptr<!cute_nvgpu.tma_descriptor_tiled, generic, align<128>>
!layout_A = !cute.layout<"(?,?):(?{i64 div=8},1)">
!layout_C = !cute.layout<"(?,?):(?{i64 div=4},1)">
!stride_A = !cute.stride<"(?{i64 div=8},1)">
!stride_C = !cute.stride<"(?{i64 div=4},1)">
!offset_A = !cute.int_tuple<"?{i64 div=8}">
!offset_C = !cute.int_tuple<"?{i64 div=4}">
!iter_A = !cute.ptr<f16, gmem, align<16>>
!iter_C = !cute.ptr<f32, gmem, align<16>>

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
!make_load_B = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f32, copy_bits = 65536, tma_gbasis = <"(32,64):(1@1,1@0)">, tma_format = F32_RN>
!load_A = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!load_B = !cute_nvgpu.atom.tma_load<f16, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">>
!store = !cute_nvgpu.atom.tma_store<f32, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(32,64):(1@1,1@0)">>

// Tiles as boxes: (values of a box, boxes), then the K tiles.
!from_A = !cute.coord_tensor<"(0,?{div=64})", "(((64,64),1),?):(((1@0,1@1),0),64@0)">
!from_B = !cute.coord_tensor<"(0,?{div=128},?)", "(((64,128),1),?):(((1@0,1@1),0),64@0)">
!box_A = !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">
!box_B = !cute.coord_tensor<"(?{div=64},?{div=128},?)", "(((64,128),1)):(((1@0,1@1),0))">
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
    cuda.kernel @grouped_gemm(%load_A: !make_load_A, %A: !coords, %load_B: !make_load_B, %B: !coords_B, %store_C: !make_store, %C: !coords,
        %gA: !A, %gC: !C, %counts: !counts, %maps: !maps) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin},
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      %c63 = arith.constant 63 : i32
      %c64 = arith.constant 64 : i32
      %c127 = arith.constant 127 : i32
      %c128 = arith.constant 128 : i32
      %all = arith.constant -1 : i32
      %false = arith.constant false
      %true = arith.constant true
      %tx = arith.constant 24576 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %blocks = nvvm.read.ptx.sreg.nctaid.x : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_first = arith.cmpi eq, %warp, %c0 : i32

      // Shared memory: tiles of A, B and C, a barrier, and copies of two maps.
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
      %smem_words_A = cute.memref.alloc_smem() : !map_words
      %smem_words_C = cute.memref.alloc_smem() : !map_words
      %smem_map_A = cute.get_iter(%smem_words_A) : !map_words
      %smem_map_C = cute.get_iter(%smem_words_C) : !map_words
      scf.if %is_first {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.mbarrier.init %full_p, %c1 : !llvm.ptr<3>, i32
          nvvm.fence.mbarrier.init
          cute_nvgpu.copy_tma_desc(%load_A, %smem_map_A) : (!make_load_A, !smem_map) -> ()
          cute_nvgpu.copy_tma_desc(%store_C, %smem_map_C) : (!make_store, !smem_map) -> ()
        }
        cute_nvgpu.prefetch_tma_desc(%load_B) : (!make_load_B) -> ()
      }
      nvvm.barrier0

      // The maps of this block. The TMA takes a generic address; in global memory it is the same number.
      %at_map_A = cute.make_coord(%block) : (i32) -> !cute.coord<"(_,0,?)">
      %at_map_C = cute.make_coord(%block) : (i32) -> !cute.coord<"(_,1,?)">
      %words_A = cute.slice(%maps, %at_map_A) : !maps, !cute.coord<"(_,0,?)">
      %words_C = cute.slice(%maps, %at_map_C) : !maps, !cute.coord<"(_,1,?)">
      %map_A = cute.get_iter(%words_A) : !cute.memref<i64, gmem, align<128>, "(16):(1)">
      %map_C = cute.get_iter(%words_C) : !cute.memref<i64, gmem, align<128>, "(16):(1)">
      %address_A = cute.ptrtoint(%map_A) : !map to i64
      %address_C = cute.ptrtoint(%map_C) : !map to i64
      %tensor_map_A = cute.inttoptr(%address_A) : i64 to !tensor_map
      %tensor_map_C = cute.inttoptr(%address_C) : i64 to !tensor_map

      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      %tiler = cute.static : !tiler
      %sA1 = cute.group_modes<0, 2> (%sA) : (!smem_A) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">
      %sB1 = cute.group_modes<0, 2> (%sB) : (!smem_B) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64)):((64,1))">
      %sC1 = cute.group_modes<0, 2> (%sC) : (!smem_C) -> !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((64,(32,4))):((32,(1,2048)))">

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
      %pair = cute.make_atom() : () -> !pair

      %layout_A = cute.get_layout(%gA) : !A
      %layout_C = cute.get_layout(%gC) : !C
      %iter_A = cute.get_iter(%gA) : !A
      %iter_C = cute.get_iter(%gC) : !C
      %stride_A = cute.get_stride(%layout_A) : !layout_A -> !stride_A
      %stride_C = cute.get_stride(%layout_C) : !layout_C -> !stride_C
      %extent_K = cute.size<[1]> (%gA) : (!A) -> !number
      %extent_N = cute.size<[1]> (%gC) : (!C) -> !number
      %K = cute.get_scalars(%extent_K) : !number
      %N = cute.get_scalars(%extent_N) : !number
      %N_up = arith.addi %N, %c127 : i32
      %tiles_n = arith.divui %N_up, %c128 : i32
      %extent_G = cute.size (%counts) : (!counts) -> !number
      %groups = cute.get_scalars(%extent_G) : !number

      %end:3 = scf.for %g = %c0 to %groups step %c1 iter_args(%row = %c0, %before = %c0, %phase = %c0) -> (i32, i32, i32) : i32 {
        %at_g = cute.make_coord(%g) : (i32) -> !cute.coord<"?">
        %M = cute.memref.load(%counts, %at_g) : (!counts, !cute.coord<"?">) -> i32
        %M_up = arith.addi %M, %c63 : i32
        %tiles_m = arith.divui %M_up, %c64 : i32
        %tiles = arith.muli %tiles_m, %tiles_n : i32
        // The first tile of the group that is this block's: (before + first) mod blocks is the number of the block.
        %offset = arith.remui %before, %blocks : i32
        %ahead = arith.subi %block, %offset : i32
        %around = arith.addi %ahead, %blocks : i32
        %is_behind = arith.cmpi slt, %ahead, %c0 : i32
        %first = arith.select %is_behind, %around, %ahead : i32
        %has_tiles = arith.cmpi slt, %first, %tiles : i32
        %changes = arith.andi %has_tiles, %is_first : i1
        scf.if %changes {
          // No copy uses the maps any more: the barrier has been waited for after each load, and the bulk group after each store.
          %at_row = cute.make_coord(%row) : (i32) -> !cute.coord<"(?,0)">
          %offset_A = cute.crd2idx(%at_row, %layout_A) : (!cute.coord<"(?,0)">, !layout_A) -> !offset_A
          %offset_C = cute.crd2idx(%at_row, %layout_C) : (!cute.coord<"(?,0)">, !layout_C) -> !offset_C
          %begin_A = cute.add_offset(%iter_A, %offset_A) : (!iter_A, !offset_A) -> !iter_A
          %begin_C = cute.add_offset(%iter_C, %offset_C) : (!iter_C, !offset_C) -> !iter_C
          %shape_A = cute.make_shape(%M, %K) : (i32, i32) -> !cute.shape<"(?,?)">
          %shape_C = cute.make_shape(%M, %N) : (i32, i32) -> !cute.shape<"(?,?)">
          %of_A = cute.make_layout(%shape_A, %stride_A) : (!cute.shape<"(?,?)">, !stride_A) -> !layout_A
          %of_C = cute.make_layout(%shape_C, %stride_C) : (!cute.shape<"(?,?)">, !stride_C) -> !layout_C
          %group_A = cute.make_view(%begin_A, %of_A) : !A
          %group_C = cute.make_view(%begin_C, %of_C) : !C
          cute_nvgpu.update_tma_desc(%load_A, %group_A, %smem_map_A) : (!make_load_A, !A, !smem_map) -> ()
          cute_nvgpu.update_tma_desc(%store_C, %group_C, %smem_map_C) : (!make_store, !C, !smem_map) -> ()
          nvvm.bar.warp.sync %all : i32
          // The whole warp copies a map and releases it.
          %smem_A_p = builtin.unrealized_conversion_cast %smem_map_A : !smem_map to !llvm.ptr<3>
          %smem_C_p = builtin.unrealized_conversion_cast %smem_map_C : !smem_map to !llvm.ptr<3>
          %map_A_p = builtin.unrealized_conversion_cast %map_A : !map to !llvm.ptr<1>
          %map_C_p = builtin.unrealized_conversion_cast %map_C : !map to !llvm.ptr<1>
          llvm.inline_asm has_side_effects "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;", "l,r" %map_A_p, %smem_A_p : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
          llvm.inline_asm has_side_effects "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;", "l,r" %map_C_p, %smem_C_p : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()
          // Any lane may be elected to copy by them, so all of them acquire.
          %generic_A = builtin.unrealized_conversion_cast %tensor_map_A : !tensor_map to !llvm.ptr
          %generic_C = builtin.unrealized_conversion_cast %tensor_map_C : !tensor_map to !llvm.ptr
          nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %generic_A, %c128
          nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %generic_C, %c128
        }

        %at_group = cute.make_coord(%g) : (i32) -> !of_group
        %mB = cute.slice(%B, %at_group) : !coords_B, !of_group
        %phase_of_group = scf.for %tile = %first to %tiles step %blocks iter_args(%phase_of_tile = %phase) -> (i32) : i32 {
          %tile_m = arith.remui %tile, %tiles_m : i32
          %tile_n = arith.divui %tile, %tiles_m : i32
          // Tiles of A (m,k) and of B (n,k), as boxes. Coordinates of A and C are those of the group.
          %at = cute.make_coord(%tile_m, %tile_n) : (i32, i32) -> !block
          %cA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">
          %cB = cute.local_tile(%mB, %tiler, %at, "(_,1,1)") : (!group_B, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=128},?)", "(128,64,?):(1@1,1@0,64@0)">
          %cA1 = cute.group_modes<0, 2> (%cA) : (!cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">) -> !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">
          %cB1 = cute.group_modes<0, 2> (%cB) : (!cute.coord_tensor<"(0,?{div=128},?)", "(128,64,?):(1@1,1@0,64@0)">) -> !cute.coord_tensor<"(0,?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">
          %into_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %sA1, %cA1) : (!make_load_A, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">, !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">) -> (!into_A, !from_A)
          %into_B, %from_B = cute_nvgpu.atom.tma_partition(%load_B, %cta, %ctas, %sB1, %cB1) : (!make_load_B, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((128,64)):((64,1))">, !cute.coord_tensor<"(0,?{div=128},?)", "((128,64),?):((1@1,1@0),64@0)">) -> (!into_B, !from_B)
          %size = cute.size<[1]> (%from_A) : (!from_A) -> !number
          %k_tiles = cute.get_scalars(%size) : !number

          %state, %phase_behind = scf.for %k = %c0 to %k_tiles step %c1 iter_args(%before_k = %mma, %phase_k = %phase_of_tile) -> (!mma, i32) : i32 {
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
              %own_A = cute_nvgpu.atom.set_value(%exec_A, %tensor_map_A : !tensor_map) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_descriptor_ptr>} : !load_A
              %tma_A = cute_nvgpu.atom.set_value(%own_A, %full : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load_A
              %tma_B = cute_nvgpu.atom.set_value(%exec_B, %full : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load_B
              cute.copy(%tma_A, %k_A, %into_A) : (!load_A, !box_A, !into_A)
              cute.copy(%tma_B, %k_B, %into_B) : (!load_B, !box_B, !into_B)
            }
            nvvm.mbarrier.try_wait.parity %full_p, %phase_k, %c1 : !llvm.ptr<3>, i32, i32
            nvvm.wgmma.fence.aligned
            %behind = scf.for %b = %c0 to %c4 step %c1 iter_args(%now = %before_k) -> (!mma) : i32 {
              %at_b = cute.make_coord(%b) : (i32) -> !cute.coord<"(_,_,?)">
              %a_k = cute.slice(%dA, %at_b) : !descs, !cute.coord<"(_,_,?)">
              %b_k = cute.slice(%dB, %at_b) : !descs, !cute.coord<"(_,_,?)">
              cute.gemm(%now, %accumulators, %a_k, %b_k, %accumulators) : (!mma, !accumulators, !desc, !desc, !accumulators)
              %then = cute_nvgpu.atom.set_value(%now, %true : i1) {field = #cute_nvgpu.atom_mma_field_sm90<accum_c>} : !mma
              scf.yield %then : !mma
            }
            nvvm.wgmma.commit.group.sync.aligned
            nvvm.wgmma.wait.group.sync.aligned 0
            // Each warp has waited for its own rows, but all four read B. Before the first tile of C, the TMA has also read the last one.
            nvvm.barrier0
            %next = arith.xori %phase_k, %c1 : i32
            scf.yield %behind, %next : !mma, i32
          }

          // Accumulators to shared memory, for the TMA to store. It leaves out rows behind the end of the group.
          cute.copy(%pair, %accumulators, %tCsC) : (!pair, !accumulators, !part_C)
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          nvvm.barrier0
          scf.if %is_first {
            %cC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(?{div=128},?{div=64})", "(64,128):(1@1,1@0)">
            %cC1 = cute.group_modes<0, 2> (%cC) : (!cute.coord_tensor<"(?{div=128},?{div=64})", "(64,128):(1@1,1@0)">) -> !cute.coord_tensor<"(?{div=128},?{div=64})", "((64,128)):((1@1,1@0))">
            %out, %to = cute_nvgpu.atom.tma_partition(%store_C, %cta, %ctas, %sC1, %cC1) : (!make_store, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((64,(32,4))):((32,(1,2048)))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "((64,128)):((1@1,1@0))">) -> (!cute.memref<f32, smem, align<1024>, S<3,4,3>, "((2048,4)):((1,2048))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "(((32,64),4)):(((1@0,1@1),32@0))">)
            %exec_C = cute_nvgpu.atom.make_exec_tma(%store_C) : (!make_store) -> !store
            %own_C = cute_nvgpu.atom.set_value(%exec_C, %tensor_map_C : !tensor_map) {field = #cute_nvgpu.atom_copy_field_tmastore<tma_descriptor_ptr>} : !store
            cute.copy(%own_C, %out, %to) : (!store, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((2048,4)):((1,2048))">, !cute.coord_tensor<"(?{div=128},?{div=64})", "(((32,64),4)):(((1@0,1@1),32@0))">)
            nvvm.cp.async.bulk.commit.group
            nvvm.cp.async.bulk.wait_group 0 {read}
          }
          scf.yield %phase_behind : i32
        }
        %next_row = arith.addi %row, %M : i32
        %next_before = arith.addi %before, %tiles : i32
        scf.yield %next_row, %next_before, %phase_of_group : i32, i32, i32
      }
      return
    }
  }

  func.func @host(%A: !A, %B: !B, %C: !C, %counts: !counts, %maps: !maps, %stream: !cuda.stream) -> i32 {
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
    %load_B, %cB = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile_B, %values_B) <{kind = <sm_90> num_multicast = 1}> : (!B, !tile_B, !cute.layout<"(128,64):(1@0,1@1)">) -> (!make_load_B, !coords_B)
    %store_C, %cC = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile_C, %values_C) : (!C, !tile_C, !cute.layout<"(64,(32,4)):(1@0,(1@1,32@1))">) -> (!make_store, !coords)
    %extent = cute.size<[2]> (%maps) : (!maps) -> !number
    %blocks = cute.get_scalars(%extent) : !number
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %shared, gridDim = (%blocks, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %done = cuda.launch_ex @kernels::@grouped_gemm<%cfg> (%load_A, %cA, %load_B, %cB, %store_C, %cC, %A, %C, %counts, %maps) : !cfg, (!make_load_A, !coords, !make_load_B, !coords_B, !make_store, !coords, !A, !C, !counts, !maps) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
