use std::{collections::BTreeSet, fs};

use serde_json::Value;

use super::{
    Fill, Interleave, MapElement, MapField, MapMode, MapSwizzle, Promotion, TensorMap, Unreadable, WORDS,
};

/// A map in the format of the vectors, by the driver's numbers.
fn map(v: &Value) -> TensorMap {
    let list = |key: &str| -> Vec<u64> {
        v[key].as_array().expect(key).iter().map(|n| n.as_u64().expect("a number")).collect()
    };
    let number = |key: &str| v[key].as_u64().expect(key) as usize;
    let (extents, boxes, steps, strides) =
        (list("dims"), list("box"), list("element_strides"), list("strides_bytes"));
    let element = MapElement::all().nth(number("data_type")).expect("a type");
    let mode = |i: usize| MapMode {
        extent: extents[i],
        stride: if i == 0 { element.bytes().into() } else { strides[i - 1] },
        boxed: boxes[i] as u32,
        step: steps[i] as u32,
    };
    assert_eq!((number("interleave"), number("l2_promotion"), number("oob_fill")), (0, 2, 0));
    let (address, modes) =
        (v["address"].as_u64().expect("an address"), (0..extents.len()).map(mode).collect());
    TensorMap { swizzle: MapSwizzle::ALL[number("swizzle")], ..TensorMap::new(element, address, modes) }
}

/// Maps that CuTe C++ builds, and the words that compilers write for them.
#[test]
fn maps_of_cute_are_encoded_as_compilers_do() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/tma.json");
    let text = fs::read_to_string(path).expect("the vectors");
    let all: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let (mut maps, mut equal, mut assumed) = (0, 0, 0);
    for result in all.iter().filter_map(|entry| entry["result"].get("tensormap").map(|_| &entry["result"])) {
        maps += 1;
        let (map, descriptor) = (map(&result["tensormap"]), &result["descriptor_128B"]);
        assert_eq!(map.check(), Ok(()), "{result}");
        let Some(words) = descriptor["qwords"].as_array() else {
            // A swizzle whose encoding is not known from any compiler.
            assert_eq!(map.words().expect_err("not known").field, "the swizzle");
            continue;
        };
        let hex = |v: &Value| u64::from_str_radix(&v.as_str().expect("hex")[2..], 16).expect("hex");
        // The words after these are 0.
        let mut expected = [0; 16];
        words.iter().zip(&mut expected).for_each(|(v, word)| *word = hex(v));
        assert_eq!(map.words(), Ok(expected), "{result}");
        assert_eq!(TensorMap::from_words(&expected), Ok(map.clone()));
        let names = descriptor["assumed_fields"].as_array().expect("a list").iter();
        let names = names.map(|name| name.as_str().expect("a name").replace("data_format", "element"));
        let names: Vec<_> = names.map(|name| name.replace('_', " ")).collect();
        assert_eq!(map.assumed(), names, "{result}");
        equal += 1;
        assumed += usize::from(!names.is_empty());
    }
    assert_eq!((maps, equal, assumed), (378, 375, 113));
}

/// A legal map of any element, rank and swizzle whose encoding is known.
fn random(random: &mut fastrand::Rng) -> TensorMap {
    let element = random.choice(MapElement::all()).expect("there are some");
    let swizzle = loop {
        let swizzle = MapSwizzle::ALL[random.usize(..4)];
        if !element.is_unpacked() || matches!(swizzle, MapSwizzle::None | MapSwizzle::B128) {
            break swizzle;
        }
    };
    // Along mode 0, units of 16 bytes that fit a row of the swizzle.
    let units = 128 / element.bits_in_shared_memory();
    let most = swizzle.row().map_or(256, |row| row as u32 / 16 * units).min(256);
    let first = if element.is_unpacked() { 128 } else { units * random.u32(1..=most / units) };
    let mode = |i: usize, random: &mut fastrand::Rng| {
        let extent = match random.u8(..4) {
            0 => random.u64(1..=1 << 32),
            _ => random.u64(1..=4096),
        };
        let multiple = if element.is_unpacked() { 128 } else { 2 };
        MapMode {
            extent: if i == 0 { (extent.div_ceil(multiple) * multiple).min(1 << 32) } else { extent },
            stride: if i == 0 { element.bytes().into() } else { random.u64(..1 << 35) * 32 },
            boxed: if i == 0 { first } else { random.u32(1..=256) },
            step: 1,
        }
    };
    let rank = random.usize(1..=5);
    let (address, modes) = (random.u64(..1 << 52) * 32, (0..rank).map(|i| mode(i, random)).collect());
    let promotion = random.choice(Promotion::ALL).expect("one");
    TensorMap { swizzle, promotion, ..TensorMap::new(element, address, modes) }
}

#[test]
fn legal_maps_are_read_back() {
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..10_000 {
        let map = random(&mut rng);
        let words = map.words().unwrap_or_else(|why| panic!("{map:?}: {why}"));
        assert_eq!(TensorMap::from_words(&words), Ok(map));
    }
}

fn rows_of(element: MapElement, extents: [u64; 2], boxes: [u32; 2]) -> TensorMap {
    let stride = extents[0] * u64::from(element.bits()) / 8;
    let mode = |i: usize| MapMode {
        extent: extents[i],
        stride: if i == 0 { element.bytes().into() } else { stride },
        boxed: boxes[i],
        step: 1,
    };
    let modes = vec![mode(0), mode(1)];
    TensorMap { swizzle: MapSwizzle::B128, ..TensorMap::new(element, 0x7f00_0000_0000, modes) }
}

#[test]
fn each_rule_names_field_value_and_fix() {
    let legal = rows_of(MapElement::F16, [256, 512], [64, 128]);
    assert_eq!(legal.check(), Ok(()));
    assert_eq!(legal.box_bytes(), 64 * 128 * 2);
    assert_eq!(legal.span(), Some(256 * 512 * 2));
    type Change = fn(&mut TensorMap);
    let cases: &[(Change, &str)] = &[
        (|m| m.modes.clear(), "the rank is 0: a map has 1 to 5 modes"),
        (|m| m.modes = vec![m.modes[0]; 6], "the rank is 6: a map has 1 to 5 modes"),
        (|m| m.interleave = Interleave::B16, "the rank is 2: an interleaved tensor has at least 3 modes"),
        (
            |m| {
                m.modes.push(m.modes[1]);
                (m.interleave, m.element) = (Interleave::B16, MapElement::U4);
            },
            "the interleave is 16B: elements of u4 are not interleaved",
        ),
        (|m| m.address += 8, "the address is 0x7f0000000008: the tensor begins at a multiple of 16 bytes"),
        (|m| m.address = 1 << 57, "the address is 0x200000000000000: an address has at most 57 bits"),
        (|m| m.modes[1].extent = 0, "the extent of mode 1 is 0: extents are from 1 to 2^32"),
        (
            |m| m.modes[1].extent = (1 << 32) + 1,
            "the extent of mode 1 is 4294967297: extents are from 1 to 2^32",
        ),
        (
            |m| m.modes[0].stride = 4,
            "the stride of mode 0 is 4 bytes: mode 0 must be contiguous, with 2 bytes from one element of \
             f16 to the next",
        ),
        (
            |m| m.modes[1].stride = 510,
            "the stride of mode 1 is 510 bytes: strides are multiples of 16 bytes; padding to 512 would do",
        ),
        (
            |m| m.modes[1].stride = 1 << 40,
            "the stride of mode 1 is 1099511627776 bytes: strides are not negative, and below 2^40 bytes",
        ),
        (
            |m| m.modes[1].stride = -16_i64 as u64,
            "the stride of mode 1 is -16 bytes: strides are not negative, and below 2^40 bytes",
        ),
        (
            |m| m.modes[1].boxed = 257,
            "the box of mode 1 is 257: a box has 1 to 256 elements along a mode; copy several boxes",
        ),
        (
            |m| m.modes[1].boxed = 0,
            "the box of mode 1 is 0: a box has 1 to 256 elements along a mode; copy several boxes",
        ),
        (|m| m.modes[1].step = 9, "the step of mode 1 is 9: every element is copied, or every 2nd to 8th"),
        (
            |m| m.modes[0].boxed = 60,
            "the box of mode 0 is 60 elements of f16: along mode 0 a box has a multiple of 16 bytes",
        ),
        (
            |m| m.modes[0].boxed = 72,
            "the box of mode 0 is 144 bytes: a box that is swizzled in rows of 128 bytes has at most that along mode 0: \
             64 elements, not 72",
        ),
        (
            |m| (m.element, m.fill) = (MapElement::U16, Fill::Nan),
            "the fill is NaN: elements are floats, not u16",
        ),
        (
            |m| (m.element, m.modes[0].stride) = (MapElement::U4In8, 1),
            "the box of mode 0 is 64: of elements of u4 in 8 bits it is 128; lay the tile out in columns of 128 elements along mode 0",
        ),
        (
            |m| {
                (m.element, m.modes[0].stride) = (MapElement::U6In8, 1);
                m.modes[0].extent = 192;
            },
            "the extent of mode 0 is 192: of elements of u6 in 8 bits it is a multiple of 128; padding to 256 would do",
        ),
        (
            |m| {
                (m.element, m.modes[0].stride) = (MapElement::U4In8, 1);
                (m.modes[0].boxed, m.swizzle) = (128, MapSwizzle::B64);
            },
            "the swizzle is 64B: elements of u4 in 8 bits are not swizzled, or in rows of 128 bytes: lay the tile out by S<3,4,3>",
        ),
        (
            |m| {
                m.modes.push(m.modes[1]);
                m.interleave = Interleave::B32;
            },
            "the swizzle is 128B: an interleave of 32 bytes needs the swizzle of 32",
        ),
    ];
    let mut rules = BTreeSet::new();
    for (change, expected) in cases {
        let mut map = legal.clone();
        change(&mut map);
        rules.insert(map.check().expect_err(expected).name);
        assert_eq!(map.check().expect_err(expected).to_string(), *expected);
        assert_eq!(map.words().expect_err(expected).to_string(), *expected);
    }
    assert_eq!(rules.len(), 18, "each rule is broken: {rules:?}");
}

#[test]
fn what_is_not_known_is_not_encoded() {
    let mut map = rows_of(MapElement::F16, [256, 512], [64, 128]);
    map.fill = Fill::Nan;
    let why = map.words().expect_err("not known").to_string();
    assert_eq!(why, "the fill is NaN: how the driver encodes it is not known");
    map.fill = Fill::Zero;
    map.modes[1].step = 2;
    let why = map.words().expect_err("not known").to_string();
    assert_eq!(why, "the step of mode 1 is 2: how the driver encodes it is not known");
    assert_eq!(map.box_bytes(), 64 * 64 * 2);
}

#[test]
fn the_simulator_reads_what_is_not_known() {
    let plain = rows_of(MapElement::F16, [256, 512], [16, 128]);
    assert_eq!(plain.simulated_words(), plain.words());
    for swizzle in MapSwizzle::ALL {
        for (fill, step) in [(Fill::Zero, 1), (Fill::Nan, 1), (Fill::Zero, 2), (Fill::Nan, 8)] {
            let mut map = plain.clone();
            (map.swizzle, map.fill, map.modes[1].step) = (swizzle, fill, step);
            let words = map.simulated_words().expect("legal");
            assert_eq!(TensorMap::from_words(&words).as_ref(), Ok(&map));
            assert_eq!(map.words().is_ok(), words[WORDS - 1] == 0, "{map:?}");
        }
    }
    let mut words = plain.words().expect("legal");
    words[WORDS - 1] = 1;
    TensorMap::from_words(&words).expect_err("the last word is not marked");
}

#[test]
fn words_that_are_no_map_are_refused() {
    let words = rows_of(MapElement::F16, [256, 512], [64, 128]).words().expect("legal");
    let changed = |i: usize, bits: u64| {
        let mut words = words;
        words[i] ^= bits;
        TensorMap::from_words(&words).expect_err("not a map").to_string()
    };
    assert!(changed(1, 1).ends_with("its lowest four bits are 2 in a map of boxes"));
    let mut from_zeros = words;
    from_zeros[1] &= !15;
    assert_eq!(TensorMap::from_words(&from_zeros), TensorMap::from_words(&words));
    // 6 becomes 14.
    assert!(changed(1, 8 << 7).ends_with("element 14 does not exist"));
    assert!(changed(1, 4 << 13).ends_with("swizzle 7 does not exist"));
    assert_eq!(
        TensorMap::from_words(&{
            let mut w = words;
            w[9] = 1;
            w
        }),
        Err(Unreadable::Rest { index: 9, found: 1, expected: 0 })
    );
    assert!(changed(0, 8).starts_with("the address is"));
}

/// Turns a map into another, field by field, as a kernel does with `tensormap.replace`.
#[test]
fn fields_are_replaced_in_the_words() {
    let mut rng = fastrand::Rng::with_seed(11);
    for _ in 0..2000 {
        let (from, mut to) = (random(&mut rng), random(&mut rng));
        to.promotion = from.promotion;
        let (mut words, expected) = (from.words().expect("legal"), to.words().expect("legal"));
        let mut replace = |field: MapField, ordinal, value| {
            field.replace(&mut words, ordinal, value).unwrap_or_else(|why| panic!("{to:?}: {why}"));
        };
        replace(MapField::GlobalAddress, 0, to.address);
        replace(MapField::Rank, 0, to.modes.len() as u64 - 1);
        for i in 0..5 {
            // Missing modes have one element.
            let mode = to.modes.get(i);
            replace(MapField::GlobalDim, i, mode.map_or(1, |mode| mode.extent & 0xffff_ffff));
            replace(MapField::BoxDim, i, mode.map_or(1, |mode| mode.boxed.into()));
            replace(MapField::ElementStride, i, 1);
            if i > 0 {
                replace(MapField::GlobalStride, i - 1, mode.map_or(0, |mode| mode.stride));
            }
        }
        let elemtypes = "u8 u16 u32 s32 u64 s64 f16 f32 f32.ftz f64 bf16 tf32 tf32.ftz";
        let name = to.element.to_string();
        let packed = [MapElement::U4, MapElement::U4In8, MapElement::U6In8];
        let elemtype = elemtypes.split(' ').position(|own| own == name);
        let elemtype = elemtype.or_else(|| Some(13 + packed.iter().position(|own| *own == to.element)?));
        replace(MapField::Elemtype, 0, elemtype.expect("an element") as u64);
        replace(MapField::InterleaveLayout, 0, 0);
        replace(MapField::FillMode, 0, 0);
        replace(
            MapField::SwizzleMode,
            0,
            MapSwizzle::ALL.iter().position(|s| *s == to.swizzle).expect("one") as u64,
        );
        assert_eq!(TensorMap::from_words(&words), Ok(to));
        // No instruction sets the flag of large tensors.
        assert_eq!((words[1] ^ expected[1]) & !(1 << 21), 0);
    }
}

#[test]
fn values_that_a_field_cannot_have_are_refused() {
    let mut words = rows_of(MapElement::F16, [256, 512], [64, 128]).words().expect("legal");
    let before = words;
    let mut refused = |name: &str, ordinal, value, why: &str| {
        let field = MapField::named(name).expect("a field");
        assert_eq!(field.replace(&mut words, ordinal, value).expect_err(why).to_string(), why);
    };
    refused("global_address", 0, 8, "global_address is 8: the value is a multiple of 16 bytes");
    refused("global_stride", 4, 16, "global_stride 4 is 4: global_stride has ordinals 0 to 3");
    refused("global_stride", 1, 24, "global_stride 1 is 24: the value is a multiple of 16 bytes");
    refused(
        "global_stride",
        0,
        1 << 40,
        "global_stride 0 is 1099511627776: the value is from 0 to 1099511627775",
    );
    refused("rank", 0, 5, "rank is 5: the value is from 0 to 4");
    refused("box_dim", 2, 257, "box_dim 2 is 257: the value is from 1 to 256");
    refused("global_dim", 0, 1 << 32, "global_dim 0 is 4294967296: the value is from 0 to 4294967295");
    refused("element_stride", 0, 2, "element_stride 0 is 2: how it is encoded is not known");
    refused("elemtype", 0, 16, "elemtype is 16: the value is from 0 to 15");
    refused("interleave_layout", 0, 3, "interleave_layout is 3: the value is from 0 to 2");
    refused("swizzle_mode", 0, 4, "swizzle_mode is 4: the value is from 0 to 3");
    refused("fill_mode", 0, 1, "fill_mode is 1: how it is encoded is not known");
    assert_eq!(words, before);
}

/// Each swizzle that has a map is the function of that map alone, with its shift.
#[test]
fn a_swizzle_and_its_map_are_inverses() {
    let with_function: Vec<_> =
        MapSwizzle::ALL.iter().filter_map(|map| Some((*map, map.swizzle()?))).collect();
    assert_eq!(with_function.len(), 5);
    for (map, swizzle) in &with_function {
        assert_eq!(MapSwizzle::of(*swizzle), Some(*map));
        assert!(MapSwizzle::RULE.contains(&swizzle.to_string()), "{swizzle}");
    }
    let mut found = 0;
    for (bits, base, shift) in (0..4).flat_map(|b| (0..8).flat_map(move |m| (-4..5).map(move |s| (b, m, s))))
    {
        let Ok(swizzle) = cute_algebra::Swizzle::new(bits, base, shift) else { continue };
        if let Some(map) = MapSwizzle::of(swizzle) {
            assert_eq!(map.swizzle(), Some(swizzle));
            found += usize::from(!swizzle.is_identity());
        }
    }
    assert_eq!(found, 4, "no other swizzle has a map");
}
