//! The machine types of values.

use cute_machine::types::Scalar;
use serde::{Deserialize, Serialize};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Type {
    /// An integer of 1, 8, 16, 32 or 64 bits.
    Int(u32),
    /// An IEEE float of 16 bits.
    F16,
    /// A bfloat16.
    Bf16,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
    /// An address of the device.
    Address,
    /// A TMA descriptor, which takes 128 bytes. Its value is its number among the descriptors that
    /// a run has made.
    TensorMap,
    /// A vector of this number of bytes, all of which are 0; no op computes with it.
    Zeros(u32),
    /// A stream of the driver.
    Stream,
    /// An event of the driver.
    Event,
    /// The code that a launch returns.
    Status,
}

impl Type {
    /// The most bytes of a vector.
    pub const MOST_ZEROS: u32 = 256;

    /// The machine's type of a value's bits.
    pub fn scalar(self) -> Scalar {
        match self {
            Self::F16 => Scalar::F16,
            Self::Bf16 => Scalar::Bf16,
            Self::F32 => Scalar::F32,
            Self::F64 => Scalar::F64,
            Self::Int(bits) => Scalar::Int(bits),
            Self::Status => Scalar::Int(32),
            Self::Address | Self::TensorMap | Self::Stream | Self::Event | Self::Zeros(_) => Scalar::Int(64),
        }
    }

    /// The number of bits of a value.
    pub fn bits(self) -> u32 {
        self.scalar().bits()
    }
}
