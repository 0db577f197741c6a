#include "registry_json.h"

#include <string.h>

#include "../own_copy.h"

size_t registry_json_plain_end(const void *json, size_t size, size_t start) {
  const unsigned char *text = json;
  const uint64_t ones = 0x0101010101010101u, highest = 0x8080808080808080u;
  size_t offset = start;
  // Compare eight bytes at a time: records consist mostly of strings.
  for (; offset + 8 <= size; offset += 8) {
    uint64_t word;
    memcpy(&word, text + offset, sizeof word);
    // In `found`, a byte's highest bit is set if the loop below would stop at that byte.
    // Subtraction borrows from later bytes, so only the first mark is reliable.
    uint64_t found = word | (word - ones * 0x20) | ((word ^ ones * '"') - ones) | ((word ^ ones * '\\') - ones);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (found & highest) return offset + (size_t)__builtin_ctzll(found & highest) / 8;
#else
    if (found & highest) break;
#endif
  }
  while (offset < size && text[offset] >= 0x20 && text[offset] < 0x80 && text[offset] != '"' && text[offset] != '\\') {
    ++offset;
  }
  return offset;
}

bool registry_json_same(const void *first, const void *second, size_t size) {
  return size == 0 || memcmp(first, second, size) == 0;
}

size_t registry_json_key(const void *json, size_t size, size_t offset, registry_json_keys *keys) {
  const char *text = json;
  size_t start = offset + 1;
  if (start >= size || (uint64_t)start > UINT32_MAX || text[offset] != '"') return 0;
  size_t end = registry_json_plain_end(json, size, start), length = end - start;
  if (length == 0 || size - end < 2 || text[end] != '"' || text[end + 1] != ':') return 0;
  if (keys->count == sizeof keys->offsets / sizeof *keys->offsets) return 0;
  for (uint32_t index = 0; index < keys->count; ++index) {
    // `other[length]` is in the text, because the earlier key precedes this key. The keys are equal
    // if that byte is a quotation mark, which no key contains, and the bytes before it match.
    const char *other = text + keys->offsets[index];
    if (other[length] == '"' && memcmp(other, text + start, length) == 0) return 0;
  }
  keys->offsets[keys->count++] = (uint32_t)start;
  return length;
}
