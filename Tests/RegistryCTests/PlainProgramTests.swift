import Foundation
import TestSupport
import Testing

/// The library in programs without Swift, and in programs that cannot load images.
@Suite struct `Programs in C alone` {
  @Test(arguments: [[], ["-static"]])
  func `Programs find their records, and detect the main thread without the Swift runtime`(flags: [String]) throws {
    let scratch = try Scratch()
    let program = scratch.path + "/plain"
    let source = """
      #include "registry_export.h"
      #include "registry_images.h"
      #include "registry_sync.h"
      #include <pthread.h>
      #include <stdio.h>
      #include <string.h>
      REGISTRY_EXPORT_MODULE(Plain.One)
      static void *elsewhere(void *answer) {
        *(bool *)answer = registry_executor_is_current(0, 0, true);
        return NULL;
      }
      int main(void) {
        registry_snapshot *snapshot = registry_images_snapshot(0);
        if (!snapshot || snapshot->image_count != 1) return 1;
        // The library's own record and the one above.
        const registry_section *section = snapshot->images[0].sections;
        registry_walker walker = registry_walk(section->bytes, section->size, section->alignment);
        registry_item item;
        int records = 0;
        while (registry_walk_next(&walker, &item) == REGISTRY_STEP_RECORD) ++records;
        if (records != 2 || registry_images_generation() != snapshot->generation) return 2;
        if (strcmp(strrchr(snapshot->images[0].path, '/'), "/plain") != 0) return 3;
        registry_snapshot_free(snapshot);

        if (!registry_executor_is_current(0, 0, true) || registry_executor_is_current(1, 2, false)) return 4;
        bool answer = true;
        pthread_t thread;
        if (pthread_create(&thread, NULL, elsewhere, &answer) != 0 || pthread_join(thread, NULL) != 0) return 5;
        if (answer) return 6;

        char problem[100] = "";
        registry_pin_swift();
        if (registry_open("/nowhere/libnothing.so", problem, sizeof problem)) return 7;
        puts(problem);
        return 0;
      }
      """
    let clang = try #require(Compiler.clang)
    let built = try clang.run(
      flags + ["-I", include, "-pthread"] + SharedObject.librarySources + ["-x", "c", "-", "-ldl", "-o", program],
      input: source)
    try #require(built.status == 0, "\(built.output)")
    let result = try Command.run(program)
    #expect(result.status == 0)
    // The C library determines whether a static program can open images.
    let answers = ["No such file"] + (flags.isEmpty ? [] : ["this program cannot open images"])
    #expect(answers.contains { result.output.contains($0) }, "\(result.output)")
  }

  @Test func `A library that the program is linked with can be read while another thread runs a constructor`() throws {
    let scratch = try Scratch()
    let clang = try #require(Compiler.clang)
    let libraries = [
      "linked": "void linked(void) {}", "opened": "void opened(void) {}",
      "slow": "void hold(void); __attribute__((constructor)) static void run(void) { hold(); }",
    ]
    for (name, source) in libraries {
      let path = "\(scratch.path)/lib\(name).so"
      let built = try clang.run(["-shared", "-fPIC", "-x", "c", "-", "-o", path], input: source)
      try #require(built.status == 0, "\(built.output)")
    }
    let source = """
      #include "registry_images.h"
      #include <dlfcn.h>
      #include <pthread.h>
      #include <semaphore.h>
      void linked(void);
      static sem_t has_begun, may_end;
      void hold(void) {
        sem_post(&has_begun);
        sem_wait(&may_end);
      }
      static void *open_slow(void *path) { return dlopen(path, RTLD_NOW); }
      int main(int count, char **paths) {
        if (count != 3 || sem_init(&has_begun, 0, 0) != 0 || sem_init(&may_end, 0, 0) != 0) return 1;
        void *plug_in = dlopen(paths[1], RTLD_NOW);
        const void *opened = plug_in ? dlsym(plug_in, "opened") : NULL;
        pthread_t thread;
        if (!opened || pthread_create(&thread, NULL, open_slow, paths[2]) != 0) return 2;
        sem_wait(&has_begun);
        registry_segment segment, unused;
        const registry_pin_result first = registry_image_pin_segment((const void *)linked, &segment);
        const registry_pin_result second = registry_image_pin_segment(opened, &unused);
        sem_post(&may_end);
        pthread_join(thread, NULL);
        if (first != REGISTRY_PIN_KEPT || second != REGISTRY_PIN_REFUSED) return 3;
        if ((uintptr_t)linked - segment.start >= segment.end - segment.start) return 4;
        return registry_image_pin_segment(opened, &unused) == REGISTRY_PIN_KEPT ? 0 : 5;
      }
      """
    let flags = ["-I", include, "-pthread", "-rdynamic", "-L.", "-Wl,-rpath,\(scratch.path)"]
    let built = try clang.run(
      flags + SharedObject.librarySources + ["-x", "c", "-", "-llinked", "-ldl", "-o", "program"], input: source,
      in: scratch.path)
    try #require(built.status == 0, "\(built.output)")
    let result = try Command.run("\(scratch.path)/program", ["opened", "slow"].map { "\(scratch.path)/lib\($0).so" })
    #expect(result.status == 0, "\(result.output)")
  }

  #if os(Linux)
  @Test func `Relative paths belong to the current folder, and signals use no standard descriptor`() throws {
    let scratch = try Scratch()
    let clang = try #require(Compiler.clang)
    for number in 1...2 {
      let folder = "\(scratch.path)/\(number)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let library = try clang.run(
        ["-shared", "-fPIC", "-x", "c", "-", "-o", "\(folder)/libp.so"], input: "int number = \(number);")
      try #require(library.status == 0, "\(library.output)")
    }
    let source = """
      #include "registry_images.h"
      #include "registry_signals.h"
      #include <dlfcn.h>
      #include <unistd.h>
      static int open_in(const char *folder) {
        char problem[100];
        void *image = chdir(folder) == 0 ? registry_open("./libp.so", problem, sizeof problem) : NULL;
        const int *number = image ? dlsym(image, "number") : NULL;
        return number ? *number : 0;
      }
      int main(void) {
        if (open_in("1") != 1 || open_in("../2") != 2) return 1;
        for (int number = 0; number < 3; number++) close(number);
        return registry_signals_catch(NULL, 0) < 3 ? 2 : 0;
      }
      """
    let program = scratch.path + "/opening"
    let built = try clang.run(
      ["-I", include, "-pthread", sources + "/signals.c"] + SharedObject.librarySources
        + ["-x", "c", "-", "-ldl", "-o", program], input: source)
    try #require(built.status == 0, "\(built.output)")
    #expect(try Command.run(program, in: scratch.path).status == 0)
  }
  #endif
}
