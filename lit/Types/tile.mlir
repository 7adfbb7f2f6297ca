// RUN: %opt %s | %opt | FileCheck %s

// One element a mode: a layout, an extent, `_` or modes of its own.
// CHECK: @t0(!cute.tile<"[64:1;_]">)
func.func private @t0(!cute.tile<"[64:1;_]">)
// CHECK: @t1(!cute.tile<"[4:1;1]">)
func.func private @t1(!cute.tile<"[4:1;1]">)
// CHECK: @t2(!cute.tile<"{{\[\[}}3:1];4:1]">)
func.func private @t2(!cute.tile<"[[3:1];4:1]">)
// CHECK: @t3(!cute.tile<"[1:0;1:0;1:0]">)
func.func private @t3(!cute.tile<"[1:0;1:0;1:0]">)
// CHECK: @t4(!cute.tile<"[(4,8):(8,1);32:2]">)
func.func private @t4(!cute.tile<"[(4,8):(8,1);32:2]">)
// CHECK: @t5(!cute.tile<"[(?,3):(1,?)]">)
func.func private @t5(!cute.tile<"[(?,3):(1,?)]">)
// CHECK: @t6(!cute.tile<"[]">)
func.func private @t6(!cute.tile<"[]">)

// A single element has no brackets.
// CHECK: @t7(!cute.tile<"8:1">)
func.func private @t7(!cute.tile<"8:1">)
// CHECK: @t8(!cute.tile<"_">)
func.func private @t8(!cute.tile<"_">)
// CHECK: @t9(!cute.tile<"64">)
func.func private @t9(!cute.tile<"64">)
