// A program with records that finds its own and those of a library that it depends on. Its exit
// status is the number of the first check that fails.

#include "by_hand.h"
#include "registry_export.h"
#include "registry_images.h"

#include <string.h>

REGISTRY_EXPORT_MODULE(Program.Module)
REGISTRY_EXPORT_SERVICE(Api.Clock, Program.Clock)

int few_value(void);

static size_t count_records(const registry_image *image) {
  size_t count = 0;
  for (size_t index = 0; index < image->section_count; ++index) {
    const registry_section *section = &image->sections[index];
    registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
    registry_item item;
    while (registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD) ++count;
  }
  return count;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

int main(void) {
  if (few_value() != 41) return 1;
  registry_snapshot *snapshot = registry_images_snapshot(0);
  if (!snapshot) return 2;
  // These are the program, libfew, and RegistryC.
  if (snapshot->image_count != 3) return 3;
  // The program is loaded first.
  const registry_image *own = &snapshot->images[0], *few = &snapshot->images[1];
  if (!strstr(few->path, "libfew.")) few = &snapshot->images[2];
  if (!ends_with(own->path, "/program")) return 4;
  if (count_records(own) != 2) return 5;
  if (!strstr(few->path, "libfew.")) return 6;
  if (count_records(few) != 6) return 7;
  // A program cannot be unloaded, so pinning it succeeds without any effect.
  if (!registry_image_pin((const void *)main)) return 8;
  registry_snapshot_free(snapshot);
  return 0;
}
