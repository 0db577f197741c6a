// Chained fixups (macOS 12 and later). Each pointer to fix up contains its target and the distance
// to the next pointer. <mach-o/fixup-chains.h> defines the format.

#include "image.h"

#include <stdlib.h>
#include <string.h>

typedef struct import {
  int ordinal;
  bool is_weak;
  uint64_t name;
  int32_t addend;
} import;

/// Decodes an import.
///
/// Ordinals above 0xf0 are negative and stand for special lookups.
static import import_at(const uint8_t *entry, bool has_addend) {
  uint32_t word;
  int32_t addend = 0;
  memcpy(&word, entry, 4);
  if (has_addend) memcpy(&addend, entry + 4, 4);
  int ordinal = (int)(word & 0xff);
  return (import){ordinal > 0xf0 ? (int8_t)ordinal : ordinal, word >> 8 & 1, word >> 9, addend};
}

/// Returns the address of every import in an array that the caller frees, or null with a problem.
static uint64_t *resolve_imports(const dyld_image *image, const struct dyld_chained_fixups_header *header) {
  bool has_addend = header->imports_format == DYLD_CHAINED_IMPORT_ADDEND;
  if (!has_addend && header->imports_format != DYLD_CHAINED_IMPORT) {
    (void)dyld_fail("%s: has imports of an unknown format, %u.", image->path, header->imports_format);
    return NULL;
  }
  const uint8_t *start = image->chained_fixups.start, *entries = start + header->imports_offset;
  uint64_t *targets = calloc(header->imports_count + 1u, sizeof *targets);
  if (!targets) abort();
  for (uint32_t index = 0; index < header->imports_count; ++index) {
    import entry = import_at(entries + index * (has_addend ? 8u : 4u), has_addend);
    void *address = NULL;
    const char *name = (const char *)start + header->symbols_offset + entry.name;
    if (!image_resolve(image, entry.ordinal, name, entry.is_weak, &address)) {
      free(targets);
      return NULL;
    }
    targets[index] = address ? (uint64_t)address + (uint64_t)(int64_t)entry.addend : 0;
  }
  return targets;
}

/// Computes the value of a pointer from its contents in the file.
static uint64_t value_of(const dyld_image *image, uint64_t raw, const uint64_t *targets) {
  if (raw >> 63) {
    uint64_t target = targets[raw & 0xffffff];
    return target ? target + (raw >> 24 & 0xff) : 0;
  }
  uint64_t target = raw & 0xfffffffffu, top = raw >> 36 & 0xff;
  return (target + (uint64_t)image->slide) | top << 56;
}

static bool fix_up_segment(const dyld_image *image, size_t index, const uint8_t *start, const uint64_t *targets) {
  struct dyld_chained_starts_in_segment starts;
  size_t head = offsetof(struct dyld_chained_starts_in_segment, page_start);
  memcpy(&starts, start, head);
  if (starts.pointer_format != DYLD_CHAINED_PTR_64) {
    return dyld_fail("%s: has chained pointers of format %u.", image->path, starts.pointer_format);
  }
  for (uint32_t page = 0; page < starts.page_count; ++page) {
    uint16_t first;
    memcpy(&first, start + head + page * 2u, 2);
    if (first == DYLD_CHAINED_PTR_START_NONE) continue;
    if (first & DYLD_CHAINED_PTR_START_MULTI) return dyld_fail("%s: has pages with several chains.", image->path);
    uint8_t *place = image_segment_memory(image, index, (uint64_t)page * starts.page_size + first);
    for (uint64_t step = 1; step != 0; place += step) {
      uint64_t raw;
      memcpy(&raw, place, 8);
      uint64_t value = value_of(image, raw, targets);
      memcpy(place, &value, 8);
      step = (raw >> 51 & 0xfff) * 4;
    }
  }
  return true;
}

bool image_fix_up_chains(const dyld_image *image) {
  if (image->chained_fixups.size == 0) return true;
  struct dyld_chained_fixups_header header;
  memcpy(&header, image->chained_fixups.start, sizeof header);
  uint64_t *targets = resolve_imports(image, &header);
  if (!targets) return false;
  const uint8_t *starts = image->chained_fixups.start + header.starts_offset;
  bool fixed = true;
  // The numbers are the count of segments and, for each of them, the offset of its chains, or zero.
  uint32_t count, offset;
  memcpy(&count, starts, 4);
  for (uint32_t index = 0; fixed && index < count; ++index) {
    memcpy(&offset, starts + 4 + index * 4u, 4);
    if (offset != 0) fixed = fix_up_segment(image, index, starts + offset, targets);
  }
  free(targets);
  return fixed;
}
