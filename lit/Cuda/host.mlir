// RUN: %opt --pass-pipeline='builtin.module(cuda-to-host)' %s | FileCheck %s --check-prefix=HOST
// RUN: %opt --pass-pipeline='builtin.module(cuda-to-host,cute-fold-static,cute-to-base,canonicalize,cse)' %s | FileCheck %s

// Host functions stay, and only the signatures of the kernels that they launch. Launches then pass leaves.

!vector = !cute.memref<f32, gmem, "(?):(1)">
!tiles = !cute.memref<f32, gmem, "((64),(?)):((1),(64))">
!tile = !cute.layout<"(4,16):(16,1)">
!cfg = !cuda.launch_cfg<max_attrs = 3>

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // HOST: cuda.kernel @fill(%{{.*}}: !cute.memref<f32, gmem, "((64),(?)):((1),(64))">, %{{.*}}: !cute.layout<"(4,16):(16,1)">, %{{.*}}: i64)
    // HOST-SAME: nvvm.reqntid = array<i32: 64, 1, 1>
    // HOST-NEXT: {{^ *}}return
    // HOST-NOT: cute.memref.store
    // CHECK: cuda.kernel @fill(%{{.*}}: !llvm.ptr<1>{{.*}}, %{{.*}}: i32, %{{.*}}: i64)
    cuda.kernel @fill(%a: !tiles, %tile: !tile, %n: i64) attributes {cute.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %v = arith.constant 1.0 : f32
      %at = cute.make_coord(%c0, %c0) : (i32, i32) -> !cute.coord<"((?),(?))">
      cute.memref.store(%a, %at, %v) : (!tiles, !cute.coord<"((?),(?))">, f32) -> ()
      return
    }
    // A function of the device, and a kernel that nobody launches from here.
    // HOST-NOT: @helper
    // HOST-NOT: @other
    func.func @helper() { return }
    gpu.func @other() kernel { gpu.return }
  }

  // HOST: func.func @host(%{{.*}}: !cute.memref<f32, gmem, "(?):(1)">
  // HOST: cute.zipped_divide
  // CHECK-LABEL: func.func @host(
  // CHECK-SAME: %[[A:.*]]: !llvm.ptr<1>, %[[N:.*]]: i32, %[[S:.*]]: !cuda.stream) -> i32
  func.func @host(%a: !vector, %s: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %none = arith.constant 0 : i64
    %by = cute.make_tile() : () -> !cute.tile<"[64:1]">
    %tiles = cute.zipped_divide(%a, %by) : (!vector, !cute.tile<"[64:1]">) -> !tiles
    %shape = cute.make_shape() : () -> !cute.shape<"(4,16)">
    %order = cute.make_int_tuple() : () -> !cute.int_tuple<"(1,0)">
    %tile = cute.make_ordered_layout(%shape, %order) : (!cute.shape<"(4,16)">, !cute.int_tuple<"(1,0)">) -> !tile
    // CHECK: %[[UP:.*]] = arith.addi %[[N]], %{{.*}} overflow<nsw>
    // CHECK: %[[GRID:.*]] = arith.divsi %[[UP]], %{{.*}}
    %size = cute.size<[1]> (%tiles) : (!tiles) -> !cute.int_tuple<"?">
    %grid = cute.get_scalars(%size) : !cute.int_tuple<"?">
    // CHECK: cuda.launch_cfg.create{{.*}}gridDim = (%[[GRID]],
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c64, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%grid, %c1, %c1), stream = %s) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    // A static layout has no leaves.
    // CHECK: %[[R:.*]] = cuda.launch_ex @kernels::@fill<%{{.*}}> (%[[A]], %[[GRID]], %{{.*}}) : !cuda.launch_cfg<max_attrs = 3>, (!llvm.ptr<1>, i32, i64) -> !cuda.result
    // CHECK: cuda.cast %[[R]]
    %r = cuda.launch_ex @kernels::@fill<%cfg> (%tiles, %tile, %none) : !cfg, (!tiles, !tile, i64) -> !cuda.result
    %e = cuda.cast %r : !cuda.result -> i32
    cuda.return_if_error %e : i32
    return %c0 : i32
  }
}
