//! `mma.sync` with block scales in a kernel, in each of its spellings; its numbers are tested on
//! their own.

use crate::{decode, function, program};
use cute_arch::atoms::{BlockScale, Instruction, MmaAtom, Tcgen05Kind};
use cute_ffi::lowered::OPERATION_ATTRIBUTE;
use cute_sim::matrix::{Mma, Scaled};
use cute_sim::tensor::Sums;
use cute_sim::{Arg, Error, Launch, Memory, Program};
use fastrand::Rng;

/// Words of a lane: those of A, B and C, and of the scale factors of A and B.
const WORDS: usize = 4 + 2 + 4 + 2;

/// How a kernel says what it multiplies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Spelling {
    Op,
    Intrinsic,
    /// Assembly with the attribute that names the instruction.
    Named,
    /// PTX in the order of its manual.
    Text,
    /// PTX in the order of CUTLASS, without `.scale_vec` where it may be missing.
    Short,
}

const SPELLINGS: [Spelling; 5] =
    [Spelling::Op, Spelling::Intrinsic, Spelling::Named, Spelling::Text, Spelling::Short];

/// An instruction: its model, and which of its kinds is written.
#[derive(Debug, Clone, Copy)]
struct Case {
    mma: &'static Mma,
    kind: Tcgen05Kind,
}

fn cases() -> Vec<Case> {
    let models = Instruction::MMA_SYNC.scaled().atoms().filter_map(Mma::of);
    models
        .flat_map(|mma| mma.atom().mma_sync_kinds().into_iter().map(move |kind| Case { mma, kind }))
        .collect()
}

fn case(name: &str) -> Case {
    let mma = MmaAtom::by_name(name).and_then(Mma::of).unwrap();
    Case { mma, kind: mma.atom().mma_sync_kinds()[0] }
}

const ONE: &str = "SM120_16x8x32_TN_VS<e4m3,e2m1,float,ue8m0,32>";
const TWO: &str = "SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue8m0,32>";
const FOUR: &str = "SM120_16x8x64_TN_VS<e2m1,e2m1,float,ue4m3,16>";

impl Case {
    /// K, the types of A and B, and the scale factors.
    fn parts(self) -> (u32, [&'static str; 2], BlockScale) {
        let atom = self.mma.atom();
        (atom.shape[2], [atom.a.element.name(), atom.b.element.name()], atom.block_scale().unwrap())
    }

    fn ptx(self, spelling: Spelling) -> String {
        let (k, [a, b], BlockScale { element, count }) = self.parts();
        let kind = self.kind.row().keyword;
        let types = format!("f32.{a}.{b}.f32.{element}");
        if spelling != Spelling::Short {
            return format!(
                "mma.sync.aligned.m16n8k{k}.row.col.{kind}.block_scale.scale_vec::{count}X.{types}"
            );
        }
        let factors =
            self.kind.default_scales().map_or_else(|| format!(".scale_vec::{count}X"), |_| String::new());
        format!("mma.sync.aligned.{kind}.block_scale{factors}.m16n8k{k}.row.col.{types}")
    }

    /// The instruction on `%w0`, ..: words of A, B, C and factors; `selectors` are values of i16,
    /// or numbers in text.
    fn instruction(self, spelling: Spelling, selectors: [&str; 4]) -> String {
        let (k, [a, b], BlockScale { element, count }) = self.parts();
        let words =
            |from: usize, to: usize| (from..to).map(|i| format!("%w{i}")).collect::<Vec<_>>().join(", ");
        let [ba, ta, bb, tb] = selectors;
        let all = format!("{}, %w10, {ba}, {ta}, %w11, {bb}, {tb}", words(0, 10));
        let ints = |count: usize| vec!["i32"; count].join(", ");
        let types = format!("{}, f32, f32, f32, f32, i32, i16, i16, i32, i16, i16", ints(6));
        let result = "!llvm.struct<(f32, f32, f32, f32)>";
        match spelling {
            Spelling::Op => format!(
                "%r = nvvm.mma.block_scale A[{}] B[{}] C[{}] scaleA[%w10, {ba}, {ta}] scaleB[%w11, {bb}, {tb}]
                 {{shape = #nvvm.shape<m = 16, n = 8, k = {k}>, multiplicandAPtxType = #nvvm.mma_type<{a}>,
                 multiplicandBPtxType = #nvvm.mma_type<{b}>, scaleVecSize = #nvvm.scale_vec_size<x{count}>,
                 blockScaleFormat = #nvvm.block_scale_format<{element}>, kind = #nvvm.block_scale_kind<{}>}}
                 : (i32, i32, f32) -> {result}\n",
                words(0, 4),
                words(4, 6),
                words(6, 10),
                self.kind.row().name
            ),
            Spelling::Intrinsic => format!(
                "%r = llvm.call_intrinsic \"llvm.nvvm.mma.block.scale.m16n8k{k}.row.col.{}.scale.{count}x.f32.{a}.{b}.f32.{element}\"
                 ({all}) : ({types}) -> {result}\n",
                self.kind.row().name
            ),
            Spelling::Named => {
                let text = self.ptx(spelling);
                format!(
                    "%r = llvm.inline_asm has_side_effects {{{OPERATION_ATTRIBUTE} = \"{text}\"}} \"{text} {{$0}};\", \"=r,r\" {all}
                     : ({types}) -> {result}\n"
                )
            }
            Spelling::Text | Spelling::Short => format!(
                "%r = llvm.inline_asm has_side_effects \"{} {{$0, $1, $2, $3}}, {{$4, $5, $6, $7}}, {{$8, $9}},
                 {{$10, $11, $12, $13}}, {{$14}}, {{$15, $16}}, $17, {{$18, $19}};\",
                 \"=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f,r,h,h,r,h,h\" {all} : ({types}) -> {result}\n",
                self.ptx(spelling)
            )
            .replace(",\n                 {$10", ", {$10"),
        }
    }

    /// A kernel that multiplies the words at `%in` to those at `%out`, with an instruction.
    fn kernel(self, name: &str, more: &str, instruction: &str) -> String {
        let mut body = String::from("%t = nvvm.read.ptx.sreg.laneid : i32\n");
        for word in 0..WORDS {
            let ty = if (6..10).contains(&word) { "f32" } else { "i32" };
            body += &format!(
                "%k{word} = llvm.mlir.constant({} : i32) : i32
                 %i{word} = llvm.add %t, %k{word} : i32
                 %p{word} = llvm.getelementptr %in[%i{word}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
                 %w{word} = llvm.load %p{word} : !llvm.ptr<1> -> {ty}\n",
                32 * word
            );
        }
        body += more;
        body += instruction;
        for word in 0..4 {
            body += &format!(
                "%d{word} = llvm.extractvalue %r[{word}] : !llvm.struct<(f32, f32, f32, f32)>
                 %q{word} = llvm.getelementptr %out[%i{word}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
                 llvm.store %d{word}, %q{word} : f32, !llvm.ptr<1>\n"
            );
        }
        let parameters = "%in: !llvm.ptr<1>, %chosen: !llvm.ptr<1>, %out: !llvm.ptr<1>";
        function(parameters, &body).replace("@kernel", &format!("@{name}"))
    }

    /// The same with selectors that are constants.
    fn constant(self, name: &str, spelling: Spelling, selectors: [[u32; 2]; 2]) -> String {
        let constants: String = (selectors.concat().iter().enumerate())
            .map(|(i, selector)| format!("%s{i} = llvm.mlir.constant({selector} : i16) : i16\n"))
            .collect();
        self.kernel(name, &constants, &self.instruction(spelling, ["%s0", "%s1", "%s2", "%s3"]))
    }

    /// The same with selectors that each lane loads.
    fn loaded(self, spelling: Spelling) -> Program {
        let loads: String = (0..4)
            .map(|i| {
                format!(
                    "%pc{i} = llvm.getelementptr %chosen[%i{i}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
                     %s{i} = llvm.load %pc{i} : !llvm.ptr<1> -> i16\n"
                )
            })
            .collect();
        program(&self.kernel("kernel", &loads, &self.instruction(spelling, ["%s0", "%s1", "%s2", "%s3"])))
    }

    /// The words of D, which a run must return, in the order of memory: words of all lanes.
    fn expected(self, words: &[u32], selectors: [[u32; 2]; 2]) -> Vec<u32> {
        let of = |from: usize, count: usize| -> Vec<u32> {
            (0..32 * count).map(|i| words[32 * (from + i % count) + i / count]).collect()
        };
        let (sa, sb) = (of(10, 1), of(11, 1));
        let scaled = Scaled { words: [&sa, &sb], selectors };
        let d = self.mma.execute_scaled(&of(0, 4), &of(4, 2), &of(6, 4), (&scaled, SUMS));
        (0..128).map(|i| d[i % 32 * 4 + i / 32]).collect()
    }
}

/// Those of a launch for sm_90a.
const SUMS: Sums = Sums::Device(9, 0);

/// Words of all lanes. Factors are near 1.
fn words(seed: u64) -> Vec<u32> {
    let mut random = Rng::with_seed(seed);
    let near =
        |random: &mut Rng| (0..4).fold(0, |word, byte| word | (0x38 + random.u32(..0x10)) << (8 * byte));
    (0..32 * WORDS)
        .map(|i| match i / 32 {
            6..10 => (random.f32() * 8.0 - 4.0).to_bits(),
            10.. => near(&mut random),
            _ => random.u32(..),
        })
        .collect()
}

fn run(program: &Program, name: &str, words: &[u32], chosen: &[u16]) -> Result<Vec<u32>, Error> {
    let mut memory = Memory::new();
    let buffers = [memory.upload(words), memory.upload(chosen), memory.zeroed::<u32>(128)];
    program.run(&Launch::new(name, [1; 3], [32, 1, 1]), &mut memory, &buffers.map(Arg::Buffer))?;
    Ok(memory.download::<u32>(buffers[2]))
}

/// Legal selectors, not the same for each instruction.
fn chosen(case: Case, i: usize) -> [[u32; 2]; 2] {
    let bytes: Vec<u32> = case.mma.atom().block_scale().unwrap().first_bytes().collect();
    [[bytes[i % bytes.len()], i as u32 % 2], [bytes[(i / 2) % bytes.len()], i as u32 % 4]]
}

#[test]
fn every_kind_multiplies_in_each_spelling() {
    let cases = cases();
    assert_eq!(cases.len(), 25 + 2 + 1 + 1);
    for spelling in SPELLINGS {
        let names = |spelling: Spelling, i| format!("k{i}_{spelling:?}");
        let kernels = cases.iter().enumerate().filter(|(_, case)| {
            // LLVM has no powers of two per 16 elements, and its verifier knows.
            let (.., scale) = case.parts();
            spelling != Spelling::Op || (scale.count, scale.element.name()) != (4, "ue8m0")
        });
        let kernels: Vec<_> = kernels.collect();
        let text: String = kernels
            .iter()
            .map(|(i, case)| case.constant(&names(spelling, *i), spelling, chosen(**case, *i)))
            .collect();
        let program = program(&text);
        for (i, case) in kernels {
            let words = words(i as u64);
            let found = run(&program, &names(spelling, i), &words, &[]).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(found, case.expected(&words, chosen(*case, i)), "{spelling:?} of {case:?}");
        }
    }
}

#[test]
fn selectors_may_be_numbers_of_the_text() {
    let case = case(TWO);
    let text = concat!(
        "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 ",
        "{$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, {$10, $11, $12, $13}, $14, {2, 1}, $15, {0, 3};"
    );
    let all: Vec<String> = (0..WORDS).map(|i| format!("%w{i}")).collect();
    let instruction = format!(
        "%r = llvm.inline_asm has_side_effects \"{text}\", \"=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f,r,r\" {}
         : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, i32, i32) -> !llvm.struct<(f32, f32, f32, f32)>\n",
        all.join(", ")
    );
    let words = words(17);
    let found = run(&program(&case.kernel("kernel", "", &instruction)), "kernel", &words, &[]);
    assert_eq!(found.unwrap(), case.expected(&words, [[2, 1], [0, 3]]));
}

#[test]
fn selectors_may_be_registers() {
    for (i, case) in [ONE, TWO, FOUR].map(case).into_iter().enumerate() {
        for spelling in SPELLINGS {
            let (words, selectors) = (words(i as u64), chosen(case, i + 3));
            let loaded: Vec<u16> =
                (0..128).map(|at| selectors.as_flattened()[at / 32].try_into().unwrap()).collect();
            let program = case.loaded(spelling);
            let found = run(&program, "kernel", &words, &loaded).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(found, case.expected(&words, selectors), "{spelling:?} of {case:?}");
        }
    }
}

#[test]
fn selectors_out_of_range_are_errors_or_findings() {
    let cases = [
        (ONE, 0, 4, "the byte selector of the scale factors of A is 4, but it may only be 0, 1, 2 or 3"),
        (TWO, 2, 1, "the byte selector of the scale factors of B is 1, but it may only be 0 or 2"),
        (FOUR, 0, 2, "the byte selector of the scale factors of A is 2, but it may only be 0"),
        (FOUR, 1, 2, "the thread selector of the scale factors of A is 2, but it may only be 0 or 1"),
        (TWO, 3, 4, "the thread selector of the scale factors of B is 4, but it may only be 0, 1, 2 or 3"),
    ];
    for (name, at, given, expected) in cases {
        let case = case(name);
        let mut selectors = [[0; 2]; 2];
        selectors.as_flattened_mut()[at] = given;
        for spelling in SPELLINGS {
            let error = decode(&case.constant("kernel", spelling, selectors)).unwrap_err();
            assert!(matches!(error, Error::Malformed { .. }), "{error:?}");
            assert!(error.to_string().contains(expected), "{error}");
        }
        // Selectors that are known only when it runs are findings.
        let loaded: Vec<u16> = (0..128).map(|i| if i / 32 == at { given as u16 } else { 0 }).collect();
        let error = run(&case.loaded(Spelling::Text), "kernel", &words(0), &loaded).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let mut loaded = vec![0u16; 128];
    loaded[32 + 9] = 1;
    let error = run(&case(ONE).loaded(Spelling::Op), "kernel", &words(0), &loaded).unwrap_err().to_string();
    let expected =
        "the thread selector of the scale factors of A is 1 in lane 9, but 0 in lane 0: it must be the same";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn an_undefined_factor_is_found_where_its_row_is_stored() {
    let case = case(TWO);
    // Lane 13 has the factors of row 11, but only for thread selector 0.
    let undefined = "%undefined = llvm.mlir.undef : i32
                     %c13 = llvm.mlir.constant(13 : i32) : i32
                     %is13 = llvm.icmp \"eq\" %t, %c13 : i32
                     %factors = llvm.select %is13, %undefined, %w10 : i1, i32
                     %z = llvm.mlir.constant(0 : i16) : i16
                     %o = llvm.mlir.constant(1 : i16) : i16\n";
    for (thread, fails) in [("%z", true), ("%o", false)] {
        let instruction =
            case.instruction(Spelling::Op, ["%z", thread, "%z", "%z"]).replace("%w10", "%factors");
        let program = program(&case.kernel("kernel", undefined, &instruction));
        let result = run(&program, "kernel", &words(5), &[]);
        match fails {
            true => {
                // Row 11 is in lanes 12 to 15.
                let error = result.unwrap_err().to_string();
                assert!(error.contains("thread (12, 0, 0)") && error.contains("undefined"), "{error}");
            }
            false => assert_eq!(result.unwrap().len(), 128),
        }
    }
    // So is an undefined selector where it is used.
    let instruction = case.instruction(Spelling::Op, ["%u", "%z", "%z", "%z"]);
    let undefined = "%u = llvm.mlir.undef : i16\n%z = llvm.mlir.constant(0 : i16) : i16\n";
    let program = program(&case.kernel("kernel", undefined, &instruction));
    let error = run(&program, "kernel", &words(5), &[]).unwrap_err().to_string();
    assert!(error.contains("selector") && error.contains("undefined"), "{error}");
}

#[test]
fn what_a_kind_does_not_have_is_an_error() {
    let written = |name: &str, ours: &str, other: &str| {
        let case = case(name);
        let kernel = case.constant("kernel", Spelling::Text, [[0; 2]; 2]);
        assert!(kernel.contains(ours), "{kernel}");
        decode(&kernel.replace(ours, other)).unwrap_err().to_string()
    };
    let error = written(TWO, "scale_vec::2X", "scale_vec::4X");
    let expected = "kind .kind::mxf4; there are .scale_vec::2X.ue8m0";
    assert!(error.contains("scale factors .scale_vec::4X.ue8m0") && error.contains(expected), "{error}");
    let error = written(FOUR, "scale_vec::4X", "scale_vec::2X");
    let expected = "there are .scale_vec::2X.ue8m0, .scale_vec::4X.ue4m3, .scale_vec::4X.ue8m0";
    assert!(error.contains("scale factors .scale_vec::2X.ue4m3") && error.contains(expected), "{error}");
    let error = written(FOUR, ".scale_vec::4X", "");
    assert!(error.contains("scale factors .ue4m3 without .scale_vec"), "{error}");
    let error = written(ONE, "{$15, $16}, $17, {$18, $19}", "$17");
    assert!(error.contains("6 operands for D, A, B, C, scale factors and selectors"), "{error}");
    let error = written(ONE, "{$15, $16}", "$15");
    assert!(
        error.contains("the selectors of scale factors are not a byte and a thread in braces"),
        "{error}"
    );
    let error = written(ONE, "{$14}", "{$14, $17}");
    assert!(error.contains("2 registers with scale factors: there is one"), "{error}");
}

#[test]
fn a_sparse_matrix_with_factors_is_refused_by_name() {
    let text = case(ONE).constant("kernel", Spelling::Text, [[0; 2]; 2]);
    let error = decode(&text.replace("mma.sync", "mma.sp.sync")).unwrap_err().to_string();
    assert!(error.contains("sparse"), "{error}");
}
