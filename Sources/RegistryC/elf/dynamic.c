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

/// A loaded image or, after an image, a library that it needs.
typedef struct listed {
  /// The base of an image; zero for a needed library.
  uintptr_t base;
  /// A hash of the name under which images need the library.
  uint64_t name;
  bool holds_swift;
  bool is_needed;
} listed;

/// All loaded images. The loader's callback lists them, because only then do all stay loaded.
/// Memory is allocated outside the callback, because an allocator may call the loader.
typedef struct image_list {
  listed *entries;
  size_t count, room;
  /// The numbers of closed images (upper half) and listed images (lower half).
  uint64_t list;
  /// The number of images at the beginning that need no search for Swift, and aren't listed.
  uint32_t skipped;
  /// True to list names and needs, false to search for Swift.
  bool names_needs;
} image_list;

/// Adds an entry with the last component of a path as its name, or counts it if there is no room.
static void add(image_list *all, uintptr_t base, const char *path) {
  if (all->count++ >= all->room) return;
  const char *slash = strrchr(path, '/');
  all->entries[all->count - 1] = (listed){.base = base, .name = registry_hash_text(slash ? slash + 1 : path)};
}

static int list_callback(struct dl_phdr_info *info, size_t size, void *context) {
  image_list *all = context;
  uint32_t number = (uint32_t)all->list + 1;
  all->list = registry_closed_images(info, size, number) << 32 | number;
  // Reading the headers of an image costs a cache miss.
  if (!all->names_needs && number <= all->skipped) return 0;
  uintptr_t base = registry_base_of(info);
  if (!all->names_needs) {
    add(all, base, "");
    if (all->count > all->room) return 0;
    all->entries[all->count - 1].holds_swift = holds_swift(info);
    return 0;
  }
  dynamic of = dynamic_of(info);
  const char *path = info->dlpi_name ? info->dlpi_name : "";
  // Other images use the DT_SONAME, or else the file's name.
  add(all, base, of.names && of.own_name ? of.names + of.own_name->d_un.d_val : path);
  for (const ElfW(Dyn) *entry = of.names ? of.entries : NULL; entry && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED) add(all, 0, of.names + entry->d_un.d_val);
  }
  return 0;
}

/// Returns an empty list if memory runs out.
static image_list list_images(bool names_needs, uint32_t skipped) {
  for (size_t room = 1024;;) {
    image_list all = {.room = room, .skipped = skipped, .names_needs = names_needs};
    all.entries = malloc(room * sizeof *all.entries);
    if (!all.entries) return all;
    dl_iterate_phdr(list_callback, &all);
    if (all.count <= room) return all;
    free(all.entries);
    room = all.count + all.count / 2;
  }
}

/// The last list whose Swift images are all pinned. Lists with the same upper half begin with the
/// same images.
static uint64_t pinned_list;

void registry_pin_swift(void) {
  uint64_t pinned = __atomic_load_n(&pinned_list, __ATOMIC_RELAXED);
  image_list all = list_images(false, (uint32_t)pinned);
  // If an image was closed, other images may be at the positions of pinned ones.
  if (pinned != 0 && all.list >> 32 != pinned >> 32) {
    free(all.entries);
    all = list_images(false, 0);
  }
  bool all_pinned = all.list >> 32 != UINT32_MAX;
  for (size_t index = 0; index < all.count; ++index) {
    if (all.entries[index].holds_swift) all_pinned &= registry_image_pin((const void *)all.entries[index].base);
  }
  if (all_pinned) __atomic_store_n(&pinned_list, all.list - REGISTRY_LISTED_LAST, __ATOMIC_RELAXED);
  free(all.entries);
}

/// Marks an image, and the libraries that it needs, as needed. Of several images with a name, the
/// first is the library.
static void mark_needed(image_list *all, size_t index) {
  if (all->entries[index].is_needed) return;
  all->entries[index].is_needed = true;
  for (size_t need = index + 1; need < all->count && all->entries[need].base == 0; ++need) {
    size_t library = 0;
    while (library < all->count &&
           (all->entries[library].base == 0 || all->entries[library].name != all->entries[need].name)) {
      ++library;
    }
    if (library < all->count) mark_needed(all, library);
  }
}

void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed) {
  image_list all = list_images(true, 0);
  size_t first = 0;
  // Zero stands for the main program, which is first in the loader's list.
  while (image != 0 && first < all.count && all.entries[first].base != image) ++first;
  if (first < all.count) mark_needed(&all, first);
  for (size_t index = 0; index < all.count; ++index) {
    if (!all.entries[index].is_needed) continue;
    size_t position = registry_index_of(all.entries[index].base, libraries, count);
    if (position < count) is_needed[position] = true;
  }
  free(all.entries);
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
