//! Relocatable device code: texts of PTX as one.

mod fat;

use cute_arch::Target;
use cute_cuda::fatbin::{DeviceCode, FatBinary, NoPtx, NotLinked, link};
use cute_launch::Ptx;
use cute_sim::{Arg, Launch, Memory};
use fat::{container, entry, text};
use std::path::Path;
use std::process::Command;

const A: &[u8] = include_bytes!("data/linked_a.fatbin");
const B: &[u8] = include_bytes!("data/linked_b.fatbin");

fn linked(objects: &[&[u8]]) -> DeviceCode<'static> {
    let leaked = |bytes: &[u8]| FatBinary::read(Vec::leak(bytes.to_vec())).expect("a fat binary");
    let objects = objects.iter().map(|bytes| leaked(bytes)).collect();
    DeviceCode::Linked { linked: leaked(&container(&[entry(2, "90", b"\x7fELF")])), objects }
}

/// Assembles a text with the ptxas that `CUTE_PTXAS` names, if it does.
fn assembles(text: &str) {
    let Some(ptxas) = std::env::var_os("CUTE_PTXAS").filter(|path| !path.is_empty()) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("linked.ptx");
    std::fs::write(&file, text).unwrap();
    let target = text.lines().find_map(|line| line.strip_prefix(".target ")).unwrap();
    let mut command = Command::new(ptxas);
    command.arg(format!("-arch={target}")).arg(&file).arg("-o").arg(folder.path().join("linked.cubin"));
    let output = command.output().expect("ptxas runs");
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}

/// The PTX of a text's kernels in the simulator.
fn read(text: &str) -> Ptx {
    assembles(text);
    Ptx::read("linked.ptx", text, None).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn joined(texts: &[&str]) -> Result<String, String> {
    let texts: Vec<String> = texts.iter().map(|text| with_head(text)).collect();
    let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    link(&texts).map_err(|why| why.to_string())
}

fn with_head(text: &str) -> String {
    format!(".version 8.0\n.target sm_90\n.address_size 64\n{text}\n")
}

#[test]
fn objects_of_nvcc_call_functions_and_use_variables_of_each_other() {
    for objects in [[A, B], [B, A]] {
        let text = linked(&objects).ptx(Target::Sm90a).unwrap_or_else(|why| panic!("{why}"));
        let ptx = read(&text);
        let mut kernels: Vec<&str> = ptx.manifest.kernels.iter().map(|kernel| &*kernel.name).collect();
        kernels.sort_unstable();
        assert!(kernels[0].starts_with("_Z5firstPf") && kernels[1].starts_with("_Z6secondPf"));
        assert!(kernels[2..].iter().all(|name| name.contains("_linked_") && name.ends_with("__Z5localPf")));
        assert_eq!(kernels.len(), 4);

        let mut memory = Memory::new();
        let data = memory.upload(&[1.0f32, 2.0, 3.0, 4.0]);
        let mut launch = Launch::new("_Z5firstPf", [1, 1, 1], [4, 1, 1]);
        launch.dynamic_shared = 16;
        ptx.program.run(&launch, &mut memory, &[Arg::Buffer(data)]).unwrap();
        // ((x + 3) * 5 * 2) / 2 * 4
        assert_eq!(memory.download::<f32>(data), [80.0, 100.0, 120.0, 140.0]);
    }
}

#[test]
fn names_of_one_object_and_numbers_of_files_are_distinct() {
    let text = linked(&[A, B]).ptx(Target::Sm90a).unwrap();
    let count = |what: &str| text.matches(what).count();
    for once in [
        ".version ",
        ".target ",
        ".address_size ",
        ".section ",
        ".extern .shared .align 4 .b8 tile[];",
        ".visible .global .align 4 .u32 count = 7;",
        ".global .align 1 .b8 $str[",
        ".global .align 1 .b8 $str$1[",
        ".extern .func (.param .b32 func_retval0) vprintf",
        "\n$L__info_string0:",
        "\n$L__info_string0$1:",
        "linked_a.cu\"",
        "linked_b.cu\"",
        "linked.h\"",
    ] {
        assert_eq!(count(once), 1, "{once}\n{text}");
    }
    // The head and the body.
    assert_eq!(count(".weak .func (.param .b32 func_retval0) _Z7half_ofIfET_S0_("), 2, "{text}");
    assert_eq!(count(".extern .global"), 0);
    let b = text.find(".visible .entry _Z6secondPf(").unwrap();
    let file = text.lines().find(|line| line.ends_with("linked_b.cu\"")).unwrap();
    let number: u32 = file.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(
        text[b..].contains(&format!("function_name $L__info_string0$1, inlined_at {number} 8 3")),
        "{text}"
    );
}

#[test]
fn one_object_is_linked_with_itself() {
    let alone = linked(&[B]).ptx(Target::Sm90a).unwrap();
    assert_eq!(read(&alone).manifest.kernels.len(), 2);
    let why = linked(&[A]).ptx(Target::Sm90a).unwrap_err().to_string();
    assert_eq!(why, "the relocatable device code cannot be linked: no PTX defines `_Z6scaledf`, `count`");
}

#[test]
fn objects_without_ptx_are_left_out_or_named() {
    let runtime = container(&[entry(2, "75", b"\x7fELF"), text("121", ".version 9.0\n")]);
    assert!(linked(&[A, &runtime, B]).ptx(Target::Sm90a).is_ok());
    let why = linked(&[A, &runtime]).ptx(Target::Sm90a).unwrap_err();
    assert!(matches!(why, NoPtx::Objects { count: 1, .. }));
    assert_eq!(
        why.to_string(),
        "the relocatable device code cannot be linked: no PTX defines `_Z6scaledf`, `count`; 1 of the program's \
         objects have no PTX for sm_90a (the first of them: cubin for sm_75, PTX for sm_121)"
    );
    let why = linked(&[&runtime, &runtime]).ptx(Target::Sm90a).unwrap_err().to_string();
    assert!(why.contains("it has cubin for sm_75, PTX for sm_121, cubin for sm_90; build it with"), "{why}");
}

#[test]
fn ptx_that_is_linked_already_is_taken() {
    let whole = container(&[text("80", ".version 8.0\n.target sm_80\n")]);
    let linked = FatBinary::read(&whole).unwrap();
    let image = DeviceCode::Linked { linked, objects: vec![FatBinary::read(A).unwrap()] };
    assert_eq!(image.ptx(Target::Sm90a).unwrap(), ".version 8.0\n.target sm_80\n");
}

const CALLED: &str = ".visible .func (.param .b32 r) g(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; \
                      add.s32 %x, %x, 1; st.param.b32 [r], %x; ret; }";

const CALLER: &str = ".extern .func (.param .b32 r) g(.param .b32 a);
    .visible .entry k(.param .u64 out) {
        .reg .b64 %p; .reg .b32 %v; .param .b32 a; .param .b32 b;
        ld.param.u64 %p, [out];
        ld.global.u32 %v, [%p];
        st.param.b32 [a], %v;
        call (b), g, (a);
        ld.param.b32 %v, [b];
        st.global.u32 [%p], %v;
        ret;
    }";

fn run(text: &str, kernel: &str, value: u32) -> u32 {
    let ptx = read(text);
    let mut memory = Memory::new();
    let data = memory.upload(&[value]);
    let launch = Launch::new(kernel, [1, 1, 1], [1, 1, 1]);
    ptx.program.run(&launch, &mut memory, &[Arg::Buffer(data)]).unwrap();
    memory.download::<u32>(data)[0]
}

#[test]
fn a_function_is_declared_before_it_is_called() {
    for texts in [[CALLER, CALLED], [CALLED, CALLER]] {
        assert_eq!(run(&joined(&texts).unwrap(), "k", 4), 5);
    }
}

#[test]
fn a_function_of_one_object_is_not_taken_for_another_one() {
    let own = CALLED.replace(".visible", "").replace("%x, 1;", "%x, 10;");
    let caller =
        CALLER.replace(".extern .func (.param .b32 r) g(.param .b32 a);", "").replace("entry k", "entry l");
    let other = format!("{own}{caller}");
    for texts in [[CALLED, CALLER, &other], [&other, CALLER, CALLED], [CALLER, &other, CALLED]] {
        let text = joined(&texts).unwrap();
        assert_eq!((run(&text, "k", 4), run(&text, "l", 4)), (5, 14), "{text}");
    }
}

#[test]
fn opcodes_directives_texts_and_comments_keep_their_words() {
    // A function may have the name of an opcode, of a directive, or of a modifier.
    let other = "// g is here
        .func g() { ret; }
        .pragma \"g\";
        .visible .entry m() { .reg .b32 %g; mov.b32 %g, 0; /* g */ call g; bra g$1; g$1: ret; }";
    let text = joined(&[CALLER, CALLED, other]).unwrap();
    assert!(text.contains("mov.b32 %g, 0; /* g */ call g$2; bra g$1; g$1: ret;"), "{text}");
    read(&text);
}

#[test]
fn a_strong_definition_stands_for_weak_ones() {
    let weak = |step: u32| CALLED.replace(".visible", ".weak").replace("%x, 1;", &format!("%x, {step};"));
    let (two, three) = (weak(2), weak(3));
    assert_eq!(run(&joined(&[CALLER, &two, &three]).unwrap(), "k", 4), 6);
    assert_eq!(run(&joined(&[&two, CALLED, CALLER]).unwrap(), "k", 4), 5);
    assert_eq!(run(&joined(&[CALLED, &two, CALLER]).unwrap(), "k", 4), 5);
    let twice = "the relocatable device code cannot be linked: objects 0 and 2 both define `g`";
    assert_eq!(joined(&[CALLED, CALLER, CALLED]), Err(twice.into()));
}

#[test]
fn variables_stand_behind_those_whose_addresses_they_hold() {
    let a = ".extern .global .u32 x; .extern .func f(); .visible .global .u64 p[2] = {x, f};
             .visible .entry k() { .reg .b64 %p; ld.global.u64 %p, [p]; ret; }";
    let b = ".visible .global .u32 x = 3; .visible .func f() { ret; }";
    let text = joined(&[a, b]).unwrap();
    assert!(text.find("u32 x = 3").unwrap() < text.find("u64 p[2]").unwrap(), "{text}");
    read(&text);
    let around = [
        ".extern .global .u64 q; .visible .global .u64 p = q;",
        ".extern .global .u64 p; .visible .global .u64 q = p;",
    ];
    let why = "the relocatable device code cannot be linked: the initial values of `p`, `q` are the addresses of one another";
    assert_eq!(joined(&around), Err(why.into()));
    // The largest common variable stays, and the dynamic shared memory that is aligned most.
    let sizes = [
        ".common .global .b8 c[4]; .extern .shared .align 4 .b8 s[];",
        ".common .global .b8 c[16]; .extern .shared .align 16 .b8 s[];",
    ];
    let text = joined(&sizes).unwrap();
    assert!(text.contains("c[16]") && !text.contains("c[4]"), "{text}");
    assert!(text.contains(".align 16 .b8 s[];") && !text.contains(".align 4 .b8 s"), "{text}");
    let b = ".extern .global .u32 x, y;";
    let mixed = joined(&[".visible .global .u32 x;", ".weak .global .u32 x, y;"]);
    assert!(mixed.unwrap_err().contains("one declaration has `x`, `y`, some of which are defined elsewhere"));
    assert!(joined(&[".visible .global .u32 x;", b]).is_ok(), "nothing uses y");
}

#[test]
fn symbols_without_a_definition_are_listed() {
    let uses = |names: &[&str]| {
        let declared: String = names.iter().map(|name| format!(".extern .func {name}();\n")).collect();
        let calls: String = names.iter().map(|name| format!("call {name};\n")).collect();
        format!("{declared}.visible .entry k() {{ {calls} ret; }}")
    };
    let why = |names: &[&str]| joined(&[&uses(names)]).unwrap_err();
    assert_eq!(
        why(&["h", "g", "f", "e", "d", "c", "b"]),
        "the relocatable device code cannot be linked: no PTX defines `b`, `c`, `d`, `e`, `f` and 2 more"
    );
    // Functions of the system need no definition, and neither do symbols that nobody uses.
    let system =
        uses(&["vprintf", "malloc", "free", "__assertfail", "cudaLaunchDeviceV2", "__cuda_syscall_CGS_sync"]);
    let text = joined(&[&system, ".extern .func unused(); .extern .global .u32 unused_too;"]).unwrap();
    assert!(text.contains(".extern .func malloc();") && !text.contains("unused"), "{text}");
}

#[test]
fn the_target_is_one_that_has_the_instructions_of_all() {
    let of = |targets: &[&str]| {
        let texts: Vec<String> = targets
            .iter()
            .enumerate()
            .map(|(i, target)| {
                format!(".version 8.{i}\n.target {target}\n.address_size 64\n.visible .global .u32 x{i};\n")
            })
            .collect();
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        link(&texts).map(|text| text.lines().nth(1).unwrap().to_owned())
    };
    assert_eq!(of(&["sm_90", "sm_90a", "sm_75"]).unwrap(), ".target sm_90a");
    assert_eq!(of(&["sm_100f", "sm_103", "sm_90"]).unwrap(), ".target sm_103f");
    assert_eq!(of(&["sm_90, debug", "sm_80"]).unwrap(), ".target sm_90");
    let why = of(&["sm_90a", "sm_100"]).unwrap_err();
    assert_eq!(
        why.to_string(),
        "the relocatable device code cannot be linked: its targets are sm_100 and sm_90a"
    );
    assert!(matches!(of(&["sm_100f", "sm_120"]), Err(NotLinked::Targets { .. })));
    assert!(matches!(of(&["compute_90"]), Err(NotLinked::Targets { .. })));
    let narrow = ".version 8.0\n.target sm_90\n.address_size 32\n";
    let wide = with_head("");
    assert_eq!(link(&[narrow, &wide]), Err(NotLinked::AddressSize));
    assert!(
        link(&[&wide, narrow]).unwrap_err().to_string().contains("addresses have 32 bits in some objects")
    );
    let text =
        link(&[&wide, ".version 8.5\n.target sm_90\n.address_size 64\n.nothing"]).unwrap_err().to_string();
    assert_eq!(
        text,
        "the PTX of object 1 cannot be linked: line 4: `.nothing` is not a directive of PTX at `.nothing`"
    );
    assert_eq!(link(&[]).unwrap_err(), NotLinked::Targets { targets: vec![] });
}

#[test]
fn damaged_texts_never_stop_the_program() {
    let texts = [A, B].map(|bytes| FatBinary::read(bytes).unwrap().entries[0].text().unwrap().into_owned());
    let mut random = fastrand::Rng::with_seed(11);
    let mut linked = 0;
    for round in 0..1_000 {
        let mut both = texts.clone();
        let lines: Vec<&str> = texts[round % 2].lines().collect();
        let (at, from) = (random.usize(0..lines.len()), random.usize(0..lines.len()));
        let mut changed = lines.clone();
        match random.u8(0..3) {
            0 => drop(changed.remove(at)),
            1 => changed[at] = lines[from],
            _ => changed.insert(at, lines[from]),
        }
        both[round % 2] = changed.join("\n");
        linked += usize::from(link(&[&both[0], &both[1]]).is_ok());
    }
    assert!((300..1_000).contains(&linked), "{linked}");
}

/// The texts of PTX in a folder.
fn texts_in(folder: &Path, into: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts_in(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "ptx") {
            into.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn files_of_compilers_have_the_same_kernels_alone_and_behind_an_object_with_their_names() {
    let mut texts = Vec::new();
    texts_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign"), &mut texts);
    texts.sort();
    let mut read = 0;
    for (name, text) in &texts {
        let Ok(own) = Ptx::read("own.ptx", text, None) else { continue };
        let alone = link(&[text]).unwrap_or_else(|why| panic!("{name}: {why}"));
        let target = &own.manifest.target;
        let head = format!(".version 8.0\n.target {target}\n.address_size 64\n");
        let same =
            format!("{head}.global .u32 $str = 1;\n.global .b8 shared[4];\n.func helper() {{ ret; }}\n");
        let behind = link(&[&same, text]).unwrap_or_else(|why| panic!("{name}: {why}"));
        for linked in [alone, behind] {
            let linked = Ptx::read("linked.ptx", &linked, None).unwrap_or_else(|why| panic!("{name}: {why}"));
            let names = |ptx: &Ptx| ptx.manifest.kernels.iter().map(|k| k.name.clone()).collect::<Vec<_>>();
            assert_eq!(names(&linked), names(&own), "{name}");
            let sizes =
                |ptx: &Ptx| ptx.manifest.kernels.iter().map(|k| k.shared_memory.r#static).collect::<Vec<_>>();
            assert_eq!(sizes(&linked), sizes(&own), "{name}");
        }
        read += 1;
    }
    assert!(read > 50, "{read} of {}", texts.len());
}
