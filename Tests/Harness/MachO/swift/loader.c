// Loads a Mach-O image of Swift code and calls a function of it.
//
//   loader FUNCTION IMAGE [ARGUMENT…]
//
// FUNCTION is the name of an exported function, or `main` for that of a program. It returns the
// exit status, or -1 if it continues concurrently and ends the process itself. The main queue then
// runs on the main thread, as in an app, or on any thread, as after `dispatch_main()`, if
// DISPATCH_MAIN is set. With DYLD_1378, the dyld behaves like version 1378.

#define _GNU_SOURCE

#include "dyld.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void bridge_start(void);

extern void dispatch_main(void) __attribute__((noreturn));
extern int _dispatch_get_main_queue_handle_4CF(void);
extern void _dispatch_main_queue_callback_4CF(void *message);

/// Runs the blocks of the main queue on this thread, as the run loop of an app does.
static _Noreturn void run_loop(void) {
  for (;;) {
    struct pollfd queue = {_dispatch_get_main_queue_handle_4CF(), POLLIN, 0};
    poll(&queue, 1, -1);
    uint64_t count;
    if (read(queue.fd, &count, sizeof count) < 0) continue;
    _dispatch_main_queue_callback_4CF(NULL);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s FUNCTION IMAGE [ARGUMENT...]\n", argv[0]);
    return 2;
  }
  setvbuf(stdout, NULL, _IONBF, 0);
  if (getenv("DYLD_1378")) dyld_run_initialisers_unlocked();
  bridge_start();
  bool is_program = strcmp(argv[1], "main") == 0;
  dyld_image *image = dyld_open(argv[2]);
  int (*function)(void) = image && !is_program ? (int (*)(void))dyld_symbol(image, argv[1]) : NULL;
  if (!image || !(is_program || function)) {
    fprintf(stderr, "%s\n", dyld_problem());
    return 2;
  }
  int status = is_program ? dyld_run(image, argc - 2, argv + 2) : function();
  if (status >= 0) return status;
  if (getenv("DISPATCH_MAIN")) dispatch_main();
  run_loop();
}
