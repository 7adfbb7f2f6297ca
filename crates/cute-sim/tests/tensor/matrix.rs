//! `ldmatrix` and `stmatrix` byte by byte: of 16 bits by the rules of the PTX manual, of 8 bits by
//! what CuTe's traits and its wrappers imply.

use MatrixElement::{B4x16P64, B6x16P32, B8, B16};
use MatrixMove::{Load, Store};
use cute_sim::matrix::{Matrices, MatrixMove, rows::ROW};
use cute_sim::movmatrix;
use cute_sim::tensor::MatrixElement;

/// The row and the byte of it, unpacked, that byte `byte` of register `register` of a lane holds.
fn rule(
    direction: MatrixMove,
    ty: MatrixElement,
    trans: bool,
    lane: usize,
    register: usize,
    byte: usize,
) -> (usize, usize) {
    let (group, thread) = (lane / 4, lane % 4);
    match (direction, ty, trans) {
        // Four neighbours of row l / 4 of matrix r.
        (_, _, false) => (8 * register + group, 4 * thread + byte),
        // Elements 2 (l % 4) + {0, 1} of column l / 4 of matrix r.
        (_, B16, true) => (8 * register + 2 * thread + byte / 2, 2 * group + byte % 2),
        // Elements 4 (l % 4) + {0, 1, 2, 3} of columns l / 4 and, in the odd register, 8 more, of a
        // matrix of 16 x 16.
        (Load, _, true) => (16 * (register / 2) + 4 * thread + byte, group + 8 * (register % 2)),
        // Elements l / 4 and 8 more of rows 2 (l % 4) + {0, 1} of the transposed 16 x 8 matrix r.
        (Store, _, true) => (8 * register + 2 * thread + byte % 2, group + 8 * (byte / 2)),
    }
}

const ALL: [(MatrixMove, MatrixElement, &[u32], bool); 10] = [
    (Load, B16, &[1, 2, 4], false),
    (Load, B16, &[1, 2, 4], true),
    (Load, B8, &[1, 2], true),
    (Load, B6x16P32, &[1, 2, 4], false),
    (Load, B4x16P64, &[1, 2, 4], false),
    (Load, B6x16P32, &[1, 2], true),
    (Load, B4x16P64, &[1, 2], true),
    (Store, B16, &[1, 2, 4], false),
    (Store, B16, &[1, 2, 4], true),
    (Store, B8, &[1, 2, 4], true),
];

#[test]
fn every_byte_goes_where_the_rule_says() {
    for (direction, ty, count, trans) in
        ALL.iter().flat_map(|&(d, ty, c, t)| c.iter().map(move |c| (d, ty, *c, t)))
    {
        let model = Matrices::new(direction, ty, count, trans).unwrap();
        let square = direction == Load && trans && ty != B16;
        assert_eq!(model.rows(), count as usize * if square { 16 } else { 8 });
        assert_eq!(model.registers(), count as usize * if square { 2 } else { 1 });
        let width = model.row_bytes() / 2;
        for byte in 0..32 * model.registers() * 4 {
            let (lane, register) = (byte / 4 / model.registers(), byte / 4 % model.registers());
            let (row, at) = rule(direction, ty, trans, lane, register, byte % 4);
            let what = format!(
                "{direction:?} {ty:?} x{count} {trans}: lane {lane} register {register} byte {}",
                byte % 4
            );
            // One hot: all bits of one element.
            let mut words = vec![0u32; 32 * model.registers()];
            let mut rows = vec![[0u8; ROW]; model.rows()];
            match direction {
                Load => {
                    rows[row] = (((1u128 << width) - 1) << (at * width)).to_le_bytes();
                    words[byte / 4] = ((1 << width) - 1) << (byte % 4 * 8);
                    assert_eq!(model.load(&rows), words, "{what}");
                }
                Store => {
                    rows[row][at] = 0xa5;
                    words[byte / 4] = 0xa5 << (byte % 4 * 8);
                    assert_eq!(model.store(&words), rows, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_store_undoes_a_load() {
    for (count, trans) in [(1, false), (2, false), (4, false), (1, true), (2, true), (4, true)] {
        let load = Matrices::new(Load, B16, count, trans).unwrap();
        let store = Matrices::new(Store, B16, count, trans).unwrap();
        let rows: Vec<[u8; ROW]> =
            (0..load.rows()).map(|r| std::array::from_fn(|i| (r * 16 + i * 7) as u8)).collect();
        assert_eq!(store.store(&load.load(&rows)), rows);
    }
}

#[test]
fn padding_is_ignored() {
    let model = Matrices::new(Load, B4x16P64, 1, false).unwrap();
    let mut rows = vec![[0; ROW]; 8];
    rows.iter_mut().for_each(|row| row[8..].fill(0xff));
    assert_eq!(model.load(&rows), vec![0; 32]);
    assert_eq!((model.row_bytes(), Matrices::new(Load, B6x16P32, 1, false).unwrap().row_bytes()), (8, 12));
}

#[test]
fn movmatrix_turns_as_a_transposed_load_does() {
    let rows: Vec<[u8; ROW]> = (0..8).map(|r| std::array::from_fn(|i| (r * 16 + i) as u8)).collect();
    let plain = Matrices::new(Load, B16, 1, false).unwrap().load(&rows);
    let turned = Matrices::new(Load, B16, 1, true).unwrap().load(&rows);
    let plain: [u32; 32] = plain.try_into().unwrap();
    assert_eq!(movmatrix(&plain).to_vec(), turned);
    assert_eq!(movmatrix(&movmatrix(&plain)), plain);
}

#[test]
fn what_ptx_lacks_is_named() {
    let error = Matrices::new(Load, B8, 4, true).unwrap_err().to_string();
    assert!(
        error.starts_with("no ldmatrix of 4 transposed matrices of m16n16.b8; there are m8n8.b16"),
        "{error}"
    );
    assert!(Matrices::new(Store, B4x16P64, 1, false).is_err());
    assert!(Matrices::new(Load, B16, 3, false).is_err());
}
