// Mach-O only: an image with records and Swift metadata, whose initializer takes as long as a test
// needs.

#include "by_hand.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Slow.Module)

extern void (*gate_function)(void);

EXPORTED int slow_value = 1;

__attribute__((section("__TEXT,__swift5_types"), used)) static const int swift_types[] = {0};

__attribute__((constructor)) static void start(void) {
  if (gate_function) gate_function();
}
