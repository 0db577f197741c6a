// Signals of the process as bytes of a pipe, for whoever waits for them in a thread or an event loop of his own.

#ifndef REGISTRY_SIGNALS_H
#define REGISTRY_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Takes at most sixteen signals over, for the process: each that comes writes its number, as one byte, to a pipe.
///
/// Signals that come while some ten thousand are not read are dropped. One at a time, and not by several threads at once.
///
/// - Returns: The end of the pipe to be read, which blocks, stays open and is not to be closed; -1 with `errno` if nothing was changed:
///   `EBUSY` if signals are taken over already, `EINVAL` for what is no signal or cannot be caught.
int registry_signals_catch(const int *signals, size_t count);

/// Whether nothing happens when a signal comes, as whoever started the process may have wished.
bool registry_signal_is_ignored(int number);

/// Whether the last of SIGTSTP and SIGCONT that came was SIGTSTP, and this was not asked since. Told by the handlers themselves, so that it
/// is right while the pipe is not read.
bool registry_signals_take_suspension(void);

/// Gives the signals back what was done with them before. Whoever reads the pipe reads a zero then, behind the last signal.
void registry_signals_release(void);

#ifdef __cplusplus
}
#endif

#endif
