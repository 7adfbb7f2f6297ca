//! Exchanges of registers: what a plan says, carried out, gives every register what it should have.

use cute_algebra::Layout;
use cute_arch::{
    atoms::{Instruction, MmaAtom, mma_atoms},
    convert::{Exchange, LaneTable, Owners, Plan, Source, WARP, plan},
};

/// The offsets of all coordinates, first mode fastest.
fn offsets(layout: &Layout<i64>) -> Vec<i64> {
    layout.flat().fold(vec![0], |all, (extent, stride)| {
        let stride = stride.as_static().unwrap();
        (0..*extent).flat_map(|i| all.iter().map(move |x| x + i * stride)).collect()
    })
}

/// Who has what of a tile of `tile` elements of which an atom's matrix is the first `own`, then the next, and so on.
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

/// What every register has after the plan: by thread, then register.
fn carried_out(plan: &Plan, from: &Owners, registers: usize) -> Vec<Vec<Option<usize>>> {
    let own = |thread: usize, register: Option<usize>| from.element(thread, register?);
    let made = |thread: usize, register: usize| match plan {
        Plan::Nothing => own(thread, Some(register)),
        Plan::Moves(moves) => own(thread, moves[register]),
        Plan::Shuffles(exchange) => match exchange.sources()[register][thread % WARP]? {
            Source::Own(register) => own(thread, Some(register)),
            Source::Round(i) => received(exchange, i, from, thread),
        },
        Plan::Shared => panic!("no exchange of a warp"),
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
    let plan = plan(from, to).unwrap();
    let after = carried_out(&plan, from, to.registers());
    for (thread, registers) in after.iter().enumerate() {
        for (register, found) in registers.iter().enumerate() {
            let wanted = to.element(thread, register);
            assert!(wanted.is_none() || *found == wanted, "register {register} of thread {thread}: {plan}");
        }
    }
    plan
}

/// What one MMA's sums are to be as the next one's A.
fn c_to_a(atom: &MmaAtom) -> (Owners, Owners) {
    let [m, n, k] = atom.shape.map(|extent| extent as usize);
    let columns = n.max(k);
    (repeated(atom, &atom.c.layout, m * n, m * columns), repeated(atom, &atom.a.layout, m * k, m * columns))
}

/// The MMAs of a warp whose A is a tile of all elements.
fn warp_atoms() -> impl Iterator<Item = &'static MmaAtom> {
    use Instruction::{Complex, MmaSync, MmaSyncScaled};
    mma_atoms().filter(|atom| [Complex, MmaSync, MmaSyncScaled].contains(&atom.instruction))
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
    // The layouts of m16n8 sums, two beside each other, are those of an A of 16-bit elements.
    assert_eq!(of("SM80_16x8x16_F32F16F16F32_TN").as_deref(), Some("nothing moves"));
    assert_eq!(of("SM80_16x8x8_F32F16F16F32_TN").as_deref(), Some("nothing moves"));
    // Of 32 bits a lane has every fourth column of A, but two neighbours of C: as many shuffles as registers.
    assert_eq!(of("SM80_16x8x8_F32TF32TF32F32_TN").as_deref(), Some("4 shuffles of a warp"));
    let sm80 = mma_atoms().filter(|atom| atom.name.starts_with("SM80_"));
    for atom in sm80 {
        assert!(of(&atom.name).is_some(), "{} is left out", atom.name);
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
        let found = LaneTable::new(&values);
        for (lane, value) in (0..).zip(values) {
            assert!(value.is_none_or(|value| found.at(lane) as usize == value), "lane {lane} of {found:?}");
        }
    }
    let quads: [Option<usize>; WARP] = std::array::from_fn(|lane| Some(lane / 4 * 4 + lane % 4 / 2));
    assert!(matches!(LaneTable::new(&quads), LaneTable::Linear { fields, constant: 0 } if fields.len() == 2));
}

#[test]
fn what_cannot_be_exchanged_is_said() {
    let one = |thread: usize| Owners::new([(7, thread, 0)]).unwrap();
    assert_eq!(plan(&one(0), &one(1)), Ok(check(&one(0), &one(1))));
    assert_eq!(plan(&one(0), &one(32)), Ok(Plan::Shared), "another warp");
    let other = Owners::new([(8, 0, 0)]).unwrap();
    assert_eq!(
        plan(&other, &one(0)),
        Err("element 7, which register 0 of thread 0 is to have, is in no register".into())
    );
    assert_eq!(
        Owners::new([(7, 0, 0), (8, 0, 0)]),
        Err("register 0 of thread 0 has both element 7 and element 8".into())
    );
    // Two warps that exchange differently.
    let from = Owners::new([(0, 0, 0), (1, 1, 0), (2, 32, 0), (3, 33, 0)]).unwrap();
    let to = Owners::new([(1, 0, 0), (0, 1, 0), (2, 32, 0), (3, 33, 0)]).unwrap();
    assert_eq!(plan(&from, &to), Ok(Plan::Shared));
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
    assert!(c.packed_with(&a, 2).is_none(), "neighbours of C are no neighbours of A");
}
