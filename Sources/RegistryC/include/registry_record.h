// The layout of a record, as Documentation/RecordFormat.md specifies it, and the walker that reads
// a sequence of records.

#ifndef REGISTRY_RECORD_H
#define REGISTRY_RECORD_H

#include "registry_declarations.h"

REGISTRY_BEGIN_

/// The size of a record's name, including its terminating NUL.
#define REGISTRY_NAME_SIZE 9u

/// The name of every record of this layout. Records of incompatible layouts have other names
/// ("Registry2", …), so readers can distinguish them from damaged records.
#define REGISTRY_NAME "Registry"

/// The number of bytes before the JSON: the header and the accessor's slot.
#define REGISTRY_HEADER_SIZE 32u

/// The kinds of records, as FourCC codes (`modu` is 0x6d6f6475 on every platform).
#define REGISTRY_KIND_MODULE 0x6d6f6475u
#define REGISTRY_KIND_SERVICE 0x73657276u
#define REGISTRY_KIND_HANDLER 0x65766e74u
#define REGISTRY_KIND_ROUTE 0x726f7574u
#define REGISTRY_KIND_ACTION 0x6163746eu
#define REGISTRY_KIND_NEED 0x6e656564u
#define REGISTRY_KIND_CONTRIBUTION 0x636f6e74u
/// `libr`: the image contains a copy of this library.
#define REGISTRY_KIND_LIBRARY 0x6c696272u

/// The bit that makes a kind's first letter lowercase. Kinds of records in groups lack it (`Modu`).
#define REGISTRY_UNGROUPED 0x20000000u

/// A record's accessor. "Accessor" in RecordFormat.md describes each kind and the special requests.
///
/// If `type` is null, writes the accessor's type to `out` (for a contribution from C, the address).
/// If `type` is that type, initializes `out` as the record's kind specifies. Returns true in both
/// cases. For unknown types and unavailable exports, changes nothing and returns false.
typedef bool (*registry_accessor)(void *out, const void *type, uintptr_t reserved);

/// The fixed part of a record, aligned to eight bytes, with integers in the target's byte order. On
/// ELF, the first 24 bytes are a note's header and its name.
typedef struct registry_record {
  /// `REGISTRY_NAME_SIZE`.
  uint32_t name_size;
  /// The number of bytes after `name`: the accessor's slot, and the JSON with its terminator and
  /// padding.
  uint32_t payload_size;
  uint32_t kind;
  /// `REGISTRY_NAME`, NUL-padded.
  char name[12];
  /// The accessor in an eight-byte slot, or null, for example if the class is looked up by name.
  union {
    registry_accessor function;
    uint64_t slot;
  } accessor;
  // char json[]: one UTF-8 JSON object, NUL-terminated, NUL-padded to eight bytes.
} registry_record;

typedef enum registry_step {
  /// The end of the range.
  REGISTRY_STEP_END = 0,
  /// A record; every field of `registry_item` but `problem` is valid.
  REGISTRY_STEP_RECORD,
  /// A record of another layout version; `offset` and `problem` are valid.
  REGISTRY_STEP_OTHER_VERSION,
  /// Bytes that should be a record but are not; `offset` and `problem` are valid. The walker
  /// continues at the next bytes that resemble a record.
  REGISTRY_STEP_MALFORMED,
} registry_step;

typedef struct registry_item {
  /// The offset in bytes from the start of the walked range.
  size_t offset;
  uint32_t kind;
  /// The accessor, or null. Of the records from C code, only contributions have an accessor.
  registry_accessor accessor;
  /// The JSON in the walked range, `json_size` bytes without its terminator.
  const char *json;
  size_t json_size;
  /// A description of the problem for messages, as a string literal.
  const char *problem;
} registry_item;

/// A walker over a sequence of records. It reads nothing outside `bytes[0 ..< size]`, even if the
/// records are damaged.
typedef struct registry_walker {
  const unsigned char *bytes;
  size_t size;
  /// The offset where the next step begins.
  size_t offset;
  /// Zero, or the alignment (`p_align` in ELF) of other owners' notes between the records. The
  /// walker skips them. At 8, it also accepts notes padded to 4, because gold mixes both.
  uint32_t alignment;
} registry_walker;

/// Creates a walker over `size` bytes. On ELF, `alignment` is the note segment's alignment.
/// Sections on other systems contain only records, and `alignment` is zero. The bytes must be
/// aligned to eight bytes and not change during the walk, so pass a copy; see `registry_section`.
registry_walker registry_walk(const void *bytes, size_t size, uint32_t alignment);

/// Advances by one item. A whole walk takes linear time and allocates nothing.
registry_step registry_walk_next(registry_walker *walker, registry_item *item);

REGISTRY_END_

#endif
