// A dyld for tests, which maps Mach-O images for x86-64 into a Linux process and runs their code.
// This header declares the functions that tests call, and host.c defines those that images call.
// ../README.md lists the limitations.
//
// All functions are thread-safe. Like dyld, this implementation holds one recursive lock while it
// opens and closes images and runs their callbacks, initializers, and terminators.
// `dyld_run_initialisers_unlocked` changes that.

#ifndef DYLD_H
#define DYLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct dyld_image dyld_image;

/// Loads an image and its dependencies, calls the callbacks for them, and runs their initializers.
///
/// If the image is already loaded, its open count increases. If loading fails, the function returns
/// null without side effects, and `dyld_problem` describes the reason.
dyld_image *dyld_open(const char *path);

/// Closes an image once, and unloads the images that are no longer needed.
///
/// Reverts one `dyld_open`. Terminates these images, announces their removal, and unmaps them.
/// Returns false if the image was not open.
bool dyld_close(dyld_image *image);

/// Runs a program's main function, or returns -1 if the image has none.
int dyld_run(dyld_image *image, int argc, char **argv);

/// Returns the address of an exported symbol by its C name, or null if the image does not export
/// it.
void *dyld_symbol(dyld_image *image, const char *name);

/// Returns the image that contains an address, or null if there is none.
dyld_image *dyld_image_at(const void *address);

/// Returns the address of an image's header.
const void *dyld_header(const dyld_image *image);

/// Returns the number of loaded images.
///
/// `dyld_image_number` returns an image by its index in load order.
size_t dyld_image_count(void);
dyld_image *dyld_image_number(size_t index);

/// Returns a sentence that describes the last problem on this thread and names the image.
const char *dyld_problem(void);

/// Announces an image again, as dyld can do for an image that is loaded while a callback registers.
void dyld_announce(dyld_image *image);

/// Makes this dyld behave like dyld 1378 from now on.
///
/// In that version of 2026, a thread that opens or closes images holds one lock, the API lock,
/// during the whole call. A second lock, for the list of images, is released while initializers
/// run, so other threads can query images meanwhile. `dlopen` with `RTLD_NOLOAD` does not take the
/// API lock. If another thread holds that lock, the call fails for an image whose initializers have
/// not finished. Call this function before any other thread uses dyld.
///
/// Initializers still run with the second lock held if they run inside an image callback.
void dyld_run_initialisers_unlocked(void);

/// Sets a function to call after each announcement during the registration of a callback.
///
/// The function receives the number of images announced so far. It runs on the thread that
/// registers the callback.
void dyld_while_registering(void (*function)(size_t announced));

/// Makes every allocation by an image fail, or succeed again.
void dyld_fail_allocations(bool fail);

/// The label of the main queue.
extern const char dyld_main_queue[];

/// Makes the calling thread appear to run a block of the queue with this label.
///
/// Pass null to make it run no queue's block.
void dyld_enter_queue(const char *label);

/// Returns the number of calls to dyld or the allocator that images made with a mutex held.
///
/// dyld calls images with its lock held, so an image that acquires the locks in reverse order can
/// deadlock.
unsigned dyld_calls_under_mutex(void);

#endif
