// An event that an image records while it observes dyld.

#ifndef OBSERVER_H
#define OBSERVER_H

/// The event: '+' loaded, '-' about to be unloaded, 'i' initialized, or 't' terminated.
typedef struct observer_event {
  char what;
  const void *image;
} observer_event;

void observer_note(char what, const void *image);

#endif
