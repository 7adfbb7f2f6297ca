//! `--max-registers`.

use super::{KERNEL, Place};
use std::fs;

/// A kernel whose threads keep `count` numbers in registers.
pub fn hungry(count: usize, attributes: &str) -> String {
    let mut lines = Vec::new();
    for i in 0..count {
        lines.push(format!("%p{i} = llvm.getelementptr %p[{i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32"));
        lines.push(format!("%x{i} = llvm.load volatile %p{i} : !llvm.ptr<1> -> f32"));
    }
    for i in 0..count {
        lines.push(format!("llvm.store volatile %x{}, %p{i} : f32, !llvm.ptr<1>", count - 1 - i));
    }
    format!(
        "gpu.module @m {{\n  gpu.func @k(%p: !llvm.ptr<1>) kernel attributes {{known_block_size = array<i32: 128, 1, 1>{attributes}}} \
         {{\n    {}\n    gpu.return\n  }}\n}}\n",
        lines.join("\n    ")
    )
}

#[test]
fn a_limit_of_registers_is_a_directive() {
    let place = Place::with(KERNEL);
    assert!(!place.good("k.mlir --target sm_90a").contains(".maxnreg"));
    for limit in [16, 64, 255] {
        let ptx = place.good(&format!("k.mlir --target sm_90a --max-registers {limit}"));
        assert!(ptx.contains(&format!(".maxnreg {limit}\n")), "{ptx}");
    }
    fs::write(place.path("k.mlir"), hungry(4, ", nvvm.maxnreg = 40 : i32")).unwrap();
    let ptx = place.good("k.mlir --target sm_90a --max-registers=64");
    assert!(ptx.contains(".maxnreg 40\n"), "a kernel keeps its own limit: {ptx}");
    for wrong in ["15", "256", "-1", "many", "4294967312"] {
        let error = place.bad(&format!("k.mlir --target sm_90a --max-registers={wrong}"));
        assert_eq!(error, format!("option 'max-registers' must be a number from 16 to 255, found '{wrong}'"));
    }
}

#[test]
fn results_for_two_limits_are_kept_apart() {
    let place = Place::with(KERNEL);
    let entries = || fs::read_dir(place.path("cache")).unwrap().count();
    for (limit, count) in [("", 1), (" --max-registers 32", 2), (" --max-registers 64", 3), ("", 3)] {
        let ptx = place.good(&format!("k.mlir --target sm_90a --cache cache{limit}"));
        assert_eq!((ptx.contains(".maxnreg"), entries()), (!limit.is_empty(), count), "{limit}");
    }
}

#[test]
fn ptxas_keeps_to_the_limit() {
    if cute_driver::ptxas::find().is_err() {
        return;
    }
    let place = Place::with(&hungry(100, ""));
    let registers = |limit: &str| {
        let run = place.run(&format!("k.mlir --target sm_90a --emit cubin -o k.cubin{limit}"));
        assert_eq!(run.code, Some(0), "{}", run.err);
        let count = run.err.split("k: ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
        (count.expect("ptxas counts registers"), run.err.contains("spills registers"))
    };
    let (free, spills) = registers("");
    assert!(free > 64 && !spills, "{free} registers");
    assert_eq!(registers(" --max-registers 32"), (32, true));
}
