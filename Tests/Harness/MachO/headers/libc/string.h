// The part of Darwin's <string.h> that RegistryC and the test images use. agree.c compares it with
// Darwin's.

#ifndef STUB_STRING_H
#define STUB_STRING_H

#include <stddef.h>

extern void *memcpy(void *, const void *, size_t);
extern void *memmove(void *, const void *, size_t);
extern void *memset(void *, int, size_t);
extern int memcmp(const void *, const void *, size_t);
extern void *memchr(const void *, int, size_t);
extern size_t strlen(const char *);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, size_t);
extern char *strstr(const char *, const char *);

#endif
