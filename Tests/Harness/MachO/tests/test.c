#define _GNU_SOURCE

#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const platform *on;
const char *folder;

static unsigned failures;

void fail(const char *file, int line, const char *condition, const char *format, ...) {
  const char *name = strrchr(file, '/');
  fprintf(stdout, "        %s:%d: not %s: ", name ? name + 1 : file, line, condition);
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

/// Returns the number of failures, for the runner.
unsigned failure_count(void);
unsigned failure_count(void) { return failures; }

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

static void *registry;

void *registry_library(void) { return registry; }

registry_functions open_registry(void) {
  registry = open_library("RegistryC");
  return (registry_functions){
      .generation = (uint64_t (*)(void))symbol_of(registry, "registry_images_generation"),
      .snapshot = (registry_snapshot * (*)(uint64_t)) symbol_of(registry, "registry_images_snapshot"),
      .snapshot_free = (void (*)(registry_snapshot *))symbol_of(registry, "registry_snapshot_free"),
      .pin = (bool (*)(const void *))symbol_of(registry, "registry_image_pin"),
      .walk = (registry_walker (*)(const void *, size_t, uint32_t))symbol_of(registry, "registry_walk"),
      .walk_next = (registry_step (*)(registry_walker *, registry_item *))symbol_of(registry, "registry_walk_next"),
  };
}

// MARK: Scans

static void *grown(void *list, size_t count, size_t size) {
  if (count & (count - 1)) return list;
  list = realloc(list, (count ? count * 2 : 1) * size);
  if (!list) abort();
  return list;
}

static void walk(const registry_functions *by, const registry_section *section, seen_image *into) {
  CHECK((uintptr_t)section->bytes % 8 == 0 && section->size % 8 == 0 && section->address % 8 == 0, "copies are aligned");
  registry_walker walker = by->walk(section->bytes, section->size, section->alignment);
  registry_item item;
  for (;;) {
    registry_step step = by->walk_next(&walker, &item);
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
      into->problems[into->problem_count++] = (seen_problem){step, item.problem};
    }
  }
}

seen look(const registry_functions *by, uint64_t after) {
  seen it = {.by = *by, .snapshot = by->snapshot(after)};
  REQUIRE(it.snapshot, "there is a snapshot");
  it.images = calloc(it.snapshot->image_count + 1, sizeof *it.images);
  if (!it.images) abort();
  for (size_t index = 0; index < it.snapshot->image_count; ++index) {
    const registry_image *image = &it.snapshot->images[index];
    seen_image *entry = &it.images[it.count];
    *entry = (seen_image){image->serial, image->base, image->path, image->section_count, NULL, 0, 0, NULL, 0};
    for (size_t place = 0; place < image->section_count; ++place) walk(by, &image->sections[place], entry);
    // RegistryC's own image is identified by its name, because the records of a known image are not
    // copied again.
    bool is_library = strstr(image->path, "/libRegistryC.");
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
  it->by.snapshot_free(it->snapshot);
  *it = (seen){0};
}

const seen_image *image_in(const seen *it, const char *path) {
  char *real = realpath(path, NULL);
  const seen_image *found = NULL;
  for (size_t index = 0; index < it->count; ++index) {
    if (real && strcmp(it->images[index].path, real) == 0) found = &it->images[index];
  }
  free(real);
  return found;
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
