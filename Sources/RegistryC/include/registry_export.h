// Export macros for C, Objective-C and C++: records for classes that are found by their names.
//
//   REGISTRY_EXPORT_MODULE(Shop.LegacyModule)
//   REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
//
// Names are spelled as Swift does, with their module. A module's class conforms to Lifecycle's `Module`, a
// service's to the protocol and to Registry's `NamedExport`. Level, scope, name and priority have their
// defaults; what needs others is exported from Swift.
//
// The macros stand at file scope, as many as one likes, in any file that is linked. A record costs no
// relocation and no code. C99 or newer, C++11 or newer; clang and gcc.

#ifndef REGISTRY_EXPORT_H
#define REGISTRY_EXPORT_H

#include <stdint.h>

#include "registry_record.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#warning "registry_export.h: records are little-endian; say in RecordFormat.md how readers tell, then lift this"
#endif

/// Exports the module whose class has this name.
#define REGISTRY_EXPORT_MODULE(name)                                                                    \
  REGISTRY_CHECK_(#name)                                                                                \
  REGISTRY_EMIT_(REGISTRY_KIND_MODULE, REGISTRY_MODULES_, "{\"module\":" REGISTRY_QUOTED_(#name) "}",   \
                 __COUNTER__)

/// Exports the class that implements a protocol, both by their names.
#define REGISTRY_EXPORT_SERVICE(protocol_name, class_name)                                              \
  REGISTRY_CHECK_(#protocol_name)                                                                       \
  REGISTRY_CHECK_(#class_name)                                                                          \
  REGISTRY_EMIT_(REGISTRY_KIND_SERVICE, REGISTRY_SERVICES_,                                             \
                 "{\"protocol\":" REGISTRY_QUOTED_(#protocol_name) ",\"class\":" REGISTRY_QUOTED_(      \
                     #class_name) "}",                                                                  \
                 __COUNTER__)

// What follows is not for use: pieces of the two above.

// Where records go. RecordFormat.md lists the sections.
#if defined(__APPLE__)
#define REGISTRY_MODULES_ "__DATA,__reg_modules,regular,no_dead_strip"
#define REGISTRY_SERVICES_ "__DATA,__reg_services,regular,no_dead_strip"
#elif defined(__ELF__)
#define REGISTRY_MODULES_ ".note.registry"
#define REGISTRY_SERVICES_ ".note.registry"
#else
#error "registry_export.h: say here in which section records go in this object file format"
#endif

// `used` keeps a record in the object file, `retain` in what lld links with --gc-sections.
#if defined(__has_attribute)
#if __has_attribute(retain) && defined(__ELF__)
#define REGISTRY_KEPT_ used, retain
#endif
#endif
#ifndef REGISTRY_KEPT_
#define REGISTRY_KEPT_ used
#endif

// A literal of a literal: stringifying escapes quotes and backslashes as JSON does, so any name gives a
// valid JSON string.
#define REGISTRY_QUOTED_(literal) REGISTRY_QUOTED_AGAIN_(literal)
#define REGISTRY_QUOTED_AGAIN_(literal) #literal

// But for a backslash outside of quotes, which C does not escape; it would begin an escape in the JSON.
#if defined(__cplusplus) && defined(__clang__)
#define REGISTRY_CHECK_(literal) \
  static_assert(__builtin_strchr(literal, '\\') == nullptr, "a name in a record has no backslash");
#elif defined(__clang__)
#define REGISTRY_CHECK_(literal)                                                     \
  _Pragma("clang diagnostic push")                                                   \
  _Pragma("clang diagnostic ignored \"-Wgnu-folding-constant\"")                     \
  _Pragma("clang diagnostic ignored \"-Wc11-extensions\"")                           \
  _Static_assert(__builtin_strchr(literal, '\\') == 0, "a name in a record has no backslash"); \
  _Pragma("clang diagnostic pop")
#elif defined(__cplusplus)
#define REGISTRY_CHECK_(literal) \
  static_assert(__builtin_strchr(literal, '\\') == nullptr, "a name in a record has no backslash");
#else
// gcc takes no string function in a constant expression of C: a control character or an unknown escape is
// then found by the reader.
#define REGISTRY_CHECK_(literal)
#endif

#define REGISTRY_EMIT_(kind, section, json, id) REGISTRY_EMIT_AS_(kind, section, json, id)
#define REGISTRY_EMIT_AS_(kind, section_, json, id)                                                     \
  __attribute__((REGISTRY_KEPT_, aligned(8), section(section_))) static const struct {                  \
    uint32_t name_size, payload_size, record_kind;                                                      \
    char name[12];                                                                                      \
    uint64_t accessor;                                                                                  \
    char text[(sizeof(json) + 7) & ~(sizeof(char[8]) - 1)];                                             \
  } registry_record_##id = {                                                                            \
      REGISTRY_NAME_SIZE, 8 + (uint32_t)((sizeof(json) + 7) & ~(sizeof(char[8]) - 1)), kind,            \
      REGISTRY_NAME,      0,                                                           json};

#endif
