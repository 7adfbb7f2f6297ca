"""The parts of the bundle, and what they share: a driver, arrays, rows of results."""
