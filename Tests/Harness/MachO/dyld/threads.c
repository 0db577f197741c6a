// Thread-local variables: an image's descriptors, and copies of the variables for each thread that
// uses them.

#include "image.h"

#include <mach-o/loader.h>
#include <stdlib.h>
#include <string.h>

/// A descriptor, whose thunk the compiler's code calls with the descriptor's address.
typedef struct descriptor {
  void (*thunk)(void);
  dyld_image *image;
  uint64_t offset;
} descriptor;

/// A thread's copy of the variables of one image.
typedef struct thread_block {
  struct thread_block *next, **place;
  dyld_image *image;
  _Alignas(16) uint8_t variables[];
} thread_block;

static bool holds_values(const struct section_64 *section) {
  uint32_t type = section->flags & SECTION_TYPE;
  return type == S_THREAD_LOCAL_REGULAR || type == S_THREAD_LOCAL_ZEROFILL;
}

static void free_block(void *value) {
  thread_block *block = value;
  dyld_lock();
  *block->place = block->next;
  if (block->next) block->next->place = block->place;
  dyld_unlock();
  free(block);
}

bool image_prepare_thread_variables(dyld_image *image) {
  uint64_t start = UINT64_MAX, end = 0;
  bool any = false;
  const struct section_64 *section = NULL;
  while ((section = image_next_section(image, section))) {
    if (!holds_values(section)) continue;
    if (section->addr < start) start = section->addr;
    if (section->addr + section->size > end) end = section->addr + section->size;
  }
  while ((section = image_next_section(image, section))) {
    if ((section->flags & SECTION_TYPE) != S_THREAD_LOCAL_VARIABLES) continue;
    uint8_t *descriptors = image_memory(image, section->addr, section->size);
    for (uint64_t at = 0; at + sizeof(descriptor) <= section->size; at += sizeof(descriptor)) {
      descriptor one;
      memcpy(&one, descriptors + at, sizeof one);
      if (start > end || one.offset >= end - start) {
        return dyld_fail("%s: a thread-local variable has no value to start with.", image->path);
      }
      one.thunk = dyld_thread_variable;
      one.image = image;
      memcpy(descriptors + at, &one, sizeof one);
      any = true;
    }
  }
  if (!any) return true;
  image->thread_template = image_memory(image, start, end - start);
  if (!image->thread_template || pthread_key_create(&image->thread_key, free_block) != 0) {
    image->thread_template = NULL;
    return dyld_fail("%s: its thread-local variables cannot be set up.", image->path);
  }
  image->thread_size = end - start;
  return true;
}

void image_free_thread_variables(dyld_image *image) {
  if (!image->thread_template) return;
  pthread_key_delete(image->thread_key);
  while (image->thread_blocks) free_block(image->thread_blocks);
  image->thread_template = NULL;
}

/// Returns the address of a variable for this thread, for the thunk.
void *dyld_thread_variable_address(const descriptor *variable) {
  dyld_image *image = variable->image;
  thread_block *block = pthread_getspecific(image->thread_key);
  if (!block) {
    block = malloc(sizeof *block + image->thread_size);
    if (!block) abort();
    memcpy(block->variables, image->thread_template, image->thread_size);
    dyld_lock();
    *block = (thread_block){image->thread_blocks, &image->thread_blocks, image};
    if (block->next) block->next->place = &block->next;
    image->thread_blocks = block;
    dyld_unlock();
    pthread_setspecific(image->thread_key, block);
  }
  return block->variables + variable->offset;
}
