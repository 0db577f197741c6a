// runner FORMAT FOLDER [CASE…]
// runner FORMAT FOLDER --print FILE…
//
// Runs the cases for an object format (mach-o or elf) on the images in a folder, each in a separate
// process, and prints a line for each. With names, runs only these cases. The exit status is one if
// a case failed.
//
// With --print, loads the files and prints a line for each record (the file, the kind, `accessor`
// or `name`, and the JSON) and each problem. Tests/Harness/Inspection/run compares them with the
// records that registry-tool reads from the same files.

#define _GNU_SOURCE

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// The time limit of a case in seconds, which is sufficient with sanitizers on a busy machine.
enum { LONGEST = 120 };

static const test_case *const tables[] = {image_cases,  record_cases,  close_cases,
                                         thread_cases, loading_cases, dyld_cases};

/// Runs a case in a process of its own, and returns whether it passed.
static bool passes(const test_case *one) {
  fflush(stdout);
  // The output is flushed before the fork, so that the case's output precedes its line.
  pid_t process = fork();
  if (process == 0) {
    alarm(LONGEST);
    one->run();
    // Call exit and not _exit, because LeakSanitizer runs when the process exits.
    exit(failure_count() > 0);
  }
  int status = -1;
  if (process < 0 || waitpid(process, &status, 0) < 0) return false;
  if (WIFSIGNALED(status)) printf("        %s\n", strsignal(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) > 1) printf("        exit status %d\n", WEXITSTATUS(status));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_wanted(const test_case *one, int count, char **names) {
  if (one->formats == MACH_O_ONLY && !on->is_mach_o) return false;
  for (int index = 0; index < count; ++index) {
    if (strcmp(names[index], one->name) == 0) return true;
  }
  return count == 0;
}

static int run_cases(int count, char **names) {
  unsigned run = 0, failed = 0;
  for (size_t table = 0; table < sizeof tables / sizeof tables[0]; ++table) {
    for (const test_case *one = tables[table]; one->name; ++one) {
      if (!is_wanted(one, count, names)) continue;
      ++run;
      bool fine = passes(one);
      printf("%s  %s\n", fine ? "ok    " : "FAILED", one->sentence);
      failed += !fine;
    }
  }
  if (run == 0) fprintf(stderr, "there is no such case\n");
  return run == 0 ? 2 : failed > 0;
}

static int print_records(int count, char **files) {
  open_registry();
  for (int index = 0; index < count; ++index) {
    void *image = open_path(files[index]);
    seen it = look(0);
    const seen_image *found = it.count > 0 ? &it.images[it.count - 1] : NULL;
    for (size_t place = 0; found && place < found->record_count; ++place) {
      const seen_record *record = &found->records[place];
      printf("%s\t%c%c%c%c\t%s\t%s\n", files[index], (char)(record->kind >> 24), (char)(record->kind >> 16),
             (char)(record->kind >> 8), (char)record->kind, record->accessor ? "accessor" : "name", record->json);
    }
    for (size_t place = 0; found && place < found->problem_count; ++place) {
      printf("%s\tproblem\t%s\n", files[index], found->problems[place]);
    }
    forget(&it);
    close_library(image);
  }
  return failure_count() > 0;
}

int main(int argc, char **argv) {
  on = argc > 2 && strcmp(argv[1], "elf") == 0 ? &elf : &mach_o;
  folder = argc > 2 ? realpath(argv[2], NULL) : NULL;
  if (!folder) {
    fprintf(stderr, "usage: %s mach-o|elf FOLDER [CASE…]\n", argv[0]);
    return 2;
  }
  bool prints = argc > 3 && strcmp(argv[3], "--print") == 0;
  int status = prints ? print_records(argc - 4, argv + 4) : run_cases(argc - 3, argv + 3);
  free((void *)folder);
  return status;
}
