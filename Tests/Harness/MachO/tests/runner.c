// runner FORMAT FOLDER [CASE…]
// runner FORMAT FOLDER --print FILE…
//
// Runs the cases for an object format (mach-o or elf) on the images in a folder, each in a separate
// process, and prints a line for each. With names, runs only these cases. The exit status is one if
// a case failed. With --print, loads the files and prints the records and problems in each.

#define _GNU_SOURCE

#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// The time limit of a case in seconds, which is sufficient for valgrind on a busy machine.
enum { LONGEST = 120 };

unsigned failure_count(void);

static const test_case *const tables[] = {image_cases, record_cases, close_cases, library_cases, loading_cases,
                                         executor_cases, dyld_cases};

static void run_case(const test_case *one) {
  alarm(LONGEST);
  one->run();
  fflush(stdout);
  // Call exit and not _exit, because LeakSanitizer runs when the process exits.
  exit(failure_count() > 0);
}

static bool passed(const test_case *one) {
  fflush(stdout);
  // The output is flushed before the fork, so that the case's output precedes its line.
  pid_t process = fork();
  if (process == 0) run_case(one);
  int status = -1;
  while (process > 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (process > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (process > 0 && WIFSIGNALED(status)) {
    int number = WTERMSIG(status);
    printf("        %s\n", number == SIGALRM ? "it did not end" : strsignal(number));
  } else if (WEXITSTATUS(status) != 1) {
    printf("        exit status %d\n", WEXITSTATUS(status));
  }
  return false;
}

static bool is_wanted(const test_case *one, int count, char **names) {
  if (one->formats == MACH_O_ONLY && !on->is_mach_o) return false;
  for (int index = 0; index < count; ++index) {
    if (strcmp(names[index], one->name) == 0) return true;
  }
  return count == 0;
}

int main(int argc, char **argv) {
  if (argc < 3 || (strcmp(argv[1], "mach-o") != 0 && strcmp(argv[1], "elf") != 0)) {
    fprintf(stderr, "usage: %s mach-o|elf FOLDER [CASE…]\n", argv[0]);
    return 2;
  }
  on = strcmp(argv[1], "elf") == 0 ? &elf : &mach_o;
  folder = realpath(argv[2], NULL);
  if (!folder) {
    fprintf(stderr, "%s: there is no folder %s\n", argv[0], argv[2]);
    return 2;
  }
  if (argc > 3 && strcmp(argv[3], "--print") == 0) {
    int status = print_records(argc - 4, argv + 4);
    free((void *)folder);
    return status;
  }
  unsigned run = 0, failed = 0;
  for (size_t table = 0; table < sizeof tables / sizeof tables[0]; ++table) {
    for (const test_case *one = tables[table]; one->name; ++one) {
      if (!is_wanted(one, argc - 3, argv + 3)) continue;
      ++run;
      bool fine = passed(one);
      printf("%s  %s\n", fine ? "ok    " : "FAILED", one->sentence);
      failed += !fine;
    }
  }
  if (run == 0) fprintf(stderr, "%s: there is no such case\n", argv[0]);
  free((void *)folder);
  return run == 0 ? 2 : failed > 0;
}
