// The bridge from Mach-O images to this process: the Swift runtime of the toolchain for Linux takes
// the place of the one of an Apple system. Symbols that host.c does not define are found there, and
// the Swift sections of each image are announced to it, as the start-up code of an ELF image does.

#define _GNU_SOURCE

#include "image.h"

#include "MetadataSections.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern void swift_addNewDSOImage(struct MetadataSections *sections);

/// The functions of Dispatch, which tests of C code simulate and the Swift runtime really uses.
extern char _dispatch_main_q;
extern const char *dispatch_queue_get_label(const void *queue);

static void *image_symbol(void *handle, const char *name) { return handle ? dyld_symbol(handle, name) : NULL; }

/// Reads Darwin's CLOCK_THREAD_CPUTIME_ID, or its CLOCK_MONOTONIC.
static int read_clock(int clock, struct timespec *time) {
  return clock_gettime(clock == 16 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, time);
}

/// Functions that are the same in both C libraries, or that the stand-ins in support/ call for Linux.
/// The compiler calls the first six for `rounded()` and remainders. common.sh lists these names for
/// the linker.
static const char *const shared[] = {
    "floor", "ceil", "trunc", "rint", "round", "fmod", "sched_yield", "usleep", "get_nprocs", "mkdir",
    "exit",
    "dispatch_semaphore_create", "dispatch_semaphore_signal", "dispatch_semaphore_wait", "dispatch_time",
};

void *host_bridged_symbol(const char *symbol) {
  if (strcmp(symbol, "__dispatch_main_q") == 0) return &_dispatch_main_q;
  if (strcmp(symbol, "_dispatch_queue_get_label") == 0) return (void *)dispatch_queue_get_label;
  if (strcmp(symbol, "_dlsym") == 0) return (void *)image_symbol;
  if (strcmp(symbol, "_clock_gettime") == 0) return (void *)read_clock;
  for (size_t index = 0; index < sizeof shared / sizeof shared[0]; ++index) {
    if (strcmp(symbol + 1, shared[index]) == 0) return dlsym(RTLD_DEFAULT, shared[index]);
  }
  // Names of Swift and of its runtime, of Testing, and of the functions in host/. No other function
  // may be found by its name, because the C libraries of both systems differ.
  static const char *const prefixes[] = {"_$s", "_swift_", "__swift", "_swt_", "_host_"};
  for (size_t index = 0; index < sizeof prefixes / sizeof prefixes[0]; ++index) {
    if (strncmp(symbol, prefixes[index], strlen(prefixes[index])) == 0) return dlsym(RTLD_DEFAULT, symbol + 1);
  }
  return NULL;
}

static MetadataSectionRange section_in(const dyld_image *image, const char *segment, const char *name) {
  const struct section_64 *section = NULL;
  while ((section = image_next_section(image, section))) {
    if (strncmp(section->segname, segment, sizeof section->segname) == 0 &&
        strncmp(section->sectname, name, sizeof section->sectname) == 0) {
      return (MetadataSectionRange){section->addr + (uint64_t)image->slide, section->size};
    }
  }
  return (MetadataSectionRange){0, 0};
}

static void announce(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  const dyld_image *image = dyld_image_at(header);
  // The runtime keeps a pointer to the structure.
  struct MetadataSections *sections = calloc(1, sizeof *sections);
  if (!image || !sections) abort();
  sections->version = 5;
  sections->baseAddress = header;
#define SECTION(name, suffix) sections->name = section_in(image, "__TEXT", "__swift5_" suffix)
  SECTION(swift5_protocols, "protos");
  SECTION(swift5_protocol_conformances, "proto");
  SECTION(swift5_type_metadata, "types");
  SECTION(swift5_typeref, "typeref");
  SECTION(swift5_reflstr, "reflstr");
  SECTION(swift5_fieldmd, "fieldmd");
  SECTION(swift5_assocty, "assocty");
  SECTION(swift5_replace, "replace");
  SECTION(swift5_replac2, "replac2");
  SECTION(swift5_builtin, "builtin");
  SECTION(swift5_capture, "capture");
  SECTION(swift5_mpenum, "mpenum");
  SECTION(swift5_accessible_functions, "acfuncs");
#undef SECTION
  sections->swift5_tests = section_in(image, "__DATA_CONST", "__swift5_tests");
  swift_addNewDSOImage(sections);
}

void bridge_start(void) { dyld_register_add(announce); }
