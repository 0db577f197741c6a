// Numbers of variable length (LEB128), as the opcodes and the export trie hold them. Nothing is read past the end.

#ifndef LEB128_H
#define LEB128_H

#include "image.h"

#include <string.h>

/// Where a reader is. `failed` stays set once something led past the end; what is read then is zero.
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

/// A text with its terminator; empty when there is none.
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
