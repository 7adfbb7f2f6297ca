//! Entries of `tmem_fragment.json`: where a fragment of a shape lies in tensor memory, for the type
//! of its elements (`value`), the bits that each takes (`storage`), the CTAs (`sm`), and what
//! becomes of lanes that it leaves free (`alloc`); or where scales lie (`tmem_sf_frg`).
//!
//! In the simulator, a kernel stores the address of each element, as lowered code computes it: the
//! lane and the column of `layout`. Where a `tcgen05.mma` has such a fragment of A or C,
//! `mma.make_fragment` makes it, and must infer `layout`. The other entries, of scales among them,
//! are views.

use cute_algebra::{parse_shape, size};
use cute_arch::tmem::address;
use cute_mlir::Target;
use cute_sim::{Arg, Launch, Memory};
use melior::Context;
use serde_json::Value as Json;

use super::THREADS;
use crate::{
    full::takes,
    vectors::{self, layout, offsets, text},
};

/// The elements of an entry, as MLIR spells them, and their bits.
fn element(entry: &Json) -> (&'static str, i64) {
    match text(entry, "/args/value") {
        "float" => ("f32", 32),
        "int32_t" => ("i32", 32),
        "half_t" => ("f16", 16),
        "float_e4m3_t" => ("f8E4M3FN", 8),
        // Bytes, whatever number they are.
        "float_ue8m0_t" | "float_ue4m3_t" => ("i8", 8),
        other => panic!("{entry}: {other}"),
    }
}

/// The atom that has the fragment, and the operand, if there are such.
fn maker(entry: &Json) -> Option<(String, char)> {
    let arg = |name: &str| text(entry, &format!("/args/{name}"));
    let (value, _) = element(entry);
    let shape = parse_shape(arg("shape")).expect("a shape").to_const().expect("numbers");
    let [rows, columns] = shape.mode(0)?.leaves() else { return None };
    let ctas = vectors::number(entry, "/args/sm");
    let (m, frag, which) = match (arg("storage"), ctas, arg("alloc")) {
        ("uint32_t", 1, "Interleaved") => (*rows, "ss", 'C'),
        // The accumulators beside an A in tensor memory. There is no such MMA of integers.
        ("uint32_t", 1, "NonInterleaved") if value != "i32" => (*rows, "ts", 'C'),
        // A pair has 128 rows or more, and of integers a multiple of 32 columns.
        ("uint32_t", 2, "Interleaved") if *rows >= 64 && (value != "i32" || columns % 32 == 0) => {
            (2 * rows, "ss", 'C')
        }
        // One MMA takes 16 columns of A.
        ("half_t", 1, "NonInterleaved") if *columns == 16 => (*rows, "ts", 'A'),
        _ => return None,
    };
    let n = if which == 'C' { *columns } else { 64 };
    let (elements, k) = match (value, which) {
        ("i32", _) => ("i8, i8, i32".to_owned(), 32),
        (_, 'A') => ("f16, f16, f32".to_owned(), 16),
        _ => (format!("f16, f16, {value}"), 16),
    };
    let atom = format!(
        "!cute_nvgpu.sm100.mma<{m}x{n}x{k}, num_cta = {ctas}, ab_major = (k, k), elem_type = ({elements}), frag_kind = {frag}, c_scale_exp = 0>"
    );
    Some((atom, which))
}

/// A kernel that stores the address of each element.
fn kernel(entry: &Json, made_by: Option<(String, char)>) -> String {
    let (shape, places) = (text(entry, "/args/shape"), text(entry, "/result/layout"));
    let count = size(&layout(places)).expect("a size");
    let pointer = format!("!cute.ptr<{}, tmem, align<1>>", element(entry).0);
    let fragment = format!("!cute.memref<{}, tmem, align<1>, \"{places}\">", element(entry).0);
    let made = match made_by {
        Some((atom, which)) => format!(
            "%false = arith.constant false
             %atom = cute.make_atom(%false, %false, %false) : (i1, i1, i1) -> {atom}
             %shape = cute.static : !cute.shape<\"{shape}\">
             %fragment = cute.mma.make_fragment {which}(%atom, %shape) : ({atom}, !cute.shape<\"{shape}\">) -> {fragment}"
        ),
        None => format!(
            "%origin = arith.constant 0 : i32
             %start = cute.inttoptr(%origin) : i32 to {pointer}
             %fragment = cute.make_view(%start) : {fragment}"
        ),
    };
    format!(
        "gpu.module @m {{
           gpu.func @addresses(%out: !cute.memref<i32, gmem, \"{count}:1\">) kernel attributes {{nvvm.reqntid = array<i32: {THREADS}, 1, 1>}} {{
             %thread = nvvm.read.ptx.sreg.tid.x : i32
             %threads = arith.constant {THREADS} : i32
             %count = arith.constant {count} : i32
             {made}
             %layout = cute.get_layout(%fragment) : {fragment}
             %first = cute.get_iter(%fragment) : {fragment}
             scf.for %i = %thread to %count step %threads : i32 {{
               %at = cute.make_coord(%i) : (i32) -> !cute.coord<\"?\">
               %behind = cute.crd2idx(%at, %layout) : (!cute.coord<\"?\">, !cute.layout<\"{places}\">) -> !cute.int_tuple<\"?\">
               %place = cute.add_offset(%first, %behind) : ({pointer}, !cute.int_tuple<\"?\">) -> {pointer}
               %word = cute.ptrtoint(%place) : {pointer} to i32
               cute.memref.store(%out, %at, %word) : (!cute.memref<i32, gmem, \"{count}:1\">, !cute.coord<\"?\">, i32) -> ()
             }}
             gpu.return
           }}
         }}"
    )
}

fn addresses(entry: &Json, text: &str) -> Vec<i32> {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = cute_mlir::parse(&context, text).unwrap_or_else(|e| panic!("{entry}: {e}"));
    cute_mlir::lower(&context, &mut module, Target::Sm100a).unwrap_or_else(|e| panic!("{entry}: {e}"));
    let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{entry}: {e}"));
    let mut memory = Memory::new();
    let count = size(&layout(vectors::text(entry, "/result/layout"))).expect("a size");
    let found = memory.zeroed::<i32>(count as usize);
    let launch = Launch::new("addresses", [1; 3], [THREADS as u32, 1, 1]);
    program.run(&launch, &mut memory, &[Arg::Buffer(found)]).unwrap_or_else(|e| panic!("{entry}: {e}"));
    memory.download(found)
}

/// Every fifth entry; with `CUTE_FULL` set, all of them.
#[test]
fn fragments_lie_where_cutlass_places_them() {
    let entries = vectors::read("tmem_fragment");
    let made = entries.iter().filter(|entry| maker(entry).is_some()).count();
    assert_eq!((entries.len(), made), (60, 22));
    for (_, entry) in entries.iter().enumerate().filter(|(i, _)| takes(*i, 5)) {
        let found = addresses(entry, &kernel(entry, maker(entry)));
        // A lane is 2^16 words; elements of fewer bits share a column, whose byte an address names.
        let places = offsets(text(entry, "/result/layout")).into_iter();
        let word = |place: i64| match element(entry).1 {
            8 => address(8, place).cast_signed().into(),
            bits => place * bits / 32,
        };
        let expected: Vec<i64> = places.map(word).collect();
        let wrong = (0..expected.len()).find(|i| i64::from(found[*i]) != expected[*i]);
        assert_eq!(wrong.map(|i| (i, found[i], expected[i])), None, "{entry}: element, found, expected");
    }
}
