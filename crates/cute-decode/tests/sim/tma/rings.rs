//! Rings of stages that the TMA fills.

use super::*;

/// A ring of two stages: warp 0 loads 9 rows, and warp 1 writes twice each of them out. `free` is
/// what a consumer does to hand a stage back.
fn ring(free: &str, parity: &str) -> String {
    let body = format!(
        "{START}
         %c32 = llvm.mlir.constant(32 : i32) : i32
         %c128 = llvm.mlir.constant(128 : i32) : i32
         %nine = llvm.mlir.constant(9 : i32) : i32
         %two = llvm.mlir.constant(2 : i32) : i32
         %full1 = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
         %empty = llvm.getelementptr %full[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
         %empty1 = llvm.getelementptr %full[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
         nvvm.mbarrier.init %full1, %one, predicate = %first : !llvm.ptr<3>, i32, i1
         nvvm.mbarrier.init %empty, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
         nvvm.mbarrier.init %empty1, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
         nvvm.barrier0
         %consumer = llvm.icmp \"uge\" %t, %c32 : i32
         %lane = llvm.urem %t, %c32 : i32
         llvm.cond_br %consumer, ^take(%zero : i32), ^produce
       ^produce:
         llvm.cond_br %first, ^give(%zero : i32), ^end
       ^give(%k: i32):
         %s = llvm.urem %k, %two : i32
         %n = llvm.udiv %k, %two : i32
         %p = llvm.and %n, %one : i32
         %q = llvm.xor %p, {parity} : i32
         %e = llvm.getelementptr %empty[%s] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
         %f = llvm.getelementptr %full[%s] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
         %o = llvm.mul %s, %c32 : i32
         %to = llvm.getelementptr %there[%o] : (!llvm.ptr<7>, i32) -> !llvm.ptr<7>, i32
         nvvm.mbarrier.try_wait.parity %e, %q, %ticks : !llvm.ptr<3>, i32, i32
         nvvm.mbarrier.arrive.expect_tx %f, %c128 : !llvm.ptr<3>, i32
         nvvm.cp.async.bulk.tensor.shared.cluster.global %to, %map, %f, box[%zero, %k] : !llvm.ptr<7>, !llvm.ptr
         %k1 = llvm.add %k, %one : i32
         %more = llvm.icmp \"ult\" %k1, %nine : i32
         llvm.cond_br %more, ^give(%k1 : i32), ^end
       ^take(%j: i32):
         %s2 = llvm.urem %j, %two : i32
         %n2 = llvm.udiv %j, %two : i32
         %p2 = llvm.and %n2, %one : i32
         %e2 = llvm.getelementptr %empty[%s2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
         %f2 = llvm.getelementptr %full[%s2] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
         %o2 = llvm.mul %s2, %c32 : i32
         %i = llvm.add %o2, %lane : i32
         %a = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         nvvm.mbarrier.try_wait.parity %f2, %p2, %ticks : !llvm.ptr<3>, i32, i32
         {free}
         %w = llvm.shl %v, %one : i32
         %r = llvm.mul %j, %c32 : i32
         %x = llvm.add %r, %lane : i32
         %g = llvm.getelementptr %out[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %w, %g : i32, !llvm.ptr<1>
         %j1 = llvm.add %j, %one : i32
         %again = llvm.icmp \"ult\" %j1, %nine : i32
         llvm.cond_br %again, ^take(%j1 : i32), ^end
       ^end:"
    );
    GLOBALS.to_owned() + &function(&format!("%map: {MAP}, %out: !llvm.ptr<1>"), &body)
}

fn run_ring(source: &str, schedule: Schedule) -> Result<Vec<i32>, String> {
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(9 * 32);
    let input = memory.upload(&(0..9 * 32).collect::<Vec<i32>>());
    let map = tensor(MapElement::S32, &[32, 9], &[32, 1], MapSwizzle::B128);
    let map = TensorMap { address: memory.address(input).unwrap(), ..map };
    let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [64, 1, 1]) };
    let report =
        program(source).run(&launch, &mut memory, &[Arg::words(&map.words().unwrap()), Arg::Buffer(out)]);
    report.map(|_| memory.download(out)).map_err(|e| e.to_string())
}

#[test]
fn a_ring_of_stages_goes_round() {
    let read = "%v = llvm.load %a : !llvm.ptr<3> -> i32";
    let back = "%token = nvvm.mbarrier.arrive %e2 : !llvm.ptr<3> -> i64";
    let right = format!("{read}\n{back}");
    // Rows 2, 3, 6 and 7 of the tile have other swizzles than these two, which are not the first in
    // their block.
    let swizzled = |i: i32| i & !31 | (i & 31 ^ (i / 32 % 2) << 2);
    let expected: Vec<i32> = (0..9 * 32).map(|i| 2 * swizzled(i)).collect();
    for schedule in SCHEDULES {
        assert_eq!(run_ring(&ring(&right, "%one"), schedule), Ok(expected.clone()), "{schedule:?}");
        // Handed back before it was read.
        let e = run_ring(&ring(&format!("{back}\n{read}"), "%one"), schedule).unwrap_err();
        assert!(e.contains("nothing orders it with the"), "{schedule:?} {e}");
        // The producer waits for a phase that nobody completes.
        let e = run_ring(&ring(&right, "%zero"), schedule).unwrap_err();
        assert!(e.contains("no thread can go on"), "{e}");
        let e = run_ring(&ring(read, "%one"), schedule).unwrap_err();
        assert!(e.contains("no thread can go on"), "{e}");
    }
}

/// A matrix instruction is one of the whole warp: one lane may wait for it before, and hand the
/// slot back after it.
#[test]
fn one_lane_waits_and_arrives_for_a_matrix_instruction() {
    let kernel = |read: &str| {
        let body = format!(
            "{START}
             %empty = llvm.getelementptr %full[2] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
             nvvm.mbarrier.init %empty, %one, predicate = %first : !llvm.ptr<3>, i32, i1
             nvvm.barrier0
             %c4 = llvm.mlir.constant(4 : i32) : i32
             %c32 = llvm.mlir.constant(32 : i32) : i32
             %c128 = llvm.mlir.constant(128 : i32) : i32
             %lane = llvm.urem %t, %c32 : i32
             %leads = llvm.icmp \"eq\" %lane, %zero : i32
             %consumer = llvm.icmp \"uge\" %t, %c32 : i32
             %o = llvm.mul %lane, %c4 : i32
             %row = llvm.urem %o, %c32 : i32
             %a = llvm.getelementptr %tile[%row] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             llvm.cond_br %consumer, ^consume, ^produce
           ^produce:
             llvm.cond_br %first, ^give, ^end
           ^give:
             nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32
             nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[%zero, %zero] : !llvm.ptr<7>, !llvm.ptr
             nvvm.mbarrier.try_wait.parity %empty, %zero, %ticks : !llvm.ptr<3>, i32, i32
             nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32
             nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[%zero, %one] : !llvm.ptr<7>, !llvm.ptr
             nvvm.mbarrier.try_wait.parity %full, %one, %ticks : !llvm.ptr<3>, i32, i32
             llvm.br ^end
           ^consume:
             llvm.cond_br %leads, ^wait, ^read
           ^wait:
             {WAIT}
             llvm.br ^read
           ^read:
             {read}
             %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             llvm.store %v, %p : i32, !llvm.ptr<1>
             llvm.cond_br %leads, ^back, ^end
           ^back:
             %token = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
             llvm.br ^end
           ^end:"
        );
        GLOBALS.to_owned() + &function(&format!("%map: {MAP}, %out: !llvm.ptr<1>"), &body)
    };
    let matrix = "%v = nvvm.ldmatrix %a {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>,
        eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32";
    for schedule in SCHEDULES {
        let found = run_ring(&kernel(matrix), schedule).unwrap_or_else(|e| panic!("{schedule:?}: {e}"));
        assert_eq!(found[..32], (0..32).collect::<Vec<i32>>()[..]);
        let plain = kernel("%v = llvm.load %a : !llvm.ptr<3> -> i32");
        let e = run_ring(&plain, schedule).unwrap_err();
        assert!(e.contains("nothing orders it with the"), "{e}");
    }
}
