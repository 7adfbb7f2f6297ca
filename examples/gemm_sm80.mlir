// D = alpha A B^T + beta C by mma.sync: A (M,K), B (N,K), C and D (M,N), the last mode contiguous unless
// --a-major or --b-major chooses another.
//
// grid  (ceil(M / m_tile), ceil(N / n_tile)), block 32 x m_warps x n_warps
// dynamic shared memory  (m_tile + n_tile) x k_tile x stages elements, at least m_tile x 16 x n_warps accumulators
//
// Written by `cutec build gemm_sm80 --emit cute`; `cutec build gemm_sm80 --help` lists tiles and types.

!gmem_f16 = !cute.memref<f16, gmem, align<16>, "(?,?{div=8}):(?{i64 div=8},1)">
!gmem_f32 = !cute.memref<f32, gmem, align<16>, "(?,?{div=4}):(?{i64 div=4},1)">
!tiled_copy = !cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>, layout_copy_tv = <"((4,32),8):((256,1),32)">, tiler_mn = <"[32:1;32:1]">>
!tiled_mma = !cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >, atom_layout_MNK = <"(2,2,1):(1,2,0)">, permutation_MNK = <"[32:1;32:1;16:1]">>
!gmem_f16_1 = !cute.memref<f16, gmem, align<16>, "(128,32,?):(?{i64 div=8},1,32)">
!layout = !cute.layout<"(?,?{div=8}):(?{i64 div=8},1)">
!coord_tensor = !cute.coord_tensor<"(0,0)", "(?,?{div=8}):(1@0,1@1)">
!coord_tensor_1 = !cute.coord_tensor<"(?{div=128},0)", "(128,32,?):(1@0,1@1,32@1)">
!smem_f16 = !cute.memref<f16, smem, align<1024>, "S<2,3,3> o 0 o ((8,16),(32,1),(1,4)):((32,256),(1,0),(0,4096))">
!gmem_f16_2 = !cute.memref<f16, gmem, align<16>, "((8,1),4,1,?):((1,0),?{i64 div=256},0,32)">
!coord_tensor_2 = !cute.coord_tensor<"(?,?{div=8})", "((8,1),4,1,?):((1@1,0),32@0,0,32@1)">
!smem_f16_1 = !cute.memref<f16, smem, align<16>, "((8,1),4,1,(1,4)):((1,0),1024,0,(0,4096))">
!smem_f16_2 = !cute.memref<f16, smem, align<4>, "((2,2,2),4,2,(1,4)):((1,256,?{div=8}),1024,?{div=16},(0,4096))">
!rmem_f16 = !cute.memref<f16, rmem, align<16>, "((2,2,2),4,2):((1,2,4),8,32)">
!ldsm = !cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>
!tiled_copy_1 = !cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))">, tiler_mn = <"[32:1;16:1]">>
!smem_f16_3 = !cute.memref<f16, smem, align<16>, "((8,1),4,2,(1,4)):((1,0),1024,?{div=16},(0,4096))">
!rmem_f16_1 = !cute.memref<f16, rmem, align<16>, "((8,1),4,2):((1,0),8,32)">
!rmem_i8 = !cute.memref<i8, rmem, align<32>, "(1,4,1):(0,1,0)">
!coord_tensor_3 = !cute.coord_tensor<"(?,?{div=8})", "():()">
!smem_f16_4 = !cute.memref<f16, smem, align<4>, "((2,2),8,2,(1,4)):((1,?{div=8}),512,?{div=16},(0,4096))">
!rmem_f16_2 = !cute.memref<f16, rmem, align<8>, "((2,2),8,2):((1,2),4,32)">
!tiled_copy_2 = !cute.tiled_copy<!cute_nvgpu.atom.ldsm<val_type = f16, mode = <"(8,8)">, sz_pattern = u16, num_matrices = 4, n>, layout_copy_tv = <"((4,8,2,2),((2,2),(2,1))):((64,1,0,8),((32,256),(16,0)))">, tiler_mn = <"[32:1;16:1]">>
!rmem_f16_3 = !cute.memref<f16, rmem, align<8>, "((8,1),4,2):((1,0),8,32)">
!rmem_f32 = !cute.memref<f32, rmem, align<16>, "((2,2),4,8):((1,2),4,16)">
!gmem_f16_3 = !cute.memref<f16, gmem, align<16>, "((8,1),4,1):((1,0),?{i64 div=256},0)">
!smem_f16_5 = !cute.memref<f16, smem, align<16>, "((8,1),4,1):((1,0),1024,0)">
!smem_f16_6 = !cute.memref<f16, smem, align<16>, "((8,1),4):((1,0),1024)">
!rmem_f16_4 = !cute.memref<f16, rmem, align<16>, "((8,1),4):((1,0),8)">
!rmem_f16_5 = !cute.memref<f16, rmem, align<8>, "((8,1),4):((1,0),8)">
!rmem_f16_6 = !cute.memref<f16, rmem, align<16>, "((2,2,2),4):((1,2,4),8)">
!rmem_f16_7 = !cute.memref<f16, rmem, align<8>, "((2,2),8):((1,2),4)">
!smem_f32 = !cute.memref<f32, smem, align<1024>, "S<2,3,2> o 0 o (128,32):(32,1)">
!smem_f32_1 = !cute.memref<f32, smem, align<8>, "((2,2),4,2):((1,256),1024,?{div=16})">
!tiled_copy_3 = !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32, 128 b>, layout_copy_tv = <"((8,16),4):((64,1),16)">, tiler_mn = <"[16:1;32:1]">>
!smem_f32_2 = !cute.memref<f32, smem, align<16>, "((4,1),8,1):((1,0),512,0)">
!universal_copy = !cute_nvgpu.atom.universal_copy<f32, 64 b>
!coord_tensor_4 = !cute.coord_tensor<"(0,0)", "(?,?{div=4}):(1@0,1@1)">
!rmem_f32_1 = !cute.memref<f32, rmem, align<16>, "((2,2),4,(2,4)):((1,2),4,(16,32))">
!rmem_f32_2 = !cute.memref<f32, rmem, align<16>, "((2,2),4,2):((1,2),4,16)">
!gmem_f32_1 = !cute.memref<f32, gmem, align<16>, "(128,32):(?{i64 div=4},1)">
!gmem_f32_2 = !cute.memref<f32, gmem, align<16>, "((4,1),8,1):((1,0),?{i64 div=64},0)">
!coord_tensor_5 = !cute.coord_tensor<"(?{div=128},?{div=32})", "(128,32):(1@0,1@1)">
!coord_tensor_6 = !cute.coord_tensor<"(?,?{div=4})", "((4,1),8,1):((1@1,0),16@0,0)">
!rmem_i8_1 = !cute.memref<i8, rmem, align<32>, "(1,8,1):(0,1,0)">
!coord_tensor_7 = !cute.coord_tensor<"(?,?{div=4})", "():()">
!rmem_f32_3 = !cute.memref<f32, rmem, align<16>, "((4,1),8,1):((1,0),4,0)">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm_sm80(%A: !gmem_f16, %B: !gmem_f16, %C: !gmem_f32, %D: !gmem_f32, %alpha: f32, %beta: f32) kernel attributes {cute.dynamic_shared_memory = 65536 : i64, cute.equal_extents = ["arg0[0] = arg2[0] = arg3[0]", "arg1[0] = arg2[1] = arg3[1]", "arg0[1] = arg1[1]"], cute.grid = ["ceil(arg3[0] / 128)", "ceil(arg3[1] / 128)"], known_block_size = array<i32: 128, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %at = cute.make_coord(%tid) : (i32) -> !cute.coord<"?">
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %smem = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
      %atom = cute.make_atom() : () -> !cute_nvgpu.atom.simt_async_copy<f16, cache = global, 128 b>
      %g2s = cute.make_tiled_copy(%atom) : !tiled_copy
      %atom_0 = cute.make_atom() : () -> !cute_nvgpu.sm80.mma<16x8x16, elem_type = (f16, f16, f32) >
      %mma = cute.make_tiled_mma(%atom_0) : !tiled_mma
      %tiler = cute.static : !cute.tile<"[128:1;128:1;32:1]">
      %at_1 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?,_)">
      %gA = cute.local_tile(%A, %tiler, %at_1, "(1,_,1)") : (!gmem_f16, !cute.tile<"[128:1;128:1;32:1]">, !cute.coord<"(?,?,_)">) -> !gmem_f16_1
      %layoutA = cute.get_layout(%A) : !gmem_f16
      %shapeA = cute.get_shape(%layoutA) : !layout -> !cute.shape<"(?,?{div=8})">
      %coordsA = cute.make_identity_tensor(%shapeA) : !cute.shape<"(?,?{div=8})"> -> !coord_tensor
      %tiler_2 = cute.static : !cute.tile<"[128:1;128:1;32:1]">
      %at_3 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?,_)">
      %cA = cute.local_tile(%coordsA, %tiler_2, %at_3, "(1,_,1)") : (!coord_tensor, !cute.tile<"[128:1;128:1;32:1]">, !cute.coord<"(?,?,_)">) -> !coord_tensor_1
      %pointer = cute.recast_iter(%smem) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f16, smem, align<1024>>
      %sA = cute.make_view(%pointer) : !smem_f16
      %fromA = cute.tiled.copy.partition_S(%g2s, %gA, %at) : (!tiled_copy, !gmem_f16_1, !cute.coord<"?">) -> !gmem_f16_2
      %atA = cute.tiled.copy.partition_S(%g2s, %cA, %at) : (!tiled_copy, !coord_tensor_1, !cute.coord<"?">) -> !coord_tensor_2
      %intoA = cute.tiled.copy.partition_D(%g2s, %sA, %at) : (!tiled_copy, !smem_f16, !cute.coord<"?">) -> !smem_f16_1
      %partA = cute.tiled.mma.partition A(%mma, %sA, %at) : (!tiled_mma, !smem_f16, !cute.coord<"?">) -> !smem_f16_2
      %at_4 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
      %partA_5 = cute.slice(%partA, %at_4) : !smem_f16_2, !cute.coord<"(_,_,_,0)">
      %rA = cute.mma.make_fragment A(%mma, %partA_5) : (!tiled_mma, !cute.memref<f16, smem, align<4>, "((2,2,2),4,2):((1,256,?{div=8}),1024,?{div=16})">) -> !rmem_f16
      %atom_6 = cute.make_atom() : () -> !ldsm
      %loadA = cute.make_tiled_copy_A(%atom_6, %mma) : (!ldsm, !tiled_mma) -> !tiled_copy_1
      %readA = cute.tiled.copy.partition_S(%loadA, %sA, %at) : (!tiled_copy_1, !smem_f16, !cute.coord<"?">) -> !smem_f16_3
      %loadedA = cute.tiled.copy.retile(%loadA, %rA) : (!tiled_copy_1, !rmem_f16) -> !rmem_f16_1
      %inside = cute.memref.alloca() : !rmem_i8
      %at_7 = cute.make_coord() : () -> !cute.coord<"(0,0,0,0)">
      %first = cute.slice(%atA, %at_7) : !coord_tensor_2, !cute.coord<"(0,0,0,0)">
      %iter = cute.get_iter(%first) : !coord_tensor_3
      %coord = cute.deref_arith_tuple_iter(%iter) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
      %row = cute.get<[0]> (%coord) : !cute.int_tuple<"(?,?{div=8})"> -> !cute.int_tuple<"?">
      %rows = cute.get<[0]> (%shapeA) : !cute.shape<"(?,?{div=8})"> -> !cute.shape<"?">
      %inside_8 = cute.elem_less(%row, %rows) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit = arith.extui %inside_8 : i1 to i8
      %at_9 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside, %at_9, %bit) : (!rmem_i8, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_10 = cute.make_coord() : () -> !cute.coord<"(0,1,0,0)">
      %first_11 = cute.slice(%atA, %at_10) : !coord_tensor_2, !cute.coord<"(0,1,0,0)">
      %iter_12 = cute.get_iter(%first_11) : !coord_tensor_3
      %coord_13 = cute.deref_arith_tuple_iter(%iter_12) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
      %row_14 = cute.get<[0]> (%coord_13) : !cute.int_tuple<"(?,?{div=8})"> -> !cute.int_tuple<"?">
      %rows_15 = cute.get<[0]> (%shapeA) : !cute.shape<"(?,?{div=8})"> -> !cute.shape<"?">
      %inside_16 = cute.elem_less(%row_14, %rows_15) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_17 = arith.extui %inside_16 : i1 to i8
      %at_18 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside, %at_18, %bit_17) : (!rmem_i8, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_19 = cute.make_coord() : () -> !cute.coord<"(0,2,0,0)">
      %first_20 = cute.slice(%atA, %at_19) : !coord_tensor_2, !cute.coord<"(0,2,0,0)">
      %iter_21 = cute.get_iter(%first_20) : !coord_tensor_3
      %coord_22 = cute.deref_arith_tuple_iter(%iter_21) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
      %row_23 = cute.get<[0]> (%coord_22) : !cute.int_tuple<"(?,?{div=8})"> -> !cute.int_tuple<"?">
      %rows_24 = cute.get<[0]> (%shapeA) : !cute.shape<"(?,?{div=8})"> -> !cute.shape<"?">
      %inside_25 = cute.elem_less(%row_23, %rows_24) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_26 = arith.extui %inside_25 : i1 to i8
      %at_27 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside, %at_27, %bit_26) : (!rmem_i8, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_28 = cute.make_coord() : () -> !cute.coord<"(0,3,0,0)">
      %first_29 = cute.slice(%atA, %at_28) : !coord_tensor_2, !cute.coord<"(0,3,0,0)">
      %iter_30 = cute.get_iter(%first_29) : !coord_tensor_3
      %coord_31 = cute.deref_arith_tuple_iter(%iter_30) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
      %row_32 = cute.get<[0]> (%coord_31) : !cute.int_tuple<"(?,?{div=8})"> -> !cute.int_tuple<"?">
      %rows_33 = cute.get<[0]> (%shapeA) : !cute.shape<"(?,?{div=8})"> -> !cute.shape<"?">
      %inside_34 = cute.elem_less(%row_32, %rows_33) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_35 = arith.extui %inside_34 : i1 to i8
      %at_36 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside, %at_36, %bit_35) : (!rmem_i8, !cute.coord<"(0,3,0)">, i8) -> ()
      %tiler_37 = cute.static : !cute.tile<"[128:1;128:1;32:1]">
      %at_38 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?,_)">
      %gB = cute.local_tile(%B, %tiler_37, %at_38, "(_,1,1)") : (!gmem_f16, !cute.tile<"[128:1;128:1;32:1]">, !cute.coord<"(?,?,_)">) -> !gmem_f16_1
      %layoutB = cute.get_layout(%B) : !gmem_f16
      %shapeB = cute.get_shape(%layoutB) : !layout -> !cute.shape<"(?,?{div=8})">
      %coordsB = cute.make_identity_tensor(%shapeB) : !cute.shape<"(?,?{div=8})"> -> !coord_tensor
      %tiler_39 = cute.static : !cute.tile<"[128:1;128:1;32:1]">
      %at_40 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?,_)">
      %cB = cute.local_tile(%coordsB, %tiler_39, %at_40, "(_,1,1)") : (!coord_tensor, !cute.tile<"[128:1;128:1;32:1]">, !cute.coord<"(?,?,_)">) -> !coord_tensor_1
      %offset = cute.static : !cute.int_tuple<"32768">
      %memory = cute.add_offset(%smem, %offset) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"32768">) -> !cute.ptr<i8, smem, align<1024>>
      %pointer_41 = cute.recast_iter(%memory) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f16, smem, align<1024>>
      %sB = cute.make_view(%pointer_41) : !smem_f16
      %fromB = cute.tiled.copy.partition_S(%g2s, %gB, %at) : (!tiled_copy, !gmem_f16_1, !cute.coord<"?">) -> !gmem_f16_2
      %atB = cute.tiled.copy.partition_S(%g2s, %cB, %at) : (!tiled_copy, !coord_tensor_1, !cute.coord<"?">) -> !coord_tensor_2
      %intoB = cute.tiled.copy.partition_D(%g2s, %sB, %at) : (!tiled_copy, !smem_f16, !cute.coord<"?">) -> !smem_f16_1
      %partB = cute.tiled.mma.partition B(%mma, %sB, %at) : (!tiled_mma, !smem_f16, !cute.coord<"?">) -> !smem_f16_4
      %at_42 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
      %partB_43 = cute.slice(%partB, %at_42) : !smem_f16_4, !cute.coord<"(_,_,_,0)">
      %rB = cute.mma.make_fragment B(%mma, %partB_43) : (!tiled_mma, !cute.memref<f16, smem, align<4>, "((2,2),8,2):((1,?{div=8}),512,?{div=16})">) -> !rmem_f16_2
      %atom_44 = cute.make_atom() : () -> !ldsm
      %loadB = cute.make_tiled_copy_B(%atom_44, %mma) : (!ldsm, !tiled_mma) -> !tiled_copy_2
      %readB = cute.tiled.copy.partition_S(%loadB, %sB, %at) : (!tiled_copy_2, !smem_f16, !cute.coord<"?">) -> !smem_f16_3
      %loadedB = cute.tiled.copy.retile(%loadB, %rB) : (!tiled_copy_2, !rmem_f16_2) -> !rmem_f16_3
      %inside_45 = cute.memref.alloca() : !rmem_i8
      %at_46 = cute.make_coord() : () -> !cute.coord<"(0,0,0,0)">
      %first_47 = cute.slice(%atB, %at_46) : !coord_tensor_2, !cute.coord<"(0,0,0,0)">
      %iter_48 = cute.get_iter(%first_47) : !coord_tensor_3
      %coord_49 = cute.deref_arith_tuple_iter(%iter_48) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
      %row_50 = cute.get<[0]> (%coord_49) : !cute.int_tuple<"(?,?{div=8})"> -> !cute.int_tuple<"?">
      %rows_51 = cute.get<[0]> (%shapeB) : !cute.shape<"(?,?{div=8})"> -> !cute.shape<"?">
      %inside_52 = cute.elem_less(%row_50, %rows_51) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_53 = arith.extui %inside_52 : i1 to i8
      %at_54 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside_45, %at_54, %bit_53) : (!rmem_i8, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_55 = cute.make_coord() : () -> !cute.coord<"(0,1,0,0)">
      %first_56 = cute.slice(%atB, %at_55) : !coord_tensor_2, !cute.coord<"(0,1,0,0)">
      %iter_57 = cute.get_iter(%first_56) : !coord_tensor_3
      %coord_58 = cute.deref_arith_tuple_iter(%iter_57) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
      %row_59 = cute.get<[0]> (%coord_58) : !cute.int_tuple<"(?,?{div=8})"> -> !cute.int_tuple<"?">
      %rows_60 = cute.get<[0]> (%shapeB) : !cute.shape<"(?,?{div=8})"> -> !cute.shape<"?">
      %inside_61 = cute.elem_less(%row_59, %rows_60) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_62 = arith.extui %inside_61 : i1 to i8
      %at_63 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside_45, %at_63, %bit_62) : (!rmem_i8, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_64 = cute.make_coord() : () -> !cute.coord<"(0,2,0,0)">
      %first_65 = cute.slice(%atB, %at_64) : !coord_tensor_2, !cute.coord<"(0,2,0,0)">
      %iter_66 = cute.get_iter(%first_65) : !coord_tensor_3
      %coord_67 = cute.deref_arith_tuple_iter(%iter_66) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
      %row_68 = cute.get<[0]> (%coord_67) : !cute.int_tuple<"(?,?{div=8})"> -> !cute.int_tuple<"?">
      %rows_69 = cute.get<[0]> (%shapeB) : !cute.shape<"(?,?{div=8})"> -> !cute.shape<"?">
      %inside_70 = cute.elem_less(%row_68, %rows_69) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_71 = arith.extui %inside_70 : i1 to i8
      %at_72 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside_45, %at_72, %bit_71) : (!rmem_i8, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_73 = cute.make_coord() : () -> !cute.coord<"(0,3,0,0)">
      %first_74 = cute.slice(%atB, %at_73) : !coord_tensor_2, !cute.coord<"(0,3,0,0)">
      %iter_75 = cute.get_iter(%first_74) : !coord_tensor_3
      %coord_76 = cute.deref_arith_tuple_iter(%iter_75) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
      %row_77 = cute.get<[0]> (%coord_76) : !cute.int_tuple<"(?,?{div=8})"> -> !cute.int_tuple<"?">
      %rows_78 = cute.get<[0]> (%shapeB) : !cute.shape<"(?,?{div=8})"> -> !cute.shape<"?">
      %inside_79 = cute.elem_less(%row_77, %rows_78) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_80 = arith.extui %inside_79 : i1 to i8
      %at_81 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside_45, %at_81, %bit_80) : (!rmem_i8, !cute.coord<"(0,3,0)">, i8) -> ()
      %shapeC = cute.static : !cute.shape<"(128,128)">
      %partC = cute.tiled.mma.partition_shape C(%mma, %shapeC) : (!tiled_mma, !cute.shape<"(128,128)">) -> !cute.shape<"((2,2),4,8)">
      %accumulators = cute.mma.make_fragment C(%mma, %partC) : (!tiled_mma, !cute.shape<"((2,2),4,8)">) -> !rmem_f32
      %zeros = arith.constant dense<0.000000e+00> : vector<128xf32>
      cute.memref.store_vec %zeros, %accumulators : !rmem_f32
      %size = cute.size<[3]> (%fromA) : (!gmem_f16_2) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars (%size) : !cute.int_tuple<"?">
      %c1 = arith.constant 1 : i32
      %c0 = arith.constant 0 : i32
      %some = arith.cmpi slt, %c0, %tiles : i32
      scf.if %some {
        %last = arith.subi %tiles, %c1 : i32
        %inside_370 = cute.memref.alloca() : !rmem_i8
        %at_371 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,0,0,?)">
        %first_372 = cute.slice(%atA, %at_371) : !coord_tensor_2, !cute.coord<"(0,0,0,?)">
        %iter_373 = cute.get_iter(%first_372) : !coord_tensor_3
        %coord_374 = cute.deref_arith_tuple_iter(%iter_373) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %inside_375 = cute.elem_less(%coord_374, %shapeA) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %bit_376 = arith.extui %inside_375 : i1 to i8
        %at_377 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
        cute.memref.store(%inside_370, %at_377, %bit_376) : (!rmem_i8, !cute.coord<"(0,0,0)">, i8) -> ()
        %at_378 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,1,0,?)">
        %first_379 = cute.slice(%atA, %at_378) : !coord_tensor_2, !cute.coord<"(0,1,0,?)">
        %iter_380 = cute.get_iter(%first_379) : !coord_tensor_3
        %coord_381 = cute.deref_arith_tuple_iter(%iter_380) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %inside_382 = cute.elem_less(%coord_381, %shapeA) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %bit_383 = arith.extui %inside_382 : i1 to i8
        %at_384 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
        cute.memref.store(%inside_370, %at_384, %bit_383) : (!rmem_i8, !cute.coord<"(0,1,0)">, i8) -> ()
        %at_385 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,2,0,?)">
        %first_386 = cute.slice(%atA, %at_385) : !coord_tensor_2, !cute.coord<"(0,2,0,?)">
        %iter_387 = cute.get_iter(%first_386) : !coord_tensor_3
        %coord_388 = cute.deref_arith_tuple_iter(%iter_387) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %inside_389 = cute.elem_less(%coord_388, %shapeA) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %bit_390 = arith.extui %inside_389 : i1 to i8
        %at_391 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
        cute.memref.store(%inside_370, %at_391, %bit_390) : (!rmem_i8, !cute.coord<"(0,2,0)">, i8) -> ()
        %at_392 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,3,0,?)">
        %first_393 = cute.slice(%atA, %at_392) : !coord_tensor_2, !cute.coord<"(0,3,0,?)">
        %iter_394 = cute.get_iter(%first_393) : !coord_tensor_3
        %coord_395 = cute.deref_arith_tuple_iter(%iter_394) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %inside_396 = cute.elem_less(%coord_395, %shapeA) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %bit_397 = arith.extui %inside_396 : i1 to i8
        %at_398 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
        cute.memref.store(%inside_370, %at_398, %bit_397) : (!rmem_i8, !cute.coord<"(0,3,0)">, i8) -> ()
        %at_399 = cute.make_coord(%last) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from = cute.slice(%fromA, %at_399) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_400 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %into = cute.slice(%intoA, %at_400) : !smem_f16_1, !cute.coord<"(_,_,_,0)">
        cute.copy(%g2s, %from, %into, %inside_370) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        %inside_401 = cute.memref.alloca() : !rmem_i8
        %at_402 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,0,0,?)">
        %first_403 = cute.slice(%atB, %at_402) : !coord_tensor_2, !cute.coord<"(0,0,0,?)">
        %iter_404 = cute.get_iter(%first_403) : !coord_tensor_3
        %coord_405 = cute.deref_arith_tuple_iter(%iter_404) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %inside_406 = cute.elem_less(%coord_405, %shapeB) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %bit_407 = arith.extui %inside_406 : i1 to i8
        %at_408 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
        cute.memref.store(%inside_401, %at_408, %bit_407) : (!rmem_i8, !cute.coord<"(0,0,0)">, i8) -> ()
        %at_409 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,1,0,?)">
        %first_410 = cute.slice(%atB, %at_409) : !coord_tensor_2, !cute.coord<"(0,1,0,?)">
        %iter_411 = cute.get_iter(%first_410) : !coord_tensor_3
        %coord_412 = cute.deref_arith_tuple_iter(%iter_411) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %inside_413 = cute.elem_less(%coord_412, %shapeB) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %bit_414 = arith.extui %inside_413 : i1 to i8
        %at_415 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
        cute.memref.store(%inside_401, %at_415, %bit_414) : (!rmem_i8, !cute.coord<"(0,1,0)">, i8) -> ()
        %at_416 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,2,0,?)">
        %first_417 = cute.slice(%atB, %at_416) : !coord_tensor_2, !cute.coord<"(0,2,0,?)">
        %iter_418 = cute.get_iter(%first_417) : !coord_tensor_3
        %coord_419 = cute.deref_arith_tuple_iter(%iter_418) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %inside_420 = cute.elem_less(%coord_419, %shapeB) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %bit_421 = arith.extui %inside_420 : i1 to i8
        %at_422 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
        cute.memref.store(%inside_401, %at_422, %bit_421) : (!rmem_i8, !cute.coord<"(0,2,0)">, i8) -> ()
        %at_423 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,3,0,?)">
        %first_424 = cute.slice(%atB, %at_423) : !coord_tensor_2, !cute.coord<"(0,3,0,?)">
        %iter_425 = cute.get_iter(%first_424) : !coord_tensor_3
        %coord_426 = cute.deref_arith_tuple_iter(%iter_425) : (!cute.arith_tuple_iter<"(?,?{div=8})">) -> !cute.int_tuple<"(?,?{div=8})">
        %inside_427 = cute.elem_less(%coord_426, %shapeB) : (!cute.int_tuple<"(?,?{div=8})">, !cute.shape<"(?,?{div=8})">) -> i1
        %bit_428 = arith.extui %inside_427 : i1 to i8
        %at_429 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
        cute.memref.store(%inside_401, %at_429, %bit_428) : (!rmem_i8, !cute.coord<"(0,3,0)">, i8) -> ()
        %at_430 = cute.make_coord(%last) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_431 = cute.slice(%fromB, %at_430) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_432 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %into_433 = cute.slice(%intoB, %at_432) : !smem_f16_1, !cute.coord<"(_,_,_,0)">
        cute.copy(%g2s, %from_431, %into_433, %inside_401) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
      }
      nvvm.cp.async.commit.group
      %c1_82 = arith.constant 1 : i32
      %there = arith.cmpi slt, %c1_82, %tiles : i32
      scf.if %there {
        %c0_370 = arith.constant 0 : i32
        %at_371 = cute.make_coord(%c0_370) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from = cute.slice(%fromA, %at_371) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_372 = cute.make_coord() : () -> !cute.coord<"(_,_,_,1)">
        %into = cute.slice(%intoA, %at_372) : !smem_f16_1, !cute.coord<"(_,_,_,1)">
        cute.copy(%g2s, %from, %into, %inside) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        %at_373 = cute.make_coord(%c0_370) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_374 = cute.slice(%fromB, %at_373) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_375 = cute.make_coord() : () -> !cute.coord<"(_,_,_,1)">
        %into_376 = cute.slice(%intoB, %at_375) : !smem_f16_1, !cute.coord<"(_,_,_,1)">
        cute.copy(%g2s, %from_374, %into_376, %inside_45) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
      }
      nvvm.cp.async.commit.group
      %c2 = arith.constant 2 : i32
      %there_83 = arith.cmpi slt, %c2, %tiles : i32
      scf.if %there_83 {
        %c1_370 = arith.constant 1 : i32
        %at_371 = cute.make_coord(%c1_370) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from = cute.slice(%fromA, %at_371) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_372 = cute.make_coord() : () -> !cute.coord<"(_,_,_,2)">
        %into = cute.slice(%intoA, %at_372) : !smem_f16_1, !cute.coord<"(_,_,_,2)">
        cute.copy(%g2s, %from, %into, %inside) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        %at_373 = cute.make_coord(%c1_370) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_374 = cute.slice(%fromB, %at_373) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_375 = cute.make_coord() : () -> !cute.coord<"(_,_,_,2)">
        %into_376 = cute.slice(%intoB, %at_375) : !smem_f16_1, !cute.coord<"(_,_,_,2)">
        cute.copy(%g2s, %from_374, %into_376, %inside_45) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
      }
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 2
      nvvm.barrier0
      scf.if %some {
        %at_370 = cute.make_coord() : () -> !cute.coord<"(_,_,0,0)">
        %from = cute.slice(%readA, %at_370) : !smem_f16_3, !cute.coord<"(_,_,0,0)">
        %at_371 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_372 = cute.slice(%loadedA, %at_371) : !rmem_f16_1, !cute.coord<"(_,_,0)">
        cute.copy(%loadA, %from, %to_372) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_373 = cute.make_coord() : () -> !cute.coord<"(_,_,0,0)">
        %from_374 = cute.slice(%readB, %at_373) : !smem_f16_3, !cute.coord<"(_,_,0,0)">
        %at_375 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_376 = cute.slice(%loadedB, %at_375) : !rmem_f16_3, !cute.coord<"(_,_,0)">
        cute.copy(%loadB, %from_374, %to_376) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
      }
      %c0_84 = arith.constant 0 : i32
      %c3 = arith.constant 3 : i32
      %ahead = arith.subi %tiles, %c3 : i32
      %ahead_85 = arith.maxsi %ahead, %c0_84 : i32
      %c4 = arith.constant 4 : i32
      %rest = arith.remsi %ahead_85, %c4 : i32
      %steady = arith.subi %ahead_85, %rest : i32
      scf.for %t = %c0_84 to %steady step %c4  : i32 {
        %c2_370 = arith.constant 2 : i32
        %tile = arith.addi %t, %c2_370 : i32
        %at_371 = cute.make_coord() : () -> !cute.coord<"(_,_,1,0)">
        %from = cute.slice(%readA, %at_371) : !smem_f16_3, !cute.coord<"(_,_,1,0)">
        %at_372 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_373 = cute.slice(%loadedA, %at_372) : !rmem_f16_1, !cute.coord<"(_,_,1)">
        cute.copy(%loadA, %from, %to_373) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_374 = cute.make_coord() : () -> !cute.coord<"(_,_,1,0)">
        %from_375 = cute.slice(%readB, %at_374) : !smem_f16_3, !cute.coord<"(_,_,1,0)">
        %at_376 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_377 = cute.slice(%loadedB, %at_376) : !rmem_f16_3, !cute.coord<"(_,_,1)">
        cute.copy(%loadB, %from_375, %to_377) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        %at_378 = cute.make_coord(%tile) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_379 = cute.slice(%fromA, %at_378) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_380 = cute.make_coord() : () -> !cute.coord<"(_,_,_,3)">
        %into = cute.slice(%intoA, %at_380) : !smem_f16_1, !cute.coord<"(_,_,_,3)">
        cute.copy(%g2s, %from_379, %into, %inside) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        %at_381 = cute.make_coord(%tile) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_382 = cute.slice(%fromB, %at_381) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_383 = cute.make_coord() : () -> !cute.coord<"(_,_,_,3)">
        %into_384 = cute.slice(%intoB, %at_383) : !smem_f16_1, !cute.coord<"(_,_,_,3)">
        cute.copy(%g2s, %from_382, %into_384, %inside_45) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        nvvm.cp.async.commit.group
        %at_385 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block = cute.slice(%rA, %at_385) : !rmem_f16, !cute.coord<"(_,_,0)">
        %at_386 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_387 = cute.slice(%rB, %at_386) : !rmem_f16_2, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block, %block_387, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        nvvm.cp.async.wait.group 2
        nvvm.barrier0
        %at_388 = cute.make_coord() : () -> !cute.coord<"(_,_,0,1)">
        %from_389 = cute.slice(%readA, %at_388) : !smem_f16_3, !cute.coord<"(_,_,0,1)">
        %at_390 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_391 = cute.slice(%loadedA, %at_390) : !rmem_f16_1, !cute.coord<"(_,_,0)">
        cute.copy(%loadA, %from_389, %to_391) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_392 = cute.make_coord() : () -> !cute.coord<"(_,_,0,1)">
        %from_393 = cute.slice(%readB, %at_392) : !smem_f16_3, !cute.coord<"(_,_,0,1)">
        %at_394 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_395 = cute.slice(%loadedB, %at_394) : !rmem_f16_3, !cute.coord<"(_,_,0)">
        cute.copy(%loadB, %from_393, %to_395) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        %at_396 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_397 = cute.slice(%rA, %at_396) : !rmem_f16, !cute.coord<"(_,_,1)">
        %at_398 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_399 = cute.slice(%rB, %at_398) : !rmem_f16_2, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_397, %block_399, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        %c3_400 = arith.constant 3 : i32
        %tile_401 = arith.addi %t, %c3_400 : i32
        %at_402 = cute.make_coord() : () -> !cute.coord<"(_,_,1,1)">
        %from_403 = cute.slice(%readA, %at_402) : !smem_f16_3, !cute.coord<"(_,_,1,1)">
        %at_404 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_405 = cute.slice(%loadedA, %at_404) : !rmem_f16_1, !cute.coord<"(_,_,1)">
        cute.copy(%loadA, %from_403, %to_405) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_406 = cute.make_coord() : () -> !cute.coord<"(_,_,1,1)">
        %from_407 = cute.slice(%readB, %at_406) : !smem_f16_3, !cute.coord<"(_,_,1,1)">
        %at_408 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_409 = cute.slice(%loadedB, %at_408) : !rmem_f16_3, !cute.coord<"(_,_,1)">
        cute.copy(%loadB, %from_407, %to_409) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        %at_410 = cute.make_coord(%tile_401) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_411 = cute.slice(%fromA, %at_410) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_412 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %into_413 = cute.slice(%intoA, %at_412) : !smem_f16_1, !cute.coord<"(_,_,_,0)">
        cute.copy(%g2s, %from_411, %into_413, %inside) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        %at_414 = cute.make_coord(%tile_401) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_415 = cute.slice(%fromB, %at_414) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_416 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %into_417 = cute.slice(%intoB, %at_416) : !smem_f16_1, !cute.coord<"(_,_,_,0)">
        cute.copy(%g2s, %from_415, %into_417, %inside_45) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        nvvm.cp.async.commit.group
        %at_418 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_419 = cute.slice(%rA, %at_418) : !rmem_f16, !cute.coord<"(_,_,0)">
        %at_420 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_421 = cute.slice(%rB, %at_420) : !rmem_f16_2, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block_419, %block_421, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        nvvm.cp.async.wait.group 2
        nvvm.barrier0
        %at_422 = cute.make_coord() : () -> !cute.coord<"(_,_,0,2)">
        %from_423 = cute.slice(%readA, %at_422) : !smem_f16_3, !cute.coord<"(_,_,0,2)">
        %at_424 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_425 = cute.slice(%loadedA, %at_424) : !rmem_f16_1, !cute.coord<"(_,_,0)">
        cute.copy(%loadA, %from_423, %to_425) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_426 = cute.make_coord() : () -> !cute.coord<"(_,_,0,2)">
        %from_427 = cute.slice(%readB, %at_426) : !smem_f16_3, !cute.coord<"(_,_,0,2)">
        %at_428 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_429 = cute.slice(%loadedB, %at_428) : !rmem_f16_3, !cute.coord<"(_,_,0)">
        cute.copy(%loadB, %from_427, %to_429) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        %at_430 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_431 = cute.slice(%rA, %at_430) : !rmem_f16, !cute.coord<"(_,_,1)">
        %at_432 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_433 = cute.slice(%rB, %at_432) : !rmem_f16_2, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_431, %block_433, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        %c4_434 = arith.constant 4 : i32
        %tile_435 = arith.addi %t, %c4_434 : i32
        %at_436 = cute.make_coord() : () -> !cute.coord<"(_,_,1,2)">
        %from_437 = cute.slice(%readA, %at_436) : !smem_f16_3, !cute.coord<"(_,_,1,2)">
        %at_438 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_439 = cute.slice(%loadedA, %at_438) : !rmem_f16_1, !cute.coord<"(_,_,1)">
        cute.copy(%loadA, %from_437, %to_439) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_440 = cute.make_coord() : () -> !cute.coord<"(_,_,1,2)">
        %from_441 = cute.slice(%readB, %at_440) : !smem_f16_3, !cute.coord<"(_,_,1,2)">
        %at_442 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_443 = cute.slice(%loadedB, %at_442) : !rmem_f16_3, !cute.coord<"(_,_,1)">
        cute.copy(%loadB, %from_441, %to_443) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        %at_444 = cute.make_coord(%tile_435) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_445 = cute.slice(%fromA, %at_444) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_446 = cute.make_coord() : () -> !cute.coord<"(_,_,_,1)">
        %into_447 = cute.slice(%intoA, %at_446) : !smem_f16_1, !cute.coord<"(_,_,_,1)">
        cute.copy(%g2s, %from_445, %into_447, %inside) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        %at_448 = cute.make_coord(%tile_435) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_449 = cute.slice(%fromB, %at_448) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_450 = cute.make_coord() : () -> !cute.coord<"(_,_,_,1)">
        %into_451 = cute.slice(%intoB, %at_450) : !smem_f16_1, !cute.coord<"(_,_,_,1)">
        cute.copy(%g2s, %from_449, %into_451, %inside_45) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        nvvm.cp.async.commit.group
        %at_452 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_453 = cute.slice(%rA, %at_452) : !rmem_f16, !cute.coord<"(_,_,0)">
        %at_454 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_455 = cute.slice(%rB, %at_454) : !rmem_f16_2, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block_453, %block_455, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        nvvm.cp.async.wait.group 2
        nvvm.barrier0
        %at_456 = cute.make_coord() : () -> !cute.coord<"(_,_,0,3)">
        %from_457 = cute.slice(%readA, %at_456) : !smem_f16_3, !cute.coord<"(_,_,0,3)">
        %at_458 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_459 = cute.slice(%loadedA, %at_458) : !rmem_f16_1, !cute.coord<"(_,_,0)">
        cute.copy(%loadA, %from_457, %to_459) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_460 = cute.make_coord() : () -> !cute.coord<"(_,_,0,3)">
        %from_461 = cute.slice(%readB, %at_460) : !smem_f16_3, !cute.coord<"(_,_,0,3)">
        %at_462 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_463 = cute.slice(%loadedB, %at_462) : !rmem_f16_3, !cute.coord<"(_,_,0)">
        cute.copy(%loadB, %from_461, %to_463) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        %at_464 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_465 = cute.slice(%rA, %at_464) : !rmem_f16, !cute.coord<"(_,_,1)">
        %at_466 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_467 = cute.slice(%rB, %at_466) : !rmem_f16_2, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_465, %block_467, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        %c5 = arith.constant 5 : i32
        %tile_468 = arith.addi %t, %c5 : i32
        %at_469 = cute.make_coord() : () -> !cute.coord<"(_,_,1,3)">
        %from_470 = cute.slice(%readA, %at_469) : !smem_f16_3, !cute.coord<"(_,_,1,3)">
        %at_471 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_472 = cute.slice(%loadedA, %at_471) : !rmem_f16_1, !cute.coord<"(_,_,1)">
        cute.copy(%loadA, %from_470, %to_472) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_473 = cute.make_coord() : () -> !cute.coord<"(_,_,1,3)">
        %from_474 = cute.slice(%readB, %at_473) : !smem_f16_3, !cute.coord<"(_,_,1,3)">
        %at_475 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_476 = cute.slice(%loadedB, %at_475) : !rmem_f16_3, !cute.coord<"(_,_,1)">
        cute.copy(%loadB, %from_474, %to_476) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        %at_477 = cute.make_coord(%tile_468) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_478 = cute.slice(%fromA, %at_477) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_479 = cute.make_coord() : () -> !cute.coord<"(_,_,_,2)">
        %into_480 = cute.slice(%intoA, %at_479) : !smem_f16_1, !cute.coord<"(_,_,_,2)">
        cute.copy(%g2s, %from_478, %into_480, %inside) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        %at_481 = cute.make_coord(%tile_468) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_482 = cute.slice(%fromB, %at_481) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
        %at_483 = cute.make_coord() : () -> !cute.coord<"(_,_,_,2)">
        %into_484 = cute.slice(%intoB, %at_483) : !smem_f16_1, !cute.coord<"(_,_,_,2)">
        cute.copy(%g2s, %from_482, %into_484, %inside_45) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        nvvm.cp.async.commit.group
        %at_485 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_486 = cute.slice(%rA, %at_485) : !rmem_f16, !cute.coord<"(_,_,0)">
        %at_487 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_488 = cute.slice(%rB, %at_487) : !rmem_f16_2, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block_486, %block_488, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        nvvm.cp.async.wait.group 2
        nvvm.barrier0
        %at_489 = cute.make_coord() : () -> !cute.coord<"(_,_,0,0)">
        %from_490 = cute.slice(%readA, %at_489) : !smem_f16_3, !cute.coord<"(_,_,0,0)">
        %at_491 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_492 = cute.slice(%loadedA, %at_491) : !rmem_f16_1, !cute.coord<"(_,_,0)">
        cute.copy(%loadA, %from_490, %to_492) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_493 = cute.make_coord() : () -> !cute.coord<"(_,_,0,0)">
        %from_494 = cute.slice(%readB, %at_493) : !smem_f16_3, !cute.coord<"(_,_,0,0)">
        %at_495 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %to_496 = cute.slice(%loadedB, %at_495) : !rmem_f16_3, !cute.coord<"(_,_,0)">
        cute.copy(%loadB, %from_494, %to_496) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        %at_497 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_498 = cute.slice(%rA, %at_497) : !rmem_f16, !cute.coord<"(_,_,1)">
        %at_499 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_500 = cute.slice(%rB, %at_499) : !rmem_f16_2, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_498, %block_500, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
      }
      %c3_86 = arith.constant 3 : i32
      %0:2 = scf.for %t = %steady to %tiles step %c1 iter_args(%carried = %c0_84, %carried_370 = %c3_86) -> (i32, i32)  : i32 {
        %c1_371 = arith.constant 1 : i32
        %next = arith.addi %carried, %c1_371 : i32
        %c4_372 = arith.constant 4 : i32
        %wraps = arith.cmpi eq, %next, %c4_372 : i32
        %c0_373 = arith.constant 0 : i32
        %stage = arith.select %wraps, %c0_373, %next : i32
        %c2_374 = arith.constant 2 : i32
        %tile = arith.addi %t, %c2_374 : i32
        %upcoming = arith.addi %tile, %c1 : i32
        %more = arith.cmpi slt, %upcoming, %tiles : i32
        %following = arith.addi %t, %c1 : i32
        %goes_on = arith.cmpi slt, %following, %tiles : i32
        %at_375 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(_,_,1,?)">
        %from = cute.slice(%readA, %at_375) : !smem_f16_3, !cute.coord<"(_,_,1,?)">
        %at_376 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_377 = cute.slice(%loadedA, %at_376) : !rmem_f16_1, !cute.coord<"(_,_,1)">
        cute.copy(%loadA, %from, %to_377) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
        %at_378 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(_,_,1,?)">
        %from_379 = cute.slice(%readB, %at_378) : !smem_f16_3, !cute.coord<"(_,_,1,?)">
        %at_380 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %to_381 = cute.slice(%loadedB, %at_380) : !rmem_f16_3, !cute.coord<"(_,_,1)">
        cute.copy(%loadB, %from_379, %to_381) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        scf.if %more {
          %at_395 = cute.make_coord(%tile) : (i32) -> !cute.coord<"(_,_,_,?)">
          %from_396 = cute.slice(%fromA, %at_395) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
          %at_397 = cute.make_coord(%carried_370) : (i32) -> !cute.coord<"(_,_,_,?)">
          %into = cute.slice(%intoA, %at_397) : !smem_f16_1, !cute.coord<"(_,_,_,?)">
          cute.copy(%g2s, %from_396, %into, %inside) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
          %at_398 = cute.make_coord(%tile) : (i32) -> !cute.coord<"(_,_,_,?)">
          %from_399 = cute.slice(%fromB, %at_398) : !gmem_f16_2, !cute.coord<"(_,_,_,?)">
          %at_400 = cute.make_coord(%carried_370) : (i32) -> !cute.coord<"(_,_,_,?)">
          %into_401 = cute.slice(%intoB, %at_400) : !smem_f16_1, !cute.coord<"(_,_,_,?)">
          cute.copy(%g2s, %from_399, %into_401, %inside_45) : (!tiled_copy, !gmem_f16_3, !smem_f16_5, !rmem_i8)
        }
        nvvm.cp.async.commit.group
        %at_382 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block = cute.slice(%rA, %at_382) : !rmem_f16, !cute.coord<"(_,_,0)">
        %at_383 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_384 = cute.slice(%rB, %at_383) : !rmem_f16_2, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block, %block_384, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        nvvm.cp.async.wait.group 2
        nvvm.barrier0
        scf.if %goes_on {
          %at_395 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,0,?)">
          %from_396 = cute.slice(%readA, %at_395) : !smem_f16_3, !cute.coord<"(_,_,0,?)">
          %at_397 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
          %to_398 = cute.slice(%loadedA, %at_397) : !rmem_f16_1, !cute.coord<"(_,_,0)">
          cute.copy(%loadA, %from_396, %to_398) : (!tiled_copy_1, !smem_f16_6, !rmem_f16_4)
          %at_399 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(_,_,0,?)">
          %from_400 = cute.slice(%readB, %at_399) : !smem_f16_3, !cute.coord<"(_,_,0,?)">
          %at_401 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
          %to_402 = cute.slice(%loadedB, %at_401) : !rmem_f16_3, !cute.coord<"(_,_,0)">
          cute.copy(%loadB, %from_400, %to_402) : (!tiled_copy_2, !smem_f16_6, !rmem_f16_5)
        }
        %at_385 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_386 = cute.slice(%rA, %at_385) : !rmem_f16, !cute.coord<"(_,_,1)">
        %at_387 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_388 = cute.slice(%rB, %at_387) : !rmem_f16_2, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_386, %block_388, %accumulators) : (!tiled_mma, !rmem_f32, !rmem_f16_6, !rmem_f16_7, !rmem_f32)
        %c1_389 = arith.constant 1 : i32
        %next_390 = arith.addi %carried_370, %c1_389 : i32
        %c4_391 = arith.constant 4 : i32
        %wraps_392 = arith.cmpi eq, %next_390, %c4_391 : i32
        %c0_393 = arith.constant 0 : i32
        %stage_394 = arith.select %wraps_392, %c0_393, %next_390 : i32
        scf.yield %stage, %stage_394 : i32, i32
      }
      %pointer_87 = cute.recast_iter(%smem) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f32, smem, align<1024>>
      %sD = cute.make_view(%pointer_87) : !smem_f32
      %put = cute.tiled.mma.partition C(%mma, %sD, %at) : (!tiled_mma, !smem_f32, !cute.coord<"?">) -> !smem_f32_1
      %atom_88 = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32, 128 b>
      %store = cute.make_tiled_copy(%atom_88) : !tiled_copy_3
      %get = cute.tiled.copy.partition_S(%store, %sD, %at) : (!tiled_copy_3, !smem_f32, !cute.coord<"?">) -> !smem_f32_2
      %pair = cute.make_atom() : () -> !universal_copy
      %layoutD = cute.get_layout(%D) : !gmem_f32
      %shapeD = cute.get_shape(%layoutD) : !cute.layout<"(?,?{div=4}):(?{i64 div=4},1)"> -> !cute.shape<"(?,?{div=4})">
      %coordsD = cute.make_identity_tensor(%shapeD) : !cute.shape<"(?,?{div=4})"> -> !coord_tensor_4
      %tiler_89 = cute.static : !cute.tile<"[128:1;32:1]">
      %c4_90 = arith.constant 4 : i32
      %first_91 = arith.muli %block_n, %c4_90 : i32
      %halves = cute.static : !cute.tile<"[_;_;2:1]">
      %accumulators_92 = cute.logical_divide(%accumulators, %halves) : (!rmem_f32, !cute.tile<"[_;_;2:1]">) -> !rmem_f32_1
      %zero = arith.constant 0.000000e+00 : f32
      %wants_c = arith.cmpf une, %beta, %zero : f32
      nvvm.barrier0
      %at_93 = cute.make_coord() : () -> !cute.coord<"(_,_,(_,0))">
      %own = cute.slice(%accumulators_92, %at_93) : !rmem_f32_1, !cute.coord<"(_,_,(_,0))">
      cute.copy(%pair, %own, %put) : (!universal_copy, !rmem_f32_2, !smem_f32_1)
      nvvm.barrier0
      %c0_94 = arith.constant 0 : i32
      %column = arith.addi %first_91, %c0_94 : i32
      %at_95 = cute.make_coord(%block_m, %column) : (i32, i32) -> !cute.coord<"(?,?)">
      %gD = cute.local_tile(%D, %tiler_89, %at_95) : (!gmem_f32, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_1
      %to = cute.tiled.copy.partition_D(%store, %gD, %at) : (!tiled_copy_3, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %gC = cute.local_tile(%C, %tiler_89, %at_95) : (!gmem_f32, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_1
      %old = cute.tiled.copy.partition_S(%store, %gC, %at) : (!tiled_copy_3, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %cD = cute.local_tile(%coordsD, %tiler_89, %at_95) : (!coord_tensor_4, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !coord_tensor_5
      %at_96 = cute.tiled.copy.partition_D(%store, %cD, %at) : (!tiled_copy_3, !coord_tensor_5, !cute.coord<"?">) -> !coord_tensor_6
      %inside_97 = cute.memref.alloca() : !rmem_i8_1
      %at_98 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      %first_99 = cute.slice(%at_96, %at_98) : !coord_tensor_6, !cute.coord<"(0,0,0)">
      %iter_100 = cute.get_iter(%first_99) : !coord_tensor_7
      %coord_101 = cute.deref_arith_tuple_iter(%iter_100) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_102 = cute.elem_less(%coord_101, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_103 = arith.extui %inside_102 : i1 to i8
      %at_104 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside_97, %at_104, %bit_103) : (!rmem_i8_1, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_105 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      %first_106 = cute.slice(%at_96, %at_105) : !coord_tensor_6, !cute.coord<"(0,1,0)">
      %iter_107 = cute.get_iter(%first_106) : !coord_tensor_7
      %coord_108 = cute.deref_arith_tuple_iter(%iter_107) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_109 = cute.elem_less(%coord_108, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_110 = arith.extui %inside_109 : i1 to i8
      %at_111 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside_97, %at_111, %bit_110) : (!rmem_i8_1, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_112 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      %first_113 = cute.slice(%at_96, %at_112) : !coord_tensor_6, !cute.coord<"(0,2,0)">
      %iter_114 = cute.get_iter(%first_113) : !coord_tensor_7
      %coord_115 = cute.deref_arith_tuple_iter(%iter_114) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_116 = cute.elem_less(%coord_115, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_117 = arith.extui %inside_116 : i1 to i8
      %at_118 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside_97, %at_118, %bit_117) : (!rmem_i8_1, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_119 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      %first_120 = cute.slice(%at_96, %at_119) : !coord_tensor_6, !cute.coord<"(0,3,0)">
      %iter_121 = cute.get_iter(%first_120) : !coord_tensor_7
      %coord_122 = cute.deref_arith_tuple_iter(%iter_121) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_123 = cute.elem_less(%coord_122, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_124 = arith.extui %inside_123 : i1 to i8
      %at_125 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside_97, %at_125, %bit_124) : (!rmem_i8_1, !cute.coord<"(0,3,0)">, i8) -> ()
      %at_126 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      %first_127 = cute.slice(%at_96, %at_126) : !coord_tensor_6, !cute.coord<"(0,4,0)">
      %iter_128 = cute.get_iter(%first_127) : !coord_tensor_7
      %coord_129 = cute.deref_arith_tuple_iter(%iter_128) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_130 = cute.elem_less(%coord_129, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_131 = arith.extui %inside_130 : i1 to i8
      %at_132 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      cute.memref.store(%inside_97, %at_132, %bit_131) : (!rmem_i8_1, !cute.coord<"(0,4,0)">, i8) -> ()
      %at_133 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      %first_134 = cute.slice(%at_96, %at_133) : !coord_tensor_6, !cute.coord<"(0,5,0)">
      %iter_135 = cute.get_iter(%first_134) : !coord_tensor_7
      %coord_136 = cute.deref_arith_tuple_iter(%iter_135) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_137 = cute.elem_less(%coord_136, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_138 = arith.extui %inside_137 : i1 to i8
      %at_139 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      cute.memref.store(%inside_97, %at_139, %bit_138) : (!rmem_i8_1, !cute.coord<"(0,5,0)">, i8) -> ()
      %at_140 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      %first_141 = cute.slice(%at_96, %at_140) : !coord_tensor_6, !cute.coord<"(0,6,0)">
      %iter_142 = cute.get_iter(%first_141) : !coord_tensor_7
      %coord_143 = cute.deref_arith_tuple_iter(%iter_142) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_144 = cute.elem_less(%coord_143, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_145 = arith.extui %inside_144 : i1 to i8
      %at_146 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      cute.memref.store(%inside_97, %at_146, %bit_145) : (!rmem_i8_1, !cute.coord<"(0,6,0)">, i8) -> ()
      %at_147 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      %first_148 = cute.slice(%at_96, %at_147) : !coord_tensor_6, !cute.coord<"(0,7,0)">
      %iter_149 = cute.get_iter(%first_148) : !coord_tensor_7
      %coord_150 = cute.deref_arith_tuple_iter(%iter_149) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_151 = cute.elem_less(%coord_150, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_152 = arith.extui %inside_151 : i1 to i8
      %at_153 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      cute.memref.store(%inside_97, %at_153, %bit_152) : (!rmem_i8_1, !cute.coord<"(0,7,0)">, i8) -> ()
      %made = cute.make_fragment_like(%to) : (!gmem_f32_2) -> !rmem_f32_3
      cute.copy(%store, %get, %made) : (!tiled_copy_3, !smem_f32_2, !rmem_f32_3)
      %values = cute.memref.load_vec %made : !rmem_f32_3
      %factors = vector.broadcast %alpha : f32 to vector<32xf32>
      %scaled = arith.mulf %values, %factors : vector<32xf32>
      cute.memref.store_vec %scaled, %made : !rmem_f32_3
      scf.if %wants_c {
        %added = cute.memref.alloca() : !rmem_f32_3
        %zeros_370 = arith.constant dense<0.000000e+00> : vector<32xf32>
        cute.memref.store_vec %zeros_370, %added : !rmem_f32_3
        cute.copy(%store, %old, %added, %inside_97) : (!tiled_copy_3, !gmem_f32_2, !rmem_f32_3, !rmem_i8_1)
        %values_371 = cute.memref.load_vec %added : !rmem_f32_3
        %factors_372 = vector.broadcast %beta : f32 to vector<32xf32>
        %scaled_373 = arith.mulf %values_371, %factors_372 : vector<32xf32>
        %so_far = cute.memref.load_vec %made : !rmem_f32_3
        %all = arith.addf %so_far, %scaled_373 : vector<32xf32>
        cute.memref.store_vec %all, %made : !rmem_f32_3
      }
      cute.copy(%store, %made, %to, %inside_97) : (!tiled_copy_3, !rmem_f32_3, !gmem_f32_2, !rmem_i8_1)
      nvvm.barrier0
      %at_154 = cute.make_coord() : () -> !cute.coord<"(_,_,(_,1))">
      %own_155 = cute.slice(%accumulators_92, %at_154) : !rmem_f32_1, !cute.coord<"(_,_,(_,1))">
      cute.copy(%pair, %own_155, %put) : (!universal_copy, !rmem_f32_2, !smem_f32_1)
      nvvm.barrier0
      %c1_156 = arith.constant 1 : i32
      %column_157 = arith.addi %first_91, %c1_156 : i32
      %at_158 = cute.make_coord(%block_m, %column_157) : (i32, i32) -> !cute.coord<"(?,?)">
      %gD_159 = cute.local_tile(%D, %tiler_89, %at_158) : (!gmem_f32, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_1
      %to_160 = cute.tiled.copy.partition_D(%store, %gD_159, %at) : (!tiled_copy_3, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %gC_161 = cute.local_tile(%C, %tiler_89, %at_158) : (!gmem_f32, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_1
      %old_162 = cute.tiled.copy.partition_S(%store, %gC_161, %at) : (!tiled_copy_3, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %cD_163 = cute.local_tile(%coordsD, %tiler_89, %at_158) : (!coord_tensor_4, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !coord_tensor_5
      %at_164 = cute.tiled.copy.partition_D(%store, %cD_163, %at) : (!tiled_copy_3, !coord_tensor_5, !cute.coord<"?">) -> !coord_tensor_6
      %inside_165 = cute.memref.alloca() : !rmem_i8_1
      %at_166 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      %first_167 = cute.slice(%at_164, %at_166) : !coord_tensor_6, !cute.coord<"(0,0,0)">
      %iter_168 = cute.get_iter(%first_167) : !coord_tensor_7
      %coord_169 = cute.deref_arith_tuple_iter(%iter_168) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_170 = cute.elem_less(%coord_169, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_171 = arith.extui %inside_170 : i1 to i8
      %at_172 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside_165, %at_172, %bit_171) : (!rmem_i8_1, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_173 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      %first_174 = cute.slice(%at_164, %at_173) : !coord_tensor_6, !cute.coord<"(0,1,0)">
      %iter_175 = cute.get_iter(%first_174) : !coord_tensor_7
      %coord_176 = cute.deref_arith_tuple_iter(%iter_175) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_177 = cute.elem_less(%coord_176, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_178 = arith.extui %inside_177 : i1 to i8
      %at_179 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside_165, %at_179, %bit_178) : (!rmem_i8_1, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_180 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      %first_181 = cute.slice(%at_164, %at_180) : !coord_tensor_6, !cute.coord<"(0,2,0)">
      %iter_182 = cute.get_iter(%first_181) : !coord_tensor_7
      %coord_183 = cute.deref_arith_tuple_iter(%iter_182) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_184 = cute.elem_less(%coord_183, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_185 = arith.extui %inside_184 : i1 to i8
      %at_186 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside_165, %at_186, %bit_185) : (!rmem_i8_1, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_187 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      %first_188 = cute.slice(%at_164, %at_187) : !coord_tensor_6, !cute.coord<"(0,3,0)">
      %iter_189 = cute.get_iter(%first_188) : !coord_tensor_7
      %coord_190 = cute.deref_arith_tuple_iter(%iter_189) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_191 = cute.elem_less(%coord_190, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_192 = arith.extui %inside_191 : i1 to i8
      %at_193 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside_165, %at_193, %bit_192) : (!rmem_i8_1, !cute.coord<"(0,3,0)">, i8) -> ()
      %at_194 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      %first_195 = cute.slice(%at_164, %at_194) : !coord_tensor_6, !cute.coord<"(0,4,0)">
      %iter_196 = cute.get_iter(%first_195) : !coord_tensor_7
      %coord_197 = cute.deref_arith_tuple_iter(%iter_196) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_198 = cute.elem_less(%coord_197, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_199 = arith.extui %inside_198 : i1 to i8
      %at_200 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      cute.memref.store(%inside_165, %at_200, %bit_199) : (!rmem_i8_1, !cute.coord<"(0,4,0)">, i8) -> ()
      %at_201 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      %first_202 = cute.slice(%at_164, %at_201) : !coord_tensor_6, !cute.coord<"(0,5,0)">
      %iter_203 = cute.get_iter(%first_202) : !coord_tensor_7
      %coord_204 = cute.deref_arith_tuple_iter(%iter_203) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_205 = cute.elem_less(%coord_204, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_206 = arith.extui %inside_205 : i1 to i8
      %at_207 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      cute.memref.store(%inside_165, %at_207, %bit_206) : (!rmem_i8_1, !cute.coord<"(0,5,0)">, i8) -> ()
      %at_208 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      %first_209 = cute.slice(%at_164, %at_208) : !coord_tensor_6, !cute.coord<"(0,6,0)">
      %iter_210 = cute.get_iter(%first_209) : !coord_tensor_7
      %coord_211 = cute.deref_arith_tuple_iter(%iter_210) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_212 = cute.elem_less(%coord_211, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_213 = arith.extui %inside_212 : i1 to i8
      %at_214 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      cute.memref.store(%inside_165, %at_214, %bit_213) : (!rmem_i8_1, !cute.coord<"(0,6,0)">, i8) -> ()
      %at_215 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      %first_216 = cute.slice(%at_164, %at_215) : !coord_tensor_6, !cute.coord<"(0,7,0)">
      %iter_217 = cute.get_iter(%first_216) : !coord_tensor_7
      %coord_218 = cute.deref_arith_tuple_iter(%iter_217) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_219 = cute.elem_less(%coord_218, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_220 = arith.extui %inside_219 : i1 to i8
      %at_221 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      cute.memref.store(%inside_165, %at_221, %bit_220) : (!rmem_i8_1, !cute.coord<"(0,7,0)">, i8) -> ()
      %made_222 = cute.make_fragment_like(%to_160) : (!gmem_f32_2) -> !rmem_f32_3
      cute.copy(%store, %get, %made_222) : (!tiled_copy_3, !smem_f32_2, !rmem_f32_3)
      %values_223 = cute.memref.load_vec %made_222 : !rmem_f32_3
      %factors_224 = vector.broadcast %alpha : f32 to vector<32xf32>
      %scaled_225 = arith.mulf %values_223, %factors_224 : vector<32xf32>
      cute.memref.store_vec %scaled_225, %made_222 : !rmem_f32_3
      scf.if %wants_c {
        %added = cute.memref.alloca() : !rmem_f32_3
        %zeros_370 = arith.constant dense<0.000000e+00> : vector<32xf32>
        cute.memref.store_vec %zeros_370, %added : !rmem_f32_3
        cute.copy(%store, %old_162, %added, %inside_165) : (!tiled_copy_3, !gmem_f32_2, !rmem_f32_3, !rmem_i8_1)
        %values_371 = cute.memref.load_vec %added : !rmem_f32_3
        %factors_372 = vector.broadcast %beta : f32 to vector<32xf32>
        %scaled_373 = arith.mulf %values_371, %factors_372 : vector<32xf32>
        %so_far = cute.memref.load_vec %made_222 : !rmem_f32_3
        %all = arith.addf %so_far, %scaled_373 : vector<32xf32>
        cute.memref.store_vec %all, %made_222 : !rmem_f32_3
      }
      cute.copy(%store, %made_222, %to_160, %inside_165) : (!tiled_copy_3, !rmem_f32_3, !gmem_f32_2, !rmem_i8_1)
      nvvm.barrier0
      %at_226 = cute.make_coord() : () -> !cute.coord<"(_,_,(_,2))">
      %own_227 = cute.slice(%accumulators_92, %at_226) : !rmem_f32_1, !cute.coord<"(_,_,(_,2))">
      cute.copy(%pair, %own_227, %put) : (!universal_copy, !rmem_f32_2, !smem_f32_1)
      nvvm.barrier0
      %c2_228 = arith.constant 2 : i32
      %column_229 = arith.addi %first_91, %c2_228 : i32
      %at_230 = cute.make_coord(%block_m, %column_229) : (i32, i32) -> !cute.coord<"(?,?)">
      %gD_231 = cute.local_tile(%D, %tiler_89, %at_230) : (!gmem_f32, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_1
      %to_232 = cute.tiled.copy.partition_D(%store, %gD_231, %at) : (!tiled_copy_3, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %gC_233 = cute.local_tile(%C, %tiler_89, %at_230) : (!gmem_f32, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_1
      %old_234 = cute.tiled.copy.partition_S(%store, %gC_233, %at) : (!tiled_copy_3, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %cD_235 = cute.local_tile(%coordsD, %tiler_89, %at_230) : (!coord_tensor_4, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !coord_tensor_5
      %at_236 = cute.tiled.copy.partition_D(%store, %cD_235, %at) : (!tiled_copy_3, !coord_tensor_5, !cute.coord<"?">) -> !coord_tensor_6
      %inside_237 = cute.memref.alloca() : !rmem_i8_1
      %at_238 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      %first_239 = cute.slice(%at_236, %at_238) : !coord_tensor_6, !cute.coord<"(0,0,0)">
      %iter_240 = cute.get_iter(%first_239) : !coord_tensor_7
      %coord_241 = cute.deref_arith_tuple_iter(%iter_240) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_242 = cute.elem_less(%coord_241, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_243 = arith.extui %inside_242 : i1 to i8
      %at_244 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside_237, %at_244, %bit_243) : (!rmem_i8_1, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_245 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      %first_246 = cute.slice(%at_236, %at_245) : !coord_tensor_6, !cute.coord<"(0,1,0)">
      %iter_247 = cute.get_iter(%first_246) : !coord_tensor_7
      %coord_248 = cute.deref_arith_tuple_iter(%iter_247) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_249 = cute.elem_less(%coord_248, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_250 = arith.extui %inside_249 : i1 to i8
      %at_251 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside_237, %at_251, %bit_250) : (!rmem_i8_1, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_252 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      %first_253 = cute.slice(%at_236, %at_252) : !coord_tensor_6, !cute.coord<"(0,2,0)">
      %iter_254 = cute.get_iter(%first_253) : !coord_tensor_7
      %coord_255 = cute.deref_arith_tuple_iter(%iter_254) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_256 = cute.elem_less(%coord_255, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_257 = arith.extui %inside_256 : i1 to i8
      %at_258 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside_237, %at_258, %bit_257) : (!rmem_i8_1, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_259 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      %first_260 = cute.slice(%at_236, %at_259) : !coord_tensor_6, !cute.coord<"(0,3,0)">
      %iter_261 = cute.get_iter(%first_260) : !coord_tensor_7
      %coord_262 = cute.deref_arith_tuple_iter(%iter_261) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_263 = cute.elem_less(%coord_262, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_264 = arith.extui %inside_263 : i1 to i8
      %at_265 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside_237, %at_265, %bit_264) : (!rmem_i8_1, !cute.coord<"(0,3,0)">, i8) -> ()
      %at_266 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      %first_267 = cute.slice(%at_236, %at_266) : !coord_tensor_6, !cute.coord<"(0,4,0)">
      %iter_268 = cute.get_iter(%first_267) : !coord_tensor_7
      %coord_269 = cute.deref_arith_tuple_iter(%iter_268) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_270 = cute.elem_less(%coord_269, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_271 = arith.extui %inside_270 : i1 to i8
      %at_272 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      cute.memref.store(%inside_237, %at_272, %bit_271) : (!rmem_i8_1, !cute.coord<"(0,4,0)">, i8) -> ()
      %at_273 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      %first_274 = cute.slice(%at_236, %at_273) : !coord_tensor_6, !cute.coord<"(0,5,0)">
      %iter_275 = cute.get_iter(%first_274) : !coord_tensor_7
      %coord_276 = cute.deref_arith_tuple_iter(%iter_275) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_277 = cute.elem_less(%coord_276, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_278 = arith.extui %inside_277 : i1 to i8
      %at_279 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      cute.memref.store(%inside_237, %at_279, %bit_278) : (!rmem_i8_1, !cute.coord<"(0,5,0)">, i8) -> ()
      %at_280 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      %first_281 = cute.slice(%at_236, %at_280) : !coord_tensor_6, !cute.coord<"(0,6,0)">
      %iter_282 = cute.get_iter(%first_281) : !coord_tensor_7
      %coord_283 = cute.deref_arith_tuple_iter(%iter_282) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_284 = cute.elem_less(%coord_283, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_285 = arith.extui %inside_284 : i1 to i8
      %at_286 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      cute.memref.store(%inside_237, %at_286, %bit_285) : (!rmem_i8_1, !cute.coord<"(0,6,0)">, i8) -> ()
      %at_287 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      %first_288 = cute.slice(%at_236, %at_287) : !coord_tensor_6, !cute.coord<"(0,7,0)">
      %iter_289 = cute.get_iter(%first_288) : !coord_tensor_7
      %coord_290 = cute.deref_arith_tuple_iter(%iter_289) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_291 = cute.elem_less(%coord_290, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_292 = arith.extui %inside_291 : i1 to i8
      %at_293 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      cute.memref.store(%inside_237, %at_293, %bit_292) : (!rmem_i8_1, !cute.coord<"(0,7,0)">, i8) -> ()
      %made_294 = cute.make_fragment_like(%to_232) : (!gmem_f32_2) -> !rmem_f32_3
      cute.copy(%store, %get, %made_294) : (!tiled_copy_3, !smem_f32_2, !rmem_f32_3)
      %values_295 = cute.memref.load_vec %made_294 : !rmem_f32_3
      %factors_296 = vector.broadcast %alpha : f32 to vector<32xf32>
      %scaled_297 = arith.mulf %values_295, %factors_296 : vector<32xf32>
      cute.memref.store_vec %scaled_297, %made_294 : !rmem_f32_3
      scf.if %wants_c {
        %added = cute.memref.alloca() : !rmem_f32_3
        %zeros_370 = arith.constant dense<0.000000e+00> : vector<32xf32>
        cute.memref.store_vec %zeros_370, %added : !rmem_f32_3
        cute.copy(%store, %old_234, %added, %inside_237) : (!tiled_copy_3, !gmem_f32_2, !rmem_f32_3, !rmem_i8_1)
        %values_371 = cute.memref.load_vec %added : !rmem_f32_3
        %factors_372 = vector.broadcast %beta : f32 to vector<32xf32>
        %scaled_373 = arith.mulf %values_371, %factors_372 : vector<32xf32>
        %so_far = cute.memref.load_vec %made_294 : !rmem_f32_3
        %all = arith.addf %so_far, %scaled_373 : vector<32xf32>
        cute.memref.store_vec %all, %made_294 : !rmem_f32_3
      }
      cute.copy(%store, %made_294, %to_232, %inside_237) : (!tiled_copy_3, !rmem_f32_3, !gmem_f32_2, !rmem_i8_1)
      nvvm.barrier0
      %at_298 = cute.make_coord() : () -> !cute.coord<"(_,_,(_,3))">
      %own_299 = cute.slice(%accumulators_92, %at_298) : !rmem_f32_1, !cute.coord<"(_,_,(_,3))">
      cute.copy(%pair, %own_299, %put) : (!universal_copy, !rmem_f32_2, !smem_f32_1)
      nvvm.barrier0
      %c3_300 = arith.constant 3 : i32
      %column_301 = arith.addi %first_91, %c3_300 : i32
      %at_302 = cute.make_coord(%block_m, %column_301) : (i32, i32) -> !cute.coord<"(?,?)">
      %gD_303 = cute.local_tile(%D, %tiler_89, %at_302) : (!gmem_f32, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_1
      %to_304 = cute.tiled.copy.partition_D(%store, %gD_303, %at) : (!tiled_copy_3, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %gC_305 = cute.local_tile(%C, %tiler_89, %at_302) : (!gmem_f32, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_1
      %old_306 = cute.tiled.copy.partition_S(%store, %gC_305, %at) : (!tiled_copy_3, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %cD_307 = cute.local_tile(%coordsD, %tiler_89, %at_302) : (!coord_tensor_4, !cute.tile<"[128:1;32:1]">, !cute.coord<"(?,?)">) -> !coord_tensor_5
      %at_308 = cute.tiled.copy.partition_D(%store, %cD_307, %at) : (!tiled_copy_3, !coord_tensor_5, !cute.coord<"?">) -> !coord_tensor_6
      %inside_309 = cute.memref.alloca() : !rmem_i8_1
      %at_310 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      %first_311 = cute.slice(%at_308, %at_310) : !coord_tensor_6, !cute.coord<"(0,0,0)">
      %iter_312 = cute.get_iter(%first_311) : !coord_tensor_7
      %coord_313 = cute.deref_arith_tuple_iter(%iter_312) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_314 = cute.elem_less(%coord_313, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_315 = arith.extui %inside_314 : i1 to i8
      %at_316 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside_309, %at_316, %bit_315) : (!rmem_i8_1, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_317 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      %first_318 = cute.slice(%at_308, %at_317) : !coord_tensor_6, !cute.coord<"(0,1,0)">
      %iter_319 = cute.get_iter(%first_318) : !coord_tensor_7
      %coord_320 = cute.deref_arith_tuple_iter(%iter_319) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_321 = cute.elem_less(%coord_320, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_322 = arith.extui %inside_321 : i1 to i8
      %at_323 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside_309, %at_323, %bit_322) : (!rmem_i8_1, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_324 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      %first_325 = cute.slice(%at_308, %at_324) : !coord_tensor_6, !cute.coord<"(0,2,0)">
      %iter_326 = cute.get_iter(%first_325) : !coord_tensor_7
      %coord_327 = cute.deref_arith_tuple_iter(%iter_326) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_328 = cute.elem_less(%coord_327, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_329 = arith.extui %inside_328 : i1 to i8
      %at_330 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside_309, %at_330, %bit_329) : (!rmem_i8_1, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_331 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      %first_332 = cute.slice(%at_308, %at_331) : !coord_tensor_6, !cute.coord<"(0,3,0)">
      %iter_333 = cute.get_iter(%first_332) : !coord_tensor_7
      %coord_334 = cute.deref_arith_tuple_iter(%iter_333) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_335 = cute.elem_less(%coord_334, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_336 = arith.extui %inside_335 : i1 to i8
      %at_337 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside_309, %at_337, %bit_336) : (!rmem_i8_1, !cute.coord<"(0,3,0)">, i8) -> ()
      %at_338 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      %first_339 = cute.slice(%at_308, %at_338) : !coord_tensor_6, !cute.coord<"(0,4,0)">
      %iter_340 = cute.get_iter(%first_339) : !coord_tensor_7
      %coord_341 = cute.deref_arith_tuple_iter(%iter_340) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_342 = cute.elem_less(%coord_341, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_343 = arith.extui %inside_342 : i1 to i8
      %at_344 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      cute.memref.store(%inside_309, %at_344, %bit_343) : (!rmem_i8_1, !cute.coord<"(0,4,0)">, i8) -> ()
      %at_345 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      %first_346 = cute.slice(%at_308, %at_345) : !coord_tensor_6, !cute.coord<"(0,5,0)">
      %iter_347 = cute.get_iter(%first_346) : !coord_tensor_7
      %coord_348 = cute.deref_arith_tuple_iter(%iter_347) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_349 = cute.elem_less(%coord_348, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_350 = arith.extui %inside_349 : i1 to i8
      %at_351 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      cute.memref.store(%inside_309, %at_351, %bit_350) : (!rmem_i8_1, !cute.coord<"(0,5,0)">, i8) -> ()
      %at_352 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      %first_353 = cute.slice(%at_308, %at_352) : !coord_tensor_6, !cute.coord<"(0,6,0)">
      %iter_354 = cute.get_iter(%first_353) : !coord_tensor_7
      %coord_355 = cute.deref_arith_tuple_iter(%iter_354) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_356 = cute.elem_less(%coord_355, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_357 = arith.extui %inside_356 : i1 to i8
      %at_358 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      cute.memref.store(%inside_309, %at_358, %bit_357) : (!rmem_i8_1, !cute.coord<"(0,6,0)">, i8) -> ()
      %at_359 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      %first_360 = cute.slice(%at_308, %at_359) : !coord_tensor_6, !cute.coord<"(0,7,0)">
      %iter_361 = cute.get_iter(%first_360) : !coord_tensor_7
      %coord_362 = cute.deref_arith_tuple_iter(%iter_361) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_363 = cute.elem_less(%coord_362, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?{div=4})">) -> i1
      %bit_364 = arith.extui %inside_363 : i1 to i8
      %at_365 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      cute.memref.store(%inside_309, %at_365, %bit_364) : (!rmem_i8_1, !cute.coord<"(0,7,0)">, i8) -> ()
      %made_366 = cute.make_fragment_like(%to_304) : (!gmem_f32_2) -> !rmem_f32_3
      cute.copy(%store, %get, %made_366) : (!tiled_copy_3, !smem_f32_2, !rmem_f32_3)
      %values_367 = cute.memref.load_vec %made_366 : !rmem_f32_3
      %factors_368 = vector.broadcast %alpha : f32 to vector<32xf32>
      %scaled_369 = arith.mulf %values_367, %factors_368 : vector<32xf32>
      cute.memref.store_vec %scaled_369, %made_366 : !rmem_f32_3
      scf.if %wants_c {
        %added = cute.memref.alloca() : !rmem_f32_3
        %zeros_370 = arith.constant dense<0.000000e+00> : vector<32xf32>
        cute.memref.store_vec %zeros_370, %added : !rmem_f32_3
        cute.copy(%store, %old_306, %added, %inside_309) : (!tiled_copy_3, !gmem_f32_2, !rmem_f32_3, !rmem_i8_1)
        %values_371 = cute.memref.load_vec %added : !rmem_f32_3
        %factors_372 = vector.broadcast %beta : f32 to vector<32xf32>
        %scaled_373 = arith.mulf %values_371, %factors_372 : vector<32xf32>
        %so_far = cute.memref.load_vec %made_366 : !rmem_f32_3
        %all = arith.addf %so_far, %scaled_373 : vector<32xf32>
        cute.memref.store_vec %all, %made_366 : !rmem_f32_3
      }
      cute.copy(%store, %made_366, %to_304, %inside_309) : (!tiled_copy_3, !rmem_f32_3, !gmem_f32_2, !rmem_i8_1)
      gpu.return
    }
  }
}
