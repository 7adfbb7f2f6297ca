//! Exchanges of registers: what a plan says, carried out, gives every register what it should have.

use cute_algebra::Layout;
use cute_arch::atoms::{Generation, Instruction, MmaAtom, mma_atoms};
use cute_placement::convert::{ConvertError, Exchange, Owners, Plan, RoundTrip, Source, Table, WARP, plan};

/// The offsets of all coordinates, first mode fastest.
fn offsets(layout: &Layout<i64>) -> Vec<i64> {
    layout.flat().fold(vec![0], |all, (extent, stride)| {
        let stride = stride.as_static().unwrap();
        (0..*extent).flat_map(|i| all.iter().map(move |x| x + i * stride)).collect()
    })
}

/// The owners of a tile of `tile` elements, which consists of matrices of an atom: the first has
/// `own` elements, then the next, and so on.
fn repeated(atom: &MmaAtom, layout: &Layout<i64>, own: usize, tile: usize) -> Owners {
    let lanes = offsets(&atom.thr_id);
    let elements = offsets(layout);
    let values = elements.len() / lanes.len();
    let slots = (0..tile / own).flat_map(|part| {
        let (lanes, elements) = (&lanes, &elements);
        elements.iter().enumerate().map(move |(i, element)| {
            (part * own + *element as usize, lanes[i % lanes.len()] as usize, part * values + i / lanes.len())
        })
    });
    Owners::new(slots).unwrap()
}

/// The contents of every register after the plan: by thread, then register.
fn carried_out(plan: &Plan, from: &Owners, registers: usize) -> Vec<Vec<Option<usize>>> {
    let own = |thread: usize, register: Option<usize>| from.element(thread, register?);
    let made = |thread: usize, register: usize| match plan {
        Plan::Nothing => own(thread, Some(register)),
        Plan::Moves(moves) => own(thread, moves[register]),
        Plan::Shuffles(exchange) => match exchange.sources()[register][thread % WARP]? {
            Source::Own(register) => own(thread, Some(register)),
            Source::Round(i) => received(exchange, i, from, thread),
        },
        Plan::Shared(trip) => taken(trip, from, thread, register),
    };
    (0..from.threads().next_multiple_of(WARP))
        .map(|thread| (0..registers).map(|r| made(thread, r)).collect())
        .collect()
}

fn received(exchange: &Exchange, round: usize, from: &Owners, thread: usize) -> Option<usize> {
    let round = &exchange.rounds()[round];
    let sender = round.from[thread % WARP]?;
    from.element(thread / WARP * WARP + sender, round.send[sender]?)
}

fn check(from: &Owners, to: &Owners) -> Plan {
    let plan = plan(from, to, 32).unwrap();
    let after = carried_out(&plan, from, to.registers());
    for (thread, registers) in after.iter().enumerate() {
        for (register, found) in registers.iter().enumerate() {
            let wanted = to.element(thread, register);
            assert!(wanted.is_none() || *found == wanted, "register {register} of thread {thread}: {plan}");
        }
    }
    plan
}

/// Turns the accumulators of one MMA into the A of the next one.
fn c_to_a(atom: &MmaAtom) -> (Owners, Owners) {
    let [m, n, k] = atom.shape.map(|extent| extent as usize);
    let columns = n.max(k);
    (repeated(atom, &atom.c.layout, m * n, m * columns), repeated(atom, &atom.a.layout, m * k, m * columns))
}

/// The MMAs of a warp whose A is a tile of all elements.
fn warp_atoms() -> impl Iterator<Item = &'static MmaAtom> {
    let dense = [Instruction::COMPLEX, Instruction::MMA_SYNC, Instruction::MMA_SYNC.scaled()];
    mma_atoms().filter(move |atom| dense.contains(&atom.instruction))
}

#[test]
fn the_sums_of_every_mma_of_a_warp_become_the_a_of_the_next() {
    let mut plans = Vec::new();
    for atom in warp_atoms() {
        let (c, a) = c_to_a(atom);
        plans.push((atom.name.as_str(), check(&c, &a)));
    }
    assert!(plans.len() > 70, "{}", plans.len());
    let of = |name: &str| plans.iter().find(|(other, _)| *other == name).map(|(_, plan)| plan.to_string());
    // The layouts of m16n8 accumulators, two beside each other, are those of an A of 16-bit
    // elements.
    assert_eq!(of("SM80_16x8x16_F32F16F16F32_TN").as_deref(), Some("nothing moves"));
    assert_eq!(of("SM80_16x8x8_F32F16F16F32_TN").as_deref(), Some("nothing moves"));
    // A lane has every fourth 32-bit column of A, but two adjacent columns of C: as many shuffles
    // as registers.
    assert_eq!(of("SM80_16x8x8_F32TF32TF32F32_TN").as_deref(), Some("4 shuffles of a warp"));
    for (name, plan) in &plans {
        let Plan::Shuffles(exchange) = plan else { continue };
        let table = |lanes: &[Option<usize>]| matches!(Table::new(lanes), Some(Table::Linear { .. }));
        assert!(
            exchange.rounds().iter().all(|round| table(&round.from) && table(&round.send)),
            "{name} is not an XOR"
        );
    }
    let sm80 = mma_atoms().filter(|atom| atom.generation == Generation::Sm80 && atom.metadata.is_none());
    for atom in sm80 {
        assert!(of(&atom.name).is_some(), "{} is left out", atom.name);
    }
}

/// The placement of such a tile (M,columns), by rows: modes of lanes and values become iters of
/// rows and columns.
fn placed(atom: &MmaAtom, layout: &Layout<i64>, rows: i64, own: i64, columns: i64) -> String {
    let threads = layout.mode(0).unwrap();
    let (mut iters, mut along) = (Vec::new(), [1, 1]);
    for (i, (extent, stride)) in layout.flat().enumerate() {
        let on_lanes = i < threads.flat().len();
        let (axis, step) = (["m", "laneid"][usize::from(on_lanes)], &mut along[usize::from(on_lanes)]);
        iters.push((stride.as_static().unwrap(), *extent, *step, axis));
        *step *= extent;
    }
    iters.push((rows * own, columns / own, along[0], "m"));
    iters.sort_by_key(|(stride, extent, ..)| (*stride, *extent));
    let (mut by_row, mut by_column) = (Vec::new(), Vec::new());
    for (stride, extent, step, axis) in iters.into_iter().filter(|iter| iter.1 > 1) {
        let inside = if stride < rows { (rows / stride).min(extent) } else { 1 };
        by_row.push((inside, step, axis));
        by_column.push((extent / inside, step * inside, axis));
    }
    let shard: Vec<_> = by_row.iter().rev().chain(by_column.iter().rev()).collect();
    let text =
        |f: fn(&(i64, i64, &str)) -> String| shard.iter().map(|iter| f(iter)).collect::<Vec<_>>().join(",");
    assert_eq!(atom.thr_id.to_string(), "32:1");
    format!("S[({}) : ({})]", text(|i| i.0.to_string()), text(|i| format!("{}@{}", i.1, i.2)))
}

#[test]
fn placements_give_the_plans_of_thread_value_layouts() {
    let mut count = 0;
    for atom in warp_atoms().filter(|atom| atom.generation == Generation::Sm80) {
        let [m, n, k] = atom.shape.map(i64::from);
        let columns = n.max(k);
        let of = |layout, own| {
            let text = placed(atom, layout, m, own, columns);
            Owners::of_placement(&text.parse().unwrap()).unwrap_or_else(|e| panic!("{}: {e}", atom.name))
        };
        let (c, a) = (of(&atom.c.layout, n), of(&atom.a.layout, k));
        let (by_column, a_by_column) = c_to_a(atom);
        assert_eq!(check(&c, &a), check(&by_column, &a_by_column), "{}", atom.name);
        // Element (i, j) is i * columns + j here and i + j * M there.
        for (thread, register) in (0..32).flat_map(|t| (0..c.registers()).map(move |r| (t, r))) {
            let index = c.element(thread, register).unwrap();
            let (i, j) = (index / columns as usize, index % columns as usize);
            assert_eq!(by_column.element(thread, register), Some(i + j * m as usize), "{}", atom.name);
        }
        count += 1;
    }
    assert!(count > 20, "{count}");
}

#[test]
fn threads_of_a_placement_are_counted_through_the_block() {
    let threads = |text: &str| {
        let owners = Owners::of_placement(&text.parse().unwrap()).unwrap();
        let has = |element: usize| {
            (0..owners.threads()).filter(|t| owners.element(*t, 0) == Some(element)).collect::<Vec<_>>()
        };
        (0..2).map(has).collect::<Vec<_>>()
    };
    assert_eq!(threads("S[2 : 3@tx]"), [[0], [3]]);
    assert_eq!(threads("S[2 : 1@warpid] + 5@laneid"), [[5], [37]]);
    assert_eq!(threads("S[2 : 1@tid_in_wg] + 2@wgid"), [[256], [257]]);
    assert_eq!(threads("S[(1,2) : (1@wid_in_wg,1@laneid)] + 1@wgid + 3@wid_in_wg"), [[224], [225]]);
    assert_eq!(
        threads("S[2 : 1@laneid] + R[(2,3) : (4@laneid,1@warpid)]"),
        [[0, 4, 32, 36, 64, 68], [1, 5, 33, 37, 65, 69]]
    );
}

#[test]
fn a_placement_without_registers_is_refused() {
    let refused = [
        (
            "S[(128,8) : (1@TLane,1@TCol)]",
            "TCol is neither m, which counts registers, nor an axis of threads",
        ),
        ("S[(2,4) : (1@cbx,1@tx)]", "cbx is neither m"),
        ("S[64 : 1@laneid]", "laneid 32 is not in [0, 32)"),
        ("S[2 : 1@laneid] + -1@laneid", "laneid -1 is not in [0, 32)"),
        ("S[(8,4) : (1@wid_in_wg,1@laneid)]", "wid_in_wg 4 is not in [0, 4)"),
        ("S[(8,4) : (128@tx,1)] + 1@tx + 127@tx", "tx 1024 is not in [0, 1024)"),
        ("S[(2,4) : (1@tx,1@laneid)]", "laneid places a thread in a warp, but tx places it in a cta"),
        ("S[(2,4) : (1@wgid,1@laneid)]", "no axis places"),
        ("S[4 : 1@warpid]", "counted by warp, which does not determine a thread of the warp"),
        ("S[4 : 1000000000000]", "register 1000000000000 is not in [0, 8192)"),
        ("S[4 : -1]", "register -1 is not in [0, 8192)"),
        ("S[(1000000000,1000000000) : (1,1)]", "more than 8388608 places"),
        ("S[2] + R[(1000000,1000000) : (0,0)]", "more than 8388608 places"),
        ("S[2 : 0@laneid]", "register 0 of thread 0 has both element 0 and element 1"),
    ];
    for (text, why) in refused {
        let error = Owners::of_placement(&text.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn a_round_trip_is_the_identity() {
    for atom in warp_atoms() {
        let (c, a) = c_to_a(atom);
        check(&a, &c);
        assert_eq!(check(&c, &c), Plan::Nothing, "{}", atom.name);
    }
}

#[test]
fn numbers_by_lane_are_what_their_arithmetic_says() {
    let tables: [fn(usize) -> Option<usize>; 7] = [
        |lane| Some(lane),
        |lane| Some(lane ^ 3),
        |lane| Some(lane / 4 * 4 + lane % 4 / 2),
        |lane| Some(lane % 4 / 2 + 2),
        |lane| Some(lane * lane % 7),
        |lane| (lane % 3 == 0).then_some(lane % 2),
        |_| None,
    ];
    for table in tables {
        let values: [Option<usize>; WARP] = std::array::from_fn(table);
        let found = Table::new(&values).unwrap();
        for (lane, value) in (0..).zip(values) {
            assert!(value.is_none_or(|value| found.at(lane) as usize == value), "lane {lane} of {found:?}");
        }
    }
    let quads: [Option<usize>; WARP] = std::array::from_fn(|lane| Some(lane / 4 * 4 + lane % 4 / 2));
    assert!(matches!(Table::new(&quads), Some(Table::Linear { fields, constant: 0 }) if fields.len() == 2));
}

/// The values that a thread loads from shared memory after all threads have stored theirs.
fn taken(trip: &RoundTrip, from: &Owners, thread: usize, register: usize) -> Option<usize> {
    let mut memory = vec![None; trip.size()];
    for (r, put) in trip.put().iter().enumerate() {
        let Some(put) = put else { continue };
        for t in 0..from.threads() {
            if put.only.as_ref().is_none_or(|only| only.at(t as u32) == 1) {
                let place = &mut memory[put.at.at(t as u32) as usize];
                assert!(place.is_none(), "two threads put the same");
                *place = from.element(t, r);
            }
        }
    }
    memory[trip.take()[register].as_ref()?.at(thread as u32) as usize]
}

/// Rows of a 16 x 64 tile to the lanes of 4 warps: all warps need what all have.
#[test]
fn warps_exchange_through_shared_memory() {
    let rows = Owners::new((0..1024).map(|e| (e, e / 8, e % 8))).unwrap();
    let columns = Owners::new((0..1024).map(|e| (e, e % 128, e / 128))).unwrap();
    let Plan::Shared(trip) = check(&rows, &columns) else { panic!("warps exchange") };
    assert_eq!(trip.size(), 1024);
    assert!(trip.to_string().contains("64 passes"), "no conflicts: 32 stores and 32 loads of a warp: {trip}");
    // Copies are put once.
    let twice = Owners::new((0..1024).flat_map(|e| [(e, e / 8, e % 8), (e, 128 + e / 8, e % 8)])).unwrap();
    check(&twice, &columns);
}

#[test]
fn what_cannot_be_exchanged_is_said() {
    let one = |thread: usize| Owners::new([(7, thread, 0)]).unwrap();
    assert!(matches!(check(&one(0), &one(1)), Plan::Shuffles(_)));
    assert!(matches!(check(&one(0), &one(32)), Plan::Shared(_)), "another warp");
    let other = Owners::new([(8, 0, 0)]).unwrap();
    assert_eq!(plan(&other, &one(0), 32), Err(ConvertError::Nowhere { element: 7, register: 0, thread: 0 }));
    assert_eq!(
        Owners::new([(7, 0, 0), (8, 0, 0)]).unwrap_err().to_string(),
        "register 0 of thread 0 has both element 7 and element 8"
    );
    // Two warps that exchange differently.
    let from = Owners::new((0..64).map(|e| (e, e, 0))).unwrap();
    let to = Owners::new((0..64).map(|e| (e ^ (e / 32), e, 0))).unwrap();
    assert!(matches!(check(&from, &to), Plan::Shared(_)));
    // Thirds of a tile do not correspond to bits.
    let from = Owners::new((0..96).map(|e| (e, e, 0))).unwrap();
    let to = Owners::new((0..96).map(|e| (e, e * 5 % 96, 0))).unwrap();
    let error = plan(&from, &to, 32).unwrap_err().to_string();
    assert!(error.contains("powers of two"), "{error}");
}

#[test]
fn elements_of_64_bits_are_two_registers() {
    let from = Owners::new((0..64).map(|e| (e, e / 2, e % 2))).unwrap();
    let to = Owners::new((0..64).map(|e| (e, e % 32, e / 32))).unwrap();
    let (from, to) = (from.split(2).unwrap(), to.split(2).unwrap());
    assert_eq!((from.registers(), from.element(3, 1)), (4, Some(13)));
    check(&from, &to);
}

#[test]
fn neighbours_that_stay_together_move_as_one_register() {
    let atom = MmaAtom::by_name("SM80_16x8x16_F32F16F16F32_TN").unwrap();
    let (c, a) = c_to_a(atom);
    let (packed_c, packed_a) = c.packed_with(&a, 2).unwrap();
    assert_eq!((packed_c.registers(), packed_a.registers()), (c.registers() / 2, a.registers() / 2));
    assert_eq!(check(&packed_c, &packed_a), Plan::Nothing);
    let tf32 = MmaAtom::by_name("SM80_16x8x8_F32TF32TF32F32_TN").unwrap();
    let (c, a) = c_to_a(tf32);
    assert!(c.packed_with(&a, 2).is_none(), "elements adjacent in C are not adjacent in A");
}

#[test]
fn a_table_has_no_numbers_of_more_than_32_bits() {
    assert_eq!(Table::new(&[Some(0), Some(1 << 32)]), None);
    let largest = Table::new(&[Some(0), Some(u32::MAX as usize)]).unwrap();
    assert_eq!([0, 1].map(|thread| largest.at(thread)), [0, u32::MAX]);
}
