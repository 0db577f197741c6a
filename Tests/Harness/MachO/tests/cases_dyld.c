// Mach-O only: the tests' dyld behaves as dyld's documentation says, and RegistryC handles its less
// common behavior.

#define _GNU_SOURCE

#include "test.h"

#include "image.h"

#include <string.h>

// MARK: Callbacks

/// Checks the events that the image observer records, each with its image.
static void callbacks(void) {
  void *none = open_library("none");
  void *few = open_library("few");
  void *observer = open_library("observer");
  const struct {
    char what;
    const void *image;
  } *events = symbol_of(observer, "observer_events");
  const int *count = symbol_of(observer, "observer_count");
#define EVENT(index, what_, image_) (events[index].what == what_ && events[index].image == image_)
  CHECK(*count == 3 && EVENT(0, '+', dyld_header(none)) && EVENT(1, '+', dyld_header(few)) &&
            EVENT(2, '+', dyld_header(observer)),
        "a callback is called at once for all that is there, in load order");

  void *noisy = open_library("noisy");
  const void *header = dyld_header(noisy);
  CHECK(EVENT(3, '+', header) && EVENT(4, 'i', header), "an image is announced before it is initialised");
  close_library(noisy);
  CHECK(*count == 7 && EVENT(5, 't', header) && EVENT(6, '-', header),
        "an image is terminated, then announced as going, then unmapped");
  CHECK(!dyld_image_at(header), "and then it is gone");

  void *noisier = open_library("noisier");
  header = dyld_header(noisier);
  const void *inner = events[8].image;
  CHECK(*count == 11 && EVENT(7, '+', header) && inner != header, "an image is announced before what it depends on");
  CHECK(EVENT(9, 'i', inner) && EVENT(10, 'i', header), "and initialised after it");
  close_library(noisier);
  CHECK(*count == 15 && EVENT(11, 't', header) && EVENT(12, 't', inner), "and terminated before it");

  // An image that registered a callback stays loaded.
  close_library(observer);
  close_library(open_library("other"));
  CHECK(*count == 17, "it is called as before: %d", *count);
  close_library(few);
  close_library(none);
  CHECK(dyld_image_count() == 1 && dyld_image_at(events), "%zu", dyld_image_count());
}

static void announced_twice(void) {
  open_registry();
  void *few = open_library("few");
  uint64_t generation = current_generation();
  dyld_announce(few);
  CHECK(current_generation() == generation && image_count() == 1, "nothing new came");
  close_library(few);
  CHECK(image_count() == 0, "and closing it removes it");
  CHECK(dyld_calls_under_mutex() == 0, "dyld or the allocator was called %u times with RegistryC's lock held",
        dyld_calls_under_mutex());
}

static void in_the_cache(void) {
  open_registry();
  uint64_t generation = current_generation();
  void *cached = open_library("few_cached");
  const struct mach_header_64 *header = dyld_header(cached);
  REQUIRE(header->flags & MH_DYLIB_IN_CACHE, "it is flagged");
  CHECK(current_generation() == generation && image_count() == 0, "nothing of ours came");
  CHECK(pin(symbol_of(cached, "few_type")), "what is in the cache stays anyway");
  close_library(cached);
  CHECK(dyld_image_count() == 1, "so nothing was done to keep it");
}

static void without_memory(void) {
  open_registry();
  void *few = open_library("few");
  dyld_fail_allocations(true);
  CHECK(!FUNCTION(registry_images_snapshot)(0), "no snapshot without memory");
  void *other = open_library("other");
  dyld_fail_allocations(false);
  find_few();
  CHECK(image_count() == 1, "what came without memory stays unknown");
  close_library(other);
  close_library(few);
}

// MARK: Linking

static void optional(void) {
  void *image = open_library("optional");
  CHECK(((int (*)(void))symbol_of(image, "optional_value"))() == -1, "what is missing is null");
  int (*count)(void) = (int (*)(void))symbol_of(image, "optional_count");
  CHECK(count() == 5 && count() == 6, "a thread-local variable begins with its value");
  close_library(image);
}

/// Checks that a file cannot be opened and that the problem contains two phrases.
static void refused(const char *path, const char *word, const char *other_word) {
  CHECK(!dyld_open(path), "%s was opened", path);
  CHECK(strstr(dyld_problem(), word) && strstr(dyld_problem(), other_word), "%s", dyld_problem());
  CHECK(dyld_image_count() == 0, "nothing is left behind");
}

static void missing(void) {
  refused(library_path("wants"), "libwants.dylib: symbol _missing_value is not in", "libnone.dylib");
  refused("/nonexistent/liba.dylib", "/nonexistent/liba.dylib", "no such file");
  refused("/proc/self/exe", "/runner", "is not a Mach-O file");
  void *few = open_library("few");
  CHECK(!dyld_symbol(few, "nothing") && strstr(dyld_problem(), "_nothing"), "%s", dyld_problem());
  close_library(few);
  CHECK(!dyld_close(few), "an image is closed as often as it was opened");
}

const test_case dyld_cases[] = {
    {"callbacks", "dyld calls the callbacks, and keeps the image that contains them", MACH_O_ONLY, callbacks},
    {"announced-twice", "an image announced twice is listed once, and nothing is called with a lock held", MACH_O_ONLY, announced_twice},
    {"in-the-cache", "an image of the shared cache is skipped, and counts as pinned", MACH_O_ONLY, in_the_cache},
    {"without-memory", "without memory, there is no snapshot and no crash", MACH_O_ONLY, without_memory},
    {"optional", "a weak import that is missing is null, and thread-local variables have values", MACH_O_ONLY, optional},
    {"missing", "a missing library or symbol is named with the image that needs it", MACH_O_ONLY, missing},
    {0},
};
