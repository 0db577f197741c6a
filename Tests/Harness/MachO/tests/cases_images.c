// Loaded images: they are found at any time after they are loaded, in load order, each with its
// path.

#include "test.h"

#include "dyld.h"

#include <stdio.h>

static void later(void) {
  open_registry();
  uint64_t generation = current_generation();
  CHECK(generation != 0, "the generation is never zero");
  CHECK(current_generation() == generation, "nothing came");
  void *few = open_library("few");
  uint64_t after_few = current_generation();
  CHECK(after_few != generation, "an image came");
  seen it = look(0);
  CHECK(it.snapshot->generation == after_few, "a snapshot says when it was taken");
  CHECK(it.count == 1, "%zu images", it.count);
  check_few(&it);
  forget(&it);
  close_library(few);
}

static void load_order(void) {
  // The image none has no records, so it is not listed.
  static const char *const names[] = {"other", "few", "malformed", "pages", "none"};
  enum { COUNT = sizeof names / sizeof names[0] };
  void *images[COUNT];
  for (size_t index = 0; index < COUNT; ++index) {
    // Two of the images are loaded before RegistryC.
    if (index == 2) open_registry();
    images[index] = open_library(names[index]);
  }
  seen it = look(0);
  REQUIRE(it.count == COUNT - 1, "%zu images", it.count);
  for (size_t index = 0; index < COUNT - 1; ++index) {
    CHECK(image_in(&it, names[index]) == &it.images[index], "%s is image %zu", names[index], index);
    CHECK(it.images[index].base == on->base(images[index]), "the base of %s", names[index]);
    CHECK(it.images[index].serial != 0, "serials are never zero");
  }
  forget(&it);
  for (size_t index = 0; index < COUNT; ++index) close_library(images[index]);
}

static void only_what_is_new(void) {
  open_registry();
  void *few = open_library("few");
  seen first = look(0);
  void *other = open_library("other");
  seen second = look(last_serial(&first));
  REQUIRE(second.count == 2, "%zu images", second.count);
  const seen_image *old = &second.images[0];
  CHECK(old->section_count == 0 && *old->path == 0 && old->serial == first.images[0].serial && old->base == on->base(few),
        "what is known is only listed");
  check_record(&second, "other", "{\"module\":\"Other.Module\"}");
  seen third = look(last_serial(&second));
  CHECK(third.count == 2 && third.images[0].section_count == 0 && third.images[1].section_count == 0,
        "nothing is new");
  forget(&first);
  forget(&second);
  forget(&third);
  close_library(few);
  close_library(other);
}

static void graph(void) {
  open_registry();
  void *dependent = open_library("dependent");
  CHECK(((int (*)(void))symbol_of(dependent, "dependent_value"))() == 42, "it calls the other image");
  seen it = look(0);
  CHECK(it.count == 2, "%zu images", it.count);
  check_few(&it);
  check_record(&it, "dependent", "{\"module\":\"Dependent.Module\",\"after\":[\"Few.First\"]}");
  forget(&it);
  close_library(dependent);
  CHECK(image_count() == 0, "both are gone");
}

static void in_an_initialiser(void) {
  void *other = open_library("other");
  // On ELF, RegistryC leaks its memory when it is closed, because it cannot tell that from the end
  // of the process.
  if (!on->is_mach_o) open_registry();
  void *eager = open_library("eager");
  CHECK(*(size_t *)symbol_of(eager, "eager_saw") == 3, "%zu images", *(size_t *)symbol_of(eager, "eager_saw"));
  CHECK(*(bool *)symbol_of(eager, "eager_saw_itself"), "an image sees its own records while it initialises");
  close_library(eager);
  close_library(other);
}

static void two_copies(void) {
  void *few = open_library("few");
  void *copies[] = {open_library("copy_a"), open_library("copy_b")};
  CHECK(*(size_t *)symbol_of(copies[0], "copy_saw_at_start") == 2, "it can be asked before its initialiser has run");
  CHECK(symbol_of(copies[0], "registry_walk") != symbol_of(copies[1], "registry_walk"), "each has its own functions");
  for (size_t index = 0; index < 2; ++index) {
    registry = copies[index];
    seen it = look(0);
    CHECK(it.count == 3, "%zu images", it.count);
    check_few(&it);
    check_record(&it, "copy_a", "{\"module\":\"Copy.A\"}");
    check_record(&it, "copy_b", "{\"module\":\"Copy.B\"}");
    CHECK(image_in(&it, "few")->library_count == 0 && image_in(&it, "copy_a")->library_count == 1 &&
              image_in(&it, "copy_b")->library_count == 1,
          "each copy is detected by its record");
    forget(&it);
  }
  close_library(few);
  // dyld keeps the image of a copy, because it has registered callbacks. On ELF, closing it would
  // leak its memory.
  if (on->is_mach_o) close_library(copies[0]);
  CHECK(image_count() == 2, "both copies stay");
}

/// Runs a program whose exit status is the number of the first check in program.c that fails.
static void program(void) {
  char path[4096];
  snprintf(path, sizeof path, "%s/program", folder);
  dyld_image *image = open_path(path);
  int status = dyld_run(image, 1, (char *[]){path, NULL});
  CHECK(status == 0, "check %d of program.c does not hold", status);
  close_library(image);
  CHECK(dyld_image_count() == 1, "RegistryC alone is kept: %zu", dyld_image_count());
}

const test_case image_cases[] = {
    {"later", "records of an image that is loaded later are found, and the generation changes", BOTH, later},
    {"order", "images are in load order, each with its own path and base", BOTH, load_order},
    {"after", "only images above a serial are copied; the others are listed", BOTH, only_what_is_new},
    {"graph", "an image and its dependencies are loaded and unloaded together", BOTH, graph},
    {"eager", "an initializer that searches records finds those of its own image", BOTH, in_an_initialiser},
    {"copies", "two copies of RegistryC in two images find the same records", BOTH, two_copies},
    {"program", "the records of a program are found first, and it counts as pinned", MACH_O_ONLY, program},
    {0},
};
