// Records written by hand according to Documentation/RecordFormat.md, including forms that the
// export macros do not write and malformed ones.

#ifndef BY_HAND_H
#define BY_HAND_H

#include "registry_record.h"

#include <stdbool.h>
#include <stdint.h>

#if defined(__MACH__)
#define IN_SECTION(name) __attribute__((section("__DATA," name ",regular,no_dead_strip"), used))
#elif defined(__has_attribute) && __has_attribute(retain)
#define IN_SECTION(name) __attribute__((section(".note.registry"), used, retain))
#else
#define IN_SECTION(name) __attribute__((section(".note.registry"), used))
#endif

#define EXPORTED __attribute__((visibility("default")))

/// A record with space for 40 bytes of JSON.
typedef struct by_hand {
  uint32_t name_size;
  uint32_t payload_size;
  uint32_t kind;
  char name[12];
  union {
    registry_accessor function;
    uint64_t slot;
  } accessor;
  char json[40];
} by_hand;

enum { BY_HAND_PAYLOAD = 8 + 40 };

_Static_assert(sizeof(by_hand) == 72, "the accessor's slot has eight bytes everywhere");

#define BY_HAND(kind, accessor, json) {9, BY_HAND_PAYLOAD, kind, "Registry", {accessor}, json}

#endif
