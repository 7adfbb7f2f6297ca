//! `wgmma`, beside a plain multiplication of small integers.

use crate::{function, program};
use cute_arch::Element;
use cute_arch::atoms::{Instruction, MmaAtom, MmaOp, Space};
use cute_sim::format::{Overflow, Rounding, decode, decode_integer, encode};
use cute_sim::tensor::{Sums, accumulators::Accumulators};
use cute_sim::{Arg, Launch, Memory, Schedule};
use fastrand::Rng;

const SCHEDULES: [Schedule; 5] =
    [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1), Schedule::Random(77)];

/// Two tiles in shared memory, at multiples of 1024, which 128 threads fill from global memory.
pub(crate) const GLOBALS: &str =
    "llvm.mlir.global internal @a() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<16384 x i32>
     llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<16384 x i32>\n";

/// Each thread copies every 128th word.
pub(crate) fn fill(name: &str, words: usize) -> String {
    format!(
        "%s{name} = llvm.mlir.addressof @{name} : !llvm.ptr<3>
         %n{name} = llvm.mlir.constant({words} : i32) : i32
         llvm.br ^fill_{name}(%t : i32)
       ^fill_{name}(%w{name}: i32):
         %in{name} = llvm.icmp \"ult\" %w{name}, %n{name} : i32
         llvm.cond_br %in{name}, ^word_{name}, ^filled_{name}
       ^word_{name}:
         %g{name} = llvm.getelementptr %{name}[%w{name}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         %v{name} = llvm.load %g{name} : !llvm.ptr<1> -> i32
         %p{name} = llvm.getelementptr %s{name}[%w{name}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         llvm.store %v{name}, %p{name} : i32, !llvm.ptr<3>
         %next{name} = llvm.add %w{name}, %c128 : i32
         llvm.br ^fill_{name}(%next{name} : i32)
       ^filled_{name}:\n"
    )
}

const FENCE: &str = "nvvm.wgmma.fence.aligned\n";
const COMMIT: &str = "nvvm.wgmma.commit.group.sync.aligned\n";
/// Words of a tile, behind which B's buffer has the metadata of a sparse A.
const BESIDE_B: usize = 16384;

const WAIT: &str = "nvvm.wgmma.wait.group.sync.aligned 0\n";

/// 128 threads fill the tiles, run a body, and store `count` registers of `ty` named `%d0`, `%d1`
/// and so on.
fn kernel(words: [usize; 2], body: &str, count: usize, ty: &str) -> String {
    let fence = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}";
    let store = |i: usize| {
        format!(
            "%q{i} = llvm.getelementptr %mine[{i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
             llvm.store %d{i}, %q{i} : {ty}, !llvm.ptr<1>\n"
        )
    };
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %c128 = llvm.mlir.constant(128 : i32) : i32
         {}{}{fence}
         nvvm.barrier0
         {body}
         %count = llvm.mlir.constant({count} : i32) : i32
         %first = llvm.mul %t, %count : i32
         %mine = llvm.getelementptr %out[%first] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         {}",
        fill("a", words[0]),
        fill("b", words[1]),
        (0..count).map(store).collect::<String>()
    );
    GLOBALS.to_owned() + &function("%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %out: !llvm.ptr<1>", &body)
}

/// How units of 16 bytes are swizzled, by the bits of the row that they are mixed with, and the
/// code of a descriptor.
const SWIZZLES: [(usize, u64); 4] = [(0, 0), (1, 3), (3, 2), (7, 1)];

/// Bytes along K of the largest tile, which is B beside a sparse A.
const ALONG_K: usize = 64;

/// How a matrix lies in shared memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Laid {
    pub(crate) swizzle: usize,
    /// Along M and N, instead of along K.
    pub(crate) mn_major: bool,
    /// Bytes of the beginning of its rows that are somebody else's.
    pub(crate) skip: usize,
    /// Rows of 128 bytes before the pattern of the swizzle begins.
    pub(crate) base: usize,
}

impl Laid {
    pub(crate) const PLAIN: Laid = Laid { swizzle: 0, mn_major: false, skip: 0, base: 0 };

    /// Bytes of a row.
    fn row(self) -> usize {
        16 << self.swizzle
    }

    /// The byte of an element, as PTX draws the canonical layouts.
    pub(crate) fn at(self, [i, j]: [usize; 2], mn: usize, bytes: usize) -> usize {
        let (w, k) = (self.row(), ALONG_K / bytes);
        let wide = w / bytes;
        let unswizzled = match (self.mn_major, self.swizzle) {
            (false, 0) => i % 8 * 16 + i / 8 * 128 + j * bytes / 16 * (mn * 16) + j * bytes % 16,
            (false, _) => self.skip + i * w + j * bytes,
            (true, 0) => i % 8 * bytes + j % 8 * 16 + i / 8 * 128 + j / 8 * (mn / 8 * 128),
            (true, _) => i % wide * bytes + i / wide * (k * w) + j * w,
        };
        let mask = SWIZZLES[self.swizzle].0;
        self.base * 128 + (unswizzled ^ (unswizzled >> 7 & mask) << 4)
    }

    /// The descriptor but for the address, and the bytes from the global's beginning to the tile's.
    pub(crate) fn descriptor(self, mn: usize, bytes: usize) -> (u64, usize) {
        let (w, k) = (self.row(), ALONG_K / bytes);
        let [leading, stride] = match (self.mn_major, self.swizzle) {
            (false, 0) => [mn * 16, 128],
            (false, _) => [16, 8 * w],
            (true, 0) => [mn / 8 * 128, 128],
            (true, _) => [k * w, 8 * w],
        };
        let field = |bytes: usize, at: u32| (bytes as u64 / 16) << at;
        let word = SWIZZLES[self.swizzle].1 << 62 | field(leading, 16) | field(stride, 32);
        (word | (self.base as u64) << 49, self.base * 128 + self.skip)
    }
}

/// An MMA of an atom, and how it is written.
#[derive(Debug, Clone)]
struct Case {
    atom: &'static MmaAtom,
    laid: [Laid; 2],
    negate: [bool; 2],
    adds: bool,
    /// Two MMAs in a row on one accumulator.
    twice: bool,
    /// Through local memory, from one MMA to the next and past the wait.
    stored: bool,
    /// The operation of NVVM, instead of assembly.
    by_op: bool,
    /// Selects the threads with metadata of a sparse A.
    selector: usize,
}

impl Case {
    fn new(atom: &'static MmaAtom) -> Self {
        let laid = [Laid { swizzle: 3, ..Laid::PLAIN }; 2];
        let (negate, adds) = ([false; 2], true);
        Case { atom, laid, negate, adds, twice: false, stored: false, by_op: false, selector: 0 }
    }

    /// Registers of C, and their type.
    fn registers(&self) -> (usize, &'static str) {
        let n = self.atom.shape[1] as usize;
        match self.atom.d {
            Element::F16 => (n / 4, "i32"),
            Element::F32 => (n / 2, "f32"),
            _ => (n / 2, "i32"),
        }
    }

    fn is_from_registers(&self) -> bool {
        self.atom.a.from == Space::Register
    }

    /// Code that multiplies `%c0` and so on to `%d0` and so on.
    fn body(&self) -> String {
        let (count, ty) = self.registers();
        let atom = self.atom;
        let mut text = "%begin = llvm.mlir.constant(0 : i32) : i32\n".to_owned();
        for (name, laid, mn, element) in [
            ("a", self.laid[0], atom.shape[0], atom.a.element),
            ("b", self.laid[1], atom.shape[1], atom.b.element),
        ] {
            let (word, skip) = laid.descriptor(mn as usize, element.bits() as usize / 8);
            text += &format!(
                "%i{name} = llvm.ptrtoint %s{name} : !llvm.ptr<3> to i32
                 %skip{name} = llvm.mlir.constant({skip} : i32) : i32
                 %j{name} = llvm.add %i{name}, %skip{name} : i32
                 %four{name} = llvm.mlir.constant(4 : i32) : i32
                 %k{name} = llvm.lshr %j{name}, %four{name} : i32
                 %l{name} = llvm.zext %k{name} : i32 to i64
                 %high{name} = llvm.mlir.constant({} : i64) : i64
                 %desc{name} = llvm.or %l{name}, %high{name} : i64\n",
                word as i64
            );
        }
        text += &format!(
            "%countc = llvm.mlir.constant({count} : i32) : i32
             %firstc = llvm.mul %t, %countc : i32
             %minec = llvm.getelementptr %out[%firstc] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %adds = llvm.mlir.constant({} : i32) : i32
             %one = llvm.mlir.constant(1 : i32) : i32\n",
            i32::from(self.adds)
        );
        for i in 0..count {
            text += &format!(
                "%qc{i} = llvm.getelementptr %minec[{i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
                 %c{i} = llvm.load %qc{i} : !llvm.ptr<1> -> {ty}\n"
            );
        }
        if self.is_from_registers() {
            text += "%four = llvm.mlir.constant(4 : i32) : i32
                 %firsta = llvm.mul %t, %four : i32
                 %minea = llvm.getelementptr %a[%firsta] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n";
            for i in 0..4 {
                text += &format!(
                    "%qa{i} = llvm.getelementptr %minea[{i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
                     %a{i} = llvm.load %qa{i} : !llvm.ptr<1> -> i32\n"
                );
            }
        }
        if atom.instruction.sparse {
            text += &format!(
                "%atmeta = llvm.mlir.constant({BESIDE_B} : i32) : i32
                 %ofmeta = llvm.add %t, %atmeta : i32
                 %pmeta = llvm.getelementptr %b[%ofmeta] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
                 %meta = llvm.load %pmeta : !llvm.ptr<1> -> i32\n"
            );
        }
        text += FENCE;
        if self.stored {
            text += "%stack = llvm.alloca %countc x i32 : (i32) -> !llvm.ptr\n";
            text += &self.multiply("c", "x", "adds");
            text += &self.through("x", "e");
            text += &self.multiply("e", "y", "one");
            let past = self.through("y", "d");
            let (stores, loads) = past.split_once("LOADS").unwrap();
            return text.replace("LOADS", "") + stores + COMMIT + WAIT + loads;
        }
        if self.twice {
            text += &self.multiply("c", "e", "adds");
            text += &self.multiply("e", "d", "one");
        } else {
            text += &self.multiply("c", "d", "adds");
        }
        text + COMMIT + WAIT
    }

    /// Stores registers to the stack, and loads them again after `LOADS`.
    fn through(&self, from: &str, to: &str) -> String {
        let (count, ty) = self.registers();
        let at = |i: usize, name: &str| {
            format!("%{name}{i} = llvm.getelementptr %stack[{i}] : (!llvm.ptr) -> !llvm.ptr, i32\n")
        };
        let store = |i: usize| {
            let name = format!("p{from}");
            at(i, &name) + &format!("llvm.store %{from}{i}, %{name}{i} : {ty}, !llvm.ptr\n")
        };
        let load = |i: usize| {
            let name = format!("p{to}");
            at(i, &name) + &format!("%{to}{i} = llvm.load %{name}{i} : !llvm.ptr -> {ty}\n")
        };
        (0..count).map(store).collect::<String>() + "LOADS\n" + &(0..count).map(load).collect::<String>()
    }

    fn multiply(&self, from: &str, to: &str, adds: &str) -> String {
        let (count, ty) = self.registers();
        let atom = self.atom;
        let [m, n, k] = atom.shape;
        let (d, a, b) = (atom.d, atom.a.element, atom.b.element);
        let list = |name: &str| (0..count).map(|i| format!("%{name}{i}")).collect::<Vec<_>>().join(", ");
        let types = vec![ty; count].join(", ");
        let fields = format!("!llvm.struct<({types})>");
        let extract = (0..count)
            .map(|i| format!("%{to}{i} = llvm.extractvalue %r{to}[{i}] : {fields}\n"))
            .collect::<String>();
        let sign = |negate: bool| if negate { "neg" } else { "one" };
        if self.by_op {
            let mut text = format!("%u{to}_0 = llvm.mlir.undef : {fields}\n");
            for i in 0..count {
                let next = i + 1;
                text += &format!("%u{to}_{next} = llvm.insertvalue %{from}{i}, %u{to}_{i}[{i}] : {fields}\n");
            }
            let layout = |mn_major: bool, k: &'static str, mn: &'static str| if mn_major { mn } else { k };
            let scale = if adds == "one" || self.adds { "one" } else { "zero" };
            let saturate = match (d, atom.op) {
                (Element::S32, MmaOp::MulAddSaturate) => ", <satfinite>",
                (Element::S32, _) => ", <wrapped>",
                _ => "",
            };
            return text
                + &format!(
                    "%r{to} = nvvm.wgmma.mma_async %desca, %descb, %u{to}_{count}, <m = {m}, n = {n}, k = {k}>,
                       D [<{d}>, <{scale}>{saturate}], A [<{a}>, <{}>, <{}>], B [<{b}>, <{}>, <{}>] : {fields} -> {fields}\n",
                    sign(self.negate[0]),
                    layout(self.laid[0].mn_major, "row", "col"),
                    sign(self.negate[1]),
                    layout(self.laid[1].mn_major, "col", "row"),
                )
                + &extract;
        }
        let output = if ty == "f32" { "=f" } else { "=r" };
        let registers = (0..count).map(|i| format!("${i}")).collect::<Vec<_>>().join(", ");
        let (of_a, constraints, operands, operand_types) = if self.is_from_registers() {
            let all: Vec<String> = (0..4).map(|i| format!("${}", count + i)).collect();
            (
                format!("{{{}}}", all.join(", ")),
                "r,r,r,r,l,r",
                "%a0, %a1, %a2, %a3, %descb",
                "i32, i32, i32, i32, i64",
            )
        } else {
            (format!("${count}"), "l,l,r", "%desca, %descb", "i64, i64")
        };
        let next = count + if self.is_from_registers() { 4 } else { 1 };
        let (floats, halves) = (a.float().is_some(), a == Element::F16 || a == Element::Bf16);
        let mut flags = String::new();
        if floats {
            self.negate.iter().for_each(|negate| flags += if *negate { ", -1" } else { ", 1" });
        }
        let transposed = if self.is_from_registers() { &self.laid[1..] } else { &self.laid[..] };
        for laid in transposed.iter().filter(|_| halves) {
            flags += if laid.mn_major { ", 1" } else { ", 0" };
        }
        let saturate = if atom.op == MmaOp::MulAddSaturate { ".satfinite" } else { "" };
        let (sp, meta, of_meta, ty_meta, metadata) = match atom.instruction.sparse {
            true => (".sp", format!(", ${}, {}", next + 2, self.selector), ", %meta", ", i32", ",r"),
            false => ("", String::new(), "", "", ""),
        };
        let outputs = vec![output; count].join(",");
        let tied = (0..count).map(|i| i.to_string()).collect::<Vec<_>>().join(",");
        format!(
            "%r{to} = llvm.inline_asm has_side_effects
               \"{{ .reg .pred p; setp.ne.b32 p, ${}, 0; wgmma.mma_async{sp}.sync.aligned.m{m}n{n}k{k}.{d}.{a}.{b}{saturate} {{{registers}}}, {of_a}, ${next}{meta}, p{flags}; }}\",
               \"{outputs},{constraints}{metadata},{tied}\" {operands}, %{adds}{of_meta}, {} : ({operand_types}, i32{ty_meta}, {types}) -> {fields}
             {extract}",
            next + 1,
            list(from),
        )
    }

    /// A with all of its columns, by the elements that are stored, and the metadata of the threads:
    /// the words in which the figures of PTX have the indices of a row.
    fn expand(&self, stored: &[i64], rng: &mut Rng) -> (Vec<i64>, [u32; 128]) {
        let [m, _, k] = self.atom.shape.map(|extent| extent as usize);
        let mut metadata = [0; 128];
        if !self.atom.instruction.sparse {
            return (stored.to_vec(), metadata);
        }
        let (mut a, bits) = (vec![0; m * k], self.atom.a.element.bits());
        // Columns that four bits describe, and that the halves of a word describe.
        let (group, half) = match bits {
            32 => (2, 8),
            16 => (4, 16),
            _ => (4, 32),
        };
        for (row, column) in (0..m).flat_map(|row| (0..k).step_by(group).map(move |column| (row, column))) {
            let (first, second) = (rng.usize(..group), rng.usize(1..group));
            let indices = [first, (first + second) % group];
            for (index, j) in indices.into_iter().zip(0..group / 2) {
                a[row * k + column + index] = stored[row * k / 2 + column / 2 + j];
            }
            let code = match group {
                2 => [0b0100, 0b1110][first],
                _ => indices[0] | indices[1] << 2,
            };
            let (quad, lower) = (row / 16 * 32 + row % 8 * 4, row / 8 % 2);
            let (thread, at) = match bits {
                8 => (quad + lower + 2 * (column / half), 0),
                _ => (quad + 2 * self.selector + column / half, 16 * lower),
            };
            metadata[thread] |= (code as u32) << (at + 4 * (column % half / group));
        }
        (a, metadata)
    }

    /// The expected accumulators, as the registers of the threads, and those that the kernel
    /// computes.
    fn check(&self, schedule: Schedule) {
        let atom = self.atom;
        let [m, n, k] = atom.shape.map(|extent| extent as usize);
        let mut rng = Rng::with_seed(n as u64);
        let numbers = |rng: &mut Rng, element: Element, count: usize| -> Vec<i64> {
            let low = if element == Element::U8 || element == Element::U4 { 0 } else { -3 };
            (0..count).map(|_| rng.i64(low..=4)).collect()
        };
        let kept = k / atom.a.per_value as usize;
        let (stored, b) =
            (numbers(&mut rng, atom.a.element, m * kept), numbers(&mut rng, atom.b.element, n * k));
        let (a, metadata) = self.expand(&stored, &mut rng);
        let c = numbers(&mut rng, Element::S8, m * n);
        let code = |element: Element, x: i64| match element.float() {
            Some(_) => encode(element, x as f64, Rounding::NearestEven, Overflow::Ieee).unwrap(),
            None => x as u64 & u64::MAX >> (64 - element.bits()),
        };
        let image = |laid: Laid, element: Element, numbers: &[i64], [mn, k]: [usize; 2]| {
            let bytes = element.bits() as usize / 8;
            let mut image = vec![0; 4 * BESIDE_B];
            for (i, j) in (0..mn).flat_map(|i| (0..k).map(move |j| (i, j))) {
                let at = laid.at([i, j], mn, bytes);
                image[at..at + bytes]
                    .copy_from_slice(&code(element, numbers[i * k + j]).to_le_bytes()[..bytes]);
            }
            image
        };
        // Thread t has rows 16 (t / 32) + t % 32 / 4 and the one 8 below, and of each 8 columns
        // two.
        let (registers, ty) = self.registers();
        let per_register = if atom.d == Element::F16 { 2 } else { 1 };
        let place = |thread: usize, register: usize, part: usize| {
            let value = register * per_register + part;
            let row = thread / 32 * 16 + thread % 32 / 4 + value / 2 % 2 * 8;
            (row, thread % 4 * 2 + value % 2 + value / 4 * 8)
        };
        let mut words = vec![0u32; 128 * registers];
        for (i, word) in words.iter_mut().enumerate() {
            for part in 0..per_register {
                let (row, column) = place(i / registers, i % registers, part);
                *word |= (code(atom.d, c[row * n + column]) as u32) << (16 * part);
            }
        }
        let of_a = match self.is_from_registers() {
            false => image(self.laid[0], atom.a.element, &stored, [m, kept]),
            true => {
                let bits = atom.a.element.bits() as usize;
                let per_word = 32 / bits;
                let word = |i: usize| {
                    let (thread, register) = (i / 4, i % 4);
                    let row = thread / 32 * 16 + thread % 32 / 4 + register % 2 * 8;
                    let first = thread % 4 * per_word + register / 2 * 4 * per_word;
                    (0..per_word).fold(0u32, |word, j| {
                        word | (code(atom.a.element, stored[row * kept + first + j]) as u32) << (j * bits)
                    })
                };
                (0..128 * 4).flat_map(|i| word(i).to_le_bytes()).collect()
            }
        };
        let mut of_b = image(self.laid[1], atom.b.element, &b, [n, k]);
        of_b.extend(metadata.iter().flat_map(|word| word.to_le_bytes()));
        let source = kernel([of_a.len() / 4, BESIDE_B], &self.body(), registers, ty);
        let mut memory = Memory::new();
        let buffers = [memory.upload_bytes(&of_a), memory.upload_bytes(&of_b), memory.upload(&words)];
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [128, 1, 1]) };
        let ran = program(&source).run(&launch, &mut memory, &buffers.map(Arg::Buffer));
        ran.unwrap_or_else(|e| panic!("{self:?}: {e}"));
        let result = memory.download::<u32>(buffers[2]);
        let sign = if self.negate[0] != self.negate[1] { -1 } else { 1 };
        for (i, word) in result.iter().enumerate() {
            for part in 0..per_register {
                let (row, column) = place(i / registers, i % registers, part);
                let product: i64 = (0..k).map(|j| a[row * k + j] * b[column * k + j]).sum();
                let times = if self.twice || self.stored { 2 } else { 1 };
                let expected = sign * times * product + if self.adds { c[row * n + column] } else { 0 };
                let code = u64::from(*word) >> (16 * part) & u64::MAX >> (64 - atom.d.bits());
                let found = decode(atom.d, code).map(|x| x as i64).or(decode_integer(atom.d, code)).unwrap();
                assert_eq!(found, expected, "{}, row {row}, column {column}: {self:?}", atom.name);
            }
        }
    }
}

/// The dense atoms of small and odd N, and some of the largest.
fn atoms() -> impl Iterator<Item = &'static MmaAtom> {
    let large = |atom: &MmaAtom| {
        atom.shape[1] == 256
            && [Element::Bf16, Element::Tf32, Element::E4m3, Element::U8].contains(&atom.a.element)
    };
    Instruction::WGMMA.atoms().filter(move |atom| [8, 48].contains(&atom.shape[1]) || large(atom))
}

fn atom(name: &str) -> &'static MmaAtom {
    MmaAtom::by_name(name).unwrap()
}

#[test]
fn every_type_multiplies() {
    let mut count = 0;
    for (i, atom) in atoms().enumerate() {
        Case::new(atom).check(SCHEDULES[i % SCHEDULES.len()]);
        count += 1;
    }
    // 3 of halves, tf32, 8 of bytes of floats, 8 of integers; A from either place.
    assert_eq!(count, (3 + 1 + 8 + 8) * 2 * 2 + (1 + 1 + 4 + 4) * 2);
}

/// The stored elements of A meet the rows of B that metadata name, whatever the type, the place and
/// the layout of A, and the threads that are selected; the metadata of others are 0, which no
/// elements have.
#[test]
fn a_sparse_matrix_multiplies() {
    let mut count = 0;
    for (i, atom) in Instruction::WGMMA.sparse().atoms().filter(|atom| atom.shape[1] == 8).enumerate() {
        let selector = if atom.a.element.bits() == 8 { 0 } else { i % 2 };
        Case { selector, ..Case::new(atom) }.check(SCHEDULES[i % SCHEDULES.len()]);
        count += 1;
    }
    assert_eq!(count, (3 + 1 + 8 + 8) * 2);
    for swizzle in [0, 2, 3] {
        let k_major = Laid { swizzle, ..Laid::PLAIN };
        let mn_major = Laid { mn_major: true, ..k_major };
        for (selector, laid) in [[k_major, mn_major], [mn_major, k_major]].into_iter().enumerate() {
            let atom = atom("SPARSE::GMMA_64x64x32_F32BF16BF16_SS");
            let negate = [selector == 1, selector == 0];
            Case { laid, selector, negate, twice: true, ..Case::new(atom) }.check(Schedule::Lazy);
        }
    }
}

#[test]
fn every_layout_is_read() {
    for swizzle in 0..4 {
        let k_major = Laid { swizzle, ..Laid::PLAIN };
        let mn_major = Laid { mn_major: true, ..k_major };
        // A step along K within the rows; a pattern that begins between two multiples of its size.
        let stepped = Laid { skip: if swizzle > 1 { 32 } else { 0 }, ..k_major };
        let shifted = Laid { base: if swizzle > 0 { 3 } else { 0 }, ..k_major };
        for name in ["SM90_64x64x16_F32BF16BF16_SS", "SM90_64x128x16_F16F16F16_SS"] {
            for laid in [[k_major, mn_major], [mn_major, k_major], [stepped, shifted], [mn_major, shifted]] {
                Case { laid, ..Case::new(atom(name)) }.check(Schedule::Lazy);
            }
        }
        // A tile that ends within a block.
        Case { laid: [k_major, mn_major], ..Case::new(atom("SM90_64x24x16_F32F16F16_RS")) }
            .check(Schedule::Eager);
        for name in [
            "SM90_64x32x8_F32TF32TF32_SS_TN",
            "SM90_64x32x32_F32E4M3E5M2_SS_TN",
            "SM90_64x32x32_S32S8U8_RS_TN",
        ] {
            Case { laid: [stepped, shifted], ..Case::new(atom(name)) }.check(Schedule::Reverse);
        }
    }
}

#[test]
fn signs_scales_and_chains() {
    for (name, by_op) in [
        ("SM90_64x16x16_F32BF16BF16_SS", false),
        ("SM90_64x16x16_F32BF16BF16_SS", true),
        ("SM90_64x16x16_F16F16F16_SS", true),
        ("SM90_64x16x16_F16F16F16_RS", false),
        ("SM90_64x16x8_F32TF32TF32_SS_TN", true),
        ("SM90_64x16x32_F32E5M2E4M3_RS_TN", false),
        ("SM90_64x16x32_S32S8S8_SS_TN", true),
    ] {
        let one = Case { by_op, ..Case::new(atom(name)) };
        let signs = if name.contains("S32") {
            &[[false, false]][..]
        } else {
            &[[true, false], [false, true], [true, true]]
        };
        for (i, negate) in signs.iter().enumerate() {
            for (adds, twice) in [(true, false), (false, false), (false, true), (true, true)] {
                let case = Case { negate: *negate, adds, twice, ..one.clone() };
                case.check(SCHEDULES[i + usize::from(adds)]);
            }
        }
    }
    for name in ["SM90_64x48x16_F32BF16BF16_SS", "SM90_64x16x16_F16F16F16_RS", "SM90_64x16x32_S32S8S8_SS_TN"]
    {
        for (schedule, adds) in SCHEDULES.into_iter().zip([true, false, true, false, true]) {
            Case { stored: true, adds, ..Case::new(atom(name)) }.check(schedule);
        }
    }
    let mn_major = Laid { swizzle: 2, mn_major: true, ..Laid::PLAIN };
    Case { by_op: true, laid: [mn_major; 2], ..Case::new(atom("SM90_64x32x16_F32F16F16_SS")) }
        .check(Schedule::Lazy);
}

/// The finding about a kernel whose threads do this, if there is one: the same under every
/// schedule. `<a-b>` is an MMA of `m64n8k16` on the accumulator `%a0` to `%a3`, whose result is
/// `%b0` to `%b3`; `%c0` and so on are floats from memory, and `%d0` and so on are stored.
fn errors_of(name: &str, body: &str) -> String {
    said_of(name, body, false)
}

/// The finding, or else the note in a pedantic launch.
fn said_of(name: &str, body: &str, pedantic: bool) -> String {
    let case = Case::new(atom(name));
    let whole = case.body();
    let (setup, _) = whole.split_once(FENCE).unwrap();
    let mut body = body.replace("FENCE", FENCE).replace("COMMIT", COMMIT).replace("WAIT", WAIT);
    for (from, to) in [("c", "d"), ("c", "e"), ("e", "d"), ("s", "d"), ("s", "e")] {
        body = body.replace(&format!("<{from}-{to}>"), &case.multiply(from, to, "adds"));
    }
    let source = kernel([2048, 2048], &format!("{setup}{body}"), 4, "f32");
    let mut memory = Memory::new();
    let buffers = [memory.zeroed::<u32>(2048), memory.zeroed::<u32>(2048), memory.zeroed::<u32>(512)];
    let program = program(&source);
    let runs = SCHEDULES.map(|schedule| {
        let launch = Launch { schedule, pedantic, ..Launch::new("kernel", [1; 3], [128, 1, 1]) };
        let ran = program.run(&launch, &mut memory, &buffers.map(Arg::Buffer));
        let noted =
            |report: cute_sim::Report| report.findings.first().map_or_else(String::new, ToString::to_string);
        let text = ran.map_or_else(|e| e.to_string(), noted);
        // Which thread comes first is up to the schedule.
        let behind = text.split_once(", thread").and_then(|(_, text)| text.split_once(": "));
        behind.map(|(_, text)| text.split(" by thread").next().unwrap().to_owned()).unwrap_or(text)
    });
    let unnumbered = |text: &String| text.replace(|c: char| c.is_ascii_digit(), "");
    runs.iter().for_each(|run| assert_eq!(unnumbered(run), unnumbered(&runs[0])));
    runs[0].clone()
}

fn errors(body: &str) -> String {
    errors_of("SM90_64x8x16_F32BF16BF16_SS", body)
}

#[track_caller]
fn has(error: &str, text: &str) {
    assert!(error.contains(text), "{error}");
}

#[test]
fn registers_in_flight_are_not_used() {
    assert_eq!(errors("FENCE <c-d> COMMIT WAIT"), "");
    assert_eq!(errors("FENCE <c-e> <e-d> COMMIT WAIT"), "");
    assert_eq!(errors("FENCE <c-e> COMMIT <e-d> COMMIT WAIT"), "");
    has(&errors("FENCE <c-d> COMMIT"), "0 younger groups are committed after its group");
    // Nothing is waited for that nobody has committed.
    has(&errors("FENCE <c-d> WAIT"), "commit it (`wgmma.commit_group`)");
    has(&errors("<c-d> COMMIT WAIT"), "no `wgmma.fence` comes before it");
    // Not to compute with them either, whatever becomes of that.
    let scaled = "%x = llvm.fadd %d0, %d0 : f32";
    has(&errors(&format!("FENCE <c-d> COMMIT {scaled} WAIT")), "has not written yet");
    assert_eq!(errors(&format!("FENCE <c-d> COMMIT WAIT {scaled}")), "");
    let shuffled = "%all = llvm.mlir.constant(-1 : i32) : i32
         %clamp = llvm.mlir.constant(31 : i32) : i32
         %x = nvvm.shfl.sync bfly %all, %d0, %one, %clamp : f32 -> f32";
    has(&errors(&format!("FENCE <c-d> COMMIT {shuffled} WAIT")), "has not written yet");
    assert_eq!(errors(&format!("FENCE <c-d> COMMIT WAIT {shuffled}")), "");
}

/// Accumulators in local memory that nothing has initialised, as a fragment is to which the first
/// MMA adds: the wait is there, so that is not what is missing.
#[test]
fn accumulators_without_a_value_are_named() {
    let each = |text: &str| (0..4).map(|i| text.replace('#', &i.to_string())).collect::<String>();
    let fragment = "%size = llvm.mlir.constant(4 : i32) : i32
         %memory = llvm.alloca %size x f32 : (i32) -> !llvm.ptr\n"
        .to_owned()
        + &each("%p# = llvm.getelementptr %memory[#] : (!llvm.ptr) -> !llvm.ptr, f32\n");
    let loaded = |name: &str| each(&format!("%{name}# = llvm.load %p# : !llvm.ptr -> f32\n"));
    let stored = |name: &str| each(&format!("llvm.store %{name}#, %p# : f32, !llvm.ptr\n"));
    let rest = format!("FENCE <s-e> {} COMMIT WAIT {}", stored("e"), loaded("d"));
    let without = errors(&format!("{fragment} {} {rest}", loaded("s")));
    has(&without, "the stored value is undefined: `llvm.load`");
    has(&without, "before anything wrote it");
    assert_eq!(errors(&format!("{fragment} {} {} {rest}", stored("c"), loaded("s"))), "");
}

/// The origin of a register that is not written yet is kept by what only moves it.
#[test]
fn registers_in_flight_are_named_wherever_they_went() {
    let moved = |text: &str| {
        let each = (0..4).map(|i| text.replace('#', &i.to_string()));
        let parity = "%odd = llvm.and %t, %one : i32
             %is_odd = llvm.icmp \"eq\" %odd, %one : i32\n";
        errors(&format!("FENCE <c-e> COMMIT {parity}{}", each.collect::<String>()))
    };
    let insert = "%u# = llvm.mlir.undef : vector<2xf32>
         %v# = llvm.insertelement %c#, %u#[%odd : i32] : vector<2xf32>
         %w# = llvm.insertelement %e#, %v#[%odd : i32] : vector<2xf32>
         %d# = llvm.extractelement %w#[%odd : i32] : vector<2xf32>\n";
    for text in [
        "%d# = llvm.select %is_odd, %e#, %c# : i1, f32\n",
        "%d# = llvm.select %is_odd, %c#, %e# : i1, f32\n",
        "%d# = llvm.select %is_odd, %e#, %e# : i1, f32\n",
        insert,
    ] {
        has(&moved(text), "wgmma.mma_async");
        has(&moved(text), "has not written yet");
    }
    // Lanes of one register whose values have different origins.
    let mixed = "%n# = llvm.mlir.undef : f32
         %d# = llvm.select %is_odd, %e#, %n# : i1, f32\n";
    has(&moved(mixed), "(-:");
}

#[test]
fn accumulators_are_chained_whole_and_in_order() {
    let swap = |text: &str| {
        let names = (0..4).map(|i| format!("%s{i} = llvm.bitcast %e{} : f32 to f32\n", [1, 0, 2, 3][i]));
        text.replace("SWAP", &names.collect::<String>())
    };
    has(
        &errors(&swap("FENCE <c-e> SWAP <s-d> COMMIT WAIT")),
        "register 0 of the accumulator is still to be written",
    );
    assert_eq!(errors(&swap("FENCE <c-e> COMMIT WAIT SWAP FENCE <s-d> COMMIT WAIT")), "");
    // The accumulator of the first MMA went on to the second: nobody has the accumulators of the
    // first any more.
    let forked = "%s0 = llvm.bitcast %e0 : f32 to f32
         %s1 = llvm.bitcast %e1 : f32 to f32
         %s2 = llvm.bitcast %e2 : f32 to f32
         %s3 = llvm.bitcast %e3 : f32 to f32\n";
    let first = errors(&format!("FENCE <c-e> {forked} <e-d> COMMIT WAIT %x = llvm.fadd %e0, %e0 : f32"));
    has(&first, "has not written yet");
}

#[test]
fn a_warpgroup_agrees() {
    let differs = "%c64 = llvm.mlir.constant(64 : i32) : i32
         %half = llvm.udiv %t, %c64 : i32
         %wide = llvm.zext %half : i32 to i64
         %descb2 = llvm.add %descb, %wide : i64\n";
    let body = format!("FENCE {differs} <c-d> COMMIT WAIT");
    let case = Case::new(atom("SM90_64x8x16_F32BF16BF16_SS"));
    let product = case.multiply("c", "d", "adds").replace("%descb,", "%descb2,");
    has(&errors(&body.replace("<c-d>", &product)), "the descriptor of B is 0x");
    let part = "%c96 = llvm.mlir.constant(96 : i32) : i32
         %comes = llvm.icmp \"ult\" %t, %c96 : i32
         llvm.cond_br %comes, ^comes, ^goes
       ^goes:
         llvm.return
       ^comes:\n";
    has(&errors(&format!("FENCE {part} <c-d> COMMIT WAIT")), "of 128 threads wait");
}

#[test]
fn tiles_in_use_are_not_written() {
    // Each thread writes a word of A, which has 2048 bytes.
    let write = "%pw = llvm.getelementptr %sa[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         llvm.store %countc, %pw : i32, !llvm.ptr<3>\n";
    has(&errors(&format!("FENCE <c-d> COMMIT {write} WAIT")), "writes byte 0 of shared memory @a");
    // A warp's wait is for what the warpgroup reads.
    assert_eq!(errors(&format!("FENCE <c-d> COMMIT WAIT {write}")), "");
    let fence = "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n";
    has(&errors(&format!("{write} nvvm.barrier0 FENCE <c-d> COMMIT WAIT")), "may not see the write");
    has(&errors(&format!("{write} {fence} FENCE <c-d> COMMIT WAIT")), "nothing orders it with");
    assert_eq!(errors(&format!("{write} {fence} nvvm.barrier0 FENCE <c-d> COMMIT WAIT")), "");
}

#[test]
fn fragments_of_a_stay_until_the_wait() {
    // Twice, with other registers of A the second time.
    let looped = |wait: &str| {
        let product = Case::new(atom("SM90_64x8x16_F32BF16BF16_RS")).multiply("c", "e", "adds");
        let product = product.replace("%a0, ", "%f0, ");
        format!(
            "llvm.br ^again(%begin : i32)
           ^again(%i: i32):
             %f0 = llvm.add %a0, %i : i32
             FENCE {product} COMMIT
             nvvm.wgmma.wait.group.sync.aligned {wait}
             %i1 = llvm.add %i, %one : i32
             %more = llvm.icmp \"ult\" %i1, %four : i32
             llvm.cond_br %more, ^again(%i1 : i32), ^end
           ^end:
             WAIT
             %d0 = llvm.fadd %c0, %c0 : f32
             %d1 = llvm.fadd %c0, %c0 : f32
             %d2 = llvm.fadd %c0, %c0 : f32
             %d3 = llvm.fadd %c0, %c0 : f32\n"
        )
    };
    assert_eq!(errors_of("SM90_64x8x16_F32BF16BF16_RS", &looped("0")), "");
    // LLVM may unroll the loop, so that each iteration has registers of its own.
    assert_eq!(errors_of("SM90_64x8x16_F32BF16BF16_RS", &looped("1")), "");
    has(&said_of("SM90_64x8x16_F32BF16BF16_RS", &looped("1"), true), "registers of A have changed");
}

#[test]
fn floats_are_added_as_by_the_device() {
    let atom = atom("SM90_64x8x16_F32F16F16_SS");
    let model = cute_sim::Wgmma::of(atom).unwrap();
    let ones = |n: usize| vec![1.0; n * 16];
    let sum = |a: &[f32], fresh: bool, begin: f32, rules: Sums| {
        let mut sums = Accumulators::Float(vec![begin; 512]);
        model.multiply([a, &ones(8)], None, (fresh, rules), &mut sums);
        let Accumulators::Float(sums) = sums else { panic!("sums of floats") };
        assert!(sums.iter().all(|sum| *sum == sums[0]));
        sums[0]
    };
    // 2^24 + 1 is 2^24 in f32, so that ones are lost one by one. A 3 is not: 2^24 + 4 is nearest.
    assert_eq!(sum(&ones(64), false, 16777216.0, Sums::Plain), 16777216.0);
    let mut a = ones(64);
    a.iter_mut().step_by(16).for_each(|first| *first = 3.0);
    assert_eq!(sum(&a, false, 16777216.0, Sums::Plain), 16777220.0);
    assert_eq!(sum(&a, true, 16777216.0, Sums::Plain), 18.0);
    // A device adds all of them exactly, and cuts the sum once.
    let hopper = Sums::Device(9, 0);
    assert_eq!(sum(&ones(64), false, 16777216.0, hopper), 16777232.0);
    assert_eq!(sum(&a, false, 16777216.0, hopper), 16777234.0);
    // Below 2^-25 of C nothing counts.
    assert_eq!(sum(&ones(64), false, 33554432.0, hopper), 33554448.0);
    assert_eq!(sum(&ones(64), false, 67108864.0, hopper), 67108864.0);
}
