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

static bool holds_swift(const dynamic *of) {
  if (!of->symbols || !of->names) return false;
  // The number of undefined symbols, or of all symbols if only the older hash table exists.
  size_t count = of->gnu_hash ? of->gnu_hash[1] : of->hash ? of->hash[1] : 0;
  for (size_t index = 1; index < count; ++index) {
    if (strcmp(of->names + of->symbols[index].st_name, swift_symbol) == 0) return true;
  }
  return false;
}

typedef struct listed_image {
  uintptr_t base;
  /// A hash of the name that other images use: the DT_SONAME, or else the file's name.
  uint64_t name;
  dynamic dynamic;
  bool holds_swift;
  bool is_needed;
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

/// Returns a hash of the last component of a path.
static uint64_t hash_of_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return registry_hash_text(slash ? slash + 1 : path);
}

static int list_callback(struct dl_phdr_info *info, size_t size, void *context) {
  image_list *all = context;
  uint32_t count = (uint32_t)all->list + 1;
  all->list = registry_closed_images(info, size, count) << 32 | count;
  if (count > all->room) return 0;
  dynamic of = dynamic_of(info);
  const char *path = info->dlpi_name ? info->dlpi_name : "";
  if (of.names && of.own_name) path = of.names + of.own_name->d_un.d_val;
  bool has_swift = count > all->skipped && holds_swift(&of);
  all->images[count - 1] = (listed_image){registry_base_of(info), hash_of_name(path), of, has_swift, false};
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

/// Marks an image and the libraries that it needs, which all stay loaded.
static void mark_needed(listed_image *image, const image_list *all) {
  if (image->is_needed) return;
  image->is_needed = true;
  const dynamic *of = &image->dynamic;
  for (const ElfW(Dyn) *entry = of->entries; of->names && entry && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    uint64_t name = hash_of_name(of->names + entry->d_un.d_val);
    for (uint32_t index = 0; index < (uint32_t)all->list; ++index) {
      if (all->images[index].name == name) mark_needed(&all->images[index], all);
    }
  }
}

void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed) {
  image_list all = list_images(UINT32_MAX);
  for (uint32_t index = 0; index < (uint32_t)all.list; ++index) {
    // The main program is first in the list.
    bool is_image = image ? all.images[index].base == image : index == 0;
    if (is_image) mark_needed(&all.images[index], &all);
  }
  for (uint32_t index = 0; index < (uint32_t)all.list; ++index) {
    size_t position = registry_index_of(all.images[index].base, libraries, count);
    if (all.images[index].is_needed && position < count) is_needed[position] = true;
  }
  free(all.images);
}

bool registry_program_needs(uintptr_t library) {
  bool is_needed = false;
  registry_open_needs(0, &library, 1, &is_needed);
  return is_needed;
}

#endif
