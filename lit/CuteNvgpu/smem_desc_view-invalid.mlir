// RUN: %opt %s -split-input-file -verify-diagnostics

// expected-error @below {{expected !cute_nvgpu.smem_desc}}
func.func private @iterator(!cute_nvgpu.smem_desc_view<i64, "4:1">)

// -----

// expected-error @below {{a smem_desc_view has integer strides, in units of 16 bytes}}
func.func private @basis(!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "4:1@0">)

// -----

// expected-error @below {{expected ','}}
func.func private @layout(!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc>)

// -----

func.func @composed(%d: !cute_nvgpu.smem_desc, %l: !cute.composed_layout<"S<1,0,1> o 0 o 4:1">) {
  // expected-error @below {{'cute.make_view' op operand #0 must be a ptr, or an arith_tuple_iter or smem_desc with a plain layout, found !cute_nvgpu.smem_desc}}
  %0 = "cute.make_view"(%d, %l) : (!cute_nvgpu.smem_desc, !cute.composed_layout<"S<1,0,1> o 0 o 4:1">) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "4:1">
  return
}

// -----

func.func @stride(%d: !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,4):(0,2)">, %at: !cute.coord<"(_,?)">) {
  // expected-error @below {{is not a weakening of !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1):(0)">}}
  %0 = "cute.slice"(%d, %at) : (!cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(1,4):(0,2)">, !cute.coord<"(_,?)">) -> !cute_nvgpu.smem_desc_view<!cute_nvgpu.smem_desc, "(4):(2)">
  return
}
