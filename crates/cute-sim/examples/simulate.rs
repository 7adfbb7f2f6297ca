//! Runs a kernel from the bytes of its program, as `Program::to_bytes` makes them: without MLIR,
//! and without the process that decoded it.
//!
//! `simulate KERNEL THREADS < program` gives the kernel a buffer with an integer of 32 bits for
//! each thread, and prints the integers.

use std::{
    env,
    error::Error,
    io::{self, Read},
    process::ExitCode,
};

use cute_sim::{Arg, Launch, Memory, Program};

fn run() -> Result<(), Box<dyn Error>> {
    let words: Vec<_> = env::args().skip(1).collect();
    let [kernel, threads] = words.as_slice() else { return Err("usage: simulate KERNEL THREADS".into()) };
    let threads: u32 = threads.parse()?;
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    let program = Program::from_bytes(&bytes)?;
    let mut memory = Memory::new();
    let data = memory.zeroed::<u32>(threads as usize);
    program.run(&Launch::new(kernel, [1, 1, 1], [threads, 1, 1]), &mut memory, &[Arg::Buffer(data)])?;
    memory.download::<u32>(data).iter().for_each(|number| println!("{number}"));
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
