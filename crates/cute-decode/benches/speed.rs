//! How fast kernels run: thread-instructions a second on one core, beside a scalar loop in Rust
//! that does the same.
//!
//!     cargo bench -p cute-sim --bench speed

use cute_sim::{Arg, Launch, Memory, Program};
use melior::{Context, dialect::DialectRegistry, ir::Module, utility::register_all_dialects};
use std::hint::black_box;
use std::num::NonZero;
use std::time::Instant;

/// Each thread: n times `x = x * a + b; k = (k * 5 + 1) ^ (k >> 3)`.
const ARITHMETIC: &str = r#"gpu.module @kernels {
  llvm.func @kernel(%out: !llvm.ptr<1>, %n: i32, %a: f32, %b: f32) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %five = llvm.mlir.constant(5 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %size = nvvm.read.ptx.sreg.ntid.x : i32
    %base = llvm.mul %block, %size : i32
    %i = llvm.add %base, %t : i32
    %x0 = llvm.sitofp %i : i32 to f32
    llvm.br ^loop(%zero, %x0, %i : i32, f32, i32)
  ^loop(%j: i32, %x: f32, %k: i32):
    %xa = llvm.fmul %x, %a : f32
    %y = llvm.fadd %xa, %b : f32
    %k5 = llvm.mul %k, %five : i32
    %k51 = llvm.add %k5, %one : i32
    %k3 = llvm.lshr %k, %three : i32
    %l = llvm.xor %k51, %k3 : i32
    %j1 = llvm.add %j, %one overflow<nsw> : i32
    %more = llvm.icmp "slt" %j1, %n : i32
    llvm.cond_br %more, ^loop(%j1, %y, %l : i32, f32, i32), ^exit
  ^exit:
    %w = llvm.sitofp %l : i32 to f32
    %sum = llvm.fadd %w, %y : f32
    %p = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %sum, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}"#;

fn arithmetic(out: &mut [f32], n: i32, a: f32, b: f32) {
    for (i, out) in out.iter_mut().enumerate() {
        let (mut x, mut k) = (i as f32, i as i32);
        for _ in 0..n {
            x = x * a + b;
            k = (k.wrapping_mul(5).wrapping_add(1)) ^ ((k as u32 >> 3) as i32);
        }
        *out = k as f32 + x;
    }
}

/// A 32 x 32 block of C = A * B, with tiles of 32 x 32 in shared memory, an element a thread; all
/// of it 32 wide in k steps.
const MATRIX: &str = r#"gpu.module @kernels {
  llvm.mlir.global internal @a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x array<32 x f32>>
  llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x array<32 x f32>>
  llvm.func @kernel(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %init = llvm.mlir.constant(0.0 : f32) : f32
    %sa = llvm.mlir.addressof @a : !llvm.ptr<3>
    %sb = llvm.mlir.addressof @b : !llvm.ptr<3>
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %ty = nvvm.read.ptx.sreg.tid.y : i32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %x0 = llvm.mul %bx, %c32 : i32
    %column = llvm.add %x0, %tx : i32
    %y0 = llvm.mul %by, %c32 : i32
    %row = llvm.add %y0, %ty : i32
    %rown = llvm.mul %row, %n : i32
    %pa = llvm.getelementptr %sa[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
    %pb = llvm.getelementptr %sb[0, %ty, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
    llvm.br ^tile(%zero, %init : i32, f32)
  ^tile(%k0: i32, %acc: f32):
    %ka = llvm.add %k0, %tx : i32
    %ia = llvm.add %rown, %ka : i32
    %ga = llvm.getelementptr %x[%ia] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %va = llvm.load %ga : !llvm.ptr<1> -> f32
    llvm.store %va, %pa : f32, !llvm.ptr<3>
    %kb = llvm.add %k0, %ty : i32
    %kbn = llvm.mul %kb, %n : i32
    %ib = llvm.add %kbn, %column : i32
    %gb = llvm.getelementptr %y[%ib] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %vb = llvm.load %gb : !llvm.ptr<1> -> f32
    llvm.store %vb, %pb : f32, !llvm.ptr<3>
    nvvm.barrier0
    llvm.br ^loop(%zero, %acc : i32, f32)
  ^loop(%k: i32, %s: f32):
    %qa = llvm.getelementptr %sa[0, %ty, %k] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
    %qb = llvm.getelementptr %sb[0, %k, %tx] : (!llvm.ptr<3>, i32, i32) -> !llvm.ptr<3>, !llvm.array<32 x array<32 x f32>>
    %ea = llvm.load %qa : !llvm.ptr<3> -> f32
    %eb = llvm.load %qb : !llvm.ptr<3> -> f32
    %m = llvm.fmul %ea, %eb : f32
    %s1 = llvm.fadd %s, %m : f32
    %k1 = llvm.add %k, %one : i32
    %more = llvm.icmp "slt" %k1, %c32 : i32
    llvm.cond_br %more, ^loop(%k1, %s1 : i32, f32), ^next
  ^next:
    nvvm.barrier0
    %k2 = llvm.add %k0, %c32 : i32
    %tiles = llvm.icmp "slt" %k2, %n : i32
    llvm.cond_br %tiles, ^tile(%k2, %s1 : i32, f32), ^exit
  ^exit:
    %ic = llvm.add %rown, %column : i32
    %gc = llvm.getelementptr %z[%ic] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %s1, %gc : f32, !llvm.ptr<1>
    llvm.return
  }
}"#;

/// An element after the other. The order of sums keeps the compiler from vector instructions.
fn matrix(x: &[f32], y: &[f32], z: &mut [f32], n: usize) {
    for i in 0..n {
        for j in 0..n {
            let mut s = 0.0;
            for k in 0..n {
                s += x[i * n + k] * y[k * n + j];
            }
            z[i * n + j] = s;
        }
    }
}

/// The kernel's tiles too. The compiler knows their size: it unrolls the loop over `k`, and packs a
/// fourth of the products.
fn tiled_matrix(x: &[f32], y: &[f32], z: &mut [f32], n: usize) {
    let (mut a, mut b) = ([[0.0; 32]; 32], [[0.0; 32]; 32]);
    let threads = || (0..32).flat_map(|ty| (0..32).map(move |tx| (ty, tx)));
    for (by, bx) in (0..n).step_by(32).flat_map(|by| (0..n).step_by(32).map(move |bx| (by, bx))) {
        let mut sums = [[0.0; 32]; 32];
        for k0 in (0..n).step_by(32) {
            for (ty, tx) in threads() {
                a[ty][tx] = x[(by + ty) * n + k0 + tx];
                b[ty][tx] = y[(k0 + ty) * n + bx + tx];
            }
            for (ty, tx) in threads() {
                for k in 0..32 {
                    sums[ty][tx] += a[ty][k] * b[k][tx];
                }
            }
        }
        for (ty, tx) in threads() {
            z[(by + ty) * n + bx + tx] = sums[ty][tx];
        }
    }
}

/// MMAs of `m64n256k16` of bf16 on one accumulator, four for each of `%n` groups, from tiles of
/// 64 along K that are swizzled over 128 bytes.
fn products() -> String {
    let list = |f: &dyn Fn(usize) -> String| (0..128).map(f).collect::<Vec<_>>().join(", ");
    let (types, output) = (list(&|_| "f32".into()), list(&|_| "=f".into()).replace(' ', ""));
    let (registers, tied) = (list(&|i| format!("${i}")), list(&|i| i.to_string()).replace(' ', ""));
    let fields = format!("!llvm.struct<({types})>");
    let product = |k: usize| {
        let from = if k == 0 { "c".to_owned() } else { format!("d{}_", k - 1) };
        let step = |name: &str| {
            format!(
                "%{name}{k} = llvm.mlir.constant({} : i64) : i64\n",
                [0x4000004000010040i64, 0x4000004000010240][usize::from(name == "b")] + 2 * k as i64
            )
        };
        let extract: String =
            (0..128).map(|i| format!("%d{k}_{i} = llvm.extractvalue %r{k}[{i}] : {fields}\n")).collect();
        format!(
            "{}{}%r{k} = llvm.inline_asm has_side_effects \"{{ .reg .pred p; setp.ne.b32 p, $130, 0; wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {{{registers}}}, $128, $129, p, 1, 1, 0, 0; }}\", \"{output},l,l,r,{tied}\" %a{k}, %b{k}, %one, {} : (i64, i64, i32, {types}) -> {fields}\n{extract}",
            step("a"),
            step("b"),
            list(&|i| format!("%{from}{i}")),
        )
    };
    let store = |i: usize| {
        format!(
            "%p{i} = llvm.getelementptr %mine[{i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32\nllvm.store %c{i}, %p{i} : f32, !llvm.ptr<1>\n"
        )
    };
    format!(
        "gpu.module @kernels {{
  llvm.mlir.global internal @tiles() {{addr_space = 3 : i32, alignment = 1024 : i64}} : !llvm.array<10240 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>, %n: i32, %x: i32) attributes {{nvvm.kernel}} {{
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %size = llvm.mlir.constant(10240 : i32) : i32
    %none = llvm.mlir.constant(0.0 : f32) : f32
    %tiles = llvm.mlir.addressof @tiles : !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    llvm.br ^fill(%t : i32)
  ^fill(%w: i32):
    %p = llvm.getelementptr %tiles[%w] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %p : i32, !llvm.ptr<3>
    %next = llvm.add %w, %c128 : i32
    %more = llvm.icmp \"ult\" %next, %size : i32
    llvm.cond_br %more, ^fill(%next : i32), ^filled
  ^filled:
    nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
    nvvm.barrier0
    llvm.br ^loop(%zero, {} : i32, {types})
  ^loop(%i: i32, {}):
    nvvm.wgmma.fence.aligned
    {}
    nvvm.wgmma.commit.group.sync.aligned
    %i1 = llvm.add %i, %one : i32
    %again = llvm.icmp \"slt\" %i1, %n : i32
    nvvm.wgmma.wait.group.sync.aligned 1
    llvm.cond_br %again, ^loop(%i1, {last} : i32, {types}), ^exit
  ^exit:
    nvvm.wgmma.wait.group.sync.aligned 0
    %first = llvm.mul %t, %c128 : i32
    %mine = llvm.getelementptr %out[%first] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    {}
    llvm.return
  }}
}}",
        list(&|_| "%none".into()),
        list(&|i| format!("%c{i}: f32")),
        (0..4).map(product).collect::<String>(),
        (0..128).map(store).collect::<String>().replace("%c", "%d3_"),
        last = list(&|i| format!("%d3_{i}")),
    )
}

/// As many sums of products, one after the other.
fn dots(a: &[f32], b: &[f32], c: &mut [f32]) {
    for (a, c) in a.chunks_exact(16).zip(c.chunks_exact_mut(256)) {
        for (b, c) in b.chunks_exact(16).zip(c) {
            for (a, b) in a.iter().zip(b) {
                *c += a * b;
            }
        }
    }
}

fn program(text: &str) -> Program {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    let module = Module::parse(&context, text).expect("the kernel parses");
    cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"))
}

/// Seconds that this thread was on a core, or on the clock where the system does not tell: a shared
/// machine gives its cores to others too. Told in steps of a few milliseconds.
fn seconds(start: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|s| s.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |n| n / 1e9)
}

/// The shortest of five times, in seconds, each over a fifth of a second or more.
fn best(mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut time = || {
        let before = seconds(start);
        for n in 1u32.. {
            f();
            let passed = seconds(start) - before;
            if passed > 0.2 {
                return passed / f64::from(n);
            }
        }
        f64::INFINITY
    };
    (0..5).map(|_| time()).fold(f64::INFINITY, f64::min)
}

fn row(what: &str, instructions: u64, simulated: f64, native: &[f64]) {
    let rate = instructions as f64 / simulated / 1e6;
    print!("{what:<34} {rate:>9.0} {:>10.2}", simulated * 1e3);
    for native in native {
        print!(" {:>10.3} {:>8.1}", native * 1e3, simulated / native);
    }
    println!();
}

fn one_core(launch: Launch) -> Launch {
    Launch { host_threads: NonZero::new(1), ..launch }
}

fn main() {
    println!(
        "{:<34} {:>9} {:>10} {:>10} {:>8} {:>10} {:>8}",
        "one core", "M instr/s", "ms", "native ms", "ratio", "tiled ms", "ratio"
    );

    let (n, threads) = (200, 256 * 32);
    let program_a = program(ARITHMETIC);
    let mut memory = Memory::new();
    let out = memory.zeroed::<f32>(threads);
    let launch = one_core(Launch::new("kernel", [32, 1, 1], [256, 1, 1]));
    let args = [Arg::Buffer(out), Arg::I32(n), Arg::F32(0.5), Arg::F32(1.5)];
    let mut instructions = 0;
    let simulated = best(|| {
        let report = program_a.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
        instructions = report.stats.instructions;
    });
    let mut native_out = vec![0.0f32; threads];
    let native = best(|| arithmetic(&mut native_out, black_box(n), black_box(0.5), black_box(1.5)));
    assert_eq!(memory.download::<f32>(out), native_out);
    row("arithmetic", instructions, simulated, &[native]);

    let n = 128;
    let program_m = program(MATRIX);
    let values = |seed: usize| (0..n * n).map(|i| ((i * 7 + seed) % 13) as f32 - 6.0).collect::<Vec<_>>();
    let (x, y, mut z) = (values(1), values(2), vec![0.0; n * n]);
    let native =
        [matrix, tiled_matrix].map(|f| best(|| f(black_box(&x), black_box(&y), &mut z, black_box(n))));
    for (what, check_races) in
        [("matrix product in shared memory", true), ("the same, races not looked for", false)]
    {
        let mut memory = Memory::new();
        let (dx, dy, dz) = (memory.upload(&x), memory.upload(&y), memory.zeroed::<f32>(n * n));
        let launch = Launch { check_races, ..one_core(Launch::new("kernel", [4, 4, 1], [32, 32, 1])) };
        let args = [Arg::Buffer(dx), Arg::Buffer(dy), Arg::Buffer(dz), Arg::I32(n as i32)];
        let simulated = best(|| {
            let report = program_m.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
            instructions = report.stats.instructions;
        });
        assert_eq!(memory.download::<f32>(dz), z);
        row(what, instructions, simulated, &native);
    }

    measure_products();
}

/// MMAs of a warpgroup.
fn measure_products() {
    let (groups, per_run) = (64, 64 * 4);
    let program_p = program(&products());
    let mut memory = Memory::new();
    let out = memory.zeroed::<f32>(64 * 256);
    let launch = one_core(Launch::new("kernel", [1, 1, 1], [128, 1, 1]));
    // Two bf16 that are 1.
    let args = [Arg::Buffer(out), Arg::I32(groups), Arg::I32(0x3f80_3f80)];
    let simulated = best(|| {
        program_p.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
    });
    assert_eq!(memory.download::<f32>(out), vec![16.0 * f32::from(per_run as u16); 64 * 256]);
    let (a, b, mut c) = (vec![1.0f32; 64 * 16], vec![1.0f32; 256 * 16], vec![0.0; 64 * 256]);
    let native = best(|| dots(black_box(&a), black_box(&b), &mut c)) * f64::from(per_run);
    println!(
        "{:<34} {:>9.0} {:>10.2} {:>10.3} {:>8.1}",
        "wgmma m64n256k16 bf16, a second",
        f64::from(per_run) / simulated,
        simulated * 1e3,
        native * 1e3,
        simulated / native
    );
}
