//! `tcgen05.cp`: which rows of shared memory go to which lanes.

use super::text::as_text;
use super::{GLOBALS, SCHEDULES, with_columns};
use crate::wgmma::{self, Laid, fill};
use crate::{function, program};
use cute_sim::{Arg, Launch, Memory, Schedule};

/// A shape, its rows and bytes of them, and the lanes of each row, as PTX says.
struct Shape {
    attributes: &'static str,
    rows: usize,
    bytes: usize,
    lanes: fn(usize) -> Vec<usize>,
}

const SHAPES: [Shape; 6] = [
    Shape {
        attributes: "shape = #nvvm.tcgen05_cp_shape<shape_128x256b>",
        rows: 128,
        bytes: 32,
        lanes: |r| vec![r],
    },
    Shape {
        attributes: "shape = #nvvm.tcgen05_cp_shape<shape_128x128b>",
        rows: 128,
        bytes: 16,
        lanes: |r| vec![r],
    },
    Shape {
        attributes: "shape = #nvvm.tcgen05_cp_shape<shape_4x256b>",
        rows: 4,
        bytes: 32,
        lanes: |r| vec![32 * r],
    },
    Shape {
        attributes: "shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx2_02_13>",
        rows: 64,
        bytes: 16,
        // Warps 0 and 2 have the first 32 rows, warps 1 and 3 the others.
        lanes: |r| [0, 64].map(|first| first + r).to_vec(),
    },
    Shape {
        attributes: "shape = #nvvm.tcgen05_cp_shape<shape_64x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx2_01_23>",
        rows: 64,
        bytes: 16,
        // Warps 0 and 1 have the first 32 rows, warps 2 and 3 the others.
        lanes: |r| [0, 32].map(|first| r / 32 * 64 + first + r % 32).to_vec(),
    },
    Shape {
        attributes: "shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>",
        rows: 32,
        bytes: 16,
        lanes: |r| [0, 32, 64, 96].map(|first| first + r).to_vec(),
    },
];

/// Rows lie in blocks of 8 by 16 bytes, the second column of blocks after the first; then all of
/// it is copied, and read.
fn run(shape: &Shape, pair: bool, schedule: Schedule) -> Vec<i32> {
    let meet = "nvvm.cluster.arrive\nnvvm.cluster.wait\n";
    let (group, mask, of_mask, blocks) = match pair {
        true => (
            ", group = #nvvm.cta_group<cta_2>",
            ", multicast_mask = %both {group = #nvvm.cta_group<cta_2>}",
            ", i16",
            2,
        ),
        false => ("", "", "", 1),
    };
    let (word, _) = Laid::PLAIN.descriptor(shape.rows, 1);
    let body = format!(
        "%block_words = llvm.mlir.constant(16384 : i32) : i32
         %skipped = llvm.mul %rank, %block_words : i32
         %a = llvm.getelementptr %all_a[%skipped] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         {}
         %thread0 = llvm.mul %rank, %c128 : i32
         %thread = llvm.add %thread0, %t : i32
         %c8 = llvm.mlir.constant(8 : i32) : i32
         %first = llvm.mul %thread, %c8 : i32
         %mine = llvm.getelementptr %out[%first] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         %low = llvm.inttoptr %own : i32 to !llvm.ptr<6>
         %nothing = llvm.mlir.constant(dense<-1> : vector<8xi32>) : vector<8xi32>
         nvvm.tcgen05.st %low, %nothing {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<8xi32>
         nvvm.tcgen05.wait <store>
         nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
         {meet}
         %both = llvm.mlir.constant(3 : i16) : i16
         %leads = llvm.icmp \"eq\" %rank, %zero : i32
         %issues = llvm.and %leads, %is_thread : i1
         llvm.cond_br %issues, ^issue, ^issued
       ^issue:
         %to = llvm.inttoptr %tm : i32 to !llvm.ptr<6>
         %base = llvm.ptrtoint %sa : !llvm.ptr<3> to i32
         %four = llvm.mlir.constant(4 : i32) : i32
         %units = llvm.lshr %base, %four : i32
         %wide = llvm.zext %units : i32 to i64
         %high = llvm.mlir.constant({} : i64) : i64
         %source = llvm.or %wide, %high : i64
         nvvm.tcgen05.cp %to, %source {{{}{group}}}
         nvvm.tcgen05.commit %done{mask} : !llvm.ptr<3>{of_mask}
         llvm.br ^issued
       ^issued:
         %ticks = llvm.mlir.constant(10000 : i32) : i32
         nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32
         %d = nvvm.tcgen05.ld %low {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<8xi32>
         llvm.store %d, %mine {{alignment = 4 : i64}} : vector<8xi32>, !llvm.ptr<1>
         nvvm.tcgen05.wait <load>\n",
        fill("a", 2048),
        (word | 1 << 46) as i64,
        shape.attributes,
    );
    let text = wgmma::GLOBALS.to_owned()
        + GLOBALS
        + &function("%all_a: !llvm.ptr<1>, %out: !llvm.ptr<1>", &with_columns(32, pair, &body));
    let mut image = vec![0i32; 16384 * blocks];
    for (block, row, column) in (0..blocks)
        .flat_map(|block| (0..shape.rows).map(move |row| (block, row)))
        .flat_map(|(block, row)| (0..shape.bytes / 4).map(move |column| (block, row, column)))
    {
        let byte = Laid::PLAIN.at([row, 4 * column], shape.rows, 1);
        image[block * 16384 + byte / 4] = value(block, row, column);
    }
    let mut memory = Memory::new();
    let (input, out) = (memory.upload(&image), memory.zeroed::<i32>(blocks * 128 * 8));
    let launch = Launch::new("kernel", [blocks as u32, 1, 1], [128, 1, 1]);
    let launch = Launch { schedule, cluster: Some([blocks as u32, 1, 1]), ..launch };
    let text = if schedule == Schedule::Eager { as_text(&text) } else { text };
    let ran = program(&text).run(&launch, &mut memory, &[Arg::Buffer(input), Arg::Buffer(out)]);
    ran.unwrap_or_else(|e| panic!("{}: {e}", shape.attributes));
    memory.download(out)
}

fn value(block: usize, row: usize, column: usize) -> i32 {
    (block * 10000 + row * 10 + column) as i32
}

#[test]
fn copies_of_each_shape_go_where_ptx_says() {
    for (i, shape) in SHAPES.iter().enumerate() {
        for pair in [false, true] {
            let found = run(shape, pair, SCHEDULES[(i + usize::from(pair)) % 5]);
            for block in 0..if pair { 2 } else { 1 } {
                let mut expected = vec![-1; 128 * 8];
                for row in 0..shape.rows {
                    for lane in (shape.lanes)(row) {
                        for column in 0..shape.bytes / 4 {
                            expected[lane * 8 + column] = value(block, row, column);
                        }
                    }
                }
                assert_eq!(found[block * 1024..(block + 1) * 1024], expected, "{} {pair}", shape.attributes);
            }
        }
    }
}
