//! The chosen layout of a tile against all of its candidates, and against forms that the test
//! enumerates by itself.

mod common;

use cute_algebra::{
    AnyLayout, Layout, LayoutLike, Stride, Swizzle, Tuple, cosize, make_layout, make_ordered_layout,
    parse_shape,
};
use cute_arch::banks::{Access, Traffic};
use cute_plan::{Cost, PlanError, Problem as _, TileProblem, TileSpec, plan_tile, tiles};
use fastrand::Rng;

use common::{layout, random, tile};

/// The choice by trying every candidate: the lowest cost, then the text with the fewest numbers.
fn brute_force(tile: &TileSpec, accesses: &[(Access, u64)]) -> Option<(Cost, String)> {
    // The index of each element of each access, by value, then thread.
    let whole = AnyLayout::Plain(make_layout(&tile.shape).expect("a small shape"));
    let indices: Vec<(usize, Vec<i64>)> =
        accesses.iter().map(|(access, _)| access.offsets(&whole).expect("within the tile")).collect();
    let of = |candidate: &cute_plan::LayoutCandidate| {
        let mut cost = Cost::of_bytes(candidate.bytes as u64);
        let offsets = common::offsets(&candidate.layout);
        for ((access, weight), (threads, indices)) in accesses.iter().zip(&indices) {
            let own = indices.iter().map(|index| offsets[*index as usize]).collect();
            let traffic = Traffic::of_vectors(*threads, own, tile.bits, access.vector).ok()?;
            let conflicts = traffic.conflicts(|offset| offset);
            cost.wavefronts += conflicts.passes * weight;
            cost.instructions += conflicts.instructions * weight;
        }
        Some((cost, candidate.layout.to_string()))
    };
    let key = |text: &str| (text.matches(',').count(), text.to_string());
    tiles(tile).iter().filter_map(of).min_by_key(|(cost, text)| (*cost, key(text)))
}

#[test]
fn the_search_equals_brute_force() {
    let mut rng = Rng::with_seed(1);
    let mut planned = 0;
    for round in 0..200 {
        let uses = rng.usize(1..=3);
        let common::Problem { tile, accesses } = random(&mut rng, 64, 64, uses);
        let best = brute_force(&tile, &accesses);
        match plan_tile(&tile, &accesses) {
            Ok(plan) => {
                assert!(plan.solution.proven);
                let found = (plan.solution.cost, plan.candidate.text.clone());
                assert_eq!(Some(found), best, "round {round}: {tile:?}, {accesses:?}");
                planned += 1;
            }
            Err(error) => assert_eq!(best, None, "round {round}: {error}"),
        }
    }
    assert!(planned > 150, "{planned} of 200 tiles have a layout for all accesses");
}

/// `layout` with `elements` after each `period`: written independently of what the crate uses.
fn with_gaps(layout: &Layout<i64>, period: i64, elements: i64) -> Layout<i64> {
    let stride = layout.stride().map(|d| {
        let d = d.as_static().expect("a number");
        Stride::int(d + d / period * elements)
    });
    Layout::new(layout.shape().clone(), stride).expect("the trees of a layout")
}

/// The fewest wavefronts over all orders of the modes, paddings of up to 32 bytes after each row,
/// and swizzles, which keep the vectors of the tile whole and its offsets within the memory that
/// the padded layout takes.
fn fewest(tile: &TileSpec, accesses: &[(Access, u64)]) -> Option<u64> {
    let mut best: Option<u64> = None;
    let TileSpec { shape, bits, vector, .. } = tile;
    for order in [[0, 1], [1, 0]] {
        let base = make_ordered_layout(shape, &Tuple::from_leaves(order)).expect("a small shape");
        let row = shape.leaves()[order[0] as usize];
        let mut padded = vec![base.clone()];
        if row > 1 && row % vector == 0 {
            let steps = (1..=256 / bits / vector).map(|n| n * vector);
            padded.extend(steps.map(|elements| with_gaps(&base, row, elements)));
        }
        for layout in padded {
            let end = cosize(&layout).expect("a small layout");
            let traffic: Option<Vec<_>> = accesses
                .iter()
                .map(|(access, weight)| Some((Traffic::new(access, &layout, *bits).ok()?, weight)))
                .collect();
            let Some(traffic) = traffic else { continue };
            let offsets: Vec<i64> = common::offsets(&layout.to_any());
            for swizzle in Swizzle::within(10).filter(|s| s.is_identity() || 1 << s.base() >= *vector) {
                let place = |offset: i64| swizzle.apply(&offset).expect("a small offset");
                if offsets.iter().all(|offset| place(*offset) < end) {
                    let passes = traffic.iter().map(|(t, weight)| t.conflicts(place).passes * **weight).sum();
                    best = Some(best.map_or(passes, |best| best.min(passes)));
                }
            }
        }
    }
    best
}

#[test]
fn small_tiles_have_no_better_order_padding_or_swizzle() {
    let mut rng = Rng::with_seed(2);
    for round in 0..60 {
        let uses = rng.usize(1..=2);
        let common::Problem { tile, accesses } = random(&mut rng, 8, 64, uses);
        let fewest = fewest(&tile, &accesses);
        match plan_tile(&tile, &accesses) {
            Ok(plan) => {
                let found = plan.solution.cost.wavefronts;
                assert!(
                    fewest.is_none_or(|fewest| found <= fewest),
                    "round {round}: {found} instead of {fewest:?} wavefronts for {tile:?}, {accesses:?}: {}",
                    plan.candidate.text
                );
            }
            Err(error) => assert_eq!(fewest, None, "round {round}: {error}"),
        }
    }
}

fn access(text: &str, vector: i64) -> (Access, u64) {
    (Access { name: "rows".into(), layout: layout(text), vector: Some(vector) }, 1)
}

#[test]
fn the_runner_up_of_one_tile_is_the_second_candidate() {
    let tile = tile("(16,16)", 32, 1);
    let accesses = [access("(16,16):(1,16)", 1), access("(16,16):(16,1)", 1)];
    let plan = plan_tile(&tile, &accesses).expect("a layout");
    let runner = plan.solution.runner_up.clone().expect("there are more candidates");
    let problem = TileProblem::new(&tile, &accesses).expect("a problem");
    let mut all: Vec<(Cost, &str)> = (0..problem.candidates().len())
        .filter_map(|n| {
            let uses: Option<Cost> = [0, 1].map(|at| problem.cost(at, &[n])).into_iter().sum();
            Some((uses?.plus(Cost::of_bytes(problem.bytes(0, n))), problem.text(0, n)))
        })
        .collect();
    all.sort_unstable();
    assert_eq!(all[0], (plan.solution.cost, &*plan.candidate.text));
    assert_eq!(all[1], (runner.cost, problem.text(0, runner.choice[0])));
}

#[test]
fn errors_give_the_rule() {
    let text = |error: PlanError| error.to_string();
    let fails =
        |tile: &TileSpec, of: &str| text(plan_tile(tile, &[access(of, 1)]).expect_err("not possible"));
    let good = tile("(8,8)", 16, 1);
    assert_eq!(
        fails(&good, "(8,9):(1,8)"),
        "bank analysis: access rows: value 8 of thread 0 is element 64 of a tile of 64"
    );
    let huge = TileSpec {
        shape: parse_shape("(4611686018427387904,4)").unwrap().to_const().unwrap(),
        ..good.clone()
    };
    assert_eq!(
        fails(&huge, "1:0"),
        "a tile of shape (4611686018427387904,4) and elements of 16 bits has no layout: its bits are more than 2^63"
    );
    let nothing = TileSpec { most: Some(63), ..good };
    assert_eq!(
        fails(&nothing, "1:0"),
        "a tile of shape (8,8) and elements of 16 bits has no layout: all candidates span more than 63 elements"
    );
    // Vectors along both modes cannot be whole at once.
    let both = [access("(4,2):(2,1)", 2), access("(2,(2,2)):(1,(2,4))", 2)];
    let error = text(plan_tile(&tile("(2,4)", 16, 1), &both).expect_err("not possible"));
    assert!(error.starts_with("no choice of layouts is possible; use 0 excludes "), "{error}");
    assert!(error.contains("2 side by side are needed"), "{error}");
}
