// This target is separate from the test support in C, so that programs that measure their own
// memory do not export the records of other tests.

#ifndef HEAP_IN_USE_H
#define HEAP_IN_USE_H

#include <stddef.h>

/// Returns the number of heap bytes in use in this process.
size_t heap_in_use(void);

#endif
