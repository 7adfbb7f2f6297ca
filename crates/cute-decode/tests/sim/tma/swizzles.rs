//! The swizzle of a tensor map beside those of the pointer to the shared memory and of descriptors
//! of matrices.

use super::*;
use crate::wgmma::Laid;
use MapSwizzle as S;

/// The findings of a run, as text after their place.
fn findings(result: Result<Report, Error>) -> Vec<(Grade, String)> {
    let report = match result {
        Ok(report) => report,
        Err(Error::Findings(report)) => *report,
        Err(e) => panic!("{e}"),
    };
    report.findings.iter().map(|finding| (finding.grade, finding.kind.to_string())).collect()
}

fn run(source: &str, map: &TensorMap, threads: u32, schedule: Schedule) -> Vec<(Grade, String)> {
    let launch = Launch { schedule, pedantic: true, ..Launch::new("kernel", [1; 3], [threads, 1, 1]) };
    let mut memory = Memory::new();
    let tensor = memory.upload_bytes(&bytes_of(map));
    let out = memory.zeroed::<u32>(4096);
    let map = TensorMap { address: memory.address(tensor).unwrap(), ..map.clone() };
    let arguments = [Arg::words(&map.words().unwrap()), Arg::Buffer(out)];
    findings(program(source).run(&launch, &mut memory, &arguments))
}

/// Copies by a map of each swizzle, from and to memory that the kernel accesses with each.
#[test]
fn a_copy_has_the_swizzle_of_its_memory() {
    let said = |swizzle: S| match swizzle {
        S::B64 => "the swizzle S<2,4,3>",
        S::B128 => "the swizzle S<3,4,3>",
        _ => "no swizzle",
    };
    let of_memory = [(S::None, "S<0,4,3>"), (S::B64, "S<2,4,3>"), (S::B128, "S<3,4,3>")];
    for of_map in [S::None, S::B64, S::B128] {
        let map = tensor(MapElement::U32, &[8, 32], &[8, 32], of_map);
        for (own, text) in of_memory {
            let attribute = format!("cute.swizzle = \"{text}\"");
            let with = format!("] {{{attribute}}} : !llvm.ptr<7>, ");
            let loads = load_kernel(256, 1024, &[0, 0]).replace("] : !llvm.ptr<7>, ", &with);
            let stores = |send: &str| store_kernel(&map, &[0, 0], FENCE, send, WAIT_READ);
            let stored = stores(&STORE.replace("] : ", &format!("] {{{attribute}}} : ")));
            let reduced = stores(&reduce("add").replace("redKind", &format!("{attribute}, redKind")));
            for (source, schedule) in [loads, stored, reduced].iter().zip(SCHEDULES) {
                assert!(source.contains(text));
                let found = run(source, &map, 32, schedule);
                if own == of_map {
                    assert_eq!(found, [], "{own} {schedule:?}");
                    continue;
                }
                let expected = format!(
                    "the tensor map has {}, but the kernel accesses this shared memory with {}: ",
                    said(of_map),
                    said(own)
                );
                assert!(found.len() == 1 && found[0].0 == Grade::Error, "{found:?}");
                assert!(found[0].1.starts_with(&expected), "{found:?}");
            }
        }
    }
}

/// A swizzle of a tile of 128 bytes at a multiple of 1024 moves nothing, so any other does as well.
#[test]
fn swizzles_are_compared_by_the_bytes_that_they_move() {
    let load = |rows: u32| {
        let map = tensor(MapElement::U32, &[8, 32], &[8, rows], S::B128);
        let (words, bytes) = (8 * rows as usize, u64::from(32 * rows));
        let source = load_kernel(words, bytes, &[0, 0])
            .replace("] : !llvm.ptr<7>, ", "] {cute.swizzle = \"S<0,4,3>\"} : !llvm.ptr<7>, ");
        run(&source, &map, 32, Schedule::Lazy).len()
    };
    assert_eq!((load(4), load(8)), (0, 1));
}

/// 128 threads wait for a box in `@tile`, and multiply it as A of 64 x 8 x 16 by zeros. `between`
/// comes before the fence of the product.
fn product_of(laid: Laid, bytes: u64, between: &str) -> String {
    let (define, list) = constants(&[0, 0]);
    let load = format!(
        "%bytes = llvm.mlir.constant({bytes} : i32) : i32
         nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
         nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[{list}] : !llvm.ptr<7>, !llvm.ptr"
    );
    let descriptor = |name: &str, tile: &str, laid: Laid, mn: usize| {
        format!(
            "%i{name} = llvm.ptrtoint {tile} : !llvm.ptr<3> to i32
             %k{name} = llvm.lshr %i{name}, %four : i32
             %l{name} = llvm.zext %k{name} : i32 to i64
             %high{name} = llvm.mlir.constant({} : i64) : i64
             %desc{name} = llvm.or %l{name}, %high{name} : i64\n",
            laid.descriptor(mn, 2).0 as i64
        )
    };
    let body = format!(
        "{START}{define}{}{WAIT}
         %four = llvm.mlir.constant(4 : i32) : i32
         %c63 = llvm.mlir.constant(63 : i32) : i32
         %b = llvm.mlir.addressof @b : !llvm.ptr<3>
         %w = llvm.and %t, %c63 : i32
         %mine = llvm.getelementptr %b[%w] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         %low = llvm.icmp \"eq\" %w, %t : i32
         llvm.cond_br %low, ^zero, ^zeroed
       ^zero:
         llvm.store %zero, %mine : i32, !llvm.ptr<3>
         llvm.br ^zeroed
       ^zeroed:
         {between}{FENCE}nvvm.barrier0
         {}{}%f0 = llvm.mlir.constant(0.0 : f32) : f32
         nvvm.wgmma.fence.aligned
         %r = llvm.inline_asm has_side_effects
           \"{{ .reg .pred p; setp.ne.b32 p, $6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{$0, $1, $2, $3}}, $4, $5, p, 1, 1, 0, 0; }}\",
           \"=f,=f,=f,=f,l,l,r,0,1,2,3\" %desca, %descb, %zero, %f0, %f0, %f0, %f0 : (i64, i64, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
         nvvm.wgmma.commit.group.sync.aligned
         nvvm.wgmma.wait.group.sync.aligned 0\n",
        first("load", &load),
        descriptor("a", "%tile", laid, 64),
        descriptor("b", "%b", Laid::PLAIN, 8),
    );
    let b = "llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<64 x i32>\n";
    GLOBALS.to_owned() + b + &function(&format!("%map: {MAP}, %out: !llvm.ptr<1>"), &body)
}

const ROWS_OF_64: Laid = Laid { swizzle: 2, ..Laid::PLAIN };
const ROWS_OF_128: Laid = Laid { swizzle: 3, ..Laid::PLAIN };

#[test]
fn a_descriptor_has_the_swizzle_of_the_copy_that_brought_its_matrix() {
    let boxes = |row: u32, swizzle: S| {
        let map = tensor(MapElement::F16, &[u64::from(row), 64], &[row, 64], swizzle);
        (map.box_bytes(), map)
    };
    // Each thread overwrites a word of each row of 512 bytes.
    let again = "%again = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32\n"
        .to_owned()
        + &(0..16)
            .map(|i| {
                format!(
                    "%w{i} = llvm.getelementptr %again[{}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
                     llvm.store %zero, %w{i} : i32, !llvm.ptr<3>\n",
                    128 * i
                )
            })
            .collect::<String>();
    for schedule in SCHEDULES {
        let found = |laid: Laid, (bytes, map): (u64, TensorMap), between: &str| {
            run(&product_of(laid, bytes, between), &map, 128, schedule)
        };
        assert_eq!(found(ROWS_OF_64, boxes(32, S::B64), ""), []);
        assert_eq!(found(ROWS_OF_128, boxes(64, S::B128), ""), []);
        // Nobody knows how a thread swizzles.
        assert_eq!(found(ROWS_OF_128, boxes(64, S::None), &again), []);
        let expect = |found: Vec<(Grade, String)>, grade: Grade, map: &str, byte: u32| {
            assert!(found.len() == 1 && found[0].0 == grade, "{found:?}");
            let own = "the descriptor has the swizzle S<3,4,3>, but `nvvm.cp.async.bulk.tensor.shared.cluster.global` (";
            let brought = format!(" by a tensor map with {map}: ");
            let text = &found[0].1;
            let at = format!(") loaded byte {byte} of shared memory @tile");
            let all = [own, &at, &brought];
            assert!(all.iter().all(|part| text.contains(part)), "{text}");
        };
        // A box of rows of 64 bytes fills half of what the descriptor describes.
        let halves = [S::B64, S::None].map(|swizzle| found(ROWS_OF_128, boxes(32, swizzle), ""));
        assert!(halves.iter().all(|found| !found.is_empty()), "{halves:?}");
        let full = tensor(MapElement::F16, &[32, 128], &[32, 128], S::B64);
        expect(found(ROWS_OF_128, (8192, full), ""), Grade::Error, "the swizzle S<2,4,3>", 576);
        // A tensor that is swizzled in global memory needs no swizzle of the map.
        expect(found(ROWS_OF_128, boxes(64, S::None), ""), Grade::Note, "no swizzle", 128);
    }
}

/// A descriptor whose matrix reaches beyond the object that it points into.
#[test]
fn a_matrix_lies_in_the_object_of_its_descriptor() {
    let short = |source: String| source.replace("!llvm.array<4096 x i32>", "!llvm.array<1024 x i32>");
    // The bytes that follow @tile are those of another object, which are there, too.
    let map = tensor(MapElement::F16, &[64, 32], &[64, 32], S::B128);
    let rest = "llvm.mlir.global internal @rest() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<1024 x i32>\n";
    let touch = "%rest = llvm.mlir.addressof @rest : !llvm.ptr<3>
        %more = llvm.getelementptr %rest[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32\n"
        .to_owned()
        + &(0..8)
            .map(|i| {
                format!(
                    "%o{i} = llvm.getelementptr %more[{}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
                     llvm.store %zero, %o{i} : i32, !llvm.ptr<3>\n",
                    128 * i
                )
            })
            .collect::<String>();
    for schedule in SCHEDULES {
        let source = short(product_of(ROWS_OF_128, 4096, &touch))
            .replace("llvm.mlir.global internal @b()", &format!("{rest}llvm.mlir.global internal @b()"));
        let found = run(&source, &map, 128, schedule);
        assert!(found.len() == 1 && found[0].0 == Grade::Error, "{found:?}");
        assert!(
            found[0].1.contains("of shared memory @tile") && found[0].1.ends_with("which has 4096 bytes"),
            "{found:?}"
        );
    }
}
