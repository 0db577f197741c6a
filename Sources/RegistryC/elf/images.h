// Includes and functions for this folder, which reads loaded images on ELF systems. Internal to
// this target. Include this header first, because it selects the GNU declarations.

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

/// The number of images that stay at the end of the loader's list. FreeBSD lists the loader last.
#if defined(__FreeBSD__)
enum { REGISTRY_LISTED_LAST = 1 };
#else
enum { REGISTRY_LISTED_LAST = 0 };
#endif

/// Returns a number that changes whenever an image is closed, or `UINT64_MAX` if the loader doesn't
/// count. `listed` is the length of the loader's list.
///
/// Bionic before API 30 passes a shorter structure and does not count. Loaders add images at the
/// end of their list. Until this number changes, the list begins with the same images. In glibc,
/// `dlmopen` can decrease `dlpi_subs`. In musl, `dlpi_adds` counts calls instead of images.
static inline uint64_t registry_closed_images(const struct dl_phdr_info *info, size_t size, size_t listed) {
  bool counts = size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs;
#ifdef __GLIBC__
  return counts ? info->dlpi_adds - listed : UINT64_MAX;
#else
  (void)listed;
  return counts ? info->dlpi_subs : UINT64_MAX;
#endif
}

/// Returns the base address of the image, as `dladdr` reports it.
static inline uintptr_t registry_base_of(const struct dl_phdr_info *info) {
  uintptr_t lowest = UINTPTR_MAX;
  for (size_t index = 0; index < info->dlpi_phnum; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    if (header->p_type == PT_LOAD && header->p_vaddr < lowest) lowest = header->p_vaddr;
  }
  if (lowest == 0 || lowest == UINTPTR_MAX) return info->dlpi_addr;
  return info->dlpi_addr + (lowest & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
}

/// Returns whether the main program needs a library, directly or indirectly. Loaders never unmap
/// such a library. Doesn't wait for constructors.
bool registry_program_needs(uintptr_t library);

/// Returns the last image in the loader's list if the program needs it; otherwise null.
const struct link_map *registry_last_needed_image(void);

#endif

#endif
