//! One GEMM: how it is launched, and the expected result.

use std::fs;

use tempfile::TempDir;

use super::super::{coverage::writes_each_once, run_in};
use super::elements::{MADE_F32, Numbers, numbers, write};
use super::scaled::Scaled;

/// Elements, and the number that they have in place of a small integer.
pub(super) type Exact = (Numbers, fn(i8) -> i8);

/// How a GEMM is launched.
pub(super) struct Gemm<'a> {
    pub kernel: &'a str,
    pub factors: Numbers,
    /// The number that is multiplied in place of a small integer.
    pub number: fn(i8) -> i8,
    /// Elements of B, and what is multiplied of it, if they are not those of A.
    pub other: Option<Exact>,
    /// Scale factors, if there are some.
    pub scaled: Option<Scaled>,
    /// Elements of D: their name, and the bytes of a sum.
    pub made: (&'static str, fn(i32) -> Vec<u8>),
    pub shape: [usize; 3],
    /// Matrices of a batch, in a third mode.
    pub batch: Option<usize>,
    pub schedule: &'a str,
    /// `--host`, or the grid.
    pub launch: &'a str,
}

impl<'a> Gemm<'a> {
    /// A product of integers to f32, without a batch and without scale factors.
    pub fn plain(
        (kernel, factors): (&'a str, Numbers),
        shape: [usize; 3],
        schedule: &'a str,
        launch: &'a str,
    ) -> Self {
        Gemm {
            kernel,
            factors,
            number: |n| n,
            other: None,
            scaled: None,
            made: MADE_F32,
            shape,
            batch: None,
            schedule,
            launch,
        }
    }

    /// Runs with small integers and more arguments before D and after it, whose files are in the
    /// folder: the accumulators, and the bytes of D.
    pub fn run(&self, folder: &TempDir, [before, behind]: [&str; 2]) -> (Vec<i32>, Vec<u8>) {
        let [m, n, k] = self.shape;
        let batch = self.batch.unwrap_or(1);
        let matrix = |rows, seed, number| -> Vec<i8> {
            numbers(rows * k * batch, seed).into_iter().map(number).collect()
        };
        let (own, other) = (self.factors, self.other.unwrap_or((self.factors, self.number)));
        let (a, b) = (matrix(m, 1, self.number), matrix(n, 2, other.1));
        let ((of_a, descr_a, bytes_a), (of_b, descr_b, bytes_b)) = (own, other.0);
        let factors = self
            .scaled
            .map(|scaled| [(m, 3), (n, 4)].map(|(rows, seed)| scaled.factors([rows, k, batch], seed)));
        let scales: String = factors
            .iter()
            .flatten()
            .zip(["SFA", "SFB"])
            .map(|(factors, name)| factors.argument(folder.path(), name, self.batch.is_some()))
            .collect();
        let (shape, by) = self.batch.map_or_else(Default::default, |l| (vec![l], format!("x{l}")));
        let shape = |rows| [&[rows, k], &shape[..]].concat();
        write(folder.path(), "a.npy", descr_a, &shape(m), a.iter().flat_map(|n| bytes_a(*n)));
        write(folder.path(), "b.npy", descr_b, &shape(n), b.iter().flat_map(|n| bytes_b(*n)));
        let (name, bytes) = self.made;
        // Hopper's accumulators of FP8 have 14 bits, too few for the exact sums.
        let sums = if of_a.starts_with("f8") { "--sums plain" } else { "" };
        let arguments = format!(
            "{} --schedule {} {sums} --arg A:{of_a}[{m}x{k}{by}]=a.npy --arg B:{of_b}[{n}x{k}{by}]=b.npy {scales} {before} \
             --arg D:{name}[{m}x{n}{by}] {behind} --out D=d.npy --pedantic",
            self.launch, self.schedule
        );
        let (code, out, err) = run_in(folder, self.kernel, &arguments);
        let what = self.what();
        assert_eq!(code, Some(0), "{what}: {out}{err}");
        assert!(!err.contains("error:"), "{what}: {out}{err}");
        writes_each_once(&out);
        let file = fs::read(folder.path().join("d.npy")).unwrap();
        let d = file[file.len() - bytes(0).len() * m * n * batch..].to_vec();
        let at = |rows: &[i8], row: usize, column: usize, l: usize| {
            i32::from(rows[(row * k + column) * batch + l])
        };
        let scale = |i, j, x, l| match &factors {
            Some([of_a, of_b]) => of_a.at(i, x, l) * of_b.at(j, x, l),
            None => 1,
        };
        let sum = |i, j, l| (0..k).map(|x| at(&a, i, x, l) * at(&b, j, x, l) * scale(i, j, x, l)).sum();
        let sums = (0..m * n * batch).map(|at| sum(at / batch / n, at / batch % n, at % batch));
        (sums.collect(), d)
    }

    fn what(&self) -> String {
        let ([m, n, k], (of_a, ..)) = (self.shape, self.factors);
        let of_b = self.other.map_or(of_a, |((of_b, ..), _)| of_b);
        format!("{of_a} by {of_b} {m}x{n}x{k} {}", self.schedule)
    }

    /// Compares D with `expected` of each sum, its row and its column, in the batch.
    pub fn check(&self, folder: &TempDir, more: [&str; 2], expected: impl Fn(i32, usize, [usize; 2]) -> i32) {
        let (sums, d) = self.run(folder, more);
        let (n, batch, (_, bytes)) = (self.shape[1], self.batch.unwrap_or(1), self.made);
        for (at, (sum, found)) in sums.into_iter().zip(d.chunks_exact(bytes(0).len())).enumerate() {
            let (i, j, l) = (at / batch / n, at / batch % n, at % batch);
            assert_eq!(
                found,
                bytes(expected(sum, i, [j, l])),
                "{}: row {i}, column {j}, matrix {l}",
                self.what()
            );
        }
    }
}
