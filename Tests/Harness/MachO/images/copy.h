// The functions of one RegistryC, for processes that contain several copies.

#ifndef COPY_H
#define COPY_H

#include "registry_images.h"
#include "registry_record.h"

typedef struct registry_functions {
  uint64_t (*generation)(void);
  registry_snapshot *(*snapshot)(uint64_t after);
  void (*snapshot_free)(registry_snapshot *snapshot);
  bool (*pin)(const void *address);
  registry_walker (*walk)(const void *bytes, size_t size, uint32_t alignment);
  registry_step (*walk_next)(registry_walker *walker, registry_item *item);
} registry_functions;

#endif
