// Loads with modifiers, and waits with a time limit, as CuTe DSL 4.5 and later have them.

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "llvm.mlir.global"() <{addr_space = 3 : i32, dso_local, global_type = i64, linkage = #llvm.linkage<internal>, sym_name = "full", visibility_ = 0 : i64}> ({
    }) : () -> ()
    "llvm.mlir.global"() <{addr_space = 3 : i32, dso_local, global_type = !llvm.array<32 x i32>, linkage = #llvm.linkage<internal>, sym_name = "tile", visibility_ = 0 : i64}> ({
    }) : () -> ()
    "cuda.kernel"() <{function_type = (!llvm.ptr<1>, !llvm.ptr<1>) -> (), sym_name = "waits"}> ({
    ^bb0(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>):
      %full = "llvm.mlir.addressof"() <{global_name = @full}> : () -> !llvm.ptr<3>
      %tile = "llvm.mlir.addressof"() <{global_name = @tile}> : () -> !llvm.ptr<3>
      %c0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
      %c31 = "arith.constant"() <{value = 31 : i32}> : () -> i32
      %c32 = "arith.constant"() <{value = 32 : i32}> : () -> i32
      %ticks = "arith.constant"() <{value = 10000000 : i32}> : () -> i32
      %t = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
      %first = "arith.cmpi"(%t, %c0) <{predicate = 0 : i64}> : (i32, i32) -> i1
      "scf.if"(%first) ({
        "nvvm.mbarrier.init.shared"(%full, %c32) : (!llvm.ptr<3>, i32) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "nvvm.barrier.cta.sync"(%c0) <{aligned = true}> : (i32) -> ()
      %from = "llvm.getelementptr"(%in, %t) <{elem_type = i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>
      %x = "nvvm.load.ext"(%from) <{cache_modifier = #nvvm.load_cache_modifier<cg>, prefetch = #nvvm.l2_prefetch_size<size_128b>}> : (!llvm.ptr<1>) -> i32
      %mine = "llvm.getelementptr"(%tile, %t) <{elem_type = i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>
      "nvvm.store.ext"(%x, %mine) <{shared_space = #nvvm.shared_space<cta>}> : (i32, !llvm.ptr<3>) -> ()
      %token = "nvvm.mbarrier.arrive"(%full) : (!llvm.ptr<3>) -> i64
      "scf.while"() ({
        %done = "nvvm.mbarrier.try_wait.parity.timelimit"(%full, %c0, %ticks) <{order = #nvvm<mem_order acquire>, scope = #nvvm.mbar_scope<cta>}> : (!llvm.ptr<3>, i32, i32) -> i1
        %true = "arith.constant"() <{value = true}> : () -> i1
        %again = "arith.xori"(%done, %true) : (i1, i1) -> i1
        "scf.condition"(%again) : (i1) -> ()
      }, {
        "scf.yield"() : () -> ()
      }) : () -> ()
      %far = "arith.subi"(%c31, %t) : (i32, i32) -> i32
      %theirs = "llvm.getelementptr"(%tile, %far) <{elem_type = i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>
      %y = "nvvm.load.ext"(%theirs) <{shared_space = #nvvm.shared_space<cta>}> : (!llvm.ptr<3>) -> i32
      %to = "llvm.getelementptr"(%out, %t) <{elem_type = i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>
      "nvvm.store.ext"(%y, %to) <{evict = #nvvm.evict_kind<evict_first>}> : (i32, !llvm.ptr<1>) -> ()
      "scf.if"(%first) ({
        %four = "nvvm.load.ext"(%in) <{order = #nvvm<mem_order acquire>, scope = #nvvm.mem_scope<gpu>}> : (!llvm.ptr<1>) -> vector<4xi32>
        %last = "llvm.getelementptr"(%out) <{elem_type = i32, rawConstantIndices = array<i32: 32>}> : (!llvm.ptr<1>) -> !llvm.ptr<1>
        "nvvm.store.ext"(%four, %last) : (vector<4xi32>, !llvm.ptr<1>) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "cuda.return"() : () -> ()
    }) {cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
