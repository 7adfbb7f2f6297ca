use crate::kernel;
use cute_sim::{Arg, Element, Launch, Memory};

/// Runs `body`, which has `%in` and `%out`, in one thread.
fn run<I: Element, O: Element>(body: &str, input: &[I], outputs: usize) -> Vec<O> {
    let program = kernel("%in: !llvm.ptr<1>, %out: !llvm.ptr<1>", body);
    let mut memory = Memory::new();
    let (from, to) = (memory.upload(input), memory.zeroed::<O>(outputs));
    let launch = Launch::new("kernel", [1, 1, 1], [1, 1, 1]);
    program
        .run(&launch, &mut memory, &[Arg::Buffer(from), Arg::Buffer(to)])
        .unwrap_or_else(|e| panic!("{e}"));
    memory.download(to)
}

#[test]
fn packed_halves_are_added_in_half_precision() {
    use half::f16;
    let h = f16::from_f32;
    let sum: Vec<f16> = run(
        "%word = llvm.load %in : !llvm.ptr<1> -> i32
         %pair = llvm.bitcast %word : i32 to vector<2xf16>
         %twice = llvm.fadd %pair, %pair : vector<2xf16>
         %back = llvm.bitcast %twice : vector<2xf16> to i32
         llvm.store %back, %out : i32, !llvm.ptr<1>",
        &[h(0.1), h(-2048.0)],
        2,
    );
    assert_eq!(sum, [h(0.1) + h(0.1), h(-4096.0)]);
}

#[test]
fn mixed_precision_multiply_add() {
    use half::bf16;
    let product: Vec<f32> = run(
        "%a = llvm.load %in : !llvm.ptr<1> -> bf16
         %p = llvm.getelementptr %in[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, bf16
         %b = llvm.load %p : !llvm.ptr<1> -> bf16
         %x = llvm.fpext %a : bf16 to f32
         %y = llvm.fpext %b : bf16 to f32
         %c = llvm.mlir.constant(1.5 : f32) : f32
         %z = llvm.intr.fma(%x, %y, %c) : (f32, f32, f32) -> f32
         llvm.store %z, %out : f32, !llvm.ptr<1>",
        &[bf16::from_f32(3.0), bf16::from_f32(-0.5)],
        1,
    );
    assert_eq!(product, [0.0]);
}

#[test]
fn structs_and_vectors_are_taken_apart_and_put_together() {
    let result: Vec<i32> = run(
        "%v = llvm.load %in {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi32>
         %zero = llvm.mlir.constant(0 : i32) : i32
         %rev = llvm.shufflevector %v, %v [3, 6, 1, 0] : vector<4xi32>
         %i = llvm.extractelement %v[%zero : i32] : vector<4xi32>
         %x = llvm.extractelement %rev[%i : i32] : vector<4xi32>
         %u = llvm.mlir.undef : !llvm.struct<(i64, array<2 x vector<4xi32>>)>
         %s = llvm.insertvalue %rev, %u[1, 0] : !llvm.struct<(i64, array<2 x vector<4xi32>>)>
         %t = llvm.insertvalue %v, %s[1, 1] : !llvm.struct<(i64, array<2 x vector<4xi32>>)>
         %w = llvm.extractvalue %t[1, 0] : !llvm.struct<(i64, array<2 x vector<4xi32>>)>
         %w2 = llvm.insertelement %x, %w[%i : i32] : vector<4xi32>
         llvm.store %w2, %out {alignment = 4 : i64} : vector<4xi32>, !llvm.ptr<1>
         %a = llvm.extractvalue %t[1] : !llvm.struct<(i64, array<2 x vector<4xi32>>)>
         %p = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
         llvm.store %a, %p {alignment = 4 : i64} : !llvm.array<2 x vector<4xi32>>, !llvm.ptr<1>",
        &[2, 20, 30, 40],
        12,
    );
    assert_eq!(result, [40, 30, 20, 2, 40, 30, 20, 2, 2, 20, 30, 40]);
}

#[test]
fn integers_of_all_widths() {
    let result: Vec<i64> = run(
        r#"%a = llvm.load %in : !llvm.ptr<1> -> i8
           %wide = llvm.sext %a : i8 to i64
           llvm.store %wide, %out : i64, !llvm.ptr<1>
           %p1 = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
           %u = llvm.zext %a : i8 to i64
           llvm.store %u, %p1 : i64, !llvm.ptr<1>
           %p2 = llvm.getelementptr %out[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
           %c = arith.constant 4 : i64
           %ceil = arith.ceildivsi %wide, %c : i64
           llvm.store %ceil, %p2 : i64, !llvm.ptr<1>
           %p3 = llvm.getelementptr %out[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
           %neg = arith.cmpi slt, %wide, %c : i64
           %max = llvm.intr.umax(%wide, %c) : (i64, i64) -> i64
           %pick = arith.select %neg, %max, %c : i64
           llvm.store %pick, %p3 : i64, !llvm.ptr<1>
           %p4 = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64
           %f = llvm.sitofp %wide : i64 to f32
           %h = llvm.mlir.constant(0.5 : f32) : f32
           %g = llvm.fmul %f, %h : f32
           %back = llvm.fptosi %g : f32 to i64
           llvm.store %back, %p4 : i64, !llvm.ptr<1>"#,
        &[-7i8],
        5,
    );
    assert_eq!(result, [-7, 249, -1, -7, -3]);
}

#[test]
fn a_switch_goes_to_its_case() {
    let source = r#"%v = llvm.load %in : !llvm.ptr<1> -> i32
        %a = llvm.mlir.constant(10 : i32) : i32
        %b = llvm.mlir.constant(20 : i32) : i32
        llvm.switch %v : i32, ^exit(%v : i32) [ -1: ^exit(%a : i32), 3: ^exit(%b : i32) ]
      ^exit(%r: i32):
        llvm.store %r, %out : i32, !llvm.ptr<1>"#;
    for (input, expected) in [(-1, 10), (3, 20), (4, 4)] {
        assert_eq!(run::<i32, i32>(source, &[input], 1), [expected]);
    }
}

/// An address as an integer: a swizzle on its low bits, and a shared address cut to 32 bits and
/// back.
#[test]
fn a_pointer_survives_integer_arithmetic() {
    let result: Vec<i32> = run(
        "%one = llvm.mlir.constant(1 : i32) : i32
         %four = llvm.mlir.constant(4 : i32) : i32
         %buffer = llvm.mlir.addressof @tile : !llvm.ptr<3>
         %bits = llvm.ptrtoint %buffer : !llvm.ptr<3> to i32
         %swizzled = llvm.xor %bits, %four : i32
         %p = llvm.inttoptr %swizzled : i32 to !llvm.ptr<3>
         llvm.store %one, %p : i32, !llvm.ptr<3>
         %q = llvm.getelementptr %buffer[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
         %v = llvm.load %q : !llvm.ptr<3> -> i32
         %table = llvm.mlir.addressof @table : !llvm.ptr<4>
         %e = llvm.getelementptr %table[%v] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i32
         %w = llvm.load %e : !llvm.ptr<4> -> i32
         llvm.store %w, %out : i32, !llvm.ptr<1>
         llvm.return
       }
       llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<8 x i32>
       llvm.mlir.global internal constant @table(dense<[5, 6, 7]> : tensor<3xi32>) {addr_space = 4 : i32} : !llvm.array<3 x i32>
       llvm.func @unused() {",
        &[0],
        1,
    );
    assert_eq!(result, [6]);
}

#[test]
fn intrinsics_that_saturate_turn_and_round() {
    let result: Vec<i32> = run(
        "%a = llvm.load %in : !llvm.ptr<1> -> i32
         %sum = llvm.intr.sadd.sat(%a, %a) : (i32, i32) -> i32
         llvm.store %sum, %out : i32, !llvm.ptr<1>
         %p1 = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
         %swapped = llvm.intr.bswap(%a) : (i32) -> i32
         llvm.store %swapped, %p1 : i32, !llvm.ptr<1>
         %p2 = llvm.getelementptr %out[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
         %turned = llvm.intr.bitreverse(%a) : (i32) -> i32
         llvm.store %turned, %p2 : i32, !llvm.ptr<1>
         %p3 = llvm.getelementptr %out[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
         %x = llvm.mlir.constant(-2.5 : f32) : f32
         %away = llvm.intr.round(%x) : (f32) -> f32
         %i = llvm.fptosi %away : f32 to i32
         llvm.store %i, %p3 : i32, !llvm.ptr<1>",
        &[0x4000_0001i32],
        4,
    );
    assert_eq!(result, [i32::MAX, 0x0100_0040, 0x8000_0002u32 as i32, -3]);
}

/// `llvm.intr.vector.reduce.*` against a plain loop.
#[test]
fn vectors_are_reduced() {
    let floats = [3.0f32, -1.5, 8.0, 0.25];
    let run = |body: &str, ty: &str| -> u32 {
        let source = format!(
            "%v = llvm.load %in {{alignment = 4 : i64}} : !llvm.ptr<1> -> vector<4x{ty}>
             %start = llvm.mlir.constant(2.0 : f32) : f32
             {body}
             llvm.store %r, %out : {ty}, !llvm.ptr<1>"
        );
        let mut memory = Memory::new();
        let bits = floats.map(|f| if ty == "f32" { f.to_bits() } else { f as i32 as u32 });
        let (from, to) = (memory.upload(&bits), memory.zeroed::<u32>(1));
        let launch = Launch::new("kernel", [1; 3], [1; 3]);
        let program = kernel("%in: !llvm.ptr<1>, %out: !llvm.ptr<1>", &source);
        program
            .run(&launch, &mut memory, &[Arg::Buffer(from), Arg::Buffer(to)])
            .unwrap_or_else(|e| panic!("{e}"));
        memory.download::<u32>(to)[0]
    };
    for (name, expected) in [("fadd", 11.75f32), ("fmul", -18.0)] {
        let body =
            format!("%r = \"llvm.intr.vector.reduce.{name}\"(%start, %v) : (f32, vector<4xf32>) -> f32");
        assert_eq!(f32::from_bits(run(&body, "f32")), expected, "{name}");
    }
    for (name, expected) in [("fmax", 8.0f32), ("fmin", -1.5), ("fmaximum", 8.0), ("fminimum", -1.5)] {
        let body = format!("%r = \"llvm.intr.vector.reduce.{name}\"(%v) : (vector<4xf32>) -> f32");
        assert_eq!(f32::from_bits(run(&body, "f32")), expected, "{name}");
    }
    let integers = [
        ("add", 10u32),
        ("mul", 0),
        ("and", 0),
        ("or", u32::MAX),
        ("xor", 3 ^ u32::MAX ^ 8),
        ("smax", 8),
        ("smin", u32::MAX),
        ("umax", u32::MAX),
        ("umin", 0),
    ];
    for (name, expected) in integers {
        let body = format!("%r = \"llvm.intr.vector.reduce.{name}\"(%v) : (vector<4xi32>) -> i32");
        assert_eq!(run(&body, "i32"), expected, "{name}");
    }
}

/// Functions of the math library, rounded once, and what the report says of approximate ones.
#[test]
fn functions_are_rounded_from_f64() {
    let x = [0.3f32, 0.7];
    let mut functions: Vec<(&str, f64)> = Vec::new();
    let [a, b] = x.map(f64::from);
    functions.extend([
        ("%r = \"llvm.intr.pow\"(%a, %b) : (f32, f32) -> f32", a.powf(b)),
        ("%r = \"llvm.intr.atan2\"(%a, %b) : (f32, f32) -> f32", a.atan2(b)),
        ("%r = \"llvm.intr.tan\"(%a) : (f32) -> f32", a.tan()),
        ("%r = \"llvm.intr.log10\"(%a) : (f32) -> f32", a.log10()),
        ("%r = llvm.call_intrinsic \"llvm.nvvm.ex2.approx.f\"(%a) : (f32) -> f32", a.exp2()),
        ("%r = llvm.call_intrinsic \"llvm.nvvm.lg2.approx.ftz.f\"(%a) : (f32) -> f32", a.log2()),
        ("%r = llvm.call_intrinsic \"llvm.nvvm.rsqrt.approx.f\"(%a) : (f32) -> f32", 1.0 / a.sqrt()),
    ]);
    for (body, expected) in functions {
        let source = format!(
            "%a = llvm.load %in : !llvm.ptr<1> -> f32
             %q = llvm.getelementptr %in[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
             %b = llvm.load %q : !llvm.ptr<1> -> f32
             {body}
             llvm.store %r, %in : f32, !llvm.ptr<1>"
        );
        let mut memory = Memory::new();
        let buffer = memory.upload(&x);
        let launch = Launch::new("kernel", [1; 3], [1; 3]);
        let report = kernel("%in: !llvm.ptr<1>", &source).run(&launch, &mut memory, &[Arg::Buffer(buffer)]);
        let report = report.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(memory.download::<f32>(buffer)[0], expected as f32, "{body}");
        assert_eq!(!report.approximate.is_empty(), body.contains("approx"), "{body}");
    }
}

/// LLVM selects `div.approx.f32` for a division that may be approximate, which gives 0 for divisors
/// above 2^126, and `rcp.approx.f32` for one of 1.
#[test]
fn an_approximate_division_by_a_large_number_is_zero() {
    let divided = |flags: &str, dividend: &str| -> Vec<f32> {
        run(
            &format!(
                "%x = llvm.load %in : !llvm.ptr<1> -> f32
                 %p = llvm.getelementptr %in[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
                 %y = llvm.load %p : !llvm.ptr<1> -> f32
                 %one = llvm.mlir.constant(1.0 : f32) : f32
                 %z = llvm.fdiv {dividend}, %y {flags} : f32
                 llvm.store %z, %out : f32, !llvm.ptr<1>"
            ),
            &[2f32.powi(100), 2f32.powi(127)],
            1,
        )
    };
    assert_eq!(divided("", "%x"), [2f32.powi(-27)]);
    assert_eq!(divided("{fastmathFlags = #llvm.fastmath<arcp>}", "%x"), [2f32.powi(-27)]);
    for flags in ["afn", "fast"] {
        let flags = format!("{{fastmathFlags = #llvm.fastmath<{flags}>}}");
        assert_eq!(divided(&flags, "%x"), [0.0]);
        assert_eq!(divided(&flags, "%one"), [2f32.powi(-127)]);
    }
}
