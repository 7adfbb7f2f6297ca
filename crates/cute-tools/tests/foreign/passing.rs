//! Parameters that hold addresses and tensor maps: structs, bytes, addresses, and pointers to
//! memory that begins with one of them.

use std::{fs, path::Path};

use super::launching::{BOX, HEAD, Place, store};

impl Place {
    /// The elements of a file.
    pub(super) fn read<T: npyz::Deserialize>(&self, file: &str) -> Vec<T> {
        let file = fs::File::open(self.path().join(file)).expect("a file");
        npyz::NpyFile::new(file).expect("an array").into_vec().expect("its elements")
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Checks what runs with wrong arguments say; `{}` in `run` is the argument.
    pub(super) fn each_bad(&self, run: &str, wrong: &[(&str, &str)]) {
        for (argument, error) in wrong {
            let text = self.bad(&run.replace("{}", argument));
            assert!(text.contains(error), "{argument}: {text}");
        }
    }
}

/// Stores the two words of its first parameter.
fn words(first: &str, load: &str) -> String {
    format!(
        "{HEAD}.visible .entry k({first}, .param .u64 o) {{ .reg .b64 %rd<6>;\n\
         {load} ld.param.u64 %rd3, [o]; st.global.u64 [%rd3], %rd1; st.global.u64 [%rd3+8], %rd2; ret; }}"
    )
}

fn by_value() -> String {
    words(".param .align 8 .b8 s[16]", "ld.param.u64 %rd1, [s]; ld.param.u64 %rd2, [s+8];")
}

/// Loads the words from global memory.
fn behind() -> String {
    words(
        ".param .u64 s",
        "ld.param.u64 %rd4, [s]; ld.global.u64 %rd1, [%rd4]; ld.global.u64 %rd2, [%rd4+8];",
    )
}

#[test]
fn addresses_are_the_bytes_of_a_parameter_or_an_array_behind_a_pointer() {
    let arrays = "--block 1 --array X:f32[4] --array Y:f32[4] --arg o:u64[2] --out o=o.npy";
    let run = |kernel: String, argument: &str| {
        let place = Place::with(kernel);
        place.good(&arrays.replace("--arg", &format!("--arg {argument} --arg")));
        place.words("o.npy")
    };
    let [x, y] = run(by_value(), "{&X,&Y}")[..] else { panic!("two words") };
    assert!(x != 0 && y != 0 && x != y, "{x:#x} {y:#x}");
    for list in ["i64[2]=&X,&Y+4", "u64[2]=&X,&Y+4"] {
        assert_eq!(run(by_value(), list), [x, y + 4], "{list}");
        // The array of the addresses is one more, in front of the others.
        let [first, second] = run(behind(), list)[..] else { panic!("two words") };
        assert!(first != 0 && second == first + (y - x) + 4, "{first:#x} {second:#x}");
    }
    assert_eq!(run(by_value(), "u64[2]=null,&Y+16"), [0, y + 16]);
    assert_eq!(run(by_value(), "u64[2]=0x7000"), [0x7000, 0x7000]);
    let place = Place::with(by_value());
    place.each_bad(
        &arrays.replace("--arg", "--arg {} --arg"),
        &[
            (
                "i64[3]=&X,&Y,&X",
                "has 16 bytes, but this struct has 24: &X at byte 0, &Y at byte 8, &X at byte 16",
            ),
            ("i64[2]=&X,&Z", "no array has the name 'Z'; the arrays are: o, X, Y"),
            ("i64[2]=&X,&Y+17", "&Y+17 is beyond its array, which has 16 bytes"),
            ("i64[2]=&X,5", "'5' is not an address; write &NAME or &NAME+BYTES"),
            ("f32[2]=&X,&Y", "addresses must have type i64 or u64, not f32"),
            ("u64[2]=&X", "the array has 2 elements, but 1 addresses are given"),
        ],
    );
}

/// Takes `struct { float *x; int n; float a; struct { char c; int *count; } more; }` by value, and
/// computes x[i] = a * i for i < n, and *count = c.
const STRUCT: &str = ".visible .entry k(.param .align 8 .b8 s[32]) {
 .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %rd<6>; .reg .pred %p<2>; .reg .b16 %h<2>;
 mov.u32 %r1, %tid.x; ld.param.u32 %r2, [s+8]; setp.ge.s32 %p1, %r1, %r2; @%p1 bra DONE;
 ld.param.u64 %rd1, [s]; ld.param.f32 %f1, [s+12]; cvt.rn.f32.u32 %f2, %r1; mul.f32 %f2, %f2, %f1;
 mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; st.global.f32 [%rd1], %f2;
 setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE;
 ld.param.s8 %h1, [s+16]; cvt.s32.s16 %r3, %h1; ld.param.u64 %rd3, [s+24]; st.global.u32 [%rd3], %r3;
DONE: ret; }";

#[test]
fn a_struct_has_addresses_numbers_and_structs() {
    let place = Place::with(HEAD.to_owned() + STRUCT);
    let arrays = "--block 32 --array x:f32[12] --array count:i32[2] --out x=x.npy --out count=c.npy";
    place.good(&format!("{arrays} --arg {{&x+16,i32=4,f32=2.5,{{i8=-3,&count+4}}}}"));
    let wanted = [0.0, 0.0, 0.0, 0.0, 0.0, 2.5, 5.0, 7.5, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(place.read::<f32>("x.npy"), wanted);
    assert_eq!(place.read::<i32>("c.npy"), [0, -3]);
    let text = place.bad(&format!("{arrays} --arg {{&x+36,i32=4,f32=2.5,{{i8=-3,&count+4}}}}"));
    assert!(text.contains("thread (3, 0, 0): 4 bytes at byte 48 of buffer x, which has 48 bytes"), "{text}");
    for (field, error) in [
        ("{&x,i32=4,f32=2.5,&count}", "has 32 bytes, but this struct has 24: &x at byte 0, i32=4 at byte 8"),
        (
            "{&y,i32=4,f32=2.5,{i8=1,&count}}",
            "--arg {&y,i32=4,f32=2.5,{i8=1,&count}}: no array has the name 'y'; the arrays are: x, count",
        ),
        ("{&x+49,i32=4,f32=2.5,{i8=1,&count}}", "&x+49 is beyond its array, which has 48 bytes"),
        ("{&x,4,f32=2.5,{i8=1,&count}}", "'4' has no type: write it as i32=4"),
    ] {
        let text = place.bad(&format!("{arrays} --arg {field}"));
        assert!(text.contains(error), "{field}: {text}");
    }
}

#[test]
fn a_pointer_takes_the_address_of_a_byte_of_an_array() {
    let place = Place::with(store(HEAD));
    place.good("--block 4 --array x:u32[8] --arg &x+8 --out x=x.npy");
    assert_eq!(place.read::<u32>("x.npy"), [0, 0, 0, 1, 2, 3, 0, 0]);
    let text = place.bad("--block 4 --array x:u32[8] --arg {&x}");
    assert!(text.contains("is .u64, not a struct; &{..} is a pointer to one in global memory"), "{text}");
}

#[test]
fn bytes_have_addresses_at_their_places() {
    let place = Place::with(HEAD.to_owned() + STRUCT);
    let mut bytes = vec![0xffu8; 32];
    bytes[8..12].copy_from_slice(&4i32.to_le_bytes());
    bytes[12..16].copy_from_slice(&2.5f32.to_le_bytes());
    bytes[16] = -3i8 as u8;
    fs::write(place.path().join("params.bin"), &bytes).unwrap();
    let run = "--block 32 --array x:f32[12] --array count:i32[2] --out x=x.npy --out count=c.npy --arg {}";
    let wanted = [0.0, 0.0, 0.0, 0.0, 0.0, 2.5, 5.0, 7.5, 0.0, 0.0, 0.0, 0.0];
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let hexadecimal = format!("bytes(0x{digits})");
    for from in ["bytes(params.bin)", &hexadecimal] {
        place.good(&run.replace("{}", &format!("{from}{{0:&x+16,24:&count+4}}")));
        assert_eq!(place.read::<f32>("x.npy"), wanted, "{from}");
        assert_eq!(place.read::<i32>("c.npy"), [0, -3], "{from}");
    }
    place.each_bad(
        run,
        &[
            (
                "bytes(params.bin){0:&x,20:&count}",
                "&count is at byte 20, but its place must be a multiple of 8",
            ),
            (
                "bytes(params.bin){0:&x,32:&count}",
                "&count at byte 32 has 8 bytes, which are not all among the 32 bytes",
            ),
            (
                "bytes(params.bin){0:&x,0:&count}",
                "&count at byte 0 replaces bytes that &x at byte 0 replaces already",
            ),
            ("bytes(params.bin){0:&z}", "no array has the name 'z'; the arrays are: x, count"),
            ("bytes(params.bin){0:&x+49}", "&x+49 is beyond its array, which has 48 bytes"),
            ("bytes(0x00ff){}", "write bytes(FILE) or bytes(0x00ff..), followed by places in bytes"),
            ("bytes(0x00ff)", "parameter 's' has 32 bytes, but 2 are given"),
            ("bytes(none.bin){0:&x}", "cannot read 'none.bin'"),
            // The bytes are what was written: no place has an address.
            ("bytes(params.bin)", "0xffffffffffffffff"),
        ],
    );
    // A file that is read is not replaced.
    let text =
        place.bad(&run.replace("{}", "bytes(params.bin){0:&x,24:&count}").replace("x.npy", "params.bin"));
    assert!(text.contains("it would overwrite a file that this run reads"), "{text}");
}

#[test]
fn a_pointer_takes_a_number_as_it_is() {
    for parameter in [".param .u64 .ptr .global .align 4 s", ".param .u64 s"] {
        let place = Place::with(words(parameter, "ld.param.u64 %rd1, [s]; mov.u64 %rd2, 7;"));
        let run = "--block 1 --arg {} --arg o:u64[2] --out o=o.npy";
        for (number, wanted) in
            [("0x0", 0), ("0x7000", 0x7000), ("4096", 4096), ("u64=0xffffffffffffffff", u64::MAX)]
        {
            place.good(&run.replace("{}", number));
            assert_eq!(place.words("o.npy"), [wanted, 7], "{parameter}: {number}");
        }
        let address = run.replace("{}", "&o+8");
        place.good(&address);
        assert_ne!(place.words("o.npy")[0], 0);
        place.good(&run.replace("{}", "&o+16"));
        place.each_bad(
            run,
            &[
                ("&o+17", "&o+17 is beyond its array, which has 16 bytes"),
                (
                    "0x1g",
                    if parameter.contains(".ptr") {
                        "parameter 's' is a pointer"
                    } else {
                        "'0x1g' is not a valid i64"
                    },
                ),
            ],
        );
    }
    let place =
        Place::with(words(".param .u64 .ptr .global .align 4 s", "ld.param.u64 %rd1, [s]; mov.u64 %rd2, 7;"));
    let error = "parameter 's' is a pointer: give it an array, such as f32[128x64], an address, such as &A+16 or 0x7000, or null";
    let run = "--block 1 --arg {} --arg o:u64[2]";
    place
        .each_bad(run, &[("1.5", error), ("f32=1", error), ("i32=1", error), ("-1", error), ("auto", error)]);
    // An address at which nothing lies is found where it is used.
    let text = Place::with(behind()).bad(&run.replace("{}", "0x7000"));
    assert!(text.contains("0x7000"), "{text}");
}

#[test]
fn a_pointer_leads_to_memory_that_begins_with_a_struct() {
    let place = Place::with(behind());
    let run = "--block 1 --array A:f32[4] {} --arg o:u64[2] --out o=o.npy";
    place.good(&run.replace("{}", "--arg &{&A+4,i32=5,f32=1.0}"));
    let first = place.words("o.npy");
    assert_eq!((first[0] % 256, first[1]), (4, 5 | 0x3f80_0000 << 32));
    // The same by an array of a name, and by bytes.
    for same in [
        "--array S:{&A+4,i32=5,f32=1.0} --arg &S",
        "--arg &bytes(0xffffffffffffffff050000000000803f){0:&A+4}",
    ] {
        place.good(&run.replace("{}", same));
        assert_eq!(place.words("o.npy")[1], first[1], "{same}");
        assert_eq!(place.words("o.npy")[0] % 256, 4, "{same}");
    }
    // Addresses of memory that holds addresses.
    place.good(&run.replace("{}", "--array T:{&S,&A} --array S:{&A,i32=1} --arg &T"));
    let [s, a] = place.words("o.npy")[..] else { panic!("two words") };
    assert!(s != a && s % 256 == 0 && s != 0, "{s:#x} {a:#x}");
    for (wrong, error) in [
        (
            "--array S:{&T} --array T:{&S} --arg &S",
            "it holds its own address, or that of an array that holds its address",
        ),
        ("--arg &{&B,i32=5}", "no array has the name 'B'; the arrays are: s, o, A"),
        ("--arg &{5}", "'5' has no type: write it as i32=5"),
        ("--array {&A} --arg &A", "write NAME:TYPE[EXTENTS][=VALUES], NAME=FILE.npy or NAME:{..}"),
        ("--array A:{&A} --arg &A", "the name 'A' is taken"),
        ("--array S:&A --arg &A", "only a struct, bytes or a tensor map fills memory"),
        (
            "--arg bytes(0x00)",
            "is .u64, not a parameter of bytes; &bytes(..) is a pointer to one in global memory",
        ),
    ] {
        let text = place.bad(&run.replace("{}", wrong));
        assert!(text.contains(error), "{wrong}: {text}");
    }
    let text = Place::with(by_value()).bad(&run.replace("{}", "--arg &{&A,i32=5}"));
    assert!(text.contains("parameter 's' is .b8[16], not a pointer"), "{text}");
}

#[test]
fn a_tensor_map_lies_behind_a_pointer() {
    let kernel = BOX.replace(".param .align 64 .b8 m[128]", ".param .u64 m");
    let kernel = kernel.replace("mov.b64 %rd1, m; cvta.param.u64 %rd1, %rd1;", "ld.param.u64 %rd1, [m];");
    let place = Place::with(format!("{HEAD}{kernel}"));
    let run = "--block 1 --array A:u16[128x128]=range {} --arg o:u32[2] --arg 1 --out o=o.npy";
    let map = "tensor_map(A,shape=64x128x2,strides=256x128,box=64x8x1)";
    for way in
        [format!("--arg &{map}"), format!("--array M:{map} --arg &M"), format!("--arg &{{{map},i32=5}}")]
    {
        let (_, err) = place.good(&run.replace("{}", &way));
        assert_eq!(place.read::<u32>("o.npy"), [64 | 65 << 16, 192 | 193 << 16], "{way}: {err}");
    }
    for (wrong, error) in [
        (
            format!("--arg m:{map}"),
            "is .u64, not a tensor map; &tensor_map(..) is a pointer to one in global memory",
        ),
        ("--arg &tensor_map(B,box=64)".into(), "no array has the name 'B'; the arrays are: m, o, A"),
        ("--arg &tensor_map(A,box=64)".into(), "the box has 1 extents, but the array has 2"),
        ("--arg &tensor_map(A,box=64x64".into(), "does not end with )"),
        (
            "--arg &tensor_map(A,pixels=32,box=64x64)".into(),
            "an im2col map has lower, upper, channels and pixels, and no box",
        ),
        // The map is in memory, but not where the kernel looks for it.
        (format!("--array M:{map} --arg &M+8"), "8 bytes"),
    ] {
        let text = place.bad(&run.replace("{}", &wrong));
        assert!(text.contains(error), "{wrong}: {text}");
    }
}

/// c = a + b for matrices whose extents in tiles of 16 x 128 and whose strides are passed, as
/// kernels of CuTe DSL take them: a pointer, two integers, and two strides of 64 bits per matrix.
const TILED: &str = ".visible .entry add(.param .align 8 .b8 a[32], .param .align 8 .b8 b[32], .param .align 8 .b8 c[32],
 .param .align 4 .b8 tiles[8], .param .u32 m, .param .u32 n) .reqntid 128, 1, 1 {
 .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .f32 %f<4>; .reg .pred %p<3>;
 ld.param.u32 %r1, [tiles]; mov.u32 %r2, %ctaid.x; rem.u32 %r3, %r2, %r1; div.u32 %r4, %r2, %r1;
 mov.u32 %r5, %tid.x; mad.lo.u32 %r6, %r4, 128, %r5; mul.lo.u32 %r7, %r3, 16;
 ld.param.u32 %r8, [m]; ld.param.u32 %r9, [n]; setp.ge.u32 %p1, %r6, %r9; @%p1 bra DONE; mov.u32 %r10, 0;
LOOP: add.u32 %r11, %r7, %r10; setp.ge.u32 %p2, %r11, %r8; @%p2 bra DONE;
 cvt.u64.u32 %rd1, %r3; cvt.u64.u32 %rd2, %r10; cvt.u64.u32 %rd3, %r6;
 ld.param.u64 %rd4, [a+24]; ld.param.u64 %rd5, [a+16]; mad.lo.u64 %rd6, %rd1, %rd4, %rd3; mad.lo.u64 %rd6, %rd2, %rd5, %rd6;
 shl.b64 %rd6, %rd6, 2; ld.param.u64 %rd7, [a]; add.u64 %rd7, %rd7, %rd6; ld.global.f32 %f1, [%rd7];
 ld.param.u64 %rd4, [b+24]; ld.param.u64 %rd5, [b+16]; mad.lo.u64 %rd6, %rd1, %rd4, %rd3; mad.lo.u64 %rd6, %rd2, %rd5, %rd6;
 shl.b64 %rd6, %rd6, 2; ld.param.u64 %rd7, [b]; add.u64 %rd7, %rd7, %rd6; ld.global.f32 %f2, [%rd7];
 ld.param.u64 %rd4, [c+24]; ld.param.u64 %rd5, [c+16]; mad.lo.u64 %rd6, %rd1, %rd4, %rd3; mad.lo.u64 %rd6, %rd2, %rd5, %rd6;
 shl.b64 %rd6, %rd6, 2; ld.param.u64 %rd7, [c]; add.u64 %rd7, %rd7, %rd6; add.f32 %f3, %f1, %f2; st.global.f32 [%rd7], %f3;
 add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 16; @%p2 bra LOOP;
DONE: ret; }";

#[test]
fn views_of_cute_dsl_are_structs() {
    let place = Place::with(HEAD.to_owned() + TILED);
    let view =
        |name: &str, pitch: usize| format!("--arg {{&{name},i32=3,i32=2,i64={pitch},i64={}}}", 16 * pitch);
    let arrays = "--array a:f32[40x256]=range --array b:f32[40x208]=0.5 --array c:f32[40x200] --out c=c.npy";
    let views = [view("a", 256), view("b", 208), view("c", 200)].join(" ");
    let run = format!("{arrays} {views} --arg {{i32=3,i32=2}} --arg 40 --arg 200");
    let (out, err) = place.with_grid("6", &run);
    let wanted: Vec<f32> = (0..40 * 200).map(|i| (i / 200 * 256 + i % 200) as f32 + 0.5).collect();
    assert_eq!(place.read::<f32>("c.npy"), wanted, "{out}{err}");
}

#[test]
fn a_name_is_that_of_one_array() {
    let place = Place::with(store(HEAD));
    place.each_bad(
        "--block 4 --array x:u32[8] --array {} --arg &x",
        &[("x:u32[8]", "the name 'x' is taken"), ("x:{&x}", "the name 'x' is taken")],
    );
}
