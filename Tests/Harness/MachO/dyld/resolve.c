// Symbols: the export trie of an image, and the resolution of references. Two-level lookup names
// the library, and flat lookup searches all images.

#include "image.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char problem[1024];

bool dyld_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(problem, sizeof problem, format, arguments);
  va_end(arguments);
  return false;
}

const char *dyld_problem(void) { return problem; }

/// Reads a number of variable length (ULEB128), and moves the position to the next byte.
static uint64_t read_uleb(const uint8_t **at) {
  uint64_t value = 0;
  uint8_t byte = 0x80;
  for (unsigned bits = 0; byte & 0x80; bits += 7) {
    byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7f) << bits;
  }
  return value;
}

/// Searches the trie, which stores names by their common prefixes.
///
/// A node holds the address of its name, if it has one, and the edges to longer names.
void *image_export(const dyld_image *image, const char *symbol) {
  const uint8_t *node = image->exports.start;
  const char *rest = symbol;
  while (image->exports.size > 0) {
    uint64_t size = read_uleb(&node);
    if (*rest == 0) {
      if (size == 0) return NULL;
      (void)read_uleb(&node);  // The flags; absolute and re-exported symbols are not supported.
      return image->header + read_uleb(&node);
    }
    node += size;
    const char *follow = NULL;
    uint64_t next = 0;
    for (unsigned edges = *node++; edges > 0 && !follow; --edges) {
      const char *letters = (const char *)node;
      node += strlen(letters) + 1;
      next = read_uleb(&node);
      if (strncmp(rest, letters, strlen(letters)) == 0) follow = rest + strlen(letters);
    }
    if (!follow) return NULL;
    rest = follow;
    node = image->exports.start + next;
  }
  return NULL;
}

static void *flat_symbol(const char *symbol) {
  for (const dyld_image *image = dyld_images; image; image = image->next) {
    void *address = image_export(image, symbol);
    if (address) return address;
  }
  return host_symbol(symbol);
}

bool image_resolve(const dyld_image *image, int ordinal, const char *symbol, bool is_weak, void **address) {
  const char *where = "any image";
  if (ordinal > 0) {
    const dependency *library = &image->dependencies[ordinal - 1];
    where = library->name;
    *address = library->is_host ? host_symbol(symbol) : image_export(library->image, symbol);
  } else if (ordinal == BIND_SPECIAL_DYLIB_FLAT_LOOKUP || ordinal == BIND_SPECIAL_DYLIB_WEAK_LOOKUP) {
    *address = flat_symbol(symbol);
  } else {
    return dyld_fail("%s: looks %s up in a way that is not supported here, %d.", image->path, symbol, ordinal);
  }
  if (*address || is_weak) return true;
  return dyld_fail("%s: symbol %s is not in %s.", image->path, symbol, where);
}
