// The word of each thread, which is in C because Swift has no thread-local storage. Reading it
// takes one load.

#include "registry_sync.h"

#include <stddef.h>

static _Thread_local void *thread_word = NULL;

void *registry_thread_word(void) { return thread_word; }

void registry_thread_set_word(void *word) { thread_word = word; }
