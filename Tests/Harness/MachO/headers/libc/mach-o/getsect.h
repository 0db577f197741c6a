// The part of Darwin's <mach-o/getsect.h> that RegistryC and the test images use. agree.c compares
// it with Darwin's.

#ifndef STUB_MACH_O_GETSECT_H
#define STUB_MACH_O_GETSECT_H

#include <mach-o/loader.h>
#include <stdint.h>

#if defined(__LP64__)
extern uint8_t *getsectiondata(const struct mach_header_64 *mhp, const char *segname, const char *sectname,
                               unsigned long *size);
#else
extern uint8_t *getsectiondata(const struct mach_header *mhp, const char *segname, const char *sectname,
                               unsigned long *size);
#endif

#endif
