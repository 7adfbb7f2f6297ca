// RUN: %opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(cute-check-fragments)'

// A copy whose thread-value layout has the sizes of the MMA's, and other elements: rows and columns 8 on are the wrong way round.
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!load = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,256,8),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!tile = !cute.memref<f16, smem, align<128>, "(64,64):(64,1)">
!read = !cute.memref<f16, smem, align<16>, "((8,1),2,4):((1,0),2048,16)">
!regs = !cute.memref<f16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">
!loaded = !cute.memref<f16, rmem, align<16>, "((8,1),2,4):((1,0),8,16)">

func.func @thread_values(%load: !load, %mma: !mma, %tile: !tile, %t: !cute.coord<"?">) {
  %shape = cute.static : !cute.shape<"((2,2,2),2,4)">
  %regs = cute.mma.make_fragment A(%mma, %shape) : (!mma, !cute.shape<"((2,2,2),2,4)">) -> !regs
  %read = cute.tiled.copy.partition_S(%load, %tile, %t) : (!load, !tile, !cute.coord<"?">) -> !read
  %loaded = cute.tiled.copy.retile(%load, %regs) : (!load, !regs) -> !loaded
  // expected-error @below {{'cute.copy' op loads element (0,8) of the tile (M,K) as value 2 of thread 0, where the MMA takes (8,0): the thread-value layout of the copy is not the MMA's; make the tiled copy by cute.make_tiled_copy_A(atom, tiled_mma), and give both the same view}}
  cute.copy(%load, %read, %loaded) : (!load, !read, !loaded)
  return
}

// -----

// V is taken for the transposed view that the fragment was made of.
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!load = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">, tiler_mn = <"[32:1;16:1]">>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!tile = !cute.memref<f16, smem, align<128>, "(64,64):(64,1)">
!transposed = !cute.memref<f16, smem, align<128>, "(64,64):(1,64)">
!part = !cute.memref<f16, smem, align<2>, "((2,2),4,4):((64,512),16,1024)">
!read = !cute.memref<f16, smem, align<16>, "((8,1),2,4):((1,0),2048,16)">
!regs = !cute.memref<f16, rmem, align<8>, "((2,2),4,4):((1,2),4,16)">
!loaded = !cute.memref<f16, rmem, align<8>, "((8,1),2,4):((1,0),8,16)">

func.func @not_transposed(%load: !load, %mma: !mma, %t: !cute.coord<"?">) {
  %v = cute.memref.alloc_smem() : !tile
  %layout = cute.static : !cute.layout<"(64,64):(1,64)">
  %iter = cute.get_iter(%v) : !tile
  %vt = cute.make_view(%iter, %layout) : !transposed
  %part = cute.tiled.mma.partition B(%mma, %vt, %t) : (!mma, !transposed, !cute.coord<"?">) -> !part
  %regs = cute.mma.make_fragment B(%mma, %part) : (!mma, !part) -> !regs
  %read = cute.tiled.copy.partition_S(%load, %v, %t) : (!load, !tile, !cute.coord<"?">) -> !read
  %loaded = cute.tiled.copy.retile(%load, %regs) : (!load, !regs) -> !loaded
  // expected-error @below {{'cute.copy' op loads element (1,0) of the tile (N,K) as value 1 of thread 0, where the MMA takes (0,1): the copy takes another view of the memory than the fragment was made of; make the tiled copy}}
  cute.copy(%load, %read, %loaded) : (!load, !read, !loaded)
  return
}

// -----

// K in another order in A than in B.
!one = !cute_nvgpu.atom.universal_copy<f16, 16 b>
!load_A = !cute.tiled_copy<!one, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((256,8,32),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!load_B = !cute.tiled_copy<!one, layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">, tiler_mn = <"[32:1;16:1]">>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!tile = !cute.memref<f16, smem, align<128>, "(64,64):(64,1)">
!regs_A = !cute.memref<f16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">
!regs_B = !cute.memref<f16, rmem, align<8>, "((2,2),4,4):((1,2),4,16)">
!regs_C = !cute.memref<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
!read_A = !cute.memref<f16, smem, "((1,(2,2,2)),2,4):((0,(8,512,1)),2048,16)">
!read_B = !cute.memref<f16, smem, "((1,(2,2,2)),2,4):((0,(1,8,1024)),2048,16)">
!loaded_A = !cute.memref<f16, rmem, align<16>, "((1,8),2,4):((0,1),8,16)">
!loaded_B = !cute.memref<f16, rmem, align<8>, "((1,8),2,4):((0,1),8,16)">

func.func @order(%load_A: !load_A, %load_B: !load_B, %mma: !mma, %A: !tile, %B: !tile, %regs_C: !regs_C, %t: !cute.coord<"?">) {
  %shape_A = cute.static : !cute.shape<"((2,2,2),2,4)">
  %shape_B = cute.static : !cute.shape<"((2,2),4,4)">
  %regs_A = cute.mma.make_fragment A(%mma, %shape_A) : (!mma, !cute.shape<"((2,2,2),2,4)">) -> !regs_A
  %regs_B = cute.mma.make_fragment B(%mma, %shape_B) : (!mma, !cute.shape<"((2,2),4,4)">) -> !regs_B
  %read_A = cute.tiled.copy.partition_S(%load_A, %A, %t) : (!load_A, !tile, !cute.coord<"?">) -> !read_A
  %read_B = cute.tiled.copy.partition_S(%load_B, %B, %t) : (!load_B, !tile, !cute.coord<"?">) -> !read_B
  %loaded_A = cute.tiled.copy.retile(%load_A, %regs_A) : (!load_A, !regs_A) -> !loaded_A
  %loaded_B = cute.tiled.copy.retile(%load_B, %regs_B) : (!load_B, !regs_B) -> !loaded_B
  // expected-error @below {{loads element (0,8) of the tile (M,K) as value 1 of thread 0, where the MMA takes (0,1): K is in another order than in B; make the tiled copy by cute.make_tiled_copy_A(atom, tiled_mma)}}
  cute.copy(%load_A, %read_A, %loaded_A) : (!load_A, !read_A, !loaded_A)
  cute.copy(%load_B, %read_B, %loaded_B) : (!load_B, !read_B, !loaded_B)
  cute.gemm(%mma, %regs_C, %regs_A, %regs_B, %regs_C) : (!mma, !regs_C, !regs_A, !regs_B, !regs_C)
  return
}
// -----

// B is cut out by the projection of A: its rows are tile M, where C has tile N.
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!load_A = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!load_B = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">, tiler_mn = <"[32:1;16:1]">>
!bring = !cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>
!mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!matrix = !cute.memref<f16, gmem, align<16>, "(128,128):(128,1)">
!tiles = !cute.memref<f16, gmem, align<16>, "(64,64,2):(128,1,64)">
!tile_C = !cute.memref<f16, gmem, align<16>, "(64,64):(128,1)">
!tiler = !cute.tile<"[64:1;64:1;64:1]">
!at = !cute.coord<"(?,?,_)">
!tile = !cute.memref<f16, smem, align<128>, "(64,64):(64,1)">
!from = !cute.memref<f16, gmem, align<16>, "((8,1),4,1,2):((1,0),2048,0,64)">
!from_k = !cute.memref<f16, gmem, align<16>, "((8,1),4,1):((1,0),2048,0)">
!into = !cute.memref<f16, smem, align<16>, "((8,1),4,1):((1,0),1024,0)">
!read = !cute.memref<f16, smem, align<16>, "((8,1),2,4):((1,0),2048,16)">
!regs_A = !cute.memref<f16, rmem, align<16>, "((2,2,2),2,4):((1,2,4),8,16)">
!regs_B = !cute.memref<f16, rmem, align<8>, "((2,2),4,4):((1,2),4,16)">
!regs_C = !cute.memref<f32, rmem, align<16>, "((2,2),2,4):((1,2),4,8)">
!loaded_A = !cute.memref<f16, rmem, align<16>, "((8,1),2,4):((1,0),8,16)">
!loaded_B = !cute.memref<f16, rmem, align<8>, "((8,1),2,4):((1,0),8,16)">
!t = !cute.coord<"?">

func.func @projection(%load_A: !load_A, %load_B: !load_B, %bring: !bring, %mma: !mma, %A: !matrix, %B: !matrix, %C: !matrix, %m: i32, %n: i32, %regs_C: !regs_C, %t: !t) {
  %tiler = cute.static : !tiler
  %at = cute.make_coord(%m, %n) : (i32, i32) -> !at
  %again = cute.make_coord(%m, %n) : (i32, i32) -> !at
  %gA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!matrix, !tiler, !at) -> !tiles
  // expected-error @below {{'cute.local_tile' op cuts the tile of B by modes 0 and 2 of the tiler, which A and B then both have; the tile (N,K) has modes 1 and 2: use the projection "(_,1,1)"}}
  %gB = cute.local_tile(%B, %tiler, %again, "(1,_,1)") : (!matrix, !tiler, !at) -> !tiles
  // expected-note @below {{mode 1 of the tiler is in this tile, at the same coordinate}}
  %gC = cute.local_tile(%C, %tiler, %at, "(1,1,_)") : (!matrix, !tiler, !at) -> !tile_C
  %sA = cute.memref.alloc_smem() : !tile
  %sB = cute.memref.alloc_smem() : !tile
  %tAgA = cute.tiled.copy.partition_S(%bring, %gA, %t) : (!bring, !tiles, !t) -> !from
  %tBgB = cute.tiled.copy.partition_S(%bring, %gB, %t) : (!bring, !tiles, !t) -> !from
  %tAsA = cute.tiled.copy.partition_D(%bring, %sA, %t) : (!bring, !tile, !t) -> !into
  %tBsB = cute.tiled.copy.partition_D(%bring, %sB, %t) : (!bring, !tile, !t) -> !into
  %first = cute.static : !cute.coord<"(_,_,_,0)">
  %nowA = cute.slice(%tAgA, %first) : !from, !cute.coord<"(_,_,_,0)">
  %nowB = cute.slice(%tBgB, %first) : !from, !cute.coord<"(_,_,_,0)">
  cute.copy(%bring, %nowA, %tAsA) : (!bring, !from_k, !into)
  cute.copy(%bring, %nowB, %tBsB) : (!bring, !from_k, !into)
  %shape_A = cute.static : !cute.shape<"((2,2,2),2,4)">
  %shape_B = cute.static : !cute.shape<"((2,2),4,4)">
  %regs_A = cute.mma.make_fragment A(%mma, %shape_A) : (!mma, !cute.shape<"((2,2,2),2,4)">) -> !regs_A
  %regs_B = cute.mma.make_fragment B(%mma, %shape_B) : (!mma, !cute.shape<"((2,2),4,4)">) -> !regs_B
  %read_A = cute.tiled.copy.partition_S(%load_A, %sA, %t) : (!load_A, !tile, !t) -> !read
  %read_B = cute.tiled.copy.partition_S(%load_B, %sB, %t) : (!load_B, !tile, !t) -> !read
  %loaded_A = cute.tiled.copy.retile(%load_A, %regs_A) : (!load_A, !regs_A) -> !loaded_A
  %loaded_B = cute.tiled.copy.retile(%load_B, %regs_B) : (!load_B, !regs_B) -> !loaded_B
  cute.copy(%load_A, %read_A, %loaded_A) : (!load_A, !read, !loaded_A)
  cute.copy(%load_B, %read_B, %loaded_B) : (!load_B, !read, !loaded_B)
  cute.gemm(%mma, %regs_C, %regs_A, %regs_B, %regs_C) : (!mma, !regs_C, !regs_A, !regs_B, !regs_C)
  return
}
