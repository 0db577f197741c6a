// The inner loops of the JSON reader.

#ifndef REGISTRY_JSON_H
#define REGISTRY_JSON_H

#include "registry_declarations.h"

REGISTRY_BEGIN_

/// The plain-string keys read so far from an object, for detecting duplicates.
typedef struct registry_json_keys {
  uint32_t count;
  uint32_t offsets[16];
} registry_json_keys;

/// Returns the offset of the first byte at or after `start` that isn't plain, or the size. Such a
/// byte is a quotation mark, a backslash, a byte below 0x20, or not ASCII.
size_t registry_json_plain_end(const void *json, size_t size, size_t start);

/// Reads the key whose opening quotation mark is at `offset`, and adds it to the keys. The key must
/// be nonempty ASCII without escapes, and a colon must directly follow its closing quotation mark.
///
/// Returns the key's size. Returns zero, and adds nothing, for any other text, for a duplicate key,
/// and if there are too many keys.
size_t registry_json_key(const void *json, size_t size, size_t offset, registry_json_keys *keys);

/// Returns whether two texts of the same size are equal. Null is allowed if the size is zero.
bool registry_json_same(const void *first, const void *second, size_t size);

REGISTRY_END_

#endif
