// D = A B^T of e4m3 with an ue8m0 for every 32 elements of K, accumulated in f32 and stored in bf16, by tcgen05.mma on one block.
//
// One cluster is launched for each tile of 128 x 128; clusters that run cancel others, and compute their tiles. The roles of warps are
// those of nvf4.mlir. An MMA takes 32 elements of K, so one byte of a word of four factors: the address of a factor in tensor memory says
// which.
//
// SFA and SFB are blocks of 512 bytes, as a mode of 256 and one of 2: four factors of each of 128 rows. The other modes are the blocks
// along the rows and along K, (256,2,ceil(rows / 128),ceil(K / 128)). `cutec build quantize --format mxf8-e4m3` makes them from floats.
//
//   cutec run examples/blackwell/mxf8.mlir --target sm_100a --host --arg "A:f8E4M3FN[136x288]=random(1)" \
//     --arg "B:f8E4M3FN[200x288]=random(2)" --arg "SFA:f8E8M0FNU[256x2x2x3]=2" --arg "SFB:f8E8M0FNU[256x2x2x3]=0.5" \
//     --arg "D:bf16[136x200]"
//
// Written by `cutec build gemm_sm100 --types mxf8 --out bf16 --ctas 1 --m-tile 128 --n-tile 128 --scheduler clc --emit cute`.

!non_exec_tiled_tma_load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f8E4M3FN, copy_bits = 131072, tma_gbasis = <"(128,128):(1@1,1@0)">, tma_format = U8>
!coord_tensor = !cute.coord_tensor<"(0,0)", "(?,?):(1@1,1@0)">
!non_exec_tiled_tma_store = !cute_nvgpu.atom.non_exec_tiled_tma_store<bf16, copy_bits = 131072, tma_gbasis = <"(64,128):(1@1,1@0)">, tma_format = BF16_RN>
!non_exec_tiled_tma_load_1 = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f8E8M0FNU, copy_bits = 4096, tma_gbasis = <"(256,2,1,1):(1@0,1@1,1@2,1@3)">, tma_format = U8>
!coord_tensor_1 = !cute.coord_tensor<"(0,0,0,0)", "(256,2,?,?):(1@0,1@1,1@2,1@3)">
!tmem_f32 = !cute.memref<f32, tmem, align<16>, "((128,128),1,1,2):((65536,1),0,0,128)">
!coord_tensor_2 = !cute.coord_tensor<"(0,0)", "(128,128,?):(1@1,1@0,128@0)">
!ptr = !cute.ptr<f8E4M3FN, smem, align<1024>, S<3,4,3>>
!smem_f8E4M3FN = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "(128,128,5):(128,1,16384)">
!coord_tensor_3 = !cute.coord_tensor<"(0,0,?,0)", "(256,2,1,1,?):(1@0,1@1,1@2,1@3,1@3)">
!smem_f8E8M0FNU = !cute.memref<f8E8M0FNU, smem, align<128>, "(256,2,1,1,5):(1,256,512,512,512)">
!smem_f8E8M0FNU_1 = !cute.memref<f8E8M0FNU, smem, align<128>, "((256,2,1,1),5):((1,256,512,512),512)">
!coord_tensor_4 = !cute.coord_tensor<"(0,0,?,0)", "((256,2,1,1),?):((1@0,1@1,1@2,1@3),1@3)">
!smem_f8E8M0FNU_2 = !cute.memref<f8E8M0FNU, smem, align<128>, "((512,1),5):((1,0),512)">
!coord_tensor_5 = !cute.coord_tensor<"(0,0,?,0)", "(((256,2),1),?):(((1@0,1@1),0),1@3)">
!coord_tensor_6 = !cute.coord_tensor<"(0,?{div=128})", "(128,128,?):(1@1,1@0,128@0)">
!smem_f8E4M3FN_1 = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((128,128),5):((128,1),16384)">
!coord_tensor_7 = !cute.coord_tensor<"(0,?{div=128})", "((128,128),?):((1@1,1@0),128@0)">
!smem_f8E4M3FN_2 = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((16384,1),5):((1,0),16384)">
!coord_tensor_8 = !cute.coord_tensor<"(0,?{div=128})", "(((128,128),1),?):(((1@0,1@1),0),128@0)">
!tma_load = !cute_nvgpu.atom.tma_load<f8E4M3FN, copy_bits = 131072, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(128,128):(1@1,1@0)">>
!coord_tensor_9 = !cute.coord_tensor<"(?{div=128},?{div=128})", "(((128,128),1)):(((1@0,1@1),0))">
!smem_f8E4M3FN_3 = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((16384,1)):((1,0))">
!tma_load_1 = !cute_nvgpu.atom.tma_load<f8E8M0FNU, copy_bits = 4096, mode = tiled, num_cta = 1, g_stride = <"()"> tma_gbasis = <"(256,2,1,1):(1@0,1@1,1@2,1@3)">>
!coord_tensor_10 = !cute.coord_tensor<"(0,0,?,?)", "(((256,2),1)):(((1@0,1@1),0))">
!smem_f8E8M0FNU_3 = !cute.memref<f8E8M0FNU, smem, align<128>, "((512,1)):((1,0))">
!s2t_copy = !cute_nvgpu.atom.s2t_copy<f8E8M0FNU, 32 DP, 128 bit, 1 cta, x4>
!tmem_f32_1 = !cute.memref<f32, tmem, align<16>, "((128,128),1,1):((65536,1),0,0)">
!smem_f8E8M0FNU_4 = !cute.memref<f8E8M0FNU, smem, align<128>, "((32,16,4),1,5):((16,1,0),512,512)">
!smem_desc_view = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((32,1,4),1,5):((1,1,0),32,32)">
!layout = !cute.layout<"((32,16,4),1):((262144,1,8388608),16)">
!tmem_f8E8M0FNU = !cute.memref<f8E8M0FNU, tmem, align<16>, "((32,16,4),1):((262144,1,8388608),16)">
!layout_1 = !cute.layout<"((((32,4),4),(32,1)),1,(4,1)):((((262144,4),8388608),(0,1)),0,(1,0))">
!tmem_f8E8M0FNU_1 = !cute.memref<f8E8M0FNU, tmem, align<16>, "((((32,4),4),(32,1)),1,(4,1)):((((262144,4),8388608),(0,1)),0,(1,0))">
!mma_bs = !cute_nvgpu.sm100.mma_bs<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>
!tiled_mma = !cute.tiled_mma<!cute_nvgpu.sm100.mma_bs<128x128x32, num_cta = 1, ab_major = (k, k), elem_type = (f8E4M3FN, f8E4M3FN, f32), sf_type = f8E8M0FNU, frag_kind = ss, vec_size = 32>, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!smem_f8E4M3FN_4 = !cute.memref<f8E4M3FN, smem, align<1024>, S<3,4,3>, "((128,32),1,4,5):((128,1),0,32,16384)">
!smem_desc_view_1 = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1,4,5):(0,0,2,1024)">
!smem_desc_view_2 = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "((32,1,4),1):((1,1,0),32)">
!smem_desc_view_3 = !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,1):(0,0)">
!tmem_f8E8M0FNU_2 = !cute.memref<f8E8M0FNU, tmem, align<16>, "((((32,4),4),(32,1)),1):((((262144,4),8388608),(0,1)),0)">
!tmem_f8E8M0FNU_3 = !cute.memref<f8E8M0FNU, tmem, "((((32,4),4),(32,1)),1):((((262144,4),8388608),(0,1)),0)">
!tmem_f8E8M0FNU_4 = !cute.memref<f8E8M0FNU, tmem, align<2>, "((((32,4),4),(32,1)),1):((((262144,4),8388608),(0,1)),0)">
!smem_bf16 = !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "(128,64,2):(64,1,8192)">
!rmem_bf16 = !cute.memref<bf16, rmem, align<16>, "((8,8),1,1):((1,8),0,0)">
!tiled_copy = !cute.tiled_copy<!cute_nvgpu.atom.universal_copy<bf16, 128 b>, layout_copy_tv = <"(128,64):(1,128)">, tiler_mn = <"[128:1;64:1]">>
!smem_bf16_1 = !cute.memref<bf16, smem, align<128>, S<3,4,3>, "((8,8),1,1,2):((1,8),0,0,8192)">
!tmem_f32_2 = !cute.memref<f32, tmem, align<16>, "(128,64,2,2):(65536,1,64,128)">
!tmem_load = !cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x64>
!tiled_copy_1 = !cute.tiled_copy<!cute_nvgpu.atom.tmem_load<f32, 32 DP, 32 bit, x64>, layout_copy_tv = <"((32,4),(64,32)):((0,1),(128,4))">, tiler_mn = <"[(4,32):(32,1);64:1]">>
!tmem_f32_3 = !cute.memref<f32, tmem, align<16>, "(((64,32),1),1,1,2,2):(((1,65536),0),0,0,64,128)">
!rmem_f32 = !cute.memref<f32, rmem, align<16>, "((64,1),1,1):((1,0),0,0)">
!tmem_f32_4 = !cute.memref<f32, tmem, align<16>, "(((64,32),1),1,1):(((1,65536),0),0,0)">
!smem_bf16_2 = !cute.memref<bf16, smem, align<128>, S<3,4,3>, "((8,8),1,1):((1,8),0,0)">
!coord_tensor_11 = !cute.coord_tensor<"(?{div=64},?{div=128})", "(128,64):(1@1,1@0)">
!smem_bf16_3 = !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "(128,64):(64,1)">
!smem_bf16_4 = !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((128,64)):((64,1))">
!coord_tensor_12 = !cute.coord_tensor<"(?{div=64},?{div=128})", "((128,64)):((1@1,1@0))">
!smem_bf16_5 = !cute.memref<bf16, smem, align<1024>, S<3,4,3>, "((8192,1)):((1,0))">
!coord_tensor_13 = !cute.coord_tensor<"(?{div=64},?{div=128})", "(((64,128),1)):(((1@0,1@1),0))">
!tma_store = !cute_nvgpu.atom.tma_store<bf16, copy_bits = 131072, mode = tiled, g_stride = <"()"> tma_gbasis = <"(64,128):(1@1,1@0)">>
!gmem_f8E4M3FN = !cute.memref<f8E4M3FN, gmem, align<16>, "(?,?):(?{i64},1)">
!gmem_f8E8M0FNU = !cute.memref<f8E8M0FNU, gmem, align<16>, "(256,2,?,?):(1,256,?{i64 div=512},512)">
!gmem_bf16 = !cute.memref<bf16, gmem, align<16>, "(?,?):(?{i64},1)">
!composed_layout = !cute.composed_layout<"S<3,4,3> o 0 o (128,128):(128,1)">
!composed_layout_1 = !cute.composed_layout<"S<3,4,3> o 0 o (128,64):(64,1)">
!gmem_bf16_1 = !cute.memref<bf16, gmem, align<16>, "((128,128),(?,?)):((?{i64},1),(?{i64 div=128},128))">
!layout_2 = !cute.layout<"(256,2,1,1):(1,256,512,512)">
!layout_3 = !cute.layout<"(256,2,1,1):(1@0,1@1,1@2,1@3)">

module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @gemm_sm100(%loadA: !non_exec_tiled_tma_load, %A: !coord_tensor, %loadB: !non_exec_tiled_tma_load, %B: !coord_tensor, %storeD: !non_exec_tiled_tma_store, %D: !coord_tensor, %tiles_m: i32, %tiles_n: i32, %loadSFA: !non_exec_tiled_tma_load_1, %SFA: !coord_tensor_1, %loadSFB: !non_exec_tiled_tma_load_1, %SFB: !coord_tensor_1) attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin}, cute.dynamic_shared_memory = 201952 : i64, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 256, 1, 1>} {
      %cluster = nvvm.read.ptx.sreg.ctaid.x : i32
      %clusters = nvvm.read.ptx.sreg.nctaid.x : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %smem = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
      %c32 = arith.constant 32 : i32
      %warp_of = arith.divui %tid, %c32 : i32
      %warp = cute_nvgpu.arch.make_warp_uniform(%warp_of) : i32
      %c128 = arith.constant 128 : i32
      %thread = arith.remui %tid, %c128 : i32
      %c4 = arith.constant 4 : i32
      %warp_inside = arith.remui %warp, %c4 : i32
      %c0 = arith.constant 0 : i32
      %c0_0 = arith.constant 0 : i32
      %offset = cute.static : !cute.int_tuple<"201856">
      %memory = cute.add_offset(%smem, %offset) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"201856">) -> !cute.ptr<i8, smem, align<128>>
      %pointer = cute.recast_iter(%memory) : !cute.ptr<i8, smem, align<128>> to !cute.ptr<i128, smem>
      %responses = cute.make_view(%pointer) : !cute.memref<i128, smem, "(3):(1)">
      %first = cute.get_iter(%responses) : !cute.memref<i128, smem, "(3):(1)">
      %offset_1 = cute.static : !cute.int_tuple<"201904">
      %memory_2 = cute.add_offset(%smem, %offset_1) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"201904">) -> !cute.ptr<i8, smem, align<16>>
      %full = cute.recast_iter(%memory_2) : !cute.ptr<i8, smem, align<16>> to !cute.ptr<i64, smem>
      %offset_3 = cute.static : !cute.int_tuple<"201928">
      %memory_4 = cute.add_offset(%smem, %offset_3) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"201928">) -> !cute.ptr<i8, smem, align<8>>
      %empty = cute.recast_iter(%memory_4) : !cute.ptr<i8, smem, align<8>> to !cute.ptr<i64, smem>
      %offset_5 = cute.static : !cute.int_tuple<"201728">
      %memory_6 = cute.add_offset(%smem, %offset_5) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"201728">) -> !cute.ptr<i8, smem, align<1024>>
      %full_7 = cute.recast_iter(%memory_6) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<i64, smem>
      %offset_8 = cute.static : !cute.int_tuple<"201768">
      %memory_9 = cute.add_offset(%smem, %offset_8) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"201768">) -> !cute.ptr<i8, smem, align<8>>
      %empty_10 = cute.recast_iter(%memory_9) : !cute.ptr<i8, smem, align<8>> to !cute.ptr<i64, smem>
      %offset_11 = cute.static : !cute.int_tuple<"201808">
      %memory_12 = cute.add_offset(%smem, %offset_11) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"201808">) -> !cute.ptr<i8, smem, align<16>>
      %full_13 = cute.recast_iter(%memory_12) : !cute.ptr<i8, smem, align<16>> to !cute.ptr<i64, smem>
      %offset_14 = cute.static : !cute.int_tuple<"201824">
      %memory_15 = cute.add_offset(%smem, %offset_14) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"201824">) -> !cute.ptr<i8, smem, align<32>>
      %empty_16 = cute.recast_iter(%memory_15) : !cute.ptr<i8, smem, align<32>> to !cute.ptr<i64, smem>
      %c0_17 = arith.constant 0 : i32
      %is_loader = arith.cmpi eq, %warp, %c0_17 : i32
      scf.if %is_loader {
        %one = nvvm.elect.sync -> i1
        scf.if %one {
          %c0_31 = arith.constant 0 : i32
          %c5 = arith.constant 5 : i32
          %c1_32 = arith.constant 1 : i32
          scf.for %stage = %c0_31 to %c5 step %c1_32  : i32 {
            %at_38 = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %full_39 = cute.add_offset(%full_7, %at_38) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_40 = builtin.unrealized_conversion_cast %full_39 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %c1_41 = arith.constant 1 : i32
            nvvm.mbarrier.init %address_40, %c1_41 : !llvm.ptr<3>, i32
            %at_42 = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %empty_43 = cute.add_offset(%empty_10, %at_42) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_44 = builtin.unrealized_conversion_cast %empty_43 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %c1_45 = arith.constant 1 : i32
            nvvm.mbarrier.init %address_44, %c1_45 : !llvm.ptr<3>, i32
          }
          %c0_33 = arith.constant 0 : i32
          %c2_34 = arith.constant 2 : i32
          %c1_35 = arith.constant 1 : i32
          scf.for %stage = %c0_33 to %c2_34 step %c1_35  : i32 {
            %at_38 = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %full_39 = cute.add_offset(%full_13, %at_38) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_40 = builtin.unrealized_conversion_cast %full_39 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %c1_41 = arith.constant 1 : i32
            nvvm.mbarrier.init %address_40, %c1_41 : !llvm.ptr<3>, i32
            %at_42 = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %empty_43 = cute.add_offset(%empty_16, %at_42) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_44 = builtin.unrealized_conversion_cast %empty_43 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %c128_45 = arith.constant 128 : i32
            nvvm.mbarrier.init %address_44, %c128_45 : !llvm.ptr<3>, i32
          }
          %c0_36 = arith.constant 0 : i32
          %c3 = arith.constant 3 : i32
          %c1_37 = arith.constant 1 : i32
          scf.for %stage = %c0_36 to %c3 step %c1_37  : i32 {
            %at_38 = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %full_39 = cute.add_offset(%full, %at_38) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_40 = builtin.unrealized_conversion_cast %full_39 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %c1_41 = arith.constant 1 : i32
            nvvm.mbarrier.init %address_40, %c1_41 : !llvm.ptr<3>, i32
            %at_42 = cute.make_int_tuple(%stage) : (i32) -> !cute.int_tuple<"?">
            %empty_43 = cute.add_offset(%empty, %at_42) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_44 = builtin.unrealized_conversion_cast %empty_43 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %c6 = arith.constant 6 : i32
            nvvm.mbarrier.init %address_44, %c6 : !llvm.ptr<3>, i32
          }
          nvvm.fence.mbarrier.init
        }
        cute_nvgpu.prefetch_tma_desc(%loadA) : (!non_exec_tiled_tma_load) -> ()
        cute_nvgpu.prefetch_tma_desc(%loadB) : (!non_exec_tiled_tma_load) -> ()
        cute_nvgpu.prefetch_tma_desc(%storeD) : (!non_exec_tiled_tma_store) -> ()
        cute_nvgpu.prefetch_tma_desc(%loadSFA) : (!non_exec_tiled_tma_load_1) -> ()
        cute_nvgpu.prefetch_tma_desc(%loadSFB) : (!non_exec_tiled_tma_load_1) -> ()
      }
      %offset_18 = cute.static : !cute.int_tuple<"201840">
      %memory_19 = cute.add_offset(%smem, %offset_18) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"201840">) -> !cute.ptr<i8, smem, align<16>>
      %address = cute.recast_iter(%memory_19) : !cute.ptr<i8, smem, align<16>> to !cute.ptr<i32, smem, align<8>>
      %c2 = arith.constant 2 : i32
      %allocates = arith.cmpi eq, %warp, %c2 : i32
      %c512 = arith.constant 512 : i32
      scf.if %allocates {
        cute_nvgpu.arch.sm100.alloc_tmem(%c512, %address) [ cta_1] : i32, !cute.ptr<i32, smem, align<8>>
        cute_nvgpu.arch.sm100.relinquish_tmem_alloc_permit [ cta_1]
      }
      nvvm.tcgen05.fence <before>
      nvvm.barrier0
      nvvm.tcgen05.fence <after>
      %tmem = cute_nvgpu.arch.sm100.retrieve_tmem_ptr(%address) : !cute.ptr<i32, smem, align<8>> -> !cute.ptr<f32, tmem, align<16>>
      %layout = cute.static : !cute.layout<"((128,128),1,1,2):((65536,1),0,0,128)">
      %accumulators = cute.make_view(%tmem, %layout) : !tmem_f32
      %c0_20 = arith.constant 0 : i32
      %c0_21 = arith.constant 0 : i32
      %leads = arith.cmpi eq, %c0_20, %c0_21 : i32
      %c1 = arith.constant 1 : i32
      %multiplies = arith.cmpi eq, %warp, %c1 : i32
      %multiplies_22 = arith.andi %multiplies, %leads : i1
      %c4_23 = arith.constant 4 : i32
      %stores = arith.cmpi uge, %warp, %c4_23 : i32
      %tiler = cute.static : !cute.tile<"[128:1;128:1;128:1]">
      %at = cute.make_coord() : () -> !cute.coord<"(0,0,_)">
      %kA = cute.local_tile(%A, %tiler, %at, "(1,_,1)") : (!coord_tensor, !cute.tile<"[128:1;128:1;128:1]">, !cute.coord<"(0,0,_)">) -> !coord_tensor_2
      %size = cute.size<[2]> (%kA) : (!coord_tensor_2) -> !cute.int_tuple<"?">
      %k_tiles = cute.get_scalars (%size) : !cute.int_tuple<"?">
      %pointer_24 = cute.recast_iter(%smem) : !cute.ptr<i8, smem, align<1024>> to !ptr
      %sA = cute.make_view(%pointer_24) : !smem_f8E4M3FN
      %offset_25 = cute.static : !cute.int_tuple<"81920">
      %memory_26 = cute.add_offset(%smem, %offset_25) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"81920">) -> !cute.ptr<i8, smem, align<1024>>
      %pointer_27 = cute.recast_iter(%memory_26) : !cute.ptr<i8, smem, align<1024>> to !ptr
      %sB = cute.make_view(%pointer_27) : !smem_f8E4M3FN
      scf.if %is_loader {
        %c0_31 = arith.constant 0 : i32
        %c1_32 = arith.constant 1 : i32
        %c1_33 = arith.constant 1 : i32
        %row = arith.muli %c0_0, %c1_33 : i32
        %c0_34 = arith.constant 0 : i32
        %row_35 = arith.addi %row, %c0_34 : i32
        %c0_36 = arith.constant 0 : i32
        %all = arith.muli %tiles_m, %tiles_n : i32
        %c0_37 = arith.constant 0 : i32
        %c0_38 = arith.constant 0 : i32
        %0:5 = scf.while (%carried = %cluster, %carried_41 = %c0_37, %carried_42 = %c0_38, %carried_43 = %c0_31, %carried_44 = %c1_32) : (i32, i32, i32, i32, i32) -> (i32, i32, i32, i32, i32) {
          %more = arith.cmpi ult, %carried, %all : i32
          scf.condition(%more) %carried, %carried_41, %carried_42, %carried_43, %carried_44 : i32, i32, i32, i32, i32
        } do {
        ^bb0(%carried: i32, %carried_41: i32, %carried_42: i32, %carried_43: i32, %carried_44: i32):
          %c1_45 = arith.constant 1 : i32
          %before = arith.xori %carried_42, %c1_45 : i32
          %at_46 = cute.make_int_tuple(%carried_41) : (i32) -> !cute.int_tuple<"?">
          %empty_47 = cute.add_offset(%empty, %at_46) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %c1_48 = arith.constant 1 : i32
          %address_49 = builtin.unrealized_conversion_cast %empty_47 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %address_49, %before, %c1_48 : !llvm.ptr<3>, i32, i32
          %one = nvvm.elect.sync -> i1
          scf.if %one {
            %at_105 = cute.make_int_tuple(%carried_41) : (i32) -> !cute.int_tuple<"?">
            %full_106 = cute.add_offset(%full, %at_105) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_107 = builtin.unrealized_conversion_cast %full_106 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            %c16 = arith.constant 16 : i32
            nvvm.mbarrier.arrive.expect_tx %address_107, %c16 : !llvm.ptr<3>, i32
            %at_108 = cute.make_int_tuple(%carried_41) : (i32) -> !cute.int_tuple<"?">
            %response_109 = cute.add_offset(%first, %at_108) : (!cute.ptr<i128, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i128, smem>
            %address_110 = builtin.unrealized_conversion_cast %response_109 : !cute.ptr<i128, smem> to !llvm.ptr<3>
            %address_111 = builtin.unrealized_conversion_cast %full_106 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.clusterlaunchcontrol.try.cancel %address_110, %address_111
          }
          %c8 = arith.constant 8 : i32
          %group = arith.muli %tiles_n, %c8 : i32
          %which = arith.divui %carried, %group : i32
          %inside = arith.remui %carried, %group : i32
          %first_50 = arith.muli %which, %c8 : i32
          %left = arith.subi %tiles_m, %first_50 : i32
          %height = arith.minui %left, %c8 : i32
          %row_51 = arith.remui %inside, %height : i32
          %m = arith.addi %first_50, %row_51 : i32
          %n = arith.divui %inside, %height : i32
          %tiler_52 = cute.static : !cute.tile<"[256:1;2:1;1:1;1:1]">
          %at_53 = cute.make_coord(%m) : (i32) -> !cute.coord<"(0,0,?,_)">
          %tiles = cute.local_tile(%SFA, %tiler_52, %at_53) : (!coord_tensor_1, !cute.tile<"[256:1;2:1;1:1;1:1]">, !cute.coord<"(0,0,?,_)">) -> !coord_tensor_3
          %offset_54 = cute.static : !cute.int_tuple<"163840">
          %memory_55 = cute.add_offset(%smem, %offset_54) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"163840">) -> !cute.ptr<i8, smem, align<1024>>
          %pointer_56 = cute.recast_iter(%memory_55) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f8E8M0FNU, smem, align<128>>
          %factors = cute.make_view(%pointer_56) : !smem_f8E8M0FNU
          %cta = cute.static : !cute.coord<"0">
          %ctas = cute.static : !cute.layout<"1:0">
          %boxes = cute.group_modes<0, 4> (%factors) : (!smem_f8E8M0FNU) -> !smem_f8E8M0FNU_1
          %boxes_57 = cute.group_modes<0, 4> (%tiles) : (!coord_tensor_3) -> !coord_tensor_4
          %boxes_58, %boxes_59 = cute_nvgpu.atom.tma_partition(%loadSFA, %cta, %ctas, %boxes, %boxes_57) : (!non_exec_tiled_tma_load_1, !cute.coord<"0">, !cute.layout<"1:0">, !smem_f8E8M0FNU_1, !coord_tensor_4) -> (!smem_f8E8M0FNU_2, !coord_tensor_5)
          %tiler_60 = cute.static : !cute.tile<"[256:1;2:1;1:1;1:1]">
          %at_61 = cute.make_coord(%n) : (i32) -> !cute.coord<"(0,0,?,_)">
          %tiles_62 = cute.local_tile(%SFB, %tiler_60, %at_61) : (!coord_tensor_1, !cute.tile<"[256:1;2:1;1:1;1:1]">, !cute.coord<"(0,0,?,_)">) -> !coord_tensor_3
          %offset_63 = cute.static : !cute.int_tuple<"166400">
          %memory_64 = cute.add_offset(%smem, %offset_63) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"166400">) -> !cute.ptr<i8, smem, align<512>>
          %pointer_65 = cute.recast_iter(%memory_64) : !cute.ptr<i8, smem, align<512>> to !cute.ptr<f8E8M0FNU, smem, align<128>>
          %factors_66 = cute.make_view(%pointer_65) : !smem_f8E8M0FNU
          %cta_67 = cute.static : !cute.coord<"0">
          %ctas_68 = cute.static : !cute.layout<"1:0">
          %boxes_69 = cute.group_modes<0, 4> (%factors_66) : (!smem_f8E8M0FNU) -> !smem_f8E8M0FNU_1
          %boxes_70 = cute.group_modes<0, 4> (%tiles_62) : (!coord_tensor_3) -> !coord_tensor_4
          %boxes_71, %boxes_72 = cute_nvgpu.atom.tma_partition(%loadSFB, %cta_67, %ctas_68, %boxes_69, %boxes_70) : (!non_exec_tiled_tma_load_1, !cute.coord<"0">, !cute.layout<"1:0">, !smem_f8E8M0FNU_1, !coord_tensor_4) -> (!smem_f8E8M0FNU_2, !coord_tensor_5)
          %tiler_73 = cute.static : !cute.tile<"[128:1;128:1;128:1]">
          %at_74 = cute.make_coord(%m, %n) : (i32, i32) -> !cute.coord<"(?,?,_)">
          %tiles_75 = cute.local_tile(%A, %tiler_73, %at_74, "(1,_,1)") : (!coord_tensor, !cute.tile<"[128:1;128:1;128:1]">, !cute.coord<"(?,?,_)">) -> !coord_tensor_6
          %cta_76 = cute.static : !cute.coord<"0">
          %ctas_77 = cute.static : !cute.layout<"1:0">
          %boxes_78 = cute.group_modes<0, 2> (%sA) : (!smem_f8E4M3FN) -> !smem_f8E4M3FN_1
          %boxes_79 = cute.group_modes<0, 2> (%tiles_75) : (!coord_tensor_6) -> !coord_tensor_7
          %boxes_80, %boxes_81 = cute_nvgpu.atom.tma_partition(%loadA, %cta_76, %ctas_77, %boxes_78, %boxes_79) : (!non_exec_tiled_tma_load, !cute.coord<"0">, !cute.layout<"1:0">, !smem_f8E4M3FN_1, !coord_tensor_7) -> (!smem_f8E4M3FN_2, !coord_tensor_8)
          %tiler_82 = cute.static : !cute.tile<"[128:1;128:1;128:1]">
          %at_83 = cute.make_coord(%m, %n) : (i32, i32) -> !cute.coord<"(?,?,_)">
          %tiles_84 = cute.local_tile(%B, %tiler_82, %at_83, "(_,1,1)") : (!coord_tensor, !cute.tile<"[128:1;128:1;128:1]">, !cute.coord<"(?,?,_)">) -> !coord_tensor_6
          %cta_85 = cute.static : !cute.coord<"0">
          %ctas_86 = cute.static : !cute.layout<"1:0">
          %boxes_87 = cute.group_modes<0, 2> (%sB) : (!smem_f8E4M3FN) -> !smem_f8E4M3FN_1
          %boxes_88 = cute.group_modes<0, 2> (%tiles_84) : (!coord_tensor_6) -> !coord_tensor_7
          %boxes_89, %boxes_90 = cute_nvgpu.atom.tma_partition(%loadB, %cta_85, %ctas_86, %boxes_87, %boxes_88) : (!non_exec_tiled_tma_load, !cute.coord<"0">, !cute.layout<"1:0">, !smem_f8E4M3FN_1, !coord_tensor_7) -> (!smem_f8E4M3FN_2, !coord_tensor_8)
          %c0_91 = arith.constant 0 : i32
          %c1_92 = arith.constant 1 : i32
          %2:2 = scf.for %k = %c0_91 to %k_tiles step %c1_92 iter_args(%carried_105 = %carried_43, %carried_106 = %carried_44) -> (i32, i32)  : i32 {
            %at_107 = cute.make_int_tuple(%carried_105) : (i32) -> !cute.int_tuple<"?">
            %empty_108 = cute.add_offset(%empty_10, %at_107) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %c1_109 = arith.constant 1 : i32
            %address_110 = builtin.unrealized_conversion_cast %empty_108 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.try_wait.parity %address_110, %carried_106, %c1_109 : !llvm.ptr<3>, i32, i32
            %at_111 = cute.make_int_tuple(%carried_105) : (i32) -> !cute.int_tuple<"?">
            %full_112 = cute.add_offset(%full_7, %at_111) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %one_113 = nvvm.elect.sync -> i1
            scf.if %one_113 {
              %address_142 = builtin.unrealized_conversion_cast %full_112 : !cute.ptr<i64, smem> to !llvm.ptr<3>
              %c33792 = arith.constant 33792 : i32
              nvvm.mbarrier.arrive.expect_tx %address_142, %c33792 : !llvm.ptr<3>, i32
            }
            %exec = cute_nvgpu.atom.make_exec_tma(%loadA) : (!non_exec_tiled_tma_load) -> !tma_load
            %load = cute_nvgpu.atom.set_value(%exec, %full_112 : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !tma_load
            %at_114 = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
            %from = cute.slice(%boxes_81, %at_114) : !coord_tensor_8, !cute.coord<"(_,?)">
            %at_115 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,?)">
            %to = cute.slice(%boxes_80, %at_115) : !smem_f8E4M3FN_2, !cute.coord<"(_,?)">
            cute.copy(%load, %from, %to) : (!tma_load, !coord_tensor_9, !smem_f8E4M3FN_3)
            %exec_116 = cute_nvgpu.atom.make_exec_tma(%loadB) : (!non_exec_tiled_tma_load) -> !tma_load
            %load_117 = cute_nvgpu.atom.set_value(%exec_116, %full_112 : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !tma_load
            %at_118 = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
            %from_119 = cute.slice(%boxes_90, %at_118) : !coord_tensor_8, !cute.coord<"(_,?)">
            %at_120 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,?)">
            %to_121 = cute.slice(%boxes_89, %at_120) : !smem_f8E4M3FN_2, !cute.coord<"(_,?)">
            cute.copy(%load_117, %from_119, %to_121) : (!tma_load, !coord_tensor_9, !smem_f8E4M3FN_3)
            %exec_122 = cute_nvgpu.atom.make_exec_tma(%loadSFA) : (!non_exec_tiled_tma_load_1) -> !tma_load_1
            %load_123 = cute_nvgpu.atom.set_value(%exec_122, %full_112 : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !tma_load_1
            %at_124 = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
            %from_125 = cute.slice(%boxes_59, %at_124) : !coord_tensor_5, !cute.coord<"(_,?)">
            %at_126 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,?)">
            %to_127 = cute.slice(%boxes_58, %at_126) : !smem_f8E8M0FNU_2, !cute.coord<"(_,?)">
            cute.copy(%load_123, %from_125, %to_127) : (!tma_load_1, !coord_tensor_10, !smem_f8E8M0FNU_3)
            %exec_128 = cute_nvgpu.atom.make_exec_tma(%loadSFB) : (!non_exec_tiled_tma_load_1) -> !tma_load_1
            %load_129 = cute_nvgpu.atom.set_value(%exec_128, %full_112 : !cute.ptr<i64, smem>) {field = #cute_nvgpu.atom_copy_field_tmaload<tma_bar>} : !tma_load_1
            %at_130 = cute.make_coord(%k) : (i32) -> !cute.coord<"(_,?)">
            %from_131 = cute.slice(%boxes_72, %at_130) : !coord_tensor_5, !cute.coord<"(_,?)">
            %at_132 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,?)">
            %to_133 = cute.slice(%boxes_71, %at_132) : !smem_f8E8M0FNU_2, !cute.coord<"(_,?)">
            cute.copy(%load_129, %from_131, %to_133) : (!tma_load_1, !coord_tensor_10, !smem_f8E8M0FNU_3)
            %c1_134 = arith.constant 1 : i32
            %next_135 = arith.addi %carried_105, %c1_134 : i32
            %c5_136 = arith.constant 5 : i32
            %wraps_137 = arith.cmpi eq, %next_135, %c5_136 : i32
            %c0_138 = arith.constant 0 : i32
            %stage_139 = arith.select %wraps_137, %c0_138, %next_135 : i32
            %other_140 = arith.xori %carried_106, %c1_134 : i32
            %phase_141 = arith.select %wraps_137, %other_140, %carried_106 : i32
            scf.yield %stage_139, %phase_141 : i32, i32
          }
          %at_93 = cute.make_int_tuple(%carried_41) : (i32) -> !cute.int_tuple<"?">
          %full_94 = cute.add_offset(%full, %at_93) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %c1_95 = arith.constant 1 : i32
          %address_96 = builtin.unrealized_conversion_cast %full_94 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %address_96, %carried_42, %c1_95 : !llvm.ptr<3>, i32, i32
          %at_97 = cute.make_coord(%carried_41) : (i32) -> !cute.coord<"(?)">
          %response = cute.memref.load(%responses, %at_97) : (!cute.memref<i128, smem, "(3):(1)">, !cute.coord<"(?)">) -> i128
          %canceled = nvvm.clusterlaunchcontrol.query.cancel query =  is_canceled, %response : i1
          %block = nvvm.clusterlaunchcontrol.query.cancel query =  get_first_cta_id_x, %response : i32
          %c1_98 = arith.constant 1 : i32
          %cluster_99 = arith.divui %block, %c1_98 : i32
          %cm1 = arith.constant -1 : i32
          %tile = arith.select %canceled, %cluster_99, %cm1 : i32
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          %cm1_100 = arith.constant -1 : i32
          nvvm.bar.warp.sync %cm1_100 : i32
          %one_101 = nvvm.elect.sync -> i1
          scf.if %one_101 {
            %at_105 = cute.make_int_tuple(%carried_41) : (i32) -> !cute.int_tuple<"?">
            %empty_106 = cute.add_offset(%empty, %at_105) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_107 = builtin.unrealized_conversion_cast %empty_106 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.arrive %address_107 : !llvm.ptr<3>
          }
          %tile_102 = cute_nvgpu.arch.make_warp_uniform(%tile) : i32
          %c1_103 = arith.constant 1 : i32
          %next = arith.addi %carried_41, %c1_103 : i32
          %c3 = arith.constant 3 : i32
          %wraps = arith.cmpi eq, %next, %c3 : i32
          %c0_104 = arith.constant 0 : i32
          %stage = arith.select %wraps, %c0_104, %next : i32
          %other = arith.xori %carried_42, %c1_103 : i32
          %phase = arith.select %wraps, %other, %carried_42 : i32
          scf.yield %tile_102, %stage, %phase, %2#0, %2#1 : i32, i32, i32, i32, i32
        }
        %c0_39 = arith.constant 0 : i32
        %c5 = arith.constant 5 : i32
        %c1_40 = arith.constant 1 : i32
        %1:2 = scf.for %stage = %c0_39 to %c5 step %c1_40 iter_args(%carried = %0#3, %carried_41 = %0#4) -> (i32, i32)  : i32 {
          %at_42 = cute.make_int_tuple(%carried) : (i32) -> !cute.int_tuple<"?">
          %empty_43 = cute.add_offset(%empty_10, %at_42) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %c1_44 = arith.constant 1 : i32
          %address_45 = builtin.unrealized_conversion_cast %empty_43 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %address_45, %carried_41, %c1_44 : !llvm.ptr<3>, i32, i32
          %c1_46 = arith.constant 1 : i32
          %next = arith.addi %carried, %c1_46 : i32
          %c5_47 = arith.constant 5 : i32
          %wraps = arith.cmpi eq, %next, %c5_47 : i32
          %c0_48 = arith.constant 0 : i32
          %stage_49 = arith.select %wraps, %c0_48, %next : i32
          %other = arith.xori %carried_41, %c1_46 : i32
          %phase = arith.select %wraps, %other, %carried_41 : i32
          scf.yield %stage_49, %phase : i32, i32
        }
      }
      scf.if %multiplies_22 {
        %copy = cute.make_atom() : () -> !s2t_copy
        %at_31 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
        %first_32 = cute.slice(%accumulators, %at_31) : !tmem_f32, !cute.coord<"(_,_,_,0)">
        %first_33 = cute.get_iter(%first_32) : !tmem_f32_1
        %offset_34 = cute.static : !cute.int_tuple<"163840">
        %memory_35 = cute.add_offset(%smem, %offset_34) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"163840">) -> !cute.ptr<i8, smem, align<1024>>
        %pointer_36 = cute.recast_iter(%memory_35) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<f8E8M0FNU, smem, align<128>>
        %SFA_37 = cute.make_view(%pointer_36) : !smem_f8E8M0FNU_4
        %SFA_38 = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%copy, %SFA_37) : (!s2t_copy, !smem_f8E8M0FNU_4) -> !smem_desc_view
        %offset_39 = cute.static : !cute.int_tuple<"256">
        %at_40 = cute.add_offset(%first_33, %offset_39) : (!cute.ptr<f32, tmem, align<16>>, !cute.int_tuple<"256">) -> !cute.ptr<f32, tmem, align<16>>
        %factors = cute.recast_iter(%at_40) : !cute.ptr<f32, tmem, align<16>> to !cute.ptr<f8E8M0FNU, tmem, align<16>>
        %layout_41 = cute.static : !layout
        %to = cute.make_view(%factors, %layout_41) : !tmem_f8E8M0FNU
        %layout_42 = cute.static : !layout_1
        %SFA_43 = cute.make_view(%factors, %layout_42) : !tmem_f8E8M0FNU_1
        %offset_44 = cute.static : !cute.int_tuple<"166400">
        %memory_45 = cute.add_offset(%smem, %offset_44) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"166400">) -> !cute.ptr<i8, smem, align<512>>
        %pointer_46 = cute.recast_iter(%memory_45) : !cute.ptr<i8, smem, align<512>> to !cute.ptr<f8E8M0FNU, smem, align<128>>
        %SFB_47 = cute.make_view(%pointer_46) : !smem_f8E8M0FNU_4
        %SFB_48 = cute_nvgpu.atom.get_copy_s2t_smem_desc_view(%copy, %SFB_47) : (!s2t_copy, !smem_f8E8M0FNU_4) -> !smem_desc_view
        %offset_49 = cute.static : !cute.int_tuple<"260">
        %at_50 = cute.add_offset(%first_33, %offset_49) : (!cute.ptr<f32, tmem, align<16>>, !cute.int_tuple<"260">) -> !cute.ptr<f32, tmem, align<16>>
        %factors_51 = cute.recast_iter(%at_50) : !cute.ptr<f32, tmem, align<16>> to !cute.ptr<f8E8M0FNU, tmem, align<16>>
        %layout_52 = cute.static : !layout
        %to_53 = cute.make_view(%factors_51, %layout_52) : !tmem_f8E8M0FNU
        %layout_54 = cute.static : !layout_1
        %SFB_55 = cute.make_view(%factors_51, %layout_54) : !tmem_f8E8M0FNU_1
        %no = arith.constant false
        %atom = cute.make_atom(%no, %no, %no, %factors, %factors_51) : (i1, i1, i1, !cute.ptr<f8E8M0FNU, tmem, align<16>>, !cute.ptr<f8E8M0FNU, tmem, align<16>>) -> !mma_bs
        %mma = cute.make_tiled_mma(%atom) : !tiled_mma
        %no_56 = arith.constant false
        %atom_57 = cute.make_atom(%no_56, %no_56, %no_56, %factors, %factors_51) : (i1, i1, i1, !cute.ptr<f8E8M0FNU, tmem, align<16>>, !cute.ptr<f8E8M0FNU, tmem, align<16>>) -> !mma_bs
        %mma_58 = cute.make_tiled_mma(%atom_57) : !tiled_mma
        %origin = cute.static : !cute.coord<"0">
        %part = cute.tiled.mma.partition A(%mma_58, %sA, %origin) : (!tiled_mma, !smem_f8E4M3FN, !cute.coord<"0">) -> !smem_f8E4M3FN_4
        %desc = cute.mma.make_fragment A(%mma, %part) : (!tiled_mma, !smem_f8E4M3FN_4) -> !smem_desc_view_1
        %part_59 = cute.tiled.mma.partition B(%mma_58, %sB, %origin) : (!tiled_mma, !smem_f8E4M3FN, !cute.coord<"0">) -> !smem_f8E4M3FN_4
        %desc_60 = cute.mma.make_fragment B(%mma, %part_59) : (!tiled_mma, !smem_f8E4M3FN_4) -> !smem_desc_view_1
        %c0_61 = arith.constant 0 : i32
        %c0_62 = arith.constant 0 : i32
        %c0_63 = arith.constant 0 : i32
        %c1_64 = arith.constant 1 : i32
        %all = arith.muli %tiles_m, %tiles_n : i32
        %c0_65 = arith.constant 0 : i32
        %c0_66 = arith.constant 0 : i32
        %0:7 = scf.while (%carried = %cluster, %carried_70 = %c0_65, %carried_71 = %c0_66, %carried_72 = %c0_61, %carried_73 = %c0_62, %carried_74 = %c0_63, %carried_75 = %c1_64) : (i32, i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32, i32, i32, i32) {
          %more = arith.cmpi ult, %carried, %all : i32
          scf.condition(%more) %carried, %carried_70, %carried_71, %carried_72, %carried_73, %carried_74, %carried_75 : i32, i32, i32, i32, i32, i32, i32
        } do {
        ^bb0(%carried: i32, %carried_70: i32, %carried_71: i32, %carried_72: i32, %carried_73: i32, %carried_74: i32, %carried_75: i32):
          %c8 = arith.constant 8 : i32
          %group = arith.muli %tiles_n, %c8 : i32
          %which = arith.divui %carried, %group : i32
          %inside = arith.remui %carried, %group : i32
          %first_76 = arith.muli %which, %c8 : i32
          %left = arith.subi %tiles_m, %first_76 : i32
          %height = arith.minui %left, %c8 : i32
          %row = arith.remui %inside, %height : i32
          %m = arith.addi %first_76, %row : i32
          %n = arith.divui %inside, %height : i32
          %at_77 = cute.make_int_tuple(%carried_74) : (i32) -> !cute.int_tuple<"?">
          %empty_78 = cute.add_offset(%empty_16, %at_77) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %c1_79 = arith.constant 1 : i32
          %address_80 = builtin.unrealized_conversion_cast %empty_78 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %address_80, %carried_75, %c1_79 : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          %at_81 = cute.make_coord(%carried_74) : (i32) -> !cute.coord<"(_,_,_,?)">
          %accumulators_82 = cute.slice(%accumulators, %at_81) : !tmem_f32, !cute.coord<"(_,_,_,?)">
          %c0_83 = arith.constant 0 : i32
          %c1_84 = arith.constant 1 : i32
          %2:2 = scf.for %k = %c0_83 to %k_tiles step %c1_84 iter_args(%carried_105 = %carried_72, %carried_106 = %carried_73) -> (i32, i32)  : i32 {
            %at_107 = cute.make_int_tuple(%carried_105) : (i32) -> !cute.int_tuple<"?">
            %full_108 = cute.add_offset(%full_7, %at_107) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %c1_109 = arith.constant 1 : i32
            %address_110 = builtin.unrealized_conversion_cast %full_108 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.try_wait.parity %address_110, %carried_106, %c1_109 : !llvm.ptr<3>, i32, i32
            nvvm.tcgen05.fence <after>
            %c0_111 = arith.constant 0 : i32
            %later = arith.cmpi ne, %k, %c0_111 : i32
            %yes = arith.constant true
            %at_112 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,?)">
            %from = cute.slice(%SFA_38, %at_112) : !smem_desc_view, !cute.coord<"(_,_,?)">
            cute.copy(%copy, %from, %to) : (!s2t_copy, !smem_desc_view_2, !tmem_f8E8M0FNU)
            %at_113 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,?)">
            %from_114 = cute.slice(%SFB_48, %at_113) : !smem_desc_view, !cute.coord<"(_,_,?)">
            cute.copy(%copy, %from_114, %to_53) : (!s2t_copy, !smem_desc_view_2, !tmem_f8E8M0FNU)
            %mma_115 = cute_nvgpu.atom.set_value(%mma, %later : i1) {field = #cute_nvgpu.atom_mma_field_sm100_block_scaled<accum_c>} : !tiled_mma
            %at_116 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,0,?)">
            %a = cute.slice(%desc, %at_116) : !smem_desc_view_1, !cute.coord<"(_,_,0,?)">
            %at_117 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,0,?)">
            %b = cute.slice(%desc_60, %at_117) : !smem_desc_view_1, !cute.coord<"(_,_,0,?)">
            %at_118 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
            %own = cute.slice(%SFA_43, %at_118) : !tmem_f8E8M0FNU_1, !cute.coord<"(_,_,0)">
            %at_119 = cute.make_coord() : () -> !cute.coord<"(_,_,0)">
            %own_120 = cute.slice(%SFB_55, %at_119) : !tmem_f8E8M0FNU_1, !cute.coord<"(_,_,0)">
            cute.gemm(%mma_115, %accumulators_82, %a, %own, %b, %own_120, %accumulators_82) : (!tiled_mma, !tmem_f32_1, !smem_desc_view_3, !tmem_f8E8M0FNU_2, !smem_desc_view_3, !tmem_f8E8M0FNU_2, !tmem_f32_1)
            %mma_121 = cute_nvgpu.atom.set_value(%mma, %yes : i1) {field = #cute_nvgpu.atom_mma_field_sm100_block_scaled<accum_c>} : !tiled_mma
            %at_122 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,1,?)">
            %a_123 = cute.slice(%desc, %at_122) : !smem_desc_view_1, !cute.coord<"(_,_,1,?)">
            %at_124 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,1,?)">
            %b_125 = cute.slice(%desc_60, %at_124) : !smem_desc_view_1, !cute.coord<"(_,_,1,?)">
            %at_126 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
            %own_127 = cute.slice(%SFA_43, %at_126) : !tmem_f8E8M0FNU_1, !cute.coord<"(_,_,1)">
            %at_128 = cute.make_coord() : () -> !cute.coord<"(_,_,1)">
            %own_129 = cute.slice(%SFB_55, %at_128) : !tmem_f8E8M0FNU_1, !cute.coord<"(_,_,1)">
            cute.gemm(%mma_121, %accumulators_82, %a_123, %own_127, %b_125, %own_129, %accumulators_82) : (!tiled_mma, !tmem_f32_1, !smem_desc_view_3, !tmem_f8E8M0FNU_3, !smem_desc_view_3, !tmem_f8E8M0FNU_3, !tmem_f32_1)
            %mma_130 = cute_nvgpu.atom.set_value(%mma, %yes : i1) {field = #cute_nvgpu.atom_mma_field_sm100_block_scaled<accum_c>} : !tiled_mma
            %at_131 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,2,?)">
            %a_132 = cute.slice(%desc, %at_131) : !smem_desc_view_1, !cute.coord<"(_,_,2,?)">
            %at_133 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,2,?)">
            %b_134 = cute.slice(%desc_60, %at_133) : !smem_desc_view_1, !cute.coord<"(_,_,2,?)">
            %at_135 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
            %own_136 = cute.slice(%SFA_43, %at_135) : !tmem_f8E8M0FNU_1, !cute.coord<"(_,_,2)">
            %at_137 = cute.make_coord() : () -> !cute.coord<"(_,_,2)">
            %own_138 = cute.slice(%SFB_55, %at_137) : !tmem_f8E8M0FNU_1, !cute.coord<"(_,_,2)">
            cute.gemm(%mma_130, %accumulators_82, %a_132, %own_136, %b_134, %own_138, %accumulators_82) : (!tiled_mma, !tmem_f32_1, !smem_desc_view_3, !tmem_f8E8M0FNU_4, !smem_desc_view_3, !tmem_f8E8M0FNU_4, !tmem_f32_1)
            %mma_139 = cute_nvgpu.atom.set_value(%mma, %yes : i1) {field = #cute_nvgpu.atom_mma_field_sm100_block_scaled<accum_c>} : !tiled_mma
            %at_140 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,3,?)">
            %a_141 = cute.slice(%desc, %at_140) : !smem_desc_view_1, !cute.coord<"(_,_,3,?)">
            %at_142 = cute.make_coord(%carried_105) : (i32) -> !cute.coord<"(_,_,3,?)">
            %b_143 = cute.slice(%desc_60, %at_142) : !smem_desc_view_1, !cute.coord<"(_,_,3,?)">
            %at_144 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
            %own_145 = cute.slice(%SFA_43, %at_144) : !tmem_f8E8M0FNU_1, !cute.coord<"(_,_,3)">
            %at_146 = cute.make_coord() : () -> !cute.coord<"(_,_,3)">
            %own_147 = cute.slice(%SFB_55, %at_146) : !tmem_f8E8M0FNU_1, !cute.coord<"(_,_,3)">
            cute.gemm(%mma_139, %accumulators_82, %a_141, %own_145, %b_143, %own_147, %accumulators_82) : (!tiled_mma, !tmem_f32_1, !smem_desc_view_3, !tmem_f8E8M0FNU_3, !smem_desc_view_3, !tmem_f8E8M0FNU_3, !tmem_f32_1)
            %one_148 = nvvm.elect.sync -> i1
            scf.if %one_148 {
              %at_156 = cute.make_int_tuple(%carried_105) : (i32) -> !cute.int_tuple<"?">
              %empty_157 = cute.add_offset(%empty_10, %at_156) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
              %address_158 = builtin.unrealized_conversion_cast %empty_157 : !cute.ptr<i64, smem> to !llvm.ptr<3>
              nvvm.tcgen05.commit %address_158 : !llvm.ptr<3>
            }
            %c1_149 = arith.constant 1 : i32
            %next_150 = arith.addi %carried_105, %c1_149 : i32
            %c5 = arith.constant 5 : i32
            %wraps_151 = arith.cmpi eq, %next_150, %c5 : i32
            %c0_152 = arith.constant 0 : i32
            %stage_153 = arith.select %wraps_151, %c0_152, %next_150 : i32
            %other_154 = arith.xori %carried_106, %c1_149 : i32
            %phase_155 = arith.select %wraps_151, %other_154, %carried_106 : i32
            scf.yield %stage_153, %phase_155 : i32, i32
          }
          %one = nvvm.elect.sync -> i1
          scf.if %one {
            %at_105 = cute.make_int_tuple(%carried_74) : (i32) -> !cute.int_tuple<"?">
            %full_106 = cute.add_offset(%full_13, %at_105) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_107 = builtin.unrealized_conversion_cast %full_106 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.tcgen05.commit %address_107 : !llvm.ptr<3>
          }
          %c1_85 = arith.constant 1 : i32
          %next = arith.addi %carried_74, %c1_85 : i32
          %c2_86 = arith.constant 2 : i32
          %wraps = arith.cmpi eq, %next, %c2_86 : i32
          %c0_87 = arith.constant 0 : i32
          %stage = arith.select %wraps, %c0_87, %next : i32
          %other = arith.xori %carried_75, %c1_85 : i32
          %phase = arith.select %wraps, %other, %carried_75 : i32
          %at_88 = cute.make_int_tuple(%carried_70) : (i32) -> !cute.int_tuple<"?">
          %full_89 = cute.add_offset(%full, %at_88) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %c1_90 = arith.constant 1 : i32
          %address_91 = builtin.unrealized_conversion_cast %full_89 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %address_91, %carried_71, %c1_90 : !llvm.ptr<3>, i32, i32
          %at_92 = cute.make_coord(%carried_70) : (i32) -> !cute.coord<"(?)">
          %response = cute.memref.load(%responses, %at_92) : (!cute.memref<i128, smem, "(3):(1)">, !cute.coord<"(?)">) -> i128
          %canceled = nvvm.clusterlaunchcontrol.query.cancel query =  is_canceled, %response : i1
          %block = nvvm.clusterlaunchcontrol.query.cancel query =  get_first_cta_id_x, %response : i32
          %c1_93 = arith.constant 1 : i32
          %cluster_94 = arith.divui %block, %c1_93 : i32
          %cm1 = arith.constant -1 : i32
          %tile = arith.select %canceled, %cluster_94, %cm1 : i32
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          %cm1_95 = arith.constant -1 : i32
          nvvm.bar.warp.sync %cm1_95 : i32
          %one_96 = nvvm.elect.sync -> i1
          scf.if %one_96 {
            %at_105 = cute.make_int_tuple(%carried_70) : (i32) -> !cute.int_tuple<"?">
            %empty_106 = cute.add_offset(%empty, %at_105) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_107 = builtin.unrealized_conversion_cast %empty_106 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.arrive %address_107 : !llvm.ptr<3>
          }
          %tile_97 = cute_nvgpu.arch.make_warp_uniform(%tile) : i32
          %c1_98 = arith.constant 1 : i32
          %next_99 = arith.addi %carried_70, %c1_98 : i32
          %c3 = arith.constant 3 : i32
          %wraps_100 = arith.cmpi eq, %next_99, %c3 : i32
          %c0_101 = arith.constant 0 : i32
          %stage_102 = arith.select %wraps_100, %c0_101, %next_99 : i32
          %other_103 = arith.xori %carried_71, %c1_98 : i32
          %phase_104 = arith.select %wraps_100, %other_103, %carried_71 : i32
          scf.yield %tile_97, %stage_102, %phase_104, %2#0, %2#1, %stage, %phase : i32, i32, i32, i32, i32, i32, i32
        }
        %c0_67 = arith.constant 0 : i32
        %c2_68 = arith.constant 2 : i32
        %c1_69 = arith.constant 1 : i32
        %1:2 = scf.for %stage = %c0_67 to %c2_68 step %c1_69 iter_args(%carried = %0#5, %carried_70 = %0#6) -> (i32, i32)  : i32 {
          %at_71 = cute.make_int_tuple(%carried) : (i32) -> !cute.int_tuple<"?">
          %empty_72 = cute.add_offset(%empty_16, %at_71) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %c1_73 = arith.constant 1 : i32
          %address_74 = builtin.unrealized_conversion_cast %empty_72 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %address_74, %carried_70, %c1_73 : !llvm.ptr<3>, i32, i32
          %c1_75 = arith.constant 1 : i32
          %next = arith.addi %carried, %c1_75 : i32
          %c2_76 = arith.constant 2 : i32
          %wraps = arith.cmpi eq, %next, %c2_76 : i32
          %c0_77 = arith.constant 0 : i32
          %stage_78 = arith.select %wraps, %c0_77, %next : i32
          %other = arith.xori %carried_70, %c1_75 : i32
          %phase = arith.select %wraps, %other, %carried_70 : i32
          scf.yield %stage_78, %phase : i32, i32
        }
      }
      scf.if %stores {
        %c0_31 = arith.constant 0 : i32
        %offset_32 = cute.static : !cute.int_tuple<"168960">
        %memory_33 = cute.add_offset(%smem, %offset_32) : (!cute.ptr<i8, smem, align<1024>>, !cute.int_tuple<"168960">) -> !cute.ptr<i8, smem, align<1024>>
        %pointer_34 = cute.recast_iter(%memory_33) : !cute.ptr<i8, smem, align<1024>> to !cute.ptr<bf16, smem, align<1024>, S<3,4,3>>
        %sD = cute.make_view(%pointer_34) : !smem_bf16
        %at_35 = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
        %made = cute.memref.alloca() : !rmem_bf16
        %atom = cute.make_atom() : () -> !cute_nvgpu.atom.universal_copy<bf16, 128 b>
        %rows = cute.make_tiled_copy(%atom) : !tiled_copy
        %own = cute.tiled.copy.partition_D(%rows, %sD, %at_35) : (!tiled_copy, !smem_bf16, !cute.coord<"?">) -> !smem_bf16_1
        %retiled = cute.tiled.copy.retile(%rows, %made) : (!tiled_copy, !rmem_bf16) -> !rmem_bf16
        %c2_36 = arith.constant 2 : i32
        %first_37 = arith.muli %c0_31, %c2_36 : i32
        %c1_38 = arith.constant 1 : i32
        %barrier = arith.addi %c0_31, %c1_38 : i32
        %c0_39 = arith.constant 0 : i32
        %stores_40 = arith.cmpi eq, %warp_inside, %c0_39 : i32
        %first_41 = cute.get_iter(%accumulators) : !tmem_f32
        %layout_42 = cute.static : !cute.layout<"(128,64,2,2):(65536,1,64,128)">
        %parts = cute.make_view(%first_41, %layout_42) : !tmem_f32_2
        %at_43 = cute.make_coord() : () -> !cute.coord<"(_,_,0,0)">
        %one = cute.slice(%parts, %at_43) : !tmem_f32_2, !cute.coord<"(_,_,0,0)">
        %load = cute.make_atom() : () -> !tmem_load
        %take = cute_nvgpu.atom.make_tmem_copy(%load, %one) : (!tmem_load, !cute.memref<f32, tmem, align<16>, "(128,64):(65536,1)">) -> !tiled_copy_1
        %at_44 = cute.make_coord(%thread) : (i32) -> !cute.coord<"?">
        %from = cute.tiled.copy.partition_S(%take, %parts, %at_44) : (!tiled_copy_1, !tmem_f32_2, !cute.coord<"?">) -> !tmem_f32_3
        %taken = cute.memref.alloca() : !rmem_f32
        %c1_45 = arith.constant 1 : i32
        %above = arith.muli %c0_0, %c1_45 : i32
        %number = arith.addi %above, %c0 : i32
        %c0_46 = arith.constant 0 : i32
        %leader = arith.subi %number, %c0_46 : i32
        %c0_47 = arith.constant 0 : i32
        %c0_48 = arith.constant 0 : i32
        %c0_49 = arith.constant 0 : i32
        %all = arith.muli %tiles_m, %tiles_n : i32
        %c0_50 = arith.constant 0 : i32
        %c0_51 = arith.constant 0 : i32
        %0:6 = scf.while (%carried = %cluster, %carried_52 = %c0_50, %carried_53 = %c0_51, %carried_54 = %c0_47, %carried_55 = %c0_48, %carried_56 = %c0_49) : (i32, i32, i32, i32, i32, i32) -> (i32, i32, i32, i32, i32, i32) {
          %more = arith.cmpi ult, %carried, %all : i32
          scf.condition(%more) %carried, %carried_52, %carried_53, %carried_54, %carried_55, %carried_56 : i32, i32, i32, i32, i32, i32
        } do {
        ^bb0(%carried: i32, %carried_52: i32, %carried_53: i32, %carried_54: i32, %carried_55: i32, %carried_56: i32):
          %c8 = arith.constant 8 : i32
          %group = arith.muli %tiles_n, %c8 : i32
          %which = arith.divui %carried, %group : i32
          %inside = arith.remui %carried, %group : i32
          %first_57 = arith.muli %which, %c8 : i32
          %left = arith.subi %tiles_m, %first_57 : i32
          %height = arith.minui %left, %c8 : i32
          %row = arith.remui %inside, %height : i32
          %m = arith.addi %first_57, %row : i32
          %n = arith.divui %inside, %height : i32
          %at_58 = cute.make_int_tuple(%carried_54) : (i32) -> !cute.int_tuple<"?">
          %full_59 = cute.add_offset(%full_13, %at_58) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %c1_60 = arith.constant 1 : i32
          %address_61 = builtin.unrealized_conversion_cast %full_59 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %address_61, %carried_55, %c1_60 : !llvm.ptr<3>, i32, i32
          nvvm.tcgen05.fence <after>
          %c1_62 = arith.constant 1 : i32
          %row_63 = arith.muli %m, %c1_62 : i32
          %c0_64 = arith.constant 0 : i32
          %row_65 = arith.addi %row_63, %c0_64 : i32
          %c2_66 = arith.constant 2 : i32
          %column = arith.muli %n, %c2_66 : i32
          %c0_67 = arith.constant 0 : i32
          %column_68 = arith.addi %column, %c0_67 : i32
          %c0_69 = arith.constant 0 : i32
          %slot = arith.addi %first_37, %c0_69 : i32
          %at_70 = cute.make_coord(%carried_54) : (i32) -> !cute.coord<"(_,_,_,0,?)">
          %from_71 = cute.slice(%from, %at_70) : !tmem_f32_3, !cute.coord<"(_,_,_,0,?)">
          cute.copy(%take, %from_71, %taken) : (!tiled_copy_1, !tmem_f32_4, !rmem_f32)
          nvvm.tcgen05.wait <load>
          %values = cute.memref.load_vec %taken : !rmem_f32
          scf.if %stores_40 {
            nvvm.cp.async.bulk.wait_group 1 {read}
          }
          %c1_72 = arith.constant 1 : i32
          %phase = arith.andi %carried_56, %c1_72 : i32
          %c0_73 = arith.constant 0 : i32
          %phase_74 = arith.xori %phase, %c0_73 : i32
          %c128_75 = arith.constant 128 : i32
          nvvm.barrier id = %barrier number_of_threads = %c128_75
          %rounded = arith.truncf %values : vector<64xf32> to vector<64xbf16>
          cute.memref.store_vec %rounded, %made : !rmem_bf16
          %at_76 = cute.make_coord(%slot) : (i32) -> !cute.coord<"(_,_,_,?)">
          %own_77 = cute.slice(%own, %at_76) : !smem_bf16_1, !cute.coord<"(_,_,_,?)">
          cute.copy(%rows, %retiled, %own_77) : (!tiled_copy, !rmem_bf16, !smem_bf16_2)
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          %c128_78 = arith.constant 128 : i32
          nvvm.barrier id = %barrier number_of_threads = %c128_78
          scf.if %stores_40 {
            %at_127 = cute.make_coord(%slot) : (i32) -> !cute.coord<"(_,_,?)">
            %slot_128 = cute.slice(%sD, %at_127) : !smem_bf16, !cute.coord<"(_,_,?)">
            %tiler_129 = cute.static : !cute.tile<"[128:1;64:1;1:1]">
            %at_130 = cute.make_coord(%row_65, %column_68) : (i32, i32) -> !cute.coord<"(?,?,_)">
            %to = cute.local_tile(%D, %tiler_129, %at_130, "(1,1,_)") : (!coord_tensor, !cute.tile<"[128:1;64:1;1:1]">, !cute.coord<"(?,?,_)">) -> !coord_tensor_11
            %cta = cute.static : !cute.coord<"0">
            %ctas = cute.static : !cute.layout<"1:0">
            %boxes = cute.group_modes<0, 2> (%slot_128) : (!smem_bf16_3) -> !smem_bf16_4
            %boxes_131 = cute.group_modes<0, 2> (%to) : (!coord_tensor_11) -> !coord_tensor_12
            %boxes_132, %boxes_133 = cute_nvgpu.atom.tma_partition(%storeD, %cta, %ctas, %boxes, %boxes_131) : (!non_exec_tiled_tma_store, !cute.coord<"0">, !cute.layout<"1:0">, !smem_bf16_4, !coord_tensor_12) -> (!smem_bf16_5, !coord_tensor_13)
            %store = cute_nvgpu.atom.make_exec_tma(%storeD) : (!non_exec_tiled_tma_store) -> !tma_store
            cute.copy(%store, %boxes_132, %boxes_133) : (!tma_store, !smem_bf16_5, !coord_tensor_13)
            nvvm.cp.async.bulk.commit.group
          }
          %c1_79 = arith.constant 1 : i32
          %row_80 = arith.muli %m, %c1_79 : i32
          %c0_81 = arith.constant 0 : i32
          %row_82 = arith.addi %row_80, %c0_81 : i32
          %c2_83 = arith.constant 2 : i32
          %column_84 = arith.muli %n, %c2_83 : i32
          %c1_85 = arith.constant 1 : i32
          %column_86 = arith.addi %column_84, %c1_85 : i32
          %c1_87 = arith.constant 1 : i32
          %slot_88 = arith.addi %first_37, %c1_87 : i32
          %at_89 = cute.make_coord(%carried_54) : (i32) -> !cute.coord<"(_,_,_,1,?)">
          %from_90 = cute.slice(%from, %at_89) : !tmem_f32_3, !cute.coord<"(_,_,_,1,?)">
          cute.copy(%take, %from_90, %taken) : (!tiled_copy_1, !tmem_f32_4, !rmem_f32)
          nvvm.tcgen05.wait <load>
          nvvm.tcgen05.fence <before>
          %at_91 = cute.make_int_tuple(%carried_54) : (i32) -> !cute.int_tuple<"?">
          %empty_92 = cute.add_offset(%empty_16, %at_91) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %address_93 = builtin.unrealized_conversion_cast %empty_92 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.arrive %address_93 : !llvm.ptr<3>
          %values_94 = cute.memref.load_vec %taken : !rmem_f32
          scf.if %stores_40 {
            nvvm.cp.async.bulk.wait_group 1 {read}
          }
          %c1_95 = arith.constant 1 : i32
          %phase_96 = arith.andi %carried_56, %c1_95 : i32
          %c0_97 = arith.constant 0 : i32
          %phase_98 = arith.xori %phase_96, %c0_97 : i32
          %c128_99 = arith.constant 128 : i32
          nvvm.barrier id = %barrier number_of_threads = %c128_99
          %rounded_100 = arith.truncf %values_94 : vector<64xf32> to vector<64xbf16>
          cute.memref.store_vec %rounded_100, %made : !rmem_bf16
          %at_101 = cute.make_coord(%slot_88) : (i32) -> !cute.coord<"(_,_,_,?)">
          %own_102 = cute.slice(%own, %at_101) : !smem_bf16_1, !cute.coord<"(_,_,_,?)">
          cute.copy(%rows, %retiled, %own_102) : (!tiled_copy, !rmem_bf16, !smem_bf16_2)
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          %c128_103 = arith.constant 128 : i32
          nvvm.barrier id = %barrier number_of_threads = %c128_103
          scf.if %stores_40 {
            %at_127 = cute.make_coord(%slot_88) : (i32) -> !cute.coord<"(_,_,?)">
            %slot_128 = cute.slice(%sD, %at_127) : !smem_bf16, !cute.coord<"(_,_,?)">
            %tiler_129 = cute.static : !cute.tile<"[128:1;64:1;1:1]">
            %at_130 = cute.make_coord(%row_82, %column_86) : (i32, i32) -> !cute.coord<"(?,?,_)">
            %to = cute.local_tile(%D, %tiler_129, %at_130, "(1,1,_)") : (!coord_tensor, !cute.tile<"[128:1;64:1;1:1]">, !cute.coord<"(?,?,_)">) -> !coord_tensor_11
            %cta = cute.static : !cute.coord<"0">
            %ctas = cute.static : !cute.layout<"1:0">
            %boxes = cute.group_modes<0, 2> (%slot_128) : (!smem_bf16_3) -> !smem_bf16_4
            %boxes_131 = cute.group_modes<0, 2> (%to) : (!coord_tensor_11) -> !coord_tensor_12
            %boxes_132, %boxes_133 = cute_nvgpu.atom.tma_partition(%storeD, %cta, %ctas, %boxes, %boxes_131) : (!non_exec_tiled_tma_store, !cute.coord<"0">, !cute.layout<"1:0">, !smem_bf16_4, !coord_tensor_12) -> (!smem_bf16_5, !coord_tensor_13)
            %store = cute_nvgpu.atom.make_exec_tma(%storeD) : (!non_exec_tiled_tma_store) -> !tma_store
            cute.copy(%store, %boxes_132, %boxes_133) : (!tma_store, !smem_bf16_5, !coord_tensor_13)
            nvvm.cp.async.bulk.commit.group
          }
          %c1_104 = arith.constant 1 : i32
          %next = arith.addi %carried_54, %c1_104 : i32
          %c2_105 = arith.constant 2 : i32
          %wraps = arith.cmpi eq, %next, %c2_105 : i32
          %c0_106 = arith.constant 0 : i32
          %stage = arith.select %wraps, %c0_106, %next : i32
          %other = arith.xori %carried_55, %c1_104 : i32
          %phase_107 = arith.select %wraps, %other, %carried_55 : i32
          %c1_108 = arith.constant 1 : i32
          %other_109 = arith.xori %carried_56, %c1_108 : i32
          %at_110 = cute.make_int_tuple(%carried_52) : (i32) -> !cute.int_tuple<"?">
          %full_111 = cute.add_offset(%full, %at_110) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
          %c1_112 = arith.constant 1 : i32
          %address_113 = builtin.unrealized_conversion_cast %full_111 : !cute.ptr<i64, smem> to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %address_113, %carried_53, %c1_112 : !llvm.ptr<3>, i32, i32
          %at_114 = cute.make_coord(%carried_52) : (i32) -> !cute.coord<"(?)">
          %response = cute.memref.load(%responses, %at_114) : (!cute.memref<i128, smem, "(3):(1)">, !cute.coord<"(?)">) -> i128
          %canceled = nvvm.clusterlaunchcontrol.query.cancel query =  is_canceled, %response : i1
          %block = nvvm.clusterlaunchcontrol.query.cancel query =  get_first_cta_id_x, %response : i32
          %c1_115 = arith.constant 1 : i32
          %cluster_116 = arith.divui %block, %c1_115 : i32
          %cm1 = arith.constant -1 : i32
          %tile = arith.select %canceled, %cluster_116, %cm1 : i32
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          %cm1_117 = arith.constant -1 : i32
          nvvm.bar.warp.sync %cm1_117 : i32
          %one_118 = nvvm.elect.sync -> i1
          scf.if %one_118 {
            %at_127 = cute.make_int_tuple(%carried_52) : (i32) -> !cute.int_tuple<"?">
            %empty_128 = cute.add_offset(%empty, %at_127) : (!cute.ptr<i64, smem>, !cute.int_tuple<"?">) -> !cute.ptr<i64, smem>
            %address_129 = builtin.unrealized_conversion_cast %empty_128 : !cute.ptr<i64, smem> to !llvm.ptr<3>
            nvvm.mbarrier.arrive %address_129 : !llvm.ptr<3>
          }
          %tile_119 = cute_nvgpu.arch.make_warp_uniform(%tile) : i32
          %c1_120 = arith.constant 1 : i32
          %next_121 = arith.addi %carried_52, %c1_120 : i32
          %c3 = arith.constant 3 : i32
          %wraps_122 = arith.cmpi eq, %next_121, %c3 : i32
          %c0_123 = arith.constant 0 : i32
          %stage_124 = arith.select %wraps_122, %c0_123, %next_121 : i32
          %other_125 = arith.xori %carried_53, %c1_120 : i32
          %phase_126 = arith.select %wraps_122, %other_125, %carried_53 : i32
          scf.yield %tile_119, %stage_124, %phase_126, %stage, %phase_107, %other_109 : i32, i32, i32, i32, i32, i32
        }
        scf.if %stores_40 {
          nvvm.cp.async.bulk.wait_group 0 {read}
        }
      }
      nvvm.tcgen05.fence <before>
      nvvm.barrier0
      nvvm.tcgen05.fence <after>
      %at_28 = cute.make_coord() : () -> !cute.coord<"(_,_,_,0)">
      %first_29 = cute.slice(%accumulators, %at_28) : !tmem_f32, !cute.coord<"(_,_,_,0)">
      %first_30 = cute.get_iter(%first_29) : !tmem_f32_1
      scf.if %allocates {
        cute_nvgpu.arch.sm100.dealloc_tmem(%first_30, %c512) [ cta_1] : !cute.ptr<f32, tmem, align<16>>, i32
      }
      return
    }
  }
  func.func @launch_gemm_sm100(%A: !gmem_f8E4M3FN, %B: !gmem_f8E4M3FN, %SFA: !gmem_f8E8M0FNU, %SFB: !gmem_f8E8M0FNU, %D: !gmem_bf16, %stream: !cuda.stream) -> i32 attributes {cute.equal_extents = ["arg0[0] = arg4[0]", "arg1[0] = arg4[1]", "arg0[1] = arg1[1]"]} {
    %tile = cute.static : !composed_layout
    %values = cute.static : !cute.layout<"(128,128):(1@0,1@1)">
    %loadA, %loadA_0 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%A, %tile, %values) <{kind = <sm_90> num_multicast = 1}> : (!gmem_f8E4M3FN, !composed_layout, !cute.layout<"(128,128):(1@0,1@1)">) -> (!non_exec_tiled_tma_load, !coord_tensor)
    %tile_1 = cute.static : !composed_layout
    %values_2 = cute.static : !cute.layout<"(128,128):(1@0,1@1)">
    %loadB, %loadB_3 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%B, %tile_1, %values_2) <{kind = <sm_90> num_multicast = 1}> : (!gmem_f8E4M3FN, !composed_layout, !cute.layout<"(128,128):(1@0,1@1)">) -> (!non_exec_tiled_tma_load, !coord_tensor)
    %tile_4 = cute.static : !composed_layout_1
    %values_5 = cute.static : !cute.layout<"(128,64):(1@0,1@1)">
    %storeD, %storeD_6 = cute_nvgpu.atom.make_non_exec_tiled_tma_store(%D, %tile_4, %values_5)  : (!gmem_bf16, !composed_layout_1, !cute.layout<"(128,64):(1@0,1@1)">) -> (!non_exec_tiled_tma_store, !coord_tensor)
    %tile_7 = cute.static : !cute.tile<"[128:1;128:1]">
    %tiles = cute.zipped_divide(%D, %tile_7) : (!gmem_bf16, !cute.tile<"[128:1;128:1]">) -> !gmem_bf16_1
    %size = cute.size<[1, 0]> (%tiles) : (!gmem_bf16_1) -> !cute.int_tuple<"?">
    %m = cute.get_scalars (%size) : !cute.int_tuple<"?">
    %size_8 = cute.size<[1, 1]> (%tiles) : (!gmem_bf16_1) -> !cute.int_tuple<"?">
    %n = cute.get_scalars (%size_8) : !cute.int_tuple<"?">
    %all = arith.muli %m, %n : i32
    %c1 = arith.constant 1 : i32
    %clusters = arith.maxsi %all, %c1 : i32
    %c1_9 = arith.constant 1 : i32
    %x = arith.muli %clusters, %c1_9 : i32
    %tile_10 = cute.static : !layout_2
    %values_11 = cute.static : !layout_3
    %loadSFA, %loadSFA_12 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%SFA, %tile_10, %values_11) <{kind = <sm_90> num_multicast = 1}> : (!gmem_f8E8M0FNU, !layout_2, !layout_3) -> (!non_exec_tiled_tma_load_1, !coord_tensor_1)
    %tile_13 = cute.static : !layout_2
    %values_14 = cute.static : !layout_3
    %loadSFB, %loadSFB_15 = cute_nvgpu.atom.make_non_exec_tiled_tma_load(%SFB, %tile_13, %values_14) <{kind = <sm_90> num_multicast = 1}> : (!gmem_f8E8M0FNU, !layout_2, !layout_3) -> (!non_exec_tiled_tma_load_1, !coord_tensor_1)
    %c1_16 = arith.constant 1 : i32
    %c1_17 = arith.constant 1 : i32
    %c1_18 = arith.constant 1 : i32
    %shared = arith.constant 201952 : i64
    %c256 = arith.constant 256 : i32
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (blockDim = (%c256, %c1_18, %c1_18), dynamicSmemBytes = %shared, gridDim = (%x, %c1_16, %c1_17), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 1>
    %done = cuda.launch_ex @kernels::@gemm_sm100<%cfg> (%loadA, %loadA_0, %loadB, %loadB_3, %storeD, %storeD_6, %m, %n, %loadSFA, %loadSFA_12, %loadSFB, %loadSFB_15) : !cuda.launch_cfg<max_attrs = 1>, (!non_exec_tiled_tma_load, !coord_tensor, !non_exec_tiled_tma_load, !coord_tensor, !non_exec_tiled_tma_store, !coord_tensor, i32, i32, !non_exec_tiled_tma_load_1, !coord_tensor_1, !non_exec_tiled_tma_load_1, !coord_tensor_1) -> !cuda.result
    %code = cuda.cast %done : !cuda.result -> i32
    cuda.return_if_error %code : i32
    %c0 = arith.constant 0 : i32
    return %c0 : i32
  }
}
