//! Instructions of warps, and special registers (PTX ISA 9.7.13, 10).

use super::{check, kernel};
use cute_sim::{Arg, Launch, Memory};

/// Runs assembly in a warp: `$0` is an operand of each lane, and `$1` the address of its result.
fn lanes(text: &str, operands: [u32; 32]) -> Vec<u32> {
    let body = format!(
        ".reg .b32 %lane, %word; .reg .b64 %from, %to;
         mov.u32 %lane, %laneid; mad.wide.u32 %from, %lane, 4, $0; mad.wide.u32 %to, %lane, 4, $1;
         ld.global.b32 %word, [%from]; {}",
        text.replace("$0", "%word").replace("$1", "%to")
    );
    let mut memory = Memory::new();
    let buffers = [memory.upload(&operands), memory.zeroed::<u32>(32)];
    let launch = Launch::new("k", [1; 3], [32, 1, 1]);
    let ran = kernel(2, "", &body).and_then(|p| p.run(&launch, &mut memory, &buffers.map(Arg::Buffer)));
    ran.unwrap_or_else(|e| panic!("{e}"));
    memory.download(buffers[1])
}

/// 9.7.13.6: NaN does not count, unless the instruction says so.
#[test]
fn floats_are_reduced() {
    let mut values: [u32; 32] = std::array::from_fn(|lane| (lane as f32 - 20.5).to_bits());
    let of = |modifiers: &str, values: [u32; 32]| {
        let text = format!(
            "{{ .reg .f32 d; redux.sync.{modifiers}.f32 d, $0, 0xffffffff; st.global.f32 [$1], d; }}"
        );
        let found = lanes(&text, values);
        assert!(found.iter().all(|word| *word == found[0]), "{found:?}");
        found[0]
    };
    assert_eq!(
        ["min", "max", "min.abs", "max.abs.NaN"].map(|m| f32::from_bits(of(m, values))),
        [-20.5, 10.5, 0.5, 20.5]
    );
    values[7] = f32::NAN.to_bits() | 1 << 31;
    assert_eq!(f32::from_bits(of("min", values)), -20.5);
    assert_eq!(of("min.NaN", values), 0x7fff_ffff);
    assert_eq!(of("max", [0xffc0_0001; 32]), 0x7fff_ffff);
    // Zeros of both signs: the negative one is less.
    values = [0; 32];
    values[3] = 1 << 31;
    assert_eq!([of("min", values), of("max", values)], [1 << 31, 0]);
}

/// 9.7.13.8: the predicate is optional.
#[test]
fn equal_values_are_found() {
    let text = "{ .reg .b32 d; .reg .pred p; match.all.sync.b32 d, $0, 0xffffffff; st.global.b32 [$1], d; }";
    assert_eq!(lanes(text, [5; 32]), [u32::MAX; 32]);
    assert_eq!(lanes(text, std::array::from_fn(|lane| lane as u32 / 31)), [0; 32]);
    let sink = "{ .reg .b32 d; .reg .pred p; match.all.sync.b32 _|p, $0, -1; selp.b32 d, 1, 2, p; st.global.b32 [$1], d; }";
    assert_eq!(lanes(sink, [5; 32]), [1; 32]);
}

/// 9.7.14.5.15, 9.7.14.5.16: without a space, an address is generic.
#[test]
fn matrices_have_generic_addresses() {
    let body = ".reg .b32 %lane, %at, %row; .reg .b64 %wide, %to;
         mov.u32 %lane, %laneid; mov.u32 %at, tile; mad.lo.u32 %row, %lane, 4, %at; st.shared.u32 [%row], %lane;
         bar.warp.sync -1;
         rem.u32 %row, %lane, 8; mad.lo.u32 %row, %row, 16, %at;
         cvt.u64.u32 %wide, %row; cvta.shared.u64 %wide, %wide;
         ldmatrix.sync.aligned.m8n8.x1.b16 {%row}, [%wide];
         mad.wide.u32 %to, %lane, 4, $0; st.global.u32 [%to], %row;";
    let mut memory = Memory::new();
    let out = memory.zeroed::<u32>(32);
    let launch = Launch::new("k", [1; 3], [32, 1, 1]);
    let program = kernel(1, ".shared .align 16 .b8 tile[128];", body);
    let ran = program.and_then(|program| program.run(&launch, &mut memory, &[Arg::Buffer(out)]));
    ran.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(memory.download::<u32>(out), (0..32).collect::<Vec<u32>>());
}

/// 10: what a thread of one block of one warp may ask for.
#[test]
fn special_registers() {
    check(&[
        ("mov.u32 r8, %smid; mov.u32 r9, %nsmid;", &[], &[0, 1]),
        ("mov.u32 r8, %warpid; mov.u32 r9, %nwarpid;", &[], &[0, 1]),
        ("mov.u64 d8, %gridid; mov.u32 r9, %laneid;", &[], &[1, 0]),
        ("mov.u32 r8, %lanemask_le; mov.u32 r9, %lanemask_gt;", &[], &[1, 0xffff_fffe]),
        ("mov.u32 r8, %total_smem_size; mov.u32 r9, %aggr_smem_size;", &[], &[0, 1024]),
        ("mov.b32 r8, %reserved_smem_offset_begin; mov.b32 r9, %reserved_smem_offset_cap;", &[], &[0, 1024]),
        ("mov.u32 r8, %cluster_ctarank; mov.u32 r9, %cluster_nctarank;", &[], &[0, 1]),
        ("mov.pred p8, %is_explicit_cluster; mov.u64 d9, %current_graph_exec;", &[], &[0, 0]),
        ("mov.u32 r8, %clock_hi; mov.u32 r9, %globaltimer_hi;", &[], &[0, 0]),
        ("mov.u64 d0, %clock64; mov.u64 d1, %clock64; setp.lt.u64 p8, d0, d1;", &[], &[1]),
        ("mov.u32 r8, %ntid.x; mov.u32 r9, %nctaid.z;", &[], &[1, 1]),
        ("pmevent 3; pmevent.mask 5; nanosleep.u32 100; mov.u32 r8, WARP_SZ;", &[], &[32]),
    ]);
    let error = |register: &str| {
        let body = format!(".reg .b32 r; mov.b32 r, {register}; st.global.b32 [$0], r;");
        kernel(1, "", &body).unwrap_err().to_string()
    };
    for register in ["%envreg3", "%pm0"] {
        let found = error(register);
        assert!(found.ends_with(&format!("the register `{register}` is not modelled")), "{found}");
    }
}

/// 9.7.9.24, `getctarank`: the rank of the block that an address belongs to.
#[test]
fn ranks_of_addresses() {
    let body = ".reg .b32 %own, %other, %tile, %at, %rank, %word; .reg .b64 %to;
        mov.u32 %own, %cluster_ctarank; xor.b32 %other, %own, 1; mad.wide.u32 %to, %own, 4, $0; mov.u32 %tile, tile;
        mapa.shared::cluster.u32 %at, %tile, %other; getctarank.shared::cluster.u32 %word, %at;
        shl.b32 %word, %word, 8; getctarank.shared::cluster.u32 %rank, %tile; or.b32 %word, %word, %rank;
        st.global.u32 [%to], %word;";
    let mut memory = Memory::new();
    let out = memory.zeroed::<u32>(2);
    let launch = Launch { cluster: Some([2, 1, 1]), ..Launch::new("k", [2, 1, 1], [1; 3]) };
    let program = kernel(1, ".shared .align 4 .b8 tile[16];", body);
    let ran = program.and_then(|program| program.run(&launch, &mut memory, &[Arg::Buffer(out)]));
    ran.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(memory.download::<u32>(out), [0x100, 0x001]);
}

/// Instructions that PTX has and the simulator has not say why.
#[test]
fn refusals_have_a_reason() {
    for (text, reason) in [
        ("vmax4.u32.u32.u32 r, r, r, r;", "(a video instruction)"),
        ("tex.1d.v4.f32.s32 {r, r, r, r}, [t, {r}];", "(a texture)"),
        ("shfl.idx.b32 r, r, r, r;", "(without `.sync`, removed from sm_70 on)"),
        (
            "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {r}, {r}, {r}, {r}, r, 0;",
            "(a sparse matrix)",
        ),
        (
            "tcgen05.mma.cta_group::1.kind::f16.ashift [r], [r], x, r, p;",
            "(PTX does not say in which direction it shifts)",
        ),
        (
            "tcgen05.cp.cta_group::1.128x128b.b8x16.b4x16_p64 [r], x;",
            "(PTX does not say which bits of a byte an unpacked number takes)",
        ),
        (
            "fma.rn.oob.relu.f16 h, h, h, h;",
            "(PTX does not give the bits of the NaN that stands for elements out of bounds)",
        ),
        ("tensormap.query.is_large.u32 p, r;", "(PTX does not say which tensors are large)"),
        (
            "cp.async.bulk.tensor.3d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [r], [x, {r, r, r}], [r], {h, h};",
            "(pixels along W alone, whose halo PTX shows in figures only)",
        ),
        (
            "cp.async.bulk.tensor.3d.shared::cta.global.im2col::w::128.mbarrier::complete_tx::bytes [r], [x, {r, r, r}], [r], {h, h};",
            "(pixels along W alone, whose halo PTX shows in figures only)",
        ),
        ("twist.b32 r, r;", "the instruction `twist.b32 r, r`"),
    ] {
        let body = format!(".reg .b32 r, t; .reg .b64 x; .reg .b16 h; .reg .pred p; {text}");
        let error = kernel(0, "", &body).unwrap_err().to_string();
        assert!(error.ends_with(&format!("{reason} is not modelled")), "{error}");
    }
}
