// An object format and its loader, as the cases use them.

#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct platform {
  const char *name;
  /// The suffix of the file names of libraries.
  const char *suffix;
  bool is_mach_o;
  /// Opens an image, or returns null on failure.
  ///
  /// `problem` returns the reason, also if `close` returns false.
  void *(*open)(const char *path);
  bool (*close)(void *image);
  void *(*symbol)(void *image, const char *name);
  const char *(*problem)(void);
  /// Returns the address at which an image is loaded, as a snapshot of the registry has it.
  uintptr_t (*base)(void *image);
  /// Runs a program until it ends, and returns its exit status.
  int (*run)(const char *path);
} platform;

extern const platform mach_o, elf;

#endif
