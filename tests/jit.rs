//! Lowered code on the host: the code computes the same values as CuTe at run time.
//!
//! Each vector is a function of its dynamic leaves, `?8` being an argument whose value is 8; it
//! returns every leaf of the result. All vectors of an op are one module, compiled by LLVM.

use cute_algebra::{self as algebra, Crd, Tuple};
use cute_jit::Jit;
use cute_mlir::{Builder, Error, Value, build, ffi::ir, ops::cute, types};
use melior::{
    Context,
    ir::{
        Attribute, BlockLike, Location, Module, Type, ValueLike,
        attribute::{StringAttribute, TypeAttribute},
        operation::OperationMutLike,
        r#type::FunctionType,
    },
};
use serde_json::Value as Json;

/// To the LLVM dialect, on the host.
const PASSES: &str = "builtin.module(cute-fold-static,canonicalize,cse,cute-to-base,canonicalize,cse,\
    convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts)";

/// The integers of a text, in order.
fn integers(text: &str) -> Vec<i64> {
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '-');
    words.filter(|w| !w.is_empty()).map(|w| w.parse().expect("an integer")).collect()
}

/// The same text with every integer replaced by a run-time value, except for swizzles and bases.
fn all_dynamic(text: &str) -> String {
    let mut out = String::new();
    let (mut last, mut in_swizzle) = (' ', false);
    for c in text.chars() {
        in_swizzle = (in_swizzle || c == '<') && c != '>';
        if c.is_ascii_digit() && !last.is_ascii_digit() && last != '@' && !in_swizzle {
            out.push('?');
        }
        out.push(c);
        last = c;
    }
    out
}

/// The same layout with run-time values as extents.
fn dynamic_extents(layout: &str) -> String {
    let (shape, stride) = layout.split_once(':').expect("a layout");
    format!("{}:{stride}", all_dynamic(shape))
}

/// The text between the quotes of a type, without the widths and divisors of its dynamic leaves.
fn structure(t: Type<'_>) -> String {
    let text = t.to_string();
    let text = text.split('"').nth(1).unwrap_or(&text);
    let mut out = String::new();
    let mut depth = 0;
    for c in text.chars() {
        depth += i32::from(c == '{');
        if depth == 0 {
            out.push(c);
        }
        depth -= i32::from(c == '}');
    }
    out
}

type Build = for<'c> fn(&Builder<'c>, &[Value<'c>]) -> Result<Value<'c>, Error>;

/// The way in which an operand of a vector is passed.
#[derive(Clone, Copy)]
enum Operand {
    Layout,
    Tiler,
    Coord,
    Shape,
    IntTuple,
    /// An order of modes. The dialect accepts permutations only; CuTe C++ also accepts repeated
    /// values.
    Order,
    /// The profile of a coalesce.
    Profile,
    /// Behind an iterator that starts at 0, so that offsets show.
    Tensor,
}

impl Operand {
    fn parse<'c>(self, context: &'c Context, text: &str) -> Result<Type<'c>, Error> {
        match self {
            Self::Layout if text.starts_with('S') => types::composed_layout(context, text),
            Self::Layout => types::layout(context, text),
            Self::Tiler if text.starts_with('[') => types::tile(context, text),
            Self::Tiler if text.contains(':') => types::layout(context, text),
            Self::Tiler | Self::Shape => types::shape(context, text),
            Self::Coord | Self::Profile => types::coord(context, text),
            Self::IntTuple | Self::Order => types::int_tuple(context, text),
            Self::Tensor => types::coord_tensor(context, "0", text),
        }
    }
}

/// An op and the vectors to try it on.
struct Case {
    /// Files of vectors.
    files: &'static [&'static str],
    operands: &'static [Operand],
    build: Build,
    /// Whether static leaves become arguments too.
    dynamic: bool,
    /// The operand, a layout, whose extents become arguments. The result then differs in structure
    /// from the vector's but is the same function, so its values are compared.
    extents_of: Option<usize>,
}

/// Whether the text is a layout that leaves no gap and has no mode of extent 1. Only such layouts
/// stay the same function when their extents are run-time values, which are assumed to divide one
/// another.
fn compact(text: &str) -> bool {
    let layout = algebra::parse_layout(text).ok().and_then(|l| l.to_const());
    layout.is_some_and(|l| l.shape().leaves().iter().all(|n| *n > 1) && algebra::is_compact(&l) == Some(true))
}

/// Indices at which layouts are compared as functions.
const INDICES: [i64; 8] = [0, 1, 2, 3, 5, 7, 11, 17];

/// The size of a layout and its values, computed by the algebra.
fn values_of(layout: &str) -> Vec<i64> {
    let layout = algebra::parse_layout(layout).expect("a layout").to_const().expect("a static layout");
    let at = |i: i64| {
        let value = algebra::crd2idx(&Tuple::leaf(Crd::Int(i)), &layout).expect("a value");
        *value.as_leaf().expect("an integer")
    };
    std::iter::once(algebra::size(&layout).expect("a size")).chain(INDICES.map(at)).collect()
}

/// A vector as a function.
struct Function {
    name: String,
    arguments: Vec<i64>,
    expected: Vec<i64>,
    entry: Json,
}

fn entries(file: &str) -> Vec<Json> {
    let path = format!("{}/tests/vectors/cute/{file}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("a vector file")).expect("a JSON list")
}

/// The text of a result; for a tile or slice, its layout and then its offset.
fn result_text(result: &Json) -> Option<String> {
    match result {
        Json::String(text) => Some(text.clone()),
        other => Some(format!("{};{}", other["layout"].as_str()?, other["offset"].as_str()?)),
    }
}

/// Appends the function of a vector to `module`; `None` if there are fewer operands, or if CuTe
/// rejects them.
fn function(
    module: &Module<'_>,
    context: &Context,
    case: &Case,
    entry: &Json,
    name: String,
) -> Option<Function> {
    let location = Location::name(context, &name, Location::unknown(context));
    let args = entry["args"].as_array()?;
    if args.len() != case.operands.len() {
        return None;
    }
    let expected = result_text(&entry["result"])?;
    let (mut operands, mut arguments) = (Vec::new(), Vec::new());
    for (i, (operand, arg)) in case.operands.iter().zip(args).enumerate() {
        let arg = arg.as_str()?;
        let repeats = |order: &str| {
            let n = integers(order);
            n.iter().collect::<std::collections::BTreeSet<_>>().len() < n.len()
        };
        if (case.extents_of.is_some() && !compact(arg)) || (matches!(operand, Order) && repeats(arg)) {
            return None;
        }
        let arg = match arg {
            _ if case.extents_of == Some(i) => dynamic_extents(arg),
            _ if case.dynamic && !arg.contains('?') => all_dynamic(arg),
            _ => arg.to_string(),
        };
        let (text, values) = algebra::split_values(&arg).expect("a value after each `?`");
        operands.push(operand.parse(context, &text).unwrap_or_else(|e| panic!("{entry}: {e}")));
        arguments.extend(values);
    }
    let names: Vec<_> = (0..operands.len()).map(|i| format!("arg{i}")).collect();
    let parameters: Vec<_> = names.iter().map(String::as_str).zip(operands.iter().copied()).collect();
    let head = build::Function { name: &name, parameters: &parameters, results: &[], attributes: &[] };
    let mut found = String::new();
    let builder = Builder::at_end(module.body(), location);
    let made = builder.function(["func.func", "func.return"], head, |b, values| {
        let result = (case.build)(b, values)?;
        let parts = if result.r#type().to_string().starts_with("!cute.coord_tensor") {
            let offset = cute::deref_arith_tuple_iter(b, cute::get_iter(b, result)?)?;
            vec![cute::get_layout(b, result)?, offset]
        } else if case.extents_of.is_some() {
            let at = INDICES.map(|i| cute::crd2idx(b, b.fixed_coord(&i.to_string())?, result));
            [cute::size(b, result, &[])].into_iter().chain(at).collect::<Result<_, _>>()?
        } else {
            vec![result]
        };
        found = parts.iter().map(|part| structure(part.r#type())).collect::<Vec<_>>().join(";");
        let leaves = parts.into_iter().map(|part| cute::get_scalars(b, part, false));
        Ok(leaves.collect::<Result<Vec<_>, _>>()?.concat())
    });
    let made = made.unwrap_or_else(|e| panic!("{entry}: {e}"));
    if !case.dynamic && case.extents_of.is_none() {
        let wanted = algebra::split_values(&expected).map(|(text, _)| text);
        assert_eq!(Some(found), wanted, "{entry}");
    }
    // The types of the results are known once the body is built.
    let end = ir::body(made).and_then(|body| body.terminator()).expect("a function returns");
    let results: Vec<_> = ir::operands(end).into_iter().map(ir::type_of).collect();
    let signature = TypeAttribute::new(FunctionType::new(context, &operands, &results).into());
    ir::set_attribute(made, "function_type", signature.into());
    let expected = match case.extents_of {
        Some(_) => values_of(&expected),
        None => integers(&expected.replace('?', "")),
    };
    Some(Function { name, arguments, expected, entry: entry.clone() })
}

/// Compiles and runs the vectors of a case; returns the number that ran.
fn check(case: &Case) -> usize {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = Module::new(Location::unknown(&context));
    let extend: Attribute = StringAttribute::new(&context, "extend").into();
    module.as_operation_mut().set_attribute("cute.domain", extend);
    let mut functions = Vec::new();
    for file in case.files {
        for (i, entry) in entries(file).iter().enumerate() {
            functions.extend(function(&module, &context, case, entry, format!("{file}_{i}")));
        }
    }
    cute_mlir::verify(&module).unwrap_or_else(|e| panic!("{e}"));
    cute_mlir::run(&context, &mut module, PASSES).unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<&str> = functions.iter().map(|f| f.name.as_str()).collect();
    let jit = Jit::compile(module.as_operation(), &names).unwrap_or_else(|e| panic!("{e}"));
    for f in &functions {
        assert_eq!(jit.call(&f.name, &f.arguments).as_ref(), Ok(&f.expected), "{}", f.entry);
    }
    functions.len()
}

use Operand::{Coord, IntTuple, Layout, Order, Profile, Shape, Tensor, Tiler};

macro_rules! products {
    ($($name:ident: $file:literal, at least $least:expr, $build:expr;)*) => {$(
        #[test]
        fn $name() {
            for extents_of in [Some(0), Some(1)] {
                let case = Case {
                    files: &[$file],
                    operands: &[Layout, Tiler],
                    build: $build,
                    dynamic: false,
                    extents_of,
                };
                let ran = check(&case);
                assert!(ran >= $least, "{ran} vectors ran with the extents of operand {extents_of:?}");
            }
        }
    )*};
}

products! {
    extents_of_logical_product: "logical_product", at least 10, |b, x| cute::logical_product(b, x[0], x[1]);
    extents_of_zipped_product: "zipped_product", at least 10, |b, x| cute::zipped_product(b, x[0], x[1]);
    extents_of_tiled_product: "tiled_product", at least 10, |b, x| cute::tiled_product(b, x[0], x[1]);
    extents_of_flat_product: "flat_product", at least 10, |b, x| cute::flat_product(b, x[0], x[1]);
    extents_of_blocked_product: "blocked_product", at least 10, |b, x| cute::blocked_product(b, x[0], x[1]);
    extents_of_raked_product: "raked_product", at least 10, |b, x| cute::raked_product(b, x[0], x[1]);
}

macro_rules! vectors {
    ($($name:ident: $files:expr, $operands:expr, $dynamic:expr, at least $least:expr, $build:expr;)*) => {$(
        #[test]
        fn $name() {
            let case =
                Case { files: &$files, operands: &$operands, build: $build, dynamic: $dynamic, extents_of: None };
            let ran = check(&case);
            assert!(ran >= $least, "{ran} vectors ran");
        }
    )*};
}

vectors! {
    crd2idx: ["dyn_crd2idx"], [Coord, Layout], false, at least 60,
        |b, x| cute::crd2idx(b, x[0], x[1]);
    layout_eval: ["layout_eval", "swizzle_layout_eval"], [Layout, Coord], true, at least 100,
        |b, x| cute::layout_eval(b, x[1], x[0]);
    idx2crd: ["dyn_idx2crd"], [IntTuple, Shape], false, at least 60,
        |b, x| cute::idx2crd(b, x[0], x[1]);
    size: ["size"], [Layout], true, at least 40, |b, x| cute::size(b, x[0], &[]);
    cosize: ["cosize"], [Layout], true, at least 40, |b, x| cute::cosize(b, x[0], &[]);
    coalesce: ["dyn_coalesce"], [Layout], false, at least 40,
        |b, x| cute::coalesce(b, x[0], None);
    coalesce_by_mode: ["dyn_coalesce"], [Layout, Profile], false, at least 40,
        |b, x| cute::coalesce(b, x[0], Some(x[1]));
    filter: ["dyn_filter"], [Layout], false, at least 30, |b, x| cute::filter(b, x[0]);
    composition: ["dyn_composition", "dyn_composition_rhs"], [Layout, Tiler], false, at least 100,
        |b, x| cute::composition(b, x[0], x[1]);
    complement: ["dyn_complement"], [Layout, Shape], false, at least 15,
        |b, x| cute::complement(b, x[0], Some(x[1]));
    right_inverse: ["dyn_right_inverse"], [Layout], false, at least 60,
        |b, x| cute::right_inverse(b, x[0]);
    logical_divide: ["dyn_logical_divide"], [Layout, Tiler], false, at least 60,
        |b, x| cute::logical_divide(b, x[0], x[1]);
    zipped_divide: ["dyn_zipped_divide"], [Layout, Tiler], false, at least 60,
        |b, x| cute::zipped_divide(b, x[0], x[1]);
    tiled_divide: ["dyn_tiled_divide"], [Layout, Tiler], false, at least 60,
        |b, x| cute::tiled_divide(b, x[0], x[1]);
    flat_divide: ["dyn_flat_divide"], [Layout, Tiler], false, at least 60,
        |b, x| cute::flat_divide(b, x[0], x[1]);
    slice: ["dyn_slice"], [Coord, Layout], false, at least 60,
        |b, x| cute::slice(b, x[1], x[0]);
    slice_and_offset: ["slice_and_offset"], [Coord, Tensor], true, at least 40,
        |b, x| cute::slice(b, x[1], x[0]);
    local_tile: ["dyn_local_tile"], [Tensor, Tiler, Coord], false, at least 60,
        |b, x| cute::local_tile(b, x[0], x[1], x[2], None);
    logical_product: ["dyn_logical_product"], [Layout, Tiler], false, at least 20,
        |b, x| cute::logical_product(b, x[0], x[1]);
    tile_to_shape: ["dyn_tile_to_shape"], [Layout, Shape], false, at least 10,
        |b, x| cute::tile_to_shape(b, x[0], x[1], None);
    tile_to_shape_in_order: ["dyn_tile_to_shape"], [Layout, Shape, Order], false, at least 10,
        |b, x| cute::tile_to_shape(b, x[0], x[1], Some(x[2]));
    make_layout: ["dyn_make_layout"], [Shape], false, at least 60,
        |b, x| cute::make_layout(b, x[0], None);
}

#[test]
fn only_what_computes_is_called() {
    let context = Context::new();
    cute_mlir::load(&context);
    let compile = |text: &str, name: &str| {
        let module = cute_mlir::parse(&context, text).unwrap_or_else(|e| panic!("{e}"));
        Jit::compile(module.as_operation(), &[name])
    };
    let twice = "llvm.func @f(%x: i32) -> i32 { %y = llvm.add %x, %x : i32 llvm.return %y : i32 }";
    let jit = compile(twice, "f").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(jit.call("f", &[-4]), Ok(vec![-8]));
    assert_eq!(jit.call("f", &[]), Err("f takes 1 arguments, not 0".into()));
    assert_eq!(jit.call("g", &[]), Err("there is no g".into()));
    assert_eq!(compile(twice, "g").err(), Some("the module does not define g".into()));
    let load = "llvm.func @f(%x: i64) -> i64 {
        %p = llvm.inttoptr %x : i64 to !llvm.ptr  %y = llvm.load %p : !llvm.ptr -> i64  llvm.return %y : i64 }";
    assert!(compile(load, "f").is_err_and(|e| e.contains("does more than compute")));
    let call = "llvm.func @g(i64)  llvm.func @f(%x: i64) { llvm.call @g(%x) : (i64) -> ()  llvm.return }";
    assert_eq!(compile(call, "f").err(), Some("a call leaves the module".into()));
}
