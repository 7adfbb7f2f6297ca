// RUN: %opt %s | %opt | FileCheck %s

// Element, space.
// CHECK: @t0(!cute.ptr<f32, gmem>)
func.func private @t0(!cute.ptr<f32, gmem>)
// CHECK: @t1(!cute.ptr<f16, smem>)
func.func private @t1(!cute.ptr<f16, smem>)
// CHECK: @t2(!cute.ptr<bf16, rmem>)
func.func private @t2(!cute.ptr<bf16, rmem>)
// CHECK: @t3(!cute.ptr<f32, generic>)
func.func private @t3(!cute.ptr<f32, generic>)
// CHECK: @t4(!cute.ptr<i8, tmem>)
func.func private @t4(!cute.ptr<i8, tmem>)

// Alignment in bytes is printed where it is not the natural one.
// CHECK: @t5(!cute.ptr<f32, gmem, align<16>>)
func.func private @t5(!cute.ptr<f32, gmem, align<16>>)
// CHECK: @t6(!cute.ptr<f32, gmem>)
func.func private @t6(!cute.ptr<f32, gmem, align<4>>)
// CHECK: @t7(!cute.ptr<f32, tmem, align<1>>)
func.func private @t7(!cute.ptr<f32, tmem, align<1>>)
// CHECK: @t8(!cute.ptr<i1, rmem>)
func.func private @t8(!cute.ptr<i1, rmem>)
// CHECK: @t9(!cute.ptr<i1, rmem>)
func.func private @t9(!cute.ptr<i1, rmem, align<1>>)

// Elements of less than a byte have none.
// CHECK: @t10(!cute.ptr<i4, gmem, align<1>>)
func.func private @t10(!cute.ptr<i4, gmem, align<1>>)
// CHECK: @t11(!cute.ptr<f4E2M1FN, smem, align<16>>)
func.func private @t11(!cute.ptr<f4E2M1FN, smem, align<16>>)

// A swizzle, unless it is the identity.
// CHECK: @t12(!cute.ptr<f16, smem, align<16>, S<3,4,3>>)
func.func private @t12(!cute.ptr<f16, smem, align<16>, S<3,4,3>>)
// CHECK: @t13(!cute.ptr<f16, smem, S<3,4,3>>)
func.func private @t13(!cute.ptr<f16, smem, S<3,4,3>>)
// CHECK: @t14(!cute.ptr<f32, gmem>)
func.func private @t14(!cute.ptr<f32, gmem, S<0,4,3>>)

// Without element.
// CHECK: @t15(!cute.ptr<smem, align<8>>)
func.func private @t15(!cute.ptr<smem, align<8>>)
// CHECK: @t16(!cute.ptr<generic>)
func.func private @t16(!cute.ptr<generic>)
