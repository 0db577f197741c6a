// The part of Darwin's <dlfcn.h> that RegistryC uses. agree.c compares it with Darwin's.

#ifndef STUB_DLFCN_H
#define STUB_DLFCN_H

typedef struct dl_info {
  const char *dli_fname;
  void *dli_fbase;
  const char *dli_sname;
  void *dli_saddr;
} Dl_info;

#define RTLD_LAZY 0x1
#define RTLD_NOW 0x2
#define RTLD_LOCAL 0x4
#define RTLD_NOLOAD 0x10
#define RTLD_NODELETE 0x80

extern int dladdr(const void *, Dl_info *);
extern void *dlopen(const char *path, int mode);
extern int dlclose(void *handle);
extern char *dlerror(void);

#endif
