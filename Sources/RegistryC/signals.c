// The pipe that signal handlers write to: all that a handler may do, and all that need be done in one.
//
// Not by Dispatch's sources for signals: on Linux they raise a signal again for their thread, and one that comes while the machine
// is busy can be lost.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "registry_signals.h"

// Systems without them have no processes to end either.
#if __has_include(<signal.h>) && __has_include(<fcntl.h>)

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define CAUGHT_MAX 16

/// Made once and never closed: a handler may be about to write while somebody else takes the signals back.
static int read_end = -1;
static atomic_int write_end = -1;
static atomic_bool is_taken;
static struct {
  int number;
  struct sigaction before;
} caught[CAUGHT_MAX];
static size_t caught_count;

/// Known as soon as a handler has run, also if nobody has read the pipe yet.
static atomic_bool is_suspension_due;

static void write_down(int number) {
  int error = errno;
  if (number == SIGTSTP || number == SIGCONT) atomic_store(&is_suspension_due, number == SIGTSTP);
  unsigned char byte = (unsigned char)number;
  // Does not block: whoever does not read thousands of signals will not miss one more.
  ssize_t written = write(atomic_load(&write_end), &byte, 1);
  (void)written;
  errno = error;
}

static bool make_pipe(void) {
  if (read_end >= 0) return true;
  int ends[2];
  if (pipe(ends) != 0) return false;
  // Not for programs that this one starts.
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

static void give_back(void) {
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
  bool is_made = make_pipe();
  for (size_t i = 0; is_made && i < count; i++) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = write_down;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    is_made = sigaction(signals[i], &action, &caught[i].before) == 0;
    if (!is_made) break;
    caught[i].number = signals[i];
    caught_count = i + 1;
  }
  if (is_made) return read_end;
  int error = errno;
  give_back();
  atomic_store(&is_taken, false);
  errno = error;
  return -1;
}

bool registry_signals_take_suspension(void) { return atomic_exchange(&is_suspension_due, false); }

void registry_signals_release(void) {
  if (!atomic_load(&is_taken)) return;
  give_back();
  // After the last signal: the reader's end.
  write_down(0);
  atomic_store(&is_taken, false);
}

#endif
