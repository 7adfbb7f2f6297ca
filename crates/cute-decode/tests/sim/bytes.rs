//! The byte form of programs.

use cute_sim::{
    Program,
    program::{NotAProgram, VERSION},
};

use super::kernel;

const BODY: &str = "%i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %data[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %i, %p : i32, !llvm.ptr<1>";

fn bytes() -> Vec<u8> {
    kernel("%data: !llvm.ptr<1>", BODY).to_bytes()
}

#[test]
fn each_changed_byte_is_noticed() {
    let whole = bytes();
    assert!(Program::from_bytes(&whole).is_ok());
    for at in 0..whole.len() {
        for change in [1, 0x80] {
            let mut changed = whole.clone();
            changed[at] ^= change;
            let expected = match (at, Program::from_bytes(&changed).unwrap_err()) {
                (0..8, NotAProgram::Foreign(length)) => length == whole.len(),
                (8..12, NotAProgram::Version { found }) => found != VERSION,
                (12.., NotAProgram::Damaged(_)) => true,
                _ => false,
            };
            assert!(expected, "byte {at}");
        }
    }
}

#[test]
fn missing_and_further_bytes_are_noticed() {
    let whole = bytes();
    for length in 0..whole.len() {
        assert!(Program::from_bytes(&whole[..length]).is_err(), "{length} bytes");
    }
    let further = [&whole[..], &[0]].concat();
    let why = Program::from_bytes(&further).unwrap_err().to_string();
    assert_eq!(why, "the program is damaged: its checksum is that of other bytes");
    assert_eq!(
        Program::from_bytes(b"ptx").unwrap_err().to_string(),
        "these 3 bytes are not a program: they do not begin with `cuteprog`"
    );
}
