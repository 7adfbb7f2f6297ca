//! Kernels that cannot run on the target are rejected when they are compiled.

use super::Place;

fn refused(text: &str, arguments: &str, errors: &[&str]) {
    let place = Place::with(text);
    let before = place.files();
    let run = place.run(arguments);
    assert_eq!((run.code, place.files()), (Some(1), before), "{}", run.err);
    let said: Vec<_> =
        run.err.lines().filter(|l| l.contains(": error: ") || l.contains(": note: ")).collect();
    assert_eq!(said, errors, "{}", run.err);
}

/// Two tiles of shared memory, and dynamic shared memory.
const TILES: &str = r#"!x = !cute.memref<f32, smem, align<16>, "FIRST:1">
!y = !cute.memref<f16, smem, align<16>, "1000:1">
gpu.module @m {
  gpu.func @k() kernel attributes {DYNAMIC} {
    %x = cute.memref.alloc_smem() : !x
    %y = cute.memref.alloc_smem() : !y
    %at = cute.static : !cute.coord<"999">
    %v = arith.constant 7.0 : f32
    %w = arith.constant 7.0 : f16
    cute.memref.store(%x, %at, %v) : (!x, !cute.coord<"999">, f32) -> ()
    cute.memref.store(%y, %at, %w) : (!y, !cute.coord<"999">, f16) -> ()
    gpu.return
  }
}
"#;

fn tiles(first: u32, attributes: &str) -> String {
    TILES.replace("FIRST", &first.to_string()).replace("DYNAMIC", attributes)
}

#[test]
fn shared_memory_beyond_the_limit_is_added_up() {
    refused(
        &tiles(12000, ""),
        "k.mlir --target sm_80 -o k.ptx",
        &[
            "k.mlir:4:3: error: kernel 'k': it declares 50000 bytes of shared memory, but sm_80 allows 49152; \
             use dynamic shared memory for more",
            "k.mlir:5:10: note: 48000 bytes: @cute_smem_0",
            "k.mlir:6:10: note: 2000 bytes: @cute_smem_1",
        ],
    );
    let dynamic = tiles(1000, "cute.dynamic_shared_memory = 200000 : i64");
    refused(
        &dynamic,
        "k.mlir --target sm_80 -o k.ptx",
        &[
            "k.mlir:4:3: error: kernel 'k': it needs 206000 bytes of shared memory, but sm_80 has at most 166912 per block",
            "k.mlir:4:3: note: 200000 bytes: cute.dynamic_shared_memory",
            "k.mlir:5:10: note: 4000 bytes: @cute_smem_0",
            "k.mlir:6:10: note: 2000 bytes: @cute_smem_1",
        ],
    );
    Place::with(&dynamic).good("k.mlir --target sm_90a -o k.ptx");
}

#[test]
fn blocks_that_no_launch_may_have_are_refused() {
    let kernel = |block: &str| {
        format!(
            "gpu.module @m {{\n  gpu.func @k() kernel attributes {{known_block_size = array<i32: {block}>}} {{\n    gpu.return\n  }}\n}}\n"
        )
    };
    let arguments = "k.mlir --target sm_90a -o k.ptx";
    let threads = "k.mlir:2:3: error: kernel 'k': its block [32, 64, 1] has 2048 threads, but at most 1024 are possible";
    refused(&kernel("32, 64, 1"), arguments, &[threads]);
    let deep =
        "k.mlir:2:3: error: kernel 'k': its block is [1, 1, 128], but sm_90a allows at most [1024, 1024, 64]";
    refused(&kernel("1, 1, 128"), arguments, &[deep]);
    Place::with(&kernel("32, 32, 1")).good(arguments);
    // Extents whose product does not fit 64 bits, in each kind of kernel.
    let huge = "2147483647, 2147483647, 2147483647";
    let why = "k.mlir:2:3: error: kernel 'k': its block [2147483647, 2147483647, 2147483647] has 9223372036854775807 threads, but at most \
               1024 are possible";
    refused(&kernel(huge), arguments, &[why]);
    let of_dsl = format!(
        "gpu.module @m {{\n  cuda.kernel @k() attributes {{nvvm.reqntid = array<i32: {huge}>}} {{\n    cuda.return\n  }}\n}}\n"
    );
    refused(&of_dsl, arguments, &[why]);
}

#[test]
fn a_kernel_is_not_built_for_a_target_that_cannot_hold_it() {
    let place = Place::with("");
    for (stages, target, has) in [(16, "sm_90a", 232_448), (12, "sm_80", 166_912)] {
        let run = place.run(&format!("build gemm_sm80 --stages {stages} --target {target} -o gemm.ptx"));
        assert_eq!(run.code, Some(1), "{}", run.err);
        let error = format!("do not fit into {has} bytes of shared memory of {target}: at most");
        assert!(run.err.contains(&error) && !place.path("gemm.ptx").exists(), "{}", run.err);
    }
}

/// A kernel of the LLVM dialect that reads an object, after declarations.
fn with_object(declarations: &str, body: &str) -> String {
    format!(
        "gpu.module @m {{\n{declarations}\n  llvm.func @k(%a: !llvm.ptr<1>) attributes {{gpu.kernel, nvvm.kernel}} {{\n{body}\n    \
         llvm.return\n  }}\n}}\n"
    )
}

#[test]
fn constants_beyond_the_limit_are_added_up() {
    let constant = |name: &str, words: u64| {
        format!(
            "  llvm.mlir.global internal constant @{name}(dense<7> : tensor<{words}xi32>) {{addr_space = 4 : i32}} : !llvm.array<{words} x i32>"
        )
    };
    let read = |name: &str| {
        format!(
            "    %{name} = llvm.mlir.addressof @{name} : !llvm.ptr<4>\n    %{name}v = llvm.load %{name} : !llvm.ptr<4> -> i32\n    \
             llvm.store %{name}v, %a : i32, !llvm.ptr<1>"
        )
    };
    let module = |words: [u64; 2], reads: &str| {
        with_object(&[constant("x", words[0]), constant("y", words[1])].join("\n"), reads)
    };
    let both = [read("x"), read("y")].join("\n");
    let place = Place::with(&module([8192, 8192], &both));
    place.good("k.mlir --target sm_90a -o k.ptx");
    // One that nobody reads is not in the code.
    let place = Place::with(&module([16384, 268435456], &read("x")));
    place.good("k.mlir --target sm_90a -o k.ptx");
    refused(
        &module([8192, 8193], &both),
        "k.mlir --target sm_90a -o k.ptx",
        &[
            "k.mlir:3:3: error: the module declares 65540 bytes of constant memory, but sm_90a has 65536; use global memory \
             (addr_space = 1) for more",
            "k.mlir:3:3: note: 32772 bytes: @y",
            "k.mlir:2:3: note: 32768 bytes: @x",
        ],
    );
    refused(
        &module([268435456, 1], &both),
        "k.mlir --target sm_120a -o k.ptx",
        &[
            "k.mlir:2:3: error: the module declares 1073741828 bytes of constant memory, but sm_120a has 65536; use global memory \
             (addr_space = 1) for more",
            "k.mlir:2:3: note: 1073741824 bytes: @x",
            "k.mlir:3:3: note: 4 bytes: @y",
        ],
    );
}

#[test]
fn a_stack_beyond_the_limit_is_refused() {
    let alloca = |count: u64| {
        with_object(
            "",
            &format!(
                "    %c = llvm.mlir.constant({count} : i32) : i32\n    %p = llvm.alloca %c x i64 : (i32) -> !llvm.ptr<5>\n    %v = \
                 llvm.load volatile %p : !llvm.ptr<5> -> i64\n    llvm.store %v, %a : i64, !llvm.ptr<1>"
            ),
        )
    };
    let place = Place::with(&alloca(65536));
    place.good("k.mlir --target sm_90a -o k.ptx");
    for (count, bytes) in [(65537, "524296"), (2147483647, "17179869176")] {
        let error = format!(
            "k.mlir:5:10: error: 'llvm.alloca' op needs {bytes} bytes on the stack of each thread, but a thread has at most 524288 of \
             local memory; use memory that the host allocates"
        );
        refused(&alloca(count), "k.mlir --target sm_90a -o k.ptx", &[&error]);
    }
}

#[test]
fn a_variable_larger_than_any_memory_is_refused() {
    let global = |bytes: u64| {
        with_object(
            &format!("  llvm.mlir.global external @g() {{addr_space = 1 : i32}} : !llvm.array<{bytes} x i8>"),
            "",
        )
    };
    let error = "k.mlir:2:3: error: '@g' has 1099511627777 bytes of global memory, but no GPU has more than 1099511627776 (1 TiB): pass \
                 the address of memory that the host allocates";
    refused(&global((1 << 40) + 1), "k.mlir --target sm_90a -o k.ptx", &[error]);
}

/// MLIR's verifier would crash.
#[test]
fn an_address_space_is_a_number() {
    let text = "llvm.mlir.global internal @g() {addr_space = \"x\"} : !llvm.array<1 x i32>\nllvm.func @f() {\n  %0 = llvm.mlir.addressof @g : \
                !llvm.ptr\n  llvm.return\n}\n";
    let error = "k.mlir:1:1: error: 'llvm.mlir.global' op attribute 'addr_space' must be an integer of 32 bits, such as 3 : i32 for \
                 shared memory";
    refused(text, "k.mlir --target sm_90a -o k.ptx", &[error]);
}
