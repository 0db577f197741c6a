// The part of Darwin's <os/lock.h> that RegistryC uses. agree.c compares it with Darwin's.

#ifndef STUB_OS_LOCK_H
#define STUB_OS_LOCK_H

#include <stdint.h>

typedef struct os_unfair_lock_s {
  uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})

extern void os_unfair_lock_lock(os_unfair_lock_t lock);
extern void os_unfair_lock_unlock(os_unfair_lock_t lock);

#endif
