// The table behind a look-up that hits: from a type to a pointer, read without a lock.
//
// Readers load the table, probe it and load a value, all with acquire order; nothing they can reach is
// ever freed while the cell lives. Writers are serialised by the caller. A table that is outgrown stays
// behind the new one until the cell goes: sizes double, so all of them together are at most twice the
// last. A value is one pointer, so it is replaced or withdrawn in one store.

#ifndef REGISTRY_TABLE_H
#define REGISTRY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Nullability decides what Swift sees; without it every look-up that hits would unwrap its cell.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang diagnostic ignored "-Wc99-extensions"  // The flexible array, in C++; __extension__ is gcc's word.
#pragma clang assume_nonnull begin
#define REGISTRY_NULLABLE _Nullable
#else
#define REGISTRY_NULLABLE
#endif

/// A key and its value. A key, once there, stays; its value may come, change and go.
typedef struct registry_slot {
  const void *REGISTRY_NULLABLE key;
  const void *REGISTRY_NULLABLE value;
} registry_slot;

/// An open-addressed hash table whose size is a power of two, never more than half full.
typedef struct registry_table {
  size_t mask;
  size_t count;
  struct registry_table *REGISTRY_NULLABLE outgrown;
  __extension__ registry_slot slots[];
} registry_table;

/// What a manager's handle points to. One cache line, so that two managers' cells share none.
typedef struct registry_cell {
  /// What readers see: null while the table is hidden from them.
  registry_table *REGISTRY_NULLABLE table;
  /// The newest table, for writers.
  registry_table *REGISTRY_NULLABLE newest;
  bool is_hidden;
  char padding[64 - 2 * sizeof(void *) - sizeof(bool)];
} registry_cell;

extern registry_cell registry_shared_cell;

/// The cell of the shared manager: its address is a constant, so that `.shared` costs nothing.
static inline registry_cell *registry_shared(void) { return &registry_shared_cell; }

/// Where a key's probe begins. Type metadata is at least eight-byte aligned, so the low bits say nothing.
static inline size_t registry_hash(const void *key) {
  uintptr_t bits = (uintptr_t)key;
  return (size_t)((bits >> 4) ^ (bits >> 12));
}

/// The value of a key, or null. Wait-free.
static inline const void *REGISTRY_NULLABLE registry_find(const registry_cell *cell, const void *key) {
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

registry_cell *REGISTRY_NULLABLE registry_cell_create(void);
/// Frees the cell and every table it ever had. Nobody may be reading.
void registry_cell_destroy(registry_cell *cell);

/// Sets the value of a key; null withdraws it. Writers are serialised by the caller. False when memory
/// ran out: the key is then not in the table, and look-ups of it take the slow path.
bool registry_publish(registry_cell *cell, const void *key, const void *REGISTRY_NULLABLE value);

/// Hides the table, so that nobody finds anything, or shows it again with what was published meanwhile. One store; for
/// writers nothing changes. Writers are serialised by the caller.
void registry_cell_hide(registry_cell *cell, bool is_hidden);

#ifdef __clang__
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#undef REGISTRY_NULLABLE

#ifdef __cplusplus
}
#endif

#endif
