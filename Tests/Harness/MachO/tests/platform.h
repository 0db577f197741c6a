// An object format with its loader, as the cases see it.

#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct platform {
  const char *name;
  /// How its libraries' file names end.
  const char *suffix;
  bool is_mach_o;
  /// Null, or false, with a problem.
  void *(*open)(const char *path);
  bool (*close)(void *image);
  void *(*symbol)(void *image, const char *name);
  const char *(*problem)(void);
  /// Where an image is loaded: what `registry_image.base` says.
  uintptr_t (*base)(void *image);
  /// Runs a program to its end and returns its exit status.
  int (*run)(const char *path);
} platform;

extern const platform mach_o, elf;

#endif
