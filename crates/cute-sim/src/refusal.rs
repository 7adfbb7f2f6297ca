//! The rules of readers and launches: why a text or IR is not a program of the simulator, and why a
//! program does not run.

use serde::{Deserialize, Serialize};

cute_rules::rules! {
    /// The rule of its language that a text or an instruction breaks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Malformed {
        /// The text is not PTX.
        Syntax = "malformed-syntax": "The text follows the grammar of PTX.",
            "..: `PTX`: .. at `..`", "Correct the text where the message points, or compile the kernel again.";
        /// The file lacks what every file has.
        File = "malformed-file": "A file of PTX begins with `.version`, has a `.target` such as `sm_90a`, and \
            `.address_size 64`.",
            "..: `.version`: ..", "Add the directive that the message names.";
        /// A directive or a declaration.
        Directive = "malformed-directive": "The numbers of a directive, an alignment, a size or a list of initial \
            values are in the range that the directive or the declaration has.",
            "..: `..`: `..` takes one to three positive numbers", "Write a number in the range.";
        /// A second declaration.
        SecondName = "malformed-second-name": "A kernel, a label and a symbol are declared once where they are known.",
            "..: `..`: a second .. `..`", "Rename one of the two.";
        /// A name without a declaration.
        Undeclared = "malformed-undeclared-name": "A register, a label, a symbol, a table of branches or a file is \
            declared where it is named.",
            "..: `..`: `..` is not declared", "Declare the name, or correct its spelling.";
        /// The number of operands.
        OperandCount = "malformed-operand-count": "An instruction, a call or a directive of inline assembly has as \
            many operands, registers and results as its form.",
            "..: `..`: an operand is missing", "Write the operands of the form that the PTX ISA gives.";
        /// The kind or type of an operand.
        OperandType = "malformed-operand-type": "Each operand and result has the kind, the width and the type that \
            its place in the instruction takes.",
            "..: `..`: the operands do not fit `..`", "Convert the value, or use the form of the instruction that takes it.";
        /// The value of an operand.
        OperandValue = "malformed-operand-value": "An operand that must be a constant is one, and has a value that \
            the instruction takes.",
            "..: `..`: the operand `..` is not a constant", "Write one of the values that the PTX ISA lists.";
        /// A modifier is missing or wrong.
        Modifier = "malformed-modifier": "An instruction has the modifiers that it needs, and only combinations \
            that exist.",
            "..: `..`: no ..", "Write the modifiers as the PTX ISA lists them for the instruction.";
        /// An attribute of an operation in IR.
        Attribute = "malformed-attribute": "An operation in IR has its attributes, with values that it takes.",
            "..: `..`: no ..", "Verify the module: MLIR's verifier reports such an operation first.";
        /// The structure of IR.
        Structure = "malformed-structure": "Each kernel has a body, each block a terminator, and each value is \
            defined before it is used.",
            "..: `..`: a block without a terminator", "Verify the module: MLIR's verifier reports such a function first.";
    }
}

cute_rules::rules! {
    /// The part of a kernel that the simulator has no model of.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Unmodelled {
        /// A name that the tables do not have.
        Unknown = "unmodelled-unknown-instruction": "The instruction, operation or intrinsic is one that the \
            simulator knows by its name.",
            "..: `..`: the instruction `..` is not modelled", "Correct the name, or use another instruction; \
            docs/simulator.md lists those that run.";
        /// An instruction that is known, or a case of one.
        Instruction = "unmodelled-instruction": "The instruction is one that runs, in the case in which it is used.",
            "..: `..`: the instruction `..` (..) is not modelled", "Use another instruction; docs/simulator.md lists \
            what is not modelled.";
        /// A modifier of an instruction that runs.
        Modifier = "unmodelled-modifier": "The modifiers of the instruction are ones that run.",
            "..: `..`: the .. .. is not modelled", "Use another modifier; docs/simulator.md lists what is not modelled.";
        /// An operand or a result.
        Operand = "unmodelled-operand": "The operands and results are ones that the instruction has a model for.",
            "..: `..`: .. is not modelled", "Pass the value in another way, such as in a register.";
        /// A matrix instruction.
        Atom = "unmodelled-mma": "The shape, the types and the layouts of a matrix instruction are those of an atom \
            that the simulator computes.",
            "..: `..`: this atom is not modelled", "Use one of the atoms that `cute-calc atoms` lists.";
        /// A type of values.
        Type = "unmodelled-type": "Registers and memory hold types that the simulator has: integers of at most 64 \
            bits, floats, pointers, and vectors, arrays and structs of them.",
            "..: `..`: type .. is not modelled", "Convert the value to another type.";
        /// A special register.
        Register = "unmodelled-register": "A special register is one that the simulator has.",
            "..: `..`: the register `..` is not modelled", "Read another register; docs/simulator.md lists what is not \
            modelled.";
        /// A call of a function.
        Call = "unmodelled-call": "A call is one of a function whose body is in the module, or of a function of the \
            system that the simulator has.",
            "..: `..`: a call of `..`, which has no body here, is not modelled", "Inline the function, or add its body \
            to the module.";
        /// A variable or a symbol.
        Variable = "unmodelled-variable": "A variable is in a state space, of a type and with an initial value that \
            the simulator has.",
            "..: `..`: `..` of type `..` is not modelled", "Declare the variable in global, constant or shared memory.";
        /// A size of values or memory.
        Size = "unmodelled-size": "A value, a constant and shared memory have sizes that fit the simulator's \
            registers and memory.",
            "..: `..`: a value of .. registers is not modelled", "Use a smaller type or less memory.";
    }
}

cute_rules::rules! {
    /// The rule that a launch breaks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Refused {
        /// The kernel is not there.
        NoKernel = "launch-no-kernel-in-program": "The program has the kernel that a launch names.",
            "no kernel `..` in this program", "Name one of the kernels of the program.";
        /// The extents, the shared memory or the arguments.
        Extents = "launch-refused": "The device accepts the launch: the grid, the block, the cluster, the shared \
            memory and the arguments are ones that the kernel and the target allow.",
            "kernel ..: ..", "Change what the message names to a value that it allows.";
    }
}
