// C = A * B^T, f16 with accumulators in f32: the TMA loads tiles into a ring of stages, mma.sync multiplies them.
//
// 160 threads: four warps multiply, the fifth loads tiles ahead of them. Each stage has two barriers. `full` expects the bytes of a tile
// of A and of B, and says that they are there; `empty` expects 128 arrivals, and says that the stage may be filled again. M, N and K are
// whatever A, B and C have: the TMA fills in zeros outside of A and B, which add nothing, and stores nothing outside of C.
//
//   gmem --TMA, 64 x 64--> smem, 4 stages --ldmatrix--> registers --mma--> accumulators --> smem --TMA--> gmem
//
//   cutec run examples/tma/gemm.mlir --host --arg "A:f16[200x136]=random(1)" --arg "B:f16[72x136]=random(2)" --arg "C:f32[200x72]"

!A = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!C = !cute.memref<f32, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">

// Rows of 128 bytes, whose 8 units of 16 bytes the TMA exchanges: a pointer with S<3,4,3> finds them. A tile of C has two such columns.
!tile_A = !cute.composed_layout<"S<3,4,3> o 0 o (64,64):(64,1)">
!tile_C = !cute.composed_layout<"S<3,4,3> o 0 o (64,(32,2)):(32,(1,2048))">
!stages = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64,4):(64,1,4096)">
!staged_C = !cute.memref<f32, smem, align<1024>, S<3,4,3>, "(64,(32,2)):(32,(1,2048))">
!barriers = !cute.memref<i64, smem, align<8>, "4:1">

!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f32, copy_bits = 65536, tma_gbasis = <"(32,64):(1@1,1@0)">, tma_format = F32_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!store = !cute_nvgpu.atom.tma_store<f32, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(32,64):(1@1,1@0)">>

// Tiles as boxes: (values of a box, boxes), then the K tiles, or the stages.
!from = !cute.coord_tensor<"(0,?{div=64})", "(((64,64),1),?):(((1@0,1@1),0),64@0)">
!from_k = !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">
!into = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1),4):((1,0),4096)">
!into_stage = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">

// The MMA of examples/gemm/4_tensor_cores.mlir: 2 x 2 warps, 32 x 32 x 16 at once.
!atom = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!shape_A = !cute.shape<"((2,2,2),2,4)">
!shape_B = !cute.shape<"((2,2),4,4)">
!regs_A = !cute.memref<f16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">
!regs_B = !cute.memref<f16, rmem, align<8>, "((2,2),4,4):((1,2),4,16)">
!regs_C = !cute.memref<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!load_A = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!load_B = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">, tiler_mn = <"[32:1;16:1]">>
!loaded_A = !cute.memref<f16, rmem, align<16>, "((8,1),2,4):((1,0),8,16)">
!loaded_B = !cute.memref<f16, rmem, align<8>, "((8,1),2,4):((1,0),8,16)">
!pair = !cute_nvgpu.atom.universal_copy<f32, 64 b>

!tiler = !cute.tile<"[64:1;64:1;64:1]">
!block = !cute.coord<"(?,?,_)">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @gemm_tma(%load_A: !make_load, %A: !coords, %load_B: !make_load, %B: !coords, %store_C: !make_store, %C: !coords) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin},
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c4 = arith.constant 4 : i32
      %c32 = arith.constant 32 : i32
      %consumers = arith.constant 128 : i32
      %bytes = arith.constant 16384 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_first = arith.cmpi eq, %warp, %c0 : i32

      // Shared memory: the stages of A and of B, a tile of C, the barriers.
      %memory = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
      %behind_A = cute.static : !cute.int_tuple<"32768">
      %behind_B = cute.static : !cute.int_tuple<"65536">
      %memory_B = cute.add_offset(%memory, %behind_A) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"32768">) -> !cute.ptr<i8, smem, align<1024>>
      %memory_C = cute.add_offset(%memory, %behind_B) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"65536">) -> !cute.ptr<i8, smem, align<1024>>
      %ptr_A = cute.recast_iter(%memory) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
      %ptr_B = cute.recast_iter(%memory_B) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
      %ptr_C = cute.recast_iter(%memory_C) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f32, smem, align<1024>, S<3,4,3>>
      %sA = cute.make_view(%ptr_A) : !stages
      %sB = cute.make_view(%ptr_B) : !stages
      %sC = cute.make_view(%ptr_C) : !staged_C
      %fulls = cute.memref.alloc_smem() : !barriers
      %empties = cute.memref.alloc_smem() : !barriers
      %full = cute.get_iter(%fulls) : !barriers
      %empty = cute.get_iter(%empties) : !barriers
      scf.if %is_first {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          scf.for %stage = %c0 to %c4 step %c1 : i32 {
            %at = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %full_s = cute.add_offset(%full, %at) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %empty_s = cute.add_offset(%empty, %at) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %full_p = builtin.unrealized_conversion_cast %full_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %empty_p = builtin.unrealized_conversion_cast %empty_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.init %full_p, %c1 : !llvm.ptr<3>, i32
            nvvm.mbarrier.init %empty_p, %consumers : !llvm.ptr<3>, i32
          }
          nvvm.fence.mbarrier.init
        }
        cute_nvgpu.prefetch_tma_desc(%load_A) : (!make_load) -> ()
        cute_nvgpu.prefetch_tma_desc(%load_B) : (!make_load) -> ()
      }
      nvvm.barrier0

      // Tiles of A (m,k) and of B (n,k), as boxes.
      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %cA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">
      %cB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">
      %cA1 = cute.group_modes<0, 2> (%cA) : (!cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">) -> !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">
      %cB1 = cute.group_modes<0, 2> (%cB) : (!cute.coord_tensor<"(0,?{div=64})", "(64,64,?):(1@1,1@0,64@0)">) -> !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">
      %sA1 = cute.group_modes<0, 2> (%sA) : (!stages) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64),4):((64,1),4096)">
      %sB1 = cute.group_modes<0, 2> (%sB) : (!stages) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64),4):((64,1),4096)">
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      %into_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %sA1, %cA1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64),4):((64,1),4096)">, !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">) -> (!into, !from)
      %into_B, %from_B = cute_nvgpu.atom.tma_partition(%load_B, %cta, %ctas, %sB1, %cB1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64),4):((64,1),4096)">, !cute.coord_tensor<"(0,?{div=64})", "((64,64),?):((1@1,1@0),64@0)">) -> (!into, !from)
      %size = cute.size<[1]> (%from_A) : (!from) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">

      %is_producer = arith.cmpi eq, %warp, %c4 : i32
      scf.if %is_producer {
        // A stage is empty to begin with: the wait for the phase before the first one succeeds at once.
        scf.for %k = %c0 to %tiles step %c1 iter_args(%stage = %c0, %phase = %c1) -> (i32, i32) : i32 {
          %s = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
          %full_s = cute.add_offset(%full, %s) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %empty_s = cute.add_offset(%empty, %s) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %full_p = builtin.unrealized_conversion_cast %full_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
          %empty_p = builtin.unrealized_conversion_cast %empty_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %empty_p, %phase, %c1 : !llvm.ptr<3>, i32, i32
          %one = nvvm.elect.sync -> i1
          scf.if %one {
            nvvm.mbarrier.arrive.expect_tx %full_p, %bytes : !llvm.ptr<3>, i32
          }
          %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
          %at_s = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,?)">
          %k_A = cute.slice(%from_A, %at_k) : !from, !cute.coord<"(_,?)">
          %k_B = cute.slice(%from_B, %at_k) : !from, !cute.coord<"(_,?)">
          %s_A = cute.slice(%into_A, %at_s) : !into, !cute.coord<"(_,?)">
          %s_B = cute.slice(%into_B, %at_s) : !into, !cute.coord<"(_,?)">
          %exec_A = cute_nvgpu.atom.make_exec_tma(%load_A) : (!make_load) -> !load
          %exec_B = cute_nvgpu.atom.make_exec_tma(%load_B) : (!make_load) -> !load
          %tma_A = cute_nvgpu.atom.set_value(%exec_A, %full_s : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
          %tma_B = cute_nvgpu.atom.set_value(%exec_B, %full_s : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
          cute.copy(%tma_A, %k_A, %s_A) : (!load, !from_k, !into_stage)
          cute.copy(%tma_B, %k_B, %s_B) : (!load, !from_k, !into_stage)
          %next = arith.addi %stage, %c1 : i32
          %wraps = arith.cmpi eq, %next, %c4 : i32
          %next_stage = arith.select %wraps, %c0, %next : i32
          %other = arith.xori %phase, %c1 : i32
          %next_phase = arith.select %wraps, %other, %phase : i32
          scf.yield %next_stage, %next_phase : i32, i32
        }
      } else {
        %atom = cute.make_atom() : () -> !atom
        %mma = cute.make_tiled_mma(%atom) : !mma
        %tile = cute.static : !cute.shape<"(64,64)">
        %shapeA = cute.tiled.mma.partition_shape A(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !shape_A
        %shapeB = cute.tiled.mma.partition_shape B(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !shape_B
        %tCsC = cute.tiled.mma.partition C(%mma, %sC, %t) : (!mma, !staged_C, !cute.coord<"?">) -> !cute.memref<f32, smem, align<8>, S<3,4,3>, "((2,2),2,(2,2)):((1,256),1024,(16,2048))">
        %tCrA = cute.mma.make_fragment A(%mma, %shapeA) : (!mma, !shape_A) -> !regs_A
        %tCrB = cute.mma.make_fragment B(%mma, %shapeB) : (!mma, !shape_B) -> !regs_B
        %shape_C = cute.tiled.mma.partition_shape C(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !cute.shape<"((2,2),2,4)">
        %tCrC = cute.mma.make_fragment C(%mma, %shape_C) : (!mma, !cute.shape<"((2,2),2,4)">) -> !regs_C
        %zeros = arith.constant dense<0.0> : vector<32xf32>
        cute.memref.store_vec %zeros, %tCrC : !regs_C
        %ldsm = cute.make_atom() : () -> !ldsm
        %loadA = cute.make_tiled_copy_A(%ldsm, %mma) : (!ldsm, !mma) -> !load_A
        %loadB = cute.make_tiled_copy_B(%ldsm, %mma) : (!ldsm, !mma) -> !load_B
        %tXsA = cute.tiled.copy.partition_S(%loadA, %sA, %t) : (!load_A, !stages, !cute.coord<"?">) -> !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),2,4,4):((1,0),2048,16,4096)">
        %tXsB = cute.tiled.copy.partition_S(%loadB, %sB, %t) : (!load_B, !stages, !cute.coord<"?">) -> !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),2,4,4):((1,0),2048,16,4096)">
        %tXrA = cute.tiled.copy.retile(%loadA, %tCrA) : (!load_A, !regs_A) -> !loaded_A
        %tXrB = cute.tiled.copy.retile(%loadB, %tCrB) : (!load_B, !regs_B) -> !loaded_B

        scf.for %k = %c0 to %tiles step %c1 iter_args(%stage = %c0, %phase = %c0) -> (i32, i32) : i32 {
          %s = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
          %full_s = cute.add_offset(%full, %s) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %empty_s = cute.add_offset(%empty, %s) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %full_p = builtin.unrealized_conversion_cast %full_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
          %empty_p = builtin.unrealized_conversion_cast %empty_s : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %full_p, %phase, %c1 : !llvm.ptr<3>, i32, i32
          %at_s = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
          %readA = cute.slice(%tXsA, %at_s) : !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),2,4,4):((1,0),2048,16,4096)">, !cute.coord<"(_,_,_,?)">
          %readB = cute.slice(%tXsB, %at_s) : !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),2,4,4):((1,0),2048,16,4096)">, !cute.coord<"(_,_,_,?)">
          cute.copy(%loadA, %readA, %tXrA) : (!load_A, !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),2,4):((1,0),2048,16)">, !loaded_A)
          cute.copy(%loadB, %readB, %tXrB) : (!load_B, !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,1),2,4):((1,0),2048,16)">, !loaded_B)
          // Once the tile is in registers, the stage is no longer needed. The fence orders this thread's reads before the next load.
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          nvvm.mbarrier.arrive %empty_p : !llvm.ptr<3>
          cute.gemm(%mma, %tCrC, %tCrA, %tCrB, %tCrC) : (!mma, !regs_C, !regs_A, !regs_B, !regs_C)
          %next = arith.addi %stage, %c1 : i32
          %wraps = arith.cmpi eq, %next, %c4 : i32
          %next_stage = arith.select %wraps, %c0, %next : i32
          %other = arith.xori %phase, %c1 : i32
          %next_phase = arith.select %wraps, %other, %phase : i32
          scf.yield %next_stage, %next_phase : i32, i32
        }

        // Accumulators to shared memory, for the TMA to store: each thread fences what it wrote, then those that wrote meet.
        %pair = cute.make_atom() : () -> !pair
        cute.copy(%pair, %tCrC, %tCsC) : (!pair, !regs_C, !cute.memref<f32, smem, align<8>, S<3,4,3>, "((2,2),2,(2,2)):((1,256),1024,(16,2048))">)
        nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        nvvm.barrier id = %c1 number_of_threads = %consumers
        scf.if %is_first {
          %cC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!coords, !tiler, !block) -> !cute.coord_tensor<"(?{div=64},?{div=64})", "(64,64):(1@1,1@0)">
          %cC1 = cute.group_modes<0, 2> (%cC) : (!cute.coord_tensor<"(?{div=64},?{div=64})", "(64,64):(1@1,1@0)">) -> !cute.coord_tensor<"(?{div=64},?{div=64})", "((64,64)):((1@1,1@0))">
          %sC1 = cute.group_modes<0, 2> (%sC) : (!staged_C) -> !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((64,(32,2))):((32,(1,2048)))">
          %out, %to = cute_nvgpu.atom.tma_partition(%store_C, %cta, %ctas, %sC1, %cC1) : (!make_store, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((64,(32,2))):((32,(1,2048)))">, !cute.coord_tensor<"(?{div=64},?{div=64})", "((64,64)):((1@1,1@0))">) -> (!cute.memref<f32, smem, align<1024>, S<3,4,3>, "((2048,2)):((1,2048))">, !cute.coord_tensor<"(?{div=64},?{div=64})", "(((32,64),2)):(((1@0,1@1),32@0))">)
          %store = cute_nvgpu.atom.make_exec_tma(%store_C) : (!make_store) -> !store
          cute.copy(%store, %out, %to) : (!store, !cute.memref<f32, smem, align<1024>, S<3,4,3>, "((2048,2)):((1,2048))">, !cute.coord_tensor<"(?{div=64},?{div=64})", "(((32,64),2)):(((1@0,1@1),32@0))">)
          nvvm.cp.async.bulk.commit.group
          // Shared memory outlives what reads it.
          nvvm.cp.async.bulk.wait_group 0 {read}
        }
      }
      return
    }
  }

  func.func @host(%A: !A, %B: !A, %C: !C, %stream: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %threads = arith.constant 160 : i32
    %shared = arith.constant 81920 : i64
    %tile_A = cute.static : !tile_A
    %tile_C = cute.static : !tile_C
    %values_A = cute.static : !cute.layout<"(64,64):(1@0,1@1)">
    %values_C = cute.static : !cute.layout<"(64,(32,2)):(1@0,(1@1,32@1))">
    %load_A, %cA = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile_A, %values_A) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile_A, !cute.layout<"(64,64):(1@0,1@1)">) -> (!make_load, !coords)
    %load_B, %cB = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile_A, %values_A) <{kind = <sm_90> num_multicast = 1}> : (!A, !tile_A, !cute.layout<"(64,64):(1@0,1@1)">) -> (!make_load, !coords)
    %store_C, %cC = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%C, %tile_C, %values_C) : (!C, !tile_C, !cute.layout<"(64,(32,2)):(1@0,(1@1,32@1))">) -> (!make_store, !coords)
    %by = cute.make_tile() : () -> !cute.tile<"[64:1;64:1]">
    %blocks = cute.zipped_divide(%C, %by) : (!C, !cute.tile<"[64:1;64:1]">) -> !cute.memref<f32, gmem, align<16>, "((64,64),(?,?)):((?{i64},1),(?{i64 div=64},64))">
    %m = cute.size<[1, 0]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((64,64),(?,?)):((?{i64},1),(?{i64 div=64},64))">) -> !cute.int_tuple<"?">
    %n = cute.size<[1, 1]> (%blocks) : (!cute.memref<f32, gmem, align<16>, "((64,64),(?,?)):((?{i64},1),(?{i64 div=64},64))">) -> !cute.int_tuple<"?">
    %grid_m = cute.get_scalars(%m) : !cute.int_tuple<"?">
    %grid_n = cute.get_scalars(%n) : !cute.int_tuple<"?">
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%threads, %c1, %c1), dynamicSmemBytes = %shared, gridDim = (%grid_m, %grid_n, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %done = cuda.launch_ex @kernels::@gemm_tma<%cfg> (%load_A, %cA, %load_B, %cB, %store_C, %cC) : !cfg, (!make_load, !coords, !make_load, !coords, !make_store, !coords) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
