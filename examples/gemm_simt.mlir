// D = alpha A B^T + beta C in f32 on 16 x 16 threads: A (M,K), B (N,K), C and D (M,N), the last mode contiguous.
//
// grid  (ceil(M / m_tile), ceil(N / n_tile)), block 256
// dynamic shared memory  (m_tile + n_tile + 64 / k_tile) x k_tile x stages x 4 bytes
//
// Written by `cutec build gemm_simt --emit cute`; `cutec build gemm_simt --help` lists tiles.

!gmem_f32 = !cute.memref<f32, gmem, "(?,?):(?{i64},1)">
!tiled_copy = !cute.tiled_copy<!cute_nvgpu.atom.simt_async_copy<f32, cache = always, 32 b>, layout_copy_tv = <"((8,32),1):((32,1),0)">, tiler_mn = <"[32:1;8:1]">>
!tiled_mma = !cute.tiled_mma<!cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >, atom_layout_MNK = <"(16,16,1):(16,1,0)">, permutation_MNK = <"[(16,4):(4,1);(16,4):(4,1);_]">>
!gmem_f32_1 = !cute.memref<f32, gmem, "(128,8,?):(?{i64},1,8)">
!coord_tensor = !cute.coord_tensor<"(0,0)", "(?,?):(1@0,1@1)">
!coord_tensor_1 = !cute.coord_tensor<"(?{div=128},0)", "(128,8,?):(1@0,1@1,8@1)">
!smem_f32 = !cute.memref<f32, smem, align<16>, "(128,8,3):(1,132,1056)">
!gmem_f32_2 = !cute.memref<f32, gmem, "((1,1),4,1,?):((0,0),?{i64 div=32},0,8)">
!coord_tensor_2 = !cute.coord_tensor<"(?,?)", "((1,1),4,1,?):((0,0),32@0,0,8@1)">
!smem_f32_1 = !cute.memref<f32, smem, "((1,1),4,1,3):((0,0),32,0,1056)">
!smem_f32_2 = !cute.memref<f32, smem, align<16>, "(1,(4,2),8,3):(0,(1,64),132,1056)">
!smem_f32_3 = !cute.memref<f32, smem, align<16>, "(1,(4,2),8):(0,(1,64),132)">
!rmem_f32 = !cute.memref<f32, rmem, "(1,(4,2),8):(0,(1,4),8)">
!universal_copy = !cute_nvgpu.atom.universal_copy<f32, 128 b>
!rmem_i8 = !cute.memref<i8, rmem, align<32>, "(1,4,1):(0,1,0)">
!rmem_f32_1 = !cute.memref<f32, rmem, "(1,(4,2),(4,2)):(0,(1,4),(8,32))">
!gmem_f32_3 = !cute.memref<f32, gmem, "((1,1),4,1):((0,0),?{i64 div=32},0)">
!smem_f32_4 = !cute.memref<f32, smem, "((1,1),4,1):((0,0),32,0)">
!smem_f32_5 = !cute.memref<f32, smem, align<16>, "((4,2)):((1,64))">
!rmem_f32_2 = !cute.memref<f32, rmem, "((4,2)):((1,4))">
!rmem_f32_3 = !cute.memref<f32, rmem, "(1,(4,2)):(0,(1,4))">
!gmem_f32_4 = !cute.memref<f32, gmem, "(128,128):(?{i64},1)">
!gmem_f32_5 = !cute.memref<f32, gmem, "(1,(4,2),(4,2)):(0,(?{i64},?{i64 div=64}),(1,64))">
!coord_tensor_3 = !cute.coord_tensor<"(?{div=128},?{div=128})", "(128,128):(1@0,1@1)">
!coord_tensor_4 = !cute.coord_tensor<"(?{div=4},?{div=4})", "(1,(4,2),(4,2)):(0,(1@0,64@0),(1@1,64@1))">
!rmem_i8_1 = !cute.memref<i8, rmem, align<32>, "(1,8,8):(0,1,8)">
!coord_tensor_5 = !cute.coord_tensor<"(?{div=4},?{div=4})", "():()">
!arith_tuple_iter = !cute.arith_tuple_iter<"(?{div=4},?{div=4})">
!coord_tensor_6 = !cute.coord_tensor<"(?,?{div=4})", "():()">
!coord_tensor_7 = !cute.coord_tensor<"(?{div=2},?{div=4})", "():()">
!arith_tuple_iter_1 = !cute.arith_tuple_iter<"(?{div=2},?{div=4})">
!coord_tensor_8 = !cute.coord_tensor<"(?{div=4},?)", "():()">
!coord_tensor_9 = !cute.coord_tensor<"(?{div=2},?)", "():()">
!coord_tensor_10 = !cute.coord_tensor<"(?{div=4},?{div=2})", "():()">
!arith_tuple_iter_2 = !cute.arith_tuple_iter<"(?{div=4},?{div=2})">
!coord_tensor_11 = !cute.coord_tensor<"(?,?{div=2})", "():()">
!coord_tensor_12 = !cute.coord_tensor<"(?{div=2},?{div=2})", "():()">
!arith_tuple_iter_3 = !cute.arith_tuple_iter<"(?{div=2},?{div=2})">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @gemm_simt(%A: !gmem_f32, %B: !gmem_f32, %C: !gmem_f32, %D: !gmem_f32, %alpha: f32, %beta: f32) kernel attributes {cute.dynamic_shared_memory = 25344 : i64, cute.equal_extents = ["arg0[0] = arg2[0] = arg3[0]", "arg1[0] = arg2[1] = arg3[1]", "arg0[1] = arg1[1]"], cute.grid = ["ceil(arg3[0] / 128)", "ceil(arg3[1] / 128)"], known_block_size = array<i32: 256, 1, 1>} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %at = cute.make_coord(%tid) : (i32) -> !cute.coord<"?">
      %block_m = nvvm.read.ptx.sreg.ctaid.x : i32
      %block_n = nvvm.read.ptx.sreg.ctaid.y : i32
      %smem = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
      %atom = cute.make_atom() : () -> !cute_nvgpu.atom.simt_async_copy<f32, cache = always, 32 b>
      %g2s = cute.make_tiled_copy(%atom) : !tiled_copy
      %atom_0 = cute.make_atom() : () -> !cute_nvgpu.atom.universal_fma<1x1x1, (f32, f32) -> f32 >
      %mma = cute.make_tiled_mma(%atom_0) : !tiled_mma
      %tiler = cute.static : !cute.tile<"[128:1;128:1;8:1]">
      %at_1 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?,_)">
      %gA = cute.local_tile(%A, %tiler, %at_1, "(1,_,1)") : (!gmem_f32, !cute.tile<"[128:1;128:1;8:1]">, !cute.coord<"(?,?,_)">) -> !gmem_f32_1
      %layoutA = cute.get_layout(%A) : !gmem_f32
      %shapeA = cute.get_shape(%layoutA) : !cute.layout<"(?,?):(?{i64},1)"> -> !cute.shape<"(?,?)">
      %coordsA = cute.make_identity_tensor(%shapeA) : !cute.shape<"(?,?)"> -> !coord_tensor
      %tiler_2 = cute.static : !cute.tile<"[128:1;128:1;8:1]">
      %at_3 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?,_)">
      %cA = cute.local_tile(%coordsA, %tiler_2, %at_3, "(1,_,1)") : (!coord_tensor, !cute.tile<"[128:1;128:1;8:1]">, !cute.coord<"(?,?,_)">) -> !coord_tensor_1
      %pointer = cute.recast_iter(%smem) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f32, smem, align<16>>
      %sA = cute.make_view(%pointer) : !smem_f32
      %fromA = cute.tiled.copy.partition_S(%g2s, %gA, %at) : (!tiled_copy, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %atA = cute.tiled.copy.partition_S(%g2s, %cA, %at) : (!tiled_copy, !coord_tensor_1, !cute.coord<"?">) -> !coord_tensor_2
      %intoA = cute.tiled.copy.partition_D(%g2s, %sA, %at) : (!tiled_copy, !smem_f32, !cute.coord<"?">) -> !smem_f32_1
      %partA = cute.tiled.mma.partition A(%mma, %sA, %at) : (!tiled_mma, !smem_f32, !cute.coord<"?">) -> !smem_f32_2
      %at_4 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
      %partA_5 = cute.slice(%partA, %at_4) : !smem_f32_2, !cute.coord<"(_,_,_,0)">
      %rA = cute.mma.make_fragment A(%mma, %partA_5) : (!tiled_mma, !smem_f32_3) -> !rmem_f32
      %loadA = cute.make_atom() : () -> !universal_copy
      %inside = cute.memref.alloca() : !rmem_i8
      %at_6 = cute.make_coord() : () -> !cute.coord<"(0,0,0,0)">
      %first = cute.slice(%atA, %at_6) : !coord_tensor_2, !cute.coord<"(0,0,0,0)">
      %iter = cute.get_iter(%first) : !cute.coord_tensor<"(?,?)", "():()">
      %coord = cute.deref_arith_tuple_iter(%iter) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %row = cute.get<[0]> (%coord) : !cute.int_tuple<"(?,?)"> -> !cute.int_tuple<"?">
      %rows = cute.get<[0]> (%shapeA) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
      %inside_7 = cute.elem_less(%row, %rows) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit = arith.extui %inside_7 : i1 to i8
      %at_8 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside, %at_8, %bit) : (!rmem_i8, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_9 = cute.make_coord() : () -> !cute.coord<"(0,1,0,0)">
      %first_10 = cute.slice(%atA, %at_9) : !coord_tensor_2, !cute.coord<"(0,1,0,0)">
      %iter_11 = cute.get_iter(%first_10) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_12 = cute.deref_arith_tuple_iter(%iter_11) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %row_13 = cute.get<[0]> (%coord_12) : !cute.int_tuple<"(?,?)"> -> !cute.int_tuple<"?">
      %rows_14 = cute.get<[0]> (%shapeA) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
      %inside_15 = cute.elem_less(%row_13, %rows_14) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_16 = arith.extui %inside_15 : i1 to i8
      %at_17 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside, %at_17, %bit_16) : (!rmem_i8, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_18 = cute.make_coord() : () -> !cute.coord<"(0,2,0,0)">
      %first_19 = cute.slice(%atA, %at_18) : !coord_tensor_2, !cute.coord<"(0,2,0,0)">
      %iter_20 = cute.get_iter(%first_19) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_21 = cute.deref_arith_tuple_iter(%iter_20) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %row_22 = cute.get<[0]> (%coord_21) : !cute.int_tuple<"(?,?)"> -> !cute.int_tuple<"?">
      %rows_23 = cute.get<[0]> (%shapeA) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
      %inside_24 = cute.elem_less(%row_22, %rows_23) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_25 = arith.extui %inside_24 : i1 to i8
      %at_26 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside, %at_26, %bit_25) : (!rmem_i8, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_27 = cute.make_coord() : () -> !cute.coord<"(0,3,0,0)">
      %first_28 = cute.slice(%atA, %at_27) : !coord_tensor_2, !cute.coord<"(0,3,0,0)">
      %iter_29 = cute.get_iter(%first_28) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_30 = cute.deref_arith_tuple_iter(%iter_29) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %row_31 = cute.get<[0]> (%coord_30) : !cute.int_tuple<"(?,?)"> -> !cute.int_tuple<"?">
      %rows_32 = cute.get<[0]> (%shapeA) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
      %inside_33 = cute.elem_less(%row_31, %rows_32) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_34 = arith.extui %inside_33 : i1 to i8
      %at_35 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside, %at_35, %bit_34) : (!rmem_i8, !cute.coord<"(0,3,0)">, i8) -> ()
      %tiler_36 = cute.static : !cute.tile<"[128:1;128:1;8:1]">
      %at_37 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?,_)">
      %gB = cute.local_tile(%B, %tiler_36, %at_37, "(_,1,1)") : (!gmem_f32, !cute.tile<"[128:1;128:1;8:1]">, !cute.coord<"(?,?,_)">) -> !gmem_f32_1
      %layoutB = cute.get_layout(%B) : !gmem_f32
      %shapeB = cute.get_shape(%layoutB) : !cute.layout<"(?,?):(?{i64},1)"> -> !cute.shape<"(?,?)">
      %coordsB = cute.make_identity_tensor(%shapeB) : !cute.shape<"(?,?)"> -> !coord_tensor
      %tiler_38 = cute.static : !cute.tile<"[128:1;128:1;8:1]">
      %at_39 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?,_)">
      %cB = cute.local_tile(%coordsB, %tiler_38, %at_39, "(_,1,1)") : (!coord_tensor, !cute.tile<"[128:1;128:1;8:1]">, !cute.coord<"(?,?,_)">) -> !coord_tensor_1
      %offset = cute.static : !cute.int_tuple<"12672">
      %memory = cute.add_offset(%smem, %offset) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"12672">) -> !cute.ptr<i8, smem, align<128>>
      %pointer_40 = cute.recast_iter(%memory) : !cute.ptr<i8, smem, align<128>> to !cute.ptr<f32, smem, align<16>>
      %sB = cute.make_view(%pointer_40) : !smem_f32
      %fromB = cute.tiled.copy.partition_S(%g2s, %gB, %at) : (!tiled_copy, !gmem_f32_1, !cute.coord<"?">) -> !gmem_f32_2
      %atB = cute.tiled.copy.partition_S(%g2s, %cB, %at) : (!tiled_copy, !coord_tensor_1, !cute.coord<"?">) -> !coord_tensor_2
      %intoB = cute.tiled.copy.partition_D(%g2s, %sB, %at) : (!tiled_copy, !smem_f32, !cute.coord<"?">) -> !smem_f32_1
      %partB = cute.tiled.mma.partition B(%mma, %sB, %at) : (!tiled_mma, !smem_f32, !cute.coord<"?">) -> !smem_f32_2
      %at_41 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
      %partB_42 = cute.slice(%partB, %at_41) : !smem_f32_2, !cute.coord<"(_,_,_,0)">
      %rB = cute.mma.make_fragment B(%mma, %partB_42) : (!tiled_mma, !smem_f32_3) -> !rmem_f32
      %loadB = cute.make_atom() : () -> !universal_copy
      %inside_43 = cute.memref.alloca() : !rmem_i8
      %at_44 = cute.make_coord() : () -> !cute.coord<"(0,0,0,0)">
      %first_45 = cute.slice(%atB, %at_44) : !coord_tensor_2, !cute.coord<"(0,0,0,0)">
      %iter_46 = cute.get_iter(%first_45) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_47 = cute.deref_arith_tuple_iter(%iter_46) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %row_48 = cute.get<[0]> (%coord_47) : !cute.int_tuple<"(?,?)"> -> !cute.int_tuple<"?">
      %rows_49 = cute.get<[0]> (%shapeB) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
      %inside_50 = cute.elem_less(%row_48, %rows_49) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_51 = arith.extui %inside_50 : i1 to i8
      %at_52 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside_43, %at_52, %bit_51) : (!rmem_i8, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_53 = cute.make_coord() : () -> !cute.coord<"(0,1,0,0)">
      %first_54 = cute.slice(%atB, %at_53) : !coord_tensor_2, !cute.coord<"(0,1,0,0)">
      %iter_55 = cute.get_iter(%first_54) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_56 = cute.deref_arith_tuple_iter(%iter_55) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %row_57 = cute.get<[0]> (%coord_56) : !cute.int_tuple<"(?,?)"> -> !cute.int_tuple<"?">
      %rows_58 = cute.get<[0]> (%shapeB) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
      %inside_59 = cute.elem_less(%row_57, %rows_58) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_60 = arith.extui %inside_59 : i1 to i8
      %at_61 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside_43, %at_61, %bit_60) : (!rmem_i8, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_62 = cute.make_coord() : () -> !cute.coord<"(0,2,0,0)">
      %first_63 = cute.slice(%atB, %at_62) : !coord_tensor_2, !cute.coord<"(0,2,0,0)">
      %iter_64 = cute.get_iter(%first_63) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_65 = cute.deref_arith_tuple_iter(%iter_64) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %row_66 = cute.get<[0]> (%coord_65) : !cute.int_tuple<"(?,?)"> -> !cute.int_tuple<"?">
      %rows_67 = cute.get<[0]> (%shapeB) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
      %inside_68 = cute.elem_less(%row_66, %rows_67) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_69 = arith.extui %inside_68 : i1 to i8
      %at_70 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside_43, %at_70, %bit_69) : (!rmem_i8, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_71 = cute.make_coord() : () -> !cute.coord<"(0,3,0,0)">
      %first_72 = cute.slice(%atB, %at_71) : !coord_tensor_2, !cute.coord<"(0,3,0,0)">
      %iter_73 = cute.get_iter(%first_72) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_74 = cute.deref_arith_tuple_iter(%iter_73) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %row_75 = cute.get<[0]> (%coord_74) : !cute.int_tuple<"(?,?)"> -> !cute.int_tuple<"?">
      %rows_76 = cute.get<[0]> (%shapeB) : !cute.shape<"(?,?)"> -> !cute.shape<"?">
      %inside_77 = cute.elem_less(%row_75, %rows_76) : (!cute.int_tuple<"?">, !cute.shape<"?">) -> i1
      %bit_78 = arith.extui %inside_77 : i1 to i8
      %at_79 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside_43, %at_79, %bit_78) : (!rmem_i8, !cute.coord<"(0,3,0)">, i8) -> ()
      %shapeC = cute.static : !cute.shape<"(128,128)">
      %partC = cute.tiled.mma.partition_shape C(%mma, %shapeC) : (!tiled_mma, !cute.shape<"(128,128)">) -> !cute.shape<"(1,(4,2),(4,2))">
      %accumulators = cute.mma.make_fragment C(%mma, %partC) : (!tiled_mma, !cute.shape<"(1,(4,2),(4,2))">) -> !rmem_f32_1
      %zeros = arith.constant dense<0.000000e+00> : vector<64xf32>
      cute.memref.store_vec %zeros, %accumulators : !rmem_f32_1
      %size = cute.size<[3]> (%fromA) : (!gmem_f32_2) -> !cute.int_tuple<"?">
      %tiles = cute.get_scalars (%size) : !cute.int_tuple<"?">
      %c1 = arith.constant 1 : i32
      %c0 = arith.constant 0 : i32
      %some = arith.cmpi slt, %c0, %tiles : i32
      scf.if %some {
        %last = arith.subi %tiles, %c1 : i32
        %inside_538 = cute.memref.alloca() : !rmem_i8
        %at_539 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,0,0,?)">
        %first_540 = cute.slice(%atA, %at_539) : !coord_tensor_2, !cute.coord<"(0,0,0,?)">
        %iter_541 = cute.get_iter(%first_540) : !cute.coord_tensor<"(?,?)", "():()">
        %coord_542 = cute.deref_arith_tuple_iter(%iter_541) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
        %inside_543 = cute.elem_less(%coord_542, %shapeA) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
        %bit_544 = arith.extui %inside_543 : i1 to i8
        %at_545 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
        cute.memref.store(%inside_538, %at_545, %bit_544) : (!rmem_i8, !cute.coord<"(0,0,0)">, i8) -> ()
        %at_546 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,1,0,?)">
        %first_547 = cute.slice(%atA, %at_546) : !coord_tensor_2, !cute.coord<"(0,1,0,?)">
        %iter_548 = cute.get_iter(%first_547) : !cute.coord_tensor<"(?,?)", "():()">
        %coord_549 = cute.deref_arith_tuple_iter(%iter_548) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
        %inside_550 = cute.elem_less(%coord_549, %shapeA) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
        %bit_551 = arith.extui %inside_550 : i1 to i8
        %at_552 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
        cute.memref.store(%inside_538, %at_552, %bit_551) : (!rmem_i8, !cute.coord<"(0,1,0)">, i8) -> ()
        %at_553 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,2,0,?)">
        %first_554 = cute.slice(%atA, %at_553) : !coord_tensor_2, !cute.coord<"(0,2,0,?)">
        %iter_555 = cute.get_iter(%first_554) : !cute.coord_tensor<"(?,?)", "():()">
        %coord_556 = cute.deref_arith_tuple_iter(%iter_555) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
        %inside_557 = cute.elem_less(%coord_556, %shapeA) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
        %bit_558 = arith.extui %inside_557 : i1 to i8
        %at_559 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
        cute.memref.store(%inside_538, %at_559, %bit_558) : (!rmem_i8, !cute.coord<"(0,2,0)">, i8) -> ()
        %at_560 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,3,0,?)">
        %first_561 = cute.slice(%atA, %at_560) : !coord_tensor_2, !cute.coord<"(0,3,0,?)">
        %iter_562 = cute.get_iter(%first_561) : !cute.coord_tensor<"(?,?)", "():()">
        %coord_563 = cute.deref_arith_tuple_iter(%iter_562) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
        %inside_564 = cute.elem_less(%coord_563, %shapeA) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
        %bit_565 = arith.extui %inside_564 : i1 to i8
        %at_566 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
        cute.memref.store(%inside_538, %at_566, %bit_565) : (!rmem_i8, !cute.coord<"(0,3,0)">, i8) -> ()
        %at_567 = cute.make_coord(%last) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from = cute.slice(%fromA, %at_567) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_568 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %into = cute.slice(%intoA, %at_568) : !smem_f32_1, !cute.coord<"(_,_,_,0)">
        cute.copy(%g2s, %from, %into, %inside_538) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        %inside_569 = cute.memref.alloca() : !rmem_i8
        %at_570 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,0,0,?)">
        %first_571 = cute.slice(%atB, %at_570) : !coord_tensor_2, !cute.coord<"(0,0,0,?)">
        %iter_572 = cute.get_iter(%first_571) : !cute.coord_tensor<"(?,?)", "():()">
        %coord_573 = cute.deref_arith_tuple_iter(%iter_572) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
        %inside_574 = cute.elem_less(%coord_573, %shapeB) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
        %bit_575 = arith.extui %inside_574 : i1 to i8
        %at_576 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
        cute.memref.store(%inside_569, %at_576, %bit_575) : (!rmem_i8, !cute.coord<"(0,0,0)">, i8) -> ()
        %at_577 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,1,0,?)">
        %first_578 = cute.slice(%atB, %at_577) : !coord_tensor_2, !cute.coord<"(0,1,0,?)">
        %iter_579 = cute.get_iter(%first_578) : !cute.coord_tensor<"(?,?)", "():()">
        %coord_580 = cute.deref_arith_tuple_iter(%iter_579) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
        %inside_581 = cute.elem_less(%coord_580, %shapeB) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
        %bit_582 = arith.extui %inside_581 : i1 to i8
        %at_583 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
        cute.memref.store(%inside_569, %at_583, %bit_582) : (!rmem_i8, !cute.coord<"(0,1,0)">, i8) -> ()
        %at_584 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,2,0,?)">
        %first_585 = cute.slice(%atB, %at_584) : !coord_tensor_2, !cute.coord<"(0,2,0,?)">
        %iter_586 = cute.get_iter(%first_585) : !cute.coord_tensor<"(?,?)", "():()">
        %coord_587 = cute.deref_arith_tuple_iter(%iter_586) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
        %inside_588 = cute.elem_less(%coord_587, %shapeB) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
        %bit_589 = arith.extui %inside_588 : i1 to i8
        %at_590 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
        cute.memref.store(%inside_569, %at_590, %bit_589) : (!rmem_i8, !cute.coord<"(0,2,0)">, i8) -> ()
        %at_591 = cute.make_coord(%last) : (i32) -> !cute.coord<"(0,3,0,?)">
        %first_592 = cute.slice(%atB, %at_591) : !coord_tensor_2, !cute.coord<"(0,3,0,?)">
        %iter_593 = cute.get_iter(%first_592) : !cute.coord_tensor<"(?,?)", "():()">
        %coord_594 = cute.deref_arith_tuple_iter(%iter_593) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
        %inside_595 = cute.elem_less(%coord_594, %shapeB) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
        %bit_596 = arith.extui %inside_595 : i1 to i8
        %at_597 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
        cute.memref.store(%inside_569, %at_597, %bit_596) : (!rmem_i8, !cute.coord<"(0,3,0)">, i8) -> ()
        %at_598 = cute.make_coord(%last) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_599 = cute.slice(%fromB, %at_598) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_600 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %into_601 = cute.slice(%intoB, %at_600) : !smem_f32_1, !cute.coord<"(_,_,_,0)">
        cute.copy(%g2s, %from_599, %into_601, %inside_569) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
      }
      nvvm.cp.async.commit.group
      %c1_80 = arith.constant 1 : i32
      %there = arith.cmpi slt, %c1_80, %tiles : i32
      scf.if %there {
        %c0_538 = arith.constant 0 : i32
        %at_539 = cute.make_coord(%c0_538) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from = cute.slice(%fromA, %at_539) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_540 = cute.make_coord() : () -> !cute.coord<"(_,_,_,1)">
        %into = cute.slice(%intoA, %at_540) : !smem_f32_1, !cute.coord<"(_,_,_,1)">
        cute.copy(%g2s, %from, %into, %inside) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        %at_541 = cute.make_coord(%c0_538) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_542 = cute.slice(%fromB, %at_541) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_543 = cute.make_coord() : () -> !cute.coord<"(_,_,_,1)">
        %into_544 = cute.slice(%intoB, %at_543) : !smem_f32_1, !cute.coord<"(_,_,_,1)">
        cute.copy(%g2s, %from_542, %into_544, %inside_43) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
      }
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 1
      nvvm.barrier0
      scf.if %some {
        %at_538 = cute.make_coord() : () -> !cute.coord<"(0,_,0,0)">
        %from = cute.slice(%partA, %at_538) : !smem_f32_2, !cute.coord<"(0,_,0,0)">
        %at_539 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
        %to_540 = cute.slice(%rA, %at_539) : !rmem_f32, !cute.coord<"(0,_,0)">
        cute.copy(%loadA, %from, %to_540) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_541 = cute.make_coord() : () -> !cute.coord<"(0,_,0,0)">
        %from_542 = cute.slice(%partB, %at_541) : !smem_f32_2, !cute.coord<"(0,_,0,0)">
        %at_543 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
        %to_544 = cute.slice(%rB, %at_543) : !rmem_f32, !cute.coord<"(0,_,0)">
        cute.copy(%loadB, %from_542, %to_544) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
      }
      %c0_81 = arith.constant 0 : i32
      %c2 = arith.constant 2 : i32
      %ahead = arith.subi %tiles, %c2 : i32
      %ahead_82 = arith.maxsi %ahead, %c0_81 : i32
      %c3 = arith.constant 3 : i32
      %rest = arith.remsi %ahead_82, %c3 : i32
      %steady = arith.subi %ahead_82, %rest : i32
      scf.for %t = %c0_81 to %steady step %c3  : i32 {
        %c1_538 = arith.constant 1 : i32
        %tile_539 = arith.addi %t, %c1_538 : i32
        %at_540 = cute.make_coord() : () -> !cute.coord<"(0,_,1,0)">
        %from = cute.slice(%partA, %at_540) : !smem_f32_2, !cute.coord<"(0,_,1,0)">
        %at_541 = cute.make_coord() : () -> !cute.coord<"(0,_,1)">
        %to_542 = cute.slice(%rA, %at_541) : !rmem_f32, !cute.coord<"(0,_,1)">
        cute.copy(%loadA, %from, %to_542) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_543 = cute.make_coord() : () -> !cute.coord<"(0,_,1,0)">
        %from_544 = cute.slice(%partB, %at_543) : !smem_f32_2, !cute.coord<"(0,_,1,0)">
        %at_545 = cute.make_coord() : () -> !cute.coord<"(0,_,1)">
        %to_546 = cute.slice(%rB, %at_545) : !rmem_f32, !cute.coord<"(0,_,1)">
        cute.copy(%loadB, %from_544, %to_546) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_547 = cute.make_coord(%tile_539) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_548 = cute.slice(%fromA, %at_547) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_549 = cute.make_coord() : () -> !cute.coord<"(_,_,_,2)">
        %into = cute.slice(%intoA, %at_549) : !smem_f32_1, !cute.coord<"(_,_,_,2)">
        cute.copy(%g2s, %from_548, %into, %inside) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        %at_550 = cute.make_coord(%tile_539) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_551 = cute.slice(%fromB, %at_550) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_552 = cute.make_coord() : () -> !cute.coord<"(_,_,_,2)">
        %into_553 = cute.slice(%intoB, %at_552) : !smem_f32_1, !cute.coord<"(_,_,_,2)">
        cute.copy(%g2s, %from_551, %into_553, %inside_43) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        nvvm.cp.async.commit.group
        %at_554 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block = cute.slice(%rA, %at_554) : !rmem_f32, !cute.coord<"(_,_,0)">
        %at_555 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_556 = cute.slice(%rB, %at_555) : !rmem_f32, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block, %block_556, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_557 = cute.make_coord() : () -> !cute.coord<"(0,_,2,0)">
        %from_558 = cute.slice(%partA, %at_557) : !smem_f32_2, !cute.coord<"(0,_,2,0)">
        %at_559 = cute.make_coord() : () -> !cute.coord<"(0,_,2)">
        %to_560 = cute.slice(%rA, %at_559) : !rmem_f32, !cute.coord<"(0,_,2)">
        cute.copy(%loadA, %from_558, %to_560) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_561 = cute.make_coord() : () -> !cute.coord<"(0,_,2,0)">
        %from_562 = cute.slice(%partB, %at_561) : !smem_f32_2, !cute.coord<"(0,_,2,0)">
        %at_563 = cute.make_coord() : () -> !cute.coord<"(0,_,2)">
        %to_564 = cute.slice(%rB, %at_563) : !rmem_f32, !cute.coord<"(0,_,2)">
        cute.copy(%loadB, %from_562, %to_564) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_565 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_566 = cute.slice(%rA, %at_565) : !rmem_f32, !cute.coord<"(_,_,1)">
        %at_567 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_568 = cute.slice(%rB, %at_567) : !rmem_f32, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_566, %block_568, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_569 = cute.make_coord() : () -> !cute.coord<"(0,_,3,0)">
        %from_570 = cute.slice(%partA, %at_569) : !smem_f32_2, !cute.coord<"(0,_,3,0)">
        %at_571 = cute.make_coord() : () -> !cute.coord<"(0,_,3)">
        %to_572 = cute.slice(%rA, %at_571) : !rmem_f32, !cute.coord<"(0,_,3)">
        cute.copy(%loadA, %from_570, %to_572) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_573 = cute.make_coord() : () -> !cute.coord<"(0,_,3,0)">
        %from_574 = cute.slice(%partB, %at_573) : !smem_f32_2, !cute.coord<"(0,_,3,0)">
        %at_575 = cute.make_coord() : () -> !cute.coord<"(0,_,3)">
        %to_576 = cute.slice(%rB, %at_575) : !rmem_f32, !cute.coord<"(0,_,3)">
        cute.copy(%loadB, %from_574, %to_576) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_577 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
        %block_578 = cute.slice(%rA, %at_577) : !rmem_f32, !cute.coord<"(_,_,2)">
        %at_579 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
        %block_580 = cute.slice(%rB, %at_579) : !rmem_f32, !cute.coord<"(_,_,2)">
        cute.gemm(%mma, %accumulators, %block_578, %block_580, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_581 = cute.make_coord() : () -> !cute.coord<"(0,_,4,0)">
        %from_582 = cute.slice(%partA, %at_581) : !smem_f32_2, !cute.coord<"(0,_,4,0)">
        %at_583 = cute.make_coord() : () -> !cute.coord<"(0,_,4)">
        %to_584 = cute.slice(%rA, %at_583) : !rmem_f32, !cute.coord<"(0,_,4)">
        cute.copy(%loadA, %from_582, %to_584) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_585 = cute.make_coord() : () -> !cute.coord<"(0,_,4,0)">
        %from_586 = cute.slice(%partB, %at_585) : !smem_f32_2, !cute.coord<"(0,_,4,0)">
        %at_587 = cute.make_coord() : () -> !cute.coord<"(0,_,4)">
        %to_588 = cute.slice(%rB, %at_587) : !rmem_f32, !cute.coord<"(0,_,4)">
        cute.copy(%loadB, %from_586, %to_588) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_589 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
        %block_590 = cute.slice(%rA, %at_589) : !rmem_f32, !cute.coord<"(_,_,3)">
        %at_591 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
        %block_592 = cute.slice(%rB, %at_591) : !rmem_f32, !cute.coord<"(_,_,3)">
        cute.gemm(%mma, %accumulators, %block_590, %block_592, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_593 = cute.make_coord() : () -> !cute.coord<"(0,_,5,0)">
        %from_594 = cute.slice(%partA, %at_593) : !smem_f32_2, !cute.coord<"(0,_,5,0)">
        %at_595 = cute.make_coord() : () -> !cute.coord<"(0,_,5)">
        %to_596 = cute.slice(%rA, %at_595) : !rmem_f32, !cute.coord<"(0,_,5)">
        cute.copy(%loadA, %from_594, %to_596) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_597 = cute.make_coord() : () -> !cute.coord<"(0,_,5,0)">
        %from_598 = cute.slice(%partB, %at_597) : !smem_f32_2, !cute.coord<"(0,_,5,0)">
        %at_599 = cute.make_coord() : () -> !cute.coord<"(0,_,5)">
        %to_600 = cute.slice(%rB, %at_599) : !rmem_f32, !cute.coord<"(0,_,5)">
        cute.copy(%loadB, %from_598, %to_600) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_601 = cute.make_coord() : () -> !cute.coord<"(_,_,4)">
        %block_602 = cute.slice(%rA, %at_601) : !rmem_f32, !cute.coord<"(_,_,4)">
        %at_603 = cute.make_coord() : () -> !cute.coord<"(_,_,4)">
        %block_604 = cute.slice(%rB, %at_603) : !rmem_f32, !cute.coord<"(_,_,4)">
        cute.gemm(%mma, %accumulators, %block_602, %block_604, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_605 = cute.make_coord() : () -> !cute.coord<"(0,_,6,0)">
        %from_606 = cute.slice(%partA, %at_605) : !smem_f32_2, !cute.coord<"(0,_,6,0)">
        %at_607 = cute.make_coord() : () -> !cute.coord<"(0,_,6)">
        %to_608 = cute.slice(%rA, %at_607) : !rmem_f32, !cute.coord<"(0,_,6)">
        cute.copy(%loadA, %from_606, %to_608) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_609 = cute.make_coord() : () -> !cute.coord<"(0,_,6,0)">
        %from_610 = cute.slice(%partB, %at_609) : !smem_f32_2, !cute.coord<"(0,_,6,0)">
        %at_611 = cute.make_coord() : () -> !cute.coord<"(0,_,6)">
        %to_612 = cute.slice(%rB, %at_611) : !rmem_f32, !cute.coord<"(0,_,6)">
        cute.copy(%loadB, %from_610, %to_612) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_613 = cute.make_coord() : () -> !cute.coord<"(_,_,5)">
        %block_614 = cute.slice(%rA, %at_613) : !rmem_f32, !cute.coord<"(_,_,5)">
        %at_615 = cute.make_coord() : () -> !cute.coord<"(_,_,5)">
        %block_616 = cute.slice(%rB, %at_615) : !rmem_f32, !cute.coord<"(_,_,5)">
        cute.gemm(%mma, %accumulators, %block_614, %block_616, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_617 = cute.make_coord() : () -> !cute.coord<"(0,_,7,0)">
        %from_618 = cute.slice(%partA, %at_617) : !smem_f32_2, !cute.coord<"(0,_,7,0)">
        %at_619 = cute.make_coord() : () -> !cute.coord<"(0,_,7)">
        %to_620 = cute.slice(%rA, %at_619) : !rmem_f32, !cute.coord<"(0,_,7)">
        cute.copy(%loadA, %from_618, %to_620) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_621 = cute.make_coord() : () -> !cute.coord<"(0,_,7,0)">
        %from_622 = cute.slice(%partB, %at_621) : !smem_f32_2, !cute.coord<"(0,_,7,0)">
        %at_623 = cute.make_coord() : () -> !cute.coord<"(0,_,7)">
        %to_624 = cute.slice(%rB, %at_623) : !rmem_f32, !cute.coord<"(0,_,7)">
        cute.copy(%loadB, %from_622, %to_624) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_625 = cute.make_coord() : () -> !cute.coord<"(_,_,6)">
        %block_626 = cute.slice(%rA, %at_625) : !rmem_f32, !cute.coord<"(_,_,6)">
        %at_627 = cute.make_coord() : () -> !cute.coord<"(_,_,6)">
        %block_628 = cute.slice(%rB, %at_627) : !rmem_f32, !cute.coord<"(_,_,6)">
        cute.gemm(%mma, %accumulators, %block_626, %block_628, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        nvvm.cp.async.wait.group 1
        nvvm.barrier0
        %at_629 = cute.make_coord() : () -> !cute.coord<"(0,_,0,1)">
        %from_630 = cute.slice(%partA, %at_629) : !smem_f32_2, !cute.coord<"(0,_,0,1)">
        %at_631 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
        %to_632 = cute.slice(%rA, %at_631) : !rmem_f32, !cute.coord<"(0,_,0)">
        cute.copy(%loadA, %from_630, %to_632) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_633 = cute.make_coord() : () -> !cute.coord<"(0,_,0,1)">
        %from_634 = cute.slice(%partB, %at_633) : !smem_f32_2, !cute.coord<"(0,_,0,1)">
        %at_635 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
        %to_636 = cute.slice(%rB, %at_635) : !rmem_f32, !cute.coord<"(0,_,0)">
        cute.copy(%loadB, %from_634, %to_636) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_637 = cute.make_coord() : () -> !cute.coord<"(_,_,7)">
        %block_638 = cute.slice(%rA, %at_637) : !rmem_f32, !cute.coord<"(_,_,7)">
        %at_639 = cute.make_coord() : () -> !cute.coord<"(_,_,7)">
        %block_640 = cute.slice(%rB, %at_639) : !rmem_f32, !cute.coord<"(_,_,7)">
        cute.gemm(%mma, %accumulators, %block_638, %block_640, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %c2_641 = arith.constant 2 : i32
        %tile_642 = arith.addi %t, %c2_641 : i32
        %at_643 = cute.make_coord() : () -> !cute.coord<"(0,_,1,1)">
        %from_644 = cute.slice(%partA, %at_643) : !smem_f32_2, !cute.coord<"(0,_,1,1)">
        %at_645 = cute.make_coord() : () -> !cute.coord<"(0,_,1)">
        %to_646 = cute.slice(%rA, %at_645) : !rmem_f32, !cute.coord<"(0,_,1)">
        cute.copy(%loadA, %from_644, %to_646) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_647 = cute.make_coord() : () -> !cute.coord<"(0,_,1,1)">
        %from_648 = cute.slice(%partB, %at_647) : !smem_f32_2, !cute.coord<"(0,_,1,1)">
        %at_649 = cute.make_coord() : () -> !cute.coord<"(0,_,1)">
        %to_650 = cute.slice(%rB, %at_649) : !rmem_f32, !cute.coord<"(0,_,1)">
        cute.copy(%loadB, %from_648, %to_650) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_651 = cute.make_coord(%tile_642) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_652 = cute.slice(%fromA, %at_651) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_653 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %into_654 = cute.slice(%intoA, %at_653) : !smem_f32_1, !cute.coord<"(_,_,_,0)">
        cute.copy(%g2s, %from_652, %into_654, %inside) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        %at_655 = cute.make_coord(%tile_642) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_656 = cute.slice(%fromB, %at_655) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_657 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %into_658 = cute.slice(%intoB, %at_657) : !smem_f32_1, !cute.coord<"(_,_,_,0)">
        cute.copy(%g2s, %from_656, %into_658, %inside_43) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        nvvm.cp.async.commit.group
        %at_659 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_660 = cute.slice(%rA, %at_659) : !rmem_f32, !cute.coord<"(_,_,0)">
        %at_661 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_662 = cute.slice(%rB, %at_661) : !rmem_f32, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block_660, %block_662, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_663 = cute.make_coord() : () -> !cute.coord<"(0,_,2,1)">
        %from_664 = cute.slice(%partA, %at_663) : !smem_f32_2, !cute.coord<"(0,_,2,1)">
        %at_665 = cute.make_coord() : () -> !cute.coord<"(0,_,2)">
        %to_666 = cute.slice(%rA, %at_665) : !rmem_f32, !cute.coord<"(0,_,2)">
        cute.copy(%loadA, %from_664, %to_666) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_667 = cute.make_coord() : () -> !cute.coord<"(0,_,2,1)">
        %from_668 = cute.slice(%partB, %at_667) : !smem_f32_2, !cute.coord<"(0,_,2,1)">
        %at_669 = cute.make_coord() : () -> !cute.coord<"(0,_,2)">
        %to_670 = cute.slice(%rB, %at_669) : !rmem_f32, !cute.coord<"(0,_,2)">
        cute.copy(%loadB, %from_668, %to_670) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_671 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_672 = cute.slice(%rA, %at_671) : !rmem_f32, !cute.coord<"(_,_,1)">
        %at_673 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_674 = cute.slice(%rB, %at_673) : !rmem_f32, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_672, %block_674, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_675 = cute.make_coord() : () -> !cute.coord<"(0,_,3,1)">
        %from_676 = cute.slice(%partA, %at_675) : !smem_f32_2, !cute.coord<"(0,_,3,1)">
        %at_677 = cute.make_coord() : () -> !cute.coord<"(0,_,3)">
        %to_678 = cute.slice(%rA, %at_677) : !rmem_f32, !cute.coord<"(0,_,3)">
        cute.copy(%loadA, %from_676, %to_678) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_679 = cute.make_coord() : () -> !cute.coord<"(0,_,3,1)">
        %from_680 = cute.slice(%partB, %at_679) : !smem_f32_2, !cute.coord<"(0,_,3,1)">
        %at_681 = cute.make_coord() : () -> !cute.coord<"(0,_,3)">
        %to_682 = cute.slice(%rB, %at_681) : !rmem_f32, !cute.coord<"(0,_,3)">
        cute.copy(%loadB, %from_680, %to_682) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_683 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
        %block_684 = cute.slice(%rA, %at_683) : !rmem_f32, !cute.coord<"(_,_,2)">
        %at_685 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
        %block_686 = cute.slice(%rB, %at_685) : !rmem_f32, !cute.coord<"(_,_,2)">
        cute.gemm(%mma, %accumulators, %block_684, %block_686, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_687 = cute.make_coord() : () -> !cute.coord<"(0,_,4,1)">
        %from_688 = cute.slice(%partA, %at_687) : !smem_f32_2, !cute.coord<"(0,_,4,1)">
        %at_689 = cute.make_coord() : () -> !cute.coord<"(0,_,4)">
        %to_690 = cute.slice(%rA, %at_689) : !rmem_f32, !cute.coord<"(0,_,4)">
        cute.copy(%loadA, %from_688, %to_690) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_691 = cute.make_coord() : () -> !cute.coord<"(0,_,4,1)">
        %from_692 = cute.slice(%partB, %at_691) : !smem_f32_2, !cute.coord<"(0,_,4,1)">
        %at_693 = cute.make_coord() : () -> !cute.coord<"(0,_,4)">
        %to_694 = cute.slice(%rB, %at_693) : !rmem_f32, !cute.coord<"(0,_,4)">
        cute.copy(%loadB, %from_692, %to_694) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_695 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
        %block_696 = cute.slice(%rA, %at_695) : !rmem_f32, !cute.coord<"(_,_,3)">
        %at_697 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
        %block_698 = cute.slice(%rB, %at_697) : !rmem_f32, !cute.coord<"(_,_,3)">
        cute.gemm(%mma, %accumulators, %block_696, %block_698, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_699 = cute.make_coord() : () -> !cute.coord<"(0,_,5,1)">
        %from_700 = cute.slice(%partA, %at_699) : !smem_f32_2, !cute.coord<"(0,_,5,1)">
        %at_701 = cute.make_coord() : () -> !cute.coord<"(0,_,5)">
        %to_702 = cute.slice(%rA, %at_701) : !rmem_f32, !cute.coord<"(0,_,5)">
        cute.copy(%loadA, %from_700, %to_702) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_703 = cute.make_coord() : () -> !cute.coord<"(0,_,5,1)">
        %from_704 = cute.slice(%partB, %at_703) : !smem_f32_2, !cute.coord<"(0,_,5,1)">
        %at_705 = cute.make_coord() : () -> !cute.coord<"(0,_,5)">
        %to_706 = cute.slice(%rB, %at_705) : !rmem_f32, !cute.coord<"(0,_,5)">
        cute.copy(%loadB, %from_704, %to_706) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_707 = cute.make_coord() : () -> !cute.coord<"(_,_,4)">
        %block_708 = cute.slice(%rA, %at_707) : !rmem_f32, !cute.coord<"(_,_,4)">
        %at_709 = cute.make_coord() : () -> !cute.coord<"(_,_,4)">
        %block_710 = cute.slice(%rB, %at_709) : !rmem_f32, !cute.coord<"(_,_,4)">
        cute.gemm(%mma, %accumulators, %block_708, %block_710, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_711 = cute.make_coord() : () -> !cute.coord<"(0,_,6,1)">
        %from_712 = cute.slice(%partA, %at_711) : !smem_f32_2, !cute.coord<"(0,_,6,1)">
        %at_713 = cute.make_coord() : () -> !cute.coord<"(0,_,6)">
        %to_714 = cute.slice(%rA, %at_713) : !rmem_f32, !cute.coord<"(0,_,6)">
        cute.copy(%loadA, %from_712, %to_714) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_715 = cute.make_coord() : () -> !cute.coord<"(0,_,6,1)">
        %from_716 = cute.slice(%partB, %at_715) : !smem_f32_2, !cute.coord<"(0,_,6,1)">
        %at_717 = cute.make_coord() : () -> !cute.coord<"(0,_,6)">
        %to_718 = cute.slice(%rB, %at_717) : !rmem_f32, !cute.coord<"(0,_,6)">
        cute.copy(%loadB, %from_716, %to_718) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_719 = cute.make_coord() : () -> !cute.coord<"(_,_,5)">
        %block_720 = cute.slice(%rA, %at_719) : !rmem_f32, !cute.coord<"(_,_,5)">
        %at_721 = cute.make_coord() : () -> !cute.coord<"(_,_,5)">
        %block_722 = cute.slice(%rB, %at_721) : !rmem_f32, !cute.coord<"(_,_,5)">
        cute.gemm(%mma, %accumulators, %block_720, %block_722, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_723 = cute.make_coord() : () -> !cute.coord<"(0,_,7,1)">
        %from_724 = cute.slice(%partA, %at_723) : !smem_f32_2, !cute.coord<"(0,_,7,1)">
        %at_725 = cute.make_coord() : () -> !cute.coord<"(0,_,7)">
        %to_726 = cute.slice(%rA, %at_725) : !rmem_f32, !cute.coord<"(0,_,7)">
        cute.copy(%loadA, %from_724, %to_726) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_727 = cute.make_coord() : () -> !cute.coord<"(0,_,7,1)">
        %from_728 = cute.slice(%partB, %at_727) : !smem_f32_2, !cute.coord<"(0,_,7,1)">
        %at_729 = cute.make_coord() : () -> !cute.coord<"(0,_,7)">
        %to_730 = cute.slice(%rB, %at_729) : !rmem_f32, !cute.coord<"(0,_,7)">
        cute.copy(%loadB, %from_728, %to_730) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_731 = cute.make_coord() : () -> !cute.coord<"(_,_,6)">
        %block_732 = cute.slice(%rA, %at_731) : !rmem_f32, !cute.coord<"(_,_,6)">
        %at_733 = cute.make_coord() : () -> !cute.coord<"(_,_,6)">
        %block_734 = cute.slice(%rB, %at_733) : !rmem_f32, !cute.coord<"(_,_,6)">
        cute.gemm(%mma, %accumulators, %block_732, %block_734, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        nvvm.cp.async.wait.group 1
        nvvm.barrier0
        %at_735 = cute.make_coord() : () -> !cute.coord<"(0,_,0,2)">
        %from_736 = cute.slice(%partA, %at_735) : !smem_f32_2, !cute.coord<"(0,_,0,2)">
        %at_737 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
        %to_738 = cute.slice(%rA, %at_737) : !rmem_f32, !cute.coord<"(0,_,0)">
        cute.copy(%loadA, %from_736, %to_738) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_739 = cute.make_coord() : () -> !cute.coord<"(0,_,0,2)">
        %from_740 = cute.slice(%partB, %at_739) : !smem_f32_2, !cute.coord<"(0,_,0,2)">
        %at_741 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
        %to_742 = cute.slice(%rB, %at_741) : !rmem_f32, !cute.coord<"(0,_,0)">
        cute.copy(%loadB, %from_740, %to_742) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_743 = cute.make_coord() : () -> !cute.coord<"(_,_,7)">
        %block_744 = cute.slice(%rA, %at_743) : !rmem_f32, !cute.coord<"(_,_,7)">
        %at_745 = cute.make_coord() : () -> !cute.coord<"(_,_,7)">
        %block_746 = cute.slice(%rB, %at_745) : !rmem_f32, !cute.coord<"(_,_,7)">
        cute.gemm(%mma, %accumulators, %block_744, %block_746, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %c3_747 = arith.constant 3 : i32
        %tile_748 = arith.addi %t, %c3_747 : i32
        %at_749 = cute.make_coord() : () -> !cute.coord<"(0,_,1,2)">
        %from_750 = cute.slice(%partA, %at_749) : !smem_f32_2, !cute.coord<"(0,_,1,2)">
        %at_751 = cute.make_coord() : () -> !cute.coord<"(0,_,1)">
        %to_752 = cute.slice(%rA, %at_751) : !rmem_f32, !cute.coord<"(0,_,1)">
        cute.copy(%loadA, %from_750, %to_752) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_753 = cute.make_coord() : () -> !cute.coord<"(0,_,1,2)">
        %from_754 = cute.slice(%partB, %at_753) : !smem_f32_2, !cute.coord<"(0,_,1,2)">
        %at_755 = cute.make_coord() : () -> !cute.coord<"(0,_,1)">
        %to_756 = cute.slice(%rB, %at_755) : !rmem_f32, !cute.coord<"(0,_,1)">
        cute.copy(%loadB, %from_754, %to_756) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_757 = cute.make_coord(%tile_748) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_758 = cute.slice(%fromA, %at_757) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_759 = cute.make_coord() : () -> !cute.coord<"(_,_,_,1)">
        %into_760 = cute.slice(%intoA, %at_759) : !smem_f32_1, !cute.coord<"(_,_,_,1)">
        cute.copy(%g2s, %from_758, %into_760, %inside) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        %at_761 = cute.make_coord(%tile_748) : (i32) -> !cute.coord<"(_,_,_,?)">
        %from_762 = cute.slice(%fromB, %at_761) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
        %at_763 = cute.make_coord() : () -> !cute.coord<"(_,_,_,1)">
        %into_764 = cute.slice(%intoB, %at_763) : !smem_f32_1, !cute.coord<"(_,_,_,1)">
        cute.copy(%g2s, %from_762, %into_764, %inside_43) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        nvvm.cp.async.commit.group
        %at_765 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_766 = cute.slice(%rA, %at_765) : !rmem_f32, !cute.coord<"(_,_,0)">
        %at_767 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_768 = cute.slice(%rB, %at_767) : !rmem_f32, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block_766, %block_768, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_769 = cute.make_coord() : () -> !cute.coord<"(0,_,2,2)">
        %from_770 = cute.slice(%partA, %at_769) : !smem_f32_2, !cute.coord<"(0,_,2,2)">
        %at_771 = cute.make_coord() : () -> !cute.coord<"(0,_,2)">
        %to_772 = cute.slice(%rA, %at_771) : !rmem_f32, !cute.coord<"(0,_,2)">
        cute.copy(%loadA, %from_770, %to_772) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_773 = cute.make_coord() : () -> !cute.coord<"(0,_,2,2)">
        %from_774 = cute.slice(%partB, %at_773) : !smem_f32_2, !cute.coord<"(0,_,2,2)">
        %at_775 = cute.make_coord() : () -> !cute.coord<"(0,_,2)">
        %to_776 = cute.slice(%rB, %at_775) : !rmem_f32, !cute.coord<"(0,_,2)">
        cute.copy(%loadB, %from_774, %to_776) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_777 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_778 = cute.slice(%rA, %at_777) : !rmem_f32, !cute.coord<"(_,_,1)">
        %at_779 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_780 = cute.slice(%rB, %at_779) : !rmem_f32, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_778, %block_780, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_781 = cute.make_coord() : () -> !cute.coord<"(0,_,3,2)">
        %from_782 = cute.slice(%partA, %at_781) : !smem_f32_2, !cute.coord<"(0,_,3,2)">
        %at_783 = cute.make_coord() : () -> !cute.coord<"(0,_,3)">
        %to_784 = cute.slice(%rA, %at_783) : !rmem_f32, !cute.coord<"(0,_,3)">
        cute.copy(%loadA, %from_782, %to_784) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_785 = cute.make_coord() : () -> !cute.coord<"(0,_,3,2)">
        %from_786 = cute.slice(%partB, %at_785) : !smem_f32_2, !cute.coord<"(0,_,3,2)">
        %at_787 = cute.make_coord() : () -> !cute.coord<"(0,_,3)">
        %to_788 = cute.slice(%rB, %at_787) : !rmem_f32, !cute.coord<"(0,_,3)">
        cute.copy(%loadB, %from_786, %to_788) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_789 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
        %block_790 = cute.slice(%rA, %at_789) : !rmem_f32, !cute.coord<"(_,_,2)">
        %at_791 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
        %block_792 = cute.slice(%rB, %at_791) : !rmem_f32, !cute.coord<"(_,_,2)">
        cute.gemm(%mma, %accumulators, %block_790, %block_792, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_793 = cute.make_coord() : () -> !cute.coord<"(0,_,4,2)">
        %from_794 = cute.slice(%partA, %at_793) : !smem_f32_2, !cute.coord<"(0,_,4,2)">
        %at_795 = cute.make_coord() : () -> !cute.coord<"(0,_,4)">
        %to_796 = cute.slice(%rA, %at_795) : !rmem_f32, !cute.coord<"(0,_,4)">
        cute.copy(%loadA, %from_794, %to_796) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_797 = cute.make_coord() : () -> !cute.coord<"(0,_,4,2)">
        %from_798 = cute.slice(%partB, %at_797) : !smem_f32_2, !cute.coord<"(0,_,4,2)">
        %at_799 = cute.make_coord() : () -> !cute.coord<"(0,_,4)">
        %to_800 = cute.slice(%rB, %at_799) : !rmem_f32, !cute.coord<"(0,_,4)">
        cute.copy(%loadB, %from_798, %to_800) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_801 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
        %block_802 = cute.slice(%rA, %at_801) : !rmem_f32, !cute.coord<"(_,_,3)">
        %at_803 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
        %block_804 = cute.slice(%rB, %at_803) : !rmem_f32, !cute.coord<"(_,_,3)">
        cute.gemm(%mma, %accumulators, %block_802, %block_804, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_805 = cute.make_coord() : () -> !cute.coord<"(0,_,5,2)">
        %from_806 = cute.slice(%partA, %at_805) : !smem_f32_2, !cute.coord<"(0,_,5,2)">
        %at_807 = cute.make_coord() : () -> !cute.coord<"(0,_,5)">
        %to_808 = cute.slice(%rA, %at_807) : !rmem_f32, !cute.coord<"(0,_,5)">
        cute.copy(%loadA, %from_806, %to_808) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_809 = cute.make_coord() : () -> !cute.coord<"(0,_,5,2)">
        %from_810 = cute.slice(%partB, %at_809) : !smem_f32_2, !cute.coord<"(0,_,5,2)">
        %at_811 = cute.make_coord() : () -> !cute.coord<"(0,_,5)">
        %to_812 = cute.slice(%rB, %at_811) : !rmem_f32, !cute.coord<"(0,_,5)">
        cute.copy(%loadB, %from_810, %to_812) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_813 = cute.make_coord() : () -> !cute.coord<"(_,_,4)">
        %block_814 = cute.slice(%rA, %at_813) : !rmem_f32, !cute.coord<"(_,_,4)">
        %at_815 = cute.make_coord() : () -> !cute.coord<"(_,_,4)">
        %block_816 = cute.slice(%rB, %at_815) : !rmem_f32, !cute.coord<"(_,_,4)">
        cute.gemm(%mma, %accumulators, %block_814, %block_816, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_817 = cute.make_coord() : () -> !cute.coord<"(0,_,6,2)">
        %from_818 = cute.slice(%partA, %at_817) : !smem_f32_2, !cute.coord<"(0,_,6,2)">
        %at_819 = cute.make_coord() : () -> !cute.coord<"(0,_,6)">
        %to_820 = cute.slice(%rA, %at_819) : !rmem_f32, !cute.coord<"(0,_,6)">
        cute.copy(%loadA, %from_818, %to_820) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_821 = cute.make_coord() : () -> !cute.coord<"(0,_,6,2)">
        %from_822 = cute.slice(%partB, %at_821) : !smem_f32_2, !cute.coord<"(0,_,6,2)">
        %at_823 = cute.make_coord() : () -> !cute.coord<"(0,_,6)">
        %to_824 = cute.slice(%rB, %at_823) : !rmem_f32, !cute.coord<"(0,_,6)">
        cute.copy(%loadB, %from_822, %to_824) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_825 = cute.make_coord() : () -> !cute.coord<"(_,_,5)">
        %block_826 = cute.slice(%rA, %at_825) : !rmem_f32, !cute.coord<"(_,_,5)">
        %at_827 = cute.make_coord() : () -> !cute.coord<"(_,_,5)">
        %block_828 = cute.slice(%rB, %at_827) : !rmem_f32, !cute.coord<"(_,_,5)">
        cute.gemm(%mma, %accumulators, %block_826, %block_828, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_829 = cute.make_coord() : () -> !cute.coord<"(0,_,7,2)">
        %from_830 = cute.slice(%partA, %at_829) : !smem_f32_2, !cute.coord<"(0,_,7,2)">
        %at_831 = cute.make_coord() : () -> !cute.coord<"(0,_,7)">
        %to_832 = cute.slice(%rA, %at_831) : !rmem_f32, !cute.coord<"(0,_,7)">
        cute.copy(%loadA, %from_830, %to_832) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_833 = cute.make_coord() : () -> !cute.coord<"(0,_,7,2)">
        %from_834 = cute.slice(%partB, %at_833) : !smem_f32_2, !cute.coord<"(0,_,7,2)">
        %at_835 = cute.make_coord() : () -> !cute.coord<"(0,_,7)">
        %to_836 = cute.slice(%rB, %at_835) : !rmem_f32, !cute.coord<"(0,_,7)">
        cute.copy(%loadB, %from_834, %to_836) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_837 = cute.make_coord() : () -> !cute.coord<"(_,_,6)">
        %block_838 = cute.slice(%rA, %at_837) : !rmem_f32, !cute.coord<"(_,_,6)">
        %at_839 = cute.make_coord() : () -> !cute.coord<"(_,_,6)">
        %block_840 = cute.slice(%rB, %at_839) : !rmem_f32, !cute.coord<"(_,_,6)">
        cute.gemm(%mma, %accumulators, %block_838, %block_840, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        nvvm.cp.async.wait.group 1
        nvvm.barrier0
        %at_841 = cute.make_coord() : () -> !cute.coord<"(0,_,0,0)">
        %from_842 = cute.slice(%partA, %at_841) : !smem_f32_2, !cute.coord<"(0,_,0,0)">
        %at_843 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
        %to_844 = cute.slice(%rA, %at_843) : !rmem_f32, !cute.coord<"(0,_,0)">
        cute.copy(%loadA, %from_842, %to_844) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_845 = cute.make_coord() : () -> !cute.coord<"(0,_,0,0)">
        %from_846 = cute.slice(%partB, %at_845) : !smem_f32_2, !cute.coord<"(0,_,0,0)">
        %at_847 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
        %to_848 = cute.slice(%rB, %at_847) : !rmem_f32, !cute.coord<"(0,_,0)">
        cute.copy(%loadB, %from_846, %to_848) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_849 = cute.make_coord() : () -> !cute.coord<"(_,_,7)">
        %block_850 = cute.slice(%rA, %at_849) : !rmem_f32, !cute.coord<"(_,_,7)">
        %at_851 = cute.make_coord() : () -> !cute.coord<"(_,_,7)">
        %block_852 = cute.slice(%rB, %at_851) : !rmem_f32, !cute.coord<"(_,_,7)">
        cute.gemm(%mma, %accumulators, %block_850, %block_852, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
      }
      %c2_83 = arith.constant 2 : i32
      %0:2 = scf.for %t = %steady to %tiles step %c1 iter_args(%carried = %c0_81, %carried_538 = %c2_83) -> (i32, i32)  : i32 {
        %c1_539 = arith.constant 1 : i32
        %next = arith.addi %carried, %c1_539 : i32
        %c3_540 = arith.constant 3 : i32
        %wraps = arith.cmpi eq, %next, %c3_540 : i32
        %c0_541 = arith.constant 0 : i32
        %stage = arith.select %wraps, %c0_541, %next : i32
        %c1_542 = arith.constant 1 : i32
        %tile_543 = arith.addi %t, %c1_542 : i32
        %upcoming = arith.addi %tile_543, %c1 : i32
        %more = arith.cmpi slt, %upcoming, %tiles : i32
        %following = arith.addi %t, %c1 : i32
        %goes_on = arith.cmpi slt, %following, %tiles : i32
        %at_544 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,1,?)">
        %from = cute.slice(%partA, %at_544) : !smem_f32_2, !cute.coord<"(0,_,1,?)">
        %at_545 = cute.make_coord() : () -> !cute.coord<"(0,_,1)">
        %to_546 = cute.slice(%rA, %at_545) : !rmem_f32, !cute.coord<"(0,_,1)">
        cute.copy(%loadA, %from, %to_546) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_547 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,1,?)">
        %from_548 = cute.slice(%partB, %at_547) : !smem_f32_2, !cute.coord<"(0,_,1,?)">
        %at_549 = cute.make_coord() : () -> !cute.coord<"(0,_,1)">
        %to_550 = cute.slice(%rB, %at_549) : !rmem_f32, !cute.coord<"(0,_,1)">
        cute.copy(%loadB, %from_548, %to_550) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        scf.if %more {
          %at_636 = cute.make_coord(%tile_543) : (i32) -> !cute.coord<"(_,_,_,?)">
          %from_637 = cute.slice(%fromA, %at_636) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
          %at_638 = cute.make_coord(%carried_538) : (i32) -> !cute.coord<"(_,_,_,?)">
          %into = cute.slice(%intoA, %at_638) : !smem_f32_1, !cute.coord<"(_,_,_,?)">
          cute.copy(%g2s, %from_637, %into, %inside) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
          %at_639 = cute.make_coord(%tile_543) : (i32) -> !cute.coord<"(_,_,_,?)">
          %from_640 = cute.slice(%fromB, %at_639) : !gmem_f32_2, !cute.coord<"(_,_,_,?)">
          %at_641 = cute.make_coord(%carried_538) : (i32) -> !cute.coord<"(_,_,_,?)">
          %into_642 = cute.slice(%intoB, %at_641) : !smem_f32_1, !cute.coord<"(_,_,_,?)">
          cute.copy(%g2s, %from_640, %into_642, %inside_43) : (!tiled_copy, !gmem_f32_3, !smem_f32_4, !rmem_i8)
        }
        nvvm.cp.async.commit.group
        %at_551 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block = cute.slice(%rA, %at_551) : !rmem_f32, !cute.coord<"(_,_,0)">
        %at_552 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
        %block_553 = cute.slice(%rB, %at_552) : !rmem_f32, !cute.coord<"(_,_,0)">
        cute.gemm(%mma, %accumulators, %block, %block_553, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_554 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,2,?)">
        %from_555 = cute.slice(%partA, %at_554) : !smem_f32_2, !cute.coord<"(0,_,2,?)">
        %at_556 = cute.make_coord() : () -> !cute.coord<"(0,_,2)">
        %to_557 = cute.slice(%rA, %at_556) : !rmem_f32, !cute.coord<"(0,_,2)">
        cute.copy(%loadA, %from_555, %to_557) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_558 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,2,?)">
        %from_559 = cute.slice(%partB, %at_558) : !smem_f32_2, !cute.coord<"(0,_,2,?)">
        %at_560 = cute.make_coord() : () -> !cute.coord<"(0,_,2)">
        %to_561 = cute.slice(%rB, %at_560) : !rmem_f32, !cute.coord<"(0,_,2)">
        cute.copy(%loadB, %from_559, %to_561) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_562 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_563 = cute.slice(%rA, %at_562) : !rmem_f32, !cute.coord<"(_,_,1)">
        %at_564 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
        %block_565 = cute.slice(%rB, %at_564) : !rmem_f32, !cute.coord<"(_,_,1)">
        cute.gemm(%mma, %accumulators, %block_563, %block_565, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_566 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,3,?)">
        %from_567 = cute.slice(%partA, %at_566) : !smem_f32_2, !cute.coord<"(0,_,3,?)">
        %at_568 = cute.make_coord() : () -> !cute.coord<"(0,_,3)">
        %to_569 = cute.slice(%rA, %at_568) : !rmem_f32, !cute.coord<"(0,_,3)">
        cute.copy(%loadA, %from_567, %to_569) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_570 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,3,?)">
        %from_571 = cute.slice(%partB, %at_570) : !smem_f32_2, !cute.coord<"(0,_,3,?)">
        %at_572 = cute.make_coord() : () -> !cute.coord<"(0,_,3)">
        %to_573 = cute.slice(%rB, %at_572) : !rmem_f32, !cute.coord<"(0,_,3)">
        cute.copy(%loadB, %from_571, %to_573) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_574 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
        %block_575 = cute.slice(%rA, %at_574) : !rmem_f32, !cute.coord<"(_,_,2)">
        %at_576 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
        %block_577 = cute.slice(%rB, %at_576) : !rmem_f32, !cute.coord<"(_,_,2)">
        cute.gemm(%mma, %accumulators, %block_575, %block_577, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_578 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,4,?)">
        %from_579 = cute.slice(%partA, %at_578) : !smem_f32_2, !cute.coord<"(0,_,4,?)">
        %at_580 = cute.make_coord() : () -> !cute.coord<"(0,_,4)">
        %to_581 = cute.slice(%rA, %at_580) : !rmem_f32, !cute.coord<"(0,_,4)">
        cute.copy(%loadA, %from_579, %to_581) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_582 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,4,?)">
        %from_583 = cute.slice(%partB, %at_582) : !smem_f32_2, !cute.coord<"(0,_,4,?)">
        %at_584 = cute.make_coord() : () -> !cute.coord<"(0,_,4)">
        %to_585 = cute.slice(%rB, %at_584) : !rmem_f32, !cute.coord<"(0,_,4)">
        cute.copy(%loadB, %from_583, %to_585) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_586 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
        %block_587 = cute.slice(%rA, %at_586) : !rmem_f32, !cute.coord<"(_,_,3)">
        %at_588 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
        %block_589 = cute.slice(%rB, %at_588) : !rmem_f32, !cute.coord<"(_,_,3)">
        cute.gemm(%mma, %accumulators, %block_587, %block_589, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_590 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,5,?)">
        %from_591 = cute.slice(%partA, %at_590) : !smem_f32_2, !cute.coord<"(0,_,5,?)">
        %at_592 = cute.make_coord() : () -> !cute.coord<"(0,_,5)">
        %to_593 = cute.slice(%rA, %at_592) : !rmem_f32, !cute.coord<"(0,_,5)">
        cute.copy(%loadA, %from_591, %to_593) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_594 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,5,?)">
        %from_595 = cute.slice(%partB, %at_594) : !smem_f32_2, !cute.coord<"(0,_,5,?)">
        %at_596 = cute.make_coord() : () -> !cute.coord<"(0,_,5)">
        %to_597 = cute.slice(%rB, %at_596) : !rmem_f32, !cute.coord<"(0,_,5)">
        cute.copy(%loadB, %from_595, %to_597) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_598 = cute.make_coord() : () -> !cute.coord<"(_,_,4)">
        %block_599 = cute.slice(%rA, %at_598) : !rmem_f32, !cute.coord<"(_,_,4)">
        %at_600 = cute.make_coord() : () -> !cute.coord<"(_,_,4)">
        %block_601 = cute.slice(%rB, %at_600) : !rmem_f32, !cute.coord<"(_,_,4)">
        cute.gemm(%mma, %accumulators, %block_599, %block_601, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_602 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,6,?)">
        %from_603 = cute.slice(%partA, %at_602) : !smem_f32_2, !cute.coord<"(0,_,6,?)">
        %at_604 = cute.make_coord() : () -> !cute.coord<"(0,_,6)">
        %to_605 = cute.slice(%rA, %at_604) : !rmem_f32, !cute.coord<"(0,_,6)">
        cute.copy(%loadA, %from_603, %to_605) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_606 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,6,?)">
        %from_607 = cute.slice(%partB, %at_606) : !smem_f32_2, !cute.coord<"(0,_,6,?)">
        %at_608 = cute.make_coord() : () -> !cute.coord<"(0,_,6)">
        %to_609 = cute.slice(%rB, %at_608) : !rmem_f32, !cute.coord<"(0,_,6)">
        cute.copy(%loadB, %from_607, %to_609) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_610 = cute.make_coord() : () -> !cute.coord<"(_,_,5)">
        %block_611 = cute.slice(%rA, %at_610) : !rmem_f32, !cute.coord<"(_,_,5)">
        %at_612 = cute.make_coord() : () -> !cute.coord<"(_,_,5)">
        %block_613 = cute.slice(%rB, %at_612) : !rmem_f32, !cute.coord<"(_,_,5)">
        cute.gemm(%mma, %accumulators, %block_611, %block_613, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %at_614 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,7,?)">
        %from_615 = cute.slice(%partA, %at_614) : !smem_f32_2, !cute.coord<"(0,_,7,?)">
        %at_616 = cute.make_coord() : () -> !cute.coord<"(0,_,7)">
        %to_617 = cute.slice(%rA, %at_616) : !rmem_f32, !cute.coord<"(0,_,7)">
        cute.copy(%loadA, %from_615, %to_617) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_618 = cute.make_coord(%carried) : (i32) -> !cute.coord<"(0,_,7,?)">
        %from_619 = cute.slice(%partB, %at_618) : !smem_f32_2, !cute.coord<"(0,_,7,?)">
        %at_620 = cute.make_coord() : () -> !cute.coord<"(0,_,7)">
        %to_621 = cute.slice(%rB, %at_620) : !rmem_f32, !cute.coord<"(0,_,7)">
        cute.copy(%loadB, %from_619, %to_621) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        %at_622 = cute.make_coord() : () -> !cute.coord<"(_,_,6)">
        %block_623 = cute.slice(%rA, %at_622) : !rmem_f32, !cute.coord<"(_,_,6)">
        %at_624 = cute.make_coord() : () -> !cute.coord<"(_,_,6)">
        %block_625 = cute.slice(%rB, %at_624) : !rmem_f32, !cute.coord<"(_,_,6)">
        cute.gemm(%mma, %accumulators, %block_623, %block_625, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        nvvm.cp.async.wait.group 1
        nvvm.barrier0
        scf.if %goes_on {
          %at_636 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(0,_,0,?)">
          %from_637 = cute.slice(%partA, %at_636) : !smem_f32_2, !cute.coord<"(0,_,0,?)">
          %at_638 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
          %to_639 = cute.slice(%rA, %at_638) : !rmem_f32, !cute.coord<"(0,_,0)">
          cute.copy(%loadA, %from_637, %to_639) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
          %at_640 = cute.make_coord(%stage) : (i32) -> !cute.coord<"(0,_,0,?)">
          %from_641 = cute.slice(%partB, %at_640) : !smem_f32_2, !cute.coord<"(0,_,0,?)">
          %at_642 = cute.make_coord() : () -> !cute.coord<"(0,_,0)">
          %to_643 = cute.slice(%rB, %at_642) : !rmem_f32, !cute.coord<"(0,_,0)">
          cute.copy(%loadB, %from_641, %to_643) : (!universal_copy, !smem_f32_5, !rmem_f32_2)
        }
        %at_626 = cute.make_coord() : () -> !cute.coord<"(_,_,7)">
        %block_627 = cute.slice(%rA, %at_626) : !rmem_f32, !cute.coord<"(_,_,7)">
        %at_628 = cute.make_coord() : () -> !cute.coord<"(_,_,7)">
        %block_629 = cute.slice(%rB, %at_628) : !rmem_f32, !cute.coord<"(_,_,7)">
        cute.gemm(%mma, %accumulators, %block_627, %block_629, %accumulators) : (!tiled_mma, !rmem_f32_1, !rmem_f32_3, !rmem_f32_3, !rmem_f32_1)
        %c1_630 = arith.constant 1 : i32
        %next_631 = arith.addi %carried_538, %c1_630 : i32
        %c3_632 = arith.constant 3 : i32
        %wraps_633 = arith.cmpi eq, %next_631, %c3_632 : i32
        %c0_634 = arith.constant 0 : i32
        %stage_635 = arith.select %wraps_633, %c0_634, %next_631 : i32
        scf.yield %stage, %stage_635 : i32, i32
      }
      %store = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<f32>
      %layoutD = cute.get_layout(%D) : !gmem_f32
      %shapeD = cute.get_shape(%layoutD) : !cute.layout<"(?,?):(?{i64},1)"> -> !cute.shape<"(?,?)">
      %coordsD = cute.make_identity_tensor(%shapeD) : !cute.shape<"(?,?)"> -> !coord_tensor
      %tiler_84 = cute.static : !cute.tile<"[128:1;128:1]">
      %at_85 = cute.make_coord(%block_m, %block_n) : (i32, i32) -> !cute.coord<"(?,?)">
      %tile = cute.local_tile(%D, %tiler_84, %at_85) : (!gmem_f32, !cute.tile<"[128:1;128:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_4
      %to = cute.tiled.mma.partition C(%mma, %tile, %at) : (!tiled_mma, !gmem_f32_4, !cute.coord<"?">) -> !gmem_f32_5
      %tile_86 = cute.local_tile(%C, %tiler_84, %at_85) : (!gmem_f32, !cute.tile<"[128:1;128:1]">, !cute.coord<"(?,?)">) -> !gmem_f32_4
      %old = cute.tiled.mma.partition C(%mma, %tile_86, %at) : (!tiled_mma, !gmem_f32_4, !cute.coord<"?">) -> !gmem_f32_5
      %tile_87 = cute.local_tile(%coordsD, %tiler_84, %at_85) : (!coord_tensor, !cute.tile<"[128:1;128:1]">, !cute.coord<"(?,?)">) -> !coord_tensor_3
      %at_88 = cute.tiled.mma.partition C(%mma, %tile_87, %at) : (!tiled_mma, !coord_tensor_3, !cute.coord<"?">) -> !coord_tensor_4
      %inside_89 = cute.memref.alloca() : !rmem_i8_1
      %at_90 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      %first_91 = cute.slice(%at_88, %at_90) : !coord_tensor_4, !cute.coord<"(0,0,0)">
      %iter_92 = cute.get_iter(%first_91) : !coord_tensor_5
      %coord_93 = cute.deref_arith_tuple_iter(%iter_92) : (!arith_tuple_iter) -> !cute.int_tuple<"(?{div=4},?{div=4})">
      %inside_94 = cute.elem_less(%coord_93, %shapeD) : (!cute.int_tuple<"(?{div=4},?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_95 = arith.extui %inside_94 : i1 to i8
      %at_96 = cute.make_coord() : () -> !cute.coord<"(0,0,0)">
      cute.memref.store(%inside_89, %at_96, %bit_95) : (!rmem_i8_1, !cute.coord<"(0,0,0)">, i8) -> ()
      %at_97 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      %first_98 = cute.slice(%at_88, %at_97) : !coord_tensor_4, !cute.coord<"(0,1,0)">
      %iter_99 = cute.get_iter(%first_98) : !coord_tensor_6
      %coord_100 = cute.deref_arith_tuple_iter(%iter_99) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_101 = cute.elem_less(%coord_100, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_102 = arith.extui %inside_101 : i1 to i8
      %at_103 = cute.make_coord() : () -> !cute.coord<"(0,1,0)">
      cute.memref.store(%inside_89, %at_103, %bit_102) : (!rmem_i8_1, !cute.coord<"(0,1,0)">, i8) -> ()
      %at_104 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      %first_105 = cute.slice(%at_88, %at_104) : !coord_tensor_4, !cute.coord<"(0,2,0)">
      %iter_106 = cute.get_iter(%first_105) : !coord_tensor_7
      %coord_107 = cute.deref_arith_tuple_iter(%iter_106) : (!arith_tuple_iter_1) -> !cute.int_tuple<"(?{div=2},?{div=4})">
      %inside_108 = cute.elem_less(%coord_107, %shapeD) : (!cute.int_tuple<"(?{div=2},?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_109 = arith.extui %inside_108 : i1 to i8
      %at_110 = cute.make_coord() : () -> !cute.coord<"(0,2,0)">
      cute.memref.store(%inside_89, %at_110, %bit_109) : (!rmem_i8_1, !cute.coord<"(0,2,0)">, i8) -> ()
      %at_111 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      %first_112 = cute.slice(%at_88, %at_111) : !coord_tensor_4, !cute.coord<"(0,3,0)">
      %iter_113 = cute.get_iter(%first_112) : !coord_tensor_6
      %coord_114 = cute.deref_arith_tuple_iter(%iter_113) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_115 = cute.elem_less(%coord_114, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_116 = arith.extui %inside_115 : i1 to i8
      %at_117 = cute.make_coord() : () -> !cute.coord<"(0,3,0)">
      cute.memref.store(%inside_89, %at_117, %bit_116) : (!rmem_i8_1, !cute.coord<"(0,3,0)">, i8) -> ()
      %at_118 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      %first_119 = cute.slice(%at_88, %at_118) : !coord_tensor_4, !cute.coord<"(0,4,0)">
      %iter_120 = cute.get_iter(%first_119) : !coord_tensor_5
      %coord_121 = cute.deref_arith_tuple_iter(%iter_120) : (!arith_tuple_iter) -> !cute.int_tuple<"(?{div=4},?{div=4})">
      %inside_122 = cute.elem_less(%coord_121, %shapeD) : (!cute.int_tuple<"(?{div=4},?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_123 = arith.extui %inside_122 : i1 to i8
      %at_124 = cute.make_coord() : () -> !cute.coord<"(0,4,0)">
      cute.memref.store(%inside_89, %at_124, %bit_123) : (!rmem_i8_1, !cute.coord<"(0,4,0)">, i8) -> ()
      %at_125 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      %first_126 = cute.slice(%at_88, %at_125) : !coord_tensor_4, !cute.coord<"(0,5,0)">
      %iter_127 = cute.get_iter(%first_126) : !coord_tensor_6
      %coord_128 = cute.deref_arith_tuple_iter(%iter_127) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_129 = cute.elem_less(%coord_128, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_130 = arith.extui %inside_129 : i1 to i8
      %at_131 = cute.make_coord() : () -> !cute.coord<"(0,5,0)">
      cute.memref.store(%inside_89, %at_131, %bit_130) : (!rmem_i8_1, !cute.coord<"(0,5,0)">, i8) -> ()
      %at_132 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      %first_133 = cute.slice(%at_88, %at_132) : !coord_tensor_4, !cute.coord<"(0,6,0)">
      %iter_134 = cute.get_iter(%first_133) : !coord_tensor_7
      %coord_135 = cute.deref_arith_tuple_iter(%iter_134) : (!arith_tuple_iter_1) -> !cute.int_tuple<"(?{div=2},?{div=4})">
      %inside_136 = cute.elem_less(%coord_135, %shapeD) : (!cute.int_tuple<"(?{div=2},?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_137 = arith.extui %inside_136 : i1 to i8
      %at_138 = cute.make_coord() : () -> !cute.coord<"(0,6,0)">
      cute.memref.store(%inside_89, %at_138, %bit_137) : (!rmem_i8_1, !cute.coord<"(0,6,0)">, i8) -> ()
      %at_139 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      %first_140 = cute.slice(%at_88, %at_139) : !coord_tensor_4, !cute.coord<"(0,7,0)">
      %iter_141 = cute.get_iter(%first_140) : !coord_tensor_6
      %coord_142 = cute.deref_arith_tuple_iter(%iter_141) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_143 = cute.elem_less(%coord_142, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_144 = arith.extui %inside_143 : i1 to i8
      %at_145 = cute.make_coord() : () -> !cute.coord<"(0,7,0)">
      cute.memref.store(%inside_89, %at_145, %bit_144) : (!rmem_i8_1, !cute.coord<"(0,7,0)">, i8) -> ()
      %at_146 = cute.make_coord() : () -> !cute.coord<"(0,0,1)">
      %first_147 = cute.slice(%at_88, %at_146) : !coord_tensor_4, !cute.coord<"(0,0,1)">
      %iter_148 = cute.get_iter(%first_147) : !coord_tensor_8
      %coord_149 = cute.deref_arith_tuple_iter(%iter_148) : (!cute.arith_tuple_iter<"(?{div=4},?)">) -> !cute.int_tuple<"(?{div=4},?)">
      %inside_150 = cute.elem_less(%coord_149, %shapeD) : (!cute.int_tuple<"(?{div=4},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_151 = arith.extui %inside_150 : i1 to i8
      %at_152 = cute.make_coord() : () -> !cute.coord<"(0,0,1)">
      cute.memref.store(%inside_89, %at_152, %bit_151) : (!rmem_i8_1, !cute.coord<"(0,0,1)">, i8) -> ()
      %at_153 = cute.make_coord() : () -> !cute.coord<"(0,1,1)">
      %first_154 = cute.slice(%at_88, %at_153) : !coord_tensor_4, !cute.coord<"(0,1,1)">
      %iter_155 = cute.get_iter(%first_154) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_156 = cute.deref_arith_tuple_iter(%iter_155) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_157 = cute.elem_less(%coord_156, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_158 = arith.extui %inside_157 : i1 to i8
      %at_159 = cute.make_coord() : () -> !cute.coord<"(0,1,1)">
      cute.memref.store(%inside_89, %at_159, %bit_158) : (!rmem_i8_1, !cute.coord<"(0,1,1)">, i8) -> ()
      %at_160 = cute.make_coord() : () -> !cute.coord<"(0,2,1)">
      %first_161 = cute.slice(%at_88, %at_160) : !coord_tensor_4, !cute.coord<"(0,2,1)">
      %iter_162 = cute.get_iter(%first_161) : !coord_tensor_9
      %coord_163 = cute.deref_arith_tuple_iter(%iter_162) : (!cute.arith_tuple_iter<"(?{div=2},?)">) -> !cute.int_tuple<"(?{div=2},?)">
      %inside_164 = cute.elem_less(%coord_163, %shapeD) : (!cute.int_tuple<"(?{div=2},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_165 = arith.extui %inside_164 : i1 to i8
      %at_166 = cute.make_coord() : () -> !cute.coord<"(0,2,1)">
      cute.memref.store(%inside_89, %at_166, %bit_165) : (!rmem_i8_1, !cute.coord<"(0,2,1)">, i8) -> ()
      %at_167 = cute.make_coord() : () -> !cute.coord<"(0,3,1)">
      %first_168 = cute.slice(%at_88, %at_167) : !coord_tensor_4, !cute.coord<"(0,3,1)">
      %iter_169 = cute.get_iter(%first_168) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_170 = cute.deref_arith_tuple_iter(%iter_169) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_171 = cute.elem_less(%coord_170, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_172 = arith.extui %inside_171 : i1 to i8
      %at_173 = cute.make_coord() : () -> !cute.coord<"(0,3,1)">
      cute.memref.store(%inside_89, %at_173, %bit_172) : (!rmem_i8_1, !cute.coord<"(0,3,1)">, i8) -> ()
      %at_174 = cute.make_coord() : () -> !cute.coord<"(0,4,1)">
      %first_175 = cute.slice(%at_88, %at_174) : !coord_tensor_4, !cute.coord<"(0,4,1)">
      %iter_176 = cute.get_iter(%first_175) : !coord_tensor_8
      %coord_177 = cute.deref_arith_tuple_iter(%iter_176) : (!cute.arith_tuple_iter<"(?{div=4},?)">) -> !cute.int_tuple<"(?{div=4},?)">
      %inside_178 = cute.elem_less(%coord_177, %shapeD) : (!cute.int_tuple<"(?{div=4},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_179 = arith.extui %inside_178 : i1 to i8
      %at_180 = cute.make_coord() : () -> !cute.coord<"(0,4,1)">
      cute.memref.store(%inside_89, %at_180, %bit_179) : (!rmem_i8_1, !cute.coord<"(0,4,1)">, i8) -> ()
      %at_181 = cute.make_coord() : () -> !cute.coord<"(0,5,1)">
      %first_182 = cute.slice(%at_88, %at_181) : !coord_tensor_4, !cute.coord<"(0,5,1)">
      %iter_183 = cute.get_iter(%first_182) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_184 = cute.deref_arith_tuple_iter(%iter_183) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_185 = cute.elem_less(%coord_184, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_186 = arith.extui %inside_185 : i1 to i8
      %at_187 = cute.make_coord() : () -> !cute.coord<"(0,5,1)">
      cute.memref.store(%inside_89, %at_187, %bit_186) : (!rmem_i8_1, !cute.coord<"(0,5,1)">, i8) -> ()
      %at_188 = cute.make_coord() : () -> !cute.coord<"(0,6,1)">
      %first_189 = cute.slice(%at_88, %at_188) : !coord_tensor_4, !cute.coord<"(0,6,1)">
      %iter_190 = cute.get_iter(%first_189) : !coord_tensor_9
      %coord_191 = cute.deref_arith_tuple_iter(%iter_190) : (!cute.arith_tuple_iter<"(?{div=2},?)">) -> !cute.int_tuple<"(?{div=2},?)">
      %inside_192 = cute.elem_less(%coord_191, %shapeD) : (!cute.int_tuple<"(?{div=2},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_193 = arith.extui %inside_192 : i1 to i8
      %at_194 = cute.make_coord() : () -> !cute.coord<"(0,6,1)">
      cute.memref.store(%inside_89, %at_194, %bit_193) : (!rmem_i8_1, !cute.coord<"(0,6,1)">, i8) -> ()
      %at_195 = cute.make_coord() : () -> !cute.coord<"(0,7,1)">
      %first_196 = cute.slice(%at_88, %at_195) : !coord_tensor_4, !cute.coord<"(0,7,1)">
      %iter_197 = cute.get_iter(%first_196) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_198 = cute.deref_arith_tuple_iter(%iter_197) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_199 = cute.elem_less(%coord_198, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_200 = arith.extui %inside_199 : i1 to i8
      %at_201 = cute.make_coord() : () -> !cute.coord<"(0,7,1)">
      cute.memref.store(%inside_89, %at_201, %bit_200) : (!rmem_i8_1, !cute.coord<"(0,7,1)">, i8) -> ()
      %at_202 = cute.make_coord() : () -> !cute.coord<"(0,0,2)">
      %first_203 = cute.slice(%at_88, %at_202) : !coord_tensor_4, !cute.coord<"(0,0,2)">
      %iter_204 = cute.get_iter(%first_203) : !coord_tensor_10
      %coord_205 = cute.deref_arith_tuple_iter(%iter_204) : (!arith_tuple_iter_2) -> !cute.int_tuple<"(?{div=4},?{div=2})">
      %inside_206 = cute.elem_less(%coord_205, %shapeD) : (!cute.int_tuple<"(?{div=4},?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_207 = arith.extui %inside_206 : i1 to i8
      %at_208 = cute.make_coord() : () -> !cute.coord<"(0,0,2)">
      cute.memref.store(%inside_89, %at_208, %bit_207) : (!rmem_i8_1, !cute.coord<"(0,0,2)">, i8) -> ()
      %at_209 = cute.make_coord() : () -> !cute.coord<"(0,1,2)">
      %first_210 = cute.slice(%at_88, %at_209) : !coord_tensor_4, !cute.coord<"(0,1,2)">
      %iter_211 = cute.get_iter(%first_210) : !coord_tensor_11
      %coord_212 = cute.deref_arith_tuple_iter(%iter_211) : (!cute.arith_tuple_iter<"(?,?{div=2})">) -> !cute.int_tuple<"(?,?{div=2})">
      %inside_213 = cute.elem_less(%coord_212, %shapeD) : (!cute.int_tuple<"(?,?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_214 = arith.extui %inside_213 : i1 to i8
      %at_215 = cute.make_coord() : () -> !cute.coord<"(0,1,2)">
      cute.memref.store(%inside_89, %at_215, %bit_214) : (!rmem_i8_1, !cute.coord<"(0,1,2)">, i8) -> ()
      %at_216 = cute.make_coord() : () -> !cute.coord<"(0,2,2)">
      %first_217 = cute.slice(%at_88, %at_216) : !coord_tensor_4, !cute.coord<"(0,2,2)">
      %iter_218 = cute.get_iter(%first_217) : !coord_tensor_12
      %coord_219 = cute.deref_arith_tuple_iter(%iter_218) : (!arith_tuple_iter_3) -> !cute.int_tuple<"(?{div=2},?{div=2})">
      %inside_220 = cute.elem_less(%coord_219, %shapeD) : (!cute.int_tuple<"(?{div=2},?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_221 = arith.extui %inside_220 : i1 to i8
      %at_222 = cute.make_coord() : () -> !cute.coord<"(0,2,2)">
      cute.memref.store(%inside_89, %at_222, %bit_221) : (!rmem_i8_1, !cute.coord<"(0,2,2)">, i8) -> ()
      %at_223 = cute.make_coord() : () -> !cute.coord<"(0,3,2)">
      %first_224 = cute.slice(%at_88, %at_223) : !coord_tensor_4, !cute.coord<"(0,3,2)">
      %iter_225 = cute.get_iter(%first_224) : !coord_tensor_11
      %coord_226 = cute.deref_arith_tuple_iter(%iter_225) : (!cute.arith_tuple_iter<"(?,?{div=2})">) -> !cute.int_tuple<"(?,?{div=2})">
      %inside_227 = cute.elem_less(%coord_226, %shapeD) : (!cute.int_tuple<"(?,?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_228 = arith.extui %inside_227 : i1 to i8
      %at_229 = cute.make_coord() : () -> !cute.coord<"(0,3,2)">
      cute.memref.store(%inside_89, %at_229, %bit_228) : (!rmem_i8_1, !cute.coord<"(0,3,2)">, i8) -> ()
      %at_230 = cute.make_coord() : () -> !cute.coord<"(0,4,2)">
      %first_231 = cute.slice(%at_88, %at_230) : !coord_tensor_4, !cute.coord<"(0,4,2)">
      %iter_232 = cute.get_iter(%first_231) : !coord_tensor_10
      %coord_233 = cute.deref_arith_tuple_iter(%iter_232) : (!arith_tuple_iter_2) -> !cute.int_tuple<"(?{div=4},?{div=2})">
      %inside_234 = cute.elem_less(%coord_233, %shapeD) : (!cute.int_tuple<"(?{div=4},?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_235 = arith.extui %inside_234 : i1 to i8
      %at_236 = cute.make_coord() : () -> !cute.coord<"(0,4,2)">
      cute.memref.store(%inside_89, %at_236, %bit_235) : (!rmem_i8_1, !cute.coord<"(0,4,2)">, i8) -> ()
      %at_237 = cute.make_coord() : () -> !cute.coord<"(0,5,2)">
      %first_238 = cute.slice(%at_88, %at_237) : !coord_tensor_4, !cute.coord<"(0,5,2)">
      %iter_239 = cute.get_iter(%first_238) : !coord_tensor_11
      %coord_240 = cute.deref_arith_tuple_iter(%iter_239) : (!cute.arith_tuple_iter<"(?,?{div=2})">) -> !cute.int_tuple<"(?,?{div=2})">
      %inside_241 = cute.elem_less(%coord_240, %shapeD) : (!cute.int_tuple<"(?,?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_242 = arith.extui %inside_241 : i1 to i8
      %at_243 = cute.make_coord() : () -> !cute.coord<"(0,5,2)">
      cute.memref.store(%inside_89, %at_243, %bit_242) : (!rmem_i8_1, !cute.coord<"(0,5,2)">, i8) -> ()
      %at_244 = cute.make_coord() : () -> !cute.coord<"(0,6,2)">
      %first_245 = cute.slice(%at_88, %at_244) : !coord_tensor_4, !cute.coord<"(0,6,2)">
      %iter_246 = cute.get_iter(%first_245) : !coord_tensor_12
      %coord_247 = cute.deref_arith_tuple_iter(%iter_246) : (!arith_tuple_iter_3) -> !cute.int_tuple<"(?{div=2},?{div=2})">
      %inside_248 = cute.elem_less(%coord_247, %shapeD) : (!cute.int_tuple<"(?{div=2},?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_249 = arith.extui %inside_248 : i1 to i8
      %at_250 = cute.make_coord() : () -> !cute.coord<"(0,6,2)">
      cute.memref.store(%inside_89, %at_250, %bit_249) : (!rmem_i8_1, !cute.coord<"(0,6,2)">, i8) -> ()
      %at_251 = cute.make_coord() : () -> !cute.coord<"(0,7,2)">
      %first_252 = cute.slice(%at_88, %at_251) : !coord_tensor_4, !cute.coord<"(0,7,2)">
      %iter_253 = cute.get_iter(%first_252) : !coord_tensor_11
      %coord_254 = cute.deref_arith_tuple_iter(%iter_253) : (!cute.arith_tuple_iter<"(?,?{div=2})">) -> !cute.int_tuple<"(?,?{div=2})">
      %inside_255 = cute.elem_less(%coord_254, %shapeD) : (!cute.int_tuple<"(?,?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_256 = arith.extui %inside_255 : i1 to i8
      %at_257 = cute.make_coord() : () -> !cute.coord<"(0,7,2)">
      cute.memref.store(%inside_89, %at_257, %bit_256) : (!rmem_i8_1, !cute.coord<"(0,7,2)">, i8) -> ()
      %at_258 = cute.make_coord() : () -> !cute.coord<"(0,0,3)">
      %first_259 = cute.slice(%at_88, %at_258) : !coord_tensor_4, !cute.coord<"(0,0,3)">
      %iter_260 = cute.get_iter(%first_259) : !coord_tensor_8
      %coord_261 = cute.deref_arith_tuple_iter(%iter_260) : (!cute.arith_tuple_iter<"(?{div=4},?)">) -> !cute.int_tuple<"(?{div=4},?)">
      %inside_262 = cute.elem_less(%coord_261, %shapeD) : (!cute.int_tuple<"(?{div=4},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_263 = arith.extui %inside_262 : i1 to i8
      %at_264 = cute.make_coord() : () -> !cute.coord<"(0,0,3)">
      cute.memref.store(%inside_89, %at_264, %bit_263) : (!rmem_i8_1, !cute.coord<"(0,0,3)">, i8) -> ()
      %at_265 = cute.make_coord() : () -> !cute.coord<"(0,1,3)">
      %first_266 = cute.slice(%at_88, %at_265) : !coord_tensor_4, !cute.coord<"(0,1,3)">
      %iter_267 = cute.get_iter(%first_266) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_268 = cute.deref_arith_tuple_iter(%iter_267) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_269 = cute.elem_less(%coord_268, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_270 = arith.extui %inside_269 : i1 to i8
      %at_271 = cute.make_coord() : () -> !cute.coord<"(0,1,3)">
      cute.memref.store(%inside_89, %at_271, %bit_270) : (!rmem_i8_1, !cute.coord<"(0,1,3)">, i8) -> ()
      %at_272 = cute.make_coord() : () -> !cute.coord<"(0,2,3)">
      %first_273 = cute.slice(%at_88, %at_272) : !coord_tensor_4, !cute.coord<"(0,2,3)">
      %iter_274 = cute.get_iter(%first_273) : !coord_tensor_9
      %coord_275 = cute.deref_arith_tuple_iter(%iter_274) : (!cute.arith_tuple_iter<"(?{div=2},?)">) -> !cute.int_tuple<"(?{div=2},?)">
      %inside_276 = cute.elem_less(%coord_275, %shapeD) : (!cute.int_tuple<"(?{div=2},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_277 = arith.extui %inside_276 : i1 to i8
      %at_278 = cute.make_coord() : () -> !cute.coord<"(0,2,3)">
      cute.memref.store(%inside_89, %at_278, %bit_277) : (!rmem_i8_1, !cute.coord<"(0,2,3)">, i8) -> ()
      %at_279 = cute.make_coord() : () -> !cute.coord<"(0,3,3)">
      %first_280 = cute.slice(%at_88, %at_279) : !coord_tensor_4, !cute.coord<"(0,3,3)">
      %iter_281 = cute.get_iter(%first_280) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_282 = cute.deref_arith_tuple_iter(%iter_281) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_283 = cute.elem_less(%coord_282, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_284 = arith.extui %inside_283 : i1 to i8
      %at_285 = cute.make_coord() : () -> !cute.coord<"(0,3,3)">
      cute.memref.store(%inside_89, %at_285, %bit_284) : (!rmem_i8_1, !cute.coord<"(0,3,3)">, i8) -> ()
      %at_286 = cute.make_coord() : () -> !cute.coord<"(0,4,3)">
      %first_287 = cute.slice(%at_88, %at_286) : !coord_tensor_4, !cute.coord<"(0,4,3)">
      %iter_288 = cute.get_iter(%first_287) : !coord_tensor_8
      %coord_289 = cute.deref_arith_tuple_iter(%iter_288) : (!cute.arith_tuple_iter<"(?{div=4},?)">) -> !cute.int_tuple<"(?{div=4},?)">
      %inside_290 = cute.elem_less(%coord_289, %shapeD) : (!cute.int_tuple<"(?{div=4},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_291 = arith.extui %inside_290 : i1 to i8
      %at_292 = cute.make_coord() : () -> !cute.coord<"(0,4,3)">
      cute.memref.store(%inside_89, %at_292, %bit_291) : (!rmem_i8_1, !cute.coord<"(0,4,3)">, i8) -> ()
      %at_293 = cute.make_coord() : () -> !cute.coord<"(0,5,3)">
      %first_294 = cute.slice(%at_88, %at_293) : !coord_tensor_4, !cute.coord<"(0,5,3)">
      %iter_295 = cute.get_iter(%first_294) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_296 = cute.deref_arith_tuple_iter(%iter_295) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_297 = cute.elem_less(%coord_296, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_298 = arith.extui %inside_297 : i1 to i8
      %at_299 = cute.make_coord() : () -> !cute.coord<"(0,5,3)">
      cute.memref.store(%inside_89, %at_299, %bit_298) : (!rmem_i8_1, !cute.coord<"(0,5,3)">, i8) -> ()
      %at_300 = cute.make_coord() : () -> !cute.coord<"(0,6,3)">
      %first_301 = cute.slice(%at_88, %at_300) : !coord_tensor_4, !cute.coord<"(0,6,3)">
      %iter_302 = cute.get_iter(%first_301) : !coord_tensor_9
      %coord_303 = cute.deref_arith_tuple_iter(%iter_302) : (!cute.arith_tuple_iter<"(?{div=2},?)">) -> !cute.int_tuple<"(?{div=2},?)">
      %inside_304 = cute.elem_less(%coord_303, %shapeD) : (!cute.int_tuple<"(?{div=2},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_305 = arith.extui %inside_304 : i1 to i8
      %at_306 = cute.make_coord() : () -> !cute.coord<"(0,6,3)">
      cute.memref.store(%inside_89, %at_306, %bit_305) : (!rmem_i8_1, !cute.coord<"(0,6,3)">, i8) -> ()
      %at_307 = cute.make_coord() : () -> !cute.coord<"(0,7,3)">
      %first_308 = cute.slice(%at_88, %at_307) : !coord_tensor_4, !cute.coord<"(0,7,3)">
      %iter_309 = cute.get_iter(%first_308) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_310 = cute.deref_arith_tuple_iter(%iter_309) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_311 = cute.elem_less(%coord_310, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_312 = arith.extui %inside_311 : i1 to i8
      %at_313 = cute.make_coord() : () -> !cute.coord<"(0,7,3)">
      cute.memref.store(%inside_89, %at_313, %bit_312) : (!rmem_i8_1, !cute.coord<"(0,7,3)">, i8) -> ()
      %at_314 = cute.make_coord() : () -> !cute.coord<"(0,0,4)">
      %first_315 = cute.slice(%at_88, %at_314) : !coord_tensor_4, !cute.coord<"(0,0,4)">
      %iter_316 = cute.get_iter(%first_315) : !coord_tensor_5
      %coord_317 = cute.deref_arith_tuple_iter(%iter_316) : (!arith_tuple_iter) -> !cute.int_tuple<"(?{div=4},?{div=4})">
      %inside_318 = cute.elem_less(%coord_317, %shapeD) : (!cute.int_tuple<"(?{div=4},?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_319 = arith.extui %inside_318 : i1 to i8
      %at_320 = cute.make_coord() : () -> !cute.coord<"(0,0,4)">
      cute.memref.store(%inside_89, %at_320, %bit_319) : (!rmem_i8_1, !cute.coord<"(0,0,4)">, i8) -> ()
      %at_321 = cute.make_coord() : () -> !cute.coord<"(0,1,4)">
      %first_322 = cute.slice(%at_88, %at_321) : !coord_tensor_4, !cute.coord<"(0,1,4)">
      %iter_323 = cute.get_iter(%first_322) : !coord_tensor_6
      %coord_324 = cute.deref_arith_tuple_iter(%iter_323) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_325 = cute.elem_less(%coord_324, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_326 = arith.extui %inside_325 : i1 to i8
      %at_327 = cute.make_coord() : () -> !cute.coord<"(0,1,4)">
      cute.memref.store(%inside_89, %at_327, %bit_326) : (!rmem_i8_1, !cute.coord<"(0,1,4)">, i8) -> ()
      %at_328 = cute.make_coord() : () -> !cute.coord<"(0,2,4)">
      %first_329 = cute.slice(%at_88, %at_328) : !coord_tensor_4, !cute.coord<"(0,2,4)">
      %iter_330 = cute.get_iter(%first_329) : !coord_tensor_7
      %coord_331 = cute.deref_arith_tuple_iter(%iter_330) : (!arith_tuple_iter_1) -> !cute.int_tuple<"(?{div=2},?{div=4})">
      %inside_332 = cute.elem_less(%coord_331, %shapeD) : (!cute.int_tuple<"(?{div=2},?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_333 = arith.extui %inside_332 : i1 to i8
      %at_334 = cute.make_coord() : () -> !cute.coord<"(0,2,4)">
      cute.memref.store(%inside_89, %at_334, %bit_333) : (!rmem_i8_1, !cute.coord<"(0,2,4)">, i8) -> ()
      %at_335 = cute.make_coord() : () -> !cute.coord<"(0,3,4)">
      %first_336 = cute.slice(%at_88, %at_335) : !coord_tensor_4, !cute.coord<"(0,3,4)">
      %iter_337 = cute.get_iter(%first_336) : !coord_tensor_6
      %coord_338 = cute.deref_arith_tuple_iter(%iter_337) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_339 = cute.elem_less(%coord_338, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_340 = arith.extui %inside_339 : i1 to i8
      %at_341 = cute.make_coord() : () -> !cute.coord<"(0,3,4)">
      cute.memref.store(%inside_89, %at_341, %bit_340) : (!rmem_i8_1, !cute.coord<"(0,3,4)">, i8) -> ()
      %at_342 = cute.make_coord() : () -> !cute.coord<"(0,4,4)">
      %first_343 = cute.slice(%at_88, %at_342) : !coord_tensor_4, !cute.coord<"(0,4,4)">
      %iter_344 = cute.get_iter(%first_343) : !coord_tensor_5
      %coord_345 = cute.deref_arith_tuple_iter(%iter_344) : (!arith_tuple_iter) -> !cute.int_tuple<"(?{div=4},?{div=4})">
      %inside_346 = cute.elem_less(%coord_345, %shapeD) : (!cute.int_tuple<"(?{div=4},?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_347 = arith.extui %inside_346 : i1 to i8
      %at_348 = cute.make_coord() : () -> !cute.coord<"(0,4,4)">
      cute.memref.store(%inside_89, %at_348, %bit_347) : (!rmem_i8_1, !cute.coord<"(0,4,4)">, i8) -> ()
      %at_349 = cute.make_coord() : () -> !cute.coord<"(0,5,4)">
      %first_350 = cute.slice(%at_88, %at_349) : !coord_tensor_4, !cute.coord<"(0,5,4)">
      %iter_351 = cute.get_iter(%first_350) : !coord_tensor_6
      %coord_352 = cute.deref_arith_tuple_iter(%iter_351) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_353 = cute.elem_less(%coord_352, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_354 = arith.extui %inside_353 : i1 to i8
      %at_355 = cute.make_coord() : () -> !cute.coord<"(0,5,4)">
      cute.memref.store(%inside_89, %at_355, %bit_354) : (!rmem_i8_1, !cute.coord<"(0,5,4)">, i8) -> ()
      %at_356 = cute.make_coord() : () -> !cute.coord<"(0,6,4)">
      %first_357 = cute.slice(%at_88, %at_356) : !coord_tensor_4, !cute.coord<"(0,6,4)">
      %iter_358 = cute.get_iter(%first_357) : !coord_tensor_7
      %coord_359 = cute.deref_arith_tuple_iter(%iter_358) : (!arith_tuple_iter_1) -> !cute.int_tuple<"(?{div=2},?{div=4})">
      %inside_360 = cute.elem_less(%coord_359, %shapeD) : (!cute.int_tuple<"(?{div=2},?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_361 = arith.extui %inside_360 : i1 to i8
      %at_362 = cute.make_coord() : () -> !cute.coord<"(0,6,4)">
      cute.memref.store(%inside_89, %at_362, %bit_361) : (!rmem_i8_1, !cute.coord<"(0,6,4)">, i8) -> ()
      %at_363 = cute.make_coord() : () -> !cute.coord<"(0,7,4)">
      %first_364 = cute.slice(%at_88, %at_363) : !coord_tensor_4, !cute.coord<"(0,7,4)">
      %iter_365 = cute.get_iter(%first_364) : !coord_tensor_6
      %coord_366 = cute.deref_arith_tuple_iter(%iter_365) : (!cute.arith_tuple_iter<"(?,?{div=4})">) -> !cute.int_tuple<"(?,?{div=4})">
      %inside_367 = cute.elem_less(%coord_366, %shapeD) : (!cute.int_tuple<"(?,?{div=4})">, !cute.shape<"(?,?)">) -> i1
      %bit_368 = arith.extui %inside_367 : i1 to i8
      %at_369 = cute.make_coord() : () -> !cute.coord<"(0,7,4)">
      cute.memref.store(%inside_89, %at_369, %bit_368) : (!rmem_i8_1, !cute.coord<"(0,7,4)">, i8) -> ()
      %at_370 = cute.make_coord() : () -> !cute.coord<"(0,0,5)">
      %first_371 = cute.slice(%at_88, %at_370) : !coord_tensor_4, !cute.coord<"(0,0,5)">
      %iter_372 = cute.get_iter(%first_371) : !coord_tensor_8
      %coord_373 = cute.deref_arith_tuple_iter(%iter_372) : (!cute.arith_tuple_iter<"(?{div=4},?)">) -> !cute.int_tuple<"(?{div=4},?)">
      %inside_374 = cute.elem_less(%coord_373, %shapeD) : (!cute.int_tuple<"(?{div=4},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_375 = arith.extui %inside_374 : i1 to i8
      %at_376 = cute.make_coord() : () -> !cute.coord<"(0,0,5)">
      cute.memref.store(%inside_89, %at_376, %bit_375) : (!rmem_i8_1, !cute.coord<"(0,0,5)">, i8) -> ()
      %at_377 = cute.make_coord() : () -> !cute.coord<"(0,1,5)">
      %first_378 = cute.slice(%at_88, %at_377) : !coord_tensor_4, !cute.coord<"(0,1,5)">
      %iter_379 = cute.get_iter(%first_378) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_380 = cute.deref_arith_tuple_iter(%iter_379) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_381 = cute.elem_less(%coord_380, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_382 = arith.extui %inside_381 : i1 to i8
      %at_383 = cute.make_coord() : () -> !cute.coord<"(0,1,5)">
      cute.memref.store(%inside_89, %at_383, %bit_382) : (!rmem_i8_1, !cute.coord<"(0,1,5)">, i8) -> ()
      %at_384 = cute.make_coord() : () -> !cute.coord<"(0,2,5)">
      %first_385 = cute.slice(%at_88, %at_384) : !coord_tensor_4, !cute.coord<"(0,2,5)">
      %iter_386 = cute.get_iter(%first_385) : !coord_tensor_9
      %coord_387 = cute.deref_arith_tuple_iter(%iter_386) : (!cute.arith_tuple_iter<"(?{div=2},?)">) -> !cute.int_tuple<"(?{div=2},?)">
      %inside_388 = cute.elem_less(%coord_387, %shapeD) : (!cute.int_tuple<"(?{div=2},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_389 = arith.extui %inside_388 : i1 to i8
      %at_390 = cute.make_coord() : () -> !cute.coord<"(0,2,5)">
      cute.memref.store(%inside_89, %at_390, %bit_389) : (!rmem_i8_1, !cute.coord<"(0,2,5)">, i8) -> ()
      %at_391 = cute.make_coord() : () -> !cute.coord<"(0,3,5)">
      %first_392 = cute.slice(%at_88, %at_391) : !coord_tensor_4, !cute.coord<"(0,3,5)">
      %iter_393 = cute.get_iter(%first_392) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_394 = cute.deref_arith_tuple_iter(%iter_393) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_395 = cute.elem_less(%coord_394, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_396 = arith.extui %inside_395 : i1 to i8
      %at_397 = cute.make_coord() : () -> !cute.coord<"(0,3,5)">
      cute.memref.store(%inside_89, %at_397, %bit_396) : (!rmem_i8_1, !cute.coord<"(0,3,5)">, i8) -> ()
      %at_398 = cute.make_coord() : () -> !cute.coord<"(0,4,5)">
      %first_399 = cute.slice(%at_88, %at_398) : !coord_tensor_4, !cute.coord<"(0,4,5)">
      %iter_400 = cute.get_iter(%first_399) : !coord_tensor_8
      %coord_401 = cute.deref_arith_tuple_iter(%iter_400) : (!cute.arith_tuple_iter<"(?{div=4},?)">) -> !cute.int_tuple<"(?{div=4},?)">
      %inside_402 = cute.elem_less(%coord_401, %shapeD) : (!cute.int_tuple<"(?{div=4},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_403 = arith.extui %inside_402 : i1 to i8
      %at_404 = cute.make_coord() : () -> !cute.coord<"(0,4,5)">
      cute.memref.store(%inside_89, %at_404, %bit_403) : (!rmem_i8_1, !cute.coord<"(0,4,5)">, i8) -> ()
      %at_405 = cute.make_coord() : () -> !cute.coord<"(0,5,5)">
      %first_406 = cute.slice(%at_88, %at_405) : !coord_tensor_4, !cute.coord<"(0,5,5)">
      %iter_407 = cute.get_iter(%first_406) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_408 = cute.deref_arith_tuple_iter(%iter_407) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_409 = cute.elem_less(%coord_408, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_410 = arith.extui %inside_409 : i1 to i8
      %at_411 = cute.make_coord() : () -> !cute.coord<"(0,5,5)">
      cute.memref.store(%inside_89, %at_411, %bit_410) : (!rmem_i8_1, !cute.coord<"(0,5,5)">, i8) -> ()
      %at_412 = cute.make_coord() : () -> !cute.coord<"(0,6,5)">
      %first_413 = cute.slice(%at_88, %at_412) : !coord_tensor_4, !cute.coord<"(0,6,5)">
      %iter_414 = cute.get_iter(%first_413) : !coord_tensor_9
      %coord_415 = cute.deref_arith_tuple_iter(%iter_414) : (!cute.arith_tuple_iter<"(?{div=2},?)">) -> !cute.int_tuple<"(?{div=2},?)">
      %inside_416 = cute.elem_less(%coord_415, %shapeD) : (!cute.int_tuple<"(?{div=2},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_417 = arith.extui %inside_416 : i1 to i8
      %at_418 = cute.make_coord() : () -> !cute.coord<"(0,6,5)">
      cute.memref.store(%inside_89, %at_418, %bit_417) : (!rmem_i8_1, !cute.coord<"(0,6,5)">, i8) -> ()
      %at_419 = cute.make_coord() : () -> !cute.coord<"(0,7,5)">
      %first_420 = cute.slice(%at_88, %at_419) : !coord_tensor_4, !cute.coord<"(0,7,5)">
      %iter_421 = cute.get_iter(%first_420) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_422 = cute.deref_arith_tuple_iter(%iter_421) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_423 = cute.elem_less(%coord_422, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_424 = arith.extui %inside_423 : i1 to i8
      %at_425 = cute.make_coord() : () -> !cute.coord<"(0,7,5)">
      cute.memref.store(%inside_89, %at_425, %bit_424) : (!rmem_i8_1, !cute.coord<"(0,7,5)">, i8) -> ()
      %at_426 = cute.make_coord() : () -> !cute.coord<"(0,0,6)">
      %first_427 = cute.slice(%at_88, %at_426) : !coord_tensor_4, !cute.coord<"(0,0,6)">
      %iter_428 = cute.get_iter(%first_427) : !coord_tensor_10
      %coord_429 = cute.deref_arith_tuple_iter(%iter_428) : (!arith_tuple_iter_2) -> !cute.int_tuple<"(?{div=4},?{div=2})">
      %inside_430 = cute.elem_less(%coord_429, %shapeD) : (!cute.int_tuple<"(?{div=4},?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_431 = arith.extui %inside_430 : i1 to i8
      %at_432 = cute.make_coord() : () -> !cute.coord<"(0,0,6)">
      cute.memref.store(%inside_89, %at_432, %bit_431) : (!rmem_i8_1, !cute.coord<"(0,0,6)">, i8) -> ()
      %at_433 = cute.make_coord() : () -> !cute.coord<"(0,1,6)">
      %first_434 = cute.slice(%at_88, %at_433) : !coord_tensor_4, !cute.coord<"(0,1,6)">
      %iter_435 = cute.get_iter(%first_434) : !coord_tensor_11
      %coord_436 = cute.deref_arith_tuple_iter(%iter_435) : (!cute.arith_tuple_iter<"(?,?{div=2})">) -> !cute.int_tuple<"(?,?{div=2})">
      %inside_437 = cute.elem_less(%coord_436, %shapeD) : (!cute.int_tuple<"(?,?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_438 = arith.extui %inside_437 : i1 to i8
      %at_439 = cute.make_coord() : () -> !cute.coord<"(0,1,6)">
      cute.memref.store(%inside_89, %at_439, %bit_438) : (!rmem_i8_1, !cute.coord<"(0,1,6)">, i8) -> ()
      %at_440 = cute.make_coord() : () -> !cute.coord<"(0,2,6)">
      %first_441 = cute.slice(%at_88, %at_440) : !coord_tensor_4, !cute.coord<"(0,2,6)">
      %iter_442 = cute.get_iter(%first_441) : !coord_tensor_12
      %coord_443 = cute.deref_arith_tuple_iter(%iter_442) : (!arith_tuple_iter_3) -> !cute.int_tuple<"(?{div=2},?{div=2})">
      %inside_444 = cute.elem_less(%coord_443, %shapeD) : (!cute.int_tuple<"(?{div=2},?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_445 = arith.extui %inside_444 : i1 to i8
      %at_446 = cute.make_coord() : () -> !cute.coord<"(0,2,6)">
      cute.memref.store(%inside_89, %at_446, %bit_445) : (!rmem_i8_1, !cute.coord<"(0,2,6)">, i8) -> ()
      %at_447 = cute.make_coord() : () -> !cute.coord<"(0,3,6)">
      %first_448 = cute.slice(%at_88, %at_447) : !coord_tensor_4, !cute.coord<"(0,3,6)">
      %iter_449 = cute.get_iter(%first_448) : !coord_tensor_11
      %coord_450 = cute.deref_arith_tuple_iter(%iter_449) : (!cute.arith_tuple_iter<"(?,?{div=2})">) -> !cute.int_tuple<"(?,?{div=2})">
      %inside_451 = cute.elem_less(%coord_450, %shapeD) : (!cute.int_tuple<"(?,?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_452 = arith.extui %inside_451 : i1 to i8
      %at_453 = cute.make_coord() : () -> !cute.coord<"(0,3,6)">
      cute.memref.store(%inside_89, %at_453, %bit_452) : (!rmem_i8_1, !cute.coord<"(0,3,6)">, i8) -> ()
      %at_454 = cute.make_coord() : () -> !cute.coord<"(0,4,6)">
      %first_455 = cute.slice(%at_88, %at_454) : !coord_tensor_4, !cute.coord<"(0,4,6)">
      %iter_456 = cute.get_iter(%first_455) : !coord_tensor_10
      %coord_457 = cute.deref_arith_tuple_iter(%iter_456) : (!arith_tuple_iter_2) -> !cute.int_tuple<"(?{div=4},?{div=2})">
      %inside_458 = cute.elem_less(%coord_457, %shapeD) : (!cute.int_tuple<"(?{div=4},?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_459 = arith.extui %inside_458 : i1 to i8
      %at_460 = cute.make_coord() : () -> !cute.coord<"(0,4,6)">
      cute.memref.store(%inside_89, %at_460, %bit_459) : (!rmem_i8_1, !cute.coord<"(0,4,6)">, i8) -> ()
      %at_461 = cute.make_coord() : () -> !cute.coord<"(0,5,6)">
      %first_462 = cute.slice(%at_88, %at_461) : !coord_tensor_4, !cute.coord<"(0,5,6)">
      %iter_463 = cute.get_iter(%first_462) : !coord_tensor_11
      %coord_464 = cute.deref_arith_tuple_iter(%iter_463) : (!cute.arith_tuple_iter<"(?,?{div=2})">) -> !cute.int_tuple<"(?,?{div=2})">
      %inside_465 = cute.elem_less(%coord_464, %shapeD) : (!cute.int_tuple<"(?,?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_466 = arith.extui %inside_465 : i1 to i8
      %at_467 = cute.make_coord() : () -> !cute.coord<"(0,5,6)">
      cute.memref.store(%inside_89, %at_467, %bit_466) : (!rmem_i8_1, !cute.coord<"(0,5,6)">, i8) -> ()
      %at_468 = cute.make_coord() : () -> !cute.coord<"(0,6,6)">
      %first_469 = cute.slice(%at_88, %at_468) : !coord_tensor_4, !cute.coord<"(0,6,6)">
      %iter_470 = cute.get_iter(%first_469) : !coord_tensor_12
      %coord_471 = cute.deref_arith_tuple_iter(%iter_470) : (!arith_tuple_iter_3) -> !cute.int_tuple<"(?{div=2},?{div=2})">
      %inside_472 = cute.elem_less(%coord_471, %shapeD) : (!cute.int_tuple<"(?{div=2},?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_473 = arith.extui %inside_472 : i1 to i8
      %at_474 = cute.make_coord() : () -> !cute.coord<"(0,6,6)">
      cute.memref.store(%inside_89, %at_474, %bit_473) : (!rmem_i8_1, !cute.coord<"(0,6,6)">, i8) -> ()
      %at_475 = cute.make_coord() : () -> !cute.coord<"(0,7,6)">
      %first_476 = cute.slice(%at_88, %at_475) : !coord_tensor_4, !cute.coord<"(0,7,6)">
      %iter_477 = cute.get_iter(%first_476) : !coord_tensor_11
      %coord_478 = cute.deref_arith_tuple_iter(%iter_477) : (!cute.arith_tuple_iter<"(?,?{div=2})">) -> !cute.int_tuple<"(?,?{div=2})">
      %inside_479 = cute.elem_less(%coord_478, %shapeD) : (!cute.int_tuple<"(?,?{div=2})">, !cute.shape<"(?,?)">) -> i1
      %bit_480 = arith.extui %inside_479 : i1 to i8
      %at_481 = cute.make_coord() : () -> !cute.coord<"(0,7,6)">
      cute.memref.store(%inside_89, %at_481, %bit_480) : (!rmem_i8_1, !cute.coord<"(0,7,6)">, i8) -> ()
      %at_482 = cute.make_coord() : () -> !cute.coord<"(0,0,7)">
      %first_483 = cute.slice(%at_88, %at_482) : !coord_tensor_4, !cute.coord<"(0,0,7)">
      %iter_484 = cute.get_iter(%first_483) : !coord_tensor_8
      %coord_485 = cute.deref_arith_tuple_iter(%iter_484) : (!cute.arith_tuple_iter<"(?{div=4},?)">) -> !cute.int_tuple<"(?{div=4},?)">
      %inside_486 = cute.elem_less(%coord_485, %shapeD) : (!cute.int_tuple<"(?{div=4},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_487 = arith.extui %inside_486 : i1 to i8
      %at_488 = cute.make_coord() : () -> !cute.coord<"(0,0,7)">
      cute.memref.store(%inside_89, %at_488, %bit_487) : (!rmem_i8_1, !cute.coord<"(0,0,7)">, i8) -> ()
      %at_489 = cute.make_coord() : () -> !cute.coord<"(0,1,7)">
      %first_490 = cute.slice(%at_88, %at_489) : !coord_tensor_4, !cute.coord<"(0,1,7)">
      %iter_491 = cute.get_iter(%first_490) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_492 = cute.deref_arith_tuple_iter(%iter_491) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_493 = cute.elem_less(%coord_492, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_494 = arith.extui %inside_493 : i1 to i8
      %at_495 = cute.make_coord() : () -> !cute.coord<"(0,1,7)">
      cute.memref.store(%inside_89, %at_495, %bit_494) : (!rmem_i8_1, !cute.coord<"(0,1,7)">, i8) -> ()
      %at_496 = cute.make_coord() : () -> !cute.coord<"(0,2,7)">
      %first_497 = cute.slice(%at_88, %at_496) : !coord_tensor_4, !cute.coord<"(0,2,7)">
      %iter_498 = cute.get_iter(%first_497) : !coord_tensor_9
      %coord_499 = cute.deref_arith_tuple_iter(%iter_498) : (!cute.arith_tuple_iter<"(?{div=2},?)">) -> !cute.int_tuple<"(?{div=2},?)">
      %inside_500 = cute.elem_less(%coord_499, %shapeD) : (!cute.int_tuple<"(?{div=2},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_501 = arith.extui %inside_500 : i1 to i8
      %at_502 = cute.make_coord() : () -> !cute.coord<"(0,2,7)">
      cute.memref.store(%inside_89, %at_502, %bit_501) : (!rmem_i8_1, !cute.coord<"(0,2,7)">, i8) -> ()
      %at_503 = cute.make_coord() : () -> !cute.coord<"(0,3,7)">
      %first_504 = cute.slice(%at_88, %at_503) : !coord_tensor_4, !cute.coord<"(0,3,7)">
      %iter_505 = cute.get_iter(%first_504) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_506 = cute.deref_arith_tuple_iter(%iter_505) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_507 = cute.elem_less(%coord_506, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_508 = arith.extui %inside_507 : i1 to i8
      %at_509 = cute.make_coord() : () -> !cute.coord<"(0,3,7)">
      cute.memref.store(%inside_89, %at_509, %bit_508) : (!rmem_i8_1, !cute.coord<"(0,3,7)">, i8) -> ()
      %at_510 = cute.make_coord() : () -> !cute.coord<"(0,4,7)">
      %first_511 = cute.slice(%at_88, %at_510) : !coord_tensor_4, !cute.coord<"(0,4,7)">
      %iter_512 = cute.get_iter(%first_511) : !coord_tensor_8
      %coord_513 = cute.deref_arith_tuple_iter(%iter_512) : (!cute.arith_tuple_iter<"(?{div=4},?)">) -> !cute.int_tuple<"(?{div=4},?)">
      %inside_514 = cute.elem_less(%coord_513, %shapeD) : (!cute.int_tuple<"(?{div=4},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_515 = arith.extui %inside_514 : i1 to i8
      %at_516 = cute.make_coord() : () -> !cute.coord<"(0,4,7)">
      cute.memref.store(%inside_89, %at_516, %bit_515) : (!rmem_i8_1, !cute.coord<"(0,4,7)">, i8) -> ()
      %at_517 = cute.make_coord() : () -> !cute.coord<"(0,5,7)">
      %first_518 = cute.slice(%at_88, %at_517) : !coord_tensor_4, !cute.coord<"(0,5,7)">
      %iter_519 = cute.get_iter(%first_518) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_520 = cute.deref_arith_tuple_iter(%iter_519) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_521 = cute.elem_less(%coord_520, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_522 = arith.extui %inside_521 : i1 to i8
      %at_523 = cute.make_coord() : () -> !cute.coord<"(0,5,7)">
      cute.memref.store(%inside_89, %at_523, %bit_522) : (!rmem_i8_1, !cute.coord<"(0,5,7)">, i8) -> ()
      %at_524 = cute.make_coord() : () -> !cute.coord<"(0,6,7)">
      %first_525 = cute.slice(%at_88, %at_524) : !coord_tensor_4, !cute.coord<"(0,6,7)">
      %iter_526 = cute.get_iter(%first_525) : !coord_tensor_9
      %coord_527 = cute.deref_arith_tuple_iter(%iter_526) : (!cute.arith_tuple_iter<"(?{div=2},?)">) -> !cute.int_tuple<"(?{div=2},?)">
      %inside_528 = cute.elem_less(%coord_527, %shapeD) : (!cute.int_tuple<"(?{div=2},?)">, !cute.shape<"(?,?)">) -> i1
      %bit_529 = arith.extui %inside_528 : i1 to i8
      %at_530 = cute.make_coord() : () -> !cute.coord<"(0,6,7)">
      cute.memref.store(%inside_89, %at_530, %bit_529) : (!rmem_i8_1, !cute.coord<"(0,6,7)">, i8) -> ()
      %at_531 = cute.make_coord() : () -> !cute.coord<"(0,7,7)">
      %first_532 = cute.slice(%at_88, %at_531) : !coord_tensor_4, !cute.coord<"(0,7,7)">
      %iter_533 = cute.get_iter(%first_532) : !cute.coord_tensor<"(?,?)", "():()">
      %coord_534 = cute.deref_arith_tuple_iter(%iter_533) : (!cute.arith_tuple_iter<"(?,?)">) -> !cute.int_tuple<"(?,?)">
      %inside_535 = cute.elem_less(%coord_534, %shapeD) : (!cute.int_tuple<"(?,?)">, !cute.shape<"(?,?)">) -> i1
      %bit_536 = arith.extui %inside_535 : i1 to i8
      %at_537 = cute.make_coord() : () -> !cute.coord<"(0,7,7)">
      cute.memref.store(%inside_89, %at_537, %bit_536) : (!rmem_i8_1, !cute.coord<"(0,7,7)">, i8) -> ()
      %zero = arith.constant 0.000000e+00 : f32
      %wants_c = arith.cmpf une, %beta, %zero : f32
      %values = cute.memref.load_vec %accumulators : !rmem_f32_1
      %factors = vector.broadcast %alpha : f32 to vector<64xf32>
      %scaled = arith.mulf %values, %factors : vector<64xf32>
      cute.memref.store_vec %scaled, %accumulators : !rmem_f32_1
      scf.if %wants_c {
        %added = cute.memref.alloca() : !rmem_f32_1
        %zeros_538 = arith.constant dense<0.000000e+00> : vector<64xf32>
        cute.memref.store_vec %zeros_538, %added : !rmem_f32_1
        cute.copy(%store, %old, %added, %inside_89) : (!cute_nvgpu.atom.universal_copy<f32>, !gmem_f32_5, !rmem_f32_1, !rmem_i8_1)
        %values_539 = cute.memref.load_vec %added : !rmem_f32_1
        %factors_540 = vector.broadcast %beta : f32 to vector<64xf32>
        %scaled_541 = arith.mulf %values_539, %factors_540 : vector<64xf32>
        %so_far = cute.memref.load_vec %accumulators : !rmem_f32_1
        %all = arith.addf %so_far, %scaled_541 : vector<64xf32>
        cute.memref.store_vec %all, %accumulators : !rmem_f32_1
      }
      cute.copy(%store, %accumulators, %to, %inside_89) : (!cute_nvgpu.atom.universal_copy<f32>, !rmem_f32_1, !gmem_f32_5, !rmem_i8_1)
      gpu.return
    }
  }
}
