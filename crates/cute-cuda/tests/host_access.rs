//! A program whose host touches memory of the device.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::{
    env,
    os::unix::process::ExitStatusExt,
    process::{Command, Output},
    ptr,
};

use cute_cuda::{memory::Kind, state::with};

/// Tells the test that it is the program.
const CHILD: &str = "CUTE_CUDA_TEST_TOUCHES";

/// Runs a test of this file again, as a program of its own.
fn again(test: &str) -> Output {
    let own = env::current_exe().expect("a test is a file");
    let mut command = Command::new(own);
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD, "1");
    command.output().expect("the test runs again")
}

/// The address of the second of three allocations.
fn allocated() -> u64 {
    with(|state| {
        state.allocate(Kind::Device, 64)?;
        let second = state.allocate(Kind::Device, 4096)?;
        state.allocate(Kind::Managed, 64)?;
        Ok(second)
    })
    .expect("there is memory")
}

#[test]
fn a_read_is_explained_before_the_signal_ends_the_program() {
    if env::var_os(CHILD).is_some() {
        let at = allocated() + 12;
        // SAFETY: there is none; the signal ends the program.
        unsafe { ptr::with_exposed_provenance::<u32>(at as usize).read_volatile() };
        return;
    }
    let Output { status, stderr, .. } = again("a_read_is_explained_before_the_signal_ends_the_program");
    let text = String::from_utf8_lossy(&stderr);
    assert_eq!(status.signal(), Some(11), "{text}");
    let first = "the host touches memory of the device: byte 12 of allocation 2 (cudaMalloc, 4096 bytes), at host_access-";
    let last = "; copy it with cudaMemcpy, or allocate it with cudaMallocManaged\n";
    assert!(text.contains(first) && text.contains(last), "{text}");
}

#[test]
fn other_faults_are_the_programs_own() {
    if env::var_os(CHILD).is_some() {
        allocated();
        // SAFETY: there is none; the signal ends the program.
        unsafe { ptr::with_exposed_provenance::<u32>(0x1000).read_volatile() };
        return;
    }
    let Output { status, stderr, .. } = again("other_faults_are_the_programs_own");
    let text = String::from_utf8_lossy(&stderr);
    assert_eq!(status.signal(), Some(11), "{text}");
    assert!(!text.contains("cutec exec"), "{text}");
}
