// A dyld for tests: maps Mach-O images for x86-64 into a Linux process and runs their code. What tests call is here; what
// images call is in host.c. What it does not do is said in ../README.md.
//
// Safe on every thread: one recursive lock is held while images are opened and closed and their callbacks,
// initialisers and terminators run, as dyld holds its own. `dyld_run_initialisers_unlocked` changes
// that.

#ifndef DYLD_H
#define DYLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dyld_image dyld_image;

/// Loads an image and what it depends on, calls the callbacks for images that come and runs the initialisers. An image
/// that is there already is opened once more. Null when that fails: see `dyld_problem`; nothing is left behind then.
dyld_image *dyld_open(const char *path);

/// Undoes one `dyld_open`. Images that nothing needs any more are terminated, announced as going and unmapped. False when
/// the image was not open.
bool dyld_close(dyld_image *image);

/// Runs a program's `main`; -1 when the image has none.
int dyld_run(dyld_image *image, int argc, char **argv);

/// The address of what an image exports, by its name in C. Null when it exports no such thing.
void *dyld_symbol(dyld_image *image, const char *name);

/// The image that holds an address; null when none does.
dyld_image *dyld_image_at(const void *address);

/// The file of an image.
const char *dyld_path(const dyld_image *image);

/// Where an image is: its header.
const void *dyld_header(const dyld_image *image);

/// How many images are loaded, and each by its place in the order in which they were.
size_t dyld_image_count(void);
dyld_image *dyld_image_number(size_t index);

/// What was wrong last on this thread: a sentence that names the image and what is missing.
const char *dyld_problem(void);

/// Announces an image again, as dyld may do with one that comes while a callback is being registered.
void dyld_announce(dyld_image *image);

/// Makes this dyld behave as dyld 1378 (2026) from now on.
///
/// There, a thread that opens or closes images holds one lock (the API lock) for all of it. A
/// second lock, for the list of images, is released while initialisers run, so other threads can
/// ask about images meanwhile. `dlopen` with `RTLD_NOLOAD` does not take the API lock. If another
/// thread holds that lock, the call fails for an image whose initialisers have not finished. Call
/// this before any other thread uses dyld.
///
/// Initialisers still run with the second lock held if they run inside an image callback.
void dyld_run_initialisers_unlocked(void);

/// Sets a function that is called after each announcement while a callback is being registered,
/// with the number of images announced so far. It runs on the thread that registers the callback.
void dyld_while_registering(void (*function)(size_t announced));

/// How many allocations of the images still succeed; negative for all of them, which is so at first.
void dyld_limit_allocations(int count);

/// The label of the main queue.
extern const char dyld_main_queue[];

/// Makes the calling thread one that runs a block of a queue, which is known by its label. Null: of
/// no queue.
void dyld_enter_queue(const char *label);

/// How often an image called dyld or the allocator while it held a mutex. dyld calls images with its lock held, so
/// images that do the reverse can wait for each other.
unsigned dyld_calls_under_mutex(void);

#endif
