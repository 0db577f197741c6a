// Includes and functions for this folder, which reads loaded images on ELF systems. Internal to
// this target, and included first, because it selects GNU's declarations.

#ifndef REGISTRY_IMAGES_ELF_H
#define REGISTRY_IMAGES_ELF_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "../snapshot.h"

#if defined(__ELF__)

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Returns the base address of the image, as `dladdr` reports it.
static inline uintptr_t registry_base_of(const struct dl_phdr_info *info) {
  uintptr_t lowest = UINTPTR_MAX;
  for (size_t index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type == PT_LOAD && header->p_vaddr < lowest) lowest = header->p_vaddr;
  }
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  return info->dlpi_addr + (lowest == UINTPTR_MAX ? 0 : lowest & ~(page - 1));
}

#endif

#endif
