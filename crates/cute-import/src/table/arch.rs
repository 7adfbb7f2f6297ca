//! Instructions as ops of `cute_nvgpu.arch`, as cute-rs writes them, and as CuTe DSL has them after
//! some of its passes.
//!
//! The text names them in another dialect; see [`drifted`](crate::drifted).

use super::version::{
    Producer::{CuteDsl, CuteRs, Zml},
    Version::{V4_5, V4_7},
};
use super::{Custom, Drift, Origin, one_of};
use crate::site::{Rewritten, Site};
use cute_algebra::Int;
use cute_arch::{
    Element,
    space::{CLUSTER, SHARED, TENSOR},
};
use cute_dialect::{atom::element, types::value_of};
use melior::dialect::llvm::r#type::pointer;
use melior::ir::Value;
use melior::ir::attribute::{DenseI32ArrayAttribute, IntegerAttribute, TypeAttribute};

pub(super) const ROWS: &[Drift] = &[
    Drift {
        name: "cute_drift.arch.copy.SM100.tma_load",
        origin: Origin::described(&[CuteRs]),
        becomes: "nvvm.cp.async.bulk.tensor.shared.cluster.global",
        custom: Custom::Typed,
        rewrite: load,
    },
    Drift {
        name: "cute_drift.arch.copy.SM100.tma_store",
        origin: Origin::described(&[CuteRs]),
        becomes: "nvvm.cp.async.bulk.tensor.global.shared.cta",
        custom: Custom::Typed,
        rewrite: store,
    },
    Drift {
        name: "cute_drift.arch.copy.SM100.tmem_load",
        origin: Origin::described(&[CuteRs]),
        becomes: "nvvm.tcgen05.ld and nvvm.tcgen05.wait",
        custom: Custom::Typed,
        rewrite: |op| tensor(op, "nvvm.tcgen05.ld", "load"),
    },
    Drift {
        name: "cute_drift.arch.copy.SM100.tmem_store",
        origin: Origin::described(&[CuteRs]),
        becomes: "nvvm.tcgen05.st and nvvm.tcgen05.wait",
        custom: Custom::Typed,
        rewrite: |op| tensor(op, "nvvm.tcgen05.st", "store"),
    },
    // Layouts of an MMA's operands, which the type of the result states.
    Drift {
        name: "cute_drift.make_tmem_layout_sfa",
        origin: Origin::inferred(V4_7),
        becomes: "cute.static",
        custom: Custom::Call,
        rewrite: stated,
    },
    Drift {
        name: "cute_drift.make_tmem_layout_sfb",
        origin: Origin::inferred(V4_7),
        becomes: "cute.static",
        custom: Custom::Call,
        rewrite: stated,
    },
    Drift {
        name: "cute_drift.tile_to_mma_shape",
        origin: Origin::inferred(V4_7),
        becomes: "cute.static",
        custom: Custom::Call,
        rewrite: stated,
    },
    // Rewritten with the launches of its kernel.
    Drift {
        name: "cute_drift.arch.alloc_smem",
        origin: Origin::seen(V4_5).by(&[CuteDsl, Zml]),
        becomes: "cute.memref.alloca and cute.get_iter",
        custom: Custom::Count,
        rewrite: |_| Ok(false),
    },
    Drift {
        name: "cute_drift.arch.mma.SM120.block_scaled",
        origin: Origin::described(&[CuteRs]),
        becomes: "llvm.inline_asm",
        custom: Custom::Typed,
        rewrite: scaled,
    },
];

/// A value whose type states it. No published module shows the operands of such an op, and the
/// result does not need them.
fn stated(op: &Site<'_, '_>) -> Rewritten {
    let [made] = op.results()[..] else { return Err("needs one result".into()) };
    if !value_of(made).leaves().iter().all(Int::is_static) {
        return Err(format!("makes {made}, which is supported where all of it is static"));
    }
    op.become_op("cute.static", &[], &[])
}

/// The numbers of operands of each group.
fn groups(op: &Site<'_, '_>, count: usize) -> Result<Vec<usize>, String> {
    let sizes = op.attribute("operandSegmentSizes").ok_or("has no operandSegmentSizes")?;
    let sizes = DenseI32ArrayAttribute::try_from(sizes).map_err(|why| why.to_string())?;
    let sizes: Vec<_> = (0..sizes.len()).map_while(|i| sizes.element(i).ok()).collect();
    let sizes: Vec<usize> = sizes.into_iter().filter_map(|n| usize::try_from(n).ok()).collect();
    if sizes.len() != count || sizes.iter().sum::<usize>() != op.operands.len() {
        return Err(format!("needs {count} groups of operands"));
    }
    Ok(sizes)
}

/// An integer attribute; `otherwise` if the op does not have it.
fn number(op: &Site<'_, '_>, name: &str, otherwise: i64) -> Result<i64, String> {
    let Some(attribute) = op.attribute(name) else { return Ok(otherwise) };
    let number = IntegerAttribute::try_from(attribute).map_err(|why| why.to_string())?;
    Ok(number.value())
}

/// A pointer of ours as one of LLVM.
fn address<'c, 'a>(op: &Site<'c, 'a>, of: Value<'c, 'a>, space: u32) -> Result<Value<'c, 'a>, String> {
    op.value("builtin.unrealized_conversion_cast", &[of], &[], pointer(op.context(), space))
}

/// One lane of the warp, which all lanes execute, copies a box to shared memory.
fn load(op: &Site<'_, '_>) -> Rewritten {
    one_of(op, "mode", &["tiled"])?;
    let sizes = groups(op, 7)?;
    let [1, 1, 1, axes, masks @ 0..=1, 0, 0] = sizes[..] else {
        return Err(
            "has operands that are not supported: a map, a destination, a barrier, coordinates and a \
                    multicast mask are"
                .into(),
        );
    };
    let map = address(op, op.operands[0], 0)?;
    let to = address(op, op.operands[1], SHARED)?;
    let to = op.value("llvm.addrspacecast", &[to], &[], pointer(op.context(), CLUSTER))?;
    let barrier = address(op, op.operands[2], SHARED)?;
    let elected = op.value("nvvm.elect.sync", &[], &[], op.parse_type("i1")?)?;
    let mut operands = vec![to, map];
    operands.extend(&op.operands[3..3 + axes]);
    operands.push(barrier);
    operands.extend(&op.operands[3 + axes..]);
    operands.push(elected);
    let segments = format!("array<i32: 1, 1, {axes}, 1, 0, {masks}, 0, 1>");
    let group = match number(op, "num_cta", 1)? {
        1 => "#nvvm.cta_group<cta_1>",
        2 => "#nvvm.cta_group<cta_2>",
        n => return Err(format!("has num_cta = {n}; 1 and 2 are possible")),
    };
    let mut attributes = vec![("operandSegmentSizes", segments.as_str())];
    if group.contains("cta_2") {
        attributes.push(("group", group));
    }
    op.become_op("nvvm.cp.async.bulk.tensor.shared.cluster.global", &operands, &attributes)
}

/// The thread that executes it copies a box from shared memory.
fn store(op: &Site<'_, '_>) -> Rewritten {
    one_of(op, "mode", &["tiled"])?;
    let sizes = groups(op, 4)?;
    let [1, 1, axes, 0] = sizes[..] else {
        return Err("has a cache policy, which is not supported".into());
    };
    let map = address(op, op.operands[0], 0)?;
    let from = address(op, op.operands[1], SHARED)?;
    let mut operands = vec![map, from];
    operands.extend(&op.operands[2..]);
    let segments = format!("array<i32: 1, 1, {axes}, 0, 0>");
    let attributes = [("operandSegmentSizes", segments.as_str())];
    op.become_op("nvvm.cp.async.bulk.tensor.global.shared.cta", &operands, &attributes)
}

/// A copy between tensor memory and registers, and the wait for it.
fn tensor(op: &Site<'_, '_>, name: &str, wait: &str) -> Rewritten {
    let (lanes, bits) = (number(op, "num_dp", 32)?, number(op, "num_b", 32)?);
    let shape = format!("#nvvm.tcgen05_ldst_shape<shape_{lanes}x{bits}b>");
    if !["32x32", "16x64", "16x128", "16x256"].contains(&format!("{lanes}x{bits}").as_str()) {
        return Err(format!("has the shape {lanes}x{bits}b, which is not supported"));
    }
    let (place, rest) = op.operands.split_first().ok_or("has no address")?;
    // Ours is a word.
    let word = op.value("builtin.unrealized_conversion_cast", &[*place], &[], op.parse_type("i32")?)?;
    let mut operands = vec![op.value("llvm.inttoptr", &[word], &[], pointer(op.context(), TENSOR))?];
    operands.extend(rest);
    let done = [("kind", format!("#nvvm.tcgen05_wait<{wait}>"))];
    let done: Vec<_> = done.iter().map(|(key, text)| (*key, text.as_str())).collect();
    let made = op.make(name, &operands, &[("shape", &shape)], &op.results())?;
    op.make("nvvm.tcgen05.wait", &[], &done, &[])?;
    match cute_ffi::ir::result(made, 0) {
        Some(value) => op.become_value(value),
        None => op.become_nothing(),
    }
}

/// `mma.sync` with scale factors in registers.
fn scaled(op: &Site<'_, '_>) -> Rewritten {
    let sizes = groups(op, 7)?;
    let [4, 2, 4, 1, 1, 0, 0] = sizes[..] else {
        return Err(
            "has operands that are not supported: A in 4 registers, B in 2, C in 4, SFA and SFB are".into()
        );
    };
    let of = |name: &str| {
        let t = op.attribute(name).and_then(|t| TypeAttribute::try_from(t).ok()).map(|t| t.value());
        t.and_then(element).ok_or_else(|| format!("needs {name}, the type of an element"))
    };
    use Element::{E2m1, E4m3, Ue8m0};
    let (a, b, scale, vector) = (of("a_type")?, of("b_type")?, of("sf_type")?, number(op, "vec_size", 32)?);
    let (kind, factors, scale) = match (a, b, scale, vector) {
        (E2m1, E2m1, Ue8m0, 32) => ("mxf4", "2X", "ue8m0"),
        (E2m1, E2m1, Ue8m0, 16) => ("mxf4nvf4", "4X", "ue8m0"),
        (E2m1, E2m1, E4m3, 16) => ("mxf4nvf4", "4X", "ue4m3"),
        _ => {
            return Err(format!(
                "multiplies {a} and {b} with a factor of {scale} for {vector} elements, which is not supported"
            ));
        }
    };
    for name in ["thread_id_a", "thread_id_b"] {
        if number(op, name, 0)? != 0 {
            return Err(format!("has {name}, which is supported for 0 alone"));
        }
    }
    let word = op.parse_type("i32")?;
    let wide = |value| op.value("llvm.zext", &[value], &[], word);
    let mut operands = op.operands[..10].to_vec();
    operands.extend([wide(op.operands[10])?, wide(op.operands[11])?]);
    let registers = |from: usize, count: usize| {
        (from..from + count).map(|i| format!("${i}")).collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "\"mma.sync.aligned.m16n8k64.row.col.kind::{kind}.block_scale.scale_vec::{factors}.f32.e2m1.e2m1.f32.{scale} \
         {{{}}}, {{{}}}, {{{}}}, {{{}}}, {{$14}}, {{0, 0}}, {{$15}}, {{0, 0}};\"",
        registers(0, 4),
        registers(4, 4),
        registers(8, 2),
        registers(10, 4)
    );
    let attributes = [
        ("asm_string", text.as_str()),
        ("constraints", "\"=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f,r,r\""),
        ("has_side_effects", "unit"),
    ];
    let made = op.parse_type("!llvm.struct<(f32, f32, f32, f32)>")?;
    let float = op.parse_type("f32")?;
    let sums = op.value("llvm.inline_asm", &operands, &attributes, made)?;
    let mut values = Vec::new();
    for i in 0..4 {
        let position = format!("array<i64: {i}>");
        values.push(op.value("llvm.extractvalue", &[sums], &[("position", &position)], float)?);
    }
    op.become_values(&values)
}
