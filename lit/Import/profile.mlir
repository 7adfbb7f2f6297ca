// REQUIRES: cute-opt, cutec
// RUN: %cutec %s --profile cute-rs --target sm_90a | FileCheck %s
// RUN: %cutec %s --target sm_90a | FileCheck %s
// RUN: %cutec import %s --profile cute-rs | FileCheck %s --check-prefix=IMPORT
// RUN: %cutec run %s --profile cute-rs --grid 1 | FileCheck %s --check-prefix=SIM
// RUN: not %cutec %s --profile zml --target sm_90a 2>&1 | FileCheck %s --check-prefix=ZML
// RUN: not %cutec run %s --profile zml --grid 1 2>&1 | FileCheck %s --check-prefix=ZML
// RUN: not %cutec import %s --profile zml 2>&1 | FileCheck %s --check-prefix=ZML
// RUN: not %cutec host %s --profile zml 2>&1 | FileCheck %s --check-prefix=ZML
// RUN: not %cutec %s --profile dsl-4.8 --target sm_90a 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %cutec host %s --profile 4.7 2>&1 | FileCheck %s --check-prefix=SHORT

// A module of one producer is compiled in its profile and in none of another.

// CHECK: .entry hello(
// IMPORT: gpu.func @hello() kernel
// SIM: hello from 0
// NAME: there is no profile 'dsl-4.8'; there are auto, dsl-4.3, dsl-4.4, dsl-4.5, dsl-4.6, dsl-4.7, cute-rs, zml
// SHORT: there is no profile '4.7'; there are auto
"builtin.module"() ({
  "gpu.module"() <{sym_name = "kernels"}> ({
    // ZML: profile.mlir:[[#@LINE+1]]:5: error: 'func.func' op has the mark of a kernel in a gpu.module, as in modules of cute-rs, CuTe DSL before 4.3, but the profile is zml; all forms of this module are those of the profile cute-rs
    "func.func"() <{function_type = () -> (), sym_name = "hello"}> ({
      %t = "nvvm.read.ptx.sreg.tid.x"() : () -> i32
      "cute.print"(%t) <{fmt = "hello from {}\n"}> : (i32) -> ()
      "func.return"() : () -> ()
    }) {cute.kernel = unit, gpu.kernel = unit, nvvm.reqntid = array<i32: 1, 1, 1>} : () -> ()
  }) : () -> ()
}) {gpu.container_module = unit} : () -> ()
