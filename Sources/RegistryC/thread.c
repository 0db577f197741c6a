// A word per thread. It lives here because Swift has no thread-local storage of its own; it costs one load.

#include "registry_sync.h"

#include <stddef.h>

static _Thread_local void *thread_word = NULL;

void *registry_thread_word(void) { return thread_word; }

void registry_thread_set_word(void *word) { thread_word = word; }
