// A plug-in for LoaderProbe. The environment gives the addresses of the functions of LoaderProbe
// that the plug-in calls. SIZE is the size of the JSON of the plug-in's record, and NAME is the
// name of the service, if it has one. With BY_NAME, the record has no accessor, like the records of
// C macros, and the image can be unmapped. With CONSTRUCTOR, the system's loader calls the
// initializer, with its own lock held.

#include "registry_record.h"

#include <stdlib.h>

#ifdef NAME
#define NAME_MEMBER ",\"name\":\"" NAME "\""
#else
#define NAME_MEMBER ""
#endif
#ifndef SIZE
#define SIZE 96
#endif

static void *probe_function(const char *variable) {
  const char *text = getenv(variable);
  return text ? (void *)strtoull(text, NULL, 16) : NULL;
}

#ifdef BY_NAME
#define ACCESSOR 0
#else
#define ACCESSOR provide_late
static bool provide_late(void *out, const void *type, uintptr_t reserved) {
  registry_accessor provide = (registry_accessor)probe_function("PROBE_PROVIDE");
  return provide && provide(out, type, reserved);
}
#endif

#ifdef CONSTRUCTOR
__attribute__((constructor)) static
#endif
void plugin_initialize(void) {
  void (*initialize)(void) = (void (*)(void))probe_function("PROBE_INITIALIZE");
  if (initialize) initialize();
}

__attribute__((used, aligned(8), section(".note.registry"))) static struct {
  uint32_t name_size, size, kind;
  char name[12];
  registry_accessor accessor;
  char json[SIZE];
} record = {
    9,        sizeof(registry_accessor) + SIZE,
    0x73657276, "Registry",
    ACCESSOR, "{\"protocol\":\"LoaderProbe.Late\",\"class\":\"LoaderProbe.LateService\"" NAME_MEMBER "}",
};
