//! Every intrinsic of LLVM that runs means what LLVM's backend makes of it: a kernel that calls it
//! leaves the same bits as IR and as its PTX, or ends with the same kind of error, on random
//! operands and on edges. And the lists of names in `cute-ptx` are those of the installed LLVM.

#[path = "../../../tests/common/full.rs"]
mod full;

use cute_assembler::module::{Reading, parse};
use cute_ptx::llvm::{self, Intrinsic};
use cute_ptx::mnemonics::Support;
use cute_sim::{Arg, Error, Launch, Memory, Program};
use melior::{Context, dialect::DialectRegistry, ir::Module, ir::block::BlockLike};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::{env, fs};

/// Lanes of the warp that calls.
const LANES: usize = 32;

/// Bytes of the memory that pointers lead to, in global and in shared memory.
const DATA: usize = 1 << 15;

/// Processors of which some has each intrinsic, and their PTX.
const TARGETS: [(&str, &str); 3] = [("sm_100a", "+ptx88"), ("sm_120a", "+ptx88"), ("sm_90a", "+ptx88")];

/// Intrinsics whose PTX means something else, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("tcgen05.commit.cg1", "LLVM writes `.shared::cluster` beside a generic address"),
    ("tcgen05.commit.cg2", "LLVM writes `.shared::cluster` beside a generic address"),
];

fn context() -> Context {
    let registry = DialectRegistry::new();
    melior::utility::register_all_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    melior::utility::register_all_llvm_translations(&context);
    context
}

/// A type in MLIR, and its bytes.
fn spelled(ty: &str) -> (String, usize) {
    let scalar = |ty: &str| match ty {
        "i1" | "i8" => 1,
        "i16" | "f16" | "bf16" => 2,
        "i64" | "f64" => 8,
        "i128" => 16,
        _ => 4,
    };
    if let Some((count, element)) = ty.split_once('x')
        && let Ok(count) = count.parse::<usize>()
    {
        return (format!("vector<{ty}>"), count * scalar(element));
    }
    match ty {
        "anyfloat" => ("f32".to_owned(), 4),
        "anyint" => ("i32".to_owned(), 4),
        "ptr" => ("!llvm.ptr".to_owned(), 8),
        "anyptr" => ("!llvm.ptr<1>".to_owned(), 8),
        _ => match ty.strip_prefix("ptr") {
            Some(space) => (format!("!llvm.ptr<{space}>"), 8),
            None => (ty.to_owned(), scalar(ty)),
        },
    }
}

/// The number that a parameter must be, or that makes sense.
fn number(intrinsic: &Intrinsic, index: usize) -> Option<i64> {
    let name = intrinsic.name;
    let starts = |start: &str| name.starts_with(start);
    let ty = intrinsic.parameters[index];
    Some(match () {
        () if starts("redux.sync") && index == 1 => -1,
        () if (name.contains(".sync.") || name.ends_with(".sync"))
            && index == 0
            && ty == "i32"
            && ["shfl", "vote", "match", "bar.warp", "elect"].iter().any(|start| starts(start)) =>
        {
            -1
        }
        () if starts("barrier.cta") && index == 0 => 0,
        () if starts("barrier.cta") && ty == "i32" => LANES as i64,
        () if starts("mapa") && ty == "i32" => 0,
        () if starts("mbarrier.init") && ty == "i32" => 1,
        () if starts("mbarrier") && name.contains(".tx.") && ty == "i32" => 16,
        () if starts("wmma")
            && ty == "i32"
            && (name.contains(".load.")
                || index + 1 == intrinsic.parameters.len() && name.contains(".stride.")) =>
        {
            64
        }
        () if starts("cp.async.c") && ty == "i32" => 2,
        () if starts("cp.async.bulk.tensor") && ty == "i32" => 0,
        () if starts("cp.async.bulk") && ty == "i32" => 64,
        () if starts("cp.async.bulk") && ty == "i16" => 1,
        () if starts("st.bulk") && ty == "i64" => 64,
        () if starts("tcgen05") && (name.contains("alloc")) && ty == "i32" => 32,
        () if starts("ldu") && ty == "i32" => 4,
        () if starts("nanosleep") => 20,
        () => return None,
    })
}

/// A constant of an intrinsic.
fn constant(intrinsic: &Intrinsic, least: &str, ty: &str, flag: bool) -> String {
    if ty == "i1" {
        return flag.to_string();
    }
    let is_line = ["applypriority", "discard"].iter().any(|start| intrinsic.name.starts_with(start));
    let default = if is_line { "128" } else { "0" };
    if least.is_empty() { default.to_owned() } else { least.to_owned() }
}

/// A kernel that calls an intrinsic with operands of each lane, and the bytes of its operands and
/// of its results in each lane.
fn kernel(intrinsic: &Intrinsic, flag: bool) -> (String, usize, usize) {
    let (mut text, mut operands, mut types, mut at) = (String::new(), Vec::new(), Vec::new(), 0);
    let is_matrix = ["ldmatrix", "stmatrix"].iter().any(|start| intrinsic.name.starts_with(start));
    let is_barrier = ["mbarrier", "cp.async.mbarrier", "tcgen05.commit"]
        .iter()
        .any(|start| intrinsic.name.starts_with(start));
    let is_init = intrinsic.name.starts_with("mbarrier.init");
    for (i, parameter) in intrinsic.parameters.iter().enumerate() {
        let fixed = parameter.strip_prefix('#').and_then(|constant| constant.split_once(':'));
        let ty = match fixed.map_or(*parameter, |(_, ty)| ty) {
            "anyptr" if is_matrix => "ptr3",
            "anyptr" if intrinsic.name.starts_with("prefetch") => "ptr",
            ty => ty,
        };
        let (mlir, bytes) = spelled(ty);
        let name = format!("%a{i}");
        text += &match (fixed, ty) {
            (Some((least, ty)), _) => {
                let constant = constant(intrinsic, least, ty, flag);
                let typed = if ty == "i1" { String::new() } else { format!(" : {mlir}") };
                format!("{name} = llvm.mlir.constant({constant}{typed}) : {mlir}\n")
            }
            (None, "ptr") if is_barrier => {
                format!("{name} = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr\n")
            }
            (None, "ptr") => format!("{name} = llvm.addrspacecast %data : !llvm.ptr<1> to !llvm.ptr\n"),
            (None, "ptr1" | "anyptr") => {
                format!("{name} = llvm.getelementptr %data[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n")
            }
            (None, "ptr3") => {
                format!(
                    "{name} = llvm.getelementptr %tile[{}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8\n",
                    i * 1024
                )
            }
            (None, "ptr7") => format!("{name} = nvvm.mapa %tile, %zero : !llvm.ptr<3> -> !llvm.ptr<7>\n"),
            (None, "ptr5") => format!(
                "{name}g = llvm.alloca %one x i32 : (i32) -> !llvm.ptr\n\
                 {name} = llvm.addrspacecast {name}g : !llvm.ptr to !llvm.ptr<5>\n"
            ),
            (None, "ptr6") => format!("{name} = llvm.inttoptr %columns : i32 to !llvm.ptr<6>\n"),
            (None, _) => match number(intrinsic, i) {
                Some(number) => format!("{name} = llvm.mlir.constant({number} : {mlir}) : {mlir}\n"),
                None => {
                    let (stored, end) = if ty == "i1" { ("i8", "v") } else { (mlir.as_str(), "") };
                    let loaded = format!(
                        "{name}p = llvm.getelementptr %mine[{at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n\
                         {name}{end} = llvm.load {name}p {{alignment = 1 : i64}} : !llvm.ptr<1> -> {stored}\n"
                    );
                    at += bytes.next_multiple_of(8);
                    let bit = format!("{name} = llvm.trunc {name}v : i8 to i1\n");
                    if ty == "i1" { loaded + &bit } else { loaded }
                }
            },
        };
        operands.push(name);
        types.push(mlir);
    }
    let results: Vec<_> = intrinsic.results.iter().map(|ty| (*ty, spelled(ty))).collect();
    let made: Vec<&str> = results.iter().map(|(_, (mlir, _))| mlir.as_str()).collect();
    let result = match made[..] {
        [] => "()".to_owned(),
        [one] => one.to_owned(),
        _ => format!("!llvm.struct<({})>", made.join(", ")),
    };
    let assigned = if made.is_empty() { "" } else { "%made = " };
    text += &format!(
        "{assigned}llvm.call_intrinsic \"llvm.nvvm.{}\"({}) : ({}) -> {result}\n",
        intrinsic.name,
        operands.join(", "),
        types.join(", ")
    );
    let mut end = 0;
    for (i, (ty, (mlir, bytes))) in results.iter().enumerate() {
        let mut value = "%made".to_owned();
        if results.len() > 1 {
            value = format!("%r{i}");
            text += &format!("{value} = llvm.extractvalue %made[{i}] : {result}\n");
        }
        let mut stored = mlir.as_str();
        if *ty == "i1" {
            text += &format!("%z{i} = llvm.zext {value} : i1 to i8\n");
            (value, stored) = (format!("%z{i}"), "i8");
        } else if mlir.starts_with("!llvm.ptr") {
            // An address of shared memory is one of 32 bits in PTX.
            stored = if matches!(*ty, "ptr3" | "ptr7") { "i32" } else { "i64" };
            text += &format!("%z{i} = llvm.ptrtoint {value} : {mlir} to {stored}\n");
            value = format!("%z{i}");
        }
        text += &format!(
            "%s{i} = llvm.getelementptr %own[{end}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n\
             llvm.store {value}, %s{i} {{alignment = 1 : i64}} : {stored}, !llvm.ptr<1>\n"
        );
        end += bytes.next_multiple_of(8);
    }
    let is_shared = is_barrier || text.contains("%tile");
    let is_tensor = text.contains("%columns");
    let group = if intrinsic.name.contains("cg2") { 2 } else { 1 };
    let mut before = String::new();
    if is_shared || is_tensor {
        before += "%tile = llvm.mlir.addressof @tile : !llvm.ptr<3>\n";
    }
    // The shared memory begins with what the lanes read.
    let each = DATA / 2 / LANES / 4;
    let copies = |from: &str, to: &str, spaces: [u32; 2]| -> String {
        (0..each.min(16))
            .map(|i| {
                let (name, at) = (format!("%{}{i}", if spaces[0] == 1 { "in" } else { "out" }), i * LANES * 4);
                format!(
                    "{name}f0 = llvm.getelementptr {from}[{at}] : (!llvm.ptr<{0}>) -> !llvm.ptr<{0}>, i8\n\
                     {name}f = llvm.getelementptr {name}f0[%t] : (!llvm.ptr<{0}>, i32) -> !llvm.ptr<{0}>, i32\n\
                     {name}t0 = llvm.getelementptr {to}[{at}] : (!llvm.ptr<{1}>) -> !llvm.ptr<{1}>, i8\n\
                     {name}t = llvm.getelementptr {name}t0[%t] : (!llvm.ptr<{1}>, i32) -> !llvm.ptr<{1}>, i32\n\
                     {name}w = llvm.load {name}f : !llvm.ptr<{0}> -> i32\n\
                     llvm.store {name}w, {name}t : i32, !llvm.ptr<{1}>\n",
                    spaces[0], spaces[1]
                )
            })
            .collect()
    };
    if is_shared {
        before += &(copies("%data", "%tile", [1, 3]) + "nvvm.barrier0\n");
    }
    if is_barrier && !is_init {
        before += "%expected = llvm.mlir.constant(64 : i32) : i32
             %isfirst = llvm.icmp \"eq\" %t, %zero : i32
             llvm.cond_br %isfirst, ^first, ^next
           ^first:
             nvvm.mbarrier.init %tile, %expected : !llvm.ptr<3>, i32
             llvm.br ^next
           ^next:
             nvvm.barrier0\n";
    }
    if is_tensor {
        before += &format!(
            "%n = llvm.mlir.constant(512 : i32) : i32\n\
             nvvm.tcgen05.alloc %tile, %n {{group = #nvvm.cta_group<cta_{group}>}} : !llvm.ptr<3>, i32\n\
             nvvm.barrier0\n%columns = llvm.load %tile : !llvm.ptr<3> -> i32\n"
        );
    }
    let mut after = String::new();
    if is_tensor && !intrinsic.name.contains("alloc") {
        after += &format!(
            "nvvm.barrier0\n%freed = llvm.inttoptr %columns : i32 to !llvm.ptr<6>\n\
             nvvm.tcgen05.dealloc %freed, %n {{group = #nvvm.cta_group<cta_{group}>}} : !llvm.ptr<6>, i32\n"
        );
    }
    if is_shared && !is_barrier {
        after += &("nvvm.barrier0\n".to_owned() + &copies("%tile", "%data", [3, 1]));
    }
    let (reads, writes) = (at.max(8), end.max(8));
    let text = format!(
        "gpu.module @m {{
           llvm.mlir.global internal @tile() {{addr_space = 3 : i32, alignment = 1024 : i64}} : !llvm.array<{DATA} x i8>
           llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %data: !llvm.ptr<1>)
               attributes {{gpu.kernel, nvvm.kernel}} {{
             %t = nvvm.read.ptx.sreg.tid.x : i32
             %zero = llvm.mlir.constant(0 : i32) : i32
             %one = llvm.mlir.constant(1 : i32) : i32
             %mine = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{reads} x i8>
             %own = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{writes} x i8>
             {before}{text}{after}llvm.return
           }}
         }}"
    );
    (text, reads, writes)
}

/// Bits of operands: edges of integers and of each format of floats, and random ones.
fn operands(name: &str, reads: usize) -> Vec<u8> {
    const EDGES: [u64; 12] = [
        0,
        1,
        u64::MAX,
        0x8000_0000_8000_0000,
        0x7f80_0000_7f80_0000,
        0xff80_0001_7fc0_0000,
        0x0000_0001_8000_0001,
        0x3f80_0000_bf80_0000,
        0x4b00_0001_4f00_0000,
        0x7c00_fc00_7e00_8001,
        0x7ff0_0000_0000_0000,
        0xc1e0_0000_0020_0000,
    ];
    let seed = name.bytes().fold(1, |seed, byte| seed * 31 % 1_000_003 + u64::from(byte));
    let mut random = fastrand::Rng::with_seed(seed);
    let words = LANES * reads / 8;
    let word = |i: usize| match i % 3 {
        0 => EDGES[random.usize(..EDGES.len())],
        // Numbers near 1 in f32, f16 and f64.
        1 => 0x3fa0_3c00_3f80_3c00 ^ random.u64(..) >> 44 << random.u32(..44),
        _ => random.u64(..),
    };
    (0..words).map(word).flat_map(u64::to_le_bytes).collect()
}

/// The bytes of all lanes and of the memory after a run, and what was found in it.
fn run(program: &Program, operands: &[u8], writes: usize) -> (Vec<u8>, Vec<String>) {
    let mut memory = Memory::new();
    let data: Vec<u8> = (0..DATA).map(|i| if i % 4 == 3 { 0x3c } else { (i * 37 % 251) as u8 }).collect();
    let buffers =
        [memory.upload(operands), memory.upload(&vec![0u8; LANES * writes]), memory.upload(&data[..])];
    let launch = Launch::new("k", [1, 1, 1], [LANES as u32, 1, 1]);
    let found = match program.run(&launch, &mut memory, &buffers.map(Arg::Buffer)) {
        Ok(_) => Vec::new(),
        Err(Error::Findings(report)) => {
            let names: BTreeSet<_> = report.findings.iter().map(|finding| finding.kind.name()).collect();
            names.into_iter().map(str::to_owned).collect()
        }
        Err(other) => vec![other.to_string()],
    };
    ([memory.download::<u8>(buffers[1]), memory.download::<u8>(buffers[2])].concat(), found)
}

/// The findings of a kernel's runs, or how the runs differ.
fn compare(
    context: &Context,
    text: &str,
    operands: &[u8],
    [reads, writes]: [usize; 2],
) -> Result<Vec<String>, String> {
    let module = Module::parse(context, text).ok_or_else(|| format!("MLIR does not read\n{text}"))?;
    let program = cute_decode::decode(module.as_operation()).map_err(|e| format!("as IR: {e}"))?;
    let gpu_module = module.body().first_operation().ok_or("an empty module")?;
    let mut failed = Vec::new();
    let ptx = TARGETS.iter().find_map(|(cpu, features)| {
        let translated = cute_ffi::llvm::translate(gpu_module, cpu, features);
        translated.and_then(|code| code.into_ptx()).map_err(|why| failed.push(why)).ok()
    });
    let Some(ptx) = ptx else { return Err(format!("LLVM: {failed:?}")) };
    let file = parse(&ptx.text, Reading { file: "k.ptx", strict: false }).map_err(|e| format!("PTX: {e}"))?;
    let from_ptx = file.program().map_err(|e| format!("PTX: {e}\n{}", ptx.text))?;
    let ((one, found), (other, found_there)) =
        (run(&program, operands, writes), run(&from_ptx, operands, writes));
    if found != found_there {
        return Err(format!("as IR: {found:?}; as PTX: {found_there:?}\n{}", ptx.text));
    }
    // A register without a value has any bits.
    if found.iter().any(|kind| kind == "undefined") {
        return Ok(found);
    }
    let Some(at) = one.iter().zip(&other).position(|(a, b)| a != b) else { return Ok(found) };
    let part = |all: &[u8]| all[at / writes * writes..][..writes.min(32)].to_vec();
    let lane = at / writes;
    let given = operands.get(lane * reads..).unwrap_or_default();
    Err(format!(
        "at {at} of lane {lane}: {:02x?} as IR, {:02x?} as PTX, of {:02x?}",
        part(&one),
        part(&other),
        &given[..given.len().min(reads).min(32)]
    ))
}

#[test]
fn an_intrinsic_means_what_its_ptx_means() {
    let context = context();
    let only = env::var("CUTE_INTRINSIC").ok();
    let mut all: Vec<_> = llvm::intrinsics().filter(|one| one.support() == Support::Runs).collect();
    all.sort_by_key(|one| one.name);
    let taken = all.iter().enumerate().filter(|(i, one)| match &only {
        Some(start) => one.name.starts_with(start),
        None => full::takes(*i, 25),
    });
    let (mut wrong, mut errors, mut count) = (Vec::new(), BTreeMap::<String, Vec<&str>>::new(), 0);
    for (_, one) in taken {
        let has_flag = one.parameters.iter().any(|parameter| parameter.ends_with(":i1"));
        for flag in if has_flag { vec![false, true] } else { vec![false] } {
            count += 1;
            let (text, reads, writes) = kernel(one, flag);
            match compare(&context, &text, &operands(one.name, reads), [reads, writes]) {
                Ok(found) if found.is_empty() => {}
                Ok(found) => errors.entry(found.join(", ")).or_default().push(one.name),
                Err(_) if DIFFERENT.iter().any(|(name, _)| *name == one.name) => {}
                Err(difference) => wrong.push(format!("{} {flag}: {difference}", one.name)),
            }
        }
    }
    let failed: usize = errors.values().map(Vec::len).sum();
    println!("{count} kernels, of which {failed} have findings: {errors:#?}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(only.is_some() || count > 50);
}

/// Ops of NVVM whose forms differ most from PTX: from `%x`, `%y` (f32), `%v` (vector<4xf32>) and
/// `%i` (i32) to `%r`, an i32 or an i64.
const OPS: &[&str] = &[
    "%a = nvvm.convert.f32x2.to.f16x2 %x, %y, %i {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
     %r = llvm.bitcast %a : vector<2xf16> to i32",
    "%a = nvvm.convert.f32x2.to.bf16x2 %x, %y {rnd = #nvvm.fp_rnd_mode<rz>, relu = true} : vector<2xbf16>
     %r = llvm.bitcast %a : vector<2xbf16> to i32",
    "%a = nvvm.convert.f32x4.to.f8x4 %v, %i : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
     %r = llvm.bitcast %a : vector<4xi8> to i32",
    "%a = nvvm.convert.f32x4.to.f6x4 %v, %i {relu = true} : vector<4xf32> -> vector<4xi8> (f6E2M3FN)
     %r = llvm.bitcast %a : vector<4xi8> to i32",
    "%a = nvvm.convert.f32x4.to.f4x4 %v, %i : vector<4xf32> -> i16 (f4E2M1FN)
     %r = llvm.zext %a : i16 to i32",
    "%a = nvvm.convert.f32x2.to.f4x2 %x, %y : i8 (f4E2M1FN)
     %b = nvvm.convert.f4x2.to.f16x2 %a : i8 (f4E2M1FN) -> vector<2xf16>
     %r = llvm.bitcast %b : vector<2xf16> to i32",
    "%r = nvvm.convert.float.to.tf32 %x {rnd = #nvvm.fp_rnd_mode<rna>}",
    "%a = nvvm.redux.sync fmin %x, %mask {abs = true, nan = true} : f32 -> f32
     %r = llvm.bitcast %a : f32 to i32",
    "%b = llvm.trunc %i : i32 to i8
     %m = llvm.trunc %i : i32 to i1
     %r = nvvm.tcgen05.mma_smem_desc (%i, %i, %i, %b, %m, %b) : (i32, i32, i32, i8, i1, i8) -> i64",
    "nvvm.pmevent id = 1
     %r = llvm.bitcast %x : f32 to i32",
    "nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
     nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<release>}
     nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<acquire>}
     %r = llvm.bitcast %x : f32 to i32",
    "%s = llvm.mlir.constant(64 : i64) : i64
     nvvm.st.bulk %tile, size = %s : !llvm.ptr<3>
     nvvm.barrier0
     %r = llvm.load %tile : !llvm.ptr<3> -> i32",
    "%s = llvm.mlir.constant(16 : i32) : i32
     %a = nvvm.wmma.load %data, %s {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<1>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
     %b = llvm.extractvalue %a[3] : !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
     %r = llvm.bitcast %b : vector<2xf16> to i32",
    "nvvm.cp.async.shared.global %tile, %data, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
     %r = llvm.bitcast %x : f32 to i32",
];

#[test]
fn an_op_means_what_its_ptx_means() {
    let context = context();
    let mut wrong = Vec::new();
    for body in OPS {
        let ty = if body.contains("-> i64") { "i64" } else { "i32" };
        let text = format!(
            "gpu.module @m {{
               llvm.mlir.global internal @tile() {{addr_space = 3 : i32, alignment = 1024 : i64}} : !llvm.array<1024 x i8>
               llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %data: !llvm.ptr<1>)
                   attributes {{gpu.kernel, nvvm.kernel}} {{
                 %t = nvvm.read.ptx.sreg.tid.x : i32
                 %mask = llvm.mlir.constant(-1 : i32) : i32
                 %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
                 %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xf32>
                 %v = llvm.load %p : !llvm.ptr<1> -> vector<4xf32>
                 %i0 = llvm.mlir.constant(0 : i32) : i32
                 %i1 = llvm.mlir.constant(1 : i32) : i32
                 %i2 = llvm.mlir.constant(2 : i32) : i32
                 %x = llvm.extractelement %v[%i0 : i32] : vector<4xf32>
                 %y = llvm.extractelement %v[%i1 : i32] : vector<4xf32>
                 %z = llvm.extractelement %v[%i2 : i32] : vector<4xf32>
                 %i = llvm.bitcast %z : f32 to i32
                 {body}
                 %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
                 llvm.store %r, %q : {ty}, !llvm.ptr<1>
                 llvm.return
               }}
             }}"
        );
        if let Err(difference) = compare(&context, &text, &operands(body, 16), [16, 8]) {
            wrong.push(format!("{body}\n{difference}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// `./dev names` writes the lists.
#[test]
fn the_lists_have_the_names_of_the_installed_llvm() {
    let llvm = PathBuf::from(env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into()));
    let header = fs::read_to_string(llvm.join("include/llvm/IR/IntrinsicsNVPTX.h")).expect("LLVM's header");
    let named = header.split("// llvm.nvvm.").skip(1).filter_map(|rest| rest.split_whitespace().next());
    let installed: BTreeSet<&str> = named.collect();
    let listed: BTreeSet<&str> = llvm::intrinsics().map(|one| one.name).collect();
    assert_eq!(installed, listed, "run `./dev names`");
    let ops = cute_ffi::ir::registered_ops(&context(), "nvvm");
    let installed: BTreeSet<&str> = ops.iter().filter_map(|op| op.strip_prefix("nvvm.")).collect();
    assert_eq!(installed, llvm::ops().collect::<BTreeSet<_>>(), "run `./dev names`");
}
