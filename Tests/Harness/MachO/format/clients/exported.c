// Uses of the export macros: every option and order of options, several uses on one line and from a
// macro, names with non-ASCII letters, and JSON of every length modulo eight. exported.records
// lists the expected records, line by line.

#include "registry_export.h"
#include "registry_record.h"

// The accessors of the records in by_hand.c. Their code differs, so that no linker merges them.
__attribute__((visibility("hidden"))) bool answers_first(void *out, const void *type, uintptr_t reserved);
__attribute__((visibility("hidden"))) bool answers_second(void *out, const void *type, uintptr_t reserved);
bool answers_first(void *out, const void *type, uintptr_t reserved) { return out != type && reserved == 1; }
bool answers_second(void *out, const void *type, uintptr_t reserved) { return out == type && reserved == 2; }

REGISTRY_EXPORT_MODULE(Shop.LegacyModule)
REGISTRY_EXPORT_MODULE(Shop.First) REGISTRY_EXPORT_MODULE(Shop.Second)
REGISTRY_EXPORT_MODULE(Shop.Basic, level(basic))
REGISTRY_EXPORT_MODULE(Shop.Normal, level(normal))
REGISTRY_EXPORT_MODULE(Shop.Eager, priority(999999999))
REGISTRY_EXPORT_MODULE(Shop.Late, priority(-999999999))
REGISTRY_EXPORT_MODULE(Shop.Next, after(Account.AccountModule))
REGISTRY_EXPORT_MODULE(Shop.CartModule, level(basic), priority(-10), after(Account.AccountModule, Läden.Modul))
REGISTRY_EXPORT_MODULE(Shop.Last, after(A.B, C.D, E.F, G.H, I.J, K.L, M.N, O.P), priority(0), level(normal))
REGISTRY_EXPORT_MODULE(Größe.漢字.Überraschung)

REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.FakeClock, scope(shared), named(fake), priority(-5))
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.Weak, priority(7), named(the big red one), scope(weak))
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.Plain, scope(transient))
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock & Sendable, Legacy.Outer.Inner)
REGISTRY_EXPORT_SERVICE(Läden.Straße, Überraschung.Klasse, named(größte 𠮷))

#define FEATURE(module) REGISTRY_EXPORT_MODULE(module.Feature) REGISTRY_EXPORT_SERVICE(module.Api, module.Default)
FEATURE(Shop)

// With these, both kinds of records have every amount of padding.
REGISTRY_EXPORT_MODULE(P.abc)
REGISTRY_EXPORT_MODULE(P.abcd)
REGISTRY_EXPORT_MODULE(P.abcdef)
REGISTRY_EXPORT_SERVICE(P.A, P.a)
REGISTRY_EXPORT_SERVICE(P.A, P.abc)
REGISTRY_EXPORT_SERVICE(P.A, P.new, replaces(P.a), when(flag(new-clock)))
REGISTRY_EXPORT_SERVICE(P.A, P.debug, when(debug))
