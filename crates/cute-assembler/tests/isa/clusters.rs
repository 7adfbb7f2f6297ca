//! The barrier of a cluster, and addresses in its blocks: memory orders, lanes that are missing and
//! ranks at the edges (PTX ISA: barrier.cluster, fence.mbarrier_init, mapa, getctarank).

use super::Grid;
use cute_sim::Schedule;

const PAIR: Grid<'static> = Grid { blocks: 2, ..Grid::WARP };

const SCHEDULES: [Schedule; 3] = [Schedule::Lazy, Schedule::Reverse, Schedule::Random(3)];

/// Each thread writes its word, and reads that of the other block behind these instructions.
fn exchange(meet: &str) -> String {
    format!(
        "mov.u32 %r4, tile; mad.lo.u32 %r4, %r1, 4, %r4; st.shared.u32 [%r4], %r0; {meet}
         mov.u32 %r5, %cluster_ctarank; xor.b32 %r5, %r5, 1; mapa.shared::cluster.u32 %r6, %r4, %r5;
         ld.shared::cluster.u32 %r2, [%r6];
         barrier.cluster.arrive; barrier.cluster.wait;"
    )
}

/// An arrival releases and a wait acquires, unless the arrival is relaxed.
#[test]
fn a_barrier_orders_the_memory_of_the_cluster() {
    let words: Vec<u32> = (100..164).collect();
    let expected: Vec<u32> = (0..64).map(|i| 100 + (i ^ 32)).collect();
    for schedule in SCHEDULES {
        let grid = Grid { schedule, ..PAIR };
        for meet in [
            "barrier.cluster.arrive; barrier.cluster.wait;",
            "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
            "barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;",
            "barrier.cluster.arrive.release; barrier.cluster.wait.acquire;",
            "fence.acq_rel.cluster; barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
            "fence.release.sync_restrict::shared::cta.cluster; barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
            // Two phases, one after the other.
            "barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait;",
        ] {
            assert_eq!(grid.run(&exchange(meet), &words), Ok(expected.clone()), "{meet} {schedule:?}");
        }
        for meet in [
            "barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
            "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;",
            "fence.acq_rel.cta; barrier.cluster.arrive.relaxed; barrier.cluster.wait;",
            "bar.sync 0;",
            // The fence comes too late.
            "barrier.cluster.arrive.relaxed; fence.acq_rel.cluster; barrier.cluster.wait;",
        ] {
            grid.fails(&exchange(meet), "nothing orders it with");
        }
    }
}

/// Threads that have ended count as arrived, and warps arrive as a whole where it says `.aligned`.
#[test]
fn all_threads_of_the_cluster_meet() {
    let alone = |grid: Grid<'_>, body: &str| grid.run(body, &vec![0; (grid.blocks * 32) as usize]);
    let one = Grid { blocks: 1, ..PAIR };
    let meet = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.b32 %r2, 1;";
    assert_eq!(alone(one, meet), Ok(vec![1; 32]));
    assert_eq!(alone(Grid { blocks: 8, ..PAIR }, meet), Ok(vec![1; 256]));
    for schedule in SCHEDULES {
        let grid = Grid { schedule, ..PAIR };
        // Some lanes, and all of a block, end before.
        for ends in ["setp.lt.u32 %p0, %r1, 7;", "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p0, %r4, 1;"] {
            let is_left = |thread: u32| {
                if ends.contains("ctaid") { thread < 32 } else { thread % 32 >= 7 }
            };
            let expected = (0..64).map(|thread| if is_left(thread) { 1 } else { u32::MAX });
            let expected: Vec<u32> = expected.collect();
            for form in ["", ".aligned"] {
                let body = format!(
                    "{ends} @%p0 exit; barrier.cluster.arrive{form}; barrier.cluster.wait{form}; mov.b32 %r2, 1;"
                );
                assert_eq!(alone(grid, &body), Ok(expected.clone()), "{body} {schedule:?}");
            }
        }
        for (body, message) in [
            (
                "barrier.cluster.arrive; barrier.cluster.arrive;",
                "has already arrived at the barrier of the cluster",
            ),
            ("barrier.cluster.wait;", "has not arrived there since it last waited"),
            (
                "barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.wait;",
                "has not arrived there since it last waited",
            ),
            (
                "setp.lt.u32 %p0, %r1, 7; @%p0 bra skip; barrier.cluster.arrive.aligned; skip: barrier.cluster.wait;",
                "has not arrived there since it last waited",
            ),
            (
                "mov.u32 %r4, %ctaid.x; setp.eq.u32 %p0, %r4, 1; @%p0 bra.uni skip; barrier.cluster.arrive;
                 barrier.cluster.wait; skip: bar.sync 1, 64;",
                "no thread can go on",
            ),
        ] {
            grid.fails(body, message);
        }
    }
}

/// A fence after the initialisation makes a relaxed barrier of the cluster enough.
#[test]
fn barriers_are_initialised_for_the_cluster() {
    let body = |fence: &str| {
        format!(
            "setp.ne.u32 %p0, %r1, 0; @%p0 bra begun; mbarrier.init.shared::cta.b64 [bar], 32; {fence} begun:
             barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
             mov.u32 %r4, bar; mov.u32 %r5, %cluster_ctarank; xor.b32 %r5, %r5, 1;
             mapa.shared::cluster.u32 %r4, %r4, %r5; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
             again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [bar], 0; @!%p1 bra again;
             mov.b32 %r2, 1; barrier.cluster.arrive; barrier.cluster.wait;"
        )
    };
    for schedule in SCHEDULES {
        let grid = Grid { schedule, ..PAIR };
        assert_eq!(grid.run(&body("fence.mbarrier_init.release.cluster;"), &[0; 64]), Ok(vec![1; 64]));
        grid.fails(&body(""), "nothing orders it with the write by thread (0, 0, 0) of block");
        grid.fails(
            &body("fence.acq_rel.cta;"),
            "nothing orders it with the write by thread (0, 0, 0) of block",
        );
    }
}

/// Ranks are those of the cluster, and addresses of 32 or 64 bits are of the cluster's window.
#[test]
fn addresses_name_blocks() {
    let ranks = |grid: Grid<'_>, body: &str| {
        let body = format!("{body} barrier.cluster.arrive; barrier.cluster.wait;");
        grid.run(&body, &vec![0; (grid.blocks * 32) as usize]).unwrap_or_else(|e| panic!("{body}: {e}"))
    };
    let eight = Grid { blocks: 8, ..PAIR };
    for rank in [0, 1, 7] {
        let near = format!(
            "mov.u32 %r4, tile; mapa.shared::cluster.u32 %r4, %r4, {rank}; getctarank.shared::cluster.u32 %r2, %r4;"
        );
        assert_eq!(ranks(eight, &near), vec![rank; 256]);
        let generic = format!(
            "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; mapa.u64 %rd3, %rd3, {rank}; getctarank.u64 %r2, %rd3;"
        );
        assert_eq!(ranks(eight, &generic), vec![rank; 256]);
    }
    // The address of a block's own memory, and that of its last byte, are those of its own rank.
    let own = "mov.u32 %r4, tile; getctarank.shared::cluster.u32 %r2, %r4;";
    assert_eq!(ranks(eight, own), (0..256).map(|thread| thread / 32).collect::<Vec<u32>>());
    let last = "mov.u32 %r4, tile; add.u32 %r4, %r4, 8191; mapa.shared::cluster.u32 %r4, %r4, 7;
        getctarank.shared::cluster.u32 %r2, %r4;";
    assert_eq!(ranks(eight, last), vec![7; 256]);
    let beyond =
        "mov.u32 %r4, tile; mapa.shared::cluster.u32 %r4, %r4, 2; ld.shared::cluster.u32 %r2, [%r4];";
    PAIR.fails(beyond, "block 2 of the cluster, but the cluster has 2 blocks");
}
