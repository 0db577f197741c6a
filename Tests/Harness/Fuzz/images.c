// Fuzzes the scan for images (elf/images.c) with a fake loader list. The program headers are
// arbitrary, and the only readable segment of an image is an exactly sized block. The scan must
// read nothing else, and its result must match a simple interpretation of the headers. The list can
// also change during the scan.
//
// Input: choices, and then for each image its headers and its bytes.

#define _GNU_SOURCE
#include <link.h>

#include "fuzz.h"

static int made_up_list(int (*callback)(struct dl_phdr_info *, size_t, void *), void *context);
#define dl_iterate_phdr made_up_list
#include "elf/images.c"

enum { MOST_IMAGES = 3, MOST_HEADERS = 8 };

typedef struct fake {
  struct dl_phdr_info info;
  ElfW(Phdr) headers[MOST_HEADERS];
  uint8_t *memory;
  size_t size;
  char path[8];
} fake;

static struct {
  fake images[MOST_IMAGES];
  size_t count;
  size_t info_size;
  /// The number of images that are loaded between the first pass and the second one.
  size_t late;
  size_t passes;
  unsigned long long adds;
} list;

static int made_up_list(int (*callback)(struct dl_phdr_info *, size_t, void *), void *context) {
  size_t present = list.passes++ == 0 ? list.count - list.late : list.count;
  for (size_t index = 0; index < present; ++index) {
    list.images[index].info.dlpi_adds = list.adds + present;
    int result = callback(&list.images[index].info, list.info_size, context);
    if (result) return result;
  }
  return 0;
}

/// Takes an address or a size near the block, or an arbitrary one.
static uint64_t take_value(input *input, unsigned kind, uint64_t near) {
  return kind & 1 ? take_number(input, 8) : near + take(input) - (kind & 2 ? 8 : 0);
}

static void make_image(input *input, fake *image, size_t number) {
  size_t headers = 1 + take(input) % MOST_HEADERS, readable = take(input) % headers;
  image->size = take(input);
  image->memory = block(image->size);
  static const uint64_t distances[] = {0, 4096, (uint64_t)-4096, 1u << 20};
  image->info.dlpi_addr = (uintptr_t)image->memory - distances[take(input) % 4];
  uint64_t own = (uintptr_t)image->memory - image->info.dlpi_addr;
  for (size_t index = 0; index < headers; ++index) {
    ElfW(Phdr) *header = &image->headers[index];
    unsigned kind = take(input);
    // A segment that is mapped readable exists in memory. Here it is the block.
    if (index == readable) {
      *header = (ElfW(Phdr)){.p_type = PT_LOAD, .p_flags = PF_R, .p_vaddr = own, .p_memsz = image->size};
      continue;
    }
    static const uint32_t types[] = {PT_NOTE, PT_NOTE, PT_NOTE, PT_NOTE, PT_NOTE, PT_LOAD, PT_NULL, PT_DYNAMIC};
    header->p_type = types[kind & 7];
    header->p_flags = header->p_type == PT_LOAD ? PF_W | PF_X : kind >> 6;
    header->p_vaddr = take_value(input, kind >> 3, own);
    header->p_memsz = take_value(input, kind >> 5, 0);
    header->p_align = (uint64_t[]){4, 8, 0, 1, 16, UINT64_MAX, 32, 2}[take(input) % 8];
  }
  image->info.dlpi_phdr = image->headers;
  image->info.dlpi_phnum = (ElfW(Half))headers;
  snprintf(image->path, sizeof image->path, "/lib%zu", number);
  image->info.dlpi_name = image->path;
}

// MARK: The model

typedef struct expected {
  size_t count;
  range ranges[MOST_HEADERS];
} expected;

/// Returns the note segments within the block in ascending order.
///
/// Overlapping segments are merged, and those without the name are left out.
static expected expect(const fake *image) {
  expected all = {0}, found = {0};
  uintptr_t start = (uintptr_t)image->memory;
  for (size_t index = 0; index < image->info.dlpi_phnum; ++index) {
    const ElfW(Phdr) *header = &image->headers[index];
    uintptr_t at = image->info.dlpi_addr + header->p_vaddr;
    if (header->p_type != PT_NOTE || at % 4 || header->p_memsz == 0) continue;
    if (at < start || at - start > image->size || header->p_memsz > image->size - (at - start)) continue;
    range next = {at, at + header->p_memsz, header->p_align >= 8 ? 8 : 4};
    size_t place = all.count++;
    for (; place > 0 && all.ranges[place - 1].start > at; --place) all.ranges[place] = all.ranges[place - 1];
    all.ranges[place] = next;
  }
  for (size_t index = 0; index < all.count;) {
    range merged = all.ranges[index++];
    for (; index < all.count && all.ranges[index].start < merged.end; ++index) {
      if (all.ranges[index].end > merged.end) merged.end = all.ranges[index].end;
      if (all.ranges[index].alignment > merged.alignment) merged.alignment = all.ranges[index].alignment;
    }
    bool named = false;
    for (uintptr_t at = (merged.start + 7) & ~(uintptr_t)7; at + 24 <= merged.end; at += 8) {
      named |= memcmp((const void *)(at + 12), "Registry", 8) == 0;
    }
    if (named) found.ranges[found.count++] = merged;
  }
  return found;
}

/// Checks a snapshot against the model.
///
/// Images with serials up to `after` have no bytes.
static void check(const registry_snapshot *snapshot, uint64_t after) {
  NEED(snapshot, "no memory");
  NEED(snapshot->generation != 0, "zero");
  size_t next = 0;
  uint64_t last = 0;
  for (size_t index = 0; index < list.count; ++index) {
    const fake *source = &list.images[index];
    expected expected = expect(source);
    if (expected.count == 0) continue;
    NEED(next < snapshot->image_count, "image %zu is missing", index);
    const registry_image *image = &snapshot->images[next++];
    NEED(image->base == registry_base_of(&source->info), "image %zu has another address", index);
    if (image->serial <= after) {
      NEED(image->section_count == 0 && *image->path == 0, "known");
      continue;
    }
    NEED(index == 0 || strcmp(image->path, source->path) == 0, "%s", image->path);
    NEED(image->section_count == expected.count, "%zu ranges, not %zu", image->section_count, expected.count);
    for (size_t place = 0; place < expected.count; ++place) {
      const registry_section *section = &image->sections[place];
      range wanted = expected.ranges[place];
      NEED(section->address == (wanted.start & ~(uintptr_t)7), "range %zu", place);
      NEED(section->size == ((wanted.end + 7) & ~(uintptr_t)7) - section->address, "range %zu", place);
      NEED(section->alignment == wanted.alignment, "range %zu", place);
      for (uintptr_t at = section->address; at < section->address + section->size; ++at) {
        uint8_t byte = at >= wanted.start && at < wanted.end ? *(const uint8_t *)at : 0;
        NEED(((const uint8_t *)section->bytes)[at - section->address] == byte, "byte %zu", (size_t)(at - section->address));
      }
    }
  }
  NEED(next == snapshot->image_count, "%zu images, not %zu", snapshot->image_count, next);
  for (size_t index = 0; index < snapshot->image_count; ++index) {
    NEED(snapshot->images[index].serial > last, "serials do not ascend");
    last = snapshot->images[index].serial;
  }
}

static uint64_t highest(const registry_snapshot *snapshot) {
  return snapshot->image_count ? snapshot->images[snapshot->image_count - 1].serial : 0;
}

static bool has_own_bases(void) {
  for (size_t index = 1; index < list.count; ++index) {
    for (size_t other = 0; other < index; ++other) {
      if (registry_base_of(&list.images[index].info) == registry_base_of(&list.images[other].info)) return false;
    }
  }
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input input = {data, size};
  find_object = NULL;
  memset(&list, 0, sizeof list);
  unsigned choices = take(&input);
  list.count = 1 + choices % MOST_IMAGES;
  list.late = choices / 4 % list.count;
  list.info_size = choices & 16 ? offsetof(struct dl_phdr_info, dlpi_adds) : sizeof(struct dl_phdr_info);
  list.adds = take(&input);
  for (size_t index = 0; index < list.count; ++index) make_image(&input, &list.images[index], index);
  for (size_t index = 0; index < list.count; ++index) {
    fake *image = &list.images[index];
    size_t length = input.size < image->size ? input.size : image->size;
    memset(image->memory, 0, image->size);
    memcpy(image->memory, input.bytes, length);
    input.bytes += length;
    input.size -= length;
  }

  // Loaded images have distinct addresses.
  if (has_own_bases()) {
    registry_snapshot *first = registry_images_snapshot(0);
    check(first, 0);
    registry_snapshot *second = registry_images_snapshot(highest(first));
    check(second, highest(first));
    NEED(second->image_count == first->image_count && second->generation == first->generation, "not the same");
    for (size_t index = 0; index < first->image_count; ++index) {
      NEED(second->images[index].serial == first->images[index].serial, "image %zu is another", index);
    }
    registry_snapshot_free(first);
    registry_snapshot_free(second);
  }
  for (size_t index = 0; index < list.count; ++index) free(list.images[index].memory);
  // Reset the table, so that every input begins without known images.
  free(table.images);
  table.images = NULL;
  table.count = table.capacity = table.listed = 0;
  return 0;
}
