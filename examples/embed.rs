//! Builds a kernel, and prints it and its PTX: `cargo run --example embed [sm_100a]`.

use cute_mlir::{At, Axis, Kernel, Kernels, Result, Target, atoms, types, types::Space};
use melior::{Context, ir::Module, ir::Type};

/// `y = 2 * x`, for vectors of whole tiles. A thread takes 4 neighbours, 128 bits an access.
pub fn twice(context: &Context) -> Result<Module<'_>> {
    let f32 = Type::float32(context);
    let vector = types::pointer(f32, Space::Gmem).align(16).memref("(?{div=1024}):(1)")?;
    let copy = atoms::tiled_copy_tv(atoms::universal_copy(f32, 128)?, "(256,4):(4,1)", [1024])?;
    let kernels = Kernels::new(context)?;
    let twice = Kernel::new(context, "twice", [("x", vector), ("y", vector)]).block(256);
    kernels.kernel(&twice, |b, [x, y]| {
        let (thread, tile) = (b.thread_id(Axis::X)?, At::Value(b.block_id(Axis::X)?));
        let copy = b.tiled_copy(&copy)?;
        let part = |of| b.partition_s(copy, b.local_tile(of, [1024], &[tile], None)?, thread);
        let registers = b.load_fragment(copy, part(x)?, None)?;
        let values = b.load_vec(registers)?;
        b.store_vec(b.add(values, values)?, registers)?;
        b.copy(copy, registers, part(y)?)
    })?;
    kernels.finish()
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let context = Context::new();
    cute_mlir::load(&context);
    let mut module = twice(&context)?;
    println!("{}", module.as_operation());
    let target: Target = std::env::args().nth(1).as_deref().unwrap_or("sm_90a").parse()?;
    println!("{}", cute_mlir::compile(&context, &mut module, target)?.ptx);
    Ok(())
}
