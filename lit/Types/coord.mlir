// RUN: %opt %s | %opt | FileCheck %s

// `_` leaves a mode open.
// CHECK: @t0(!cute.coord<"_">)
func.func private @t0(!cute.coord<"_">)
// CHECK: @t1(!cute.coord<"3">)
func.func private @t1(!cute.coord<"3">)
// CHECK: @t2(!cute.coord<"((_,_),?)">)
func.func private @t2(!cute.coord<"((_,_),?)">)
// CHECK: @t3(!cute.coord<"(_,(1,?{i64}))">)
func.func private @t3(!cute.coord<"(_,(1,?{i64}))">)
// CHECK: @t4(!cute.coord<"()">)
func.func private @t4(!cute.coord<"()">)
