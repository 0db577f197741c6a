// The pipe that signal handlers write to, because handlers may do little else.
//
// Dispatch's signal sources aren't an alternative: on Linux they raise a signal again for their own
// thread, and a signal that arrives while the machine is busy can be lost.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "registry_process.h"
#include "registry_signals.h"

// Systems without these headers have no signals.
#if __has_include(<signal.h>) && __has_include(<fcntl.h>)

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "own_copy.h"

#define REQUEST_MAX 3
/// The stored request of a discarded signal.
#define REQUEST_DISCARDED 255
/// The number after the last signal on most Linux processors. Apple systems have fewer signals.
#define NUMBER_END 65
/// Signals that arrive within this time count as one request.
#define MERGED_MILLISECONDS 100

/// Each process creates its pipe once and never closes it, because a handler may be about to write
/// while another thread restores the signals.
static int read_end = -1;
static atomic_int write_end = -1;
static atomic_bool is_taken;
/// Set while a handler records a signal. Another thread can run a handler at the same time.
static atomic_flag is_recording = ATOMIC_FLAG_INIT;
static bool is_caught[NUMBER_END];
/// The actions before the signals were caught.
static struct sigaction previous[NUMBER_END];

/// Set by the handler, so it's up to date even while the pipe is unread.
static atomic_bool is_suspension_due;

/// The process that handles the signals. Forked processes inherit the handlers and the pipe.
static _Atomic(pid_t) owner;

static _Atomic(unsigned char) requests[NUMBER_END];
/// The time of each request's first signal, in milliseconds, or zero. On some systems, atomic
/// values of more than 32 bits need a lock, which a handler must not acquire.
static _Atomic(uint32_t) first_times[REQUEST_MAX + 1];

/// Gives a signal in a forked process the effect that it would have without the handler.
static void forward_to_previous_action(int number) {
  sigaction(number, &previous[number], NULL);
  // The handler blocks all signals, so the signal is delivered when the handler returns.
  raise(number);
}

/// Returns whether a signal arrives shortly after the first signal of its own or a higher request.
static bool is_merged(int number) {
  unsigned char request = atomic_load(&requests[number]);
  if (request == 0) return false;
  // Set the lowest bit, because zero means that there was no signal.
  uint32_t now = (uint32_t)(registry_now() / 1000000u) | 1;
  uint32_t first = 0;
  for (size_t higher = request + 1u; higher <= REQUEST_MAX; higher++) {
    first = atomic_load(&first_times[higher]);
    if (first != 0 && now - first < MERGED_MILLISECONDS) return true;
  }
  first = 0;
  if (atomic_compare_exchange_strong(&first_times[request], &first, now)) return false;
  return now - first < MERGED_MILLISECONDS;
}

/// Writes a byte without blocking, and returns false if the pipe is full.
static bool write_number(int number) {
  unsigned char byte = (unsigned char)number;
  return write(atomic_load(&write_end), &byte, 1) >= 0 || errno != EAGAIN;
}

static void record_signal(int number) {
  int error = errno;
  // A discarded signal is handled, not ignored, because programs started by this process would
  // inherit an ignored signal. With SIGPIPE, writes fail with EPIPE either way.
  bool is_discarded = atomic_load(&requests[number]) == REQUEST_DISCARDED;
  if (getpid() != atomic_load(&owner)) {
    forward_to_previous_action(number);
  } else if (!is_discarded) {
    // No handler interrupts another one on its thread, because handlers block all signals.
    while (atomic_flag_test_and_set(&is_recording)) continue;
    if (!is_merged(number)) {
      if (number == SIGTSTP || number == SIGCONT) atomic_store(&is_suspension_due, number == SIGTSTP);
      // If thousands of signals are unread, losing one more does no harm.
      (void)write_number(number);
    }
    atomic_flag_clear(&is_recording);
  }
  errno = error;
}

static bool create_pipe(void) {
  if (read_end >= 0) return true;
  int ends[2];
  if (pipe(ends) != 0) return false;
  // Programs started by this process do not inherit the pipe. It has no standard descriptor, even
  // if those are closed: otherwise, printed text would be read as signals.
  for (int index = 0; index < 2; index++) {
    int end = ends[index];
    if (end <= STDERR_FILENO) {
      ends[index] = fcntl(end, F_DUPFD, STDERR_FILENO + 1);
      (void)close(end);
    }
    (void)fcntl(ends[index], F_SETFD, FD_CLOEXEC);
  }
  if (ends[0] < 0 || ends[1] < 0) return false;
  (void)fcntl(ends[1], F_SETFL, O_NONBLOCK);
  read_end = ends[0];
  atomic_store(&write_end, ends[1]);
  return true;
}

static void restore_actions(void) {
  for (int number = 1; number < NUMBER_END; number++) {
    if (is_caught[number]) sigaction(number, &previous[number], NULL);
    is_caught[number] = false;
  }
}

/// Discards state inherited from a parent process that handled signals.
///
/// The descriptors of the pipe stay open: the process may have closed all inherited descriptors, so
/// the numbers can belong to other files.
static void discard_inherited_state(void) {
  pid_t process = atomic_load(&owner);
  if (process == 0 || process == getpid()) return;
  // Otherwise, the inherited handlers would later be restored as the previous actions.
  restore_actions();
  read_end = -1;
  atomic_store(&write_end, -1);
  atomic_store(&owner, 0);
  atomic_store(&is_taken, false);
  // A handler can have been recording on another thread when the process forked.
  atomic_flag_clear(&is_recording);
}

bool registry_signal_can_be_handled(int number) {
  struct sigaction action;
  return number > 0 && number < NUMBER_END && number != SIGKILL && number != SIGSTOP &&
         sigaction(number, NULL, &action) == 0;
}

static bool has_handler(int number, void (*handler)(int)) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == handler;
}

bool registry_signal_is_ignored(int number) { return has_handler(number, SIG_IGN); }

bool registry_signal_has_default_action(int number) { return has_handler(number, SIG_DFL); }

int registry_signals_catch(const registry_signal *signals, size_t count) {
  discard_inherited_state();
  if (atomic_exchange(&is_taken, true)) {
    errno = EBUSY;
    return -1;
  }
  if (!create_pipe()) {
    atomic_store(&is_taken, false);
    return -1;
  }
  atomic_store(&is_suspension_due, false);
  atomic_store(&owner, getpid());
  for (size_t i = 0; i <= REQUEST_MAX; i++) atomic_store(&first_times[i], 0);
  for (size_t i = 0; i < NUMBER_END; i++) atomic_store(&requests[i], 0);
  for (size_t i = 0; i < count; i++) {
    int number = signals[i].number;
    atomic_store(&requests[number], signals[i].is_discarded ? REQUEST_DISCARDED : signals[i].request);
    struct sigaction action = {.sa_handler = record_signal, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    is_caught[number] = sigaction(number, &action, &previous[number]) == 0;
  }
  return read_end;
}

void registry_signals_unblock(const registry_signal *signals, size_t count) {
  sigset_t mask;
  sigemptyset(&mask);
  for (size_t i = 0; i < count; i++) sigaddset(&mask, signals[i].number);
  pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
}

void registry_signal_perform_default(int number) {
  struct sigaction before, action = {.sa_handler = SIG_DFL};
  if (sigaction(number, &action, &before) != 0) return;
  sigset_t mask, old_mask;
  sigemptyset(&mask);
  sigaddset(&mask, number);
  pthread_sigmask(SIG_UNBLOCK, &mask, &old_mask);
  raise(number);
  pthread_sigmask(SIG_SETMASK, &old_mask, NULL);
  sigaction(number, &before, NULL);
}

bool registry_process_adopts_orphans(void) {
#if defined(__linux__)
  int is_subreaper = 0;
  return getpid() == 1 || (prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper, 0, 0, 0) == 0 && is_subreaper != 0);
#else
  return false;
#endif
}

bool registry_signals_take_suspension(void) { return atomic_exchange(&is_suspension_due, false); }

bool registry_signals_release(void) {
  // The reader of an inherited pipe is in the parent process, which still handles signals.
  discard_inherited_state();
  if (!atomic_load(&is_taken)) return false;
  restore_actions();
  // The reader waits for the zero, so wait until it has made room in a full pipe.
  while (!write_number(0)) sched_yield();
  atomic_store(&is_taken, false);
  return true;
}

#endif
