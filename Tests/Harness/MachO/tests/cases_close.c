// Closed images: closing one removes exactly its records, and no pointer into it remains.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"

#include <pthread.h>
#include <string.h>

static void close_removes(void) {
  registry_functions registry = open_registry();
  void *other = open_library("other");
  void *few = open_library("few");
  void *pages = open_library("pages");
  uint64_t generation = registry.generation();
  seen before = look(&registry, 0);
  REQUIRE(before.count == 3, "%zu images", before.count);
  close_library(few);
  CHECK(registry.generation() != generation, "the generation tells");
  seen it = look(&registry, 0);
  CHECK(it.count == 2, "%zu images", it.count);
  CHECK(!image_in(&it, library_path("few")), "it is gone");
  check_records(image_in(&it, library_path("other")), (const char *[]){"{\"module\":\"Other.Module\"}"}, 1);
  CHECK(image_in(&it, library_path("pages")) && image_in(&it, library_path("pages"))->record_count == 4, "and no other");
  CHECK(it.images[0].serial == before.images[0].serial && it.images[1].serial == before.images[2].serial,
        "the others keep their serials");
  forget(&it);
  // A snapshot is a copy, so it is still readable after the image is closed.
  check_records(&before.images[1], few_records, FEW_COUNT);
  forget(&before);
  close_library(other);
  close_library(pages);
}

static void reopened(void) {
  registry_functions registry = open_registry();
  void *few = open_library("few");
  seen first = look(&registry, 0);
  uint64_t serial = last_serial(&first);
  forget(&first);
  close_library(few);
  seen gone = look(&registry, 0);
  CHECK(gone.count == 0, "%zu images", gone.count);
  forget(&gone);
  few = open_library("few");
  seen again = look(&registry, serial);
  REQUIRE(again.count == 1, "%zu images", again.count);
  CHECK(again.images[0].serial > serial, "it has a new serial");
  check_records(&again.images[0], few_records, FEW_COUNT);
  CHECK(again.images[0].records[4].accessor == (registry_accessor)symbol_of(few, "few_accessor"), "and its own accessor");
  forget(&again);
  close_library(few);
}

static void reopened_unseen(void) {
  registry_functions registry = open_registry();
  void *few = open_library("few");
  seen first = look(&registry, 0);
  uint64_t serial = last_serial(&first), generation = registry.generation();
  uintptr_t base = first.images[0].base;
  forget(&first);
  close_library(few);
  few = open_library("few");
  CHECK(on->base(few) == base, "or this test tells less than it should");
  CHECK(registry.generation() != generation, "the generation tells");
  seen again = look(&registry, serial);
  REQUIRE(again.count == 1, "%zu images", again.count);
  CHECK(again.images[0].serial > serial, "it has a new serial, at the same address");
  forget(&again);
  close_library(few);
}

static void opened_twice(void) {
  registry_functions registry = open_registry();
  void *few = open_library("few");
  uint64_t generation = registry.generation();
  void *again = open_library("few");
  seen it = look(&registry, 0);
  CHECK(it.count == 1, "%zu images", it.count);
  check_records(image_in(&it, library_path("few")), few_records, FEW_COUNT);
  forget(&it);
  close_library(few);
  CHECK(!on->is_mach_o || registry.generation() == generation, "nothing came or went");
  it = look(&registry, 0);
  CHECK(it.count == 1, "it is still open");
  forget(&it);
  close_library(again);
  it = look(&registry, 0);
  CHECK(it.count == 0, "it is closed");
  forget(&it);
}

#define FUNCTION(name) ((__typeof__(&name))symbol_of(registry_library(), #name))

static void pinned(void) {
  registry_functions registry = open_registry();
  void *few = open_library("few");
  const char *type = symbol_of(few, "few_type");
  CHECK(registry.pin(type), "pinned");
  CHECK(registry.pin(type), "again, which changes nothing");
  static char elsewhere[8];
  CHECK(registry.pin(elsewhere) == !on->is_mach_o, "an address in none of the tests' images");
  char on_the_stack = 0;
  CHECK(!registry.pin(&on_the_stack), "an address in no image");
  // A caller that knows a pinned segment need not pin each of its functions.
  uintptr_t code = (uintptr_t)symbol_of(few, "few_accessor");
  registry_segment segment = {0};
  CHECK(FUNCTION(registry_image_pin_segment)((const void *)code, &segment) == REGISTRY_PIN_KEPT, "pinned with its segment");
  CHECK(segment.start <= code && code < segment.end, "the code is in it");
  CHECK(FUNCTION(registry_image_pin_segment)(&on_the_stack, &segment) == REGISTRY_PIN_NO_IMAGE, "an address in no image");
  CHECK(segment.start == 0 && segment.end == 0, "which is in no segment");
  close_library(few);
  CHECK(*type == 0, "it is still mapped");
  seen it = look(&registry, 0);
  CHECK(it.count == 1, "%zu images", it.count);
  check_records(image_in(&it, library_path("few")), few_records, FEW_COUNT);
  forget(&it);
}

static void registry_goes(void) {
  (void)open_registry();
  close_library(registry_library());
  // This copy's callbacks were unloaded with it.
  void *few = open_library("few");
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  check_records(image_in(&it, library_path("few")), few_records, FEW_COUNT);
  forget(&it);
  close_library(few);
}

// MARK: Images that the library opens

static bool needs(uintptr_t image, uintptr_t library) {
  // The neighboring addresses are no image's base. The array is in ascending order.
  uintptr_t libraries[] = {library - 1, library, library + 1};
  bool is_needed[] = {false, false, false};
  FUNCTION(registry_open_needs)(image, libraries, 3, is_needed);
  CHECK(!is_needed[0] && !is_needed[2], "and no other");
  return is_needed[1];
}

static void opened_by_library(void) {
  registry_functions registry = open_registry();
  char problem[400];
  void *few = FUNCTION(registry_open)(library_path("few"), problem, sizeof problem);
  REQUIRE(few, "%s", problem);
  CHECK(FUNCTION(registry_open)(library_path("few"), problem, sizeof problem) == few, "the same handle");
  CHECK(FUNCTION(registry_close)(few), "closed once");
  seen it = look(&registry, 0);
  const seen_image *image = image_in(&it, library_path("few"));
  check_records(image, few_records, FEW_COUNT);
  void *last = open_library("other");
  CHECK(FUNCTION(registry_open_base)(few) == image->base, "where it is, though another one came later");
  close_library(last);
  forget(&it);
  FUNCTION(registry_pin_swift)();
  CHECK(FUNCTION(registry_close)(few), "closed for good");
  it = look(&registry, 0);
  CHECK(it.count == 0, "there is no Swift in it, so it is unmapped");
  forget(&it);

  void *dependent = open_library("dependent"), *other = open_library("other");
  uintptr_t own = on->base(dependent), library = on->base(few = open_library("few"));
  CHECK(needs(own, library), "it needs that library");
  CHECK(!needs(library, own), "not the other way round");
  CHECK(!needs(own, on->base(other)), "nor another one");
  CHECK(!needs(own, 8), "nor what is none");
  close_library(other);
  close_library(few);
  close_library(dependent);

  problem[0] = 0;
  CHECK(!FUNCTION(registry_open)("/nowhere/libnothing", problem, sizeof problem), "there is no such file");
  CHECK(strstr(problem, "/nowhere/libnothing"), "%s", problem);
  CHECK(!FUNCTION(registry_open)("/nowhere/libnothing", problem, 6) && strlen(problem) == 5, "the words are cut: %s",
        problem);
}

static void pinned_for_swift(void) {
  registry_functions registry = open_registry();
  void *image = open_library("with_swift");
  const char *value = symbol_of(image, "with_swift_value");
  FUNCTION(registry_pin_swift)();
  close_library(image);
  CHECK(*value == 1, "it is still mapped");
  seen it = look(&registry, 0);
  check_records(image_in(&it, library_path("with_swift")), (const char *[]){"{\"module\":\"WithSwift.Module\"}"}, 1);
  forget(&it);
  CHECK(dyld_calls_under_mutex() == 0, "%u calls with a lock held", dyld_calls_under_mutex());
}

// MARK: Many threads

enum { ROUNDS = 150 };

static bool stop_looking;

static void *come_and_go(void *name) {
  for (int round = 0; round < ROUNDS; ++round) {
    void *image = open_library(name);
    close_library(image);
  }
  return NULL;
}

/// Scans until told to stop, and checks that each snapshot has all records of an image or not the
/// image.
static void *keep_looking(void *context) {
  const registry_functions *registry = context;
  unsigned looks = 0;
  while (!__atomic_load_n(&stop_looking, __ATOMIC_ACQUIRE) || looks == 0) {
    seen it = look(registry, 0);
    for (size_t index = 0; index < it.count; ++index) {
      const seen_image *image = &it.images[index];
      size_t expected = strstr(image->path, "libfew") ? FEW_COUNT : strstr(image->path, "libpages") ? 4 : 1;
      CHECK(image->record_count == expected, "%s has %zu records", image->path, image->record_count);
      CHECK(image->problem_count == 0, "%s", image->problems[0].text);
    }
    CHECK(it.count >= 1 && strstr(it.images[0].path, "libother"), "what stays is there");
    forget(&it);
    (void)registry->generation();
    ++looks;
  }
  return NULL;
}

static void churn(void) {
  registry_functions registry = open_registry();
  void *other = open_library("other");
  const void *inside = symbol_of(other, "other_value");
  pthread_t threads[4];
  pthread_create(&threads[0], NULL, come_and_go, "few");
  pthread_create(&threads[1], NULL, come_and_go, "pages");
  pthread_create(&threads[2], NULL, keep_looking, &registry);
  pthread_create(&threads[3], NULL, keep_looking, &registry);
  for (int round = 0; round < ROUNDS; ++round) CHECK(registry.pin(inside), "pinned");
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  __atomic_store_n(&stop_looking, true, __ATOMIC_RELEASE);
  pthread_join(threads[2], NULL);
  pthread_join(threads[3], NULL);
  seen it = look(&registry, 0);
  CHECK(it.count == 1, "%zu images", it.count);
  forget(&it);
  CHECK(dyld_calls_under_mutex() == 0, "dyld or the allocator was called %u times with a lock held that image callbacks acquire",
        dyld_calls_under_mutex());
}

const test_case close_cases[] = {
    {"close", "closing an image removes exactly its records; an older snapshot can still be read", BOTH, close_removes},
    {"reopen", "an image that is closed and opened again has a new serial", BOTH, reopened},
    {"reopen-unseen", "an image that is reopened at the same address has a new serial", MACH_O_ONLY, reopened_unseen},
    {"twice", "an image that is opened twice is listed once until it is closed twice", BOTH, opened_twice},
    {"pin", "a pinned image stays when it is closed", BOTH, pinned},
    {"open", "the library finds the images that it opens, and unmaps those that it closes", BOTH, opened_by_library},
    {"pin-swift", "an image with Swift code stays when it is closed", BOTH, pinned_for_swift},
    {"registry-goes", "RegistryC can be closed, and opened again", BOTH, registry_goes},
    {"churn", "images are opened and closed on two threads while three threads scan and pin", BOTH, churn},
    {0},
};
