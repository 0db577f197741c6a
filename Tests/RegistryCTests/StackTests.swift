import Foundation
import TestSupport
import Testing

@Suite struct `The stack` {
  /// A program whose threads descend until little of their stacks is left, and print how much they
  /// used, in KiB.
  private let source = """
    #define _GNU_SOURCE
    #include "registry_sync.h"
    #include <pthread.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <ucontext.h>
    static char *top;
    static int used(void) {
      volatile char frame[4096];
      frame[0] = 0;
      return registry_stack_is_low() ? (int)((top - (char *)frame) / 1024) : used() + (int)frame[0];
    }
    static void *measure(void *unused) {
      (void)unused;
      char here;
      top = &here;
      printf("%d\\n", used());
      return NULL;
    }
    #ifdef HAS_CONTEXTS
    static ucontext_t outside, inside;
    static void own(void) { printf("%d\\n", registry_stack_is_low()); }
    #endif
    int main(void) {
      measure(NULL);
      for (size_t size = 64; size <= 8192; size = size == 64 ? 128 : size * 8) {
        pthread_attr_t attributes;
        pthread_t thread;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, size * 1024);
        if (pthread_create(&thread, &attributes, measure, NULL) || pthread_join(thread, NULL)) return 1;
      }
    #ifdef HAS_CONTEXTS
      getcontext(&inside);
      inside.uc_stack.ss_sp = malloc(65536);
      inside.uc_stack.ss_size = 65536;
      inside.uc_link = &outside;
      makecontext(&inside, own, 0);
      swapcontext(&outside, &inside);
    #endif
      return 0;
    }
    """

  @Test(arguments: Compiler.all)
  func `No function needs more than 6 KB, even if it is not optimized`(compiler: Compiler) throws {
    let scratch = try Scratch()
    let limit = ["-Wframe-larger-than=6144", "-Werror"]
    let files = try sourceFiles()
    let built = try compiler.run(["-shared", "-fPIC", "-I", include, "-o", scratch.path + "/all.so"] + limit + files)
    #expect(built.succeeded, "\(built.output.prefix(2_000))")
  }

  @Test(arguments: ["clang", "gcc", "musl-gcc"])
  func `Threads of any size find out when an eighth of the stack is left, or 256 KiB`(name: String) throws {
    guard let compiler = Compiler(named: name) else { return }
    let scratch = try Scratch()
    let program = scratch.path + "/descend"
    // musl has no functions for contexts.
    let flags = ["-I", include, "-pthread"] + (name == "musl-gcc" ? [] : ["-DHAS_CONTEXTS"])
    let built = try compiler.run(
      flags + SharedObject.librarySources + ["-x", "c", "-", "-ldl", "-o", program], input: source)
    try #require(built.status == 0, "\(built.output)")
    let result = try Command.run("sh", ["-c", "ulimit -s 4096; exec '\(program)'"])
    #expect(result.status == 0, "\(result.output)")
    let lines = result.output.split(separator: "\n").compactMap { Int($0) }
    let sizes = [4096, 64, 128, 1024, 8192]
    #expect(lines.count == (name == "musl-gcc" ? 5 : 6) && (lines.count == 5 || lines.last == 0), "\(result.output)")
    for (size, used) in zip(sizes, lines) {
      let allowed = size - min(max(32, min(size / 8, 256)), size / 2)
      // The frame that finds out is included.
      #expect(used <= allowed + 8 && used > allowed / 2, "\(used) of \(size)")
    }
  }
}
