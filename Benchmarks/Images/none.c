// An image without records.

int benchmark_nothing(void) { return 0; }
