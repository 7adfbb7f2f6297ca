//! Mistakes with scale factors: each in a kernel that is right without it. A tile of ones is
//! multiplied, whose scale factors are 1.

use super::{GLOBALS, with_columns};
use crate::wgmma::Laid;
use crate::{function, program};
use cute_sim::{Arg, Launch, Memory, Schedule};

const SCHEDULES: [Schedule; 5] =
    [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1), Schedule::Random(2)];

/// A kind, and what its operands look like.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    vector: &'static str,
    /// Words of ones, in A and B and as scale factors.
    one: u32,
    factor: u32,
    /// The types in the instruction descriptor.
    types: u32,
    /// The sum of a product, as f32.
    sum: u32,
}

const MXF8: Kind = Kind {
    name: "mxf8f6f4",
    vector: "",
    one: 0x3838_3838,
    factor: 0x7f7f_7f7f,
    types: 1 << 23,
    sum: 0x4200_0000,
};
const MXF4: Kind =
    Kind { name: "mxf4", one: 0x2222_2222, types: 1 << 23 | 1 << 7 | 1 << 10, sum: 0x4280_0000, ..MXF8 };
const NVF4: Kind = Kind {
    name: "mxf4nvf4",
    vector: "blockScale = #nvvm.tcgen05_mma_block_scale<block16>, ",
    factor: 0x3838_3838,
    types: 1 << 7 | 1 << 10,
    ..MXF4
};

/// The shape of the MMA in its descriptor: 128 x 64.
const SHAPE: u32 = 8 << 17 | 8 << 24;

/// The code that a thread issues, from `^issue` on.
const COPY_A: &str = "nvvm.tcgen05.cp %at_sfa, %desc_sfa {shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>}\n";
const COPY_B: &str = "nvvm.tcgen05.cp %at_sfb, %desc_sfb {shape = #nvvm.tcgen05_cp_shape<shape_32x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>}\n";
const FENCE: &str =
    "nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}\n";
const COMMIT: &str = "nvvm.tcgen05.commit %done : !llvm.ptr<3>\n";
const WAIT: &str = "nvvm.mbarrier.try_wait.parity %done, %zero, %ticks : !llvm.ptr<3>, i32, i32\n";

fn multiply(kind: Kind) -> String {
    format!(
        "nvvm.tcgen05.mma.block_scale %d, %desc_a, %desc_b, %idesc, %no, %sfa, %sfb
           {{kind = #nvvm.block_scale_kind<{}>, {}ctaGroup = #nvvm.cta_group<cta_1>}}
           : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)\n",
        kind.name, kind.vector
    )
}

/// Code for an address in tensor memory: a distance from the first column, with the bits of a byte
/// or a lane.
fn address(name: &str, word: u32) -> String {
    format!(
        "%c_{name} = llvm.mlir.constant({} : i32) : i32
         %i_{name} = llvm.add %tm, %c_{name} : i32
         %{name} = llvm.inttoptr %i_{name} : i32 to !llvm.ptr<6>\n",
        word as i32
    )
}

/// Code for the descriptor of bytes of `@tile`.
fn descriptor(name: &str, byte: u32, rows: usize) -> String {
    let (word, _) = Laid::PLAIN.descriptor(rows, 1);
    format!(
        "%b_{name} = llvm.mlir.constant({byte} : i32) : i32
         %p_{name} = llvm.add %tile, %b_{name} : i32
         %u_{name} = llvm.lshr %p_{name}, %four : i32
         %w_{name} = llvm.zext %u_{name} : i32 to i64
         %h_{name} = llvm.mlir.constant({} : i64) : i64
         %desc_{name} = llvm.or %w_{name}, %h_{name} : i64\n",
        (word | 1 << 46) as i64
    )
}

/// A kernel, whose parts a mistake changes.
#[derive(Clone)]
struct Kernel {
    kind: Kind,
    descriptor: u32,
    /// The places of the factors of A and of B as copies and as MMAs have them, from the first
    /// column on, and how many columns are allocated.
    written: [u32; 2],
    read: [u32; 2],
    columns: u32,
    /// Code of all threads before they meet, of the one that issues, and of all before they load D.
    before: String,
    issued: String,
    behind: String,
}

impl Kernel {
    fn new(kind: Kind) -> Self {
        Kernel {
            kind,
            descriptor: SHAPE | kind.types,
            written: [64, 68],
            read: [64, 68],
            columns: 128,
            before: FENCE.to_owned(),
            issued: [COPY_A, COPY_B, &multiply(kind), COMMIT].concat(),
            behind: WAIT.to_owned(),
        }
    }

    /// The source. A is at byte 0 of the tile, B at 4096, and the factors are at 8192 and 8704.
    fn source(&self) -> String {
        let Kind { one, factor, .. } = self.kind;
        let body = format!(
            "%at = llvm.mlir.addressof @tile : !llvm.ptr<3>
             %tile = llvm.ptrtoint %at : !llvm.ptr<3> to i32
             %four = llvm.mlir.constant(4 : i32) : i32
             %ticks = llvm.mlir.constant(10000 : i32) : i32
             %no = llvm.mlir.constant(false) : i1
             %ones = llvm.mlir.constant(dense<{}> : vector<4xi32>) : vector<4xi32>
             %factor = llvm.mlir.constant({} : i32) : i32
             %c2048 = llvm.mlir.constant(2048 : i32) : i32
             %words = llvm.mul %t, %four : i32
             %a0 = llvm.getelementptr %at[%words] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             %a1 = llvm.getelementptr %a0[512] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
             %b0 = llvm.getelementptr %a0[1024] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
             %f0 = llvm.getelementptr %at[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             %fa = llvm.getelementptr %f0[2048] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
             %fb = llvm.getelementptr %f0[2176] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
             llvm.store %ones, %a0 : vector<4xi32>, !llvm.ptr<3>
             llvm.store %ones, %a1 : vector<4xi32>, !llvm.ptr<3>
             llvm.store %ones, %b0 : vector<4xi32>, !llvm.ptr<3>
             llvm.store %factor, %fa : i32, !llvm.ptr<3>
             llvm.store %factor, %fb : i32, !llvm.ptr<3>
             %own_a = llvm.add %own, %c64 : i32
             %lanes_a = llvm.inttoptr %own_a : i32 to !llvm.ptr<6>
             %own_d = llvm.inttoptr %own : i32 to !llvm.ptr<6>
             %factors = llvm.mlir.constant(dense<{}> : vector<8xi32>) : vector<8xi32>
             {}
             nvvm.tcgen05.fence <before>
             nvvm.barrier0
             llvm.cond_br %is_thread, ^issue, ^issued
           ^issue:
             nvvm.tcgen05.fence <after>
             {}{}{}{}{}{}{}{}{}
             %idesc = llvm.mlir.constant({} : i32) : i32
             {}
             llvm.br ^issued
           ^issued:
             {}
             nvvm.tcgen05.fence <after>
             %made = nvvm.tcgen05.ld %own_d {{shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>}} : vector<64xi32>
             nvvm.tcgen05.wait <load>
             %mine = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<64 x i32>
             llvm.store %made, %mine {{alignment = 4 : i64}} : vector<64xi32>, !llvm.ptr<1>\n",
            one as i32,
            factor as i32,
            factor as i32,
            self.before,
            address("d", 0),
            address("at_sfa", self.written[0]),
            address("at_sfb", self.written[1]),
            address("sfa", self.read[0]),
            address("sfb", self.read[1]),
            descriptor("a", 0, 128),
            descriptor("b", 4096, 64),
            descriptor("sfa", 8192, 32),
            descriptor("sfb", 8704, 32),
            self.descriptor as i32,
            self.issued,
            self.behind,
        );
        let body = body.replace("%own_a = ", "%c64 = llvm.mlir.constant(64 : i32) : i32\n%own_a = ");
        let tile = "llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<4096 x i32>\n";
        tile.to_owned() + GLOBALS + &function("%out: !llvm.ptr<1>", &with_columns(self.columns, false, &body))
    }

    /// The text of an error or of all findings, and D.
    fn run(&self, schedule: Schedule) -> (String, Vec<u32>) {
        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(128 * 64);
        let launch = Launch { schedule, cluster: Some([1; 3]), ..Launch::new("kernel", [1; 3], [128, 1, 1]) };
        let text = match program(&self.source()).run(&launch, &mut memory, &[Arg::Buffer(out)]) {
            Err(error) => error.to_string(),
            Ok(report) if report.findings.is_empty() => String::new(),
            Ok(report) => report.to_string(),
        };
        (text, memory.download::<u32>(out))
    }

    fn is_right(&self) {
        for schedule in SCHEDULES {
            let (text, d) = self.run(schedule);
            assert_eq!(text, "", "{} {schedule:?}", self.kind.name);
            assert!(d.iter().all(|sum| *sum == self.kind.sum), "{}: {:#x}", self.kind.name, d[0]);
        }
    }

    /// Under each schedule a finding says this.
    fn says(&self, mistake: &str, expected: &str) {
        for schedule in SCHEDULES {
            let (text, _) = self.run(schedule);
            assert!(text.contains(expected), "{mistake}, {schedule:?}: {text}");
        }
    }
}

/// Factors that a warp stores to its own lanes, in place of copies.
const STORED: &str =
    "nvvm.tcgen05.st %lanes_a, %factors {shape = #nvvm.tcgen05_ldst_shape<shape_32x32b>} : vector<8xi32>\n";
const STORED_WAIT: &str = "nvvm.tcgen05.wait <store>\n";

#[test]
fn kernels_without_mistakes_are_right() {
    for kind in [MXF8, MXF4, NVF4] {
        Kernel::new(kind).is_right();
    }
    let stored = Kernel {
        before: [FENCE, STORED, STORED_WAIT].concat(),
        issued: multiply(MXF8) + COMMIT,
        ..Kernel::new(MXF8)
    };
    stored.is_right();
    // Each byte of a column is a factor of another block of K.
    for byte in 0..4u32 {
        let (ids, bits) = (byte << 29 | byte << 4, byte << 30);
        let base = Kernel::new(MXF8);
        let (descriptor, read) = (base.descriptor | ids, base.read.map(|word| word | bits));
        Kernel { descriptor, read, ..base.clone() }.is_right();
        Kernel { descriptor, ..base }.is_right();
    }
    let again = [COPY_A, COPY_B, &multiply(MXF8), COPY_A, &multiply(MXF8), COMMIT].concat();
    Kernel { issued: again, ..Kernel::new(MXF8) }.is_right();
}

#[test]
fn descriptors_of_other_factors_are_found() {
    let with = |kind, descriptor| Kernel { descriptor, ..Kernel::new(kind) };
    let base = |kind| Kernel::new(kind).descriptor;
    for (mistake, kernel, expected) in [
        (
            "ue4m3 for mxf8",
            with(MXF8, base(MXF8) & !(1 << 23)),
            "the type of the scales (bit 23) is 0: kind::mxf8f6f4 takes 1 (ue8m0)",
        ),
        (
            "ue4m3 for vectors of 32",
            Kernel {
                issued: [COPY_A, COPY_B, &multiply(NVF4).replace("block16", "block32"), COMMIT].concat(),
                ..Kernel::new(NVF4)
            },
            "the type of the scales (bit 23) is 0: kind::mxf4nvf4 with .scale_vec::2X takes 1 (ue8m0)",
        ),
        (
            "byte 1 of two factors",
            with(MXF4, base(MXF4) | 1 << 29),
            "the first scale factor of A (bits 29 to 30) is 1: with .scale_vec::2X the first byte is 0 or 2",
        ),
        (
            "byte 2 of four factors",
            with(NVF4, base(NVF4) | 2 << 4),
            "the first scale factor of B (bits 4 to 5) is 2: with .scale_vec::4X the first byte is 0",
        ),
        (
            "64 rows",
            with(MXF8, base(MXF8) & !(8 << 24) | 4 << 24),
            "M (bits 24 to 28) is 64: .cta_group::1 takes 128",
        ),
        (
            "e2m1 as mxf8 numbers it",
            with(MXF4, base(MXF4) & !(7 << 7) | 5 << 7),
            "the type of A (bits 7 to 9) is 5: kind::mxf4 takes 1 (e2m1)",
        ),
        ("K of 96", with(NVF4, base(NVF4) | 1 << 31), "K = 96 with M = 128 and N = 64"),
    ] {
        kernel.says(mistake, expected);
    }
}

#[test]
fn factors_in_other_places_are_found() {
    let with = |read: [u32; 2]| Kernel { read, ..Kernel::new(MXF8) };
    let [a, b] = Kernel::new(MXF8).read;
    for (mistake, kernel, expected) in [
        (
            "the address steps, the descriptor does not",
            with([a | 1 << 30, b]),
            "names byte 1 of a column (bits 30 and 31), but the instruction descriptor names byte 0 (bits 29 and 30)",
        ),
        (
            "of B",
            with([a, b | 3 << 30]),
            "names byte 3 of a column (bits 30 and 31), but the instruction descriptor names byte 0 (bits 4 and 5)",
        ),
        ("a lane", with([a | 32 << 16, b]), "the address of the scale factors of A names lane 32"),
        (
            "columns of D",
            with([60, b]),
            "the scale factors of A are in columns 60 to 63, which the accumulators overlap",
        ),
        (
            "columns of D, of B",
            with([a, 63]),
            "the scale factors of B are in columns 63 to 64, which the accumulators overlap",
        ),
        (
            "columns that nobody allocated",
            with([a, 127]),
            "columns 127 to 128 of tensor memory are not all allocated",
        ),
        ("columns that nobody wrote", with([a, 80]), "undefined"),
        (
            "copies that overwrite D",
            Kernel {
                issued: [COPY_A, COPY_B, &multiply(MXF8), &COPY_A.replace("%at_sfa", "%d"), COMMIT].concat(),
                ..Kernel::new(MXF8)
            },
            "",
        ),
    ] {
        match expected {
            // Copies follow MMAs: what they overwrite is wrong, and no finding.
            "" => assert_ne!(kernel.run(Schedule::Lazy).1[0], MXF8.sum, "{mistake}"),
            expected => kernel.says(mistake, expected),
        }
    }
}

#[test]
fn factors_that_are_not_there_yet_are_found() {
    let base = || Kernel::new(MXF8);
    let stored = || [FENCE, STORED, STORED_WAIT].concat();
    let only = multiply(MXF8) + COMMIT;
    for (mistake, kernel, expected) in [
        (
            "factors stored to shared memory without a fence",
            Kernel { before: String::new(), ..base() },
            "fence.proxy.async",
        ),
        (
            "factors stored to tensor memory, and not waited for",
            Kernel { before: [FENCE, STORED].concat(), issued: only.clone(), ..base() },
            "tcgen05.wait::st",
        ),
        (
            "copied behind the MMA",
            Kernel { issued: [COPY_B, &multiply(MXF8), COPY_A, COMMIT].concat(), ..base() },
            "undefined",
        ),
        (
            "copied to one group of lanes",
            Kernel {
                issued: [
                    &COPY_A.replace(
                        "shape_32x128b>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>",
                        "shape_4x256b>",
                    )[..],
                    COPY_B,
                    &multiply(MXF8),
                    COMMIT,
                ]
                .concat(),
                ..base()
            },
            "undefined",
        ),
        (
            "overwritten while the MMA reads them",
            Kernel {
                before: stored(),
                issued: only.clone(),
                behind: [STORED, STORED_WAIT, WAIT].concat(),
                ..base()
            },
            "tcgen05.mma",
        ),
        (
            "shared memory overwritten while it is copied",
            Kernel { behind: ["llvm.store %factor, %fa : i32, !llvm.ptr<3>\n", WAIT].concat(), ..base() },
            "tcgen05.cp",
        ),
        ("D read before its commit", Kernel { behind: String::new(), ..base() }, "nvvm.tcgen05.ld"),
        (
            "committed before the MMA",
            Kernel { issued: [COPY_A, COPY_B, COMMIT, &multiply(MXF8)].concat(), ..base() },
            "nvvm.tcgen05.ld",
        ),
    ] {
        kernel.says(mistake, expected);
    }
}
