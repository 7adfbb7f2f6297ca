//! Division by a fast divisor: the ops that `cute-to-base` makes are run on the host and compared
//! with the algebra over numbers.

use cute_algebra::FastDivisor;
use cute_jit::Jit;
use melior::Context;

const TEXT: &str = "
  func.func @divmod(%n: i32, %d: i32) -> (i32, i32) {
    %divisor = cute.fast_divmod.create_divisor(%d) : i32 -> !cute.fast_divmod_divisor<32>
    %0:2 = cute.fast_divmod.compute(%n, %divisor) : (i32, !cute.fast_divmod_divisor<32>) -> (i32, i32)
    return %0#0, %0#1 : i32, i32
  }";

const PASSES: &str =
    "builtin.module(cute-to-base,canonicalize,cse,convert-to-llvm,reconcile-unrealized-casts)";

#[test]
fn ops_and_numbers_agree() {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, TEXT).unwrap();
    cute_mlir::run(&context, &mut module, PASSES).unwrap();
    let jit = Jit::compile(module.as_operation(), &["divmod"]).unwrap();
    let edges = [1, 2, 3, 5, 7, 8, 31, 64, 100, 641, 65_535, 65_536, 65_537, 1 << 30, i64::from(i32::MAX)];
    for d in edges {
        let divisor = FastDivisor::new(d).unwrap();
        for n in edges.into_iter().flat_map(|n| [n - 1, n, n.wrapping_mul(3) % (1 << 31)]) {
            let (quotient, remainder) = divisor.divmod(&n).unwrap();
            assert_eq!((quotient, remainder), (n / d, n % d), "{n} / {d} in numbers");
            assert_eq!(jit.call("divmod", &[n, d]).unwrap(), [quotient, remainder], "{n} / {d} as ops");
        }
    }
}
