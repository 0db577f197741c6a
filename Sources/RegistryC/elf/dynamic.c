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
  // The number of undefined symbols, or of all symbols if only the older hash table exists.
  size_t count = of.gnu_hash ? of.gnu_hash[1] : of.hash ? of.hash[1] : 0;
  for (size_t index = 1; index < count; ++index) {
    if (strcmp(of.names + of.symbols[index].st_name, swift_symbol) == 0) return true;
  }
  return false;
}

/// Addresses in the images that contain Swift, one for each image. The loader's callback collects
/// the addresses, and the images are pinned afterward.
typedef struct swift_images {
  const void **addresses;
  size_t room;
  size_t count;
  bool is_full;
  /// The numbers of closed images (upper half) and listed images (lower half).
  uint64_t list;
  /// The list whose images with Swift are all pinned; zero to start at the beginning.
  uint64_t pinned;
} swift_images;

/// The last list whose Swift images are all pinned. Lists with the same upper half begin with the
/// same images.
static uint64_t pinned_list;

static int swift_callback(struct dl_phdr_info *info, size_t size, void *context) {
  swift_images *found = context;
  uint32_t listed = (uint32_t)found->list + 1;
  found->list = registry_closed_images(info, size, listed) << 32 | listed;
  if (listed <= (uint32_t)found->pinned || !holds_swift(info)) return 0;
  found->is_full = found->count == found->room;
  if (found->is_full) return 1;
  found->addresses[found->count++] = (const void *)registry_base_of(info);
  return 0;
}

void registry_pin_swift(void) {
  swift_images found = {.pinned = __atomic_load_n(&pinned_list, __ATOMIC_RELAXED), .room = 64};
  for (;; found.room *= 2, found.pinned = 0) {
    free(found.addresses);
    found.addresses = malloc(found.room * sizeof *found.addresses);
    // If memory runs out, no image is pinned.
    if (!found.addresses) return;
    found.count = found.list = found.is_full = false;
    dl_iterate_phdr(swift_callback, &found);
    // If an image was closed, other images may be at the positions of pinned ones.
    bool none_closed = found.pinned == 0 || found.list >> 32 == found.pinned >> 32;
    if (!found.is_full && none_closed) break;
  }
  bool all_pinned = found.list >> 32 != UINT32_MAX;
  for (size_t index = 0; index < found.count; ++index) all_pinned &= registry_image_pin(found.addresses[index]);
  if (all_pinned) __atomic_store_n(&pinned_list, found.list, __ATOMIC_RELAXED);
  free(found.addresses);
}

// MARK: Dependencies

/// An image and libraries that it may need.
typedef struct relation {
  uintptr_t image;
  const uintptr_t *libraries;
  size_t count;
  bool *is_needed;
  dynamic dynamic;
} relation;

static int image_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  relation *relation = context;
  if (registry_base_of(info) != relation->image) return 0;
  relation->dynamic = dynamic_of(info);
  return 1;
}

/// Returns the name that other images use for a library: the DT_SONAME, or else the file's name.
static const char *library_name(const struct dl_phdr_info *info) {
  dynamic of = dynamic_of(info);
  if (of.names && of.own_name) return of.names + of.own_name->d_un.d_val;
  const char *path = info->dlpi_name ? info->dlpi_name : "", *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int library_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  relation *relation = context;
  const char *name = library_name(info);
  for (const ElfW(Dyn) *entry = relation->dynamic.entries; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    const char *needed = relation->dynamic.names + entry->d_un.d_val, *slash = strrchr(needed, '/');
    if (strcmp(slash ? slash + 1 : needed, name) != 0) continue;
    size_t position = registry_index_of(registry_base_of(info), relation->libraries, relation->count);
    if (position < relation->count) relation->is_needed[position] = true;
  }
  return 0;
}

void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed) {
  relation relation = {.image = image, .libraries = libraries, .count = count, .is_needed = is_needed};
  dl_iterate_phdr(image_callback, &relation);
  // During the callback, a library stays loaded.
  if (relation.dynamic.entries && relation.dynamic.names) dl_iterate_phdr(library_callback, &relation);
}

#endif
