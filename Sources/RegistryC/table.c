#include "registry_table.h"
