// The pipe that signal handlers write to, because a handler may do little else.
//
// It does not use signal sources of Dispatch: on Linux they raise a signal again for their own
// thread, and a signal that arrives while the machine is busy can be lost.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "registry_signals.h"

// Systems without these headers have no processes to end.
#if __has_include(<signal.h>) && __has_include(<fcntl.h>)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define CAUGHT_MAX 16

/// The end of the pipe to read. The pipe is created once and never closed, because a handler may be
/// about to write while another thread restores the signals.
static int read_end = -1;
static atomic_int write_end = -1;
static atomic_bool is_taken;
static struct {
  int number;
  struct sigaction before;
} caught[CAUGHT_MAX];
static size_t caught_count;

/// A flag that is valid as soon as a handler has run, even if the pipe was not read yet.
static atomic_bool is_suspension_due;

static void record_signal(int number) {
  int error = errno;
  if (number == SIGTSTP || number == SIGCONT) atomic_store(&is_suspension_due, number == SIGTSTP);
  unsigned char byte = (unsigned char)number;
  // The write does not block. If thousands of signals are unread, losing one more does no harm.
  ssize_t written = write(atomic_load(&write_end), &byte, 1);
  (void)written;
  errno = error;
}

static bool create_pipe(void) {
  if (read_end >= 0) return true;
  int ends[2];
  if (pipe(ends) != 0) return false;
  // Programs that this one starts do not inherit the pipe.
  if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(ends[1], F_SETFD, FD_CLOEXEC) != 0 ||
      fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0) {
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    errno = error;
    return false;
  }
  read_end = ends[0];
  atomic_store(&write_end, ends[1]);
  return true;
}

static void restore_actions(void) {
  while (caught_count > 0) {
    caught_count--;
    sigaction(caught[caught_count].number, &caught[caught_count].before, NULL);
  }
}

bool registry_signal_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int registry_signals_catch(const int *signals, size_t count) {
  if (count > CAUGHT_MAX) {
    errno = EINVAL;
    return -1;
  }
  if (atomic_exchange(&is_taken, true)) {
    errno = EBUSY;
    return -1;
  }
  atomic_store(&is_suspension_due, false);
  bool is_created = create_pipe();
  for (size_t i = 0; is_created && i < count; i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = record_signal;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    is_created = sigaction(signals[i], &action, &caught[i].before) == 0;
    if (!is_created) break;
    caught[i].number = signals[i];
    caught_count = i + 1;
  }
  if (is_created) return read_end;
  int error = errno;
  restore_actions();
  atomic_store(&is_taken, false);
  errno = error;
  return -1;
}

bool registry_signals_take_suspension(void) { return atomic_exchange(&is_suspension_due, false); }

void registry_signals_release(void) {
  if (!atomic_load(&is_taken)) return;
  restore_actions();
  // Tell the reader that no signal follows.
  record_signal(0);
  atomic_store(&is_taken, false);
}

#endif
