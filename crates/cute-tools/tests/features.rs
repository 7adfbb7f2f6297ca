//! Compares the table of features with the instructions that ptxas accepts. ptxas is conditional:
//! without it there is nothing to compare.

use cute_arch::{
    Feature, Target,
    atoms::Reduction,
    tensor_map::{BulkReduction, MapElement},
};
use cute_driver::ptxas;
use std::{fs, process::Command};

/// Instructions of each feature.
#[rustfmt::skip]
const INSTRUCTIONS: &[(Feature, &str)] = &[
    (Feature::CpAsync, "cp.async.cg.shared.global [%r1], [%rd1], 16;"),
    (Feature::Ldmatrix, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];"),
    (Feature::Ldmatrix, "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;"),
    (Feature::MatrixBytes, "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r3];"),
    (Feature::MatrixBytes, "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%r1}, [%r3];"),
    (Feature::MatrixBytes, "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r2], {%r1};"),
    (Feature::Stmatrix, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1};"),
    (Feature::MmaBf16, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4};"),
    (Feature::MmaBf16, "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f1, %f2, %f3, %f4}, %r1, 0x0;"),
    (Feature::MmaFp8, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"),
    (Feature::MmaFp8, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r5}, {%f1, %f2, %f3, %f4};"),
    (Feature::MmaFp8, "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16 {%r1, %r2}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2};"),
    (Feature::MmaLargeF64, "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2, %fd3, %fd4}, {%fd1, %fd2}, {%fd1}, {%fd1, %fd2, %fd3, %fd4};"),
    (Feature::MmaF8f6f4, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m3.e3m2.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};"),
    (Feature::MmaF8f6f4, "mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e2m3.e3m2.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f1, %f2, %f3, %f4}, %r1, 0x0;"),
    (Feature::MmaF8f6f4, "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}, %r1, {0, 0}, %r2, {0, 0};"),
    (Feature::MmaF8f6f4, "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}, %r1, {0, 0}, %r2, {0, 0};"),
    (Feature::MmaSparseFp4, "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, {%r5, %r6, %r7, %r8}, {%f1, %f2, %f3, %f4}, %r3, 0x0, %r1, {0, 0}, %r2, {0, 0};"),
    (Feature::Tma, "mbarrier.arrive.expect_tx.shared.b64 %rd2, [%r1], %r2;"),
    (Feature::Tma, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], %r2, [%r3];"),
    (Feature::Tma, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1], %r2, [%r3], %h1;"),
    (Feature::Tma, "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], %r2;"),
    (Feature::Tma, "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r1], [%r4], %r2, [%r3];"),
    (Feature::Tma, "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r1], %r2;"),
    (Feature::Tma, "cp.async.bulk.prefetch.L2.global [%rd1], %r2;"),
    (Feature::Tma, "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r4, %r5}], [%r3];"),
    (Feature::Tma, "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r1], [%rd1, {%r4, %r5}], [%r3], %h1;"),
    (Feature::Tma, "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r4, %r5, %r6, %r7}], [%r3], {%h1, %h2};"),
    (Feature::Tma, "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r4, %r5}], [%r1];"),
    (Feature::Tma, "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%rd1, {%r4, %r5, %r6, %r7}], [%r1];"),
    (Feature::Tma, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd1, {%r4, %r5}], [%r1];"),
    (Feature::Tma, "cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r4, %r5}];"),
    (Feature::TmaBlackwell, "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::2 [%r1], [%rd1, {%r4, %r5}], [%r3];"),
    (Feature::TmaBlackwell, "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r4, %r5, %r6, %r7, %r8}], [%r3];"),
    (Feature::TmaBlackwell, "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {%r4, %r5, %r6, %r7, %r8}], [%r1];"),
    (Feature::TmaBlackwell, "cp.async.bulk.tensor.4d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r4, %r5, %r6, %r7}], [%r3], {%h1, %h2};"),
    (Feature::TmaBlackwell, "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%rd1, {%r4, %r5, %r6, %r7, %r8}];"),
    (Feature::Clusters, "mapa.shared::cluster.u32 %r1, %r2, %r3;"),
    (Feature::Wgmma, "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, 0;"),
    (Feature::Setmaxnreg, "setmaxnreg.inc.sync.aligned.u32 64;"),
    (Feature::Tcgen05, "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.cta_group::1.kind::tf32 [%r1], %rd1, %rd2, %r2, %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.cta_group::1.kind::f8f6f4 [%r1], %rd1, %rd2, %r2, %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.cta_group::2.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r3], %r2, %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p1;"),
    (Feature::Tcgen05, "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];"),
    (Feature::Tcgen05, "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r2], {%r1};"),
    (Feature::Tcgen05, "tcgen05.cp.cta_group::1.128x256b [%r1], %rd1;"),
    (Feature::Tcgen05, "tcgen05.ld.sync.aligned.16x32bx2.x1.pack::16b.b32 {%r1}, [%r2], 2;"),
    (Feature::Tcgen05, "tcgen05.cp.cta_group::1.4x256b [%r1], %rd1;"),
    (Feature::Tcgen05, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r1], 64;"),
    (Feature::Tcgen05, "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r1];"),
    (Feature::Tcgen05, "tcgen05.mma.ws.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [%r1], %rd1, %rd2, %r2, %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.cta_group::1.kind::f16.ashift [%r1], [%r3], %rd2, %r2, %p1;"),
    (Feature::Tcgen05, "tcgen05.mma.sp.cta_group::1.kind::mxf8f6f4.block_scale [%r1], %rd1, %rd2, [%r5], %r2, [%r3], [%r4], %p1;"),
    (Feature::Tcgen05ScaleD, "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r2, %p1, 3;"),
    (Feature::Tcgen05ScaleD, "tcgen05.mma.sp.cta_group::1.kind::f16 [%r1], %rd1, %rd2, [%r5], %r2, %p1, 3;"),
    (Feature::Tcgen05Shift, "tcgen05.shift.cta_group::1.down [%r1];"),
    (Feature::Tcgen05Integer, "tcgen05.mma.cta_group::1.kind::i8 [%r1], %rd1, %rd2, %r2, %p1;"),
    (Feature::Tcgen05Integer, "tcgen05.mma.sp.cta_group::1.kind::i8 [%r1], %rd1, %rd2, [%r3], %r2, %p1;"),
    (Feature::Tcgen05Integer, "tcgen05.mma.ws.cta_group::1.kind::i8 [%r1], %rd1, %rd2, %r2, %p1;"),
    (Feature::Tcgen05SparseFp4, "tcgen05.mma.sp.cta_group::1.kind::mxf4.block_scale [%r1], %rd1, %rd2, [%r5], %r2, [%r3], [%r4], %p1;"),
    (Feature::Tcgen05SparseFp4, "tcgen05.mma.sp.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X [%r1], %rd1, %rd2, [%r5], %r2, [%r3], [%r4], %p1;"),
    (Feature::Tcgen05LoadReduce, "tcgen05.ld.red.sync.aligned.32x32b.x2.f32.min {%r1, %r3}, %r4, [%r2];"),
    (Feature::LaunchControl, "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], [%r2];"),
    (Feature::LaunchControl, "{.reg .b128 q; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p1, q;}"),
    (Feature::LaunchControlMulticast, "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%r1], [%r2];"),
    (Feature::DependentLaunch, "griddepcontrol.wait;"),
    (Feature::ConvertFp8, "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;"),
    (Feature::ConvertFp6Fp4, "cvt.rn.satfinite.e2m3x2.f32 %h1, %f1, %f2;"),
    (Feature::ConvertFp6Fp4, "{.reg .b8 b; cvt.rn.satfinite.e2m1x2.f32 b, %f1, %f2;}"),
    (Feature::Vector256, "ld.global.L1::no_allocate.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8}, [%rd1];"),
    (Feature::Vector256, "st.global.L1::no_allocate.v8.b32 [%rd1], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};"),
    (Feature::FmaPairs, "fma.rn.f32x2 %rd1, %rd2, %rd3, %rd4;"),
    (Feature::FmaPairs, "add.rn.f32x2 %rd1, %rd2, %rd3;"),
];

const REGISTERS: &str = ".reg .b32 %r<10>; .reg .b64 %rd<5>; .reg .b16 %h<3>; .reg .f32 %f<5>; .reg .f64 %fd<5>; .reg .pred %p<2>;";

/// The lines of a file that ptxas refuses.
fn refused(file: &std::path::Path, target: Target) -> Vec<usize> {
    let mut command = Command::new(ptxas::find().unwrap());
    let done = command.args([&format!("-arch={target}"), "-o", "/dev/null"]).arg(file).output().unwrap();
    let report = String::from_utf8(done.stdout).unwrap() + &String::from_utf8(done.stderr).unwrap();
    let line = |text: &str| text.split_once(", line ")?.1.split_once("; error")?.0.parse().ok();
    let mut lines: Vec<usize> = report.lines().filter_map(line).collect();
    lines.dedup();
    assert_eq!(done.status.success(), lines.is_empty(), "{report}");
    lines
}

#[test]
fn every_feature_has_an_instruction() {
    for feature in Feature::ALL {
        assert!(INSTRUCTIONS.iter().any(|(f, _)| *f == feature), "{feature:?}");
    }
}

#[test]
fn each_target_has_the_instructions_of_its_features() {
    if ptxas::find().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for target in Target::all() {
        let mut text = format!(".version 9.0 .target {target} .address_size 64 .entry k() {{ {REGISTERS}\n");
        for (_, instruction) in INSTRUCTIONS {
            text += &format!("{instruction}\n");
        }
        let file = folder.path().join(format!("{target}.ptx"));
        fs::write(&file, text + "ret; }\n").unwrap();
        let lacks = |(_, (feature, _)): &(usize, &(Feature, &str))| !target.has(*feature);
        let expected: Vec<_> = INSTRUCTIONS.iter().enumerate().filter(lacks).map(|(i, _)| i + 2).collect();
        let name =
            |lines: Vec<usize>| -> Vec<_> { lines.into_iter().map(|l| INSTRUCTIONS[l - 2].1).collect() };
        assert_eq!(name(refused(&file, *target)), name(expected), "refused on {target}");
    }
}

/// `cp.reduce.async.bulk` of each operation, with each type that PTX can name. PTX uses types of
/// bits for operations on bits.
#[test]
fn ptxas_has_the_reductions_of_the_table() {
    if ptxas::find().is_err() {
        return;
    }
    let mut text = format!(".version 9.0 .target sm_90a .address_size 64 .entry k() {{ {REGISTERS}\n");
    let mut expected = Vec::new();
    let mut names = Vec::new();
    for (_, operation) in Reduction::ALL {
        for element in MapElement::all() {
            let name = element.to_string();
            if !["u32", "s32", "u64", "s64", "f16", "bf16", "f32", "f64"].contains(&name.as_str()) {
                continue;
            }
            let op = BulkReduction::ptx(*operation, element);
            for (by, instruction) in [
                (
                    BulkReduction::Global,
                    format!("cp.reduce.async.bulk.global.shared::cta.bulk_group.{op} [%rd1], [%r1], %r2;"),
                ),
                (
                    BulkReduction::Cluster,
                    format!(
                        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{op} [%r1], [%r4], %r2, [%r3];"
                    ),
                ),
            ] {
                if !by.takes(*operation, element) {
                    expected.push(instruction.clone());
                }
                text += &format!("{instruction}\n");
                names.push(instruction);
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("reductions.ptx");
    fs::write(&file, text + "ret; }\n").unwrap();
    let target = "sm_90a".parse().unwrap();
    let found: Vec<_> = refused(&file, target).into_iter().map(|line| names[line - 2].clone()).collect();
    assert_eq!(found, expected);
}

/// PTX's table for boxes is the same as for contiguous elements, except that boxes of f64 cannot be
/// added.
#[test]
fn boxes_are_reduced_as_contiguous_elements_are() {
    for (name, operation) in Reduction::ALL {
        for element in MapElement::all().filter(|element| *element != MapElement::F32Ftz) {
            let contiguous = BulkReduction::Global.takes(*operation, element) && element != MapElement::F64;
            assert_eq!(BulkReduction::Tensor.takes(*operation, element), contiguous, "{name} {element}");
        }
    }
    assert!(BulkReduction::Tensor.takes(Reduction::Add, MapElement::F32Ftz));
}
