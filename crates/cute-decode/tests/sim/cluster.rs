//! Clusters: blocks that are resident together, reach each other's shared memory and meet at their
//! own barrier.

use crate::{decode, function, program};
use cute_arch::Target;
use cute_sim::{Arg, ClusterBarrierMisuse, Error, FindingKind, Launch, Memory, Place, Schedule};

const TILE: &str = "llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<64 x i32>\n";

/// The prologue of the kernels: thread, rank, the own tile's element, and the output's.
const START: &str = "%t = nvvm.read.ptx.sreg.tid.x : i32
     %b = nvvm.read.ptx.sreg.ctaid.x : i32
     %n = nvvm.read.ptx.sreg.ntid.x : i32
     %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
     %blocks = nvvm.read.ptx.sreg.cluster.nctarank : i32
     %one = llvm.mlir.constant(1 : i32) : i32
     %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
     %own = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
     %start = llvm.mul %b, %n : i32
     %at = llvm.add %start, %t : i32
     %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n";

const MEET: &str = "nvvm.cluster.arrive {aligned}\nnvvm.cluster.wait {aligned}\n";

/// Each thread stores its place in the grid, `meet`s, and reads that of the next block of its
/// cluster.
fn neighbour(meet: &str, end: &str) -> String {
    let body = format!(
        "{START}
         llvm.store %at, %own : i32, !llvm.ptr<3>
         {meet}
         %up = llvm.add %rank, %one : i32
         %next = llvm.urem %up, %blocks : i32
         %there = nvvm.mapa %own, %next : !llvm.ptr<3> -> !llvm.ptr<7>
         %r = llvm.load %there : !llvm.ptr<7> -> i32
         {end}
         llvm.store %r, %p : i32, !llvm.ptr<1>"
    );
    TILE.to_owned() + &function("%out: !llvm.ptr<1>", &body)
}

fn launch(blocks: u32, threads: u32, cluster: u32, schedule: Schedule) -> Launch {
    let launch = Launch::new("kernel", [blocks, 1, 1], [threads, 1, 1]);
    Launch { cluster: Some([cluster, 1, 1]), schedule, ..launch }
}

fn run(source: &str, launch: &Launch) -> Result<Vec<i32>, Error> {
    let mut memory = Memory::new();
    let [blocks, threads] = [launch.grid, launch.block].map(|n| n.iter().product::<u32>());
    let out = memory.zeroed::<i32>((blocks * threads) as usize);
    program(source).run(launch, &mut memory, &[Arg::Buffer(out)])?;
    Ok(memory.download(out))
}

fn kind(error: Error) -> FindingKind {
    match error {
        Error::Findings(report) => report.findings[0].kind.clone(),
        other => panic!("{other}"),
    }
}

const SCHEDULES: [Schedule; 5] =
    [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1), Schedule::Random(77)];

#[test]
fn a_block_reads_the_shared_memory_of_its_neighbour() {
    for schedule in SCHEDULES {
        for cluster in [1, 2, 4] {
            let found = run(&neighbour(MEET, MEET), &launch(8, 48, cluster, schedule)).unwrap();
            let next = |b: u32| b / cluster * cluster + (b % cluster + 1) % cluster;
            let expected: Vec<i32> = (0..8 * 48).map(|i| (next(i / 48) * 48 + i % 48) as i32).collect();
            assert_eq!(found, expected, "{schedule:?}, clusters of {cluster}");
        }
    }
}

#[test]
fn without_the_barrier_it_is_a_race_or_an_early_read() {
    // Block 0 reads before block 1 writes, and does not know that it has begun.
    let Err(Error::Findings(report)) = run(&neighbour("", MEET), &launch(2, 32, 2, Schedule::Lazy)) else {
        panic!("no findings")
    };
    assert!(matches!(report.findings[0].kind, FindingKind::NotBegun { .. }), "{report}");
    let e = report.to_string();
    assert!(e.contains("in block (1, 0, 0), thread (0, 0, 0): writes byte 0 of shared memory @tile"), "{e}");
    assert!(e.contains("nothing orders it with the read by thread (0, 0, 0) of block (0, 0, 0)"), "{e}");
    // A relaxed arrival publishes nothing.
    let relaxed = "nvvm.cluster.arrive.relaxed {aligned}\nnvvm.cluster.wait {aligned}\n";
    let e = run(&neighbour(relaxed, MEET), &launch(2, 32, 2, Schedule::Lazy)).unwrap_err().to_string();
    assert!(
        e.contains("reads byte 0 of shared memory @tile") && e.contains("of block 1 of the cluster"),
        "{e}"
    );
    assert!(e.contains("nothing orders it with the write by thread (0, 0, 0) of block (1, 0, 0)"), "{e}");
}

#[test]
fn a_block_must_not_leave_while_its_memory_is_used() {
    let e = kind(run(&neighbour(MEET, ""), &launch(2, 32, 2, Schedule::Reverse)).unwrap_err());
    assert!(matches!(e, FindingKind::Exited { place: Place::OfBlock { rank: 1, .. }, .. }), "{e:?}");
}

#[test]
fn the_barrier_of_a_cluster_is_used_in_turns() {
    let misuse =
        |body: &str| match kind(run(&neighbour(body, ""), &launch(2, 32, 2, Schedule::Lazy)).unwrap_err()) {
            FindingKind::ClusterBarrier { misuse } => misuse,
            other => panic!("{other}"),
        };
    let arrive = "nvvm.cluster.arrive\n";
    assert_eq!(misuse(&arrive.repeat(2)), ClusterBarrierMisuse::ArrivesTwice);
    assert_eq!(misuse("nvvm.cluster.wait"), ClusterBarrierMisuse::WaitsFirst);
    assert_eq!(misuse(&(MEET.to_owned() + "nvvm.cluster.wait")), ClusterBarrierMisuse::WaitsFirst);
}

#[test]
fn threads_that_have_returned_are_not_waited_for_and_others_are() {
    let some = |block: &str, instead: &str| {
        let body = format!(
            "{START}
             %zero = llvm.mlir.constant(0 : i32) : i32
             %first = llvm.icmp \"eq\" %rank, %zero : i32
             llvm.cond_br %first, ^meet, ^other
           ^meet:
             {block}
             llvm.store %rank, %p : i32, !llvm.ptr<1>
             llvm.br ^end
           ^other:
             {instead}
             llvm.br ^end
           ^end:"
        );
        run(&(TILE.to_owned() + &function("%out: !llvm.ptr<1>", &body)), &launch(2, 64, 2, Schedule::Lazy))
    };
    some(MEET, "").unwrap();
    let e = some(MEET, "%c64 = llvm.mlir.constant(64 : i32) : i32\nnvvm.barrier id = %one number_of_threads = %c64\n nvvm.cluster.arrive")
        .map(|_| ());
    // The others come later: the barrier of their block does not need the first one.
    e.unwrap();
    let e = some(MEET, "%c96 = llvm.mlir.constant(96 : i32) : i32\nnvvm.barrier id = %one number_of_threads = %c96\nnvvm.cluster.arrive")
        .unwrap_err()
        .to_string();
    assert!(
        e.contains(
            "no thread can go on: 64 threads of block (0, 0, 0) from (0, 0, 0) on wait at `nvvm.cluster.wait`"
        ),
        "{e}"
    );
    assert!(e.contains("64 threads of block (1, 0, 0) from (0, 0, 0) on wait at `nvvm.barrier`"), "{e}");
}

#[test]
fn special_registers_say_where_a_block_is() {
    let names = [
        "cluster.ctaid.x",
        "cluster.ctaid.y",
        "cluster.ctaid.z",
        "cluster.nctaid.x",
        "cluster.nctaid.y",
        "cluster.nctaid.z",
        "clusterid.x",
        "clusterid.y",
        "clusterid.z",
        "nclusterid.x",
        "nclusterid.y",
        "nclusterid.z",
        "cluster.ctarank",
        "cluster.nctarank",
        "ctaid.x",
        "ctaid.y",
        "ctaid.z",
    ];
    let mut body = "%b = nvvm.read.ptx.sreg.clusterid.x : i32\n".to_owned();
    for (i, name) in names.iter().enumerate() {
        body += &format!(
            "%r{i} = nvvm.read.ptx.sreg.{name} : i32
             %p{i} = llvm.getelementptr %out[{i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
             llvm.store %r{i}, %p{i} : i32, !llvm.ptr<1>\n"
        );
    }
    // The last block writes last.
    let start = "%x = nvvm.read.ptx.sreg.ctaid.x : i32
         %y = nvvm.read.ptx.sreg.ctaid.y : i32
         %c5 = llvm.mlir.constant(5 : i32) : i32
         %c2 = llvm.mlir.constant(2 : i32) : i32
         %isx = llvm.icmp \"eq\" %x, %c5 : i32
         %isy = llvm.icmp \"eq\" %y, %c2 : i32
         %is = llvm.and %isx, %isy : i1
         llvm.cond_br %is, ^one, ^end\n^one:\n";
    let source = function("%out: !llvm.ptr<1>", &(start.to_owned() + &body + "llvm.br ^end\n^end:"));
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(names.len());
    let launch = Launch { cluster: Some([2, 3, 1]), ..Launch::new("kernel", [6, 3, 1], [1, 1, 1]) };
    program(&source).run(&launch, &mut memory, &[Arg::Buffer(out)]).unwrap();
    assert_eq!(memory.download::<i32>(out), [1, 2, 0, 2, 3, 1, 2, 0, 0, 3, 1, 1, 5, 6, 5, 2, 0]);
}

#[test]
fn a_pointer_to_another_block_is_of_the_cluster() {
    let access = |body: &str| {
        let body = format!(
            "{START}
             llvm.store %at, %own : i32, !llvm.ptr<3>
             {MEET}
             %there = nvvm.mapa %own, %one : !llvm.ptr<3> -> !llvm.ptr<7>
             {body}
             {MEET}
             llvm.store %r, %p : i32, !llvm.ptr<1>"
        );
        run(&(TILE.to_owned() + &function("%out: !llvm.ptr<1>", &body)), &launch(2, 2, 2, Schedule::Lazy))
    };
    let generic = "%g = llvm.addrspacecast %there : !llvm.ptr<7> to !llvm.ptr
         %r = llvm.load %g : !llvm.ptr -> i32";
    assert_eq!(access(generic).unwrap(), [2, 3, 2, 3]);
    // An address of 32 bits has the rank of its block.
    let number = "%a = llvm.addrspacecast %own : !llvm.ptr<3> to !llvm.ptr<7>
         %i = llvm.ptrtoint %a : !llvm.ptr<7> to i32
         %q = llvm.inttoptr %i : i32 to !llvm.ptr<7>
         %r = llvm.load %q : !llvm.ptr<7> -> i32";
    assert_eq!(access(number).unwrap(), [0, 1, 2, 3]);
    let own = "%a = llvm.addrspacecast %there : !llvm.ptr<7> to !llvm.ptr<3>
         %r = llvm.load %a : !llvm.ptr<3> -> i32";
    assert!(matches!(kind(access(own).unwrap_err()), FindingKind::OtherBlock { .. }));
    let none = "%c2 = llvm.mlir.constant(2 : i32) : i32
         %a = nvvm.mapa %own, %c2 : !llvm.ptr<3> -> !llvm.ptr<7>
         %r = llvm.load %a : !llvm.ptr<7> -> i32";
    assert_eq!(kind(access(none).unwrap_err()), FindingKind::ClusterRank { rank: 2, blocks: 2 });
    let behind = "%a = llvm.getelementptr %there[64] : (!llvm.ptr<7>) -> !llvm.ptr<7>, i32
         %r = llvm.load %a : !llvm.ptr<7> -> i32";
    assert!(matches!(
        kind(access(behind).unwrap_err()),
        FindingKind::OutOfBounds { offset: 256, size: 256, .. }
    ));
}

#[test]
fn a_launch_fits_its_clusters() {
    let kernel =
        neighbour(MEET, MEET).replace("gpu.kernel,", "gpu.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>,");
    let default = |cluster| Launch { cluster, ..launch(4, 32, 2, Schedule::Lazy) };
    assert!(run(&kernel, &default(None)).is_ok());
    let refused = |launch: &Launch| run(&kernel, launch).unwrap_err().to_string();
    assert!(
        refused(&default(Some([4, 1, 1])))
            .ends_with("its cluster is [4, 1, 1], but it was compiled for [2, 1, 1]")
    );
    let odd = Launch { grid: [3, 1, 1], ..default(None) };
    assert!(refused(&odd).ends_with("its clusters [2, 1, 1] do not divide its grid [3, 1, 1]"));
    let large = neighbour(MEET, MEET);
    let e = run(&large, &launch(17, 32, 17, Schedule::Lazy)).unwrap_err().to_string();
    assert!(e.ends_with("its cluster [17, 1, 1] has 17 blocks, but at most 16 are possible"), "{e}");
}

#[test]
fn a_launch_that_the_target_cannot_run_is_refused() {
    let out = "%out: !llvm.ptr<1>";
    let kernel = function(out, "");
    let base = launch(1, 32, 1, Schedule::Lazy);
    let refused = |launch: &Launch| run(&kernel, launch).unwrap_err().to_string();
    for (launch, why) in [
        (
            Launch { block: [1, 1, 65], ..base.clone() },
            "its block is [1, 1, 65], but sm_90a allows at most [1024, 1024, 64]",
        ),
        (
            Launch { grid: [1, 65536, 1], ..base.clone() },
            "its grid is [1, 65536, 1], but sm_90a allows at most [2147483647, 65535, 65535]",
        ),
        (
            Launch { block: [1025, 1, 1], ..base.clone() },
            "its block [1025, 1, 1] has 1025 threads, but at most 1024 are possible",
        ),
        (
            Launch { dynamic_shared: 101_377, target: Target::Sm120a, ..base.clone() },
            "it needs 101377 bytes of shared memory, but sm_120a has at most 101376 per block",
        ),
        (
            Launch { cluster: Some([2, 1, 1]), grid: [2, 1, 1], target: Target::Sm80, ..base.clone() },
            "its cluster is [2, 1, 1], but sm_80 has no clusters",
        ),
    ] {
        let found = refused(&launch);
        assert!(found.ends_with(why), "{found}");
    }
}

#[test]
fn four_warps_meet_at_an_instruction_of_their_warpgroup() {
    let all = "%r = nvvm.read.ptx.sreg.warpid : i32
        nvvm.wgmma.fence.aligned
        llvm.store %r, %p : i32, !llvm.ptr<1>";
    let source = |body: &str| TILE.to_owned() + &function("%out: !llvm.ptr<1>", &(START.to_owned() + body));
    for schedule in SCHEDULES {
        run(&source(all), &launch(1, 256, 1, schedule)).unwrap();
    }
    let some = "%c96 = llvm.mlir.constant(96 : i32) : i32
        %in = llvm.icmp \"ult\" %t, %c96 : i32
        llvm.cond_br %in, ^go, ^end
      ^go:
        nvvm.wgmma.fence.aligned
        llvm.br ^end
      ^end:";
    let e = run(&source(some), &launch(1, 128, 1, Schedule::Lazy)).unwrap_err().to_string();
    assert!(
        e.contains("`nvvm.wgmma.fence.aligned`")
            && e.contains("of 128 threads wait here; thread (96, 0, 0) has returned"),
        "{e}"
    );
    // Two warps do not form a warpgroup.
    let e = run(&source(all), &launch(1, 64, 1, Schedule::Lazy)).unwrap_err().to_string();
    assert!(e.contains("of 128 threads wait"), "{e}");
}

#[test]
fn unknown_address_spaces_are_refused_by_name() {
    let e = decode(&function("%p: !llvm.ptr<9>", "")).unwrap_err().to_string();
    assert!(e.contains("type !llvm.ptr<9> is not modelled"), "{e}");
}

/// The second block of a cluster reads what nobody has written.
#[test]
fn an_early_read_names_the_block_that_reads() {
    let body = format!(
        "{START}
         %second = llvm.icmp \"eq\" %b, %one : i32
         llvm.cond_br %second, ^read, ^end
       ^read:
         %v = llvm.load %own : !llvm.ptr<3> -> i32
         llvm.store %v, %p : i32, !llvm.ptr<1>
         llvm.br ^end
       ^end:"
    );
    let source = TILE.to_owned() + &function("%out: !llvm.ptr<1>", &body);
    for schedule in SCHEDULES {
        let Err(Error::Findings(report)) = run(&source, &launch(2, 48, 2, schedule)) else {
            panic!("nothing is found");
        };
        let first = &report.findings[0];
        assert!(matches!(first.kind, FindingKind::Uninitialised { .. }), "{first}");
        assert_eq!(first.block, [1, 0, 0], "{schedule:?}");
    }
}
