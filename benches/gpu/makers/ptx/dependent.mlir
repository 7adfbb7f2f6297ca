// C7 for the simulator, which launches host functions of cute IR: a launch that may begin before the
// launch before it has ended reads what that one writes. early: before the wait.
!words = !cute.memref<i32, gmem, "(128):(1)">
!at = !cute.coord<"?">
!cfg = !cuda.launch_cfg<max_attrs = 1>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    cuda.kernel @first(%p: !words) attributes {
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %at = cute.make_coord(%t) : (i32) -> !at
      nvvm.griddepcontrol launch_dependents
      cute.memref.store(%p, %at, %t) : (!words, !at, i32) -> ()
      cuda.return
    }
    cuda.kernel @second(%p: !words, %q: !words) attributes {
        cute.kernel, gpu.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %at = cute.make_coord(%t) : (i32) -> !at
      nvvm.griddepcontrol wait // not: early
      %v = cute.memref.load(%p, %at) : (!words, !at) -> i32
      nvvm.griddepcontrol wait // only: early
      cute.memref.store(%q, %at, %v) : (!words, !at, i32) -> ()
      cuda.return
    }
  }
  func.func @both(%p: !words, %q: !words, %s: !cuda.stream) -> i32 {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c128 = arith.constant 128 : i32
    %none = arith.constant 0 : i64
    %cfg = cuda.launch_cfg.create<max_attrs = 1 : i32> (
        blockDim = (%c128, %c1, %c1), dynamicSmemBytes = %none, gridDim = (%c1, %c1, %c1), stream = %s) :
        i32, i32, i32, i64, i32, i32, i32, !cuda.stream -> !cfg
    %r = cuda.launch_ex @kernels::@first<%cfg> (%p) : !cfg, (!words) -> !cuda.result
    cuda.launch_cfg.programmatic_stream_serialization_allowed[%cfg] %c1 : !cfg, i32
    %r2 = cuda.launch_ex @kernels::@second<%cfg> (%p, %q) : !cfg, (!words, !words) -> !cuda.result
    return %c0 : i32
  }
}
