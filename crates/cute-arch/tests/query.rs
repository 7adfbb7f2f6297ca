//! The answers to queries for an instruction.

use cute_arch::{
    Element::{self, *},
    Feature, Target,
    atoms::{Generation, Instruction, Major, MmaAtom, MmaOp, MmaQuery},
};

const HALF: [Element; 4] = [F32, F16, F16, F32];

fn sync(shape: [u32; 3], types: [Element; 4]) -> MmaQuery {
    MmaQuery::new(Instruction::MMA_SYNC, shape, types)
}

#[test]
fn each_field_can_be_to_blame() {
    let message = |query: MmaQuery| query.find().unwrap_err().to_string();
    let half = sync([16, 8, 16], HALF);
    assert_eq!(
        message(sync([16, 8, 16], [F32, S32, F16, F32])),
        "no mma.sync has A s32; there are f16, s8, bf16, tf32, f64, u8, s4, u4, u1, e4m3, e5m2, e3m2, e2m3, e2m1"
    );
    assert_eq!(
        message(sync([16, 8, 16], [F32, F16, Bf16, F32])),
        "no mma.sync has B bf16 with A f16; there are f16"
    );
    assert_eq!(
        message(sync([16, 8, 16], [F16, F16, F16, F32])),
        "no mma.sync has D f16 with A f16, B f16, C f32; there are f32"
    );
    assert_eq!(
        message(MmaQuery { majors: (Major::Mn, Major::K), ..half }),
        "no mma.sync has majors NN with A f16, B f16, C f32, D f32, shape m16n8k16; there are TN"
    );
    assert_eq!(
        message(MmaQuery { op: MmaOp::MulAddSaturate, ..half }),
        "no mma.sync has operation multiply and add with .satfinite with A f16, B f16, C f32, D f32, shape m16n8k16, \
         majors TN; there are multiply and add"
    );
    let wgmma = MmaQuery::new(Instruction::WGMMA, [64, 20, 16], HALF).find().unwrap_err();
    assert_eq!((wgmma.field, wgmma.legal.len()), ("shape", 32));
    let i8 = MmaQuery {
        target: Some(Target::Sm103a),
        ..MmaQuery::new(Instruction::TCGEN05, [128, 64, 32], [S32, S8, S8, S32])
    };
    assert_eq!(i8.find().unwrap_err().legal, ["sm_100a, sm_110a"]);
}

#[test]
fn the_oldest_of_equal_atoms_answers() {
    assert_eq!(sync([16, 8, 8], HALF).find().unwrap().name, "SM75_16x8x8_F32F16F16F32_TN");
    let both: Vec<_> = sync([16, 8, 8], HALF).all().map(|atom| atom.name.as_str()).collect();
    assert_eq!(both, ["SM75_16x8x8_F32F16F16F32_TN", "SM80_16x8x8_F32F16F16F32_TN"]);
}

#[test]
fn either_major_is_legal_where_the_descriptor_says_it() {
    let wgmma = MmaQuery::new(Instruction::WGMMA, [64, 256, 16], HALF);
    for majors in [Major::K, Major::Mn].into_iter().flat_map(|a| [(a, Major::K), (a, Major::Mn)]) {
        assert!(MmaQuery { majors, ..wgmma }.find().is_ok(), "{majors:?}");
    }
    let fp8 = MmaQuery { majors: (Major::Mn, Major::K), ..wgmma };
    let fp8 = MmaQuery { shape: [64, 256, 32], types: [F32, E4m3, E4m3, F32], ..fp8 };
    assert_eq!(fp8.find().unwrap_err().field, "majors");
}

#[test]
fn a_target_lists_what_it_has() {
    let count = |target, a, b| MmaAtom::on(target, a, b).count();
    assert_eq!(count(Target::Sm80, E4m3, E4m3), 0);
    // K of 32 and of 16, with accumulators of f16 and f32.
    assert_eq!(count(Target::Sm89, E4m3, E4m3), 2 * 2);
    // wgmma of f16 and f32, from shared memory and registers, dense and sparse, 32 extents each;
    // mma.sync of Ada's.
    assert_eq!(count(Target::Sm90a, E4m3, E4m3), 2 * 2 * 2 * 32 + 2 * 2);
    assert!(MmaAtom::on(Target::Sm120a, E2m1, E2m1).all(|atom| atom.generation == Generation::Sm120));
    for target in Target::all() {
        let wgmma = Instruction::WGMMA.atoms().any(|atom| atom.on.on(*target));
        assert_eq!(wgmma, target.has(Feature::Wgmma), "{target}");
        let tcgen05 = Instruction::TCGEN05.atoms().any(|atom| atom.on.on(*target));
        assert_eq!(tcgen05, target.has(Feature::Tcgen05), "{target}");
        assert_eq!(
            MmaAtom::on(*target, E5m2, E5m2).next().is_some(),
            target.has(Feature::MmaFp8),
            "{target}"
        );
    }
}
