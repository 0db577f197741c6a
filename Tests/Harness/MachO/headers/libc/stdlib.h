// The part of Darwin's <stdlib.h> that RegistryC uses. agree.c compares it with Darwin's.

#ifndef STUB_STDLIB_H
#define STUB_STDLIB_H

#include <stddef.h>

extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *aligned_alloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
extern char *getenv(const char *);
extern void abort(void) __attribute__((noreturn));

#endif
