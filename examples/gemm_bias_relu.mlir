// D = relu(A * B^T + bias), bf16 with accumulators in f32: mma.sync fed by three stages of cp.async, and an
// epilogue that never leaves the registers.
//
//   grid (ceil(M / 128), ceil(N / 128)), block 256
//
// A is (M,K), B is (N,K) and D is (M,N), each with its last mode contiguous; bias has one element
// per column of D. M is arbitrary. N, K and the pitches are multiples of 8, so that an access of 16
// bytes is inside a matrix or outside as a whole.
//
//   gmem (128,32):(K,1) --cp.async--> smem (128,32,3) --ldmatrix--> registers --mma--> accumulators --bias, relu--> gmem
//
// A block has a tile of 128 x 128, and each of its 2 x 4 warps 64 x 32 elements of it: 4 x 4 MMAs.

#unroll = #llvm.loop_annotation<unroll = <full = true>>

!matrix = !cute.memref<bf16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!vector = !cute.memref<bf16, gmem, align<16>, "(?{div=8}):(1)">
!layout = !cute.layout<"(?,?{div=8}):(?{i64 div=8},1)">
!shape = !cute.shape<"(?,?{div=8})">

// The tiles of a block. The bias is a matrix whose rows are all the same: its stride along M is 0.
!coord = !cute.coord<"?">
!tiler = !cute.tile<"[128:1;128:1;32:1]">
!block = !cute.coord<"(?,?,_)">
!gA = !cute.memref<bf16, gmem, align<16>, "(128,32,?):(?{i64 div=8},1,32)">
!gD = !cute.memref<bf16, gmem, align<16>, "(128,128):(?{i64 div=8},1)">
!layout_bias = !cute.layout<"(?,?{div=8}):(0,1)">
!mBias = !cute.memref<bf16, gmem, align<16>, "(?,?{div=8}):(0,1)">
!gBias = !cute.memref<bf16, gmem, align<16>, "(128,128):(0,1)">

// An MMA gives a thread two neighbouring columns out of every 8, which would make stores of 4
// bytes. So the columns are dealt out differently: MMA j of a warp takes columns 8 q + 2 j + {0,1}
// for q = 0..3. The lanes that are q-th of their quads have that pair of all four MMAs, 8
// neighbours: one store of 16 bytes. The same permutation of N partitions B and D, so the product
// stays what it is.
!atom = !cute_nvgpu.sm80.mma<16x8x16, elem_type = (bf16, bf16, f32) >
!mma = !cute.tiled_mma<!atom, atom_layout_MNK = <"(2,4,1):(1,2,0)">, permutation_MNK = <"[32:1;(2,4,4,4):(1,8,32,2);16:1]">>
!frag_A = !cute.shape<"((2,2,2),4,2)">
!frag_B = !cute.shape<"((2,2),4,2)">
!tCrA = !cute.memref<bf16, rmem, align<16>, "((2,2,2),4,2):((1,2,4),8,32)">
!tCrB = !cute.memref<bf16, rmem, align<8>, "((2,2),4,2):((1,2),4,16)">
!tCrC = !cute.memref<f32, rmem, align<16>, "((2,2),4,4):((1,2),4,16)">
!tCgD = !cute.memref<bf16, gmem, align<16>, "((2,2),4,4):((1,?{i64 div=64}),?{i64 div=256},2)">
!tCgBias = !cute.memref<bf16, gmem, align<16>, "((2,2),4,4):((1,0),0,2)">

// A row of a stage is 64 bytes, 4 chunks of 16. S<2,3,3> XORs row / 2 into the number of the chunk,
// so that the 8 rows of which ldmatrix reads one chunk are in different banks. The 8 rows of B that
// an MMA takes are not neighbours in N, but they are in shared memory: row r + 2 j + 8 q + 32 w of
// the tile is stored as row r + 2 q + 8 j + 32 w.
!sA = !cute.memref<bf16, smem, align<1024>, "S<2,3,3> o 0 o (128,32,3):(32,1,4096)">
!sB = !cute.memref<bf16, smem, align<1024>, "S<2,3,3> o 0 o ((2,4,4,4),32,3):((32,256,64,1024),1,4096)">

// Global to shared: 4 threads load a row, 256 threads 64 rows at once, twice.
!g2s_atom = !cute_nvgpu.atom.simt_async_copy<bf16, cache = global, 128 b>
!g2s = !cute.tiled_copy<!g2s_atom, layout_copy_tv = <"((4,64),8):((512,1),64)">, tiler_mn = <"[64:1;32:1]">>
!tAgA = !cute.memref<bf16, gmem, align<16>, "((8,1),2,1,?):((1,0),?{i64 div=512},0,32)">
!tAsA = !cute.memref<bf16, smem, align<16>, "((8,1),2,1,3):((1,0),2048,0,4096)">
!tAgA_k = !cute.memref<bf16, gmem, align<16>, "((8,1),2,1):((1,0),?{i64 div=512},0)">
!tAsA_k = !cute.memref<bf16, smem, align<16>, "((8,1),2,1):((1,0),2048,0)">

// Identity tensors, tiled and partitioned as the data: they hold the coordinates of what a thread
// copies.
!coords = !cute.coord_tensor<"(0,0)", "(?,?{div=8}):(1@0,1@1)">
!cA = !cute.coord_tensor<"(?{div=128},0)", "(128,32,?):(1@0,1@1,32@1)">
!cD = !cute.coord_tensor<"(?{div=128},?{div=128})", "(128,128):(1@0,1@1)">
!tAcA = !cute.coord_tensor<"(?,?{div=8})", "((8,1),2,1,?):((1@1,0),64@0,0,32@1)">
!tCcD = !cute.coord_tensor<"(?,?{div=8})", "((2,2),4,4):((1@1,8@0),32@0,2@1)">
!here = !cute.coord_tensor<"(?,?{div=8})", "():()">
!iter = !cute.arith_tuple_iter<"(?,?{div=8})">
!crd = !cute.int_tuple<"(?,?{div=8})">
!pred = !cute.memref<i8, rmem, align<32>, "(1,2,1):(0,1,0)">

// Shared to registers, 4 matrices of 8 x 8 per instruction. make_tiled_copy_A and make_tiled_copy_B
// compute the layouts from ldmatrix and the MMA.
!ldsm = !cute_nvgpu.atom.ldsm<val_type = bf16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!load_A = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,8,2,4),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!load_B = !cute.tiled_copy<!ldsm, layout_copy_tv = <"((4,2,4,2,4),((2,2),(4,1))):((256,1,8,0,32),((128,1024),(2,0)))">, tiler_mn = <"[128:1;16:1]">>
!tXsA = !cute.memref<bf16, smem, align<16>, "((8,1),4,2,3):((1,0),1024,?{div=16},4096)">
!tXsB = !cute.memref<bf16, smem, align<16>, "((8,2),1,2,3):((1,512),0,?{div=16},4096)">
!tXsA_k = !cute.memref<bf16, smem, align<16>, "((8,1),4,2):((1,0),1024,?{div=16})">
!tXsB_k = !cute.memref<bf16, smem, align<16>, "((8,2),1,2):((1,512),0,?{div=16})">
!tXrA = !cute.memref<bf16, rmem, align<16>, "((8,1),4,2):((1,0),8,32)">
!tXrB = !cute.memref<bf16, rmem, align<8>, "((8,2),1,2):((1,8),0,16)">

// The accumulators of a thread, (V,M,N) = ((2,2),4,4), as (8 columns, 8 rows): the columns are a pair of
// each of 4 MMAs along N, the rows are 2 of each of 4 MMAs along M.
!columns_rows = !cute.layout<"((2,4),(2,4)):((1,16),(2,4))">
!store = !cute_nvgpu.atom.universal_copy<bf16, 128 b>
!rows_C = !cute.memref<f32, rmem, align<16>, "((2,4),(2,4)):((1,16),(2,4))">
!rows_D = !cute.memref<bf16, gmem, align<16>, "((2,4),(2,4)):((1,2),(?{i64 div=64},?{i64 div=256}))">
!rows_bias = !cute.memref<bf16, gmem, align<16>, "((2,4),(2,4)):((1,2),(0,0))">
!rows_crd = !cute.coord_tensor<"(?,?{div=8})", "((2,4),(2,4)):((1@1,2@1),(8@0,32@0))">
!row_C = !cute.memref<f32, rmem, align<8>, "((2,4)):((1,16))">
!row_D = !cute.memref<bf16, gmem, align<16>, "((2,4)):((1,2))">
!row_reg = !cute.memref<bf16, rmem, align<16>, "((2,4)):((1,2))">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm_bias_relu(%A: !matrix, %B: !matrix, %bias: !vector, %D: !matrix) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %t = cute.make_coord(%thread) : (i32) -> !coord
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c8 = arith.constant 8 : i32

      %layoutA = cute.get_layout(%A) : !matrix
      %layoutB = cute.get_layout(%B) : !matrix
      %layoutD = cute.get_layout(%D) : !matrix
      %shapeA = cute.get_shape(%layoutA) : !layout -> !shape
      %shapeB = cute.get_shape(%layoutB) : !layout -> !shape
      %shapeD = cute.get_shape(%layoutD) : !layout -> !shape
      %coordsA = cute.make_identity_tensor(%shapeA) : !shape -> !coords
      %coordsB = cute.make_identity_tensor(%shapeB) : !shape -> !coords
      %coordsD = cute.make_identity_tensor(%shapeD) : !shape -> !coords

      // The tiles of this block: those along K of A and B, one of D and of the bias.
      %tiler = cute.static : !tiler
      %at = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !block
      %gA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!matrix, !tiler, !block) -> !gA
      %gB = cute.local_tile(%B, %tiler, %at, "(_,1,1)") : (!matrix, !tiler, !block) -> !gA
      %gD = cute.local_tile(%D, %tiler, %at, "(1,1,_)") : (!matrix, !tiler, !block) -> !gD
      %cA = cute.local_tile(%coordsA, %tiler, %at, "(1,_,1)") : (!coords, !tiler, !block) -> !cA
      %cB = cute.local_tile(%coordsB, %tiler, %at, "(_,1,1)") : (!coords, !tiler, !block) -> !cA
      %cD = cute.local_tile(%coordsD, %tiler, %at, "(1,1,_)") : (!coords, !tiler, !block) -> !cD
      %along_N = cute.make_stride() : () -> !cute.stride<"(0,1)">
      %layoutBias = cute.make_layout(%shapeD, %along_N) : (!shape, !cute.stride<"(0,1)">) -> !layout_bias
      %iterBias = cute.get_iter(%bias) : !vector
      %mBias = cute.make_view(%iterBias, %layoutBias) : !mBias
      %gBias = cute.local_tile(%mBias, %tiler, %at, "(1,1,_)") : (!mBias, !tiler, !block) -> !gBias
      %sA = cute.memref.alloc_smem() : !sA
      %sB = cute.memref.alloc_smem() : !sB

      %g2s_atom = cute.make_atom() : () -> !g2s_atom
      %g2s = cute.make_tiled_copy(%g2s_atom) : !g2s
      %tAgA = cute.tiled.copy.partition_S(%g2s, %gA, %t) : (!g2s, !gA, !coord) -> !tAgA
      %tBgB = cute.tiled.copy.partition_S(%g2s, %gB, %t) : (!g2s, !gA, !coord) -> !tAgA
      %tAcA = cute.tiled.copy.partition_S(%g2s, %cA, %t) : (!g2s, !cA, !coord) -> !tAcA
      %tBcB = cute.tiled.copy.partition_S(%g2s, %cB, %t) : (!g2s, !cA, !coord) -> !tAcA
      %tAsA = cute.tiled.copy.partition_D(%g2s, %sA, %t) : (!g2s, !sA, !coord) -> !tAsA
      %tBsB = cute.tiled.copy.partition_D(%g2s, %sB, %t) : (!g2s, !sB, !coord) -> !tAsA

      // Registers as the MMA has them, and as ldmatrix fills them.
      %atom = cute.make_atom() : () -> !atom
      %mma = cute.make_tiled_mma(%atom) : !mma
      %tile = cute.static : !cute.shape<"(128,32)">
      %fragA = cute.tiled.mma.partition_shape A(%mma, %tile) : (!mma, !cute.shape<"(128,32)">) -> !frag_A
      %fragB = cute.tiled.mma.partition_shape B(%mma, %tile) : (!mma, !cute.shape<"(128,32)">) -> !frag_B
      %tCgD = cute.tiled.mma.partition C(%mma, %gD, %t) : (!mma, !gD, !coord) -> !tCgD
      %tCcD = cute.tiled.mma.partition C(%mma, %cD, %t) : (!mma, !cD, !coord) -> !tCcD
      %tCgBias = cute.tiled.mma.partition C(%mma, %gBias, %t) : (!mma, !gBias, !coord) -> !tCgBias
      %tCrA = cute.mma.make_fragment A(%mma, %fragA) : (!mma, !frag_A) -> !tCrA
      %tCrB = cute.mma.make_fragment B(%mma, %fragB) : (!mma, !frag_B) -> !tCrB
      %tCrC = cute.mma.make_fragment C(%mma, %tCgD) : (!mma, !tCgD) -> !tCrC
      %zeros = arith.constant dense<0.0> : vector<64xf32>
      cute.memref.store_vec %zeros, %tCrC : !tCrC

      %ldsm = cute.make_atom() : () -> !ldsm
      %loadA = cute.make_tiled_copy_A(%ldsm, %mma) : (!ldsm, !mma) -> !load_A
      %loadB = cute.make_tiled_copy_B(%ldsm, %mma) : (!ldsm, !mma) -> !load_B
      %tXsA = cute.tiled.copy.partition_S(%loadA, %sA, %t) : (!load_A, !sA, !coord) -> !tXsA
      %tXsB = cute.tiled.copy.partition_S(%loadB, %sB, %t) : (!load_B, !sB, !coord) -> !tXsB
      %tXrA = cute.tiled.copy.retile(%loadA, %tCrA) : (!load_A, !tCrA) -> !tXrA
      %tXrB = cute.tiled.copy.retile(%loadB, %tCrB) : (!load_B, !tCrB) -> !tXrB

      // Iteration k loads tile k and multiplies tile k - 2, so that two tiles are in flight during
      // the MMAs. The first two iterations only load, the last two only multiply.
      %size = cute.size<[3]>(%tAgA) : (!tAgA) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars(%size) : !cute.int_tuple<"?">
      %rounds = arith.addi %tiles, %c2 : i32
      scf.for %k = %c0 to %rounds step %c1 : i32 {
        // All groups of this thread but the newest have arrived, so tile k - 2 has; behind the
        // barrier, those of all threads have. The barrier also means that every warp has read tile
        // k - 3, whose stage tile k overwrites.
        nvvm.cp.async.wait.group 1
        nvvm.barrier0
        %exists = arith.cmpi slt, %k, %tiles : i32
        scf.if %exists {
          %stage = arith.remui %k, %c3 : i32
          %from = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,_,_,?)">
          %into = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
          %fromA = cute.slice(%tAgA, %from) : !tAgA, !cute.coord<"(_,_,_,?)">
          %fromB = cute.slice(%tBgB, %from) : !tAgA, !cute.coord<"(_,_,_,?)">
          %intoA = cute.slice(%tAsA, %into) : !tAsA, !cute.coord<"(_,_,_,?)">
          %intoB = cute.slice(%tBsB, %into) : !tAsA, !cute.coord<"(_,_,_,?)">
          // A copy whose first element is outside of its matrix writes zeros, which add nothing to
          // the accumulators.
          %inA = cute.memref.alloca() : !pred
          %inB = cute.memref.alloca() : !pred
          scf.for %i = %c0 to %c2 step %c1 : i32 {
            %first = cute.make_coord(%i, %k) : (i32, i32) -> !cute.coord<"(0,?,0,?)">
            %hereA = cute.slice(%tAcA, %first) : !tAcA, !cute.coord<"(0,?,0,?)">
            %hereB = cute.slice(%tBcB, %first) : !tAcA, !cute.coord<"(0,?,0,?)">
            %iterA = cute.get_iter(%hereA) : !here
            %iterB = cute.get_iter(%hereB) : !here
            %crdA = cute.deref_arith_tuple_iter(%iterA) : (!iter) -> !crd
            %crdB = cute.deref_arith_tuple_iter(%iterB) : (!iter) -> !crd
            %isA = cute.elem_less(%crdA, %shapeA) : (!crd, !shape) -> i1
            %isB = cute.elem_less(%crdB, %shapeB) : (!crd, !shape) -> i1
            %byteA = arith.extui %isA : i1 to i8
            %byteB = arith.extui %isB : i1 to i8
            %slot = cute.make_coord(%i) : (i32) -> !cute.coord<"(0,?,0)">
            cute.memref.store(%inA, %slot, %byteA) : (!pred, !cute.coord<"(0,?,0)">, i8) -> ()
            cute.memref.store(%inB, %slot, %byteB) : (!pred, !cute.coord<"(0,?,0)">, i8) -> ()
          } {loop_annotation = #unroll}
          cute.copy(%g2s, %fromA, %intoA, %inA) : (!g2s, !tAgA_k, !tAsA_k, !pred)
          cute.copy(%g2s, %fromB, %intoB, %inB) : (!g2s, !tAgA_k, !tAsA_k, !pred)
        }
        // One group per round, empty in the last two, keeps the count of the wait right.
        nvvm.cp.async.commit.group

        %ready = arith.cmpi sge, %k, %c2 : i32
        scf.if %ready {
          %before = arith.subi %k, %c2 : i32
          %stage = arith.remui %before, %c3 : i32
          %in = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,_,?)">
          %nowA = cute.slice(%tXsA, %in) : !tXsA, !cute.coord<"(_,_,_,?)">
          %nowB = cute.slice(%tXsB, %in) : !tXsB, !cute.coord<"(_,_,_,?)">
          cute.copy(%loadA, %nowA, %tXrA) : (!load_A, !tXsA_k, !tXrA)
          cute.copy(%loadB, %nowB, %tXrB) : (!load_B, !tXsB_k, !tXrB)
          cute.gemm(%mma, %tCrC, %tCrA, %tCrB, %tCrC) : (!mma, !tCrC, !tCrA, !tCrB, !tCrC)
        }
      }

      // 8 neighbouring columns in each of 8 rows: one access of the bias, one of D per row.
      %columns_rows = cute.static : !columns_rows
      %rowsC = cute.composition(%tCrC, %columns_rows) : (!tCrC, !columns_rows) -> !rows_C
      %rowsD = cute.composition(%tCgD, %columns_rows) : (!tCgD, !columns_rows) -> !rows_D
      %rowsAt = cute.composition(%tCcD, %columns_rows) : (!tCcD, !columns_rows) -> !rows_crd
      %rowsBias = cute.composition(%tCgBias, %columns_rows) : (!tCgBias, !columns_rows) -> !rows_bias
      %store = cute.make_atom() : () -> !store

      %row_0 = cute.make_coord() : () -> !cute.coord<"(_,0)">
      %gBias_0 = cute.slice(%rowsBias, %row_0) : !rows_bias, !cute.coord<"(_,0)">
      %rBias = cute.make_fragment_like(%gBias_0) : (!row_D) -> !row_reg
      %zero_8 = arith.constant dense<0.0> : vector<8xbf16>
      cute.memref.store_vec %zero_8, %rBias : !row_reg
      %at_00 = cute.make_coord() : () -> !cute.coord<"(0,0)">
      %here_0 = cute.slice(%rowsAt, %at_00) : !rows_crd, !cute.coord<"(0,0)">
      %iter_0 = cute.get_iter(%here_0) : !here
      %crd_0 = cute.deref_arith_tuple_iter(%iter_0) : (!iter) -> !crd
      %column = cute.get<[1]>(%crd_0) : !crd -> !cute.int_tuple<"?{div=8}">
      %columns = cute.get<[1]>(%shapeD) : !shape -> !cute.shape<"?{div=8}">
      %is_column = cute.elem_less(%column, %columns) : (!cute.int_tuple<"?{div=8}">, !cute.shape<"?{div=8}">) -> i1
      scf.if %is_column {
        cute.copy(%store, %gBias_0, %rBias) : (!store, !row_D, !row_reg)
      }
      %bias_bf16 = cute.memref.load_vec %rBias : !row_reg
      %bias_f32 = arith.extf %bias_bf16 : vector<8xbf16> to vector<8xf32>
      %zero = arith.constant dense<0.0> : vector<8xf32>

      scf.for %i = %c0 to %c8 step %c1 : i32 {
        %row = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">
        %rC_i = cute.slice(%rowsC, %row) : !rows_C, !cute.coord<"(_,?)">
        %gD_i = cute.slice(%rowsD, %row) : !rows_D, !cute.coord<"(_,?)">
        %sum = cute.memref.load_vec %rC_i : !row_C
        %biased = arith.addf %sum, %bias_f32 : vector<8xf32>
        %relu = arith.maximumf %biased, %zero : vector<8xf32>
        %rounded = arith.truncf %relu : vector<8xf32> to vector<8xbf16>
        %rD = cute.make_fragment_like(%gD_i) : (!row_D) -> !row_reg
        cute.memref.store_vec %rounded, %rD : !row_reg

        %at_i = cute.make_coord(%i) : (i32) -> !cute.coord<"(0,?)">
        %here = cute.slice(%rowsAt, %at_i) : !rows_crd, !cute.coord<"(0,?)">
        %iter = cute.get_iter(%here) : !here
        %crd = cute.deref_arith_tuple_iter(%iter) : (!iter) -> !crd
        %inside = cute.elem_less(%crd, %shapeD) : (!crd, !shape) -> i1
        scf.if %inside {
          cute.copy(%store, %rD, %gD_i) : (!store, !row_reg, !row_D)
        }
      } {loop_annotation = #unroll}
      gpu.return
    }
  }
}
