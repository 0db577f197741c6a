// The accessor of all modules in an image of generated records. It calls a function of the program.

#include <stdbool.h>
#include <stdint.h>

bool (*benchmark_asked)(void *, const void *, uintptr_t);

bool benchmark_accessor(void *out, const void *type, uintptr_t reserved) {
  return benchmark_asked(out, type, reserved);
}
