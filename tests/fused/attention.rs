//! `examples/attention.mlir`.

use cute_sim::{Arg, Buffer, Memory};
use half::f16;

use crate::{Example, noise, unit};

/// Columns of Q, K, V and O.
const D: usize = 64;
/// Keys of a tile, after each of which the kernel rescales.
const TILE: usize = 64;
const SCALE: f32 = 0.125;

/// Queries, keys and heads.
#[derive(Debug, Clone, Copy)]
struct Problem {
    queries: usize,
    keys: usize,
    heads: usize,
}

impl Problem {
    /// Kernel arguments of a tensor (rows, 64, heads) that lies in memory as (rows, heads, 64).
    fn args(self, buffer: Buffer, rows: usize) -> [Arg; 5] {
        let [extent, heads] = [rows, self.heads].map(|n| Arg::I32(n as i32));
        let [row, head] = [self.heads * D, D].map(|n| Arg::I64(n as i64));
        [Arg::Buffer(buffer), extent, heads, row, head]
    }

    fn run(self, example: &Example, [q, k, v]: [&[f16]; 3]) -> Vec<f16> {
        let mut memory = Memory::new();
        let [q, k, v] = [q, k, v].map(|tensor| memory.upload(tensor));
        let o = memory.zeroed::<f16>(self.queries * self.heads * D);
        let mut args = self.args(q, self.queries).to_vec();
        args.extend(self.args(k, self.keys));
        args.extend(self.args(v, self.keys));
        args.extend(self.args(o, self.queries));
        args.push(Arg::F32(SCALE));
        example.run([self.queries.div_ceil(64), self.heads], 128, &mut memory, &args);
        memory.download(o)
    }

    /// The plain loop in f64 for a row of a head. It rescales after the same tiles as the kernel
    /// and, as the kernel does, rounds the weights to f16 before they multiply V, though not before
    /// they are summed.
    fn expected(self, [q, k, v]: [&[f16]; 3], query: usize, head: usize) -> Vec<f64> {
        let row = |tensor: &[f16], at: usize| -> Vec<f64> {
            tensor[(at * self.heads + head) * D..][..D].iter().map(|x| f64::from(*x)).collect()
        };
        let own = row(q, query);
        let (mut max, mut sum, mut o) = (f64::NEG_INFINITY, 0.0, vec![0.0; D]);
        for begin in (0..self.keys).step_by(TILE) {
            let tile = begin..self.keys.min(begin + TILE);
            let dot = |key| own.iter().zip(row(k, key)).map(|(q, k)| q * k).sum::<f64>() * f64::from(SCALE);
            let scores: Vec<f64> = tile.clone().map(dot).collect();
            let above = scores.iter().copied().fold(max, f64::max);
            let rescale = (max - above).exp();
            max = above;
            sum *= rescale;
            o.iter_mut().for_each(|o| *o *= rescale);
            for (key, score) in tile.zip(scores) {
                let weight = (score - max).exp();
                sum += weight;
                let rounded = f64::from(f16::from_f64(weight));
                o.iter_mut().zip(row(v, key)).for_each(|(o, v)| *o += rounded * v);
            }
        }
        o.iter().map(|o| o / sum).collect()
    }

    /// Every element is within a unit of f16 and 2^-11 of the largest of V.
    fn check(self, example: &Example, spread: f32) {
        let mut random = fastrand::Rng::with_seed(4);
        let mut numbers = |rows: usize, scale: f32| -> Vec<f16> {
            (0..rows * self.heads * D).map(|_| f16::from_f32(noise(&mut random) * scale)).collect()
        };
        let (q, k, v) = (numbers(self.queries, spread), numbers(self.keys, spread), numbers(self.keys, 3.0));
        let found = self.run(example, [&q, &k, &v]);
        let largest = v.iter().map(|v| f64::from(*v).abs()).fold(0.0, f64::max);
        for query in 0..self.queries {
            for head in 0..self.heads {
                let found = &found[(query * self.heads + head) * D..][..D];
                for (found, expected) in found.iter().zip(self.expected([&q, &k, &v], query, head)) {
                    let allowed = unit(expected, 11, -14) + largest / 2048.0;
                    let off = (f64::from(*found) - expected).abs();
                    assert!(off <= allowed, "{self:?}, query {query}, head {head}: {found}, not {expected}");
                }
            }
        }
    }
}

#[test]
fn is_what_the_loops_give() {
    let example = Example::compile("attention", include_str!("../../examples/attention.mlir"));
    for (queries, keys, heads) in
        [(64, 64, 1), (128, 320, 2), (1, 1, 1), (100, 150, 3), (37, 65, 1), (72, 63, 1)]
    {
        let problem = Problem { queries, keys, heads };
        // Weights that are all alike, and a few that stand out.
        problem.check(&example, 1.0);
        problem.check(&example, 4.0);
    }
}
