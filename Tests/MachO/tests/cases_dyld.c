// Mach-O alone: that the tests' dyld does what dyld's documentation says, and what RegistryC makes of its odder sides.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"
#include "observer.h"

#include <mach-o/loader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: Callbacks

static const observer_event *events;
static const int *event_count;

/// The place of an event; -1 when it did not happen.
static int place_of(char what, const void *image) {
  for (int index = 0; index < *event_count; ++index) {
    if (events[index].what == what && events[index].image == image) return index;
  }
  return -1;
}

static void callbacks(void) {
  void *none = open_library("none");
  void *few = open_library("few");
  void *observer = open_library("observer");
  events = symbol_of(observer, "observer_events");
  event_count = symbol_of(observer, "observer_count");
  CHECK(*event_count == 3, "%d", *event_count);
  CHECK(place_of('+', dyld_header(none)) == 0 && place_of('+', dyld_header(few)) == 1 &&
            place_of('+', dyld_header(observer)) == 2,
        "a callback is called at once for all that is there, in load order");

  void *noisy = open_library("noisy");
  const void *header = dyld_header(noisy);
  CHECK(place_of('+', header) == 3 && place_of('i', header) == 4, "an image is announced before it is initialised");
  close_library(noisy);
  CHECK(place_of('t', header) == 5 && place_of('-', header) == 6,
        "an image is terminated, then announced as going, then unmapped");
  CHECK(*event_count == 7, "%d", *event_count);
  CHECK(!dyld_image_at(header), "and then it is gone");

  // Its callbacks are forgotten with it, or the next line would call into nowhere.
  close_library(observer);
  close_library(open_library("other"));
  close_library(few);
  close_library(none);
  CHECK(dyld_image_count() == 0, "%zu", dyld_image_count());
}

static void announced_twice(void) {
  registry_functions registry = open_registry();
  void *few = open_library("few");
  uint64_t generation = registry.generation();
  dyld_announce(few);
  CHECK(registry.generation() == generation, "nothing new came");
  seen it = look(&registry, 0);
  CHECK(it.count == 1, "%zu images", it.count);
  forget(&it);
  close_library(few);
  it = look(&registry, 0);
  CHECK(it.count == 0, "and closing it removes it");
  forget(&it);
}

static void in_the_cache(void) {
  registry_functions registry = open_registry();
  uint64_t generation = registry.generation();
  void *cached = open_library("few_cached");
  const struct mach_header_64 *header = dyld_header(cached);
  REQUIRE(header->flags & MH_DYLIB_IN_CACHE, "it is flagged");
  CHECK(registry.generation() == generation, "nothing of ours came");
  seen it = look(&registry, 0);
  CHECK(it.count == 0, "%zu images", it.count);
  CHECK(registry.pin(symbol_of(cached, "few_type")), "what is in the cache stays anyway");
  forget(&it);
  close_library(cached);
  CHECK(dyld_image_count() == 1, "so nothing was done to keep it");
}

static void without_memory(void) {
  registry_functions registry = open_registry();
  void *few = open_library("few");
  dyld_limit_allocations(0);
  CHECK(!registry.snapshot(0), "no snapshot without memory");
  void *other = open_library("other");
  dyld_limit_allocations(-1);
  seen it = look(&registry, 0);
  check_records(image_in(&it, library_path("few")), few_records, FEW_COUNT);
  CHECK(!image_in(&it, library_path("other")), "what came without memory stays unknown");
  forget(&it);
  close_library(other);
  close_library(few);
}

static void outside_of_locks(void) {
  registry_functions registry = open_registry();
  void *few = open_library("few");
  dyld_announce(few);
  CHECK(registry.pin(symbol_of(few, "few_type")), "pinned");
  seen it = look(&registry, 0);
  forget(&it);
  close_library(few);
  close_library(open_library("other"));
  CHECK(dyld_calls_under_mutex() == 0, "%u times", dyld_calls_under_mutex());
}

// MARK: Linking

static void initialisers(void) {
  // Which form an image has its linker decides; the folder says which is expected.
  bool offsets = strstr(folder, "chained") != NULL;
  void *registry = open_library("RegistryC");
  const struct mach_header_64 *header = dyld_header(registry);
  const uint8_t *at = (const uint8_t *)(header + 1);
  unsigned found = 0, unexpected = 0;
  for (uint32_t index = 0; index < header->ncmds; ++index) {
    const struct segment_command_64 *segment = (const void *)at;
    at += segment->cmdsize;
    if (segment->cmd != LC_SEGMENT_64) continue;
    const struct section_64 *sections = (const void *)(segment + 1);
    for (uint32_t place = 0; place < segment->nsects; ++place) {
      uint32_t type = sections[place].flags & SECTION_TYPE;
      found += type == (offsets ? S_INIT_FUNC_OFFSETS : S_MOD_INIT_FUNC_POINTERS);
      unexpected += type == (offsets ? S_MOD_INIT_FUNC_POINTERS : S_INIT_FUNC_OFFSETS);
    }
  }
  CHECK(found == 1 && unexpected == 0, "%u and %u sections of initialisers", found, unexpected);
}

static void optional(void) {
  void *image = open_library("optional");
  CHECK(((int (*)(void))symbol_of(image, "optional_value"))() == -1, "what is missing is null");
  int (*count)(void) = (int (*)(void))symbol_of(image, "optional_count");
  CHECK(count() == 5 && count() == 6, "a thread-local variable begins with its value");
  close_library(image);
}

// MARK: Errors

/// Opens what must not open, and looks for words in the problem.
static void refused(const char *path, const char *word, const char *other_word) {
  size_t before = dyld_image_count();
  void *image = dyld_open(path);
  CHECK(!image, "%s was opened", path);
  CHECK(strstr(dyld_problem(), word) && strstr(dyld_problem(), other_word), "%s", dyld_problem());
  CHECK(dyld_image_count() == before, "nothing is left behind");
}

static void missing(void) {
  refused(library_path("wants"), "libwants.dylib", "libmissing.dylib");
  refused(library_path("asks"), "symbol _missing_value is not in", "libnone.dylib");
  refused("/nonexistent/liba.dylib", "/nonexistent/liba.dylib", "no such file");
  void *few = open_library("few");
  CHECK(!dyld_symbol(few, "nothing") && strstr(dyld_problem(), "_nothing"), "%s", dyld_problem());
  close_library(few);
  CHECK(!dyld_close(few), "an image is closed as often as it was opened");
}

static char scratch[] = "/tmp/mach-o-XXXXXX";

/// Writes a changed copy of a library.
static void write_copy(const uint8_t *contents, size_t size) {
  FILE *file = fopen(scratch, "wb");
  REQUIRE(file && fwrite(contents, 1, size, file) == size && fclose(file) == 0, "%s", scratch);
}

static uint8_t *contents_of(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  REQUIRE(file, "%s", path);
  uint8_t *contents = malloc(1 << 20);
  REQUIRE(contents, "memory");
  *size = fread(contents, 1, 1 << 20, file);
  fclose(file);
  return contents;
}

static void damaged(void) {
  int file = mkstemp(scratch);
  REQUIRE(file >= 0, "%s", scratch);
  close(file);
  size_t size = 0;
  uint8_t *contents = contents_of(library_path("few"), &size);
  struct mach_header_64 *header = (struct mach_header_64 *)(void *)contents, original = *header;

  header->cputype = 0x0100000c;
  write_copy(contents, size);
  refused(scratch, scratch, "not for x86-64");
  *header = original;
  header->filetype = 1;
  write_copy(contents, size);
  refused(scratch, scratch, "no library, bundle or program");
  *header = original;
  header->sizeofcmds = 0x7fffffff;
  write_copy(contents, size);
  refused(scratch, scratch, "load commands");
  *header = original;
  memcpy(contents, "\xca\xfe\xba\xbe", 4);
  write_copy(contents, size);
  refused(scratch, scratch, "universal file");
  memcpy(contents, "text", 4);
  write_copy(contents, size);
  refused(scratch, scratch, "not a 64-bit Mach-O file");
  *header = original;

  // Cut off anywhere; what comes last is not always needed.
  unsigned opened = 0;
  for (size_t cut = 0; cut < size; cut += 41) {
    write_copy(contents, cut);
    dyld_image *image = dyld_open(scratch);
    CHECK(image || strstr(dyld_problem(), scratch), "%s", dyld_problem());
    if (image) CHECK(dyld_close(image), "%s", dyld_problem());
    opened += image != NULL;
  }
  CHECK(opened < size / 41 / 8, "%u of the cut files opened", opened);
  CHECK(dyld_image_count() == 0, "nothing is left behind");
  free(contents);
  unlink(scratch);
}

const test_case dyld_cases[] = {
    {"callbacks", "dyld's callbacks come when dyld says, and end with the image they are in", MACH_O_ONLY, callbacks},
    {"announced-twice", "an image announced twice is listed once", MACH_O_ONLY, announced_twice},
    {"in-the-cache", "an image in the shared cache is passed over, and counts as pinned", MACH_O_ONLY, in_the_cache},
    {"without-memory", "without memory there is no snapshot, and nothing breaks", MACH_O_ONLY, without_memory},
    {"outside-of-locks", "neither dyld nor the allocator is called with RegistryC's lock held", MACH_O_ONLY,
     outside_of_locks},
    {"initialisers", "initialisers have the form that the system's version asks for", MACH_O_ONLY, initialisers},
    {"optional", "a weak import that is missing is null, and thread-local variables have values", MACH_O_ONLY, optional},
    {"missing", "a missing library or symbol is named with the image that wants it", MACH_O_ONLY, missing},
    {"damaged", "a file that is cut off, or for another machine, is refused by name", MACH_O_ONLY, damaged},
    {0},
};
