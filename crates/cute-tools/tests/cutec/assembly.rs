//! Inline assembly whose constraints LLVM does not read is rejected before LLVM compiles it.

use super::Place;

/// A kernel with this op, which has the values `%x` (f32) and `%n` (i32).
fn kernel(op: &str) -> Place {
    Place::with(&format!(
        "gpu.module @m {{\n  gpu.func @k(%out: !llvm.ptr<1>, %x: f32, %n: i32) kernel {{\n    {op}\n    gpu.return\n  }}\n}}\n"
    ))
}

fn assembly(constraints: &str) -> Place {
    kernel(&format!(
        "%r = llvm.inline_asm has_side_effects \"foo $0;\", \"{constraints}\" %x, %x : (f32, f32) -> f32\n    \
         llvm.store %r, %out : f32, !llvm.ptr<1>"
    ))
}

#[test]
fn constraints_are_checked_before_code_is_generated() {
    for (constraints, why) in [
        ("=f,0,0", "failed to parse constraints"),
        ("=f,9,f", "failed to parse constraints"),
        ("=f,{", "failed to parse constraints"),
        ("", "inline asm without outputs must return void"),
        ("=f,f", "number of input constraints does not match number of parameters"),
        ("=f,=f,f,f", "number of output constraints does not match number of return struct elements"),
    ] {
        let place = assembly(constraints);
        for emit in ["ptx", "llvm"] {
            let run = place.run(&format!("k.mlir --target sm_90a --emit {emit} -o k.out"));
            let error = format!(
                "k.mlir:3:10: error: 'llvm.inline_asm' op has the constraints \"{constraints}\", which LLVM rejects: {why}\n"
            );
            assert_eq!(run.code, Some(1), "{constraints}: {}", run.err);
            assert!(run.err.starts_with(&error), "{}", run.err);
            assert!(!place.path("k.out").exists());
        }
    }
    let ptx = assembly("=f,0,f").good("k.mlir --target sm_90a");
    assert!(ptx.contains("foo "), "{ptx}");
}

#[test]
fn values_beyond_what_llvm_compiles_are_refused() {
    let copy = |ty: &str| {
        format!("%v = llvm.load %out : !llvm.ptr<1> -> {ty}\n    llvm.store %v, %out : {ty}, !llvm.ptr<1>")
    };
    let advice = "; compiled code can have at most 4096 in one value: use smaller vectors, or a loop";
    for (ty, why) in [
        ("vector<20000xf32>", format!("which is 20000 scalars for each thread{advice}")),
        ("vector<4097xi8>", format!("which is 4097 scalars for each thread{advice}")),
        ("!llvm.array<100 x vector<100xf16>>", format!("which is 10000 scalars for each thread{advice}")),
        ("!llvm.struct<(i32, array<4096 x i32>)>", format!("which is 4097 scalars for each thread{advice}")),
        ("i8388607", "with an integer of 8388607 bits; compiled code can have at most 4096".into()),
    ] {
        let run = kernel(&copy(ty)).run("k.mlir --target sm_90a -o k.ptx");
        assert_eq!(run.code, Some(1));
        let error = format!("k.mlir:3:10: error: 'llvm.load' op has a result of type {ty}, {why}\n");
        assert!(run.err.starts_with(&error), "{}", run.err);
    }
    let constant = "%v = arith.constant dense<1.0> : vector<1000000xf32>\n    \
                    llvm.store %v, %out : vector<1000000xf32>, !llvm.ptr<1>";
    let run = kernel(constant).run("k.mlir --target sm_90a -o k.ptx");
    assert!(run.code == Some(1) && run.err.contains("which is 1000000 scalars"), "{}", run.err);
    for ty in ["vector<4096xf32>", "!llvm.array<64 x vector<64xf32>>", "i4096"] {
        kernel(&copy(ty)).good("k.mlir --target sm_90a -o k.ptx");
    }
}
