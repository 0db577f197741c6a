"""Snapshots for the tests of the page: a shop, many modules, and hostile names."""

import random

SHOP = """\
Config.ConfigModule Shop critical 100
Log.LogModule Shop critical 90 Config
Storage.StorageModule Shop critical 0 Config Log
Network.NetworkModule Shop normal 50 Log Config
Account.AccountModule Shop normal 0 Storage Network
Catalog.CatalogModule Shop normal 0 Network Storage
Search.SearchModule libDiscovery.so normal 0 Catalog
Recommendations.RecommendationsModule libDiscovery.so low 0 Catalog Account
Cart.CartModule libPurchase.so normal 10 Account Catalog
Loyalty.LoyaltyModule libPurchase.so normal 0 Account
Checkout.CheckoutModule libPurchase.so normal 0 Cart Loyalty Network
Promotion.PromotionModule libPurchase.so low 0 Cart"""
NEEDS = """\
Cart AccountService Account
Cart StorageService Storage
Cart PriceService Catalog
Checkout CartService Cart
Checkout PaymentService Checkout Promotion
Checkout AccountService Account
Promotion CouponService Promotion
Promotion CartService Cart
Recommendations CartService Cart
Search CatalogService Catalog
Loyalty Clock Log
Account Clock Log
Checkout TaxService"""
SERVICES = """\
AccountService Account.LocalAccounts Shop
CartService Cart.SavedCart libPurchase.so
CatalogService Catalog.PrintedCatalog Shop
Clock Log.SystemClock Shop
CouponService Promotion.PaperCoupons libPurchase.so
PaymentService Promotion.VoucherPayment libPurchase.so
PaymentService Checkout.CardPayment libPurchase.so
PriceService Catalog.ListPrices Shop
StorageService Storage.FileStorage Shop
StorageService Storage.MemoryStorage Shop"""
EVENTS = """\
shop.userDidLogIn Account/LogIn.swift:14:1 Shop
shop.userDidLogIn Cart/CartModule.swift:22:1 libPurchase.so
shop.userDidLogIn Loyalty/Points.swift:9:1 libPurchase.so
shop.orderPlaced Checkout/CheckoutModule.swift:31:1 libPurchase.so
shop.orderPlaced Loyalty/Points.swift:18:1 libPurchase.so
shop.orderPlaced Recommendations/Taste.swift:7:1 libDiscovery.so"""
ROUTES = """\
shop.product Catalog.ProductScreen Shop /products/:id
shop.cart Cart.CartScreen libPurchase.so /cart
shop.search Search.ResultsScreen libDiscovery.so /search?q=:text"""
POINTS = """\
shop.menu Catalog/CatalogModule.swift:8:1 Shop
shop.menu Cart/CartModule.swift:11:1 libPurchase.so
shop.menu Promotion/PromotionModule.swift:5:1 libPurchase.so"""


def words(text):
    return (line.split() for line in text.splitlines())


def snapshot(*processes, problems=(), origin="process"):
    return {"version": 1, "origin": origin, "processes": list(processes), "problems": list(problems)}


def process(name, images, modules, entries=(), needs=(), **members):
    records = [{"name": image, "path": f"build/{image}", "records": 12} for image in images]
    return {"name": name, "images": records, "modules": modules, "entries": list(entries), "needs": list(needs),
        **members}


def module(name, image, position, level="normal", priority=0, after=(), **members):
    return {"name": name, "feature": name.split(".")[0], "image": image, "position": position, "level": level,
            "priority": priority, "after": list(after), "afterNeeds": [], "activation": "atLaunch", **members}


def need(feature, key, providers, **members):
    return {"kind": "service", "key": key, "isOptional": False, "dependent": f"{feature}.{feature}Model",
        "feature": feature,
            "providers": list(providers), "location": f"{feature}/{feature}Model.swift:12:3", **members}


def entries(kind, text, prefix=""):
    ranks = {}
    for key, provider, image, *pattern in words(text):
        rank = ranks[key] = ranks.get(key, 0) + 1
        feature = provider.replace("/", ".").split(".")[0]
        entry = {"kind": kind, "key": prefix + key, "provider": provider, "feature": feature, "image": image,
                 "priority": 10 if rank == 1 and kind == "service" and key == "PaymentService" else 0,
                 "rank": rank, "isSelected": kind != "service" or rank == 1}
        if kind == "service":
            entry |= {"scope": "shared", "location": f"{feature}/{provider.split('.')[1]}.swift:5:1"}
        if pattern:
            entry |= {"access": {"origin": "remote", "patterns": pattern}, "type": f"{'ShopAPI.ProductID' if ':id' in pattern[0] else '()'} → Swift.String"}
        if key == "shop.orderPlaced":
            entry["type"] = "ShopAPI.Order"
        yield entry


def shop():
    names, modules = {}, []
    for position, (name, image, level, priority, *after) in enumerate(words(SHOP), 1):
        names[name.split(".")[0]] = name
        modules.append(module(name, image, position, level, int(priority), [names[each] for each in after],
            state="running",
                              location=f"{name.split('.')[0]}/{name.split('.')[1]}.swift:6:1"))
    images = {module["feature"]: module["image"] for module in modules}
    needs = [need(feature, f"ShopAPI.{key}", providers, image=images[feature]) for feature, key,
        *providers in words(NEEDS)]
    needs[-1]["isOptional"] = True
    found = [*entries("service", SERVICES, "ShopAPI."), *entries("event", EVENTS), *entries("route", ROUTES),
             *entries("action", "shop.logOut Account.LogOut Shop"), *entries("point", POINTS)]
    problems = [
        {"severity": "warning", "code": "tie", "subject": "ShopAPI.StorageService", "image": "Shop",
         "location": "Storage/FileStorage.swift:5:1",
         "message": "'FileStorage' and 'MemoryStorage' have the same priority; the first in the order of images is used"},
        {"severity": "note", "code": "missing-optional", "subject": "Checkout.CheckoutModule",
            "image": "libPurchase.so",
         "message": "no loaded image provides the optional 'ShopAPI.TaxService'"}]
    full = process("Shop", ["Shop", "libDiscovery.so", "libPurchase.so"], modules, found, needs, architecture="arm64")
    small = process("ShopTool", ["ShopTool"], [module("Config.ConfigModule", "ShopTool", 1)], architecture="arm64")
    return snapshot(full, small, problems=problems)


def trace(data):
    """The trace of a launch, with two phases of each module, nested handlers, and concurrent work."""
    chance, events, now = random.Random(4), [{"name": "process_name", "ph": "M", "pid": 1, "tid": 1,
        "args": {"name": "Shop"}}], 0

    def add(name, kind, activity, start, duration, image, phase="X", **members):
        events.append({"name": name, "ph": phase, "pid": 1, "tid": 1, "cat": kind, "ts": start,
                       "args": {"image": image, kind: activity}, **({"dur": duration} if phase == "X" else {}), **members})

    for activity in ("init", "setUp", "start"):
        for each in data["processes"][0]["modules"]:
            duration = round(chance.expovariate(1 / 900) + 60, 3)
            add(each["name"], "phase", activity, round(now, 3), duration, each["image"])
            if activity != "init" and duration > 400:
                service = each["feature"] + ".Store"
                add(service, "service", "service", round(now + duration * .1, 3), round(duration * .5, 3),
                    each["image"])
                add("shop.ready", "event", "shop.ready", round(now + duration * .2, 3), round(duration * .25, 3),
                    each["image"])
            now += duration + 15
    for number, each in enumerate(data["processes"][0]["modules"][4:8]):
        add(each["name"], "phase", "prepare", round(now / 4 + 2000 * number, 3), 0, each["image"], "b", id=number)
        add(each["name"], "phase", "prepare", round(now / 4 + 2000 * number + 7000, 3), 0, each["image"], "e",
            id=number)
    return {"traceEvents": events, "displayTimeUnit": "ms", "dropped": 0}


def large(count, edges=5, images=8):
    chance = random.Random(7)
    names = [f"Feature{index}.Feature{index}Module" for index in range(count)]
    modules, needs = [], []
    for index, name in enumerate(names):
        image = f"libTeam{index * images // count}.so"
        before = {max(0, index - 1 - int(chance.expovariate(1 / 120))) for _ in range(min(index, edges // 2))}
        modules.append(module(name, image, index + 1, after=[names[each] for each in sorted(before)]))
        for _ in range(edges - edges // 2):
            provider = max(0, index - 1 - int(chance.expovariate(1 / 300)))
            needs.append(need(f"Feature{index}", f"API.Service{provider}", [f"Feature{provider}"], image=image))
    found = [{"kind": "service", "key": f"API.Service{index}", "provider": f"Feature{index}.Implementation",
        "feature": f"Feature{index}",
              "image": modules[index]["image"], "priority": 0, "rank": 1, "isSelected": True} for index in range(count)]
    return snapshot(process("Large", [f"libTeam{index}.so" for index in range(images)], modules, found, needs),
        origin="files")


HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>", "<!--<script>", "\u202egnirts\u2066",
    "&lt;b&gt;",
           "line\u2028separators\u2029", "x" * 10_000, "'\"`${alert(1)}\\", "__proto__", "constructor", "", "\u0000\u0007"]


def hostile():
    modules = [module(name, name, index + 1, after=[HOSTILE[index - 1]], state=name, location=name) for index,
        name in enumerate(HOSTILE)]
    found = [{"kind": kind, "key": name, "name": name, "provider": name, "feature": name, "image": name, "priority": 0,
        "rank": 1,
              "isSelected": True, "scope": name, "type": name, "access": {"origin": name, "patterns": [name, name]}, "condition": name, "replaces": name, "location": name}
             for kind in ("service", "event", "route", "action", "point") for name in HOSTILE]
    needs = [need(name, name, [name], dependent=name, name=name) for name in HOSTILE]
    problems = [{"severity": name, "code": "hostile", "subject": name, "image": name, "location": name,
        "message": name} for name in HOSTILE]
    data = snapshot(*(process(name, HOSTILE, modules, found, needs, architecture=name,
        group=name) for name in HOSTILE[:2]),
                    problems=problems)
    events = [{"name": name, "ph": "X", "pid": 1, "tid": 1, "cat": "phase", "ts": index * 10, "dur": 5,
        "args": {"phase": name}}
              for index, name in enumerate(HOSTILE)]
    changes = [{"change": "changed", "breaking": True, "kind": name, "subject": name,
        "details": name} for name in HOSTILE]
    return data, {"traceEvents": events}, changes


CHANGES = [
    {"change": "removed", "breaking": True, "kind": "service", "subject": "ShopAPI.TaxService",
        "details": "'Tax.FlatTax' was its last implementation"},
    {"change": "added", "breaking": False, "kind": "module", "subject": "Promotion.PromotionModule",
        "details": "in libPurchase.so, after Cart.CartModule"},
    {"change": "changed", "breaking": False, "kind": "order", "subject": "Loyalty.LoyaltyModule",
        "details": "before Checkout.CheckoutModule"}]
