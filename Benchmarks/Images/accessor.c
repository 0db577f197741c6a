// What an image of generated records has beside them: one accessor for all of its modules, which asks the program.

#include <stdbool.h>
#include <stdint.h>

bool (*benchmark_asked)(void *, const void *, uintptr_t);

bool benchmark_accessor(void *out, const void *type, uintptr_t reserved) {
  return benchmark_asked(out, type, reserved);
}
