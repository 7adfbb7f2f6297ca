//! `tcgen05.mma` of every kind, beside a plain multiplication of small integers; under one of the
//! schedules as text.

use super::text::as_text;
use super::{GLOBALS, SCHEDULES, with_columns};
use crate::wgmma::{self, Laid, fill};
use crate::{function, program};
use cute_arch::Element::{self, *};
use cute_arch::atoms::{Tcgen05Group, Tcgen05Kind, zero_columns};
use cute_sim::format::{Overflow, Rounding, decode, decode_integer, encode};
use cute_sim::{Arg, Launch, Memory, Schedule};
use fastrand::Rng;

/// An MMA, and how it is written.
#[derive(Debug, Clone, Copy)]
struct Case {
    kind: Tcgen05Kind,
    group: Tcgen05Group,
    /// D, A and B.
    types: [Element; 3],
    shape: [usize; 2],
    laid: [Laid; 2],
    negate: [bool; 2],
    adds: bool,
    /// The power of 2 that D is divided by.
    scale: u32,
    /// MMAs in a row, the first of which may not add.
    times: usize,
    from_tensor: bool,
    /// Lanes of each block that are not written, the same of each 32.
    disabled: u32,
    /// The descriptor of the columns of B that count as zero.
    zero_columns: u64,
    factors: Option<Factors>,
}

/// Scale factors: their type, their number along K, and the bytes with the first of A and of B.
#[derive(Debug, Clone, Copy)]
struct Factors {
    element: Element,
    count: usize,
    first: [usize; 2],
}

impl Factors {
    /// A small number of this type.
    fn number(self, rng: &mut Rng) -> i64 {
        if self.element == Ue8m0 { 1 << rng.u32(0..3) } else { rng.i64(1..=3) }
    }
}

const SWIZZLED: Laid = Laid { swizzle: 3, ..Laid::PLAIN };

const CASE: Case = Case {
    kind: Tcgen05Kind::F16,
    group: Tcgen05Group::One,
    types: [F32, Bf16, Bf16],
    shape: [128, 64],
    laid: [SWIZZLED; 2],
    negate: [false; 2],
    adds: true,
    scale: 0,
    times: 1,
    from_tensor: false,
    disabled: 0,
    factors: None,
    zero_columns: 0,
};

/// Numbers of 6 and 4 bits are 16 to 16 bytes, packed at their beginning.
fn bytes(element: Element) -> usize {
    (element.bits() as usize).div_ceil(8)
}

fn code(element: Element, x: i64) -> u64 {
    match element.float() {
        Some(_) => encode(element, x as f64, Rounding::NearestEven, Overflow::Ieee).unwrap(),
        None => x as u64 & u64::MAX >> (64 - element.bits()),
    }
}

impl Case {
    fn blocks(&self) -> usize {
        self.group.ctas() as usize
    }

    fn k(&self) -> usize {
        256 / self.kind.row().bits as usize
    }

    /// Whether two elements are in a byte.
    fn is_packed(&self) -> bool {
        self.kind.row().bits == 4
    }

    /// The byte of an element of A (0) or B (1) in a block's tile, and its bits within.
    fn at(&self, which: usize, [i, j]: [usize; 2]) -> (usize, u32) {
        let (laid, mn, element) = (self.laid[which], self.parts()[which], self.types[which + 1]);
        let width = element.bits() as usize;
        if self.is_packed() {
            return (laid.at([i, j / 2], mn, 1), 4 * (j as u32 % 2));
        }
        let at = laid.at([i, j], mn, bytes(element));
        match width < 8 {
            true => (at / 16 * 16 + at % 16 * width / 8, (at % 16 * width % 8) as u32),
            false => (at, 0),
        }
    }

    /// Rows of A and columns of B that a block has.
    fn parts(&self) -> [usize; 2] {
        self.shape.map(|extent| extent / self.blocks())
    }

    /// Block, lane and column of an element of D, as PTX draws them.
    fn place(&self, row: usize, column: usize) -> (usize, usize, usize) {
        let [m, n] = self.shape;
        match (self.group, m) {
            (Tcgen05Group::One, 64) => (0, row % 16 + row / 16 * 32, column),
            (Tcgen05Group::Pair, 128) => (row / 64, row % 64 + column / (n / 2) * 64, column % (n / 2)),
            (Tcgen05Group::Pair, _) => (row / 128, row % 128, column),
            (Tcgen05Group::WeightStationary, 64) => (0, row + column / (n / 2) * 64, column % (n / 2)),
            (Tcgen05Group::WeightStationary, 32) => (0, row + column / (n / 4) * 32, column % (n / 4)),
            _ => (0, row, column),
        }
    }

    fn descriptor(&self) -> u32 {
        let [d, a, b] = self.types;
        let format = |element| match element {
            F16 | E4m3 | U8 => 0,
            Bf16 | E5m2 | S8 => 1,
            Tf32 => 2,
            E2m3 => 3,
            E3m2 => 4,
            _ if self.is_packed() => 1,
            _ => 5,
        };
        let sum = match d {
            _ if self.factors.is_some() => 0,
            F16 => 0,
            F32 => 1,
            _ => 2,
        };
        let factors = self.factors.map_or(0, |factors| {
            let [a, b] = factors.first.map(|byte| byte as u32);
            b << 4 | u32::from(factors.element == Ue8m0) << 23 | a << 29
        });
        let [m, n] = self.shape.map(|extent| extent as u32);
        let majors = self.laid.map(|laid| u32::from(laid.mn_major));
        let signs = self.negate.map(u32::from);
        factors
            | sum << 4
            | format(a) << 7
            | format(b) << 10
            | signs[0] << 13
            | signs[1] << 14
            | majors[0] << 15
            | majors[1] << 16
            | (n >> 3) << 17
            | (m >> 4) << 24
    }

    /// Code that computes the descriptor of a matrix.
    fn matrix(&self, name: &str, which: usize) -> String {
        let (word, skip) = self.laid[which].descriptor(self.parts()[which], bytes(self.types[which + 1]));
        format!(
            "%i{name} = llvm.ptrtoint %s{name} : !llvm.ptr<3> to i32
             %skip{name} = llvm.mlir.constant({skip} : i32) : i32
             %j{name} = llvm.add %i{name}, %skip{name} : i32
             %low{name} = llvm.mlir.constant(262143 : i32) : i32
             %m{name} = llvm.and %j{name}, %low{name} : i32
             %four{name} = llvm.mlir.constant(4 : i32) : i32
             %k{name} = llvm.lshr %m{name}, %four{name} : i32
             %l{name} = llvm.zext %k{name} : i32 to i64
             %high{name} = llvm.mlir.constant({} : i64) : i64
             %desc{name} = llvm.or %l{name}, %high{name} : i64\n",
            (word | 1 << 46) as i64
        )
    }

    fn multiply(&self, adds: &str) -> String {
        let kind = self.kind.row().name;
        let (a, of_a) = if self.from_tensor { ("%tensor_a", "!llvm.ptr<6>") } else { ("%desca", "i64") };
        if self.group == Tcgen05Group::WeightStationary {
            let (columns, of_columns) = if self.zero_columns > 0 { (", %zeros", ", i64") } else { ("", "") };
            return format!(
                "nvvm.tcgen05.mma.ws %pd, {a}, %descb, %idesc, {adds}{columns} {{kind = #nvvm.tcgen05_mma_kind<{kind}>}}
                   : (!llvm.ptr<6>, {of_a}, i64, i32, i1{of_columns})\n"
            );
        }
        let cta = self.blocks();
        if let Some(factors) = self.factors {
            let vector = self.k() / factors.count;
            let vector = match self.kind {
                Tcgen05Kind::Mxf4nvf4 => {
                    format!("blockScale = #nvvm.tcgen05_mma_block_scale<block{vector}>, ")
                }
                _ => String::new(),
            };
            return format!(
                "nvvm.tcgen05.mma.block_scale %pd, {a}, %descb, %idesc, {adds}, %factors_a, %factors_b
                   {{kind = #nvvm.block_scale_kind<{kind}>, {vector}ctaGroup = #nvvm.cta_group<cta_{cta}>}}
                   : (!llvm.ptr<6>, {of_a}, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)\n"
            );
        }
        let (scale, of_scale) = if self.scale > 0 { (" scale = %scale", ", i64") } else { ("", "") };
        let (mask, of_mask) = match (self.disabled, cta) {
            (0, _) => ("", ""),
            (_, 1) => (" mask = %mask", ", vector<4xi32>"),
            _ => (" mask = %mask", ", vector<8xi32>"),
        };
        format!(
            "nvvm.tcgen05.mma %pd, {a}, %descb, %idesc, {adds}{scale}{mask}
               {{kind = #nvvm.tcgen05_mma_kind<{kind}>, ctaGroup = #nvvm.cta_group<cta_{cta}>}}
               : (!llvm.ptr<6>, {of_a}, i64, i32, i1{of_scale}{of_mask})\n"
        )
    }

    /// The kernel: blocks fill their tiles and tensor memory, one thread multiplies, all of them
    /// read.
    fn source(&self) -> String {
        let meet = "nvvm.cluster.arrive\nnvvm.cluster.wait\n";
        let (group, mask, of_mask) = match self.blocks() {
            2 => (" {group = #nvvm.cta_group<cta_2>}", ", multicast_mask = %both", ", i16"),
            _ => ("", "", ""),
        };
        let times = self.multiply("%true").repeat(self.times - 1);
        let lanes = 4 * self.blocks();
        let body = format!(
            "%block_words = llvm.mlir.constant(16384 : i32) : i32
             %skipped = llvm.mul %rank, %block_words : i32
             %a = llvm.getelementptr %all_a[%skipped] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %b = llvm.getelementptr %all_b[%skipped] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             {}{}
             %thread0 = llvm.mul %rank, %c128 : i32
             %thread = llvm.add %thread0, %t : i32
             %c256 = llvm.mlir.constant(256 : i32) : i32
             %c8 = llvm.mlir.constant(8 : i32) : i32
             %first = llvm.mul %thread, %c256 : i32
             %first_a = llvm.mul %thread, %c8 : i32
             %mine = llvm.getelementptr %out[%first] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %mine2 = llvm.getelementptr %mine[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
             %mine_a = llvm.getelementptr %rows[%first_a] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %own2 = llvm.add %own, %c128 : i32
             %own_a = llvm.add %own, %c256 : i32
             %low = llvm.inttoptr %own : i32 to !llvm.ptr<6>
             %upper = llvm.inttoptr %own2 : i32 to !llvm.ptr<6>
             %pown_a = llvm.inttoptr %own_a : i32 to !llvm.ptr<6>
             %c0 = llvm.load %mine {{alignment = 4 : i64}} : !llvm.ptr<1> -> vector<128xi32>
             %c1 = llvm.load %mine2 {{alignment = 4 : i64}} : !llvm.ptr<1> -> vector<128xi32>
             %ra = llvm.load %mine_a {{alignment = 4 : i64}} : !llvm.ptr<1> -> vector<8xi32>
             %first_scale = llvm.mul %thread, %c16 : i32
             %mine_scale = llvm.getelementptr %scales[%first_scale] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %rs = llvm.load %mine_scale {{alignment = 4 : i64}} : !llvm.ptr<1> -> vector<16xi32>
             %c264 = llvm.mlir.constant(264 : i32) : i32
             %c272 = llvm.mlir.constant(272 : i32) : i32
             %own_scale = llvm.add %own, %c264 : i32
             %pown_scale = llvm.inttoptr %own_scale : i32 to !llvm.ptr<6>
             nvvm.tcgen05.st %pown_scale, %rs {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<16xi32>
             nvvm.tcgen05.st %low, %c0 {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>
             nvvm.tcgen05.st %upper, %c1 {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>
             nvvm.tcgen05.st %pown_a, %ra {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<8xi32>
             nvvm.tcgen05.wait <store>
             nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
             nvvm.tcgen05.fence <before>
             {meet}
             %both = llvm.mlir.constant(3 : i16) : i16
             %leads = llvm.icmp \"eq\" %rank, %zero : i32
             %issues = llvm.and %leads, %is_thread : i1
             llvm.cond_br %issues, ^issue, ^issued
           ^issue:
             nvvm.tcgen05.fence <after>
             %pd = llvm.inttoptr %tm : i32 to !llvm.ptr<6>
             %at_a = llvm.add %tm, %c256 : i32
             %tensor_a = llvm.inttoptr %at_a : i32 to !llvm.ptr<6>
             %at_factors_a = llvm.add %tm, %c264 : i32
             %at_factors_b = llvm.add %tm, %c272 : i32
             %factors_a = llvm.inttoptr %at_factors_a : i32 to !llvm.ptr<6>
             %factors_b = llvm.inttoptr %at_factors_b : i32 to !llvm.ptr<6>
             {}{}
             %idesc = llvm.mlir.constant({} : i32) : i32
             %zeros = llvm.mlir.constant({} : i64) : i64
             %adds = llvm.mlir.constant({}) : i1
             %scale = llvm.mlir.constant({} : i64) : i64
             %mask = llvm.mlir.constant(dense<{}> : vector<{lanes}xi32>) : vector<{lanes}xi32>
             {}{times}
             nvvm.tcgen05.commit %done{mask}{group} : !llvm.ptr<3>{of_mask}
             llvm.br ^issued
           ^issued:
             %ticks = llvm.mlir.constant(10000 : i32) : i32
             nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
             nvvm.tcgen05.fence <after>
             %d0 = nvvm.tcgen05.ld %low {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>
             %d1 = nvvm.tcgen05.ld %upper {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>
             llvm.store %d0, %mine {{alignment = 4 : i64}} : vector<128xi32>, !llvm.ptr<1>
             llvm.store %d1, %mine2 {{alignment = 4 : i64}} : vector<128xi32>, !llvm.ptr<1>
             nvvm.tcgen05.wait <load>\n",
            fill("a", 8192),
            fill("b", 8192),
            self.matrix("a", 0),
            self.matrix("b", 1),
            self.descriptor(),
            self.zero_columns as i64,
            self.adds,
            self.scale,
            self.disabled as i32,
            self.multiply("%adds"),
        );
        let parameters = "%all_a: !llvm.ptr<1>, %all_b: !llvm.ptr<1>, %rows: !llvm.ptr<1>, %out: !llvm.ptr<1>, %scales: !llvm.ptr<1>";
        wgmma::GLOBALS.to_owned()
            + GLOBALS
            + &function(parameters, &with_columns(512, self.blocks() == 2, &body))
    }

    /// The words with scale factors that each thread writes to its lane: 4 for A, and from the
    /// eighth on 8 for B. As PTX draws them, row r is in lane r % 32 of each group of 32 lanes, and
    /// in column r / 32; a block has its own rows of A. If the columns of D are split one above the
    /// other, so are those of B.
    fn scales(&self, factors: &Option<[Vec<i64>; 2]>) -> Vec<u32> {
        let ([m, n], blocks) = (self.shape, self.blocks());
        let mut words = vec![0u32; blocks * 128 * 16];
        let (Some(all), Some(Factors { element, count, first })) = (factors, self.factors) else {
            return words;
        };
        let halves = if self.group == Tcgen05Group::Pair && m == 128 { 2 } else { 1 };
        for (block, group) in (0..blocks).flat_map(|block| (0..4).map(move |group| (block, group))) {
            let of_a = (0..m / blocks).map(|i| (0, i, block * m / blocks + i));
            let of_b = (0..n / halves).map(|i| (1, i, group / (4 / halves) * (n / halves) + i));
            for (which, i, row) in of_a.chain(of_b) {
                let lane = group * 32 + i % 32;
                let word = &mut words[(block * 128 + lane) * 16 + 8 * which + i / 32];
                for j in 0..count {
                    *word |= (code(element, all[which][row * count + j]) as u32) << (8 * (first[which] + j));
                }
            }
        }
        words
    }

    fn check(&self, schedule: Schedule) {
        let ([m, n], k, blocks) = (self.shape, self.k(), self.blocks());
        let [d, of_a, of_b] = self.types;
        let mut rng = Rng::with_seed((m + n) as u64);
        let numbers = |rng: &mut Rng, element: Element, count: usize| -> Vec<i64> {
            let low = if element == U8 { 0 } else { -3 };
            (0..count).map(|_| rng.i64(low..=4)).collect()
        };
        let (a, b) = (numbers(&mut rng, of_a, m * k), numbers(&mut rng, of_b, n * k));
        // Divided by a power of 2 they are integers still.
        let c: Vec<i64> = numbers(&mut rng, S8, m * n).iter().map(|x| x << self.scale).collect();
        let image = |which: usize, element: Element, numbers: &[i64]| {
            let mn = self.parts()[which];
            let mut image = vec![0u8; 65536 * blocks];
            for (i, j) in (0..mn * blocks).flat_map(|i| (0..k).map(move |j| (i, j))) {
                let (at, bit) = self.at(which, [i % mn, j]);
                let code = (code(element, numbers[i * k + j]) << bit).to_le_bytes();
                let count = (element.bits() + bit).div_ceil(8) as usize;
                let to = &mut image[i / mn * 65536 + at..];
                to.iter_mut().zip(&code[..count]).for_each(|(to, from)| *to |= from);
            }
            image
        };
        let mut rows = vec![0u32; blocks * 128 * 8];
        for (i, j) in (0..m).flat_map(|i| (0..k).map(move |j| (i, j))) {
            let part = self.parts()[0];
            let (block, row) = (i / part, i % part);
            let lane =
                if self.group == Tcgen05Group::One && m == 64 { row % 16 + row / 16 * 32 } else { row };
            let per_word = 32 / self.kind.row().bits as usize;
            let bits = (code(of_a, a[i * k + j]) as u32) << (j % per_word * self.kind.row().bits as usize);
            let copies = if part == 64 && self.group == Tcgen05Group::Pair { &[0, 64][..] } else { &[0] };
            for copy in copies {
                rows[(block * 128 + lane + copy) * 8 + j / per_word] |= bits;
            }
        }
        let mut words = vec![0u32; blocks * 128 * 256];
        let word = |i: usize, j: usize| {
            let (block, lane, column) = self.place(i, j);
            ((block * 128 + lane) * 256 + column, lane)
        };
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            words[word(i, j).0] = code(d, c[i * n + j]) as u32;
        }
        // Factors of rows of A, and of columns of B.
        let factors = self.factors.map(|factors| {
            let count = factors.count;
            let mut all =
                |extent: usize| (0..extent * count).map(|_| factors.number(&mut rng)).collect::<Vec<i64>>();
            [all(m), all(n)]
        });
        let scales = self.scales(&factors);
        let mut memory = Memory::new();
        let buffers = [
            memory.upload_bytes(&image(0, of_a, &a)),
            memory.upload_bytes(&image(1, of_b, &b)),
            memory.upload(&rows),
            memory.upload(&words),
            memory.upload(&scales),
        ];
        let launch = Launch::new("kernel", [blocks as u32, 1, 1], [128, 1, 1]);
        let launch = Launch { schedule, cluster: Some([blocks as u32, 1, 1]), ..launch };
        let mut source = self.source();
        if schedule == Schedule::Eager {
            source = as_text(&source).replace("SCALE", &self.scale.to_string());
        }
        let ran = program(&source).run(&launch, &mut memory, &buffers.map(Arg::Buffer));
        ran.unwrap_or_else(|e| panic!("{self:?}: {e}"));
        let result = memory.download::<u32>(buffers[3]);
        let zeros = zero_columns(self.zero_columns, self.shape.map(|extent| extent as u32)).unwrap().1;
        let sign = if self.negate[0] != self.negate[1] { -1 } else { 1 };
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let scale = |l: usize| match (&factors, self.factors) {
                (Some([of_a, of_b]), Some(Factors { count, .. })) => {
                    let block = l * count / k;
                    of_a[i * count + block] * of_b[j * count + block]
                }
                _ => 1,
            };
            let is_zero = zeros.get(j) == Some(&true);
            let terms = (0..if is_zero { 0 } else { k }).map(|l| a[i * k + l] * b[j * k + l] * scale(l));
            let product: i64 = terms.sum();
            let times = self.times as i64;
            let (at, lane) = word(i, j);
            let before = c[i * n + j] >> self.scale;
            let expected = match self.disabled >> (lane % 32) & 1 {
                1 => c[i * n + j],
                _ => sign * times * product + if self.adds { before } else { 0 },
            };
            let code = u64::from(result[at]) & u64::MAX >> (64 - d.bits());
            let found = decode(d, code).map(|x| x as i64).or(decode_integer(d, code)).unwrap();
            assert_eq!(found, expected, "row {i}, column {j}: {self:?}");
        }
    }
}

/// All pairs of types of each kind.
fn types() -> Vec<(Tcgen05Kind, [Element; 3])> {
    let mut all = vec![
        (Tcgen05Kind::F16, [F32, F16, F16]),
        (Tcgen05Kind::F16, [F32, Bf16, Bf16]),
        (Tcgen05Kind::F16, [F16, F16, F16]),
        (Tcgen05Kind::Tf32, [F32, Tf32, Tf32]),
        (Tcgen05Kind::I8, [S32, S8, S8]),
        (Tcgen05Kind::I8, [S32, U8, S8]),
    ];
    let small = [E4m3, E5m2, E2m3, E3m2, E2m1];
    for (i, a) in small.into_iter().enumerate() {
        let b = small[(2 * i + 1) % small.len()];
        all.push((Tcgen05Kind::F8f6f4, [if i % 2 == 0 { F32 } else { F16 }, a, b]));
    }
    all
}

#[test]
fn every_kind_multiplies_in_every_shape() {
    let mut count = 0;
    for (i, (kind, types)) in types().into_iter().enumerate() {
        let shapes = [
            (Tcgen05Group::One, [64, 32]),
            (Tcgen05Group::Pair, [128, 64]),
            (Tcgen05Group::One, [128, 256]),
            (Tcgen05Group::Pair, [256, 128]),
        ];
        for (group, shape) in shapes.into_iter().skip(i % 2).step_by(2) {
            let case = Case { kind, types, group, shape, adds: count % 3 > 0, ..CASE };
            case.check(SCHEDULES[count % 5]);
            count += 1;
        }
    }
    assert_eq!(count, 22);
}

/// Kinds with their types, factors, and all first bytes.
fn scaled_types() -> Vec<(Tcgen05Kind, [Element; 3], Factors)> {
    let small = [E4m3, E5m2, E2m3, E3m2, E2m1];
    let pairs = (0..25).map(|i| (Tcgen05Kind::Mxf8f6f4, [F32, small[i / 5], small[i % 5]], Ue8m0, 1));
    let packed = [
        (Tcgen05Kind::Mxf4, Ue8m0, 2),
        (Tcgen05Kind::Mxf4nvf4, Ue8m0, 2),
        (Tcgen05Kind::Mxf4nvf4, Ue8m0, 4),
        (Tcgen05Kind::Mxf4nvf4, Ue4m3, 4),
    ];
    let packed = packed.map(|(kind, element, count)| (kind, [F32, E2m1, E2m1], element, count));
    let mut all = Vec::new();
    for (i, (kind, types, element, count)) in pairs.chain(packed).enumerate() {
        let ids: Vec<usize> = (0..4).step_by(count).collect();
        let all_ids = ids.iter().flat_map(|a| ids.iter().map(move |b| [*a, *b]));
        // Each pair of types has one of the pairs of bytes.
        let skip = if kind == Tcgen05Kind::Mxf8f6f4 { 16 } else { 1 };
        let ids = all_ids.skip(i % skip).step_by(skip);
        all.extend(ids.map(|first| (kind, types, Factors { element, count, first })));
    }
    all
}

#[test]
fn blocks_are_scaled() {
    let shapes = [
        (Tcgen05Group::One, [128, 8]),
        (Tcgen05Group::Pair, [256, 64]),
        (Tcgen05Group::One, [128, 72]),
        (Tcgen05Group::Pair, [128, 64]),
        (Tcgen05Group::One, [128, 256]),
        (Tcgen05Group::Pair, [256, 256]),
        (Tcgen05Group::Pair, [128, 256]),
    ];
    let all = scaled_types();
    assert_eq!(all.len(), 25 + 4 + 4 + 1 + 1);
    for (i, (kind, types, factors)) in all.into_iter().enumerate() {
        let (group, shape) = shapes[i % 7];
        let case = Case { kind, types, group, shape, factors: Some(factors), adds: i % 3 > 0, ..CASE };
        case.check(SCHEDULES[i % 5]);
        if types[1].bits() == kind.row().bits && i % 2 == 0 {
            Case { from_tensor: true, negate: [true, false], ..case }.check(SCHEDULES[(i + 1) % 5]);
        }
    }
}

#[test]
fn weights_stay_where_they_are() {
    for (i, (kind, types)) in types().into_iter().enumerate() {
        let shape = [[32, 64], [64, 128], [128, 64], [32, 256]][i % 4];
        let group = Tcgen05Group::WeightStationary;
        Case { kind, types, group, shape, adds: i % 2 == 0, ..CASE }.check(SCHEDULES[i % 5]);
    }
}

/// Spans of zeros and of columns that are used, and what a descriptor must not say.
#[test]
fn columns_of_b_count_as_zero() {
    let group = Tcgen05Group::WeightStationary;
    let mask = |parts: u64, starts: u64, zeros: u64, used: u64| {
        1 << 39 | parts << 32 | starts | (zeros - 1) << 40 | (used - 1) << 48
    };
    for (i, zero_columns) in
        [mask(0b0101, 0, 3, 4), mask(0, 0x0002_0100, 1, 3), mask(1, 0, 256, 1), mask(0, 0, 1, 256)]
            .into_iter()
            .enumerate()
    {
        let shape = [[32, 64], [32, 128], [128, 64], [64, 64]][i];
        let case = Case { group, shape, zero_columns, adds: i % 2 == 0, ..CASE };
        case.check(SCHEDULES[i]);
        case.check(Schedule::Eager);
    }
    for (zero_columns, expected) in [
        (mask(0, 4, 3, 4), "the start count of part 0 (bits 0 to 7) is 4: the first span has 4 columns"),
        (mask(0, 0, 3, 4) | 1 << 37, "a reserved field (bits 36 to 38) is 2"),
        (mask(0, 0, 3, 4) | 8 << 56, "a zero-column mask that shifts B by 8 columns is not supported"),
        (8 << 56, "a zero-column mask that shifts B by 8 columns is not supported"),
    ] {
        let case = Case { group, shape: [128, 64], zero_columns, ..CASE };
        let mut memory = Memory::new();
        let zeros = [(); 5].map(|()| memory.zeroed::<u32>(32768));
        let launch = Launch { cluster: Some([1; 3]), ..Launch::new("kernel", [1; 3], [128, 1, 1]) };
        let error = program(&case.source()).run(&launch, &mut memory, &zeros.map(Arg::Buffer)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn a_comes_from_tensor_memory() {
    let whole = |types: [Element; 3]| types[1].bits() >= 8;
    for (i, (kind, types)) in types().into_iter().filter(|(_, types)| whole(*types)).enumerate() {
        let shapes = [
            (Tcgen05Group::One, [64, 32]),
            (Tcgen05Group::Pair, [128, 64]),
            (Tcgen05Group::One, [128, 64]),
            (Tcgen05Group::Pair, [256, 64]),
        ];
        for (group, shape) in shapes.into_iter().skip(i % 2).step_by(2) {
            Case { kind, types, group, shape, from_tensor: true, ..CASE }.check(SCHEDULES[i % 5]);
        }
    }
}

#[test]
fn every_layout_signs_scales_masks_and_chains() {
    for swizzle in 0..4 {
        let k_major = Laid { swizzle, ..Laid::PLAIN };
        let mn_major = Laid { mn_major: true, ..k_major };
        let stepped = Laid { skip: if swizzle > 1 { 32 } else { 0 }, ..k_major };
        for (i, laid) in
            [[k_major, mn_major], [mn_major, k_major], [stepped, stepped]].into_iter().enumerate()
        {
            for group in [Tcgen05Group::One, Tcgen05Group::Pair] {
                Case { laid, group, times: 2, ..CASE }.check(SCHEDULES[(i + swizzle) % 5]);
            }
        }
    }
    Case { group: Tcgen05Group::Pair, shape: [256, 256], times: 16, ..CASE }.check(Schedule::Lazy);
    for group in [Tcgen05Group::One, Tcgen05Group::Pair] {
        Case { negate: [true, false], group, ..CASE }.check(Schedule::Lazy);
        Case { negate: [true, true], group, adds: false, ..CASE }.check(Schedule::Eager);
        Case { scale: 3, group, ..CASE }.check(Schedule::Reverse);
        Case { disabled: 0x00f0_0005, group, ..CASE }.check(Schedule::Random(3));
    }
}
