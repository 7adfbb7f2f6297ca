//! `tcgen05.ld` and `tcgen05.st`: which registers are which words; under one of the schedules as
//! text.

use super::text::as_text;
use super::{GLOBALS, SCHEDULES, with_columns, words};
use crate::{function, program};
use cute_sim::{Arg, Launch, Memory, Schedule};

/// A shape, and how PTX draws it: lane and column of a register of a thread.
struct Shape {
    name: &'static str,
    /// Registers of a repeat, and the largest number of repeats.
    registers: usize,
    most: usize,
    at: fn(usize, usize) -> (usize, usize),
}

/// Columns from the first access of `16x32bx2` to the second.
const OFFSET: usize = 256;

const SHAPES: [Shape; 5] = [
    Shape { name: "32x32b", registers: 1, most: 128, at: |t, r| (t, r) },
    Shape { name: "16x64b", registers: 1, most: 128, at: |t, r| (t / 4 + t % 2 * 8, 2 * r + t / 2 % 2) },
    Shape { name: "16x128b", registers: 2, most: 64, at: |t, r| (t / 4 + r % 2 * 8, r / 2 * 4 + t % 4) },
    Shape {
        name: "16x256b",
        registers: 4,
        most: 32,
        at: |t, r| (t / 4 + r / 2 % 2 * 8, r / 4 * 8 + t % 4 * 2 + r % 2),
    },
    Shape { name: "16x32bx2", registers: 1, most: 128, at: |t, r| (t % 16, r + t / 16 * OFFSET) },
];

impl Shape {
    /// Lane and column of each word that a register of a thread is.
    fn parts(&self, t: usize, r: usize, halves: bool) -> Vec<(usize, usize)> {
        if !halves {
            return vec![(self.at)(t, r)];
        }
        // Two elements of 16 bits take the place of one of 32, and each a column.
        let (lane, column) = (self.at)(t, r);
        let (group, column) = if column >= OFFSET { (OFFSET, column - OFFSET) } else { (0, column) };
        vec![(lane, group + 2 * column), (lane, group + 2 * column + 1)]
    }

    fn attribute(&self) -> String {
        format!("{{shape = #nvvm.tcgen05_ldst_shape<shape_{}>}}", self.name)
    }

    fn offset(&self) -> &'static str {
        if self.name == "16x32bx2" { ", %offset" } else { "" }
    }
}

/// Fills tensor memory from a buffer.
pub(super) fn fill() -> String {
    let mut text = "%lane_bits = llvm.mlir.constant(9 : i32) : i32
         %first_word = llvm.shl %t, %lane_bits : i32\n"
        .to_owned();
    for part in 0..4 {
        text += &format!(
            "%step{part} = llvm.mlir.constant({} : i32) : i32
             %word{part} = llvm.add %first_word, %step{part} : i32
             %from{part} = llvm.getelementptr %in[%word{part}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %v{part} = llvm.load %from{part} {{alignment = 4 : i64}} : !llvm.ptr<1> -> vector<128xi32>
             %to{part} = llvm.add %own, %step{part} : i32
             %p{part} = llvm.inttoptr %to{part} : i32 to !llvm.ptr<6>
             nvvm.tcgen05.st %p{part}, %v{part} {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<128xi32>\n",
            part * 128
        );
    }
    text + "nvvm.tcgen05.wait <store>\n"
}

/// Each thread stores `count` registers that are `%name`.
fn store(name: &str, count: usize) -> String {
    format!(
        "%count = llvm.mlir.constant({count} : i32) : i32
         %first = llvm.mul %t, %count : i32
         %mine = llvm.getelementptr %out[%first] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %{name}, %mine {{alignment = 4 : i64}} : {}, !llvm.ptr<1>\n",
        words(count)
    )
}

const SETUP: &str = "%offset = llvm.mlir.constant(256 : i64) : i64\n";

fn run(body: &str, count: usize, schedule: Schedule) -> Vec<i32> {
    let text = GLOBALS.to_owned()
        + &function("%in: !llvm.ptr<1>, %out: !llvm.ptr<1>", &with_columns(512, false, body));
    let program = program(&if schedule == Schedule::Reverse { as_text(&text) } else { text });
    let mut memory = Memory::new();
    // Each word is its lane and column.
    let input = memory.upload(&(0..128 * 512).collect::<Vec<i32>>());
    let out = memory.zeroed::<i32>(128 * count);
    let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [128, 1, 1]) };
    program
        .run(&launch, &mut memory, &[Arg::Buffer(input), Arg::Buffer(out)])
        .unwrap_or_else(|e| panic!("{e}"));
    memory.download(out)
}

/// Upper halves of tensor memory that a load of 16 lanes reads in some cases.
fn base(upper: bool) -> &'static str {
    if upper {
        "%sixteen = llvm.mlir.constant(1048576 : i32) : i32
         %from = llvm.add %own, %sixteen : i32
         %p = llvm.inttoptr %from : i32 to !llvm.ptr<6>\n"
    } else {
        "%p = llvm.inttoptr %own : i32 to !llvm.ptr<6>\n"
    }
}

#[test]
fn loads_of_each_shape_read_what_ptx_draws() {
    let mut cases = 0;
    for shape in &SHAPES {
        for x in [1, 2, 4, 8, 16, 32, 64, 128].into_iter().filter(|x| *x <= shape.most) {
            for halves in [false, true] {
                let count = shape.registers * x;
                let widest = (0..32).flat_map(|t| (0..count).map(move |r| (t, r)));
                let widest = widest.flat_map(|(t, r)| shape.parts(t, r, halves)).map(|(_, c)| c).max();
                if widest >= Some(512) {
                    continue;
                }
                let upper = x % 4 == 2 && shape.name != "32x32b";
                let pack = if halves { " pack" } else { "" };
                let body = fill()
                    + SETUP
                    + base(upper)
                    + &format!(
                        "%d = nvvm.tcgen05.ld %p{}{pack} {} : {}\nnvvm.tcgen05.wait <load>\n{}",
                        shape.offset(),
                        shape.attribute(),
                        words(count),
                        store("d", count)
                    );
                let found = run(&body, count, SCHEDULES[cases % 5]);
                for t in 0..128 {
                    for r in 0..count {
                        let lane0 = t / 32 * 32 + if upper { 16 } else { 0 };
                        let word = |(lane, column): &(usize, usize)| ((lane0 + lane) * 512 + column) as i32;
                        let expected = match &shape.parts(t % 32, r, halves)[..] {
                            [one] => word(one),
                            parts => word(&parts[0]) & 0xffff | (word(&parts[1]) & 0xffff) << 16,
                        };
                        assert_eq!(found[t * count + r], expected, "{} x{x} {halves} {t} {r}", shape.name);
                    }
                }
                cases += 1;
            }
        }
    }
    assert!(cases >= 60, "{cases}");
}

/// A load of a shape reads what a store of the same shape writes; the loads are tested above.
#[test]
fn stores_of_each_shape_write_what_loads_read() {
    for (i, shape) in SHAPES.iter().enumerate() {
        for halves in [false, true] {
            let (x, count) = (4, 4 * shape.registers);
            let mut values = "%w0 = llvm.mlir.undef : ".to_owned() + &words(count) + "\n";
            for r in 0..count {
                values += &format!(
                    "%k{r} = llvm.mlir.constant({} : i32) : i32
                     %x{r} = llvm.add %t, %k{r} : i32
                     %i{r} = llvm.mlir.constant({r} : i32) : i32
                     %w{} = llvm.insertelement %x{r}, %w{r}[%i{r} : i32] : {}\n",
                    (r + 1) * 65792,
                    r + 1,
                    words(count)
                );
            }
            let unpack = if halves { " unpack" } else { "" };
            let pack = if halves { " pack" } else { "" };
            let attribute = shape.attribute();
            let body = values
                + SETUP
                + base(i % 2 == 1)
                + &format!(
                    "nvvm.tcgen05.st %p, %w{count}{}{unpack} {attribute} : {}
                 nvvm.tcgen05.wait <store>
                 %d = nvvm.tcgen05.ld %p{}{pack} {attribute} : {}\n{}nvvm.tcgen05.wait <load>\n",
                    shape.offset(),
                    words(count),
                    shape.offset(),
                    words(count),
                    store("d", count)
                );
            let found = run(&body, count, SCHEDULES[(x + i) % 5]);
            let expected: Vec<i32> =
                (0..128).flat_map(|t| (0..count as i32).map(move |r| t + (r + 1) * 65792)).collect();
            assert_eq!(found, expected, "{} {halves}", shape.name);
        }
    }
}
