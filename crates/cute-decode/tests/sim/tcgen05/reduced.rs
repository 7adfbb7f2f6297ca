//! `tcgen05.ld.red`: the words of each thread, and the least or the greatest of them (PTX ISA,
//! tcgen05.ld; NaN and zeros as for redux.sync).

use super::moves::fill;
use super::{GLOBALS, with_columns};
use crate::{decode, function, program};
use cute_sim::{Arg, Launch, Memory};

const NAN: u32 = 0x7fff_ffff;

/// Four columns of a lane and the distance in columns to the second access, if there is one.
fn assembly(name: &str, offset: &str) -> String {
    let results = "!llvm.struct<(i32, i32, i32, i32, i32)>";
    let mut text = format!(
        "{}
         %s = llvm.inline_asm has_side_effects \"tcgen05.ld.red.sync.aligned.{name} {{$0, $1, $2, $3}}, $4, [$5]{offset}; tcgen05.wait::ld.sync.aligned;\", \"=r,=r,=r,=r,=r,r,~{{memory}}\" %own : (i32) -> {results}
         %five = llvm.mlir.constant(5 : i32) : i32
         %mine = llvm.mul %t, %five : i32\n",
        fill()
    );
    for i in 0..5 {
        text += &format!(
            "%e{i} = llvm.extractvalue %s[{i}] : {results}
             %n{i} = llvm.mlir.constant({i} : i32) : i32
             %i{i} = llvm.add %mine, %n{i} : i32
             %p{i}x = llvm.getelementptr %out[%i{i}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             llvm.store %e{i}, %p{i}x : i32, !llvm.ptr<1>\n"
        );
    }
    GLOBALS.to_owned() + &function("%in: !llvm.ptr<1>, %out: !llvm.ptr<1>", &with_columns(512, false, &text))
}

/// The words that each thread loads, and what they are reduced to. `words`: of a lane and column.
fn run(name: &str, offset: &str, words: impl Fn(usize, usize) -> u32) -> Vec<([u32; 4], u32)> {
    let program = program(&assembly(name, offset));
    let mut memory = Memory::new();
    let input = (0..128 * 512).map(|i| words(i / 512, i % 512)).collect::<Vec<u32>>();
    let (input, out) = (memory.upload(&input), memory.zeroed::<u32>(128 * 5));
    let launch = Launch::new("kernel", [1; 3], [128, 1, 1]);
    let report = program.run(&launch, &mut memory, &[Arg::Buffer(input), Arg::Buffer(out)]);
    report.unwrap_or_else(|e| panic!("{name}: {e}"));
    let words = memory.download::<u32>(out);
    words.chunks(5).map(|all| ([all[0], all[1], all[2], all[3]], all[4])).collect()
}

/// Each lane has the same four words.
fn check(name: &str, words: [u32; 4], expected: u32) {
    for (thread, found) in run(name, "", |_, column| words[column % 4]).into_iter().enumerate() {
        assert_eq!(found, (words, expected), "{name} of {words:#x?}: thread {thread}");
    }
}

#[test]
fn words_are_reduced_by_their_type() {
    let words = [5, 0xffff_fffe, 0x8000_0000, 0x7fff_ffff];
    check("32x32b.x4.min.u32", words, 5);
    check("32x32b.x4.max.u32", words, 0xffff_fffe);
    check("32x32b.x4.min.s32", words, 0x8000_0000);
    check("32x32b.x4.max.s32", words, 0x7fff_ffff);
    check("32x32b.x4.u32.max", words, 0xffff_fffe);
    check("32x32b.x4.s32.min", words, 0x8000_0000);
}

#[test]
fn floats_are_reduced_with_nan_magnitudes_and_zeros() {
    let [two, less, half] = [2f32, -3., 0.5].map(f32::to_bits);
    let (zero, infinity, small) = (0x8000_0000, f32::INFINITY.to_bits(), 1);
    check("32x32b.x4.min.f32", [two, less, half, infinity], less);
    check("32x32b.x4.max.f32", [two, less, half, infinity], infinity);
    // The words keep their signs.
    check("32x32b.x4.max.abs.f32", [two, less, half, half], 3f32.to_bits());
    check("32x32b.x4.f32.min.abs", [two, less, half | zero, less], half);
    // A NaN counts with `.NaN` alone; if all are NaN, so is the result.
    check("32x32b.x4.max.f32", [two, 0xffc0_0001, less, half], two);
    check("32x32b.x4.max.NaN.f32", [two, 0xffc0_0001, less, half], NAN);
    check("32x32b.x4.min.abs.NaN.f32", [NAN, less, half, half], NAN);
    check("32x32b.x4.min.f32", [0x7fc0_0000, 0x7f80_0001, 0xffc0_0000, NAN], NAN);
    // +0 is above -0, and subnormal numbers count.
    check("32x32b.x4.min.f32", [0, zero, 0, 0], zero);
    check("32x32b.x4.max.f32", [zero, zero, 0, zero], 0);
    check("32x32b.x4.f32.max", [0, small, zero, 0], small);
}

/// Threads 16 to 31 of a warp have the columns of the second access.
#[test]
fn each_access_of_two_is_reduced_for_its_own_threads() {
    let words = |lane: usize, column: usize| (1000 * lane + column) as u32;
    for (thread, (own, greatest)) in run("16x32bx2.x4.max.u32", ", 256", words).into_iter().enumerate() {
        let (lane, first) = (thread / 32 * 32 + thread % 16, thread % 32 / 16 * 256);
        assert_eq!(own, std::array::from_fn(|i| words(lane, first + i)), "thread {thread}");
        assert_eq!(greatest, words(lane, first + 3), "thread {thread}");
    }
}

#[test]
fn other_forms_do_not_exist() {
    for name in ["32x32b.x4.max.abs.s32", "16x64b.x4.max.s32", "32x32b.x4.pack::16b.min.f32"] {
        let error = decode(&assembly(name, "")).unwrap_err().to_string();
        assert!(error.contains(&format!("`tcgen05.ld.red.sync.aligned.{name}` is not modelled")), "{error}");
    }
    let error = decode(&assembly("32x32b.x8.max.s32", "")).unwrap_err().to_string();
    assert!(error.contains("4 registers, where the shape has 8"), "{error}");
}
