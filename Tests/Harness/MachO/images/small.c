// The images that need only a few lines. The script make compiles this file once for each of them,
// and defines IMAGE_ and the image's name.

#include "by_hand.h"
#include "registry_export.h"
#include "registry_images.h"

#include <string.h>

// MARK: Records and dependencies

#if defined(IMAGE_none)
EXPORTED int none_value(void) { return 1; }

#elif defined(IMAGE_other)
REGISTRY_EXPORT_MODULE(Other.Module)
EXPORTED int other_value(void) { return 7; }

// An image with a dependency that has records too.
#elif defined(IMAGE_dependent)
REGISTRY_EXPORT_MODULE(Dependent.Module, after(Few.First))
int few_value(void);
EXPORTED int dependent_value(void) { return few_value() + 1; }

// An image that contains what the Swift compiler writes into every image and RegistryC recognizes,
// but no Swift code.
#elif defined(IMAGE_with_swift)
REGISTRY_EXPORT_MODULE(WithSwift.Module)
#if defined(__MACH__)
__attribute__((section("__TEXT,__swift5_types"), used)) static const int type_reference = 0;
#else
void swift_addNewDSOImage(void) __attribute__((weak));
EXPORTED void (*const with_swift_initialiser)(void) = swift_addNewDSOImage;
#endif
EXPORTED char with_swift_value = 1;

// Two members of a static library, and an image that refers to one of them.
#elif defined(IMAGE_member_used)
REGISTRY_EXPORT_MODULE(Archive.Used)
int member_used(void);
int member_used(void) { return 1; }

#elif defined(IMAGE_member_unused)
REGISTRY_EXPORT_MODULE(Archive.Unused)
int member_unused(void);
int member_unused(void) { return 2; }

#elif defined(IMAGE_archive_user)
int member_used(void);
EXPORTED int archive_value(void) { return member_used(); }

// MARK: Initializers that scan

// An image that is linked with its own RegistryC. Its initializer precedes RegistryC's, so its query
// comes before RegistryC is initialized.
#elif defined(IMAGE_copy)
REGISTRY_EXPORT_MODULE(Copy.COPY)
EXPORTED size_t copy_saw_at_start = 0;
__attribute__((constructor)) static void ask_early(void) {
  registry_snapshot *snapshot = registry_images_snapshot(0);
  if (snapshot) copy_saw_at_start = snapshot->image_count;
  registry_snapshot_free(snapshot);
}

// An image that scans before it is completely loaded: the number of images that it found, and
// whether it was one of them, with its record.
#elif defined(IMAGE_eager)
REGISTRY_EXPORT_MODULE(Eager.Module)
EXPORTED size_t eager_saw = 0;
EXPORTED bool eager_saw_itself = false;
__attribute__((constructor)) static void look(void) {
  registry_snapshot *snapshot = registry_images_snapshot(0);
  if (!snapshot) return;
  eager_saw = snapshot->image_count;
  for (size_t index = 0; index < snapshot->image_count; ++index) {
    const registry_image *image = &snapshot->images[index];
    eager_saw_itself |= strstr(image->path, "/libeager.") && image->section_count == 1;
  }
  registry_snapshot_free(snapshot);
}

// MARK: Initializers that take time, and a Swift runtime (Mach-O)

// An image that lets a test run code inside the initializer of the next one, which has records and
// Swift metadata.
#elif defined(IMAGE_gate)
EXPORTED void (*gate_function)(void) = 0;

#elif defined(IMAGE_slow)
REGISTRY_EXPORT_MODULE(Slow.Module)
extern void (*gate_function)(void);
EXPORTED int slow_value = 1;
__attribute__((section("__TEXT,__swift5_types"), used)) static const int swift_types[] = {0};
__attribute__((constructor)) static void start(void) {
  if (gate_function) gate_function();
}

// A stand-in for the Swift runtime's function that RegistryC calls. The test determines its result:
// runtime_current is the executor that runs the current job.
#elif defined(IMAGE_swift_runtime)
EXPORTED uintptr_t runtime_current = 0;
EXPORTED uint64_t runtime_flags = 0;
EXPORTED int runtime_calls = 0;
EXPORTED __attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(void *identity, uintptr_t implementation,
                                                                               uint64_t flags);
bool swift_task_isCurrentExecutorWithFlags(void *identity, uintptr_t implementation, uint64_t flags) {
  runtime_flags = flags;
  ++runtime_calls;
  return (uintptr_t)identity + implementation == runtime_current;
}

// MARK: The behavior of dyld (Mach-O)

// An image that records dyld's callbacks: '+' loaded, '-' about to be unloaded, 'i' initialized, or
// 't' terminated.
#elif defined(IMAGE_observer)
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
EXPORTED struct {
  char what;
  const void *image;
} observer_events[64];
EXPORTED int observer_count = 0;
EXPORTED void observer_note(char what, const void *image) {
  observer_events[observer_count % 64].what = what;
  observer_events[observer_count++ % 64].image = image;
}
static void came(const struct mach_header *header, intptr_t slide) { observer_note(slide ? '+' : '?', header); }
static void went(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  // The header must still be readable.
  observer_note(header->magic == MH_MAGIC_64 ? '-' : '?', header);
}
__attribute__((constructor)) static void start(void) {
  _dyld_register_func_for_add_image(came);
  _dyld_register_func_for_remove_image(went);
}

// An image that reports its initialization and termination to the observer.
#elif defined(IMAGE_noisy)
void observer_note(char what, const void *image);
extern const char own_header[] __asm("__mh_dylib_header");
__attribute__((constructor)) static void begin(void) { observer_note('i', own_header); }
__attribute__((destructor)) static void end(void) { observer_note('t', own_header); }

// A library that is absent when two images that link it are loaded. One of them needs its symbol;
// the other one has initialized thread-local variables.
#elif defined(IMAGE_missing)
EXPORTED int missing_value(void) { return 3; }

#elif defined(IMAGE_wants)
int missing_value(void);
EXPORTED int wants_value(void) { return missing_value(); }

#elif defined(IMAGE_optional)
__attribute__((weak_import)) int missing_value(void);
EXPORTED int optional_value(void) { return missing_value ? missing_value() : -1; }
static _Thread_local int counter = 5;
static _Thread_local char room[24];
EXPORTED int optional_count(void) { return counter++ + room[0]; }

#else
#error "define the image"
#endif
