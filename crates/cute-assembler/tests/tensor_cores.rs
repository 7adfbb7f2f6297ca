//! The bits of tensor cores, through PTX: each vector is a product of a matrix whose rows are equal
//! with one whose columns are equal, so that all elements of the result are.

use cute_arch::Element;
use cute_assembler::module::{Reading, parse};
use cute_sim::tensor::Sums;
use cute_sim::{Arg, Launch, Memory, Program};
use serde::Deserialize;
use sha2::{Digest, Sha256};

#[derive(Deserialize)]
struct Vectors {
    groups: Vec<Group>,
    chains: Vec<Chain>,
}

#[derive(Deserialize)]
struct Group {
    #[serde(flatten)]
    of: Instruction,
    scale: Option<String>,
    scale_vec: Option<u32>,
    /// Class, A, B, C, D, and the factors of A and of B.
    vectors: Vec<Vec<String>>,
}

#[derive(Deserialize)]
struct Chain {
    #[serde(flatten)]
    of: Instruction,
    seed: u64,
    steps: usize,
    #[serde(rename = "D")]
    last: String,
    sha256: String,
}

#[derive(Deserialize)]
struct Instruction {
    arch: String,
    instruction: String,
    shape: String,
    kind: Option<String>,
    a: String,
    b: String,
    d: String,
    #[serde(default)]
    satfinite: bool,
}

fn element(name: &str) -> Element {
    name.parse().unwrap()
}

/// Elements as bytes: the codes of a row along K. `in_bytes` are those of `mma` with elements in
/// bytes of their own, `padded` those of tiles in which 16 elements take 16 bytes.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Packed,
    InBytes,
    Padded,
}

/// The codes of a text: fp4 has one digit each, fp6 two.
fn codes(text: &str, element: Element) -> Vec<u64> {
    let digits = match element {
        Element::Tf32 => 8,
        _ => element.bits().div_ceil(4) as usize,
    };
    let code = |digits: &[u8]| u64::from_str_radix(std::str::from_utf8(digits).unwrap(), 16).unwrap();
    text.as_bytes().chunks(digits).map(code).collect()
}

fn bytes(codes: &[u64], element: Element, form: Form) -> Vec<u8> {
    let bits = if element == Element::Tf32 { 32 } else { element.bits() };
    if bits >= 8 {
        return codes.iter().flat_map(|code| code.to_le_bytes()[..bits as usize / 8].to_vec()).collect();
    }
    let packed = |codes: &[u64]| -> Vec<u8> {
        let all = codes.iter().rev().fold(0u128, |all, code| all << bits | u128::from(*code));
        all.to_le_bytes().to_vec()
    };
    match form {
        Form::Packed => {
            let per = 128 / bits as usize;
            codes
                .chunks(per)
                .flat_map(|some| packed(some)[..some.len() * bits as usize / 8].to_vec())
                .collect()
        }
        // An fp4 is in the middle of its byte.
        Form::InBytes => codes.iter().map(|code| (*code as u8) << if bits == 4 { 2 } else { 0 }).collect(),
        Form::Padded => codes.chunks(16).flat_map(packed).collect(),
    }
}

impl Instruction {
    fn k(&self) -> usize {
        self.shape.split('k').next_back().unwrap().parse().unwrap()
    }

    fn is_scaled(&self) -> bool {
        self.kind.as_deref().is_some_and(|kind| kind.starts_with("mx"))
    }

    fn form(&self) -> Form {
        match (self.instruction.as_str(), self.kind.as_deref()) {
            (_, Some("mxf4" | "mxf4nvf4") | None) => Form::Packed,
            ("tcgen05", _) => Form::Padded,
            _ => Form::InBytes,
        }
    }

    /// Bytes of a row of A.
    fn row(&self) -> usize {
        let a = element(&self.a);
        bytes(&vec![0; self.k()], a, self.form()).len()
    }

    fn threads(&self) -> u32 {
        if self.instruction == "mma" { 32 } else { 128 }
    }

    /// Registers of D in a thread that are stored.
    fn registers(&self) -> usize {
        match (self.instruction.as_str(), self.shape.as_str(), self.d.as_str()) {
            ("tcgen05", ..) => 2,
            (_, "m8n8k4", "f64") => 2,
            (_, "m8n8k4", "f32") => 8,
            (_, _, "f16") if self.shape != "m8n8k4" => 2,
            _ => 4,
        }
    }

    fn bytes_of_d(&self) -> usize {
        if self.d == "f64" { 8 } else { 4 }
    }

    /// The word of a register with this code in all of its elements.
    fn word(&self, code: u64) -> Vec<u8> {
        match self.d.as_str() {
            "f64" => code.to_le_bytes().to_vec(),
            "f16" if self.instruction != "tcgen05" => {
                (code as u32 | (code as u32) << 16).to_le_bytes().to_vec()
            }
            _ => (code as u32).to_le_bytes().to_vec(),
        }
    }

    /// The target of the file. Code of Volta is for the tensor cores of a Volta, which are what is
    /// simulated; the file may be for a later target.
    fn target(&self) -> &str {
        match (self.arch.as_str(), self.instruction.as_str()) {
            ("sm_90", _) => "sm_90a",
            ("sm_100", _) => "sm_100a",
            ("sm_120", _) => "sm_120a",
            ("sm_70" | "sm_75" | "plain", _) => "sm_80",
            (arch, _) => arch,
        }
    }

    fn sums(&self) -> Sums {
        let Some(number) = self.arch.strip_prefix("sm_") else { return Sums::Plain };
        let number: u32 = number.parse().unwrap();
        Sums::Device(number / 10, number % 10)
    }

    /// The types and modifiers, as PTX spells them.
    fn spelled(&self, group: Option<(&str, u32)>) -> String {
        let Instruction { shape, a, b, d, .. } = self;
        let satfinite = if self.satfinite { ".satfinite" } else { "" };
        match (self.instruction.as_str(), group) {
            ("wgmma", _) => format!("wgmma.mma_async.sync.aligned.{shape}.{d}.{a}.{b}{satfinite}"),
            (_, Some((scale, count))) => {
                let kind = self.kind.as_deref().unwrap();
                format!(
                    "mma.sync.aligned.{shape}.row.col.kind::{kind}.block_scale.scale_vec::{count}X.{d}.{a}.{b}.{d}.{scale}"
                )
            }
            _ => {
                let kind = self.kind.as_ref().map_or(String::new(), |kind| format!(".kind::{kind}"));
                format!("mma.sync.aligned.{shape}.row.col{kind}{satfinite}.{d}.{a}.{b}.{d}")
            }
        }
    }
}

fn list(prefix: &str, numbers: impl IntoIterator<Item = usize>) -> String {
    let names: Vec<String> = numbers.into_iter().map(|i| format!("%{prefix}{i}")).collect();
    format!("{{{}}}", names.join(", "))
}

/// The beginning of all kernels: a case for each block, with its rows of A and B and its word of C.
fn begin(of: &Instruction) -> String {
    let (row, d) = (of.row(), of.bytes_of_d());
    let stored = of.threads() as usize * of.registers() * d;
    format!(
        ".version 9.0\n.target {target}\n.address_size 64
        .visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 fa, .param .u64 fb, .param .u64 d)
        {{
          .reg .pred %p<9>; .reg .b32 %case, %t, %lane, %u, %v, %fa, %fb, %r<32>; .reg .b64 %A, %B, %C, %D, %F, %w, %x, %y;
          mov.u32 %case, %ctaid.x; mov.u32 %t, %tid.x; and.b32 %lane, %t, 3;
          mul.wide.u32 %w, %case, {row};
          ld.param.u64 %A, [a]; add.u64 %A, %A, %w; ld.param.u64 %B, [b]; add.u64 %B, %B, %w;
          mul.wide.u32 %w, %case, {d}; ld.param.u64 %C, [c]; add.u64 %C, %C, %w;
          mul.wide.u32 %w, %case, 4;
          ld.param.u64 %F, [fa]; add.u64 %F, %F, %w; ld.global.b32 %fa, [%F];
          ld.param.u64 %F, [fb]; add.u64 %F, %F, %w; ld.global.b32 %fb, [%F];
          mul.wide.u32 %w, %case, {stored}; ld.param.u64 %D, [d]; add.u64 %D, %D, %w;
          mul.wide.u32 %w, %t, {of_thread}; add.u64 %D, %D, %w;\n",
        target = of.target(),
        of_thread = of.registers() * d,
    )
}

/// `mma.sync` and `wgmma`, whose threads have the words 4 i + lane % 4 of a row.
fn of_warps(of: &Instruction, scale: Option<(&str, u32)>) -> String {
    let (size, kind) = if of.a == "f64" { (8, "f64") } else { (4, "b32") };
    let of_d = match of.d.as_str() {
        "f64" => "f64",
        "f32" => "f32",
        _ => "b32",
    };
    let is_group = of.instruction == "wgmma";
    // Threads of m8n8k4 with f16 have whole rows.
    let has_all = of.shape == "m8n8k4" && of.a == "f16";
    let loaded = if has_all { 2 } else { of.row() / size / 4 };
    let apart = if has_all { size } else { 4 * size };
    let registers = of.registers();
    let mut text = begin(of);
    text += &format!(".reg .{kind} %a<9>, %b<9>; .reg .{of_d} %d<9>;\n");
    for i in 0..registers {
        text += &format!("ld.global.{of_d} %d{i}, [%C];\n");
    }
    if !has_all {
        text += &format!("mul.wide.u32 %w, %lane, {size}; add.u64 %A, %A, %w; add.u64 %B, %B, %w;\n");
    }
    for i in 0..loaded {
        let at = i * apart;
        text += &format!("ld.global.{kind} %a{i}, [%A+{at}]; ld.global.{kind} %b{i}, [%B+{at}];\n");
    }
    let d = list("d", 0..registers);
    // Two rows of A, which are the same.
    let twice: Vec<usize> = (0..loaded).flat_map(|i| [i, i]).collect();
    let (a, b) = match has_all || of.shape == "m8n8k4" {
        true => (list("a", 0..loaded), list("b", 0..loaded)),
        false => (list("a", twice), list("b", 0..loaded)),
    };
    let name = of.spelled(scale);
    if is_group {
        // Two matrices of 8 columns by 16 bytes, one after the other.
        let (scales, major) = match of.d.as_str() {
            "s32" => ("", ""),
            _ if matches!(of.a.as_str(), "f16" | "bf16") => (", 1, 1", ", 0"),
            _ => (", 1, 1", ""),
        };
        text += &format!(
            ".shared .align 128 .b8 tile[256];
            shr.u32 %u, %t, 2; and.b32 %u, %u, 7; shl.b32 %u, %u, 4; shl.b32 %v, %lane, 2; add.u32 %u, %u, %v;
            mov.u32 %v, tile; add.u32 %u, %u, %v; setp.lt.u32 %p0, %t, 32;
            @%p0 st.shared.b32 [%u], %b0; @%p0 st.shared.b32 [%u+128], %b1;
            and.b32 %v, %v, 0x3ffff; shr.u32 %v, %v, 4; cvt.u64.u32 %x, %v; or.b64 %x, %x, 0x0000000800080000;
            fence.proxy.async.shared::cta; bar.sync 0; setp.eq.u32 %p1, %v, %v;
            wgmma.fence.sync.aligned;
            {name} {d}, {{%a0, %a0, %a1, %a1}}, %x, %p1{scales}{major};
            wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
        );
    } else {
        let factors = if scale.is_some() { ", %fa, {0, 0}, %fb, {0, 0}" } else { "" };
        text += &format!("{name} {d}, {a}, {b}, {d}{factors};\n");
    }
    for i in 0..registers {
        text += &format!("st.global.{of_d} [%D+{}], %d{i};\n", i * of.bytes_of_d());
    }
    text + "ret; }\n"
}

/// The fields of an instruction descriptor for 128 rows and 16 columns.
fn descriptor(of: &Instruction, scale: Option<&str>) -> u32 {
    let format = |name: &str| match (of.kind.as_deref(), name) {
        (Some("mxf4" | "mxf4nvf4"), _) => 1,
        (_, "f16" | "u8" | "e4m3") => 0,
        (_, "bf16" | "s8" | "e5m2") => 1,
        (_, "tf32") => 2,
        (_, "e2m3") => 3,
        (_, "e3m2") => 4,
        (_, "e2m1") => 5,
        _ => panic!("{name} has a number"),
    };
    let d = match of.d.as_str() {
        _ if of.is_scaled() => 0,
        "f16" => 0,
        "f32" => 1,
        _ => 2,
    };
    let satfinite = u32::from(of.satfinite) << 3;
    let ue8m0 = u32::from(scale == Some("ue8m0")) << 23;
    d << 4 | satfinite | format(&of.a) << 7 | format(&of.b) << 10 | (16 >> 3) << 17 | ue8m0 | (128 >> 4) << 24
}

/// `tcgen05.mma` of 128 rows and 16 columns, whose accumulators and factors come from registers.
fn of_tensor_memory(of: &Instruction, scale: Option<(&str, u32)>) -> String {
    let kind = of.kind.as_deref().unwrap_or(match of.a.as_str() {
        "tf32" => "tf32",
        _ => "f16",
    });
    let of_scale = scale.map_or(String::new(), |(_, count)| format!(".block_scale.scale_vec::{count}X"));
    let factors = if scale.is_some() { ", [%r20], [%r21]" } else { "" };
    let c = list("r", [0; 16]);
    let descriptor = descriptor(of, scale.map(|(scale, _)| scale));
    let mut text = begin(of);
    text += &format!(
        ".shared .align 128 .b8 A[4096]; .shared .align 128 .b8 B[512]; .shared .align 8 .b64 bar;
        .shared .align 4 .b32 base;
        ld.global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%A]; ld.global.v4.b32 {{%r8, %r9, %r10, %r11}}, [%A+16];
        shl.b32 %u, %t, 4; mov.u32 %v, A; add.u32 %v, %v, %u;
        st.shared.v4.b32 [%v], {{%r4, %r5, %r6, %r7}}; st.shared.v4.b32 [%v+2048], {{%r8, %r9, %r10, %r11}};
        ld.global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%B]; ld.global.v4.b32 {{%r8, %r9, %r10, %r11}}, [%B+16];
        mov.u32 %v, B; add.u32 %v, %v, %u; setp.lt.u32 %p0, %t, 16;
        @%p0 st.shared.v4.b32 [%v], {{%r4, %r5, %r6, %r7}}; @%p0 st.shared.v4.b32 [%v+256], {{%r8, %r9, %r10, %r11}};
        fence.proxy.async.shared::cta;
        setp.eq.u32 %p1, %t, 0; setp.lt.u32 %p2, %t, 32;
        mov.u32 %r30, bar; mov.u32 %r31, base;
        @%p1 mbarrier.init.shared.b64 [%r30], 1;
        @!%p2 bra ALLOCATED;
        tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r31], 32;
      ALLOCATED:
        bar.sync 0; ld.shared.b32 %r19, [%r31];
        and.b32 %u, %t, 0x60; shl.b32 %u, %u, 16; add.u32 %r18, %r19, %u;
        ld.global.b32 %r0, [%C];
        tcgen05.st.sync.aligned.32x32b.x16.b32 [%r18], {c};
        tcgen05.st.sync.aligned.32x32b.x4.b32 [%r18+16], {{%fa, %fa, %fa, %fa}};
        tcgen05.st.sync.aligned.32x32b.x1.b32 [%r18+20], {{%fb}};
        tcgen05.wait::st.sync.aligned;
        tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
        add.u32 %r20, %r19, 16; add.u32 %r21, %r19, 20;
        @!%p1 bra ISSUED;
        mov.u32 %u, A; shr.u32 %u, %u, 4; cvt.u64.u32 %x, %u; or.b64 %x, %x, 0x0000400800800000;
        mov.u32 %u, B; shr.u32 %u, %u, 4; cvt.u64.u32 %y, %u; or.b64 %y, %y, 0x0000400800100000;
        mov.u32 %u, {descriptor};
        tcgen05.mma.cta_group::1.kind::{kind}{of_scale} [%r19], %x, %y, %u{factors}, %p1;
        tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r30];
      ISSUED:
        mbarrier.try_wait.parity.shared.b64 %p3, [%r30], 0;
        @!%p3 bra ISSUED;
        tcgen05.fence::after_thread_sync;
        tcgen05.ld.sync.aligned.32x32b.x2.b32 {{%r1, %r2}}, [%r18];
        tcgen05.wait::ld.sync.aligned;
        st.global.b32 [%D], %r1; st.global.b32 [%D+4], %r2;
        tcgen05.fence::before_thread_sync; bar.sync 0;
        @!%p2 bra END;
        tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r19, 32;
      END:
        ret; }}\n"
    );
    text
}

/// The kernel of an instruction.
fn program(of: &Instruction, scale: Option<(&str, u32)>) -> Program {
    let text = match of.instruction.as_str() {
        "tcgen05" => of_tensor_memory(of, scale),
        _ => of_warps(of, scale),
    };
    let file = parse(&text, Reading { file: "k.ptx", strict: true });
    file.and_then(|file| file.program()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The results of cases, which are the same in all places: A, B, C, and the factors.
fn results(program: &Program, of: &Instruction, cases: &[[Vec<u8>; 5]]) -> Vec<u64> {
    let mut memory = Memory::new();
    let mut args: Vec<Arg> = (0..5)
        .map(|i| memory.upload_bytes(&cases.iter().flat_map(|case| case[i].clone()).collect::<Vec<u8>>()))
        .map(Arg::Buffer)
        .collect();
    let all = of.threads() as usize * of.registers() * of.bytes_of_d();
    let d = memory.zeroed::<u8>(all * cases.len());
    args.push(Arg::Buffer(d));
    let mut launch = Launch::new("k", [cases.len() as u32, 1, 1], [of.threads(), 1, 1]);
    (launch.sums, launch.check_races) = (of.sums(), false);
    launch.target = of.target().parse().unwrap();
    let report = program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.findings.is_empty(), "{report}");
    let is_float = of.d.starts_with('f') && of.d != "f64";
    assert_eq!(report.sums.is_some(), is_float && of.sums() != Sums::Plain);
    let found = memory.download::<u8>(d);
    let code = |words: &[u8]| {
        let word = &words[..of.bytes_of_d()];
        assert!(words.chunks(word.len()).all(|other| other == word), "{words:x?}");
        let code = word.iter().rev().fold(0u64, |code, byte| code << 8 | u64::from(*byte));
        if of.d == "f16" { code & 0xffff } else { code }
    };
    found.chunks(all).map(code).collect()
}

fn read() -> Vectors {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/tensor_cores.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn is_full() -> bool {
    std::env::var("CUTE_FULL").is_ok_and(|full| !full.is_empty())
}

#[test]
fn sums_are_the_words_of_devices_and_of_public_models() {
    let (mut count, mut wrong) = (0, Vec::new());
    for (number, Group { of, scale, scale_vec, vectors }) in read().groups.into_iter().enumerate() {
        let [a, b, d] = [&of.a, &of.b, &of.d].map(|name| element(name));
        let few = vectors.iter().skip(number % 5).step_by(if is_full() { 1 } else { 5 });
        let vectors: Vec<&Vec<String>> = if is_full() { vectors.iter().collect() } else { few.collect() };
        if vectors.is_empty() {
            continue;
        }
        let cases: Vec<[Vec<u8>; 5]> = vectors
            .iter()
            .map(|vector| {
                let row = |i: usize, of_row: Element| bytes(&codes(&vector[i], of_row), of_row, of.form());
                let factors = |i: usize| -> Vec<u8> {
                    let codes = vector.get(i).map_or(Vec::new(), |text| codes(text, Element::Ue8m0));
                    codes.into_iter().map(|code| code as u8).chain([0; 4]).take(4).collect()
                };
                let c = codes(&vector[3], if d == Element::F32 { Element::Tf32 } else { d })[0];
                [row(1, a), row(2, b), of.word(c), factors(5), factors(6)]
            })
            .collect();
        let scale = scale.as_deref().zip(scale_vec);
        let found = results(&program(&of, scale), &of, &cases);
        for (vector, found) in vectors.iter().zip(found) {
            count += 1;
            if u64::from_str_radix(&vector[4], 16).unwrap() != found {
                let Instruction { arch, instruction, shape, .. } = &of;
                wrong.push(format!("{arch} {instruction} {shape} {:?}: {vector:?}: {found:x}", of.kind));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 700, "{count}");
}

/// Three products of 0.75 * 2^-13, added to 1024: the sum that `docs/bits.md` follows by hand.
#[test]
fn one_sum_is_three_sums() {
    let of = |arch: &str| Instruction {
        arch: arch.into(),
        instruction: "mma".into(),
        shape: "m16n8k16".into(),
        kind: None,
        a: "f16".into(),
        b: "f16".into(),
        d: "f32".into(),
        satfinite: false,
    };
    let row =
        |code: u16| [code, code, code].iter().flat_map(|code| code.to_le_bytes()).chain([0; 26]).collect();
    let c = 1024f32.to_bits();
    let case = || [row(0x3a00), row(0x0800), c.to_le_bytes().to_vec(), vec![0; 4], vec![0; 4]];
    let units = |of: &Instruction| results(&program(of, None), of, &[case()])[0] - u64::from(c);
    assert_eq!(["sm_80", "sm_90", "plain"].map(|arch| units(&of(arch))), [1, 2, 3]);
}

/// The codes that a chain draws for the elements of a row.
fn drawn(draw: &mut impl FnMut() -> u32, of: Element, k: usize) -> Vec<u64> {
    let format = of.float().unwrap();
    let (bias, fraction) = (format.bias as u32, if of == Element::Tf32 { 23 } else { format.fraction });
    let code = |u: u32| {
        let exponent = bias - 4 + (u >> 28 & 7);
        let places = fraction + format.exponent;
        u64::from(u >> 31) << places | u64::from(exponent) << fraction | u64::from(u & ((1 << fraction) - 1))
    };
    (0..k).map(|_| code(draw())).collect()
}

#[test]
fn chains_of_sums_have_the_published_words() {
    let chains = read().chains.into_iter().enumerate();
    for (_, chain) in chains.filter(|(i, chain)| is_full() || i % 8 == 0 && chain.steps < 100) {
        let [a, b] = [&chain.of.a, &chain.of.b].map(|name| element(name));
        let mut state = chain.seed;
        let mut draw = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 32) as u32
        };
        let (program, mut d, mut words) = (program(&chain.of, None), 0, Vec::new());
        for _ in 0..chain.steps {
            let k = chain.of.k();
            let rows = [a, b].map(|of| bytes(&drawn(&mut draw, of, k), of, chain.of.form()));
            let [a, b] = rows;
            d = results(&program, &chain.of, &[[a, b, chain.of.word(d), vec![0; 4], vec![0; 4]]])[0];
            let size = if chain.of.d == "f16" { 2 } else { 4 };
            words.extend_from_slice(&d.to_le_bytes()[..size]);
        }
        let hash: String = Sha256::digest(&words).iter().map(|byte| format!("{byte:02x}")).collect();
        let of = &chain.of;
        let digits = 2 * if of.d == "f16" { 2 } else { 4 };
        assert_eq!(
            (format!("{d:0digits$x}"), hash),
            (chain.last, chain.sha256),
            "{} {} {}",
            of.arch,
            of.shape,
            of.a
        );
    }
}
