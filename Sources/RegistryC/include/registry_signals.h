// Signals of the process as bytes of a pipe, for a thread or an event loop that reads them.

#ifndef REGISTRY_SIGNALS_H
#define REGISTRY_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Handles at most sixteen signals for the process: each signal writes its number as one byte to a
/// pipe.
///
/// Signals are dropped while about ten thousand are unread. Only one caller at a time can handle
/// signals, and threads must not call the function in parallel.
///
/// - Returns: The end of the pipe to read, which blocks, stays open, and must not be closed; -1
///   with `errno` if nothing was changed: `EBUSY` if signals are handled already, `EINVAL` for a
///   number that is not a signal or cannot be handled.
int registry_signals_catch(const int *signals, size_t count);

/// Returns whether a signal is ignored, which the parent process can request.
bool registry_signal_is_ignored(int number);

/// Returns whether SIGTSTP arrived after the last SIGCONT and this was not queried since. The
/// handlers record it, so it is correct while the pipe is unread.
bool registry_signals_take_suspension(void);

/// Restores the previous actions of the signals. A reader of the pipe receives a zero after the
/// last signal.
void registry_signals_release(void);

#ifdef __cplusplus
}
#endif

#endif
