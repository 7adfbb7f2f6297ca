//! Elements of 4 and 6 bits from global memory through the TMA and `tcgen05.mma`, and as arrays.

use std::fs;

use cute_arch::Element;
use cute_sim::format::decode;
use tempfile::TempDir;

use super::{gemms::elements::write, run_in};

const KERNEL: &str = include_str!("narrow.mlir");

/// The bytes of an array, after its header.
fn bytes(folder: &TempDir, name: &str) -> Vec<u8> {
    let file = fs::read(folder.path().join(name)).unwrap();
    file[10 + usize::from(u16::from_le_bytes([file[8], file[9]]))..].to_vec()
}

/// Codes of this number of bits, a byte each.
fn codes(count: usize, bits: u32, seed: usize) -> Vec<u8> {
    (0..count).map(|i| ((i * 7919 + seed * 104_729 + i / 13) % (1 << bits)) as u8).collect()
}

/// Runs a kernel on A and B, and returns what it printed and C.
fn multiply(
    kernel: &str,
    [m, n, k]: [usize; 3],
    schedule: &str,
) -> (Option<i32>, String, Vec<f32>, [Vec<u8>; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (codes(m * k, 4, 1), codes(n * k, 6, 2));
    write(folder.path(), "a.npy", "|u1", &[m, k], a.iter().copied());
    write(folder.path(), "b.npy", "|u1", &[n, k], b.iter().copied());
    let arguments = format!(
        "--host --target sm_100a --schedule {schedule} --arg A:f4E2M1FN[{m}x{k}]=a.npy --arg B:f6E3M2FN[{n}x{k}]=b.npy \
         --arg C:f32[{m}x{n}] --out A=back.npy --out C=c.npy"
    );
    let (code, out, err) = run_in(&folder, kernel, &arguments);
    if code != Some(0) {
        return (code, out + &err, Vec::new(), [a, b]);
    }
    assert_eq!(bytes(&folder, "back.npy"), a, "an array that no kernel changes");
    let c =
        bytes(&folder, "c.npy").chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    (code, out + &err, c, [a, b])
}

#[test]
fn padded_elements_are_multiplied_under_every_schedule() {
    let shapes = [[64, 64, 128], [200, 72, 384], [72, 68, 640], [8, 4, 128], [136, 136, 256]];
    for (shape, schedule) in shapes.into_iter().zip(["lazy", "eager", "reverse", "1", "2"]) {
        let [m, n, k] = shape;
        let (code, said, c, [a, b]) = multiply(KERNEL, shape, schedule);
        assert_eq!(code, Some(0), "{said}");
        let number = |element, code: u8| decode(element, code.into()).unwrap();
        for i in 0..m * n {
            let (row, column) = (&a[i / n * k..][..k], &b[i % n * k..][..k]);
            let products = row.iter().zip(column);
            let sum: f64 = products.map(|(a, b)| number(Element::E2m1, *a) * number(Element::E3m2, *b)).sum();
            // Halves and sixteenths: every sum is exact.
            assert_eq!(f64::from(c[i]), sum, "{shape:?} {schedule}: {i}");
        }
    }
}

/// The same kernel with tiles of A that stay packed, of which the MMA reads a byte per element.
fn packed() -> String {
    let packed = "!cute.memref<f4E2M1FN, smem, align<1024>, S<3,4,3>,";
    let edits = [
        (
            "%into_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %sA1,",
            "%packed_ptr = cute.recast_iter(%memory) : !bytes to !cute.ptr<f4E2M1FN, smem, align<1024>, S<3,4,3>>
             %packed = cute.make_view(%packed_ptr) : PACKED \"((128,128),4):((128,1),32768)\">
             %into_A, %from_A = cute_nvgpu.atom.tma_partition(%load_A, %cta, %ctas, %packed,",
        ),
        (
            ": (!make_load_A, !cute.coord<\"0\">, !cute.layout<\"1:0\">, !cute.memref<i8, smem, align<1024>, S<3,4,3>, \"((128,128),4):((128,1),16384)\">, !cute.coord_tensor<\"(0,?{div=128})\", \"((128,128),?):((1@1,1@0),128@0)\">) -> (!into,",
            ": (!make_load_A, !cute.coord<\"0\">, !cute.layout<\"1:0\">, PACKED \"((128,128),4):((128,1),32768)\">, !cute.coord_tensor<\"(0,?{div=128})\", \"((128,128),?):((1@1,1@0),128@0)\">) -> (PACKED \"((16384,1),4):((1,0),32768)\">,",
        ),
        (
            "%s_A = cute.slice(%into_A, %at_s) : !into,",
            "%s_A = cute.slice(%into_A, %at_s) : PACKED \"((16384,1),4):((1,0),32768)\">,",
        ),
        (
            "cute.copy(%tma_A, %k_A, %s_A) : (!load_A, !box, !into_stage)",
            "cute.copy(%tma_A, %k_A, %s_A) : (!load_A, !box, PACKED \"((16384,1)):((1,0))\">)",
        ),
        ("tma_format = U4_UNPACK_U8", "tma_format = U4"),
        ("tma_format = <U4_UNPACK_U8>", "tma_format = <U4>"),
    ];
    edits.into_iter().fold(KERNEL.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, &to.replace("PACKED", packed))
    })
}

#[test]
fn a_packed_box_is_not_what_the_mma_reads() {
    // The bytes that the TMA did not write are seen, however the stages are filled.
    for schedule in ["lazy", "eager", "reverse"] {
        let (code, said, ..) = multiply(&packed(), [128, 128, 128], schedule);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("is read before it is written"), "{said}");
    }
    // Where types tell, it does not compile.
    let mixed = KERNEL
        .replace("tma_format = U4_UNPACK_U8", "tma_format = U4")
        .replace("tma_format = <U4_UNPACK_U8>", "tma_format = <U4>");
    let (code, said, ..) = multiply(&mixed, [128, 128, 128], "lazy");
    assert_eq!(code, Some(1));
    let why =
        "the memory has elements of i8, but tma_format = U4 packs elements of f4E2M1FN in shared memory";
    assert!(said.contains(why), "{said}");
}

#[test]
fn arrays_break_rules_of_padded_elements_by_name() {
    for ([m, n, k], why) in [
        (
            [64, 64, 96],
            "the extent of mode 0 is 96: of elements of u4 in 8 bits it is a multiple of 128; padding to 128 would do",
        ),
        (
            [64, 64, 64],
            "the extent of mode 0 is 64: of elements of u4 in 8 bits it is a multiple of 128; padding to 128 would do",
        ),
    ] {
        let (code, said, ..) = multiply(KERNEL, [m, n, k], "lazy");
        assert_eq!(code, Some(1));
        assert!(said.contains(why), "{said}");
    }
}
