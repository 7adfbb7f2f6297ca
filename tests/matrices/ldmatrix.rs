//! `ldmatrix` and `stmatrix` of 16 and 8 bits through the whole pipeline and the simulator: each
//! byte arrives at the place that CuTe's layouts of the atom give.

use cute_algebra::{Layout, Tuple, crd2idx};
use cute_arch::atoms::CopyAtom;
use cute_mlir::{
    At, Kernel, Kernels, Result, Target,
    types::{self, Space},
};
use cute_sim::{Arg, Launch, Memory};
use melior::{
    Context,
    ir::{Module, Type},
};

const LANES: usize = 32;
/// Bytes of a row.
const ROW: usize = 16;

/// An atom in the spelling of its type, its CuTe name, and the number of bits of an element.
struct Case {
    atom: String,
    name: String,
    bits: usize,
}

impl Case {
    fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for n in [1, 2, 4] {
            for (t, suffix) in [("n", format!("U32x{n}")), ("t", format!("U16x{}", 2 * n))] {
                let letter = t.to_uppercase();
                let load = format!(
                    "ldsm<val_type = f16, mode = <\"(8,8)\">, sz_pattern = u16, num_matrices = {n}, {t}>"
                );
                let store = format!("stsm<f16, mode = <\"(8,8)\">, num_matrices = {n}, {t}>");
                cases.push(Self { atom: load, name: format!("SM75_{suffix}_LDSM_{letter}"), bits: 16 });
                cases.push(Self { atom: store, name: format!("SM90_{suffix}_STSM_{letter}"), bits: 16 });
            }
            let store = format!("stsm<i8, mode = <\"(16,8)\">, num_matrices = {n}, t>");
            cases.push(Self { atom: store, name: format!("SM100_U8x{}_STSM_T", 4 * n), bits: 8 });
        }
        for n in [1, 2] {
            let load =
                format!("ldsm<val_type = i8, mode = <\"(16,16)\">, sz_pattern = u8, num_matrices = {n}, t>");
            cases.push(Self { atom: load, name: format!("SM100_U8x{}_LDSM_T", 8 * n), bits: 8 });
        }
        cases
    }

    fn stores(&self) -> bool {
        self.name.contains("STSM")
    }

    /// Lanes load rows to shared memory and words to registers, move matrices, and store both
    /// again.
    fn kernel<'c>(&self, context: &'c Context, bytes: usize) -> Result<Module<'c>> {
        let t = if self.bits == 8 { types::parse(context, "i8")? } else { Type::float16(context) };
        let view = |space, bytes: usize, align| {
            let values = bytes * 8 / self.bits;
            types::pointer(t, space).align(align).memref(&format!("({values},{LANES}):(1,{values})"))
        };
        let (rows, words) = (view(Space::Gmem, ROW, 16)?, view(Space::Gmem, bytes, 4)?);
        let shared = view(Space::Smem, ROW, 16)?;
        let kernels = Kernels::new(context)?;
        let kernel = Kernel::new(context, "kernel", [("rows", rows), ("words", words)]).block(LANES as i32);
        kernels.kernel(&kernel, |code, [rows, words]| {
            let copy = |text: &str| {
                let t = code.parse_type(&format!("!cute_nvgpu.atom.{text}"))?;
                code.typed("cute.make_atom", &[], t, &[])
            };
            let universal = |bits: u32| copy(&format!("universal_copy<{t}, {bits} b>"));
            let (whole, word, matrices) = (universal(128)?, universal(32)?, copy(&self.atom)?);
            let lane = [At::All, At::Value(code.register("laneid")?)];
            let shared = code.typed("cute.memref.alloc_smem", &[], shared, &[])?;
            let (row, words) = (code.slice(rows, &lane)?, code.slice(words, &lane)?);
            let own = code.slice(shared, &lane)?;
            let registers = code.fragment_like(words)?;
            code.copy(whole, row, own)?;
            code.copy(word, words, registers)?;
            code.effect("nvvm.barrier0", &[], &[])?;
            let [from, to] = if self.stores() { [registers, own] } else { [own, registers] };
            code.effect("cute.copy_atom_call", &[matrices, from, to], &[])?;
            code.effect("nvvm.barrier0", &[], &[])?;
            code.copy(whole, own, row)?;
            code.copy(word, registers, words)
        })?;
        kernels.finish()
    }
}

/// The byte of the atom that byte `i` of a lane is.
fn byte_at(layout: &Layout<i64>, lane: usize, i: usize) -> usize {
    let coord = Tuple::from_leaves([lane as i64, 8 * i as i64]).to_coord();
    *crd2idx(&coord, layout).unwrap().as_leaf().unwrap() as usize / 8
}

#[test]
fn every_byte_arrives_where_cute_says() {
    for case in Case::all() {
        let atom = CopyAtom::by_name(&case.name).unwrap_or_else(|| panic!("{}", case.name));
        let (rows, words) = if case.stores() { (&atom.dst, &atom.src) } else { (&atom.src, &atom.dst) };
        let bits: i64 = words.mode(1).unwrap().shape().leaves().iter().product();
        let bytes = bits as usize / 8;
        let all = |layout, count: usize| -> Vec<usize> {
            (0..LANES * count).map(|i| byte_at(layout, i / count, i % count)).collect()
        };
        let (rows, words) = (all(rows, ROW), all(words, bytes));

        let context = Context::new();
        cute_mlir::load(&context);
        let mut kernel = case.kernel(&context, bytes).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        cute_mlir::lower(&context, &mut kernel, Target::Sm100a)
            .unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let program =
            cute_decode::decode(kernel.as_operation()).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        // Tests both halves of a byte's number; the destination begins as zeros.
        for shift in [0, 8] {
            let half = |numbers: &[usize]| numbers.iter().map(|n| (n >> shift) as u8).collect::<Vec<_>>();
            let (full_rows, full_words) = (half(&rows), half(&words));
            let (from_rows, from_words) = match case.stores() {
                true => (vec![0; rows.len()], full_words.clone()),
                false => (full_rows.clone(), vec![0; words.len()]),
            };
            let mut memory = Memory::new();
            let buffers = [memory.upload(&from_rows), memory.upload(&from_words)];
            let launch = Launch::new("kernel", [1, 1, 1], [LANES as u32, 1, 1]);
            let report = program.run(&launch, &mut memory, &buffers.map(Arg::Buffer));
            report.unwrap_or_else(|e| panic!("{}: {e}", case.name));
            let (to_rows, to_words): (Vec<u8>, Vec<u8>) =
                (memory.download(buffers[0]), memory.download(buffers[1]));
            // The first lanes provide the rows; where the other lanes repeat them, nothing is
            // stored to their rows.
            let matrices = if case.stores() { words.len() / (LANES * 4) * 8 * ROW } else { rows.len() };
            assert_eq!(to_rows[..matrices], full_rows[..matrices], "{}", case.name);
            assert_eq!(to_words, full_words, "{}", case.name);
        }
    }
}
