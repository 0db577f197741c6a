// Mach-O only: the results on one thread while another thread is inside dyld.

#define _GNU_SOURCE

#include "test.h"

#include "image.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static registry_pin_result (*pin_segment)(const void *, registry_segment *);

static registry_pin_result pin_now(const void *address) {
  registry_segment segment;
  registry_pin_result result = pin_segment(address, &segment);
  CHECK((segment.end != 0) == (result == REGISTRY_PIN_KEPT), "a segment is given for an image that is kept");
  return result;
}

// MARK: A slow initializer

static sem_t is_inside, may_return;

static void wait_inside(void) {
  sem_post(&is_inside);
  sem_wait(&may_return);
}

static void *open_slow(void *unused) {
  (void)unused;
  return open_library("slow");
}

/// Opens RegistryC and the gate in a dyld that behaves like dyld 1378.
static void prepare(void) {
  dyld_run_initialisers_unlocked();
  sem_init(&is_inside, 0, 0);
  sem_init(&may_return, 0, 0);
  open_registry();
  pin_segment = FUNCTION(registry_image_pin_segment);
  *(void (**)(void))symbol_of(open_library("gate"), "gate_function") = wait_inside;
}

static dyld_image *image_named(const char *name) {
  char *path = realpath(library_path(name), NULL);
  dyld_image *found = NULL;
  for (size_t index = 0; index < dyld_image_count(); ++index) {
    dyld_image *image = dyld_image_number(index);
    if (path && image && strcmp(image->path, path) == 0) found = image;
  }
  free(path);
  return found;
}

static void on_another_thread(void) {
  prepare();
  void *few = open_library("few");
  pthread_t thread;
  pthread_create(&thread, NULL, open_slow, NULL);
  sem_wait(&is_inside);

  seen it = look(0);
  check_record(&it, "slow", "{\"module\":\"Slow.Module\"}");
  CHECK(!it.snapshot->is_partial, "every image is listed");
  const void *address = (const void *)image_in(&it, "slow")->records[0].address;
  CHECK(pin_now(address) == REGISTRY_PIN_REFUSED, "while its initializer runs");
  CHECK(!pin(address), "it is not kept");
  CHECK(pin_now(symbol_of(few, "few_type")) == REGISTRY_PIN_KEPT, "an image that is ready can be kept meanwhile");
  char on_the_stack = 0;
  CHECK(pin_now(&on_the_stack) == REGISTRY_PIN_NO_IMAGE, "and an address in no image is in none");
  uint64_t generation = current_generation();

  sem_post(&may_return);
  void *image;
  pthread_join(thread, &image);
  CHECK(pin_now(address) == REGISTRY_PIN_KEPT, "once its initializer has returned");
  CHECK(current_generation() == generation, "and the list of images is the same");
  close_library(image);
  CHECK(*(const int *)symbol_of(image, "slow_value") == 1, "it is still mapped");
  forget(&it);
  CHECK(dyld_calls_under_mutex() == 0, "%u calls with a lock held", dyld_calls_under_mutex());
}

static void *handle;
static uintptr_t base;

static void *find_base(void *unused) {
  base = FUNCTION(registry_open_base)(handle);
  return unused;
}

static void opened_meanwhile(void) {
  prepare();
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

static seen partial;
/// The number of announced images after which another thread scans.
static size_t scan_after;
static unsigned scans;

static void *scan(void *unused) {
  partial = look(0);
  return unused;
}

static void scan_meanwhile(size_t announced) {
  if (announced != scan_after) return;
  ++scans;
  // RegistryC runs its initializer. Opening it again only finds its functions.
  open_registry();
  pthread_t thread;
  pthread_create(&thread, NULL, scan, NULL);
  pthread_join(thread, NULL);
}

/// Scans while RegistryC registers its callbacks.
///
/// By then, dyld has announced some images, the last of which is RegistryC itself.
static void check_partial(size_t announced, size_t expected) {
  void *few = open_library("few");
  void *other = open_library("other");
  scan_after = announced;
  dyld_while_registering(scan_meanwhile);
  open_registry();
  dyld_while_registering(NULL);
  REQUIRE(scans == 1, "%u scans", scans);
  CHECK(partial.count == expected && image_in(&partial, "few"), "%zu images so far", partial.count);
  CHECK(partial.snapshot->is_partial, "the scan does not know whether it saw all");
  CHECK(current_generation() != partial.snapshot->generation, "the generation tells");
  uint64_t generation = current_generation();
  seen whole = look(0);
  CHECK(whole.count == 2 && !whole.snapshot->is_partial, "%zu images in the end", whole.count);
  CHECK(whole.snapshot->generation == generation && current_generation() == generation, "and nothing changes then");
  forget(&whole);
  forget(&partial);
  close_library(other);
  close_library(few);
}

static void partial_list(void) { check_partial(1, 1); }
static void partial_to_the_end(void) { check_partial(3, 2); }

// MARK: Dependencies

/// Checks the ways in which a load command can name a library, by changing it in memory.
static void ways_to_depend(void) {
  open_registry();
  void *dependent = open_library("dependent");
  struct mach_header_64 *header = (struct mach_header_64 *)dyld_header(dependent);
  REQUIRE(mprotect(header, 4096, PROT_READ | PROT_WRITE) == 0, "the header can be written");
  struct load_command *command = (struct load_command *)(header + 1);
  while (command->cmd != LC_LOAD_DYLIB) command = (struct load_command *)((char *)command + command->cmdsize);
  uintptr_t library = on->base(image_named("few"));
  static const uint32_t commands[] = {LC_LOAD_DYLIB,        LC_LOAD_WEAK_DYLIB, LC_REEXPORT_DYLIB,
                                      LC_LOAD_UPWARD_DYLIB, LC_LAZY_LOAD_DYLIB, LC_UUID};
  for (size_t index = 0; index < sizeof commands / sizeof commands[0]; ++index) {
    command->cmd = commands[index];
    bool is_needed = false;
    FUNCTION(registry_open_needs)(on->base(dependent), &library, 1, &is_needed);
    CHECK(is_needed == (commands[index] != LC_UUID), "load command %#x", commands[index]);
  }
  CHECK(dyld_calls_under_mutex() == 0, "%u calls with a lock held", dyld_calls_under_mutex());
  close_library(dependent);
}

const test_case loading_cases[] = {
    {"initialised-elsewhere", "an image whose initializer another thread runs is listed, and then pinned",
     MACH_O_ONLY, on_another_thread},
    {"opened-meanwhile", "an opened image is found and kept while another thread runs an initializer", MACH_O_ONLY,
     opened_meanwhile},
    {"partial", "a scan while callbacks are registered is partial, and completing the list changes the generation",
     MACH_O_ONLY, partial_list},
    {"partial-to-the-end", "the same applies when all images were announced", MACH_O_ONLY, partial_to_the_end},
    {"ways-to-depend", "every load command that names a library makes it a dependency", MACH_O_ONLY, ways_to_depend},
    {0},
};
