// Mach-O only: the tests' dyld behaves as dyld's documentation says, and RegistryC handles its less
// common behavior.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"
#include "observer.h"

#include <mach-o/fixup-chains.h>
#include <mach-o/loader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// MARK: Callbacks

static const observer_event *events;
static const int *event_count;

/// Returns the index of an event, or -1 if it did not happen.
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

  void *noisier = open_library("noisier");
  header = dyld_header(noisier);
  const void *inner = events[8].image;
  CHECK(*event_count == 11 && events[7].what == '+' && events[7].image == header && inner && inner != header,
        "an image is announced before what it depends on");
  CHECK(events[9].what == 'i' && events[9].image == inner && events[10].what == 'i' && events[10].image == header,
        "and initialised after it");
  close_library(noisier);
  CHECK(*event_count == 15 && events[11].what == 't' && events[11].image == header && events[12].what == 't' &&
            events[12].image == inner,
        "and terminated before it");

  // An image that registered a callback stays loaded.
  close_library(observer);
  int before = *event_count;
  close_library(open_library("other"));
  CHECK(*event_count == before + 2, "it is called as before: %d", *event_count - before);
  close_library(few);
  close_library(none);
  CHECK(dyld_image_count() == 1 && dyld_image_at(events), "%zu", dyld_image_count());
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

/// Returns true if the folder has the Mach-O images with chained fixups.
static bool has_chains(void) { return strncmp(strrchr(folder, '/'), "/chained", 8) == 0; }

static void initialisers(void) {
  // The linker decides on the form of the initializers, and the folder determines the expected one.
  bool offsets = has_chains();
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

static void reaches(void) {
  void *none = open_library("none");
  void *image = open_library("reaches");
  const char *const *near = symbol_of(image, "reaches_near"), *const *far = symbol_of(image, "reaches_far");
  CHECK(**near == 'n' && **far == 'f', "into what a library exports for another");
  CHECK(((int (*)(void))symbol_of(image, "reaches_any"))() == 1, "the image that defines the name");
  CHECK(((int (*)(void))symbol_of(image, "reaches_missing"))() == -1, "what is missing with its library is null");
  close_library(image);
  close_library(none);
  CHECK(dyld_image_count() == 0, "%zu", dyld_image_count());
}

static void opened_at_the_end(void) {
  void *opener = open_library("opener");
  *(const char **)symbol_of(opener, "opener_path") = library_path("few");
  close_library(opener);
  REQUIRE(dyld_image_count() == 1, "%zu images", dyld_image_count());
  void *few = open_library("few");
  CHECK(((int (*)(void))symbol_of(few, "few_value"))() == 41, "it is a working library");
  close_library(few);
  CHECK(dyld_image_count() == 1, "it was opened twice");
  close_library(few);
  CHECK(dyld_image_count() == 0, "and closed as often");
}

/// Returns the protection of the memory at an address, as /proc prints it.
static const char *protection_of(const void *address) {
  static char protection[8];
  snprintf(protection, sizeof protection, "none");
  FILE *maps = fopen("/proc/self/maps", "r");
  REQUIRE(maps, "/proc/self/maps");
  char line[8192], found[8];
  for (unsigned long start, end; fgets(line, sizeof line, maps);) {
    if (sscanf(line, "%lx-%lx %4s", &start, &end, found) == 3 && (unsigned long)address >= start &&
        (unsigned long)address < end) {
      snprintf(protection, sizeof protection, "%s", found);
    }
  }
  fclose(maps);
  return protection;
}

static void protections(void) {
  void *registry = open_library("RegistryC");
  const struct mach_header_64 *header = dyld_header(registry);
  const uint8_t *at = (const uint8_t *)(header + 1), *base = NULL, *end = NULL;
  unsigned tried = 0;
  for (uint32_t index = 0; index < header->ncmds; ++index) {
    const struct segment_command_64 *segment = (const void *)at;
    at += segment->cmdsize;
    if (segment->cmd != LC_SEGMENT_64) continue;
    if (strcmp(segment->segname, "__TEXT") == 0) base = (const uint8_t *)header - segment->vmaddr;
    const char *wanted = strcmp(segment->segname, "__TEXT") == 0   ? "r-xp"
                         : strcmp(segment->segname, "__DATA") == 0 ? "rw-p"
                                                                   : "r--p";
    CHECK(strcmp(protection_of(base + segment->vmaddr), wanted) == 0, "%s is %s", segment->segname,
          protection_of(base + segment->vmaddr));
    end = base + segment->vmaddr + (segment->vmsize + 4095) / 4096 * 4096;
    ++tried;
  }
  CHECK(tried == 4, "%u segments of text, constant data, data, and tables", tried);
  CHECK(strcmp(protection_of(end), "---p") == 0, "the page after the image has no access: %s", protection_of(end));
}

// MARK: Errors

/// Checks that a file cannot be opened and that the problem contains two phrases.
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

/// The path of a changed file, in the folder of images, which is removed even if this process
/// crashes.
static char scratch[4096];

/// Writes a changed copy of a library to the scratch path.
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

/// Returns the offset of the tables of fixups and exports in a file.
static size_t tables_of(const uint8_t *contents) {
  const struct mach_header_64 *header = (const void *)contents;
  const uint8_t *at = (const uint8_t *)(header + 1);
  for (uint32_t index = 0; index < header->ncmds; ++index) {
    const struct segment_command_64 *segment = (const void *)at;
    at += segment->cmdsize;
    if (segment->cmd == LC_SEGMENT_64 && strcmp(segment->segname, "__LINKEDIT") == 0) return segment->fileoff;
  }
  return 0;
}

/// Changes each byte that dyld reads, and checks that dyld opens the file or reports a problem.
///
/// The library has no initializers, because they could run damaged code.
static void any_byte(void) {
  snprintf(scratch, sizeof scratch, "%s/changed-%d", folder, (int)getpid());
  size_t size = 0;
  uint8_t *contents = contents_of(library_path("few"), &size);
  const struct mach_header_64 *header = (const void *)contents;
  size_t commands = sizeof *header + header->sizeofcmds, tables = tables_of(contents);
  REQUIRE(tables > commands && tables < size, "the tables are at %zu", tables);
  static const uint8_t changes[] = {0x01, 0x80, 0x10, 0xff};
  unsigned opened = 0, refusals = 0;
  for (size_t at = 0; at < size; at = at + 1 == commands ? tables : at + 1) {
    contents[at] ^= changes[at % sizeof changes];
    write_copy(contents, size);
    contents[at] ^= changes[at % sizeof changes];
    dyld_image *image = dyld_open(scratch);
    CHECK(image || strstr(dyld_problem(), scratch), "byte %zu: %s", at, dyld_problem());
    if (image) CHECK(dyld_close(image), "byte %zu: %s", at, dyld_problem());
    *(image ? &opened : &refusals) += 1;
    REQUIRE(dyld_image_count() == 0, "byte %zu: something is left behind", at);
  }
  CHECK(opened > 100 && refusals > 100, "%u were opened, %u refused", opened, refusals);
  free(contents);
  unlink(scratch);
}

/// Returns a segment of a file by its name, so that a test can change it.
static struct segment_command_64 *segment_in(uint8_t *contents, const char *name) {
  const struct mach_header_64 *header = (const void *)contents;
  uint8_t *at = contents + sizeof *header;
  for (uint32_t index = 0; index < header->ncmds; ++index) {
    struct segment_command_64 *segment = (void *)at;
    at += segment->cmdsize;
    if (segment->cmd == LC_SEGMENT_64 && strcmp(segment->segname, name) == 0) return segment;
  }
  REQUIRE(false, "there is no segment %s", name);
}

/// Checks files that would mislead dyld into writing to the wrong memory or running other code.
static void misleading(void) {
  snprintf(scratch, sizeof scratch, "%s/changed-%d", folder, (int)getpid());
  size_t size = 0;
  uint8_t *contents = contents_of(library_path("few"), &size);
  struct segment_command_64 *text = segment_in(contents, "__TEXT"), *data = segment_in(contents, "__DATA");
  struct segment_command_64 data_before = *data;

  data->initprot = 1;
  write_copy(contents, size);
  refused(scratch, scratch, "leads to where nothing can be written");
  data->initprot = 0;
  write_copy(contents, size);
  refused(scratch, scratch, "sections that cannot be read");
  *data = data_before;
  data->vmaddr = text->vmaddr;
  for (uint32_t index = 0; index < data->nsects; ++index) ((struct section_64 *)(data + 1))[index].addr = text->vmaddr;
  write_copy(contents, size);
  refused(scratch, scratch, "lies on another one");
  free(contents);

  contents = contents_of(library_path("eager"), &size);
  text = segment_in(contents, "__TEXT");
  struct segment_command_64 text_before = *text;
  text->initprot = 3;
  write_copy(contents, size);
  refused(scratch, scratch, "no read-only segment with the header");
  text->initprot = 1;
  write_copy(contents, size);
  refused(scratch, scratch, "an initialiser or terminator that is no code");
  *text = text_before;
  write_copy(contents, size);
  close_library(open_path(scratch));
  free(contents);
  unlink(scratch);
}

/// Checks that dyld supports both formats of chained pointers.
///
/// Apple's linker writes offsets from the header, and LLVM's writes addresses. In a library, which
/// begins at address zero, the numbers are the same, so the test changes only the format.
static void pointer_formats(void) {
  snprintf(scratch, sizeof scratch, "%s/changed-%d", folder, (int)getpid());
  size_t size = 0;
  uint8_t *contents = contents_of(library_path("few"), &size);
  const struct mach_header_64 *header = (const void *)contents;
  const uint8_t *at = (const uint8_t *)(header + 1);
  unsigned changed = 0;
  for (uint32_t index = 0; index < header->ncmds; ++index) {
    const struct linkedit_data_command *command = (const void *)at;
    at += command->cmdsize;
    if (command->cmd != LC_DYLD_CHAINED_FIXUPS) continue;
    const struct dyld_chained_fixups_header *fixups = (const void *)(contents + command->dataoff);
    uint8_t *starts = contents + command->dataoff + fixups->starts_offset;
    uint32_t count, offset;
    memcpy(&count, starts, 4);
    for (uint32_t segment = 0; segment < count; ++segment) {
      memcpy(&offset, starts + 4 + 4 * segment, 4);
      if (offset == 0) continue;
      uint8_t *format = starts + offset + offsetof(struct dyld_chained_starts_in_segment, pointer_format);
      CHECK(*format == DYLD_CHAINED_PTR_64, "the linker wrote format %u", *format);
      *format = DYLD_CHAINED_PTR_64_OFFSET;
      ++changed;
    }
  }
  CHECK((changed > 0) == has_chains(), "%u segments with chains", changed);
  write_copy(contents, size);
  void *image = open_path(scratch);
  const void *accessor;
  memcpy(&accessor, (const char *)symbol_of(image, "few_by_hand") + 24, sizeof accessor);
  CHECK(accessor == symbol_of(image, "few_accessor"), "the pointer was fixed up");
  close_library(image);
  free(contents);
  unlink(scratch);
}

static void damaged(void) {
  snprintf(scratch, sizeof scratch, "%s/changed-%d", folder, (int)getpid());
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

  // A truncated file can still be valid, because the bytes at its end are not always needed.
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
    {"callbacks", "dyld calls the callbacks, and keeps the image that contains them", MACH_O_ONLY, callbacks},
    {"announced-twice", "an image announced twice is listed once", MACH_O_ONLY, announced_twice},
    {"in-the-cache", "an image of the shared cache is skipped, and counts as pinned", MACH_O_ONLY, in_the_cache},
    {"without-memory", "without memory, there is no snapshot and no crash", MACH_O_ONLY, without_memory},
    {"outside-of-locks", "neither dyld nor the allocator is called with RegistryC's lock held", MACH_O_ONLY,
     outside_of_locks},
    {"initialisers", "initializers have the form that the system's version requires", MACH_O_ONLY, initialisers},
    {"optional", "a weak import that is missing is null, and thread-local variables have values", MACH_O_ONLY, optional},
    {"reaches", "re-exports, addends, flat lookups, and weak libraries have the right targets", MACH_O_ONLY, reaches},
    {"opened-at-the-end", "an image that a terminator opens stays", MACH_O_ONLY, opened_at_the_end},
    {"protections", "segments have their requested protections after they are fixed up", MACH_O_ONLY, protections},
    {"pointer-formats", "pointers in chains are fixed up as addresses and as offsets", MACH_O_ONLY, pointer_formats},
    {"missing", "a missing library or symbol is named with the image that needs it", MACH_O_ONLY, missing},
    {"damaged", "a file that is truncated, or for another machine, is rejected by name", MACH_O_ONLY, damaged},
    {"any-byte", "a file with a changed byte in its load commands or tables is opened or rejected", MACH_O_ONLY, any_byte},
    {"misleading", "fixups and initializers outside their segments are rejected", MACH_O_ONLY, misleading},
    {0},
};
