// Object formats without support, for which no images are found.

#include "snapshot.h"

#if !defined(__ELF__) && !defined(__APPLE__)

#warning "RegistryC finds records only in Mach-O and ELF images; for this platform, write an 'images_*.c' that \
implements 'registry_images.h' (list the loaded modules, find the section with the records in each), and name \
that section in 'registry_export.h'"

uint64_t registry_images_generation(void) { return 1; }

registry_snapshot *registry_images_snapshot(uint64_t after) {
  (void)after;
  registry_block block;
  if (!registry_block_create(&block, (registry_needs){0})) return NULL;
  block.snapshot->generation = 1;
  return block.snapshot;
}

registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment) {
  (void)address;
  *segment = (registry_segment){0};
  return REGISTRY_PIN_NO_IMAGE;
}

uintptr_t registry_open_base(void *handle) {
  (void)handle;
  return 0;
}

void registry_pin_swift(void) {}

void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed) {
  (void)image;
  (void)libraries;
  (void)count;
  (void)is_needed;
}

#endif
