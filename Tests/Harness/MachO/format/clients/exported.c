// Uses of the export macros: every option and order of options, several uses on one line and from a
// macro, names with non-ASCII letters, and JSON of every length modulo eight. exported.records
// lists the expected records, line by line.

#include "registry_export.h"

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

// Each name is one letter longer than the previous one, for every amount of padding in both kinds
// of records.
REGISTRY_EXPORT_MODULE(P.a)
REGISTRY_EXPORT_MODULE(P.ab)
REGISTRY_EXPORT_MODULE(P.abc)
REGISTRY_EXPORT_MODULE(P.abcd)
REGISTRY_EXPORT_MODULE(P.abcde)
REGISTRY_EXPORT_MODULE(P.abcdef)
REGISTRY_EXPORT_MODULE(P.abcdefg)
REGISTRY_EXPORT_MODULE(P.abcdefgh)
REGISTRY_EXPORT_SERVICE(P.A, P.a)
REGISTRY_EXPORT_SERVICE(P.A, P.ab)
REGISTRY_EXPORT_SERVICE(P.A, P.abc)
REGISTRY_EXPORT_SERVICE(P.A, P.abcd)
REGISTRY_EXPORT_SERVICE(P.A, P.abcde)
REGISTRY_EXPORT_SERVICE(P.A, P.abcdef)
REGISTRY_EXPORT_SERVICE(P.A, P.abcdefg)
REGISTRY_EXPORT_SERVICE(P.A, P.abcdefgh)
REGISTRY_EXPORT_SERVICE(P.A, P.new, replaces(P.a), when(flag(new-clock)))
REGISTRY_EXPORT_SERVICE(P.A, P.debug, when(debug))
