// How much memory a process has allocated: for what measures itself, apart from the records that other tests export.

#ifndef HEAP_IN_USE_H
#define HEAP_IN_USE_H

#include <stddef.h>

/// How many bytes of the heap are in use in this process.
size_t heap_in_use(void);

#endif
