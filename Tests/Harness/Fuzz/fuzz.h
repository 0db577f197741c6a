// The code that the C fuzzers share: a check that ends the run, and exactly sized buffers.

#ifndef REGISTRY_FUZZ_H
#define REGISTRY_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Ends the run if a promise is broken, so that libFuzzer keeps the input.
#define NEED(condition, ...)                                                                                 \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fprintf(stderr, "%s:%d: broken: %s: ", __FILE__, __LINE__, #condition);                                \
      fprintf(stderr, __VA_ARGS__);                                                                          \
      fprintf(stderr, "\n");                                                                                 \
      abort();                                                                                               \
    }                                                                                                        \
  } while (0)

/// The remaining bytes of a fuzzer's input.
typedef struct input {
  const uint8_t *bytes;
  size_t size;
} input;

/// Takes the next byte, or zero at the end of the input.
static inline uint8_t take(input *input) {
  if (input->size == 0) return 0;
  --input->size;
  return *input->bytes++;
}

/// Takes the next bytes as a number, with zeros after the end of the input.
static inline uint64_t take_number(input *input, size_t size) {
  uint64_t number = 0;
  for (size_t index = 0; index < size; ++index) number |= (uint64_t)take(input) << 8 * index;
  return number;
}

/// Returns a block of exactly this size, so that AddressSanitizer detects a read past its end.
static inline uint8_t *block(size_t size) {
  uint8_t *bytes = malloc(size ? size : 1);
  NEED(bytes, "no memory");
  return bytes;
}

/// Writes the header of a record or note whose name is shorter than twelve bytes.
static inline void put_header(uint8_t *to, uint32_t name_size, uint32_t payload, uint32_t kind, const char *name) {
  memcpy(to, &name_size, 4);
  memcpy(to + 4, &payload, 4);
  memcpy(to + 8, &kind, 4);
  memset(to + 12, 0, 12);
  memcpy(to + 12, name, strlen(name));
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/// Creates a record or note of at most 64 bytes, whose sizes may be wrong.
static inline size_t make_piece(uint8_t *piece, unsigned seed) {
  static const uint32_t name_sizes[] = {9, 9, 9, 9, 10, 4, 12, 64, 65, 0xffffffff};
  static const uint32_t payloads[] = {16, 24, 32, 40, 8, 20, 0, 64, 0xfffffff8, 0xffffffff};
  static const char *const names[] = {"Registry", "Registry", "Registry", "Registry2", "GNU", "Registr"};
  memset(piece, 0, 64);
  put_header(piece, name_sizes[seed % 10], payloads[seed / 10 % 10], 0x6d6f6475u, names[seed / 100 % 6]);
  if (seed / 600 % 2) piece[24] = 1;
  memcpy(piece + 32, "{}", seed / 1200 % 2 ? 2 : 0);
  static const size_t lengths[] = {24, 32, 40, 48, 64, 20, 12, 56};
  return lengths[seed / 2400 % 8];
}

/// Inserts records and notes, or overwrites bytes with them, often where a record can begin.
///
/// libFuzzer's own mutations shift all following bytes. The first byte of the walker's input is not
/// part of the section.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  uint8_t piece[64];
  unsigned mixed = seed * 2654435761u;
  size_t length = make_piece(piece, mixed >> 4), at = (mixed >> 8) % (size + 1);
  if (mixed % 4) at = at / 8 * 8 + 1;
  // While libFuzzer minimizes an input, `max_size` can be smaller than `size`.
  if (seed % 2 || at > size || size + length > max_size) return LLVMFuzzerMutate(data, size, max_size);
  if (!(mixed & 8)) {
    memmove(data + at + length, data + at, size - at);
    size += length;
  }
  memcpy(data + at, piece, length);
  return at + length > size ? at + length : size;
}

#endif
