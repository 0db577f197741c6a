// Mach-O only: the results on one thread while another thread is inside dyld.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"

#include <mach-o/loader.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FUNCTION(name) ((__typeof__(&name))symbol_of(registry_library(), #name))

static registry_pin_result (*pin_segment)(const void *, registry_segment *);

static registry_pin_result pin(const void *address) {
  registry_segment segment;
  registry_pin_result result = pin_segment(address, &segment);
  CHECK((segment.end != 0) == (result == REGISTRY_PIN_KEPT), "a segment is given for an image that is kept");
  return result;
}

static const char *const slow_records[] = {"{\"module\":\"Slow.Module\"}"};

// MARK: A slow initializer

static sem_t is_inside, may_return;
static registry_functions registry;

static void wait_inside(void) {
  sem_post(&is_inside);
  sem_wait(&may_return);
}

static void *open_slow(void *unused) {
  (void)unused;
  return open_library("slow");
}

/// Opens RegistryC and the gate in a dyld that behaves like dyld 1378.
static void prepare(void (*inside)(void)) {
  dyld_run_initialisers_unlocked();
  sem_init(&is_inside, 0, 0);
  sem_init(&may_return, 0, 0);
  registry = open_registry();
  pin_segment = FUNCTION(registry_image_pin_segment);
  *(void (**)(void))symbol_of(open_library("gate"), "gate_function") = inside;
}

static dyld_image *image_named(const char *name) {
  char *path = realpath(library_path(name), NULL);
  dyld_image *found = NULL;
  for (size_t index = 0; index < dyld_image_count(); ++index) {
    dyld_image *image = dyld_image_number(index);
    if (path && image && strcmp(dyld_path(image), path) == 0) found = image;
  }
  free(path);
  return found;
}

static void on_another_thread(void) {
  prepare(wait_inside);
  void *few = open_library("few");
  pthread_t thread;
  pthread_create(&thread, NULL, open_slow, NULL);
  sem_wait(&is_inside);

  seen it = look(&registry, 0);
  const seen_image *slow = image_in(&it, library_path("slow"));
  check_records(slow, slow_records, 1);
  CHECK(!it.snapshot->is_partial, "every image is listed");
  const void *address = (const void *)slow->records[0].address;
  CHECK(pin(address) == REGISTRY_PIN_REFUSED, "while its initializer runs");
  CHECK(!registry.pin(address), "it is not kept");
  CHECK(pin(symbol_of(few, "few_type")) == REGISTRY_PIN_KEPT, "an image that is ready can be kept meanwhile");
  char on_the_stack = 0;
  CHECK(pin(&on_the_stack) == REGISTRY_PIN_NO_IMAGE, "and an address in no image is in none");
  uint64_t generation = registry.generation();

  sem_post(&may_return);
  void *image;
  pthread_join(thread, &image);
  CHECK(pin(address) == REGISTRY_PIN_KEPT, "once its initializer has returned");
  CHECK(registry.generation() == generation, "and the list of images is the same");
  close_library(image);
  CHECK(*(const int *)symbol_of(image, "slow_value") == 1, "it is still mapped");
  forget(&it);
  CHECK(dyld_calls_under_mutex() == 0, "%u calls with a lock held", dyld_calls_under_mutex());
}

static void pin_inside(void) {
  dyld_image *slow = image_named("slow");
  REQUIRE(slow, "the image is loaded");
  CHECK(pin(dyld_header(slow)) == REGISTRY_PIN_KEPT, "the thread that runs the initializer is not refused");
}

static void on_this_thread(void) {
  prepare(pin_inside);
  void *slow = open_library("slow");
  const int *value = symbol_of(slow, "slow_value");
  close_library(slow);
  CHECK(*value == 1, "it is still mapped");
}

static void *handle;
static uintptr_t base;

static void *find_base(void *unused) {
  base = FUNCTION(registry_open_base)(handle);
  return unused;
}

static void opened_meanwhile(void) {
  prepare(wait_inside);
  char problem[400];
  handle = FUNCTION(registry_open)(library_path("with_swift"), problem, sizeof problem);
  REQUIRE(handle, "%s", problem);
  pthread_t opener, finder;
  pthread_create(&opener, NULL, open_slow, NULL);
  sem_wait(&is_inside);

  const char *value = symbol_of(handle, "with_swift_value");
  uintptr_t slow = (uintptr_t)dyld_header(image_named("slow"));
  FUNCTION(registry_pin_swift)();
  // The search undoes each probe with dlclose, which waits for the other thread.
  pthread_create(&finder, NULL, find_base, NULL);
  usleep(20000);
  sem_post(&may_return);
  pthread_join(finder, NULL);
  CHECK(base == on->base(handle) && base != slow, "the image that was opened is found");

  void *image;
  pthread_join(opener, &image);
  CHECK(FUNCTION(registry_close)(handle), "closed");
  CHECK(*value == 1, "an image with Swift that was ready stays mapped");
  handle = image;
  find_base(NULL);
  CHECK(base == slow, "the other image is found when it is ready");
  close_library(image);
  CHECK(!image_named("slow"), "what was refused was not kept, and nothing is left of the attempt");
}

// MARK: Scans during the registration of callbacks

static registry_functions early;
static seen partial;
/// The number of announced images after which another thread scans.
static size_t scan_after;
static unsigned scans;

static void *scan(void *unused) {
  partial = look(&early, 0);
  return unused;
}

static void scan_meanwhile(size_t announced) {
  if (announced != scan_after) return;
  ++scans;
  dyld_image *image = image_named("RegistryC");
  REQUIRE(image, "RegistryC runs its initializer");
  early = (registry_functions){
      .generation = (uint64_t (*)(void))symbol_of(image, "registry_images_generation"),
      .snapshot = (registry_snapshot * (*)(uint64_t)) symbol_of(image, "registry_images_snapshot"),
      .snapshot_free = (void (*)(registry_snapshot *))symbol_of(image, "registry_snapshot_free"),
      .walk = (registry_walker (*)(const void *, size_t, uint32_t))symbol_of(image, "registry_walk"),
      .walk_next = (registry_step (*)(registry_walker *, registry_item *))symbol_of(image, "registry_walk_next"),
  };
  pthread_t thread;
  pthread_create(&thread, NULL, scan, NULL);
  pthread_join(thread, NULL);
}

static void partial_list(void) {
  void *few = open_library("few");
  void *other = open_library("other");
  scan_after = 1;
  dyld_while_registering(scan_meanwhile);
  registry = open_registry();
  dyld_while_registering(NULL);
  REQUIRE(scans == 1, "%u scans", scans);
  CHECK(partial.count == 1 && image_in(&partial, library_path("few")), "%zu images so far", partial.count);
  CHECK(partial.snapshot->is_partial, "the scan knows that more are to come");
  CHECK(registry.generation() != partial.snapshot->generation, "the generation tells");
  uint64_t generation = registry.generation();
  seen whole = look(&registry, 0);
  CHECK(whole.count == 2 && !whole.snapshot->is_partial, "%zu images in the end", whole.count);
  CHECK(whole.snapshot->generation == generation && registry.generation() == generation, "and nothing changes then");
  forget(&whole);
  forget(&partial);
  close_library(other);
  close_library(few);
}

/// Checks a scan after dyld announced every image, but before the registering call returns.
static void partial_to_the_end(void) {
  void *few = open_library("few");
  scan_after = 2;
  dyld_while_registering(scan_meanwhile);
  registry = open_registry();
  dyld_while_registering(NULL);
  REQUIRE(scans == 1, "%u scans", scans);
  CHECK(partial.snapshot->is_partial && partial.snapshot->image_count == 2, "the scan does not know that it saw all");
  CHECK(registry.generation() != partial.snapshot->generation, "the generation tells");
  forget(&partial);
  close_library(few);
}

// MARK: Dependencies

/// Opens a copy of libdependent that names its library with another load command.
static void *open_dependent(uint32_t command_number, char *path, size_t size) {
  FILE *file = fopen(library_path("dependent"), "rb");
  REQUIRE(file, "the library");
  static uint8_t contents[1 << 20];
  size_t length = fread(contents, 1, sizeof contents, file);
  fclose(file);
  uint8_t *at = contents + sizeof(struct mach_header_64);
  unsigned changed = 0;
  for (uint32_t index = 0; index < ((struct mach_header_64 *)(void *)contents)->ncmds; ++index) {
    struct dylib_command *command = (void *)at;
    at += command->cmdsize;
    if (command->cmd == LC_LOAD_DYLIB && strstr((char *)command + command->dylib.name.offset, "libfew")) {
      command->cmd = command_number;
      ++changed;
    }
    // Rename the copy, so that it counts as another image than libdependent.
    if (command->cmd == LC_ID_DYLIB) ((char *)command)[command->dylib.name.offset] = (char)('a' + command_number % 26);
  }
  REQUIRE(changed == 1, "%u load commands", changed);
  snprintf(path, size, "%s/dependent-%d", folder, (int)getpid());
  file = fopen(path, "wb");
  REQUIRE(file && fwrite(contents, 1, length, file) == length && fclose(file) == 0, "%s", path);
  void *image = open_path(path);
  unlink(path);
  return image;
}

static void ways_to_depend(void) {
  (void)open_registry();
  static const uint32_t commands[] = {LC_LOAD_DYLIB,        LC_LOAD_WEAK_DYLIB, LC_REEXPORT_DYLIB,
                                      LC_LOAD_UPWARD_DYLIB, LC_LAZY_LOAD_DYLIB};
  for (size_t index = 0; index < sizeof commands / sizeof commands[0]; ++index) {
    char path[4096];
    void *dependent = open_dependent(commands[index], path, sizeof path);
    uintptr_t library = on->base(image_named("few"));
    bool is_needed = false;
    FUNCTION(registry_open_needs)(on->base(dependent), &library, 1, &is_needed);
    CHECK(is_needed, "load command %#x", commands[index]);
    close_library(dependent);
  }
}

const test_case loading_cases[] = {
    {"initialised-elsewhere", "an image whose initializer another thread runs is listed, and then pinned",
     MACH_O_ONLY, on_another_thread},
    {"initialised-here", "the thread that runs an image's initializer can pin it", MACH_O_ONLY, on_this_thread},
    {"opened-meanwhile", "an opened image is found and kept while another thread runs an initializer", MACH_O_ONLY,
     opened_meanwhile},
    {"partial", "a scan while callbacks are registered is partial, and completing the list changes the generation",
     MACH_O_ONLY, partial_list},
    {"partial-to-the-end", "the same applies when all images were announced", MACH_O_ONLY, partial_to_the_end},
    {"ways-to-depend", "every load command that names a library makes it a dependency", MACH_O_ONLY, ways_to_depend},
    {0},
};
