// The walker reads records from a copy in ordinary memory (`registry_section.bytes`), so it needs
// no exemption from sanitizers. It checks every size before using it.
//
// A signature is the header of a record of any version. The walk takes linear time: each step ends
// after the bytes that it read or at the next signature, and no check reads beyond the signature
// after that. Most checks use `next_signature`. The search for the JSON's terminator and the check
// of the JSON's padding stop inside a signature at the latest, because every signature contains a
// zero byte (in the name's size) and nonzero bytes.

#include "registry_record.h"

#include <string.h>

#include "own_copy.h"

/// The offsets of the fields, and the sizes of the headers (see RecordFormat.md).
enum { PAYLOAD_SIZE = 4, KIND = 8, NAME = 12, ACCESSOR = 24, NOTE_HEADER = 12, HEADER = 24 };

/// The maximum length of other versions' names, including the terminator.
enum { LONGEST_NAME = 64 };

_Static_assert(sizeof(registry_record) == REGISTRY_HEADER_SIZE, "the layout must be the same on every platform");
_Static_assert(offsetof(registry_record, accessor) == ACCESSOR, "the layout must be the same on every platform");

/// Returns the field at an offset, by copying, because arbitrary bytes have no type or alignment.
static uint32_t word_at(const registry_walker *walker, size_t offset) {
  uint32_t word;
  memcpy(&word, walker->bytes + offset, sizeof word);
  return word;
}

static size_t round_up(size_t value, size_t to) { return (value + to - 1) & ~(to - 1); }

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/// Returns whether a record can begin at an offset. Other owners' notes need a multiple of four.
static bool on_eight(size_t offset) { return offset % 8 == 0; }

/// Returns whether a record at `offset` would have a name that begins with our name.
static bool has_name_at(const registry_walker *walker, size_t offset) {
  return walker->size - offset >= HEADER && on_eight(offset) &&
         memcmp(walker->bytes + offset + NAME, REGISTRY_NAME, REGISTRY_NAME_SIZE - 1) == 0;
}

static bool plausible_name_size(uint32_t size) {
  return size >= REGISTRY_NAME_SIZE && size <= LONGEST_NAME;
}

/// Returns the offset of the first signature in `from ..< limit`, or `limit` if there is none.
static size_t next_signature(const registry_walker *walker, size_t from, size_t limit) {
  while (from < limit && !on_eight(from)) ++from;
  if (walker->size < HEADER) return limit;
  // This loop must be fast, because it reads each word of each record.
  uint64_t name, word;
  memcpy(&name, REGISTRY_NAME, sizeof name);
  for (size_t end = smaller(limit, walker->size - HEADER + 1); from < end; from += 8) {
    memcpy(&word, walker->bytes + from + NAME, sizeof word);
    if (word == name && plausible_name_size(word_at(walker, from))) return from;
  }
  return limit;
}

registry_walker registry_walk(const void *bytes, size_t size, uint32_t alignment) {
  return (registry_walker){.bytes = bytes, .size = size, .alignment = alignment};
}

static registry_step malformed(registry_walker *walker, registry_item *item, const char *problem) {
  item->problem = problem;
  walker->offset = next_signature(walker, item->offset + 4, walker->size);
  return REGISTRY_STEP_MALFORMED;
}

/// Reads a record of this version. The caller has checked the name and its padding.
static registry_step this_version(registry_walker *walker, registry_item *item) {
  size_t at = item->offset, left = walker->size - at;
  size_t payload = word_at(walker, at + PAYLOAD_SIZE);
  if (payload < 16) return malformed(walker, item, "the payload is shorter than 16 bytes");
  if (payload % 8 != 0) return malformed(walker, item, "the payload size is not a multiple of eight");
  if (payload > left - HEADER) {
    return malformed(walker, item, "the record extends beyond its section");
  }
  const char *json = (const char *)walker->bytes + at + REGISTRY_HEADER_SIZE;
  size_t room = payload - 8;
  const char *end = memchr(json, 0, room);
  if (!end) return malformed(walker, item, "the JSON has no terminating NUL");
  for (const char *byte = end; byte < json + room; ++byte) {
    if (*byte) {
      return malformed(walker, item, "bytes other than NUL follow the terminator of the JSON");
    }
  }
  // In a truncated record, the next record's header can begin where the accessor should be, so that
  // the name in the header looks like JSON.
  size_t after = at + HEADER + payload;
  if (next_signature(walker, at + ACCESSOR, after) != after) {
    return malformed(walker, item, "another record begins inside the record; it is truncated, or its size is wrong");
  }
  registry_record record;
  memcpy(&record, walker->bytes + at, sizeof record);
  item->kind = record.kind;
  item->accessor = record.accessor.function;
  item->json = json;
  item->json_size = (size_t)(end - json);
  walker->offset = after;
  return REGISTRY_STEP_RECORD;
}

/// Reads an item whose name begins with our name.
static registry_step record(registry_walker *walker, registry_item *item) {
  size_t at = item->offset;
  uint32_t name_size = word_at(walker, at);
  if (!plausible_name_size(name_size)) {
    return malformed(walker, item, "the size of the name is out of range");
  }
  if (name_size == REGISTRY_NAME_SIZE && walker->bytes[at + NAME + REGISTRY_NAME_SIZE - 1] == 0) {
    for (size_t index = REGISTRY_NAME_SIZE; index < 12; ++index) {
      if (walker->bytes[at + NAME + index]) {
        return malformed(walker, item, "the name is not padded with NULs");
      }
    }
    return this_version(walker, item);
  }

  // A record of another version has its own layout but is still a note. The note's size is valid if
  // the note stays inside the range and contains no other record.
  item->problem = "the layout version of the record is not supported; update swift-section-registry";
  uint64_t size = NOTE_HEADER + round_up(name_size, 4) + (uint64_t)word_at(walker, at + PAYLOAD_SIZE);
  size_t left = walker->size - at;
  size_t limit = size <= left ? at + (size_t)size : walker->size;
  size_t next = next_signature(walker, at + 8, limit);
  if (next == limit && size <= left) {
    walker->offset = smaller(round_up(limit, 8), walker->size);
  } else {
    walker->offset = next;
  }
  return REGISTRY_STEP_OTHER_VERSION;
}

/// Returns the end of another owner's note at `at`, or zero if the bytes cannot be a note.
///
/// Segments aligned to eight bytes pad names to eight, too, but gold mixes in notes padded to four,
/// which can begin between multiples of eight. The walker skips trailing padding, which is zero.
static size_t foreign_note_end(const registry_walker *walker, size_t at) {
  size_t left = walker->size - at;
  if (left < NOTE_HEADER) return 0;
  size_t padding = walker->alignment >= 8 && on_eight(at) ? 8 : 4;
  uint64_t name_size = word_at(walker, at), size = word_at(walker, at + PAYLOAD_SIZE);
  uint64_t end = ((NOTE_HEADER + name_size + padding - 1) & ~(uint64_t)(padding - 1)) + size;
  if (end > left) return 0;
  size_t limit = at + (size_t)end;
  if (next_signature(walker, at + 4, limit) != limit) return 0;
  return smaller(at + round_up((size_t)end, 4), walker->size);
}

registry_step registry_walk_next(registry_walker *walker, registry_item *item) {
  memset(item, 0, sizeof *item);
  bool has_notes = walker->alignment != 0;
  // Other owners' notes may begin between multiples of eight.
  size_t unit = has_notes ? 4 : 8;
  static const unsigned char zeros[8];
  for (;;) {
    size_t at = walker->offset, left = walker->size - at;
    item->offset = at;
    if (left == 0) return REGISTRY_STEP_END;
    if (memcmp(walker->bytes + at, zeros, smaller(unit, left)) == 0) {
      walker->offset = at + smaller(unit, left);
      continue;
    }
    if (has_name_at(walker, at)) return record(walker, item);
    if (has_notes) {
      size_t end = foreign_note_end(walker, at);
      if (end > at) {
        walker->offset = end;
        continue;
      }
    }
    return malformed(walker, item, "the bytes are not a record");
  }
}
