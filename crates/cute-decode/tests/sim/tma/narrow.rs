//! Boxes of elements of 4 and 6 bits: packed in global memory, and in shared memory packed or
//! padded.

use super::*;

/// A matrix whose rows are a multiple of 32 bytes, of packed elements.
fn matrix(element: MapElement, [columns, rows]: [u64; 2], boxes: [u32; 2], swizzle: MapSwizzle) -> TensorMap {
    let mut map = tensor(element, &[columns, rows], &boxes, swizzle);
    map.modes[0].stride = 1;
    map.modes[1].stride = (columns * u64::from(element.bits()) / 8).next_multiple_of(32);
    map
}

/// The bits of a packed element.
fn code(bytes: &[u8], row: usize, i: usize, bits: usize) -> u8 {
    let bit = |at: usize| bytes[row + at / 8] >> (at % 8) & 1;
    (0..bits).fold(0, |code, b| code | bit(i * bits + b) << b)
}

fn put(bytes: &mut [u8], row: usize, i: usize, bits: usize, code: u8) {
    for b in 0..bits {
        let (at, bit) = (i * bits + b, code >> b & 1);
        let byte = &mut bytes[row + at / 8];
        *byte = *byte & !(1 << (at % 8)) | bit << (at % 8);
    }
}

/// The place of a byte of a tile that lies at a multiple of 1024.
fn swizzled(at: usize, swizzle: MapSwizzle) -> usize {
    let rows = if swizzle == MapSwizzle::B128 { 7 } else { 0 };
    at ^ (at >> 7 & rows) << 4
}

/// An element of a box: its row's byte and its number there in the tensor, unless outside; and the
/// first byte in the tile of the 16 elements that it is one of, and its bit there.
type Place = (Option<(usize, usize)>, usize, usize);

/// The elements of a box, row by row.
fn places(map: &TensorMap, at: [i32; 2]) -> Vec<Place> {
    let bits = map.element.bits() as usize;
    let of_group = 2 * map.element.bits_in_shared_memory() as usize;
    let [columns, rows] = [0, 1].map(|i| map.modes[i].boxed as usize);
    let place = |row: usize, column: usize| {
        let c = [(at[0], column, 0), (at[1], row, 1)].map(|(at, own, mode)| {
            let c = i64::from(at) + own as i64;
            (0..map.modes[mode].extent as i64).contains(&c).then_some(c as usize)
        });
        let [x, y] = c;
        let from = y.zip(x).map(|(y, x)| (y * map.modes[1].stride as usize, x));
        let group = (row * columns + column) / 16 * of_group;
        (from, group, column % 16 * bits)
    };
    (0..rows).flat_map(|row| (0..columns).map(move |column| place(row, column))).collect()
}

#[test]
fn elements_are_padded_to_bytes() {
    use MapElement as E;
    for (element, swizzle) in [
        (E::U4In8, MapSwizzle::None),
        (E::U4In8, MapSwizzle::B128),
        (E::U6In8, MapSwizzle::None),
        (E::U6In8, MapSwizzle::B128),
    ] {
        let map = matrix(element, [256, 11], [128, 8], swizzle);
        assert_eq!(map.counted_bytes(), 128 * 8 * u64::from(element.bits()) / 8);
        let bytes = bytes_of(&map);
        let bits = element.bits() as usize;
        for (at, schedule) in [[0, 0], [128, 4], [-128, 2], [256, 0], [128, -3]].into_iter().zip(SCHEDULES) {
            let found = load(&map, &bytes, &at, schedule).unwrap_or_else(|e| panic!("{e}"));
            for (from, group, bit) in places(&map, at) {
                let expected = from.map_or(0, |(row, i)| code(&bytes, row, i, bits));
                // A swizzle leaves 16 bytes together.
                let start = swizzled(group, swizzle);
                let own = code(&found[start..start + 16], 0, bit / bits, bits);
                assert_eq!(own, expected, "{element} {swizzle:?} {at:?} {group} {bit}");
            }
        }
    }
}

#[test]
fn packed_elements_stay_packed() {
    for (columns, boxed, swizzle) in [(96, 64, MapSwizzle::None), (512, 256, MapSwizzle::B128)] {
        let map = matrix(MapElement::U4, [columns, 9], [boxed, 8], swizzle);
        let bytes = bytes_of(&map);
        for (at, schedule) in [[0, 0], [32, 4], [-32, 2], [64, -1], [0, 5]].into_iter().zip(SCHEDULES) {
            let tile = load(&map, &bytes, &at, schedule).unwrap_or_else(|e| panic!("{e}"));
            let mut expected = bytes.clone();
            for (from, group, bit) in places(&map, at) {
                let start = swizzled(group / 16 * 16, swizzle) + group % 16;
                let own = code(&tile[start..start + 8], 0, bit / 4, 4);
                assert_eq!(own, from.map_or(0, |(row, i)| code(&bytes, row, i, 4)), "{swizzle:?} {at:?}");
                if let Some((row, i)) = from {
                    put(&mut expected, row, i, 4, own ^ 5);
                }
            }
            // And back, changed.
            let tile: Vec<u8> = tile.iter().map(|byte| byte ^ 0x55).collect();
            let source = store_kernel(&map, &at, FENCE, STORE, WAIT_READ);
            let found = store(&source, &map, &bytes, &tile, schedule).unwrap_or_else(|e| panic!("{e}"));
            assert!(found == expected, "{swizzle:?} {at:?}");
        }
    }
}

#[test]
fn stores_take_six_bits_of_each_byte() {
    for swizzle in [MapSwizzle::None, MapSwizzle::B128] {
        let map = matrix(MapElement::U6In8, [256, 11], [128, 8], swizzle);
        let before = bytes_of(&map);
        let tile: Vec<u8> = (0..map.box_bytes()).map(|i| (i * 7 % 251) as u8).collect();
        for (at, schedule) in [[0, 0], [128, 4], [128, 8], [0, 3], [128, 0]].into_iter().zip(SCHEDULES) {
            let mut expected = before.clone();
            for (to, group, bit) in places(&map, at) {
                let Some((row, i)) = to else { continue };
                put(&mut expected, row, i, 6, tile[swizzled(group, swizzle) + bit / 6] & 63);
            }
            let source = store_kernel(&map, &at, FENCE, STORE, WAIT_READ);
            let found = store(&source, &map, &before, &tile, schedule).unwrap_or_else(|e| panic!("{e}"));
            assert!(found == expected, "{swizzle:?} {at:?}");
        }
    }
}

#[test]
fn boxes_that_no_instruction_has_are_refused() {
    let map = matrix(MapElement::U4In8, [256, 11], [128, 8], MapSwizzle::None);
    let bytes = bytes_of(&map);
    let error = load(&map, &bytes, &[64, 0], Schedule::Lazy).unwrap_err().to_string();
    let why = "coordinate 64 along mode 0 is not at the beginning of a group of elements of u4 in 8 bits";
    assert!(error.contains(why), "{error}");
    let tile = vec![0; map.box_bytes() as usize];
    let source = store_kernel(&map, &[0, 0], FENCE, STORE, WAIT_READ);
    let error = store(&source, &map, &bytes, &tile, Schedule::Lazy).unwrap_err().to_string();
    assert!(error.contains("the TMA pads elements of 4 bits to bytes when it loads them"), "{error}");
}

/// A barrier that expects the bytes of the padded tile waits for more than arrive.
#[test]
fn a_barrier_counts_packed_bytes() {
    let map = matrix(MapElement::U6In8, [128, 8], [128, 8], MapSwizzle::B128);
    let bytes = bytes_of(&map);
    let program = program(&load_kernel(256, map.box_bytes(), &[0, 0]));
    let mut memory = Memory::new();
    let out = memory.zeroed::<u32>(256);
    let buffer = memory.upload_bytes(&bytes);
    let map = TensorMap { address: memory.address(buffer).unwrap(), ..map };
    let launch = Launch::new("kernel", [1; 3], [32, 1, 1]);
    let arguments = [Arg::words(&map.words().unwrap()), Arg::Buffer(out)];
    let error = program.run(&launch, &mut memory, &arguments).unwrap_err().to_string();
    assert!(error.contains("256"), "{error}");
}
