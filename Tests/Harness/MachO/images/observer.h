// What an image that watches dyld writes down.

#ifndef OBSERVER_H
#define OBSERVER_H

/// '+' came, '-' goes, 'i' initialised, 't' terminated.
typedef struct observer_event {
  char what;
  const void *image;
} observer_event;

void observer_note(char what, const void *image);

#endif
