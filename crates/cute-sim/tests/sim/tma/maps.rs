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
    let e = broken(|words| words[1] &= !2, same);
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
        let map = memory.upload(&words);
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
        let report = program(&source).run(&launch, &mut memory, &[Arg::Buffer(map), Arg::Buffer(out)]);
        report.map(|_| memory.download_bytes(out)).map_err(|e| e.to_string())
    };
    let change = "%word = llvm.load %map : !llvm.ptr -> i64\nllvm.store %word, %map : i64, !llvm.ptr";
    let fence = "nvvm.fence.proxy.release #nvvm.mem_scope<gpu>
        %size = llvm.mlir.constant(128 : i32) : i32
        nvvm.fence.proxy.acquire #nvvm.mem_scope<gpu> %map, %size";
    let expected = loaded(&map, &bytes, &[0, 0]);
    for schedule in SCHEDULES {
        assert!(run("", schedule) == Ok(expected.clone()));
        assert!(run(&format!("{change}\n{fence}"), schedule) == Ok(expected.clone()));
        let e = run(change, schedule).unwrap_err();
        assert!(
            e.contains("has the async proxy read byte 0 of buffer 2") && e.contains("`llvm.store`"),
            "{e}"
        );
    }
}
