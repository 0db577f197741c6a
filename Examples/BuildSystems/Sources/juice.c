#include "registry_export.h"

typedef int (*price_function)(void);

static int juice_price(void) { return 2; }
REGISTRY_CONTRIBUTE(cafe.prices, price_function, juice_price)
