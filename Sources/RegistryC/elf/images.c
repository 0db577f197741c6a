// Loaded images and their records on ELF systems: `dl_iterate_phdr` and PT_NOTE segments.
//
// A snapshot takes two passes over the loader's list: the first counts, the second copies. Memory
// is allocated in between, outside the loader's lock. If the list changes between the passes, the
// snapshot starts over.
//
// Lock order: the loader's lock first, then `table.lock`, which the first callback acquires.
// Bionic's loader holds its lock while it runs constructors, and these may call this code. In
// glibc, all functions of the loader except `dl_iterate_phdr` and `_dl_find_object` wait for
// constructors, so only `wait_for_loader` and code that opens or pins images call other functions.

#include "images.h"

#if defined(__ELF__)

#if defined(__linux__)
#include <sys/auxv.h>
#endif

// Weak, as in pins.c.
#pragma weak dladdr

/// A function in glibc 2.35 and later; older headers do not declare it. It finds an image once the
/// image is relocated, and acquires no lock. The result takes less than 128 bytes.
extern int dl_find_object(void *address, void *result) __asm__("_dl_find_object") __attribute__((weak));

#include "../own_copy.h"

/// Fuzzers set this variable to null, because the loader does not know their images.
static int (*find_object)(void *address, void *result) = dl_find_object;

/// An entry for an image that had records in the last scan.
typedef struct known_image {
  uintptr_t base;
  size_t size;
  uint64_t serial;
  /// A hash of the image's path and records.
  uint64_t identity;
  /// The last scan that found the image.
  uint64_t scan;
} known_image;

static struct {
  pthread_mutex_t lock;
  known_image *images;
  size_t count;
  size_t capacity;
  uint64_t last_serial;
  uint64_t scans;
  /// The number of closed images at the last scan; `UINT64_MAX` if unknown or if a pass failed.
  uint64_t closed;
  /// The number of images in the loader's list; zero if the last scan failed or left out an image.
  size_t listed;
  /// The most likely index of the next image. The loader lists images in the same order as this
  /// table, so a pass rarely has to search the table.
  size_t next;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

typedef struct pass {
  uint64_t after;
  registry_block *block;
  bool copies;
  /// The index of the next image in the loader's list.
  size_t index;
  /// The number of images that the pass skips. They are at the beginning of the list, as in the
  /// last scan, and their records are not copied.
  size_t skipped;
  size_t unknown;
  /// Set if the pass leaves out an image because the loader has not relocated it.
  bool is_partial;
  bool locked;
  /// Set if the pass assumes that no image has been closed since the last scan, which only the end
  /// of the list can show.
  bool none_closed;
  /// Set if the assumption was wrong, and by the copying pass if it ran out of room or the list has
  /// changed since the counting pass.
  bool changed;
  uint64_t scan;
  /// The number of closed images if the current image is the last.
  uint64_t closed;
  uint64_t generation;
  uint64_t expected_generation;
} pass;

#if defined(__GLIBC__)

/// A check that calls no function of the loader. It applies while the loader lists only images that
/// the program needs, because these stay in the list, and the loader adds others after them.
static struct {
  /// The last needed image; null if unknown or if another image followed it.
  const struct link_map *last;
  /// The generation when a callback last found that image at the end of the list.
  uint64_t generation;
  uint32_t checks;
} start;

/// Searching for the last image costs as much as many checks.
enum { CHECKS_BEFORE_SEARCH = 256 };

static bool is_last(const struct link_map *image) {
  return image && !__atomic_load_n(&image->l_next, __ATOMIC_ACQUIRE);
}

#endif

/// Updates a number that changes whenever an image is loaded or unloaded. If the loader does not
/// count these changes, the number is a hash of the list, so later numbers can be smaller.
static int add_to_generation(struct dl_phdr_info *info, size_t size, void *context) {
  uint64_t *generation = context;
  if (registry_closed_images(info, size, 0) != UINT64_MAX) {
    // `dlmopen` can decrease the second number while it increases the first.
    *generation = ((uint64_t)info->dlpi_adds << 32) + (uint64_t)info->dlpi_subs;
#if defined(__GLIBC__)
    if (is_last(__atomic_load_n(&start.last, __ATOMIC_ACQUIRE))) {
      __atomic_store_n(&start.generation, *generation, __ATOMIC_RELEASE);
    }
#endif
    return 1;  // The first image has both numbers.
  }
  // Include the name, because an image can be loaded at the address of a closed image.
  uint64_t hash = registry_hash_text(info->dlpi_name ? info->dlpi_name : "");
  *generation = (*generation + 1 + (uint64_t)info->dlpi_addr + hash) * 0x9e3779b97f4a7c15u | 1;
  return 0;
}

static __attribute__((noinline)) uint64_t ask_loader(void) {
#if defined(__GLIBC__)
  if (__atomic_add_fetch(&start.checks, 1, __ATOMIC_RELAXED) == CHECKS_BEFORE_SEARCH) {
    __atomic_store_n(&start.last, registry_last_needed_image(), __ATOMIC_RELEASE);
  }
#endif
  uint64_t generation = 0;
  dl_iterate_phdr(add_to_generation, &generation);
  return generation ? generation : 1;
}

uint64_t registry_images_generation(void) {
#if defined(__GLIBC__)
  // Read the generation before the list, so that an image opened in between changes the next
  // result.
  uint64_t generation = __atomic_load_n(&start.generation, __ATOMIC_ACQUIRE);
  if (generation && is_last(__atomic_load_n(&start.last, __ATOMIC_ACQUIRE))) return generation;
#endif
  return ask_loader();
}

/// A mapped and readable range of an image.
typedef struct range {
  uintptr_t start;
  uintptr_t end;
  uint32_t alignment;
} range;

/// Returns whether a readable segment of the image covers the range. A damaged file can place notes
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

/// Gets the note segment at an index as a range. Returns false for other segments, and for ranges
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
/// one range, so that no byte is in two ranges. The range gets the larger alignment, so that the
/// walker accepts the notes of both.
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

/// Finds the next range that contains records. To find the first range, pass zeros as `at`.
static bool next_records(const struct dl_phdr_info *info, range *at) {
  while (next_range(info, at->end, at)) {
    if (registry_holds_records(at->start, at->end - at->start)) return true;
  }
  return false;
}

static uint64_t identity_of(const struct dl_phdr_info *info, const char *path) {
  uint64_t hash = registry_hash_text(path);
  for (range at = {0}; next_records(info, &at);) hash = registry_hash_range(hash, at.start, at.end - at.start);
  return hash;
}

/// Returns the index of the image with the given base in `table`, or `table.count`.
static size_t index_of(uintptr_t base) {
  for (size_t step = 0; step < table.count; ++step) {
    size_t position = table.next + step < table.count ? table.next + step : (table.next + step) % table.count;
    if (table.images[position].base != base) continue;
    table.next = position + 1;
    return position;
  }
  return table.count;
}

/// Returns the entry of an image, or null if the last scan did not find this load of the image.
static known_image *known(const pass *pass, const struct dl_phdr_info *info, uintptr_t base,
                          const char *path) {
  size_t position = index_of(base);
  if (position == table.count) return NULL;
  known_image *image = &table.images[position];
  // If no image was closed, the address still belongs to the same image.
  if (pass->none_closed) return image;
  return image->identity == identity_of(info, path) ? image : NULL;
}

static size_t size_of(const struct dl_phdr_info *info, uintptr_t base) {
  size_t size = 0;
  for (size_t index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    size_t end = info->dlpi_addr + header->p_vaddr + header->p_memsz - base;
    if (header->p_type == PT_LOAD && end > size) size = end;
  }
  return size;
}

/// Adds an image that is scanned for the first time. Returns null if there is no room; then the
/// caller makes room and starts over.
static known_image *enter(uintptr_t base, size_t size, uint64_t identity) {
  // If the base is known, it belonged to a closed image, which the new image replaces.
  size_t position = index_of(base);
  if (position == table.count) {
    if (table.count == table.capacity) return NULL;
    ++table.count;
  }
  table.images[position] = (known_image){.base = base, .size = size, .serial = ++table.last_serial, .identity = identity};
  return &table.images[position];
}

static void keep_images_of(uint64_t scan) {
  size_t kept = 0;
  for (size_t index = 0; index < table.count; ++index) {
    if (table.images[index].scan == scan) table.images[kept++] = table.images[index];
  }
  table.count = kept;
}

/// The program's path, read once. It's part of the program's identity, so it must stay the same
/// even if the file is replaced, deleted, or hidden while the program runs.
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

/// Counts or copies an image. Returns false if there is no room.
static bool add_image(pass *pass, known_image *entry, const char *path) {
  if (pass->copies) entry->scan = pass->scan;
  return registry_block_add_image(pass->block, entry->serial, entry->base, path, registry_text_length(path));
}

/// Acquires `table.lock` in the first callback, which the loader calls with its own lock held.
static void begin(pass *pass, struct dl_phdr_info *info, size_t size) {
  (void)add_to_generation(info, size, &pass->generation);
  pass->closed = registry_closed_images(info, size, pass->index + 1);
  if (pass->locked) return;
  pthread_mutex_lock(&table.lock);
  pass->locked = true;
  pass->scan = ++table.scans;
  table.next = 0;
  pass->none_closed = table.closed != UINT64_MAX;
  if (pass->none_closed && table.last_serial <= pass->after) pass->skipped = table.listed;
  for (size_t index = 0; pass->skipped > 0 && index < table.count; ++index) {
    if (!add_image(pass, &table.images[index], "")) pass->changed = true;
  }
}

/// Returns whether the loader has relocated an image; true without `find_object`. glibc lists an
/// image before relocating it, and until then, the image's accessors look as if they were missing.
static bool is_relocated(uintptr_t base) {
  uint64_t result[16];
  return !find_object || find_object((void *)base, result) == 0;
}

static int pass_callback(struct dl_phdr_info *info, size_t size, void *context) {
  pass *pass = context;
  begin(pass, info, size);
  if (pass->copies && pass->closed != UINT64_MAX && pass->generation != pass->expected_generation) pass->changed = true;
  if (pass->changed) return 1;

  size_t position = pass->index++;
  range at = {0};
  if (position < pass->skipped || !next_records(info, &at)) return 0;
  // The program is first. Its name is empty (glibc) or the name that it was started with (musl).
  const char *path = position == 0 && *program_path ? program_path : info->dlpi_name;
  if (!path) path = "";
  uintptr_t base = registry_base_of(info);
  known_image *entry = known(pass, info, base, path);
  if (!entry && !is_relocated(base)) {
    pass->is_partial = true;
    return 0;
  }
  bool wanted = !entry || entry->serial > pass->after;

  known_image counted = {0};
  if (!entry && !pass->copies) {
    ++pass->unknown;
    entry = &counted;
  }
  if (!entry) entry = enter(base, size_of(info, base), identity_of(info, path));
  pass->changed = !entry || !add_image(pass, entry, wanted ? path : "");
  if (pass->changed || !wanted) return pass->changed;
  do {
    pass->changed = !registry_block_add_section(pass->block, at.start, at.end - at.start, at.alignment);
  } while (!pass->changed && next_records(info, &at));
  return pass->changed;
}

bool registry_had_records(uintptr_t address) {
  bool had = false;
  pthread_mutex_lock(&table.lock);
  for (size_t index = 0; index < table.count && !had; ++index) {
    had = address - table.images[index].base < table.images[index].size;
  }
  pthread_mutex_unlock(&table.lock);
  return had;
}

static void run(pass *pass) {
  dl_iterate_phdr(pass_callback, pass);
  if (!pass->locked) return;
  if (pass->copies && pass->generation != pass->expected_generation) pass->changed = true;
  if (pass->none_closed && pass->closed != table.closed) pass->changed = true;
  if (pass->changed) table.closed = UINT64_MAX;
  if (pass->copies && !pass->changed) {
    keep_images_of(pass->scan);
    table.closed = pass->closed;
    table.listed = pass->is_partial ? 0 : pass->index - REGISTRY_LISTED_LAST;
  }
  pthread_mutex_unlock(&table.lock);
}

/// Makes room for additional known images. Allocates while the lock isn't held.
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

/// Waits until the `dlopen` calls on other threads have finished and their images are relocated.
/// `dladdr` acquires `dlopen`'s lock and has no other effect for a stack address.
static void wait_for_loader(void) {
  Dl_info info = {0};
  if (dladdr) (void)dladdr(&info, &info);
}

registry_snapshot *registry_images_snapshot(uint64_t after) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, read_program_path);
  for (;;) {
    registry_block block = {0};
    pass count = {.after = after, .block = &block};
    run(&count);
    if (count.unknown > 0) {
      if (!make_room(count.unknown)) return NULL;
      if (!find_object) wait_for_loader();
    }
    if (!registry_block_allocate(&block)) return NULL;
    pass copy = {.after = after, .block = &block, .copies = true, .expected_generation = count.generation};
    run(&copy);
    if (!copy.changed) {
      uint64_t generation = copy.generation ? copy.generation : 1;
      // `registry_images_generation` never returns the inverse, so callers scan again.
      block.snapshot->generation = copy.is_partial ? ~generation : generation;
      return block.snapshot;
    }
    registry_snapshot_free(block.snapshot);
  }
}

#endif
