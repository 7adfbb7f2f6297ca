//! The devices that a program may be shown: their properties, as public tables have them.
