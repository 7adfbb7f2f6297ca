//! Assembly of kernels, read as PTX.

use crate::{decode, function, program};
use cute_sim::{Arg, Error, Launch, Memory, Schedule};

/// The value that one thread stores as `%r`, an i32, with `%x` and `%y` given.
fn run(body: &str, x: i32, y: i32) -> i32 {
    let body = format!("{body}\nllvm.store %r, %out : i32, !llvm.ptr<1>");
    let source = function("%out: !llvm.ptr<1>, %x: i32, %y: i32", &body);
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(1);
    let args = [Arg::Buffer(out), Arg::I32(x), Arg::I32(y)];
    let launch = Launch::new("kernel", [1, 1, 1], [1, 1, 1]);
    program(&source).run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
    memory.download(out)[0]
}

#[test]
fn assembly_computes_branches_and_loops() {
    let asm = |text: &str| format!("%r = llvm.inline_asm \"{text}\", \"=r,r,r\" %x, %y : (i32, i32) -> i32");
    assert_eq!(run(&asm("sub.s32 $0, $1, $2;"), 5, 12), -7);
    let greater = "{ .reg .pred p; setp.gt.s32 p, $1, $2; selp.b32 $0, 1, 2, p; }";
    assert_eq!([(3, -1), (-1, 3)].map(|(x, y)| run(&asm(greater), x, y)), [1, 2]);
    // As unsigned numbers it is the other way round.
    let unsigned = greater.replace("gt.s32", "hi.u32");
    assert_eq!([(3, -1), (-1, 3)].map(|(x, y)| run(&asm(&unsigned), x, y)), [2, 1]);
    let guarded =
        "{ .reg .pred p; mov.b32 $0, 7; setp.eq.u32 p, $1, 0; @p mov.b32 $0, 8; @!p add.u32 $0, $0, $2; }";
    assert_eq!([0, 1].map(|x| run(&asm(guarded), x, 100)), [8, 107]);
    // The product by additions.
    let product = "{ .reg .pred %more; .reg .b32 %left<1>; mov.b32 $0, 0; mov.b32 %left0, $1;
         AGAIN: setp.eq.u32 %more, %left0, 0x0; @%more bra DONE; // the end
         add.u32 $0, $0, $2; sub.u32 %left0, %left0, 1; bra.uni AGAIN; DONE: }";
    assert_eq!(run(&asm(&product.replace('\n', " ").replace("// the end", "/* the end */")), 6, 7), 42);
}

#[test]
fn assembly_votes_and_computes_with_floats() {
    let less = |vote: &str| {
        let text = format!("{{ .reg .pred p; .reg .pred q; setp.lt.s32 p, $1, $2; {vote} }}");
        let asm = format!(
            "%r = llvm.inline_asm has_side_effects \"{text}\", \"=r,r,r\" %x, %y : (i32, i32) -> i32"
        );
        [(3, 4), (4, 4)].map(|(x, y)| run(&asm, x, y))
    };
    for (kind, expected) in [("all", [1, 0]), ("any", [1, 0]), ("uni", [1, 1])] {
        assert_eq!(
            less(&format!("vote.sync.{kind}.pred q, p, 1; selp.b32 $0, 1, 0, q;")),
            expected,
            "{kind}"
        );
    }
    assert_eq!(less("vote.sync.ballot.b32 $0, p, 1;"), [1, 0]);
    let float = |text: &str| {
        format!(
            "%a = llvm.bitcast %x : i32 to f32
             %b = llvm.bitcast %y : i32 to f32
             %f = llvm.inline_asm \"{text}\", \"=f,f,f\" %a, %b : (f32, f32) -> f32
             %r = llvm.bitcast %f : f32 to i32"
        )
    };
    let of = |text: &str, a: f32, b: f32| {
        f32::from_bits(run(&float(text), a.to_bits() as i32, b.to_bits() as i32) as u32)
    };
    assert!((of("tanh.approx.f32 $0, $1;", 0.5, 0.0) - 0.5f32.tanh()).abs() < 1e-3);
    assert_eq!(of("ex2.approx.ftz.f32 $0, $1;", 3.0, 0.0), 8.0);
    assert_eq!(of("mul.rn.f32 $0, $1, $2;", 1.5, -4.0), -6.0);
    let waits = "llvm.inline_asm has_side_effects \"griddepcontrol.wait; griddepcontrol.launch_dependents;\", \"\" : () -> ()
         %r = llvm.add %x, %y : i32";
    assert_eq!(run(waits, 3, 4), 7);
}

#[test]
fn registers_are_packed_and_packed_numbers_computed_with() {
    let asm = |text: &str| format!("%r = llvm.inline_asm \"{text}\", \"=r,r,r\" %x, %y : (i32, i32) -> i32");
    let halves = "{ .reg .b16 lo, hi; mov.b32 {lo, hi}, $1; mov.b32 $0, {hi, lo}; }";
    assert_eq!(run(&asm(halves), 0x1234_5678, 0), 0x5678_1234);
    let bytes = "{ .reg .b8 a, b, c, d; mov.b32 {a, b, c, d}, $1; mov.b32 $0, {d, c, b, a}; }";
    assert_eq!(run(&asm(bytes), 0x1234_5678, 0), 0x7856_3412);
    let wide = "{ .reg .b64 w; .reg .b32 lo, hi; mov.b64 w, {$1, $2}; shl.b64 w, w, 8; mov.b64 {lo, hi}, w; mov.b32 $0, hi; }";
    assert_eq!(run(&asm(wide), 0x7f00_0000, 1), 0x17f);
    // 1 and -2 with 3 and -4, as numbers of 16 bits.
    let (x, y) = (0xc000_3c00_u32 as i32, 0xc400_4200_u32 as i32);
    assert_eq!(run(&asm("max.f16x2 $0, $1, $2;"), x, y), 0xc000_4200_u32 as i32);
    assert_eq!(run(&asm("fma.rn.f16x2 $0, $1, $2, $2;"), x, y), 0x4400_4600);
    assert_eq!(run(&asm("neg.f16x2 $0, $1;"), x, y), 0x4000_bc00);
    let pairs = "{ .reg .b64 a, b; .reg .b32 lo, hi; mov.b64 a, {$1, $2}; mov.b64 b, {$2, $2};
         add.rn.f32x2 a, a, b; mov.b64 {lo, hi}, a; mov.b32 $0, lo; }";
    let [one, two, three] = [1f32, 2., 3.].map(|v| v.to_bits() as i32);
    assert_eq!(run(&asm(&pairs.replace('\n', " ")), one, two), three);
    let error = decode(&function("%x: i32, %y: i32", &asm("{ .reg .b8 a, b, c; mov.b32 {a, b, c}, $1; }")));
    assert!(error.unwrap_err().to_string().ends_with("3 parts of a register of 32 bits"));
}

#[test]
fn assembly_converts_floats() {
    let asm = |text: &str| format!("%r = llvm.inline_asm \"{text}\", \"=r,r,r\" %x, %y : (i32, i32) -> i32");
    let [one, two, six] = [1f32, -2., 6.].map(|v| v.to_bits() as i32);
    // The first operand is the upper number.
    assert_eq!(run(&asm("cvt.rn.bf16x2.f32 $0, $1, $2;"), one, two), 0x3f80_c000);
    assert_eq!(
        run(&asm("{ .reg .b16 h; cvt.rn.satfinite.e4m3x2.f32 h, $1, $2; cvt.u32.u16 $0, h; }"), one, two),
        0x38c0
    );
    let nibbles =
        "{ .reg .b8 a, b; cvt.rn.satfinite.e2m1x2.f32 a, $1, $2; cvt.rn.satfinite.e2m1x2.f32 b, $2, $2;
         mov.b32 $0, {a, b, a, a}; }";
    assert_eq!(run(&asm(&nibbles.replace('\n', " ")), six, two), 0x7c7c_cc7c);
    let back = "{ .reg .b16 h, l; .reg .b8 b, z; cvt.rn.satfinite.e2m1x2.f32 b, $1, $2; cvt.rn.f16x2.e2m1x2 $0, b; }";
    assert_eq!(run(&asm(back), six, two), 0x4600_c000);
    assert_eq!(run(&asm("{ .reg .b16 h; cvt.rn.bf16.f32 h, $1; cvt.f32.bf16 $0, h; }"), two, 0), two);
    let e = decode(&function("%x: i32, %y: i32", &asm("cvt.rn.satfinite.e2m1x2.f32 $0, $1, $1, $2;")));
    assert!(e.unwrap_err().to_string().contains("the operands do not fit `cvt.{conversion=rn}.{!satfinite}"));
}

/// The exponent of a power of two that is at least the number, as block scales need it.
#[test]
fn assembly_compares_floats_and_combines_predicates() {
    let exponent = "{ .reg .pred none, rest, huge; .reg .u32 bits, up, at;
         setp.le.f32 none, $1, 0f00000000; mov.b32 bits, $1; shr.b32 at, bits, 23; and.b32 at, at, 255;
         and.b32 bits, bits, 0x7FFFFF; setp.ne.u32 rest, bits, 0; selp.u32 up, 1, 0, rest; add.u32 at, at, up;
         setp.gt.and.u32 huge, at, 254, rest; selp.u32 at, 254, at, huge; selp.u32 $0, 0, at, none; }";
    let exponent = exponent.replace('\n', " ");
    let asm = format!("%r = llvm.inline_asm \"{exponent}\", \"=r,r,r\" %x, %y : (i32, i32) -> i32");
    let found = [4f32, 5., 0., -3., f32::MAX].map(|value| run(&asm, value.to_bits() as i32, 0));
    assert_eq!(found, [129, 130, 0, 0, 254]);
}

#[test]
fn outputs_may_begin_with_inputs_and_ptx_may_have_a_predicate() {
    let tied = "%r = llvm.inline_asm \"add.u32 $0, $0, $2;\", \"=r,0,r\" %x, %y : (i32, i32) -> i32";
    assert_eq!(run(tied, 30, 12), 42);
    let two = "%s = llvm.inline_asm \"{ add.u32 $0, $2, $3; sub.u32 $1, $2, $3; }\", \"=r,=r,r,r\" %x, %y
         : (i32, i32) -> !llvm.struct<(i32, i32)>
         %a = llvm.extractvalue %s[0] : !llvm.struct<(i32, i32)>
         %b = llvm.extractvalue %s[1] : !llvm.struct<(i32, i32)>
         %r = llvm.mul %a, %b : i32";
    assert_eq!(run(two, 5, 3), 16);
    let inline = "%r = nvvm.inline_ptx \"xor.b32 $0, $1, $2;\" ro (%x, %y : i32, i32) -> i32";
    assert_eq!(run(inline, 12, 10), 6);
    let predicate = "%zero = llvm.mlir.constant(0 : i32) : i32
         %yes = llvm.icmp \"ne\" %x, %zero : i32
         nvvm.inline_ptx \"trap;\" , predicate = %yes
         %r = llvm.add %x, %y : i32";
    assert_eq!(run(predicate, 0, 3), 3);
}

#[test]
fn what_is_not_known_is_refused_by_name() {
    let error = |text: &str| {
        let body = format!("llvm.inline_asm has_side_effects \"{text}\", \"r\" %x : (i32) -> ()");
        decode(&function("%x: i32", &body)).unwrap_err()
    };
    let e = error("mov.b32 %a, 0; cp.async.bulk.commit_group;").to_string();
    assert!(
        e.starts_with("-:3:1: `llvm.inline_asm`:") && e.contains("`mov.b32`: `%a` is not declared"),
        "{e}"
    );
    let unmodelled = |text: &str, name: &str| {
        let e = error(text);
        assert!(matches!(e, Error::Unmodelled { .. }), "{e}");
        assert_eq!(e.to_string(), format!("-:3:1: `llvm.inline_asm`: {name} is not modelled"));
    };
    unmodelled(
        "tcgen05.shift.cta_group::1.down [$0];",
        "the PTX instruction `tcgen05.shift.cta_group::1.down` (PTX does not say in which direction it shifts)",
    );
    unmodelled("{ .reg .b32 a; mov.b32 a, %nosuch; }", "the register `%nosuch`");
    let malformed = |text: &str, what: &str| {
        assert_eq!(error(text).to_string(), format!("-:3:1: `llvm.inline_asm`: {what}"));
    };
    malformed("mov b32 c d;", "the assembly, line 1: `;` is missing at `c d`");
    malformed("L: bra L; L: bra L;", "a second label `L`");
    let e = error("bra NOWHERE;").to_string();
    assert!(e.ends_with("no label `NOWHERE` in the assembly"), "{e}");
}

const GLOBALS: &str = "llvm.mlir.global internal @full() {addr_space = 3 : i32} : i64
    llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<32 x i32>\n";

/// The wait of CUTLASS, and its arrival at the barrier of another block.
fn exchange(count: u32, wait: &str) -> String {
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %zero = llvm.mlir.constant(0 : i32) : i32
         %count = llvm.mlir.constant({count} : i32) : i32
         %full = llvm.mlir.addressof @full : !llvm.ptr<3>
         %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
         %bar = llvm.ptrtoint %full : !llvm.ptr<3> to i32
         %own = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         %address = llvm.ptrtoint %own : !llvm.ptr<3> to i32
         %rank = llvm.inline_asm \"mov.u32 $0, %cluster_ctarank;\", \"=r\" : () -> i32
         %first = llvm.icmp \"eq\" %t, %zero : i32
         llvm.cond_br %first, ^init, ^go
       ^init:
         llvm.inline_asm has_side_effects \"mbarrier.init.shared::cta.b64 [$0], $1;\", \"r,r\" %bar, %count : (i32, i32) -> ()
         llvm.inline_asm has_side_effects \"fence.mbarrier_init.release.cluster;\", \"\" : () -> ()
         llvm.br ^go
       ^go:
         llvm.inline_asm has_side_effects \"barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;\", \"\" : () -> ()
         %one = llvm.mlir.constant(1 : i32) : i32
         %peer = llvm.xor %rank, %one : i32
         %v = llvm.add %t, %rank : i32
         llvm.inline_asm has_side_effects \"st.shared.u32 [$0], $1;\", \"r,r,~{{memory}}\" %address, %v : (i32, i32) -> ()
         llvm.inline_asm has_side_effects \"{{ .reg .b32 remote; mapa.shared::cluster.u32 remote, $0, $1; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote]; }}\", \"r,r\" %bar, %peer : (i32, i32) -> ()
         llvm.inline_asm has_side_effects \"{wait}\", \"r,r,~{{memory}}\" %bar, %zero : (i32, i32) -> ()
         %r = llvm.inline_asm has_side_effects \"{{ .reg .b32 remote; mapa.shared::cluster.u32 remote, $1, $2; ld.shared::cluster.u32 $0, [remote]; }}\", \"=r,r,r\" %address, %peer : (i32, i32) -> i32
         %b = nvvm.read.ptx.sreg.ctaid.x : i32
         %n = nvvm.read.ptx.sreg.ntid.x : i32
         %start = llvm.mul %b, %n : i32
         %at = llvm.add %start, %t : i32
         %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %r, %p : i32, !llvm.ptr<1>
         nvvm.cluster.arrive
         nvvm.cluster.wait"
    );
    GLOBALS.to_owned() + &function("%out: !llvm.ptr<1>", &body)
}

const WAIT: &str = "{ .reg .pred P1; LAB_WAIT: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P1, [$0], $1; @P1 bra DONE; bra LAB_WAIT; DONE: }";

fn run_pair(source: &str, schedule: Schedule) -> Result<Vec<i32>, Error> {
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(64);
    let launch = Launch::new("kernel", [2, 1, 1], [32, 1, 1]);
    let launch = Launch { cluster: Some([2, 1, 1]), schedule, ..launch };
    program(source).run(&launch, &mut memory, &[Arg::Buffer(out)])?;
    Ok(memory.download(out))
}

#[test]
fn a_loop_of_assembly_waits_for_another_block() {
    for schedule in [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(5)] {
        let found = run_pair(&exchange(32, WAIT), schedule).unwrap_or_else(|e| panic!("{schedule:?}: {e}"));
        let expected: Vec<i32> = (0..64).map(|i| i % 32 + 1 - i / 32).collect();
        assert_eq!(found, expected, "{schedule:?}");
        // By default a wait learns from its own block alone, and an arrival tells its own alone.
        let narrow = [
            exchange(32, &WAIT.replace(".acquire.cluster", "")),
            exchange(32, WAIT).replace(".release.cluster.shared", ".shared"),
        ];
        for source in narrow {
            let e = run_pair(&source, schedule).unwrap_err().to_string();
            assert!(
                e.contains("nothing orders it with the")
                    && e.contains("say `.release.cluster` and `.acquire.cluster`"),
                "{e}"
            );
        }
    }
}

const ACQUIRE: &str = "fence.acquire.sync_restrict::shared::cluster.cluster;";
const RELEASE: &str = "fence.release.sync_restrict::shared::cta.cluster;";

/// A fence before a relaxed arrival, or after a relaxed wait, makes it ordered.
#[test]
fn fences_go_with_relaxed_arrivals_and_waits() {
    let fence = "fence.acq_rel.cluster;";
    let waits = |relaxed: bool, fence: &str| {
        let wait = if relaxed { WAIT.replace(".acquire", ".relaxed") } else { WAIT.to_owned() };
        wait.replace("DONE: }", &format!("DONE: {fence} }}"))
    };
    let arrives = |source: String, fence: &str| {
        source
            .replace(
                "mapa.shared::cluster.u32 remote, $0",
                &format!("{fence} mapa.shared::cluster.u32 remote, $0"),
            )
            .replace("arrive.release.cluster", "arrive.relaxed.cluster")
    };
    for schedule in [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(5)] {
        for source in [
            arrives(exchange(32, &waits(false, "")), fence),
            exchange(32, &waits(true, fence)),
            arrives(exchange(32, &waits(true, fence)), fence),
            arrives(exchange(32, &waits(true, ACQUIRE)), RELEASE),
        ] {
            run_pair(&source, schedule).unwrap_or_else(|e| panic!("{schedule:?}: {e}"));
        }
        for source in [
            arrives(exchange(32, &waits(false, "")), ""),
            arrives(exchange(32, &waits(false, "")), "fence.acq_rel.cta;"),
            exchange(32, &waits(true, "")),
            exchange(32, &waits(true, "fence.acq_rel.cta;")),
            arrives(exchange(32, &waits(true, "")), fence),
            // Each is for one direction.
            arrives(exchange(32, &waits(true, RELEASE)), RELEASE),
            arrives(exchange(32, &waits(true, ACQUIRE)), ACQUIRE),
        ] {
            let e = run_pair(&source, schedule).unwrap_err().to_string();
            assert!(e.contains("nothing orders it with the"), "{e}");
        }
    }
}

#[test]
fn a_loop_of_assembly_that_never_ends_is_told() {
    for schedule in [Schedule::Lazy, Schedule::Eager] {
        let e = run_pair(&exchange(33, WAIT), schedule).unwrap_err().to_string();
        assert!(e.contains("mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64"), "{e}");
    }
    let e = run_pair(&exchange(33, WAIT), Schedule::Lazy).unwrap_err().to_string();
    assert!(e.contains("parity 0 of the mbarrier at byte 0 of shared memory @full"), "{e}");
    assert!(e.contains("whose phase 0 lacks 1 of 33 arrivals"), "{e}");
    // Nobody waits: what the other block writes may come later.
    let e = run_pair(&exchange(32, ""), Schedule::Lazy).unwrap_err().to_string();
    assert!(e.contains("nothing orders it with"), "{e}");
}
