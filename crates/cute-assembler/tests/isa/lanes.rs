//! Shuffles, votes, elections, matches, reductions and barriers of a warp: segments, masks and the
//! values of lanes that take no part (PTX ISA: shfl.sync, vote.sync, elect.sync, match.sync,
//! redux.sync, bar.warp.sync, activemask).

use super::{Grid, lanes};
use cute_sim::Schedule;

/// The results of lanes that have these words.
fn of(body: &str, words: &[u32]) -> Vec<u32> {
    Grid::WARP.run(body, words).unwrap_or_else(|e| panic!("{body}: {e}"))
}

/// The lane that each lane reads, and whether the predicate says that it exists.
type Source = fn(u32) -> (u32, bool);

/// Operand `c` is the clamp in bits 0 to 4 and the mask of segments in bits 8 to 12; of `b` five
/// bits count. A lane whose source is not in its range reads itself.
#[test]
fn shuffles_stay_in_their_segments() {
    for (mode, b, c, source) in [
        ("up", 1u32, 0u32, (|l| if l >= 1 { (l - 1, true) } else { (l, false) }) as Source),
        ("up", 0, 0, |l| (l, true)),
        ("up", 31, 0, |l| if l == 31 { (0, true) } else { (l, false) }),
        // Segments of 8.
        ("up", 3, 0x1800, |l| if l % 8 >= 3 { (l - 3, true) } else { (l, false) }),
        // Nothing below the clamp is read.
        ("up", 1, 5, |l| if l >= 6 { (l - 1, true) } else { (l, false) }),
        ("up", 1, 0x1805, |l| if l % 8 >= 6 { (l - 1, true) } else { (l, false) }),
        ("down", 1, 31, |l| if l <= 30 { (l + 1, true) } else { (l, false) }),
        ("down", 31, 31, |l| if l == 0 { (31, true) } else { (l, false) }),
        ("down", 0, 0, |l| (l, l == 0)),
        // Segments of 4, of which the last lane is not read.
        ("down", 1, 0x1c02, |l| if l % 4 <= 1 { (l + 1, true) } else { (l, false) }),
        ("bfly", 31, 31, |l| (31 - l, true)),
        ("bfly", 1, 31, |l| (l ^ 1, true)),
        ("bfly", 16, 15, |l| if l >= 16 { (l - 16, true) } else { (l, false) }),
        // A segment has no lower bound here: odd lanes read the lane below in another segment.
        ("bfly", 1, 0x1f1f, |l| if l % 2 == 1 { (l - 1, true) } else { (l, false) }),
        ("idx", 0, 31, |_| (0, true)),
        ("idx", 31, 31, |_| (31, true)),
        ("idx", 31, 30, |l| (l, false)),
        ("idx", 2, 0x1803, |l| (l / 8 * 8 + 2, true)),
        ("idx", 5, 0x1803, |l| (l, false)),
        // The lane within the segment is modulo its length.
        ("idx", 13, 0x181f, |l| (l / 8 * 8 + 5, true)),
        // Bits that do not count: 32 is 0, and -1 is 31.
        ("up", 32, 0xffff_e0e0, |l| (l, true)),
        ("down", 33, 0xe0ff, |l| if l <= 30 { (l + 1, true) } else { (l, false) }),
        ("bfly", u32::MAX, 0x2000_003f, |l| (31 - l, true)),
        ("idx", 0x8000_0003, 31, |_| (3, true)),
    ] {
        let body = format!(
            "mov.b32 %r4, {b}; mov.b32 %r5, {c}; shfl.sync.{mode}.b32 %r2|%p0, %r0, %r4, %r5, -1;
             selp.b32 %r6, 0x100, 0, %p0; or.b32 %r2, %r2, %r6;"
        );
        let expected = lanes(|lane| {
            let (from, exists) = source(lane);
            (from + 0x40) | (u32::from(exists) << 8)
        });
        assert_eq!(of(&body, &lanes(|lane| lane + 0x40)), expected, "{mode} {b} {c:#x}");
    }
    // Each lane has an offset of its own.
    let reversed = "sub.u32 %r4, 31, %r1; shfl.sync.idx.b32 %r2, %r0, %r4, 31, 0xffffffff;";
    assert_eq!(of(reversed, &lanes(|lane| lane * 3)), lanes(|lane| 3 * (31 - lane)));
}

/// A lane outside of the mask has no value to read, and must not execute the instruction.
#[test]
fn shuffles_reach_the_lanes_of_their_mask() {
    let half = |instruction: &str| {
        format!("setp.lt.u32 %p1, %r1, 16; mov.b32 %r2, 99; @!%p1 bra done; {instruction} done:")
    };
    let inside = half("shfl.sync.bfly.b32 %r2, %r0, 15, 31, 0xffff;");
    assert_eq!(of(&inside, &lanes(|lane| lane)), lanes(|l| if l < 16 { 15 - l } else { 99 }));
    // The predicate says that the lane exists, not that it takes part.
    let exists = half("shfl.sync.idx.b32 %r4|%p0, %r0, 20, 31, 0xffff; selp.b32 %r2, 1, 2, %p0;");
    assert_eq!(of(&exists, &lanes(|lane| lane)), lanes(|l| if l < 16 { 1 } else { 99 }));
    for (body, message) in [
        (half("shfl.sync.idx.b32 %r2, %r0, 20, 31, 0xffff;"), "the stored value is undefined"),
        (half("shfl.sync.idx.b32 %r2, %r0, 0, 31, 0x7fff;"), "the lane itself is not in it"),
        (half("shfl.sync.idx.b32 %r2, %r0, 0, 31, 0;"), "the lane itself is not in it"),
        (half("shfl.sync.idx.b32 %r2, %r0, 0, 31, -1;") + " bar.warp.sync -1;", "threads wait here"),
        ("shfl.sync.idx.b32 %r2, %r7, 0, 31, -1;".to_owned(), "the stored value is undefined"),
    ] {
        Grid::WARP.fails(&body, message);
    }
}

/// Lanes outside of the mask do not vote.
#[test]
fn votes_count_the_lanes_of_their_mask() {
    for (words, all, any, uni, ballot) in [
        (lanes(|_| 0), 0, 0, 1, 0),
        (lanes(|_| 1), 1, 1, 1, u32::MAX),
        (lanes(|lane| u32::from(lane == 31)), 0, 1, 0, 1 << 31),
        (lanes(|lane| u32::from(lane != 0)), 0, 1, 0, u32::MAX - 1),
    ] {
        for (instruction, expected) in [
            ("vote.sync.all.pred %p1, %p0, -1;", all),
            ("vote.sync.any.pred %p1, %p0, -1;", any),
            ("vote.sync.uni.pred %p1, %p0, -1;", uni),
            ("vote.sync.all.pred %p1, !%p0, -1;", 1 - any),
            ("vote.sync.any.pred %p1, !%p0, -1;", 1 - all),
            ("vote.sync.uni.pred %p1, !%p0, -1;", uni),
        ] {
            let body = format!("setp.ne.u32 %p0, %r0, 0; {instruction} selp.b32 %r2, 1, 0, %p1;");
            assert_eq!(of(&body, &words), [expected; 32], "{instruction}");
        }
        let body = "setp.ne.u32 %p0, %r0, 0; vote.sync.ballot.b32 %r2, %p0, 0xffffffff;";
        assert_eq!(of(body, &words), [ballot; 32]);
        assert_eq!(of(&body.replace(" %p0, 0xf", " !%p0, 0xf"), &words), [!ballot; 32]);
    }
    // Each lane is alone in its mask; then the halves are apart.
    let alone = "shl.b32 %r4, 1, %r1; setp.ne.u32 %p0, %r0, 0; vote.sync.ballot.b32 %r2, %p0, %r4;";
    assert_eq!(of(alone, &lanes(|l| l % 2)), lanes(|l| if l % 2 == 1 { 1 << l } else { 0 }));
    let halves = "setp.lt.u32 %p1, %r1, 16; selp.b32 %r4, 0xffff, 0xffff0000, %p1; setp.ne.u32 %p0, %r0, 0;
        vote.sync.all.pred %p2, %p0, %r4; selp.b32 %r2, 1, 0, %p2;";
    assert_eq!(of(halves, &lanes(|l| u32::from(l >= 16))), lanes(|l| u32::from(l >= 16)));
    Grid::WARP.fails(
        "setp.eq.u32 %p0, %r1, 0; vote.sync.any.pred %p1, %p0, 0xfffffffe;",
        "the lane itself is not in it",
    );
    Grid::WARP
        .fails("vote.sync.any.pred %p1, %p0, -1; selp.b32 %r2, 1, 0, %p1;", "the stored value is undefined");
}

/// The lanes of the mask that have not returned are enough, whether the others return before they
/// come or while they wait. What a lane that has returned would supply is undefined.
#[test]
fn lanes_that_have_returned_take_no_part() {
    let left = "setp.lt.u32 %p1, %r1, 12; @!%p1 exit; setp.lt.u32 %p0, %r1, 5;";
    // The lanes that return come later in the code.
    let waiting = |instruction: &str| {
        format!("setp.lt.u32 %p1, %r1, 12; setp.lt.u32 %p0, %r1, 5; @!%p1 bra done; {instruction} done:")
    };
    for (instruction, expected) in [
        ("vote.sync.ballot.b32 %r2, %p0, -1;", 0x1f),
        ("vote.sync.all.pred %p2, %p0, -1; selp.b32 %r2, 1, 2, %p2;", 2),
        ("vote.sync.any.pred %p2, %p0, -1; selp.b32 %r2, 1, 2, %p2;", 1),
        ("match.any.sync.b32 %r2, 7, -1;", 0xfff),
        ("match.all.sync.b32 %r2, 7, -1;", 0xfff),
        ("redux.sync.add.u32 %r2, %r1, -1;", 66),
        ("redux.sync.max.u32 %r2, %r1, 0x0000ffff;", 11),
        ("shfl.sync.idx.b32 %r2, %r1, 3, 31, -1;", 3),
    ] {
        let words = [u32::MAX; 32];
        let found = lanes(|l| if l < 12 { expected } else { u32::MAX });
        assert_eq!(of(&format!("{left} {instruction}"), &words), found, "{instruction}");
        let rest = of(&waiting(instruction), &words);
        assert_eq!(rest[..12], found[..12], "{instruction}");
    }
    let beyond = format!("{left} shfl.sync.idx.b32 %r2, %r1, 20, 31, -1;");
    Grid::WARP.fails(&beyond, "the stored value is undefined");
    // `elect.sync` does not except them.
    Grid::WARP.fails(&format!("{left} elect.sync _|%p2, -1;"), "thread (12, 0, 0) has returned");
}

/// A barrier without a count waits for the threads that have not returned. With a count, warps take
/// part as a whole, and one that has returned is missing.
#[test]
fn threads_that_have_returned_take_no_part_in_barriers() {
    let block = Grid { threads: 96, ..Grid::WARP };
    let run = |body: &str| block.run(body, &[0; 96]);
    let left = |expected: u32, count: u32| {
        Ok((0..96).map(|t| if t < count { expected } else { u32::MAX }).collect::<Vec<u32>>())
    };
    let ends = |count: u32| format!("setp.ge.u32 %p0, %r1, {count}; @%p0 exit; setp.lt.u32 %p1, %r1, 7;");
    for barrier in ["bar.sync 0;", "barrier.sync 3;", "bar.warp.sync 0xff; bar.sync 0;"] {
        // Lane 8 on do not exist in the last warp that is left.
        let (body, count) = (format!("{} {barrier} mov.b32 %r2, 1;", ends(40)), 40);
        match barrier.contains("0xff") {
            false => assert_eq!(run(&body), left(1, count), "{barrier}"),
            true => block.fails(&body, "the lane itself is not in it"),
        }
    }
    let votes = format!("{} bar.red.popc.u32 %r2, 0, %p1;", ends(40));
    assert_eq!(run(&votes), left(7, 40));
    // Lanes that have returned count with their warp.
    let counted = format!("{} bar.sync 1, 64; mov.b32 %r2, 1;", ends(40));
    assert_eq!(run(&counted), left(1, 40));
    let arrives = "setp.ge.u32 %p0, %r1, 72; @%p0 exit; setp.ge.u32 %p1, %r1, 64; @%p1 bra arrive;
        bar.sync 1, 96; mov.b32 %r2, 1; bra.uni end; arrive: bar.arrive 1, 96; mov.b32 %r2, 1; end:";
    assert_eq!(run(arrives), left(1, 72));
    // The third warp may still come.
    let late = "setp.ge.u32 %p0, %r1, 64; @%p0 bra late; setp.ge.u32 %p1, %r1, 32; @%p1 exit;
        bar.sync 1, 64; mov.b32 %r2, 1; bra.uni end; late: bar.sync 2, 32; bar.sync 1, 64; mov.b32 %r2, 1; end:";
    let found = (0..96).map(|t| if t / 32 == 1 { u32::MAX } else { 1 }).collect();
    assert_eq!(run(late), Ok(found));
    // Threads that wait elsewhere have not returned.
    let apart =
        "setp.lt.u32 %p0, %r1, 64; @!%p0 bra other; bar.sync 0; bra.uni end; other: bar.sync 1, 96; end:";
    block.fails(apart, "no thread can go on");
}

/// The lowest lane of the mask is elected, or the highest, the same one for the same mask; all
/// learn its number.
#[test]
fn one_lane_of_the_mask_is_elected() {
    for schedule in [Schedule::Lazy, Schedule::Reverse, Schedule::Random(1), Schedule::Random(2)] {
        for mask in [u32::MAX, 1, 1 << 31, 0x8000_0001, 0x0ff0_0000, 0x5555_5555] {
            let body = format!(
                "mov.b32 %r2, 99; shr.b32 %r4, {mask}, %r1; and.b32 %r4, %r4, 1; setp.eq.u32 %p1, %r4, 0;
                 @%p1 bra done; elect.sync %r2|%p0, {mask}; selp.b32 %r4, 0x100, 0, %p0; or.b32 %r2, %r2, %r4;
                 elect.sync _|%p2, {mask}; selp.b32 %r4, 0x200, 0, %p2; or.b32 %r2, %r2, %r4; done:"
            );
            let found = Grid { schedule, ..Grid::WARP }.run(&body, &[0; 32]);
            let found = found.unwrap_or_else(|e| panic!("{body}: {e}"));
            let leader = match schedule {
                Schedule::Reverse => 31 - mask.leading_zeros(),
                _ => mask.trailing_zeros(),
            };
            let expected = lanes(|lane| match mask >> lane & 1 {
                0 => 99,
                _ => leader | if lane == leader { 0x300 } else { 0 },
            });
            assert_eq!(found, expected, "{mask:#x} {schedule:?}");
        }
    }
    Grid::WARP.fails("elect.sync _|%p0, 0xfffffffe;", "the lane itself is not in it");
    Grid::WARP.fails("elect.sync _|%p0, 0;", "the lane itself is not in it");
}

/// `match.all` is the mask and true if all lanes agree, and otherwise 0 and false.
#[test]
fn values_are_matched_within_the_mask() {
    let wide = "cvt.u64.u32 %rd3, %r0; shl.b64 %rd3, %rd3, 32;";
    let any = format!("{wide} match.any.sync.b64 %r2, %rd3, -1;");
    // Only the upper halves differ.
    assert_eq!(of(&any, &lanes(|l| l / 8)), lanes(|l| 0xff << (l / 8 * 8)));
    let any = "match.any.sync.b32 %r2, %r0, -1;";
    assert_eq!(of(any, &lanes(|l| l)), lanes(|l| 1 << l));
    assert_eq!(of(any, &lanes(|l| l % 31)), lanes(|l| if l % 31 == 0 { 0x8000_0001 } else { 1 << l }));
    for (mask, expected) in [(0xffffu32, 0xffff | 1 << 16), (0x1ffff, 0)] {
        let count = 32 - mask.leading_zeros();
        let body = format!(
            "mov.b32 %r2, 99; setp.ge.u32 %p1, %r1, {count}; @%p1 bra done; {wide}
             match.all.sync.b64 %r2|%p0, %rd3, {mask}; selp.b32 %r4, 0x10000, 0, %p0; or.b32 %r2, %r2, %r4; done:"
        );
        let words = lanes(|l| u32::from(l >= 16));
        assert_eq!(of(&body, &words), lanes(|l| if l < count { expected } else { 99 }), "{mask:#x}");
    }
    Grid::WARP.fails("match.any.sync.b32 %r2, %r0, 0x7fffffff;", "the lane itself is not in it");
}

/// Sums wrap, and an extremum has the sign that the type says.
#[test]
fn integers_are_reduced() {
    let (m, low) = (u32::MAX, 1 << 31);
    let ends = lanes(|l| [low, m, 0, low - 1][l as usize % 4]);
    for (operation, words, expected) in [
        ("add.u32", &ends, 0u32.wrapping_sub(16)),
        ("add.s32", &lanes(|_| low | 1), 32),
        ("min.s32", &ends, low),
        ("max.s32", &ends, low - 1),
        ("min.u32", &ends, 0),
        ("max.u32", &ends, m),
        ("and.b32", &lanes(|l| !(1 << l)), 0),
        ("and.b32", &lanes(|_| m), m),
        ("or.b32", &lanes(|l| 1 << l), m),
        ("or.b32", &lanes(|_| 0), 0),
        ("xor.b32", &lanes(|l| 1 << (l % 31)), m / 2 - 1),
    ] {
        let body = format!("redux.sync.{operation} %r2, %r0, -1;");
        assert_eq!(of(&body, words), [expected; 32], "{operation}");
    }
    let half =
        "mov.b32 %r2, 99; setp.lt.u32 %p1, %r1, 5; @!%p1 bra done; redux.sync.add.u32 %r2, %r0, 0x1f; done:";
    assert_eq!(of(half, &lanes(|l| l)), lanes(|l| if l < 5 { 10 } else { 99 }));
    let alone = "shl.b32 %r4, 1, %r1; redux.sync.min.s32 %r2, %r0, %r4;";
    assert_eq!(of(alone, &ends), ends);
    Grid::WARP.fails("redux.sync.add.u32 %r2, %r0, 0;", "the lane itself is not in it");
}

/// Lanes of one mask wait for each other, and see what they wrote before.
#[test]
fn a_warp_meets_at_its_barrier() {
    let exchange = |barrier: &str| {
        format!(
            "mov.b64 %rd3, tile; mad.wide.u32 %rd3, %r1, 4, %rd3; st.shared.u32 [%rd3], %r0; {barrier}
             mov.b64 %rd4, tile; xor.b32 %r4, %r1, 1; mad.wide.u32 %rd4, %r4, 4, %rd4; ld.shared.u32 %r2, [%rd4];"
        )
    };
    let all = exchange("bar.warp.sync -1;");
    assert_eq!(of(&all, &lanes(|l| l * 5)), lanes(|l| (l ^ 1) * 5));
    // Neighbours alone, with a mask in a register.
    let pairs = exchange("and.b32 %r5, %r1, 30; shl.b32 %r5, 3, %r5; bar.warp.sync %r5;");
    assert_eq!(of(&pairs, &lanes(|l| l * 5)), lanes(|l| (l ^ 1) * 5));
    let alone = exchange("shl.b32 %r5, 1, %r1; bar.warp.sync %r5;");
    Grid::WARP.fails(&alone, "nothing orders it with");
    Grid::WARP.fails("bar.warp.sync 0;", "the lane itself is not in it");
    Grid::WARP.fails("bar.warp.sync 0x0000ffff;", "the lane itself is not in it");
    // Devices go on without a lane that has returned, and so does the simulator.
    let named = "setp.eq.u32 %p0, %r1, 3; @%p0 exit; bar.warp.sync 0xffffffff; mov.b32 %r2, 1;";
    assert_eq!(of(named, &[0; 32]), lanes(|l| if l == 3 { u32::MAX } else { 1 }));
    // A mask without the lane that has returned.
    let rest = "setp.eq.u32 %p0, %r1, 3; @%p0 exit; bar.warp.sync 0xfffffff7; mov.b32 %r2, 1;";
    assert_eq!(of(rest, &[0; 32]), lanes(|l| if l == 3 { u32::MAX } else { 1 }));
}

/// The lanes that execute the instruction together.
#[test]
fn active_lanes_are_those_that_are_here() {
    assert_eq!(of("activemask.b32 %r2;", &[0; 32]), [u32::MAX; 32]);
    let one = "setp.eq.u32 %p0, %r1, 31; @!%p0 bra done; activemask.b32 %r2; done:";
    assert_eq!(of(one, &[0; 32]), lanes(|l| if l == 31 { 1 << 31 } else { 0 }));
    let guarded = "setp.lt.u32 %p0, %r1, 16; @%p0 activemask.b32 %r2;";
    assert_eq!(of(guarded, &[0; 32]), lanes(|l| if l < 16 { 0xffff } else { 0 }));
}
