//! Builds a kernel with the typed builders and prints it, then its PTX:
//! `cargo run --example embed [sm_100a]`.
//!
//! The kernel doubles a vector of f32. A block of 256 threads takes 1024 elements, a thread 4
//! neighbours: 128 bits an access.

use std::{env, error::Error, result};

use cute_mlir::{
    Target,
    builders::{append, cute, kernel, op, value},
    types::{self, Space},
};
use melior::{
    Context,
    ir::{Location, Module, Type, r#type::IntegerType},
};

type Result<T> = result::Result<T, cute_mlir::Error>;

const TILER: &str = "[1024:1]";

/// `y = 2 * x`, for vectors of whole tiles.
pub fn twice(context: &Context) -> Result<Module<'_>> {
    let location = Location::unknown(context);
    let (f32, i32) = (Type::float32(context), IntegerType::new(context, 32).into());
    let vector = types::memref(context, f32, Space::Gmem, Some(16), "(?{div=1024}):(1)")?;
    let access = types::universal_copy(context, f32, Some(128))?;
    let tiled = types::tiled_copy(context, access, "(256,4):(4,1)", TILER)?;
    let fragment = types::memref(context, f32, Space::Rmem, Some(16), "((4,1),1):((1,0),0)")?;

    kernel("twice", &[vector, vector], [256, 1, 1], location, |block, parameters| {
        let read = |register: &str| value(block, op(register, &[], &[], &[i32], location)?);
        let (thread, tile) = (read("nvvm.read.ptx.sreg.tid.x")?, read("nvvm.read.ptx.sreg.ctaid.x")?);

        // The block's tile and the thread's part of it: their types follow from the operands.
        let tiler = value(block, cute::make_tile(&[], types::tile(context, TILER)?, location)?)?;
        let at = value(block, cute::make_coord(&[tile], types::coord(context, "(?)")?, location)?)?;
        let who = value(block, cute::make_coord(&[thread], types::coord(context, "?")?, location)?)?;
        let atom = value(block, cute::make_atom(&[], access, location)?)?;
        let copy = value(block, cute::make_tiled_copy(atom, tiled, location)?)?;
        let source = value(block, cute::local_tile(parameters[0], tiler, at, None, location)?)?;
        let source = value(block, cute::tiled_copy_partition_s(copy, source, who, location)?)?;
        let target = value(block, cute::local_tile(parameters[1], tiler, at, None, location)?)?;
        let target = value(block, cute::tiled_copy_partition_d(copy, target, who, location)?)?;

        let registers = value(block, cute::memref_alloca(None, None, fragment, location)?)?;
        append(block, cute::copy(copy, source, registers, None, location)?);
        let x = value(block, cute::memref_load_vec(registers, location)?)?;
        let y = value(block, op("arith.addf", &[x, x], &[], &[Type::vector(&[4], f32)], location)?)?;
        append(block, cute::memref_store_vec(y, registers, location)?);
        append(block, cute::copy(copy, registers, target, None, location)?);
        Ok(())
    })
}

fn main() -> result::Result<(), Box<dyn Error>> {
    let target: Target = env::args().nth(1).as_deref().unwrap_or("sm_90a").parse()?;
    let context = Context::new();
    cute_mlir::load(&context);

    let mut module = twice(&context)?;
    cute_mlir::verify(&context, &module)?;
    println!("{}", module.as_operation());
    println!("{}", cute_mlir::compile(&context, &mut module, target)?.text);
    Ok(())
}
