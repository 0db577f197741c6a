// The part of Darwin's <dispatch/dispatch.h> that RegistryC uses. agree.c compares it with
// Darwin's.

#ifndef STUB_DISPATCH_DISPATCH_H
#define STUB_DISPATCH_DISPATCH_H

typedef struct dispatch_queue_s *dispatch_queue_t;
typedef dispatch_queue_t dispatch_queue_main_t;

extern struct dispatch_queue_s _dispatch_main_q;

#define DISPATCH_CURRENT_QUEUE_LABEL ((dispatch_queue_t)0)

static inline dispatch_queue_main_t dispatch_get_main_queue(void) { return &_dispatch_main_q; }

extern const char *dispatch_queue_get_label(dispatch_queue_t queue);

#endif
