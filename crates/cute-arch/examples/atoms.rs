//! Prints the instructions of a GPU that multiply matrices of a type, each with the layout that
//! maps a thread and the number of one of its values to an index in D:
//!
//!     cargo run -p cute-arch --example atoms -- sm_90a bf16

use std::{env, error::Error};

use cute_algebra::{MmaOperand, TiledMma, parse_layout};
use cute_arch::{Element, Target, atoms::MmaAtom};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let target: Target = arguments.next().unwrap_or("sm_90a".into()).parse()?;
    let element: Element = arguments.next().unwrap_or("bf16".into()).parse()?;
    let one = parse_layout("1")?.to_const().expect("the layout is static");
    for atom in MmaAtom::on(target, element, element) {
        let d = TiledMma::new(atom.layouts(), &one, &[])?.layout_tv(MmaOperand::C)?;
        println!("{}: {} threads, D by thread and value {d}", atom.name, atom.threads());
    }
    Ok(())
}
