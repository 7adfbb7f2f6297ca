//! Files of PTX: functions, memory, branches and what is refused, each run on a few threads.

use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Error, FindingKind, Launch, Memory, Program, Report};

const HEAD: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n";

/// Runs the kernel `k` of a text on 4 threads; its first parameter is a buffer of 8 words.
fn run(text: &str, more: &[Arg]) -> (Result<Report, Error>, Vec<u32>) {
    let text = format!("{HEAD}{text}");
    let file = parse(&text, Reading { file: "k.ptx", strict: false });
    let program = file.and_then(|file| file.program()).unwrap_or_else(|e| panic!("{e}"));
    let mut memory = Memory::new();
    let out = memory.upload(&[0u32; 8]);
    let args = [&[Arg::Buffer(out)], more].concat();
    let launch = Launch { dynamic_shared: 64, budget: 1_000_000, ..Launch::new("k", [1; 3], [4, 1, 1]) };
    let result = program.run(&launch, &mut memory, &args);
    (result, memory.download(out))
}

/// The words that a kernel without a finding writes.
fn words(text: &str, more: &[Arg]) -> Vec<u32> {
    let (result, words) = run(text, more);
    result.unwrap_or_else(|e| panic!("{e}"));
    words
}

/// A kernel whose body ends with the store of `%r1` to the thread's word.
fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 out, .param .b32 n)
        {{
          .reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>;
          mov.u32 %r0, %tid.x;
          {body}
          ld.param.u64 %rd90, [out];
          mul.wide.u32 %rd91, %r0, 4;
          add.s64 %rd92, %rd90, %rd91;
          st.global.u32 [%rd92], %r1;
          ret;
        }}"
    )
}

fn of_body(body: &str) -> Vec<u32> {
    words(&kernel(body), &[Arg::I32(5)])[..4].to_vec()
}

fn error(text: &str) -> String {
    let text = format!("{HEAD}{text}");
    let file = parse(&text, Reading { file: "k.ptx", strict: true });
    match file.and_then(|file| file.program().map(|_| ())) {
        Err(error) => error.to_string(),
        Ok(()) => panic!("{text} is read"),
    }
}

#[test]
fn parameters_are_read_at_their_offsets() {
    assert_eq!(of_body("ld.param.b32 %r1, [n];"), [5; 4]);
    let text = kernel("ld.param.u8 %r1, [n+1]; add.u32 %r1, %r1, %r0;");
    assert_eq!(words(&text, &[Arg::I32(0x300)])[..4], [3, 4, 5, 6]);
    let text = kernel("mov.b64 %rd1, n; ld.param.u32 %r1, [%rd1];");
    assert_eq!(words(&text, &[Arg::I32(9)])[..4], [9; 4], "the address of a parameter");
    let (result, _) = run(&kernel("ld.param.b32 %r1, [n+4];"), &[Arg::I32(0)]);
    let told = result.unwrap_err().to_string();
    assert!(
        told.contains("k.ptx:8") && told.contains("parameter 1 of the kernel, which has 4 bytes"),
        "{told}"
    );
}

#[test]
fn functions_are_called_with_parameters_in_memory() {
    let square = ".func (.param .b32 result) square(.param .b32 x)
        { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; mul.lo.s32 %r2, %r1, %r1; st.param.b32 [result], %r2; ret; }
        .alias also, square;\n";
    let call = |name: &str| {
        format!(
            "{{ .param .b32 x; st.param.b32 [x], %r0; .param .b32 back;
               call.uni (back), {name}, (x); ld.param.b32 %r1, [back]; }}"
        )
    };
    assert_eq!(words(&(square.to_owned() + &kernel(&call("square"))), &[Arg::I32(0)])[..4], [0, 1, 4, 9]);
    assert_eq!(words(&(square.to_owned() + &kernel(&call("also"))), &[Arg::I32(0)])[..4], [0, 1, 4, 9]);
    let registers = ".func (.reg .b32 result) twice(.reg .b32 x) { add.u32 result, x, x; ret; }\n";
    let text = registers.to_owned() + &kernel("call (%r1), twice, (%r0);");
    assert_eq!(words(&text, &[Arg::I32(0)])[..4], [0, 2, 4, 6]);
}

#[test]
fn functions_call_themselves_and_are_called_through_addresses() {
    let sum = ".func (.param .b32 result) sum(.param .b32 x)
        {
          .reg .pred %p<2>; .reg .b32 %r<5>;
          ld.param.b32 %r1, [x];
          mov.b32 %r4, 0;
          setp.eq.s32 %p1, %r1, 0;
          @%p1 bra DONE;
          add.s32 %r2, %r1, -1;
          { .param .b32 a; st.param.b32 [a], %r2; .param .b32 b;
            call.uni (b), sum, (a); ld.param.b32 %r3, [b]; }
          add.s32 %r4, %r1, %r3;
        DONE:
          st.param.b32 [result], %r4;
          ret;
        }\n";
    let call = "{ .param .b32 a; st.param.b32 [a], %r0; .param .b32 b;
        call (b), sum, (a); ld.param.b32 %r1, [b]; }";
    assert_eq!(words(&(sum.to_owned() + &kernel(call)), &[Arg::I32(0)])[..4], [0, 1, 3, 6]);
    let endless = ".func f() { call.uni f; ret; }\n".to_owned() + &kernel("call.uni f; mov.b32 %r1, 0;");
    let (result, _) = run(&endless, &[Arg::I32(0)]);
    assert!(result.unwrap_err().to_string().contains("calls nest deeper than 256"));
    let two = ".func (.param .b32 r) one(.param .b32 x) { st.param.b32 [r], 1; ret; }
        .func (.param .b32 r) two(.param .b32 x) { st.param.b32 [r], 2; ret; }
        .global .u64 table[2] = {one, two};\n";
    let through = "and.b32 %r2, %r0, 1; mul.wide.u32 %rd1, %r2, 8; mov.u64 %rd2, table;
        add.u64 %rd3, %rd2, %rd1; ld.global.u64 %rd4, [%rd3];
        { .param .b32 a; st.param.b32 [a], %r0; .param .b32 b;
          P: .callprototype (.param .b32 _) _ (.param .b32 _);
          call (b), %rd4, (a), P; ld.param.b32 %r1, [b]; }";
    assert_eq!(words(&(two.to_owned() + &kernel(through)), &[Arg::I32(0)])[..4], [1, 2, 1, 2]);
    let astray = through.replace("ld.global.u64 %rd4, [%rd3];", "mov.b64 %rd4, 77;");
    let (result, _) = run(&(two.to_owned() + &kernel(&astray)), &[Arg::I32(0)]);
    let told = result.unwrap_err().to_string();
    assert!(
        told.contains("`%rd4` does not hold the address of a function with these arguments and results"),
        "{told}"
    );
}

#[test]
fn tables_of_labels_are_followed() {
    let body = |index: &str| {
        format!(
            "{index}
             T: .branchtargets A, B, C;
             brx.idx %r2, T;
             A: mov.b32 %r1, 10; bra.uni E;
             B: mov.b32 %r1, 11; bra.uni E;
             C: mov.b32 %r1, 12;
             E:"
        )
    };
    assert_eq!(of_body(&body("rem.u32 %r2, %r0, 3;")), [10, 11, 12, 10]);
    let (result, _) = run(&kernel(&body("mov.u32 %r2, %r0;")), &[Arg::I32(0)]);
    let told = result.unwrap_err().to_string();
    assert!(told.contains("the index is beyond the 3 labels of `T`"), "{told}");
}

#[test]
fn labels_and_registers_end_with_their_braces() {
    let wait = "{ .reg .b32 %r; mov.b32 %r, 3; L: add.s32 %r, %r, -1; setp.gt.s32 %p1, %r, 0; @%p1 bra L; }";
    assert_eq!(of_body(&format!("mov.b32 %r1, 7; {wait} {wait}")), [7; 4]);
    let told = error(&kernel("{ L: } bra L; mov.b32 %r1, 0;"));
    assert!(told.ends_with("no label `L` in the assembly"), "{told}");
    assert!(error(&kernel("L: L: mov.b32 %r1, 0;")).ends_with("a second label `L`"));
    assert!(error(&kernel("mov.b32 %r1, %r99;")).contains("`%r99` is not declared"));
    let shadowed = "{ .reg .b32 %r1; mov.b32 %r1, 9; } mov.b32 %r1, 4;";
    assert_eq!(of_body(shadowed), [4; 4]);
}

#[test]
fn memory_of_the_module_has_its_initial_values() {
    let memory = ".const .align 4 .b32 primes[4] = {2, 3, 5, 7};
        .global .align 4 .u32 counter = 40;
        .global .align 8 .u64 place = generic(counter);
        .global .align 1 .b8 text[4] = {72, 105};\n";
    let read = "mul.wide.u32 %rd1, %r0, 4; mov.u64 %rd2, primes; add.u64 %rd3, %rd1, %rd2; ld.const.u32 %r1, [%rd3];";
    assert_eq!(words(&(memory.to_owned() + &kernel(read)), &[Arg::I32(0)])[..4], [2, 3, 5, 7]);
    let count = "ld.global.u64 %rd1, [place]; atom.add.u32 %r1, [%rd1], 1;";
    let mut counted = words(&(memory.to_owned() + &kernel(count)), &[Arg::I32(0)])[..4].to_vec();
    counted.sort();
    assert_eq!(counted, [40, 41, 42, 43]);
    let text = "ld.global.u8 %r1, [text+1]; ld.global.u8 %r2, [text+3]; add.u32 %r1, %r1, %r2;";
    assert_eq!(words(&(memory.to_owned() + &kernel(text)), &[Arg::I32(0)])[..4], [105; 4]);
}

#[test]
fn each_thread_has_its_local_memory_and_each_block_its_shared() {
    let local = ".local .align 4 .b8 depot[8]; mov.b64 %rd1, depot; cvta.local.u64 %rd2, %rd1;
        st.local.u32 [depot+4], %r0; ld.u32 %r1, [%rd2+4];";
    assert_eq!(of_body(local), [0, 1, 2, 3]);
    let shared = ".shared .align 4 .b32 tile[4]; mov.u32 %r2, tile; shl.b32 %r3, %r0, 2; add.u32 %r4, %r2, %r3;
        st.shared.u32 [%r4], %r0; bar.sync 0; xor.b32 %r5, %r3, 12; add.u32 %r6, %r2, %r5; ld.shared.u32 %r1, [%r6];";
    assert_eq!(of_body(shared), [3, 2, 1, 0]);
    let dynamic = ".extern .shared .align 16 .b8 window[];\n".to_owned()
        + &kernel(&shared.replace(".shared .align 4 .b32 tile[4];", "").replace("tile", "window"));
    assert_eq!(words(&dynamic, &[Arg::I32(0)])[..4], [3, 2, 1, 0]);
    let (result, _) = run(&kernel(".local .b32 depot; ld.local.u32 %r1, [depot];"), &[Arg::I32(0)]);
    assert!(result.unwrap_err().to_string().contains("undefined"), "a byte that was never written");
}

#[test]
fn registers_that_were_never_written_are_told_where_they_matter() {
    let (result, _) = run(&kernel("add.u32 %r1, %r2, %r3;"), &[Arg::I32(0)]);
    let told = result.unwrap_err().to_string();
    assert!(told.contains("undefined") && told.contains("k.ptx:8"), "{told}");
}

#[test]
fn lanes_that_take_a_uniform_branch_apart_are_told() {
    let body = "setp.lt.u32 %p1, %r0, 2; mov.b32 %r1, 0; @%p1 bra.uni L; mov.b32 %r1, 1; L:";
    let Err(Error::Findings(report)) = run(&kernel(body), &[Arg::I32(0)]).0 else { panic!("a finding") };
    assert_eq!(report.findings[0].kind, FindingKind::Apart { lanes: 3, others: 12 });
    assert_eq!(of_body(&body.replace("%r0, 2", "%r0, 9")), [0; 4]);
}

#[test]
fn an_instruction_without_a_model_is_refused_where_it_is_reached() {
    let body = "setp.gt.u32 %p1, %r0, 2; mov.b32 %r1, 1; @%p1 vabsdiff.u32.u32.u32 %r1, %r0, %r0, %r0;";
    let Err(Error::Findings(report)) = run(&kernel(body), &[Arg::I32(0)]).0 else { panic!("a finding") };
    let finding = &report.findings[0];
    let what = "the instruction `vabsdiff.u32.u32.u32 %r1, %r0, %r0, %r0` (a video instruction)".to_owned();
    assert_eq!((&finding.kind, finding.thread), (&FindingKind::Unmodelled { what }, [3, 0, 0]));
    assert_eq!(of_body(&body.replace("%r0, 2", "%r0, 9")), [1; 4], "nobody gets there");
    assert!(error(&kernel(body)).contains("vabsdiff"), "strict reading refuses it at once");
}

#[test]
fn lines_of_the_source_are_named() {
    let body = ".loc 1 12 3
        mov.b64 %rd80, 7; ld.global.u32 %r1, [%rd80];
        .loc 2 5 1, function_name $L__info_string0, inlined_at 1 20 9
        add.u32 %r1, %r1, 1;";
    let files = ".file 1 \"kernel.py\"\n.file 2 \"lib.py\"\n";
    let (result, _) = run(&(files.to_owned() + &kernel(body)), &[Arg::I32(0)]);
    let told = result.unwrap_err().to_string();
    assert!(told.starts_with("kernel.py:12:3 (k.ptx:"), "{told}");
    let body = ".loc 1 12 3
        mov.b32 %r2, 1;
        .loc 2 5 1, function_name $L__info_string0, inlined_at 1 20 9
        mov.b64 %rd80, 7; ld.global.u32 %r1, [%rd80];";
    let (result, _) = run(&(files.to_owned() + &kernel(body)), &[Arg::I32(0)]);
    let told = result.unwrap_err().to_string();
    assert!(told.starts_with("lib.py:5:1, inlined at kernel.py:20:9 (k.ptx:"), "{told}");
    assert!(error(&kernel(".loc 3 1 1\nmov.b32 %r1, 0;")).ends_with("no `.file` has the number 3"));
}

/// `.loc` has one level of inlining; the others follow from those before.
#[test]
fn the_line_of_the_user_is_named_whatever_is_inlined_there() {
    let files = ".file 1 \"/home/me/src/k.cu\"\n.file 2 \"/cuda/include/cub/warp/scan.cuh\"\n\
        .file 3 \"/cuda/include/cuda/std/shuffle.h\"\n";
    let call = |line: u32| {
        format!(
            ".loc 1 {line} 5, function_name $L__s0, inlined_at 1 90 1
            .loc 2 70 9, function_name $L__s1, inlined_at 1 {line} 5
            .loc 3 30 2, function_name $L__s2, inlined_at 2 70 9\n"
        )
    };
    let failing = "mov.b64 %rd80, 7; ld.global.u32 %r1, [%rd80];\n";
    let names = "\n.section .debug_str {\n$L__s1:\n.b8 115,99,97,110\n.b8 0\n$L__s2:\n\
        .b8 115,104,117,102,102,108,101,0\n}\n";
    let told = |body: &str| {
        let (result, _) = run(&(files.to_owned() + &kernel(body) + names), &[Arg::I32(0)]);
        let Err(Error::Findings(report)) = result else { panic!("a finding") };
        let place = report.findings[0].location.clone();
        let origin = place.origin.clone().expect("a line of PTX");
        assert_eq!((origin.file.path(), place.line_in("k.ptx")), ("k.ptx", Some(origin.line)));
        (place.to_string().replace(&format!(" ({origin})"), ""), place)
    };
    let (place, of) = told(&(call(11) + failing));
    let short = "cuda/std/shuffle.h:30:2, inlined at .../me/src/k.cu:11:5, inlined at .../me/src/k.cu:90:1";
    assert_eq!(place, short);
    assert_eq!(of.point.as_ref().expect("a source").whole(), "/cuda/include/cuda/std/shuffle.h:30:2");
    let calls = of.inlined.iter().map(|call| (call.function.as_deref(), call.points[0].whole()));
    let calls = calls.collect::<Vec<_>>();
    let expected = [
        (Some("shuffle"), "/cuda/include/cub/warp/scan.cuh:70:9"),
        (Some("scan"), "/home/me/src/k.cu:11:5"),
        (None, "/home/me/src/k.cu:90:1"),
    ];
    assert_eq!(calls, expected.map(|(function, call)| (function, call.to_owned())));
    // A second call of the same function.
    let (place, _) = told(&(call(11) + "add.u32 %r2, %r0, 1;\n" + &call(14) + failing));
    assert_eq!(place, short.replace(":11:", ":14:"));
    // Nothing says to which of the two an instruction behind both belongs.
    let behind = ".loc 1 1 1\n.loc 3 31 2, function_name $L__s2, inlined_at 2 70 9\n";
    let (place, _) = told(&(call(11) + "add.u32 %r2, %r0, 1;\n" + &call(14) + behind + failing));
    let both = ".../me/src/k.cu:11:5 or .../me/src/k.cu:14:5";
    assert_eq!(place, short.replace(":30:2", ":31:2").replace(".../me/src/k.cu:11:5", both));
}

/// In the byte form, instructions have numbers of their places, and share files and chains.
#[test]
fn places_go_through_the_byte_form() {
    let files = ".file 1 \"/home/me/src/a_kernel_with_a_long_name.cu\"\n.file 2 \"lib.cuh\"\n";
    let written = |count: usize| {
        let line = |i: usize| {
            let call = 20 + i % 3;
            format!(".loc 2 5 1, function_name $L__s, inlined_at 1 {call} 9\nadd.u32 %r1, %r0, 1;\n")
        };
        let lines: String = (0..count).map(line).collect();
        let text = HEAD.to_owned() + files + &kernel(&lines);
        let file = parse(&text, Reading { file: "k.ptx", strict: true }).expect("it is PTX");
        let program = file.program().expect("a program");
        let bytes = program.to_bytes();
        let read = Program::from_bytes(&bytes).expect("a program");
        let places = |program: &Program| {
            let sites = program.kernels[0].sites.iter();
            sites.map(|site| (site.op.clone(), site.location.clone())).collect::<Vec<_>>()
        };
        assert_eq!(places(&read), places(&program));
        bytes
    };
    let (few, many) = (written(20), written(220));
    let copies = |bytes: &[u8]| {
        let name = b"a_kernel_with_a_long_name";
        bytes.windows(name.len()).filter(|window| window == name).count()
    };
    assert_eq!(copies(&few), copies(&many));
    let more = many.len() - few.len();
    assert!(more < 200 * 25, "{more} bytes of 200 instructions");
}

#[test]
fn errors_name_the_class_of_the_rule_that_is_broken() {
    let id = |text: &str| {
        let text = format!("{HEAD}{text}");
        let file = parse(&text, Reading { file: "k.ptx", strict: true });
        file.and_then(|file| file.program()).err().and_then(|why| why.id())
    };
    for (body, expected) in [
        ("frob.b32 %r1, %r2;", "unmodelled-unknown-instruction"),
        ("tex.1d.v4.s32.s32 {%r1,%r2,%r3,%r4}, [n, {%r5}];", "unmodelled-instruction"),
        ("mov.u32 %r1, %pm0;", "unmodelled-register"),
        ("call (%r1), nowhere, (%r0);", "unmodelled-call"),
        ("add.u32 %r1, %r2, missing;", "malformed-undeclared-name"),
        ("add.u32 %r1, %r2;", "malformed-operand-type"),
        ("bra 7;", "malformed-operand-type"),
        ("bra NOWHERE;", "malformed-undeclared-name"),
        ("L: L: mov.b32 %r1, 0;", "malformed-second-name"),
        ("setmaxnreg.inc.sync.aligned.u32 17;", "malformed-operand-value"),
        ("add.u32 %r1 %r2;", "malformed-syntax"),
        ("{ .local .align 3 .b8 x[4]; mov.b64 %rd1, x; }", "malformed-directive"),
    ] {
        assert_eq!(id(&kernel(body)), Some(expected), "{body}");
    }
    assert_eq!(id(&kernel("mov.b32 %r1, 0;")), None);
    let twice = kernel("mov.b32 %r1, 0;").repeat(2);
    assert_eq!(id(&twice), Some("malformed-second-name"));
    let error =
        parse(".version 8.7 .target sm_90a .address_size 32", Reading { file: "k.ptx", strict: true });
    let error = error.map(|_| ()).unwrap_err();
    assert_eq!(error.id(), Some("malformed-file"));
    assert_eq!(error.place().map(ToString::to_string).as_deref(), Some("k.ptx:1"));
}

#[test]
fn files_that_are_not_for_this_machine_are_refused() {
    let refused =
        |text: &str| parse(text, Reading { file: "k.ptx", strict: true }).err().unwrap().to_string();
    let newer = |version: &str| {
        let text = format!(".version {version} .target sm_90 .address_size 64");
        parse(&text, Reading { file: "k.ptx", strict: true }).unwrap().newer()
    };
    assert!(newer("9.5").unwrap().starts_with("k.ptx: PTX 9.5 is newer than 9.4, the newest version"));
    assert!(newer("10.0").is_some() && newer("9.4").is_none());
    assert!(refused(".version 7.0 .target sm_80").contains("`.address_size 64` is needed"));
    assert!(refused(".version 7.0 .address_size 64").contains("no `.target` such as `sm_90a`"));
    assert!(refused(".target sm_80 .address_size 64").contains("does not begin with `.version`"));
    assert_eq!(refused(".version"), "k.ptx:1: `PTX`: `.version` has no number such as 8.7 at `.version`");
    let large = error(&(".shared .b8 x[4611686018427387904];\n".to_owned() + &kernel("mov.u32 %r1, x;")));
    assert!(large.contains("`x` has more than 268435456 bytes"), "{large}");
    let many = kernel(".reg .b32 %many<2147483647>; mov.b32 %many7, 1; mov.b32 %r1, %many7;");
    assert_eq!(words(&many, &[Arg::I32(0)])[..4], [1; 4], "registers that are not used cost nothing");
}
