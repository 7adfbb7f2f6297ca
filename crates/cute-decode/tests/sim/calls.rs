//! Device functions, and parameters by value.

use crate::{decode, function, program};
use cute_sim::{Arg, Error, FindingKind, Launch, Memory};

/// Stores `%r`, an i32 that `body` makes of the thread's number `%t`, beside these functions.
fn each(functions: &str, body: &str, threads: u32) -> Result<Vec<i32>, Error> {
    let body = format!(
        "%t = nvvm.read.ptx.sreg.tid.x : i32
         {body}
         %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
         llvm.store %r, %p : i32, !llvm.ptr<1>"
    );
    let program = program(&format!("{functions}\n{}", function("%out: !llvm.ptr<1>", &body)));
    let mut memory = Memory::new();
    let out = memory.zeroed::<i32>(threads as usize);
    program.run(&Launch::new("kernel", [1; 3], [threads, 1, 1]), &mut memory, &[Arg::Buffer(out)])?;
    Ok(memory.download(out))
}

/// Called from two sides of a branch, by a function too, with a struct as result; lanes are
/// together again after it.
#[test]
fn functions_are_called_from_several_places() {
    let functions = "llvm.func @both(%x: i32, %y: i32) -> !llvm.struct<(i32, i32)> {
          %sum = llvm.add %x, %y : i32
          %difference = llvm.sub %x, %y : i32
          %u = llvm.mlir.undef : !llvm.struct<(i32, i32)>
          %a = llvm.insertvalue %sum, %u[0] : !llvm.struct<(i32, i32)>
          %b = llvm.insertvalue %difference, %a[1] : !llvm.struct<(i32, i32)>
          llvm.return %b : !llvm.struct<(i32, i32)>
        }
        llvm.func @twice(%x: i32) -> i32 {
          %b = llvm.call @both(%x, %x) : (i32, i32) -> !llvm.struct<(i32, i32)>
          %s = llvm.extractvalue %b[0] : !llvm.struct<(i32, i32)>
          llvm.return %s : i32
        }
        llvm.func @nothing(%p: !llvm.ptr) { llvm.return }";
    let body = "%one = llvm.mlir.constant(1 : i32) : i32
         %all = llvm.mlir.constant(-1 : i32) : i32
         %last = llvm.mlir.constant(31 : i32) : i32
         %null = llvm.mlir.zero : !llvm.ptr
         llvm.call @nothing(%null) : (!llvm.ptr) -> ()
         %bit = llvm.trunc %t : i32 to i1
         llvm.cond_br %bit, ^odd, ^even
       ^odd:
         %x = llvm.call @twice(%t) : (i32) -> i32
         llvm.br ^join(%x : i32)
       ^even:
         %b = llvm.call @both(%t, %one) : (i32, i32) -> !llvm.struct<(i32, i32)>
         %y = llvm.extractvalue %b[1] : !llvm.struct<(i32, i32)>
         llvm.br ^join(%y : i32)
       ^join(%v: i32):
         %r = nvvm.shfl.sync bfly %all, %v, %one, %last : i32 -> i32";
    let found = each(functions, body, 32).unwrap();
    assert!(
        (0..32i32).all(|i| found[i as usize] == if i % 2 == 0 { 2 * (i + 1) } else { i - 2 }),
        "{found:?}"
    );
}

const FIBONACCI: &str = "llvm.func @fib(%n: i32) -> i32 {
      %one = llvm.mlir.constant(1 : i32) : i32
      %two = llvm.mlir.constant(2 : i32) : i32
      %small = llvm.icmp \"slt\" %n, %two : i32
      llvm.cond_br %small, ^end, ^more
    ^end:
      llvm.return %n : i32
    ^more:
      %a = llvm.sub %n, %one : i32
      %b = llvm.sub %n, %two : i32
      %x = llvm.call @fib(%a) : (i32) -> i32
      %y = llvm.call @fib(%b) : (i32) -> i32
      %s = llvm.add %x, %y : i32
      llvm.return %s : i32
    }";

#[test]
fn a_function_calls_itself() {
    let found = each(FIBONACCI, "%r = llvm.call @fib(%t) : (i32) -> i32", 12).unwrap();
    assert_eq!(found, [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]);
    // Each through the other.
    let functions = "llvm.func @even(%n: i32) -> i32 {
          %zero = llvm.mlir.constant(0 : i32) : i32
          %one = llvm.mlir.constant(1 : i32) : i32
          %end = llvm.icmp \"eq\" %n, %zero : i32
          llvm.cond_br %end, ^end, ^more
        ^end:
          llvm.return %one : i32
        ^more:
          %less = llvm.sub %n, %one : i32
          %odd = llvm.call @odd(%less) : (i32) -> i32
          llvm.return %odd : i32
        }
        llvm.func @odd(%n: i32) -> i32 {
          %one = llvm.mlir.constant(1 : i32) : i32
          %even = llvm.call @even(%n) : (i32) -> i32
          %odd = llvm.xor %even, %one : i32
          llvm.return %odd : i32
        }";
    let found = each(functions, "%r = llvm.call @even(%t) : (i32) -> i32", 5).unwrap();
    assert_eq!(found, [1, 0, 1, 0, 1]);
}

#[test]
fn endless_calls_are_a_finding() {
    let functions = "llvm.func @f(%n: i32) -> i32 {
          %r = llvm.call @f(%n) : (i32) -> i32
          llvm.return %r : i32
        }";
    let Err(Error::Findings(report)) = each(functions, "%r = llvm.call @f(%t) : (i32) -> i32", 32) else {
        panic!("it ends")
    };
    assert_eq!(report.findings.len(), 1);
    assert_eq!(report.findings[0].kind, FindingKind::CallDepth { limit: 256 });
    assert!(report.findings[0].to_string().ends_with("thread (0, 0, 0): calls nest deeper than 256"));
}

/// A function's local memory is gone when it returns: 1000 times 1 KiB is more than a thread has.
#[test]
fn local_memory_is_given_back() {
    let functions = "llvm.func @f(%n: i32) -> i32 {
          %c = llvm.mlir.constant(256 : i32) : i32
          %p = llvm.alloca %c x i32 : (i32) -> !llvm.ptr
          llvm.store %n, %p : i32, !llvm.ptr
          %v = llvm.load %p : !llvm.ptr -> i32
          llvm.return %v : i32
        }";
    let body = "%zero = llvm.mlir.constant(0 : i32) : i32
         %one = llvm.mlir.constant(1 : i32) : i32
         %n = llvm.mlir.constant(1000 : i32) : i32
         llvm.br ^loop(%zero, %zero : i32, i32)
       ^loop(%i: i32, %sum: i32):
         %x = llvm.call @f(%i) : (i32) -> i32
         %s = llvm.add %sum, %x : i32
         %j = llvm.add %i, %one : i32
         %more = llvm.icmp \"slt\" %j, %n : i32
         llvm.cond_br %more, ^loop(%j, %s : i32, i32), ^out
       ^out:
         %r = llvm.add %s, %t : i32";
    assert_eq!(each(functions, body, 2).unwrap(), [499_500, 499_501]);
}

/// Each thread has a copy of its own, which it may write; it ends where the type ends.
#[test]
fn a_parameter_by_value_is_in_local_memory() {
    let run = |at: u32| {
        let program = program(&format!(
            "llvm.func @kernel(%s: !llvm.ptr {{llvm.byval = !llvm.struct<(i32, array<2 x f32>)>}}, %plain: !llvm.struct<(i32, i32)>, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
               %t = nvvm.read.ptx.sreg.tid.x : i32
               %x = llvm.load %s : !llvm.ptr -> i32
               %y = llvm.extractvalue %plain[1] : !llvm.struct<(i32, i32)>
               %sum = llvm.add %x, %y : i32
               %own = llvm.add %sum, %t : i32
               llvm.store %own, %s : i32, !llvm.ptr
               %mine = llvm.load %s : !llvm.ptr -> i32
               %pf = llvm.getelementptr %s[{at}] : (!llvm.ptr) -> !llvm.ptr, f32
               %f = llvm.load %pf : !llvm.ptr -> f32
               %i = llvm.fptosi %f : f32 to i32
               %r = llvm.add %mine, %i : i32
               %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
               llvm.store %r, %p : i32, !llvm.ptr<1>
               llvm.return
             }}"
        ));
        let mut memory = Memory::new();
        let out = memory.zeroed::<i32>(3);
        let args = [Arg::I32(5), Arg::F32(0.0), Arg::F32(100.0), Arg::I32(0), Arg::I32(20), Arg::Buffer(out)];
        program
            .run(&Launch::new("kernel", [1; 3], [3, 1, 1]), &mut memory, &args)
            .map(|_| memory.download::<i32>(out))
    };
    assert_eq!(run(2).unwrap(), [125, 126, 127]);
    let error = run(3).unwrap_err().to_string();
    assert!(
        error.contains("4 bytes at byte 12 of the local memory (fragment) allocated at")
            && error.ends_with("which has 12 bytes"),
        "{error}"
    );
}

/// All threads read the same bytes of a `grid_constant`, and none may write them.
#[test]
fn a_parameter_by_value_is_given_as_bytes() {
    let run = |attributes: &str, bytes: Vec<u8>, body: &str| {
        let program = program(&format!(
            "llvm.func @kernel(%s: !llvm.ptr {{llvm.byval = !llvm.array<3 x i32>{attributes}}}, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
               %t = nvvm.read.ptx.sreg.tid.x : i32
               %own = llvm.getelementptr %s[0, %t] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<3 x i32>
               {body}
               %x = llvm.load %own : !llvm.ptr -> i32
               %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
               llvm.store %x, %p : i32, !llvm.ptr<1>
               llvm.return
             }}"
        ));
        let mut memory = Memory::new();
        let out = memory.zeroed::<i32>(3);
        let launch = Launch::new("kernel", [1; 3], [3, 1, 1]);
        let result = program.run(&launch, &mut memory, &[Arg::Bytes(bytes), Arg::Buffer(out)]);
        result.map(|_| memory.download::<i32>(out)).map_err(|e| e.to_string())
    };
    let bytes: Vec<u8> = [7i32, -2, 9].iter().flat_map(|x| x.to_le_bytes()).collect();
    let constant = ", nvvm.grid_constant";
    for attributes in ["", constant] {
        assert_eq!(run(attributes, bytes.clone(), "").unwrap(), [7, -2, 9]);
        let error = run(attributes, vec![0; 128], "").unwrap_err();
        assert!(error.contains("argument 0 has 128 bytes, but its parameter has 12"), "{error}");
    }
    let store = "llvm.store %t, %own : i32, !llvm.ptr";
    assert_eq!(run("", bytes.clone(), store).unwrap(), [0, 1, 2]);
    let error = run(constant, bytes, store).unwrap_err();
    assert!(error.contains("parameter 0 of the kernel is constant"), "{error}");
}

#[test]
fn calls_without_a_body_are_refused() {
    let error = |declared: &str, body: &str| {
        let source = format!("{declared}\n{}", function("%x: i32, %f: !llvm.ptr", body));
        decode(&source).unwrap_err().to_string()
    };
    let unknown = error("llvm.func @g(i32) -> i32", "%r = llvm.call @g(%x) : (i32) -> i32");
    assert_eq!(unknown, "-:4:6: `llvm.call`: a call of @g, which has no body here, is not modelled");
    let pointer = error("", "%r = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32");
    assert_eq!(pointer, "-:4:6: `llvm.call`: a call through a pointer is not modelled");
    let inside = error(
        "llvm.func @g() { %s = llvm.intr.stacksave : !llvm.ptr llvm.return }",
        "llvm.call @g() : () -> ()",
    );
    assert!(inside.ends_with("`llvm.intr.stacksave`: the operation is not modelled"), "{inside}");
}
