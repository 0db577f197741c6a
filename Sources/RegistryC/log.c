#include "registry_log.h"

#include <errno.h>
#include <unistd.h>

#include "own_copy.h"

void registry_log(const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(STDERR_FILENO, bytes, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return;
    }
    bytes += written;
    size -= (size_t)written;
  }
}
