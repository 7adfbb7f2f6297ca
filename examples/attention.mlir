// O = softmax(scale * Q * K^T) * V for each head, f16 with accumulators in f32: flash attention forward,
// head dimension 64.
//
//   grid (ceil(queries / 64), heads), block 128
//
// Q and O are (queries, 64, heads), K and V are (keys, 64, heads), each with the second mode
// contiguous. Queries and keys are arbitrary, at least one of each; the other strides are multiples
// of 8. Batches are more heads.
//
// A block has 64 queries of a head, 16 a warp, and goes over the keys in tiles of 64:
//
//   S = Q * K^T                      32 scores a thread: 16 of each of 2 rows that a quad shares
//   m = max(m', S)                   along the rows, with two shuffles; m' is the maximum before
//   P = exp2(S - m)                  rounded to f16; each lane sums its own columns
//   O = exp2(m' - m) * O + P * V
//
// P never leaves the registers: an MMA leaves C of the first GEMM where the MMA of the second one
// takes A.

#unroll = #llvm.loop_annotation<unroll = <full = true>>

!tensor = !cute.memref<f16, gmem, align<16>, "(?,64,?):(?{i64 div=8},1,?{i64 div=8})">
!head = !cute.coord<"(_,_,?)">
!matrix = !cute.memref<f16, gmem, align<16>, "(?,64):(?{i64 div=8},1)">
!layout = !cute.layout<"(?,64):(?{i64 div=8},1)">
!shape = !cute.shape<"(?,64)">
!coord = !cute.coord<"?">

// 64 rows of Q and O, and all tiles of 64 rows of K and V; identity tensors hold the coordinates of
// their elements.
!tiler = !cute.tile<"[64:1;64:1]">
!this_tile = !cute.coord<"(?,0)">
!all_tiles = !cute.coord<"(_,0)">
!gQ = !cute.memref<f16, gmem, align<16>, "(64,64):(?{i64 div=8},1)">
!gK = !cute.memref<f16, gmem, align<16>, "(64,64,?):(?{i64 div=8},1,?{i64 div=512})">
!coords = !cute.coord_tensor<"(0,0)", "(?,64):(1@0,1@1)">
!cQ = !cute.coord_tensor<"(?{div=64},0)", "(64,64):(1@0,1@1)">
!cK = !cute.coord_tensor<"(0,0)", "(64,64,?):(1@0,1@1,64@0)">
!here = !cute.coord_tensor<"(?,?{div=8})", "():()">
!iter = !cute.arith_tuple_iter<"(?,?{div=8})">
!crd = !cute.int_tuple<"(?,?{div=8})">

// Rows of 128 bytes, with the row XORed into the number of the chunk of 16 bytes; two stages of K
// and V. B of the second GEMM is (N,K) = (64 columns of V, 64 keys): the same memory,
// transposed.
!sQ = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,64):(64,1)">
!sK = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,64,2):(64,1,4096)">
!sVt = !cute.memref<f16, smem, align<1024>, "S<3,3,3> o 0 o (64,64,2):(1,64,4096)">

// Global to shared: 8 threads load a row, 128 threads 16 rows at once, 4 times.
!g2s_atom = !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>
!g2s = !cute.tiled_copy<!g2s_atom, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>
!tQgQ = !cute.memref<f16, gmem, align<16>, "((8,1),4,1):((1,0),?{i64 div=128},0)">
!tKgK = !cute.memref<f16, gmem, align<16>, "((8,1),4,1,?):((1,0),?{i64 div=128},0,?{i64 div=512})">
!tKgK_j = !cute.memref<f16, gmem, align<16>, "((8,1),4,1):((1,0),?{i64 div=128},0)">
!tQsQ = !cute.memref<f16, smem, align<16>, "((8,1),4,1):((1,0),1024,0)">
!tKsK = !cute.memref<f16, smem, align<16>, "((8,1),4,1,2):((1,0),1024,0,4096)">
!tKsK_j = !cute.memref<f16, smem, align<16>, "((8,1),4,1):((1,0),1024,0)">
!tQcQ = !cute.coord_tensor<"(?,?{div=8})", "((8,1),4,1):((1@1,0),16@0,0)">
!tKcK = !cute.coord_tensor<"(?,?{div=8})", "((8,1),4,1,?):((1@1,0),16@0,0,64@0)">
!pred = !cute.memref<i8, rmem, align<32>, "(1,4,1):(0,1,0)">

// 4 warps, one below the other. C of S is ((2,2),1,8), 8 MMAs along the keys. Of two neighbouring
// ones it is A of an MMA of 16 keys, ((2,2,2),1,4): the same registers in the same order.
!atom = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(4,1,1):(1,0,0)">, permutation_MNK = <"[64:1;16:1;16:1]">>
!frag_Q = !cute.shape<"((2,2,2),1,4)">
!frag_K = !cute.shape<"((2,2),8,4)">
!tSrQ = !cute.memref<f16, rmem, align<16>, "((2,2,2),1,4):((1,2,4),0,8)">
!tSrK = !cute.memref<f16, rmem, align<8>, "((2,2),8,4):((1,2),4,32)">
!tSrQ_k = !cute.memref<f16, rmem, align<16>, "((2,2,2),1):((1,2,4),0)">
!tSrK_k = !cute.memref<f16, rmem, align<8>, "((2,2),8):((1,2),4)">
!tSrS = !cute.memref<f32, rmem, align<16>, "((2,2),1,8):((1,2),0,4)">
!tSrP = !cute.memref<f16, rmem, align<16>, "((2,2),1,8):((1,2),0,4)">
!tOrP = !cute.memref<f16, rmem, align<16>, "((2,2,2),1,4):((1,2,4),0,8)">
!tOrP_k = !cute.memref<f16, rmem, align<16>, "((2,2,2),1):((1,2,4),0)">

// The coordinates of a thread's scores in a tile.
!coords_S = !cute.coord_tensor<"(0,0)", "(64,64):(1@0,1@1)">
!tScS = !cute.coord_tensor<"(?,?{div=2})", "((2,2),1,8):((1@1,8@0),0,8@1)">
!here_S = !cute.coord_tensor<"(?,?)", "():()">
!iter_S = !cute.arith_tuple_iter<"(?,?)">
!crd_S = !cute.int_tuple<"(?,?)">

// C as 2 rows of 16 columns: the second mode of V are the rows.
!rows_S = !cute.memref<f32, rmem, align<16>, "(2,(2,8)):(2,(1,4))">
!rows_P = !cute.memref<f16, rmem, align<16>, "(2,(2,8)):(2,(1,4))">
!row_S = !cute.memref<f32, rmem, align<8>, "((2,8)):((1,4))">
!row_P = !cute.memref<f16, rmem, align<4>, "((2,8)):((1,4))">
!stats = !cute.memref<f32, rmem, align<8>, "(2):(1)">

// Shared to registers, by ldmatrix, which transposes V. make_tiled_copy_A and make_tiled_copy_B
// compute the layouts from it and the MMA.
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!ldsm_t = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, t>
!load_Q = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,4),((2,2,2),(1,1))):((128,1,16),((64,8,512),(0,0)))">, tiler_mn = <"[64:1;16:1]">>
!load_K = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,4),((2,2),(2,1))):((32,1,0),((16,128),(8,0)))">, tiler_mn = <"[16:1;16:1]">>
!load_V = !cute.tiled_copy<!ldsm_t, layout_copy_tv = <"((4,8,4),((2,2),(2,1))):((32,1,0),((16,128),(8,0)))">, tiler_mn = <"[16:1;16:1]">>
!tXsQ = !cute.memref<f16, smem, align<16>, "((8,1),1,(2,2)):((1,0),0,(?{div=16},?{div=32}))">
!tXsK = !cute.memref<f16, smem, align<16>, "((8,1),4,(2,2),2):((1,0),1024,(?{div=16},?{div=32}),4096)">
!tXsV = !cute.memref<f16, smem, align<16>, "((8,1),(2,2),4,2):((1,0),(?{div=16},?{div=32}),1024,4096)">
!tXsQ_k = !cute.memref<f16, smem, align<16>, "((8,1),1):((1,0),0)">
!tXsK_k = !cute.memref<f16, smem, align<16>, "((8,1),4):((1,0),1024)">
!tXsV_k = !cute.memref<f16, smem, align<16>, "((8,1),(2,2)):((1,0),(?{div=16},?{div=32}))">
!tXrQ = !cute.memref<f16, rmem, align<16>, "((8,1),1,4):((1,0),0,8)">
!tXrK = !cute.memref<f16, rmem, align<8>, "((8,1),4,4):((1,0),8,32)">
!tXrQ_k = !cute.memref<f16, rmem, align<16>, "((8,1),1):((1,0),0)">
!tXrK_k = !cute.memref<f16, rmem, align<8>, "((8,1),4):((1,0),8)">

// Registers to shared, where the MMA has them, in pairs; shared to global, 8 threads a row.
!pair = !cute_nvgpu.atom.universal_copy<f16, 32 b>
!tOsO = !cute.memref<f16, smem, align<4>, "((2,2),1,(2,2,2)):((1,512),0,(?{div=8},?{div=16},?{div=32}))">
!store_atom = !cute_nvgpu.atom.universal_copy<f16, 128 b>
!store = !cute.tiled_copy<!store_atom, layout_copy_tv = <"((8,16),8):((128,1),16)">, tiler_mn = <"[16:1;64:1]">>
!tZrO = !cute.memref<f16, rmem, align<16>, "((8,1),4,1):((1,0),8,0)">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @attention(%Q: !tensor, %K: !tensor, %V: !tensor, %O: !tensor, %scale: f32) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %head = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !coord
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c16 = arith.constant 16 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c31 = arith.constant 31 : i32
      %c32 = arith.constant 32 : i32
      %c64 = arith.constant 64 : i32
      %warp = arith.constant -1 : i32
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1.0 : f32
      %minus_inf = arith.constant 0xFF800000 : f32
      %log2e = arith.constant 1.44269504 : f32
      %scale_log2 = arith.mulf %scale, %log2e : f32
      %scale_16 = vector.broadcast %scale_log2 : f32 to vector<16xf32>

      // The matrices of this head, and the tiles of this block.
      %at_head = cute.make_coord(%head) : (i32) -> !head
      %mQ = cute.slice(%Q, %at_head) : !tensor, !head
      %mK = cute.slice(%K, %at_head) : !tensor, !head
      %mV = cute.slice(%V, %at_head) : !tensor, !head
      %mO = cute.slice(%O, %at_head) : !tensor, !head
      %layoutQ = cute.get_layout(%mQ) : !matrix
      %layoutK = cute.get_layout(%mK) : !matrix
      %shapeQ = cute.get_shape(%layoutQ) : !layout -> !shape
      %shapeK = cute.get_shape(%layoutK) : !layout -> !shape
      %coordsQ = cute.make_identity_tensor(%shapeQ) : !shape -> !coords
      %coordsK = cute.make_identity_tensor(%shapeK) : !shape -> !coords
      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block) : (i32) -> !this_tile
      %all = cute.make_coord() : () -> !all_tiles
      %gQ = cute.local_tile(%mQ, %tiler, %at) : (!matrix, !tiler, !this_tile) -> !gQ
      %gO = cute.local_tile(%mO, %tiler, %at) : (!matrix, !tiler, !this_tile) -> !gQ
      %cQ = cute.local_tile(%coordsQ, %tiler, %at) : (!coords, !tiler, !this_tile) -> !cQ
      %gK = cute.local_tile(%mK, %tiler, %all) : (!matrix, !tiler, !all_tiles) -> !gK
      %gV = cute.local_tile(%mV, %tiler, %all) : (!matrix, !tiler, !all_tiles) -> !gK
      %cK = cute.local_tile(%coordsK, %tiler, %all) : (!coords, !tiler, !all_tiles) -> !cK
      %sQ = cute.memref.alloc_smem() : !sQ
      %sK = cute.memref.alloc_smem() : !sK
      %sV = cute.memref.alloc_smem() : !sK
      %iterV = cute.get_iter(%sV) : !sK
      %sVt = cute.make_view(%iterV) : !sVt

      %g2s_atom = cute.make_atom() : () -> !g2s_atom
      %g2s = cute.make_tiled_copy(%g2s_atom) : !g2s
      %tQgQ = cute.tiled.copy.partition_S(%g2s, %gQ, %t) : (!g2s, !gQ, !coord) -> !tQgQ
      %tQcQ = cute.tiled.copy.partition_S(%g2s, %cQ, %t) : (!g2s, !cQ, !coord) -> !tQcQ
      %tQsQ = cute.tiled.copy.partition_D(%g2s, %sQ, %t) : (!g2s, !sQ, !coord) -> !tQsQ
      %tKgK = cute.tiled.copy.partition_S(%g2s, %gK, %t) : (!g2s, !gK, !coord) -> !tKgK
      %tVgV = cute.tiled.copy.partition_S(%g2s, %gV, %t) : (!g2s, !gK, !coord) -> !tKgK
      %tKcK = cute.tiled.copy.partition_S(%g2s, %cK, %t) : (!g2s, !cK, !coord) -> !tKcK
      %tKsK = cute.tiled.copy.partition_D(%g2s, %sK, %t) : (!g2s, !sK, !coord) -> !tKsK
      %tVsV = cute.tiled.copy.partition_D(%g2s, %sV, %t) : (!g2s, !sK, !coord) -> !tKsK

      // Q arrives with the first K and V tiles.
      %inQ = cute.memref.alloca() : !pred
      scf.for %i = %c0 to %c4 step %c1 : i32 {
        %first = cute.make_coord(%i) : (i32) -> !cute.coord<"(0,?,0)">
        %element = cute.slice(%tQcQ, %first) : !tQcQ, !cute.coord<"(0,?,0)">
        %iter = cute.get_iter(%element) : !here
        %crd = cute.deref_arith_tuple_iter(%iter) : (!iter) -> !crd
        %less = cute.elem_less(%crd, %shapeQ) : (!crd, !shape) -> i1
        %byte = arith.extui %less : i1 to i8
        cute.memref.store(%inQ, %first, %byte) : (!pred, !cute.coord<"(0,?,0)">, i8) -> ()
      } {loop_annotation = #unroll}
      cute.copy(%g2s, %tQgQ, %tQsQ, %inQ) : (!g2s, !tQgQ, !tQsQ, !pred)

      // Registers as the MMA has them. Of Q, K and V only what one k-block needs is live at a time:
      // Q is read again for each tile, which costs 4 ldmatrix and saves 16 registers.
      %atom = cute.make_atom() : () -> !atom
      %mma = cute.make_tiled_mma(%atom) : !mma
      %tile = cute.static : !cute.shape<"(64,64)">
      %fragQ = cute.tiled.mma.partition_shape A(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !frag_Q
      %fragK = cute.tiled.mma.partition_shape B(%mma, %tile) : (!mma, !cute.shape<"(64,64)">) -> !frag_K
      %tSrQ = cute.mma.make_fragment A(%mma, %fragQ) : (!mma, !frag_Q) -> !tSrQ
      %tSrK = cute.mma.make_fragment B(%mma, %fragK) : (!mma, !frag_K) -> !tSrK
      %tOrV = cute.mma.make_fragment B(%mma, %fragK) : (!mma, !frag_K) -> !tSrK
      %tSrS = cute.memref.alloca() : !tSrS
      %tSrP = cute.memref.alloca() : !tSrP
      %tOrO = cute.memref.alloca() : !tSrS
      %coords_S = cute.make_identity_tensor(%tile) : !cute.shape<"(64,64)"> -> !coords_S
      %tScS = cute.tiled.mma.partition C(%mma, %coords_S, %t) : (!mma, !coords_S, !coord) -> !tScS

      %iterP = cute.get_iter(%tSrP) : !tSrP
      %tOrP = cute.make_view(%iterP) : !tOrP
      %iterS = cute.get_iter(%tSrS) : !tSrS
      %iterO = cute.get_iter(%tOrO) : !tSrS
      %rowsS = cute.make_view(%iterS) : !rows_S
      %rowsP = cute.make_view(%iterP) : !rows_P
      %rowsO = cute.make_view(%iterO) : !rows_S
      %max = cute.memref.alloca() : !stats
      %sum = cute.memref.alloca() : !stats
      %zeros_32 = arith.constant dense<0.0> : vector<32xf32>
      %zeros_2 = arith.constant dense<0.0> : vector<2xf32>
      %minus_inf_2 = arith.constant dense<0xFF800000> : vector<2xf32>
      cute.memref.store_vec %zeros_32, %tOrO : !tSrS
      cute.memref.store_vec %zeros_2, %sum : !stats
      cute.memref.store_vec %minus_inf_2, %max : !stats

      %ldsm = cute.make_atom() : () -> !ldsm
      %ldsm_t = cute.make_atom() : () -> !ldsm_t
      %loadQ = cute.make_tiled_copy_A(%ldsm, %mma) : (!ldsm, !mma) -> !load_Q
      %loadK = cute.make_tiled_copy_B(%ldsm, %mma) : (!ldsm, !mma) -> !load_K
      %loadV = cute.make_tiled_copy_B(%ldsm_t, %mma) : (!ldsm_t, !mma) -> !load_V
      %tXsQ = cute.tiled.copy.partition_S(%loadQ, %sQ, %t) : (!load_Q, !sQ, !coord) -> !tXsQ
      %tXsK = cute.tiled.copy.partition_S(%loadK, %sK, %t) : (!load_K, !sK, !coord) -> !tXsK
      %tXsV = cute.tiled.copy.partition_S(%loadV, %sVt, %t) : (!load_V, !sVt, !coord) -> !tXsV
      %tXrQ = cute.tiled.copy.retile(%loadQ, %tSrQ) : (!load_Q, !tSrQ) -> !tXrQ
      %tXrK = cute.tiled.copy.retile(%loadK, %tSrK) : (!load_K, !tSrK) -> !tXrK
      %tXrV = cute.tiled.copy.retile(%loadV, %tOrV) : (!load_V, !tSrK) -> !tXrK

      // Iteration j loads tile j of K and V and works on tile j - 1. The first iteration only loads.
      %keys_shape = cute.get<[0]>(%shapeK) : !shape -> !cute.shape<"?">
      %keys = cute.get_scalars(%keys_shape) : !cute.shape<"?">
      %size = cute.size<[3]>(%tKgK) : (!tKgK) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">
      %rounds = arith.addi %tiles, %c1 : i32
      scf.for %j = %c0 to %rounds step %c1 : i32 {
        // Tile j - 1 has arrived, and every warp is done with tile j - 2, whose stage tile j
        // overwrites.
        nvvm.cp.async.wait.group 0
        nvvm.barrier0
        %exists = arith.cmpi slt, %j, %tiles : i32
        scf.if %exists {
          %stage = arith.remui %j, %c2 : i32
          %from = cute.make_coord(%j) : (i32) -> !cute.coord<"(_,_,_,?)">
          %into = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
          %fromK = cute.slice(%tKgK, %from) : !tKgK, !cute.coord<"(_,_,_,?)">
          %fromV = cute.slice(%tVgV, %from) : !tKgK, !cute.coord<"(_,_,_,?)">
          %intoK = cute.slice(%tKsK, %into) : !tKsK, !cute.coord<"(_,_,_,?)">
          %intoV = cute.slice(%tVsV, %into) : !tKsK, !cute.coord<"(_,_,_,?)">
          %inK = cute.memref.alloca() : !pred
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            %first = cute.make_coord(%i, %j) : (i32, i32) -> !cute.coord<"(0,?,0,?)">
            %element = cute.slice(%tKcK, %first) : !tKcK, !cute.coord<"(0,?,0,?)">
            %iter = cute.get_iter(%element) : !here
            %crd = cute.deref_arith_tuple_iter(%iter) : (!iter) -> !crd
            %less = cute.elem_less(%crd, %shapeK) : (!crd, !shape) -> i1
            %byte = arith.extui %less : i1 to i8
            %slot = cute.make_coord(%i) : (i32) -> !cute.coord<"(0,?,0)">
            cute.memref.store(%inK, %slot, %byte) : (!pred, !cute.coord<"(0,?,0)">, i8) -> ()
          } {loop_annotation = #unroll}
          cute.copy(%g2s, %fromK, %intoK, %inK) : (!g2s, !tKgK_j, !tKsK_j, !pred)
          cute.copy(%g2s, %fromV, %intoV, %inK) : (!g2s, !tKgK_j, !tKsK_j, !pred)
        }
        nvvm.cp.async.commit.group

        %ready = arith.cmpi sge, %j, %c1 : i32
        scf.if %ready {
          %before = arith.subi %j, %c1 : i32
          %stage = arith.remui %before, %c2 : i32

          // S = Q K^T.
          cute.memref.store_vec %zeros_32, %tSrS : !tSrS
          scf.for %k = %c0 to %c4 step %c1 : i32 {
            %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,?)">
            %staged = cute.make_coord(%k, %stage) : (i32, i32) -> !cute.coord<"(_,_,?,?)">
            %sQ_k = cute.slice(%tXsQ, %at_k) : !tXsQ, !cute.coord<"(_,_,?)">
            %sK_k = cute.slice(%tXsK, %staged) : !tXsK, !cute.coord<"(_,_,?,?)">
            %toQ = cute.slice(%tXrQ, %at_k) : !tXrQ, !cute.coord<"(_,_,?)">
            %toK = cute.slice(%tXrK, %at_k) : !tXrK, !cute.coord<"(_,_,?)">
            %rQ_k = cute.slice(%tSrQ, %at_k) : !tSrQ, !cute.coord<"(_,_,?)">
            %rK_k = cute.slice(%tSrK, %at_k) : !tSrK, !cute.coord<"(_,_,?)">
            cute.copy(%loadQ, %sQ_k, %toQ) : (!load_Q, !tXsQ_k, !tXrQ_k)
            cute.copy(%loadK, %sK_k, %toK) : (!load_K, !tXsK_k, !tXrK_k)
            cute.gemm(%mma, %tSrS, %rQ_k, %rK_k, %tSrS) : (!mma, !tSrS, !tSrQ_k, !tSrK_k, !tSrS)
          } {loop_annotation = #unroll}

          // The last tile may be ragged: keys beyond the end, of which cp.async made zeros, weigh
          // nothing.
          %tile_begin = arith.muli %before, %c64 : i32
          %left = arith.subi %keys, %tile_begin : i32
          %ragged = arith.cmpi slt, %left, %c64 : i32
          scf.if %ragged {
            %bound = cute.make_int_tuple(%left) : (i32) -> !cute.int_tuple<"?">
            scf.for %i = %c0 to %c32 step %c1 : i32 {
              %which = cute.make_coord(%i) : (i32) -> !coord
              %element = cute.slice(%tScS, %which) : !tScS, !coord
              %iter = cute.get_iter(%element) : !here_S
              %crd = cute.deref_arith_tuple_iter(%iter) : (!iter_S) -> !crd_S
              %key = cute.get<[1]>(%crd) : !crd_S -> !cute.int_tuple<"?">
              %is_key = cute.elem_less(%key, %bound) : (!cute.int_tuple<"?">, !cute.int_tuple<"?">) -> i1
              %s = cute.memref.load(%tSrS, %which) : (!tSrS, !coord) -> f32
              %masked = arith.select %is_key, %s, %minus_inf : f32
              cute.memref.store(%tSrS, %which, %masked) : (!tSrS, !coord, f32) -> ()
            } {loop_annotation = #unroll}
          }

          // Online softmax, row by row. Scale and log2(e) are one factor.
          scf.for %i = %c0 to %c2 step %c1 : i32 {
            %row = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,_)">
            %at_i = cute.make_coord(%i) : (i32) -> !coord
            %rowS = cute.slice(%rowsS, %row) : !rows_S, !cute.coord<"(?,_)">
            %rowP = cute.slice(%rowsP, %row) : !rows_P, !cute.coord<"(?,_)">
            %rowO = cute.slice(%rowsO, %row) : !rows_S, !cute.coord<"(?,_)">
            %s = cute.memref.load_vec %rowS : !row_S
            %m_old = cute.memref.load(%max, %at_i) : (!stats, !coord) -> f32
            %l_old = cute.memref.load(%sum, %at_i) : (!stats, !coord) -> f32
            %m_0 = scf.for %lane = %c0 to %c16 step %c1 iter_args(%so_far = %m_old) -> f32 : i32 {
              %index = arith.index_cast %lane : i32 to index
              %element = vector.extract %s[%index] : f32 from vector<16xf32>
              %next = arith.maximumf %so_far, %element : f32
              scf.yield %next : f32
            } {loop_annotation = #unroll}
            %other_1 = nvvm.shfl.sync bfly %warp, %m_0, %c1, %c31 : f32 -> f32
            %m_1 = arith.maximumf %m_0, %other_1 : f32
            %other_2 = nvvm.shfl.sync bfly %warp, %m_1, %c2, %c31 : f32 -> f32
            %m = arith.maximumf %m_1, %other_2 : f32
            %m_scaled = arith.mulf %m, %scale_log2 : f32
            %m_minus = arith.negf %m_scaled : f32
            %m_16 = vector.broadcast %m_minus : f32 to vector<16xf32>
            %e = math.fma %s, %scale_16, %m_16 : vector<16xf32>
            %p = math.exp2 %e fastmath<fast> : vector<16xf32>
            %a = math.fma %m_old, %scale_log2, %m_minus : f32
            %alpha = math.exp2 %a fastmath<fast> : f32
            %l_scaled = arith.mulf %l_old, %alpha : f32
            %l = scf.for %lane = %c0 to %c16 step %c1 iter_args(%so_far = %l_scaled) -> f32 : i32 {
              %index = arith.index_cast %lane : i32 to index
              %element = vector.extract %p[%index] : f32 from vector<16xf32>
              %next = arith.addf %so_far, %element : f32
              scf.yield %next : f32
            } {loop_annotation = #unroll}
            %p_f16 = arith.truncf %p : vector<16xf32> to vector<16xf16>
            cute.memref.store_vec %p_f16, %rowP : !row_P
            cute.memref.store(%max, %at_i, %m) : (!stats, !coord, f32) -> ()
            cute.memref.store(%sum, %at_i, %l) : (!stats, !coord, f32) -> ()
            %o = cute.memref.load_vec %rowO : !row_S
            %alpha_16 = vector.broadcast %alpha : f32 to vector<16xf32>
            %o_scaled = arith.mulf %o, %alpha_16 : vector<16xf32>
            cute.memref.store_vec %o_scaled, %rowO : !row_S
          } {loop_annotation = #unroll}

          // O += P V.
          scf.for %k = %c0 to %c4 step %c1 : i32 {
            %at_k = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,?)">
            %staged = cute.make_coord(%k, %stage) : (i32, i32) -> !cute.coord<"(_,_,?,?)">
            %sV_k = cute.slice(%tXsV, %staged) : !tXsV, !cute.coord<"(_,_,?,?)">
            %toV = cute.slice(%tXrV, %at_k) : !tXrK, !cute.coord<"(_,_,?)">
            %rP_k = cute.slice(%tOrP, %at_k) : !tOrP, !cute.coord<"(_,_,?)">
            %rV_k = cute.slice(%tOrV, %at_k) : !tSrK, !cute.coord<"(_,_,?)">
            cute.copy(%loadV, %sV_k, %toV) : (!load_V, !tXsV_k, !tXrK_k)
            cute.gemm(%mma, %tOrO, %rP_k, %rV_k, %tOrO) : (!mma, !tSrS, !tOrP_k, !tSrK_k, !tSrS)
          } {loop_annotation = #unroll}
        }
      }

      // O / sum. Only now do the lanes of a quad add up their sums.
      scf.for %i = %c0 to %c2 step %c1 : i32 {
        %row = cute.make_coord(%i) : (i32) -> !cute.coord<"(?,_)">
        %at_i = cute.make_coord(%i) : (i32) -> !coord
        %rowO = cute.slice(%rowsO, %row) : !rows_S, !cute.coord<"(?,_)">
        %rowP = cute.slice(%rowsP, %row) : !rows_P, !cute.coord<"(?,_)">
        %l_0 = cute.memref.load(%sum, %at_i) : (!stats, !coord) -> f32
        %other_1 = nvvm.shfl.sync bfly %warp, %l_0, %c1, %c31 : f32 -> f32
        %l_1 = arith.addf %l_0, %other_1 : f32
        %other_2 = nvvm.shfl.sync bfly %warp, %l_1, %c2, %c31 : f32 -> f32
        %l = arith.addf %l_1, %other_2 : f32
        %inverse = arith.divf %one, %l : f32
        %inverse_16 = vector.broadcast %inverse : f32 to vector<16xf32>
        %o = cute.memref.load_vec %rowO : !row_S
        %o_scaled = arith.mulf %o, %inverse_16 : vector<16xf32>
        %o_f16 = arith.truncf %o_scaled : vector<16xf32> to vector<16xf16>
        cute.memref.store_vec %o_f16, %rowP : !row_P
      } {loop_annotation = #unroll}

      // Through the shared memory of Q, so that each thread stores 8 neighbours.
      %pair = cute.make_atom() : () -> !pair
      %tOsO = cute.tiled.mma.partition C(%mma, %sQ, %t) : (!mma, !sQ, !coord) -> !tOsO
      nvvm.barrier0
      cute.copy(%pair, %tSrP, %tOsO) : (!pair, !tSrP, !tOsO)
      nvvm.barrier0
      %store_atom = cute.make_atom() : () -> !store_atom
      %store = cute.make_tiled_copy(%store_atom) : !store
      %tZsO = cute.tiled.copy.partition_S(%store, %sQ, %t) : (!store, !sQ, !coord) -> !tQsQ
      %tZgO = cute.tiled.copy.partition_D(%store, %gO, %t) : (!store, !gQ, !coord) -> !tQgQ
      %tZrO = cute.make_fragment_like(%tZsO) : (!tQsQ) -> !tZrO
      cute.copy(%store, %tZsO, %tZrO) : (!store, !tQsQ, !tZrO)
      cute.copy(%store, %tZrO, %tZgO, %inQ) : (!store, !tZrO, !tQgQ, !pred)
      gpu.return
    }
  }
}
