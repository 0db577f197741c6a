// Systems without a loader: a WebAssembly module is the only image. Other object formats have no
// records.

#include "snapshot.h"

#if !defined(__ELF__) && !defined(__APPLE__) && !defined(_WIN32)

#if defined(__wasm__)
// The linker defines these symbols, because the record in snapshot.c is always in the segment.
extern const unsigned char records_start[] __asm__("__start_registry_records");
extern const unsigned char records_stop[] __asm__("__stop_registry_records");
enum { PIN_RESULT = REGISTRY_PIN_KEPT };
#else
#warning "RegistryC finds records only in Mach-O, ELF, COFF, and WebAssembly; for this platform, write an \
'images_*.c' that implements 'registry_images.h', and name the section for records in 'registry_export.h'"
static const unsigned char records_start[1], *const records_stop = records_start;
enum { PIN_RESULT = REGISTRY_PIN_NO_IMAGE };
#endif

uint64_t registry_images_generation(void) { return 1; }

registry_snapshot *registry_images_snapshot(uint64_t after) {
  uintptr_t start = (uintptr_t)records_start, size = (uintptr_t)records_stop - start;
  registry_block block = {0};
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1 && !registry_block_allocate(&block)) return NULL;
    if (size > 0) (void)registry_block_add_image(&block, 1, start, "", 0);
    if (size > 0 && after == 0) (void)registry_block_add_section(&block, start, size, 0);
  }
  block.snapshot->generation = 1;
  return block.snapshot;
}

registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment) {
  (void)address;
  *segment = (registry_segment){0};
  return PIN_RESULT;
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
