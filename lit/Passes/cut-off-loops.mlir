// RUN: timeout 60 %opt %s --pass-pipeline='builtin.module(cute-compile{target=sm_90a})' | FileCheck %s

// Constants cut the loops off. MLIR's own canonicalization would not end: in a block that it has just
// cut off, it replaces the sum of %5 and 0 by itself again and again.
// NOT MUTATED: pipelines of mutants run that pass.

module attributes {gpu.container_module} {
  // CHECK-LABEL: @branches(
  // CHECK: return
  func.func @branches(%arg0: i64) -> i64 {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %false = arith.constant false
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      cf.br ^outer(%zero : i32)
    ^outer(%1: i32):
      cf.cond_br %false, ^counted(%zero : i32), ^between
    ^counted(%2: i32):
      %3 = arith.addi %2, %one : i32
      cf.br ^outer(%3 : i32)
    ^between:
      cf.br ^loop(%c0 : index)
    ^loop(%4: index):
      cf.cond_br %false, ^inner(%c0 : index), ^end
    ^inner(%5: index):
      %6 = arith.cmpi slt, %5, %c2 : index
      cf.cond_br %6, ^step, ^next
    ^step:
      %7 = arith.addi %5, %c2 : index
      cf.br ^inner(%7 : index)
    ^next:
      %8 = arith.addi %c0, %c2 : index
      cf.br ^loop(%8 : index)
    ^end:
    return %arg0 : i64
  }

  // CHECK-LABEL: @switches(
  // CHECK: return
  func.func @switches(%arg0: i64) -> i64 {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      cf.br ^outer(%zero : i32)
    ^outer(%1: i32):
      cf.switch %zero : i32, [default: ^counted(%zero : i32), 0: ^between]
    ^counted(%2: i32):
      %3 = arith.addi %2, %one : i32
      cf.br ^outer(%3 : i32)
    ^between:
      cf.br ^loop(%c0 : index)
    ^loop(%4: index):
      cf.switch %zero : i32, [default: ^inner(%c0 : index), 0: ^end]
    ^inner(%5: index):
      %6 = arith.cmpi slt, %5, %c2 : index
      cf.cond_br %6, ^step, ^next
    ^step:
      %7 = arith.addi %5, %c2 : index
      cf.br ^inner(%7 : index)
    ^next:
      %8 = arith.addi %c0, %c2 : index
      cf.br ^loop(%8 : index)
    ^end:
    return %arg0 : i64
  }

  gpu.module @kernels {
    // CHECK: llvm.func @kernel(
    // CHECK: llvm.return
    gpu.func @kernel() kernel {
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %false = arith.constant false
        %c0 = arith.constant 0 : index
        %c2 = arith.constant 2 : index
        cf.br ^outer(%zero : i32)
      ^outer(%1: i32):
        cf.cond_br %false, ^counted(%zero : i32), ^between
      ^counted(%2: i32):
        %3 = arith.addi %2, %one : i32
        cf.br ^outer(%3 : i32)
      ^between:
        cf.br ^loop(%c0 : index)
      ^loop(%4: index):
        cf.cond_br %false, ^inner(%c0 : index), ^end
      ^inner(%5: index):
        %6 = arith.cmpi slt, %5, %c2 : index
        cf.cond_br %6, ^step, ^next
      ^step:
        %7 = arith.addi %5, %c2 : index
        cf.br ^inner(%7 : index)
      ^next:
        %8 = arith.addi %c0, %c2 : index
        cf.br ^loop(%8 : index)
      ^end:
      gpu.return
    }
  }
}
