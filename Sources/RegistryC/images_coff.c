// Loaded images and their records on Windows. An image is a module of the process, and its records
// are in a section that its headers list.
//
// While a snapshot reads modules with records, it holds a reference to each module, so it doesn't
// need the loader's lock, and no module is unmapped. Adding and releasing references can wait for
// `DllMain` on another thread.

#include "snapshot.h"

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define PSAPI_VERSION 2
#include <windows.h>

#include <psapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BY_ADDRESS = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS };

/// A number that increases when a module is loaded or unloaded; zero before the first query.
static uint64_t generation;

/// Runs inside the loader, where it must not call other modules' functions.
static VOID CALLBACK count_change(ULONG reason, const void *data, void *context) {
  (void)reason;
  (void)data;
  (void)context;
  __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
}

static BOOL CALLBACK start_counting(INIT_ONCE *once, void *parameter, void **context) {
  (void)once;
  (void)parameter;
  (void)context;
  typedef LONG(NTAPI * registration)(ULONG, VOID(CALLBACK *)(ULONG, const void *, void *), void *, void **);
  // No header declares this function, but every supported version of Windows has it.
  FARPROC found = GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "LdrRegisterDllNotification");
  registration register_callback;
  memcpy(&register_callback, &found, sizeof found);
  void *cookie = NULL;
  // The callback stays registered, so this code must stay mapped.
  (void)registry_image_pin(&generation);
  __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
  return register_callback && register_callback(0, count_change, NULL, &cookie) == 0;
}

uint64_t registry_images_generation(void) {
  static INIT_ONCE once = INIT_ONCE_STATIC_INIT;
  // Without the callback, every call reports a change.
  if (!InitOnceExecuteOnce(&once, start_counting, NULL, NULL)) count_change(0, NULL, NULL);
  return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

static const IMAGE_NT_HEADERS *headers_of(uintptr_t base) {
  return (const void *)(base + (uintptr_t)((const IMAGE_DOS_HEADER *)base)->e_lfanew);
}

/// Finds a section by its name, which has at most eight characters.
static registry_segment section_named(const char *name, uintptr_t base) {
  const IMAGE_NT_HEADERS *headers = headers_of(base);
  const IMAGE_SECTION_HEADER *section = IMAGE_FIRST_SECTION(headers);
  for (unsigned left = headers->FileHeader.NumberOfSections; left > 0; --left, ++section) {
    if (strncmp((const char *)section->Name, name, sizeof section->Name) != 0) continue;
    uintptr_t start = base + section->VirtualAddress;
    return (registry_segment){start, start + section->Misc.VirtualSize};
  }
  return (registry_segment){0};
}

/// A module that has the requested section. The caller holds a reference to the module.
typedef struct module {
  HMODULE handle;
  registry_segment records;
  uint64_t serial;
  char path[1024];
} module;

/// Adds a reference to each module that has the section. Returns null if memory runs out or the
/// modules cannot be listed, for example because other threads keep loading and unloading them.
static module *hold_modules(const char *section, size_t *count) {
  HMODULE *handles = NULL;
  DWORD size = 0, needed = 4096;
  *count = 0;
  while (needed > size) {
    size = needed + 64 * sizeof *handles;
    free(handles);
    handles = malloc(size);
    BOOL is_listed = FALSE;
    for (int tries = 0; handles && !is_listed && tries < 16; ++tries) {
      is_listed = K32EnumProcessModules(GetCurrentProcess(), handles, size, &needed);
    }
    if (!is_listed) {
      free(handles);
      return NULL;
    }
  }
  module *modules = calloc(needed / sizeof *handles + 1, sizeof *modules);
  for (size_t index = 0; modules && index < needed / sizeof *handles; ++index) {
    module module = {0};
    // A module that was unloaded after it was listed is not found.
    if (!GetModuleHandleExW(BY_ADDRESS, (const WCHAR *)(const void *)handles[index], &module.handle)) continue;
    module.records = section_named(section, (uintptr_t)module.handle);
    if (module.handle == handles[index] && module.records.start < module.records.end) modules[(*count)++] = module;
    else (void)FreeLibrary(module.handle);
  }
  free(handles);
  return modules;
}

static void release_modules(module *modules, size_t count) {
  for (size_t index = 0; index < count; ++index) (void)FreeLibrary(modules[index].handle);
  free(modules);
}

static void read_path(module *module) {
  WCHAR path[sizeof module->path];
  DWORD length = GetModuleFileNameW(module->handle, path, sizeof path / sizeof *path);
  if (length == 0 || length == sizeof path / sizeof *path) return;
  if (!WideCharToMultiByte(CP_UTF8, 0, path, -1, module->path, sizeof module->path, NULL, NULL)) *module->path = 0;
}

/// An entry for a module that had records in the last scan. The address, and a hash of the path and
/// the records, identify the module.
typedef struct known_module {
  struct known_module *next;
  uintptr_t base;
  uint64_t identity;
  uint64_t serial;
  uint64_t scan;
} known_module;

static struct {
  SRWLOCK lock;
  known_module *first;
  uint64_t last_serial;
  uint64_t scans;
} known = {.lock = SRWLOCK_INIT};

/// Sets a module's serial from its entry, or from a new entry. The caller holds the lock.
static bool identify(module *module) {
  uintptr_t base = (uintptr_t)module->handle, start = module->records.start;
  uint64_t identity = registry_hash_range(registry_hash_text(module->path), start, module->records.end - start);
  known_module *found = known.first;
  while (found && (found->base != base || found->identity != identity)) found = found->next;
  if (!found) {
    found = malloc(sizeof *found);
    if (!found) return false;
    *found = (known_module){known.first, base, identity, ++known.last_serial, 0};
    known.first = found;
  }
  found->scan = known.scans;
  module->serial = found->serial;
  return true;
}

/// Sets the serials of all modules, and removes the entries of other modules. Keeps entries that
/// another scan has added since this one began, after `scan`. Returns false, and removes nothing,
/// if memory runs out.
static bool identify_all(module *modules, size_t count, uint64_t scan) {
  bool complete = true;
  AcquireSRWLockExclusive(&known.lock);
  __atomic_add_fetch(&known.scans, 1, __ATOMIC_RELEASE);
  for (size_t index = 0; index < count && complete; ++index) complete = identify(&modules[index]);
  for (known_module **link = &known.first; complete && *link;) {
    known_module *module = *link;
    if (module->scan > scan) {
      link = &module->next;
    } else {
      *link = module->next;
      free(module);
    }
  }
  ReleaseSRWLockExclusive(&known.lock);
  return complete;
}

/// Counts or copies the modules.
static void add_modules(registry_block *block, const module *modules, size_t count, uint64_t after) {
  for (size_t index = 0; index < count; ++index) {
    const module *module = &modules[index];
    bool wanted = module->serial > after;
    size_t length = wanted ? strlen(module->path) : 0;
    (void)registry_block_add_image(block, module->serial, (uintptr_t)module->handle, module->path, length);
    uintptr_t start = module->records.start;
    if (wanted) (void)registry_block_add_section(block, start, module->records.end - start, 0);
  }
}

registry_snapshot *registry_images_snapshot(uint64_t after) {
  // From here on, loading a module changes the generation.
  uint64_t now = registry_images_generation();
  uint64_t scan = __atomic_load_n(&known.scans, __ATOMIC_ACQUIRE);
  size_t count = 0;
  module *modules = hold_modules(".swreg", &count);
  registry_block block = {0};
  for (size_t index = 0; index < count; ++index) read_path(&modules[index]);
  bool complete = modules && identify_all(modules, count, scan);
  if (complete) add_modules(&block, modules, count, after);
  if (complete && registry_block_allocate(&block)) {
    block.snapshot->generation = now;
    add_modules(&block, modules, count, after);
  }
  release_modules(modules, count);
  return block.snapshot;
}

registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment) {
  HMODULE module = NULL;
  *segment = (registry_segment){0};
  if (!GetModuleHandleExW(BY_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN, address, &module)) return REGISTRY_PIN_NO_IMAGE;
  uintptr_t base = (uintptr_t)module;
  *segment = (registry_segment){base, base + headers_of(base)->OptionalHeader.SizeOfImage};
  return REGISTRY_PIN_KEPT;
}

void registry_pin_swift(void) {
  size_t count = 0;
  // Every image with a Swift type has this section.
  module *modules = hold_modules(".sw5tymd", &count);
  for (size_t index = 0; index < count; ++index) (void)registry_image_pin(modules[index].handle);
  release_modules(modules, count);
}

void *registry_open(const char *path, char *problem, size_t size) {
  WCHAR wide[1024];
  bool is_read = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, sizeof wide / sizeof *wide) != 0;
  HMODULE module = is_read ? LoadLibraryW(wide) : NULL;
  const char *step = is_read ? "LoadLibrary" : "converting the path to UTF-16";
  if (!module) (void)snprintf(problem, size, "%s failed with error %lu", step, GetLastError());
  return module;
}

bool registry_close(void *handle) { return FreeLibrary(handle); }

uintptr_t registry_open_base(void *handle) { return (uintptr_t)handle; }

void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed) {
  uintptr_t *found = malloc(sizeof image);
  size_t found_count = 1;
  if (found) *found = image;
  for (size_t index = 0; found && index < found_count; ++index) {
    image = found[index];
    size_t position = registry_index_of(image, libraries, count);
    if (position < count) is_needed[position] = true;
    if (headers_of(image)->OptionalHeader.NumberOfRvaAndSizes <= IMAGE_DIRECTORY_ENTRY_IMPORT) continue;
    const IMAGE_DATA_DIRECTORY *imports =
        &headers_of(image)->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    if (imports->Size == 0) continue;
    const IMAGE_IMPORT_DESCRIPTOR *needed = (const void *)(image + imports->VirtualAddress);
    // Look up each library by name, as the loader did for this image. A reference keeps it loaded,
    // because another thread can close a library that merely has the name.
    for (; needed->Name != 0; ++needed) {
      HMODULE library;
      if (!GetModuleHandleExA(0, (const char *)(image + needed->Name), &library)) continue;
      bool is_new = registry_index_of((uintptr_t)library, found, found_count) == found_count;
      uintptr_t *more = is_new ? realloc(found, (found_count + 1) * sizeof *found) : NULL;
      // If memory runs out, the library counts as not needed.
      if (more) {
        found = more;
        found[found_count++] = (uintptr_t)library;
      } else {
        FreeLibrary(library);
      }
    }
  }
  for (size_t index = 1; found && index < found_count; ++index) FreeLibrary((HMODULE)found[index]);
  free(found);
}

#endif
