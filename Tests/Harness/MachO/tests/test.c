// The functions that test.h declares.

#define _GNU_SOURCE

#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const platform *on;
const char *folder;

// MARK: Checks

static unsigned failures;

void fail(const char *file, int line, const char *condition, const char *format, ...) {
  fprintf(stdout, "        %s:%d: not %s: ", basename(file), line, condition);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stdout, format, arguments);
  va_end(arguments);
  fputc('\n', stdout);
  __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
}

void stop(void) {
  fflush(stdout);
  _Exit(1);
}

unsigned failure_count(void) { return failures; }

// MARK: Images

const char *library_path(const char *name) {
  static _Thread_local char paths[4][4096];
  static _Thread_local unsigned next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/lib%s%s", folder, name, on->suffix);
  return path;
}

void *open_path(const char *path) {
  void *image = on->open(path);
  REQUIRE(image, "%s", on->problem());
  return image;
}

void *open_library(const char *name) { return open_path(library_path(name)); }

void close_library(void *image) { CHECK(on->close(image), "%s", on->problem()); }

void *symbol_of(void *image, const char *name) {
  void *address = on->symbol(image, name);
  REQUIRE(address, "%s", on->problem());
  return address;
}

void *registry;

void open_registry(void) { registry = open_library("RegistryC"); }

uint64_t current_generation(void) { return FUNCTION(registry_images_generation)(); }

bool pin(const void *address) { return FUNCTION(registry_image_pin)(address); }

// MARK: Scans

static void *grown(void *list, size_t count, size_t size) {
  list = realloc(list, (count + 1) * size);
  if (!list) abort();
  return list;
}

static void walk(const registry_section *section, seen_image *into) {
  CHECK((uintptr_t)section->bytes % 8 == 0 && section->size % 8 == 0 && section->address % 8 == 0, "copies are aligned");
  registry_walker walker = FUNCTION(registry_walk)(section->bytes, section->size, section->alignment);
  registry_item item;
  for (;;) {
    registry_step step = FUNCTION(registry_walk_next)(&walker, &item);
    if (step == REGISTRY_STEP_END) return;
    if (step == REGISTRY_STEP_RECORD && item.kind == REGISTRY_KIND_LIBRARY) {
      ++into->library_count;
    } else if (step == REGISTRY_STEP_RECORD) {
      into->records = grown(into->records, into->record_count, sizeof *into->records);
      into->records[into->record_count++] =
          (seen_record){section->address + item.offset, item.kind, item.accessor, item.json};
      CHECK(item.json[item.json_size] == 0 && strlen(item.json) == item.json_size, "JSON is terminated");
    } else {
      into->problems = grown(into->problems, into->problem_count, sizeof *into->problems);
      into->problems[into->problem_count++] = item.problem;
    }
  }
}

seen look(uint64_t after) {
  seen it = {.snapshot = FUNCTION(registry_images_snapshot)(after)};
  REQUIRE(it.snapshot, "there is a snapshot");
  it.images = calloc(it.snapshot->image_count + 1, sizeof *it.images);
  if (!it.images) abort();
  for (size_t index = 0; index < it.snapshot->image_count; ++index) {
    const registry_image *image = &it.snapshot->images[index];
    seen_image *entry = &it.images[it.count];
    *entry = (seen_image){image->serial, image->base, image->path, image->section_count, NULL, 0, 0, NULL, 0};
    for (size_t place = 0; place < image->section_count; ++place) walk(&image->sections[place], entry);
    // RegistryC's own image is identified by its name, or by its address if it is known: the path
    // and the records of a known image are not copied again.
    bool is_library = *image->path ? strstr(image->path, "/libRegistryC.") != NULL : image->base == on->base(registry);
    CHECK(!is_library || image->section_count == 0 || entry->library_count == 1, "the library says that it is there");
    if (!is_library) ++it.count;
    CHECK(index == 0 || image->serial > image[-1].serial, "serials ascend");
    CHECK(image->section_count == 0 || image->serial > after, "only what is new is copied");
  }
  return it;
}

void forget(seen *it) {
  for (size_t index = 0; index < it->count; ++index) {
    free(it->images[index].records);
    free(it->images[index].problems);
  }
  free(it->images);
  FUNCTION(registry_snapshot_free)(it->snapshot);
  *it = (seen){0};
}

size_t image_count(void) {
  seen it = look(0);
  size_t count = it.count;
  forget(&it);
  return count;
}

const seen_image *image_in(const seen *it, const char *name) {
  for (size_t index = 0; index < it->count; ++index) {
    if (strcmp(it->images[index].path, library_path(name)) == 0) return &it->images[index];
  }
  return NULL;
}

uint64_t last_serial(const seen *it) {
  size_t count = it->snapshot->image_count;
  return count ? it->snapshot->images[count - 1].serial : 0;
}

void check_records(const seen_image *image, const char *const *expected, size_t count) {
  REQUIRE(image, "the image is in the snapshot");
  CHECK(image->record_count == count, "%zu records, not %zu, in %s", image->record_count, count, image->path);
  for (size_t index = 0; index < count && index < image->record_count; ++index) {
    CHECK(strcmp(image->records[index].json, expected[index]) == 0, "record %zu is %s, not %s", index,
          image->records[index].json, expected[index]);
  }
}

const char *const few_records[FEW_COUNT] = {
    "{\"module\":\"Few.First\"}",
    "{\"module\":\"Few.Second\",\"level\":\"basic\",\"priority\":-3,\"after\":[\"Few.First\",\"Läden.Modul\"]}",
    "{\"protocol\":\"Api.Clock\",\"class\":\"Few.Clock\"}",
    "{\"protocol\":\"Api.Clock\",\"class\":\"Few.Other\",\"scope\":\"shared\",\"name\":\"other\",\"priority\":7}",
    "{\"protocol\":\"P\",\"class\":\"Few.Swift\"}",
    "{\"path\":\"/cart\"}",
};

void check_few(const seen *it) { check_records(image_in(it, "few"), few_records, FEW_COUNT); }

void find_few(void) {
  seen it = look(0);
  check_few(&it);
  forget(&it);
}

void check_record(const seen *it, const char *name, const char *json) { check_records(image_in(it, name), &json, 1); }
