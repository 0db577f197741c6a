// Variable-length numbers (LEB128) and strings in the opcodes and the export trie. Each function
// moves a position to the next byte.

#ifndef LEB128_H
#define LEB128_H

#include <stdint.h>
#include <string.h>

/// Reads an unsigned number, and returns the number of its bits.
static inline uint64_t read_bits(const uint8_t **at, unsigned *bits) {
  uint64_t value = 0;
  *bits = 0;
  for (uint8_t byte = 0x80; byte & 0x80; *bits += 7) {
    byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7f) << *bits;
  }
  return value;
}

static inline uint64_t read_uleb(const uint8_t **at) {
  unsigned bits;
  return read_bits(at, &bits);
}

static inline int64_t read_sleb(const uint8_t **at) {
  unsigned bits;
  uint64_t value = read_bits(at, &bits);
  if (bits < 64 && value >> (bits - 1)) value |= ~UINT64_C(0) << bits;
  return (int64_t)value;
}

static inline const char *read_text(const uint8_t **at) {
  const char *text = (const char *)*at;
  *at += strlen(text) + 1;
  return text;
}

#endif
