// D = A, 128 x 64 numbers of f32, by way of tensor memory.
//
// Four warps store a tile to tensor memory, one row per lane, and load it as an MMA's fragment: two neighbours of a row per register
// pair, four rows of eight apart. So a tile changes hands between the threads of a warp without shared memory.
//
//   gmem --ld--> registers --tcgen05.st 32x32b--> tensor memory --tcgen05.ld 16x256b--> registers --st--> gmem
//
//   cutec run examples/blackwell/load_store.mlir --target sm_100a --grid 1 --arg "A:f32[128x64]=random(1)" --arg "D:f32[128x64]"

!matrix = !cute.memref<f32, gmem, align<16>, "(128,64):(64,1)">
!tensor = !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">
!pointer = !cute.ptr<f32, tmem, align<16>>
!word = !cute.memref<i32, smem, align<8>, "1:0">
!address = !cute.ptr<i32, smem, align<8>>

// In each warp, a lane has a row of 64 columns; or a warp has 16 rows of an accumulator of 16 x 64.
!store = !cute_nvgpu.atom.tmem_store<f32, 32 DP, 32 bit, x64>
!load = !cute_nvgpu.atom.tmem_load<f32, 16 DP, 256 bit, x8>
!tiled_store = !cute.tiled_copy<!store, layout_copy_tv = <"((32,4),(64,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);64:1]">>
!tiled_load = !cute.tiled_copy<!load, layout_copy_tv = <"((32,4),(64,16)):((0,1),(64,4))">, tiler_mn = <"[(4,16):(32,1);64:1]">>

// A thread's part of A, and of D; a warp's part of tensor memory, for each copy.
!part_A = !cute.memref<f32, gmem, align<16>, "((64,1),1,1):((1,0),0,0)">
!part_D = !cute.memref<f32, gmem, align<8>, "(((2,2,8),1),2,1):(((1,512,8),0),1024,0)">
!stored = !cute.memref<f32, tmem, align<16>, "(((64,32),1),1,1):(((1,65536),0),0,0)">
!loaded = !cute.memref<f32, tmem, align<16>, "(((64,16),1),2,1):(((1,65536),0),1048576,0)">
!row = !cute.memref<f32, rmem, align<32>, "((64,1),1,1):((1,0),0,0)">
!fragment = !cute.memref<f32, rmem, align<32>, "(((2,2,8),1),2,1):(((1,2,4),0),32,0)">
!four = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!two = !cute_nvgpu.atom.universal_copy<f32, 64 b>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @load_store(%A: !matrix, %D: !matrix) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %c32 = arith.constant 32 : i32
      %columns = arith.constant 64 : i32
      %in_first = arith.cmpi ult, %thread, %c32 : i32

      // One warp allocates columns. Their address goes through shared memory to the others.
      %word = cute.memref.alloc_smem() : !word
      %where = cute.get_iter(%word) : !word
      scf.if %in_first {
        cute_nvgpu.arch.sm100.alloc_tmem(%columns, %where) [cta_1] : i32, !address
        cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [cta_1]
      }
      nvvm.barrier0
      %first = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%where) : !address -> !pointer
      %tensor = cute.make_view(%first) : !tensor

      // The part of the tensor that the copies reach: warp w has lanes 32 w to 32 w + 31.
      %store = cute.make_atom() : () -> !store
      %load = cute.make_atom() : () -> !load
      %stores = cute_nvgpu.atom.make_tmem_copy(%store, %tensor) : (!store, !tensor) -> !tiled_store
      %loads = cute_nvgpu.atom.make_tmem_copy(%load, %tensor) : (!load, !tensor) -> !tiled_load
      %t = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
      %from = cute.tiled.copy.partition_S(%stores, %A, %t) : (!tiled_store, !matrix, !cute.coord<"?">) -> !part_A
      %stored = cute.tiled.copy.partition_D(%stores, %tensor, %t) : (!tiled_store, !tensor, !cute.coord<"?">) -> !stored
      %loaded = cute.tiled.copy.partition_S(%loads, %tensor, %t) : (!tiled_load, !tensor, !cute.coord<"?">) -> !loaded
      %to = cute.tiled.copy.partition_D(%loads, %D, %t) : (!tiled_load, !matrix, !cute.coord<"?">) -> !part_D
      %row = cute.memref.alloca() : !row
      %fragment = cute.memref.alloca() : !fragment
      %four = cute.make_atom() : () -> !four
      %two = cute.make_atom() : () -> !two

      cute.copy(%four, %from, %row) : (!four, !part_A, !row)
      cute.copy(%store, %row, %stored) : (!store, !row, !stored)
      // A load, or an MMA, sees what is stored once the thread that stored has waited.
      nvvm.tcgen05.wait <store>
      cute.copy(%load, %loaded, %fragment) : (!load, !loaded, !fragment)

      // The registers can be used at once. The columns may be freed when every warp has waited for its loads.
      nvvm.tcgen05.wait <load>
      nvvm.barrier0
      scf.if %in_first {
        cute_nvgpu.arch.sm100.dealloc_tmem(%first, %columns) [cta_1] : !pointer, i32
      }
      cute.copy(%two, %fragment, %to) : (!two, !fragment, !part_D)
      gpu.return
    }
  }
}
