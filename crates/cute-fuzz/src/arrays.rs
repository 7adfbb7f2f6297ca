//! `.npy` files for `cutec run`: headers and bodies that do not belong together, and things that
//! are not files.

use crate::{
    case::{Case, File},
    mutate,
    random::Random,
};

/// A kernel that takes an array of any type.
const KERNEL: &str = "gpu.module @m {
  llvm.func @k(%a: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
";

/// Types of an argument and of its file.
const TYPES: [(&str, &str); 12] = [
    ("f32", "'<f4'"),
    ("f16", "'<f2'"),
    ("f64", "'>f8'"),
    ("bf16", "'<V2'"),
    ("f8E4M3FN", "'|V1'"),
    ("i1", "'|b1'"),
    ("i8", "'|i1'"),
    ("i64", "'<i8'"),
    ("u8", "'|u1'"),
    ("u16", "[('a', '<u2')]"),
    ("u32", "[('a', [('b', [('c', '<f4')])]), ('d', '<i2', (2, 3))]"),
    ("i32", "[[('a', '<i4')], ('b', '|S5')]"),
];

const SHAPES: [(&str, &str); 5] =
    [("4x8", "(4, 8)"), ("32", "(32,)"), ("2x4x4", "(2, 4, 4)"), ("1", "()"), ("0x7", "(0, 7)")];

const NAME: &str = "a.npy";

/// The words of `cutec run`, a kernel, and a file.
pub fn case(random: &mut Random) -> Case {
    let (kind, descr) = random.pick(&TYPES).copied().unwrap_or_default();
    let (extents, shape) = random.pick(&SHAPES).copied().unwrap_or_default();
    let fortran = if random.below(8) == 0 { "True" } else { "False" };
    let mut header = format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let mut body = vec![0x3f; 32 * 8];
    for _ in 0..random.below(3) {
        header = match random.below(8) {
            0 => mutate::nested(&header, random),
            1 => mutate::repeated(&header, random),
            2 | 3 => mutate::gently(&header, random),
            _ => mutate::anything(&header, descr, random),
        };
    }
    if random.below(3) == 0 {
        mutate::bytes(&mut body, &[], random);
    }
    let extents = if random.below(4) == 0 { mutate::gently(extents, random) } else { extents.into() };
    let mut file = File::Bytes(npy(&header, &body, random));
    if random.below(16) == 0 {
        let others =
            [File::Folder, File::Pipe, File::Link("/dev/zero"), File::Link("nowhere"), File::Link(NAME)];
        file = random.pick(&others).cloned().unwrap_or(file);
    }
    let words = ["run", "-", "--grid", "1", "--block", "1", "--budget", "1000", "--memory", "64", "--arg"];
    let words = words.map(str::to_string).into_iter().chain([format!("{kind}[{extents}]={NAME}")]).collect();
    Case { words, input: KERNEL.into(), files: vec![(NAME.into(), file)] }
}

/// A file of version 1 or 2, whose header may state another length, and may be damaged itself.
fn npy(header: &str, body: &[u8], random: &mut Random) -> Vec<u8> {
    let mut length = header.len() as u32;
    if random.below(8) == 0 {
        length = random.bits() as u32 >> random.below(32);
    }
    let mut file = b"\x93NUMPY".to_vec();
    if header.len() > 60_000 || random.below(4) == 0 {
        file.extend([2, 0]);
        file.extend(length.to_le_bytes());
    } else {
        file.extend([1, 0]);
        file.extend((length as u16).to_le_bytes());
    }
    file.extend(header.as_bytes());
    file.extend(body);
    if random.below(8) == 0 {
        mutate::bytes(&mut file, &[], random);
    }
    file
}
