// An image that contains what the Swift compiler writes into every image and RegistryC recognizes,
// but no Swift code.

#include "by_hand.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(WithSwift.Module)

#if defined(__MACH__)
__attribute__((section("__TEXT,__swift5_types"), used)) static const int type_reference = 0;
#else
void swift_addNewDSOImage(void) __attribute__((weak));
EXPORTED void (*const with_swift_initialiser)(void) = swift_addNewDSOImage;
#endif

EXPORTED char with_swift_value = 1;
