// REQUIRES: cute-opt, cutec
// RUN: not %cutec import %s 2>&1 | FileCheck %s

// What single instructions of CuTe DSL 4.5 and later have, and we have not, is an error at the op.

"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    "cuda.kernel"() <{function_type = (!llvm.ptr<1>, i32, f32) -> (), sym_name = "k"}> ({
    ^bb0(%p: !llvm.ptr<1>, %n: i32, %x: f32):
      %halves = "llvm.mlir.zero"() : () -> vector<2xf16>
      // CHECK: [[#@LINE+1]]:12: error: 'nvvm.atomicrmw' op has op = nand, which is not supported; the supported values are add, fadd,
      %a = "nvvm.atomicrmw"(%p, %n) <{op = #nvvm.atomic_op<nand>}> : (!llvm.ptr<1>, i32) -> i32
      // CHECK: [[#@LINE+1]]:12: error: 'nvvm.atomicrmw' op has op = fadd, which does not fit the type i32
      %b = "nvvm.atomicrmw"(%p, %n) <{op = #nvvm.atomic_op<fadd>}> : (!llvm.ptr<1>, i32) -> i32
      // CHECK: [[#@LINE+1]]:7: error: 'nvvm.red' op updates several numbers, which is supported for add alone
      "nvvm.red"(%p, %halves) <{op = #nvvm.reduction_op<max>, type = #nvvm.reduction_type<f16x2>}> : (!llvm.ptr<1>, vector<2xf16>) -> ()
      // CHECK: [[#@LINE+1]]:12: error: 'nvvm.fmax' op needs 2 or 3 operands
      %c = "nvvm.fmax"(%x) : (f32) -> f32
      // CHECK: [[#@LINE+1]]:12: error: 'nvvm.cvt.packfloat.f32' op merges its result into a register, which is supported for 0 alone
      %d = "nvvm.cvt.packfloat.f32"(%x, %x, %n) <{to = #nvvm.packfloat_type<e4m3x2>}> : (f32, f32, i32) -> i32
      // CHECK: [[#@LINE+1]]:12: error: 'nvvm.load.ext' op has order = acq_rel, which is not supported; the supported values are relaxed, acquire
      %e = "nvvm.load.ext"(%p) <{order = #nvvm<mem_order acq_rel>}> : (!llvm.ptr<1>) -> i32
      // CHECK: [[#@LINE+1]]:12: error: 'nvvm.load.ext' op accesses the type i4, which is not supported
      %f = "nvvm.load.ext"(%p) : (!llvm.ptr<1>) -> i4
      // CHECK: [[#@LINE+1]]:7: error: 'nvvm.barrier.cta.arrive' op needs a barrier and a number of threads
      "nvvm.barrier.cta.arrive"(%n) : (i32) -> ()
      // CHECK: [[#@LINE+1]]:7: error: 'nvvm.tcgen05.alloc' op has group = cta_4, which is not supported; the supported values are cta_1, cta_2
      "nvvm.tcgen05.alloc"(%p, %n) <{group = #nvvm.tcgen05_group<cta_4>}> : (!llvm.ptr<1>, i32) -> ()
      "cuda.return"() : () -> ()
    }) {gpu.kernel} : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
