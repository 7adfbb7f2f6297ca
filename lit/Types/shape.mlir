// RUN: %opt %s | %opt | FileCheck %s

// A shape may hold a 0.
// CHECK: @t0(!cute.shape<"128">)
func.func private @t0(!cute.shape<"128">)
// CHECK: @t1(!cute.shape<"0">)
func.func private @t1(!cute.shape<"0">)
// CHECK: @t2(!cute.shape<"(128,(?,8))">)
func.func private @t2(!cute.shape<"(128,(?,8))">)
// CHECK: @t3(!cute.shape<"(?{i64 div=8},4)">)
func.func private @t3(!cute.shape<"(?{i64 div=8},4)">)
// CHECK: @t4(!cute.shape<"()">)
func.func private @t4(!cute.shape<"()">)
