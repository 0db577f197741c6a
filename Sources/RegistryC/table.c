// The writers of the lookup table; the readers are in the header. The caller serializes writers, so
// plain loads of values that only writers change suffice. Stores that readers observe have release
// order.

#include "registry_table.h"

#include <stdint.h>
#include <stdlib.h>

#include "own_copy.h"

/// The capacity of the first table, which suffices for many apps.
enum { FIRST_CAPACITY = 64 };

__attribute__((aligned(64))) registry_cell registry_shared_cell = {0};

registry_cell *registry_cell_create(void) {
  registry_cell *cell = aligned_alloc(64, sizeof(registry_cell));
  if (cell) *cell = (registry_cell){0};
  return cell;
}

void registry_cell_destroy(registry_cell *cell) {
  registry_table *table = cell->newest;
  while (table) {
    registry_table *outgrown = table->outgrown;
    free(table);
    table = outgrown;
  }
  // The shared cell is not on the heap, so it's only emptied.
  cell->table = cell->newest = NULL;
  if (cell != &registry_shared_cell) free(cell);
}

/// Returns a key's slot, or an empty slot for the key. Tables are at most half full.
static registry_slot *slot_of(registry_table *table, const void *key) {
  for (size_t index = registry_hash(key);; ++index) {
    registry_slot *slot = &table->slots[index & table->mask];
    if (slot->key == key || !slot->key) return slot;
  }
}

/// Returns an unpublished copy of a table with twice the capacity, or null if memory runs out.
static registry_table *grown(registry_table *table) {
  size_t capacity = table ? (table->mask + 1) * 2 : FIRST_CAPACITY;
  if (capacity > (SIZE_MAX - sizeof(registry_table)) / sizeof(registry_slot)) return NULL;
  registry_table *larger = calloc(1, sizeof(registry_table) + capacity * sizeof(registry_slot));
  if (!larger) return NULL;
  larger->mask = capacity - 1;
  larger->outgrown = table;
  if (!table) return larger;
  for (size_t index = 0; index <= table->mask; ++index) {
    const registry_slot *slot = &table->slots[index];
    if (slot->key) *slot_of(larger, slot->key) = *slot;
  }
  larger->count = table->count;
  return larger;
}

bool registry_publish(registry_cell *cell, const void *key, const void *value) {
  registry_table *table = cell->newest;
  registry_slot *slot = table ? slot_of(table, key) : NULL;
  if (slot && slot->key) {
    __atomic_store_n(&slot->value, value, __ATOMIC_RELEASE);
    return true;
  }
  if (!value) return true;  // Nothing to withdraw.
  if (!table || (table->count + 1) * 2 > table->mask + 1) {
    table = grown(table);
    if (!table) return false;
    cell->newest = table;
    // The new table is complete before a reader can see it.
    if (!cell->is_hidden) __atomic_store_n(&cell->table, table, __ATOMIC_RELEASE);
    slot = slot_of(table, key);
  }
  // Store the value first, because a reader that finds the key must also find its value.
  __atomic_store_n(&slot->value, value, __ATOMIC_RELEASE);
  __atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
  ++table->count;
  return true;
}

void registry_cell_hide(registry_cell *cell, bool is_hidden) {
  cell->is_hidden = is_hidden;
  __atomic_store_n(&cell->table, is_hidden ? NULL : cell->newest, __ATOMIC_RELEASE);
}

registry_gate *registry_gate_open(registry_gate **gates, const void *entry, const void *factory) {
  registry_gate *gate = *gates;
  while (gate && __atomic_load_n(&gate->state, __ATOMIC_ACQUIRE) != 1) gate = gate->next;
  if (!gate) {
    // Each gate usually fills a cache line, so threads that use different services share no line.
    gate = aligned_alloc(64, 64);
    if (!gate) return NULL;
    gate->next = *gates;
    *gates = gate;
  }
  gate->entry = entry;
  gate->factory = factory;
  __atomic_store_n(&gate->state, 0, __ATOMIC_RELEASE);
  return gate;
}

void registry_gates_destroy(registry_gate *gates) {
  while (gates) {
    registry_gate *next = gates->next;
    free(gates);
    gates = next;
  }
}
