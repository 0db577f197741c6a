// A feature that linkers.py and linkers.sh link in several ways. They replace PLACE with the name of
// its module.

#include "registry_export.h"

REGISTRY_EXPORT_MODULE(PLACE)
__attribute__((visibility("default"))) int PLACE_function(void);
int PLACE_function(void) { return 1; }

#if defined(PROGRAM)
// Prints the records of all images, after opening the library in the first argument.
#include "registry_images.h"

#include <string.h>
#include <unistd.h>

// The dyld of the tests for Mach-O has no stdio.
static void print(const char *text) {
  (void)!write(1, text, strlen(text));
  (void)!write(1, "\n", 1);
}

int archive_function(void);
int library_function(void);

int main(int count, char **arguments) {
  char problem[200] = "";
  if (count > 1 && !registry_open(arguments[1], problem, sizeof problem)) return print(problem), 1;
#if defined(SHARED)
  if (library_function() != 1) return 1;
#endif
  registry_snapshot *snapshot = archive_function() == 1 ? registry_images_snapshot(0) : NULL;
  for (size_t index = 0; snapshot && index < snapshot->image_count; ++index) {
    for (size_t part = 0; part < snapshot->images[index].section_count; ++part) {
      const registry_section *section = &snapshot->images[index].sections[part];
      registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
      registry_item item;
      while (registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD) print(item.json);
    }
  }
  return !snapshot;
}
#endif
