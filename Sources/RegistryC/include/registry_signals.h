// Delivers the process's signals as bytes in a pipe, for a thread or an event loop to read.

#ifndef REGISTRY_SIGNALS_H
#define REGISTRY_SIGNALS_H

#include "registry_declarations.h"

REGISTRY_BEGIN_

typedef struct registry_signal {
  int number;
  /// The request that the signal makes, from 1 to 3, or zero for no request. A signal is dropped if
  /// it arrives within 100 ms after the first signal of the same or a higher request: some programs
  /// send several signals, or send a signal to a process and then to the process's group.
  unsigned char request;
  /// True if the signal has no effect in this process.
  bool is_discarded;
} registry_signal;

/// Handles signals for the process: each signal writes its number as one byte to a pipe.
///
/// Discarded signals write nothing. In forked processes, the signals have the effects that they had
/// before the call. A forked process can call this function itself, which creates another pipe.
/// Signals are dropped while thousands of unread signals fill the pipe. Only one caller at a time
/// can handle signals, and threads must not call the function in parallel. The numbers must differ,
/// and `registry_signal_can_be_handled` must return true for each.
///
/// - Returns: The read end of the pipe, which blocks. Do not close it. On failure, -1 with `errno`:
///   `EBUSY` if signals are already handled, or an error from `pipe`.
int registry_signals_catch(const registry_signal *signals, size_t count);

/// Unblocks signals on the calling thread. A process inherits its parent's blocked signals. To
/// handle a signal, one thread that does not block it is enough.
void registry_signals_unblock(const registry_signal *signals, size_t count);

/// Performs a signal's default action, and restores the previous action if the process continues. A
/// suspension lasts until SIGCONT. The system ignores some signals, such as SIGTSTP in an orphaned
/// process group, which no shell could continue.
void registry_signal_perform_default(int number);

/// Returns whether programs can handle a signal.
bool registry_signal_can_be_handled(int number);

/// Returns whether a signal is ignored. Processes inherit ignored signals from their parents.
bool registry_signal_is_ignored(int number);

/// Returns whether a signal has the default action.
bool registry_signal_has_default_action(int number);

/// Returns whether the process adopts processes whose parents have ended, as the first process of a
/// container and subreapers do. False on systems other than Linux.
bool registry_process_adopts_orphans(void);

/// Returns whether a handled SIGTSTP arrived after the last SIGCONT and after the last call of this
/// function. The handlers record the signals, so the result is correct even if the pipe is unread.
bool registry_signals_take_suspension(void);

/// Restores the previous actions of the signals. A reader of the pipe receives a zero byte after
/// the last signal. If the pipe is full, the call waits for the reader.
///
/// - Returns: False if this process handles no signals; then no reader receives a zero byte. A
///   forked process handles no signals until it calls `registry_signals_catch`.
bool registry_signals_release(void);

REGISTRY_END_

#endif
