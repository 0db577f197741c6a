// Loaded images: they are found at any time after they are loaded, in load order, each with its
// path.

#include "test.h"

#include "dyld.h"

#include <string.h>

static void before_the_registry(void) {
  void *few = open_library("few");
  void *none = open_library("none");
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  CHECK(it.count == 1, "%zu images", it.count);
  check_records(image_in(&it, library_path("few")), few_records, FEW_COUNT);
  CHECK(!image_in(&it, library_path("none")), "an image without records is not listed");
  forget(&it);
  close_library(few);
  close_library(none);
}

static void later(void) {
  registry_functions registry = open_registry();
  uint64_t generation = registry.generation();
  CHECK(generation != 0, "the generation is never zero");
  CHECK(registry.generation() == generation, "nothing came");
  void *few = open_library("few");
  uint64_t after_few = registry.generation();
  CHECK(after_few != generation, "an image came");
  seen it = look(&registry, 0);
  CHECK(it.snapshot->generation == after_few, "a snapshot says when it was taken");
  CHECK(it.count == 1, "%zu images", it.count);
  check_records(image_in(&it, library_path("few")), few_records, FEW_COUNT);
  forget(&it);
  close_library(few);
}

static void load_order(void) {
  static const char *const names[] = {"other", "few", "many", "malformed", "pages"};
  enum { COUNT = sizeof names / sizeof names[0] };
  void *images[COUNT];
  registry_functions registry = {0};
  for (size_t index = 0; index < COUNT; ++index) {
    // Two of the images are loaded before RegistryC.
    if (index == 2) registry = open_registry();
    images[index] = open_library(names[index]);
  }
  seen it = look(&registry, 0);
  REQUIRE(it.count == COUNT, "%zu images", it.count);
  for (size_t index = 0; index < COUNT; ++index) {
    CHECK(image_in(&it, library_path(names[index])) == &it.images[index], "%s is image %zu", names[index], index);
    CHECK(it.images[index].base == on->base(images[index]), "the base of %s", names[index]);
    CHECK(it.images[index].serial != 0, "serials are never zero");
  }
  forget(&it);
  for (size_t index = 0; index < COUNT; ++index) close_library(images[index]);
}

static void only_what_is_new(void) {
  registry_functions registry = open_registry();
  void *few = open_library("few");
  seen first = look(&registry, 0);
  void *other = open_library("other");
  seen second = look(&registry, last_serial(&first));
  REQUIRE(second.count == 2, "%zu images", second.count);
  const seen_image *old = image_in(&second, library_path("few"));
  CHECK(old && old->section_count == 0 && old->serial == first.images[0].serial, "what is known is only listed");
  check_records(image_in(&second, library_path("other")), (const char *[]){"{\"module\":\"Other.Module\"}"}, 1);
  seen third = look(&registry, last_serial(&second));
  CHECK(third.count == 2 && third.images[0].section_count == 0 && third.images[1].section_count == 0,
        "nothing is new");
  forget(&first);
  forget(&second);
  forget(&third);
  close_library(few);
  close_library(other);
}

static void graph(void) {
  registry_functions registry = open_registry();
  void *dependent = open_library("dependent");
  int (*value)(void) = (int (*)(void))symbol_of(dependent, "dependent_value");
  CHECK(value() == 42, "%d", value());
  seen it = look(&registry, 0);
  CHECK(it.count == 2, "%zu images", it.count);
  check_records(image_in(&it, library_path("few")), few_records, FEW_COUNT);
  check_records(image_in(&it, library_path("dependent")),
                (const char *[]){"{\"module\":\"Dependent.Module\",\"after\":[\"Few.First\"]}"}, 1);
  forget(&it);
  close_library(dependent);
  it = look(&registry, 0);
  CHECK(it.count == 0, "both are gone: %zu", it.count);
  forget(&it);
}

static void in_an_initialiser(void) {
  void *other = open_library("other");
  // On ELF, RegistryC leaks its memory when it is closed, because it cannot tell that from the end
  // of the process.
  if (!on->is_mach_o) (void)open_registry();
  void *eager = open_library("eager");
  CHECK(*(size_t *)symbol_of(eager, "eager_saw") == 3, "%zu images", *(size_t *)symbol_of(eager, "eager_saw"));
  CHECK(*(bool *)symbol_of(eager, "eager_saw_itself"), "an image sees its own records while it initialises");
  close_library(eager);
  close_library(other);
}

static void two_copies(void) {
  void *few = open_library("few");
  void *first = open_library("copy_a");
  void *second = open_library("copy_b");
  registry_functions a = ((registry_functions (*)(void))symbol_of(first, "copy_functions"))();
  registry_functions b = ((registry_functions (*)(void))symbol_of(second, "copy_functions"))();
  CHECK(a.snapshot != b.snapshot, "each has its own");
  CHECK(*(size_t *)symbol_of(first, "copy_saw_at_start") == 2, "it can be asked before its initialiser has run");
  const registry_functions *copies[] = {&a, &b};
  for (size_t index = 0; index < 2; ++index) {
    seen it = look(copies[index], 0);
    CHECK(it.count == 3, "%zu images", it.count);
    check_records(image_in(&it, library_path("few")), few_records, FEW_COUNT);
    check_records(image_in(&it, library_path("copy_a")), (const char *[]){"{\"module\":\"Copy.A\"}"}, 1);
    check_records(image_in(&it, library_path("copy_b")), (const char *[]){"{\"module\":\"Copy.B\"}"}, 1);
    CHECK(image_in(&it, library_path("few"))->library_count == 0 &&
              image_in(&it, library_path("copy_a"))->library_count == 1 &&
              image_in(&it, library_path("copy_b"))->library_count == 1,
          "each copy is detected by its record");
    forget(&it);
  }
  close_library(few);
  // dyld keeps the image of a copy, because it has registered callbacks. On ELF, closing it would
  // leak its memory.
  if (on->is_mach_o) close_library(first);
  seen it = look(&b, 0);
  CHECK(it.count == 2 && image_in(&it, library_path("copy_a")) && image_in(&it, library_path("copy_b")), "%zu images",
        it.count);
  forget(&it);
}

/// Runs a program whose exit status is the number of the first check in a source that fails.
static void run_program(const char *name, const char *source) {
  char path[4096];
  strcpy(path, folder);
  strcat(path, name);
  int status = on->run(path);
  CHECK(status == 0, "check %d of %s does not hold; %s", status, source, status < 0 ? on->problem() : "it ran");
}

static void program(void) {
  run_program("/program", "program.c");
  CHECK(!on->is_mach_o || dyld_image_count() == 1, "RegistryC alone is kept: %zu", dyld_image_count());
}

static void debug_library(void) {
  run_program("/App", "app.c");
  CHECK(!on->is_mach_o || dyld_image_count() == 2, "RegistryC and the pinned library are kept: %zu", dyld_image_count());
}

const test_case image_cases[] = {
    {"before", "records of an image that is loaded before RegistryC are found", BOTH, before_the_registry},
    {"later", "records of an image that is loaded later are found, and the generation changes", BOTH, later},
    {"order", "images are in load order, each with its own path and base", BOTH, load_order},
    {"after", "only images above a serial are copied; the others are listed", BOTH, only_what_is_new},
    {"graph", "an image and its dependencies are loaded and unloaded together", BOTH, graph},
    {"eager", "an initializer that searches records finds those of its own image", BOTH, in_an_initialiser},
    {"copies", "two copies of RegistryC in two images find the same records", BOTH, two_copies},
    {"program", "the records of a program are found first, and it counts as pinned", BOTH, program},
    {"debug-library", "the records of an app whose code is in a library beside a stub are found", BOTH, debug_library},
    {0},
};
