// Signals of the process as bytes of a pipe, for a thread or an event loop that reads them.

#ifndef REGISTRY_SIGNALS_H
#define REGISTRY_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A signal to handle.
typedef struct registry_signal {
  int number;
  /// The request that the signal makes, from 1 to 3, or zero. A signal that arrives within 100 ms
  /// after the first one of the same or of a higher request is dropped: some programs send a signal
  /// to a process and to its group, and some send several signals.
  unsigned char request;
  /// A Boolean value that indicates whether the signal has no effect at all.
  bool is_discarded;
} registry_signal;

/// Handles signals for the process: each signal writes its number as one byte to a pipe.
///
/// Discarded signals write nothing. In a process that this one forks, the signals have the effects
/// that they had before the call, and that process can handle signals itself, with another pipe.
/// Signals are dropped while about ten thousand are unread. Only one caller at a time can handle
/// signals, and threads must not call the function in parallel.
///
/// - Returns: The end of the pipe to read, which blocks, stays open, and must not be closed; -1
///   with `errno` if nothing was changed: `EBUSY` if signals are handled already, `EINVAL` for a
///   number that is not a signal or cannot be handled.
int registry_signals_catch(const registry_signal *signals, size_t count);

/// Unblocks signals on the calling thread. A process inherits the signals that the program that
/// started it blocked. One thread that does not block them is sufficient.
void registry_signals_unblock(const registry_signal *signals, size_t count);

/// Performs the default action of a signal, and restores the action of the signal if the process
/// continues. A suspension lasts until SIGCONT. The system ignores some signals, such as SIGTSTP in
/// an orphaned process group, which no shell could continue.
void registry_signal_perform_default(int number);

/// Returns whether programs can handle a signal.
bool registry_signal_can_be_handled(int number);

/// Returns whether a signal is ignored, which the parent process can request.
bool registry_signal_is_ignored(int number);

/// Returns whether a signal has the default action.
bool registry_signal_has_default_action(int number);

/// Returns whether the process adopts processes whose parents have ended: the first process of a
/// container, or a subreaper. The result is false on other systems than Linux.
bool registry_process_adopts_orphans(void);

/// Returns whether SIGTSTP arrived after the last SIGCONT and this was not queried since. The
/// handlers record it, so it is correct while the pipe is unread.
bool registry_signals_take_suspension(void);

/// Restores the previous actions of the signals. A reader of the pipe receives a zero after the
/// last signal.
///
/// - Returns: `false` if this process handles no signals, so that no reader receives a zero. A
///   process that was forked handles none until it calls `registry_signals_catch`.
bool registry_signals_release(void);

#ifdef __cplusplus
}
#endif

#endif
