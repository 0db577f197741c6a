// Darwin's thread functions that glibc's cannot replace, for the table in host.c.

#ifndef HOST_PTHREAD_H
#define HOST_PTHREAD_H

#include <pthread.h>
#include <stdint.h>

typedef struct darwin_mutex darwin_mutex;

int host_mutex_init(darwin_mutex *mutex, const void *attributes);
int host_mutex_destroy(darwin_mutex *mutex);
int host_mutex_lock(darwin_mutex *mutex);
int host_mutex_unlock(darwin_mutex *mutex);
void host_unfair_lock_lock(uint32_t *lock);
void host_unfair_lock_unlock(uint32_t *lock);
int host_main_np(void);

#endif
