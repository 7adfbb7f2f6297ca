//! Reads files of PTX, and prints how large their programs are: `read FILE.ptx..`.

use cute_assembler::module::{Reading, parse};

fn main() {
    for file in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(why) => {
                eprintln!("{file}: {why}");
                std::process::exit(1);
            }
        };
        let reading = Reading { file: &file, strict: false };
        match parse(&text, reading).and_then(|parsed| parsed.program()) {
            Ok(program) => {
                let count: usize = program.kernels.iter().map(|kernel| kernel.code.len()).sum();
                println!("{file}: {} bytes, {count} instructions", text.len());
            }
            Err(why) => println!("{why}"),
        }
    }
}
