// B = A^T by the TMA: a block loads a tile of 64 x 64 of A, transposes it in shared memory, and stores it to B.
//
// The host makes a descriptor of each matrix and passes it by value. The TMA fills with zeros what a tile has outside of A, and stores
// nothing outside of B, so the kernel needs no predicates.
//
//   cutec run examples/tma/transpose.mlir --host --arg "A:f16[72x136]=random(7)" --arg "B:f16[136x72]" --out B=b.npy

!matrix = !cute.memref<f16, gmem, align<16>, "(?,?):(?{i64},1)">
!coords = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">

// A tile lies in shared memory as the TMA swizzles it: rows of 128 bytes, units of 16 bytes in them exchanged.
!tile = !cute.composed_layout<"S<3,4,3> o 0 o (64,64):(64,1)">
!smem = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64):(64,1)">
!smem_t = !cute.memref<f16, smem, align<1024>, S<3,4,3>, "(64,64):(1,64)">

!make_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!make_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<f16, copy_bits = 65536, tma_gbasis = <"(64,64):(1@1,1@0)">, tma_format = F16_RN>
!load = !cute_nvgpu.atom.tma_load<f16, copy_bits = 65536, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>
!store = !cute_nvgpu.atom.tma_store<f16, copy_bits = 65536, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,64):(1@1,1@0)">>

// 8 threads side by side cover 64 neighbours, 16 such rows of threads a quarter of the tile.
!element = !cute_nvgpu.atom.universal_copy<f16>
!vector = !cute_nvgpu.atom.universal_copy<f16, 128 b>
!gather = !cute.tiled_copy<!element, layout_copy_tv = <"((8,16),(8,4)):((512,1),(64,16))">, tiler_mn = <"[64:1;64:1]">>
!scatter = !cute.tiled_copy<!vector, layout_copy_tv = <"((8,16),(8,4)):((512,1),(64,16))">, tiler_mn = <"[64:1;64:1]">>
!fragment = !cute.memref<f16, rmem, align<32>, "((8,4),1,1):((1,8),0,0)">

!by = !cute.tile<"[64:1;64:1]">
!values = !cute.layout<"(64,64):(1@0,1@1)">
!cfg = !cuda.launch_cfg<max_attrs = 1>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @transpose(%load_A: !make_load, %A: !coords, %store_B: !make_store, %B: !coords) attributes {
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c32 = arith.constant 32 : i32
      %bytes = arith.constant 8192 : i32
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %warp_of = arith.divui %thread, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %is_first = arith.cmpi eq, %warp, %c0 : i32
      %tiler = cute.static : !by

      // The tiles, and the barrier on which threads wait for the first: it expects one arrival, and the bytes of the tile.
      %sA = cute.memref.alloc_smem() : !smem
      %sB = cute.memref.alloc_smem() : !smem
      %barriers = cute.memref.alloc_smem() : !cute.memref<i64, smem, align<8>, "1:0">
      %barrier = cute.get_iter(%barriers) : !cute.memref<i64, smem, align<8>, "1:0">
      %full = builtin.unrealized_conversion_cast %barrier : !cute.ptr<i64, smem> to !llvm.ptr<3>
      scf.if %is_first {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.mbarrier.init %full, %c1 : !llvm.ptr<3>, i32
          nvvm.fence.mbarrier.init
        }
        cute_nvgpu.prefetch_tma_desc(%load_A) : (!make_load) -> ()
      }
      nvvm.barrier0

      // Tile (m,n) of A, as one box.
      %at_A = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?)">
      %cA = cute.local_tile(%A, %tiler, %at_A) : (!coords, !by, !cute.coord<"(?,?)">) -> !cute.coord_tensor<"(?{div=64},?{div=64})", "(64,64):(1@1,1@0)">
      %cA1 = cute.group_modes<0, 2> (%cA) : (!cute.coord_tensor<"(?{div=64},?{div=64})", "(64,64):(1@1,1@0)">) -> !cute.coord_tensor<"(?{div=64},?{div=64})", "((64,64)):((1@1,1@0))">
      %sA1 = cute.group_modes<0, 2> (%sA) : (!smem) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">
      %cta = cute.make_coord() : () -> !cute.coord<"0">
      %ctas = cute.static : !cute.layout<"1:0">
      %into, %from = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %sA1, %cA1) : (!make_load, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">, !cute.coord_tensor<"(?{div=64},?{div=64})", "((64,64)):((1@1,1@0))">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">, !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">)
      scf.if %is_first {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
        }
        %atom = cute_nvgpu.atom.make_exec_tma(%load_A) : (!make_load) -> !load
        %load = cute_nvgpu.atom.set_value(%atom, %barrier : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !load
        cute.copy(%load, %from, %into) : (!load, !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">)
      }
      nvvm.mbarrier.try_wait.parity %full, %c0, %c1 : !llvm.ptr<3>, i32, i32

      // Columns of A become rows of B.
      %base = cute.get_iter(%sA) : !smem
      %sAt = cute.make_view(%base) : !smem_t
      %gather_atom = cute.make_atom() : () -> !element
      %gather = cute.make_tiled_copy(%gather_atom) : !gather
      %columns = cute.tiled.copy.partition_S(%gather, %sAt, %t) : (!gather, !smem_t, !cute.coord<"?">) -> !cute.memref<f16, smem, S<3,4,3>, "((1,(8,4)),1,1):((0,(64,16)),0,0)">
      %fragment = cute.memref.alloca() : !fragment
      cute.copy(%gather, %columns, %fragment) : (!gather, !cute.memref<f16, smem, S<3,4,3>, "((1,(8,4)),1,1):((0,(64,16)),0,0)">, !fragment)
      %scatter_atom = cute.make_atom() : () -> !vector
      %scatter = cute.make_tiled_copy(%scatter_atom) : !scatter
      %rows = cute.tiled.copy.partition_D(%scatter, %sB, %t) : (!scatter, !smem, !cute.coord<"?">) -> !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,4),1,1):((1,1024),0,0)">
      cute.copy(%scatter, %fragment, %rows) : (!scatter, !fragment, !cute.memref<f16, smem, align<16>, S<3,4,3>, "((8,4),1,1):((1,1024),0,0)">)

      // The TMA sees the threads' writes after a fence by each of them and a barrier of all.
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.barrier0

      // Tile (n,m) of B.
      %at_B = cute.make_coord(%block_n, %block_m) : (i32, i32) -> !cute.coord<"(?,?)">
      %cB = cute.local_tile(%B, %tiler, %at_B) : (!coords, !by, !cute.coord<"(?,?)">) -> !cute.coord_tensor<"(?{div=64},?{div=64})", "(64,64):(1@1,1@0)">
      %cB1 = cute.group_modes<0, 2> (%cB) : (!cute.coord_tensor<"(?{div=64},?{div=64})", "(64,64):(1@1,1@0)">) -> !cute.coord_tensor<"(?{div=64},?{div=64})", "((64,64)):((1@1,1@0))">
      %sB1 = cute.group_modes<0, 2> (%sB) : (!smem) -> !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">
      %out, %to = cute_nvgpu.atom.tma_partition(%store_B, %cta, %ctas, %sB1, %cB1) : (!make_store, !cute.coord<"0">, !cute.layout<"1:0">, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((64,64)):((64,1))">, !cute.coord_tensor<"(?{div=64},?{div=64})", "((64,64)):((1@1,1@0))">) -> (!cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">, !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">)
      scf.if %is_first {
        %store = cute_nvgpu.atom.make_exec_tma(%store_B) : (!make_store) -> !store
        cute.copy(%store, %out, %to) : (!store, !cute.memref<f16, smem, align<1024>, S<3,4,3>, "((4096,1)):((1,0))">, !cute.coord_tensor<"(?{div=64},?{div=64})", "(((64,64),1)):(((1@0,1@1),0))">)
        nvvm.cp.async.bulk.commit.group
        // The block must not return before the TMA has read its shared memory.
        nvvm.cp.async.bulk.wait_group 0 {read}
      }
      return
    }
  }

  func.func @host(%A: !matrix, %B: !matrix, %stream: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %none = arith.constant 0 : i64
    %tile = cute.static : !tile
    %values = cute.static : !values
    %load, %cA = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!matrix, !tile, !values) -> (!make_load, !coords)
    %store, %cB = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%B, %tile, %values) : (!matrix, !tile, !values) -> (!make_store, !coords)
    %by = cute.make_tile() : () -> !by
    %tiles = cute.zipped_divide(%A, %by) : (!matrix, !by) -> !cute.memref<f16, gmem, align<16>, "((64,64),(?,?)):((?{i64},1),(?{i64 div=64},64))">
    %m = cute.size<[1, 0]> (%tiles) : (!cute.memref<f16, gmem, align<16>, "((64,64),(?,?)):((?{i64},1),(?{i64 div=64},64))">) -> !cute.int_tuple<"?">
    %n = cute.size<[1, 1]> (%tiles) : (!cute.memref<f16, gmem, align<16>, "((64,64),(?,?)):((?{i64},1),(?{i64 div=64},64))">) -> !cute.int_tuple<"?">
    %grid_m = cute.get_scalars(%m) : !cute.int_tuple<"?">
    %grid_n = cute.get_scalars(%n) : !cute.int_tuple<"?">
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%c128, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%grid_m, %grid_n, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %done = cuda.launch_ex @kernels::@transpose<%cfg> (%load, %cA, %store, %cB) : !cfg, (!make_load, !coords, !make_store, !coords) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
