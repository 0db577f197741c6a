// Records: their contents, their addresses, and the effects of linkers.

#include "test.h"

#include <string.h>

static void kinds(void) {
  void *few = open_library("few");
  open_registry();
  seen it = look(0);
  const seen_image *image = image_in(&it, "few");
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
  CHECK(image->problem_count == 0, "%s", image->problems[0]);
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

static void malformed(void) {
  void *image = open_library("malformed");
  void *other = open_library("other");
  open_registry();
  seen it = look(0);
  const seen_image *found = image_in(&it, "malformed");
  static const char *const good[] = {"{\"module\":\"Malformed.First\"}", "{\"module\":\"Malformed.Last\"}"};
  check_records(found, good, 2);
  // Tests/RegistryCTests test the reason that is reported for each of them.
  CHECK(found->problem_count == 8, "%zu problems", found->problem_count);
  check_record(&it, "other", "{\"module\":\"Other.Module\"}");
  forget(&it);
  close_library(image);
  close_library(other);
}

static void pages(void) {
  void *image = open_library("pages");
  open_registry();
  seen it = look(0);
  const seen_image *found = image_in(&it, "pages");
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
  CHECK(found->problem_count == 0, "%s", found->problems[0]);
  forget(&it);
  close_library(image);
}

/// Checks the records of few.c in a library that is linked in another way.
static void like_few(const char *name) {
  void *image = open_library(name);
  open_registry();
  seen it = look(0);
  const seen_image *found = image_in(&it, name);
  check_records(found, few_records, FEW_COUNT);
  CHECK(found->problem_count == 0, "%s", found->problems[0]);
  int value = 0;
  CHECK(found->record_count != FEW_COUNT || found->records[4].accessor(&value, symbol_of(image, "few_type"), 0),
        "the accessor was kept as well");
  CHECK(((int (*)(void))symbol_of(image, "few_value"))() == 41, "it is a working library");
  forget(&it);
  close_library(image);
}

static void stripped(void) { like_few("few_stripped"); }
static void link_time(void) { like_few("few_lto"); }
static void link_time_dead_strip(void) { like_few("few_lto_dead_strip"); }

const test_case record_cases[] = {
    {"kinds", "every record is found with its kind, JSON, address and accessor", BOTH, kinds},
    {"malformed", "malformed records are reported one by one and affect no other record", BOTH, malformed},
    {"pages", "records at and across the boundaries of pages are found, and their accessors relocated", BOTH, pages},
    {"stripped", "stripping symbols keeps the records", BOTH, stripped},
    {"lto", "link-time optimization keeps the records", BOTH, link_time},
    {"lto-dead-strip", "link-time optimization with removal of unreferenced code keeps the records", BOTH, link_time_dead_strip},
    {0},
};
