// Reads the conformances in images in one pass; on Mach-O and ELF systems, only in images with
// records, because the Swift libraries have thousands. The Swift runtime searches all types and
// conformances for each name (40 µs in a small program).
//
// The layouts are part of Swift's ABI (include/swift/ABI/Metadata.h and MetadataValues.h).

#include "registry_types.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../snapshot.h"

// This code finds nothing with signed pointers, without `swiftcall`, and in WebAssembly, where
// accessors are indices instead of offsets. Callers then search with the runtime.
#if defined(__has_attribute) && defined(__has_feature)
#if __has_attribute(swiftcall) && !__has_feature(ptrauth_calls) && !defined(__wasm__)
#define REGISTRY_SWIFTCALL __attribute__((swiftcall))
enum { READS_METADATA = true };
#endif
#endif
#ifndef REGISTRY_SWIFTCALL
#define REGISTRY_SWIFTCALL
enum { READS_METADATA = false };
#endif

#if !defined(__APPLE__)
/// From the runtime's MetadataSections.h.
typedef struct metadata_sections {
  uintptr_t version;
  const void *base;
  void *unused[2];
  struct {
    uintptr_t start;
    size_t size;
  } protocols, conformances;
} metadata_sections;

/// Weak, because programs in plain C link no Swift runtime.
extern void swift_enumerateAllMetadataSections(
    bool (*body)(const metadata_sections *, void *), void *context) __attribute__((weak));
#endif

#include "../own_copy.h"

typedef struct conformance_record {
  int32_t protocol, type, witness_table;
  uint32_t flags;
} conformance_record;

/// The beginning of a descriptor of a module, a type, or another context. A protocol's descriptor
/// has no accessor.
typedef struct context_record {
  uint32_t flags;
  int32_t parent, name, accessor;
} context_record;

enum {
  CLASS_KIND = 16,
  /// The kind of a context, and whether it is generic.
  KIND_AND_GENERIC = 0x9f,
  /// The bits for an indirect reference to the type's descriptor and for a retroactive
  /// conformance. The runtime handles conformances with other flags.
  PLAIN_FLAGS = 0x48,
  NAME_LIMIT = 1024,
};

typedef struct visitor {
  const void *protocol;
  const char *name;
  void *context;
  void (*each)(void *, const char *, registry_conformance);
} visitor;

static const void *target(const int32_t *offset) { return (const char *)offset + *offset; }

/// Follows an offset to the target or, if the lowest bit is set, to a pointer to the target.
static const void *indirect_target(const int32_t *offset) {
  const char *found = (const char *)offset + (*offset & ~1);
  return *offset & 1 ? *(const void *const *)(const void *)found : found;
}

static void visit_record(const conformance_record *record, const visitor *visitor) {
  if (indirect_target(&record->protocol) != visitor->protocol) return;
  if ((record->flags & ~(uint32_t)PLAIN_FLAGS) != 0 || record->type == 0 || record->witness_table == 0) return;
  const context_record *type = target(&record->type);
  if (record->flags & 8u) type = *(const context_record *const *)(const void *)type;
  // The pointer is null for a class that the system lacks.
  if (!type || (type->flags & KIND_AND_GENERIC) != CLASS_KIND || type->parent == 0) return;
  const context_record *module = indirect_target(&type->parent);
  if (!module || (module->flags & KIND_AND_GENERIC) != 0) return;
  char name[NAME_LIMIT];
  const char *parts[] = {target(&module->name), target(&type->name)};
  size_t first = strlen(parts[0]), second = strlen(parts[1]);
  if (first + second + 2 > sizeof name) return;
  memcpy(name, parts[0], first);
  name[first] = '.';
  memcpy(name + first + 1, parts[1], second + 1);
  if (visitor->name && strcmp(name, visitor->name) != 0) return;
  visitor->each(visitor->context, name, (registry_conformance){type, target(&record->witness_table)});
}

static void visit_section(const void *start, size_t size, const visitor *visitor) {
  const int32_t *offsets = start;
  for (size_t index = 0; index < size / sizeof *offsets; ++index) {
    if (offsets[index] != 0) visit_record(target(&offsets[index]), visitor);
  }
}

#if defined(__APPLE__)

static void visit_images(const visitor *visitor) {
  registry_segment section;
  for (const void *image = NULL; (image = registry_next_conformances(image, &section));) {
    visit_section((const void *)section.start, section.end - section.start, visitor);
  }
}

#else

static bool visit_image(const metadata_sections *sections, void *visitor) {
#if defined(__ELF__)
  if (!registry_had_records(sections->conformances.start)) return true;
#endif
  visit_section((const void *)sections->conformances.start, sections->conformances.size, visitor);
  return true;
}

static void visit_images(const visitor *visitor) {
  if (swift_enumerateAllMetadataSections) swift_enumerateAllMetadataSections(visit_image, (void *)(uintptr_t)visitor);
}

#endif

typedef struct metadata_response {
  const void *metadata;
  size_t state;
} metadata_response;

typedef REGISTRY_SWIFTCALL metadata_response (*metadata_accessor)(size_t request);

const void *registry_class_metadata(const void *descriptor) {
  const void *accessor = target(&((const context_record *)descriptor)->accessor);
  return ((metadata_accessor)(uintptr_t)accessor)(0).metadata;
}

void registry_classes_conforming(
    const void *protocol, const char *name, void *context,
    void (*each)(void *, const char *, registry_conformance)) {
  visitor visitor = {protocol, name, context, each};
  if (READS_METADATA) visit_images(&visitor);
}

const void *registry_protocol(const void *type) {
  const struct {
    uintptr_t kind;
    uint32_t flags, count;
    const void *protocol;
  } *existential = type;
  // Exclude types with a superclass and special protocols such as `Error`.
  bool is_plain = existential->kind == 0x303 && existential->count == 1 && !(existential->flags & 0x7f000000u);
  // The lowest bit marks Objective-C protocols.
  bool is_swift = is_plain && !((uintptr_t)existential->protocol & 1);
  return READS_METADATA && is_swift ? existential->protocol : NULL;
}

const char *registry_protocol_name(const void *type) {
  const context_record *protocol = registry_protocol(type);
  return protocol ? target(&protocol->name) : NULL;
}
