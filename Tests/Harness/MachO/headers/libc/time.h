// The part of Darwin's <time.h> that RegistryC uses. agree.c compares it with Darwin's.

#ifndef STUB_TIME_H
#define STUB_TIME_H

struct timespec {
  long tv_sec;
  long tv_nsec;
};

typedef enum { _CLOCK_MONOTONIC = 6 } clockid_t;
#define CLOCK_MONOTONIC _CLOCK_MONOTONIC

extern int clock_gettime(clockid_t, struct timespec *);

#endif
