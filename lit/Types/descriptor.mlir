// RUN: %opt %s | %opt | FileCheck %s

// Steps along dimensions: the last number is the outermost dimension.
// CHECK: @d0() attributes {d = #cute.descriptor<"(16@0,1@1)">}
func.func private @d0() attributes {d = #cute.descriptor<"(16@0, 1@1)">}
// CHECK: @d1() attributes {d = #cute.descriptor<"(1@0,(1@0@1,1@1@1))">}
func.func private @d1() attributes {d = #cute.descriptor<"( 1 @ 0 ,(1@0@1,	1@1@1 ) )">}

// Groups may be empty.
// CHECK: @d2() attributes {d = #cute.descriptor<"()">}
func.func private @d2() attributes {d = #cute.descriptor<"()">}
// CHECK: @d3() attributes {d = #cute.descriptor<"((),(-1@0))">}
func.func private @d3() attributes {d = #cute.descriptor<"((),(-1@0))">}

// Counts are in lowest terms, with a positive denominator.
// CHECK: @d4() attributes {d = #cute.descriptor<"(1/2@0,-2@1,0@2)">}
func.func private @d4() attributes {d = #cute.descriptor<"(2/4@0,6/-3@1,0/7@2)">}

// Equal normal forms are one attribute.
// CHECK: @d5() attributes {d = #[[D:.*]]<"(2@0)">, e = #[[D]]<"(2@0)">}
func.func private @d5() attributes {d = #cute.descriptor<"(2@0)">, e = #cute.descriptor<"(4/2@0)">}
