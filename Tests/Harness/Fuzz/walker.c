// Fuzzes the record walker on exactly sized buffers, against a separate implementation that is slow
// and simple. That implementation classifies the bytes at each multiple of eight that contain the
// name.
//
// Input: a byte of choices, and then the bytes of the section. The first half of them lies between
// the first and the second of up to three valid records, and the rest lies between the second and
// the third.

#include "fuzz.h"
#include "registry_record.h"

static const char good_json[] = "{\"module\":\"Good.One\"}";
enum { GOOD = 32 + 24, NOTES_4 = 1, NOTES_8 = 2, FIRST = 4, SECOND = 8, THIRD = 16 };

typedef enum verdict { NOTHING, RECORD, OTHER, BROKEN } verdict;

static uint32_t word(const uint8_t *at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/// Returns true if the header of a record of any version begins here.
static bool is_header(const uint8_t *bytes, size_t size, size_t at) {
  if (((uintptr_t)(bytes + at) & 7) != 0 || size - at < 24) return false;
  return memcmp(bytes + at + 12, "Registry", 8) == 0 && word(bytes + at) >= 9 && word(bytes + at) <= 64;
}

/// Classifies the bytes at an offset according to Documentation/RecordFormat.md.
static verdict judge(const uint8_t *bytes, size_t size, size_t at) {
  if (!is_header(bytes, size, at)) return NOTHING;
  if (word(bytes + at) != 9 || bytes[at + 20] != 0) return OTHER;
  if (bytes[at + 21] || bytes[at + 22] || bytes[at + 23]) return BROKEN;
  uint64_t payload = word(bytes + at + 4);
  if (payload < 16 || payload % 8 || payload > size - at - 24) return BROKEN;
  bool ended = false;
  for (uint64_t index = 32; index < 24 + payload; ++index) {
    if (bytes[at + index] == 0) ended = true;
    else if (ended) return BROKEN;
  }
  // A record that is cut off extends into the next record, which is not part of it.
  for (size_t inside = at + 24; inside < at + 24 + payload; ++inside) {
    if (is_header(bytes, size, inside)) return BROKEN;
  }
  return ended ? RECORD : BROKEN;
}

static bool is_zero(const uint8_t *bytes, size_t from, size_t to) {
  while (from < to && bytes[from] == 0) ++from;
  return from >= to;
}

static size_t put_good(uint8_t *bytes, size_t at) {
  put_header(bytes + at, 9, GOOD - 24, REGISTRY_KIND_MODULE, "Registry");
  memset(bytes + at + 24, 0, GOOD - 24);
  memcpy(bytes + at + 32, good_json, sizeof good_json - 1);
  return at + GOOD;
}

/// Checks that a reported record has the documented layout.
static void check_record(const uint8_t *bytes, size_t size, const registry_item *item) {
  const uint8_t *json = (const uint8_t *)item->json;
  NEED(json == bytes + item->offset + 32, "offset %zu", item->offset);
  NEED(item->json_size < size - item->offset - 32, "offset %zu", item->offset);
  NEED(memchr(json, 0, item->json_size + 1) == json + item->json_size, "offset %zu", item->offset);
  NEED(item->kind == word(bytes + item->offset + 8), "offset %zu", item->offset);
  NEED(memcmp(&item->accessor, bytes + item->offset + 24, sizeof item->accessor) == 0, "offset %zu", item->offset);
  NEED(!item->problem, "%s", item->problem);
}

/// Walks through all bytes and returns the number of valid records that were reported.
static size_t walk(const uint8_t *bytes, size_t size, uint32_t alignment, const size_t *good, size_t good_count) {
  registry_walker walker = registry_walk(bytes, size, alignment);
  registry_item item;
  size_t served = 0, steps = 0, next_header = 0, quiet = 0;
  bool is_quiet = true;
  for (;;) {
    size_t before = walker.offset;
    registry_step step = registry_walk_next(&walker, &item);
    NEED(++steps <= size / 4 + 2, "%zu steps, the last included", steps);
    NEED(walker.offset <= size, "offset %zu", walker.offset);
    size_t at = step == REGISTRY_STEP_END ? size : item.offset;
    NEED(at >= before, "offset %zu after %zu", at, before);
    // The walker must report everything that contains the name.
    for (; next_header < at; ++next_header) {
      NEED(judge(bytes, size, next_header) == NOTHING, "passed over %zu", next_header);
    }
    // Without other notes, the bytes after a record are zero until the walker reports something.
    if (is_quiet && alignment == 0) NEED(is_zero(bytes, quiet, at), "%zu to %zu", quiet, at);
    if (step == REGISTRY_STEP_END) break;
    NEED(walker.offset > at, "stands still at %zu", at);
    verdict verdict = judge(bytes, size, at);
    next_header = at + 1;
    is_quiet = step == REGISTRY_STEP_RECORD;
    quiet = walker.offset;
    switch (step) {
    case REGISTRY_STEP_RECORD:
      NEED(verdict == RECORD, "offset %zu is %d", at, verdict);
      check_record(bytes, size, &item);
      NEED(walker.offset == at + 24 + word(bytes + at + 4), "offset %zu", at);
      break;
    case REGISTRY_STEP_OTHER_VERSION:
      NEED(verdict == OTHER && item.problem, "offset %zu is %d", at, verdict);
      break;
    default:
      NEED(step == REGISTRY_STEP_MALFORMED && item.problem, "step %d", (int)step);
      NEED(verdict == BROKEN || verdict == NOTHING, "offset %zu is %d", at, verdict);
      NEED(!is_zero(bytes, at, at + 8 < size ? at + 8 : size), "zeros at %zu", at);
      break;
    }
    if (served < good_count && good[served] == at && step == REGISTRY_STEP_RECORD) {
      NEED(item.json_size == sizeof good_json - 1 && strcmp(item.json, good_json) == 0, "offset %zu", at);
      ++served;
    }
  }
  NEED(registry_walk_next(&walker, &item) == REGISTRY_STEP_END, "goes on after the end");
  return served;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input input = {data, size};
  unsigned choices = take(&input);
  uint32_t alignment = choices & NOTES_8 ? 8 : choices & NOTES_4 ? 4 : 0;
  // Valid records begin at multiples of eight, as in a section.
  size_t half = choices & SECOND ? input.size / 2 & ~(size_t)7 : 0, rest = input.size - half;
  size_t tail = choices & THIRD ? rest & ~(size_t)7 : rest;
  uint8_t *memory = block(half + tail + 3 * GOOD), *bytes = memory;
  size_t good[3], count = 0, end = 0;
  if (choices & FIRST) good[count++] = end, end = put_good(bytes, end);
  memcpy(bytes + end, input.bytes, half);
  end += half;
  if (choices & SECOND) good[count++] = end, end = put_good(bytes, end);
  memcpy(bytes + end, input.bytes + half, tail);
  end += tail;
  if (choices & THIRD) good[count++] = end, end = put_good(bytes, end);

  uint8_t *exact = block(end);
  memcpy(exact, bytes, end);
  free(memory);
  size_t served = walk(exact, end, alignment, good, count);
  NEED(served == count, "%zu of %zu neighbors served", served, count);
  free(exact);
  return 0;
}
