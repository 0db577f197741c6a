// Exports records, opens the library in the first argument, and finds the records of both. Without
// an argument, expects that no library can be opened. Prints the records, and the first problem.

#include "registry_export.h"
#include "registry_images.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*function)(void);
static int answer(void) { return 17; }
REGISTRY_EXPORT_MODULE(Program.Module)
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Program.Clock, scope(shared))
REGISTRY_CONTRIBUTE(answers, function, answer)

static void expect(bool condition, const char *problem) {
  if (condition) return;
  printf("%s\n", problem);
  exit(1);
}

/// Prints the records of the images after a serial, and returns the sum of their answers.
static int read_records(uint64_t after, registry_snapshot **kept) {
  registry_snapshot *snapshot = registry_images_snapshot(after);
  expect(snapshot && snapshot->generation == registry_images_generation(), "the generation differs");
  int sum = 0;
  for (size_t index = 0; index < snapshot->image_count; ++index) {
    const registry_image *image = &snapshot->images[index];
    for (size_t part = 0; part < image->section_count; ++part) {
      const registry_section *section = &image->sections[part];
      registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
      registry_item item;
      registry_step step;
      while ((step = registry_walk_next(&walker, &item)) != REGISTRY_STEP_END) {
        expect(step == REGISTRY_STEP_RECORD, item.problem);
        const char kind[] = {(char)(item.kind >> 24), (char)(item.kind >> 16), (char)(item.kind >> 8), (char)item.kind};
        printf("%.4s %.*s\n", kind, (int)item.json_size, item.json);
        if (!item.accessor) continue;
        function found = 0;
        expect(item.accessor(&found, 0, 0) && found, "the accessor returns nothing");
        sum += found();
        expect(!item.accessor(&found, &found, 0), "the accessor accepts any type");
      }
    }
  }
  *kept = snapshot;
  return sum;
}

int main(int count, char **arguments) {
  registry_snapshot *first, *second, *third;
  char problem[200] = "";
  expect(read_records(0, &first) == 17, "the program's records are missing");
  expect(first->image_count == 1, "there is not one image");
  uint64_t serial = first->images[0].serial;
  void *handle = registry_open(count > 1 ? arguments[1] : "nothing.so", problem, sizeof problem);
  if (count == 1) {
    expect(!handle && *problem, "a library was opened");
    printf("# %s\n", problem);
    return 0;
  }
  expect(handle != NULL, problem);
  expect(registry_images_generation() != first->generation, "opening does not change the generation");
  expect(read_records(serial, &second) == 42, "the library's records are missing");
  expect(second->image_count == 2 && second->images[0].serial == serial, "there are not two images");
  expect(second->images[0].section_count == 0 && second->images[1].section_count == 1, "known records are read again");
  expect(second->images[1].base == registry_open_base(handle), "the base of the library differs");
  expect(strstr(second->images[1].path, "plugin") != NULL, "the path of the library differs");
  bool is_needed = true;
  registry_open_needs(first->images[0].base, &second->images[1].base, 1, &is_needed);
  expect(is_needed, "an entry of a library that is not needed has changed");

  expect(registry_close(handle), "the library is not closed");
  (void)read_records(serial, &third);
  expect(third->image_count == 1 || third->generation == second->generation, "the closed library is still listed");
  handle = registry_open(arguments[1], problem, sizeof problem);
  // Opening a closed library loads it again.
  if (third->image_count == 1) {
    expect(read_records(second->images[1].serial, &third) == 42, "the records are missing when it is opened again");
  }
  registry_segment segment = {0};
  const char *inside = (const char *)registry_open_base(handle);
  expect(registry_image_pin(inside), "the library is not pinned");
  expect(registry_image_pin_segment(inside, &segment) == REGISTRY_PIN_KEPT, "the library is not pinned twice");
  expect(segment.start <= (uintptr_t)inside && segment.end > (uintptr_t)inside, "the segment differs");
  expect(registry_close(handle), "the pinned library is not closed");
  // Crashes if the library is not mapped.
  (void)*(const volatile char *)inside;
  return 0;
}
