// The export trie, which stores the names that an image exports by their common prefixes. A node
// holds the address of its name, if it has one, and the edges to longer names.

#include "image.h"
#include "leb128.h"

#include <mach-o/loader.h>

void *image_export(const dyld_image *image, const char *symbol) {
  bytes trie = image->exports;
  cursor node = cursor_over(trie);
  const char *rest = symbol;
  // A path down the trie is at most as long as the name. A longer one contains a cycle.
  for (size_t steps = strlen(symbol) + 1; trie.size > 0; --steps) {
    uint64_t size = read_uleb(&node);
    if (node.failed || size > (uint64_t)(node.end - node.at)) return NULL;
    if (*rest == 0) {
      if (size == 0) return NULL;
      uint64_t flags = read_uleb(&node), offset = read_uleb(&node);
      bool is_plain = (flags & EXPORT_SYMBOL_FLAGS_KIND_MASK) == EXPORT_SYMBOL_FLAGS_KIND_REGULAR &&
                      !(flags & (EXPORT_SYMBOL_FLAGS_REEXPORT | EXPORT_SYMBOL_FLAGS_STUB_AND_RESOLVER));
      return is_plain && !node.failed && offset < image->memory_size ? image->header + offset : NULL;
    }
    if (steps == 0) return NULL;
    node.at += size;
    unsigned edges = read_byte(&node);
    const char *follow = NULL;
    uint64_t next = 0;
    for (; edges > 0 && !follow; --edges) {
      const char *letters = read_text(&node);
      next = read_uleb(&node);
      size_t length = strlen(letters);
      if (length > 0 && strncmp(rest, letters, length) == 0) follow = rest + length;
    }
    if (!follow || node.failed || next >= trie.size) return NULL;
    rest = follow;
    node.at = trie.start + next;
  }
  return NULL;
}
