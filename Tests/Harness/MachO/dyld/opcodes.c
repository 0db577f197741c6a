// Dyld-info (before macOS 12), which has two small programs. Their opcodes state the pointers to
// slide and to bind. <mach-o/loader.h> defines the opcodes.

#include "image.h"
#include "leb128.h"

/// The position at which a program writes next.
typedef struct place {
  size_t segment;
  uint64_t offset;
} place;

/// Slides several pointers, with a number of skipped bytes between them.
static void rebase(const dyld_image *image, place *at, uint64_t count, uint64_t skip) {
  for (; count > 0; --count) {
    uint64_t value;
    uint8_t *pointer = image_segment_memory(image, at->segment, at->offset);
    memcpy(&value, pointer, 8);
    value += (uint64_t)image->slide;
    memcpy(pointer, &value, 8);
    at->offset += 8 + skip;
  }
}

static bool run_rebases(const dyld_image *image) {
  const uint8_t *from = image->rebases.start, *end = from + image->rebases.size;
  place at = {0, 0};
  while (from < end) {
    uint8_t byte = *from++;
    unsigned immediate = byte & REBASE_IMMEDIATE_MASK;
    switch (byte & REBASE_OPCODE_MASK) {
    case REBASE_OPCODE_DONE:
      return true;
    case REBASE_OPCODE_SET_TYPE_IMM:
      if (immediate != REBASE_TYPE_POINTER) return dyld_fail("%s: a rebase of type %u.", image->path, immediate);
      break;
    case REBASE_OPCODE_SET_SEGMENT_AND_OFFSET_ULEB:
      at = (place){immediate, read_uleb(&from)};
      break;
    case REBASE_OPCODE_ADD_ADDR_ULEB:
      at.offset += read_uleb(&from);
      break;
    case REBASE_OPCODE_ADD_ADDR_IMM_SCALED:
      at.offset += immediate * 8u;
      break;
    case REBASE_OPCODE_DO_REBASE_IMM_TIMES:
      rebase(image, &at, immediate, 0);
      break;
    case REBASE_OPCODE_DO_REBASE_ULEB_TIMES:
      rebase(image, &at, read_uleb(&from), 0);
      break;
    case REBASE_OPCODE_DO_REBASE_ADD_ADDR_ULEB:
      rebase(image, &at, 1, read_uleb(&from));
      break;
    case REBASE_OPCODE_DO_REBASE_ULEB_TIMES_SKIPPING_ULEB: {
      uint64_t count = read_uleb(&from);
      rebase(image, &at, count, read_uleb(&from));
      break;
    }
    default:
      return dyld_fail("%s: has an unknown rebase opcode, 0x%02x.", image->path, byte);
    }
  }
  return true;
}

/// The target of a bind.
typedef struct target {
  int ordinal;
  const char *symbol;
  bool is_weak;
  int64_t addend;
} target;

static bool bind(const dyld_image *image, place *at, const target *to, uint64_t count, uint64_t skip) {
  void *address = NULL;
  if (!image_resolve(image, to->ordinal, to->symbol, to->is_weak, &address)) return false;
  uint64_t value = address ? (uint64_t)address + (uint64_t)to->addend : 0;
  for (; count > 0; --count) {
    memcpy(image_segment_memory(image, at->segment, at->offset), &value, 8);
    at->offset += 8 + skip;
  }
  return true;
}

/// Runs binds, including lazy ones, immediately.
///
/// In the stream of lazy binds, DONE follows each bind. In the other stream, it is the end.
static bool run_binds(const dyld_image *image, bytes program, bool is_lazy) {
  const uint8_t *from = program.start, *end = from + program.size;
  place at = {0, 0};
  target to = {0};
  bool fine = true;
  while (fine && from < end) {
    uint8_t byte = *from++;
    unsigned immediate = byte & BIND_IMMEDIATE_MASK;
    switch (byte & BIND_OPCODE_MASK) {
    case BIND_OPCODE_DONE:
      if (!is_lazy) return true;
      to = (target){0};
      break;
    case BIND_OPCODE_SET_DYLIB_ORDINAL_IMM:
      to.ordinal = (int)immediate;
      break;
    case BIND_OPCODE_SET_DYLIB_ORDINAL_ULEB:
      to.ordinal = (int)read_uleb(&from);
      break;
    case BIND_OPCODE_SET_DYLIB_SPECIAL_IMM:
      to.ordinal = immediate ? (int8_t)(BIND_OPCODE_MASK | immediate) : BIND_SPECIAL_DYLIB_SELF;
      break;
    case BIND_OPCODE_SET_SYMBOL_TRAILING_FLAGS_IMM:
      to.symbol = read_text(&from);
      to.is_weak = immediate & BIND_SYMBOL_FLAGS_WEAK_IMPORT;
      break;
    case BIND_OPCODE_SET_TYPE_IMM:
      if (immediate != BIND_TYPE_POINTER) return dyld_fail("%s: a bind of type %u.", image->path, immediate);
      break;
    case BIND_OPCODE_SET_ADDEND_SLEB:
      to.addend = read_sleb(&from);
      break;
    case BIND_OPCODE_SET_SEGMENT_AND_OFFSET_ULEB:
      at = (place){immediate, read_uleb(&from)};
      break;
    case BIND_OPCODE_ADD_ADDR_ULEB:
      at.offset += read_uleb(&from);
      break;
    case BIND_OPCODE_DO_BIND:
      fine = bind(image, &at, &to, 1, 0);
      break;
    case BIND_OPCODE_DO_BIND_ADD_ADDR_ULEB:
      fine = bind(image, &at, &to, 1, read_uleb(&from));
      break;
    case BIND_OPCODE_DO_BIND_ADD_ADDR_IMM_SCALED:
      fine = bind(image, &at, &to, 1, immediate * 8u);
      break;
    case BIND_OPCODE_DO_BIND_ULEB_TIMES_SKIPPING_ULEB: {
      uint64_t count = read_uleb(&from);
      fine = bind(image, &at, &to, count, read_uleb(&from));
      break;
    }
    default:
      return dyld_fail("%s: has an unknown bind opcode, 0x%02x.", image->path, byte);
    }
  }
  return fine;
}

bool image_fix_up_opcodes(const dyld_image *image) {
  return run_rebases(image) && run_binds(image, image->binds, false) && run_binds(image, image->lazy_binds, true);
}
