// The C library that the compiler plugin uses, whose functions are the same in Glibc.
@_exported import Glibc
