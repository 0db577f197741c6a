// The part of Darwin's <pthread.h> that RegistryC uses. agree.c compares it with Darwin's. The
// mutex has Darwin's size, which is 64 bytes on 64-bit systems, and its first word is a signature.

#ifndef STUB_PTHREAD_H
#define STUB_PTHREAD_H

#if defined(__LP64__)
#define STUB_MUTEX_SIZE 56
#else
#define STUB_MUTEX_SIZE 40
#endif

typedef struct _opaque_pthread_mutex_t {
  long __sig;
  char __opaque[STUB_MUTEX_SIZE];
} pthread_mutex_t;

typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;

#define PTHREAD_MUTEX_INITIALIZER {0x32AAABA7, {0}}

extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_main_np(void);

#endif
