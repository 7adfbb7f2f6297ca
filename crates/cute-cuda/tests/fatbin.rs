//! Fat binaries of nvcc, of the tests, and damaged ones.

mod fat;

use cute_arch::{Portability, Target};
use cute_cuda::fatbin::{DeviceCode, FatBinary, FatbinEntry, FatbinError, Kind, NoPtx, Packing, choose};
use fat::{Part, container, entry, text};
use std::ffi::c_void;

const ZSTD: &[u8] = include_bytes!("data/zstd.fatbin");
const LZ4: &[u8] = include_bytes!("data/lz4.fatbin");
const PLAIN: &[u8] = include_bytes!("data/plain.fatbin");
const CUBIN: &[u8] = include_bytes!("data/cubin.fatbin");
const ALL: [&[u8]; 4] = [ZSTD, LZ4, PLAIN, CUBIN];

fn read(bytes: &[u8]) -> FatBinary<'_> {
    FatBinary::read(bytes).expect("a fat binary")
}

fn named(bytes: &[u8]) -> Vec<String> {
    read(bytes).entries.iter().map(FatbinEntry::to_string).collect()
}

/// The first line of the PTX for a device that is neither empty nor a comment of the tests, and
/// the target.
fn chosen(image: &DeviceCode<'_>, device: Target) -> Result<String, String> {
    let text = image.ptx(device).map_err(|why| why.to_string())?;
    let target = text.lines().find_map(|line| line.strip_prefix(".target ")).expect("a target");
    Ok(target.to_owned())
}

#[test]
fn entries_of_nvcc_have_their_kinds_architectures_and_texts() {
    assert_eq!(named(ZSTD), ["cubin for sm_90a", "PTX for sm_90a", "PTX for sm_80"]);
    assert_eq!(named(LZ4), ["PTX for sm_100f"]);
    assert_eq!(named(PLAIN), ["PTX for sm_75"]);
    assert_eq!(named(CUBIN), ["cubin for sm_120"]);
    let binary = read(ZSTD);
    let [cubin, ptx, _] = &binary.entries[..] else { panic!("three entries") };
    assert_eq!((cubin.kind, ptx.kind), (Kind::Cubin, Kind::Ptx));
    assert_eq!((ptx.code.capability, ptx.code.portability), ((9, 0), Portability::Architecture));
    assert_eq!((ptx.version, ptx.is_wide(), ptx.is_debug()), ((9, 0), true, false));
    assert_eq!((ptx.name, ptx.options), (Some("scale.cu"), Some("--generate-line-info")));
    assert_eq!((cubin.name, cubin.options), (Some("scale.cu"), None));
    let packing = ALL.map(|bytes| read(bytes).entries[0].packing());
    assert_eq!(packing, [Packing::Zstd, Packing::Lz4, Packing::None, Packing::Zstd]);
}

#[test]
fn compressed_contents_are_those_without_compression() {
    let texts = [(ZSTD, 1), (ZSTD, 2), (LZ4, 0), (PLAIN, 0)].map(|(bytes, entry)| {
        let text = read(bytes).entries[entry].text().expect("a text").into_owned();
        assert!(text.contains(".visible .entry scale("), "{text}");
        text
    });
    let targets = ["sm_90a", "sm_80", "sm_100f", "sm_75"];
    for (text, target) in texts.iter().zip(targets) {
        assert!(text.contains(&format!(".target {target}\n")), "{text}");
        let ptx = cute_launch::Ptx::read("scale.ptx", text, None).expect("PTX");
        assert_eq!(ptx.manifest.kernels[0].name, "scale");
    }
    let cubin = read(ZSTD).entries[0].contents().expect("a cubin").into_owned();
    assert!(cubin.starts_with(b"\x7fELF"));
}

#[test]
fn the_newest_ptx_that_runs_on_a_device_is_chosen() {
    let image = DeviceCode::read(ZSTD).unwrap();
    assert_eq!(chosen(&image, Target::Sm90a), Ok("sm_90a".into()));
    assert_eq!(chosen(&image, Target::Sm80), Ok("sm_80".into()));
    assert_eq!(chosen(&image, Target::Sm100a), Ok("sm_80".into()));
    let image = DeviceCode::read(LZ4).unwrap();
    assert_eq!(chosen(&image, Target::Sm100a), Ok("sm_100f".into()));
    assert_eq!(chosen(&image, Target::Sm103a), Ok("sm_100f".into()));
    assert_eq!(chosen(&DeviceCode::read(PLAIN).unwrap(), Target::Sm121a), Ok("sm_75".into()));
    let ptx = |code: &str| text(code, ".version 8.0\n");
    let parts = ["75", "80", "86", "90", "90a", "100", "100f", "100a", "103f", "120f"].map(ptx);
    let bytes = container(&parts);
    let binary = read(&bytes);
    let best = |device| choose(&binary.entries, device).map(|entry| entry.code.to_string()).unwrap();
    let devices = [Target::Sm80, Target::Sm89, Target::Sm90a, Target::Sm100a, Target::Sm103a, Target::Sm110a];
    assert_eq!(devices.map(best), ["sm_80", "sm_86", "sm_90a", "sm_100a", "sm_103f", "sm_100"]);
    assert_eq!(best(Target::Sm121a), "sm_120f");
}

#[test]
fn a_program_without_ptx_says_what_it_has_and_how_to_build_it() {
    fn why(bytes: &[u8], device: Target) -> String {
        DeviceCode::read(bytes).unwrap().ptx(device).unwrap_err().to_string()
    }
    assert_eq!(
        why(CUBIN, Target::Sm90a),
        "the program has no PTX that runs on sm_90a: it has cubin for sm_120; build it with \
         `-gencode arch=compute_90a,code=[sm_90a,compute_90a]` or `-arch=sm_90`, which keep the PTX"
    );
    assert_eq!(
        why(LZ4, Target::Sm120a),
        "the program has no PTX that runs on sm_120a: it has PTX for sm_100f; build it with \
         `-gencode arch=compute_120a,code=[sm_120a,compute_120a]` or `-arch=sm_120`, which keep the PTX"
    );
    let mut narrow = text("50", ".version 4.0\n");
    narrow.flags = 0x10;
    let others = [narrow, Part { kind: 8, ..text("90", "") }, Part { kind: 64, ..text("90", "") }];
    let bytes = container(&others);
    let has = "PTX for sm_50 with addresses of 32 bits, intermediate code of -dlto for sm_90, code of kind 64 for sm_90;";
    assert!(why(&bytes, Target::Sm90).contains(has), "{}", why(&bytes, Target::Sm90));
    assert!(why(&container(&[]), Target::Sm80).contains("it has no device code;"));
    let elf = b"\x7fELF\x02\x01\x01".as_slice();
    assert!(why(elf, Target::Sm80).contains("it has a cubin;"));
}

/// A wrapper, as a program has it.
#[repr(C)]
struct Wrapper {
    magic: u32,
    version: u32,
    data: *const u8,
    more: *const *const u8,
}

fn of<T>(pointer: *const T) -> Result<DeviceCode<'static>, FatbinError> {
    // SAFETY: all callers pass a wrapper, a fat binary, or a text with a NUL, of static data or of
    // data that outlives the image.
    unsafe { DeviceCode::of(pointer.cast::<c_void>()) }
}

#[test]
fn an_image_is_told_by_its_first_bytes() {
    let magic = 0x4662_43b1;
    let wrapper =
        |version, data: &[u8], more: *const *const u8| Wrapper { magic, version, data: data.as_ptr(), more };
    let null = std::ptr::null();
    assert_eq!(of(&wrapper(1, ZSTD, null)), DeviceCode::read(ZSTD));
    let name = c"scale.cu".as_ptr();
    assert_eq!(of(&wrapper(1, LZ4, name.cast())), DeviceCode::read(LZ4));
    assert_eq!(of(PLAIN.as_ptr()), DeviceCode::read(PLAIN));
    let ptx = c"// of a test\n.version 8.0\n.target sm_80\n";
    assert_eq!(of(ptx.as_ptr()), Ok(DeviceCode::Ptx(ptx.to_str().unwrap())));
    assert_eq!(DeviceCode::read(ptx.to_bytes_with_nul()), Ok(DeviceCode::Ptx(ptx.to_str().unwrap())));
    assert_eq!(of(c"\x7fELF\x02\x01\x01".as_ptr()), Ok(DeviceCode::Cubin));
    let objects = [PLAIN.as_ptr(), LZ4.as_ptr(), std::ptr::null()];
    let Ok(DeviceCode::Linked { linked, objects }) = of(&wrapper(2, CUBIN, objects.as_ptr())) else {
        panic!("relocatable code")
    };
    assert_eq!((linked, &objects[..]), (read(CUBIN), &[read(PLAIN), read(LZ4)][..]));

    assert_eq!(of::<u8>(null.cast()), Err(FatbinError::Null));
    assert_eq!(of(c"".as_ptr()), Err(FatbinError::Unknown { first: vec![] }));
    assert_eq!(of(c"int main".as_ptr()), Err(FatbinError::Unknown { first: b"int ".to_vec() }));
    assert_eq!(of(c"// no more".as_ptr()), Err(FatbinError::Unknown { first: b"// n".to_vec() }));
    assert_eq!(of(c"BC\xc0\xde".as_ptr()), Err(FatbinError::Unknown { first: b"BC\xc0\xde".to_vec() }));
    assert_eq!(of(c".version 8.0 // \xff".as_ptr()), Err(FatbinError::Text { at: 16 }));
    assert_eq!(DeviceCode::read(b"ab"), Err(FatbinError::Unknown { first: b"ab".to_vec() }));
    let version = FatbinError::Version { part: "the wrapper", version: 3, known: 2 };
    assert_eq!(of(&wrapper(3, ZSTD, null)), Err(version));
    assert_eq!(of(&Wrapper { magic, version: 1, data: null.cast(), more: null }), Err(FatbinError::Null));
    assert_eq!(
        of(&wrapper(1, &ZSTD[16..], null)).unwrap_err().to_string(),
        "device code that begins with the bytes 02 00 01 01 is neither a fat binary, nor a cubin, nor PTX"
    );
    let mut huge = PLAIN[..16].to_vec();
    huge[8..16].fill(0xff);
    let broken = of(huge.as_ptr()).unwrap_err();
    assert!(matches!(broken, FatbinError::TooLarge { part: "the fat binary", size: u64::MAX, .. }));
}

/// Damages a fat binary in one place, and returns the error.
fn damaged(bytes: &[u8], at: usize, with: &[u8]) -> String {
    let mut bytes = bytes.to_vec();
    bytes[at..at + with.len()].copy_from_slice(with);
    let image = DeviceCode::read(&bytes).map_err(NoPtx::from);
    image.and_then(|image| image.ptx(Target::Sm90a).map(String::from)).unwrap_err().to_string()
}

#[test]
fn a_damaged_fat_binary_is_an_error_that_names_the_part() {
    let size = PLAIN.len();
    let cut = "the fat binary is cut off or damaged: ";
    for (at, with, error) in [
        (4, &[2][..], "the fat binary has version 0x2; only 0x1 is known".into()),
        (6, &[8], "the fat binary is damaged: the header of the fat binary at byte 0 has 8 bytes, fewer than 16".into()),
        (8, &[0; 8], "the program has no PTX that runs on sm_90a: it has no device code; build it with \
                      `-gencode arch=compute_90a,code=[sm_90a,compute_90a]` or `-arch=sm_90`, which keep the PTX".into()),
        (9, &[0xff], format!("{cut}the fat binary at byte 0 has {} bytes, but {size} are left", size | 0xff00)),
        (9, &[1], format!("{cut}an entry at byte 16 has {} bytes, but {} are left", size - 16, (size - 16) % 256 + 256)),
        (18, &[1, 2], "an entry has version 0x201; only 0x101 is known".into()),
        (20, &[63], "the fat binary is damaged: the header of an entry at byte 16 has 63 bytes, fewer than 64".into()),
        // The text is taken for the next entry.
        (24, &[0; 8], "an entry has version 0xa0a; only 0x101 is known".into()),
        (24, &[0xff; 8], format!("{cut}an entry at byte 16 has {} bytes, but {} are left", u64::MAX, size - 16)),
        (36, &[0xff], format!("{cut}the options of an entry at byte 271 has 8 bytes, but 0 are left")),
        (48, &[0xf0], format!("{cut}the name of an entry at byte 256 has 8 bytes, but 0 are left")),
    ] {
        assert_eq!(damaged(PLAIN, at, with), error, "byte {at}");
    }
}

#[test]
fn a_fat_binary_that_is_cut_is_an_error_at_every_length() {
    for bytes in ALL {
        for length in 0..bytes.len() {
            assert!(DeviceCode::read(&bytes[..length]).is_err(), "{length} bytes");
        }
    }
}

#[test]
fn compressed_code_that_is_damaged_or_too_large_is_an_error() {
    let lz4 = |unpacked: u64, stored: &[u8]| {
        let part = Part { flags: 0x2011, unpacked, ..entry(1, "90", stored) };
        DeviceCode::read(&container(&[part])).unwrap().ptx(Target::Sm90).unwrap_err().to_string()
    };
    assert_eq!(
        lz4(1 << 40, &[0; 8]),
        "the code of an entry has 1099511627776 bytes, more than the limit of 536870912"
    );
    assert_eq!(
        lz4(1 << 28, &[0; 8]),
        "the compressed PTX for sm_90 is damaged: 8 bytes of LZ4 cannot stand for 268435456"
    );
    assert_eq!(
        lz4(8, b"\x50hello"),
        "the compressed PTX for sm_90 is damaged: LZ4 gives 5 bytes, but its header says 8"
    );
    assert!(lz4(8, b"\x15hello").starts_with("the compressed PTX for sm_90 is damaged: LZ4: "));
    let with = |flags, stored: &[u8]| {
        let part = Part { flags, unpacked: 8, ..entry(1, "90", stored) };
        DeviceCode::read(&container(&[part])).unwrap().ptx(Target::Sm90).unwrap_err().to_string()
    };
    assert!(with(0x8011, b"hello").starts_with("the compressed PTX for sm_90 is damaged: zstd: "));
    assert!(with(0x1011, b"hello").contains("a method before LZ4 and zstd, which is not supported"));
    assert_eq!(with(0x11, b"\xff"), "the text of PTX is not UTF-8 from byte 0 on");
}

#[test]
fn damaged_bytes_never_stop_the_program() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut accepted = 0;
    for round in 0..4_000 {
        let mut bytes = ALL[round % ALL.len()].to_vec();
        for _ in 0..random.usize(1..6) {
            let at = if random.bool() {
                random.usize(0..bytes.len().min(200))
            } else {
                random.usize(0..bytes.len())
            };
            bytes[at] = if random.bool() { random.u8(..) } else { bytes[at] ^ 1 << random.u8(0..8) };
        }
        if random.u8(0..4) == 0 {
            bytes.truncate(random.usize(0..bytes.len()));
        }
        let Ok(binary) = FatBinary::read(&bytes) else { continue };
        for entry in &binary.entries {
            accepted += usize::from(entry.contents().is_ok());
            let _ = entry.text();
        }
        for device in [Target::Sm80, Target::Sm90a, Target::Sm100a] {
            let _ = DeviceCode::Fat(binary.clone()).ptx(device);
        }
    }
    assert!(accepted > 1_000, "{accepted}");
}
