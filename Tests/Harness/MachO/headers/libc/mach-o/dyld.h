// The part of Darwin's <mach-o/dyld.h> that RegistryC and the test images use. agree.c compares it
// with Darwin's.

#ifndef STUB_MACH_O_DYLD_H
#define STUB_MACH_O_DYLD_H

#include <mach-o/loader.h>
#include <stdint.h>

extern uint32_t _dyld_image_count(void);
extern const struct mach_header *_dyld_get_image_header(uint32_t image_index);
extern const char *_dyld_get_image_name(uint32_t image_index);
extern void _dyld_register_func_for_add_image(void (*func)(const struct mach_header *mh, intptr_t vmaddr_slide));
extern void _dyld_register_func_for_remove_image(void (*func)(const struct mach_header *mh, intptr_t vmaddr_slide));

#endif
