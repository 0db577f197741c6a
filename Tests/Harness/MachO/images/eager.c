// An image whose initializer scans for records before the image is completely loaded.

#include "by_hand.h"
#include "registry_export.h"
#include "registry_images.h"

REGISTRY_EXPORT_MODULE(Eager.Module)

/// The number of images that the initializer found.
///
/// `eager_saw_itself` is true if this image was one of them.
EXPORTED size_t eager_saw = 0;
EXPORTED bool eager_saw_itself = false;

__attribute__((constructor)) static void look(void) {
  registry_snapshot *snapshot = registry_images_snapshot(0);
  if (!snapshot) return;
  eager_saw = snapshot->image_count;
  for (size_t index = 0; index < snapshot->image_count; ++index) {
    const registry_image *image = &snapshot->images[index];
    for (size_t place = 0; place < image->section_count; ++place) {
      registry_walker walker = registry_walk(image->sections[place].bytes, image->sections[place].size,
                                             image->sections[place].alignment);
      registry_item item;
      while (registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD) {
        eager_saw_itself |= item.json_size == 25 && item.json[11] == 'E';
      }
    }
  }
  registry_snapshot_free(snapshot);
}
