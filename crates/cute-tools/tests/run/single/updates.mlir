// Atomic updates of CuTe DSL 4.5 and later with their orders and scopes, and barriers of a block.

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!llvm.ptr<1>, !llvm.ptr<1>) -> (), sym_name = "updates"}> ({
    ^bb0(%ints: !llvm.ptr<1>, %floats: !llvm.ptr<1>):
      %one = "arith.constant"() <{value = 1 : i32}> : () -> i32
      %two = "arith.constant"() <{value = 2 : i32}> : () -> i32
      %id = "arith.constant"() <{value = 3 : i32}> : () -> i32
      %count = "arith.constant"() <{value = 64 : i32}> : () -> i32
      %t = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %half = "arith.constant"() <{value = 5.000000e-01 : f32}> : () -> f32
      %old = "nvvm.atomicrmw"(%ints, %one) <{mem_order = #nvvm<mem_order relaxed>, op = #nvvm.atomic_op<add>, syncscope = #nvvm.mem_scope<gpu>}> : (!llvm.ptr<1>, i32) -> i32
      %mine = "llvm.getelementptr"(%ints, %old) <{elem_type = i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>
      %p = "llvm.getelementptr"(%mine) <{elem_type = i32, rawConstantIndices = array<i32: 1>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
      %x = "nvvm.atomicrmw"(%p, %t) <{op = #nvvm.atomic_op<exch>}> : (!llvm.ptr<1>, i32) -> i32
      %last = "llvm.getelementptr"(%ints) <{elem_type = i32, rawConstantIndices = array<i32: 65>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
      "nvvm.red"(%last, %t) <{mem_order = #nvvm<mem_order relaxed>, mem_scope = #nvvm.mem_scope<gpu>, op = #nvvm.reduction_op<max>, type = #nvvm.reduction_type<u32>}> : (!llvm.ptr<1>, i32) -> ()
      %cas = "llvm.getelementptr"(%ints) <{elem_type = i32, rawConstantIndices = array<i32: 66>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
      %zero = "arith.constant"() <{value = 0 : i32}> : () -> i32
      %won = "nvvm.atomicrmw"(%cas, %zero, %two) <{mem_order = #nvvm<mem_order acq_rel>, op = #nvvm.atomic_op<cas>, syncscope = #nvvm.mem_scope<sys>}> : (!llvm.ptr<1>, i32, i32) -> i32
      "nvvm.barrier.cta.sync"(%id, %count) <{aligned = false}> : (i32, i32) -> ()
      "nvvm.barrier.cta.sync"(%id) <{aligned = true}> : (i32) -> ()
      %odd = "llvm.trunc"(%t) : (i32) -> i1
      %holding = "nvvm.barrier.cta.red"(%odd, %id, %count) <{aligned = false, kind = #nvvm.barrier_redux<popc>}> : (i1, i32, i32) -> i32
      %all = "nvvm.barrier.cta.red"(%odd, %two) <{aligned = true, kind = #nvvm.barrier_redux<and>}> : (i1, i32) -> i1
      %some = "nvvm.barrier.cta.red"(%odd, %two) <{aligned = true, kind = #nvvm.barrier_redux<or>}> : (i1, i32) -> i1
      %all_word = "llvm.zext"(%all) : (i1) -> i32
      %some_word = "llvm.zext"(%some) : (i1) -> i32
      %verdicts = "llvm.getelementptr"(%ints) <{elem_type = i32, rawConstantIndices = array<i32: 68>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
      %words = "vector.from_elements"(%holding, %all_word, %some_word, %two) : (i32, i32, i32, i32) -> vector<4xi32>
      "llvm.store"(%words, %verdicts) <{ordering = 0 : i64}> : (vector<4xi32>, !llvm.ptr<1>) -> ()
      %f = "nvvm.atomicrmw"(%floats, %half) <{op = #nvvm.atomic_op<fadd>}> : (!llvm.ptr<1>, f32) -> f32
      %vv = "vector.from_elements"(%half, %half) : (f32, f32) -> vector<2xf32>
      %p2 = "llvm.getelementptr"(%floats) <{elem_type = f32, rawConstantIndices = array<i32: 2>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
      "nvvm.red"(%p2, %vv) <{op = #nvvm.reduction_op<add>, type = #nvvm.reduction_type<f32>}> : (!llvm.ptr<1>, vector<2xf32>) -> ()
      "cuda.return"() : () -> ()
    }) {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
