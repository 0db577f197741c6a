// The memory of an image: one range for all segments, an inaccessible page after it, and the
// protections.

#define _GNU_SOURCE

#include "image.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
/// The maximum size of an image, which only a damaged file exceeds.
static const uint64_t most_memory = 1u << 30;

// LeakSanitizer must treat the variables of images as roots.
__attribute__((weak)) void __lsan_register_root_region(const void *start, size_t size);
__attribute__((weak)) void __lsan_unregister_root_region(const void *start, size_t size);

static uint64_t whole_pages(uint64_t size) { return (size + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

/// Returns true if a segment has memory.
///
/// `__PAGEZERO` has none.
static bool has_memory(const struct segment_command_64 *segment) {
  return segment->vmsize > 0 && (segment->initprot != 0 || segment->filesize > 0);
}

static uint8_t *start_of(const dyld_image *image, const struct segment_command_64 *segment) {
  return (uint8_t *)(segment->vmaddr + (uint64_t)image->slide);
}

/// Returns true if a segment shares a page with an earlier one.
static bool overlaps(const dyld_image *image, size_t index) {
  const struct segment_command_64 *segment = image->segments[index];
  for (size_t before = 0; before < index; ++before) {
    const struct segment_command_64 *other = image->segments[before];
    if (has_memory(other) && segment->vmaddr < other->vmaddr + whole_pages(other->vmsize) &&
        other->vmaddr < segment->vmaddr + whole_pages(segment->vmsize)) {
      return true;
    }
  }
  return false;
}

bool image_map(dyld_image *image) {
  uint64_t lowest = UINT64_MAX, highest = 0;
  const struct segment_command_64 *text = NULL;
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    if (!has_memory(segment)) continue;
    if (segment->vmaddr < lowest) lowest = segment->vmaddr;
    if (segment->vmaddr + segment->vmsize > highest) highest = segment->vmaddr + segment->vmsize;
    if (overlaps(image, index)) {
      return dyld_fail("%s: segment %.16s lies on another one.", image->path, segment->segname);
    }
    // This segment contains the load commands, and getsectiondata derives the slide from it.
    if (segment->fileoff > 0 || segment->filesize == 0) continue;
    if (text) return dyld_fail("%s: has two segments with the header in them.", image->path);
    text = segment;
  }
  if (!text || (text->initprot & (PROT_READ | PROT_WRITE)) != PROT_READ ||
      text->filesize < sizeof(struct mach_header_64) + image->file_header->sizeofcmds) {
    return dyld_fail("%s: has no read-only segment with the header and all load commands in it.", image->path);
  }
  if (highest - lowest > most_memory) return dyld_fail("%s: asks for too much memory.", image->path);

  size_t size = whole_pages(highest - lowest) + PAGE;
  uint8_t *memory = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return dyld_fail("%s: no memory: %s.", image->path, strerror(errno));
  image->memory = memory;
  image->memory_size = size;
  image->slide = (intptr_t)((uint64_t)memory - lowest);
  image->header = start_of(image, text);
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    if (!has_memory(segment)) continue;
    if (mprotect(start_of(image, segment), whole_pages(segment->vmsize), PROT_READ | PROT_WRITE) != 0) {
      return dyld_fail("%s: segment %.16s: %s.", image->path, segment->segname, strerror(errno));
    }
    memcpy(start_of(image, segment), image->file + segment->fileoff, segment->filesize);
  }
  if (__lsan_register_root_region) __lsan_register_root_region(memory, size - PAGE);
  return true;
}

bool image_protect(dyld_image *image) {
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    if (!has_memory(segment)) continue;
    // Mach's protections have the same values as POSIX's.
    int protection = segment->flags & SG_READ_ONLY ? PROT_READ : segment->initprot;
    if (mprotect(start_of(image, segment), whole_pages(segment->vmsize), protection) != 0) {
      return dyld_fail("%s: segment %.16s: %s.", image->path, segment->segname, strerror(errno));
    }
  }
  return true;
}

void image_unmap(dyld_image *image) {
  if (!image->memory) return;
  if (__lsan_unregister_root_region) __lsan_unregister_root_region(image->memory, image->memory_size - PAGE);
  munmap(image->memory, image->memory_size);
  image->memory = NULL;
}

static void *memory_in(const dyld_image *image, const struct segment_command_64 *segment, uint64_t offset, size_t size) {
  if (!has_memory(segment) || offset > segment->vmsize || size > segment->vmsize - offset) return NULL;
  return start_of(image, segment) + offset;
}

void *image_fixup_memory(const dyld_image *image, size_t index, uint64_t offset) {
  if (index >= image->segment_count || !(image->segments[index]->initprot & PROT_WRITE)) return NULL;
  return memory_in(image, image->segments[index], offset, 8);
}

void *image_memory(const dyld_image *image, uint64_t address, size_t size) {
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    if (address < segment->vmaddr) continue;
    void *memory = memory_in(image, segment, address - segment->vmaddr, size);
    if (memory) return memory;
  }
  return NULL;
}

bool image_contains(const dyld_image *image, const void *address) {
  const uint8_t *byte = address;
  return image->memory && byte >= image->memory && byte < image->memory + image->memory_size;
}

bool image_has_code_at(const dyld_image *image, const void *address) {
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    const struct section_64 *sections = (const void *)(segment + 1);
    for (uint32_t place = 0; segment->initprot & PROT_EXEC && place < segment->nsects; ++place) {
      uint64_t offset = (uint64_t)address - (sections[place].addr + (uint64_t)image->slide);
      // The linker sets one of these flags or both.
      bool has_code = sections[place].flags & (S_ATTR_SOME_INSTRUCTIONS | S_ATTR_PURE_INSTRUCTIONS);
      if (has_code && offset < sections[place].size) return true;
    }
  }
  return false;
}
