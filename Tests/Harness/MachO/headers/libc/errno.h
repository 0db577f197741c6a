// The part of Darwin's <errno.h> that RegistryC uses. agree.c compares it with Darwin's.

#ifndef STUB_ERRNO_H
#define STUB_ERRNO_H

extern int *__error(void);
#define errno (*__error())

#define EINTR 4

#endif
