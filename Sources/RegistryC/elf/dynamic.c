// The dynamic sections of loaded images on ELF systems: which images contain Swift, and which
// libraries an image needs.

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

/// Returns the dynamic section, or null in static programs.
static const ElfW(Dyn) *dynamic_section(const struct dl_phdr_info *info) {
  for (size_t index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type == PT_DYNAMIC) return (const void *)(info->dlpi_addr + header->p_vaddr);
  }
  return NULL;
}

static const ElfW(Dyn) *dynamic_entry(const struct dl_phdr_info *info, long tag) {
  for (const ElfW(Dyn) *entry = dynamic_section(info); entry && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == tag) return entry;
  }
  return NULL;
}

static const void *dynamic_table(const struct dl_phdr_info *info, long tag) {
  const ElfW(Dyn) *entry = dynamic_entry(info, tag);
  return entry ? table_at(info, entry->d_un.d_ptr) : NULL;
}

/// Returns the number of undefined symbols, or of all symbols if only the older hash table exists.
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

/// An address in each image that contains Swift. The loader's callback only collects the addresses;
/// the images are pinned afterward.
typedef struct swift_images {
  const void **addresses;
  size_t room;
  size_t count;
} swift_images;

static int swift_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  swift_images *found = context;
  if (!holds_swift(info)) return 0;
  if (found->count < found->room) found->addresses[found->count] = (const void *)registry_base_of(info);
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
    // If memory runs out, no image is pinned.
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
  if (registry_base_of(info) != relation->image) return 0;
  relation->dynamic = dynamic_section(info);
  relation->names = dynamic_table(info, DT_STRTAB);
  return 1;
}

/// Returns the name by which other images refer to a library: its DT_SONAME, or its file's name.
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
  size_t position = registry_index_of(registry_base_of(info), relation->libraries, relation->count);
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
