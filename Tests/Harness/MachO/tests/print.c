// Prints the records that the library finds in loaded images. Tests/Harness/Inspection/run compares
// them with the records that registry-tool reads from the same files.

#include "test.h"

#include <stdio.h>

unsigned failure_count(void);

/// Prints a line for each record and each problem.
///
/// A record's line has the file, the kind, `accessor` or `name`, and the JSON.
int print_records(int count, char **files) {
  registry_functions registry = open_registry();
  for (int index = 0; index < count; ++index) {
    void *image = open_path(files[index]);
    seen it = look(&registry, 0);
    const seen_image *found = image_in(&it, files[index]);
    for (size_t place = 0; found && place < found->record_count; ++place) {
      const seen_record *record = &found->records[place];
      printf("%s\t%c%c%c%c\t%s\t%s\n", files[index], (char)(record->kind >> 24), (char)(record->kind >> 16),
             (char)(record->kind >> 8), (char)record->kind, record->accessor ? "accessor" : "name", record->json);
    }
    for (size_t place = 0; found && place < found->problem_count; ++place) {
      printf("%s\tproblem\t%s\n", files[index], found->problems[place].text);
    }
    forget(&it);
    close_library(image);
  }
  return failure_count() > 0;
}
