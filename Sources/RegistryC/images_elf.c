// Loaded images and their records on ELF systems: `dl_iterate_phdr` and PT_NOTE segments.
//
// A snapshot takes two passes over the loader's list, one that counts and one that copies. The
// allocation is in between, so none happens while the loader's lock is held. If the list changes in
// the meantime, the snapshot starts over.
//
// Locks: the loader's first, ours inside it (from the first callback on), never in the other order.
// In Bionic, the loader holds its lock while constructors run, and those may call this code. glibc
// has two locks: `dl_iterate_phdr` and `_dl_find_object` do not wait for constructors, and every
// other function does. So only code that opens images, and the helper that pins them, call others.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "registry_open.h"
#include "snapshot.h"

#if defined(__ELF__)

#include <dlfcn.h>
#include <link.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#include <sys/syscall.h>
#endif

// Weak, because a C library may keep them in another library (libdl of glibc before 2.34) or lack
// them in static programs. Without them, nothing can be opened or closed.
#pragma weak dladdr
#pragma weak dlinfo
#pragma weak dlopen

/// A function of glibc 2.35 and later, which older headers do not declare. It finds an image once
/// the image is relocated, and acquires no lock. The result has less than 128 bytes.
extern int dl_find_object(void *address, void *result) __asm__("_dl_find_object") __attribute__((weak));

#if defined(__GLIBC__)
/// A variable of glibc 2.32 and later.
extern char is_single_threaded __asm__("__libc_single_threaded") __attribute__((weak));
#endif

#include "own_copy.h"

/// Fuzzers, whose images are not known to the loader, set it to null.
static int (*find_object)(void *address, void *result) = dl_find_object;

/// An image with records that the last scan found.
typedef struct known_image {
  uintptr_t base;
  uint64_t serial;
  /// A hash of its path and its records.
  uint64_t identity;
  /// The last scan that found it.
  uint64_t scan;
} known_image;

static struct {
  pthread_mutex_t lock;
  known_image *images;
  size_t count;
  size_t capacity;
  uint64_t last_serial;
  uint64_t scans;
  /// The number of images that had ever been closed at the last scan.
  uint64_t closed;
  /// The most likely index of the next image. The loader lists images in the order of this table,
  /// and a pass over a thousand images should not search a thousand times.
  size_t next;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// A pass over the loader's list.
typedef struct pass {
  uint64_t after;
  /// Null in the pass that counts.
  registry_block *block;
  registry_needs needs;
  /// The index of the image in the loader's list.
  size_t index;
  /// The number of images that no earlier scan has found.
  size_t unknown;
  /// Set if an image was left out because the loader has not relocated it.
  bool is_partial;
  bool locked;
  bool counts_changes;
  /// Set by the pass that copies if the list is not the one that was counted.
  bool changed;
  uint64_t scan;
  uint64_t closed;
  uint64_t generation;
  uint64_t expected_generation;
} pass;

/// Updates a number that changes with every image that is loaded or unloaded. A loader that does
/// not count them (Bionic before API 30) shows that by a shorter structure. The number is then a
/// hash of the list, so a later number need not be a larger one.
static bool add_to_generation(uint64_t *generation, const struct dl_phdr_info *info, size_t size) {
  if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
    *generation = (uint64_t)info->dlpi_adds + (uint64_t)info->dlpi_subs + 1;
    return true;
  }
  // Include the name, because another image may be loaded at the address of one that was closed.
  uint64_t hash = registry_hash_text(info->dlpi_name ? info->dlpi_name : "");
  *generation = (*generation + 1 + (uint64_t)info->dlpi_addr + hash) * 0x9e3779b97f4a7c15u | 1;
  return false;
}

static int generation_callback(struct dl_phdr_info *info, size_t size, void *context) {
  return add_to_generation(context, info, size);
}

uint64_t registry_images_generation(void) {
  uint64_t generation = 0;
  dl_iterate_phdr(generation_callback, &generation);
  return generation ? generation : 1;
}

// MARK: Segments

/// A range of an image that is mapped and readable.
typedef struct range {
  uintptr_t start;
  uintptr_t end;
  uint32_t alignment;
} range;

/// Returns whether a segment of the image covers the range. The notes of a damaged file can be
/// anywhere.
static bool is_mapped(const struct dl_phdr_info *info, uintptr_t start, uintptr_t end) {
  for (size_t index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_R)) continue;
    uintptr_t from = info->dlpi_addr + header->p_vaddr;
    if (start >= from && start - from <= header->p_memsz && end - from <= header->p_memsz) return true;
  }
  return false;
}

/// Gets the note segment at an index as a range. Returns false for other segments, and for a range
/// that cannot contain notes.
static bool note_range(const struct dl_phdr_info *info, size_t index, range *notes) {
  const ElfW(Phdr) *header = &info->dlpi_phdr[index];
  if (header->p_type != PT_NOTE) return false;
  notes->start = info->dlpi_addr + header->p_vaddr;
  notes->end = notes->start + header->p_memsz;
  notes->alignment = header->p_align >= 8 ? 8 : 4;
  return notes->start % 4 == 0 && notes->start < notes->end && is_mapped(info, notes->start, notes->end);
}

/// Finds the first range of notes at `from` or above. Overlapping segments, which gold writes, form
/// one range, so that no byte is in two. The range has the larger alignment, with which the walker
/// accepts either.
static bool next_range(const struct dl_phdr_info *info, uintptr_t from, range *found) {
  bool any = false;
  range notes;
  for (size_t index = 0; index < info->dlpi_phnum; ++index) {
    if (!note_range(info, index, &notes) || notes.end <= from) continue;
    if (notes.start < from) notes.start = from;
    if (!any || notes.start < found->start) *found = notes;
    any = true;
  }
  for (bool grew = any; grew;) {
    grew = false;
    for (size_t index = 0; index < info->dlpi_phnum; ++index) {
      if (!note_range(info, index, &notes)) continue;
      bool overlaps = notes.start < found->end && notes.end > found->start;
      if (!overlaps || (notes.end <= found->end && notes.alignment <= found->alignment)) continue;
      if (notes.end > found->end) found->end = notes.end;
      if (notes.alignment > found->alignment) found->alignment = notes.alignment;
      grew = true;
    }
  }
  return any;
}

/// Finds the next range that contains records. `at` is zero-initialized for the first one.
static bool next_records(const struct dl_phdr_info *info, range *at) {
  while (next_range(info, at->end, at)) {
    if (registry_holds_records(at->start, at->end - at->start)) return true;
  }
  return false;
}

/// Returns the base address of the image, as `dladdr` reports it.
static uintptr_t base_of(const struct dl_phdr_info *info) {
  uintptr_t lowest = UINTPTR_MAX;
  for (size_t index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type == PT_LOAD && header->p_vaddr < lowest) lowest = header->p_vaddr;
  }
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  return info->dlpi_addr + (lowest == UINTPTR_MAX ? 0 : lowest & ~(page - 1));
}

// MARK: Known images

static uint64_t identity_of(const struct dl_phdr_info *info, const char *path) {
  uint64_t hash = registry_hash_text(path);
  for (range at = {0}; next_records(info, &at);) hash = registry_hash_range(hash, at.start, at.end - at.start);
  return hash;
}

/// Returns the index of the image with a base, or the number of images if there is none.
static size_t index_of(uintptr_t base) {
  for (size_t step = 0; step < table.count; ++step) {
    size_t position = table.next + step < table.count ? table.next + step : (table.next + step) % table.count;
    if (table.images[position].base != base) continue;
    table.next = position + 1;
    return position;
  }
  return table.count;
}

/// Returns the entry of an image that the last scan found, if it is the same load of the image.
static known_image *known(const pass *pass, const struct dl_phdr_info *info, uintptr_t base,
                          const char *path) {
  size_t position = index_of(base);
  if (position == table.count) return NULL;
  known_image *image = &table.images[position];
  // If no image was closed, no other image can be at its address.
  if (pass->counts_changes && pass->closed == table.closed) return image;
  return image->identity == identity_of(info, path) ? image : NULL;
}

/// Adds an image at its first scan. Returns null if there is no room, so that the caller makes room
/// and starts over.
static known_image *enter(uintptr_t base, uint64_t identity) {
  // A known base belongs to an image that was closed, which is replaced.
  size_t position = index_of(base);
  if (position == table.count) {
    if (table.count == table.capacity) return NULL;
    ++table.count;
  }
  table.images[position] = (known_image){.base = base, .serial = ++table.last_serial, .identity = identity};
  return &table.images[position];
}

static void keep_images_of(uint64_t scan) {
  size_t kept = 0;
  for (size_t index = 0; index < table.count; ++index) {
    if (table.images[index].scan == scan) table.images[kept++] = table.images[index];
  }
  table.count = kept;
}

/// The path of the program when it was first needed, because the path is a part of the identity.
/// The file can be replaced, deleted, or hidden while the program runs.
static char program_path[4096];

static void read_program_path(void) {
#if defined(__linux__)
  static const char deleted[] = " (deleted)";
  size_t suffix = sizeof deleted - 1;
  ssize_t length = readlink("/proc/self/exe", program_path, sizeof program_path - 1);
  if (length > (ssize_t)suffix && memcmp(program_path + length - suffix, deleted, suffix) == 0) length -= suffix;
  if (length > 0) {
    program_path[length] = 0;
    return;
  }
  const char *started_as = (const char *)getauxval(AT_EXECFN);
  if (started_as && strlen(started_as) < sizeof program_path) strcpy(program_path, started_as);
#endif
}

// MARK: Passes

/// Acquires our lock in the first callback, inside the loader's lock.
static void begin(pass *pass, const struct dl_phdr_info *info, size_t size) {
  pass->counts_changes = add_to_generation(&pass->generation, info, size);
  pass->closed = pass->counts_changes ? info->dlpi_subs : 0;
  if (pass->locked) return;
  pthread_mutex_lock(&table.lock);
  pass->locked = true;
  pass->scan = ++table.scans;
  table.next = 0;
}

/// Returns whether the loader has relocated an image, which it lists earlier. An accessor that is
/// not relocated looks like none. Other loaders list only relocated images.
static bool is_relocated(uintptr_t base) {
  uint64_t result[16];
  return !find_object || find_object((void *)base, result) == 0;
}

static int pass_callback(struct dl_phdr_info *info, size_t size, void *context) {
  pass *pass = context;
  begin(pass, info, size);
  if (pass->block && pass->counts_changes && pass->generation != pass->expected_generation) {
    pass->changed = true;
    return 1;
  }

  bool is_program = pass->index++ == 0;
  range at = {0};
  if (!next_records(info, &at)) return 0;
  // The program is first. Its name is empty (glibc) or the name that it was started with (musl).
  const char *path = is_program && *program_path ? program_path : info->dlpi_name;
  if (!path) path = "";
  size_t length = registry_text_length(path);
  uintptr_t base = base_of(info);
  known_image *entry = known(pass, info, base, path);
  if (!entry && !is_relocated(base)) {
    pass->is_partial = true;
    return 0;
  }
  bool wanted = !entry || entry->serial > pass->after;

  if (!pass->block) {
    registry_need_image(&pass->needs, length);
    if (!entry) ++pass->unknown;
    if (!wanted) return 0;
    do registry_need_section(&pass->needs, at.start, at.end - at.start);
    while (next_records(info, &at));
    return 0;
  }

  if (!entry) entry = enter(base, identity_of(info, path));
  registry_image *image =
      entry ? registry_block_add_image(pass->block, entry->serial, base, path, length) : NULL;
  pass->changed = !image;
  if (pass->changed) return 1;
  entry->scan = pass->scan;
  if (!wanted) return 0;
  do {
    pass->changed = !registry_block_add_section(pass->block, image, at.start, at.end - at.start, at.alignment);
  } while (!pass->changed && next_records(info, &at));
  return pass->changed;
}

static void run(pass *pass) {
  dl_iterate_phdr(pass_callback, pass);
  if (!pass->locked) return;
  if (pass->block && pass->generation != pass->expected_generation) pass->changed = true;
  if (pass->block && !pass->changed) {
    keep_images_of(pass->scan);
    table.closed = pass->closed;
  }
  pthread_mutex_unlock(&table.lock);
}

/// Makes room for additional known images. Allocates without the lock.
static bool make_room(size_t more) {
  for (;;) {
    pthread_mutex_lock(&table.lock);
    size_t wanted = table.count + more, capacity = table.capacity;
    pthread_mutex_unlock(&table.lock);
    if (wanted <= capacity) return true;
    wanted += wanted / 2;
    known_image *images = malloc(wanted * sizeof *images);
    if (!images) return false;
    pthread_mutex_lock(&table.lock);
    known_image *old = images;
    if (table.capacity < wanted) {
      if (table.count > 0) memcpy(images, table.images, table.count * sizeof *images);
      old = table.images;
      table.images = images;
      table.capacity = wanted;
    }
    pthread_mutex_unlock(&table.lock);
    free(old);
  }
}

/// Waits until every `dlopen` on another thread has finished, and with it the relocation of the
/// images that it opens. `dladdr` acquires the lock that `dlopen` holds, and has no other effect
/// for an address on the stack.
static void wait_for_loader(void) {
  Dl_info info = {0};
  if (dladdr) (void)dladdr(&info, &info);
}

registry_snapshot *registry_images_snapshot(uint64_t after) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, read_program_path);
  for (;;) {
    pass count = {.after = after};
    run(&count);
    if (count.unknown > 0) {
      if (!make_room(count.unknown)) return NULL;
      if (!find_object) wait_for_loader();
    }
    registry_block block;
    if (!registry_block_create(&block, count.needs)) return NULL;
    pass copy = {.after = after, .block = &block};
    copy.expected_generation = count.generation;
    run(&copy);
    if (!copy.changed) {
      uint64_t generation = copy.generation ? copy.generation : 1;
      // No later generation has this value, so the next scan looks for the image that was left out.
      block.snapshot->generation = copy.is_partial ? ~generation : generation;
      return block.snapshot;
    }
    registry_snapshot_free(block.snapshot);
  }
}

// MARK: Pinning

/// The image that contains an address.
typedef struct owner {
  uintptr_t address;
  size_t index;
  uintptr_t base;
  /// A hash of the path.
  uint64_t path;
  registry_segment segment;
  bool found;
} owner;

static int owner_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  owner *owner = context;
  for (size_t index = 0; index < info->dlpi_phnum && !owner->found; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    owner->found = header->p_type == PT_LOAD && owner->address - start < header->p_memsz;
    if (owner->found) owner->segment = (registry_segment){start, start + header->p_memsz};
  }
  if (!owner->found) {
    ++owner->index;
    return 0;
  }
  owner->base = base_of(info);
  owner->path = registry_hash_text(info->dlpi_name ? info->dlpi_name : "");
  return 1;
}

static owner owner_of(const void *address) {
  owner owner = {.address = (uintptr_t)address};
  dl_iterate_phdr(owner_callback, &owner);
  return owner;
}

// musl never unmaps an image. Its `dlopen` finds a loaded image by name only while the name still
// leads to the image's file, so a pin would fail after a `chdir` or once the file is deleted.
#if defined(__linux__) && !defined(__GLIBC__) && !defined(__BIONIC__) && !defined(__UCLIBC__)
enum { LOADER_NEVER_UNMAPS = true };
#else
enum { LOADER_NEVER_UNMAPS = false };
#endif

/// The number of pauses after which a thread stops waiting for a helper that is blocked. A helper that
/// was waited for in vain is not waited for again.
enum { PAUSES = 60 };
static const struct timespec pause_length = {.tv_nsec = 100 * 1000};

/// An image that was pinned. No other image is ever at its base.
typedef struct pinned_image {
  struct pinned_image *next;
  uintptr_t base;
} pinned_image;

static struct {
  pthread_mutex_t lock;
  pinned_image *first;
  /// The image that the helper pins.
  owner wanted;
  bool has_helper;
  /// The kernel's number of the helper; 0 until it runs.
  long helper;
  /// True if a thread has waited for the helper in vain.
  bool is_late;
} pinned = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// The number of calls on this thread that open images, and may wait for constructors.
static _Thread_local unsigned openings;

void registry_open_begin(void) { ++openings; }
void registry_open_end(void) { --openings; }

/// Returns whether the calling thread may pin an image itself.
static bool may_wait(void) {
#if defined(__GLIBC__)
  // A process with one thread waits for no other.
  return openings > 0 || (&is_single_threaded && is_single_threaded);
#else
  // Where constructors run with the loader's lock held (Bionic), every scan waits for them.
  return true;
#endif
}

/// Returns whether an image was pinned. The lock is held.
static bool is_pinned(uintptr_t base) {
  const pinned_image *image = pinned.first;
  while (image && image->base != base) image = image->next;
  return image;
}

/// Pins an image that is not the main program. Waits for constructors on other threads.
static registry_pin_result pin(const owner *owner) {
  Dl_info info;
  if (dladdr((const void *)owner->address, &info) == 0 || !info.dli_fname) return REGISTRY_PIN_NO_IMAGE;
  // The image may have been closed during the wait, and another one loaded at its address.
  if ((uintptr_t)info.dli_fbase != owner->base || registry_hash_text(info.dli_fname) != owner->path)
    return REGISTRY_PIN_REFUSED;
  // The reference is kept, which pins the image if the loader does not know RTLD_NODELETE.
  void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  if (!handle) return REGISTRY_PIN_REFUSED;
  // The image may have been closed between the two calls, and opened at another address.
  uintptr_t base = registry_open_base(handle);
  if (base != 0 && base != (uintptr_t)info.dli_fbase) return REGISTRY_PIN_REFUSED;
  pinned_image *image = malloc(sizeof *image);
  if (!image) return REGISTRY_PIN_REFUSED;
  image->base = (uintptr_t)info.dli_fbase;
  pthread_mutex_lock(&pinned.lock);
  image->next = pinned.first;
  pinned.first = image;
  pthread_mutex_unlock(&pinned.lock);
  return REGISTRY_PIN_KEPT;
}

/// Returns whether a helper waits, as it does for the loader's lock. On a busy machine, it can also be
/// ready and not have its turn. Our lock is not held, because the helper may wait for it.
static bool is_blocked(long helper) {
#if defined(__linux__)
  char text[512];
  if (helper == 0) return false;
  (void)snprintf(text, sizeof text, "/proc/self/task/%ld/stat", helper);
  int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  ssize_t size = read(file, text, sizeof text - 1);
  (void)close(file);
  text[size > 0 ? size : 0] = 0;
  // The state follows the name in parentheses, which can contain any character.
  const char *end = strrchr(text, ')');
  return !end || strncmp(end, ") S", 3) == 0;
#else
  (void)helper;
  return true;
#endif
}

static void *help(void *unused) {
#if defined(__linux__)
  pthread_mutex_lock(&pinned.lock);
  pinned.helper = syscall(SYS_gettid);
  pthread_mutex_unlock(&pinned.lock);
#endif
  (void)pin(&pinned.wanted);
  pthread_mutex_lock(&pinned.lock);
  pinned.has_helper = pinned.is_late = false;
  pinned.helper = 0;
  pthread_mutex_unlock(&pinned.lock);
  return unused;
}

/// Pins an image, or lets another thread do that. If that thread is blocked for long, the loader is
/// running constructors, which may wait for the calling thread, so the pin counts as refused. The
/// helper continues, and holds no lock that any other thread waits for.
static registry_pin_result keep(const owner *owner) {
  bool has_asked = false;
  pthread_mutex_lock(&pinned.lock);
  if (!is_pinned(owner->base) && may_wait()) {
    pthread_mutex_unlock(&pinned.lock);
    return pin(owner);
  }
  // A forked process can have a helper that never runs, so the number of rounds has a limit, too.
  for (int pauses = 0, rounds = 0; !is_pinned(owner->base) && rounds < 10000; ++rounds) {
    if (!pinned.has_helper) {
      pthread_t thread;
      pinned.wanted = *owner;
      if (has_asked || pthread_create(&thread, NULL, help, NULL) != 0) break;
      (void)pthread_detach(thread);
      has_asked = pinned.has_helper = true;
    }
    long helper = pinned.helper;
    bool is_late = pinned.is_late;
    pthread_mutex_unlock(&pinned.lock);
    bool blocked = is_late && is_blocked(helper);
    if (!blocked) {
      (void)nanosleep(&pause_length, NULL);
      blocked = is_blocked(helper);
    }
    pthread_mutex_lock(&pinned.lock);
    if (blocked && helper == pinned.helper && (is_late || ++pauses == PAUSES)) {
      pinned.is_late = true;
      break;
    }
  }
  bool is_kept = is_pinned(owner->base);
  pthread_mutex_unlock(&pinned.lock);
  return is_kept ? REGISTRY_PIN_KEPT : REGISTRY_PIN_REFUSED;
}

registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment) {
  *segment = (registry_segment){0};
  owner owner = owner_of(address);
  if (!owner.found) return REGISTRY_PIN_NO_IMAGE;
  // The main program is first and stays. Its name would not open it. A static program has no loader
  // that could unmap an image.
  if (owner.index > 0 && !LOADER_NEVER_UNMAPS && dladdr && dlopen) {
    registry_pin_result result = keep(&owner);
    if (result != REGISTRY_PIN_KEPT) return result;
  }
  // Another image may have been loaded at that address before the pin, but not after it.
  *segment = owner_of(address).segment;
  return REGISTRY_PIN_KEPT;
}

bool registry_image_pin(const void *address) {
  registry_segment segment;
  registry_open_begin();
  bool is_kept = registry_image_pin_segment(address, &segment) == REGISTRY_PIN_KEPT;
  registry_open_end();
  return is_kept;
}

/// Pins the image that contains this code, because a helper may be running it.
__attribute__((constructor)) static void pin_own_image(void) { (void)registry_image_pin(&pinned); }

// MARK: Opening

uintptr_t registry_open_base(void *handle) {
  struct link_map *map = NULL;
  if (!dlinfo || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map) return 0;
  // The dynamic section is in the image. The address in the map is not the base if segments begin
  // at a higher address.
  return owner_of(map->l_ld).base;
}

/// A function of the Swift runtime that every image with Swift refers to. The initializer that the
/// compiler links into an image passes the image's metadata to it, so the function is among the
/// symbols, usually as one that another image defines.
static const char swift_symbol[] = "swift_addNewDSOImage";

/// Returns the address of a table of the dynamic section. Some loaders (glibc) have added the
/// image's address to it, others have not.
static const void *table_at(const struct dl_phdr_info *info, ElfW(Addr) value) {
  return (const void *)(value < info->dlpi_addr ? info->dlpi_addr + value : value);
}

/// Returns the dynamic section, which describes an image for the loader, or null in static
/// programs.
static const ElfW(Dyn) *dynamic_section(const struct dl_phdr_info *info) {
  for (size_t index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type == PT_DYNAMIC) return (const void *)(info->dlpi_addr + header->p_vaddr);
  }
  return NULL;
}

/// Returns the first entry of a kind in the dynamic section, or null.
static const ElfW(Dyn) *dynamic_entry(const struct dl_phdr_info *info, long tag) {
  for (const ElfW(Dyn) *entry = dynamic_section(info); entry && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == tag) return entry;
  }
  return NULL;
}

/// Returns a table that the dynamic section refers to, or null.
static const void *dynamic_table(const struct dl_phdr_info *info, long tag) {
  const ElfW(Dyn) *entry = dynamic_entry(info, tag);
  return entry ? table_at(info, entry->d_un.d_ptr) : NULL;
}

/// Returns the number of symbols that are defined elsewhere, or of all symbols if the image has the
/// older hash table.
static size_t undefined_symbols(const struct dl_phdr_info *info) {
  const uint32_t *gnu_hash = dynamic_table(info, DT_GNU_HASH), *hash = dynamic_table(info, DT_HASH);
  if (gnu_hash) return gnu_hash[1];
  return hash ? hash[1] : 0;
}

static bool holds_swift(const struct dl_phdr_info *info) {
  const ElfW(Sym) *symbols = dynamic_table(info, DT_SYMTAB);
  const char *names = dynamic_table(info, DT_STRTAB);
  if (!symbols || !names) return false;
  size_t count = undefined_symbols(info);
  for (size_t index = 1; index < count; ++index) {
    if (strcmp(names + symbols[index].st_name, swift_symbol) == 0) return true;
  }
  return false;
}

/// The images that contain Swift, by an address in each. The callback of the loader collects them,
/// and they are pinned outside it.
typedef struct swift_images {
  const void **addresses;
  size_t room;
  size_t count;
} swift_images;

static int swift_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  swift_images *found = context;
  if (!holds_swift(info)) return 0;
  if (found->count < found->room) found->addresses[found->count] = (const void *)base_of(info);
  ++found->count;
  return 0;
}

void registry_pin_swift(void) {
  swift_images found = {0};
  for (;;) {
    found.count = 0;
    dl_iterate_phdr(swift_callback, &found);
    if (found.count <= found.room) break;
    free(found.addresses);
    found.room = found.count + 8;
    found.addresses = malloc(found.room * sizeof *found.addresses);
    // Without memory, no image is pinned, and none is closed either.
    if (!found.addresses) return;
  }
  for (size_t index = 0; index < found.count; ++index) (void)registry_image_pin(found.addresses[index]);
  free(found.addresses);
}

// MARK: Dependencies

/// An image and libraries that it may need.
typedef struct relation {
  uintptr_t image;
  const uintptr_t *libraries;
  size_t count;
  bool *is_needed;
  const ElfW(Dyn) *dynamic;
  const char *names;
} relation;

static int image_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  relation *relation = context;
  if (base_of(info) != relation->image) return 0;
  relation->dynamic = dynamic_section(info);
  relation->names = dynamic_table(info, DT_STRTAB);
  return 1;
}

/// Returns the name by which other images need a library: its own name, or that of its file.
static const char *library_name(const struct dl_phdr_info *info) {
  const char *names = dynamic_table(info, DT_STRTAB), *path = info->dlpi_name ? info->dlpi_name : "";
  const ElfW(Dyn) *own = dynamic_entry(info, DT_SONAME);
  if (names && own) return names + own->d_un.d_val;
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int library_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  relation *relation = context;
  size_t position = registry_index_of(base_of(info), relation->libraries, relation->count);
  if (position == relation->count) return 0;
  const char *name = library_name(info);
  for (const ElfW(Dyn) *entry = relation->dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    const char *needed = relation->names + entry->d_un.d_val, *slash = strrchr(needed, '/');
    relation->is_needed[position] |= strcmp(slash ? slash + 1 : needed, name) == 0;
  }
  return 0;
}

void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed) {
  relation relation = {.image = image, .libraries = libraries, .count = count, .is_needed = is_needed};
  dl_iterate_phdr(image_callback, &relation);
  // During the callback, a library stays loaded.
  if (relation.dynamic && relation.names) dl_iterate_phdr(library_callback, &relation);
}

#endif
