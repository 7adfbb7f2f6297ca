//! Stores and reductions of boxes.

use super::*;

#[test]
fn boxes_of_all_ranks_are_stored() {
    use MapElement as E;
    use MapSwizzle as S;
    for (element, extents, boxes, swizzle) in [
        (E::F16, &[100][..], &[64][..], S::B128),
        (E::F32, &[40, 19], &[8, 16], S::B32),
        (E::U8, &[48, 5, 7], &[32, 4, 3], S::None),
        (E::Bf16, &[24, 3, 5, 4], &[8, 2, 3, 2], S::B64),
        (E::S32, &[12, 3, 2, 3, 3], &[4, 2, 2, 2, 2], S::B128),
    ] {
        let map = tensor(element, extents, boxes, swizzle);
        let before = bytes_of(&map);
        let tile: Vec<u8> = (0..map.box_bytes()).map(|i| (i * 7 % 251) as u8).collect();
        for (at, schedule) in [0, 1, -1, 2, 3].into_iter().zip(SCHEDULES) {
            let coordinates: Vec<i32> = boxes.iter().map(|b| at * *b as i32 / 2).collect();
            let mut expected = before.clone();
            let size = element.bits() as usize / 8;
            for (to, from) in elements(&map, &coordinates) {
                if let Some(to) = to {
                    expected[to..to + size].copy_from_slice(&tile[from..from + size]);
                }
            }
            for wait in [WAIT_READ, "nvvm.cp.async.bulk.wait_group 0"] {
                let source = store_kernel(&map, &coordinates, FENCE, STORE, wait);
                let found = store(&source, &map, &before, &tile, schedule).unwrap_or_else(|e| panic!("{e}"));
                assert!(found == expected, "{element} {boxes:?} {swizzle:?} {coordinates:?}");
            }
        }
    }
}

/// A box that reaches over the edges of the tensor, as one with padded rows does: what lies outside
/// is not stored, so nothing needs to be there.
#[test]
fn bytes_outside_of_the_tensor_may_be_unwritten() {
    let map = tensor(MapElement::Bf16, &[8, 2], &[16, 4], MapSwizzle::None);
    let before = bytes_of(&map);
    let tile: Vec<u8> = (0..map.box_bytes()).map(|i| (i * 7 % 251) as u8).collect();
    // The first words of the tile that are written, of 8 for each row.
    for (coordinates, words, unwritten) in [([0, 0], 12, None), ([0, 0], 11, Some(44)), ([0, 1], 4, None)] {
        let source = store_kernel(&map, &coordinates, FENCE, STORE, WAIT_READ);
        let every = format!("%words = llvm.mlir.constant({} : i32)", map.box_bytes() / 4);
        assert!(source.contains(&every), "{source}");
        let source = source.replace(&every, &format!("%words = llvm.mlir.constant({words} : i32)"));
        for schedule in SCHEDULES {
            let mut expected = before.clone();
            for (to, from) in elements(&map, &coordinates) {
                if let Some(to) = to {
                    expected[to..to + 2].copy_from_slice(&tile[from..from + 2]);
                }
            }
            match (store(&source, &map, &before, &tile, schedule), unwritten) {
                (Ok(found), None) => assert!(found == expected, "{coordinates:?} {schedule:?}"),
                (Err(e), Some(at)) => {
                    let text = e.to_string();
                    let wanted = format!("byte {at} of shared memory @tile");
                    assert!(
                        text.contains(&wanted) && text.contains("is read before it is written"),
                        "{text}"
                    );
                }
                (found, _) => panic!("{coordinates:?} {words}: {found:?}"),
            }
        }
    }
}

/// The result of each reduction for the existing elements.
#[test]
fn elements_are_reduced() {
    use MapElement as E;
    let run = |element: E, kind: &str, old: &[u8], new: &[u8]| {
        let extent = u64::from(16 * 8 / element.bits());
        let map = tensor(element, &[extent], &[extent as u32], MapSwizzle::None);
        let found = SCHEDULES.map(|schedule| {
            let reduction = if schedule == Schedule::Eager { reduce_in_text(kind) } else { reduce(kind) };
            let source = store_kernel(&map, &[0], FENCE, &reduction, WAIT_READ);
            store(&source, &map, old, new, schedule)
        });
        // The instruction has two names.
        let what = |e: Error| e.to_string().rsplit("): ").next().unwrap_or_default().to_owned();
        let found = found.map(|f| f.map_err(what));
        assert!(found.iter().all(|f| *f == found[0]), "{found:?}");
        found.into_iter().next().unwrap()
    };
    let words = |words: [i32; 4]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let (old, new) = (words([5, -7, 3, 12]), words([-6, 2, 3, 10]));
    for (element, kind, expected) in [
        (E::S32, "add", [-1, -5, 6, 22]),
        (E::S32, "min", [-6, -7, 3, 10]),
        (E::S32, "max", [5, 2, 3, 12]),
        (E::U32, "min", [5, 2, 3, 10]),
        (E::U32, "and", [5 & -6, -7 & 2, 3, 8]),
        (E::U32, "or", [5 | -6, -7 | 2, 3, 14]),
        (E::U32, "xor", [5 ^ -6, -7 ^ 2, 0, 6]),
        (E::U32, "inc", [6, 0, 0, 0]),
        (E::U32, "dec", [4, 2, 2, 10]),
    ] {
        assert_eq!(run(element, kind, &old, &new), Ok(words(expected)), "{element} {kind}");
    }
    let halves =
        |x: [f32; 8]| -> Vec<u8> { x.iter().flat_map(|x| half::f16::from_f32(*x).to_le_bytes()).collect() };
    let sum = run(E::F16, "add", &halves([1.5; 8]), &halves([0.25; 8]));
    assert_eq!(sum, Ok(halves([1.75; 8])));
    let refused = run(E::F16, "inc", &halves([1.5; 8]), &halves([0.25; 8])).unwrap_err();
    assert!(refused.ends_with("elements of f16 have no reduction `inc`, only elements of u32"), "{refused}");
}

#[test]
fn a_warp_that_stores_a_box_stores_it_once() {
    let map = tensor(MapElement::S32, &[4], &[4], MapSwizzle::None);
    let (old, new, sum) = ([1i32; 4], [2i32; 4], [3i32; 4]);
    let bytes = |words: [i32; 4]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    // The condition holds for every lane, and each lane writes to the tile again when it has
    // waited.
    let again = "%mine = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        llvm.store %t, %mine : i32, !llvm.ptr<3>";
    let source = store_kernel(&map, &[0], FENCE, &reduce("add"), &format!("{WAIT_READ}\n{again}"))
        .replace("llvm.cond_br %first, ^send", "llvm.cond_br %every, ^send")
        .replace("%first =", "%every = llvm.mlir.constant(true) : i1\n     %first =");
    // One lane, which is not the first, waits for the store of its warp and writes to the tile.
    let waits = format!(
        "%two = llvm.mlir.constant(2 : i32) : i32
         %waits = llvm.icmp \"eq\" %t, %two : i32
         llvm.cond_br %waits, ^waits, ^goes
       ^waits:
         {WAIT_READ}
         {again}
         llvm.br ^goes
       ^goes:"
    );
    let one_waits = source.replace(&format!("{WAIT_READ}\n{again}"), &waits);
    assert_ne!(one_waits, source);
    for schedule in SCHEDULES {
        for source in [&source, &one_waits] {
            let found = store(source, &map, &bytes(old), &bytes(new), schedule);
            assert_eq!(found.map_err(|e| e.to_string()), Ok(bytes(sum)), "{schedule:?}");
        }
    }
}

/// Even and odd lanes reach the store one after another.
#[test]
fn lanes_that_issue_one_store_apart_do_not_race() {
    let map = tensor(MapElement::S32, &[4], &[4], MapSwizzle::None);
    let (old, new) = ([1i32; 4], [2i32; 4]);
    let bytes = |words: [i32; 4]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let apart = |send: &str, change: &str| {
        let rounds = format!(
            "%apart_none = llvm.mlir.constant(0 : i32) : i32
             %apart_step = llvm.mlir.constant(1 : i32) : i32
             %apart_rounds = llvm.mlir.constant(2 : i32) : i32
             %apart_half = llvm.and %t, %apart_step : i32
             llvm.br ^apart_round(%apart_none : i32)
           ^apart_round(%apart_round: i32):
             %apart_mine = llvm.icmp \"eq\" %apart_half, %apart_round : i32
             llvm.cond_br %apart_mine, ^apart_issue, ^apart_next
           ^apart_issue:
             {send}
             nvvm.cp.async.bulk.commit.group
             {WAIT_READ}
             llvm.br ^apart_next
           ^apart_next:
             {change}
             %apart_after = llvm.add %apart_round, %apart_step : i32
             %apart_more = llvm.icmp \"ult\" %apart_after, %apart_rounds : i32
             llvm.cond_br %apart_more, ^apart_round(%apart_after : i32), ^apart_last
           ^apart_last:"
        );
        let source = store_kernel(&map, &[0], FENCE, "SEND", WAIT_READ);
        let from = source.find("SEND").unwrap();
        let to = from + source[from..].find(WAIT_READ).unwrap() + WAIT_READ.len();
        let source = format!("{}{}{}", &source[..from], rounds.replace("LIST", "%c0"), &source[to..]);
        source
            .replace("llvm.cond_br %first, ^send", "llvm.cond_br %every, ^send")
            .replace("%first =", "%every = llvm.mlir.constant(true) : i1\n     %first =")
    };
    for schedule in SCHEDULES {
        let found = store(&apart(STORE, ""), &map, &bytes(old), &bytes(new), schedule);
        assert_eq!(found.map_err(|e| e.to_string()), Ok(bytes(new)), "{schedule:?}");
        // Other bytes are another store. Even lanes write them, to words that the box has.
        let change = format!(
            "%apart_far = llvm.mlir.constant(64 : i32) : i32
             %apart_odd = llvm.mul %apart_half, %apart_far : i32
             %apart_at = llvm.add %t, %apart_odd : i32
             %apart_own = llvm.getelementptr %tile[%apart_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
             llvm.store %t, %apart_own : i32, !llvm.ptr<3>
             {FENCE}
             nvvm.barrier0"
        );
        let e = store(&apart(STORE, &change), &map, &bytes(old), &bytes(new), schedule).unwrap_err();
        let e = e.to_string();
        assert!(e.contains("nothing orders it with the asynchronous write"), "{schedule:?}: {e}");
        // A reduction counts each time that lanes reach it.
        let found = store(&apart(&reduce("add"), ""), &map, &bytes(old), &bytes(new), schedule);
        assert_eq!(found.map_err(|e| e.to_string()), Ok(bytes([5; 4])), "{schedule:?}");
    }
}

#[test]
fn what_is_not_waited_for_or_not_fenced_is_found() {
    let map = tensor(MapElement::F32, &[40, 19], &[8, 16], MapSwizzle::B32);
    let before = bytes_of(&map);
    let tile = vec![1; map.box_bytes() as usize];
    let bare = load_kernel(128, 512, &[0, 0]).replace(WAIT, "");
    for schedule in SCHEDULES {
        let found = |fence: &str, send: &str, wait: &str| {
            let source = store_kernel(&map, &[0, 0], fence, send, wait);
            store(&source, &map, &before, &tile, schedule).unwrap_err().to_string()
        };
        let e = found("", STORE, WAIT_READ);
        assert!(
            e.contains("reads byte 0 of shared memory @tile (allocated at -:10:14) through the async proxy, but may not see the write by"),
            "{e}"
        );
        let unread = store_kernel(&map, &[0, 0], FENCE, STORE, "");
        for pedantic in [false, true] {
            let launch = Launch { schedule, pedantic, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
            let (_, report) = store_by(&launch, &unread, &map, &before, &tile).unwrap();
            let notes: Vec<_> = report.findings.iter().map(|note| (note.grade, note.to_string())).collect();
            let [(Grade::Note, note)] = &notes[..] else {
                assert!(!pedantic && notes.is_empty(), "{notes:?}");
                continue;
            };
            let why = "the block returns without knowing that this copy has read its shared memory";
            assert!(note.contains(why), "{note}");
        }
        // The first store may come after the second.
        let e = found(FENCE, &format!("{STORE}\n{STORE}"), WAIT_READ);
        assert!(
            e.contains("writes byte 0 of buffer 1 through the async proxy, and nothing orders it with the"),
            "{e}"
        );
        store(
            &store_kernel(&map, &[0, 0], FENCE, &format!("{0}\n{0}", reduce("add")), WAIT_READ),
            &map,
            &before,
            &tile,
            schedule,
        )
        .unwrap_or_else(|e| panic!("{e}"));
        let again = "%v0 = llvm.load %tile : !llvm.ptr<3> -> i32\nllvm.store %v0, %tile : i32, !llvm.ptr<3>";
        let e = found(FENCE, STORE, &format!("{again}\n{WAIT_READ}"));
        assert!(e.contains("nothing orders it with the asynchronous read by thread (0, 0, 0)"), "{e}");
        assert!(e.contains("complete for that thread after `cp.async.bulk.wait_group.read`"), "{e}");
        store(
            &store_kernel(&map, &[0, 0], FENCE, STORE, &format!("{WAIT_READ}\n{again}")),
            &map,
            &before,
            &tile,
            schedule,
        )
        .unwrap_or_else(|e| panic!("{e}"));

        let mut memory = Memory::new();
        let out = memory.zeroed::<u32>(128);
        let buffer = memory.upload_bytes(&before);
        let map = TensorMap { address: memory.address(buffer).unwrap(), ..map.clone() };
        let launch = Launch { schedule, ..Launch::new("kernel", [1; 3], [32, 1, 1]) };
        let args = [Arg::words(&map.words().unwrap()), Arg::Buffer(out)];
        let e = program(&bare).run(&launch, &mut memory, &args).unwrap_err().to_string();
        assert!(e.contains("nothing orders it with the asynchronous write by thread (0, 0, 0)"), "{e}");
        let phase = "which is complete for threads that wait for phase 0 of the mbarrier at byte 0 of shared memory @full";
        assert!(e.contains(phase), "{e}");
    }
}
