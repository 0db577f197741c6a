// The layout of a record, the walker that reads a run of them, and nothing else.
// Documentation/RecordFormat.md is the specification; this header is its spelling in C.

#ifndef REGISTRY_RECORD_H
#define REGISTRY_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Size of the name of a record, its terminating NUL included.
#define REGISTRY_NAME_SIZE 9u

/// The name every record of this layout carries. An incompatible layout changes the name
/// ("Registry2", …), so that a reader can tell a record it must not read from a broken one.
#define REGISTRY_NAME "Registry"

/// Bytes in front of the JSON: the header and the accessor's slot.
#define REGISTRY_HEADER_SIZE 32u

/// Kinds of record, as FourCC codes (`modu` is 0x6d6f6475 on every platform).
#define REGISTRY_KIND_MODULE 0x6d6f6475u
#define REGISTRY_KIND_SERVICE 0x73657276u
#define REGISTRY_KIND_HANDLER 0x65766e74u
#define REGISTRY_KIND_ROUTE 0x726f7574u
#define REGISTRY_KIND_ACTION 0x6163746eu
/// `libr`: a copy of this library is in the image.
#define REGISTRY_KIND_LIBRARY 0x6c696272u

/// What a record made by Swift code answers with. See RecordFormat.md, "Accessor".
///
/// With `type` null, writes the type it serves to `out` and returns true. With the type it serves,
/// initialises `out` with what the record's kind says and returns true. With any other type, touches
/// nothing and returns false.
typedef bool (*registry_accessor)(void *out, const void *type, uintptr_t reserved);

/// The fixed part of a record: eight-byte aligned, the same bytes on every platform.
/// On ELF the first 24 bytes are the header of a note.
typedef struct registry_record {
  /// `REGISTRY_NAME_SIZE`.
  uint32_t name_size;
  /// Bytes after `name`: the accessor's slot and the JSON with its terminator and padding.
  uint32_t payload_size;
  /// What the record is about: a FourCC.
  uint32_t kind;
  /// `REGISTRY_NAME`, NUL-padded.
  char name[12];
  /// The accessor in an eight-byte slot; null when the class is to be found by its name.
  union {
    registry_accessor function;
    uint64_t slot;
  } accessor;
  // char json[]: one UTF-8 JSON object, NUL-terminated, NUL-padded to eight bytes.
} registry_record;

/// What a step of the walker came upon.
typedef enum registry_step {
  /// Nothing is left.
  REGISTRY_STEP_END = 0,
  /// A record; every field of `registry_item` but `problem` is valid.
  REGISTRY_STEP_RECORD,
  /// A record of another layout version; `offset` and `problem` are valid.
  REGISTRY_STEP_OTHER_VERSION,
  /// Bytes that should be a record and are not; `offset` and `problem` are valid. The walker goes on
  /// at the next thing that looks like a record.
  REGISTRY_STEP_MALFORMED,
} registry_step;

/// One thing the walker came upon.
typedef struct registry_item {
  /// Where it begins, in bytes from the start of the walked range.
  size_t offset;
  uint32_t kind;
  /// Null for records written by C code.
  registry_accessor accessor;
  /// The JSON in the walked range, `json_size` bytes without its terminator.
  const char *json;
  size_t json_size;
  /// A static sentence that says what is wrong.
  const char *problem;
} registry_item;

/// Walks a run of records. Reads nothing outside `bytes[0 ..< size]`, whatever they hold.
typedef struct registry_walker {
  const unsigned char *bytes;
  size_t size;
  /// Where the next step begins.
  size_t offset;
  /// True where notes of others may stand between the records (ELF); they are passed over.
  bool notes;
  /// To what notes of others are padded: 4 or 8 (ELF's `p_align`; at 8, notes padded to 4 are taken as well, as gold
  /// mixes them); unused otherwise.
  uint32_t alignment;
} registry_walker;

/// Makes a walker over `size` bytes; `alignment` is zero for a section of records alone (Mach-O), and a
/// note segment's alignment on ELF. The bytes must be eight-byte aligned like the records in them (others are
/// reported and not walked), and not change while they are walked: a copy, see `registry_section`.
registry_walker registry_walk(const void *bytes, size_t size, uint32_t alignment);

/// Takes one step. Linear in the bytes passed over; allocates nothing.
registry_step registry_walk_next(registry_walker *walker, registry_item *item);

#ifdef __cplusplus
}
#endif

#endif
