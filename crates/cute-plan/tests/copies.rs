//! Laws of the arrangements of threads and values.

use std::collections::HashSet;

use cute_algebra::{CopyLayouts, Crd, TiledCopy, Tuple, crd2idx, make_ordered_layout, parse_layout, size_at};
use cute_plan::{CopyCandidate, Copying, copies};

fn of(extents: &[i64], threads: i64, vector: i64) -> Vec<CopyCandidate> {
    let values = extents.iter().product::<i64>() / threads;
    copies(&Copying { extents: extents.to_vec(), threads, vector, values })
}

fn position(candidate: &CopyCandidate, thread: i64, value: i64) -> i64 {
    let own = Tuple::from_modes([thread, value].map(|i| Tuple::leaf(Crd::Int(i))));
    let position = crd2idx(&own, &candidate.layout_tv).expect("within the layout");
    *position.as_leaf().expect("an integer")
}

#[test]
fn arrangements_cover_the_tile_once_and_keep_vectors() {
    for (extents, threads, vector) in [
        (vec![128, 8], 128, 8),
        (vec![16, 64], 128, 8),
        (vec![64, 64], 128, 8),
        (vec![32, 8], 256, 1),
        (vec![12, 10], 6, 2),
        (vec![8, 6, 4], 32, 2),
        (vec![64], 8, 4),
        (vec![1, 64], 16, 4),
    ] {
        let all = of(&extents, threads, vector);
        assert!(!all.is_empty(), "{extents:?}");
        let size: i64 = extents.iter().product();
        let mut seen = HashSet::new();
        for c in &all {
            assert_eq!((size_at(&c.layout_tv, &[0]).unwrap(), &c.tiler), (threads, &extents), "{}", c.text);
            let step: i64 = extents[..c.contiguous].iter().product();
            let mut function = Vec::new();
            for thread in 0..threads {
                for value in 0..size / threads {
                    let at = position(c, thread, value);
                    if value % vector != 0 {
                        assert_eq!(at, function.last().unwrap() + step, "{}", c.text);
                    } else {
                        assert_eq!(at / step % extents[c.contiguous] % vector, 0, "{}", c.text);
                    }
                    function.push(at);
                }
            }
            assert_eq!(c.threads.iter().product::<i64>(), threads);
            let covered: HashSet<i64> = function.iter().copied().collect();
            assert_eq!(covered, (0..size).collect(), "{}", c.text);
            assert!(seen.insert(function), "{} is there twice", c.text);
        }
        let key = |c: &CopyCandidate| (c.text.matches(',').count(), c.text.clone());
        assert!(all.windows(2).all(|w| key(&w[0]) < key(&w[1])), "{extents:?}");
    }
}

fn texts(extents: &[i64], threads: i64, vector: i64) -> Vec<String> {
    of(extents, threads, vector).into_iter().map(|c| c.text).collect()
}

#[test]
fn the_usual_arrangements_are_there() {
    let has = |extents: &[i64], threads, vector, text: &str| {
        let all = texts(extents, threads, vector);
        assert!(all.iter().any(|found| found == text), "{text} is not among {all:?}");
    };
    has(&[128, 8], 128, 8, "((16,8),8):((8,128),1)");
    has(&[16, 64], 128, 8, "((8,16),8):((128,1),16)");
    has(&[64, 64], 128, 8, "((8,16),(8,4)):((512,1),(64,16))");
    has(&[32, 8], 256, 1, "((8,32),1):((32,1),0)");
    has(&[4, 256], 128, 8, "((32,4),8):((32,1),4)");
    has(&[64], 8, 4, "(8,(4,2)):(4,(1,32))");
}

/// Where each thread has one vector, the arrangements are those of make_tiled_copy_tv.
#[test]
fn they_are_tiled_copies_of_thread_and_value_layouts() {
    let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
    for (extents, order, values) in [([16, 64], [1, 0], "(1,8):(0,1)"), ([128, 8], [0, 1], "(8,1):(1,0)")] {
        let contiguous = order.iter().position(|place| *place == 0).unwrap();
        let mut shape = extents;
        shape[contiguous] /= 8;
        let threads = make_ordered_layout(&Tuple::from_leaves(shape), &Tuple::from_leaves(order)).unwrap();
        let atom = CopyLayouts::of_thread(8).unwrap();
        let copy = TiledCopy::of_thread_values(atom, &threads, &layout(values)).unwrap();
        let all = of(&extents, 128, 8);
        assert!(
            all.iter().any(|c| (0..128).all(|thread| (0..8).all(|value| {
                let own = Tuple::from_modes([thread, value].map(|i| Tuple::leaf(Crd::Int(i))));
                *crd2idx(&own, copy.tv()).unwrap().as_leaf().unwrap() == position(c, thread, value)
            }))),
            "{} is not among them",
            copy.tv()
        );
    }
}

#[test]
fn numbers_that_do_not_fit_have_no_arrangement() {
    let none = |extents: &[i64], threads, vector, values| {
        assert_eq!(copies(&Copying { extents: extents.to_vec(), threads, vector, values }), []);
    };
    none(&[16, 64], 128, 8, 16);
    none(&[16, 64], 128, 3, 8);
    none(&[6, 6], 4, 4, 9);
    none(&[0, 64], 128, 8, 8);
    none(&[i64::MAX, 64], 128, 8, 8);
    none(&[16, 64], 0, 8, 8);
    none(&[1 << 40, 1 << 20], 1 << 30, 1, 1 << 30);
    none(&[16, 64], 128, 0, 8);
    assert_eq!(texts(&[], 1, 1), Vec::<String>::new());
    assert_eq!(texts(&[1], 1, 1), ["(1,1):(0,0)"]);
}
