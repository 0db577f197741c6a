// Chained fixups (macOS 12 and later). Each pointer to fix up contains its target and the distance
// to the next pointer. <mach-o/fixup-chains.h> defines the format.

#include "image.h"

#include <mach-o/fixup-chains.h>
#include <stdlib.h>
#include <string.h>

/// Returns a piece of the fixups if it lies inside them, and null otherwise.
static const void *piece(const dyld_image *image, uint64_t offset, uint64_t size) {
  bytes all = image->chained_fixups;
  if (offset > all.size || size > all.size - offset) {
    (void)dyld_fail("%s: its chained fixups are cut off.", image->path);
    return NULL;
  }
  return all.start + offset;
}

typedef struct import {
  int ordinal;
  bool is_weak;
  uint64_t name;
  uint64_t addend;
} import;

/// Decodes an import.
///
/// Ordinals above 0xf0, or 0xfff0 in the wide format, are negative and stand for special lookups.
static import import_at(const uint8_t *entry, uint32_t format) {
  if (format == DYLD_CHAINED_IMPORT_ADDEND64) {
    uint64_t word, addend;
    memcpy(&word, entry, 8);
    memcpy(&addend, entry + 8, 8);
    int ordinal = (int)(word & 0xffff);
    return (import){ordinal > 0xfff0 ? (int16_t)ordinal : ordinal, word >> 16 & 1, word >> 32, addend};
  }
  uint32_t word;
  int32_t addend = 0;
  memcpy(&word, entry, 4);
  if (format == DYLD_CHAINED_IMPORT_ADDEND) memcpy(&addend, entry + 4, 4);
  int ordinal = (int)(word & 0xff);
  return (import){ordinal > 0xf0 ? (int8_t)ordinal : ordinal, word >> 8 & 1, word >> 9, (uint64_t)(int64_t)addend};
}

/// Returns the address of every import in an array that the caller frees, or null with a problem.
static uint64_t *resolve_imports(const dyld_image *image, const struct dyld_chained_fixups_header *header) {
  uint32_t format = header->imports_format;
  size_t size = format == DYLD_CHAINED_IMPORT ? 4 : format == DYLD_CHAINED_IMPORT_ADDEND ? 8 : 16;
  if (format < DYLD_CHAINED_IMPORT || format > DYLD_CHAINED_IMPORT_ADDEND64 || header->symbols_format != 0) {
    (void)dyld_fail("%s: has imports of an unknown format, %u.", image->path, format);
    return NULL;
  }
  const uint8_t *entries = piece(image, header->imports_offset, header->imports_count * (uint64_t)size);
  if (!entries || !piece(image, header->symbols_offset, 0)) return NULL;
  bytes names = {image->chained_fixups.start + header->symbols_offset,
                 image->chained_fixups.size - header->symbols_offset};
  uint64_t *targets = calloc(header->imports_count + 1u, sizeof *targets);
  if (!targets) return NULL;
  for (uint32_t index = 0; index < header->imports_count; ++index) {
    import entry = import_at(entries + index * size, format);
    void *address = NULL;
    bool found = entry.name < names.size && memchr(names.start + entry.name, 0, names.size - entry.name);
    if (!found) (void)dyld_fail("%s: import %u has no name.", image->path, index);
    if (!found || !image_resolve(image, entry.ordinal, (const char *)names.start + entry.name, entry.is_weak, &address)) {
      free(targets);
      return NULL;
    }
    targets[index] = address ? (uint64_t)address + entry.addend : 0;
  }
  return targets;
}

/// Computes the value of a pointer from its contents in the file.
///
/// Returns false if the pointer refers to an import that does not exist.
static bool value_of(const dyld_image *image, uint64_t raw, bool is_offset, const uint64_t *targets, uint32_t count,
                     uint64_t *value) {
  if (raw >> 63) {
    uint32_t ordinal = raw & 0xffffff;
    if (ordinal >= count) return dyld_fail("%s: a pointer is bound to import %u of %u.", image->path, ordinal, count);
    *value = targets[ordinal] ? targets[ordinal] + (raw >> 24 & 0xff) : 0;
    return true;
  }
  uint64_t target = raw & 0xfffffffffu, top = raw >> 36 & 0xff;
  *value = (target + (is_offset ? (uint64_t)image->header : (uint64_t)image->slide)) | top << 56;
  return true;
}

static bool fix_up_segment(const dyld_image *image, size_t index, uint64_t offset, const uint64_t *targets,
                           uint32_t target_count) {
  const uint8_t *start = piece(image, offset, offsetof(struct dyld_chained_starts_in_segment, page_start));
  if (!start) return false;
  struct dyld_chained_starts_in_segment starts;
  memcpy(&starts, start, offsetof(struct dyld_chained_starts_in_segment, page_start));
  if (starts.pointer_format != DYLD_CHAINED_PTR_64 && starts.pointer_format != DYLD_CHAINED_PTR_64_OFFSET) {
    return dyld_fail("%s: has chained pointers of format %u.", image->path, starts.pointer_format);
  }
  uint64_t pages = offset + offsetof(struct dyld_chained_starts_in_segment, page_start);
  if (!piece(image, pages, starts.page_count * 2u)) return false;
  for (uint32_t page = 0; page < starts.page_count; ++page) {
    uint16_t first;
    memcpy(&first, image->chained_fixups.start + pages + page * 2u, 2);
    if (first == DYLD_CHAINED_PTR_START_NONE) continue;
    if (first & DYLD_CHAINED_PTR_START_MULTI) return dyld_fail("%s: has pages with several chains.", image->path);
    for (uint64_t at = (uint64_t)page * starts.page_size + first;;) {
      void *place = image_fixup_memory(image, index, at);
      if (!place) return dyld_fail("%s: a chain of pointers leads to where nothing can be written.", image->path);
      uint64_t raw, value;
      memcpy(&raw, place, 8);
      bool is_offset = starts.pointer_format == DYLD_CHAINED_PTR_64_OFFSET;
      if (!value_of(image, raw, is_offset, targets, target_count, &value)) return false;
      memcpy(place, &value, 8);
      uint64_t step = (raw >> 51 & 0xfff) * 4;
      if (step == 0) break;
      at += step;
    }
  }
  return true;
}

bool image_fix_up_chains(dyld_image *image) {
  if (image->chained_fixups.size == 0) return true;
  const uint8_t *start = piece(image, 0, sizeof(struct dyld_chained_fixups_header));
  if (!start) return false;
  struct dyld_chained_fixups_header header;
  memcpy(&header, start, sizeof header);
  if (header.fixups_version != 0) return dyld_fail("%s: has fixups of version %u.", image->path, header.fixups_version);
  const uint8_t *counted = piece(image, header.starts_offset, 4);
  if (!counted) return false;
  uint32_t count;
  memcpy(&count, counted, 4);
  const uint8_t *offsets = piece(image, header.starts_offset + UINT64_C(4), count * UINT64_C(4));
  uint64_t *targets = offsets ? resolve_imports(image, &header) : NULL;
  bool fixed = targets != NULL;
  for (uint32_t index = 0; fixed && index < count; ++index) {
    uint32_t offset;
    memcpy(&offset, offsets + index * 4u, 4);
    if (offset == 0) continue;
    fixed = fix_up_segment(image, index, header.starts_offset + (uint64_t)offset, targets, header.imports_count);
  }
  free(targets);
  return fixed;
}
