//! Barriers at which the threads combine predicates.

use crate::{function, kernel, program};
use cute_sim::{Arg, Error, Launch, Memory};

/// The words that the threads store as `%r`, an i32. `%odd` and `%early` are bits: of odd threads,
/// and of the first 40. `%word` is an i32 that is not 0 in odd threads.
fn run(threads: u32, body: &str) -> Result<Vec<u32>, Error> {
    let body = format!(
        r#"%t = nvvm.read.ptx.sreg.tid.x : i32
           %one = llvm.mlir.constant(1 : i32) : i32
           %two = llvm.mlir.constant(2 : i32) : i32
           %c40 = llvm.mlir.constant(40 : i32) : i32
           %c64 = llvm.mlir.constant(64 : i32) : i32
           %bit = llvm.and %t, %one : i32
           %odd = llvm.trunc %bit : i32 to i1
           %word = llvm.shl %bit, %two : i32
           %early = llvm.icmp "ult" %t, %c40 : i32
           {body}
           %at = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
           llvm.store %r, %at : i32, !llvm.ptr<1>"#
    );
    let mut memory = Memory::new();
    let out = memory.zeroed::<u32>(threads as usize);
    let launch = Launch::new("kernel", [1; 3], [threads, 1, 1]);
    kernel("%out: !llvm.ptr<1>", &body).run(&launch, &mut memory, &[Arg::Buffer(out)])?;
    Ok(memory.download(out))
}

/// A reduction by the intrinsic over all threads, whose result becomes `%r`.
fn intrinsic(verdict: &str, predicate: &str) -> String {
    let name = format!("llvm.nvvm.barrier.cta.red.{verdict}.aligned.all");
    let call = format!("llvm.call_intrinsic \"{name}\"(%one, {predicate}) : (i32, i1)");
    if verdict == "popc" {
        format!("%r = {call} -> i32")
    } else {
        format!("%p = {call} -> i1\n%r = llvm.zext %p : i1 to i32")
    }
}

/// NVVM's op, which has a reduction at barrier 0 alone.
fn op(verdict: &str) -> String {
    format!("nvvm.barrier #nvvm.reduction<{verdict}> %word -> i32")
}

fn all(threads: u32, body: &str) -> u32 {
    let found = run(threads, body).unwrap_or_else(|e| panic!("{e}"));
    assert!(found.iter().all(|word| *word == found[0]), "{found:?}");
    found[0]
}

#[test]
fn every_thread_gets_the_verdict_of_all() {
    let none = "%no = llvm.mlir.constant(false) : i1\n";
    let yes = "%yes = llvm.mlir.constant(true) : i1\n";
    for (verdict, [odd, early, no, every]) in
        [("popc", [50, 40, 0, 100]), ("and", [0, 0, 0, 1]), ("or", [1, 1, 0, 1])]
    {
        // The last warp has four threads.
        assert_eq!(all(100, &intrinsic(verdict, "%odd")), odd, "{verdict}");
        assert_eq!(all(100, &intrinsic(verdict, "%early")), early, "{verdict}");
        assert_eq!(all(100, &(none.to_owned() + &intrinsic(verdict, "%no"))), no, "{verdict}");
        assert_eq!(all(100, &(yes.to_owned() + &intrinsic(verdict, "%yes"))), every, "{verdict}");
    }
}

#[test]
fn the_op_takes_a_word_and_the_text_a_predicate() {
    for (verdict, expected) in [("popc", 32), ("and", 0), ("or", 1)] {
        assert_eq!(all(64, &format!("%r = {}", op(verdict))), expected, "{verdict}");
        let (ty, dst, after) =
            if verdict == "popc" { ("u32", "$0", "") } else { ("pred", "q", "selp.b32 $0, 1, 0, q; ") };
        for name in ["bar", "barrier.cta", "barrier"] {
            let text = format!(
                "{{ .reg .pred p, q; setp.ne.s32 p, $1, 0; {name}.red.{verdict}.{ty} {dst}, 2, 64, p; {after}}}"
            );
            let asm =
                format!("%r = llvm.inline_asm has_side_effects \"{text}\", \"=r,r\" %word : (i32) -> i32");
            assert_eq!(all(64, &asm), expected, "{name} {verdict}");
        }
    }
}

/// Each half of the block has a barrier of its own, of 64 threads.
#[test]
fn two_barriers_give_two_verdicts() {
    let body = r#"%half = llvm.icmp "ult" %t, %c64 : i32
         llvm.cond_br %half, ^low, ^high
       ^low:
         %a = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.popc.aligned.count"(%one, %c64, %early) : (i32, i32, i1) -> i32
         llvm.br ^end(%a : i32)
       ^high:
         %b = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.popc.aligned.count"(%two, %c64, %odd) : (i32, i32, i1) -> i32
         llvm.br ^end(%b : i32)
       ^end(%r: i32):"#;
    let found = run(128, body).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found, [[40; 64], [32; 64]].concat());
}

/// Lanes of one warp reach the form without `.aligned` by different instructions.
#[test]
fn lanes_may_come_apart() {
    let body = r#"llvm.cond_br %odd, ^odd, ^even
       ^odd:
         %a = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.all"(%one, %odd) : (i32, i1) -> i1
         llvm.br ^end(%a : i1)
       ^even:
         %b = llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.all"(%one, %early) : (i32, i1) -> i1
         llvm.br ^end(%b : i1)
       ^end(%p: i1):
         %r = llvm.zext %p : i1 to i32"#;
    assert_eq!(all(64, body), 1);
}

/// A value from before the barrier is seen behind it, as behind one without a reduction.
#[test]
fn it_orders_memory() {
    let source = |barrier: &str| {
        format!(
            "llvm.mlir.global internal @tile() {{addr_space = 3 : i32}} : !llvm.array<64 x i32>\n{}",
            function(
                "%out: !llvm.ptr<1>",
                &format!(
                    "%t = nvvm.read.ptx.sreg.tid.x : i32
                     %c63 = llvm.mlir.constant(63 : i32) : i32
                     %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
                     %own = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
                     llvm.store %t, %own : i32, !llvm.ptr<3>
                     {barrier}
                     %other = llvm.sub %c63, %t : i32
                     %from = llvm.getelementptr %tile[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
                     %r = llvm.load %from : !llvm.ptr<3> -> i32
                     %at = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
                     llvm.store %r, %at : i32, !llvm.ptr<1>"
                )
            )
        )
    };
    let run = |barrier: &str| {
        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(64);
        let launch = Launch::new("kernel", [1; 3], [64, 1, 1]);
        let report = program(&source(barrier)).run(&launch, &mut memory, &[Arg::Buffer(out)]);
        report.map(|_| memory.download::<u32>(out)).map_err(|e| e.to_string())
    };
    let found = run("%n = nvvm.barrier #nvvm.reduction<popc> %t -> i32");
    assert_eq!(found, Ok((0..64).rev().collect()));
    assert!(
        run("").is_err_and(|e| e.contains("uninitialised") || e.contains("race") || e.contains("orders"))
    );
}

#[test]
fn a_use_has_one_reduction() {
    let branches = |low: &str, high: &str| {
        let body = format!(
            r#"%c32 = llvm.mlir.constant(32 : i32) : i32
               %half = llvm.icmp "ult" %t, %c32 : i32
               llvm.cond_br %half, ^low, ^high
             ^low:
               {low}
               llvm.br ^end
             ^high:
               {high}
               llvm.br ^end
             ^end:
               %r = llvm.or %t, %t : i32"#
        );
        run(64, &body).map_err(|e| e.to_string())
    };
    let or = [format!("%a = {}", op("or")), format!("%b = {}", op("or"))];
    assert!(branches(&or[0], &or[1]).is_ok());
    let wrong = "barrier 0 combines predicates here, and not, or in another way, at `nvvm.barrier";
    for other in [format!("%b = {}", op("and")), "nvvm.barrier".to_owned()] {
        let e = branches(&or[0], &other).unwrap_err();
        assert!(e.contains(wrong), "{e}");
        let e = branches(&other, &or[0]).unwrap_err();
        assert!(e.contains(wrong), "{e}");
    }
    // An arrival has no predicate.
    let name = "llvm.nvvm.barrier.cta.red.popc.aligned.count";
    let red = format!("%a = llvm.call_intrinsic \"{name}\"(%one, %c64, %odd) : (i32, i32, i1) -> i32");
    let e = branches(&red, "nvvm.barrier.arrive id = %one number_of_threads = %c64").unwrap_err();
    assert!(e.contains("at `nvvm.barrier.arrive`"), "{e}");
}

#[test]
fn predicates_must_be_defined_and_all_threads_must_come() {
    let e = run(32, &format!("%no = llvm.mlir.undef : i1\n{}", intrinsic("or", "%no"))).unwrap_err();
    assert!(e.to_string().contains("the predicate is undefined"), "{e}");
    let missing = r#"llvm.cond_br %early, ^wait, ^exit(%one : i32)
       ^wait:
         %n = nvvm.barrier #nvvm.reduction<popc> %word -> i32
         llvm.br ^exit(%n : i32)
       ^exit(%r: i32):"#;
    // The others return, so that nobody waits for them.
    assert_eq!(run(64, missing).unwrap()[..40], [20; 40]);
    let e = run(
        64,
        &format!("{missing}\n%ones = llvm.mlir.constant(-1 : i32) : i32\nnvvm.bar.warp.sync %ones : i32"),
    );
    let e = e.unwrap_err();
    assert!(e.to_string().contains("only 40 of 64 threads wait here"), "{e}");
}
