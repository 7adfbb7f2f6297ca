// The `cute` dialect.
include "Constructors.td"
include "Accessors.td"
include "Algebra.td"
include "Tensors.td"
include "Atoms.td"
