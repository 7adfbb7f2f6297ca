//! The library as its users see it: builders, types, and errors with reasons.

use std::{env, fs};

use cute_mlir::{
    Domain, Error, Target,
    builders::{append, cute, cute_nvgpu, kernel, value},
    types::{self, Cache, Space},
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{Block, BlockLike, Location, Module, Operation, Type, Value},
};

type Result<T = ()> = std::result::Result<T, Error>;

fn context() -> Context {
    let context = Context::new();
    cute_mlir::load(&context);
    context
}

/// README shows these lines.
#[test]
fn a_kernel_in_text_is_compiled_in_a_few_lines() -> Result {
    let source = include_str!("../examples/copy.mlir");
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, source)?;
    let ptx = cute_mlir::compile(&context, &mut module, Target::Sm90a)?;
    assert!(ptx.text.contains(".visible .entry copy"), "{}", ptx.text);
    Ok(())
}

/// A static value, to use as an operand.
fn fixed<'c, 'a>(block: &'a Block<'c>, t: Type<'c>) -> Result<Value<'c, 'a>> {
    let location = Location::unknown(cute_ffi::types::context_of(t));
    value(block, cute::r#static(t, location)?)
}

/// A kernel with every form of argument: optional operands both ways, lists, integers, flags,
/// paths.
fn sampler(c: &Context) -> Result<Module<'_>> {
    let l = Location::unknown(c);
    let view = types::memref(c, Type::float32(c), Space::Gmem, Some(16), "(?,?{div=4}):(?{i64 div=4},1)")?;
    kernel("sampler", &[view], [32, 1, 1], l, |b, arguments| {
        let layout = value(b, cute::get_layout(arguments[0], l)?)?;
        let shape = value(b, cute::get_shape(layout, l)?)?;
        value(b, cute::make_layout(shape, None, l)?)?;
        let stride = value(b, cute::get_stride(layout, l)?)?;
        value(b, cute::make_layout(shape, Some(stride), l)?)?;
        value(b, cute::size(layout, &[], l)?)?;
        value(b, cute::size(layout, &[1], l)?)?;
        let rank3 = fixed(b, types::shape(c, "(2,3,4)")?)?;
        value(b, cute::group_modes(rank3, 0, 2, l)?)?;
        append(b, cute::get_leaves(shape, l)?);
        append(b, cute::get_scalars(layout, false, l)?);
        let scalars = append(b, cute::get_scalars(shape, true, l)?);
        let scalars: Vec<Value> = (0..2).filter_map(|i| scalars.result(i).ok()).map(Into::into).collect();
        value(b, cute::make_coord(&scalars, types::coord(c, "(?,_,?)")?, l)?)?;
        let tiler = fixed(b, types::tile(c, "[8:1;4:1;16:1]")?)?;
        let first = fixed(b, types::coord(c, "(0,0,0)")?)?;
        let proj = types::coord_attribute(c, "(1,_,1)")?;
        value(b, cute::local_tile(arguments[0], tiler, first, Some(proj), l)?)?;
        let smem = types::ptr(c, Type::float16(c), Space::Smem, Some(128), None)?;
        value(b, cute_nvgpu::arch_get_dyn_smem(smem, l)?)?;
        Ok(())
    })
}

#[test]
fn builders_build_what_they_say() -> Result {
    let context = context();
    let mut module = sampler(&context)?;
    cute_mlir::verify(&context, &module)?;
    insta::assert_snapshot!(module.as_operation());
    cute_mlir::lower(&context, &mut module, Target::Sm90a)
}

#[test]
fn text_and_builders_agree() -> Result {
    let context = context();
    let built = sampler(&context)?.as_operation().to_string();
    assert_eq!(cute_mlir::parse(&context, &built)?.as_operation().to_string(), built);
    Ok(())
}

#[test]
fn a_mistake_is_an_error_where_it_is_made() -> Result {
    let context = context();
    let (block, location) = (Block::new(&[]), Location::new(&context, "kernel.rs", 3, 7));
    let layout = fixed(&block, types::layout(&context, "(4,6):(6,1)")?)?;
    let shape = fixed(&block, types::shape(&context, "(4,6)")?)?;
    let tiler = fixed(&block, types::tile(&context, "[3:1;_]")?)?;
    let coord = fixed(&block, types::coord(&context, "(1,1,1)")?)?;
    let errors = [
        cute::get_stride(shape, location),
        cute::get(layout, &[2], location),
        cute::group_modes(shape, 1, 1, location),
        cute::zipped_divide(tiler, layout, location),
        cute::crd2idx(coord, layout, location),
    ];
    let errors = errors.map(|built| built.err().map(|e| e.to_string()).unwrap_or_default());
    insta::assert_snapshot!(errors.join("\n"));
    Ok(())
}

#[test]
fn a_dialect_that_is_not_loaded_is_an_error() {
    let context = Context::new();
    let error = cute::r#static(Type::none(&context), Location::unknown(&context)).unwrap_err();
    let expected = "cannot build 'cute.static': its dialect is not loaded; cute_mlir::load does that";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn an_op_without_result_has_no_value() -> Result {
    let context = context();
    let (block, location) = (Block::new(&[]), Location::unknown(&context));
    let view = types::memref(&context, Type::float32(&context), Space::Rmem, None, "4:1")?;
    let view = value(&block, cute::memref_alloca(None, None, view, location)?)?;
    let vector = value(&block, cute::memref_load_vec(view, location)?)?;
    let error = value(&block, cute::memref_store_vec(vector, view, location)?).unwrap_err();
    assert_eq!(error, Error::OneResult { op: "cute.memref.store_vec".into(), results: 0 });
    Ok(())
}

/// A type of each kind.
fn every_kind(c: &Context) -> Result<Vec<Type<'_>>> {
    let f16 = Type::float16(c);
    let swizzle = cute_mlir::algebra::parse_swizzle("S<3,4,3>").ok();
    let universal = types::universal_copy(c, f16, Some(128))?;
    Ok(vec![
        types::int_tuple(c, "(4,(?,8))")?,
        types::shape(c, "(128,(?{div=8},8))")?,
        types::stride(c, "(1,?{i64 div=8})")?,
        types::coord(c, "(_,?)")?,
        types::layout(c, "(4,8):(1,4)")?,
        types::tile(c, "[64:1;_]")?,
        types::swizzle(c, "S<3,4,3>")?,
        types::composed_layout(c, "S<3,4,3> o 0 o (8,64):(64,1)")?,
        types::arith_tuple_iter(c, "(0,?)")?,
        types::ptr(c, f16, Space::Smem, Some(16), swizzle)?,
        types::ptr(c, f16, Space::Gmem, None, None)?,
        types::memref(c, f16, Space::Gmem, None, "(?,8):(8,1)")?,
        types::coord_tensor(c, "(0,0)", "(?,?):(1@0,1@1)")?,
        universal,
        types::universal_copy(c, f16, None)?,
        types::simt_async_copy(c, f16, Cache::Global, Some(128))?,
        types::tiled_copy(c, universal, "(32,8):(8,1)", "[256:1]")?,
    ])
}

#[test]
fn types_print_as_they_are_asked_for() -> Result {
    let context = context();
    let all = every_kind(&context)?;
    for t in &all {
        assert_eq!(types::parse(&context, &t.to_string())?, *t);
    }
    insta::assert_snapshot!(all.iter().map(|t| t.to_string()).collect::<Vec<_>>().join("\n"));
    Ok(())
}

type Unary = for<'c, 'a> fn(Value<'c, 'a>, Location<'c>) -> Result<Operation<'c>>;
type Binary = for<'c, 'a, 'b> fn(Value<'c, 'a>, Value<'c, 'b>, Location<'c>) -> Result<Operation<'c>>;

const UNARY: &[Unary] = &[
    |x, l| cute::size(x, &[1, 0], l),
    |x, l| cute::get(x, &[-1], l),
    |x, l| cute::group_modes(x, -1, i32::MAX, l),
    |x, l| cute::coalesce(x, None, l),
    |x, l| cute::complement(x, None, l),
    |x, l| cute::get_scalars(x, true, l),
    |x, l| cute::make_layout(x, None, l),
    cute::flatten,
    cute::get_leaves,
    cute::get_shape,
    cute::right_inverse,
    cute::left_inverse,
    cute::make_identity_tensor,
    cute::memref_load_vec,
    cute::apply_swizzle,
];

const BINARY: &[Binary] = &[
    cute::crd2idx,
    cute::idx2crd,
    cute::slice,
    cute::composition,
    cute::logical_divide,
    cute::tiled_divide,
    cute::add_offset,
    cute::elem_less,
    cute::memref_load,
    |x, y, l| cute::local_tile(x, y, y, None, l),
    |x, y, l| cute::tiled_copy_partition_s(x, y, y, l),
    |x, y, l| cute::coalesce(x, Some(y), l),
    |x, y, l| cute::make_composed_layout(x, y, x, l),
];

#[test]
fn builders_take_any_operand_and_infer_or_refuse() -> Result {
    let context = context();
    let location = Location::unknown(&context);
    let kinds: Vec<_> = every_kind(&context)?.into_iter().chain([Type::index(&context)]).collect();
    let block = Block::new(&kinds.iter().map(|t| (*t, location)).collect::<Vec<_>>());
    let values: Vec<Value> =
        (0..kinds.len()).map(|i| Ok(block.argument(i)?.into())).collect::<Result<_>>()?;
    let mut built = Vec::new();
    for x in &values {
        built.extend(UNARY.iter().map(|op| op(*x, location)));
        built.extend(values.iter().flat_map(|y| BINARY.iter().map(|op| op(*x, *y, location))));
    }
    let (made, refused): (Vec<_>, Vec<_>) = built.into_iter().partition(|op| op.is_ok());
    assert!(made.len() > 50, "{}", made.len());
    for error in refused.into_iter().filter_map(|op| op.err()) {
        assert!(matches!(&error, Error::Build { why, .. } if why != "MLIR gives no reason"), "{error}");
        assert!(!error.to_string().contains("internal error"), "{error}");
    }
    Ok(())
}

#[test]
fn types_say_what_is_wrong() {
    let context = context();
    let (c, f16) = (&context, Type::float16(&context));
    let errors = [
        types::layout(c, "(4,8):(1,4"),
        types::layout(c, "(4,8):(1)"),
        types::tile(c, "[64:1;x]"),
        types::swizzle(c, "S<3,4>"),
        types::coord(c, ""),
        types::coord_attribute(c, "(1,_").map(|_| f16),
        types::ptr(c, f16, Space::Gmem, Some(3), None),
        types::memref(c, f16, Space::Gmem, None, "(4,8):(1,"),
        types::memref(c, f16, Space::Gmem, None, "4:1\"> and more"),
        types::coord_tensor(c, "0", "(4,8:(1@0,1@1)"),
        types::universal_copy(c, f16, Some(24)),
        types::simt_async_copy(c, f16, Cache::Global, Some(64)),
        types::tiled_copy(c, f16, "(32,8):(8,1)", "[256:1]"),
        types::parse(c, "!cute.leyout<\"4:1\">"),
    ];
    let errors = errors.map(|made| made.err().map(|e| e.to_string()).unwrap_or_default());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn modules_and_passes_say_what_is_wrong() -> Result {
    let context = context();
    let tiled = r#"
      func.func @f(%a: !cute.layout<"(4,6):(6,1)">, %b: !cute.layout<"(4,6):(6,1)">) {
        %c = cute.composition(%a, %b) : (!cute.layout<"(4,6):(6,1)">, !cute.layout<"(4,6):(6,1)">) -> !cute.layout<"4:1">
        return
      }"#;
    let mut module = cute_mlir::parse(&context, "module {}")?;
    let mut empty = cute_mlir::parse(&context, "module {}")?;
    let errors = [
        cute_mlir::parse(&context, "func.func @f() { return %x }").map(drop),
        cute_mlir::parse(&context, tiled).map(drop),
        cute_mlir::run(&context, &mut module, "builtin.module(cute-bold-static)"),
        cute_mlir::run(&context, &mut module, "builtin.module(cute-lower-atoms{target=sm_1})"),
        cute_mlir::compile(&context, &mut empty, Target::Sm90a).map(drop),
    ];
    let errors = errors.map(|made| made.err().map(|e| e.to_string()).unwrap_or_default());
    insta::assert_snapshot!(errors.join("\n"));
    Ok(())
}

#[test]
fn the_domain_policy_is_a_choice_of_the_context() -> Result {
    let context = context();
    let module = kernel("outside", &[], [32, 1, 1], Location::unknown(&context), |block, _| {
        let layout = fixed(block, types::layout(&context, "(4,8):(8,1)")?)?;
        let coord = fixed(block, types::coord(&context, "(4,0)")?)?;
        value(block, cute::crd2idx(coord, layout, Location::unknown(&context))?).map(drop)
    })?;
    let error = cute_mlir::verify(&context, &module).unwrap_err().to_string();
    assert!(error.contains("'cute.crd2idx' op"), "{error}");
    cute_mlir::set_default_domain(&context, Domain::Extend);
    cute_mlir::verify(&context, &module)
}

#[test]
fn dialects_can_be_registered_one_by_one() -> Result {
    let (context, registry) = (Context::new(), DialectRegistry::new());
    cute_mlir::register(&registry);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    assert_eq!(types::layout(&context, "(4,8)")?.to_string(), r#"!cute.layout<"(4,8):(1,4)">"#);
    Ok(())
}

/// Modules with another MLIR version's spelling of these dialects are read while the dialects are
/// not loaded, so that their ops may have any form.
#[test]
fn dialects_do_not_bring_those_that_drift() {
    const DRIFT: [&str; 3] = ["nvvm.barrier", "nvgpu.ldmatrix", "vector.broadcast"];
    let (alone, registry) = (Context::new(), DialectRegistry::new());
    cute_mlir::register(&registry);
    alone.append_dialect_registry(&registry);
    alone.load_all_available_dialects();
    for own in ["cute.make_coord", "cute_nvgpu.arch.get_dyn_smem", "cuda.kernel"] {
        assert!(alone.is_registered_operation(own), "{own}");
    }
    let all = context();
    all.load_all_available_dialects();
    for name in DRIFT {
        assert!(all.is_registered_operation(name) && !alone.is_registered_operation(name), "{name}");
    }
}

/// A plugin that contains all of MLIR's registrations would repeat them in its host.
#[test]
fn the_plugin_registers_nothing_but_its_own() {
    let test = env::current_exe().expect("the path of this test");
    let plugin = test.with_file_name("libcute_mlir.so");
    let bytes = fs::read(&plugin).expect("the plugin lies beside the test");
    let text = String::from_utf8_lossy(&bytes);
    let has = |name: &str| text.contains(name);
    assert!(has("mlirGetDialectPluginInfo"));
    for name in ["mlirRegisterAllDialects", "mlirRegisterAllPasses", "mlirTranslateModuleToLLVMIR"] {
        assert!(!has(name), "{name} is linked into {}", plugin.display());
    }
}

#[test]
fn a_fatal_error_of_llvm_is_an_error_like_any_other() {
    const GOOD: &str = "gpu.module @m { gpu.func @k() kernel { gpu.return } }";
    const LACKS: &str = "gpu.module @m { gpu.func @k() kernel { \
                         llvm.call_intrinsic \"llvm.nvvm.tcgen05.wait.ld\"() : () -> () gpu.return } }";
    let compiled = |text: &str| {
        let context = context();
        let mut module = cute_mlir::parse(&context, text)?;
        cute_mlir::compile(&context, &mut module, Target::Sm90a)
    };
    // Each thread works independently, and again after an error.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..2 {
                    let error = compiled(LACKS).map(|ptx| ptx.text).expect_err("sm_90a has no tcgen05");
                    assert!(
                        error.to_string().starts_with("LLVM cannot compile this: Cannot select"),
                        "{error}"
                    );
                    let ptx = compiled(GOOD).expect("a kernel that does nothing compiles");
                    assert!(ptx.text.contains(".entry k("), "{}", ptx.text);
                }
            });
        }
    });
}
