// The `cute` dialect.
include "Constructors.td"
include "Accessors.td"
include "Algebra.td"
include "Tuples.td"
include "Products.td"
include "Tensors.td"
include "Atoms.td"
include "Diagnostics.td"
