// RUN: %opt %s -split-input-file -verify-diagnostics

// expected-error @below {{'cuda.kernel' op a kernel must not have results, found 1}}
cuda.kernel @results() -> i32 {
  cuda.return
}

// -----

// expected-error @below {{'cuda.kernel' op 'nvvm.reqntid' must be three positive numbers of threads, found array<i32: 128, 0, 1>}}
cuda.kernel @threads() attributes {nvvm.reqntid = array<i32: 128, 0, 1>} {
  cuda.return
}

// -----

// expected-error @below {{'cuda.kernel' op 'cu_attrs' must be a dictionary, found 3 : i32}}
cuda.kernel @function_attributes() attributes {cu_attrs = 3 : i32} {
  cuda.return
}

// -----

func.func @outside() {
  // expected-error @below {{'cuda.return' op expects parent op 'cuda.kernel'}}
  cuda.return
}

// -----

func.func @room(%n: i32, %bytes: i64, %stream: !cuda.stream) {
  // expected-error @below {{'cuda.launch_cfg.create' op max_attrs is 2, but the result's type has room for 3}}
  %cfg = cuda.launch_cfg.create<max_attrs = 2 : i32> (blockDim = (%n, %n, %n), dynamicSmemBytes = %bytes, gridDim = (%n, %n, %n), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 3>
  return
}

// -----

func.func @room_type(%n: i32, %bytes: i64, %stream: !cuda.stream) {
  // expected-error @below {{expected an integer of type i32, as in `3 : i32`, found 2 : i64}}
  %cfg = cuda.launch_cfg.create<max_attrs = 2> (blockDim = (%n, %n, %n), dynamicSmemBytes = %bytes, gridDim = (%n, %n, %n), stream = %stream) : i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cuda.launch_cfg<max_attrs = 2>
  return
}

// -----

func.func @cluster(%cfg: !cuda.launch_cfg<max_attrs = 3>) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  // expected-error @below {{'cuda.launch_cfg.cluster_dim' op a cluster must have at least one block along y, found 0}}
  cuda.launch_cfg.cluster_dim[%cfg] (%1, %0, %1) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
  return
}

// -----

func.func @cooperative(%cfg: !cuda.launch_cfg<max_attrs = 3>) {
  %2 = arith.constant 2 : i32
  // expected-error @below {{'cuda.launch_cfg.cooperative' op the value must be 0 or 1, found 2}}
  cuda.launch_cfg.cooperative[%cfg] %2 : !cuda.launch_cfg<max_attrs = 3>, i32
  return
}

// -----

func.func @programmatic(%cfg: !cuda.launch_cfg<max_attrs = 3>) {
  %m = arith.constant -1 : i32
  // expected-error @below {{'cuda.launch_cfg.programmatic_stream_serialization_allowed' op the value must be 0 or 1, found -1}}
  cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %m : !cuda.launch_cfg<max_attrs = 3>, i32
  return
}

// -----

func.func @preferred(%cfg: !cuda.launch_cfg<max_attrs = 3>) {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  // expected-error @below {{'cuda.launch_cfg.preferred_cluster_dim' op a cluster must have at least one block along x, found 0}}
  cuda.launch_cfg.preferred_cluster_dim[%cfg] (%0, %1, %1) : !cuda.launch_cfg<max_attrs = 3>, i32, i32, i32
  return
}

// -----

func.func @trigger(%cfg: !cuda.launch_cfg<max_attrs = 3>, %event: !cuda.event) {
  %0 = arith.constant 0 : i32
  %2 = arith.constant 2 : i32
  // expected-error @below {{'cuda.launch_cfg.programmatic_event' op the value must be 0 or 1, found 2}}
  cuda.launch_cfg.programmatic_event[%cfg] (%event, %2, %2) : !cuda.launch_cfg<max_attrs = 3>, !cuda.event, i32, i32
  return
}

// -----

func.func @not_an_event(%cfg: !cuda.launch_cfg<max_attrs = 3>, %s: !cuda.stream, %n: i32) {
  // expected-error @below {{'cuda.launch_cfg.launch_completion_event' op operand #1 must be !cuda.event, but got '!cuda.stream'}}
  "cuda.launch_cfg.launch_completion_event"(%cfg, %s, %n) : (!cuda.launch_cfg<max_attrs = 3>, !cuda.stream, i32) -> ()
  return
}

// -----

func.func @nothing(%cfg: !cuda.launch_cfg<max_attrs = 3>) {
  // expected-error @below {{'cuda.launch_ex' op launches @kernels::@k, which is not a symbol of this module}}
  %r = cuda.launch_ex @kernels::@k<%cfg> () : !cuda.launch_cfg<max_attrs = 3>, () -> !cuda.result
  return
}

// -----

// expected-note @below {{it is declared here}}
func.func private @k()
func.func @not_a_kernel(%cfg: !cuda.launch_cfg<max_attrs = 3>) {
  // expected-error @below {{'cuda.launch_ex' op launches @k, which is a func.func, not a cuda.kernel}}
  %r = cuda.launch_ex @k<%cfg> () : !cuda.launch_cfg<max_attrs = 3>, () -> !cuda.result
  return
}

// -----

gpu.module @kernels {
  // expected-note @below {{the kernel is declared here}}
  cuda.kernel @k(%n: i32, %x: f32) {
    cuda.return
  }
}
func.func @count(%cfg: !cuda.launch_cfg<max_attrs = 3>, %n: i32) {
  // expected-error @below {{'cuda.launch_ex' op passes 1 arguments, but @kernels::@k takes 2}}
  %r = cuda.launch_ex @kernels::@k<%cfg> (%n) : !cuda.launch_cfg<max_attrs = 3>, (i32) -> !cuda.result
  return
}

// -----

gpu.module @kernels {
  // expected-note @below {{the kernel is declared here}}
  cuda.kernel @k(%n: i32, %x: f32) {
    cuda.return
  }
}
func.func @type(%cfg: !cuda.launch_cfg<max_attrs = 3>, %n: i32) {
  // expected-error @below {{'cuda.launch_ex' op argument #1 is i32, but @kernels::@k takes f32}}
  %r = cuda.launch_ex @kernels::@k<%cfg> (%n, %n) : !cuda.launch_cfg<max_attrs = 3>, (i32, i32) -> !cuda.result
  return
}

// -----

func.func @cast(%n: i64) {
  // expected-error @below {{'cuda.cast' op casts !cuda.result to i32 and i64 to !cuda.stream, found i64 to i32}}
  %r = cuda.cast %n : i64 -> i32
  return
}

// -----

func.func @cast_float(%x: f32) {
  // expected-error @below {{'cuda.cast' op operand #0 must be 64-bit signless integer or !cuda.result, but got 'f32'}}
  %r = cuda.cast %x : f32 -> !cuda.stream
  return
}

// -----

// expected-note @below {{the function is here}}
func.func @no_code(%n: i32) {
  // expected-error @below {{'cuda.return_if_error' op must return an i32, but the function's results are ()}}
  cuda.return_if_error %n : i32
  return
}

// -----

func.func @unknown() {
  // expected-error @below {{custom op 'cuda.launch' is unknown}}
  cuda.launch
}

// -----

// expected-error @below {{unknown  type `streams` in dialect `cuda`}}
func.func private @unknown_type(!cuda.streams)

// -----

func.func @element(%tensor: !llvm.ptr<1>, %n: i64) {
  // expected-error @below {{'cuda.tensor_map' op 'element' must be one of u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32.ftz, tf32, tf32.ftz, u4, u4 in 8 bits, u6 in 8 bits, found 'half'}}
  %map = cuda.tensor_map %tensor extents(%n) strides(%n) {box_shape = array<i32: 64>, element = "half", swizzle = "128B"} : !llvm.ptr<1> -> !llvm.ptr
  return
}

// -----

func.func @swizzle(%tensor: !llvm.ptr<1>, %n: i64) {
  // expected-error @below {{'cuda.tensor_map' op 'swizzle' must be one of none, 32B, 64B, 128B, 128B by 32B, found '256B'}}
  %map = cuda.tensor_map %tensor extents(%n) strides(%n) {box_shape = array<i32: 64>, element = "f16", swizzle = "256B"} : !llvm.ptr<1> -> !llvm.ptr
  return
}

// -----

func.func @box(%tensor: !llvm.ptr<1>, %n: i64) {
  // expected-error @below {{'cuda.tensor_map' op 'box_shape' must have 1 to 5 extents from 1 to 256, found (64, 512)}}
  %map = cuda.tensor_map %tensor extents(%n, %n) strides(%n, %n) {box_shape = array<i32: 64, 512>, element = "f16", swizzle = "128B"} : !llvm.ptr<1> -> !llvm.ptr
  return
}

// -----

func.func @counts(%tensor: !llvm.ptr<1>, %n: i64) {
  // expected-error @below {{'cuda.tensor_map' op a box of 2 modes needs as many extents and strides, found 2 and 1}}
  %map = cuda.tensor_map %tensor extents(%n, %n) strides(%n) {box_shape = array<i32: 64, 8>, element = "f16", swizzle = "128B"} : !llvm.ptr<1> -> !llvm.ptr
  return
}

// -----

func.func @address(%tensor: i64, %n: i64) {
  // expected-error @below {{'cuda.tensor_map' op must take and give an !llvm.ptr, found i64}}
  %map = cuda.tensor_map %tensor extents(%n) strides(%n) {box_shape = array<i32: 64>, element = "f16", swizzle = "128B"} : i64 -> !llvm.ptr
  return
}
