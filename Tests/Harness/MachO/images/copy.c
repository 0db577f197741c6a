// An image that is linked with its own RegistryC, whose functions it returns. Its initializer
// precedes RegistryC's, so its query comes before RegistryC is initialized.

#include "by_hand.h"
#include "copy.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Copy.COPY)

EXPORTED size_t copy_saw_at_start = 0;

__attribute__((constructor)) static void ask_early(void) {
  registry_snapshot *snapshot = registry_images_snapshot(0);
  if (snapshot) copy_saw_at_start = snapshot->image_count;
  registry_snapshot_free(snapshot);
}

EXPORTED registry_functions copy_functions(void) {
  return (registry_functions){
      registry_images_generation, registry_images_snapshot, registry_snapshot_free,
      registry_image_pin,         registry_walk,            registry_walk_next,
  };
}
