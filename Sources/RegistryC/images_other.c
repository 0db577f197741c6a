// Where the object file format is neither Mach-O nor ELF. Nothing is found there, and the compiler says so.

#if !defined(__APPLE__) && !defined(__ELF__)
#warning "RegistryC: no way to find records here. Write images_<format>.c: the functions of registry_images.h, \
over what the loader tells of its images; add the section's name to registry_export.h and to the macros."

#include "snapshot.h"

uint64_t registry_images_generation(void) { return 1; }

registry_snapshot *registry_images_snapshot(uint64_t after) {
  (void)after;
  registry_block block;
  if (!registry_block_create(&block, (registry_needs){0})) return NULL;
  block.snapshot->generation = 1;
  return block.snapshot;
}

bool registry_image_pin(const void *address) { return address != NULL; }

#endif
