// A table for fast lookups that maps types or event identifiers to pointers, read without a lock.
//
// Readers load the table, probe it, and load a value, all with acquire order. Memory that they can
// reach is not freed before the cell. The caller serializes writers. A replaced table is kept until
// the cell is freed. Sizes double, so all tables together are at most twice the size of the last
// table. A value is a single pointer, so a single store replaces or withdraws it.

#ifndef REGISTRY_TABLE_H
#define REGISTRY_TABLE_H

#include "registry_declarations.h"

REGISTRY_NONNULL_BEGIN_

/// A key and its value. Once a key is set, only its value can be replaced or withdrawn.
typedef struct registry_slot {
  const void *REGISTRY_NULLABLE_ key;
  const void *REGISTRY_NULLABLE_ value;
} registry_slot;

/// An open-addressed hash table. Its size is a power of two, and at most half of it is full.
typedef struct registry_table {
  size_t mask;
  size_t count;
  struct registry_table *REGISTRY_NULLABLE_ outgrown;
  __extension__ registry_slot slots[];
} registry_table;

/// The owner of a table. It fills 64 bytes, usually a cache line of its own.
typedef struct registry_cell {
  /// The table for readers; null while it's hidden from them or no value has been set.
  registry_table *REGISTRY_NULLABLE_ table;
  /// The newest table, for writers.
  registry_table *REGISTRY_NULLABLE_ newest;
  bool is_hidden;
  char padding[64 - 2 * sizeof(void *) - sizeof(bool)];
} registry_cell;

extern registry_cell registry_shared_cell;

/// Returns the shared manager's cell. The cell's address is a constant, so `.shared` costs nothing.
static inline registry_cell *registry_shared(void) { return &registry_shared_cell; }

/// Returns a key's hash, which a table's mask reduces to the index where the probe begins. Type
/// metadata is aligned to at least eight bytes, so the key's low bits carry little information.
static inline size_t registry_hash(const void *key) {
  uintptr_t bits = (uintptr_t)key;
  return (size_t)((bits >> 4) ^ (bits >> 12));
}

/// Returns the value of a key, or null. Wait-free.
static inline const void *REGISTRY_NULLABLE_ registry_find(const registry_cell *cell, const void *key) {
  const registry_table *table = __atomic_load_n(&cell->table, __ATOMIC_ACQUIRE);
  if (!table) return NULL;
  size_t mask = table->mask;
  for (size_t index = registry_hash(key);; ++index) {
    const registry_slot *slot = &table->slots[index & mask];
    const void *found = __atomic_load_n(&slot->key, __ATOMIC_ACQUIRE);
    if (found == key) return __atomic_load_n(&slot->value, __ATOMIC_ACQUIRE);
    if (!found) return NULL;
  }
}

/// A gate to two objects, which a writer can withdraw while readers use them. Readers reach it
/// through the table, so it isn't freed before the manager, but can be reused for other objects.
typedef struct registry_gate {
  /// Twice the number of readers inside, plus one if the gate is closed.
  size_t state;
  const void *entry;
  const void *factory;
  struct registry_gate *REGISTRY_NULLABLE_ next;
} registry_gate;

/// Enters a gate and returns true, or returns false if the gate is closed. The objects stay valid
/// until the reader leaves. Lock-free.
static inline bool registry_gate_enter(registry_gate *gate) {
  size_t state = __atomic_load_n(&gate->state, __ATOMIC_ACQUIRE);
  do {
    if (state & 1) return false;
  } while (!__atomic_compare_exchange_n(&gate->state, &state, state + 2, true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE));
  return true;
}

/// Leaves a gate. Returns true if the gate is closed and no reader is left; then the caller must
/// release the objects. Read their pointers before this call.
static inline bool registry_gate_leave(registry_gate *gate) {
  return __atomic_sub_fetch(&gate->state, 2, __ATOMIC_ACQ_REL) == 1;
}

/// Closes an open gate. Returns true if no reader is inside; then the caller must release the
/// objects. The caller serializes writers.
static inline bool registry_gate_close(registry_gate *gate) {
  return __atomic_fetch_or(&gate->state, 1, __ATOMIC_ACQ_REL) == 0;
}

/// Returns an open gate for the objects: a closed gate without readers from the list, or a new
/// gate, which is added to the list. Null if memory runs out. The caller serializes writers.
registry_gate *REGISTRY_NULLABLE_ registry_gate_open(
    registry_gate *REGISTRY_NULLABLE_ *REGISTRY_NULLABLE_ gates, const void *entry, const void *factory);
/// Frees the gates of a list. No thread may use them.
void registry_gates_destroy(registry_gate *REGISTRY_NULLABLE_ gates);

registry_cell *REGISTRY_NULLABLE_ registry_cell_create(void);
/// Frees the cell's tables and, unless it's the shared cell, the cell. No thread may read the cell.
void registry_cell_destroy(registry_cell *cell);

/// Sets the value of a key; null withdraws it. Returns false if memory runs out. In that case, the
/// key is not in the table, and lookups of it take the slow path. The caller serializes writers.
bool registry_publish(registry_cell *cell, const void *key, const void *REGISTRY_NULLABLE_ value);

/// Hides the table, so that `registry_find` returns null, or shows it again, including the values
/// published while it was hidden. Readers observe a single store. The caller serializes writers.
void registry_cell_hide(registry_cell *cell, bool is_hidden);

REGISTRY_NONNULL_END_

#endif
