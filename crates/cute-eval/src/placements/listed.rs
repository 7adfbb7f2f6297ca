//! The constructors as a page lists them: a description, an example, and the shape of its tensor.

use super::constructors;

/// A function that a page lists.
pub struct Listed {
    /// The name by which it is called.
    pub name: &'static str,
    /// Its parameters, as Python declares them.
    pub parameters: &'static str,
    /// A description in one line.
    pub doc: &'static str,
    /// A call of it.
    pub example: &'static str,
    /// The shape of the tensor in the example.
    pub tile: &'static str,
}

/// Name, description, example and shape.
const EXAMPLES: [[&str; 4]; 14] = [
    [
        "from_layout",
        "a layout as a placement: strides along axes become iterations",
        "from_layout('(8,4):(4@laneid,1@laneid)')",
        "(8,4)",
    ],
    [
        "from_thread_value",
        "a thread-value layout as a placement: lanes, warps and values",
        "from_thread_value('((4,8),(2,2)):((32,1),(16,8))', (16, 8))",
        "(16,8)",
    ],
    [
        "from_tensor_memory",
        "a layout of tensor memory along lanes and columns",
        "from_tensor_memory('((16,4),8):((65536,2097152),1)')",
        "(64,8)",
    ],
    [
        "from_shared_memory",
        "a layout of shared memory, with its swizzle",
        "from_shared_memory('S<3,3,3> o 0 o (8,64):(64,1)', 16)",
        "(8,64)",
    ],
    [
        "tmem_datapath_layout",
        "rows and columns in tensor memory, by PTX's data path A to G of tcgen05.mma",
        "tmem_datapath_layout('D', 128, 8)",
        "(128,8)",
    ],
    [
        "tmem_mma_operand_layout",
        "an operand of tcgen05.mma in tensor memory",
        "tmem_mma_operand_layout('D', (64, 16), M=64, cta_group=1)",
        "(64,16)",
    ],
    [
        "tcgen05_atom_layout",
        "registers of tcgen05.ld and tcgen05.st for a tile of tensor memory",
        "tcgen05_atom_layout('16x256b', (64, 16), 'float32')",
        "(64,16)",
    ],
    [
        "wg_local_layout",
        "a row of a tile for each thread of a warpgroup",
        "wg_local_layout(8, rows=64)",
        "(64,8)",
    ],
    [
        "mma_atom_layout",
        "an atom of shared memory for wgmma and tcgen05.mma, by its swizzle",
        "mma_atom_layout('float16', '128B')",
        "(8,64)",
    ],
    [
        "mma_shared_layout",
        "a tile of shared memory for wgmma, tcgen05.mma and the TMA (cp.async.bulk.tensor)",
        "mma_shared_layout('float16', '128B', (16, 128))",
        "(16,128)",
    ],
    ["sf_tmem_layout", "scale factors in tensor memory", "sf_tmem_layout(32, 4, 4)", "(32,4)"],
    ["sf_smem_layout", "scale factors in shared memory", "sf_smem_layout(128, 4, 4)", "(128,4)"],
    ["trainium", "partitions and free dimensions of Trainium", "trainium('PF', (128, 4))", "(128,4)"],
    ["to_psum", "the same in the banks of its accumulators", "trainium('PF', (128, 8)).to_psum()", "(128,8)"],
];

/// The constructors that make placements.
pub fn listed() -> impl Iterator<Item = Listed> {
    EXAMPLES.iter().filter_map(|[name, doc, example, tile]| {
        let parameters = constructors::parameters(name)?;
        Some(Listed { name, parameters, doc, example, tile })
    })
}
