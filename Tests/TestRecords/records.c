#include "registry_export.h"

// These records cover several records in one file and on one line, dotted names, characters outside
// ASCII, and options.
REGISTRY_EXPORT_SERVICE(RegistryTests.NamedClock, RegistryTests.SystemClock)
REGISTRY_EXPORT_SERVICE(RegistryTests.NestedClock, RegistryTests.Outer.Inner.Clock)
REGISTRY_EXPORT_SERVICE(RegistryTests.AbsentClock, RegistryTests.NoSuchClass)
REGISTRY_EXPORT_SERVICE(RegistryTests.PlainClock, RegistryTests.NotNamed)
REGISTRY_EXPORT_SERVICE(RegistryTests.WrongClock, RegistryTests.SystemClock)
REGISTRY_EXPORT_SERVICE(RegistryTests.CountedVisa, RegistryTests.CountedNonsense)
REGISTRY_EXPORT_MODULE(LifecycleTests.LegacyModule) REGISTRY_EXPORT_MODULE(LifecycleTests.NoSuchModule)
REGISTRY_EXPORT_MODULE(LifecycleTests.NotAModule)
REGISTRY_EXPORT_SERVICE(CTest.Straße, Überraschung.Klasse, scope(shared), named(größte), priority(-5))
REGISTRY_EXPORT_MODULE(LifecycleTests.OptionsModule, level(basic), priority(7), after(LifecycleTests.BasicModule))
