// Reads the dynamic sections of loaded images on ELF systems, to find the images that contain Swift
// and the libraries that an image needs.

#include "images.h"

#if defined(__ELF__)

#include "../own_copy.h"

/// The function of the Swift runtime that each image with Swift code calls to register its
/// metadata. The image's symbol table lists the function, usually as undefined.
static const char swift_symbol[] = "swift_addNewDSOImage";

/// Returns a table's address from a dynamic entry. Some loaders (glibc) have already added the
/// image's address to the value.
static const void *table_at(const struct dl_phdr_info *info, ElfW(Addr) value) {
  return (const void *)(value < info->dlpi_addr ? info->dlpi_addr + value : value);
}

/// The parts of a dynamic section that this file reads; all null in static programs.
typedef struct dynamic {
  const ElfW(Dyn) *entries;
  const ElfW(Dyn) *own_name;
  const char *names;
  const ElfW(Sym) *symbols;
  const uint32_t *gnu_hash;
  const uint32_t *hash;
} dynamic;

static dynamic dynamic_of(const struct dl_phdr_info *info) {
  dynamic found = {0};
  for (size_t index = 0; index < info->dlpi_phnum && !found.entries; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type == PT_DYNAMIC) found.entries = (const void *)(info->dlpi_addr + header->p_vaddr);
  }
  for (const ElfW(Dyn) *entry = found.entries; entry && entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SONAME: found.own_name = entry; break;
      case DT_STRTAB: found.names = table_at(info, entry->d_un.d_ptr); break;
      case DT_SYMTAB: found.symbols = table_at(info, entry->d_un.d_ptr); break;
      case DT_GNU_HASH: found.gnu_hash = table_at(info, entry->d_un.d_ptr); break;
      case DT_HASH: found.hash = table_at(info, entry->d_un.d_ptr); break;
    }
  }
  return found;
}

static bool holds_swift(const struct dl_phdr_info *info) {
  dynamic of = dynamic_of(info);
  if (!of.symbols || !of.names) return false;
  // If no symbol is exported, GNU ld writes 1 instead of the number of undefined symbols.
  if (of.gnu_hash && of.gnu_hash[1] == 1) {
    for (const ElfW(Dyn) *entry = of.entries; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_NEEDED && strcmp(of.names + entry->d_un.d_val, "libswiftCore.so") == 0) return true;
    }
    return false;
  }
  // The number of undefined symbols, or of all symbols if only the older hash table exists.
  size_t count = of.gnu_hash ? of.gnu_hash[1] : of.hash ? of.hash[1] : 0;
  for (size_t index = 1; index < count; ++index) {
    if (strcmp(of.names + of.symbols[index].st_name, swift_symbol) == 0) return true;
  }
  return false;
}

typedef struct listed_image {
  uintptr_t base;
  bool holds_swift;
} listed_image;

/// All loaded images. The loader's callback lists them, because only then do all stay loaded.
typedef struct image_list {
  listed_image *images;
  size_t room;
  /// The numbers of closed images (upper half) and listed images (lower half).
  uint64_t list;
  /// The number of images at the beginning that need no search for Swift.
  uint32_t skipped;
} image_list;

static int list_callback(struct dl_phdr_info *info, size_t size, void *context) {
  image_list *all = context;
  uint32_t count = (uint32_t)all->list + 1;
  all->list = registry_closed_images(info, size, count) << 32 | count;
  if (count > all->room) return 0;
  all->images[count - 1] = (listed_image){registry_base_of(info), count > all->skipped && holds_swift(info)};
  return 0;
}

/// Returns an empty list if memory runs out.
static image_list list_images(uint32_t skipped) {
  image_list all = {.skipped = skipped};
  for (dl_iterate_phdr(list_callback, &all); (uint32_t)all.list > all.room; dl_iterate_phdr(list_callback, &all)) {
    free(all.images);
    all = (image_list){.room = (uint32_t)all.list, .skipped = skipped};
    all.images = malloc(all.room * sizeof *all.images);
    if (!all.images) return (image_list){0};
  }
  return all;
}

/// The last list whose Swift images are all pinned. Lists with the same upper half begin with the
/// same images.
static uint64_t pinned_list;

void registry_pin_swift(void) {
  uint64_t pinned = __atomic_load_n(&pinned_list, __ATOMIC_RELAXED);
  image_list all = list_images((uint32_t)pinned);
  // If an image was closed, other images may be at the positions of pinned ones.
  if (pinned != 0 && all.list >> 32 != pinned >> 32) {
    free(all.images);
    all = list_images(0);
  }
  bool all_pinned = all.list >> 32 != UINT32_MAX;
  for (uint32_t index = 0; index < (uint32_t)all.list; ++index) {
    if (all.images[index].holds_swift) all_pinned &= registry_image_pin((const void *)all.images[index].base);
  }
  if (all_pinned) __atomic_store_n(&pinned_list, all.list - REGISTRY_LISTED_LAST, __ATOMIC_RELAXED);
  free(all.images);
}

// MARK: Dependencies

/// A library that an image needs.
typedef struct need {
  /// A hash of the DT_NEEDED entry.
  uint64_t name;
  /// The first image with the name; zero if none was found yet.
  uintptr_t library;
} need;

/// A search for what an image needs. Images are read only in the loader's callback, because another
/// thread can close a library that merely has the name of a needed one.
typedef struct need_search {
  /// The image; zero for the main program, which is first in the loader's list.
  uintptr_t image;
  const uintptr_t *libraries;
  size_t count;
  bool *is_needed;
  need *needs;
  size_t need_count, room;
  bool lacks_room;
  /// The number of needs that the current pass over the images looks for.
  size_t known_count;
  size_t listed_count;
} need_search;

/// Returns a hash of the last component of a path.
static uint64_t hash_of_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return registry_hash_text(slash ? slash + 1 : path);
}

/// Adds a need, unless there is no room.
static void add_need(need_search *search, uint64_t name) {
  for (size_t index = 0; index < search->need_count; ++index) {
    if (search->needs[index].name == name) return;
  }
  search->lacks_room = search->need_count == search->room;
  if (!search->lacks_room) search->needs[search->need_count++] = (need){name, 0};
}

/// Makes room for more needs outside the loader's callback, because an allocator may call the
/// loader. If memory runs out, the rest counts as not needed.
static bool make_room(need_search *search) {
  need *needs = realloc(search->needs, (2 * search->room + 64) * sizeof *needs);
  if (!needs) return false;
  search->needs = needs;
  search->room = 2 * search->room + 64;
  return true;
}

static int need_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  need_search *search = context;
  uintptr_t base = registry_base_of(info);
  bool is_needed = search->image ? base == search->image : search->listed_count == 0;
  ++search->listed_count;
  // The first pass looks for the image alone, so it reads no other names.
  if (!is_needed && search->known_count == 0) return 0;
  dynamic of = dynamic_of(info);
  if (!of.names) return 0;
  // Other images use the DT_SONAME, or else the file's name.
  const char *path = of.own_name ? of.names + of.own_name->d_un.d_val : info->dlpi_name ? info->dlpi_name : "";
  uint64_t name = hash_of_name(path);
  for (size_t index = 0; index < search->known_count && !is_needed; ++index) {
    need *need = &search->needs[index];
    if (need->name != name) continue;
    if (need->library == 0) need->library = base;
    is_needed = need->library == base;
  }
  if (!is_needed) return 0;
  size_t position = registry_index_of(base, search->libraries, search->count);
  if (position < search->count) search->is_needed[position] = true;
  for (const ElfW(Dyn) *entry = of.entries; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED) add_need(search, hash_of_name(of.names + entry->d_un.d_val));
  }
  return 0;
}

void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed) {
  need_search search = {.image = image, .libraries = libraries, .count = count, .is_needed = is_needed};
  do {
    if (search.need_count == search.room && !make_room(&search)) break;
    search.known_count = search.need_count;
    search.listed_count = 0;
    search.lacks_room = false;
    dl_iterate_phdr(need_callback, &search);
  } while (search.lacks_room || search.need_count > search.known_count);
  free(search.needs);
}

bool registry_program_needs(uintptr_t library) {
  bool is_needed = false;
  registry_open_needs(0, &library, 1, &is_needed);
  return is_needed;
}

typedef struct last_image {
  const struct link_map *image;
  uintptr_t base;
} last_image;

static int last_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  // Only the program, which is first, has the entry for debuggers, which refers to the list.
  const ElfW(Dyn) *entry = dynamic_of(info).entries;
  while (entry && entry->d_tag != DT_NULL && entry->d_tag != DT_DEBUG) ++entry;
  const struct r_debug *list = entry && entry->d_tag == DT_DEBUG ? (const void *)entry->d_un.d_ptr : NULL;
  for (const struct link_map *image = list ? list->r_map : NULL; image; image = image->l_next) {
    *(last_image *)context = (last_image){image, (uintptr_t)image->l_addr};
  }
  return 1;
}

const struct link_map *registry_last_needed_image(void) {
  last_image last = {0};
  dl_iterate_phdr(last_callback, &last);
  // Another thread can already have closed the image, unless the program needs it.
  return registry_program_needs(last.base) ? last.image : NULL;
}

#endif
