// Thread-local variables: an image's descriptors, and copies of the variables for each thread that
// uses them.

#include "image.h"

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
  _Alignas(16) uint8_t variables[];
} thread_block;

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
  const struct section_64 *section = NULL;
  while ((section = image_next_section(image, section))) {
    uint32_t type = section->flags & SECTION_TYPE;
    if (type == S_THREAD_LOCAL_REGULAR || type == S_THREAD_LOCAL_ZEROFILL) {
      if (section->addr < start) start = section->addr;
      if (section->addr + section->size > end) end = section->addr + section->size;
    }
    descriptor *descriptors = image_memory(image, section->addr);
    for (size_t index = 0; type == S_THREAD_LOCAL_VARIABLES && index < section->size / sizeof(descriptor); ++index) {
      descriptors[index].thunk = dyld_thread_variable;
      descriptors[index].image = image;
    }
  }
  if (end == 0) return true;
  image->thread_template = image_memory(image, start);
  image->thread_size = end - start;
  if (pthread_key_create(&image->thread_key, free_block) == 0) return true;
  image->thread_template = NULL;
  return dyld_fail("%s: its thread-local variables cannot be set up.", image->path);
}

void image_free_thread_variables(dyld_image *image) {
  if (!image->thread_template) return;
  pthread_key_delete(image->thread_key);
  while (image->thread_blocks) free_block(image->thread_blocks);
}

/// Returns the address of a variable for this thread, for the thunk.
void *dyld_thread_variable_address(const descriptor *variable);
void *dyld_thread_variable_address(const descriptor *variable) {
  dyld_image *image = variable->image;
  thread_block *block = pthread_getspecific(image->thread_key);
  if (!block) {
    block = malloc(sizeof *block + image->thread_size);
    if (!block) abort();
    memcpy(block->variables, image->thread_template, image->thread_size);
    dyld_lock();
    block->next = image->thread_blocks;
    block->place = &image->thread_blocks;
    if (block->next) block->next->place = &block->next;
    image->thread_blocks = block;
    dyld_unlock();
    pthread_setspecific(image->thread_key, block);
  }
  return block->variables + variable->offset;
}

/// Takes a descriptor's address in rdi and returns the variable's address in rax.
///
/// Unlike an ordinary call, it preserves all other general registers. Compilers do not expect it to
/// preserve vector registers.
__attribute__((naked)) void dyld_thread_variable(void) {
  __asm__(
      "pushq %rbp; movq %rsp, %rbp;"
      "pushq %rdi; pushq %rsi; pushq %rdx; pushq %rcx; pushq %r8; pushq %r9; pushq %r10; pushq %r11;"
      "call dyld_thread_variable_address;"
      "popq %r11; popq %r10; popq %r9; popq %r8; popq %rcx; popq %rdx; popq %rsi; popq %rdi;"
      "popq %rbp; ret");
}
