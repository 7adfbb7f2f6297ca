//! Math, contraction, reductions and narrow floats: compiled as kernels are, run in the simulator,
//! and compared with f64.
//!
//! `docs/math.md` has the error of polynomials; `UPDATE_DOCS=1 cargo test --test math` measures it
//! anew.

mod narrow;
mod polynomials;
mod reductions;

use cute_mlir::{Target, lowering::CompileOptions};
use cute_sim::{Arg, Element, Launch, Memory};
use melior::Context;

/// A function of f64.
type Exact = fn(f64) -> f64;

/// f32 on Hopper, by polynomials.
const PLAIN: CompileOptions<'static> = CompileOptions::new(Target::Sm90a.name());

/// Runs `body` in one thread per `inputs` elements of `%in`. The body can use `%in` and `%out`,
/// which point to the thread's elements.
fn run<I: Element, O: Element>(
    options: &CompileOptions<'_>,
    body: &str,
    input: &[I],
    (inputs, outputs): (usize, usize),
) -> Vec<O> {
    let threads = input.len() / inputs;
    let block = threads.min(128);
    assert!(threads.is_multiple_of(block) && input.len() == threads * inputs);
    let (bytes_in, bytes_out) = (inputs * size_of::<I>(), outputs * size_of::<O>());
    let source = format!(
        "gpu.module @m {{ gpu.func @kernel(%from: !llvm.ptr<1>, %to: !llvm.ptr<1>) kernel {{
           %thread_in_block = gpu.thread_id x
           %block_number = gpu.block_id x
           %block_size = gpu.block_dim x
           %first_thread = arith.muli %block_number, %block_size : index
           %thread_index = arith.addi %first_thread, %thread_in_block : index
           %thread_number = arith.index_cast %thread_index : index to i64
           %size_in = arith.constant {bytes_in} : i64
           %size_out = arith.constant {bytes_out} : i64
           %offset_in = arith.muli %thread_number, %size_in : i64
           %offset_out = arith.muli %thread_number, %size_out : i64
           %in = llvm.getelementptr %from[%offset_in] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
           %out = llvm.getelementptr %to[%offset_out] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
           {body}
           gpu.return }} }}"
    );
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, &source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let pipeline = cute_mlir::lowering::pipeline_of(options);
    cute_mlir::run(&context, &mut module, &pipeline).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let mut memory = Memory::new();
    let (from, to) = (memory.upload(input), memory.zeroed::<O>(threads * outputs));
    let mut launch = Launch::new("kernel", [(threads / block) as u32, 1, 1], [block as u32, 1, 1]);
    launch.check_races = false;
    let done = program.run(&launch, &mut memory, &[Arg::Buffer(from), Arg::Buffer(to)]);
    done.unwrap_or_else(|e| panic!("{e}\n{source}"));
    memory.download(to)
}

/// Applies an op of one operand to each number.
fn unary(options: &CompileOptions<'_>, op: &str, input: &[f32]) -> Vec<f32> {
    let (op, flags) = op.split_once(' ').unwrap_or((op, ""));
    let body = format!(
        "%x = llvm.load %in : !llvm.ptr<1> -> f32
         %y = {op} %x {flags} : f32
         llvm.store %y, %out : f32, !llvm.ptr<1>"
    );
    run(options, &body, input, (1, 1))
}

/// The distance in units of the last place of the exact result. The unit is at least that of the
/// smallest subnormal.
fn ulps(made: f32, exact: f64) -> f64 {
    let nearest = exact as f32;
    if made.to_bits() == nearest.to_bits() || made.is_nan() && nearest.is_nan() || made == nearest {
        return 0.0;
    }
    if made.is_nan() || nearest.is_nan() || nearest.is_infinite() {
        return f64::INFINITY;
    }
    let exponent = exact.abs().log2().floor().max(-126.0);
    (f64::from(made) - exact).abs() / (exponent - 23.0).exp2()
}

/// The largest error of an op, and the number at which it occurs.
fn worst(options: &CompileOptions<'_>, op: &str, input: &[f32], exact: impl Fn(f64) -> f64) -> (f64, f32) {
    let made = unary(options, op, input);
    let errors = input.iter().zip(&made).map(|(x, y)| (ulps(*y, exact((*x).into())), *x));
    errors.fold((0.0, 0.0), |worst, error| if error.0 > worst.0 { error } else { worst })
}

/// `count` numbers from `low` to `high`, a multiple of 128.
fn between(low: f32, high: f32) -> Vec<f32> {
    (0..1024).map(|i| low + (high - low) * (i as f32 / 1023.0)).collect()
}

#[test]
fn a_contracted_product_rounds_once() {
    let body = "%x = llvm.load %in : !llvm.ptr<1> -> vector<4xf32>
        %v = vector.shape_cast %x : vector<4xf32> to vector<2x2xf32>
        %p = arith.mulf %v, %v : vector<2x2xf32>
        %s = arith.subf %p, %v : vector<2x2xf32>
        %y = vector.shape_cast %s : vector<2x2xf32> to vector<4xf32>
        llvm.store %y, %out : vector<4xf32>, !llvm.ptr<1>";
    let input = between(0.5, 2.0);
    let fused: Vec<f32> = run(&PLAIN, body, &input, (4, 4));
    let apart: Vec<f32> = run(&CompileOptions { fmad: false, ..PLAIN }, body, &input, (4, 4));
    assert_eq!(fused, input.iter().map(|x| x.mul_add(*x, -x)).collect::<Vec<_>>());
    assert_eq!(apart, input.iter().map(|x| x * x - x).collect::<Vec<_>>());
    assert_ne!(fused, apart);
}

/// The simulator's instructions are correctly rounded, so only the rounding of the surrounding ops
/// remains.
#[test]
fn approximate_instructions_compute_the_functions() {
    let ways = [PLAIN, CompileOptions { fast_math: true, ..PLAIN }];
    // exp(x) is ex2(x log2(e)), whose argument is rounded: that contributes |x| / 2 units, and the
    // constant contributes as much.
    let cases: [(&str, Exact, [f32; 2], f64); 12] = [
        ("math.exp", f64::exp, [-8.0, 8.0], 10.0),
        ("math.exp2", f64::exp2, [-20.0, 20.0], 0.5),
        ("math.log", f64::ln, [0.01, 100.0], 2.1),
        ("math.log2", f64::log2, [0.01, 100.0], 0.5),
        ("math.log10", f64::log10, [0.01, 100.0], 2.1),
        ("math.tanh", f64::tanh, [-3.0, 3.0], 0.5),
        ("math.sin", f64::sin, [-3.0, 3.0], 0.5),
        ("math.cos", f64::cos, [-1.5, 1.5], 0.5),
        ("math.tan", f64::tan, [-1.0, 1.0], 3.1),
        ("math.sqrt", f64::sqrt, [0.0, 50.0], 0.5),
        ("math.rsqrt", |x| 1.0 / x.sqrt(), [0.01, 50.0], 0.5),
        ("arith.divf %one,", |x| 1.0 / x, [0.01, 50.0], 0.5),
    ];
    for options in ways {
        for (op, exact, [low, high], limit) in cases {
            let input = between(low, high);
            let made = if op.starts_with("math.") {
                unary(&options, &format!("{op} fastmath<afn>"), &input)
            } else {
                let body = "%x = llvm.load %in : !llvm.ptr<1> -> f32
                     %one = arith.constant 1.0 : f32
                     %y = arith.divf %one, %x fastmath<afn> : f32
                     llvm.store %y, %out : f32, !llvm.ptr<1>";
                run(&options, body, &input, (1, 1))
            };
            for (x, y) in input.iter().zip(made) {
                let error = ulps(y, exact((*x).into()));
                assert!(error <= limit + 1e-6, "{op} of {x}: {y}, {error} units off");
            }
        }
    }
}

#[test]
fn halves_go_through_their_own_instruction_or_f32() {
    use half::{bf16, f16};
    let input: Vec<f16> = between(-4.0, 4.0).into_iter().map(f16::from_f32).collect();
    let body = |t: &str, op: &str| {
        format!(
            "%x = llvm.load %in : !llvm.ptr<1> -> vector<4x{t}>
             %y = {op} : vector<4x{t}>
             llvm.store %y, %out : vector<4x{t}>, !llvm.ptr<1>"
        )
    };
    for op in ["math.exp2 %x", "math.exp2 %x fastmath<afn>"] {
        let made: Vec<f16> = run(&PLAIN, &body("f16", op), &input, (4, 4));
        // The instruction rounds once, and the intermediate f32 a second time.
        let once = op.ends_with("<afn>");
        let rounded = |y: f64| if once { f16::from_f64(y) } else { f16::from_f32(y as f32) };
        let expected: Vec<f16> = input.iter().map(|x| rounded(x.to_f64().exp2())).collect();
        assert_eq!(made, expected, "{op}");
    }
    let input: Vec<bf16> = between(-4.0, 4.0).into_iter().map(bf16::from_f32).collect();
    for op in ["math.tanh %x fastmath<afn>", "math.exp2 %x fastmath<fast>"] {
        let rounded = |x: f64| match op.contains("tanh") {
            true => bf16::from_f32(x.tanh() as f32),
            false => bf16::from_f64(x.exp2()),
        };
        let made: Vec<bf16> = run(&PLAIN, &body("bf16", op), &input, (4, 4));
        let expected: Vec<bf16> = input.iter().map(|x| rounded(x.to_f64())).collect();
        assert_eq!(made, expected, "{op}");
    }
}

/// Calls of libdevice are computed in f64, both for f32 and f64.
#[test]
fn functions_of_libdevice_are_rounded_once() {
    let options = CompileOptions { libdevice: true, ..PLAIN };
    let cases: [(&str, Exact, [f32; 2]); 18] = [
        ("acos", f64::acos, [-1.0, 1.0]),
        ("acosh", f64::acosh, [1.0, 50.0]),
        ("asin", f64::asin, [-1.0, 1.0]),
        ("asinh", f64::asinh, [-50.0, 50.0]),
        ("atan", f64::atan, [-50.0, 50.0]),
        ("atanh", f64::atanh, [-0.9, 0.9]),
        ("cbrt", f64::cbrt, [-50.0, 50.0]),
        ("cos", f64::cos, [-50.0, 50.0]),
        ("cosh", f64::cosh, [-10.0, 10.0]),
        ("exp", f64::exp, [-10.0, 10.0]),
        ("expm1", f64::exp_m1, [-10.0, 10.0]),
        ("log", f64::ln, [0.01, 50.0]),
        ("log10", f64::log10, [0.01, 50.0]),
        ("log1p", f64::ln_1p, [-0.9, 50.0]),
        ("sin", f64::sin, [-50.0, 50.0]),
        ("sinh", f64::sinh, [-10.0, 10.0]),
        ("tan", f64::tan, [-1.5, 1.5]),
        ("tanh", f64::tanh, [-10.0, 10.0]),
    ];
    for (name, exact, [low, high]) in cases {
        let (error, at) = worst(&options, &format!("math.{name}"), &between(low, high), exact);
        assert_eq!(error, 0.0, "{name} of {at}");
    }
    let body = "%x = llvm.load %in : !llvm.ptr<1> -> vector<2xf32>
        %n = arith.constant 3 : i32
        %a = vector.extract %x[0] : f32 from vector<2xf32>
        %b = vector.extract %x[1] : f32 from vector<2xf32>
        %p = math.powf %a, %b : f32
        %i = math.fpowi %a, %n : f32, i32
        %t = math.atan2 %a, %b : f32
        %m = arith.remf %a, %b : f32
        %e = math.erf %a : f32
        %c = math.erfc %a : f32
        %v = vector.from_elements %p, %i, %t, %m, %e, %c : vector<6xf32>
        llvm.store %v, %out {alignment = 4 : i64} : vector<6xf32>, !llvm.ptr<1>";
    let made: Vec<f32> = run(&options, body, &[1.5f32, 0.75], (2, 6));
    let expected =
        [1.5f64.powf(0.75), 3.375, 1.5f64.atan2(0.75), 0.0, 0.966_105_146_475_310_7, 0.033_894_853_524_689_3];
    assert_eq!(made, expected.map(|y| y as f32));
}
