// Records: their contents, their addresses, and the effects of linkers.

#include "test.h"

#include <stdio.h>
#include <string.h>

static void kinds(void) {
  void *few = open_library("few");
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  const seen_image *image = image_in(&it, library_path("few"));
  check_records(image, few_records, FEW_COUNT);
  REQUIRE(image->record_count == FEW_COUNT, "all of them");
  static const uint32_t expected[FEW_COUNT] = {
      REGISTRY_KIND_MODULE,  REGISTRY_KIND_MODULE,  REGISTRY_KIND_SERVICE,
      REGISTRY_KIND_SERVICE, REGISTRY_KIND_SERVICE, 0x726f7574,
  };
  for (size_t index = 0; index < FEW_COUNT; ++index) {
    CHECK(image->records[index].kind == expected[index], "the kind of record %zu is %x", index,
          image->records[index].kind);
    bool has_accessor = index == 4;
    CHECK((image->records[index].accessor != NULL) == has_accessor, "the accessor of record %zu", index);
  }
  CHECK(image->problem_count == 0, "%s", image->problems[0].text);
  CHECK(image->records[4].address == (uintptr_t)symbol_of(few, "few_by_hand"), "a record's address is its own");
  CHECK(image->records[5].address == (uintptr_t)symbol_of(few, "few_route"), "a record's address is its own");

  // The accessor was relocated before it was copied.
  registry_accessor accessor = image->records[4].accessor;
  const void *type = NULL;
  int value = 0;
  CHECK((void *)accessor == symbol_of(few, "few_accessor"), "the accessor is the image's function");
  CHECK(accessor(&type, NULL, 0) && type == symbol_of(few, "few_type"), "it names its type");
  CHECK(accessor(&value, type, 0) && value == 42, "it serves it");
  CHECK(!accessor(&value, &value, 0), "and no other");
  forget(&it);
  close_library(few);
}

static void many(void) {
  void *image = open_library("many");
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  const seen_image *found = image_in(&it, library_path("many"));
  REQUIRE(found && found->record_count == 10000, "%zu records", found ? found->record_count : 0);
  for (size_t index = 0; index < found->record_count; ++index) {
    char expected[40];
    snprintf(expected, sizeof expected, "{\"module\":\"Many.M%04zu\"}", index);
    if (strcmp(found->records[index].json, expected) != 0) {
      CHECK(false, "record %zu is %s", index, found->records[index].json);
      break;
    }
  }
  CHECK(found->problem_count == 0, "%s", found->problems[0].text);
  forget(&it);
  close_library(image);
}

static void malformed(void) {
  void *image = open_library("malformed");
  void *other = open_library("other");
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  const seen_image *found = image_in(&it, library_path("malformed"));
  static const char *const good[] = {"{\"module\":\"Malformed.First\"}", "{\"module\":\"Malformed.Last\"}"};
  check_records(found, good, 2);
  static const seen_problem expected[] = {
      {REGISTRY_STEP_MALFORMED, "the payload is shorter than 16 bytes"},
      {REGISTRY_STEP_MALFORMED, "the payload size is not a multiple of eight"},
      {REGISTRY_STEP_MALFORMED, "the record extends beyond its section"},
      {REGISTRY_STEP_MALFORMED, "the JSON has no terminating NUL"},
      {REGISTRY_STEP_MALFORMED, "bytes other than NUL follow the terminator of the JSON"},
      {REGISTRY_STEP_MALFORMED, "the name is not padded with NULs"},
      {REGISTRY_STEP_OTHER_VERSION, "the layout version of the record is not supported; update swift-section-registry"},
      {REGISTRY_STEP_MALFORMED, "the size of the name is out of range"},
  };
  enum { COUNT = sizeof expected / sizeof expected[0] };
  CHECK(found->problem_count == COUNT, "%zu problems", found->problem_count);
  for (size_t index = 0; index < COUNT && index < found->problem_count; ++index) {
    CHECK(found->problems[index].step == expected[index].step &&
              strcmp(found->problems[index].text, expected[index].text) == 0,
          "problem %zu is: %s", index, found->problems[index].text);
  }
  check_records(image_in(&it, library_path("other")), (const char *[]){"{\"module\":\"Other.Module\"}"}, 1);
  forget(&it);
  close_library(image);
  close_library(other);
}

static void pages(void) {
  void *image = open_library("pages");
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  const seen_image *found = image_in(&it, library_path("pages"));
  static const char *const expected[] = {"{\"class\":\"Pages.Ends\"}", "{\"class\":\"Pages.Begins\"}",
                                         "{\"class\":\"Pages.Across\"}", "{\"class\":\"Pages.Parted\"}"};
  check_records(found, expected, 4);
  REQUIRE(found->record_count == 4, "all of them");
  // The records are 72 bytes before a boundary, at it, 24 bytes before it, and 32 bytes before it.
  static const uintptr_t places[] = {4096 - 72, 0, 4096 - 24, 4096 - 32};
  for (size_t index = 0; index < 4; ++index) {
    CHECK(found->records[index].address % 4096 == places[index], "record %zu at %zx", index,
          found->records[index].address);
    int value = 0;
    CHECK(found->records[index].accessor && found->records[index].accessor(&value, NULL, 0) && value == 4096,
          "the accessor of record %zu", index);
  }
  CHECK(found->problem_count == 0, "%s", found->problems[0].text);
  forget(&it);
  close_library(image);
}

/// Checks the records of few.c in a library that is linked in another way.
static void like_few(const char *name) {
  void *image = open_library(name);
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  const seen_image *found = image_in(&it, library_path(name));
  check_records(found, few_records, FEW_COUNT);
  CHECK(found->problem_count == 0, "%s", found->problems[0].text);
  int value = 0;
  CHECK(found->record_count != FEW_COUNT || found->records[4].accessor(&value, symbol_of(image, "few_type"), 0),
        "the accessor was kept as well");
  CHECK(((int (*)(void))symbol_of(image, "few_value"))() == 41, "it is a working library");
  forget(&it);
  close_library(image);
}

static void dead_strip(void) { like_few("few_dead_strip"); }
static void stripped(void) { like_few("few_stripped"); }
static void link_time(void) { like_few("few_lto"); }
static void link_time_dead_strip(void) { like_few("few_lto_dead_strip"); }

static void archive(void) {
  void *image = open_library("archive");
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  check_records(image_in(&it, library_path("archive")), (const char *[]){"{\"module\":\"Archive.Used\"}"}, 1);
  forget(&it);
  close_library(image);
}

static void archive_forced(void) {
  void *image = open_library("archive_forced");
  registry_functions registry = open_registry();
  seen it = look(&registry, 0);
  check_records(image_in(&it, library_path("archive_forced")),
                (const char *[]){"{\"module\":\"Archive.Used\"}", "{\"module\":\"Archive.Unused\"}"}, 2);
  forget(&it);
  close_library(image);
}

const test_case record_cases[] = {
    {"kinds", "every record is found with its kind, JSON, address and accessor", BOTH, kinds},
    {"many", "ten thousand records are found in their order", BOTH, many},
    {"malformed", "malformed records are reported one by one and affect no other record", BOTH, malformed},
    {"pages", "records at and across the boundaries of pages are found, and their accessors relocated", BOTH, pages},
    {"dead-strip", "the linker keeps the records when it removes unreferenced code", BOTH, dead_strip},
    {"stripped", "stripping symbols keeps the records", BOTH, stripped},
    {"lto", "link-time optimization keeps the records", BOTH, link_time},
    {"lto-dead-strip", "link-time optimization with removal of unreferenced code keeps the records", BOTH, link_time_dead_strip},
    {"archive", "the referenced members of a static library contribute their records", BOTH, archive},
    {"archive-forced", "all members of a static library contribute all records", BOTH, archive_forced},
    {0},
};
