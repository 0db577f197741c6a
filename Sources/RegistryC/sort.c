#include "registry_sort.h"

#include <stdlib.h>
#include <string.h>

#include "own_copy.h"

static int order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/// Returns eight bytes as a number that sorts like them, with zeros after the end.
static uint64_t number(const unsigned char *name, size_t size, size_t offset) {
  uint64_t number = 0;
  for (size_t index = offset; index < offset + 8; ++index) number = number << 8 | (index < size ? name[index] : 0);
  return number;
}

int registry_name_order(const void *first, size_t first_size, const void *second, size_t second_size) {
  size_t shared = first_size < second_size ? first_size : second_size;
  int names = shared ? memcmp(first, second, shared) : 0;
  return names ? names : order(first_size, second_size);
}

static int compare(const void *first, const void *second) {
  const registry_sort_key *a = first, *b = second;
  if (a->level != b->level) return a->level < b->level ? -1 : 1;
  if (a->priority != b->priority) return a->priority > b->priority ? -1 : 1;
  if (a->distinctive != b->distinctive) return a->distinctive < b->distinctive ? -1 : 1;
  int names = registry_name_order(a->name, a->name_size, b->name, b->name_size);
  if (names) return names;
  return a->address != b->address ? order(a->address, b->address) : order(a->position, b->position);
}

void registry_sort(registry_sort_key *keys, size_t count) {
  if (count < 2) return;
  // Modules of one target share the beginning of their names, so the bytes after the prefix that
  // all names share decide almost every comparison.
  size_t shared = keys[0].name_size;
  for (size_t index = 1; index < count; ++index) {
    if (keys[index].name_size < shared) shared = keys[index].name_size;
    if (shared && memcmp(keys[0].name, keys[index].name, shared) == 0) continue;
    size_t same = 0;
    while (same < shared && keys[0].name[same] == keys[index].name[same]) ++same;
    shared = same;
  }
  for (size_t index = 0; index < count; ++index) {
    keys[index].distinctive = number(keys[index].name, keys[index].name_size, shared);
  }
  qsort(keys, count, sizeof *keys, compare);
}

static uint64_t mixed(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
  uint64_t product = a * b;
  return product ^ product >> 29 ^ (a >> 32) * (b >> 32);
#endif
}

uint64_t registry_hash_name(const void *name, size_t size, uint64_t seed) {
  const unsigned char *at = name;
  uint64_t hash = seed ^ size * 0x9e3779b97f4a7c15u;
  const unsigned char *end = at + size;
  uint64_t word = 0;
  for (; end - at >= 8; at += 8) {
    memcpy(&word, at, sizeof word);
    hash = mixed(hash ^ word ^ 0xa0761d6478bd642fu, seed | 0xe7037ed1a0b428dbu);
  }
  // In a name of at least eight bytes, the last word may overlap the previous word.
  if (size >= 8) memcpy(&word, end - 8, sizeof word);
  for (word = size < 8 ? 0 : word; size < 8 && at < end; ++at) word = word << 8 | *at;
  return mixed(hash ^ word ^ 0xa0761d6478bd642fu, seed | 0xe7037ed1a0b428dbu);
}

bool registry_is_plain_name(const void *name, size_t size) {
  return size > 0 && *(const char *)name != '_' && !memchr(name, '(', size) && !memchr(name, '`', size);
}

bool registry_is_top_level(const void *name, size_t size) {
  const char *period = size ? memchr(name, '.', size) : NULL;
  return period && !memchr(period + 1, '.', size - (size_t)(period + 1 - (const char *)name));
}
