#include "registry_sort.h"

#include <stdlib.h>
#include <string.h>

#include "own_copy.h"

static int order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare(const void *first, const void *second) {
  const registry_sort_key *a = first, *b = second;
  if (a->priority != b->priority) return a->priority > b->priority ? -1 : 1;
  size_t shared = a->name_size < b->name_size ? a->name_size : b->name_size;
  int names = shared ? memcmp(a->name, b->name, shared) : 0;
  if (names) return names;
  if (a->name_size != b->name_size) return order(a->name_size, b->name_size);
  return a->address != b->address ? order(a->address, b->address) : order(a->position, b->position);
}

void registry_sort(registry_sort_key *keys, size_t count) {
  if (count > 1) qsort(keys, count, sizeof *keys, compare);
}
