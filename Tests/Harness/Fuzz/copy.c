// Fuzzes the code that reads from images (snapshot.c) on exactly sized buffers at every
// misalignment, against a model that reads byte by byte. This build does not have the exemption
// from AddressSanitizer that the code has in the library.
//
// Input: the offset of the range in a word, the start and the end of a second range within it, the
// number of ranges to add beyond the counted ones, a path, and the bytes of the range.

#include "fuzz.h"
#include "snapshot.h"

/// Returns a byte of the image as a copy contains it, which is zero outside the range.
static uint8_t copied(uintptr_t start, size_t size, uintptr_t at) {
  return at >= start && at - start < size ? *(const uint8_t *)at : 0;
}

static void check_section(const registry_section *section, uintptr_t start, size_t size, uint32_t alignment) {
  NEED(((uintptr_t)section->bytes & 7) == 0 && (section->address & 7) == 0 && section->size % 8 == 0, "unaligned");
  NEED(section->address <= start && start - section->address < 8, "begins elsewhere");
  uintptr_t end = section->address + section->size;
  NEED(size == 0 || (end >= start + size && end - start - size < 8), "ends elsewhere");
  NEED(section->alignment == alignment, "alignment %u", section->alignment);
  for (size_t index = 0; index < section->size; ++index) {
    uint8_t byte = ((const uint8_t *)section->bytes)[index];
    NEED(byte == copied(start, size, section->address + index), "byte %zu of %zu is %d", index, section->size, byte);
  }
}

static bool holds_name(uintptr_t start, size_t size) {
  for (uintptr_t at = start; at < start + size; ++at) {
    if (at % 8 == 0 && start + size - at >= 24 && memcmp((const void *)(at + 12), "Registry", 8) == 0) return true;
  }
  return false;
}

/// Checks a block with two ranges, which must accept the counted ranges and refuse any others.
static void check_block(const char *path, uintptr_t start, size_t size, size_t from, size_t part, unsigned excess) {
  size_t length = registry_text_length(path);
  NEED(length == strlen(path), "%zu", length);
  registry_needs needs = {0};
  registry_need_image(&needs, length);
  registry_need_section(&needs, start, size);
  registry_need_section(&needs, start + from, part);
  registry_block block;
  NEED(registry_block_create(&block, needs), "no memory");
  registry_image *image = registry_block_add_image(&block, 7, start, path, length);
  NEED(image && strcmp(image->path, path) == 0 && image->base == start && image->serial == 7, "%s", path);
  NEED(registry_block_add_section(&block, image, start, size, 4), "no room");
  NEED(registry_block_add_section(&block, image, start + from, part, 8), "no room");
  for (unsigned index = 0; index < excess; ++index) {
    NEED(!registry_block_add_section(&block, image, start, size, 4), "took more than was counted");
    NEED(!registry_block_add_image(&block, 8, start, path, length), "took more than was counted");
  }
  NEED(block.snapshot->image_count == 1 && image->section_count == 2, "%zu", image->section_count);
  check_section(&image->sections[0], start, size, 4);
  check_section(&image->sections[1], start + from, part, 8);
  registry_snapshot_free(block.snapshot);
}

/// Checks that the hash depends on every byte in the range and on no byte before it.
static void check_hash(uint8_t *memory, size_t before, size_t size, size_t changed) {
  uintptr_t start = (uintptr_t)(memory + before);
  uint64_t hash = registry_hash_range(1, start, size);
  memset(memory, 0x55, before);
  NEED(registry_hash_range(1, start, size) == hash, "reads in front of its range");
  if (size == 0) return;
  memory[before + changed] ^= 0x10;
  NEED(registry_hash_range(1, start, size) != hash, "byte %zu of %zu does not count", changed, size);
  memory[before + changed] ^= 0x10;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input input = {data, size};
  size_t before = take(&input) & 7, cut = take(&input), end = take(&input);
  unsigned excess = take(&input) & 3, length = take(&input) & 15;
  char *path = (char *)block(length + 1);
  for (unsigned index = 0; index < length; ++index) path[index] = (char)take(&input);
  path[length] = 0;

  // Blocks begin at multiples of eight, so `before` determines the misalignment of the range.
  uint8_t *memory = block(before + input.size);
  memset(memory, 0xaa, before);
  memcpy(memory + before, input.bytes, input.size);
  uintptr_t start = (uintptr_t)(memory + before);
  size_t from = input.size ? cut % (input.size + 1) : 0, part = (input.size - from) - end % (input.size - from + 1);

  NEED(registry_holds_records(start, input.size) == holds_name(start, input.size), "%zu bytes", input.size);
  NEED(registry_holds_records(start + from, part) == holds_name(start + from, part), "%zu bytes", part);
  check_block(path, start, input.size, from, part, excess);
  check_hash(memory, before, input.size, input.size ? end % input.size : 0);
  uint64_t hash = registry_hash_text(path);
  if (*path) {
    path[0] ^= 0x40;
    NEED(registry_hash_text(path) != hash || *path == 0, "the first letter does not count");
  }
  free(memory);
  free(path);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  if (seed % 2) return LLVMFuzzerMutate(data, size, max_size);
  uint8_t piece[64];
  size_t length = make_piece(piece, seed >> 8);
  return splice(data, size, max_size, seed / 2 % (size + 1), piece, length, seed & 4);
}
