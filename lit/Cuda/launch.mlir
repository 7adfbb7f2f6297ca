// RUN: %opt %s | %opt | FileCheck %s
// RUN: %opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC
// RUN: %opt --mlir-print-op-generic %s | %opt | FileCheck %s

// A module in the form in which CuTe DSL prints it: kernels, and the host function that launches them.

!vector = !cute.memref<f32, gmem, "(?):(1)">

module attributes {gpu.container_module} {
  // CHECK: gpu.module @kernels
  gpu.module @kernels {
    // CHECK: cuda.kernel @scale(%{{.*}}: !cute.memref<f32, gmem, "(?):(1)">, %{{.*}}: i32)
    // CHECK-SAME: attributes {cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin, non_portable_cluster_size_allowed = 1 : i32}, cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>}
    // GENERIC: "cuda.kernel"() <{function_type = (!cute.memref<f32, gmem, "(?):(1)">, i32) -> (), sym_name = "scale"}> ({
    cuda.kernel @scale(%a: !vector, %n: i32) attributes {
        cu_attrs = {max_dynamic_shared_size_bytes = #cuda.dev_max_shared_memory_optin,
                    non_portable_cluster_size_allowed = 1 : i32},
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      // CHECK: {{^ *}}return
      // GENERIC: "cuda.return"() : () -> ()
      cuda.return
    }
    // Names and attributes of arguments.
    // CHECK: cuda.kernel @empty(%{{.*}}: i32 {llvm.noundef})
    cuda.kernel @empty(%n: i32 {llvm.noundef}) {
      return
    }
  }

  // CHECK-LABEL: func.func @host
  func.func @host(%a: !vector, %n: i32, %given: !cuda.stream) -> i32 attributes {llvm.emit_c_interface} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c128 = arith.constant 128 : i32
    %null = arith.constant 0 : i64
    // CHECK: %[[STREAM:.*]] = cuda.cast %{{.*}} : i64 -> !cuda.stream
    %stream = cuda.cast %null : i64 -> !cuda.stream
    // CHECK: %[[CFG:.*]] = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%[[X:.*]], %[[ONE:.*]], %[[ONE]]), dynamicSmemBytes = %{{.*}}, gridDim = (%{{.*}}, %[[ONE]], %[[ONE]]), stream = %[[STREAM]]) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 3>
    // GENERIC: "cuda.launch_cfg.create"(%{{.*}}) <{maxNumAttrs = 3 : i32}> : (i32, i32, i32, i64, i32, i32, i32, !cuda.stream) -> !cuda.launch_cfg<max_attrs = 3>
    %cfg = cuda.launch_cfg.create<max_attrs = 3 : i32> (blockDim = (%c128, %c1, %c1), dynamicSmemBytes = %null, gridDim = (%n, %c1, %c1), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 3>
    // CHECK: cuda.launch_cfg.programmatic_stream_serialization_allowed[%[[CFG]]] %{{.*}} : !cuda.launch_cfg<max_attrs = 3>, i32
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c0 : !cuda.launch_cfg<max_attrs = 3>, i32
    // CHECK: cuda.launch_cfg.cluster_dim[%[[CFG]]] (%{{.*}}, %{{.*}}, %{{.*}}) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
    cuda.launch_cfg.cluster_dim[%cfg] (%c2, %c1, %c1) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
    // CHECK: cuda.launch_cfg.cooperative[%[[CFG]]] %{{.*}} : !cuda.launch_cfg<max_attrs = 3>, i32
    cuda.launch_cfg.cooperative[%cfg] %c1 : !cuda.launch_cfg<max_attrs = 3>, i32
    // CHECK: cuda.launch_cfg.preferred_cluster_dim[%[[CFG]]] (%{{.*}}, %{{.*}}, %{{.*}}) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
    cuda.launch_cfg.preferred_cluster_dim[%cfg] (%c2, %c1, %c1) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
    // CHECK: %[[RESULT:.*]] = cuda.launch_ex @kernels::@scale<%[[CFG]]> (%{{.*}}, %{{.*}}) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cuda.launch_cfg<max_attrs = 3>, (!cute.memref<f32, gmem, "(?):(1)">, i32) -> !cuda.result
    // GENERIC: "cuda.launch_ex"(%{{.*}}) <{assume_kernel_attr = #cuda.assume_kernel_attr<true>, callee = @kernels::@scale}> : (!cuda.launch_cfg<max_attrs = 3>, !cute.memref<f32, gmem, "(?):(1)">, i32) -> !cuda.result
    %result = cuda.launch_ex @kernels::@scale<%cfg> (%a, %n) {assume_kernel_attr = #cuda.assume_kernel_attr<true>} : !cuda.launch_cfg<max_attrs = 3>, (!vector, i32) -> !cuda.result
    // CHECK: %[[CODE:.*]] = cuda.cast %[[RESULT]] : !cuda.result -> i32
    %code = cuda.cast %result : !cuda.result -> i32
    // CHECK: cuda.return_if_error %[[CODE]] : i32
    cuda.return_if_error %code : i32
    // On the caller's stream, without attributes, as CuTe DSL 4.3 has it.
    %plain = cuda.launch_cfg.create<max_attrs = 2 : i32> (blockDim = (%c128, %c1, %c1), dynamicSmemBytes = %null, gridDim = (%n, %c1, %c1), stream = %given) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 2>
    // CHECK: cuda.launch_ex @kernels::@empty<%{{.*}}> (%{{.*}}) : !cuda.launch_cfg<max_attrs = 2>, (i32) -> !cuda.result
    %second = cuda.launch_ex @kernels::@empty<%plain> (%n) : !cuda.launch_cfg<max_attrs = 2>, (i32) -> !cuda.result
    return %c0 : i32
  }
}

// CHECK-LABEL: @events(
// GENERIC-LABEL: sym_name = "events"
func.func @events(%cfg: !cuda.launch_cfg<max_attrs = 3>, %event: !cuda.event, %n: i32) {
  // CHECK: cuda.launch_cfg.launch_completion_event[%{{.*}}] (%{{.*}}, %{{.*}}) : !cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32
  // GENERIC: "cuda.launch_cfg.launch_completion_event"(%{{.*}}) : (!cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32) -> ()
  cuda.launch_cfg.launch_completion_event[%cfg] (%event, %n) : !cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32
  // CHECK: cuda.launch_cfg.programmatic_event[%{{.*}}] (%{{.*}}, %{{.*}}, %{{.*}}) : !cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32, i32
  // GENERIC: "cuda.launch_cfg.programmatic_event"(%{{.*}}) : (!cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32, i32) -> ()
  cuda.launch_cfg.programmatic_event[%cfg] (%event, %n, %n) : !cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32, i32
  return
}

// The target of a module that another compiler has compiled.
// CHECK: gpu.module @compiled attributes {to = #cuda.compute_target<sass, conditional, [sm_90, sm_100]>}
gpu.module @compiled attributes {to = #cuda.compute_target<sass, conditional, [sm_90, sm_100]>} {
}

// CHECK-LABEL: @boxes(
// CHECK: cuda.tensor_map %{{.*}} extents(%{{.*}}, %{{.*}}) strides(%{{.*}}, %{{.*}}) {box_shape = array<i32: 64, 128>, element = "f16", swizzle = "128B"} : !llvm.ptr<1> -> !llvm.ptr
func.func @boxes(%tensor: !llvm.ptr<1>, %n: i64, %m: i64, %two: i64, %row: i64) -> !llvm.ptr {
  %map = cuda.tensor_map %tensor extents(%n, %m) strides(%two, %row) {box_shape = array<i32: 64, 128>, element = "f16", swizzle = "128B"} : !llvm.ptr<1> -> !llvm.ptr
  return %map : !llvm.ptr
}
