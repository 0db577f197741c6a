// The part of Darwin's <pthread.h> that RegistryC uses; agree.c holds it to the real one. The types have Darwin's
// sizes: 64 and 48 bytes, of which the first word is a signature.

#ifndef STUB_PTHREAD_H
#define STUB_PTHREAD_H

#if defined(__LP64__)
#define STUB_MUTEX_SIZE 56
#define STUB_COND_SIZE 40
#else
#define STUB_MUTEX_SIZE 40
#define STUB_COND_SIZE 24
#endif

typedef struct _opaque_pthread_mutex_t {
  long __sig;
  char __opaque[STUB_MUTEX_SIZE];
} pthread_mutex_t;

typedef struct _opaque_pthread_cond_t {
  long __sig;
  char __opaque[STUB_COND_SIZE];
} pthread_cond_t;

typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
typedef struct _opaque_pthread_condattr_t pthread_condattr_t;

#define PTHREAD_MUTEX_INITIALIZER {0x32AAABA7, {0}}

extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
extern int pthread_cond_destroy(pthread_cond_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern int pthread_main_np(void);

#endif
