// The system's C library, for the plugin: what it uses of it is alike.
@_exported import Glibc
