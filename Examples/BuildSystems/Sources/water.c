#include "registry_export.h"

typedef int (*price_function)(void);

static int water_price(void) { return 1; }
REGISTRY_CONTRIBUTE(cafe.prices, price_function, water_price)
