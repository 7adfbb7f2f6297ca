//! Intrinsics and ops that do not run, by the reason. A `*` stands for one word or several.

/// Intrinsics of LLVM.
pub const REFUSED_INTRINSICS: &[(&str, &[&str])] = &[
    ("a texture", &["istypep.sampler", "istypep.texture", "tex.*", "tld4.*", "txq.*"]),
    ("a surface", &["istypep.surface", "suld.*", "suq.*", "sust.*"]),
    ("the handle of a texture or of a surface", &["texsurf.handle", "texsurf.handle.internal"]),
    ("a sparse matrix", &["mma.sp.*", "tcgen05.mma.sp.*", "tcgen05.mma.ws.sp.*"]),
    (
        "without `.sync`, removed from sm_70 on",
        &[
            "shfl.bfly.*",
            "shfl.down.*",
            "shfl.idx.*",
            "shfl.up.*",
            "vote.all",
            "vote.any",
            "vote.ballot",
            "vote.uni",
        ],
    ),
    (
        "PTX does not say in which direction it shifts",
        &["tcgen05.mma.tensor.ashift", "tcgen05.mma.tensor.*.ashift", "tcgen05.shift.*"],
    ),
    (
        "PTX does not say which bits of a byte an unpacked number takes",
        &["tcgen05.cp.*.b4x16_p64.*", "tcgen05.cp.*.b6x16_p32.*"],
    ),
    (
        "pixels along W alone, whose halo PTX shows in figures only",
        &["cp.async.bulk.tensor.g2s.cta.im2col.w.*", "cp.async.bulk.tensor.g2s.im2col.w.*"],
    ),
    (
        "how a tensor map encodes the atomicity of its swizzle is not public",
        &["tensormap.replace.swizzle.atomicity"],
    ),
    (
        "CuTe has no atom that adds an f16 to a sum in f32",
        &[
            "mma.m8n8k4.col.col.f32.f16",
            "mma.m8n8k4.col.row.f32.f16",
            "mma.m8n8k4.row.col.f32.f16",
            "mma.m8n8k4.row.row.f32.f16",
        ],
    ),
    ("PTX has no `lg2` of f64", &["lg2.approx.d"]),
    (
        "PTX has no `.ftz` and no `.sat` of bf16",
        &[
            "fma.rn.ftz.*.bf16",
            "fma.rn.ftz.*.bf16x2",
            "fma.rn.ftz.bf16",
            "fma.rn.ftz.bf16x2",
            "fma.rn.sat.bf16",
            "fma.rn.sat.bf16x2",
            "fmax.ftz.*.bf16",
            "fmax.ftz.*.bf16x2",
            "fmax.ftz.bf16",
            "fmax.ftz.bf16x2",
            "fmin.ftz.*.bf16",
            "fmin.ftz.*.bf16x2",
            "fmin.ftz.bf16",
            "fmin.ftz.bf16x2",
        ],
    ),
    (
        "a fragment consists of those of `mma`, which has no such sum",
        &[
            "wmma.*.f16.f16.satfinite",
            "wmma.*.f16.f32",
            "wmma.*.f16.f32.satfinite",
            "wmma.*.f32.f16",
            "wmma.*.f32.f16.satfinite",
            "wmma.*.f32.f32.satfinite",
        ],
    ),
    ("LLVM's backend has no instruction for it", &["bf2h.rn", "bf2h.rn.ftz"]),
    ("a message of the compiler", &["compiler.error", "compiler.warn"]),
    ("a constant of the compilation", &["reflect"]),
    ("an address that LLVM's backend makes for itself", &["internal.addrspace.wrap"]),
    (
        "a coordinate that no grid has",
        &[
            "read.ptx.sreg.cluster.ctaid.w",
            "read.ptx.sreg.cluster.nctaid.w",
            "read.ptx.sreg.clusterid.w",
            "read.ptx.sreg.ctaid.w",
            "read.ptx.sreg.nclusterid.w",
            "read.ptx.sreg.nctaid.w",
            "read.ptx.sreg.ntid.w",
            "read.ptx.sreg.tid.w",
        ],
    ),
    (
        "a counter of a profiler",
        &["read.ptx.sreg.pm0", "read.ptx.sreg.pm1", "read.ptx.sreg.pm2", "read.ptx.sreg.pm3"],
    ),
    ("a register that the driver fills, with a content that is not public", ENVIRONMENT),
];

/// Ops of the NVVM dialect.
pub const REFUSED_OPS: &[(&str, &[&str])] = &[
    (
        "a sparse matrix",
        &[
            "mma.sp.block_scale",
            "mma.sp.sync",
            "tcgen05.mma.sp",
            "tcgen05.mma.sp.block_scale",
            "tcgen05.mma.ws.sp",
        ],
    ),
    ("PTX does not say in which direction it shifts", &["tcgen05.shift"]),
    ("a register that the driver fills, with a content that is not public", ENVIRONMENT),
];

/// The registers of the driver, without the two in which grid groups find their barrier.
const ENVIRONMENT: &[&str] = &[
    "read.ptx.sreg.envreg0",
    "read.ptx.sreg.envreg3",
    "read.ptx.sreg.envreg4",
    "read.ptx.sreg.envreg5",
    "read.ptx.sreg.envreg6",
    "read.ptx.sreg.envreg7",
    "read.ptx.sreg.envreg8",
    "read.ptx.sreg.envreg9",
    "read.ptx.sreg.envreg10",
    "read.ptx.sreg.envreg11",
    "read.ptx.sreg.envreg12",
    "read.ptx.sreg.envreg13",
    "read.ptx.sreg.envreg14",
    "read.ptx.sreg.envreg15",
    "read.ptx.sreg.envreg16",
    "read.ptx.sreg.envreg17",
    "read.ptx.sreg.envreg18",
    "read.ptx.sreg.envreg19",
    "read.ptx.sreg.envreg20",
    "read.ptx.sreg.envreg21",
    "read.ptx.sreg.envreg22",
    "read.ptx.sreg.envreg23",
    "read.ptx.sreg.envreg24",
    "read.ptx.sreg.envreg25",
    "read.ptx.sreg.envreg26",
    "read.ptx.sreg.envreg27",
    "read.ptx.sreg.envreg28",
    "read.ptx.sreg.envreg29",
    "read.ptx.sreg.envreg30",
    "read.ptx.sreg.envreg31",
];
