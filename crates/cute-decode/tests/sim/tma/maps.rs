//! Tensor maps that are not valid, and that a kernel changes.

use super::*;

/// The words of a map whose tensor lies in a buffer, changed, and a kernel with it.
fn broken(change: impl Fn(&mut [u64; 16]), edit: impl Fn(String) -> String) -> String {
    let map = tensor(MapElement::F32, &[40, 19], &[8, 16], MapSwizzle::B32);
    let mut memory = Memory::new();
    let out = memory.zeroed::<u32>(128);
    let buffer = memory.upload_bytes(&bytes_of(&map));
    let mut words = TensorMap { address: memory.address(buffer).unwrap(), ..map }.words().unwrap();
    change(&mut words);
    let launch = Launch::new("kernel", [1; 3], [32, 1, 1]);
    let source = edit(load_kernel(128, 512, &[0, 0]));
    let report = program(&source).run(&launch, &mut memory, &[Arg::words(&words), Arg::Buffer(out)]);
    report.unwrap_err().to_string()
}

#[test]
fn maps_and_copies_that_break_a_rule_are_named() {
    let same = |source: String| source;
    let e = broken(|words| words[1] |= 1, same);
    assert!(
        e.contains("the tensor map at byte 0 of parameter 0 of the kernel is not valid: word 1 is"),
        "{e}"
    );
    let e = broken(|words| words[6] = words[6] & !(0xff << 56) | 2 << 56, same);
    assert!(e.contains("the box of mode 0 is 3 elements of f32: along mode 0"), "{e}");
    // A hundred rows more than the buffer has.
    let e = broken(
        |words| words[4] += 100 << 32,
        |source| source.replace("%c1 = llvm.mlir.constant(0", "%c1 = llvm.mlir.constant(18"),
    );
    assert!(e.contains("32 bytes at byte 3040 of buffer 1, which has 3040 bytes"), "{e}");
    let moved = "%aside = llvm.getelementptr %there[16] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i8\n";
    let load = "nvvm.cp.async.bulk.tensor";
    let e = broken(
        |_| {},
        |source| source.replace(load, &format!("{moved}{load}")).replace("global %there", "global %aside"),
    );
    assert!(
        e.contains("byte 16 of shared memory @tile (allocated at -:10:14) is not aligned to 128 bytes"),
        "{e}"
    );
    let e = broken(|_| {}, |source| source.replace("box[%c0, %c1]", "box[%c0]"));
    assert!(e.contains("1 coordinates for a tensor map of rank 2"), "{e}");
    let e = broken(
        |_| {},
        |source| {
            source.replace("%map, %full, box", "%map, %other, box").replace(
                "%bytes =",
                "%other = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64\n%bytes =",
            )
        },
    );
    assert!(
        e.contains("the mbarrier at byte 8 of shared memory @full") && e.contains("is not initialised"),
        "{e}"
    );
}

/// A map in global memory, of which a thread has changed a word.
#[test]
fn a_map_that_the_device_changed_needs_a_fence() {
    let map = tensor(MapElement::F32, &[40, 19], &[8, 16], MapSwizzle::B32);
    let bytes = bytes_of(&map);
    let run = |prepare: &str, schedule: Schedule| {
        let load = "nvvm.mbarrier.arrive.expect_tx";
        let source = load_kernel(128, 512, &[0, 0])
            .replace(MAP, "!llvm.ptr")
            .replace(load, &format!("{prepare}\n{load}"));
        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(128);
        let buffer = memory.upload_bytes(&bytes);
        let words = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() }.words().unwrap();
        let map = memory.upload(&[words, words].concat());
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
        let report = program(&source).run(&launch, &mut memory, &[Arg::Buffer(map), Arg::Buffer(out)]);
        report.map(|_| memory.download_bytes(out)).map_err(|e| e.to_string())
    };
    let change = "%word = llvm.load %map : !llvm.ptr -> i64\nllvm.store %word, %map : i64, !llvm.ptr";
    let release = "nvvm.fence.proxy.release #nvvm.mem_scope<gpu>";
    let acquire = "%size = llvm.mlir.constant(128 : i32) : i32
        nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %map, %size";
    let other = "%size = llvm.mlir.constant(128 : i32) : i32
        %behind = llvm.getelementptr %map[128] : (!llvm.ptr) -> !llvm.ptr, i8
        nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %behind, %size";
    let expected = loaded(&map, &bytes, &[0, 0]);
    for schedule in SCHEDULES {
        assert!(run("", schedule) == Ok(expected.clone()));
        assert!(run(&format!("{change}\n{release}\n{acquire}"), schedule) == Ok(expected.clone()));
        // Too little, in the other order, before the change, of another map, and for another proxy.
        for (fences, lacks) in [
            (format!("{change}\n{release}"), "may not see the change: the copying thread must execute"),
            (format!("{change}\n{acquire}\n{release}"), "may not see the change"),
            (format!("{change}\n{release}\n{other}"), "may not see the change"),
            (format!("{change}\n{acquire}"), "nothing makes the change visible to the TMA"),
            (format!("{release}\n{change}\n{acquire}"), "nothing makes the change visible"),
            (
                format!("{change}\nnvvm.fence.proxy {{kind = #nvvm.proxy_kind<async>}}"),
                "nothing makes the change visible",
            ),
            (change.to_owned(), "nothing makes the change visible"),
        ] {
            let e = run(&fences, schedule).unwrap_err();
            assert!(
                e.contains("uses the tensor map at byte 0 of buffer 2 after the write by thread (0, 0, 0)"),
                "{e}"
            );
            assert!(e.contains("`llvm.store`") && e.contains(lacks), "{e}");
        }
    }
}

/// A warp copies a map to shared memory, where one thread changes it; the warp takes it back, and
/// another warp loads by it.
fn replaced(replace: &str, copy: &str, acquire: &str) -> String {
    let globals = GLOBALS.to_owned()
        + "llvm.mlir.global internal @map() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>\n";
    let body = format!(
        "{START}
         %own = llvm.mlir.addressof @map : !llvm.ptr<3>
         %two = llvm.mlir.constant(2 : i32) : i32
         %c32 = llvm.mlir.constant(32 : i32) : i32
         %size = llvm.mlir.constant(128 : i32) : i32
         %bytes = llvm.mlir.constant(512 : i32) : i32
         %writer = llvm.icmp \"ult\" %t, %c32 : i32
         llvm.cond_br %writer, ^bring, ^met
       ^bring:
         %source = llvm.getelementptr %from[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         %word = llvm.load %source : !llvm.ptr<1> -> i32
         %place = llvm.getelementptr %own[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
         llvm.store %word, %place : i32, !llvm.ptr<3>
         %all = llvm.mlir.constant(-1 : i32) : i32
         nvvm.bar.warp.sync %all : i32
         llvm.cond_br %first, ^change, ^back
       ^change:
         {replace}
         llvm.br ^back
       ^back:
         nvvm.bar.warp.sync %all : i32
         {copy}
         llvm.br ^met
       ^met:
         nvvm.barrier0
         %loads = llvm.icmp \"eq\" %t, %c32 : i32
         llvm.cond_br %loads, ^load, ^wait
       ^load:
         {acquire}
         nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
         %generic = llvm.addrspacecast %map : !llvm.ptr<1> to !llvm.ptr
         nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %generic, %full, box[%zero, %two] : !llvm.ptr<7>, !llvm.ptr
         llvm.br ^wait
       ^wait:
         {WAIT}
         {}",
        copy_out(128)
    );
    let arguments = "%from: !llvm.ptr<1>, %map: !llvm.ptr<1>, %tensor: !llvm.ptr<1>, %out: !llvm.ptr<1>";
    globals + &function(arguments, &body)
}

/// The tensor's address, its extent and its stride are others than those of the map that the kernel
/// begins with.
const REPLACE: &str = "%base = llvm.ptrtoint %tensor : !llvm.ptr<1> to i64
    %rows = llvm.mlir.constant(5 : i32) : i32
    %stride = llvm.mlir.constant(96 : i64) : i64
    llvm.call_intrinsic \"llvm.nvvm.tensormap.replace.global.address\"(%own, %base) : (!llvm.ptr<3>, i64) -> ()
    llvm.call_intrinsic \"llvm.nvvm.tensormap.replace.global.dim\"(%own, %one, %rows) : (!llvm.ptr<3>, i32, i32) -> ()
    llvm.call_intrinsic \"llvm.nvvm.tensormap.replace.global.stride\"(%own, %zero, %stride) : (!llvm.ptr<3>, i32, i64) -> ()";
const COPY: &str =
    "llvm.inline_asm has_side_effects \"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 128;\",
       \"l,r\" %map, %own : (!llvm.ptr<1>, !llvm.ptr<3>) -> ()";
const ACQUIRE: &str = "llvm.inline_asm has_side_effects \"fence.proxy.tensormap::generic.acquire.gpu [$0], 128;\", \"l\" %map : (!llvm.ptr<1>) -> ()";

#[test]
fn a_map_is_changed_in_shared_memory_and_used() {
    let map = tensor(MapElement::F32, &[24, 19], &[8, 16], MapSwizzle::B32);
    let new = tensor(MapElement::F32, &[24, 5], &[8, 16], MapSwizzle::B32);
    let bytes = bytes_of(&new);
    let expected = loaded(&new, &bytes, &[0, 2]);
    let run = |source: &str, schedule: Schedule| {
        let mut memory = Memory::new();
        let (old, tensor) = (memory.zeroed::<f32>(24 * 19), memory.upload_bytes(&bytes));
        let words = TensorMap { address: memory.address(old).unwrap(), ..map.clone() }.words().unwrap();
        let (from, to) = (memory.upload(&words), memory.zeroed::<u64>(16));
        let out = memory.zeroed::<u32>(128);
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [64, 1, 1]) };
        let args = [from, to, tensor, out].map(Arg::Buffer);
        let report = program(source).run(&launch, &mut memory, &args);
        report.map(|_| memory.download_bytes(out)).map_err(|e| e.to_string())
    };
    let ptx = REPLACE
        .replace(
            "llvm.call_intrinsic \"llvm.nvvm.tensormap.replace.global.dim\"(%own, %one, %rows) : (!llvm.ptr<3>, i32, i32) -> ()",
            "llvm.inline_asm has_side_effects \"tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [$0], 1, $1;\", \"r,r\" %own, %rows
               : (!llvm.ptr<3>, i32) -> ()",
        );
    let direct = "llvm.call_intrinsic \"llvm.nvvm.tensormap.replace.global.dim\"(%map, %one, %two) : (!llvm.ptr<1>, i32, i32) -> ()";
    for schedule in SCHEDULES {
        assert!(run(&replaced(REPLACE, COPY, ACQUIRE), schedule) == Ok(expected.clone()), "{schedule:?}");
        assert!(run(&replaced(&ptx, COPY, ACQUIRE), schedule) == Ok(expected.clone()), "{schedule:?}");
        let e = run(&replaced(REPLACE, COPY, ""), schedule).unwrap_err();
        assert!(e.contains("`tensormap.cp_fenceproxy") && e.contains("may not see the change"), "{e}");
        // A block reaches as far as this, and the loading thread is of the same one.
        let narrow = [COPY, ACQUIRE].map(|text| text.replace(".gpu", ".cta"));
        assert!(run(&replaced(REPLACE, &narrow[0], &narrow[1]), schedule) == Ok(expected.clone()));
        // One lane writes the map for the warp that copies it; each lane's fence releases that
        // write.
        let meets = |source: &str| source.matches("nvvm.barrier0").count();
        let by_another_warp = replaced(REPLACE, COPY, ACQUIRE);
        let by_a_lane_of_the_warp = by_another_warp
            .replace("llvm.icmp \"eq\" %t, %c32", "llvm.icmp \"eq\" %t, %nine")
            .replace("nvvm.barrier0\n         %loads", "%loads")
            .replace("%size =", "%nine = llvm.mlir.constant(9 : i32) : i32\n         %size =");
        assert!(by_a_lane_of_the_warp.contains("%t, %nine"));
        assert_eq!(meets(&by_a_lane_of_the_warp) + 1, meets(&by_another_warp));
        assert!(run(&by_a_lane_of_the_warp, schedule) == Ok(expected.clone()), "{schedule:?}");
        // Changed again after the fence.
        let again = format!("{COPY}\nllvm.cond_br %first, ^again, ^met\n^again:\n{direct}");
        let e = run(&replaced(REPLACE, &again, ACQUIRE), schedule).unwrap_err();
        assert!(
            e.contains("`llvm.call_intrinsic`") && e.contains("nothing makes the change visible to the TMA"),
            "{e}"
        );
        // The other lanes may not have copied their words yet.
        let early = replaced(REPLACE, COPY, ACQUIRE).replacen("nvvm.bar.warp.sync %all : i32", "", 1);
        let e = run(&early, schedule).unwrap_err();
        assert!(e.contains("of shared memory @map") && e.contains("nothing orders it with the write"), "{e}");
    }
    for (replace, rule) in [
        (
            "global.dim\"(%own, %c32, %rows) : (!llvm.ptr<3>, i32, i32)",
            "global_dim 32 is 32: global_dim has ordinals 0 to 4",
        ),
        (
            "box.dim\"(%own, %zero, %zero) : (!llvm.ptr<3>, i32, i32)",
            "box_dim 0 is 0: the value is from 1 to 256",
        ),
        ("global.address\"(%own, %base) : (!llvm.ptr<3>, i64)", "the value is a multiple of 16 bytes"),
    ] {
        let replace = format!(
            "%base = llvm.mlir.constant(8 : i64) : i64\n%rows = llvm.mlir.constant(5 : i32) : i32
             llvm.call_intrinsic \"llvm.nvvm.tensormap.replace.{replace} -> ()"
        );
        let e = run(&replaced(&replace, COPY, ACQUIRE), Schedule::Lazy).unwrap_err();
        assert!(e.contains("the tensor map at byte 0 of shared memory @map") && e.contains(rule), "{e}");
    }
}
