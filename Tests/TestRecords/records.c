#include "registry_export.h"

// Several in one file, several on a line, dotted names, quotes, other letters.
REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.SystemClock)
REGISTRY_EXPORT_SERVICE(RegistryTests.NestedClock, RegistryTests.Outer.Inner.Clock)
REGISTRY_EXPORT_SERVICE(RegistryTests.AbsentClock, RegistryTests.NoSuchClass)
REGISTRY_EXPORT_SERVICE(RegistryTests.PlainClock, RegistryTests.NotNamed)
REGISTRY_EXPORT_SERVICE(RegistryTests.WrongClock, RegistryTests.SystemClock)
REGISTRY_EXPORT_MODULE(LifecycleTests.LegacyModule) REGISTRY_EXPORT_MODULE(LifecycleTests.NoSuchModule)
REGISTRY_EXPORT_MODULE(LifecycleTests.NotAModule)
REGISTRY_EXPORT_SERVICE(CTest."quoted", Überraschung.Klasse);
