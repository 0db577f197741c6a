// Opening and closing images with `dlopen`, and functions that are the same on all systems.
// System-specific code, which includes opening images on Windows, is in images_*.c and elf.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "snapshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__ELF__) || defined(__APPLE__)
#include <dlfcn.h>

#if defined(__ELF__)
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

// Static programs may lack these functions; see elf/pins.c.
#pragma weak dlopen
#pragma weak dlclose
#pragma weak dlerror
#define REGISTRY_CAN_OPEN (dlopen && dlclose && dlerror)
#else
#define REGISTRY_CAN_OPEN true
#endif
#endif

#include "own_copy.h"

/// The number of nested calls that open images on this thread. Used only for ELF images: Mach-O
/// images are found and pinned without waiting for initializers.
static _Thread_local unsigned openings;

void registry_open_begin(void) { ++openings; }
void registry_open_end(void) { --openings; }
bool registry_is_opening(void) { return openings > 0; }

bool registry_image_pin(const void *address) {
  registry_segment segment;
  registry_open_begin();
  bool is_kept = registry_image_pin_segment(address, &segment) == REGISTRY_PIN_KEPT;
  registry_open_end();
  return is_kept;
}

#if !defined(_WIN32)

static void say(char *problem, size_t size, const char *text) {
  size_t length = strlen(text);
  if (size > 0) registry_copy_text(problem, text, length < size ? length : size - 1);
}

#if defined(__ELF__)
/// Returns whether a segment or its header extends beyond the end of the file, for example after an
/// interrupted copy. glibc and musl map the file anyway and access the missing bytes.
static bool ends_early(int file) {
  struct stat status;
  ElfW(Ehdr) header;
  if (fstat(file, &status) != 0 || pread(file, &header, sizeof header, 0) != (ssize_t)sizeof header) return false;
  // The loader itself refuses files of other kinds.
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof(ElfW(Phdr))) return false;
  uint64_t size = (uint64_t)status.st_size;
  for (unsigned index = 0; index < header.e_phnum; ++index) {
    ElfW(Phdr) segment;
    off_t at = (off_t)(header.e_phoff + index * sizeof segment);
    if (pread(file, &segment, sizeof segment, at) != (ssize_t)sizeof segment) return true;
    if (segment.p_type != PT_LOAD || segment.p_filesz == 0) continue;
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) return true;
  }
  return false;
}

/// Names without a slash are not checked, because only the loader can find their files.
static bool is_cut_short(const char *path) {
  int file = strchr(path, '/') ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return false;
  bool is_cut = ends_early(file);
  (void)close(file);
  return is_cut;
}
#endif

static void *open_path(const char *path, char *problem, size_t size) {
#if defined(REGISTRY_CAN_OPEN)
  if (REGISTRY_CAN_OPEN) {
#if defined(__ELF__)
    if (is_cut_short(path)) {
      // The loader doesn't read the file of a loaded image again.
      void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
      if (!loaded) say(problem, size, "the file is truncated: it ends before its segments do");
      return loaded;
    }
#endif
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle) return handle;
    const char *text = dlerror();
    say(problem, size, text ? text : "the loader reported no reason");
    return NULL;
  }
#else
  (void)path;
#endif
  say(problem, size, "this program cannot open images");
  return NULL;
}

void *registry_open(const char *path, char *problem, size_t size) {
#if defined(__ELF__)
  // glibc compares the text of a relative path with the paths of loaded images, so it would find an
  // image that has the same path in an earlier current folder.
  char *folder = *path != '/' && *path != '$' && strchr(path, '/') ? getcwd(NULL, 0) : NULL;
  char *whole = NULL;
  if (folder && asprintf(&whole, "%s/%s", folder, path) < 0) whole = NULL;
  void *handle = open_path(whole ? whole : path, problem, size);
  free(whole);
  free(folder);
  return handle;
#else
  return open_path(path, problem, size);
#endif
}

bool registry_close(void *handle) {
#if defined(REGISTRY_CAN_OPEN)
  return REGISTRY_CAN_OPEN && dlclose(handle) == 0;
#else
  (void)handle;
  return false;
#endif
}

#endif

static uint64_t withdrawals;

uint64_t registry_withdrawals(void) { return __atomic_load_n(&withdrawals, __ATOMIC_ACQUIRE); }

void registry_withdraw(void) { __atomic_add_fetch(&withdrawals, 1, __ATOMIC_RELEASE); }
