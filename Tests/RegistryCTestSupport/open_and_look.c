// One thread opens and closes an image while another takes snapshots. The code is in C, so that the
// snapshots follow each other without delay.

#define _GNU_SOURCE

#include "registry_c_test_support.h"
#include "registry_images.h"
#include "registry_record.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

typedef struct opening {
  const char *path;
  int times;
  bool failed;
  bool done;
} opening;

static void *open_and_close(void *context) {
  opening *opening = context;
  for (int time = 0; time < opening->times && !opening->failed; ++time) {
    void *handle = dlopen(opening->path, RTLD_NOW | RTLD_LOCAL);
    if (handle) {
      dlclose(handle);
    } else {
      opening->failed = true;
    }
  }
  __atomic_store_n(&opening->done, true, __ATOMIC_RELEASE);
  return NULL;
}

int registry_test_open_and_look(const char *path, int times) {
  opening opening = {path, times, false, false};
  pthread_t thread;
  if (pthread_create(&thread, NULL, open_and_close, &opening) != 0) return -1;
  int early = 0;
  while (!__atomic_load_n(&opening.done, __ATOMIC_ACQUIRE)) {
    registry_snapshot *snapshot = registry_images_snapshot(0);
    for (size_t index = 0; snapshot && index < snapshot->image_count; ++index) {
      const registry_image *image = &snapshot->images[index];
      if (strcmp(image->path, path) != 0) continue;
      const registry_section *section = image->sections;
      registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
      registry_item item;
      bool found = registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD;
      // Before its relocation, the accessor is zero or an offset from the image's beginning.
      if (!found || (uintptr_t)item.accessor < image->base) ++early;
    }
    registry_snapshot_free(snapshot);
  }
  pthread_join(thread, NULL);
  return opening.failed ? -1 : early;
}
