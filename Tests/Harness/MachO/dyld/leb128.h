// Variable-length numbers (LEB128) in the opcodes and the export trie. The functions never read
// past the end.

#ifndef LEB128_H
#define LEB128_H

#include "image.h"

#include <string.h>

/// The position of a reader.
///
/// `failed` is set as soon as a read would pass the end. Such a read returns zero.
typedef struct cursor {
  const uint8_t *at;
  const uint8_t *end;
  bool failed;
} cursor;

static inline cursor cursor_over(bytes range) { return (cursor){range.start, range.start + range.size, false}; }

static inline uint8_t read_byte(cursor *from) {
  if (from->at < from->end) return *from->at++;
  from->failed = true;
  return 0;
}

static inline uint64_t read_uleb(cursor *from) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = read_byte(from);
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return value;
  }
  from->failed = true;
  return 0;
}

static inline int64_t read_sleb(cursor *from) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    uint8_t byte = read_byte(from);
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte & 0x80) continue;
    if (byte & 0x40 && shift + 7 < 64) value |= ~UINT64_C(0) << (shift + 7);
    return (int64_t)value;
  }
  from->failed = true;
  return 0;
}

/// Reads a string with its terminator, or returns an empty string if there is none.
static inline const char *read_text(cursor *from) {
  const char *text = (const char *)from->at;
  const uint8_t *end = memchr(from->at, 0, (size_t)(from->end - from->at));
  if (!end) {
    from->failed = true;
    return "";
  }
  from->at = end + 1;
  return text;
}

#endif
