//! A ring of copies, as it is and with mistakes that only some sizes show.

use cute_assembler::module::{Reading, parse};
use cute_prove::{Answer, How, Question, Sizes, conformance, prove};
use cute_sim::{Arg, Launch, Memory, Program, Schedule, Start};
use std::time::Duration;

const RING: &str = include_str!("ring.ptx");

struct Ring(Program);

impl Ring {
    fn launch(&self, n: i64) -> (Launch, Memory, Vec<Arg>) {
        let mut memory = Memory::new();
        let a = memory.upload(&vec![1i32; 256 * n as usize]);
        let d = memory.upload(&[0i32; 32]);
        // Each parameter is its bytes.
        let word = |bits: u64, bytes: usize| Arg::Bytes(bits.to_le_bytes()[..bytes].to_vec());
        let at = |buffer| memory.address(buffer).expect("a buffer of this memory");
        let args = vec![word(at(a), 8), word(at(d), 8), word(n as u64, 4)];
        (Launch::new("ring", [1; 3], [64, 1, 1]), memory, args)
    }
}

impl Sizes for Ring {
    fn start(&self, n: i64) -> Result<(Launch, Start), String> {
        let (launch, mut memory, args) = self.launch(n);
        let start = self.0.start(&launch, &mut memory, &args).map_err(|why| why.to_string())?;
        Ok((launch, start))
    }

    fn run(&self, n: i64, how: How) -> Result<Option<String>, String> {
        let (mut launch, mut memory, args) = self.launch(n);
        (launch.schedule, launch.watcher, launch.check_races) = (how.schedule, how.watcher, how.races);
        let report = self.0.simulate(&launch, &mut memory, &args, |_| {}).map_err(|why| why.to_string())?;
        Ok(report.errors().next().map(|finding| format!("{:?}", finding.kind)))
    }
}

fn asked(text: &str, time: Duration) -> Answer {
    let program = parse(text, Reading { file: "ring.ptx", strict: true }).and_then(|file| file.program());
    let ring = Ring(program.unwrap_or_else(|why| panic!("{why}\n{text}")));
    prove(&ring.0.kernels[0], &ring, Question { first: 0, time, strict: true })
}

fn answer(text: &str) -> Answer {
    asked(text, Duration::from_secs(60))
}

/// The ring with another text in the place of one, which it has once.
fn with(old: &str, new: &str) -> String {
    assert_eq!(RING.matches(old).count(), 1, "{old}");
    RING.replace(old, new)
}

/// In the way of the consumer's arrival, where `%p9` skips it.
const ARRIVES: &str = "	@%p9 bra NEXT;
";

#[test]
fn a_ring_is_proved_for_every_size() {
    let Answer::Proved(proof) = answer(RING) else { panic!("{:?}", answer(RING)) };
    assert_eq!((proof.period, proof.warps), (8, 2));
    assert!(proof.most > 1 << 30 && proof.unreached.is_empty(), "{proof:?}");
}

#[test]
fn a_mistake_of_one_size_is_a_counterexample_of_that_size() {
    for (line, first) in [
        // The arrival of the tenth slot is missing: the one four slots later waits for it.
        (format!("{ARRIVES}	setp.eq.u32 %p9, %r10, 9;\n	@%p9 bra NEXT;\n"), 14),
        // One more arrival in the twelfth.
        (
            format!(
                "{ARRIVES}	setp.ne.u32 %p9, %r10, 11;\n	@%p9 bra ONCE;\n	add.u32 %r24, %r5, %r13;\n	mbarrier.arrive.shared.b64 _, [%r24];\nONCE:\n"
            ),
            12,
        ),
    ] {
        match answer(&with(ARRIVES, &line)) {
            Answer::Counterexample { n, .. } => assert!((first..first + 5).contains(&n), "{n}: {line}"),
            other => panic!("{other:?}: {line}"),
        }
    }
}

#[test]
fn a_mistake_of_a_far_size_is_never_proved() {
    // The iteration, and what is tested: the analysis must not generalise beyond it.
    for skip in [
        "setp.eq.u32 %p9, %r10, 40",
        "setp.eq.u32 %p9, %r10, 100",
        "setp.eq.u32 %p9, %r10, 5000",
        "setp.gt.u32 %p9, %r10, 100000",
    ] {
        let changed = with(ARRIVES, &format!("{ARRIVES}	{skip};\n	@%p9 bra NEXT;\n"));
        let answer = asked(&changed, Duration::from_secs(20));
        assert!(!matches!(answer, Answer::Proved(_)), "{skip}: {answer:?}");
    }
    // Only one of the sizes: the last iteration of 61.
    let last = with(ARRIVES, &format!("{ARRIVES}	setp.eq.u32 %p9, %r1, 61;\n	@%p9 bra NEXT;\n"));
    assert!(!matches!(asked(&last, Duration::from_secs(20)), Answer::Proved(_)));
}

#[test]
fn what_is_not_understood_is_not_decided() {
    for (old, new, why) in [
        // The consumer looks at the data before it releases the slot.
        (ARRIVES, "	setp.eq.u32 %p9, %r23, 7;\n	@%p9 bra NEXT;\n", "lanes of the warp"),
        // A test whose answer leads elsewhere.
        ("	@!%p8 bra FULL;\n", "	@!%p8 bra STORE;\n", "test_wait"),
        (
            "	ld.shared.b32 %r23, [%r22];\n",
            "	ld.acquire.gpu.global.b32 %r23, [%rd2];\n",
            "synchronise through memory",
        ),
    ] {
        match answer(&with(old, new)) {
            Answer::Undecided { why: own, .. } => {
                assert!(own.contains(why) || why == "lanes of the warp", "{own}")
            }
            // The simulator may see a mistake first.
            Answer::Counterexample { .. } => {}
            Answer::Proved(_) => panic!("{new} is proved"),
        }
    }
    let Answer::Undecided { why, .. } = asked(RING, Duration::ZERO) else { panic!("no time is enough") };
    assert_eq!(why, "the time of 0 s is over");
}

#[test]
fn other_rings_are_proved_too() {
    // Two iterations in a round, a count that is a multiple of the size, and a multiple of five.
    for n in [
        "	shl.b32 %r1, %r1, 1;\n	shr.u32 %r1, %r1, 1;\n",
        "	add.u32 %r1, %r1, 0;\n",
        "	rem.u32 %r50, %r1, 5;\n	sub.u32 %r1, %r1, %r50;\n",
    ] {
        let text =
            with("	cvta.to.global.u64 %rd1, %rd1;\n", &format!("	cvta.to.global.u64 %rd1, %rd1;\n{n}"));
        assert!(matches!(answer(&text), Answer::Proved(_)), "{n}");
    }
}

/// The ring with another number of slots.
fn of_slots(count: usize) -> String {
    let begins = |base: &str| -> String {
        (0..count).map(|i| format!("	mbarrier.init.shared.b64 [{base}+{}], 1;\n", 8 * i)).collect()
    };
    let (before, rest) = RING.split_once("	mbarrier.init").expect("barriers begin");
    let (_, after) = rest.split_once("	fence.mbarrier_init").expect("a fence");
    let text = format!("{before}{}{}	fence.mbarrier_init{after}", begins("%r4"), begins("%r5"));
    let text = text.replace("slots[4096]", &format!("slots[{}]", 1024 * count));
    let text =
        text.replace("full[4]", &format!("full[{count}]")).replace("empty[4]", &format!("empty[{count}]"));
    text.replace("%r11, 4;", &format!("%r11, {count};"))
}

#[test]
fn a_ring_may_have_any_number_of_slots() {
    // A slot repeats itself after the count, and its parity after twice that.
    for count in [3, 8, 11, 16] {
        match answer(&of_slots(count)) {
            Answer::Proved(proof) => assert_eq!(proof.period, 2 * count as i64),
            other => panic!("{count} slots: {other:?}"),
        }
    }
}

/// The consumer's wait.
const WAITS: &str = "	@!%p8 bra FULL;
";

/// The ring whose consumer tests its slot ahead of the wait.
fn tested(parity: &str, after: &str) -> String {
    let test = format!(
        "	mbarrier.try_wait.parity.shared.b64 %p5, [%r16], {parity};
	selp.u32 %r26, 1, 0, %p5;
	setp.ne.u32 %p6, %r26, 0;
	@%p6 bra GO;
FULL:
"
    );
    with("FULL:\n", &test).replace(WAITS, &format!("{WAITS}GO:\n{after}"))
}

#[test]
fn a_test_that_skips_the_same_wait_is_a_wait() {
    let right = answer(&tested("%r12", ""));
    assert!(matches!(right, Answer::Proved(_)), "{right:?}");
    // A test of the phase ahead, which passes at once; and one whose answer decides about the
    // arrival.
    let ahead = "	xor.b32 %r27, %r12, 1;\nFULL:\n";
    let other = tested("%r27", "").replace("	mbarrier.try_wait.parity.shared.b64 %p5, [%r16], %r27", &{
        let test = "	mbarrier.try_wait.parity.shared.b64 %p5, [%r16], %r27";
        format!("{}{test}", ahead.trim_end_matches("FULL:\n"))
    });
    assert!(!matches!(answer(&other), Answer::Proved(_)));
    let late = tested("%r12", "").replace(ARRIVES, &format!("{ARRIVES}	@!%p5 bra NEXT;\n"));
    let late = asked(&late, Duration::from_secs(20));
    assert!(!matches!(late, Answer::Proved(_)), "{late:?}");
}

/// The ring whose warps read from shared memory which of them consumes.
fn told(before: &str, after: &str) -> String {
    with("	bar.sync 0;\n", &format!("{before}	bar.sync 0;\n{after}"))
        .replace(".reg .b64 %rd<20>;", ".reg .b64 %rd<20>;\n	.shared .align 4 .b32 first;")
        .replace("setp.ge.u32 %p2, %r2, 32;", "setp.ge.u32 %p2, %r2, %r27;")
}

#[test]
fn a_role_in_shared_memory_is_followed() {
    let (store, load) = ("	st.shared.b32 [first], 32;\n", "	ld.shared.b32 %r27, [first];\n");
    // All threads store the same value.
    assert!(matches!(answer(&told(store, load)), Answer::Proved(_)));
    for (before, after) in [
        // The load is ahead of the barrier, or the store behind it.
        (&*format!("{store}{load}"), ""),
        ("", &*format!("{store}{load}")),
        // Something else is stored later, without another barrier.
        (store, &*format!("	@%p1 bra LOADS;\n	st.shared.b32 [first], 0;\nLOADS:\n{load}")),
        // Each thread stores its number.
        ("	st.shared.b32 [first], %r2;\n", load),
    ] {
        let answer = asked(&told(before, after), Duration::from_secs(20));
        assert!(!matches!(answer, Answer::Proved(_)), "{before}{after}: {answer:?}");
    }
}

#[test]
fn a_check_of_data_is_listed() {
    let checked =
        "	setp.eq.u32 %p9, %r23, 77;\n	@!%p9 bra FINE;\n	trap;\nFINE:\n	setp.ne.u32 %p9, %r19, 0;\n";
    match answer(&with("	setp.ne.u32 %p9, %r19, 0;\n", checked)) {
        Answer::Proved(proof) => assert_eq!(proof.trusted.len(), 1, "{proof:?}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn runs_of_the_ring_are_runs_of_the_model() {
    let program = parse(RING, Reading { file: "ring.ptx", strict: true }).and_then(|file| file.program());
    let ring = Ring(program.expect("the ring is PTX"));
    let question = Question { first: 0, time: Duration::from_secs(60), strict: false };
    let schedules: Vec<Schedule> = Schedule::sample(8).collect();
    let own =
        conformance(&ring.0.kernels[0], &ring, question, (&[1, 24, 29], &schedules)).expect("it conforms");
    // All sizes are described by the walks of all sizes but the first.
    assert_eq!((own.of_all, own.unreached), (vec![24, 29], vec![]));
    // 8 barriers begin; a fence; a barrier; 2 waits, 2 arrivals and a copy.
    assert_eq!(own.reached, 15);
}
