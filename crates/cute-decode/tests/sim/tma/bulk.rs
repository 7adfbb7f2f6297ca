//! Copies of bytes without a tensor map, and the spellings of all bulk copies.

use super::*;

/// Bytes go from global to shared memory, to the next block of the cluster, and back to global
/// memory.
#[test]
fn bytes_go_around() {
    let kernel = |expect: u32, remote: &str| {
        let body = format!(
            "%rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
             {START}
             %second = llvm.getelementptr %full[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
             nvvm.mbarrier.init %second, %one, predicate = %first : !llvm.ptr<3>, i32, i1
             nvvm.fence.mbarrier.init
             nvvm.cluster.arrive.relaxed {{aligned}}
             nvvm.cluster.wait {{aligned}}
             %b = nvvm.read.ptx.sreg.ctaid.x : i32
             %c64 = llvm.mlir.constant(64 : i32) : i32
             %c256 = llvm.mlir.constant(256 : i32) : i32
             %at = llvm.mul %b, %c64 : i32
             %from = llvm.getelementptr %in[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %to = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             %other = llvm.xor %rank, %one : i32
             %behind = llvm.getelementptr %tile[%c64] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             %far = nvvm.mapa %behind, %other : !llvm.ptr<3> -> !llvm.ptr<7>
             %farbar = nvvm.mapa %second, %other : !llvm.ptr<3> -> !llvm.ptr<7>
             %bar = llvm.addrspacecast %farbar : !llvm.ptr<7> to !llvm.ptr<3>
             {}
             nvvm.cluster.arrive {{aligned}}
             nvvm.cluster.wait {{aligned}}",
            first(
                "go",
                &format!(
                    "nvvm.mbarrier.arrive.expect_tx %full, %c256 : !llvm.ptr<3>, i32
                     %bytes = llvm.mlir.constant({expect} : i32) : i32
                     nvvm.mbarrier.arrive.expect_tx %second, %bytes : !llvm.ptr<3>, i32
                     nvvm.cp.async.bulk.shared.cluster.global %there, %from, %full, %c256 : !llvm.ptr<7>, !llvm.ptr<1>
                     {WAIT}
                     nvvm.cp.async.bulk.shared.cluster.shared.cta %far, %tile, {remote}, %c256 : !llvm.ptr<7>, !llvm.ptr<3>
                     nvvm.mbarrier.try_wait.parity %second, %zero, %ticks : !llvm.ptr<3>, i32, i32
                     nvvm.cp.async.bulk.global.shared.cta %to, %behind, %c256 : !llvm.ptr<1>, !llvm.ptr<3>
                     nvvm.cp.async.bulk.commit.group
                     {WAIT_READ}"
                )
            )
        );
        GLOBALS.to_owned() + &function("%in: !llvm.ptr<1>, %out: !llvm.ptr<1>", &body)
    };
    let run = |source: &str, schedule| {
        let mut memory = Memory::new();
        let (input, out) = (memory.upload(&(0..256).collect::<Vec<i32>>()), memory.zeroed::<i32>(256));
        let launch =
            Launch { schedule, cluster: Some([2, 1, 1]), ..Launch::new("kernel", [4, 1, 1], [32, 1, 1]) };
        let report = program(source).run(&launch, &mut memory, &[Arg::Buffer(input), Arg::Buffer(out)]);
        report.map(|_| memory.download::<i32>(out)).map_err(|e| e.to_string())
    };
    let expected: Vec<i32> = (0..256).map(|i| i ^ 64).collect();
    for schedule in SCHEDULES {
        assert_eq!(run(&kernel(256, "%bar"), schedule), Ok(expected.clone()), "{schedule:?}");
        let e = run(&kernel(256, "%second"), schedule).unwrap_err();
        assert!(e.contains("of the cluster, but its mbarrier is in block"), "{e}");
    }
}

/// Operations of NVVM, LLVM's intrinsics and PTX are the same instructions.
#[test]
fn three_spellings_are_one_instruction() {
    let map = tensor(MapElement::F32, &[40, 19], &[8, 16], MapSwizzle::B32);
    let bytes = bytes_of(&map);
    let expected = loaded(&map, &bytes, &[4, 9]);
    let operation = "nvvm.cp.async.bulk.tensor.shared.cluster.global %there, %map, %full, box[%c0, %c1] : !llvm.ptr<7>, !llvm.ptr";
    let source = load_kernel(128, 512, &[4, 9]);
    assert!(source.contains(operation));
    let flags = "%no16 = llvm.mlir.constant(0 : i16) : i16
         %no64 = llvm.mlir.constant(0 : i64) : i64
         %off = llvm.mlir.constant(false) : i1\n";
    let spellings = [
        "nvvm.cp.async.bulk.tensor.shared.cluster.global %tile, %map, %full, box[%c0, %c1] {isCTAOnly = true} : !llvm.ptr<3>, !llvm.ptr".to_owned(),
        format!("{flags}llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d\"(%there, %full, %map, %c0, %c1, %no16, %no64, %off, %off, %zero)
           : (!llvm.ptr<7>, !llvm.ptr<3>, !llvm.ptr, i32, i32, i16, i64, i1, i1, i32) -> ()"),
        "%unused = llvm.inline_asm has_side_effects \"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$1], [$2, {$3, $4}], [$5]; mov.u32 $0, 0;\",
           \"=r,r,l,r,r,r,~{memory}\" %tile, %map, %c0, %c1, %full : (!llvm.ptr<3>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> i32"
            .to_owned(),
    ];
    for spelling in &spellings {
        let source = source.replace(operation, spelling);
        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(128);
        let buffer = memory.upload_bytes(&bytes);
        let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
        let launch = Launch::new("kernel", [1; 3], [32, 1, 1]);
        let args = [Arg::words(&map.words().unwrap()), Arg::Buffer(out)];
        program(&source).run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{spelling}: {e}"));
        assert!(memory.download_bytes(out) == expected, "{spelling}");
    }
    // And of stores, whose groups are waited for.
    let tile = vec![3; 512];
    let stored = |send: &str, commit: &str, wait: &str| {
        let source =
            store_kernel(&map, &[4, 9], FENCE, send, wait).replace("nvvm.cp.async.bulk.commit.group", commit);
        store(&source, &map, &bytes, &tile, Schedule::Lazy).map_err(|e| e.to_string())
    };
    let commit = "nvvm.cp.async.bulk.commit.group";
    let expected = stored(STORE, commit, WAIT_READ);
    assert!(expected.is_ok());
    let asm = |text: &str| format!("llvm.inline_asm has_side_effects \"{text}\", \"~{{memory}}\" : () -> ()");
    let ptx = "llvm.inline_asm has_side_effects \"cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$0, {$1, $2}], [$3];\", \"l,r,r,r\"
        %map, %c0, %c1, %tile : (!llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()";
    assert_eq!(
        stored(ptx, &asm("cp.async.bulk.commit_group;"), &asm("cp.async.bulk.wait_group.read 0;")),
        expected
    );
    let intrinsic = format!(
        "{flags}llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d\"(%tile, %map, %c0, %c1, %no64, %off)
           : (!llvm.ptr<3>, !llvm.ptr, i32, i32, i64, i1) -> ()"
    );
    let wait = "llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.wait.group.read\"(%zero) : (i32) -> ()";
    let commit = "llvm.call_intrinsic \"llvm.nvvm.cp.async.bulk.commit.group\"() : () -> ()";
    assert_eq!(stored(&intrinsic, commit, wait), expected);
}

/// One thread writes global memory, fences, and loads it by a bulk copy.
#[test]
fn a_fence_for_shared_memory_is_none_for_global_memory() {
    let run = |fences: &[&str], schedule: Schedule| {
        let kind = |kind: &&str| format!("nvvm.fence.proxy {{kind = #nvvm.proxy_kind<{kind}>}}\n");
        let fences: String = fences.iter().map(kind).collect();
        let shared = "async.shared>";
        let fences = fences.replace(shared, &format!("{shared}, space = #nvvm.shared_space<cta>"));
        let load = format!(
            "%v = llvm.mlir.constant(7 : i32) : i32
             %bytes = llvm.mlir.constant(128 : i32) : i32
             llvm.store %v, %out : i32, !llvm.ptr<1>
             {fences}
             nvvm.mbarrier.arrive.expect_tx %full, %bytes : !llvm.ptr<3>, i32
             nvvm.cp.async.bulk.shared.cluster.global %there, %out, %full, %bytes : !llvm.ptr<7>, !llvm.ptr<1>"
        );
        let store = "%own = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             %r = llvm.load %own : !llvm.ptr<3> -> i32
             %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
             llvm.store %r, %to : i32, !llvm.ptr<1>";
        let body = format!("{START}{}{WAIT}{store}", first("load", &load));
        let mut memory = Memory::new();
        let out = memory.zeroed::<i32>(32);
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
        let source = GLOBALS.to_owned() + &function("%out: !llvm.ptr<1>", &body);
        let report = program(&source).run(&launch, &mut memory, &[Arg::Buffer(out)]);
        report.map(|_| memory.download::<i32>(out)[0]).map_err(|e| e.to_string())
    };
    for schedule in SCHEDULES {
        for fences in
            [&["async"][..], &["async.global"], &["async.shared", "async.global"], &["async.shared", "async"]]
        {
            assert_eq!(run(fences, schedule), Ok(7), "{fences:?} {schedule:?}");
        }
        for fences in [&[][..], &["async.shared"], &["async.shared", "async.shared"]] {
            let e = run(fences, schedule).unwrap_err();
            assert!(
                e.contains("reads byte 0 of buffer 0 through the async proxy, but may not see the write"),
                "{e}"
            );
        }
    }
}

/// A block stores by a bulk copy, and tells another block by an atomic operation, which reads what
/// was stored.
#[test]
fn another_block_sees_a_store_behind_a_wait_for_its_end() {
    let run = |wait: &str, schedule: Schedule| {
        let send = format!(
            "%v = llvm.mlir.constant(7 : i32) : i32
             %bytes = llvm.mlir.constant(16 : i32) : i32
             %wide = llvm.mlir.constant(dense<7> : vector<4xi32>) : vector<4xi32>
             llvm.store %wide, %tile : vector<4xi32>, !llvm.ptr<3>
             {FENCE}
             nvvm.cp.async.bulk.global.shared.cta %out, %tile, %bytes : !llvm.ptr<1>, !llvm.ptr<3>
             nvvm.cp.async.bulk.commit.group
             {wait}
             %old = llvm.atomicrmw xchg %flag, %one release : !llvm.ptr<1>, i32"
        );
        let receive = "llvm.br ^spin
           ^spin:
             %seen = llvm.atomicrmw add %flag, %zero acquire : !llvm.ptr<1>, i32
             %set = llvm.icmp \"eq\" %seen, %one : i32
             llvm.cond_br %set, ^read, ^spin
           ^read:
             %r = llvm.load %out : !llvm.ptr<1> -> i32
             %to = llvm.getelementptr %flag[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
             llvm.store %r, %to : i32, !llvm.ptr<1>";
        let body = format!(
            "{START}
             %b = nvvm.read.ptx.sreg.ctaid.x : i32
             %sends = llvm.icmp \"eq\" %b, %zero : i32
             llvm.cond_br %first, ^who, ^end
           ^who:
             llvm.cond_br %sends, ^send, ^receive
           ^send:
             {send}
             llvm.br ^end
           ^receive:
             {receive}
             llvm.br ^end
           ^end:"
        );
        let mut memory = Memory::new();
        let (out, flag) = (memory.zeroed::<i32>(4), memory.zeroed::<i32>(2));
        let launch = Launch { schedule, ..Launch::new("kernel", [2, 1, 1], [32, 1, 1]) };
        let source = GLOBALS.to_owned() + &function("%out: !llvm.ptr<1>, %flag: !llvm.ptr<1>", &body);
        let report = program(&source).run(&launch, &mut memory, &[Arg::Buffer(out), Arg::Buffer(flag)]);
        report.map(|_| memory.download::<i32>(flag)[1]).map_err(|e| e.to_string())
    };
    for schedule in SCHEDULES {
        assert_eq!(run("nvvm.cp.async.bulk.wait_group 0", schedule), Ok(7), "{schedule:?}");
        let e = run(WAIT_READ, schedule).unwrap_err();
        assert!(e.contains("of buffer 0, and nothing orders it with the"), "{e}");
    }
}
