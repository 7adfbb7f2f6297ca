//! The result of upstream's own lowering can be decoded and run.

use crate::context;
use cute_sim::{Arg, Launch, Memory};
use melior::{ir::Module, pass::PassManager, utility};

/// Each block sums its elements of `a` in shared memory; every thread writes the sum.
const SOURCE: &str = r#"
    gpu.module @kernels {
      gpu.func @block_sum(%a: memref<?xf32, 1>, %b: memref<?xf32, 1>) workgroup(%s: memref<32xf32, 3>) kernel {
        %t = gpu.thread_id x
        %block = gpu.block_id x
        %size = gpu.block_dim x
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %zero = arith.constant 0.0 : f32
        %base = arith.muli %block, %size : index
        %g = arith.addi %base, %t : index
        %v = memref.load %a[%g] : memref<?xf32, 1>
        memref.store %v, %s[%t] : memref<32xf32, 3>
        gpu.barrier
        %sum = scf.for %i = %c0 to %size step %c1 iter_args(%acc = %zero) -> f32 {
          %x = memref.load %s[%i] : memref<32xf32, 3>
          %y = arith.addf %acc, %x : f32
          scf.yield %y : f32
        }
        memref.store %sum, %b[%g] : memref<?xf32, 1>
        gpu.return
      }
    }"#;

#[test]
fn a_lowered_gpu_func_runs() {
    let context = context();
    utility::register_all_passes();
    let mut module = Module::parse(&context, SOURCE).expect("the test's IR parses");
    let manager = PassManager::new(&context);
    let pipeline =
        "builtin.module(gpu.module(convert-scf-to-cf,convert-gpu-to-nvvm,reconcile-unrealized-casts))";
    utility::parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).expect("a pipeline");
    manager.run(&mut module).expect("upstream lowers the kernel");
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));

    let input: Vec<f32> = (0..96).map(|i| i as f32).collect();
    let mut memory = Memory::new();
    let (a, b) = (memory.upload(&input), memory.zeroed::<f32>(96));
    // A memref is two pointers, an offset, a size and a stride.
    let memref = |buffer| [Arg::Buffer(buffer), Arg::Buffer(buffer), Arg::I64(0), Arg::I64(96), Arg::I64(1)];
    let args = [memref(a), memref(b)].concat();
    program
        .run(&Launch::new("block_sum", [3, 1, 1], [32, 1, 1]), &mut memory, &args)
        .unwrap_or_else(|e| panic!("{e}"));
    let expected: Vec<f32> = input.chunks(32).flat_map(|block| [block.iter().sum(); 32]).collect();
    assert_eq!(memory.download::<f32>(b), expected);
}
