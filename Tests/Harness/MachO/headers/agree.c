// Compares the stub headers with Darwin's. Their declarations must have the same layouts, values,
// and types. This file is compiled against the stubs and against the real headers with the same
// numbers, so that neither can change unnoticed.

#include <dispatch/dispatch.h>
#include <dlfcn.h>
#include <errno.h>
#include <mach-o/dyld.h>
#include <mach-o/fixup-chains.h>
#include <mach-o/getsect.h>
#include <mach-o/loader.h>
#include <os/lock.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Darwin declares the processor types in another header.
#ifndef CPU_TYPE_X86_64
#include <mach/machine.h>
#endif

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define FIELD(type, field, offset, size)                                                                     \
  _Static_assert(offsetof(type, field) == (offset) && sizeof(((type *)0)->field) == (size), #type "." #field)
#define VALUE(name, value) _Static_assert((int64_t)(name) == (int64_t)(value), #name)
#define FUNCTION(name, ...) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&name), __typeof__(__VA_ARGS__)), #name)

SIZE(struct mach_header, 28);
FIELD(struct mach_header, magic, 0, 4);
FIELD(struct mach_header, cputype, 4, 4);
FIELD(struct mach_header, cpusubtype, 8, 4);
FIELD(struct mach_header, filetype, 12, 4);
FIELD(struct mach_header, ncmds, 16, 4);
FIELD(struct mach_header, sizeofcmds, 20, 4);
FIELD(struct mach_header, flags, 24, 4);

SIZE(struct mach_header_64, 32);
FIELD(struct mach_header_64, magic, 0, 4);
FIELD(struct mach_header_64, cputype, 4, 4);
FIELD(struct mach_header_64, cpusubtype, 8, 4);
FIELD(struct mach_header_64, filetype, 12, 4);
FIELD(struct mach_header_64, ncmds, 16, 4);
FIELD(struct mach_header_64, sizeofcmds, 20, 4);
FIELD(struct mach_header_64, flags, 24, 4);
FIELD(struct mach_header_64, reserved, 28, 4);

SIZE(struct load_command, 8);
FIELD(struct load_command, cmd, 0, 4);
FIELD(struct load_command, cmdsize, 4, 4);

SIZE(struct segment_command, 56);
FIELD(struct segment_command, cmd, 0, 4);
FIELD(struct segment_command, cmdsize, 4, 4);
FIELD(struct segment_command, segname, 8, 16);
FIELD(struct segment_command, vmaddr, 24, 4);
FIELD(struct segment_command, vmsize, 28, 4);
FIELD(struct segment_command, fileoff, 32, 4);
FIELD(struct segment_command, filesize, 36, 4);
FIELD(struct segment_command, maxprot, 40, 4);
FIELD(struct segment_command, initprot, 44, 4);
FIELD(struct segment_command, nsects, 48, 4);
FIELD(struct segment_command, flags, 52, 4);

SIZE(struct segment_command_64, 72);
FIELD(struct segment_command_64, cmd, 0, 4);
FIELD(struct segment_command_64, cmdsize, 4, 4);
FIELD(struct segment_command_64, segname, 8, 16);
FIELD(struct segment_command_64, vmaddr, 24, 8);
FIELD(struct segment_command_64, vmsize, 32, 8);
FIELD(struct segment_command_64, fileoff, 40, 8);
FIELD(struct segment_command_64, filesize, 48, 8);
FIELD(struct segment_command_64, maxprot, 56, 4);
FIELD(struct segment_command_64, initprot, 60, 4);
FIELD(struct segment_command_64, nsects, 64, 4);
FIELD(struct segment_command_64, flags, 68, 4);

SIZE(struct section_64, 80);
FIELD(struct section_64, sectname, 0, 16);
FIELD(struct section_64, segname, 16, 16);
FIELD(struct section_64, addr, 32, 8);
FIELD(struct section_64, size, 40, 8);
FIELD(struct section_64, offset, 48, 4);
FIELD(struct section_64, align, 52, 4);
FIELD(struct section_64, reloff, 56, 4);
FIELD(struct section_64, nreloc, 60, 4);
FIELD(struct section_64, flags, 64, 4);
FIELD(struct section_64, reserved1, 68, 4);
FIELD(struct section_64, reserved2, 72, 4);
FIELD(struct section_64, reserved3, 76, 4);

SIZE(struct dylib_command, 24);
FIELD(struct dylib_command, cmd, 0, 4);
FIELD(struct dylib_command, cmdsize, 4, 4);
FIELD(struct dylib_command, dylib.name, 8, 4);
FIELD(struct dylib_command, dylib.timestamp, 12, 4);
FIELD(struct dylib_command, dylib.current_version, 16, 4);
FIELD(struct dylib_command, dylib.compatibility_version, 20, 4);

SIZE(struct linkedit_data_command, 16);
FIELD(struct linkedit_data_command, cmd, 0, 4);
FIELD(struct linkedit_data_command, cmdsize, 4, 4);
FIELD(struct linkedit_data_command, dataoff, 8, 4);
FIELD(struct linkedit_data_command, datasize, 12, 4);

SIZE(struct dyld_info_command, 48);
FIELD(struct dyld_info_command, cmd, 0, 4);
FIELD(struct dyld_info_command, cmdsize, 4, 4);
FIELD(struct dyld_info_command, rebase_off, 8, 4);
FIELD(struct dyld_info_command, rebase_size, 12, 4);
FIELD(struct dyld_info_command, bind_off, 16, 4);
FIELD(struct dyld_info_command, bind_size, 20, 4);
FIELD(struct dyld_info_command, weak_bind_off, 24, 4);
FIELD(struct dyld_info_command, weak_bind_size, 28, 4);
FIELD(struct dyld_info_command, lazy_bind_off, 32, 4);
FIELD(struct dyld_info_command, lazy_bind_size, 36, 4);
FIELD(struct dyld_info_command, export_off, 40, 4);
FIELD(struct dyld_info_command, export_size, 44, 4);

SIZE(struct entry_point_command, 24);
FIELD(struct entry_point_command, cmd, 0, 4);
FIELD(struct entry_point_command, cmdsize, 4, 4);
FIELD(struct entry_point_command, entryoff, 8, 8);
FIELD(struct entry_point_command, stacksize, 16, 8);

VALUE(MH_MAGIC_64, 0xfeedfacf);
VALUE(CPU_TYPE_X86_64, 0x01000007);
VALUE(MH_EXECUTE, 0x2);
VALUE(MH_DYLIB, 0x6);
VALUE(MH_BUNDLE, 0x8);
VALUE(MH_DYLIB_IN_CACHE, 0x80000000);
VALUE(LC_REQ_DYLD, 0x80000000);
VALUE(LC_LOAD_DYLIB, 0xc);
VALUE(LC_ID_DYLIB, 0xd);
VALUE(LC_LOAD_WEAK_DYLIB, (0x18 | 0x80000000));
VALUE(LC_SEGMENT, 0x1);
VALUE(LC_SEGMENT_64, 0x19);
VALUE(LC_REEXPORT_DYLIB, (0x1f | 0x80000000));
VALUE(LC_LAZY_LOAD_DYLIB, 0x20);
VALUE(LC_LOAD_UPWARD_DYLIB, (0x23 | 0x80000000));
VALUE(LC_DYLD_INFO, 0x22);
VALUE(LC_DYLD_INFO_ONLY, (0x22 | 0x80000000));
VALUE(LC_MAIN, (0x28 | 0x80000000));
VALUE(LC_DYLD_EXPORTS_TRIE, (0x33 | 0x80000000));
VALUE(LC_DYLD_CHAINED_FIXUPS, (0x34 | 0x80000000));
VALUE(SG_READ_ONLY, 0x10);
VALUE(SECTION_TYPE, 0x000000ff);
VALUE(S_MOD_INIT_FUNC_POINTERS, 0x9);
VALUE(S_MOD_TERM_FUNC_POINTERS, 0xa);
VALUE(S_THREAD_LOCAL_REGULAR, 0x11);
VALUE(S_THREAD_LOCAL_ZEROFILL, 0x12);
VALUE(S_THREAD_LOCAL_VARIABLES, 0x13);
VALUE(S_INIT_FUNC_OFFSETS, 0x16);
VALUE(S_ATTR_SOME_INSTRUCTIONS, 0x400);
VALUE(S_ATTR_PURE_INSTRUCTIONS, 0x80000000);
VALUE(REBASE_TYPE_POINTER, 1);
VALUE(REBASE_OPCODE_MASK, 0xF0);
VALUE(REBASE_IMMEDIATE_MASK, 0x0F);
VALUE(REBASE_OPCODE_DONE, 0x00);
VALUE(REBASE_OPCODE_SET_TYPE_IMM, 0x10);
VALUE(REBASE_OPCODE_SET_SEGMENT_AND_OFFSET_ULEB, 0x20);
VALUE(REBASE_OPCODE_ADD_ADDR_ULEB, 0x30);
VALUE(REBASE_OPCODE_ADD_ADDR_IMM_SCALED, 0x40);
VALUE(REBASE_OPCODE_DO_REBASE_IMM_TIMES, 0x50);
VALUE(REBASE_OPCODE_DO_REBASE_ULEB_TIMES, 0x60);
VALUE(REBASE_OPCODE_DO_REBASE_ADD_ADDR_ULEB, 0x70);
VALUE(REBASE_OPCODE_DO_REBASE_ULEB_TIMES_SKIPPING_ULEB, 0x80);
VALUE(BIND_TYPE_POINTER, 1);
VALUE(BIND_SPECIAL_DYLIB_SELF, 0);
VALUE(BIND_SPECIAL_DYLIB_MAIN_EXECUTABLE, (-1));
VALUE(BIND_SPECIAL_DYLIB_FLAT_LOOKUP, (-2));
VALUE(BIND_SPECIAL_DYLIB_WEAK_LOOKUP, (-3));
VALUE(BIND_SYMBOL_FLAGS_WEAK_IMPORT, 0x1);
VALUE(BIND_OPCODE_MASK, 0xF0);
VALUE(BIND_IMMEDIATE_MASK, 0x0F);
VALUE(BIND_OPCODE_DONE, 0x00);
VALUE(BIND_OPCODE_SET_DYLIB_ORDINAL_IMM, 0x10);
VALUE(BIND_OPCODE_SET_DYLIB_ORDINAL_ULEB, 0x20);
VALUE(BIND_OPCODE_SET_DYLIB_SPECIAL_IMM, 0x30);
VALUE(BIND_OPCODE_SET_SYMBOL_TRAILING_FLAGS_IMM, 0x40);
VALUE(BIND_OPCODE_SET_TYPE_IMM, 0x50);
VALUE(BIND_OPCODE_SET_ADDEND_SLEB, 0x60);
VALUE(BIND_OPCODE_SET_SEGMENT_AND_OFFSET_ULEB, 0x70);
VALUE(BIND_OPCODE_ADD_ADDR_ULEB, 0x80);
VALUE(BIND_OPCODE_DO_BIND, 0x90);
VALUE(BIND_OPCODE_DO_BIND_ADD_ADDR_ULEB, 0xA0);
VALUE(BIND_OPCODE_DO_BIND_ADD_ADDR_IMM_SCALED, 0xB0);
VALUE(BIND_OPCODE_DO_BIND_ULEB_TIMES_SKIPPING_ULEB, 0xC0);
VALUE(EXPORT_SYMBOL_FLAGS_KIND_MASK, 0x03);
VALUE(EXPORT_SYMBOL_FLAGS_KIND_REGULAR, 0x00);
VALUE(EXPORT_SYMBOL_FLAGS_KIND_ABSOLUTE, 0x02);
VALUE(EXPORT_SYMBOL_FLAGS_REEXPORT, 0x08);
VALUE(EXPORT_SYMBOL_FLAGS_STUB_AND_RESOLVER, 0x10);

SIZE(struct dyld_chained_fixups_header, 28);
FIELD(struct dyld_chained_fixups_header, fixups_version, 0, 4);
FIELD(struct dyld_chained_fixups_header, starts_offset, 4, 4);
FIELD(struct dyld_chained_fixups_header, imports_offset, 8, 4);
FIELD(struct dyld_chained_fixups_header, symbols_offset, 12, 4);
FIELD(struct dyld_chained_fixups_header, imports_count, 16, 4);
FIELD(struct dyld_chained_fixups_header, imports_format, 20, 4);
FIELD(struct dyld_chained_fixups_header, symbols_format, 24, 4);

SIZE(struct dyld_chained_starts_in_image, 8);
FIELD(struct dyld_chained_starts_in_image, seg_count, 0, 4);
FIELD(struct dyld_chained_starts_in_image, seg_info_offset, 4, 4);

SIZE(struct dyld_chained_starts_in_segment, 24);
FIELD(struct dyld_chained_starts_in_segment, size, 0, 4);
FIELD(struct dyld_chained_starts_in_segment, page_size, 4, 2);
FIELD(struct dyld_chained_starts_in_segment, pointer_format, 6, 2);
FIELD(struct dyld_chained_starts_in_segment, segment_offset, 8, 8);
FIELD(struct dyld_chained_starts_in_segment, max_valid_pointer, 16, 4);
FIELD(struct dyld_chained_starts_in_segment, page_count, 20, 2);
FIELD(struct dyld_chained_starts_in_segment, page_start, 22, 2);

VALUE(DYLD_CHAINED_PTR_START_NONE, 0xFFFF);
VALUE(DYLD_CHAINED_PTR_START_MULTI, 0x8000);
VALUE(DYLD_CHAINED_PTR_64, 2);
VALUE(DYLD_CHAINED_PTR_64_OFFSET, 6);
VALUE(DYLD_CHAINED_IMPORT, 1);
VALUE(DYLD_CHAINED_IMPORT_ADDEND, 2);
VALUE(DYLD_CHAINED_IMPORT_ADDEND64, 3);

VALUE(RTLD_LAZY, 0x1);
VALUE(RTLD_NOW, 0x2);
VALUE(RTLD_LOCAL, 0x4);
VALUE(RTLD_NOLOAD, 0x10);
VALUE(RTLD_NODELETE, 0x80);
VALUE(STDERR_FILENO, 2);
VALUE(EINTR, 4);
VALUE(CLOCK_MONOTONIC, 6);

SIZE(struct timespec, 2 * sizeof(long));
FIELD(struct timespec, tv_sec, 0, sizeof(long));
FIELD(struct timespec, tv_nsec, sizeof(long), sizeof(long));

SIZE(Dl_info, 4 * sizeof(void *));
FIELD(Dl_info, dli_fname, 0, sizeof(void *));
FIELD(Dl_info, dli_fbase, sizeof(void *), sizeof(void *));

// A mutex has a signature and a size that glibc's mutex would not fit into everywhere. The
// initializer is the signature and zeros.
#if defined(__LP64__)
SIZE(pthread_mutex_t, 64);
#else
SIZE(pthread_mutex_t, 44);
#endif
FIELD(pthread_mutex_t, __sig, 0, sizeof(long));
extern const pthread_mutex_t initial;
const pthread_mutex_t initial = PTHREAD_MUTEX_INITIALIZER;
_Static_assert(((pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER).__sig == 0x32AAABA7, "the mutex's signature");

#if defined(__LP64__)
typedef struct mach_header_64 header;
#else
typedef struct mach_header header;
#endif
typedef void callback(const struct mach_header *, intptr_t);
FUNCTION(_dyld_image_count, (uint32_t(*)(void))0);
FUNCTION(_dyld_get_image_header, (const struct mach_header *(*)(uint32_t))0);
FUNCTION(_dyld_get_image_name, (const char *(*)(uint32_t))0);
FUNCTION(_dyld_register_func_for_add_image, (void (*)(callback *))0);
FUNCTION(_dyld_register_func_for_remove_image, (void (*)(callback *))0);
FUNCTION(getsectiondata, (uint8_t *(*)(const header *, const char *, const char *, unsigned long *))0);
FUNCTION(dladdr, (int (*)(const void *, Dl_info *))0);
FUNCTION(dlopen, (void *(*)(const char *, int))0);
FUNCTION(dlclose, (int (*)(void *))0);
FUNCTION(dlerror, (char *(*)(void))0);
FUNCTION(malloc, (void *(*)(size_t))0);
FUNCTION(calloc, (void *(*)(size_t, size_t))0);
FUNCTION(realloc, (void *(*)(void *, size_t))0);
FUNCTION(aligned_alloc, (void *(*)(size_t, size_t))0);
FUNCTION(getenv, (char *(*)(const char *))0);
FUNCTION(free, (void (*)(void *))0);
FUNCTION(memcpy, (void *(*)(void *, const void *, size_t))0);
FUNCTION(memmove, (void *(*)(void *, const void *, size_t))0);
FUNCTION(memset, (void *(*)(void *, int, size_t))0);
FUNCTION(memcmp, (int (*)(const void *, const void *, size_t))0);
FUNCTION(memchr, (void *(*)(const void *, int, size_t))0);
FUNCTION(strlen, (size_t (*)(const char *))0);
FUNCTION(strcmp, (int (*)(const char *, const char *))0);
FUNCTION(strncmp, (int (*)(const char *, const char *, size_t))0);
FUNCTION(strstr, (char *(*)(const char *, const char *))0);
FUNCTION(write, (ssize_t (*)(int, const void *, size_t))0);
FUNCTION(clock_gettime, (int (*)(clockid_t, struct timespec *))0);
FUNCTION(__error, (int *(*)(void))0);
FUNCTION(pthread_mutex_init, (int (*)(pthread_mutex_t *, const pthread_mutexattr_t *))0);
FUNCTION(pthread_mutex_destroy, (int (*)(pthread_mutex_t *))0);
FUNCTION(pthread_mutex_lock, (int (*)(pthread_mutex_t *))0);
FUNCTION(pthread_mutex_unlock, (int (*)(pthread_mutex_t *))0);
SIZE(os_unfair_lock, 4);
_Static_assert(OS_UNFAIR_LOCK_INIT._os_unfair_lock_opaque == 0, "an unlocked lock is zero");
FUNCTION(os_unfair_lock_lock, (void (*)(os_unfair_lock_t))0);
FUNCTION(os_unfair_lock_unlock, (void (*)(os_unfair_lock_t))0);
FUNCTION(pthread_main_np, (int (*)(void))0);
FUNCTION(dispatch_queue_get_label, (const char *(*)(dispatch_queue_t))0);
FUNCTION(dispatch_get_main_queue, (dispatch_queue_main_t(*)(void))0);
_Static_assert(__builtin_types_compatible_p(__typeof__(_dispatch_main_q), struct dispatch_queue_s), "the main queue");
VALUE(DISPATCH_CURRENT_QUEUE_LABEL == (dispatch_queue_t)0, 1);
