// The code of an app in a debug build of Xcode, App.debug.dylib, with records. app_stub.c is the
// executable. The result of app_main is the number of the first check that fails.

#include "by_hand.h"
#include "registry_export.h"
#include "registry_images.h"

#include <string.h>

REGISTRY_EXPORT_MODULE(App.Module)
REGISTRY_EXPORT_SERVICE(Api.Clock, App.Clock)

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

EXPORTED int app_main(void) {
  registry_snapshot *snapshot = registry_images_snapshot(0);
  if (!snapshot) return 1;
  // These are App.debug.dylib and RegistryC. The executable has no records.
  if (snapshot->image_count != 2) return 2;
  const registry_image *app = NULL;
  for (size_t index = 0; index < snapshot->image_count; ++index) {
    if (strstr(snapshot->images[index].path, "/App.debug.")) app = &snapshot->images[index];
  }
  if (!app) return 3;
  if (count_records(app) != 2) return 4;
  if (!registry_image_pin((const void *)app_main)) return 5;
  registry_snapshot_free(snapshot);
  return 0;
}
