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

// Contributions to points that RegistryTests declares, of another type, and of an unknown point.
typedef int (*conversion)(int);
typedef const int *numbers;
static int twice(int number) { return 2 * number; }
static int value(int number) { return -number; }
static const int primes[] = {2, 3, 5};
REGISTRY_CONTRIBUTE(tests.conversions, conversion, twice) REGISTRY_CONTRIBUTE(tests.conversions, conversion, value, priority(1))
REGISTRY_CONTRIBUTE(tests.conversions, numbers, primes)
REGISTRY_CONTRIBUTE(tests.numbers, numbers, primes, key(primes))
REGISTRY_CONTRIBUTE(tests.conversion, conversion, twice)
