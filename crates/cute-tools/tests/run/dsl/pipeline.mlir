// y = the sum over tiles of 128 elements, which cp.async loads one tile ahead into two stages of shared memory.

!tiles = !cute.memref<f32, gmem, align<16>, "(128,?):(1,128)">
!tile = !cute.memref<f32, gmem, align<16>, "(128):(1)">
!stages = !cute.memref<f32, smem, align<128>, "(128,2):(1,128)">
!stage = !cute.memref<f32, smem, align<128>, "(128):(1)">
!bring = !cute_nvgpu.atom.simt_async_copy<f32, cache = global, 128 b>
!tiled_bring = !cute.tiled_copy<!bring, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">>
!take = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!tiled_take = !cute.tiled_copy<!take, layout_copy_tv = <"(32,4):(4,1)">, tiler_mn = <"[128:1]">>
!from = !cute.memref<f32, gmem, align<16>, "((4,1),(1)):((1,0),(0))">
!into = !cute.memref<f32, smem, align<16>, "((4,1),(1)):((1,0),(0))">
!own = !cute.memref<f32, rmem, align<16>, "((4,1),(1)):((1,0),(0))">
!now = !cute.coord<"(_,?)">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @pipeline(%x: !tiles, %y: !tile) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %thread = cute.make_coord(%tid) : (i32) -> !cute.coord<"?">
      %layout = cute.get_layout(%x) : !tiles
      %size = cute.size<[1]> (%layout) : (!cute.layout<"(128,?):(1,128)">) -> !cute.int_tuple<"?">
      %count = cute.get_scalars(%size) : !cute.int_tuple<"?">
      %stages = cute.memref.alloc_smem() : !stages
      %bring_atom = cute.make_atom() : () -> !bring
      %bring = cute.make_tiled_copy(%bring_atom) : !tiled_bring
      %take_atom = cute.make_atom() : () -> !take
      %take = cute.make_tiled_copy(%take_atom) : !tiled_take
      %first = cute.make_coord(%c0) : (i32) -> !now
      %tile = cute.slice(%x, %first) : !tiles, !now
      %stage = cute.slice(%stages, %first) : !stages, !now
      %from = cute.tiled.copy.partition_S(%bring, %tile, %thread) : (!tiled_bring, !tile, !cute.coord<"?">) -> !from
      %into = cute.tiled.copy.partition_D(%bring, %stage, %thread) : (!tiled_bring, !stage, !cute.coord<"?">) -> !into
      cute.copy(%bring, %from, %into) : (!tiled_bring, !from, !into)
      nvvm.cp.async.commit.group
      %zeros = arith.constant dense<0.0> : vector<4xf32>
      %own = cute.memref.alloca() : !own
      %sum = scf.for %k = %c0 to %count step %c1 iter_args(%so_far = %zeros) -> (vector<4xf32>) : i32 {
        %next = arith.addi %k, %c1 : i32
        %is_one = arith.cmpi slt, %next, %count : i32
        scf.if %is_one {
          %ahead = cute.make_coord(%next) : (i32) -> !now
          %slot = arith.remui %next, %c2 : i32
          %place = cute.make_coord(%slot) : (i32) -> !now
          %next_tile = cute.slice(%x, %ahead) : !tiles, !now
          %next_stage = cute.slice(%stages, %place) : !stages, !now
          %next_from = cute.tiled.copy.partition_S(%bring, %next_tile, %thread) : (!tiled_bring, !tile, !cute.coord<"?">) -> !from
          %next_into = cute.tiled.copy.partition_D(%bring, %next_stage, %thread) : (!tiled_bring, !stage, !cute.coord<"?">) -> !into
          cute.copy(%bring, %next_from, %next_into) : (!tiled_bring, !from, !into)
        }
        nvvm.cp.async.commit.group
        nvvm.cp.async.wait.group 1
        nvvm.barrier
        %slot = arith.remui %k, %c2 : i32
        %place = cute.make_coord(%slot) : (i32) -> !now
        %this = cute.slice(%stages, %place) : !stages, !now
        %here = cute.tiled.copy.partition_S(%take, %this, %thread) : (!tiled_take, !stage, !cute.coord<"?">) -> !into
        cute.copy(%take, %here, %own) : (!tiled_take, !into, !own)
        %v = cute.memref.load_vec %own : !own
        %sum = arith.addf %so_far, %v : vector<4xf32>
        nvvm.barrier
        scf.yield %sum : vector<4xf32>
      }
      cute.memref.store_vec %sum, %own : !own
      %to = cute.tiled.copy.partition_D(%take, %y, %thread) : (!tiled_take, !tile, !cute.coord<"?">) -> !from
      cute.copy(%take, %own, %to) : (!tiled_take, !own, !from)
      cuda.return
    }
  }
  func.func @host(%x: !tiles, %y: !tile, %stream: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant 0 : i64
    %c32 = arith.constant 32 : i32
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c32, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%c1, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cfg, i32
    cuda.launch_cfg.cooperative[%cfg] %c0 : !cfg, i32
    %launched = cuda.launch_ex @kernels::@pipeline<%cfg> (%x, %y) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cfg, (!tiles, !tile) -> !cuda.result
    %code = cuda.cast %launched : !cuda.result -> i32
    cuda.return_if_error %code : i32
    return %c0 : i32
  }
}
