//! The library as its users see it: builders, types, and errors with reasons.

use std::{env, fs};

use cute_mlir::{
    At, Axis, Builder, Domain, Error, IntPredicate, Kernel, Kernels, MmaOperand, Target, Value, atoms,
    ops::{cute, cute_nvgpu},
    types::{self, Space},
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{Location, Module, Type},
};

type Result<T = ()> = std::result::Result<T, Error>;

fn context() -> Context {
    let context = Context::new();
    cute_mlir::load(&context);
    context
}

/// docs/embedding.md shows these lines.
#[test]
fn a_kernel_in_text_is_compiled_in_a_few_lines() -> Result {
    let source = include_str!("../examples/copy.mlir");
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, source)?;
    let compiled = cute_mlir::compile(&context, &mut module, Target::Sm90a)?;
    assert!(compiled.ptx.contains(".visible .entry copy"), "{}", compiled.ptx);
    Ok(())
}

/// Builds in a kernel without parameters, which is not checked.
fn built(context: &Context, write: impl for<'m> FnOnce(&Builder<'m>) -> Result) -> Result {
    let kernels = Kernels::at(Location::new(context, "kernel.rs", 3, 7))?;
    kernels.kernel(&Kernel::new(context, "unchecked", []), |b, []| write(b))
}

/// A kernel with every form of argument: optional operands both ways, lists, integers, flags,
/// paths.
fn sampler(c: &Context) -> Result<Module<'_>> {
    let view =
        types::pointer(Type::float32(c), Space::Gmem).align(16).memref("(?,?{div=4}):(?{i64 div=4},1)")?;
    let kernels = Kernels::new(c)?;
    kernels.kernel(&Kernel::new(c, "sampler", [("view", view)]).block(32), |b, [view]| {
        let layout = cute::get_layout(b, view)?;
        let shape = cute::get_shape(b, layout)?;
        cute::make_layout(b, shape, None)?;
        let stride = cute::get_stride(b, layout)?;
        cute::make_layout(b, shape, Some(stride))?;
        cute::size(b, layout, &[])?;
        cute::size(b, layout, &[1])?;
        let rank3 = b.shape("(2,3,4)")?;
        cute::group_modes(b, rank3, 0, 2)?;
        cute::get_leaves(b, shape)?;
        cute::get_scalars(b, layout, false)?;
        let scalars = cute::get_scalars(b, shape, true)?;
        cute::make_coord(b, &scalars, types::coord(c, "(?,_,?)")?)?;
        let tiler = b.tile([8, 4, 16])?;
        let first = cute::r#static(b, types::coord(c, "(0,0,0)")?)?;
        cute::local_tile(b, view, tiler, first, Some(types::coord_attribute(c, "(1,_,1)")?))?;
        let smem = types::pointer(Type::float16(c), Space::Smem).align(128).ptr()?;
        cute_nvgpu::arch_get_dyn_smem(b, smem)?;
        Ok(())
    })?;
    kernels.finish()
}

#[test]
fn builders_build_what_they_say() -> Result {
    let context = context();
    let mut module = sampler(&context)?;
    cute_mlir::verify(&module)?;
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
    let mut errors = Vec::new();
    built(&context, |b| {
        let (layout, shape) = (b.layout("(4,6):(6,1)")?, b.shape("(4,6)")?);
        let tiler = b.tile("[3:1;_]")?;
        let coord = b.coord(&[At::Int(1), At::Int(1), At::Int(1)])?;
        let made = [
            cute::get_stride(b, shape),
            cute::get(b, layout, &[2]),
            cute::group_modes(b, shape, 1, 1),
            cute::zipped_divide(b, tiler, layout),
            cute::crd2idx(b, coord, layout),
            b.named("part").fragment_like(layout),
            b.partition_s(layout, layout, coord),
        ];
        errors.extend(made.map(|made| made.err().map(|e| e.to_string()).unwrap_or_default()));
        Ok(())
    })?;
    insta::assert_snapshot!(errors.join("\n"));
    Ok(())
}

/// Builds a view of a layout, for whoever calls it.
#[track_caller]
fn helper<'c>(b: &Builder<'c>, text: &str) -> cute_mlir::Result<Value<'c>> {
    b.layout(text)
}

#[test]
fn an_error_is_at_its_line_of_rust() -> Result {
    let context = context();
    let at = |line: u32, column: u32| format!("{}:{line}:{column}: ", file!());
    let check = |error: Option<Error>, start: String, cause: &str| {
        let text = error.map(|e| e.to_string()).unwrap_or_default();
        assert!(text.starts_with(&format!("{start}{cause}")), "{text}\n{start}{cause}");
    };
    let kernels = Kernels::new(&context)?;
    kernels.kernel(&Kernel::new(&context, "lines", []), |b, []| {
        let (layout, coord) = (b.layout("(4,6):(6,1)")?, b.coord(&[At::Int(1); 3])?);
        let line = line!() + 1;
        check(cute::crd2idx(b, coord, layout).err(), at(line, 15), "cannot build 'cute.crd2idx': ");
        check(b.layout("(4,6").err(), at(line + 1, 17), "invalid layout \"(4,6\": column 5: ");
        check(helper(b, "4,").err(), at(line + 2, 15), "invalid layout \"4,\": ");
        check(b.named("part").fragment_like(layout).err(), at(line + 3, 17), "%part: a fragment is like");
        check(b.slice(layout, &[At::All]).err(), at(line + 4, 17), "cannot build 'cute.slice': ");
        check(b.extent(coord, 9).err(), at(line + 5, 17), "");
        let count = b.i32(2)?;
        b.for_range([count; 3], &[], |b, i, _| {
            check(b.slice(layout, &[At::Value(i)]).err(), at(line + 8, 21), "cannot build 'cute.slice': ");
            Ok(Vec::new())
        })?;
        Ok(())
    })
}

#[test]
fn an_error_of_a_module_names_the_line_of_rust_and_the_value() -> Result {
    let context = context();
    let kernels = Kernels::new(&context)?;
    let mut line = 0;
    kernels.kernel(&Kernel::new(&context, "lines", []), |b, []| {
        let layout = b.layout("(4,8):(8,1)")?;
        let outside = b.coord(&[At::Int(4), At::Int(0)])?;
        line = line!() + 1;
        cute::crd2idx(&b.named("offset"), outside, layout).map(drop)
    })?;
    let error = kernels.finish().map(drop).expect_err("the coordinate is outside").to_string();
    let place = format!("{}:{line}:26: %offset: 'cute.crd2idx' op ", file!());
    assert!(error.starts_with(&place), "{error}\n{place}");
    Ok(())
}

#[test]
fn every_error_of_a_module_is_reported() -> Result {
    let context = context();
    let kernels = Kernels::at(Location::new(&context, "kernel.rs", 3, 7))?;
    for name in ["first", "second"] {
        kernels.kernel(&Kernel::new(&context, name, []), |b, []| {
            let layout = b.layout("(4,8):(8,1)")?;
            cute::crd2idx(b, b.coord(&[At::Int(4), At::Int(0)])?, layout)?;
            b.if_then(b.truth(true)?, |b| {
                cute::crd2idx(b, b.coord(&[At::Int(0), At::Int(9)])?, layout).map(drop)
            })
        })?;
    }
    let error = kernels.finish().map(drop).expect_err("both kernels are wrong").to_string();
    assert_eq!(error.matches("'cute.crd2idx' op").count(), 4, "{error}");
    assert_eq!(error.lines().count(), 4, "{error}");
    Ok(())
}

#[test]
fn a_module_has_several_kernels_with_attributes() -> Result {
    let context = context();
    let kernels = Kernels::new(&context)?;
    let first = Kernel::new(&context, "first", []).block([64, 2, 1]).cluster([2, 1, 1]);
    kernels.kernel(&first.dynamic_shared_memory(4096), |_, []| Ok(()))?;
    kernels.kernel(&Kernel::new(&context, "second", []).attribute("nvvm.maxnreg", 40i32), |_, []| Ok(()))?;
    let compiled = cute_mlir::compile(&context, &mut kernels.finish()?, Target::Sm90a)?;
    let [first, second] = &compiled.manifest.kernels[..] else { panic!("{:?}", compiled.manifest) };
    assert_eq!(
        (first.name.as_str(), first.block, first.cluster),
        ("first", Some([64, 2, 1]), Some([2, 1, 1]))
    );
    assert_eq!(first.shared_memory.dynamic_size, Some(4096));
    assert_eq!((second.name.as_str(), second.block), ("second", None));
    assert!(compiled.ptx.contains(".maxnreg 40"), "{}", compiled.ptx);
    assert!(compiled.warnings.is_empty(), "{:?}", compiled.warnings);
    assert!(compiled.cubin.is_none_or(|cubin| cubin.starts_with(b"\x7fELF")));
    Ok(())
}

#[test]
fn loops_and_branches_pass_values_on() -> Result {
    let context = context();
    let kernels = Kernels::new(&context)?;
    let (i32, f32) = (Type::parse(&context, "i32").expect("MLIR's type"), Type::float32(&context));
    let kernel = Kernel::new(&context, "control", [("n", i32), ("x", f32)]);
    kernels.kernel(&kernel, |b, [n, x]| {
        let (zero, one) = (b.i32(0)?, b.i32(1)?);
        let sums = b.named("i").for_range([zero, n, one], &[x], |b, _, carried| {
            Ok(vec![b.add(carried[0], b.max(x, b.number(f32, 2)?)?)?])
        })?;
        let small = b.compare(IntPredicate::Slt, sums[0], x)?;
        let chosen = b.either(small, &[f32], |b| Ok(vec![b.mul(x, x)?]), |_| Ok(vec![x]))?;
        let halves = b.while_loop(
            &[n],
            |b, carried| b.compare(IntPredicate::Sgt, carried[0], one),
            |b, carried| Ok(vec![b.div(carried[0], b.i32(2)?)?]),
        )?;
        let done = b.compare(IntPredicate::Eq, halves[0], one)?;
        b.if_then(done, |b| b.effect("gpu.printf", &chosen, &[("format", b.attr("%f"))]))
    })?;
    insta::assert_snapshot!(kernels.finish()?.as_operation());
    Ok(())
}

#[test]
fn an_mma_is_a_value() -> Result {
    let context = context();
    let (f16, f32) = (Type::float16(&context), Type::float32(&context));
    let tile = types::pointer(f16, Space::Smem).align(16).memref("(32,16):(16,1)")?;
    let mma =
        atoms::tiled_mma(atoms::mma_sync([16, 8, 16], [f16, f16, f32])?, "(2,1,1):(1,2,0)", [32, 16, 16])?;
    let kernels = Kernels::new(&context)?;
    kernels.kernel(&Kernel::new(&context, "mma", [("pointer", tile)]), |b, [tile]| {
        let thread = b.thread_id(Axis::X)?;
        let mma = b.tiled_mma(&mma, &[])?;
        let part = b.mma_partition(mma, MmaOperand::A, tile, thread)?;
        let fragment = b.mma_fragment(mma, MmaOperand::A, part)?;
        let load = b.tiled_copy_of(MmaOperand::A, b.atom(atoms::ldmatrix(f16, 4, false)?)?, mma)?;
        b.copy(load, b.partition_s(load, tile, thread)?, b.retile(load, fragment)?)
    })?;
    let module = kernels.finish()?;
    assert!(cute_mlir::text(&module).contains("@mma(%pointer: "), "{}", cute_mlir::text(&module));
    insta::assert_snapshot!(module.as_operation());
    Ok(())
}

#[test]
fn a_dialect_that_is_not_loaded_is_an_error() {
    let context = Context::new();
    let error = Kernels::new(&context).map(drop).unwrap_err();
    let expected = "cannot build 'gpu.module': its dialect is not loaded; cute_mlir::load does that";
    assert_eq!(error.cause().to_string(), expected);
    let place = format!("{}:{}:17: ", file!(), line!() - 3);
    assert_eq!(error.to_string(), format!("{place}{expected}"));
}

#[test]
fn an_op_without_result_has_no_value() -> Result {
    let context = context();
    let view = types::pointer(Type::float32(&context), Space::Rmem).memref("4:1")?;
    built(&context, |b| {
        let view = b.alloca(view)?;
        let vector = b.load_vec(view)?;
        let error = b.op("cute.memref.store_vec").operands(&[vector, view]).value().unwrap_err();
        let cause = Error::Results { op: "cute.memref.store_vec".into(), results: 0, expected: 1 };
        assert_eq!(*error.cause(), cause);
        Ok(())
    })
}

/// The type of an atom or a tiling.
fn type_of<'c>(
    c: &'c Context,
    value: cute_mlir::dialect::value::Value<'c, cute_mlir::algebra::Dim>,
) -> Type<'c> {
    cute_mlir::dialect::types::type_of(c, &value)
}

/// A type of each kind.
fn every_kind(c: &Context) -> Result<Vec<Type<'_>>> {
    use cute_mlir::dialect::value::Value as Cute;
    let f16 = Type::float16(c);
    let swizzle = cute_mlir::algebra::parse_swizzle("S<3,4,3>").expect("a swizzle");
    let universal = atoms::universal_copy(f16, 128)?;
    let tiled = atoms::tiled_copy_tv(universal.clone(), "(32,8):(8,1)", "[256:1]")?;
    let mma = atoms::mma_sync([16, 8, 16], [f16, f16, Type::float32(c)])?;
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
        types::pointer(f16, Space::Smem).align(16).swizzle(swizzle).ptr()?,
        types::pointer(f16, Space::Gmem).ptr()?,
        types::pointer(f16, Space::Gmem).memref("(?,8):(8,1)")?,
        types::coord_tensor(c, "(0,0)", "(?,?):(1@0,1@1)")?,
        type_of(c, Cute::CopyAtom(universal)),
        type_of(c, Cute::CopyAtom(atoms::element_copy(f16)?)),
        type_of(c, Cute::CopyAtom(atoms::cp_async(f16, atoms::Cache::Global, 128)?)),
        type_of(c, Cute::CopyAtom(atoms::ldmatrix(f16, 4, true)?)),
        type_of(c, Cute::CopyAtom(atoms::stmatrix(f16, 2, false)?)),
        type_of(c, Cute::TiledCopy(tiled)),
        type_of(c, Cute::MmaAtom(atoms::fma([Type::float32(c); 3])?)),
        type_of(c, Cute::TiledMma(atoms::plain_mma(mma, "(1,2,1):(0,1,0)")?)),
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

type Unary = for<'c> fn(&Builder<'c>, Value<'c>) -> Result;
type Binary = for<'c> fn(&Builder<'c>, Value<'c>, Value<'c>) -> Result;

const UNARY: &[Unary] = &[
    |b, x| cute::size(b, x, &[1, 0]).map(drop),
    |b, x| cute::get(b, x, &[-1]).map(drop),
    |b, x| cute::group_modes(b, x, -1, i32::MAX).map(drop),
    |b, x| cute::coalesce(b, x, None).map(drop),
    |b, x| cute::complement(b, x, None).map(drop),
    |b, x| cute::get_scalars(b, x, true).map(drop),
    |b, x| cute::make_layout(b, x, None).map(drop),
    |b, x| cute::flatten(b, x).map(drop),
    |b, x| cute::get_leaves(b, x).map(drop),
    |b, x| cute::get_shape(b, x).map(drop),
    |b, x| cute::right_inverse(b, x).map(drop),
    |b, x| cute::left_inverse(b, x).map(drop),
    |b, x| cute::make_identity_tensor(b, x).map(drop),
    |b, x| cute::memref_load_vec(b, x).map(drop),
    |b, x| cute::apply_swizzle(b, x).map(drop),
];

const BINARY: &[Binary] = &[
    |b, x, y| cute::crd2idx(b, x, y).map(drop),
    |b, x, y| cute::idx2crd(b, x, y).map(drop),
    |b, x, y| cute::slice(b, x, y).map(drop),
    |b, x, y| cute::composition(b, x, y).map(drop),
    |b, x, y| cute::logical_divide(b, x, y).map(drop),
    |b, x, y| cute::tiled_divide(b, x, y).map(drop),
    |b, x, y| cute::add_offset(b, x, y).map(drop),
    |b, x, y| cute::elem_less(b, x, y).map(drop),
    |b, x, y| cute::memref_load(b, x, y).map(drop),
    |b, x, y| cute::local_tile(b, x, y, y, None).map(drop),
    |b, x, y| cute::tiled_copy_partition_s(b, x, y, y).map(drop),
    |b, x, y| cute::coalesce(b, x, Some(y)).map(drop),
    |b, x, y| cute::make_composed_layout(b, x, y, x).map(drop),
    |b, x, y| b.mma_fragment(x, MmaOperand::A, y).map(drop),
    |b, x, y| b.mma_descriptors(x, MmaOperand::B, y).map(drop),
    |b, x, y| b.view_of(x, y).map(drop),
    |b, x, _| b.fragment_like(x).map(drop),
    |b, x, _| b.fill(x, 0),
];

#[test]
fn builders_take_any_operand_and_infer_or_refuse() -> Result {
    let context = context();
    let kinds: Vec<_> = every_kind(&context)?.into_iter().chain([Type::index(&context)]).collect();
    let mut made = Vec::new();
    built(&context, |b| {
        let cast = "builtin.unrealized_conversion_cast";
        let values = kinds.iter().map(|t| b.typed(cast, &[], *t, &[])).collect::<Result<Vec<_>>>()?;
        for x in &values {
            made.extend(UNARY.iter().map(|op| op(b, *x)));
            made.extend(values.iter().flat_map(|y| BINARY.iter().map(|op| op(b, *x, *y))));
        }
        Ok(())
    })?;
    let (made, refused): (Vec<_>, Vec<_>) = made.into_iter().partition(|op| op.is_ok());
    assert!(made.len() > 50, "{}", made.len());
    for error in refused.into_iter().filter_map(|op| op.err()) {
        let explained = match error.cause() {
            Error::Build { why, .. } => why != "MLIR gives no reason",
            other => matches!(other, Error::Rule(_)),
        };
        assert!(explained && !error.to_string().contains("internal error"), "{error}");
    }
    Ok(())
}

#[test]
fn types_say_what_is_wrong() {
    let context = context();
    let (c, f16) = (&context, Type::float16(&context));
    let gmem = types::pointer(f16, Space::Gmem);
    let universal = || atoms::universal_copy(f16, 128);
    let errors = [
        types::layout(c, "(4,8):(1,4").map(drop),
        types::layout(c, "(4,8):(1)").map(drop),
        types::tile(c, "[64:1;x]").map(drop),
        types::swizzle(c, "S<3,4>").map(drop),
        types::coord(c, "").map(drop),
        types::coord_attribute(c, "(1,_").map(drop),
        gmem.align(3).ptr().map(drop),
        gmem.memref("(4,8):(1,").map(drop),
        gmem.memref("4:1\"> and more").map(drop),
        gmem.memref("(4,8):(1@0,1@1)").map(drop),
        types::coord_tensor(c, "0", "(4,8:(1@0,1@1)").map(drop),
        types::coord_tensor(c, "0", "(4,8):(1@0,1@1)").map(drop),
        atoms::universal_copy(f16, 24).map(drop),
        atoms::cp_async(f16, atoms::Cache::Global, 64).map(drop),
        atoms::ldmatrix(f16, 3, false).map(drop),
        atoms::mma_sync([16, 16, 16], [f16, f16, f16]).map(drop),
        universal().and_then(|atom| atoms::tiled_copy_tv(atom, "(32,?):(8,1)", "[256:1]")).map(drop),
        universal().and_then(|atom| atoms::tiled_copy(atom, "(32,?):(8,1)", "8:1")).map(drop),
        atoms::fma([f16; 3]).and_then(|atom| atoms::plain_mma(atom, "(2,2):(1,2)")).map(drop),
        types::parse(c, "!cute.leyout<\"4:1\">").map(drop),
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
    let outside = || {
        let kernels = Kernels::new(&context)?;
        kernels.kernel(&Kernel::new(&context, "outside", []), |b, []| {
            let (layout, coord) = (b.layout("(4,8):(8,1)")?, b.coord(&[At::Int(4), At::Int(0)])?);
            cute::crd2idx(b, coord, layout).map(drop)
        })?;
        kernels.finish().map(drop)
    };
    let error = outside().unwrap_err().to_string();
    assert!(error.contains("'cute.crd2idx' op"), "{error}");
    cute_mlir::set_default_domain(&context, Domain::Extend);
    outside()
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
    let header = include_str!("../crates/cute-capi/include/cute_mlir.h");
    for name in ["cute", "cute_nvgpu", "cuda"] {
        assert!(
            has(&format!("mlirGetDialectHandle__{name}__")) && header.contains(&format!(", {name});")),
            "{name}"
        );
    }
    for name in [
        "mlirGetDialectPluginInfo",
        "mlirGetPassPluginInfo",
        "llvmGetPassPluginInfo",
        "mlirRegisterCutePasses",
    ] {
        assert!(has(name), "{name}");
    }
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
                    let error =
                        compiled(LACKS).map(|compiled| compiled.ptx).expect_err("sm_90a has no tcgen05");
                    assert!(
                        error.to_string().starts_with("LLVM cannot compile this: Cannot select"),
                        "{error}"
                    );
                    let ptx = compiled(GOOD).expect("a kernel that does nothing compiles");
                    assert!(ptx.ptx.contains(".entry k("), "{}", ptx.ptx);
                }
            });
        }
    });
}
