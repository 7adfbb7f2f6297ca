//! The contents of the manifest.

use super::{KERNEL, Place, json};
use serde_json::Value;
use std::fs;

#[test]
fn the_manifest_says_how_to_launch() {
    let place = Place::with(KERNEL);
    let manifest = json(&place.good("k.mlir --target sm_90a --emit manifest"));
    assert_eq!(manifest["target"], "sm_90a");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let kernel = &manifest["kernels"][0];
    let facts = ["type", "kind", "width", "offset"];
    let parameters: Vec<_> = kernel["parameters"].as_array().unwrap().iter().collect();
    let table: Vec<_> = parameters.iter().map(|p| facts.map(|f| p[f].to_string())).collect();
    assert_eq!(
        table,
        [
            ["\"!llvm.ptr<1>\"", "\"pointer\"", "8", "0"],
            ["\"i32\"", "\"i32\"", "4", "8"],
            ["\"i64\"", "\"i64\"", "8", "16"],
            ["\"f32\"", "\"f32\"", "4", "24"],
        ]
    );
    assert_eq!(parameters[3]["name"], "k_param_3");
    assert_eq!((&parameters[3]["argument"], &parameters[3]["leaf"]), (&"f".into(), &"value".into()));
    let arguments: Vec<_> =
        kernel["arguments"].as_array().unwrap().iter().map(|a| a["name"].clone()).collect();
    assert_eq!(arguments, ["p", "n", "l", "f"]);
    assert_eq!(kernel["block"], json("[128, 1, 1]"));
    assert_eq!(kernel["cluster"], Value::Null);
    assert_eq!(kernel["shared_memory"], json(r#"{"static": 0, "dynamic": false}"#));

    // The same lies beside the PTX.
    place.good("k.mlir --target sm_90a -o k.ptx");
    assert_eq!(json(&fs::read_to_string(place.path("k.ptx.json")).unwrap()), manifest);
    assert!(fs::read_to_string(place.path("k.ptx")).unwrap().contains(".entry k("));
}

#[test]
fn shared_memory_is_that_of_the_kernel() {
    let place = Place::with(
        "gpu.module @m {
           gpu.func @a() workgroup(%x: memref<3xi8, 3>, %y: memref<64xi32, 3>) kernel {
             %i = arith.constant 0 : index
             %v = arith.constant 0 : i8
             %w = arith.constant 0 : i32
             memref.store %v, %x[%i] : memref<3xi8, 3>
             memref.store %w, %y[%i] : memref<64xi32, 3>
             gpu.return
           }
           gpu.func @b() kernel attributes {cute.dynamic_shared_memory = 9000 : i64} {
             %v = arith.constant 0 : i8
             %i = arith.constant 0 : index
             %s = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
             memref.store %v, %s[%i] : memref<?xi8, #gpu.address_space<workgroup>>
             gpu.return
           }
         }",
    );
    let manifest = json(&place.good("k.mlir --target sm_80 --emit manifest"));
    let shared = |i: usize| manifest["kernels"][i]["shared_memory"].clone();
    assert_eq!(shared(0), json(r#"{"static": 260, "dynamic": false}"#));
    assert_eq!(shared(1), json(r#"{"static": 0, "dynamic": true, "dynamic_size": 9000}"#));
}

#[test]
fn a_lowered_kernel_is_compiled_as_it_is() {
    let place = Place::with(
        "gpu.module @m {
           llvm.func @k(%p: !llvm.ptr<1>, %d: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64})
               attributes {gpu.kernel, nvvm.kernel, nvvm.reqntid = array<i32: 384>, nvvm.cluster_dim = array<i32: 2>} {
             llvm.return
           }
         }",
    );
    let ptx = place.good("k.mlir --target sm_90a -o -");
    assert!(ptx.contains(".reqntid 384") && ptx.contains(".param .align 64 .b8 k_param_1[128]"), "{ptx}");
    let kernel = json(&place.good("k.mlir --target sm_90a --emit manifest"))["kernels"][0].clone();
    assert_eq!((&kernel["block"], &kernel["cluster"]), (&json("[384, 1, 1]"), &json("[2, 1, 1]")));
    let by_value = r#"{"name": "k_param_1", "type": "!llvm.array<128 x i8>", "width": 128, "offset": 64, "alignment": 64, "kind": "bytes",
        "argument": "d", "leaf": "value"}"#;
    assert_eq!(kernel["parameters"][1], json(by_value));
}

#[test]
fn a_host_learns_of_descriptors_what_their_types_say() {
    let place = Place::with(
        r#"!load = !cute_nvgpu.atom.non_exec_tiled_tma_load<sm_90, f16, copy_bits = 131072, tma_gbasis = <"(64,128,1):(1@1,1@0,1@2)">, tma_format = F16_RN>
        gpu.module @m {
          cuda.kernel @dsl(%n: i32, %t: !load) attributes {gpu.kernel} { cuda.return }
          gpu.func @flat(%n: i32, %t: !load) kernel { gpu.return }
        }"#,
    );
    let ptx = place.good("k.mlir --target sm_90a -o -");
    assert_eq!(ptx.matches("_param_1[128]").count(), 2, "{ptx}");
    for kernel in json(&place.good("k.mlir --target sm_90a --emit manifest"))["kernels"].as_array().unwrap() {
        let name = &kernel["name"].as_str().unwrap();
        let parameter = format!(
            r#"{{"name": "{name}_param_1", "type": "!llvm.array<16 x i64>", "width": 128, "offset": 64, "alignment": 64,
            "kind": "descriptor", "argument": "t", "leaf": "descriptor"}}"#
        );
        assert_eq!(kernel["parameters"][1], json(&parameter));
        let tma = r#"{"operation": "SM90_TMA_LOAD", "element": "f16", "format": "F16_RN", "rank": 3, "box": [64, 128, 1],
            "basis": "(64,128,1):(1@1,1@0,1@2)"}"#;
        assert_eq!(kernel["arguments"][1]["tma"], json(tma));
    }
}

/// Views of static and dynamic leaves, a pointer, a tuple and a type that nothing is passed for.
const VIEWS: &str = r#"!a = !cute.memref<bf16, gmem, align<16>, "(?{div=64},(4,?)):(?{i64 div=8},(1,4))">
!b = !cute.memref<f8E4M3FN, gmem, "(64,8):(8,1)">
gpu.module @m {
  gpu.func @k(%a: !a, %b: !b, %p: !cute.ptr<i32, gmem, align<8>>, %s: !cute.shape<"(?,4)">, %l: !cute.layout<"4:1">, %n: i32,
      %x: !cute.memref<f16, gmem, "S<2,4,3> o 0 o (?,8):(8,?)">, %y: !cute.coord_tensor<"(?,0)", "(?,4):(1@0,1@1)">,
      %t: !cute.tile<"[?:1;16:?]">, %c: !cute.coord<"(_,?)">, %d: !cute.i32<divby 8>,
      %f: !cute.composed_layout<"(?,4):(4,?) o 0 o (8,?):(1,8)">, %g: !cute.int_tuple<"(?{div=2},(3,?))">) kernel {
    gpu.return
  }
}
"#;

#[test]
fn a_host_learns_what_each_parameter_is() {
    let place = Place::with(VIEWS);
    let kernel = json(&place.good("k.mlir --target sm_90a --emit manifest"))["kernels"][0].clone();
    let facts = ["argument", "leaf", "mode", "type", "element", "align", "multiple_of"];
    let rows = kernel["parameters"].as_array().unwrap().iter().map(|p| {
        let given = facts.iter().filter(|f| !p[**f].is_null());
        given.map(|f| format!("{f} {}", p[*f].to_string().replace('"', ""))).collect::<Vec<_>>().join(", ")
    });
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            "argument a, leaf pointer, type !llvm.ptr<1>, element bf16, align 16",
            "argument a, leaf extent, mode [0], type i32, multiple_of 64",
            "argument a, leaf extent, mode [1,1], type i32",
            "argument a, leaf stride, mode [0], type i64, multiple_of 8",
            "argument b, leaf pointer, type !llvm.ptr<1>, element f8E4M3FN",
            "argument p, leaf pointer, type !llvm.ptr<1>, element i32, align 8",
            "argument s, leaf extent, mode [0], type i32",
            "argument n, leaf value, type i32",
            "argument x, leaf pointer, type !llvm.ptr<1>, element f16, align 2",
            "argument x, leaf extent, mode [0], type i32",
            "argument x, leaf stride, mode [1], type i32",
            "argument y, leaf offset, mode [0], type i32",
            "argument y, leaf extent, mode [0], type i32",
            "argument t, leaf extent, mode [0], type i32",
            "argument t, leaf stride, mode [1], type i32",
            "argument c, leaf coordinate, mode [1], type i32",
            "argument d, leaf value, type i32, multiple_of 8",
            "argument f, leaf inner, mode [0], type i32",
            "argument f, leaf inner, mode [1], type i32",
            "argument f, leaf extent, mode [1], type i32",
            "argument g, leaf coordinate, mode [0], type i32, multiple_of 2",
            "argument g, leaf coordinate, mode [1,1], type i32",
        ]
    );
    let arguments = kernel["arguments"].as_array().unwrap();
    let names: Vec<_> = arguments.iter().map(|a| a["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b", "p", "s", "l", "n", "x", "y", "t", "c", "d", "f", "g"]);
    let axis = |i: usize| arguments[0]["axes"][i].clone();
    assert_eq!(axis(0), json(r#"{"mode": [0], "extent": null, "stride": null}"#));
    assert_eq!(axis(1), json(r#"{"mode": [1, 0], "extent": 4, "stride": 1}"#));
    assert_eq!(axis(2), json(r#"{"mode": [1, 1], "extent": null, "stride": 4}"#));
    let ptx = place.good("k.mlir --target sm_90a");
    for parameter in
        [".param .u64 .ptr .global .align 16 k_param_0", ".param .u64 .ptr .global .align 8 k_param_5"]
    {
        assert!(ptx.contains(parameter), "{ptx}");
    }
}

#[test]
fn each_output_has_a_manifest_of_its_own() {
    let place = Place::with(KERNEL);
    place.good("k.mlir --target sm_90a -o k.ptx");
    place.good("k.mlir --target sm_80 -o k.json");
    for (file, target) in [("k.ptx.json", "sm_90a"), ("k.json.json", "sm_80")] {
        assert_eq!(json(&fs::read_to_string(place.path(file)).unwrap())["target"], target);
    }
}

#[test]
fn types_that_mlir_takes_apart_are_their_parts() {
    let place = Place::with(
        "gpu.module @m {\n  gpu.func @k(%m: memref<?xf32, 1>, %n: i32) kernel {\n    gpu.return\n  }\n}\n",
    );
    let kernel = json(&place.good("k.mlir --target sm_90a --emit manifest"))["kernels"][0].clone();
    let kinds: Vec<_> = kernel["parameters"].as_array().unwrap().iter().map(|p| p["kind"].clone()).collect();
    assert_eq!(kinds, ["pointer", "pointer", "i64", "i64", "i64", "i32"]);
    assert_eq!(kernel["arguments"].as_array().map(Vec::len), Some(6));
    assert!(kernel["parameters"].as_array().unwrap().iter().all(|p| p["leaf"] == "value"));
}

/// A kernel of CuTe DSL, and one that is not.
const DSL: &str = r#"!mma = !cute_nvgpu.sm100.mma<128x256x16, num_cta = 1, ab_major = (k, k), elem_type = (f16, f16, f32), frag_kind = ss, c_scale_exp = 0>
!tiled_mma = !cute.tiled_mma<!mma, atom_layout_MNK = <"(1,1,1):(0,0,0)">>
!view = !cute.memref<f32, gmem, align<16>, "(?,?):(?{i64},1)">
gpu.module @m {
  cuda.kernel @k(%a: !view, %n: i32, %b: !cute.memref<f32, gmem, "(8,8):(8,1)">, %c: !cute.coord_tensor<"(0,0,0)", "(?,?,?):(1@0,1@1,1@2)">,
      %d: !cute.fast_divmod_divisor<32>, %s: !cute.layout<"4:1">, %x: f32, %t: !cute.coord_tensor<"(?,0)", "(?,?{i64}):(1@0,1@1)">, %m: !tiled_mma)
      attributes {gpu.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
    return
  }
  gpu.func @own(%a: !view) kernel {
    gpu.return
  }
}
"#;

#[test]
fn kernels_of_cute_dsl_are_passed_structs() {
    let place = Place::with(DSL);
    let ptx = place.good("k.mlir --target sm_90a");
    for parameter in [
        ".param .align 8 .b8 k_param_0[24],",
        ".param .u32 k_param_1,",
        ".param .align 8 .b8 k_param_2[8],",
        ".param .align 4 .b8 k_param_3[12],",
        ".param .align 4 .b8 k_param_4[12],",
        ".param .f32 k_param_5,",
        ".param .align 8 .b8 k_param_6[24],",
        ".param .align 1 .b8 k_param_7[3]",
        ".param .u64 .ptr .global .align 16 own_param_0,",
    ] {
        assert!(ptx.contains(parameter), "{parameter}: {ptx}");
    }
    let kernel = json(&place.good("k.mlir --target sm_90a --emit manifest"))["kernels"][0].clone();
    let facts = |of: &Value, names: &[&str]| {
        let given = names.iter().filter(|name| !of[**name].is_null());
        given.map(|name| of[*name].to_string().replace('"', "")).collect::<Vec<_>>().join(" ")
    };
    let mut rows = Vec::new();
    for parameter in kernel["parameters"].as_array().unwrap() {
        rows.push(facts(parameter, &["argument", "kind", "width", "offset", "alignment", "leaf"]));
        for field in parameter["fields"].as_array().into_iter().flatten() {
            rows.push(format!("  {}", facts(field, &["leaf", "mode", "type", "width", "offset", "align"])));
        }
    }
    assert_eq!(
        rows,
        [
            "a struct 24 0 8",
            "  pointer !llvm.ptr<1> 8 0 16",
            "  extent [0] i32 4 8",
            "  extent [1] i32 4 12",
            "  stride [0] i64 8 16",
            "n i32 4 24 4 value",
            "b struct 8 32 8",
            "  pointer !llvm.ptr<1> 8 0 4",
            "c struct 12 40 4",
            "  extent [0] i32 4 0",
            "  extent [1] i32 4 4",
            "  extent [2] i32 4 8",
            "d struct 12 52 4",
            "  divisor i32 4 0",
            "  multiplier i32 4 4",
            "  shift1 i8 1 8",
            "  shift2 i8 1 9",
            "x f32 4 64 4 value",
            // As C lays out the inner structs, each by its own alignment.
            "t struct 24 72 8",
            "  offset [0] i32 4 0",
            "  extent [0] i32 4 8",
            "  extent [1] i64 8 16",
            "m struct 3 96 1",
            "  accum_c i1 1 0",
            "  neg_a i1 1 1",
            "  neg_b i1 1 2",
        ]
    );

    // Either ABI for either kernel, with the leaves in the same order.
    let all = |abi: &str| json(&place.good(&format!("k.mlir --target sm_90a --emit manifest --abi {abi}")));
    let leaves = |manifest: &Value, kernel: usize| {
        let parameters = manifest["kernels"][kernel]["parameters"].as_array().unwrap().clone();
        let leaves = parameters.into_iter().flat_map(|p| match p["fields"].as_array() {
            Some(fields) => fields.clone(),
            None => vec![p],
        });
        leaves.map(|leaf| facts(&leaf, &["leaf", "mode"])).collect::<Vec<_>>()
    };
    let [dsl, flat] = [all("dsl"), all("flat")];
    assert_eq!(leaves(&dsl, 0), leaves(&flat, 0));
    assert_eq!(leaves(&dsl, 1), leaves(&flat, 1));
    let kinds = |manifest: &Value| {
        let parameters =
            manifest["kernels"].as_array().unwrap().iter().flat_map(|k| k["parameters"].as_array());
        parameters.flatten().filter(|p| p["kind"] == "struct").count()
    };
    assert_eq!((kinds(&dsl), kinds(&flat)), (7, 0));
    assert!(place.bad("k.mlir --target sm_90a --abi c").contains("'c' for '--abi <ABI>'"));
}

#[test]
fn names_of_arguments_differ() {
    let place = Place::with(
        "gpu.module @m {
           gpu.func @k(%arg1: i32 loc(\"<module>\"), %b: i32 loc(\"n\"), %c: i32 loc(\"<module>\"),
                       %d: i32 loc(\"n\"), %e: i32 loc(\"x.y\"), %f: i32 loc(\"arg3\")) kernel {
             gpu.return
           }
         }",
    );
    let manifest = json(&place.good("k.mlir --target sm_90a --emit manifest"));
    let arguments = manifest["kernels"][0]["arguments"].as_array().unwrap();
    let names: Vec<_> = arguments.iter().filter_map(|argument| argument["name"].as_str()).collect();
    assert_eq!(names, ["arg0", "arg1", "arg2", "arg3_", "x.y", "arg3"]);
}
