// The number of heap bytes in use, for tests that look for leaks.

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "heap_in_use.h"

#if defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

// The symbol is defined if a sanitizer has replaced the allocator of the C library.
__attribute__((weak)) extern size_t __sanitizer_get_current_allocated_bytes(void);

size_t heap_in_use(void) {
  if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
#if defined(__APPLE__)
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
#else
  // The allocator counts the blocks that it maps separately.
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}
