#include "snapshot.h"
#include "registry_record.h"

#include <stdlib.h>
#include <string.h>

#include "own_copy.h"

// Functions that read images are exempt from sanitizers: images contain AddressSanitizer's red
// zones, and ThreadSanitizer does not know the loader's writes. The functions' reads are volatile,
// because compilers turn a plain loop into `memcpy`, which sanitizers intercept. Binding `memcpy`
// lazily would also acquire the loader's lock while this code holds a lock that callbacks acquire.
// Fuzzers define the macro without the exemption, to detect reads beyond a block.
#ifndef REGISTRY_READS_IMAGES
#if defined(__clang__)
#define REGISTRY_READS_IMAGES __attribute__((noinline, no_sanitize("address", "hwaddress", "thread", "memory")))
#else
#define REGISTRY_READS_IMAGES __attribute__((noinline, no_sanitize("address"), no_sanitize("thread")))
#endif
#endif
typedef uint64_t __attribute__((may_alias)) image_word;

// The record of this copy of the library, so that tools and other copies can detect the copy. It's
// in this file because every user of the library links this file.
#include "registry_export.h"
#if defined(REGISTRY_SECTION_)
REGISTRY_RECORD_(REGISTRY_KIND_LIBRARY, "__reg_exports", "{\"library\":\"swift-section-registry\"}")
#endif

static size_t round_up(size_t value, size_t to) { return (value + to - 1) & ~(to - 1); }

/// Returns the size of a copy, which begins and ends at multiples of eight, as its records do.
static size_t copy_size(uintptr_t address, size_t size) { return round_up((address & 7) + size, 8); }

/// Returns a word at either end of a range, with zeros for bytes outside the range.
REGISTRY_READS_IMAGES
static uint64_t word_in_range(uintptr_t at, uintptr_t start, uintptr_t end) {
  union {
    unsigned char bytes[8];
    uint64_t word;
  } part = {{0}};
  for (size_t index = 0; index < sizeof part.bytes; ++index) {
    if (at + index >= start && at + index < end) part.bytes[index] = *(const volatile unsigned char *)(at + index);
  }
  return part.word;
}

REGISTRY_READS_IMAGES
bool registry_holds_records(uintptr_t address, size_t size) {
  // The name is twelve bytes into a record: in the upper half of a word and the lower half of the
  // next.
  union {
    char bytes[8];
    uint32_t halves[2];
  } name;
  memcpy(name.bytes, REGISTRY_NAME, sizeof name.bytes);
  uintptr_t at = round_up(address, 8), end = address + size;
  for (; at < end && end - at >= 24; at += 8) {
    const volatile uint32_t __attribute__((may_alias)) *halves = (const void *)(at + 12);
    if (halves[0] == name.halves[0] && halves[1] == name.halves[1]) return true;
  }
  return false;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

/// Copies a range to `to`, which has room for `copy_size`, or adds it to a hash if `to` is null.
REGISTRY_READS_IMAGES
static uint64_t read_range(uint64_t *to, uint64_t hash, uintptr_t address, size_t size) {
  uintptr_t end = address + size, at = address & ~(uintptr_t)7;
  while (at < end) {
    // Read runs of whole words without further comparisons, because most words are whole.
    uintptr_t stop = at >= address ? end & ~(uintptr_t)7 : at;
    if (at < stop && to) {
      for (; at < stop; at += 8) *to++ = *(const volatile image_word *)at;
    } else if (at < stop) {
      for (; at < stop; at += 8) hash = mix(hash, *(const volatile image_word *)at);
    } else {
      uint64_t word = word_in_range(at, address, end);
      if (to) *to++ = word;
      else hash = mix(hash, word);
      at += 8;
    }
  }
  return hash;
}

uint64_t registry_hash_range(uint64_t seed, uintptr_t address, size_t size) {
  return read_range(NULL, mix(mix(seed, address), size), address, size);
}

REGISTRY_READS_IMAGES
size_t registry_text_length(const char *text) {
  const volatile char *end = text;
  while (*end) ++end;
  return (size_t)(end - text);
}

REGISTRY_READS_IMAGES
uint64_t registry_hash_text(const char *text) {
  uint64_t hash = 0;
  for (const volatile char *at = text; *at; ++at) hash = mix(hash, (unsigned char)*at);
  return hash;
}

REGISTRY_READS_IMAGES
void registry_copy_text(char *to, const char *text, size_t length) {
  const volatile char *from = text;
  for (size_t index = 0; index < length; ++index) to[index] = from[index];
  to[length] = 0;
}

bool registry_block_allocate(registry_block *block) {
  registry_needs needs = block->left;
  // Rounding each part's size up to a multiple of eight keeps the next part aligned. The characters
  // need no alignment and come last.
  size_t head = round_up(sizeof(registry_snapshot), 8);
  size_t images = round_up(needs.images * sizeof(registry_image), 8);
  size_t sections = round_up(needs.sections * sizeof(registry_section), 8);
  unsigned char *memory = malloc(head + images + sections + needs.bytes + needs.characters);
  if (!memory) return false;
  block->snapshot = (registry_snapshot *)memory;
  block->images = (registry_image *)(memory + head);
  block->sections = (registry_section *)(memory + head + images);
  block->bytes = memory + head + images + sections;
  block->characters = (char *)(block->bytes + needs.bytes);
  *block->snapshot = (registry_snapshot){.images = block->images};
  return true;
}

bool registry_block_add_image(registry_block *block, uint64_t serial, uintptr_t base, const char *path, size_t length) {
  if (!block->snapshot) {
    block->left.images += 1;
    block->left.characters += length + 1;
    return true;
  }
  if (block->left.images < 1 || block->left.characters < length + 1) return false;
  block->left.images -= 1;
  block->left.characters -= length + 1;
  // The image almost always belongs at the end, because loaders list images in load order.
  size_t position = block->snapshot->image_count++;
  for (; position > 0 && block->images[position - 1].serial > serial; --position) {
    block->images[position] = block->images[position - 1];
  }
  registry_copy_text(block->characters, path, length);
  block->image = &block->images[position];
  *block->image = (registry_image){.serial = serial, .base = base, .path = block->characters};
  block->characters += length + 1;
  return true;
}

bool registry_block_add_section(registry_block *block, uintptr_t address, size_t size, uint32_t alignment) {
  size_t copied = copy_size(address, size);
  if (!block->snapshot) {
    block->left.sections += 1;
    block->left.bytes += copied;
    return true;
  }
  if (block->left.sections < 1 || block->left.bytes < copied) return false;
  block->left.sections -= 1;
  block->left.bytes -= copied;
  (void)read_range((uint64_t *)(void *)block->bytes, 0, address, size);
  registry_section *section = block->sections++;
  *section = (registry_section){block->bytes, copied, address & ~(uintptr_t)7, alignment};
  block->bytes += copied;
  if (block->image->section_count == 0) block->image->sections = section;
  block->image->section_count += 1;
  return true;
}

void registry_snapshot_free(registry_snapshot *snapshot) { free(snapshot); }

size_t registry_index_of(uintptr_t number, const uintptr_t *numbers, size_t count) {
  size_t index = 0;
  while (index < count && numbers[index] != number) ++index;
  return index;
}
