// Closed images: closing one removes exactly its records, and no pointer into it remains.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"

#include <pthread.h>
#include <string.h>

static void close_removes(void) {
  open_registry();
  void *other = open_library("other");
  void *few = open_library("few");
  void *pages = open_library("pages");
  uint64_t generation = current_generation();
  seen before = look(0);
  REQUIRE(before.count == 3, "%zu images", before.count);
  close_library(few);
  CHECK(current_generation() != generation, "the generation tells");
  seen it = look(0);
  CHECK(it.count == 2 && !image_in(&it, "few"), "it is gone");
  check_record(&it, "other", "{\"module\":\"Other.Module\"}");
  CHECK(image_in(&it, "pages") && image_in(&it, "pages")->record_count == 4, "and no other");
  CHECK(it.images[0].serial == before.images[0].serial && it.images[1].serial == before.images[2].serial,
        "the others keep their serials");
  forget(&it);
  // A snapshot is a copy, so it is still readable after the image is closed.
  check_few(&before);
  forget(&before);
  close_library(other);
  close_library(pages);
}

static void reopened(void) {
  open_registry();
  void *few = open_library("few");
  seen first = look(0);
  uint64_t serial = last_serial(&first), generation = current_generation();
  uintptr_t base = first.images[0].base;
  forget(&first);
  close_library(few);
  // On ELF, only a scan between the two notices that an image at the same address is another one.
  CHECK(on->is_mach_o || image_count() == 0, "it is gone");
  few = open_library("few");
  CHECK(!on->is_mach_o || on->base(few) == base, "or this test tells less than it should");
  CHECK(current_generation() != generation, "the generation tells");
  seen again = look(serial);
  REQUIRE(again.count == 1, "%zu images", again.count);
  CHECK(again.images[0].serial > serial, "it has a new serial, at the same address");
  check_few(&again);
  CHECK(again.images[0].records[4].accessor == (registry_accessor)symbol_of(few, "few_accessor"), "and its own accessor");
  forget(&again);
  close_library(few);
}

static void opened_twice(void) {
  open_registry();
  void *few = open_library("few");
  uint64_t generation = current_generation();
  void *again = open_library("few");
  CHECK(image_count() == 1, "it is listed once");
  find_few();
  close_library(few);
  CHECK(!on->is_mach_o || current_generation() == generation, "nothing came or went");
  CHECK(image_count() == 1, "it is still open");
  close_library(again);
  CHECK(image_count() == 0, "it is closed");
}

static void pinned(void) {
  open_registry();
  void *few = open_library("few");
  const char *type = symbol_of(few, "few_type");
  CHECK(pin(type), "pinned");
  CHECK(pin(type), "again, which changes nothing");
  static char elsewhere[8];
  CHECK(pin(elsewhere) == !on->is_mach_o, "an address in none of the tests' images");
  char on_the_stack = 0;
  CHECK(!pin(&on_the_stack), "an address in no image");
  // A caller that knows a pinned segment need not pin each of its functions.
  uintptr_t code = (uintptr_t)symbol_of(few, "few_accessor");
  registry_segment segment = {0};
  CHECK(FUNCTION(registry_image_pin_segment)((const void *)code, &segment) == REGISTRY_PIN_KEPT, "pinned with its segment");
  CHECK(segment.start <= code && code < segment.end, "the code is in it");
  CHECK(FUNCTION(registry_image_pin_segment)(&on_the_stack, &segment) == REGISTRY_PIN_NO_IMAGE, "an address in no image");
  CHECK(segment.start == 0 && segment.end == 0, "which is in no segment");
  close_library(few);
  CHECK(*type == 0, "it is still mapped");
  CHECK(image_count() == 1, "it is still listed");
  find_few();
}

static void registry_goes(void) {
  open_registry();
  close_library(registry);
  // On ELF, this copy's callbacks were unloaded with it. dyld keeps its image.
  void *few = open_library("few");
  open_registry();
  find_few();
  close_library(few);
}

// MARK: Images that the library opens

static bool needs(uintptr_t image, uintptr_t library) {
  // The neighboring addresses are no image's base.
  uintptr_t libraries[] = {library + 1, library - 1, library};
  bool is_needed[] = {false, false, false};
  FUNCTION(registry_open_needs)(image, libraries, 3, is_needed);
  CHECK(!is_needed[0] && !is_needed[1], "and no other");
  return is_needed[2];
}

static void opened_by_library(void) {
  open_registry();
  char problem[400];
  void *few = FUNCTION(registry_open)(library_path("few"), problem, sizeof problem);
  REQUIRE(few, "%s", problem);
  CHECK(FUNCTION(registry_open)(library_path("few"), problem, sizeof problem) == few, "the same handle");
  CHECK(FUNCTION(registry_close)(few), "closed once");
  void *last = open_library("other");
  seen it = look(0);
  check_few(&it);
  CHECK(FUNCTION(registry_open_base)(few) == image_in(&it, "few")->base, "where it is, though another one came later");
  forget(&it);
  close_library(last);
  FUNCTION(registry_pin_swift)();
  CHECK(FUNCTION(registry_close)(few), "closed for good");
  CHECK(image_count() == 0, "there is no Swift in it, so it is unmapped");

  void *dependent = open_library("indirect"), *other = open_library("other");
  uintptr_t own = on->base(dependent), library = on->base(few = open_library("few"));
  CHECK(needs(own, library), "it needs that library, although only a library without records names it");
  CHECK(!needs(library, own), "not the other way round");
  CHECK(!needs(own, on->base(other)), "nor another one");
  CHECK(!needs(own, 8), "nor what is none");
  close_library(other);
  close_library(few);
  close_library(dependent);

  CHECK(!FUNCTION(registry_open)("/nowhere/libnothing", problem, sizeof problem), "there is no such file");
  CHECK(strstr(problem, "/nowhere/libnothing"), "%s", problem);
}

static void pinned_for_swift(void) {
  open_registry();
  void *image = open_library("with_swift");
  const char *value = symbol_of(image, "with_swift_value");
  FUNCTION(registry_pin_swift)();
  close_library(image);
  CHECK(*value == 1, "it is still mapped");
  seen it = look(0);
  check_record(&it, "with_swift", "{\"module\":\"WithSwift.Module\"}");
  forget(&it);
  CHECK(dyld_calls_under_mutex() == 0, "%u calls with a lock held", dyld_calls_under_mutex());
}

// MARK: Many threads

enum { ROUNDS = 150 };

static bool stop_looking;

static void *come_and_go(void *name) {
  for (int round = 0; round < ROUNDS; ++round) close_library(open_library(name));
  return NULL;
}

/// Scans until told to stop, and checks that each snapshot has all records of an image or not the
/// image.
static void *keep_looking(void *unused) {
  while (!__atomic_load_n(&stop_looking, __ATOMIC_ACQUIRE)) {
    seen it = look(0);
    for (size_t index = 0; index < it.count; ++index) {
      const seen_image *image = &it.images[index];
      size_t expected = strstr(image->path, "libfew") ? FEW_COUNT : strstr(image->path, "libpages") ? 4 : 1;
      CHECK(image->record_count == expected, "%s has %zu records", image->path, image->record_count);
      CHECK(image->problem_count == 0, "%s", image->problems[0]);
    }
    CHECK(it.count >= 1 && strstr(it.images[0].path, "libother"), "what stays is there");
    forget(&it);
    (void)current_generation();
  }
  return unused;
}

static void churn(void) {
  open_registry();
  void *other = open_library("other");
  const void *inside = symbol_of(other, "other_value");
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, come_and_go, "few");
  pthread_create(&threads[1], NULL, come_and_go, "pages");
  pthread_create(&threads[2], NULL, keep_looking, NULL);
  pthread_create(&threads[3], NULL, keep_looking, NULL);
  for (int round = 0; round < ROUNDS; ++round) CHECK(pin(inside), "pinned");
  for (int index = 0; index < 4; ++index) {
    if (index == 2) __atomic_store_n(&stop_looking, true, __ATOMIC_RELEASE);
    pthread_join(threads[index], NULL);
  }
  CHECK(image_count() == 1, "one stays");
  CHECK(dyld_calls_under_mutex() == 0, "dyld or the allocator was called %u times with a lock held that image callbacks acquire",
        dyld_calls_under_mutex());
}

const test_case close_cases[] = {
    {"close", "closing an image removes exactly its records; an older snapshot can still be read", BOTH, close_removes},
    {"reopen", "an image that is closed and opened again has a new serial", BOTH, reopened},
    {"twice", "an image that is opened twice is listed once until it is closed twice", BOTH, opened_twice},
    {"pin", "a pinned image stays when it is closed", BOTH, pinned},
    {"open", "the library finds the images that it opens, and unmaps those that it closes", BOTH, opened_by_library},
    {"pin-swift", "an image with Swift code stays when it is closed", BOTH, pinned_for_swift},
    {"registry-goes", "RegistryC can be closed, and opened again", BOTH, registry_goes},
    {"churn", "images are opened and closed on two threads while three threads scan and pin", BOTH, churn},
    {0},
};
