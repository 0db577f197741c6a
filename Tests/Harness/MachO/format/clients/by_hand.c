// Records that no macro writes: records of other kinds, and records with accessors, as another
// language would create them from registry_record.h. They have a file of their own, because on ELF
// a constant with a relocation makes its section writable, and compilers do not allow both in one
// file.

#include "../../images/by_hand.h"

// Another file defines these functions, so that every compiler leaves the slots to the linker.
__attribute__((visibility("hidden"))) bool answers_first(void *out, const void *type, uintptr_t reserved);
__attribute__((visibility("hidden"))) bool answers_second(void *out, const void *type, uintptr_t reserved);

#define RECORD(variable, section, kind, accessor, json_)                                                     \
  static const struct {                                                                                      \
    registry_record record;                                                                                  \
    char json[(sizeof(json_) + 7) / 8 * 8];                                                                  \
  } variable __attribute__((aligned(8))) IN_SECTION(section) = {                                             \
      {REGISTRY_NAME_SIZE, 8 + (sizeof(json_) + 7) / 8 * 8, kind, REGISTRY_NAME, {accessor}}, json_};

RECORD(route, "__reg_exports", 0x726f7574, 0, "{\"path\":\"/läden/:id\"}")
RECORD(first, "__reg_exports", 0x74657374, answers_first, "{\"a\":1}")
RECORD(empty, "__reg_exports", 0x41424364, 0, "{}")
RECORD(second, "__reg_exports", 0x74657374, answers_second, "{\"long\":[true,false,null,1.5e3]}")
RECORD(clock, "__reg_services", REGISTRY_KIND_SERVICE, answers_second, "{\"protocol\":\"P\",\"class\":\"M.C\"}")
RECORD(module, "__reg_modules", REGISTRY_KIND_MODULE, answers_first, "{\"module\":\"M.C\"}")
