//! Rules of `setmaxnreg`.

crate::isa::rules! {
    "C5", "`setmaxnreg` takes 24 to 256, a multiple of 8, from all warps of a warpgroup; `.inc` waits for the block's registers",
        "setmaxnreg", "`registers_apart` (portability), `deadlock`; rejected";
    "C6", "ptxas uses `setmaxnreg` only if the registers at launch are bounded",
        "setmaxnreg", "`unbounded_registers` (note)";
}
