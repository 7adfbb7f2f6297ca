//! Columns of pixels in PTX's text: convolutions of one to three dimensions beside loops, and
//! columns at the ends of images (PTX ISA: Tensor im2col mode).

use super::boxes::{DONE, given, run, taken};
use cute_arch::tensor_map::{Fill, MapElement, MapForm, MapMode, MapSwizzle, PixelBox, TensorMap};
use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Launch, Memory, Schedule};

const SCHEDULES: [Schedule; 4] =
    [Schedule::Eager, Schedule::Reverse, Schedule::Random(1), Schedule::Random(77)];

/// A convolution. The lists have W first, then H and D as far as there are such.
struct Convolution<'a> {
    images: usize,
    channels: usize,
    extents: &'a [i64],
    filter: &'a [i64],
    padding: &'a [i64],
    steps: &'a [i64],
    dilation: &'a [i64],
    swizzle: MapSwizzle,
}

/// Filters, and outputs of a block.
const FILTERS: usize = 2;
const PIXELS: usize = 32;

/// The digits of a number, the first one the least.
fn digits(number: usize, extents: &[i64]) -> Vec<i64> {
    let mut left = number as i64;
    let digit = |extent: &i64| (left % extent, left /= extent).0;
    extents.iter().map(digit).collect()
}

impl Convolution<'_> {
    fn outputs(&self) -> Vec<i64> {
        let along = |i: usize| {
            let reach = (self.filter[i] - 1) * self.dilation[i] + 1;
            (self.extents[i] + 2 * self.padding[i] - reach) / self.steps[i] + 1
        };
        (0..self.extents.len()).map(along).collect()
    }

    fn taps(&self) -> usize {
        self.filter.iter().product::<i64>() as usize
    }

    /// The map of the images at an address. The box ends where the last tap of a filter would
    /// leave the padding.
    fn map(&self, address: u64) -> TensorMap {
        let mut stride = 4;
        let mut mode = |extent: i64, step: i64, boxed: usize| {
            let mode = MapMode { extent: extent as u64, stride, boxed: boxed as u32, step: step as u32 };
            stride *= extent as u64;
            mode
        };
        let mut modes = vec![mode(self.channels as i64, 1, self.channels)];
        modes.extend(self.extents.iter().zip(self.steps).map(|(extent, step)| mode(*extent, *step, 1)));
        modes.push(mode(self.images as i64, 1, 1));
        let lower = self.padding.iter().map(|padding| -padding as i32).collect();
        let upper = (0..self.extents.len())
            .map(|i| (self.padding[i] - (self.filter[i] - 1) * self.dilation[i]) as i32)
            .collect();
        let form = MapForm::Im2col(PixelBox { lower, upper, count: PIXELS as u32 });
        TensorMap { form, swizzle: self.swizzle, ..TensorMap::new(MapElement::F32, address, modes) }
    }

    /// A block has a thread for each of its outputs, and loads a column for each tap.
    fn kernel(&self) -> String {
        let (row, rank, outputs) = (4 * self.channels, self.extents.len(), self.outputs());
        let rows = match self.swizzle {
            MapSwizzle::B32 => 1,
            MapSwizzle::B64 => 3,
            MapSwizzle::B128 => 7,
            _ => 0,
        };
        let mut start = "mov.u32 %r9, %r2; ".to_owned();
        for (i, extent) in outputs.iter().enumerate() {
            start += &format!(
                "rem.u32 %r{0}, %r9, {extent}; div.u32 %r9, %r9, {extent}; mad.lo.s32 %r{0}, %r{0}, {1}, {2};\n",
                10 + i,
                self.steps[i],
                -self.padding[i]
            );
        }
        let at: String = (0..rank).map(|i| format!("%r{}, ", 10 + i)).collect();
        let taps = (0..self.taps()).map(|tap| {
            let tap_at = digits(tap, self.filter);
            let offsets: Vec<String> =
                tap_at.iter().zip(self.dilation).map(|(tap, dilation)| (tap * dilation).to_string()).collect();
            format!(
                "@!%p0 bra LOADED{tap};
                 mbarrier.arrive.expect_tx.shared.b64 _, [bar], {};
                 cp.async.bulk.tensor.{}d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [tile], [%rd5, {{0, {at}%r9}}], [bar], {{{}}};
                 LOADED{tap}: mbarrier.try_wait.parity.shared.b64 %p1, [bar], {}; @!%p1 bra LOADED{tap};
                 mov.u32 %r3, 0;
                 CHANNEL{tap}: mad.lo.u32 %r4, %r1, {row}, %r3; shr.u32 %r5, %r4, 7; and.b32 %r5, %r5, {rows}; shl.b32 %r5, %r5, 4;
                 xor.b32 %r4, %r4, %r5; add.u32 %r4, %r4, %r20; ld.shared.f32 %f2, [%r4];
                 mul.lo.u32 %r5, %r3, {FILTERS}; cvt.u64.u32 %rd2, %r5; add.u64 %rd2, %rd2, %rd0;
                 ld.global.f32 %f3, [%rd2+{weights}]; fma.rn.f32 %f0, %f2, %f3, %f0;
                 ld.global.f32 %f3, [%rd2+{weights}+4]; fma.rn.f32 %f1, %f2, %f3, %f1;
                 add.u32 %r3, %r3, 4; setp.lt.u32 %p2, %r3, {row}; @%p2 bra CHANNEL{tap};
                 bar.sync 0;\n",
                row * PIXELS,
                rank + 2,
                offsets.join(", "),
                tap % 2,
                weights = tap * row * FILTERS,
            )
        });
        format!(
            ".version 8.7\n.target sm_90a\n.address_size 64
             .visible .entry k(.param .align 64 .b8 map[128], .param .u64 weights, .param .u64 out) {{
               .shared .align 1024 .b8 tile[{}]; .shared .align 8 .b64 bar;
               .reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<9>; .reg .f32 %f<5>;
               ld.param.u64 %rd0, [weights]; ld.param.u64 %rd1, [out]; mov.b64 %rd5, map; cvta.param.u64 %rd5, %rd5;
               mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mul.lo.u32 %r2, %r2, {PIXELS}; mov.u32 %r20, tile;
               {start} mov.f32 %f0, 0f00000000; mov.f32 %f1, 0f00000000;
               setp.eq.u32 %p0, %r1, 0; @%p0 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.sync 0;
               {}
               add.u32 %r2, %r2, %r1; setp.ge.u32 %p2, %r2, {}; @%p2 bra DONE;
               mul.wide.u32 %rd2, %r2, {}; add.u64 %rd1, %rd1, %rd2; st.global.f32 [%rd1], %f0; st.global.f32 [%rd1+4], %f1;
               DONE: ret;
             }}",
            row * PIXELS,
            taps.collect::<String>(),
            self.images * outputs.iter().product::<i64>() as usize,
            4 * FILTERS,
        )
    }

    /// The outputs by loops over images, pixels, taps and channels.
    fn direct(&self, input: &[f32], weights: &[f32]) -> Vec<f32> {
        let (outputs, mut found) = (self.outputs(), Vec::new());
        let size = self.extents.iter().product::<i64>() as usize;
        for image in 0..self.images {
            for output in 0..outputs.iter().product::<i64>() as usize {
                let at = digits(output, &outputs);
                let mut sums = [0.0; FILTERS];
                for tap in 0..self.taps() {
                    let (mut pixel, mut unit, mut is_inside) = (0, 1, true);
                    for (i, tap) in digits(tap, self.filter).into_iter().enumerate() {
                        let c = at[i] * self.steps[i] - self.padding[i] + tap * self.dilation[i];
                        is_inside &= (0..self.extents[i]).contains(&c);
                        pixel += c * unit;
                        unit *= self.extents[i];
                    }
                    for channel in 0..if is_inside { self.channels } else { 0 } {
                        let value = input[(image * size + pixel as usize) * self.channels + channel];
                        for (filter, sum) in sums.iter_mut().enumerate() {
                            *sum += value * weights[(tap * self.channels + channel) * FILTERS + filter];
                        }
                    }
                }
                found.extend(sums);
            }
        }
        found
    }
}

/// Small integers, whose sums are exact in every order.
fn integers(count: usize, seed: u64) -> Vec<f32> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| f32::from(rng.i8(-4..=4))).collect()
}

#[test]
fn convolutions_are_those_of_loops() {
    use MapSwizzle as S;
    type Lists<'a> = [&'a [i64]; 5];
    let cases: [(usize, usize, S, Lists<'_>); 8] = [
        // Extents, filter, padding, steps and dilation.
        (2, 8, S::B32, [&[7, 5], &[3, 3], &[1, 1], &[1, 1], &[1, 1]]),
        (3, 16, S::B64, [&[9, 6], &[3, 2], &[1, 0], &[2, 1], &[1, 2]]),
        (2, 32, S::B128, [&[8, 9], &[3, 3], &[2, 2], &[1, 3], &[2, 2]]),
        (1, 8, S::None, [&[13, 11], &[5, 1], &[2, 0], &[3, 2], &[1, 1]]),
        (2, 4, S::None, [&[33], &[4], &[3], &[2], &[2]]),
        (5, 8, S::B32, [&[5], &[3], &[1], &[1], &[1]]),
        (2, 8, S::None, [&[4, 3, 5], &[2, 3, 2], &[1, 1, 0], &[1, 2, 1], &[1, 1, 2]]),
        // More than one image in a column.
        (9, 4, S::None, [&[2, 3, 2], &[2, 2, 2], &[1, 1, 1], &[2, 2, 1], &[1, 1, 1]]),
    ];
    for (case, (images, channels, swizzle, lists)) in cases.into_iter().enumerate() {
        let [extents, filter, padding, steps, dilation] = lists;
        let of = Convolution { images, channels, extents, filter, padding, steps, dilation, swizzle };
        let size = images * channels * extents.iter().product::<i64>() as usize;
        let (input, weights) = (integers(size, 3), integers(of.taps() * channels * FILTERS, 4));
        let expected = of.direct(&input, &weights);
        assert!(expected.len() > FILTERS * PIXELS / 2, "the case has a column of its own");
        let text = of.kernel();
        let program = parse(&text, Reading { file: "k.ptx", strict: true }).and_then(|file| file.program());
        let program = program.unwrap_or_else(|why| panic!("{why}"));
        for schedule in [Schedule::Lazy, SCHEDULES[case % SCHEDULES.len()]] {
            let mut memory = Memory::new();
            let [images, weights] = [&input, &weights].map(|values| memory.upload(values));
            let out = memory.zeroed::<f32>(expected.len());
            let map = of.map(memory.address(images).unwrap());
            let blocks = expected.len().div_ceil(FILTERS * PIXELS) as u32;
            let launch = Launch { schedule, ..Launch::new("k", [blocks, 1, 1], [PIXELS as u32, 1, 1]) };
            let words = map.simulated_words().unwrap_or_else(|why| panic!("{case}: {why}"));
            let args = [Arg::words(&words), Arg::Buffer(weights), Arg::Buffer(out)];
            program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{case}: {e}"));
            assert_eq!(memory.download::<f32>(out), expected, "{case}");
        }
    }
}

/// Two images of 3 x 2 pixels with 8 channels, of which a copy takes 4. Pixel i of all has the
/// channels 1 + 100 i to 8 + 100 i.
fn images(corners: [[i32; 2]; 2], count: u32) -> TensorMap {
    let mode = |extent, stride, boxed| MapMode { extent, stride, boxed, step: 1 };
    let modes = vec![mode(8, 4, 4), mode(3, 32, 1), mode(2, 96, 1), mode(2, 192, 1)];
    let [lower, upper] = corners.map(Vec::from);
    let form = MapForm::Im2col(PixelBox { lower, upper, count });
    TensorMap { form, ..TensorMap::new(MapElement::U32, 0, modes) }
}

fn numbered() -> Vec<u32> {
    (0..12).flat_map(|pixel| (1..9).map(move |channel| 100 * pixel + channel)).collect()
}

/// The first channel of each pixel that a load writes to shared memory.
fn loaded(map: &TensorMap, at: [i64; 4], offsets: [i64; 2]) -> Result<Vec<u32>, String> {
    let count = map.copied()[1] as usize;
    let [c, w, h, n] = at;
    let body = format!(
        "mbarrier.arrive.expect_tx.shared.b64 _, [bar], {}; mov.b16 %h0, {}; mov.b16 %h1, {};
         cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [tile], [%rd5, {{{c}, {w}, {h}, {n}}}], [bar], {{%h0, %h1}}; {}",
        16 * count,
        offsets[0],
        offsets[1],
        taken(4 * count)
    );
    let words = run(map, &numbered(), ".reg .b16 %h<2>;", &body)?;
    Ok(words[0][..4 * count].iter().copied().step_by(4).collect())
}

/// Pixels and channels outside are zero or NaN, and count as bytes. A column ends nowhere.
#[test]
fn columns_end_with_the_images() {
    let plain = images([[0, 0], [0, 0]], 8);
    for (at, offsets, expected) in [
        ([0, 0, 0, 0], [0, 0], [1, 101, 201, 301, 401, 501, 601, 701]),
        ([4, 1, 1, 0], [0, 0], [405, 505, 605, 705, 805, 905, 1005, 1105]),
        // Channels before the first one and behind the last one.
        ([-4, 0, 0, 0], [0, 0], [0; 8]),
        ([8, 0, 0, 0], [0, 0], [0; 8]),
        ([0, 2, 1, 1], [0, 0], [1101, 0, 0, 0, 0, 0, 0, 0]),
        ([0, 0, 0, 2], [0, 0], [0; 8]),
        ([0, 0, 1, -1], [0, 0], [0, 0, 0, 1, 101, 201, 301, 401]),
        ([0, 0, 0, 0], [2, 0], [201, 0, 0, 501, 0, 0, 801, 0]),
        ([0, 0, 0, 0], [0, 1], [301, 401, 501, 0, 0, 0, 901, 1001]),
        ([0, 0, 0, 0], [255, 255], [0; 8]),
    ] {
        assert_eq!(loaded(&plain, at, offsets), Ok(expected.to_vec()), "{at:?} {offsets:?}");
    }
    let padded = images([[-1, 0], [-2, -1]], 5);
    assert_eq!(loaded(&padded, [0, -1, 0, 0], [0, 0]), Ok(vec![0, 1, 0, 601, 0]));
    assert_eq!(loaded(&padded, [0, -1, 0, 0], [1, 0]), Ok(vec![1, 101, 601, 701, 0]));
    let nan = TensorMap { element: MapElement::F32, fill: Fill::Nan, ..padded.clone() };
    assert_eq!(
        loaded(&nan, [0, -1, 0, 1], [0, 1]),
        Ok(vec![0x7fff_ffff, 901, 0x7fff_ffff, 0x7fff_ffff, 0x7fff_ffff])
    );

    let fails = |map: &TensorMap, at, offsets, why: &str| {
        let error = loaded(map, at, offsets).unwrap_err();
        assert!(error.contains(why), "{error}");
    };
    fails(
        &plain,
        [0, 3, 0, 0],
        [0, 0],
        "coordinate 3 along mode 1 is not in the bounding box of the im2col map, which is from 0 to 2",
    );
    fails(
        &plain,
        [0, 0, 0, 0],
        [256, 0],
        "the im2col offset along mode 1 is 256: for a tensor of 4 modes it is at most 255",
    );
    let mut apart = plain.clone();
    apart.modes[3].step = 2;
    fails(&apart, [0; 4], [0, 0], "a tensor map with a step along mode 3 is not modelled");
    let mut steps = images([[-1, 0], [0, 0]], 8);
    steps.modes[1].step = 2;
    fails(
        &steps,
        [0; 4],
        [0, 0],
        "between the steps of 2 from the lower corner -1 of the im2col map, is not modelled",
    );
    let boxes = TensorMap { form: MapForm::Tiled, ..plain.clone() };
    let load = "cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [tile], [%rd5, {0, 0, 0, 0}], [bar], {0, 0};";
    let error = run(&boxes, &numbered(), "", load).unwrap_err();
    assert!(
        error.contains("the tensor map is one of boxes, but the instruction copies a column of pixels"),
        "{error}"
    );
    let load = "cp.async.bulk.tensor.4d.shared::cta.global.tile.mbarrier::complete_tx::bytes [tile], [%rd5, {0, 0, 0, 0}], [bar];";
    let error = run(&plain, &numbered(), "", load).unwrap_err();
    assert!(error.contains("the tensor map is one of im2col, but the instruction copies a box"), "{error}");
    let load = "cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [tile], [%rd5, {0, 0, 0}], [bar], {0};";
    let error = run(&plain, &numbered(), "", load).unwrap_err();
    assert!(error.contains("3 coordinates for a tensor map of rank 4"), "{error}");
}

/// Pixels outside are written nowhere.
#[test]
fn columns_are_stored_and_reduced() {
    let map = images([[0, 0], [-1, 0]], 6);
    let words: Vec<u32> = (1..25).collect();
    // W is 0 and 1 in each row.
    for (at, pixels) in [
        ([0, 0, 0], [0, 1, 3, 4, 6, 7]),
        ([1, 1, 1], [10, 99, 99, 99, 99, 99]),
        ([0, 1, 0], [3, 4, 6, 7, 9, 10]),
    ] {
        for (store, sum) in [
            ("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group", false),
            ("cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group", true),
        ] {
            let body = format!(
                "{} {store} [%rd5, {{4, {}, {}, {}}}], [tile]; {DONE}",
                given(&words),
                at[0],
                at[1],
                at[2]
            );
            let mut expected = vec![50; 96];
            for (i, word) in words.iter().enumerate() {
                if let Some(to) = expected.get_mut(8 * pixels[i / 4] + 4 + i % 4) {
                    *to = word + if sum { 50 } else { 0 };
                }
            }
            let found = run(&map, &[50; 96], "", &body).unwrap_or_else(|e| panic!("{body}: {e}"));
            assert_eq!(found[1], expected, "{store} {at:?}");
        }
    }
    let store = "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group";
    for (map, at, why) in [
        (images([[-1, 0], [0, 0]], 6), 0, "the lower corner of the im2col map is -1 along mode 1"),
        (images([[0, 0], [0, 1]], 6), 0, "the upper corner of the im2col map is 1 along mode 2"),
        (map, -1, "coordinate -1 along mode 3 is negative"),
    ] {
        let body = format!("{} {store} [%rd5, {{0, 0, 0, {at}}}], [tile]; {DONE}", given(&words));
        let error = run(&map, &[50; 96], "", &body).unwrap_err();
        assert!(error.contains(why), "{error}");
    }
}
