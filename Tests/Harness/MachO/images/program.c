// A program with records that finds its own and those of a library that it depends on. Its exit
// status is the number of the first check that fails.

#include "by_hand.h"
#include "registry_export.h"
#include "registry_images.h"

#include <string.h>

REGISTRY_EXPORT_MODULE(Program.Module)
REGISTRY_EXPORT_SERVICE(Api.Clock, Program.Clock)

int few_value(void);

/// Returns the number of records of the image whose path contains a text, or zero.
static size_t records_of(const registry_snapshot *snapshot, const char *path) {
  size_t count = 0;
  for (size_t place = 0; place < snapshot->image_count; ++place) {
    const registry_image *image = &snapshot->images[place];
    for (size_t index = 0; strstr(image->path, path) && index < image->section_count; ++index) {
      const registry_section *section = &image->sections[index];
      registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
      registry_item item;
      while (registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD) ++count;
    }
  }
  return count;
}

int main(void) {
  registry_snapshot *snapshot = registry_images_snapshot(0);
  if (!snapshot) return 1;
  // These are the program, libfew, and RegistryC. The program is loaded first.
  if (few_value() != 41 || snapshot->image_count != 3) return 2;
  if (records_of(snapshot, "/program") != 2 || !strstr(snapshot->images[0].path, "/program")) return 3;
  if (records_of(snapshot, "/libfew.") != 6) return 4;
  // A program cannot be unloaded, so pinning it succeeds without any effect.
  if (!registry_image_pin((const void *)main)) return 5;
  registry_snapshot_free(snapshot);
  return 0;
}
