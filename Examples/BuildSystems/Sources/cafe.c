// Prints the records of all features as JSON.

#include <stdio.h>

#include "registry_images.h"
#include "registry_record.h"

int main(void) {
  registry_snapshot *snapshot = registry_images_snapshot(0);
  for (size_t image = 0; snapshot && image < snapshot->image_count; ++image) {
    for (size_t part = 0; part < snapshot->images[image].section_count; ++part) {
      const registry_section *section = &snapshot->images[image].sections[part];
      registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
      registry_item item;
      while (registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD) puts(item.json);
    }
  }
  registry_snapshot_free(snapshot);
  return !snapshot;
}
