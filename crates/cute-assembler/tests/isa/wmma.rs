//! `wmma` (PTX ISA 9.7.14.4) in all its shapes and types, beside a plain multiplication of small
//! integers.

use super::{Grid, kernel};
use cute_arch::Element::{self, *};
use cute_sim::format::{Overflow, Rounding, decode as number, decode_integer, encode};
use cute_sim::{Arg, Launch, Memory};
use fastrand::Rng;

/// A multiplication: M, N and K, and the elements of D, A, B and C.
#[derive(Debug, Clone, Copy)]
struct Case {
    shape: [usize; 3],
    types: [Element; 4],
}

fn name(element: Element) -> &'static str {
    if element == U1 { "b1" } else { element.name() }
}

fn code(element: Element, value: i64) -> u64 {
    match element.float() {
        Some(_) => encode(element, value as f64, Rounding::NearestEven, Overflow::Ieee).unwrap(),
        None => value as u64 & u64::MAX >> (64 - element.bits()),
    }
}

/// A matrix in memory, of rows or of columns with this distance in elements.
fn image(
    element: Element,
    numbers: &[i64],
    [rows, columns]: [usize; 2],
    by_rows: bool,
    stride: usize,
) -> Vec<u8> {
    let mut bytes = vec![0u8; 64 * 64 * 8];
    let bits = element.bits() as usize;
    for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
        let at = if by_rows { i * stride + j } else { j * stride + i } * bits;
        let code = code(element, numbers[i * columns + j]);
        for bit in (0..bits).filter(|bit| code >> bit & 1 != 0) {
            bytes[(at + bit) / 8] |= 1 << ((at + bit) % 8);
        }
    }
    bytes
}

impl Case {
    /// Registers of A, B, and C or D, as PTX says, and their type.
    fn registers(&self, which: usize) -> (usize, &'static str) {
        let ([m, n, k], [d, a, b, c]) = (self.shape, self.types);
        let (element, count) = match which {
            0 => (a, m * k),
            1 => (b, n * k),
            2 => (c, m * n),
            _ => (d, m * n),
        };
        match (element, which) {
            (F16, 0 | 1) => (8, "b32"),
            (F64, _) => (count / 32, "f64"),
            (F32, _) => (count / 32, "f32"),
            _ => (count * element.bits() as usize / 32 / 32, "b32"),
        }
    }

    fn list(&self, which: usize) -> String {
        let letter = ["a", "b", "c", "d"][which];
        let all: Vec<String> = (0..self.registers(which).0).map(|i| format!("{letter}{i}")).collect();
        format!("{{{}}}", all.join(", "))
    }

    /// The assembly: `layouts` of A, B, C and D, and the distance between their rows or columns.
    fn text(&self, layouts: [bool; 4], op: &str, stride: &str) -> String {
        let ([m, n, k], [d, a, b, c]) = (self.shape, self.types);
        let layout = layouts.map(|by_rows| if by_rows { "row" } else { "col" });
        let shape = format!("m{m}n{n}k{k}");
        let mut text = "{ ".to_owned();
        for (which, letter) in ["a", "b", "c", "d"].into_iter().enumerate() {
            let (count, ty) = self.registers(which);
            text += &format!(".reg .{ty} {letter}<{count}>; ");
        }
        for (which, (letter, element)) in [("a", a), ("b", b), ("c", c)].into_iter().enumerate() {
            text += &format!(
                "wmma.load.{letter}.sync.aligned.{}.{shape}.global.{} {}, [${which}]{stride}; ",
                layout[which],
                name(element),
                self.list(which)
            );
        }
        let (before, after) = match op {
            "xor" | "and" => (format!(".{op}.popc"), String::new()),
            other => (String::new(), other.to_owned()),
        };
        let types =
            if a == F16 { format!("{}.{}", name(d), name(c)) } else { [d, a, b, c].map(name).join(".") };
        let lists = [3, 0, 1, 2].map(|which| self.list(which)).join(", ");
        text += &format!(
            "wmma.mma{before}.sync.aligned.{}.{}.{shape}.{types}{after} {lists}; ",
            layout[0], layout[1]
        );
        text += &format!(
            "wmma.store.d.sync.aligned.{}.{shape}.global.{} [$3], {}{stride}; }}",
            layout[3],
            name(d),
            self.list(3)
        );
        text
    }

    fn check(&self, layouts: [bool; 4], op: &str, has_stride: bool) {
        let ([m, n, k], [d, a, b, c]) = (self.shape, self.types);
        let extents = [[m, k], [k, n], [m, n], [m, n]];
        let stride = |which: usize| match has_stride {
            true => 128,
            false => extents[which][usize::from(layouts[which])],
        };
        let mut rng = Rng::with_seed((m + 2 * n + 3 * k) as u64);
        let mut numbers = |element: Element, count: usize| -> Vec<i64> {
            let range = match element {
                U1 => 0..=1,
                U8 | U4 => 0..=7,
                _ => -4..=4,
            };
            (0..count).map(|_| rng.i64(range.clone())).collect()
        };
        let matrices = [numbers(a, m * k), numbers(b, k * n), numbers(c, m * n)];
        let mut memory = Memory::new();
        let mut buffers = Vec::new();
        for (which, (element, numbers)) in [a, b, c].into_iter().zip(&matrices).enumerate() {
            let image = image(element, numbers, extents[which], layouts[which], stride(which));
            buffers.push(memory.upload_bytes(&image));
        }
        let out = memory.upload_bytes(&vec![0; 64 * 64 * 8]);
        buffers.push(out);
        let text = self.text(layouts, op, if has_stride { ", 128" } else { "" });
        let launch = Launch::new("k", [1; 3], [32, 1, 1]);
        let arguments: Vec<Arg> = buffers.iter().map(|buffer| Arg::Buffer(*buffer)).collect();
        let ran = kernel(4, "", &text).and_then(|program| program.run(&launch, &mut memory, &arguments));
        ran.unwrap_or_else(|e| panic!("{text}: {e}"));
        let found = memory.download::<u8>(out);
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let product = |l: usize| match (matrices[0][i * k + l], matrices[1][l * n + j]) {
                (x, y) if op == "xor" => x ^ y,
                (x, y) => x * y,
            };
            let expected = (0..k).map(product).sum::<i64>() + matrices[2][i * n + j];
            let at = if layouts[3] { i * stride(3) + j } else { j * stride(3) + i };
            let bytes = d.bits() as usize / 8;
            let code =
                found[at * bytes..][..bytes].iter().rev().fold(0, |code, byte| code << 8 | u64::from(*byte));
            let value = number(d, code).map(|x| x as i64).or(decode_integer(d, code));
            assert_eq!(value, Some(expected), "row {i}, column {j}: {text}");
        }
    }
}

#[test]
fn every_shape_and_type_multiplies() {
    let wide = [[16, 16, 16], [32, 8, 16], [8, 32, 16]];
    let of_bytes =
        [[F32, F16, F16, F32], [F16; 4], [F32, Bf16, Bf16, F32], [S32, S8, S8, S32], [S32, U8, U8, S32]];
    let mut cases: Vec<Case> = Vec::new();
    for shape in wide {
        cases.extend(of_bytes.map(|types| Case { shape, types }));
    }
    cases.push(Case { shape: [16, 16, 8], types: [F32, Tf32, Tf32, F32] });
    cases.push(Case { shape: [8, 8, 4], types: [F64; 4] });
    for (i, case) in cases.iter().enumerate() {
        for layouts in 0..16 {
            // Not all layouts of C and D with all of A and B.
            if (layouts >> 2) != (layouts + i) % 4 {
                continue;
            }
            let layouts = [0, 1, 2, 3].map(|bit| layouts >> bit & 1 != 0);
            case.check(layouts, "", i % 2 == 0);
        }
    }
    for types in [[S32, S4, S4, S32], [S32, U4, U4, S32]] {
        let case = Case { shape: [8, 8, 32], types };
        case.check([true, false, true, false], "", true);
        case.check([true, false, false, true], ".satfinite", false);
    }
    let bits = Case { shape: [8, 8, 128], types: [S32, U1, U1, S32] };
    bits.check([true, false, true, true], "xor", false);
    bits.check([true, false, false, false], "and", true);
}

/// Sums in f64 are rounded in each direction, after each product.
#[test]
fn sums_in_f64_are_rounded() {
    let run = |rounding: &str, a: f64, b: f64, c: f64| {
        let name = if rounding.is_empty() { String::new() } else { format!(".{rounding}") };
        let text = format!(
            "{{ .reg .f64 a, b, c<2>, d<2>; mov.f64 a, 0d{:016x}; mov.f64 b, 0d{:016x}; mov.f64 c0, 0d{:016x}; mov.f64 c1, c0;
             wmma.mma.sync.aligned.row.col.m8n8k4{name}.f64.f64.f64.f64 {{d0, d1}}, {{a}}, {{b}}, {{c0, c1}};
             st.global.f64 [$0], d0;
             mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64{name} {{d0, d1}}, {{a}}, {{b}}, {{c0, c1}};
             st.global.f64 [$0+8], d1; }}",
            a.to_bits(), b.to_bits(), c.to_bits()
        );
        let body = format!(
            ".reg .b32 %lane; .reg .b64 %to; mov.u32 %lane, %laneid; mad.wide.u32 %to, %lane, 16, $0; {}",
            text.replace("$0", "%to")
        );
        let mut memory = Memory::new();
        let out = memory.zeroed::<f64>(64);
        let launch = Launch::new("k", [1; 3], [32, 1, 1]);
        let ran = kernel(1, "", &body).and_then(|p| p.run(&launch, &mut memory, &[Arg::Buffer(out)]));
        ran.unwrap_or_else(|e| panic!("{text}: {e}"));
        let found = memory.download::<f64>(out);
        assert!(found.iter().all(|x| x.to_bits() == found[0].to_bits()), "{found:?}");
        found[0]
    };
    // Four times 2^-55, one after the other: each is less than half of the last bit of 1.
    let small = 2f64.powi(-55);
    for rounding in ["", "rn", "rz", "rm"] {
        assert_eq!(run(rounding, small, 1., 1.), 1., "{rounding}");
    }
    assert_eq!(run("rp", small, 1., 1.), 1. + 4. * f64::EPSILON);
    assert_eq!(run("rn", -small, 1., 1.), 1.);
    assert_eq!(run("rp", -small, 1., 1.), 1.);
    assert_eq!(run("rm", -small, 1., 1.), 1. - 2. * f64::EPSILON);
    assert_eq!(run("rz", -small, 1., 1.), 1. - 2. * f64::EPSILON);
    // The largest number stays below infinity towards zero; -0 is the sum of a number and its
    // opposite towards negative infinity.
    assert_eq!(run("rz", f64::MAX, 1., f64::MAX), f64::MAX);
    assert_eq!(run("rp", f64::MAX, 1., f64::MAX), f64::INFINITY);
    assert_eq!(run("rm", 0., 1., -0.).to_bits(), (-0f64).to_bits());
    assert_eq!(run("rn", 0., 1., -0.).to_bits(), 0);
    assert!(run("rz", f64::INFINITY, 0., 1.).is_nan());
}

#[test]
fn what_wmma_does_not_take_is_refused() {
    let error = |text: &str| kernel(1, "", &format!(".reg .b32 r<8>; {text}")).unwrap_err().to_string();
    let shape = error("wmma.load.a.sync.aligned.row.m16n8k16.f16 {r0, r1}, [$0];");
    assert!(
        shape.ends_with(
            "the instruction `wmma.load.a.sync.aligned.row.m16n8k16.f16 {r0, r1}, [%in0]` is not modelled"
        ),
        "{shape}"
    );
    let rounded = error("wmma.mma.sync.aligned.row.col.m16n16k16.rz.f32.f32 {r0}, {r0}, {r0}, {r0};");
    assert!(rounded.ends_with("the rounding `.rz`: only f64 has one"), "{rounded}");
    let count = error("wmma.load.a.sync.aligned.row.m16n16k16.global.bf16 {r0, r1, r2}, [$0];");
    assert!(count.ends_with("3 registers of a fragment, which has 4"), "{count}");
    let column = error("wmma.load.a.sync.aligned.col.m8n8k32.global.s4 {r0}, [$0];");
    assert!(column.ends_with("elements of less than a byte have to lie along K"), "{column}");
}

/// Rows begin at any multiple of the stride, up to the last byte of their memory.
#[test]
fn matrices_end_with_their_memory() {
    let fill: String = (0..64).map(|i| format!("st.shared.u32 [%r4+{}], 0x3c003c00; ", 128 * i)).collect();
    let run = |load_a: &str, load_b: &str, store: &str| {
        let body = format!(
            "{{ .reg .b32 a<8>, b<8>; .reg .f32 c<8>; mov.u32 %r4, tile; mad.lo.u32 %r4, %r1, 4, %r4; {fill} bar.warp.sync -1;
             {load_a} {load_b}
             mov.b32 c0, 0; mov.b32 c1, 0; mov.b32 c2, 0; mov.b32 c3, 0; mov.b32 c4, 0; mov.b32 c5, 0; mov.b32 c6, 0; mov.b32 c7, 0;
             wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {{c0, c1, c2, c3, c4, c5, c6, c7}}, {{a0, a1, a2, a3, a4, a5, a6, a7}},
               {{b0, b1, b2, b3, b4, b5, b6, b7}}, {{c0, c1, c2, c3, c4, c5, c6, c7}};
             bar.warp.sync -1; {store} bar.warp.sync -1; ld.shared.u32 %r2, [%r4+7168]; }}"
        );
        Grid::WARP.run(&body, &[0; 32])
    };
    let a = "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {a0, a1, a2, a3, a4, a5, a6, a7}, [tile], 16;";
    let b =
        "wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 {b0, b1, b2, b3, b4, b5, b6, b7}, [tile+512], 16;";
    // The last 1024 bytes of 8192.
    let d = "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [tile+7168], {c0, c1, c2, c3, c4, c5, c6, c7}, 16;";
    let sixteen = vec![16f32.to_bits(); 32];
    assert_eq!(run(a, b, d), Ok(sixteen.clone()));
    // 15 strides of 496 bytes and a row of 32.
    assert_eq!(
        run(&a.replace("], 16", "], 248"), &b.replace("+512], 16", "+720], 248"), d),
        Ok(sixteen.clone())
    );
    // Columns of D, and rows without a distance.
    assert_eq!(run(&a.replace(", 16;", ";"), b, &d.replace("row", "col")), Ok(sixteen));
    for (texts, message) in [
        ([&a.replace("[tile]", "[tile+7712]"), b, d], "of shared memory @tile"),
        ([a, &b.replace("+512], 16", "+736], 248"), d], "of shared memory @tile"),
        ([a, b, &d.replace("+7168", "+7184")], "of shared memory @tile"),
        ([a, b, &d.replace(", 16;", ", 20;")], "of shared memory @tile"),
        ([&a.replace("], 16", "], %r9"), b, d], "undefined"),
        (
            [&a.replace("wmma", "setp.eq.u32 %p1, %r1, 3; @%p1 exit; wmma"), b, d],
            "thread (3, 0, 0) has returned",
        ),
    ] {
        let error = run(texts[0], texts[1], texts[2]).unwrap_err();
        assert!(error.contains(message), "{texts:?}: {error}");
    }
}
