// Include this header after all declarations of other libraries' functions.
//
// On ELF, it gives protected visibility to the functions and variables that a file defines: images
// that link this copy of the library can use them, and the loader never replaces them with another
// copy's. Swift does the same for a module's public symbols. The headers' declarations keep their
// visibility, because clients of a dynamic library import these symbols.

#if defined(__ELF__)
#pragma GCC visibility push(protected)
#endif
