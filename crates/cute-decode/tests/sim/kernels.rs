use crate::{kernel, program};
use cute_sim::{Arg, Launch, Memory};

#[test]
fn vector_add_with_a_ragged_last_block() {
    let program = program(
        r#"
        llvm.func @add(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
          %t = nvvm.read.ptx.sreg.tid.x : i32
          %block = nvvm.read.ptx.sreg.ctaid.x : i32
          %size = nvvm.read.ptx.sreg.ntid.x : i32
          %base = llvm.mul %block, %size overflow<nsw> : i32
          %i = llvm.add %base, %t overflow<nsw> : i32
          %in = llvm.icmp "slt" %i, %n : i32
          llvm.cond_br %in, ^body, ^exit
        ^body:
          %pa = llvm.getelementptr inbounds %a[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
          %pb = llvm.getelementptr inbounds %b[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
          %pc = llvm.getelementptr inbounds %c[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
          %x = llvm.load %pa {alignment = 4 : i64} : !llvm.ptr<1> -> f32
          %y = llvm.load %pb {alignment = 4 : i64} : !llvm.ptr<1> -> f32
          %z = llvm.fadd %x, %y : f32
          llvm.store %z, %pc : f32, !llvm.ptr<1>
          llvm.br ^exit
        ^exit:
          llvm.return
        }"#,
    );
    assert_eq!(program.kernels().collect::<Vec<_>>(), ["add"]);
    let n = 100;
    let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..n).map(|i| 0.5 * i as f32).collect();
    let mut memory = Memory::new();
    let (da, db, dc) = (memory.upload(&a), memory.upload(&b), memory.zeroed::<f32>(n));
    let args = [Arg::Buffer(da), Arg::Buffer(db), Arg::Buffer(dc), Arg::I32(n as i32)];
    let stats = program.run(&Launch::new("add", [4, 1, 1], [32, 1, 1]), &mut memory, &args).unwrap().stats;
    let expected: Vec<f32> = a.iter().zip(&b).map(|(x, y)| x + y).collect();
    assert_eq!(memory.download::<f32>(dc), expected);
    assert_eq!((stats.threads, stats.loads, stats.stores), (128, 200, 100));
}

/// A 16 x 16 tile in padded shared memory, one block a tile, a barrier between writing and reading.
const TRANSPOSE: &str = r#"
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<16 x array<17 x f32>>
    llvm.func @transpose(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
      %c16 = llvm.mlir.constant(16 : i32) : i32
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %tx = nvvm.read.ptx.sreg.tid.x : i32
      %ty = nvvm.read.ptx.sreg.tid.y : i32
      %bx = nvvm.read.ptx.sreg.ctaid.x : i32
      %by = nvvm.read.ptx.sreg.ctaid.y : i32
      %x0 = llvm.mul %bx, %c16 : i32
      %y0 = llvm.mul %by, %c16 : i32
      %x = llvm.add %x0, %tx : i32
      %y = llvm.add %y0, %ty : i32
      %row = llvm.mul %y, %n : i32
      %from = llvm.add %row, %x : i32
      %pi = llvm.getelementptr %in[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %pi : !llvm.ptr<1> -> f32
      %ps = llvm.getelementptr %tile[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<17 x f32>>
      llvm.store %v, %ps : f32, !llvm.ptr<3>
      nvvm.barrier0
      %pt = llvm.getelementptr %tile[0, %tx, %ty] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<16 x array<17 x f32>>
      %w = llvm.load %pt : !llvm.ptr<3> -> f32
      %xo = llvm.add %y0, %tx : i32
      %yo = llvm.add %x0, %ty : i32
      %rowo = llvm.mul %yo, %n : i32
      %to = llvm.add %rowo, %xo : i32
      %po = llvm.getelementptr %out[%to] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %w, %po : f32, !llvm.ptr<1>
      llvm.return
    }"#;

fn transpose(source: &str) -> Result<(), cute_sim::Error> {
    let n = 48;
    let input: Vec<f32> = (0..n * n).map(|i| i as f32).collect();
    let mut memory = Memory::new();
    let (from, to) = (memory.upload(&input), memory.zeroed::<f32>(n * n));
    let args = [Arg::Buffer(from), Arg::Buffer(to), Arg::I32(n as i32)];
    let stats =
        program(source).run(&Launch::new("transpose", [3, 3, 1], [16, 16, 1]), &mut memory, &args)?.stats;
    let output = memory.download::<f32>(to);
    assert!((0..n * n).all(|i| output[i] == input[i % n * n + i / n]));
    assert_eq!(stats.barriers, 9);
    Ok(())
}

#[test]
fn transpose_through_shared_memory() {
    transpose(TRANSPOSE).unwrap();
}

#[test]
fn transpose_without_its_barrier_races() {
    let cute_sim::Error::Findings(report) = transpose(&TRANSPOSE.replace("nvvm.barrier0", "")).unwrap_err()
    else {
        panic!("no finding")
    };
    assert!(report.findings.iter().all(|f| matches!(f.kind, cute_sim::FindingKind::Race { .. })), "{report}");
    assert!(!report.findings.is_empty());
}

/// A loop whose two carried values swap: the moves of its edge overlap.
#[test]
fn a_loop_carries_values_in_parallel() {
    let fibonacci = kernel(
        "%out: !llvm.ptr<1>, %n: i32",
        r#"
          %zero = llvm.mlir.constant(0 : i32) : i32
          %one = llvm.mlir.constant(1 : i32) : i32
          llvm.br ^loop(%zero, %zero, %one : i32, i32, i32)
        ^loop(%i: i32, %a: i32, %b: i32):
          %more = llvm.icmp "ult" %i, %n : i32
          llvm.cond_br %more, ^body, ^exit
        ^body:
          %next = llvm.add %i, %one : i32
          %sum = llvm.add %a, %b : i32
          llvm.br ^loop(%next, %b, %sum : i32, i32, i32)
        ^exit:
          llvm.store %a, %out : i32, !llvm.ptr<1>
        "#,
    );
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(1);
    let launch = Launch::new("kernel", [1, 1, 1], [1, 1, 1]);
    fibonacci.run(&launch, &mut memory, &[Arg::Buffer(out), Arg::I32(20)]).unwrap();
    assert_eq!(memory.download::<i32>(out), [6765]);
}

/// Each warp sums through shared memory between warp barriers; no block barrier.
#[test]
fn a_warp_barrier_orders_the_lanes_of_a_warp() {
    let source = kernel(
        "%out: !llvm.ptr<1>",
        r#"
          %all = llvm.mlir.constant(-1 : i32) : i32
          %three = llvm.mlir.constant(31 : i32) : i32
          %t = nvvm.read.ptx.sreg.tid.x : i32
          %other = llvm.xor %t, %three : i32
          %dyn = llvm.mlir.addressof @dyn : !llvm.ptr<3>
          %own = llvm.getelementptr %dyn[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
          llvm.store %t, %own : i32, !llvm.ptr<3>
          nvvm.bar.warp.sync %all : i32
          %its = llvm.getelementptr %dyn[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
          %generic = llvm.addrspacecast %its : !llvm.ptr<3> to !llvm.ptr
          %v = llvm.load %generic : !llvm.ptr -> i32
          %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
          llvm.store %v, %p : i32, !llvm.ptr<1>
          llvm.return
        }
        llvm.mlir.global external @dyn() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
        llvm.func @unused() {
        "#,
    );
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(64);
    let launch = Launch { dynamic_shared: 256, ..Launch::new("kernel", [1, 1, 1], [64, 1, 1]) };
    source.run(&launch, &mut memory, &[Arg::Buffer(out)]).unwrap();
    assert_eq!(memory.download::<i32>(out), (0..64).map(|t| t ^ 31).collect::<Vec<_>>());
    // Half the shared memory: the second warp is outside.
    let launch = Launch { dynamic_shared: 128, ..launch };
    let e = source.run(&launch, &mut memory, &[Arg::Buffer(out)]).unwrap_err().to_string();
    assert!(
        e.contains("4 bytes at byte 128 of shared memory @dyn (allocated at -:8:18), which has 128 bytes"),
        "{e}"
    );
}

/// Two warps meet at barrier 1 while two others never go there: 64 of 128 threads are enough.
#[test]
fn a_named_barrier_needs_only_its_threads() {
    let source = kernel(
        "",
        r#"
          %one = llvm.mlir.constant(1 : i32) : i32
          %count = llvm.mlir.constant(64 : i32) : i32
          %t = nvvm.read.ptx.sreg.tid.x : i32
          %first = llvm.icmp "ult" %t, %count : i32
          llvm.cond_br %first, ^meet, ^exit
        ^meet:
          nvvm.barrier id = %one number_of_threads = %count
          llvm.br ^exit
        ^exit:
          nvvm.barrier
        "#,
    );
    let stats =
        source.run(&Launch::new("kernel", [1, 1, 1], [128, 1, 1]), &mut Memory::new(), &[]).unwrap().stats;
    assert_eq!(stats.barriers, 2);
}

/// Tile by tile through two stages of `cp.async`, the next tile under way while one is added up;
/// past the end the copy fills with zeros.
#[test]
fn pipelined_copies_with_zero_fill() {
    let source = program(
        r#"
        llvm.mlir.global internal @stages() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2 x array<32 x f32>>
        llvm.func @sum(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32, %tiles: i32) attributes {nvvm.kernel} {
          %zero = llvm.mlir.constant(0 : i32) : i32
          %one = llvm.mlir.constant(1 : i32) : i32
          %four = llvm.mlir.constant(4 : i32) : i32
          %c32 = llvm.mlir.constant(32 : i32) : i32
          %init = llvm.mlir.constant(0.0 : f32) : f32
          %t = nvvm.read.ptx.sreg.tid.x : i32
          %stages = llvm.mlir.addressof @stages : !llvm.ptr<3>
          llvm.br ^issue(%zero, %init : i32, f32)
        // Issues tile k; then adds up tile k - 1.
        ^issue(%k: i32, %acc: f32):
          %stage = llvm.and %k, %one : i32
          %dst = llvm.getelementptr %stages[0, %stage, %t] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<2 x array<32 x f32>>
          %base = llvm.mul %k, %c32 : i32
          %i = llvm.add %base, %t : i32
          %in_range = llvm.icmp "slt" %i, %n : i32
          %bytes = llvm.select %in_range, %four, %zero : i1, i32
          %src = llvm.getelementptr %in[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
          nvvm.cp.async.shared.global %dst, %src, 4, cache = ca, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
          nvvm.cp.async.commit.group
          %first = llvm.icmp "eq" %k, %zero : i32
          llvm.cond_br %first, ^next(%acc : f32), ^add
        ^add:
          nvvm.cp.async.wait.group 1
          %prev = llvm.sub %k, %one : i32
          %prev_stage = llvm.and %prev, %one : i32
          %p = llvm.getelementptr %stages[0, %prev_stage, %t] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<2 x array<32 x f32>>
          %v = llvm.load %p : !llvm.ptr<3> -> f32
          %sum = llvm.fadd %acc, %v : f32
          llvm.br ^next(%sum : f32)
        ^next(%a: f32):
          %k1 = llvm.add %k, %one : i32
          %more = llvm.icmp "sle" %k1, %tiles : i32
          llvm.cond_br %more, ^issue(%k1, %a : i32, f32), ^exit
        ^exit:
          %po = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
          llvm.store %a, %po : f32, !llvm.ptr<1>
          llvm.return
        }"#,
    );
    let n = 150;
    let input: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let mut memory = Memory::new();
    let (from, to) = (memory.upload(&input), memory.zeroed::<f32>(32));
    let args = [Arg::Buffer(from), Arg::Buffer(to), Arg::I32(n), Arg::I32(5)];
    source.run(&Launch::new("sum", [1, 1, 1], [32, 1, 1]), &mut memory, &args).unwrap();
    let expected: Vec<f32> = (0..32).map(|t| input.iter().skip(t).step_by(32).sum()).collect();
    assert_eq!(memory.download::<f32>(to), expected);
}
