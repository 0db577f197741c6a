// Opens an image repeatedly, in a process that has loaded the same libraries as another one, except
// for the library that is measured:
//
//     loader COUNT IMAGE LIBRARY…
//
// Prints the nanoseconds of each opening or, if the counter is loaded, the sum of all allocations.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int main(int count, char **words) {
  if (count < 3) return 2;
  for (int index = 3; index < count; ++index) {
    if (!dlopen(words[index], RTLD_NOW | RTLD_GLOBAL)) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
  }
  uint64_t (*allocations)(void) = (uint64_t(*)(void))dlsym(RTLD_DEFAULT, "benchmark_allocations");
  int rounds = atoi(words[1]);
  uint64_t counted = 0;
  // Ignore the first rounds, which initialize what later rounds reuse.
  for (int round = -3; round < rounds; ++round) {
    uint64_t before = allocations ? allocations() : 0;
    uint64_t start = now();
    void *handle = dlopen(words[2], RTLD_NOW | RTLD_LOCAL);
    uint64_t end = now();
    if (!handle || !dlsym(handle, "benchmark_nothing")) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    if (round >= 0) {
      if (allocations) counted += allocations() - before;
      else printf("%llu ", (unsigned long long)(end - start));
    }
    dlclose(handle);
  }
  if (allocations) printf("%llu", (unsigned long long)counted);
  printf("\n");
  return 0;
}
