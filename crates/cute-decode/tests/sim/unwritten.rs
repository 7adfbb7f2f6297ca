//! Local memory that nothing wrote: it may be read, carried about, masked off; what it decides or
//! gives away is found.

use crate::kernel;
use cute_sim::{Arg, Error, FindingKind, Launch, Memory, Origin, Place, Report, SourcePlace};

/// Runs `body` with an out buffer of 32 i32 in a warp, and answers the report and what is in the
/// buffer.
fn run(body: &str) -> (Result<Report, Error>, Vec<i32>) {
    let source = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         %one = llvm.mlir.constant(1 : i32) : i32
         %two = llvm.mlir.constant(2 : i32) : i32
         %c31 = llvm.mlir.constant(31 : i32) : i32
         %all = llvm.mlir.constant(-1 : i32) : i32
         %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         %f = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
         %g = llvm.alloca %one x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
         %f1 = llvm.getelementptr %f[1] : (!llvm.ptr) -> !llvm.ptr, i32
         {body}"
    );
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(32);
    let launch = Launch::new("kernel", [1, 1, 1], [32, 1, 1]);
    let result = kernel("%out: !llvm.ptr<1>", &source).run(&launch, &mut memory, &[Arg::Buffer(out)]);
    (result, memory.download(out))
}

/// The undefined value, the line of the allocation, the byte, and the line of the read.
fn blamed(body: &str) -> (&'static str, u32, i64, u32) {
    let Err(Error::Findings(report)) = run(body).0 else { panic!("no finding: {body}") };
    let [finding] = report.findings.as_slice() else { panic!("{report}") };
    let FindingKind::Undefined { role, origin } = &finding.kind else { panic!("{finding}") };
    let Origin::Unwritten { place, offset, location, .. } = &**origin else { panic!("{finding}") };
    let Place::Local { location: allocated } = place else { panic!("{place}") };
    let line = |place: &SourcePlace| place.line_in("-").expect("a line of the text");
    (role, line(allocated), *offset, line(location))
}

const F: u32 = 9;
const G: u32 = 10;

#[test]
fn masked_off_elements_may_be_added() {
    let body = r#"%c20 = llvm.mlir.constant(20 : i32) : i32
         %in = llvm.icmp "ult" %t, %c20 : i32
         llvm.cond_br %in, ^fill, ^add
       ^fill:
         llvm.store %t, %f1 : i32, !llvm.ptr
         llvm.br ^add
       ^add:
         %x = llvm.load %f1 : !llvm.ptr -> i32
         %y = llvm.add %x, %x : i32
         llvm.store %y, %g : i32, !llvm.ptr
         %z = llvm.load %g : !llvm.ptr -> i32
         %s = nvvm.shfl.sync bfly %all, %z, %one, %c31 : i32 -> i32
         llvm.cond_br %in, ^store, ^exit
       ^store:
         llvm.store %s, %o : i32, !llvm.ptr<1>
         llvm.br ^exit
       ^exit:"#;
    let (result, out) = run(body);
    result.unwrap_or_else(|e| panic!("{e}"));
    assert!((0..32i32).all(|t| out[t as usize] == if t < 20 { 2 * (t ^ 1) } else { 0 }), "{out:?}");
    // Lane 19 reads lane 18, but 21 lanes read one that nothing wrote.
    let beyond =
        body.replace("llvm.constant(20", "llvm.constant(21").replace("mlir.constant(20", "mlir.constant(21");
    assert_eq!(blamed(&beyond), ("stored value", F, 4, 19));
}

#[test]
fn what_it_decides_is_found_with_its_origin() {
    let load = "%x = llvm.load %f1 : !llvm.ptr -> i32\n";
    let uses = [
        ("llvm.store %x, %o : i32, !llvm.ptr<1>", "stored value"),
        (
            "%p = llvm.getelementptr %out[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
          %y = llvm.load %p : !llvm.ptr<1> -> i32",
            "address",
        ),
        (
            "%c = llvm.trunc %x : i32 to i1
          llvm.cond_br %c, ^a, ^a
         ^a:",
            "condition of the branch",
        ),
        ("%y = nvvm.shfl.sync bfly %x, %t, %one, %c31 : i32 -> i32", "lane mask"),
        (
            "%y = nvvm.redux.sync add %x, %all : i32 -> i32
          llvm.store %y, %o : i32, !llvm.ptr<1>",
            "stored value",
        ),
        ("%y = llvm.atomicrmw add %o, %x monotonic : !llvm.ptr<1>, i32", "operand of the atomic operation"),
        // Through another fragment, and through a loop.
        (
            "llvm.store %x, %g : i32, !llvm.ptr
          %y = llvm.load %g : !llvm.ptr -> i32
          llvm.store %y, %o : i32, !llvm.ptr<1>",
            "stored value",
        ),
        (
            "llvm.br ^loop(%t, %x : i32, i32)
         ^loop(%i: i32, %v: i32):
          %j = llvm.add %i, %one : i32
          %more = llvm.icmp \"ult\" %j, %c31 : i32
          llvm.cond_br %more, ^loop(%j, %v : i32, i32), ^exit
         ^exit:
          llvm.store %v, %o : i32, !llvm.ptr<1>",
            "stored value",
        ),
    ];
    for (used, role) in uses {
        assert_eq!(blamed(&(load.to_owned() + used)), (role, F, 4, 12), "{used}");
    }
}

#[test]
fn elements_and_bits_are_told_apart() {
    // Only the used element of a vector counts.
    let vector = "llvm.store %t, %g : i32, !llvm.ptr
         %v = llvm.load %g {alignment = 4 : i64} : !llvm.ptr -> vector<2xi32>\n";
    let element = |i: u32| {
        format!(
            "{vector}%i = llvm.mlir.constant({i} : i32) : i32
         %x = llvm.extractelement %v[%i : i32] : vector<2xi32>
         llvm.store %x, %o : i32, !llvm.ptr<1>"
        )
    };
    assert!(run(&element(0)).0.is_ok());
    assert_eq!(blamed(&element(1)), ("stored value", G, 4, 13));
    // A packed element of 4 bits goes into its byte by masks.
    let nibble = |from: u32| {
        format!(
            "%old = llvm.load %f : !llvm.ptr -> i8
         %high = llvm.mlir.constant(-16 : i8) : i8
         %five = llvm.mlir.constant(5 : i8) : i8
         %kept = llvm.and %old, %high : i8
         %whole = llvm.or %kept, %five : i8
         llvm.store %whole, %f : i8, !llvm.ptr
         %byte = llvm.load %f : !llvm.ptr -> i8
         %wide = llvm.zext %byte : i8 to i32
         %shift = llvm.mlir.constant({from} : i32) : i32
         %moved = llvm.lshr %wide, %shift : i32
         %four = llvm.trunc %moved : i32 to i4
         %x = llvm.zext %four : i4 to i32
         llvm.store %x, %o : i32, !llvm.ptr<1>"
        )
    };
    let (low, out) = run(&nibble(0));
    assert!(low.is_ok() && out == [5; 32]);
    assert_eq!(blamed(&nibble(4)), ("stored value", F, 0, 12));
    // Two halves of a word, of which one is written.
    let half = |i: u32| {
        format!(
            "%h = llvm.trunc %t : i32 to i16
         llvm.store %h, %f : i16, !llvm.ptr
         %word = llvm.load %f : !llvm.ptr -> i32
         %pair = llvm.bitcast %word : i32 to vector<2xi16>
         %i = llvm.mlir.constant({i} : i32) : i32
         %part = llvm.extractelement %pair[%i : i32] : vector<2xi16>
         %x = llvm.zext %part : i16 to i32
         llvm.store %x, %o : i32, !llvm.ptr<1>"
        )
    };
    assert!(run(&half(0)).0.is_ok());
    assert_eq!(blamed(&half(1)), ("stored value", F, 2, 14));
}

/// One `mma.sync` with accumulators, A or B from unwritten memory; rows of A are lanes' groups of
/// four, columns of B likewise.
fn multiply(unwritten: &str, stored: &str) -> String {
    let from = |operand: &str| if operand == unwritten { "%u" } else { "%z" };
    format!(
        r#"%zero = llvm.mlir.constant(0 : i32) : i32
         %none = llvm.mlir.constant(0.0 : f32) : f32
         %four = llvm.mlir.constant(4 : i32) : i32
         %first = llvm.icmp "ult" %t, %four : i32
         llvm.cond_br %first, ^load, ^fill
       ^load:
         %w = llvm.load %f1 : !llvm.ptr -> i32
         llvm.br ^multiply(%w : i32)
       ^fill:
         llvm.br ^multiply(%zero : i32)
       ^multiply(%word: i32):
         %u = llvm.bitcast %word : i32 to vector<2xf16>
         %z = llvm.bitcast %zero : i32 to vector<2xf16>
         %sum = llvm.bitcast %word : i32 to f32
         %d = nvvm.mma.sync A[{}, %z, %z, %z] B[{}, %z] C[{}, %none, %none, %none] {{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>}} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
         %x = llvm.extractvalue %d[{stored}] : !llvm.struct<(f32, f32, f32, f32)>
         llvm.cond_br %first, ^exit, ^store
       ^store:
         llvm.store %x, %o : f32, !llvm.ptr<1>
         llvm.br ^exit
       ^exit:"#,
        from("a"),
        from("b"),
        if unwritten == "c" { "%sum" } else { "%none" },
    )
}

#[test]
fn a_product_is_undefined_where_its_operands_are() {
    // Lanes 0 to 3 have row 0 of A in their first register, column 0 of B, and row 0 of C in their
    // first two.
    assert!(run(&multiply("none", "0")).0.is_ok());
    assert!(run(&multiply("a", "0")).0.is_ok(), "only row 0, which lanes 0 to 3 hold");
    assert!(run(&multiply("c", "0")).0.is_ok(), "only its own element");
    // Column 0 of B goes into column 0 of all rows, which lanes 0, 4, 8, .. hold.
    assert_eq!(blamed(&multiply("b", "0")), ("stored value", F, 4, 18));
    assert!(run(&multiply("b", "1")).0.is_ok(), "column 1");
    let to_all =
        |unwritten: &str| multiply(unwritten, "0").replace("%first, ^exit, ^store", "%first, ^store, ^exit");
    for operand in ["a", "b", "c"] {
        assert_eq!(blamed(&to_all(operand)), ("stored value", F, 4, 18), "{operand}");
    }
}
