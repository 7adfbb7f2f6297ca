// Arithmetic of CuTe DSL 4.5 and later on single numbers and pairs, and stores with modifiers.

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!llvm.ptr<1>, f32, f32, f32, i32, i32) -> (), sym_name = "numbers"}> ({
    ^bb0(%out: !llvm.ptr<1>, %x: f32, %y: f32, %z: f32, %m: i32, %n: i32):
      %zero = "arith.constant"() <{value = 0 : i32}> : () -> i32
      %a = "nvvm.fmin"(%x, %y) <{abs = false, ftz = false, nan = false}> : (f32, f32) -> f32
      %b = "nvvm.fmax"(%x, %y, %z) : (f32, f32, f32) -> f32
      %c = "nvvm.fmax"(%x, %y) <{abs = true}> : (f32, f32) -> f32
      %d = "nvvm.fmax"(%x, %y) <{ftz = true, nan = true}> : (f32, f32) -> f32
      %e = "nvvm.fabs"(%x) : (f32) -> f32
      %f = "nvvm.mul"(%m, %n) <{is_signed = true, mode = #nvvm.mul_mode<hi>}> : (i32, i32) -> i32
      %g = "nvvm.mul"(%m, %n) <{mode = #nvvm.mul_mode<wide>}> : (i32, i32) -> i64
      %g32 = "llvm.trunc"(%g) : (i64) -> i32
      %h = "nvvm.cvt.packfloat.f32"(%x, %y, %zero) <{extractHi = false, relu = false, rnd = #nvvm.rnd<rn>, sat = #nvvm.sat<satfinite>, to = #nvvm.packfloat_type<e4m3x2>}> : (f32, f32, i32) -> i32
      %i = "nvvm.cvt.packfloat.f32"(%x, %y, %zero) <{rnd = #nvvm.rnd<rn>, sat = #nvvm.sat<satfinite>, to = #nvvm.packfloat_type<e2m1x2>}> : (f32, f32, i32) -> i32
      %xx = "vector.from_elements"(%x, %y) : (f32, f32) -> vector<2xf32>
      %yy = "vector.from_elements"(%z, %z) : (f32, f32) -> vector<2xf32>
      %ss = "nvvm.sub.packed.f32x2"(%xx, %yy) <{ftz = false, rnd = #nvvm.rnd<rn>}> : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
      %s = "vector.extract"(%ss) <{static_position = array<i64: 1>}> : (vector<2xf32>) -> f32
      %v = "vector.from_elements"(%a, %b, %c, %d) : (f32, f32, f32, f32) -> vector<4xf32>
      "nvvm.store.ext"(%v, %out) <{cache_modifier = #nvvm.store_cache_modifier<cs>}> : (vector<4xf32>, !llvm.ptr<1>) -> ()
      %p4 = "llvm.getelementptr"(%out) <{elem_type = i32, rawConstantIndices = array<i32: 4>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
      %eb = "llvm.bitcast"(%e) : (f32) -> i32
      %w = "vector.from_elements"(%eb, %f, %g32, %h) : (i32, i32, i32, i32) -> vector<4xi32>
      "nvvm.store.ext"(%w, %p4) <{order = #nvvm<mem_order relaxed>, scope = #nvvm.mem_scope<gpu>}> : (vector<4xi32>, !llvm.ptr<1>) -> ()
      %p8 = "llvm.getelementptr"(%out) <{elem_type = i32, rawConstantIndices = array<i32: 8>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
      "llvm.store"(%i, %p8) <{ordering = 0 : i64}> : (i32, !llvm.ptr<1>) -> ()
      %p9 = "llvm.getelementptr"(%out) <{elem_type = i32, rawConstantIndices = array<i32: 9>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
      "nvvm.store.ext"(%s, %p9) <{order = #nvvm<mem_order release>, scope = #nvvm.mem_scope<sys>}> : (f32, !llvm.ptr<1>) -> ()
      "cuda.return"() : () -> ()
    }) {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 1, 1, 1>} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
