// Mach-O only: a stand-in for the Swift runtime's function that RegistryC calls. The test
// determines its result.

#include "by_hand.h"

/// The executor that runs the current job.
EXPORTED uintptr_t runtime_current = 0;
EXPORTED uint64_t runtime_flags = 0;
EXPORTED int runtime_calls = 0;

EXPORTED __attribute__((swiftcall)) bool swift_task_isCurrentExecutorWithFlags(void *identity, uintptr_t implementation,
                                                                               uint64_t flags);
bool swift_task_isCurrentExecutorWithFlags(void *identity, uintptr_t implementation, uint64_t flags) {
  runtime_flags = flags;
  ++runtime_calls;
  return (uintptr_t)identity + implementation == runtime_current;
}
