//! [`Generation`].

/// The generation of GPUs that introduced an atom, with which CuTe's name of it begins. Later
/// generations may have it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// Every GPU has it: `UniversalCopy`.
    Universal,
    /// Maxwell.
    Sm50,
    /// Pascal.
    Sm61,
    /// Volta.
    Sm70,
    /// Turing.
    Sm75,
    /// Ampere.
    Sm80,
    /// Ada.
    Sm89,
    /// Hopper.
    Sm90,
    /// Blackwell of the datacentre.
    Sm100,
    /// Blackwell of the datacentre, compute capability 10.3.
    Sm103,
    /// Blackwell of the desktop.
    Sm120,
}
