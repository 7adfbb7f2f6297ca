// REQUIRES: cutec
// RUN: %if libdevice %{ %cutec %s --target sm_90a --libdevice %libdevice | FileCheck %s %}
// RUN: %if libdevice %{ %cutec %s --target sm_90a --libdevice %libdevice --emit cubin -o %t.cubin %}
// RUN: %if libdevice %{ %cutec run %s --grid 1 --libdevice %libdevice --arg f64[2]=2 | FileCheck %s --check-prefix=SIMULATED %}
// RUN: not %cutec %s --target sm_90a --libdevice none 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: not %cutec %s --target sm_90a --libdevice %s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %cutec %s --target sm_90a --libdevice %t.missing 2>&1 | FileCheck %s --check-prefix=MISSING

// Functions of libdevice are linked and inlined, and nothing else of it stays.

// CHECK-NOT: __nv_
// CHECK-NOT: .extern
// CHECK: .entry k
// CHECK: fma.rn.f64
// CHECK-NOT: __nv_
// SIMULATED: k: 1 block, 1 thread,
// WITHOUT: error: 'math.powf' op: not supported: it needs CUDA's libdevice, which is not linked (--libdevice FILE does that)
// TEXT: error: '{{.+}}libdevice.mlir' is not LLVM bitcode; --libdevice needs libdevice.10.bc
// MISSING: error: cannot read '{{.+}}.missing'
gpu.module @m {
  gpu.func @k(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %x = llvm.load %out : !llvm.ptr<1> -> f64
    %y = math.powf %x, %x : f64
    %z = math.exp %y : f64
    llvm.store %z, %out : f64, !llvm.ptr<1>
    gpu.return
  }
}
