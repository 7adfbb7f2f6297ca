//! The examples, compiled in process, run in the simulator, and compared with the plain loop.

use cute_mlir::Target;
use cute_sim::{Arg, Buffer, Launch, Memory, Program, Stats};
use melior::{Context, ir::Module};

#[allow(dead_code)]
#[path = "../examples/embed.rs"]
mod embed;
#[allow(dead_code)]
#[path = "../examples/saxpy.rs"]
mod saxpy;

/// A matrix in memory: `rows` of `columns` elements, `pitch` apart. The last row has no padding
/// after it.
#[derive(Clone, Copy)]
struct Matrix {
    rows: usize,
    columns: usize,
    pitch: usize,
}

impl Matrix {
    fn new(rows: usize, columns: usize, pitch: usize) -> Self {
        Self { rows, columns, pitch }
    }

    fn len(self) -> usize {
        (self.rows - 1) * self.pitch + self.columns
    }

    /// Kernel arguments: pointer, shape, row stride.
    fn args(self, buffer: Buffer) -> [Arg; 4] {
        [
            Arg::Buffer(buffer),
            Arg::I32(self.rows as i32),
            Arg::I32(self.columns as i32),
            Arg::I64(self.pitch as i64),
        ]
    }
}

/// A kernel from `examples/`, lowered.
struct Example {
    name: &'static str,
    text: String,
    program: Program,
}

impl Example {
    fn compile(name: &'static str, source: &str) -> Self {
        let context = Context::new();
        cute_mlir::load(&context);
        let module = cute_mlir::parse(&context, source).unwrap_or_else(|e| panic!("{e}"));
        Self::lower(name, &context, module)
    }

    fn lower(name: &'static str, context: &Context, mut module: Module<'_>) -> Self {
        cute_mlir::lower(context, &mut module, Target::Sm90a).unwrap_or_else(|e| panic!("{e}"));
        let program = cute_decode::decode(module.as_operation()).unwrap_or_else(|e| panic!("{e}"));
        Self { name, text: module.as_operation().to_string(), program }
    }

    fn run<T: cute_sim::Element>(
        &self,
        [x, y]: [usize; 2],
        threads: u32,
        (src, from): (Matrix, &[T]),
        (dst, to): (Matrix, &[T]),
    ) -> (Vec<T>, Stats) {
        let mut memory = Memory::new();
        let (read, written) = (memory.upload(from), memory.upload(to));
        let launch = Launch::new(self.name, [x as u32, y as u32, 1], [threads, 1, 1]);
        let args = [src.args(read), dst.args(written)].concat();
        let report = self.program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
        (memory.download(written), report.stats)
    }

    /// The number of lines of the lowered text that contain all of these words.
    fn count(&self, words: &[&str]) -> usize {
        self.text.lines().filter(|line| words.iter().all(|w| line.contains(w))).count()
    }
}

#[test]
fn copy_copies() {
    let example = Example::compile("copy", include_str!("../examples/copy.mlir"));
    // Rows, columns, pitch of source and destination; a tile is 32 x 128.
    for (m, n, src, dst) in [
        (32, 128, 128, 128),
        (1, 4, 4, 4),
        (1, 128, 128, 132),
        (1, 260, 264, 260),
        (33, 128, 128, 128),
        (31, 132, 136, 140),
        (70, 60, 64, 200),
    ] {
        let (src, dst) = (Matrix::new(m, n, src), Matrix::new(m, n, dst));
        let from: Vec<f32> = (0..src.len()).map(|i| i as f32 + 0.5).collect();
        let untouched = vec![-1.0f32; dst.len()];
        let mut expected = untouched.clone();
        for row in 0..m {
            for column in 0..n {
                expected[row * dst.pitch + column] = from[row * src.pitch + column];
            }
        }
        let grid = [n.div_ceil(128), m.div_ceil(32)];
        let (found, _) = example.run(grid, 256, (src, &from), (dst, &untouched));
        assert!(found == expected, "{m} x {n}, pitches {} and {}", src.pitch, dst.pitch);
    }
}

#[test]
fn transpose_transposes() {
    let example = Example::compile("transpose", include_str!("../examples/transpose.mlir"));
    // As above; a tile is 64 x 64.
    for (m, n, src, dst) in [
        (64, 64, 64, 64),
        (8, 8, 8, 8),
        (8, 64, 64, 16),
        (64, 8, 24, 72),
        (72, 64, 64, 72),
        (56, 136, 144, 64),
        (136, 72, 72, 160),
    ] {
        let (src, dst) = (Matrix::new(m, n, src), Matrix::new(n, m, dst));
        // f16 values given by their bits, because nothing is computed with them.
        let from: Vec<u16> = (0..src.len()).map(|i| i as u16).collect();
        let untouched = vec![0xffffu16; dst.len()];
        let mut expected = untouched.clone();
        for row in 0..m {
            for column in 0..n {
                expected[column * dst.pitch + row] = from[row * src.pitch + column];
            }
        }
        let grid = [n.div_ceil(64), m.div_ceil(64)];
        let (found, stats) = example.run(grid, 128, (src, &from), (dst, &untouched));
        assert!(found == expected, "{m} x {n}, pitches {} and {}", src.pitch, dst.pitch);
        assert_eq!(stats.barriers, stats.blocks);
    }
}

#[test]
fn copy_accesses_memory_in_16_bytes() {
    let example = Example::compile("copy", include_str!("../examples/copy.mlir"));
    for access in ["llvm.load", "llvm.store"] {
        assert_eq!(example.count(&[access, "!llvm.ptr<1>"]), 4);
        assert_eq!(example.count(&[access, "!llvm.ptr<1>", "{alignment = 16 : i64}", "vector<4xf32>"]), 4);
    }
}

#[test]
fn transpose_accesses_global_memory_in_16_bytes() {
    let example = Example::compile("transpose", include_str!("../examples/transpose.mlir"));
    assert_eq!(example.count(&["nvvm.cp.async.shared.global"]), 4);
    assert_eq!(example.count(&["nvvm.cp.async.shared.global", ", 16, cache =", " cg,"]), 4);
    assert_eq!(example.count(&["llvm.load", "!llvm.ptr<1>"]), 0);
    assert_eq!(example.count(&["llvm.store", "!llvm.ptr<1>"]), 4);
    assert_eq!(example.count(&["llvm.store", "!llvm.ptr<1>", "{alignment = 16 : i64}", "vector<8xf16>"]), 4);
}

#[test]
fn a_kernel_from_builders_runs() -> Result<(), cute_mlir::Error> {
    let context = Context::new();
    cute_mlir::load(&context);
    let example = Example::lower("twice", &context, embed::twice(&context)?);
    let from: Vec<f32> = (0..3 * 1024).map(|i| i as f32 - 100.0).collect();
    let mut memory = Memory::new();
    let (x, y) = (memory.upload(&from), memory.zeroed::<f32>(from.len()));
    let length = Arg::I32(from.len() as i32);
    let args = [Arg::Buffer(x), length.clone(), Arg::Buffer(y), length];
    let launch = Launch::new("twice", [3, 1, 1], [256, 1, 1]);
    example.program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{e}"));
    assert!(memory.download::<f32>(y).iter().zip(&from).all(|(y, x)| *y == 2.0 * x));
    Ok(())
}

#[test]
fn saxpy_stays_inside_its_vectors() -> Result<(), cute_mlir::Error> {
    let context = Context::new();
    cute_mlir::load(&context);
    let example = Example::lower("saxpy", &context, saxpy::saxpy(&context)?);
    for length in [4, 1000, 1024, 2500] {
        let x: Vec<f32> = (0..length).map(|i| i as f32 - 100.0).collect();
        let y: Vec<f32> = (0..length).map(|i| (i % 7) as f32).collect();
        let mut memory = Memory::new();
        let (at_x, at_y) = (memory.upload(&x), memory.upload(&y));
        let size = Arg::I32(length);
        let args = [Arg::F32(3.0), Arg::Buffer(at_x), size.clone(), Arg::Buffer(at_y), size];
        let launch = Launch::new("saxpy", [(length as u32).div_ceil(1024), 1, 1], [256, 1, 1]);
        example.program.run(&launch, &mut memory, &args).unwrap_or_else(|e| panic!("{length}: {e}"));
        let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 3.0 * x + y).collect();
        assert_eq!(memory.download::<f32>(at_y), expected, "{length}");
    }
    Ok(())
}
