//! Variables of modules by their names: constants and global memory of PTX, and globals of IR.

use super::launching::{HEAD, Place};

/// y[i] = table[i] + offset, and count += 1 for each thread.
const KERNEL: &str = ".visible .const .align 4 .f32 table[4] = {1.0, 2.0, 3.0, 4.0};
.const .f32 unused[4];
.visible .global .align 4 .u32 count = 5;
.visible .global .align 4 .f32 _ZN2my6offsetE;
.visible .global .align 8 .u64 self = count;
.visible .entry k(.param .u64 y) {
 .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %rd<9>;
 ld.param.u64 %rd1, [y]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
 mov.u64 %rd3, table; add.u64 %rd3, %rd3, %rd2; ld.const.f32 %f1, [%rd3]; ld.global.f32 %f2, [_ZN2my6offsetE];
 add.f32 %f1, %f1, %f2; st.global.f32 [%rd1], %f1; atom.global.add.u32 %r2, [count], 1;
 ld.global.u64 %rd4, [self]; ret; }";

fn place() -> Place {
    Place::with(format!(
        "{HEAD}{}",
        KERNEL.replace("1.0, 2.0, 3.0, 4.0", "0f3F800000, 0f40000000, 0f40400000, 0f40800000")
    ))
}

#[test]
fn variables_are_set_and_read() {
    let place = place();
    let run = "--block 4 --arg y:f32[4] --out y=y.npy";
    place.good(run);
    assert_eq!(place.read::<f32>("y.npy"), [1.0, 2.0, 3.0, 4.0]);
    place.good(&format!("{run} --variable table:f32[4]=range --variable my::offset:f32=10"));
    assert_eq!(place.read::<f32>("y.npy"), [10.0, 11.0, 12.0, 13.0]);
    // Without values, it begins as in the module; all schedules do.
    let counted = format!("{run} --variable count:u32[1] --out count=c.npy --schedules 3");
    place.good(&counted);
    assert_eq!(place.read::<u32>("c.npy"), [9]);
    place.good(&counted.replace("u32[1]", "u32[1]=100"));
    assert_eq!(place.read::<u32>("c.npy"), [104]);
    // From a file, and by another type of the same size.
    place.good(
        &format!("{run} --variable table=y.npy --variable _ZN2my6offsetE:bytes(0x0000803f)")
            .replace("y=y.npy", "y=z.npy"),
    );
    assert_eq!(place.read::<f32>("z.npy"), [2.0, 3.0, 4.0, 5.0]);
    // The address of one is an address.
    place.good(&format!("{run} --variable count:u32[1] --variable self:{{&count}}"));
}

#[test]
fn wrong_variables_are_named() {
    let place = place();
    place.each_bad(
        "--block 4 --arg y:f32[4] --variable {}",
        &[
            (
                "tabel:f32[4]=range",
                "--variable tabel:f32[4]=range: no kernel uses a variable 'tabel'; did you mean 'table'?",
            ),
            ("quite_different:f32[4]", "no kernel uses a variable 'quite_different'; there are: "),
            ("unused:f32[4]=range", "no kernel uses a variable 'unused'"),
            ("table:f32[5]=range", "the variable has 16 bytes, but 20 are given"),
            ("table:f32[3]", "the variable has 16 bytes, but 12 are given"),
            ("table:bytes(0x00)", "the variable has 16 bytes, but 1 are given"),
            ("count:5", "5 has no type: write count:i32=5, for example"),
            ("count:i64=5", "the variable has 4 bytes, but 8 are given"),
            (
                "f32[4]=range",
                "write NAME:TYPE[EXTENTS][=VALUES], NAME:TYPE=NUMBER, NAME=FILE.npy or NAME:{..}",
            ),
            ("count:null", "write NAME:TYPE[EXTENTS][=VALUES], NAME:TYPE=NUMBER"),
            ("table:f32[4] --variable table:f32[4]", "the name 'table' is taken"),
            ("_ZN2my6offsetE:f32=1 --variable my::offset:f32=1", "the variable 'my::offset' is given twice"),
            ("self:u64[1]", "the module puts addresses into it: give its values"),
            ("self:{&table} --variable table:f32[4]", "its address is not known outside of the kernel"),
            ("self:{&count}", "no array has the name 'count'"),
            ("count:u32=5 --gpu", "cannot be used with '--gpu'"),
            (
                "table:f32[4] --out table=t.npy",
                "'table' is in constant memory, which kernels cannot write to",
            ),
        ],
    );
    let text = Place::with(super::launching::store(HEAD)).bad("--block 4 --arg u32[4] --variable x:f32[4]");
    assert!(text.contains("no kernel uses a variable 'x', or any other"), "{text}");
}
