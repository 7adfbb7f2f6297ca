//! Interaction between the lanes of a warp, the warps of a block and the blocks of a grid.

use crate::{function, kernel, program};
use cute_sim::{Arg, Election, Launch, Memory, Schedule};

/// Runs `body` in `threads` threads of `blocks` blocks, and answers what each thread stored as
/// `%r`, an i32.
fn each(blocks: u32, threads: u32, globals: &str, body: &str) -> Vec<i32> {
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %all = llvm.mlir.constant(-1 : i32) : i32
         %zero = llvm.mlir.constant(0 : i32) : i32
         %one = llvm.mlir.constant(1 : i32) : i32
         %two = llvm.mlir.constant(2 : i32) : i32
         %last = llvm.mlir.constant(31 : i32) : i32
         {body}
         %b = nvvm.read.ptx.sreg.ctaid.x : i32
         %n = nvvm.read.ptx.sreg.ntid.x : i32
         %start = llvm.mul %b, %n : i32
         %at = llvm.add %start, %t : i32
         %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %r, %p : i32, !llvm.ptr<1>"
    );
    let program =
        program(&format!("{globals}\n{}", function("%out: !llvm.ptr<1>, %counter: !llvm.ptr<1>", &body)));
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>((blocks * threads) as usize);
    let counter = memory.zeroed::<i32>(2);
    let launch = Launch::new("kernel", [blocks, 1, 1], [threads, 1, 1]);
    let args = [Arg::Buffer(out), Arg::Buffer(counter)];
    program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
    let mut found = memory.download(out);
    found.extend(memory.download::<i32>(counter));
    found
}

#[test]
fn a_butterfly_sums_a_warp() {
    let mut body = "%v0 = llvm.add %t, %zero : i32\n".to_owned();
    for (i, step) in [16, 8, 4, 2, 1].iter().enumerate() {
        body += &format!(
            "%s{i} = llvm.mlir.constant({step} : i32) : i32
             %x{i} = nvvm.shfl.sync bfly %all, %v{i}, %s{i}, %last : i32 -> i32
             %v{} = llvm.add %v{i}, %x{i} : i32\n",
            i + 1
        );
    }
    let found = each(1, 64, "", &(body + "%r = llvm.add %v5, %zero : i32"));
    assert_eq!(found[..32], [496; 32]);
    assert_eq!(found[32..64], [1520; 32]);
}

#[test]
fn a_shuffle_says_whether_its_source_is_there() {
    let body = "%s = nvvm.shfl.sync down %all, %t, %two, %last {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
         %v = llvm.extractvalue %s[0] : !llvm.struct<(i32, i1)>
         %ok = llvm.extractvalue %s[1] : !llvm.struct<(i32, i1)>
         %r = llvm.select %ok, %v, %all : i1, i32";
    let found = each(1, 32, "", body);
    assert!((0..32).all(|i| found[i] == if i < 30 { i as i32 + 2 } else { -1 }), "{found:?}");
}

#[test]
fn votes_matches_elections_and_reductions() {
    let vote = "%bit = llvm.and %t, %one : i32
         %odd = llvm.icmp \"eq\" %bit, %one : i32
         %r = nvvm.vote.sync ballot %all, %odd -> i32";
    assert_eq!(each(1, 32, "", vote)[..32], [0xaaaa_aaaau32 as i32; 32]);
    let matches = "%bit = llvm.and %t, %one : i32
         %r = nvvm.match.sync any %all, %bit : i32 -> i32";
    assert!((0..32).all(|i| each(1, 32, "", matches)[i] as u32 == [0x5555_5555, 0xaaaa_aaaa][i % 2]));
    let elect = "%e = nvvm.elect.sync -> i1
         %r = llvm.zext %e : i1 to i32";
    assert_eq!(each(1, 32, "", elect)[..32].iter().sum::<i32>(), 1);
    let redux = "%r = nvvm.redux.sync add %t, %all : i32 -> i32";
    assert_eq!(each(1, 32, "", redux)[..32], [496; 32]);
}

/// Each half of a warp passes its own mask to one instruction, as a tile of 16 threads does.
const HALVES: &str = "%sixteen = llvm.mlir.constant(16 : i32) : i32
         %low = llvm.mlir.constant(65535 : i32) : i32
         %high = llvm.mlir.constant(-65536 : i32) : i32
         %in = llvm.icmp \"ult\" %t, %sixteen : i32
         %mask = llvm.select %in, %low, %high : i1, i32
         %true = llvm.mlir.constant(true) : i1\n";

#[test]
fn halves_of_a_warp_run_a_collective_with_masks_of_their_own() {
    let run = |body: &str| -> Vec<i32> { each(1, 32, "", &(HALVES.to_owned() + body))[..32].to_vec() };
    let halves = |low: i32, high: i32| [[low; 16], [high; 16]].concat();
    let shuffled = run("%r = nvvm.shfl.sync bfly %mask, %t, %one, %last : i32 -> i32");
    assert!(shuffled.iter().zip(0..).all(|(v, t)| *v == t ^ 1), "{shuffled:?}");
    assert_eq!(run("%r = nvvm.vote.sync ballot %mask, %true -> i32"), halves(0xffff, -0x10000));
    assert_eq!(run("%r = nvvm.match.sync any %mask, %one : i32 -> i32"), halves(0xffff, -0x10000));
    assert_eq!(run("%r = nvvm.redux.sync add %t, %mask : i32 -> i32"), halves(120, 376));
    // In two places, one after the other.
    let apart = "llvm.cond_br %in, ^low, ^high
       ^low:
         %x = nvvm.redux.sync add %t, %mask : i32 -> i32
         llvm.br ^join(%x : i32)
       ^high:
         %y = nvvm.redux.sync max %t, %mask : i32 -> i32
         llvm.br ^join(%y : i32)
       ^join(%r: i32):";
    assert_eq!(run(apart), halves(120, 31));
    let active = run("%r = llvm.call_intrinsic \"llvm.nvvm.activemask\"() : () -> i32");
    assert_eq!(active, halves(-1, -1));
}

#[test]
fn masks_that_disagree_are_found() {
    let run = |mask: &str, used: &str, after: &str| {
        let body = format!(
            "%t = nvvm.read.ptx.sreg.tid.x : i32
             %one = llvm.mlir.constant(1 : i32) : i32
             %last = llvm.mlir.constant(31 : i32) : i32
             {HALVES}
             %ones = llvm.mlir.constant(-1 : i32) : i32
             {mask}
             %v = nvvm.shfl.sync bfly %m, %t, {used}, %last : i32 -> i32
             %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             llvm.store %v, %p : i32, !llvm.ptr<1>
             {after}"
        );
        let mut memory = Memory::new();
        let out = memory.zeroed::<i32>(32);
        let launch = Launch::new("kernel", [1, 1, 1], [32, 1, 1]);
        let result = kernel("%out: !llvm.ptr<1>", &body).run(&launch, &mut memory, &[Arg::Buffer(out)]);
        result.err().map_or_else(String::new, |e| e.to_string())
    };
    let lacking = run("%m = llvm.select %in, %high, %low : i1, i32", "%one", "");
    assert!(lacking.ends_with("lane mask 0xffff0000: the lane itself is not in it"), "{lacking}");
    // Lane 0 waits for all, lane 1 for itself and lane 0.
    let three = "%c3 = llvm.mlir.constant(3 : i32) : i32
             %is1 = llvm.icmp \"eq\" %t, %one : i32
             %m = llvm.select %is1, %c3, %ones : i1, i32";
    let mutual = run(three, "%one", "");
    assert!(
        mutual.ends_with("lane mask 0xffffffff: lane 1, which is in it, has mask 0x00000003"),
        "{mutual}"
    );
    // The upper half goes on without the lower one, which waits for it, until it has returned.
    let apart = "%m = llvm.select %in, %ones, %high : i1, i32";
    assert_eq!(run(apart, "%one", ""), "");
    let half = run(apart, "%one", "nvvm.barrier0");
    assert!(half.contains("16 of 32 threads wait here; thread (16, 0, 0)"), "{half}");
    let foreign = run("%m = llvm.select %in, %low, %high : i1, i32", "%sixteen", "");
    assert!(foreign.contains("the stored value is undefined"), "{foreign}");
}

/// Lanes that a branch sent apart wait for each other at a shuffle of them all.
#[test]
fn lanes_that_went_apart_meet_at_a_collective() {
    let body = "%bit = llvm.and %t, %one : i32
         %odd = llvm.icmp \"eq\" %bit, %one : i32
         llvm.cond_br %odd, ^odd, ^even
       ^odd:
         %x = llvm.mul %t, %two : i32
         llvm.br ^join(%x : i32)
       ^even:
         llvm.br ^join(%t : i32)
       ^join(%v: i32):
         %r = nvvm.shfl.sync bfly %all, %v, %one, %last : i32 -> i32";
    let found = each(1, 32, "", body);
    assert!(
        (0..32i32).all(|i| found[i as usize] == if i % 2 == 0 { 2 * (i + 1) } else { i - 1 }),
        "{found:?}"
    );
}

#[test]
fn every_thread_of_the_grid_counts_once() {
    let body = "%old = llvm.atomicrmw add %counter, %one monotonic : !llvm.ptr<1>, i32
         %c1 = llvm.getelementptr %counter[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
         %m = llvm.atomicrmw max %c1, %t monotonic : !llvm.ptr<1>, i32
         %r = llvm.add %old, %zero : i32";
    let mut found = each(20, 96, "", body);
    assert_eq!(found[20 * 96..], [20 * 96, 95]);
    found.truncate(20 * 96);
    found.sort_unstable();
    assert!(found.iter().enumerate().all(|(i, v)| i as i32 == *v));
}

/// Atomic operations that do not exclude each other are ordered by nothing.
#[test]
fn atomics_of_one_block_or_of_two_widths_race() {
    let run = |blocks: u32, body: &str| {
        let mut memory = Memory::new();
        let a = memory.zeroed::<i32>(2);
        let source = format!("%one = llvm.mlir.constant(1 : i32) : i32\n{body}");
        let launch = Launch::new("kernel", [blocks, 1, 1], [32, 1, 1]);
        let result = kernel("%a: !llvm.ptr<1>", &source).run(&launch, &mut memory, &[Arg::Buffer(a)]);
        result.map(|_| memory.download::<i32>(a)[0]).map_err(|e| e.to_string())
    };
    let add = |scope: &str| format!("%o = llvm.atomicrmw add %a, %one {scope} monotonic : !llvm.ptr<1>, i32");
    let block = add("syncscope(\"block\")");
    assert_eq!((run(1, &block), run(4, &add("syncscope(\"device\")"))), (Ok(32), Ok(128)));
    let e = run(4, &block).unwrap_err();
    assert!(
        e.contains("atomic operations of `syncscope(\"block\")` exclude only threads of their own block"),
        "{e}"
    );
    let mixed = "%t = nvvm.read.ptx.sreg.tid.x : i32
         %wide = llvm.mlir.constant(1 : i64) : i64
         %odd = llvm.trunc %t : i32 to i1
         llvm.cond_br %odd, ^narrow, ^wide
       ^narrow:
         %x = llvm.atomicrmw add %a, %one monotonic : !llvm.ptr<1>, i32
         llvm.br ^exit
       ^wide:
         %y = llvm.atomicrmw add %a, %wide monotonic : !llvm.ptr<1>, i64
         llvm.br ^exit
       ^exit:";
    let e = run(1, mixed).unwrap_err();
    assert!(e.contains("atomic operations of different widths do not exclude each other"), "{e}");
}

/// Threads that write neighbouring parts of a word do not race, and their parts stay.
#[test]
fn neighbours_within_a_word_are_apart() {
    for (ty, bytes) in [("i8", 1), ("i16", 2)] {
        let body = format!(
            "%v = llvm.trunc %t : i32 to {ty}
             %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
             %s = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, {ty}
             llvm.store %v, %s : {ty}, !llvm.ptr<3>
             %g = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {ty}
             %w = llvm.load %s : !llvm.ptr<3> -> {ty}
             llvm.store %w, %g : {ty}, !llvm.ptr<1>"
        );
        let tile = "llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<64 x i16>";
        let program = program(&format!(
            "{tile}\n{}",
            function("%out: !llvm.ptr<1>", &format!("%t = nvvm.read.ptx.sreg.tid.x : i32\n{body}"))
        ));
        let mut memory = Memory::new();
        let out = memory.zeroed::<u8>(64 * bytes);
        let launch = Launch::new("kernel", [1, 1, 1], [64, 1, 1]);
        program.run(&launch, &mut memory, &[Arg::Buffer(out)]).unwrap_or_else(|e| panic!("{e}"));
        let found = memory.download::<u8>(out);
        assert!((0..64).all(|t| usize::from(found[t * bytes]) == t), "{ty}: {found:?}");
    }
}

/// A lock by compare-exchange that lanes of one warp, and blocks, contend for: whoever spins must
/// not starve its holder.
#[test]
fn a_spin_lock_lets_everybody_in() {
    let body = "%c1 = llvm.getelementptr %counter[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
         llvm.br ^try
       ^try:
         %x = llvm.cmpxchg %counter, %zero, %one acq_rel monotonic : !llvm.ptr<1>, i32
         %got = llvm.extractvalue %x[1] : !llvm.struct<(i32, i1)>
         llvm.cond_br %got, ^in, ^try
       ^in:
         %v = llvm.load %c1 : !llvm.ptr<1> -> i32
         %w = llvm.add %v, %one : i32
         llvm.store %w, %c1 : i32, !llvm.ptr<1>
         %free = llvm.atomicrmw xchg %counter, %zero release : !llvm.ptr<1>, i32
         llvm.br ^out
       ^out:
         %r = llvm.add %v, %zero : i32";
    let found = each(2, 64, "", body);
    assert_eq!(found[128..], [0, 128]);
}

#[test]
fn a_kernel_prints() {
    let source = format!(
        "llvm.mlir.global internal constant @text(\"thread %d of %s: %.2f%%\\0A\\00\") {{addr_space = 0 : i32}} : !llvm.array<25 x i8>
         llvm.mlir.global internal constant @name(\"two\\00\") {{addr_space = 0 : i32}} : !llvm.array<4 x i8>
         llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
         {}",
        function(
            "",
            "%t = nvvm.read.ptx.sreg.tid.x : i32
             %one = llvm.mlir.constant(1 : i32) : i32
             %half = llvm.mlir.constant(0.5 : f64) : f64
             %text = llvm.mlir.addressof @text : !llvm.ptr
             %name = llvm.mlir.addressof @name : !llvm.ptr
             %args = llvm.alloca %one x !llvm.struct<(i32, ptr, f64)> : (i32) -> !llvm.ptr
             %p1 = llvm.getelementptr %args[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, ptr, f64)>
             %p2 = llvm.getelementptr %args[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, ptr, f64)>
             llvm.store %t, %args : i32, !llvm.ptr
             llvm.store %name, %p1 : !llvm.ptr, !llvm.ptr
             llvm.store %half, %p2 : f64, !llvm.ptr
             %n = llvm.call @vprintf(%text, %args) : (!llvm.ptr, !llvm.ptr) -> i32"
        )
    );
    let launch = Launch::new("kernel", [1, 1, 1], [2, 1, 1]);
    let report = program(&source).run(&launch, &mut Memory::new(), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.output, "thread 0 of two: 0.50%\nthread 1 of two: 0.50%\n");
}

/// Producers arrive at a barrier without waiting; consumers wait there, and then may read.
#[test]
fn arriving_orders_what_was_written_before() {
    let body = "%c32 = llvm.mlir.constant(32 : i32) : i32
         %c64 = llvm.mlir.constant(64 : i32) : i32
         %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
         %lane = llvm.and %t, %last : i32
         %s = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         %producer = llvm.icmp \"ult\" %t, %c32 : i32
         llvm.cond_br %producer, ^produce, ^consume
       ^produce:
         llvm.store %t, %s : i32, !llvm.ptr<3>
         nvvm.barrier.arrive id = %one number_of_threads = %c64
         llvm.br ^out(%t : i32)
       ^consume:
         nvvm.barrier id = %one number_of_threads = %c64
         %v = llvm.load %s : !llvm.ptr<3> -> i32
         llvm.br ^out(%v : i32)
       ^out(%r: i32):";
    let tile = "llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<32 x i32>";
    let found = each(1, 64, tile, body);
    assert!((0..64).all(|i| found[i] == i as i32 % 32));
}

/// An undefined value may be carried about, and selected away, but not decide anything.
#[test]
fn undefined_values_matter_where_they_are_used() {
    let source = |used: &str| {
        kernel(
            "%out: !llvm.ptr<1>, %pick: i1",
            &format!(
                "%u = llvm.mlir.undef : i32
                 %one = llvm.mlir.constant(1 : i32) : i32
                 %sum = llvm.add %u, %one : i32
                 %v = llvm.select %pick, %one, %sum : i1, i32
                 {used}
                 llvm.store %v, %out : i32, !llvm.ptr<1>"
            ),
        )
    };
    let run = |used: &str, pick| {
        let mut memory = Memory::new();
        let out = memory.zeroed::<i32>(1);
        let launch = Launch::new("kernel", [1, 1, 1], [1, 1, 1]);
        let result = source(used).run(&launch, &mut memory, &[Arg::Buffer(out), Arg::Bool(pick)]);
        result.map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(run("", true), Ok(()));
    assert!(
        run("", false)
            .unwrap_err()
            .contains("the stored value is undefined: `llvm.mlir.undef` (-:3:6) gives it no value")
    );
    let address = "%p = llvm.getelementptr %out[%sum] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %one, %p : i32, !llvm.ptr<1>";
    assert!(run(address, true).unwrap_err().contains("the address is undefined: `llvm.mlir.undef`"));
    let frozen = "%f = llvm.freeze %sum : i32
         %odd = llvm.trunc %f : i32 to i1
         llvm.cond_br %odd, ^a, ^a
       ^a:";
    assert_eq!(run(frozen, true), Ok(()));
}

/// Code may divide by an extent before it asks whether there is anything.
#[test]
fn a_division_by_zero_matters_where_its_result_is_used() {
    for op in ["llvm.sdiv", "llvm.udiv", "llvm.srem", "llvm.urem"] {
        let body = format!(
            "%one = llvm.mlir.constant(1 : i32) : i32
             %zero = llvm.mlir.constant(0 : i32) : i32
             %any = llvm.icmp \"ne\" %n, %zero : i32
             %q = {op} %one, %n : i32
             %v = llvm.select %pick, %q, %one : i1, i32
             llvm.store %v, %out : i32, !llvm.ptr<1>"
        );
        let run = |n: i32, pick| {
            let mut memory = Memory::new();
            let out = memory.zeroed::<i32>(1);
            let launch = Launch::new("kernel", [1, 1, 1], [1, 1, 1]);
            let arguments = [Arg::Buffer(out), Arg::I32(n), Arg::Bool(pick)];
            let result =
                kernel("%out: !llvm.ptr<1>, %n: i32, %pick: i1", &body).run(&launch, &mut memory, &arguments);
            result.map(|_| ()).map_err(|e| e.to_string())
        };
        assert_eq!([run(3, true), run(0, false)], [Ok(()), Ok(())], "{op}");
        let found = run(0, true).unwrap_err();
        assert!(
            found.contains(&format!("the stored value is undefined: `{op}` (-:6:19) divides by 0")),
            "{found}"
        );
    }
}

/// Signed and unsigned arithmetic that says whether it wrapped.
#[test]
fn arithmetic_says_whether_it_wraps() {
    let flags = ["sadd", "ssub", "smul", "uadd", "usub", "umul"].map(|name| {
        let body = format!(
            "%most = llvm.mlir.constant(2147483647 : i32) : i32
             %x = llvm.mul %t, %most : i32
             %both = \"llvm.intr.{name}.with.overflow\"(%x, %t) : (i32, i32) -> !llvm.struct<(i32, i1)>
             %flag = llvm.extractvalue %both[1] : !llvm.struct<(i32, i1)>
             %r = llvm.zext %flag : i1 to i32"
        );
        each(1, 5, "", &body)[..5].to_vec()
    });
    // x = t * (2^31 - 1) mod 2^32: 0, 2^31 - 1, -2, 2^31 - 3, -4; t = 0 .. 4.
    let expected = [[0, 1, 0, 1, 0], [0; 5], [0, 0, 0, 1, 0], [0, 0, 1, 0, 1], [0; 5], [0, 0, 1, 1, 1]];
    assert_eq!(flags.map(|f| <[i32; 5]>::try_from(f).unwrap()), expected);
}

/// A trap is a finding, with what the thread printed right before it.
#[test]
fn a_trap_says_what_was_printed_before_it() {
    let source = |printed: &str, ending: &str| {
        format!(
            "llvm.mlir.global internal constant @early(\"early\\0A\\00\") {{addr_space = 0 : i32}} : !llvm.array<7 x i8>
             llvm.mlir.global internal constant @text(\"%s %d is bad\\0A\\00\") {{addr_space = 0 : i32}} : !llvm.array<14 x i8>
             llvm.mlir.global internal constant @name(\"thread\\00\") {{addr_space = 0 : i32}} : !llvm.array<7 x i8>
             llvm.func @vprintf(!llvm.ptr, !llvm.ptr) -> i32
             llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)
             {}",
            function(
                "",
                &format!(
                    "%t = nvvm.read.ptx.sreg.tid.x : i32
             %one = llvm.mlir.constant(1 : i32) : i32
             %wide = llvm.mlir.constant(1 : i64) : i64
             %two = llvm.mlir.constant(2 : i32) : i32
             %early = llvm.mlir.addressof @early : !llvm.ptr
             %text = llvm.mlir.addressof @text : !llvm.ptr
             %name = llvm.mlir.addressof @name : !llvm.ptr
             %none = llvm.alloca %one x !llvm.struct<()> : (i32) -> !llvm.ptr
             %args = llvm.alloca %one x !llvm.struct<(ptr, i32)> : (i32) -> !llvm.ptr
             %p1 = llvm.getelementptr %args[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, i32)>
             llvm.store %name, %args : !llvm.ptr, !llvm.ptr
             llvm.store %t, %p1 : i32, !llvm.ptr
             %n0 = llvm.call @vprintf(%early, %none) : (!llvm.ptr, !llvm.ptr) -> i32
             %bad = llvm.icmp \"sge\" %t, %two : i32
             llvm.cond_br %bad, ^bad, ^good
           ^bad:
             {printed}
             {ending}
             llvm.br ^good
           ^good:"
                )
            )
        )
    };
    let run = |printed: &str, ending: &str, threads: u32| {
        let launch = Launch::new("kernel", [1, 1, 1], [threads, 1, 1]);
        let report =
            program(&source(printed, ending)).simulate(&launch, &mut Memory::new(), &[], |_| {}).unwrap();
        let findings = report.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        (findings, report.output)
    };
    let print = "%n1 = llvm.call @vprintf(%text, %args) : (!llvm.ptr, !llvm.ptr) -> i32";
    let trap = "\"llvm.intr.trap\"() : () -> ()";
    assert_eq!(run(print, trap, 2), (String::new(), "early\n".repeat(2)));
    let (finding, output) = run(print, trap, 3);
    assert!(
        finding.ends_with(
            "`llvm.intr.trap` in block (0, 0, 0), thread (2, 0, 0): the kernel traps: thread 2 is bad"
        ),
        "{finding}"
    );
    assert_eq!(output, "early\n".repeat(3) + "thread 2 is bad\n");
    // Earlier output in another block is not the reason.
    assert!(run("", trap, 3).0.ends_with("the kernel traps"));
    let assertion = "llvm.call @__assertfail(%name, %name, %one, %name, %wide) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) -> ()";
    assert!(run(print, assertion, 3).0.ends_with("the kernel traps: assertion failed: thread"));
}

/// `elect.sync` elects the lowest lane, and with `reverse` the highest, the same one whenever it is
/// asked about the same lanes. A launch may choose another.
#[test]
fn the_schedule_or_the_launch_chooses_the_elected_lane() {
    let body = "%e = nvvm.elect.sync -> i1
         %f = nvvm.elect.sync -> i1
         %a = llvm.zext %e : i1 to i32
         %b = llvm.zext %f : i1 to i32
         %two = llvm.mlir.constant(2 : i32) : i32
         %c = llvm.mul %b, %two : i32
         %v = llvm.add %a, %c : i32
         %t = nvvm.read.ptx.sreg.tid.x : i32
         %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %v, %p : i32, !llvm.ptr<1>
         nvvm.griddepcontrol wait";
    let program = kernel("%out: !llvm.ptr<1>", body);
    let elected = |schedule, elect| {
        let mut memory = Memory::new();
        let out = memory.zeroed::<i32>(32);
        let launch = Launch { schedule, elect, ..Launch::new("kernel", [1, 1, 1], [32, 1, 1]) };
        let report = program.run(&launch, &mut memory, &[Arg::Buffer(out)]).unwrap();
        assert_eq!(report.elections.len(), 2);
        assert!(report.elections[0].site < report.elections[1].site);
        assert_eq!(report.elections[0].op, "nvvm.elect.sync");
        let found: Vec<i32> = memory.download(out);
        assert_eq!(found.iter().sum::<i32>(), 3, "{found:?}");
        found.iter().position(|v| *v == 3).unwrap()
    };
    let seeds = (0..4).map(Schedule::Random);
    for schedule in [Schedule::Lazy, Schedule::Eager, Schedule::Reverse].into_iter().chain(seeds) {
        let own = if schedule == Schedule::Reverse { 31 } else { 0 };
        assert_eq!(elected(schedule, None), own, "{schedule}");
        for (elect, lane) in [(Election::First, 0), (Election::Last, 31), (Election::Lane(20), 20)] {
            assert_eq!(elected(schedule, Some(elect)), lane, "{schedule}");
        }
    }
}
