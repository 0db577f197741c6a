// The part of Darwin's <mach-o/fixup-chains.h> that the tests use. agree.c compares it with
// Darwin's.

#ifndef STUB_MACH_O_FIXUP_CHAINS_H
#define STUB_MACH_O_FIXUP_CHAINS_H

#include <stdint.h>

struct dyld_chained_fixups_header {
  uint32_t fixups_version;
  uint32_t starts_offset;
  uint32_t imports_offset;
  uint32_t symbols_offset;
  uint32_t imports_count;
  uint32_t imports_format;
  uint32_t symbols_format;
};

struct dyld_chained_starts_in_image {
  uint32_t seg_count;
  uint32_t seg_info_offset[1];
};

struct dyld_chained_starts_in_segment {
  uint32_t size;
  uint16_t page_size;
  uint16_t pointer_format;
  uint64_t segment_offset;
  uint32_t max_valid_pointer;
  uint16_t page_count;
  uint16_t page_start[1];
};

#define DYLD_CHAINED_PTR_START_NONE 0xFFFF
#define DYLD_CHAINED_PTR_START_MULTI 0x8000
#define DYLD_CHAINED_PTR_64 2
#define DYLD_CHAINED_PTR_64_OFFSET 6
#define DYLD_CHAINED_IMPORT 1
#define DYLD_CHAINED_IMPORT_ADDEND 2
#define DYLD_CHAINED_IMPORT_ADDEND64 3

#endif
