//! Block-scaled products with K = 96 of sm_103a, beside plain loops. An instruction reads 48 bytes
//! of each row of 128: eight of them go through three buffers, from one to the next one that their
//! descriptors name, as those of CUTLASS's main loop do.

use super::Grid;
use cute_arch::Element;
use cute_sim::format::decode;
use fastrand::Rng;

const GROUP: Grid<'static> = Grid { threads: 128, ..Grid::WARP };

/// Elements along K of three buffers, and the MMAs that read them.
const K: usize = 768;
const MMAS: usize = 8;
const ROWS: usize = 128;

/// Bytes of a buffer with this many rows.
fn buffer(rows: usize) -> usize {
    128 * rows
}

/// The byte of a row at a byte along K, in buffers of 128 bytes of each row, which are swizzled.
fn place(rows: usize, row: usize, byte: usize) -> usize {
    let (unit, within) = (byte % 128 / 16, byte % 16);
    byte / 128 * buffer(rows) + row * 128 + (unit ^ (row % 8)) * 16 + within
}

/// A product: its columns, the elements that share a factor, and the type of factors.
#[derive(Debug, Clone, Copy)]
struct Case {
    n: usize,
    vector: usize,
    factors: Element,
    kind: &'static str,
}

/// Code of the launch that a mistake changes.
struct Issue {
    descriptor: u32,
    /// The bits of both descriptors of matrices above their addresses.
    above: u64,
    /// For each MMA the byte along K from which it reads, and the buffer that is its next one.
    reads: [(usize, usize); MMAS],
}

impl Case {
    fn per_mma(self) -> usize {
        96 / self.vector
    }

    /// Columns from the word of four factors to the next one, of A and of B.
    fn steps(self) -> [usize; 2] {
        [4, 4 * self.n.div_ceil(128)]
    }

    /// Columns of tensor memory: those of D, then the factors of A and of B.
    fn columns(self) -> [usize; 3] {
        let words = K / self.vector / 4;
        [0, self.n, self.n + words * self.steps()[0]]
    }

    fn issue(self) -> Issue {
        let powers = u32::from(self.factors == Element::Ue8m0) << 23;
        let shape = ((self.n as u32 >> 3) << 17) | (8 << 24);
        Issue {
            descriptor: shape | powers | 1 << 7 | 1 << 10 | 1 << 31,
            above: 1 << 46 | 1 << 52 | 2 << 61 | (1024 / 16) << 32,
            reads: std::array::from_fn(|i| {
                let last = 48 * i + 47;
                (48 * i, last / 128)
            }),
        }
    }

    /// The code of thread 0.
    fn multiply(self, issue: &Issue) -> String {
        let mut text = String::new();
        for (i, (from, next)) in issue.reads.iter().enumerate() {
            let first = i * self.per_mma();
            let [of_a, of_b] = self.steps().map(|step| first / 4 * step);
            let [_, a, b] = self.columns();
            let descriptor = issue.descriptor | (first as u32 % 4) << 29 | (first as u32 % 4) << 4;
            let address = |rows: usize, base: usize| {
                let at = |byte: usize| (base + byte / 128 * buffer(rows) + byte % 128) / 16;
                ((at(128 * next) as u64) << 16) + at(*from) as u64
            };
            let bases = [address(ROWS, 0), address(self.n, 3 * buffer(ROWS))];
            text += &format!(
                "add.u64 %rd5, %rd3, {}; add.u64 %rd6, %rd3, {}; mov.b32 %r6, {descriptor}; setp.ne.u32 %p3, {i}, 0;
                 add.u32 %r12, %r10, {}; add.u32 %r13, %r10, {};
                 tcgen05.mma.cta_group::1.kind::{}.block_scale.block{} [%r10], %rd5, %rd6, %r6, [%r12], [%r13], %p3;\n",
                bases[0] + issue.above,
                bases[1] + issue.above,
                a + of_a,
                b + of_b,
                self.kind,
                self.vector,
            );
        }
        text
    }

    /// The accumulators by rows, or an error. `words`: the buffers, and then the words of tensor
    /// memory from the factors of A on, lane after lane.
    fn run(self, issue: &Issue, words: &[u32]) -> Result<Vec<u32>, String> {
        let bytes = 3 * (buffer(ROWS) + buffer(self.n));
        let globals = format!(".shared .align 1024 .b8 buffers[{bytes}];");
        let [_, first, _] = self.columns();
        let factors = self.factor_columns();
        // The tile's base is added to both addresses of a descriptor.
        let body = format!(
            "setp.ge.u32 %p0, %r1, 32; @%p0 bra allocated;
             tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [tile], 512;
             setp.eq.u32 %p7, %r1, 0; @%p7 mbarrier.init.shared.b64 [bar], 1;
             allocated: ld.param.u64 %rd7, [given]; mov.u32 %r4, %r1;
             fill: mad.wide.u32 %rd5, %r4, 4, %rd7; ld.global.u32 %r5, [%rd5]; mov.u32 %r6, buffers; mad.lo.u32 %r6, %r4, 4, %r6;
             st.shared.u32 [%r6], %r5; add.u32 %r4, %r4, 128; setp.lt.u32 %p1, %r4, {words_of_buffers}; @%p1 bra fill;
             fence.proxy.async; tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
             ld.shared.u32 %r10, [tile]; shr.u32 %r11, %r1, 5; shl.b32 %r11, %r11, 21; add.u32 %r11, %r11, %r10;
             mov.u32 %r4, 0; mad.lo.u32 %r5, %r1, {factors}, {words_of_buffers}; mad.wide.u32 %rd5, %r5, 4, %rd7;
             factor: ld.global.u32 %r5, [%rd5]; add.u64 %rd5, %rd5, 4; add.u32 %r6, %r11, {first}; add.u32 %r6, %r6, %r4;
             tcgen05.st.sync.aligned.32x32b.x1.b32 [%r6], {{%r5}}; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, {factors}; @%p1 bra factor;
             tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
             setp.ne.u32 %p1, %r1, 0; @%p1 bra issued;
             mov.u32 %r4, buffers; shr.u32 %r4, %r4, 4; mul.wide.u32 %rd3, %r4, 65537;
             {multiply}
             tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
             issued: again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra again; tcgen05.fence::after_thread_sync;
             mov.u32 %r4, 0; mad.lo.u32 %r5, %r1, {n}, 128; mad.wide.u32 %rd5, %r5, 4, %rd1;
             take: add.u32 %r6, %r11, %r4; tcgen05.ld.sync.aligned.32x32b.x1.b32 {{%r7}}, [%r6]; tcgen05.wait::ld.sync.aligned;
             st.global.u32 [%rd5], %r7; add.u64 %rd5, %rd5, 4; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, {n}; @%p1 bra take;
             tcgen05.fence::before_thread_sync; bar.sync 0; @%p0 bra freed;
             tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r10, 512; freed:",
            words_of_buffers = bytes / 4,
            multiply = self.multiply(issue),
            n = self.n,
        );
        let found = Grid { globals: &globals, ..GROUP }.run(&body, words)?;
        Ok(found[128..128 + ROWS * self.n].to_vec())
    }

    /// Columns of tensor memory with factors.
    fn factor_columns(self) -> usize {
        let words = K / self.vector / 4;
        self.steps().iter().map(|step| words * step).sum()
    }

    /// The input of the kernel, from codes of A and B and of their factors, row after row.
    fn input(self, matrices: [&[u8]; 2], factors: [&[u8]; 2]) -> Vec<u32> {
        let extents = [ROWS, self.n];
        let mut image = vec![0u8; 3 * (buffer(ROWS) + buffer(self.n))];
        for (matrix, base) in [(0, 0), (1, 3 * buffer(ROWS))] {
            let rows = extents[matrix];
            for (row, k) in (0..rows).flat_map(|row| (0..K).map(move |k| (row, k))) {
                image[base + place(rows, row, k / 2)] |= matrices[matrix][row * K + k] << (k % 2 * 4);
            }
        }
        let (count, width) = (K / self.vector, self.factor_columns());
        let mut lanes = vec![0u32; 128 * width];
        let mut first = 0;
        for (matrix, step) in self.steps().into_iter().enumerate() {
            for (row, block) in (0..extents[matrix]).flat_map(|row| (0..count).map(move |b| (row, b))) {
                let column = first + row / 32 + block / 4 * step;
                for lane in (0..128).step_by(32).map(|group| group + row % 32) {
                    let code = u32::from(factors[matrix][row * count + block]);
                    lanes[lane * width + column] |= code << (8 * (block % 4));
                }
            }
            first += count / 4 * step;
        }
        let words = image.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
        let mut words: Vec<u32> = words.chain(lanes).collect();
        words.resize(words.len().max(128 + ROWS * self.n), 0);
        words
    }
}

const CASES: [Case; 5] = [
    Case { n: 128, vector: 32, factors: Element::Ue8m0, kind: "mxf4" },
    Case { n: 128, vector: 16, factors: Element::Ue4m3, kind: "mxf4nvf4" },
    Case { n: 192, vector: 16, factors: Element::Ue4m3, kind: "mxf4nvf4" },
    Case { n: 256, vector: 16, factors: Element::Ue8m0, kind: "mxf4nvf4" },
    Case { n: 256, vector: 32, factors: Element::Ue8m0, kind: "mxf4nvf4" },
];

/// Small factors of a type: 1/2, 1 and 2.
fn factors(rng: &mut Rng, element: Element, count: usize) -> Vec<u8> {
    let codes: [u8; 3] = if element == Element::Ue8m0 { [126, 127, 128] } else { [0x30, 0x38, 0x40] };
    (0..count).map(|_| codes[rng.usize(..3)]).collect()
}

/// Random numbers of e2m1 and random factors; all sums are exact.
#[test]
fn eight_mmas_read_three_buffers() {
    for (seed, case) in (0..).zip(CASES) {
        let mut rng = Rng::with_seed(seed);
        let codes = |rng: &mut Rng, count: usize| -> Vec<u8> { (0..count).map(|_| rng.u8(..16)).collect() };
        let (a, b) = (codes(&mut rng, ROWS * K), codes(&mut rng, case.n * K));
        let count = K / case.vector;
        let (sa, sb) =
            (factors(&mut rng, case.factors, ROWS * count), factors(&mut rng, case.factors, case.n * count));
        let found = case.run(&case.issue(), &case.input([&a, &b], [&sa, &sb]));
        let found = found.unwrap_or_else(|e| panic!("{case:?}: {e}"));
        let number = |element, code: u8| decode(element, code.into()).unwrap();
        for (row, column) in (0..ROWS).flat_map(|row| (0..case.n).map(move |column| (row, column))) {
            let product = |k: usize| {
                let scale = number(case.factors, sa[row * count + k / case.vector])
                    * number(case.factors, sb[column * count + k / case.vector]);
                number(Element::E2m1, a[row * K + k]) * number(Element::E2m1, b[column * K + k]) * scale
            };
            let expected: f64 = (0..K).map(product).sum();
            let found = f32::from_bits(found[row * case.n + column]);
            assert_eq!(f64::from(found), expected, "{case:?} D({row},{column})");
        }
    }
}

/// A 1 in one element of A, and a 1 and another power of 2 in each column of B.
#[test]
fn each_element_and_factor_is_in_its_place() {
    let case = CASES[1];
    let count = K / case.vector;
    let mut rng = Rng::with_seed(7);
    // Column n of B is 1 where bit n of k is set, and the factors of A are 2 in one block alone.
    let b: Vec<u8> =
        (0..case.n * K).map(|at| if (at % K) >> (at / K % 10) & 1 == 1 { 2 } else { 0 }).collect();
    let sb = vec![0x38; case.n * count];
    for _ in 0..6 {
        let (row, k) = (rng.usize(..ROWS), rng.usize(..K));
        let mut a = vec![0; ROWS * K];
        a[row * K + k] = 2;
        let mut sa = vec![0x38; ROWS * count];
        sa[row * count + k / case.vector] = 0x40;
        let found = case.run(&case.issue(), &case.input([&a, &b], [&sa, &sb])).unwrap();
        for (at, word) in found.iter().enumerate() {
            let is_set = at / case.n == row && k >> (at % case.n % 10) & 1 == 1;
            let expected = if is_set { 2f32 } else { 0. };
            assert_eq!(f32::from_bits(*word), expected, "A({row},{k}) in D({},{})", at / case.n, at % case.n);
        }
    }
}

/// Descriptors that name no next buffer, or one that cannot be one, and shapes whose factors have
/// no known place.
#[test]
fn descriptors_that_do_not_fit_a_longer_k_are_refused() {
    let says = |case: Case, issue: &Issue, message: &str| {
        let (a, b) = (vec![0; ROWS * K], vec![0; case.n * K]);
        let count = K / case.vector;
        let (sa, sb) = (vec![0x38; ROWS * count], vec![0x38; case.n * count]);
        let error = case.run(issue, &case.input([&a, &b], [&sa, &sb])).unwrap_err();
        assert!(error.contains(message), "{message}: {error}");
    };
    let case = CASES[1];
    let good = || case.issue();
    let relative = Issue { above: good().above & !(1 << 52), ..good() };
    says(case, &relative, "48 bytes along K from byte 96 of a row of 128 on reach the next buffer");
    let rows_of_64 = Issue { above: good().above & !(2 << 61) | 4 << 61, ..good() };
    says(case, &rows_of_64, "48 bytes along K are supported in rows of 128 bytes, not with SW64");
    let short = Issue { descriptor: good().descriptor & !(1 << 31), ..good() };
    says(
        case,
        &short,
        "an absolute leading address (bit 52) is for 48 bytes along K, but this matrix has 32",
    );
    let mut moved = good();
    moved.above += 1 << 16;
    says(case, &moved, "which does not begin a pattern of 1024 bytes");
    let factor = Issue { descriptor: good().descriptor | 1 << 29, ..good() };
    says(case, &factor, "with .scale_vec::4X and K = 96 the first byte is 0 or 2");
    let narrow = Case { n: 64, ..case };
    says(narrow, &narrow.issue(), "K = 96 with M = 128 and N = 64");
}
