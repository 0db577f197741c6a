// The memory of an image: one range for all segments, an inaccessible page after it, and the
// protections.

#define _GNU_SOURCE

#include "image.h"

#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

// LeakSanitizer must treat the variables of images as roots.
__attribute__((weak)) void __lsan_register_root_region(const void *start, size_t size);
__attribute__((weak)) void __lsan_unregister_root_region(const void *start, size_t size);

static uint64_t whole_pages(uint64_t size) { return (size + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

/// Returns true if a segment has memory, as all but `__PAGEZERO` have.
static bool has_memory(const struct segment_command_64 *segment) {
  return segment->vmsize > 0 && (segment->initprot != 0 || segment->filesize > 0);
}

bool image_map(dyld_image *image) {
  uint64_t lowest = UINT64_MAX, highest = 0;
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    if (!has_memory(segment)) continue;
    if (segment->vmaddr < lowest) lowest = segment->vmaddr;
    if (segment->vmaddr + segment->vmsize > highest) highest = segment->vmaddr + segment->vmsize;
  }
  size_t size = whole_pages(highest - lowest) + PAGE;
  uint8_t *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return dyld_fail("%s: no memory.", image->path);
  mprotect(memory + size - PAGE, PAGE, PROT_NONE);
  image->memory = memory;
  image->memory_size = size;
  image->slide = (intptr_t)((uint64_t)memory - lowest);
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    if (!has_memory(segment)) continue;
    uint8_t *start = image_segment_memory(image, index, 0);
    memcpy(start, image->file + segment->fileoff, segment->filesize);
    // This segment contains the header, and getsectiondata derives the slide from it.
    if (segment->fileoff == 0 && segment->filesize > 0) image->header = start;
  }
  if (__lsan_register_root_region) __lsan_register_root_region(memory, size - PAGE);
  return true;
}

bool image_protect(const dyld_image *image) {
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    if (!has_memory(segment)) continue;
    // Mach's protections have the same values as POSIX's.
    int protection = segment->flags & SG_READ_ONLY ? PROT_READ : segment->initprot;
    if (mprotect(image_segment_memory(image, index, 0), whole_pages(segment->vmsize), protection) != 0) {
      return dyld_fail("%s: segment %.16s cannot be protected.", image->path, segment->segname);
    }
  }
  return true;
}

void image_unmap(dyld_image *image) {
  if (!image->memory) return;
  if (__lsan_unregister_root_region) __lsan_unregister_root_region(image->memory, image->memory_size - PAGE);
  munmap(image->memory, image->memory_size);
}

void *image_memory(const dyld_image *image, uint64_t address) { return (void *)(address + (uint64_t)image->slide); }

void *image_segment_memory(const dyld_image *image, size_t segment, uint64_t offset) {
  return image_memory(image, image->segments[segment]->vmaddr + offset);
}
