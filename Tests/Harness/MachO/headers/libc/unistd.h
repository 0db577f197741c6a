// The part of Darwin's <unistd.h> that RegistryC uses. agree.c compares it with Darwin's.

#ifndef STUB_UNISTD_H
#define STUB_UNISTD_H

#include <stddef.h>

typedef long ssize_t;

#define STDERR_FILENO 2

extern ssize_t write(int, const void *, size_t);

#endif
